/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_scores.h - scores of test data as panels of a figure. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_SCORES_H
#define SDCA_CLI_REPORT_GNUPLOT_SCORES_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/report/runs.h"

typedef enum gnuplot_score_panel {
    GNUPLOT_ROC,
    GNUPLOT_RECALL,
    GNUPLOT_HISTOGRAM /* of scores by class, or of the errors of a regression */
} gnuplot_score_panel;

/* Is there anything to draw for these runs, or for the classes of one? Local. */
bool gnuplot_scores_has(gnuplot_score_panel which, const report_run *run, int count);

/* Write the data of panel number k, which must be outside the multiplot, and the panel.
 * Write errors are found when the figure is drawn. Local. */
void gnuplot_scores_write_data(gnuplot_score_panel which, int k, const report_run *run,
                               int count, FILE *script);
void gnuplot_scores_write_panel(gnuplot_score_panel which, int k, const report_run *run,
                                int count, FILE *script);

#endif
