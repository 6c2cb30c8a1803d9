/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_chart.h - curves of histories as one figure of a page, in SVG. */
#ifndef SDCA_REPORT_CHART_H
#define SDCA_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sdca/history.h"

enum {
    REPORT_CHART_COLOURS = 8,  /* of the page's palette: --c0 .. --c7 */
    REPORT_CHART_DOTS    = 400 /* a curve has at most about so many points to hover on */
};

/* One field of a history's records, by its offset, as it goes on. */
typedef struct report_curve {
    const char         *name;  /* of the run */
    const char         *value; /* what the field is called */
    const sdca_history *history;
    size_t              field;
    int                 colour;
    bool                dashed;
} report_curve;

typedef struct report_chart {
    const char *title;
    const char *across;      /* what the x axis shows */
    size_t      x;           /* offset of that field */
    bool        logarithmic; /* the y axis; what is not above 0 is shown at its foot */
    bool        runs;        /* there are several: the legend names them ... */
    bool        values;      /* ... and the fields, if there are several */
    int         curves;
    const report_curve *curve;
} report_chart;

/* Is there anything to draw? A value that is missing, infinite or beyond reason
 * cannot be drawn. Local. */
bool report_chart_has_points(const report_chart *chart);

/* Write the figure; errors of writing show when the page is closed. Local. */
void report_chart_write(const report_chart *chart, FILE *page);

/* Does record k get a point, and a line in a table? All do if they are not too
 * many. Local. */
bool report_chart_shows(const sdca_history *history, int64_t k);

#endif
