/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chart_contents.c - the contents of a report's charts, for SVG and gnuplot. */
#include "cli/report/chart_contents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const report_chart report_charts[] = {
    { .title        = "Primal and dual objective",
      .y_name       = "objective",
      .is_band      = true,
      .target_label = "target of the dual",
      .label        = { "primal", "best dual" },
      .field_name   = { "primal", "best_dual" } },
    { .title        = "Duality gap",
      .y_name       = "primal \xe2\x88\x92 best dual",
      .logarithmic  = true,
      .target_label = "target",
      .label        = { "gap" },
      .field_name   = { "gap" } },
    { .title         = "Test error",
      .y_name        = "test error",
      .uses_test_set = true,
      .label         = { "test error" },
      .field_name    = { "test_error" } },
    { .title         = "Test RMSE",
      .y_name        = "test RMSE",
      .uses_test_set = true,
      .is_regression = true,
      .label         = { "test RMSE" },
      .field_name    = { "test_error" } },
    { .title        = "Step length eta",
      .y_name       = "eta",
      .is_per_round = true,
      .label        = { "eta" },
      .field_name   = { "eta" } },
    { .title        = "Safety factor sigma",
      .y_name       = "sigma",
      .is_per_round = true,
      .label        = { "sigma", "sigma along the mean row" },
      .field_name   = { "sigma", "sigma_along" } },
    { .title        = "Local steps per round, as a share of a rank's rows",
      .y_name       = "local steps / rows of a rank",
      .is_per_round = true,
      .label        = { "local steps" },
      .field_name   = { "local_steps" } },
    { .title = NULL },
};

static const double max_value = 1e100; /* larger values are not drawn */

const char *report_chart_x_axis_name(report_x_axis x_axis)
{
    return x_axis == REPORT_X_EPOCHS ? "epochs" : "seconds";
}

/* 1, 2 or 5 times a power of ten: the one that is nearest, by ratio, to span /
 * REPORT_TICKS. */
double report_chart_tick_step(double span)
{
    double ideal         = span / REPORT_TICKS;
    double power         = pow(10.0, floor(log10(ideal)));
    double squared_ratio = ideal * ideal / (power * power);

    return power * (squared_ratio < 2.0    ? 1.0
                    : squared_ratio < 10.0 ? 2.0
                    : squared_ratio < 50.0 ? 5.0
                                           : 10.0);
}

void report_chart_tick_format(double magnitude, double step, char format[16])
{
    double decimals = -floor(log10(step) + 1e-9);

    if (magnitude < 1e6 && decimals <= 5.0) {
        snprintf(format, 16, "%%.%df", decimals > 0.0 ? (int)decimals : 0);
    } else {
        snprintf(format, 16, "%%.%dg",
                 (int)fmax(1.0, floor(log10(magnitude)) + decimals + 1.0));
    }
}

static int find_column(const sdca_record_schema *columns, const char *name)
{
    return sdca_record_schema_find(columns, name, strlen(name));
}

report_curve report_chart_curve(const report_chart *chart, int field,
                                report_x_axis x_axis, const report_run *run)
{
    report_series rounds = report_run_rounds(run);
    report_curve  curve  = { .series = chart->is_per_round && rounds.count > 0
                                           ? rounds
                                           : report_run_evaluations(run) };

    curve.x = find_column(curve.series.columns,
                          x_axis == REPORT_X_EPOCHS ? "epoch" : "seconds");
    curve.y = find_column(curve.series.columns, chart->field_name[field]);
    if (curve.y < 0 ||
        (chart->uses_test_set && chart->is_regression != report_run_is_regression(run))) {
        curve.series.count = 0;
    }
    return curve;
}

double report_chart_target(const report_chart *chart, const report_run *run)
{
    double target = report_run_target_gap(run);

    return chart->target_label == NULL || !(target > 0.0) ? NAN
           : chart->is_band ? run->model.certificate.primal - target
                            : target;
}

bool report_curve_get_point(const report_curve *curve, int64_t k, double *x, double *y)
{
    const double *record = curve->series.values + k * curve->series.columns->count;

    *x = record[curve->x];
    *y = record[curve->y];
    return fabs(*x) < max_value && fabs(*y) < max_value; /* false for NaN */
}

bool report_chart_next_point(const report_chart *chart, report_x_axis x_axis,
                             const report_run *run, int count, report_point *at)
{
    for (; at->run < count; at->run++, at->field = 0) {
        for (; at->field < REPORT_CHART_FIELDS && chart->label[at->field] != NULL;
             at->field++) {
            if (at->next == 0) {
                at->curve = report_chart_curve(chart, at->field, x_axis, &run[at->run]);
            }
            while (at->next < at->curve.series.count) {
                if (report_curve_get_point(&at->curve, at->next++, &at->x, &at->y)) {
                    return true;
                }
            }
            at->next = 0;
        }
    }
    return false;
}

int report_chart_count_fields(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count)
{
    report_point at   = { 0 };
    int          last = 0;

    while (report_chart_next_point(chart, x_axis, run, count, &at)) {
        last = at.field > last ? at.field : last;
    }
    return last + 1;
}

bool report_chart_has_content(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count)
{
    report_point at    = { 0 };
    double       first = NAN;

    while (report_chart_next_point(chart, x_axis, run, count, &at)) {
        if (!chart->is_per_round || (!isnan(first) && at.y != first)) {
            return true;
        }
        first = at.y;
    }
    return false;
}
