/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.h - a data set that is distributed by rows.
 *
 * Constant once made. Each rank holds a contiguous range of rows; ranges have about the
 * same number of non-zeros and may be empty. Within its range a rank may store the rows
 * in a random order, so that neighbouring rows are a random sample. */
#ifndef SDCA_DATA_DATASET_H
#define SDCA_DATA_DATASET_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/range.h"
#include "base/status.h"
#include "base/string_list.h"
#include "data/labels.h"
#include "data/rows.h"
#include "data/used_columns.h"
#include "sdca/dataset.h"

struct sdca_dataset {
    int64_t    rows;         /* n, of all ranks */
    int64_t    nonzeros;     /* of all ranks */
    int32_t    columns;      /* d */
    int32_t    file_columns; /* columns of the source, where their number was changed */
    sdca_range local_range;  /* the global numbers of this rank's rows */
    sdca_rows  x;            /* this rank's rows with their labels and norms */
    bool       has_labels;
    sdca_task
        task; /* NONE: y has values of classes that were given, or is as in the source */
    sdca_classes     classes;      /* what y means; count 0: y is the label */
    sdca_string_list class_names;  /* if not empty, the source has labels by name */
    int64_t          unused_names; /* those of them that are no class: no row has them */
    double          *weight; /* by row of x: its weight; NULL: all are 1, on all ranks */
    double  *class_factor;   /* by class: what weight has of class weights; or NULL */
    int32_t *fold; /* by row of x: its fold (folds.h), or -1; NULL: there are none */
    double   total_weight;  /* S, the sum of the weights of all ranks' rows */
    double   mean_norm2;    /* the weighted mean of |x|^2 over all rows */
    double   margin_error2; /* that of sdca_rows_dot_error()^2 |x|^2 */
    bool     normalized;
    double   bias;      /* the value of the last column in all rows; 0: none */
    bool     intercept; /* that column is for an intercept without penalty */
    sdca_standardize standardize;
    double          *scale; /* by column: its values were divided by it; NULL: by 1 ... */
    double          *mean;  /* ... after it was subtracted; NULL: 0 */
    int32_t          constant_columns; /* columns without variance, not scaled */
    uint64_t fingerprint; /* of sizes, values, labels, weights; not of the ranks */

    /* The columns of the source that are the columns here; NULL: the same. */
    sdca_used_columns *column_map;

    /* The numbers in the source of all rows, where only some were read; or NULL. */
    int64_t *source_row;
    int64_t  source_rows; /* all rows of the source, if that is set */
    int64_t  unlabelled;  /* rows of the source without a label, where that is allowed */
    int64_t  missing_columns; /* columns that are 0, as the source lacks them */

    /* From a row's number within local_range to its index in x. */
    sdca_permutation shuffle;
};

/* Which parts of an AnnData file are used; lists are separated by commas. All NULL: X,
 * all rows, no columns of obs, names as var has them. */
typedef struct sdca_anndata_options {
    const char *x;          /* X, raw/X, layers/NAME or obsm/NAME */
    const char *names;      /* the column of var with the names of the columns */
    const char *covariates; /* columns of obs that are further columns of the data set */
    const char *where;      /* COLUMN=VALUE,... or COLUMN!=VALUE,...: the rows */
} sdca_anndata_options;

/* What becomes of rows of an AnnData file without a label. */
typedef enum sdca_unlabelled_rows {
    SDCA_UNLABELLED_FAIL,
    SDCA_UNLABELLED_SKIP, /* they are left out */
    SDCA_UNLABELLED_KEEP  /* they have weight 0 and the label of another row */
} sdca_unlabelled_rows;

/* How a data set is made. All zero: rows and labels as the source has them. */
typedef struct sdca_dataset_options {
    sdca_task           task;
    const char         *positive;  /* the label to be +1, against all others; or NULL */
    const sdca_classes *classes;   /* labels become values of these; NULL: as task says */
    bool                normalize; /* divide each row by its norm; a row of zeros stays */
    double              bias; /* append a column of this value, in float32; 0: none */
    bool intercept; /* append a constant column for an intercept without penalty */
    sdca_standardize standardize;
    bool             shuffle; /* store rows in a random order, the same in every run */
    bool    compact_columns;  /* leave out columns without non-zeros if they are most */
    bool    limit_columns;    /* have max_columns columns, leaving out any beyond */
    int32_t max_columns;
    const sdca_dataset *columns_of; /* have the columns of this data set, without its
                                       bias; or NULL */

    /* Factors of the weights by class (class_weights.h), for classification; or NULL. */
    const char *class_weight;

    /* Of files only. */
    bool        require_labels;
    bool        ignore_labels; /* do not read them */
    const char *label_column;  /* the column of obs that has the labels; NULL: y */
    const char *weight_column; /* the same for weights; NULL: weight, if it is there */
    bool        unweighted;    /* do not read weights: all are 1 */
    bool        follow_links;  /* follow links to other files */
    sdca_anndata_options cells;
    sdca_unlabelled_rows unlabelled_rows; /* in the column of obs */

    /* Match the columns of the file with these by name, if it has names; columns that it
     * lacks are refused by name, or 0. NULL: by position. */
    const sdca_string_list *column_names;
    bool                    missing_columns_zero;

    /* Called with context after each chunk of this rank's rows, unless NULL. Local. */
    void (*progress)(void *context, int64_t rows_read, int64_t rows);
    void *context;
} sdca_dataset_options;

/* The weight of row i of this rank, 0 or more. Local. */
static inline double sdca_dataset_weight(const sdca_dataset *data, uint32_t i)
{
    return data->weight != NULL ? data->weight[i] : 1.0;
}

/* The same without the weight of its class, where that is above 0. Local. */
static inline double sdca_dataset_sample_weight(const sdca_dataset *data, uint32_t i)
{
    double weight = sdca_dataset_weight(data, i);

    return data->class_factor != NULL && weight > 0.0
               ? weight / data->class_factor[sdca_classes_decode(&data->classes,
                                                                 data->x.row[i].y)]
               : weight;
}

/* The fold of row i of this rank; -1: none. Local. */
static inline int sdca_dataset_fold(const sdca_dataset *data, uint32_t i)
{
    return data->fold != NULL ? data->fold[i] : -1;
}

/* The mean over all rows of the dual's curvature q_i = s_i |x_i|^2 / (lambda S). Local.
 */
double sdca_dataset_mean_curvature(const sdca_dataset *data, double lambda);

/* The global number, as in the source, of row i of this rank. Local. */
int64_t sdca_dataset_global_row(const sdca_dataset *data, uint32_t i);

/* The number in the source of row k of local_range. Local. */
static inline int64_t sdca_dataset_source_row(const sdca_dataset *data, int64_t k)
{
    int64_t row = data->local_range.first + k;

    return data->source_row != NULL ? data->source_row[row] : row;
}

/* Columns of the source, without the bias. Local. */
int32_t sdca_dataset_feature_count(const sdca_dataset *data);

/* The columns whose weights have a penalty: all but that of an intercept. Local. */
static inline int32_t sdca_dataset_penalized_columns(const sdca_dataset *data)
{
    return data->columns - (data->intercept ? 1 : 0);
}

/* The range of this rank's rows, where ranks have theirs in rank order. Collective. */
sdca_range sdca_dataset_find_local_range(MPI_Comm comm, int64_t rows);

/* A row's term of the fingerprint: a hash of its global number, its label (0 without
 * labels), and its sdca_rows_hash() as in the source. Local. */
uint64_t sdca_dataset_row_hash(int64_t row, double label, uint64_t entries);

/* What the weight of a row adds to that: 0 for weight 1, so that a data set with weights
 * of 1 has the fingerprint of one without weights. Local. */
uint64_t sdca_dataset_weight_hash(int64_t row, double weight);

/* Make a data set of rows in memory, each rank giving its own, in rank order. The
 * starts of rows are set, and y if there are labels. Of options, which may be NULL,
 * bias and shuffle are ignored. Collective. On success x is taken over and left empty,
 * and the caller frees *out with sdca_dataset_free(). */
sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, bool has_labels,
                                const sdca_dataset_options *options, sdca_dataset **out);

/* Turn a draft into a data set that is called name in messages: apply the task, classes
 * and class weights of options, sum up what needs all ranks, then apply the columns. Of
 * the draft, local_range, x, has_labels, class_names, weight, normalized, bias and
 * shuffle are set; nonzeros is this rank's number, and fingerprint the sum of
 * sdca_dataset_row_hash() and sdca_dataset_weight_hash() over its rows. weight is set on
 * all ranks or on none. Collective. Takes over what the draft holds on success, leaving
 * it empty; *out is as above. */
sdca_status sdca_dataset_finish(MPI_Comm comm, const char *name,
                                const sdca_dataset_options *options, sdca_dataset *draft,
                                sdca_dataset **out);

#endif
