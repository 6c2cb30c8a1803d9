/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weave.c - rows on their way from a file's arrays into memory.
 *
 * Of a good row the loops below see just enough to know that it is good. Any
 * other is looked at again entry by entry, to be mended or to say what is wrong. */
#include "weave.h"

#include <math.h>
#include <stdlib.h>

#include "sdca/memory.h"
#include "weave_kernel.h"

/* Rows ahead of the present one that memory is asked for: first what is known of a row,
 * then, as that says where it is, the room for its entries. */
enum { FAR = 16, NEAR = 8 };

/* A value that is not finite makes the sum of squares so. */
static bool is_good(const look *seen, const int32_t *column, int64_t count,
                    int32_t columns)
{
    return count == 0 || (seen->norm2 > 0.0 && isfinite(seen->norm2) && seen->order < 0 &&
                          column[count - 1] < columns);
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
    sdca_wide_entry *copy   = sdca_alloc_array((size_t)count, sizeof *copy);

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

void sdca_weave_bias(sdca_dataset *draft, uint32_t i)
{
    if (draft->bias > 0.0) {
        sdca_rows_set(&draft->x, draft->x.row[i + 1].start - 1, draft->x.columns - 1,
                      draft->bias);
    }
}

/* Row j of a piece, as the file has it. */
SDCA_INLINE look look_at(sdca_weave *weave, const sdca_piece *piece, uint32_t j)
{
    int64_t at    = piece->start[j] - piece->start[0];
    int64_t count = piece->start[j + 1] - piece->start[j];

    return piece->wide != NULL
               ? look_at_wide(piece->column + at, piece->wide + at, count, &weave->fits)
               : look_at_narrow(piece->column + at, piece->narrow + at, count);
}

/* The same, mended if need be. */
SDCA_INLINE sdca_status inspect(sdca_weave *weave, const sdca_piece *piece, uint32_t j,
                                int32_t columns, look *seen)
{
    int64_t     at     = piece->start[j] - piece->start[0];
    int64_t     count  = piece->start[j + 1] - piece->start[j];
    sdca_status status = SDCA_OK;

    *seen = look_at(weave, piece, j);
    if (!is_good(seen, piece->column + at, count, columns)) {
        status = mend_apart(weave, piece->first + j, count, piece->column + at,
                            piece->narrow != NULL ? piece->narrow + at : NULL,
                            piece->wide != NULL ? piece->wide + at : NULL);
        if (status == SDCA_OK) {
            *seen = look_at(weave, piece, j);
        }
    }
    return status;
}

/* Set row j of a piece down at place i. */
SDCA_INLINE void set_row(sdca_dataset *draft, const sdca_piece *piece, uint32_t j,
                         uint32_t i, double label, look seen)
{
    sdca_rows *x      = &draft->x;
    sdca_row  *row    = &x->row[i];
    int64_t    at     = piece->start[j] - piece->start[0];
    int64_t    count  = piece->start[j + 1] - piece->start[j];
    int32_t   *column = piece->column + at;
    double factor = draft->normalized && seen.norm2 > 0.0 ? 1.0 / sqrt(seen.norm2) : 1.0;

    if (piece->wide != NULL) {
        set_wide(x, row->start, column, piece->wide + at, count);
        row->norm2 = seen.norm2;
    } else if (x->dense != NULL) {
        row->norm2 = set_dense(x, row->start, column, piece->narrow + at, count, factor);
    } else if (x->slim != NULL) {
        row->norm2 =
            set_slim(x->slim + row->start, column, piece->narrow + at, count, factor);
    } else {
        row->norm2 =
            set_narrow(x->entry + row->start, column, piece->narrow + at, count, factor);
    }
    row->y     = label;
    row->alpha = 0.0;
    draft->fingerprint +=
        sdca_dataset_hash(draft->mine.first + piece->first + j, label, seen.hash);
    sdca_weave_bias(draft, i);
}

sdca_status sdca_weave_piece(sdca_weave *weave, const sdca_piece *piece,
                             const uint32_t *place, const double *label)
{
    sdca_dataset    *draft   = weave->draft;
    const sdca_rows *x       = &draft->x;
    row_kind         kind    = kind_of(x);
    int32_t          columns = sdca_dataset_features(draft);
    sdca_status      status  = SDCA_OK;
    look             seen, next;

    SDCA_TRY(inspect(weave, piece, 0, columns, &seen));
    for (uint32_t j = 0; j < piece->rows; j++) {
        if (j + FAR < piece->rows) {
            SDCA_PREFETCH(&x->row[place[j + FAR]]);
        }
        if (j + NEAR < piece->rows) {
            ask_for_entries(kind, x, x->row[place[j + NEAR]].start, weave->lines);
        }
        /* A length takes long: that of the next row is under way while this is set. */
        next = seen;
        if (j + 1 < piece->rows) {
            SDCA_TRY(inspect(weave, piece, j + 1, columns, &next));
        }
        set_row(draft, piece, j, place[j], label != NULL ? label[j] : 0.0, seen);
        seen = next;
    }

done:
    return status;
}
