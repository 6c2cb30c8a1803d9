/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weave.c - a row on its way from a file's arrays into memory.
 *
 * Of a good row the loops below see just enough to know that it is good. Any
 * other is looked at again entry by entry, to be mended or to say what is wrong. */
#include "weave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows_kernel.h"

/* Bytes that the memory gives at once, and how many are asked for ahead. */
enum { LINE = 64, MOST = 16 * LINE };

void sdca_weave_expect(const sdca_weave *weave, uint32_t i)
{
    SDCA_PREFETCH(&weave->draft->x.start[i]);
    SDCA_PREFETCH(&weave->draft->norm2[i]);
    if (weave->draft->y != NULL) {
        SDCA_PREFETCH(&weave->draft->y[i]);
    }
}

void sdca_weave_expect_entries(const sdca_weave *weave, uint32_t i)
{
    const sdca_rows *x    = &weave->draft->x;
    row_kind         kind = kind_of(x);
    const char      *from = row_address(kind, x, x->start[i]);
    const char      *end  = row_address(kind, x, x->start[i + 1]);

    for (int at = 0; at < MOST && from + at < end; at += LINE) {
        SDCA_PREFETCH(from + at);
    }
}

static bool ascends(const int32_t *column, int64_t count)
{
    int falls = 0;

    for (int64_t k = 1; k < count; k++) {
        falls |= column[k] <= column[k - 1];
    }
    return !falls;
}

/* A value that is not finite makes the sum of squares so. */
static bool is_good(const int32_t *column, int64_t count, int32_t columns, double norm2)
{
    return count == 0 || (norm2 > 0.0 && isfinite(norm2) && column[0] >= 0 &&
                          column[count - 1] < columns && ascends(column, count));
}

static int by_column(const void *a, const void *b)
{
    const sdca_wide_entry *first  = a;
    const sdca_wide_entry *second = b;

    return (first->column > second->column) - (first->column < second->column);
}

/* Say what is wrong with an entry, if anything is. */
static sdca_status check_entry(const char *path, int64_t row, int32_t columns,
                               const sdca_wide_entry *x)
{
    if (x->column < 0 || x->column >= columns) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: column %lld is not among the %lld there are",
                         path, (long long)row, (long long)x->column, (long long)columns);
    }
    if (!isfinite(x->value)) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld, column %lld: the value is not a finite number",
                         path, (long long)row, (long long)x->column);
    }
    return SDCA_OK;
}

/* Say what is wrong with a row, if anything is, and put its columns in order: SciPy
 * allows any order; here they ascend. */
static sdca_status mend(const char *path, int64_t row, int32_t columns,
                        sdca_wide_entry *x, int64_t count)
{
    sdca_status status = SDCA_OK;
    bool        zero   = true;
    double      norm2  = 0.0;

    for (int64_t k = 0; k < count; k++) {
        SDCA_TRY(check_entry(path, row, columns, &x[k]));
        norm2 += x[k].value * x[k].value;
        zero = zero && x[k].value == 0.0;
    }
    if (norm2 == 0.0 && !zero) {
        status = SDCA_FAIL(
            SDCA_DATA, "'%s', row %lld: the squares of its values vanish; scale the data",
            path, (long long)row);
    } else if (!isfinite(norm2)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s', row %lld: the squares of its values add up to infinity",
                           path, (long long)row);
    }
    qsort(x, (size_t)count, sizeof *x, by_column);
    for (int64_t k = 1; status == SDCA_OK && k < count; k++) {
        if (x[k].column == x[k - 1].column) {
            status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: column %lld stands twice",
                               path, (long long)row, (long long)x[k].column);
        }
    }

done:
    return status;
}

/* The same for a row as the file has it; one of narrow and wide is NULL. */
static sdca_status mend_apart(const sdca_weave *weave, uint32_t row, int64_t count,
                              int32_t *column, float *narrow, double *wide)
{
    sdca_status      status = SDCA_OK;
    sdca_wide_entry *copy   = malloc(((size_t)count + 1) * sizeof *copy);

    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to sort row %lld of '%s'",
                         (long long)(weave->draft->mine.first + row), weave->path);
    }
    for (int64_t k = 0; k < count; k++) {
        copy[k].column = column[k];
        copy[k].value  = narrow != NULL ? (double)narrow[k] : wide[k];
    }
    SDCA_TRY(mend(weave->path, weave->draft->mine.first + row,
                  sdca_dataset_features(weave->draft), copy, count));
    for (int64_t k = 0; k < count; k++) {
        column[k] = (int32_t)copy[k].column;
        if (narrow != NULL) {
            narrow[k] = (float)copy[k].value;
        } else {
            wide[k] = copy[k].value;
        }
    }

done:
    free(copy);
    return status;
}

/* Row k of my range, at place i, has a label and a hash. */
static void note(sdca_dataset *draft, uint32_t k, uint32_t i, double label, uint64_t hash)
{
    if (draft->y != NULL) {
        draft->y[i] = label;
    }
    draft->fingerprint += sdca_dataset_hash(draft->mine.first + k, label, hash);
}

/* Times a factor. Returns the squared length then. */
static double scale_narrow(float *value, int64_t count, double factor)
{
    for (int64_t k = 0; k < count; k++) {
        value[k] = (float)(value[k] * factor);
    }
    return row_norm2_dense(value, count);
}

/* Set the row at place i down, sparse or dense. */
static void set_narrow(sdca_rows *x, uint32_t i, const int32_t *column,
                       const float *value, int64_t count)
{
    int64_t first = x->start[i];

    if (x->dense != NULL) {
        memset(x->dense + first, 0, (size_t)x->columns * sizeof *x->dense);
    }
    for (int64_t k = 0; x->dense != NULL && k < count; k++) {
        x->dense[first + column[k]] = value[k];
    }
    for (int64_t k = 0; x->dense == NULL && k < count; k++) {
        x->entry[first + k] = (sdca_entry){ column[k], value[k] };
    }
}

static void set_wide(sdca_rows *x, uint32_t i, const int32_t *column, const double *value,
                     int64_t count)
{
    int64_t first = x->start[i];

    if (x->dense_wide != NULL) {
        memset(x->dense_wide + first, 0, (size_t)x->columns * sizeof *x->dense_wide);
    }
    for (int64_t k = 0; x->dense_wide != NULL && k < count; k++) {
        x->dense_wide[first + column[k]] = value[k];
    }
    for (int64_t k = 0; x->dense_wide == NULL && k < count; k++) {
        x->wide[first + k] = (sdca_wide_entry){ column[k], value[k] };
    }
}

void sdca_weave_bias(sdca_dataset *draft, uint32_t i)
{
    if (draft->bias > 0.0) {
        sdca_rows_set(&draft->x, draft->x.start[i + 1] - 1, draft->x.columns - 1,
                      draft->bias);
    }
}

sdca_status sdca_weave_narrow(sdca_weave *weave, uint32_t k, uint32_t i, double label,
                              int64_t count, int32_t *column, float *value)
{
    sdca_dataset *draft = weave->draft;
    double        norm2 = row_norm2_dense(value, count);
    uint64_t      hash  = 0;

    if (!is_good(column, count, sdca_dataset_features(draft), norm2)) {
        sdca_status status = mend_apart(weave, k, count, column, value, NULL);

        if (status != SDCA_OK) {
            return status;
        }
        norm2 = row_norm2_dense(value, count);
    }
    for (int64_t j = 0; j < count; j++) {
        hash += hash_narrow(column[j], value[j]);
    }
    note(draft, k, i, label, hash);
    if (draft->normalized && norm2 > 0.0) {
        norm2 = scale_narrow(value, count, 1.0 / sqrt(norm2));
    }
    draft->norm2[i] = norm2;
    set_narrow(&draft->x, i, column, value, count);
    sdca_weave_bias(draft, i);
    return SDCA_OK;
}

sdca_status sdca_weave_wide(sdca_weave *weave, uint32_t k, uint32_t i, double label,
                            int64_t count, int32_t *column, double *value)
{
    sdca_dataset *draft = weave->draft;
    double        norm2 = row_norm2_dense_wide(value, count);
    uint64_t      hash  = 0;

    if (!is_good(column, count, sdca_dataset_features(draft), norm2)) {
        sdca_status status = mend_apart(weave, k, count, column, NULL, value);

        if (status != SDCA_OK) {
            return status;
        }
        norm2 = row_norm2_dense_wide(value, count);
    }
    for (int64_t j = 0; j < count; j++) {
        bool fits;

        hash += hash_wide(column[j], value[j], &fits);
        weave->fits = weave->fits && fits;
    }
    note(draft, k, i, label, hash);
    draft->norm2[i] = norm2;
    set_wide(&draft->x, i, column, value, count);
    sdca_weave_bias(draft, i);
    return SDCA_OK;
}
