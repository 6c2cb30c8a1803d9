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

void sdca_classes_free(sdca_classes *classes)
{
    free(classes->value);
    sdca_string_list_free(&classes->names);
    *classes = (sdca_classes){ 0 };
}

/* Classes of these values, without names. Local. */
static sdca_status make_classes(int count, const double *value, sdca_classes *out)
{
    double *copy = sdca_alloc_array((size_t)count, sizeof *copy);

    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", count);
    }
    if (count > 0) {
        memcpy(copy, value, (size_t)count * sizeof *copy);
    }
    *out = (sdca_classes){ .count = count, .value = copy };
    return SDCA_OK;
}

sdca_status sdca_classes_copy(const sdca_classes *from, sdca_classes *out)
{
    sdca_status  status = SDCA_OK;
    sdca_classes copy   = { 0 };

    SDCA_TRY(make_classes(from->count, from->value, &copy));
    for (int64_t k = 0; k < from->names.count; k++) {
        const char *name = from->names.text[k];

        SDCA_TRY(sdca_string_list_append(&copy.names, name, strlen(name)));
    }
    *out = copy;
    copy = (sdca_classes){ 0 }; /* now the caller's */

done:
    sdca_classes_free(&copy);
    return status;
}

const char *sdca_classes_name(const sdca_classes *classes, int k)
{
    return k < classes->names.count ? classes->names.text[k] : NULL;
}

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
    known = sdca_alloc_resize(known, (size_t)classes->count + 1, sizeof *known);
    if (known == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes->count + 1);
    }
    classes->value          = known;
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

int sdca_classes_choose(const sdca_classes *classes, double score)
{
    return classes->count == 2 && score > 0.0 ? 1 : 0;
}

double sdca_classes_predict(const sdca_classes *classes, double score)
{
    return classes->count == 0 ? score
                               : classes->value[sdca_classes_choose(classes, score)];
}

/* Copy text as far as it fits, without a part of a character at the end, and replace
 * what is not printable. */
static void copy_printable(const char *from, char text[SDCA_CLASS_TEXT_SIZE])
{
    size_t length = strlen(from), used = 0, width = 0;

    while (used < length) {
        width = sdca_printable_utf8_length(from + used, length - used);
        width = width > 0 ? width : 1; /* an invalid byte */
        if (used + width > SDCA_CLASS_TEXT_SIZE - 4) {
            break;
        }
        used += width;
    }
    snprintf(text, SDCA_CLASS_TEXT_SIZE, "%.*s%s", (int)used, from,
             used < length ? "..." : "");
    sdca_printable_sanitize(text);
}

void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_TEXT_SIZE])
{
    k = k < classes->count ? k : classes->count - 1;
    if (classes->names.count > 0) {
        copy_printable(classes->names.text[k], text);
    } else {
        snprintf(text, SDCA_CLASS_TEXT_SIZE, "%g", classes->value[k]);
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
                         char text[SDCA_CLASS_TEXT_SIZE])
{
    if (draft->class_names.count > 0) {
        snprintf(text, SDCA_CLASS_TEXT_SIZE, "%s", draft->class_names.text[(int64_t)y]);
    } else {
        snprintf(text, SDCA_CLASS_TEXT_SIZE, "%g", y);
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
    char    text[3][SDCA_CLASS_TEXT_SIZE];

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

/* Give classes their names, which makes their values 0 and 1. */
static sdca_status set_class_names(const sdca_string_list *names, sdca_classes *classes)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k < classes->count; k++) {
        const char *name = names->text[(int64_t)classes->value[k]];

        SDCA_TRY(sdca_string_list_append(&classes->names, name, strlen(name)));
        classes->value[k] = k;
    }

done:
    return status;
}

/* Replace the labels, of which there are at most two, by -1 and +1. Collective. */
static sdca_status binarize(MPI_Comm comm, sdca_dataset *draft, const char *name)
{
    sdca_status  status      = SDCA_OK;
    sdca_rows   *x           = &draft->x;
    double       extremes[2] = { -INFINITY, -INFINITY }; /* -min and max */
    double       others      = 0.0;
    sdca_classes found       = { .value = extremes };

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
    found.count = extremes[0] < extremes[1] ? 2 : 1;
    status      = sdca_classes_copy(&found, &draft->classes);
    if (status == SDCA_OK && draft->class_names.count > 0) {
        status = set_class_names(&draft->class_names, &draft->classes);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
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
            if (strcmp(draft->class_names.text[j], classes->names.text[k]) == 0) {
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
            status = SDCA_FAIL(SDCA_DATA,
                               "'%s', row %lld: the label is '%.40s', but the model has "
                               "the labels '%s' and '%s'",
                               name, (long long)sdca_dataset_global_row(draft, i),
                               draft->class_names.text[j], classes->names.text[0],
                               classes->names.text[classes->count - 1]);
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
    bool        named  = classes->names.count > 0;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, sdca_classes_copy(classes, &draft->classes)));
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
    status = sdca_comm_agree(comm, encode_class_names(draft, name, classes));

done:
    return status;
}

sdca_status sdca_labels_encode(MPI_Comm comm, sdca_dataset *draft, const char *name,
                               sdca_task task, const sdca_classes *classes)
{
    const sdca_classes none = { .count = 0 };

    sdca_classes_free(&draft->classes);
    if (classes == NULL && task == SDCA_TASK_REGRESSION) {
        classes = &none;
    }
    if (!draft->has_labels) {
        return sdca_comm_agree(
            comm, sdca_classes_copy(classes != NULL ? classes : &none, &draft->classes));
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
                   data->x.row[i].y != classes->value[classes->count - 1];
    }
    sdca_comm_allreduce_sum_int64(comm, &unknown, 1);
    return unknown;
}
