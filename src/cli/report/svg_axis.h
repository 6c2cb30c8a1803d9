/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svg_axis.h - the axes of the page's charts: from values to coordinates, ticks and
 * grid. */
#ifndef SDCA_CLI_REPORT_SVG_AXIS_H
#define SDCA_CLI_REPORT_SVG_AXIS_H

#include <stdbool.h>
#include <stdio.h>

/* Coordinates of a chart; labels are outside of the plot. */
enum {
    SVG_WIDTH  = 440,
    SVG_HEIGHT = 288,
    SVG_LEFT   = 54,
    SVG_RIGHT  = 430,
    SVG_TOP    = 28,
    SVG_BOTTOM = 246
};

/* Maps values to coordinates. low and high are exponents of ten on a logarithmic axis;
 * there is a tick at every multiple of step. */
typedef struct svg_axis {
    bool   logarithmic;
    double low, high;
    double step;
    double from, to;
} svg_axis;

/* A linear axis of exactly this range, which a range that is too narrow to divide
 * exceeds; and one that ends at ticks. Local. */
svg_axis svg_axis_horizontal(double low, double high);
svg_axis svg_axis_vertical(double low, double high);

/* A logarithmic axis for positive values of this range; of 0.1 to 1 if there are none,
 * where low > high. Local. */
svg_axis svg_axis_logarithmic(double low, double high);

/* The coordinate of a value; values without a logarithm are at the bottom of a
 * logarithmic axis. Local. */
double svg_axis_position(const svg_axis *axis, double value);

/* Write grid and ticks; the horizontal axis has its name below its right end, the
 * vertical one above its upper end. Write errors are found when the page is closed.
 * Local. */
void svg_axis_write_horizontal(const svg_axis *axis, const char *name, FILE *page);
void svg_axis_write_vertical(const svg_axis *axis, const char *name, FILE *page);

#endif
