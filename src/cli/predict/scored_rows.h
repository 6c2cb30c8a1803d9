/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scored_rows.h - rows of a text that have been scored one after the other, which become
 * a data set with a column per score. */
#ifndef SDCA_CLI_PREDICT_SCORED_ROWS_H
#define SDCA_CLI_PREDICT_SCORED_ROWS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "data/dataset.h"
#include "data/labels.h"
#include "objective/scorer.h"

/* All zero but the first two: no rows. */
typedef struct scored_rows {
    const char *path; /* of the text, in messages */
    int         models;
    int64_t     count, room;
    int64_t     unlabelled; /* rows without a label */
    bool        has_labels; /* this and the next are set when all rows are there */
    bool        has_weights;
    double     *score;  /* by row and model */
    double     *norm2;  /* of the rows */
    double     *label;  /* as in the text; NaN: none */
    double     *weight; /* of the rows, 0 without a label */
} scored_rows;

/* Add a row, whose scores are given, one per model. Local. */
sdca_status scored_rows_add(scored_rows *rows, const double *score, double norm2,
                            double label, double weight);

/* Make a data set of the rows of the first rank, whose labels are numbers of these names,
 * or of classes. The scorer gives the scores back. Collective. What the last two hold is
 * the caller's. */
sdca_status scored_rows_make_dataset(MPI_Comm comm, scored_rows *rows,
                                     const sdca_string_list *class_names,
                                     const sdca_classes *classes, sdca_dataset **data,
                                     sdca_scorer *scorer);

/* Local. */
void scored_rows_free(scored_rows *rows);

#endif
