/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.h - what the labels of a data set mean.
 *
 * In a file, y holds numbers, -1 and +1 that stand for two other numbers (attribute
 * labels), or indices into a list of names or numbers (label_names, AnnData's
 * categories). In a data set, y is the label itself for regression; for training a
 * classifier -1 or +1 or, with more than two classes, the index of the class; and a value
 * of a model's classes for predicting with it. */
#ifndef SDCA_DATA_LABELS_H
#define SDCA_DATA_LABELS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "sdca/dataset.h"

/* The labels of classification. Of two, the first stands for -1 and the second for +1. A
 * single label stands for its own sign, where 0 counts as negative. */
typedef struct sdca_classes {
    int     count;          /* K; 0 for regression */
    double *value;          /* K of them, ascending (two may descend, if their order was
                               chosen); 0 .. K-1 if the labels have names */
    sdca_string_list names; /* of the values 0 .. K-1; empty: labels are numbers */
} sdca_classes;

/* Copy classes into out, which is empty. Local. The caller frees out with
 * sdca_classes_free(), which leaves no classes. */
sdca_status sdca_classes_copy(const sdca_classes *from, sdca_classes *out);
void        sdca_classes_free(sdca_classes *classes);

/* Do both give the same labels the same meaning? Local. */
bool sdca_classes_are_equal(const sdca_classes *a, const sdca_classes *b);

/* The name of class k, or NULL if labels are numbers. Local. */
const char *sdca_classes_name(const sdca_classes *classes, int k);

/* The index of a label; -1 if it is not one of the classes. Local. */
int sdca_classes_find(const sdca_classes *classes, double label);

/* The same for the text of a label, of length bytes: a name or, if classes have none, a
 * number. Local. */
int sdca_classes_find_text(const sdca_classes *classes, const char *text, size_t length);

/* y of the rows of class k in training: -1 or +1 for at most two classes, otherwise k.
 * Local. */
double sdca_classes_code(const sdca_classes *classes, int k);

/* The class whose rows have this y in training. Local. */
int sdca_classes_decode(const sdca_classes *classes, double y);

/* Are they one label against all others? Their names are then "not LABEL" and "LABEL".
 * Local. */
#define SDCA_REST_PREFIX "not "
bool sdca_classes_are_one_and_rest(const sdca_classes *classes);

/* Of at most two classes, the index of the one that a score predicts. Local. */
int sdca_classes_choose(const sdca_classes *classes, double score);

/* The label of that class; for regression the score itself. Local. */
double sdca_classes_predict(const sdca_classes *classes, double score);

/* The label of class k as printable text, shortened if it is long; a k beyond the last
 * class stands for the last. Local. */
enum { SDCA_CLASS_TEXT_SIZE = 64 };
void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_TEXT_SIZE]);

/* The labels of the first classes as printable text, as in "1, 2, 3, 4 and 6 more", or
 * "'no' and 'yes'". Local. */
enum { SDCA_CLASS_LIST_SIZE = 5 * (SDCA_CLASS_TEXT_SIZE + 8) };
void sdca_classes_list(const sdca_classes *classes, char text[SDCA_CLASS_LIST_SIZE]);

/* How the labels of a file are encoded. All zero: they are the numbers stored. */
typedef struct sdca_label_encoding {
    bool    binary; /* -1 and +1 stand for binary_label[0] and [1] */
    double  binary_label[2];
    bool    categorical; /* indices of categories, from 0 */
    bool    named;       /* the categories are those of label_names, not of obs */
    int64_t category_count;
    double *category_value; /* what categories stand for; NULL: names, y is the index */
    bool    may_lack;       /* a label may be missing: it becomes NaN */
} sdca_label_encoding;

/* Decode labels in place, those of the rows from first_row on. Fails, in a sentence that
 * calls the data set name, on a value that the encoding does not have, and on labels
 * that are not finite, unless they may be missing. Local. */
sdca_status sdca_labels_decode(const sdca_label_encoding *encoding, const char *name,
                               int64_t first_row, int64_t count, double *label);

/* Fails on a label that is not finite, as above. Local. */
sdca_status sdca_labels_check_finite(const char *name, int64_t first_row, int64_t count,
                                     const double *label);

/* Encode the labels of a data set that is being made, and set its classes. If classes is
 * not NULL, labels become values of these classes: names are looked up, numbers stay, and
 * if the classes are one label against all others, any other label is one of these.
 * Otherwise the task decides: the classes of classification are the labels that rows
 * have, and positive, if it is not NULL, is the text of the label that becomes +1,
 * against all others if there are not two. Fails, in a sentence that calls the data set
 * name, on too many labels for classification, on a positive label that no row has, on a
 * name that is not among the classes, and on names where numbers are needed or the
 * reverse. Collective. */
sdca_status sdca_labels_encode(MPI_Comm comm, sdca_dataset *draft, const char *name,
                               sdca_task task, const char *positive,
                               const sdca_classes *classes);

/* The number of rows whose label is not one of the classes; 0 for regression and without
 * labels. Collective. */
int64_t sdca_labels_count_unknown(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *classes);

#endif
