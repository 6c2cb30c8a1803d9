/* SPDX-License-Identifier: BSD-3-Clause
 *
 * charts.h - what the charts of a report show, whoever draws them. */
#ifndef SDCA_CLI_REPORT_CHARTS_H
#define SDCA_CLI_REPORT_CHARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/report/runs.h"

enum {
    REPORT_CHART_FIELDS = 2,
    REPORT_TICKS        = 5, /* about so many on an axis */
    REPORT_COLOURS      = 8, /* of a palette; runs beyond it have dashes besides */
    REPORT_MAX_DOTS     = 60 /* curves of at most so many points show them all */
};

/* What the x axis shows. */
typedef enum report_x_axis {
    REPORT_X_EPOCHS,
    REPORT_X_SECONDS,
    REPORT_X_AXES
} report_x_axis;

/* One or two fields of the records of all runs. */
typedef struct report_chart {
    const char *title;
    bool        logarithmic;   /* the y axis */
    bool        is_per_round;  /* chosen round by round: boring unless it changes */
    bool        uses_test_set; /* of a test set, and for one task alone: ... */
    bool        is_regression; /* ... this */
    const char
        *label[REPORT_CHART_FIELDS]; /* what they are called; NULL for no second one */
    const char *field_name[REPORT_CHART_FIELDS]; /* their names in files */
} report_chart;

/* All charts; a title of NULL ends them. */
extern const report_chart report_charts[];

/* "epochs" or "seconds". Local. */
const char *report_chart_x_axis_name(report_x_axis x_axis);

/* From one tick to the next on an axis that spans so much. Local. */
double report_chart_tick_step(double span);

/* How printf() and gnuplot are to write the ticks of an axis whose greatest number has
 * this size: with as many places as the step needs. Local. */
void report_chart_tick_format(double magnitude, double step, char format[16]);

/* A field of a run against epochs or seconds. */
typedef struct report_curve {
    report_series series; /* without a record if the run has no such field */
    int           x, y;   /* columns */
} report_curve;

/* What is chosen round by round is a curve of the rounds, if a run knows them; all else
 * is one of evaluations. Local. */
report_curve report_chart_curve(const report_chart *chart, int field,
                                report_x_axis x_axis, const report_run *run);

/* Where record k is. False if it cannot be drawn: a value that is missing, infinite or
 * beyond reason. Local. */
bool report_curve_get_point(const report_curve *curve, int64_t k, double *x, double *y);

/* A point that can be drawn, and where to look for the next one. */
typedef struct report_point {
    int          run, field;
    report_curve curve; /* theirs, from the first point on */
    int64_t      next;
    double       x, y;
} report_point;

/* Step to the next point of a chart: run by run, field by field. *at begins as { 0 }.
 * False when there are no more. Local. */
bool report_chart_next_point(const report_chart *chart, report_x_axis x_axis,
                             const report_run *run, int count, report_point *at);

/* How many of its fields any run has a point of. Local. */
int report_chart_count_fields(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count);

/* Is there anything to draw that is worth it? Local. */
bool report_chart_has_content(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count);

#endif
