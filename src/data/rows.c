/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c - sparse or dense rows in memory: dot products, updates, norms. */
#include "data/rows.h"

#include "base/tuning.h"
#include "data/rows_inline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The number of columns that 16 bits can index. */
static const int32_t max_columns16 = 1 << 16;

/* Allocate entries for rows that have none yet. */
static sdca_status allocate_entries(sdca_rows *rows, int64_t nonzeros, bool float64)
{
    if (float64) {
        rows->sparse64 = sdca_alloc_array((size_t)nonzeros, sizeof *rows->sparse64);
    } else if (rows->columns <= max_columns16) {
        rows->sparse16 = sdca_alloc_array((size_t)nonzeros, sizeof *rows->sparse16);
    } else {
        rows->sparse32 = sdca_alloc_array((size_t)nonzeros, sizeof *rows->sparse32);
    }
    return rows->sparse64 != NULL || rows->sparse16 != NULL || rows->sparse32 != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld non-zeros in %lu rows",
                           (long long)nonzeros, (unsigned long)rows->count);
}

sdca_status sdca_rows_allocate_entries(sdca_rows *rows, bool float64)
{
    return allocate_entries(rows, rows->row[rows->count].start, float64);
}

sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros,
                             bool float64, sdca_rows *out)
{
    sdca_rows   rows   = { .count = count, .columns = columns };
    sdca_status status = SDCA_OK;

    rows.row = sdca_alloc_array(count, sizeof *rows.row);
    if (rows.row == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %lu rows", (unsigned long)count);
        goto done;
    }
    SDCA_TRY(allocate_entries(&rows, nonzeros, float64));
    rows.row[0].start = 0;
    *out              = rows;
    rows              = (sdca_rows){ 0 }; /* now the caller's */

done:
    sdca_rows_free(&rows);
    return status;
}

sdca_status sdca_rows_create_dense(uint32_t count, int32_t columns, bool float64,
                                   sdca_rows *out)
{
    sdca_rows rows   = { .count = count, .columns = columns };
    size_t    values = (size_t)count * (size_t)columns;

    rows.row = sdca_alloc_array(count, sizeof *rows.row);
    if (float64) {
        rows.dense64 = sdca_alloc_array(values, sizeof *rows.dense64);
    } else {
        rows.dense32 = sdca_alloc_array(values, sizeof *rows.dense32);
    }
    if (rows.row == NULL || (rows.dense32 == NULL && rows.dense64 == NULL)) {
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
    free(rows->sparse16);
    free(rows->sparse32);
    free(rows->sparse64);
    free(rows->dense32);
    free(rows->dense64);
    *rows = (sdca_rows){ 0 };
}

/* All dense rows have the same width. */
static int64_t dense_width(const sdca_rows *rows)
{
    return rows->count > 0 ? rows->row[1].start : 0;
}

int64_t sdca_rows_column(const sdca_rows *rows, int64_t k)
{
    row_format format = format_of(rows);

    return is_sparse(format) ? entry_column(format, rows, k) : k % dense_width(rows);
}

double sdca_rows_value(const sdca_rows *rows, int64_t k)
{
    return entry_value(format_of(rows), rows, k);
}

SDCA_INLINE void set_entry(row_format format, sdca_rows *rows, int64_t k, int32_t column,
                           double value)
{
    switch (format) {
    case SPARSE16:
        rows->sparse16[k] = make_sparse16(column, (float)value);
        break;
    case SPARSE32:
        rows->sparse32[k] = make_sparse32(column, (float)value);
        break;
    case SPARSE64:
        rows->sparse64[k] = (sdca_entry64){ column, value };
        break;
    case DENSE32:
        rows->dense32[k] = (float)value;
        break;
    default:
        rows->dense64[k] = value;
    }
}

void sdca_rows_set_entry(sdca_rows *rows, int64_t k, int32_t column, double value)
{
    set_entry(format_of(rows), rows, k, column, value);
}

double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w)
{
    int64_t first = rows->row[i].start;

    return row_dot(format_of(rows), rows, first, rows->row[i + 1].start - first, w);
}

double sdca_rows_dot_error(int64_t entries)
{
    return (double)entries / 4.0 + 16.0; /* four or more partial sums, then their sum */
}

void sdca_rows_axpy(const sdca_rows *rows, uint32_t i, double factor, double *w)
{
    int64_t first = rows->row[i].start;

    row_axpy(format_of(rows), rows, first, rows->row[i + 1].start - first, factor, w);
}

double sdca_rows_norm2(const sdca_rows *rows, uint32_t i)
{
    int64_t first = rows->row[i].start;

    return row_norm2(format_of(rows), rows, first, rows->row[i + 1].start - first);
}

uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i)
{
    row_format format = format_of(rows);
    uint64_t   hash   = 0;

    for (int64_t k = rows->row[i].start; k < rows->row[i + 1].start; k++) {
        double value = sdca_rows_value(rows, k);
        bool   exact;

        if (value != 0.0 || is_sparse(format)) {
            hash += hash_float64(sdca_rows_column(rows, k), value, &exact);
        }
    }
    return hash;
}

SDCA_INLINE void scale_row(row_format format, sdca_rows *rows, uint32_t i, double factor)
{
    int64_t end = rows->row[i + 1].start;

    for (int64_t k = rows->row[i].start; k < end; k++) {
        set_entry(format, rows, k, is_sparse(format) ? entry_column(format, rows, k) : 0,
                  entry_value(format, rows, k) * factor);
    }
}

void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor)
{
#define SCALE(name, format)            \
    case format:                       \
        name(format, rows, i, factor); \
        break;
    switch (format_of(rows)) {
        SDCA_FOR_ROW_FORMATS(SCALE, scale_row)
    default:
        break;
    }
#undef SCALE
}

/* The number of entries in first .. end - 1, whose columns ascend, that are below a
 * column. */
static int64_t count_below(const sdca_rows *rows, int64_t first, int64_t end,
                           int32_t column)
{
    while (end > first && sdca_rows_column(rows, end - 1) >= column) {
        end--;
    }
    return end - first;
}

/* Move count entries; the ranges may overlap. */
static void move_entries(sdca_rows *rows, int64_t to, int64_t from, int64_t count)
{
    size_t size = (size_t)count;

    switch (format_of(rows)) {
    case SPARSE16:
        memmove(rows->sparse16 + to, rows->sparse16 + from,
                size * sizeof *rows->sparse16);
        break;
    case SPARSE32:
        memmove(rows->sparse32 + to, rows->sparse32 + from,
                size * sizeof *rows->sparse32);
        break;
    case SPARSE64:
        memmove(rows->sparse64 + to, rows->sparse64 + from,
                size * sizeof *rows->sparse64);
        break;
    case DENSE32:
        memmove(rows->dense32 + to, rows->dense32 + from, size * sizeof *rows->dense32);
        break;
    default:
        memmove(rows->dense64 + to, rows->dense64 + from, size * sizeof *rows->dense64);
    }
}

void sdca_rows_truncate(sdca_rows *rows, int32_t columns)
{
    bool    dense = !is_sparse(format_of(rows));
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

int sdca_rows_prefetch_lines(const sdca_rows *rows)
{
    enum { CACHE_LINE = 64, MAX_LINES = TUNING_PREFETCH_MAX_LINES };
    row_format format                   = format_of(rows);
    uint32_t   stride                   = rows->count / TUNING_PREFETCH_LINES_SAMPLE + 1;
    uint32_t   histogram[MAX_LINES + 1] = { 0 }; /* of rows by cache lines */
    uint32_t   remaining                = 0;     /* sampled rows */
    uint32_t   tail;
    int        lines = 0;

    for (uint32_t i = 0; i < rows->count; i += stride) {
        const sdca_row *row = &rows->row[i];
        uintptr_t       first =
            (uintptr_t)entry_address(format, rows, row[0].start) / CACHE_LINE;
        uintptr_t last =
            (uintptr_t)entry_address(format, rows, row[1].start) / CACHE_LINE;

        histogram[last - first < MAX_LINES ? last - first + 1 : MAX_LINES]++;
        remaining++;
    }
    for (tail = remaining / TUNING_PREFETCH_TAIL_FRACTION; remaining > tail;
         remaining -= histogram[lines]) {
        lines++;
    }
    return lines;
}

static sdca_status sparse_to_float32(sdca_rows *rows)
{
    int64_t     entries = rows->row[rows->count].start;
    sdca_rows   narrow  = { .count = rows->count, .columns = rows->columns };
    sdca_status status  = allocate_entries(&narrow, entries, false);

    if (status != SDCA_OK) {
        return status;
    }
    for (int64_t k = 0; narrow.sparse16 != NULL && k < entries; k++) {
        narrow.sparse16[k] = make_sparse16((int32_t)rows->sparse64[k].column,
                                           (float)rows->sparse64[k].value);
    }
    for (int64_t k = 0; narrow.sparse32 != NULL && k < entries; k++) {
        narrow.sparse32[k] = make_sparse32((int32_t)rows->sparse64[k].column,
                                           (float)rows->sparse64[k].value);
    }
    free(rows->sparse64);
    rows->sparse64 = NULL;
    rows->sparse16 = narrow.sparse16;
    rows->sparse32 = narrow.sparse32;
    return SDCA_OK;
}

static sdca_status dense_to_float32(sdca_rows *rows)
{
    int64_t entries = rows->row[rows->count].start;
    float  *dense   = sdca_alloc_array((size_t)entries, sizeof *dense);

    if (dense == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld values", (long long)entries);
    }
    for (int64_t k = 0; k < entries; k++) {
        dense[k] = (float)rows->dense64[k];
    }
    free(rows->dense64);
    rows->dense64 = NULL;
    rows->dense32 = dense;
    return SDCA_OK;
}

sdca_status sdca_rows_to_float32(sdca_rows *rows)
{
    return rows->sparse64 != NULL  ? sparse_to_float32(rows)
           : rows->dense64 != NULL ? dense_to_float32(rows)
                                   : SDCA_OK;
}
