/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_chart.c - what the charts of a report show, whoever draws them. */
#include "report_chart.h"

#include <math.h>

#define FIELD(name) offsetof(sdca_record, name)
const report_chart report_charts[] = {
    { .title       = "Duality gap",
      .logarithmic = true,
      .value       = { "gap" },
      .field       = { FIELD(gap) } },
    { .title = "Primal and dual objective",
      .value = { "primal", "dual" },
      .field = { FIELD(primal), FIELD(dual) } },
    { .title = "Test error", .value = { "test error" }, .field = { FIELD(test_error) } },
    { .title   = "Step length eta",
      .setting = true,
      .value   = { "eta" },
      .field   = { FIELD(eta) } },
    { .title   = "Allowance for other ranks, sigma",
      .setting = true,
      .value   = { "sigma" },
      .field   = { FIELD(sigma) } },
    { .title   = "Local steps of a round, as a share of a rank's rows",
      .setting = true,
      .value   = { "local steps" },
      .field   = { FIELD(local_steps) } },
    { .title = NULL },
};
#undef FIELD

static const double beyond = 1e100; /* no objective, and safe to calculate with */

const char *report_chart_across_name(report_across across)
{
    return across == REPORT_EPOCHS ? "epochs" : "seconds";
}

double report_chart_x(report_across across, const sdca_record *record)
{
    return across == REPORT_EPOCHS ? record->epoch : record->seconds;
}

double report_chart_y(const report_chart *chart, int field, const sdca_record *record)
{
    return *(const double *)((const char *)record + chart->field[field]);
}

bool report_chart_has_point(const report_chart *chart, int field, report_across across,
                            const sdca_record *record)
{
    /* Both are false for what is not a number. */
    return fabs(report_chart_x(across, record)) < beyond &&
           fabs(report_chart_y(chart, field, record)) < beyond;
}

bool report_chart_next(const report_chart *chart, report_across across,
                       const report_run *run, int count, report_point *at)
{
    for (; at->run < count; at->run++, at->field = 0) {
        const sdca_history *history = &run[at->run].model.history;

        for (; at->field < REPORT_FIELDS && chart->value[at->field] != NULL;
             at->field++) {
            while (at->next < history->count) {
                const sdca_record *record = &history->record[at->next++];

                if (report_chart_has_point(chart, at->field, across, record)) {
                    at->x = report_chart_x(across, record);
                    at->y = report_chart_y(chart, at->field, record);
                    return true;
                }
            }
            at->next = 0;
        }
    }
    return false;
}

bool report_chart_is_worth(const report_chart *chart, report_across across,
                           const report_run *run, int count)
{
    report_point at    = { 0 };
    double       first = NAN;

    while (report_chart_next(chart, across, run, count, &at)) {
        if (!chart->setting || (!isnan(first) && at.y != first)) {
            return true;
        }
        first = at.y;
    }
    return false;
}
