/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_chart.h - what the charts of a report show, whoever draws them. */
#ifndef SDCA_REPORT_CHART_H
#define SDCA_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report_run.h"

enum {
    REPORT_FIELDS  = 2,
    REPORT_COLOURS = 8, /* of a palette; runs beyond it have dashes besides */
    REPORT_DOTS    = 60 /* curves of at most so many points show them all */
};

/* What the x axis shows. */
typedef enum report_across { REPORT_EPOCHS, REPORT_SECONDS, REPORT_ACROSS } report_across;

/* One or two fields of the records of all runs, by their offsets. */
typedef struct report_chart {
    const char *title;
    bool        logarithmic;          /* the y axis */
    bool        setting;              /* chosen by the method: boring unless it changes */
    const char *value[REPORT_FIELDS]; /* what they are called; NULL for no second one */
    size_t      field[REPORT_FIELDS];
} report_chart;

/* All charts; a title of NULL ends them. */
extern const report_chart report_charts[];

/* "epochs" or "seconds". Local. */
const char *report_chart_across_name(report_across across);

/* Where a record is in a chart. Local. */
double report_chart_x(report_across across, const sdca_record *record);
double report_chart_y(const report_chart *chart, int field, const sdca_record *record);

/* Can it be drawn? A value that is missing, infinite or beyond reason cannot.
 * Local. */
bool report_chart_has_point(const report_chart *chart, int field, report_across across,
                            const sdca_record *record);

/* A point that can be drawn, and where to look for the next one. */
typedef struct report_point {
    int     run, field;
    int64_t next;
    double  x, y;
} report_point;

/* Step to the next point of a chart: run by run, field by field. *at begins as { 0 }.
 * False when there are no more. Local. */
bool report_chart_next(const report_chart *chart, report_across across,
                       const report_run *run, int count, report_point *at);

/* Is there anything to draw that is worth it? Local. */
bool report_chart_is_worth(const report_chart *chart, report_across across,
                           const report_run *run, int count);

#endif
