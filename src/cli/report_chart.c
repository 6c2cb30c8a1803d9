/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_chart.c - what the charts of a report show, whoever draws them. */
#include "report_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const report_chart report_charts[] = {
    { .title       = "Duality gap",
      .logarithmic = true,
      .value       = { "gap" },
      .column      = { "gap" } },
    { .title  = "Primal and dual objective",
      .value  = { "primal", "best dual so far" },
      .column = { "primal", "best_dual" } },
    { .title  = "Test error",
      .tested = true,
      .value  = { "test error" },
      .column = { "test_error" } },
    { .title      = "Test RMSE",
      .tested     = true,
      .regression = true,
      .value      = { "test RMSE" },
      .column     = { "test_error" } },
    { .title   = "Step length eta",
      .setting = true,
      .value   = { "eta" },
      .column  = { "eta" } },
    { .title   = "Allowance for other ranks, sigma",
      .setting = true,
      .value   = { "sigma", "sigma along the mean row" },
      .column  = { "sigma", "sigma_along" } },
    { .title   = "Local steps of a round, as a share of a rank's rows",
      .setting = true,
      .value   = { "local steps" },
      .column  = { "local_steps" } },
    { .title = NULL },
};

static const double beyond = 1e100; /* no objective, and safe to calculate with */

const char *report_chart_across_name(report_across across)
{
    return across == REPORT_EPOCHS ? "epochs" : "seconds";
}

/* 1, 2 or 5 times a power of ten, whichever is nearest in ratio to a part of the
 * span. */
double report_chart_step(double span)
{
    double rough = span / REPORT_TICKS;
    double power = pow(10.0, floor(log10(rough)));
    double share = rough * rough / (power * power);

    return power * (share < 2.0 ? 1.0 : share < 10.0 ? 2.0 : share < 50.0 ? 5.0 : 10.0);
}

void report_chart_format(double size, double step, char format[16])
{
    double places = -floor(log10(step) + 1e-9);

    if (size < 1e6 && places <= 5.0) {
        snprintf(format, 16, "%%.%df", places > 0.0 ? (int)places : 0);
    } else {
        snprintf(format, 16, "%%.%dg", (int)fmax(1.0, floor(log10(size)) + places + 1.0));
    }
}

static int find(const sdca_record_schema *columns, const char *name)
{
    return sdca_record_schema_find(columns, name, strlen(name));
}

report_curve report_chart_curve(const report_chart *chart, int field,
                                report_across across, const report_run *run)
{
    report_series rounds = report_run_rounds(run);
    report_curve  curve  = { .series = chart->setting && rounds.count > 0
                                           ? rounds
                                           : report_run_evaluations(run) };

    curve.x = find(curve.series.columns, across == REPORT_EPOCHS ? "epoch" : "seconds");
    curve.y = find(curve.series.columns, chart->column[field]);
    if (curve.y < 0 ||
        (chart->tested && chart->regression != report_run_is_regression(run))) {
        curve.series.count = 0;
    }
    return curve;
}

bool report_curve_find(const report_curve *curve, int64_t k, double *x, double *y)
{
    const double *record = curve->series.number + k * curve->series.columns->count;

    *x = record[curve->x];
    *y = record[curve->y];
    return fabs(*x) < beyond && fabs(*y) < beyond; /* false for what is not a number */
}

bool report_chart_next(const report_chart *chart, report_across across,
                       const report_run *run, int count, report_point *at)
{
    for (; at->run < count; at->run++, at->field = 0) {
        for (; at->field < REPORT_FIELDS && chart->value[at->field] != NULL;
             at->field++) {
            if (at->next == 0) {
                at->curve = report_chart_curve(chart, at->field, across, &run[at->run]);
            }
            while (at->next < at->curve.series.count) {
                if (report_curve_find(&at->curve, at->next++, &at->x, &at->y)) {
                    return true;
                }
            }
            at->next = 0;
        }
    }
    return false;
}

int report_chart_fields(const report_chart *chart, report_across across,
                        const report_run *run, int count)
{
    report_point at   = { 0 };
    int          last = 0;

    while (report_chart_next(chart, across, run, count, &at)) {
        last = at.field > last ? at.field : last;
    }
    return last + 1;
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
