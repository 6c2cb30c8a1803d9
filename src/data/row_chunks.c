/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_chunks.c - the rows of a matrix, sparse or dense, a few thousand at a time. */
#include "data/row_chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

sdca_status sdca_row_chunks_check_offsets(const char *name, sdca_matrix_format format,
                                          int64_t first_row, int64_t count,
                                          const int64_t *offset)
{
    for (int64_t k = 0; k <= count; k++) {
        int64_t row = first_row + k;
        int64_t min = row == format.rows ? format.nonzeros : k > 0 ? offset[k - 1] : 0;
        int64_t max = row == 0 ? 0 : format.nonzeros;

        if (offset[k] < min || offset[k] > max) {
            return SDCA_FAIL(
                SDCA_DATA,
                "'%s', row %lld: its offset %lld does not ascend from 0 to %lld", name,
                (long long)row, (long long)offset[k], (long long)format.nonzeros);
        }
    }
    return SDCA_OK;
}

static sdca_status no_memory(const sdca_row_chunks *p)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)p->range.count, p->name);
}

/* Allocate space for count non-zeros; the present ones are lost. */
static sdca_status reserve_chunk(sdca_row_chunks *p, int64_t count)
{
    sdca_row_chunk *chunk = &p->chunk;

    if (count <= p->capacity) {
        return SDCA_OK;
    }
    free(chunk->column);
    free(chunk->value32);
    free(chunk->value64);
    p->capacity    = count;
    chunk->column  = sdca_alloc_array((size_t)count, sizeof *chunk->column);
    chunk->value32 = p->format.float64
                         ? NULL
                         : sdca_alloc_array((size_t)count, sizeof *chunk->value32);
    chunk->value64 = p->format.float64
                         ? sdca_alloc_array((size_t)count, sizeof *chunk->value64)
                         : NULL;
    return chunk->column != NULL && (chunk->value32 != NULL || chunk->value64 != NULL)
               ? SDCA_OK
               : no_memory(p);
}

/* Rows in a chunk of a dense matrix. */
static int64_t dense_chunk_rows(const sdca_row_chunks *p)
{
    int64_t width = p->format.columns > 0 ? p->format.columns : 1;
    int64_t rows  = width < SDCA_CHUNK_NONZEROS ? SDCA_CHUNK_NONZEROS / width : 1;

    return rows < SDCA_CHUNK_ROWS ? rows : SDCA_CHUNK_ROWS;
}

static sdca_status allocate_buffers(sdca_row_chunks *p)
{
    int64_t     size   = dense_chunk_rows(p) * p->format.columns;
    size_t      bytes  = p->format.float64 ? sizeof(double) : sizeof(float);
    sdca_status status = SDCA_OK;

    if (!p->format.dense) {
        return reserve_chunk(p, SDCA_CHUNK_NONZEROS);
    }
    SDCA_TRY(reserve_chunk(p, size));
    p->dense_values = sdca_alloc_array((size_t)size, bytes);
    if (p->dense_values == NULL) {
        status = no_memory(p);
    }

done:
    return status;
}

/* Open an array of a sparse matrix. */
static sdca_status open_part(sdca_hdf5_file *h5, const char *x, const char *part,
                             sdca_dtype type, sdca_hdf5_array **out)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", x, part);
    return sdca_hdf5_open_array(h5, path, type, out);
}

static sdca_status open_file(sdca_row_chunks *p, sdca_hdf5_file *h5, const char *x)
{
    sdca_status status = SDCA_OK;
    sdca_dtype  type   = p->format.float64 ? SDCA_FLOAT64 : SDCA_FLOAT32;

    if (p->format.dense) {
        return sdca_hdf5_open_array(h5, x, type, &p->values);
    }
    SDCA_TRY(open_part(h5, x, "indptr", SDCA_INT64, &p->offsets));
    SDCA_TRY(open_part(h5, x, "indices", SDCA_INT32, &p->columns));
    SDCA_TRY(open_part(h5, x, "data", type, &p->values));

done:
    return status;
}

/* Chunks of the matrix x of a file, or of memory if h5 is NULL. */
static sdca_status open_chunks(const char *name, sdca_matrix_format format,
                               sdca_range range, sdca_hdf5_file *h5, const char *x,
                               sdca_matrix_arrays arrays, sdca_row_chunks **out)
{
    sdca_status      status = SDCA_OK;
    sdca_row_chunks *p      = calloc(1, sizeof *p);

    if (p == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", name);
    }
    p->name   = name;
    p->format = format;
    p->range  = range;
    p->memory = arrays;
    SDCA_TRY(allocate_buffers(p));
    if (h5 != NULL) {
        SDCA_TRY(open_file(p, h5, x));
    }
    *out = p;
    p    = NULL; /* now the caller's */

done:
    sdca_row_chunks_close(p);
    return status;
}

sdca_status sdca_row_chunks_open(sdca_hdf5_file *h5, const char *x,
                                 sdca_matrix_format format, sdca_range range,
                                 sdca_row_chunks **out)
{
    return open_chunks(sdca_hdf5_path(h5), format, range, h5, x,
                       (sdca_matrix_arrays){ NULL, NULL, NULL, NULL }, out);
}

sdca_status sdca_row_chunks_open_memory(const char *name, sdca_matrix_format format,
                                        sdca_matrix_arrays arrays, sdca_row_chunks **out)
{
    return open_chunks(name, format, (sdca_range){ 0, format.rows }, NULL, NULL, arrays,
                       out);
}

void sdca_row_chunks_close(sdca_row_chunks *p)
{
    if (p != NULL) {
        sdca_hdf5_close_array(p->offsets);
        sdca_hdf5_close_array(p->columns);
        sdca_hdf5_close_array(p->values);
        free(p->dense_values);
        free(p->chunk.column);
        free(p->chunk.value32);
        free(p->chunk.value64);
        free(p);
    }
}

/* Copy a range of the values in memory, as float64 if the format says so. */
static void copy_values(const sdca_row_chunks *p, sdca_range range, void *x)
{
    if (range.count == 0) {
        return;
    }
    if (!p->format.float64) {
        memcpy(x, p->memory.value32 + range.first, (size_t)range.count * sizeof(float));
    } else if (p->memory.value64 != NULL) {
        memcpy(x, p->memory.value64 + range.first, (size_t)range.count * sizeof(double));
    } else {
        for (int64_t k = 0; k < range.count; k++) {
            ((double *)x)[k] = (double)p->memory.value32[range.first + k];
        }
    }
}

/* Read the columns and values of a range of non-zeros. */
static sdca_status read_entries(sdca_row_chunks *p, sdca_range range)
{
    sdca_row_chunk *chunk  = &p->chunk;
    void           *values = p->format.float64 ? (void *)chunk->value64 : chunk->value32;
    sdca_status     status = SDCA_OK;

    if (p->values == NULL) {
        if (range.count > 0) {
            memcpy(chunk->column, p->memory.indices + range.first,
                   (size_t)range.count * sizeof *chunk->column);
        }
        copy_values(p, range, values);
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_array(p->columns, range, chunk->column));
    SDCA_TRY(sdca_hdf5_read_array(p->values, range, values));

done:
    return status;
}

/* Read the values of a range of dense rows. */
static sdca_status read_dense_values(sdca_row_chunks *p, sdca_range rows)
{
    int64_t width = p->format.columns;

    if (p->values == NULL) {
        copy_values(p, (sdca_range){ rows.first * width, rows.count * width },
                    p->dense_values);
        return SDCA_OK;
    }
    return sdca_hdf5_read_array(p->values, rows, p->dense_values);
}

/* Read the offsets of the next rows of a sparse matrix, unless they are here. */
static sdca_status read_offset_window(sdca_row_chunks *p)
{
    int64_t     left      = p->range.count - p->next;
    int64_t     first_row = p->range.first + p->next;
    sdca_status status    = SDCA_OK;

    if (p->window.first <= p->next && p->next < p->window.first + p->window.count) {
        return SDCA_OK;
    }
    p->window.first = p->next;
    p->window.count = left < SDCA_CHUNK_ROWS ? left : SDCA_CHUNK_ROWS;
    if (p->offsets == NULL) { /* checked before */
        memcpy(p->offset, p->memory.indptr + first_row,
               (size_t)(p->window.count + 1) * sizeof *p->offset);
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_array(
        p->offsets, (sdca_range){ first_row, p->window.count + 1 }, p->offset));
    SDCA_TRY(sdca_row_chunks_check_offsets(p->name, p->format, first_row, p->window.count,
                                           p->offset));

done:
    return status;
}

/* Make the next rows, whose offsets are here, the chunk. */
static void begin_chunk(sdca_row_chunks *p, int64_t rows)
{
    p->chunk.first = (uint32_t)p->next;
    p->chunk.rows  = (uint32_t)rows;
    p->chunk.start = p->offset + (p->next - p->window.first);
    p->next += rows;
}

/* Rows in the next chunk of a sparse matrix: as many as the limits allow, at least one.
 */
static int64_t sparse_chunk_rows(const sdca_row_chunks *p)
{
    const int64_t *start     = p->offset + (p->next - p->window.first);
    int64_t        available = p->window.first + p->window.count - p->next;
    int64_t        rows      = 1;

    while (rows < available && start[rows + 1] - start[0] <= SDCA_CHUNK_NONZEROS) {
        rows++;
    }
    return rows;
}

static sdca_status read_sparse(sdca_row_chunks *p)
{
    sdca_status     status = SDCA_OK;
    sdca_row_chunk *chunk  = &p->chunk;
    sdca_range      range;

    SDCA_TRY(read_offset_window(p));
    begin_chunk(p, sparse_chunk_rows(p));
    range.first = chunk->start[0];
    range.count = chunk->start[chunk->rows] - chunk->start[0];
    SDCA_TRY(reserve_chunk(p, range.count));
    SDCA_TRY(read_entries(p, range));

done:
    return status;
}

/* Copy the non-zeros of a dense row and their columns; returns how many there are.
 * Branchless: zeros are written, too, and overwritten by the next value. */
static int64_t gather_nonzeros32(const float *dense, int64_t width, int32_t *column,
                                 float *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = dense[j];
        count += dense[j] != 0.0F;
    }
    return count;
}

static int64_t gather_nonzeros64(const double *dense, int64_t width, int32_t *column,
                                 double *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = dense[j];
        count += dense[j] != 0.0;
    }
    return count;
}

/* Read the next chunk of a dense matrix, leaving out zeros. */
static sdca_status read_dense(sdca_row_chunks *p)
{
    int64_t         width = p->format.columns;
    int64_t         left  = p->range.count - p->next;
    int64_t         rows  = left < dense_chunk_rows(p) ? left : dense_chunk_rows(p);
    sdca_row_chunk *chunk = &p->chunk;
    sdca_status     status;

    status       = read_dense_values(p, (sdca_range){ p->range.first + p->next, rows });
    p->offset[0] = 0;
    for (int64_t k = 0; status == SDCA_OK && k < rows; k++) {
        int64_t at = p->offset[k];

        p->offset[k + 1] =
            at + (p->format.float64
                      ? gather_nonzeros64((double *)p->dense_values + k * width, width,
                                          chunk->column + at, chunk->value64 + at)
                      : gather_nonzeros32((float *)p->dense_values + k * width, width,
                                          chunk->column + at, chunk->value32 + at));
    }
    p->window.first = p->next;
    begin_chunk(p, rows);
    return status;
}

sdca_status sdca_row_chunks_read(sdca_row_chunks *p)
{
    return p->format.dense ? read_dense(p) : read_sparse(p);
}

sdca_status sdca_row_chunks_read_starts(sdca_row_chunks *p)
{
    sdca_status status = SDCA_OK;

    if (p->format.dense) {
        return read_dense(p);
    }
    SDCA_TRY(read_offset_window(p));
    begin_chunk(p, p->window.first + p->window.count - p->next);

done:
    return status;
}

void sdca_row_chunks_rewind(sdca_row_chunks *p)
{
    p->next         = 0;
    p->window.count = 0;
}
