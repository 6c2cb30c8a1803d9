/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c - rows in memory, and the three things done with them. */
#include "sdca/rows.h"

#include "rows_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

/* So many columns can have numbers of 16 bits. */
static const int32_t slim_columns = 1 << 16;

/* Room for so many entries of rows that have none yet. */
static sdca_status reserve(sdca_rows *rows, int64_t nonzeros, bool wide)
{
    if (wide) {
        rows->wide = sdca_alloc_array((size_t)nonzeros, sizeof *rows->wide);
    } else if (rows->columns <= slim_columns) {
        rows->slim = sdca_alloc_array((size_t)nonzeros, sizeof *rows->slim);
    } else {
        rows->entry = sdca_alloc_array((size_t)nonzeros, sizeof *rows->entry);
    }
    return rows->wide != NULL || rows->slim != NULL || rows->entry != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld non-zeros in %lu rows",
                           (long long)nonzeros, (unsigned long)rows->count);
}

sdca_status sdca_rows_reserve(sdca_rows *rows, bool wide)
{
    return reserve(rows, rows->row[rows->count].start, wide);
}

sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros, bool wide,
                             sdca_rows *out)
{
    sdca_rows   rows   = { .count = count, .columns = columns };
    sdca_status status = SDCA_OK;

    rows.row = sdca_alloc_array(count, sizeof *rows.row);
    if (rows.row == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %lu rows", (unsigned long)count);
        goto done;
    }
    SDCA_TRY(reserve(&rows, nonzeros, wide));
    rows.row[0].start = 0;
    *out              = rows;
    rows              = (sdca_rows){ 0 }; /* now the caller's */

done:
    sdca_rows_free(&rows);
    return status;
}

sdca_status sdca_rows_create_dense(uint32_t count, int32_t columns, bool wide,
                                   sdca_rows *out)
{
    sdca_rows rows   = { .count = count, .columns = columns };
    size_t    values = (size_t)count * (size_t)columns;

    rows.row = sdca_alloc_array(count, sizeof *rows.row);
    if (wide) {
        rows.dense_wide = sdca_alloc_array(values, sizeof *rows.dense_wide);
    } else {
        rows.dense = sdca_alloc_array(values, sizeof *rows.dense);
    }
    if (rows.row == NULL || (rows.dense == NULL && rows.dense_wide == NULL)) {
        sdca_rows_free(&rows);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lu rows of %ld values",
                         (unsigned long)count, (long)columns);
    }
    for (int64_t i = 0; i <= count; i++) {
        rows.row[i].start = i * columns;
    }
    *out = rows;
    return SDCA_OK;
}

void sdca_rows_free(sdca_rows *rows)
{
    free(rows->row);
    free(rows->slim);
    free(rows->entry);
    free(rows->wide);
    free(rows->dense);
    free(rows->dense_wide);
    *rows = (sdca_rows){ 0 };
}

/* All dense rows have the same width. */
static int64_t dense_width(const sdca_rows *rows)
{
    return rows->count > 0 ? rows->row[1].start : 0;
}

int64_t sdca_rows_column(const sdca_rows *rows, int64_t k)
{
    row_kind kind = kind_of(rows);

    return is_sparse(kind) ? entry_column(kind, rows, k) : k % dense_width(rows);
}

double sdca_rows_value(const sdca_rows *rows, int64_t k)
{
    return entry_value(kind_of(rows), rows, k);
}

SDCA_INLINE void set_entry(row_kind kind, sdca_rows *rows, int64_t k, int32_t column,
                           double value)
{
    switch (kind) {
    case SLIM:
        rows->slim[k] = make_slim(column, (float)value);
        break;
    case NARROW:
        rows->entry[k] = make_narrow(column, (float)value);
        break;
    case WIDE:
        rows->wide[k] = (sdca_wide_entry){ column, value };
        break;
    case DENSE:
        rows->dense[k] = (float)value;
        break;
    default:
        rows->dense_wide[k] = value;
    }
}

void sdca_rows_set(sdca_rows *rows, int64_t k, int32_t column, double value)
{
    set_entry(kind_of(rows), rows, k, column, value);
}

double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w)
{
    int64_t first = rows->row[i].start;

    return row_dot(kind_of(rows), rows, first, rows->row[i + 1].start - first, w);
}

double sdca_rows_dot_error(int64_t entries)
{
    return (double)entries / 4.0 + 16.0; /* four sums or more at once, then those */
}

void sdca_rows_add(const sdca_rows *rows, uint32_t i, double factor, double *w)
{
    int64_t first = rows->row[i].start;

    row_add(kind_of(rows), rows, first, rows->row[i + 1].start - first, factor, w);
}

double sdca_rows_norm2(const sdca_rows *rows, uint32_t i)
{
    int64_t first = rows->row[i].start;

    return row_norm2(kind_of(rows), rows, first, rows->row[i + 1].start - first);
}

uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i)
{
    row_kind kind = kind_of(rows);
    uint64_t hash = 0;

    for (int64_t k = rows->row[i].start; k < rows->row[i + 1].start; k++) {
        double value = sdca_rows_value(rows, k);
        bool   fits;

        if (value != 0.0 || is_sparse(kind)) {
            hash += hash_wide(sdca_rows_column(rows, k), value, &fits);
        }
    }
    return hash;
}

SDCA_INLINE void scale(row_kind kind, sdca_rows *rows, uint32_t i, double factor)
{
    int64_t end = rows->row[i + 1].start;

    for (int64_t k = rows->row[i].start; k < end; k++) {
        set_entry(kind, rows, k, is_sparse(kind) ? entry_column(kind, rows, k) : 0,
                  entry_value(kind, rows, k) * factor);
    }
}

void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor)
{
#define SCALE(name, kind)            \
    case kind:                       \
        name(kind, rows, i, factor); \
        break;
    switch (kind_of(rows)) {
        SDCA_FOR_ROW_KINDS(SCALE, scale)
    default:
        break;
    }
#undef SCALE
}

/* How many of the entries first .. end - 1, their columns ascending, are below a
 * column? */
static int64_t count_below(const sdca_rows *rows, int64_t first, int64_t end,
                           int32_t column)
{
    while (end > first && sdca_rows_column(rows, end - 1) >= column) {
        end--;
    }
    return end - first;
}

/* Move so many entries to where others have been, which may be the same. */
static void move_entries(sdca_rows *rows, int64_t to, int64_t from, int64_t count)
{
    size_t size = (size_t)count;

    switch (kind_of(rows)) {
    case SLIM:
        memmove(rows->slim + to, rows->slim + from, size * sizeof *rows->slim);
        break;
    case NARROW:
        memmove(rows->entry + to, rows->entry + from, size * sizeof *rows->entry);
        break;
    case WIDE:
        memmove(rows->wide + to, rows->wide + from, size * sizeof *rows->wide);
        break;
    case DENSE:
        memmove(rows->dense + to, rows->dense + from, size * sizeof *rows->dense);
        break;
    default:
        memmove(rows->dense_wide + to, rows->dense_wide + from,
                size * sizeof *rows->dense_wide);
    }
}

void sdca_rows_limit(sdca_rows *rows, int32_t columns)
{
    bool    dense = !is_sparse(kind_of(rows));
    int64_t kept  = 0;
    int64_t first = 0;

    for (uint32_t i = 0; rows->columns > columns && i < rows->count; i++) {
        int64_t next  = rows->row[i + 1].start;
        int64_t count = dense ? columns : count_below(rows, first, next, columns);

        move_entries(rows, kept, first, count);
        kept += count;
        rows->row[i + 1].start = kept;
        first                  = next;
    }
    rows->columns = columns;
}

int sdca_rows_lines(const sdca_rows *rows)
{
    enum { LINE = 64, MOST = 32, SAMPLE = 4096, FEW = 32 };
    row_kind kind             = kind_of(rows);
    uint32_t stride           = rows->count / SAMPLE + 1;
    uint32_t number[MOST + 1] = { 0 }; /* of rows, by their lines */
    uint32_t longer           = 0;     /* rows */
    uint32_t few;
    int      lines = 0;

    for (uint32_t i = 0; i < rows->count; i += stride) {
        const sdca_row *row   = &rows->row[i];
        uintptr_t       first = (uintptr_t)row_address(kind, rows, row[0].start) / LINE;
        uintptr_t       last  = (uintptr_t)row_address(kind, rows, row[1].start) / LINE;

        number[last - first < MOST ? last - first + 1 : MOST]++;
        longer++;
    }
    for (few = longer / FEW; longer > few; longer -= number[lines]) {
        lines++;
    }
    return lines;
}

static sdca_status narrow_sparse(sdca_rows *rows)
{
    int64_t     entries = rows->row[rows->count].start;
    sdca_rows   narrow  = { .count = rows->count, .columns = rows->columns };
    sdca_status status  = reserve(&narrow, entries, false);

    if (status != SDCA_OK) {
        return status;
    }
    for (int64_t k = 0; narrow.slim != NULL && k < entries; k++) {
        narrow.slim[k] =
            make_slim((int32_t)rows->wide[k].column, (float)rows->wide[k].value);
    }
    for (int64_t k = 0; narrow.entry != NULL && k < entries; k++) {
        narrow.entry[k] =
            make_narrow((int32_t)rows->wide[k].column, (float)rows->wide[k].value);
    }
    free(rows->wide);
    rows->wide  = NULL;
    rows->slim  = narrow.slim;
    rows->entry = narrow.entry;
    return SDCA_OK;
}

static sdca_status narrow_dense(sdca_rows *rows)
{
    int64_t entries = rows->row[rows->count].start;
    float  *dense   = sdca_alloc_array((size_t)entries, sizeof *dense);

    if (dense == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld values", (long long)entries);
    }
    for (int64_t k = 0; k < entries; k++) {
        dense[k] = (float)rows->dense_wide[k];
    }
    free(rows->dense_wide);
    rows->dense_wide = NULL;
    rows->dense      = dense;
    return SDCA_OK;
}

sdca_status sdca_rows_narrow(sdca_rows *rows)
{
    return rows->wide != NULL         ? narrow_sparse(rows)
           : rows->dense_wide != NULL ? narrow_dense(rows)
                                      : SDCA_OK;
}
