/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_text.h - the scores of the rows of a text: a table, or LIBSVM/svmlight text.
 *
 * The first rank reads the text once and scores each row as it comes, with the schema of
 * the model. What is kept of a row are its scores, its label and weight, and the columns
 * of --keep, so that the memory does not depend on the width of the text. The scores then
 * become a data set with a column per score, which is written and measured like any
 * other. */
#ifndef SDCA_CLI_PREDICT_PREDICT_TEXT_H
#define SDCA_CLI_PREDICT_PREDICT_TEXT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "cli/ui/status_line.h"
#include "data/dataset.h"
#include "data/table_encoder.h"
#include "model/model.h"
#include "objective/scorer.h"

typedef struct predict_text_options {
    const char       *path;
    char              separator; /* of a table; 0: LIBSVM/svmlight text */
    bool              separator_given;
    sdca_table_header header;
    bool              zero_based;      /* indices of LIBSVM text start at 0 */
    const char       *label;           /* the column of a table; NULL: as in the schema */
    const char       *weight;          /* the same of the weights */
    bool              unlabelled;      /* ignore the labels */
    bool              unweighted;      /* ignore the weights */
    const char       *keep;            /* columns to copy, separated by commas; or NULL */
    bool              refuse_unknown;  /* fail on categories that the model has not */
    bool              missing_columns; /* columns that are not there are 0 */
} predict_text_options;

/* All zero: empty. The rest is that of the first rank. */
typedef struct predict_text_rows {
    sdca_dataset    *data;           /* the scores, on all ranks */
    sdca_scorer      scorer;         /* which gives them back */
    sdca_string_list kept_names;     /* the columns of --keep ... */
    sdca_string_list kept;           /* ... and their values, row by row */
    int64_t          unknown;        /* values that are no category of the model */
    sdca_string_list unknown_column; /* the column of the first of them, if any */
    int64_t          absent;         /* columns of the model that are 0 */
    int64_t          left_out;       /* rows without a score, for missing values */
    int64_t          new_missing;    /* missing values where the training data had none */
    int64_t          unlabelled;     /* rows without a label among others */
} predict_text_rows;

/* Whether a path is that of a text, by --format or, with "auto", by its suffix: h5, hdf5,
 * h5ad and no known suffix are HDF5 if the file begins as such. Local. */
bool predict_text_is_text(const char *format, const char *path);

/* Read and score a text. Collective. The caller frees out with predict_text_free(). */
sdca_status predict_text_read(MPI_Comm comm, const char *model_path,
                              const sdca_model           *model,
                              const predict_text_options *options, status_line *display,
                              predict_text_rows *out);
void        predict_text_free(predict_text_rows *rows);

#endif
