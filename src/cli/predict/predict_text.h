/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_text.h - the predictions for the rows of a text: a table, or LIBSVM/svmlight
 * text.
 *
 * The first rank reads the text once and scores each row as it comes, with the schema of
 * the model. Its line of a CSV file is written at once, so that memory grows with the
 * rows only by what scored_text_rows.h keeps: for metrics, and for HDF5 files, which need
 * the number of rows first. */
#ifndef SDCA_CLI_PREDICT_PREDICT_TEXT_H
#define SDCA_CLI_PREDICT_PREDICT_TEXT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "cli/predict/prediction_lines.h"
#include "cli/predict/prediction_row.h"
#include "cli/predict/scored_text_rows.h"
#include "cli/ui/live_progress.h"
#include "data/table_encoder.h"
#include "data/table_schema.h"
#include "model/model.h"
#include "objective/metrics.h"

typedef struct predict_text_options {
    const char       *path;
    const char       *out;       /* the file of the predictions, or NULL */
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

/* All zero: empty. All but has_labels is that of the first rank. */
typedef struct predict_text_rows {
    bool              has_labels; /* some rows do */
    sdca_table_schema schema;     /* of the training data, if they were a table */
    scored_text_rows  rows;
    prediction_lines  lines;          /* the CSV file, until it is complete */
    int64_t           certain;        /* labels that are proven, where that is known */
    int64_t           unknown;        /* values that are no category of the model */
    sdca_string_list  unknown_column; /* the column of the first of them, if any */
    int64_t           absent;         /* columns of the model that are 0 */
    int64_t           left_out;       /* rows without a score, for missing values */
    int64_t           new_missing; /* missing values where the training data had none */
} predict_text_rows;

/* Whether a path is that of a text, by --format or, with "auto", by its suffix: h5, hdf5,
 * h5ad and no known suffix are HDF5 if the file begins as such. Local. */
bool predict_text_is_text(const char *format, const char *path);

/* Read and score a text, and print the lines of a CSV file, which appears later.
 * Collective. What out refers to is kept; the caller frees it with predict_text_free(),
 * which discards a file that was not finished, also after a failure. */
sdca_status predict_text_read(MPI_Comm comm, const char *model_path,
                              const sdca_model *model, const prediction_rule *rule,
                              const predict_text_options *options, live_progress *display,
                              predict_text_rows *out);
void        predict_text_free(predict_text_rows *text);

/* Compute the metrics of the rows with labels. Collective. The caller frees out. */
sdca_status predict_text_measure(MPI_Comm comm, const sdca_model *model, double threshold,
                                 const predict_text_rows *text, sdca_metrics_result *out);

/* Finish the file of the predictions, CSV or HDF5. Collective. */
sdca_status predict_text_finish(MPI_Comm comm, const prediction_rule *rule,
                                predict_text_rows *text, const char *path);

#endif
