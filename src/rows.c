/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c - sparse rows in memory, and the three things done with them. */
#include "sdca/rows.h"

#include "rows_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros, bool wide,
                             sdca_rows *out)
{
    sdca_rows rows = { .count = count, .columns = columns };

    rows.start = sdca_memory_zeros(count, sizeof *rows.start);
    if (wide) {
        rows.wide = sdca_memory_allocate((size_t)nonzeros, sizeof *rows.wide);
    } else {
        rows.entry = sdca_memory_allocate((size_t)nonzeros, sizeof *rows.entry);
    }
    if (rows.start == NULL || (rows.wide == NULL && rows.entry == NULL)) {
        sdca_rows_free(&rows);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld non-zeros in %lu rows",
                         (long long)nonzeros, (unsigned long)count);
    }
    *out = rows;
    return SDCA_OK;
}

void sdca_rows_free(sdca_rows *rows)
{
    free(rows->start);
    free(rows->entry);
    free(rows->wide);
    *rows = (sdca_rows){ 0 };
}

int64_t sdca_rows_column(const sdca_rows *rows, int64_t k)
{
    return rows->wide != NULL ? rows->wide[k].column : rows->entry[k].column;
}

double sdca_rows_value(const sdca_rows *rows, int64_t k)
{
    return rows->wide != NULL ? rows->wide[k].value : (double)rows->entry[k].value;
}

void sdca_rows_set(sdca_rows *rows, int64_t k, int32_t column, double value)
{
    if (rows->wide != NULL) {
        rows->wide[k] = (sdca_wide_entry){ column, value };
    } else {
        rows->entry[k] = (sdca_entry){ column, (float)value };
    }
}

double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w)
{
    int64_t first = rows->start[i];
    int64_t count = rows->start[i + 1] - first;

    return rows->wide != NULL ? row_dot_wide(rows->wide + first, count, w)
                              : row_dot_narrow(rows->entry + first, count, w);
}

void sdca_rows_add(const sdca_rows *rows, uint32_t i, double factor, double *w)
{
    int64_t first = rows->start[i];
    int64_t count = rows->start[i + 1] - first;

    if (rows->wide != NULL) {
        row_add_wide(rows->wide + first, count, factor, w);
    } else {
        row_add_narrow(rows->entry + first, count, factor, w);
    }
}

double sdca_rows_norm2(const sdca_rows *rows, uint32_t i)
{
    int64_t first = rows->start[i];
    int64_t count = rows->start[i + 1] - first;

    return rows->wide != NULL ? row_norm2_wide(rows->wide + first, count)
                              : row_norm2_narrow(rows->entry + first, count);
}

uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i)
{
    uint64_t hash = 0;

    for (int64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        bool fits;

        hash += rows->wide != NULL
                    ? hash_wide(rows->wide[k].column, rows->wide[k].value, &fits)
                    : hash_narrow(rows->entry[k].column, rows->entry[k].value);
    }
    return hash;
}

void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor)
{
    for (int64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        if (rows->wide != NULL) {
            rows->wide[k].value *= factor;
        } else {
            rows->entry[k].value = (float)(rows->entry[k].value * factor);
        }
    }
}

/* How many of a row's columns, which ascend, are below a limit? */
static int64_t count_below(const sdca_rows *rows, uint32_t i, int32_t limit)
{
    int64_t first = rows->start[i];
    int64_t end   = rows->start[i + 1];

    while (end > first && sdca_rows_column(rows, end - 1) >= limit) {
        end--;
    }
    return end - first;
}

void sdca_rows_limit(sdca_rows *rows, int32_t columns)
{
    int64_t kept = 0;

    for (uint32_t i = 0; rows->columns > columns && i < rows->count; i++) {
        int64_t first = rows->start[i];
        size_t  count = (size_t)count_below(rows, i, columns);

        if (rows->wide != NULL) {
            memmove(rows->wide + kept, rows->wide + first, count * sizeof *rows->wide);
        } else {
            memmove(rows->entry + kept, rows->entry + first, count * sizeof *rows->entry);
        }
        rows->start[i] = kept;
        kept += (int64_t)count;
    }
    if (rows->columns > columns) {
        rows->start[rows->count] = kept;
    }
    rows->columns = columns;
}

bool sdca_rows_fit_float(const sdca_rows *rows)
{
    int64_t nonzeros = rows->start[rows->count];

    for (int64_t k = 0; rows->wide != NULL && k < nonzeros; k++) {
        if ((double)(float)rows->wide[k].value != rows->wide[k].value) {
            return false;
        }
    }
    return true;
}

sdca_status sdca_rows_narrow(sdca_rows *rows)
{
    int64_t     nonzeros = rows->start[rows->count];
    sdca_entry *entry    = NULL;

    if (rows->wide == NULL) {
        return SDCA_OK;
    }
    entry = sdca_memory_allocate((size_t)nonzeros, sizeof *entry);
    if (entry == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld non-zeros",
                         (long long)nonzeros);
    }
    for (int64_t k = 0; k < nonzeros; k++) {
        entry[k].column = (int32_t)rows->wide[k].column;
        entry[k].value  = (float)rows->wide[k].value;
    }
    free(rows->wide);
    rows->wide  = NULL;
    rows->entry = entry;
    return SDCA_OK;
}
