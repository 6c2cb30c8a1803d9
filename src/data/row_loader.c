/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_loader.c - storing chunks of rows in a data set.
 *
 * The loops compute just enough to know that a row is valid. All other rows are checked
 * again entry by entry, to be sorted or to report what is wrong. */
#include "data/row_loader.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "data/row_loader_inline.h"

/* Prefetch distances in rows: first the record of a row, then, once its start is known,
 * its entries. */
enum {
    PREFETCH_ROW     = TUNING_PREFETCH_RECORD_ROWS,
    PREFETCH_ENTRIES = TUNING_PREFETCH_LOADED_ENTRY_ROWS
};

/* A value that is not finite makes the sum of squares not finite, too. */
static bool is_valid(const row_summary *summary, const int32_t *column, int64_t count,
                     int32_t columns)
{
    return count == 0 || (summary->norm2 > 0.0 && isfinite(summary->norm2) &&
                          summary->ascending_mask < 0 && column[count - 1] < columns);
}

static int by_column(const void *a, const void *b)
{
    const sdca_entry64 *first  = a;
    const sdca_entry64 *second = b;

    return (first->column > second->column) - (first->column < second->column);
}

/* Fail if an entry is invalid. */
static sdca_status check_entry(const char *path, int64_t row, int32_t columns,
                               const sdca_entry64 *x)
{
    if (x->column < 0 || x->column >= columns) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: column %lld is out of range: there are %lld",
                         path, (long long)row, (long long)x->column, (long long)columns);
    }
    if (!isfinite(x->value)) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld, column %lld: the value is not a finite number",
                         path, (long long)row, (long long)x->column);
    }
    return SDCA_OK;
}

/* Fail if a row is invalid; otherwise sort it by column. SciPy allows any order. */
static sdca_status check_and_sort(const char *path, int64_t row, int32_t columns,
                                  sdca_entry64 *x, int64_t count)
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
            SDCA_DATA,
            "'%s', row %lld: the squares of its values underflow; scale the data", path,
            (long long)row);
    } else if (!isfinite(norm2)) {
        status = SDCA_FAIL(
            SDCA_DATA, "'%s', row %lld: the sum of the squares of its values overflows",
            path, (long long)row);
    }
    qsort(x, (size_t)count, sizeof *x, by_column);
    for (int64_t k = 1; status == SDCA_OK && k < count; k++) {
        if (x[k].column == x[k - 1].column) {
            status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: column %lld occurs twice",
                               path, (long long)row, (long long)x[k].column);
        }
    }

done:
    return status;
}

/* The same for a row of a chunk; one of value32 and value64 is NULL. */
static sdca_status check_and_sort_copy(const sdca_row_loader *loader, uint32_t row,
                                       int64_t count, int32_t *column, float *value32,
                                       double *value64)
{
    sdca_status   status = SDCA_OK;
    sdca_entry64 *copy   = sdca_alloc_array((size_t)count, sizeof *copy);

    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to sort row %lld of '%s'",
                         (long long)sdca_dataset_source_row(loader->draft, row),
                         loader->path);
    }
    for (int64_t k = 0; k < count; k++) {
        copy[k].column = column[k];
        copy[k].value  = value32 != NULL ? (double)value32[k] : value64[k];
    }
    SDCA_TRY(check_and_sort(loader->path, sdca_dataset_source_row(loader->draft, row),
                            sdca_dataset_feature_count(loader->draft), copy, count));
    for (int64_t k = 0; k < count; k++) {
        column[k] = (int32_t)copy[k].column;
        if (value32 != NULL) {
            value32[k] = (float)copy[k].value;
        } else {
            value64[k] = copy[k].value;
        }
    }

done:
    free(copy);
    return status;
}

void sdca_row_loader_set_bias(sdca_dataset *draft, uint32_t i)
{
    if (draft->bias > 0.0) {
        sdca_rows_set_entry(&draft->x, draft->x.row[i + 1].start - 1,
                            draft->x.columns - 1, draft->bias);
    }
}

/* Summarise row j of a chunk. */
SDCA_INLINE row_summary summarize_row(sdca_row_loader      *loader,
                                      const sdca_row_chunk *chunk, uint32_t j)
{
    int64_t offset = chunk->start[j] - chunk->start[0];
    int64_t count  = chunk->start[j + 1] - chunk->start[j];

    return chunk->value64 != NULL
               ? summarize_float64(chunk->column + offset, chunk->value64 + offset, count,
                                   &loader->exact_float32)
               : summarize_float32(chunk->column + offset, chunk->value32 + offset,
                                   count);
}

/* The same, after sorting the row if necessary. */
SDCA_INLINE sdca_status check_row(sdca_row_loader *loader, const sdca_row_chunk *chunk,
                                  uint32_t j, int32_t columns, row_summary *summary)
{
    int64_t     offset = chunk->start[j] - chunk->start[0];
    int64_t     count  = chunk->start[j + 1] - chunk->start[j];
    sdca_status status = SDCA_OK;

    *summary = summarize_row(loader, chunk, j);
    if (!is_valid(summary, chunk->column + offset, count, columns)) {
        status =
            check_and_sort_copy(loader, chunk->first + j, count, chunk->column + offset,
                                chunk->value32 != NULL ? chunk->value32 + offset : NULL,
                                chunk->value64 != NULL ? chunk->value64 + offset : NULL);
        if (status == SDCA_OK) {
            *summary = summarize_row(loader, chunk, j);
        }
    }
    return status;
}

/* Store row j of a chunk as row i. */
SDCA_INLINE void store_row(sdca_dataset *draft, const sdca_row_chunk *chunk, uint32_t j,
                           uint32_t i, double label, row_summary summary)
{
    sdca_rows *x      = &draft->x;
    sdca_row  *row    = &x->row[i];
    int64_t    offset = chunk->start[j] - chunk->start[0];
    int64_t    count  = chunk->start[j + 1] - chunk->start[j];
    int32_t   *column = chunk->column + offset;
    double     factor =
        draft->normalized && summary.norm2 > 0.0 ? 1.0 / sqrt(summary.norm2) : 1.0;

    if (chunk->value64 != NULL) {
        store_float64(x, row->start, column, chunk->value64 + offset, count);
        row->norm2 = summary.norm2;
    } else if (x->dense32 != NULL) {
        row->norm2 =
            store_dense32(x, row->start, column, chunk->value32 + offset, count, factor);
    } else if (x->sparse16 != NULL) {
        row->norm2 = store_sparse16(x->sparse16 + row->start, column,
                                    chunk->value32 + offset, count, factor);
    } else {
        row->norm2 = store_sparse32(x->sparse32 + row->start, column,
                                    chunk->value32 + offset, count, factor);
    }
    row->y = label;
    draft->fingerprint += sdca_dataset_row_hash(
        draft->local_range.first + chunk->first + j, label, summary.hash);
    sdca_row_loader_set_bias(draft, i);
}

sdca_status sdca_row_loader_add(sdca_row_loader *loader, const sdca_row_chunk *chunk,
                                const uint32_t *position, const double *label)
{
    sdca_dataset    *draft   = loader->draft;
    const sdca_rows *x       = &draft->x;
    row_format       format  = format_of(x);
    int32_t          columns = sdca_dataset_feature_count(draft);
    sdca_status      status  = SDCA_OK;
    row_summary      summary, next;

    SDCA_TRY(check_row(loader, chunk, 0, columns, &summary));
    for (uint32_t j = 0; j < chunk->rows; j++) {
        if (j + PREFETCH_ROW < chunk->rows) {
            SDCA_PREFETCH(&x->row[position[j + PREFETCH_ROW]].start);
            SDCA_PREFETCH(&x->row[position[j + PREFETCH_ROW]].y);
        }
        if (j + PREFETCH_ENTRIES < chunk->rows) {
            prefetch_entries(format, x, x->row[position[j + PREFETCH_ENTRIES]].start,
                             loader->prefetch_lines);
        }
        /* The square root has a long latency: summarise the next row meanwhile. */
        next = summary;
        if (j + 1 < chunk->rows) {
            SDCA_TRY(check_row(loader, chunk, j + 1, columns, &next));
        }
        store_row(draft, chunk, j, position[j], label != NULL ? label[j] : 0.0, summary);
        summary = next;
    }

done:
    return status;
}
