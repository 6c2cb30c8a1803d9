/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c - what the labels of a data set mean. */
#include "data/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/parse_number.h"
#include "base/printable.h"
#include "data/dataset.h"
#include "data/label_counts.h"
#include "mpi/comm.h"

void sdca_classes_free(sdca_classes *classes)
{
    free(classes->value);
    sdca_string_list_free(&classes->names);
    *classes = (sdca_classes){ 0 };
}

/* Classes of these values, without names. */
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

bool sdca_classes_are_equal(const sdca_classes *a, const sdca_classes *b)
{
    bool same = a->count == b->count && a->names.count == b->names.count;

    for (int k = 0; same && k < a->count; k++) {
        same = a->value[k] == b->value[k] &&
               (a->names.count == 0 || strcmp(a->names.text[k], b->names.text[k]) == 0);
    }
    return same;
}

const char *sdca_classes_name(const sdca_classes *classes, int k)
{
    return k < classes->names.count ? classes->names.text[k] : NULL;
}

int sdca_classes_find(const sdca_classes *classes, double label)
{
    const sdca_label_counts ascending = { .count = classes->count,
                                          .value = classes->value };

    if (classes->count == 2) { /* which may descend */
        return label == classes->value[0] ? 0 : label == classes->value[1] ? 1 : -1;
    }
    return sdca_label_counts_find(&ascending, label);
}

int sdca_classes_find_text(const sdca_classes *classes, const char *text, size_t length)
{
    const char *end    = text + length;
    double      number = 0.0;

    if (classes->names.count == 0) {
        return length > 0 && sdca_parse_double(text, end, &number) == end
                   ? sdca_classes_find(classes, number)
                   : -1;
    }
    for (int k = 0; k < classes->count; k++) {
        const char *name = classes->names.text[k];

        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            return k;
        }
    }
    return -1;
}

double sdca_classes_code(const sdca_classes *classes, int k)
{
    return classes->count > 2    ? (double)k
           : classes->count == 2 ? (k > 0 ? 1.0 : -1.0)
                                 : (classes->value[0] > 0.0 ? 1.0 : -1.0);
}

int sdca_classes_decode(const sdca_classes *classes, double y)
{
    return classes->count > 2 ? (int)y : classes->count == 2 && y > 0.0 ? 1 : 0;
}

bool sdca_classes_are_one_and_rest(const sdca_classes *classes)
{
    return classes->names.count == 2 &&
           strncmp(classes->names.text[0], SDCA_REST_PREFIX, strlen(SDCA_REST_PREFIX)) ==
               0 &&
           strcmp(classes->names.text[0] + strlen(SDCA_REST_PREFIX),
                  classes->names.text[1]) == 0;
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

void sdca_classes_list(const sdca_classes *classes, char text[SDCA_CLASS_LIST_SIZE])
{
    enum { SHOWN = 4 };
    const char *quote = classes->names.count > 0 ? "'" : "";
    int         count = classes->count, shown = count <= SHOWN + 1 ? count : SHOWN;
    int         used = 0;
    char        label[SDCA_CLASS_TEXT_SIZE];

    text[0] = '\0';
    for (int k = 0; k < shown; k++) {
        const char *before = k == 0 ? "" : k == count - 1 ? " and " : ", ";

        sdca_classes_format(classes, k, label);
        used += snprintf(text + used, SDCA_CLASS_LIST_SIZE - (size_t)used, "%s%s%s%s",
                         before, quote, label, quote);
    }
    if (shown < count) {
        snprintf(text + used, SDCA_CLASS_LIST_SIZE - (size_t)used, " and %d more",
                 count - shown);
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
    if (*y == -1.0 && encoding->may_lack) {
        *y = NAN;
        return SDCA_OK;
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
    if (!encoding->may_lack) {
        return sdca_labels_check_finite(name, first_row, count, label);
    }
    for (int64_t k = 0; k < count; k++) {
        if (!isnan(label[k])) {
            SDCA_TRY(sdca_labels_check_finite(name, first_row + k, 1, &label[k]));
        }
    }

done:
    return status;
}

int64_t sdca_labels_count_unknown(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *classes)
{
    int64_t unknown = 0;

    if (!data->has_labels || classes->count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        unknown += sdca_classes_find(classes, data->x.row[i].y) < 0;
    }
    sdca_comm_allreduce_sum_int64(comm, &unknown, 1);
    return unknown;
}
