/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.h - my rows of a data set that all ranks share.
 *
 * Constant once read. Each rank holds a contiguous range of rows, chosen so
 * that all have about the same number of non-zeros; a rank may have none. Within
 * the range they may lie shuffled, so that neighbours are a random sample. */
#ifndef SDCA_DATA_DATASET_H
#define SDCA_DATA_DATASET_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/range.h"
#include "base/status.h"
#include "base/string_list.h"
#include "data/column_map.h"
#include "data/rows.h"

typedef struct sdca_dataset {
    int64_t rows;         /* of all ranks together: n */
    int64_t nonzeros;     /* of all ranks together */
    int32_t columns;      /* d */
    int32_t file_columns; /* columns of the file, where not these but others are taken */
    sdca_range local_range; /* the global numbers of my rows */
    sdca_rows  x;           /* my rows, and what is known of each */
    bool       has_labels;  /* are there any? */
    sdca_string_list
             class_names;      /* y says which of these, from 0; none: y is the label */
    double   mean_norm2;       /* of all rows */
    double   norm2_dispersion; /* the mean of |x|^4 over the square of that: 1 or more */
    double   margin_error2;    /* the mean of sdca_rows_dot_error()^2 |x|^2 */
    bool     normalized;
    double   bias; /* the value of the last column in all rows; 0: there is none such */
    uint64_t fingerprint; /* of sizes, values and labels; the same for any ranks */

    /* The columns of the file that the columns here are; NULL: they are the same. */
    sdca_column_map *column_map;

    /* From a row's number in my range to its place in x. */
    sdca_permutation shuffle;
} sdca_dataset;

/* The labels that stand for -1 and +1, ascending; count is 0 for regression. If
 * there is only one, it stands for the sign it has itself, -1 for 0. */
enum { SDCA_CLASS_NAME_SIZE = 64 };
typedef struct sdca_classes {
    int    count;
    double value[2];
    char   name[2][SDCA_CLASS_NAME_SIZE]; /* what the values 0 and 1 mean, or "" */
} sdca_classes;

/* Make a data set of rows in memory, each rank giving its own, in rank order: of
 * what is known of a row the starts are set, and y if there are labels. Collective.
 * Takes over x on success, leaving it empty. On success *out is the caller's, to be
 * freed with sdca_dataset_free(). */
sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, bool has_labels,
                                bool normalize, sdca_dataset **out);

/* Make a data set of what each rank has read: mine, x, labels, normalized and places
 * of the draft are those of the data set to be, nonzeros is the number of my own, and
 * fingerprint the sum of sdca_dataset_row_hash() over my rows. Collective. Takes over
 * what the draft holds on success, leaving it empty; *out is as above. */
sdca_status sdca_dataset_assemble(MPI_Comm comm, sdca_dataset *draft, sdca_dataset **out);

/* A row's share of the fingerprint: of its global number, its label (0 where there
 * are none), and sdca_rows_hash() as the file has it. Local. */
uint64_t sdca_dataset_row_hash(int64_t row, double label, uint64_t entries);

/* The global number, as in the file, of what is row i here. Local. */
int64_t sdca_dataset_global_row(const sdca_dataset *data, uint32_t i);

/* Leave out columns that no rank's rows use, if they are most of them: d becomes the
 * number of the others. Collective. */
sdca_status sdca_dataset_compact_columns(MPI_Comm comm, sdca_dataset *data);

/* Make the columns of a data set those of another, which has been compacted or not.
 * Collective. */
sdca_status sdca_dataset_match_columns(MPI_Comm comm, sdca_dataset *data,
                                       const sdca_dataset *other);

/* Columns of the file, and what the bias adds to every score w.x. Local. */
int32_t sdca_dataset_feature_count(const sdca_dataset *data);
double  sdca_dataset_intercept(const sdca_dataset *data, const double *w);

/* Local. */
void sdca_dataset_free(sdca_dataset *data);

/* Replace the labels by -1 and +1. Collective. Fails if there are more than two, in a
 * sentence that calls the data set name. Of words, the first in the data set's list is
 * -1, and *labels has the values 0 and 1. */
sdca_status sdca_dataset_binarize_labels(MPI_Comm comm, sdca_dataset *data,
                                         const char *name, sdca_classes *classes);

/* Make the labels of another data set values of labels: words are looked up. Collective.
 * Fails, in a sentence that calls the data set name, on a word that is none of them, and
 * if only one side has words. */
sdca_status sdca_dataset_encode_labels(MPI_Comm comm, sdca_dataset *data,
                                       const char *name, const sdca_classes *classes);

/* How many rows of a data set that was matched have a label that is none of labels, which
 * words cannot be; 0 for regression. Collective. */
int64_t sdca_dataset_count_unknown_labels(MPI_Comm comm, const sdca_dataset *data,
                                          const sdca_classes *classes);

/* The label for -1 (k = 0) or +1 (k = 1) as people are shown it (plain.h). Local. */
void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_NAME_SIZE]);

/* The label that a score stands for: the score itself for regression. Local. */
double sdca_classes_predict(const sdca_classes *classes, double score);

#endif
