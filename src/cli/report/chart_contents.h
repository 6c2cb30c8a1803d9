/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chart_contents.h - the contents of a report's charts, for SVG and gnuplot. */
#ifndef SDCA_CLI_REPORT_CHART_CONTENTS_H
#define SDCA_CLI_REPORT_CHART_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/report/runs.h"

enum {
    REPORT_CHART_FIELDS = 2,
    REPORT_TICKS        = 5, /* approximate number on an axis */
    REPORT_COLOURS      = 8, /* of the palette; further runs are dashed */
    REPORT_MAX_DOTS     = 60 /* curves with at most this many points show them as dots */
};

/* The quantity of the x axis. */
typedef enum report_x_axis {
    REPORT_X_EPOCHS,
    REPORT_X_SECONDS,
    REPORT_X_AXES
} report_x_axis;

/* One or two fields of the records of all runs. */
typedef struct report_chart {
    const char *title;
    const char *y_name;
    bool        logarithmic;   /* y axis */
    bool        is_per_round;  /* chosen in each round: shown only if it changes */
    bool        uses_test_set; /* a test error, of one task only */
    bool        is_regression; /* that task */
    bool        is_band;       /* the area between the two fields is filled */
    const char *target_label;  /* of the line of the target, if there is one */
    const char *label[REPORT_CHART_FIELDS]; /* in the chart; the second may be NULL */
    const char *field_name[REPORT_CHART_FIELDS]; /* in files */
} report_chart;

/* All charts; a title of NULL ends the array. */
extern const report_chart report_charts[];

/* "epochs" or "seconds". Local. */
const char *report_chart_x_axis_name(report_x_axis x_axis);

/* The distance of ticks on an axis of this span. Local. */
double report_chart_tick_step(double span);

/* The printf() and gnuplot format of the ticks of an axis whose largest number has this
 * magnitude, with the decimals that the step needs. Local. */
void report_chart_tick_format(double magnitude, double step, char format[16]);

/* A field of a run against epochs or seconds. */
typedef struct report_curve {
    report_series series; /* empty if the run has no such field */
    int           x, y;   /* columns of the series */
} report_curve;

/* Fields that are chosen in each round are a curve of the rounds, if the run has a log of
 * them; all others are a curve of the evaluations. Local. */
report_curve report_chart_curve(const report_chart *chart, int field,
                                report_x_axis x_axis, const report_run *run);

/* The point of record k. False if it cannot be drawn: a missing, infinite or huge value.
 * Local. */
bool report_curve_get_point(const report_curve *curve, int64_t k, double *x, double *y);

/* Where the target of a run is in a chart: the gap of the target, or what the dual
 * objective must reach for it; NaN if it is unknown or has no place there. Local. */
double report_chart_target(const report_chart *chart, const report_run *run);

/* A point that can be drawn, and the state of the iteration. */
typedef struct report_point {
    int          run, field;
    report_curve curve; /* of run and field */
    int64_t      next;
    double       x, y;
} report_point;

/* Step to the next point of a chart: run by run, field by field. *at starts as { 0 }.
 * False at the end. Local. */
bool report_chart_next_point(const report_chart *chart, report_x_axis x_axis,
                             const report_run *run, int count, report_point *at);

/* The number of fields with a point in any run. Local. */
int report_chart_count_fields(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count);

/* Is the chart worth drawing? Local. */
bool report_chart_has_content(const report_chart *chart, report_x_axis x_axis,
                              const report_run *run, int count);

#endif
