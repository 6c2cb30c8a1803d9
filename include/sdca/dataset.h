/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.h - rows and labels to train on or to predict, distributed over the ranks.
 *
 * A data set is constant once made. Each rank holds a contiguous range of its rows, which
 * may be empty. */
#ifndef SDCA_DATASET_H
#define SDCA_DATASET_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "status.h"

typedef struct sdca_dataset sdca_dataset; /* opaque */
typedef struct sdca_model   sdca_model;   /* opaque; see model.h */

/* What a data set is made for, which decides how its labels are encoded. */
typedef enum sdca_task {
    SDCA_TASK_NONE,           /* labels stay as the source has them */
    SDCA_TASK_CLASSIFICATION, /* labels are classes; two are encoded as -1 and +1 */
    SDCA_TASK_REGRESSION      /* labels are numbers */
} sdca_task;

/* What is done to the columns of a training set, with the weights of its rows. Models are
 * in the units of the source all the same. */
typedef enum sdca_standardize {
    SDCA_STANDARDIZE_NONE,
    SDCA_STANDARDIZE_SCALE, /* divide each column by its standard deviation */
    SDCA_STANDARDIZE_FULL   /* also subtract its mean before; of rows that are stored
                             * sparse only together with an intercept */
} sdca_standardize;

/* How a data set is made. sdca_read_options_default() has the defaults. */
typedef struct sdca_read_options {
    sdca_task task;      /* default: classification */
    bool      normalize; /* divide each row by its norm; a row of zeros stays */
    double    bias;      /* append a column of this value to the rows; 0: none */
    bool      intercept; /* train with an intercept that has no penalty; excludes bias */
    sdca_standardize standardize; /* default: none */

    /* The label, as text, to be the class +1; if there are not two labels, all others are
     * the class -1. NULL: the greater of two labels is +1, and more labels are as many
     * classes. */
    const char *positive;

    /* Factors of the sample weights by class, for classification: "balanced", so that all
     * classes have the same total weight, or LABEL=W,LABEL=W,..., with 1 for labels that
     * are not listed; NULL: none. */
    const char *class_weight;

    /* Make a data set to predict with this model: its columns, its classes, normalised
     * as its training data were. The options above are ignored. */
    const sdca_model *model;

    /* Make a test set for this training set: its columns, its classes, normalised and
     * scaled as it is. The options above are ignored. */
    const sdca_dataset *like;

    /* Of rows in memory only: the sample weights of this rank's rows, finite and 0 or
     * more, copied; NULL on all ranks: 1. */
    const double *weights;

    /* Of files only. */
    const char
        *label_column; /* the column of AnnData's obs that has the labels; NULL: y */
    const char *weight_column; /* the same for sample weights; NULL: the array weight, or
                                  1 if there is none */
    bool unweighted;           /* ignore the sample weights of the file */
    bool follow_links;         /* follow links that lead to other files */
} sdca_read_options;

/* This rank's rows as compressed sparse rows: row i has the columns and values
 * indptr[i] .. indptr[i + 1] - 1, with indptr[0] = 0. Columns count from 0 and may be in
 * any order, but not occur twice in a row. One of value32 and value64 is used, the other
 * one is NULL; both may be NULL where there are no non-zeros. columns is the same on all
 * ranks. All arrays are borrowed until the call returns. */
typedef struct sdca_csr_view {
    int64_t        rows;
    int32_t        columns;
    const int64_t *indptr; /* rows + 1 numbers; may be NULL if rows is 0 */
    const int32_t *indices;
    const float   *value32;
    const double  *value64;
} sdca_csr_view;

/* This rank's rows as a matrix of rows x columns values, row by row; the rest is as
 * above. */
typedef struct sdca_dense_view {
    int64_t       rows;
    int32_t       columns;
    const float  *value32;
    const double *value64;
} sdca_dense_view;

#ifdef __cplusplus
extern "C" {
#endif

/* The options that NULL stands for: classification, rows as they are, no bias, sample
 * weights if a file has them. Local. */
SDCA_API sdca_read_options sdca_read_options_default(void);

/* Read an HDF5 file (docs/formats.md) and distribute its rows, so that all ranks have
 * about the same number of non-zeros. options may be NULL. Collective. On success the
 * caller frees *out with sdca_dataset_free(). */
SDCA_API sdca_status sdca_dataset_read(MPI_Comm comm, const char *path,
                                       const sdca_read_options *options,
                                       sdca_dataset           **out);

/* Make a data set of rows in memory. Each rank passes its own, in rank order: the rows
 * of rank 0 are the first. labels has one number per row of this rank, or is NULL on
 * all ranks; options may be NULL. Values and labels are copied, and checked as those of
 * a file are. Collective. On success the caller frees *out with sdca_dataset_free(). */
SDCA_API sdca_status sdca_dataset_from_csr(MPI_Comm comm, const sdca_csr_view *x,
                                           const double            *labels,
                                           const sdca_read_options *options,
                                           sdca_dataset           **out);
SDCA_API sdca_status sdca_dataset_from_dense(MPI_Comm comm, const sdca_dense_view *x,
                                             const double            *labels,
                                             const sdca_read_options *options,
                                             sdca_dataset           **out);

/* Free a data set; NULL is allowed. Local. */
SDCA_API void sdca_dataset_free(sdca_dataset *data);

/* Rows and non-zeros of all ranks, and the columns of the source, without the bias.
 * Local. */
SDCA_API int64_t sdca_dataset_rows(const sdca_dataset *data);
SDCA_API int64_t sdca_dataset_nonzeros(const sdca_dataset *data);
SDCA_API int32_t sdca_dataset_columns(const sdca_dataset *data);

/* The sum of the weights of all ranks' rows: their number if there are no weights. Local.
 */
SDCA_API double sdca_dataset_total_weight(const sdca_dataset *data);

/* This rank's range of rows: its first row, counted over all ranks from 0, and the number
 * of its rows. Local. */
SDCA_API int64_t sdca_dataset_first_row(const sdca_dataset *data);
SDCA_API int64_t sdca_dataset_local_rows(const sdca_dataset *data);

#ifdef __cplusplus
}
#endif

#endif
