/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.h - what the labels of a data set mean.
 *
 * In a file, y holds numbers, -1 and +1 that stand for two other numbers (attribute
 * labels), or indices into a list of names or numbers (label_names, AnnData's
 * categories). In a data set, y is the label itself for regression, -1 or +1 for training
 * a classifier, and a value of a model's classes for predicting with it. */
#ifndef SDCA_DATA_LABELS_H
#define SDCA_DATA_LABELS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "sdca/dataset.h"

/* The labels of classification. Of two, the first stands for -1 and the second for +1. A
 * single label stands for its own sign, where 0 counts as negative. */
typedef struct sdca_classes {
    int              count; /* K; 0 for regression */
    double          *value; /* K of them, ascending; 0 .. K-1 if the labels have names */
    sdca_string_list names; /* of the values 0 .. K-1; empty: labels are numbers */
} sdca_classes;

/* Copy classes into out, which is empty. Local. What out holds is the caller's, to be
 * freed with sdca_classes_free(), which leaves no classes. */
sdca_status sdca_classes_copy(const sdca_classes *from, sdca_classes *out);
void        sdca_classes_free(sdca_classes *classes);

/* The name of class k, or NULL if labels are numbers. Local. */
const char *sdca_classes_name(const sdca_classes *classes, int k);

/* Add a label to at most two, which stay ascending. Fails on a third one, in a sentence
 * that a caller can put behind "FILE, line N: ". Local. */
sdca_status sdca_classes_add(sdca_classes *classes, double label);

/* -1 or +1, for a label that is one of the classes. Local. */
double sdca_classes_sign(const sdca_classes *classes, double label);

/* Of at most two classes, the index of the one that a score predicts. Local. */
int sdca_classes_choose(const sdca_classes *classes, double score);

/* The label of that class; for regression the score itself. Local. */
double sdca_classes_predict(const sdca_classes *classes, double score);

/* The label of class k as printable text, shortened if it is long; a k beyond the last
 * class stands for the last. Local. */
enum { SDCA_CLASS_TEXT_SIZE = 64 };
void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_TEXT_SIZE]);

/* How the labels of a file are encoded. All zero: they are the numbers stored. */
typedef struct sdca_label_encoding {
    bool    binary; /* -1 and +1 stand for binary_label[0] and [1] */
    double  binary_label[2];
    bool    categorical; /* indices of categories, from 0 */
    bool    named;       /* the categories are those of label_names, not of obs */
    int64_t category_count;
    double *category_value; /* what categories stand for; NULL: names, y is the index */
} sdca_label_encoding;

/* Decode labels in place, those of the rows from first_row on. Fails, in a sentence that
 * calls the data set name, on a value that the encoding does not have, and on labels
 * that are not finite. Local. */
sdca_status sdca_labels_decode(const sdca_label_encoding *encoding, const char *name,
                               int64_t first_row, int64_t count, double *label);

/* Fails on a label that is not finite, as above. Local. */
sdca_status sdca_labels_check_finite(const char *name, int64_t first_row, int64_t count,
                                     const double *label);

/* Encode the labels of a data set that is being made, and set its classes. If classes is
 * not NULL, labels become values of these classes: names are looked up, numbers stay.
 * Otherwise the task decides. Fails, in a sentence that calls the data set name, on more
 * than two labels for classification, on a name that is not among the classes, and on
 * names where numbers are needed or the reverse. Collective. */
sdca_status sdca_labels_encode(MPI_Comm comm, sdca_dataset *draft, const char *name,
                               sdca_task task, const sdca_classes *classes);

/* The number of rows whose label is not one of the classes; 0 for regression and without
 * labels. Collective. */
int64_t sdca_labels_count_unknown(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *classes);

#endif
