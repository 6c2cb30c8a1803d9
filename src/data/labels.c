/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c - what the labels of a data set mean. */
#include "data/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/printable.h"
#include "data/dataset.h"
#include "mpi/comm.h"

sdca_status sdca_classes_add(sdca_classes *classes, double label)
{
    double *known = classes->value;

    for (int k = 0; k < classes->count; k++) {
        if (label == known[k]) {
            return SDCA_OK;
        }
    }
    if (classes->count == 2) {
        return SDCA_FAIL(SDCA_DATA,
                         "the label %.10g is the third one, after %.10g and %.10g, "
                         "where classification takes two",
                         label, known[0], known[1]);
    }
    known[classes->count++] = label;
    if (classes->count == 2 && known[0] > known[1]) {
        double greater = known[0];

        known[0] = known[1];
        known[1] = greater;
    }
    return SDCA_OK;
}

double sdca_classes_sign(const sdca_classes *classes, double label)
{
    double threshold = classes->count == 2 ? classes->value[0] : 0.0;

    return label > threshold ? 1.0 : -1.0;
}

double sdca_classes_predict(const sdca_classes *classes, double score)
{
    return classes->count == 0 ? score : classes->value[score > 0.0 ? 1 : 0];
}

void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_NAME_SIZE])
{
    if (classes->name[k][0] != '\0') {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%s", classes->name[k]);
        sdca_printable_sanitize(text);
    } else {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%g", classes->value[k]);
    }
}

static sdca_status decode_binary(const sdca_label_encoding *encoding, const char *name,
                                 int64_t row, double *y)
{
    if (*y != -1.0 && *y != 1.0) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where the attribute labels says that "
                         "it is -1 or +1",
                         name, (long long)row, *y);
    }
    *y = encoding->binary_label[*y > 0.0];
    return SDCA_OK;
}

/* Categories count from 0; -1 is a missing value. */
static sdca_status decode_category(const sdca_label_encoding *encoding, const char *name,
                                   int64_t row, double *y)
{
    bool known = *y >= 0.0 && *y < (double)encoding->category_count && *y == floor(*y);

    if (!known && encoding->named) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where label_names has names for 0 to "
                         "%lld",
                         name, (long long)row, *y,
                         (long long)encoding->category_count - 1);
    }
    if (*y == -1.0) {
        return SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is missing", name,
                         (long long)row);
    }
    if (!known) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: the code of the label is %g, where there are "
                         "categories from 0 to %lld",
                         name, (long long)row, *y,
                         (long long)encoding->category_count - 1);
    }
    *y = encoding->category_value != NULL ? encoding->category_value[(int64_t)*y] : *y;
    return SDCA_OK;
}

sdca_status sdca_labels_check_finite(const char *name, int64_t first_row, int64_t count,
                                     const double *label)
{
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(label[k])) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s', row %lld: the label is not a finite number", name,
                             (long long)(first_row + k));
        }
    }
    return SDCA_OK;
}

sdca_status sdca_labels_decode(const sdca_label_encoding *encoding, const char *name,
                               int64_t first_row, int64_t count, double *label)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; encoding->binary && k < count; k++) {
        SDCA_TRY(decode_binary(encoding, name, first_row + k, &label[k]));
    }
    for (int64_t k = 0; encoding->categorical && k < count; k++) {
        SDCA_TRY(decode_category(encoding, name, first_row + k, &label[k]));
    }
    SDCA_TRY(sdca_labels_check_finite(name, first_row, count, label));

done:
    return status;
}

/* A label that is still as decoded, for a message. */
static void format_label(const sdca_dataset *draft, double y,
                         char text[SDCA_CLASS_NAME_SIZE])
{
    if (draft->class_names.count > 0) {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%s", draft->class_names.text[(int64_t)y]);
    } else {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%g", y);
    }
}

/* Different labels are counted up to this number. */
enum { MAX_LABELS = 20 };

/* The first row of the data set whose label is not listed, and that label; -1: all are
 * listed. Collective. */
static int64_t find_unlisted_label(MPI_Comm comm, const sdca_dataset *draft,
                                   const double *listed, int count, double *label)
{
    double first = INFINITY, local_first = INFINITY;

    *label = -INFINITY;
    for (uint32_t i = 0; i < draft->x.count; i++) {
        double row = (double)sdca_dataset_global_row(draft, i);
        int    k   = 0;

        while (k < count && draft->x.row[i].y != listed[k]) {
            k++;
        }
        if (k == count && row < local_first) {
            local_first = row;
            *label      = draft->x.row[i].y;
        }
    }
    first = local_first;
    sdca_comm_allreduce_min(comm, &first, 1);
    *label = local_first == first ? *label : -INFINITY;
    sdca_comm_allreduce_max(comm, label, 1);
    return isinf(first) ? -1 : (int64_t)first;
}

/* Count the different labels, which are more than two, in row order. Collective. */
static sdca_status fail_too_many_labels(MPI_Comm comm, const sdca_dataset *draft,
                                        const char *name)
{
    double  label[MAX_LABELS] = { 0.0 };
    int64_t row = 0, third = 0;
    int     count = 0;
    char    text[3][SDCA_CLASS_NAME_SIZE];

    while (count < MAX_LABELS &&
           (row = find_unlisted_label(comm, draft, label, count, &label[count])) >= 0) {
        count++;
        third = count == 3 ? row : third;
    }
    for (int k = 0; k < 3; k++) {
        format_label(draft, label[k], text[k]);
    }
    return SDCA_FAIL(
        SDCA_DATA,
        "'%s' has %s%d different labels (%s, %s, %s%s; the third first in row %lld), "
        "where classification needs two: %s",
        name, count == MAX_LABELS ? "at least " : "", count, text[0], text[1], text[2],
        count > 3 ? ", ..." : "", (long long)third,
        draft->class_names.count > 0
            ? "make them two, since words cannot be used for regression"
            : "choose a loss for regression, or make them two");
}

/* Classes with names have the values 0 and 1. */
static sdca_status set_class_names(const sdca_string_list *names, const char *path,
                                   sdca_classes *classes)
{
    for (int k = 0; k < 2; k++) {
        const char *name = names->text[(int64_t)classes->value[k]];

        if (strlen(name) >= SDCA_CLASS_NAME_SIZE) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s' has the label '%.20s...', which is longer "
                             "than %d bytes",
                             path, name, SDCA_CLASS_NAME_SIZE - 1);
        }
        strcpy(classes->name[k], name);
    }
    classes->value[0] = 0.0;
    classes->value[1] = classes->count == 2 ? 1.0 : 0.0;
    return SDCA_OK;
}

/* Replace the labels, of which there are at most two, by -1 and +1. Collective. */
static sdca_status binarize(MPI_Comm comm, sdca_dataset *draft, const char *name)
{
    sdca_status  status      = SDCA_OK;
    sdca_rows   *x           = &draft->x;
    double       extremes[2] = { -INFINITY, -INFINITY }; /* -min and max */
    double       others      = 0.0;
    sdca_classes found;

    for (uint32_t i = 0; i < x->count; i++) {
        extremes[0] = fmax(extremes[0], -x->row[i].y);
        extremes[1] = fmax(extremes[1], x->row[i].y);
    }
    sdca_comm_allreduce_max(comm, extremes, 2);
    extremes[0] = -extremes[0];
    for (uint32_t i = 0; i < x->count; i++) {
        others += x->row[i].y != extremes[0] && x->row[i].y != extremes[1];
    }
    sdca_comm_allreduce_max(comm, &others, 1);
    if (others > 0.0) {
        return fail_too_many_labels(comm, draft, name);
    }
    found          = (sdca_classes){ .count = extremes[0] < extremes[1] ? 2 : 1,
                                     .value = { extremes[0], extremes[1] } };
    draft->classes = found;
    if (draft->class_names.count > 0) {
        SDCA_TRY(set_class_names(&draft->class_names, name, &draft->classes));
    }
    for (uint32_t i = 0; i < x->count; i++) {
        x->row[i].y = sdca_classes_sign(&found, x->row[i].y);
    }

done:
    return status;
}

/* The class value of each name of the data set; NAN if it is not a class. */
static void match_class_names(const sdca_dataset *draft, const sdca_classes *classes,
                              double *value)
{
    for (int64_t j = 0; j < draft->class_names.count; j++) {
        value[j] = NAN;
        for (int k = 0; k < classes->count; k++) {
            if (strcmp(draft->class_names.text[j], classes->name[k]) == 0) {
                value[j] = classes->value[k];
            }
        }
    }
}

/* Replace indices of names by the values of classes with the same names. Local. */
static sdca_status encode_class_names(sdca_dataset *draft, const char *name,
                                      const sdca_classes *classes)
{
    double     *value = sdca_alloc_array((size_t)draft->class_names.count, sizeof *value);
    sdca_status status = SDCA_OK;

    if (value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'", name);
    }
    match_class_names(draft, classes, value);
    for (uint32_t i = 0; status == SDCA_OK && i < draft->x.count; i++) {
        int64_t j = (int64_t)draft->x.row[i].y;

        if (isnan(value[j])) {
            status =
                SDCA_FAIL(SDCA_DATA,
                          "'%s', row %lld: the label is '%.40s', but the model has "
                          "the labels '%s' and '%s'",
                          name, (long long)sdca_dataset_global_row(draft, i),
                          draft->class_names.text[j], classes->name[0], classes->name[1]);
        } else {
            draft->x.row[i].y = value[j];
        }
    }
    free(value);
    return status;
}

/* Make labels values of classes, of which regression has none. Collective. */
static sdca_status encode_as(MPI_Comm comm, sdca_dataset *draft, const char *name,
                             const sdca_classes *classes)
{
    bool named = classes->name[0][0] != '\0';

    draft->classes = *classes;
    if (draft->class_names.count == 0 && !named) {
        return SDCA_OK;
    }
    if (draft->class_names.count == 0) {
        return SDCA_FAIL(
            SDCA_DATA, "the labels of '%s' are numbers, where the model has words", name);
    }
    if (!named) {
        return SDCA_FAIL(SDCA_DATA,
                         "the labels of '%s' are words, where numbers are needed", name);
    }
    return sdca_comm_agree(comm, encode_class_names(draft, name, classes));
}

sdca_status sdca_labels_encode(MPI_Comm comm, sdca_dataset *draft, const char *name,
                               sdca_task task, const sdca_classes *classes)
{
    const sdca_classes none = { .count = 0 };

    if (classes == NULL && task == SDCA_TASK_REGRESSION) {
        classes = &none;
    }
    if (!draft->has_labels) {
        draft->classes = classes != NULL ? *classes : none;
        return SDCA_OK;
    }
    if (classes != NULL) {
        return encode_as(comm, draft, name, classes);
    }
    return task == SDCA_TASK_CLASSIFICATION ? binarize(comm, draft, name) : SDCA_OK;
}

int64_t sdca_labels_count_unknown(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *classes)
{
    int64_t unknown = 0;

    if (!data->has_labels || classes->count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        unknown += data->x.row[i].y != classes->value[0] &&
                   data->x.row[i].y != classes->value[1];
    }
    sdca_comm_allreduce_sum_int64(comm, &unknown, 1);
    return unknown;
}
