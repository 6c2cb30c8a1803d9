/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics_output.h - metrics as text and as JSON. */
#ifndef SDCA_CLI_METRICS_OUTPUT_H
#define SDCA_CLI_METRICS_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "data/labels.h"
#include "objective/metrics.h"

/* The rows that metrics are about. */
typedef struct metrics_output_rows {
    int64_t count;
    bool    weighted; /* not all weights are 1 */
    double  weight;   /* of all rows */
} metrics_output_rows;

/* Print the metrics of rows, and if the classes are few a table of them and the confusion
 * matrix. Local. */
void metrics_output_print(const sdca_classes *labels, metrics_output_rows rows,
                          const sdca_metrics_result *metrics, FILE *to);

/* The same without the first line, the error or the RMSE. Local. */
void metrics_output_print_others(const sdca_classes        *labels,
                                 const sdca_metrics_result *metrics, FILE *to);

/* Print how many labels are proven to be those of the exact optimum. Local. */
void metrics_output_print_certain(int64_t certain, int64_t rows, FILE *to);

/* Write all metrics to a file, and the number of rows whose label is proven to be that of
 * the optimum; below 0: not known. What is not defined is null. Local. */
sdca_status metrics_output_write_file(const sdca_classes *labels, int64_t rows,
                                      const sdca_metrics_result *metrics,
                                      int64_t certain_rows, const char *path);

#endif
