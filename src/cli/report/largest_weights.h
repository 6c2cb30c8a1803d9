/* SPDX-License-Identifier: BSD-3-Clause
 *
 * largest_weights.h - the largest weights of a model, found in one pass. */
#ifndef SDCA_CLI_REPORT_LARGEST_WEIGHTS_H
#define SDCA_CLI_REPORT_LARGEST_WEIGHTS_H

#include <stdint.h>

#include "base/status.h"
#include "model/model.h"

enum { REPORT_LARGEST_WEIGHTS = 15 };

typedef struct report_largest_weights {
    int64_t nonzero; /* number of non-zero weights */
    int     count;   /* of the arrays below */
    int64_t column[REPORT_LARGEST_WEIGHTS];
    double  w[REPORT_LARGEST_WEIGHTS];
} report_largest_weights;

/* Find the largest weights of class k of a model in a file, or of its one w, in
 * descending order of magnitude, equal ones in ascending order of columns. Local. */
sdca_status report_largest_weights_find(const sdca_model *model, const char *path, int k,
                                        report_largest_weights *out);

#endif
