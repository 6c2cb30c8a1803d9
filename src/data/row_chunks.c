/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_chunks.c - the rows of a file, sparse or dense, some thousand at a time. */
#include "data/row_chunks.h"

#include <stdlib.h>

#include "base/alloc.h"

sdca_status sdca_row_chunks_read_offsets(sdca_hdf5_file         *store,
                                         const sdca_file_schema *schema,
                                         sdca_hdf5_array *array, sdca_range range,
                                         int64_t *offset)
{
    sdca_range  read   = { range.first, range.count + 1 };
    sdca_status status = sdca_hdf5_read_array(array, read, offset);

    for (int64_t k = 0; status == SDCA_OK && k <= range.count; k++) {
        int64_t row = range.first + k;
        int64_t min = row == schema->rows ? schema->nonzeros : k > 0 ? offset[k - 1] : 0;
        int64_t max = row == 0 ? 0 : schema->nonzeros;

        if (offset[k] < min || offset[k] > max) {
            status = SDCA_FAIL(
                SDCA_DATA,
                "'%s', row %lld: its offset %lld does not ascend from 0 to %lld",
                sdca_hdf5_path(store), (long long)row, (long long)offset[k],
                (long long)schema->nonzeros);
        }
    }
    return status;
}

static sdca_status no_memory(const sdca_row_chunks *p)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)p->range.count, sdca_hdf5_path(p->store));
}

/* Room for a piece of so many non-zeros, which are not kept. */
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
    chunk->value32 = p->schema->float64
                         ? NULL
                         : sdca_alloc_array((size_t)count, sizeof *chunk->value32);
    chunk->value64 = p->schema->float64
                         ? sdca_alloc_array((size_t)count, sizeof *chunk->value64)
                         : NULL;
    return chunk->column != NULL && (chunk->value32 != NULL || chunk->value64 != NULL)
               ? SDCA_OK
               : no_memory(p);
}

/* Rows of a dense file that make a piece. */
static int64_t dense_chunk_rows(const sdca_row_chunks *p)
{
    int64_t width = p->schema->columns > 0 ? p->schema->columns : 1;
    int64_t rows  = width < SDCA_CHUNK_NONZEROS ? SDCA_CHUNK_NONZEROS / width : 1;

    return rows < SDCA_CHUNK_ROWS ? rows : SDCA_CHUNK_ROWS;
}

static sdca_status open_dense(sdca_row_chunks *p)
{
    sdca_status status = SDCA_OK;
    sdca_dtype  type   = p->schema->float64 ? SDCA_FLOAT64 : SDCA_FLOAT32;
    int64_t     max    = dense_chunk_rows(p) * p->schema->columns;

    SDCA_TRY(
        reserve_chunk(p, max)); /* and one more, where what is not taken is written */
    p->dense_values = sdca_alloc_array((size_t)max, p->schema->float64 ? sizeof(double)
                                                                       : sizeof(float));
    if (p->dense_values == NULL) {
        status = no_memory(p);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X", type, &p->values));

done:
    return status;
}

static sdca_status open_sparse(sdca_row_chunks *p)
{
    sdca_status status = SDCA_OK;
    sdca_dtype  type   = p->schema->float64 ? SDCA_FLOAT64 : SDCA_FLOAT32;

    SDCA_TRY(reserve_chunk(p, SDCA_CHUNK_NONZEROS));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/indptr", SDCA_INT64, &p->offsets));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/indices", SDCA_INT32, &p->columns));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/data", type, &p->values));

done:
    return status;
}

sdca_status sdca_row_chunks_open(sdca_hdf5_file *store, const sdca_file_schema *schema,
                                 sdca_range range, sdca_row_chunks **out)
{
    sdca_status      status = SDCA_OK;
    sdca_row_chunks *p      = calloc(1, sizeof *p);

    if (p == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", sdca_hdf5_path(store));
    }
    p->store  = store;
    p->schema = schema;
    p->range  = range;
    SDCA_TRY(schema->dense ? open_dense(p) : open_sparse(p));
    *out = p;
    p    = NULL; /* now the caller's */

done:
    sdca_row_chunks_close(p);
    return status;
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

/* The offsets of the next rows of a sparse file, unless they are here. */
static sdca_status read_offset_window(sdca_row_chunks *p)
{
    int64_t left = p->range.count - p->next;

    if (p->window.first <= p->next && p->next < p->window.first + p->window.count) {
        return SDCA_OK;
    }
    p->window.first = p->next;
    p->window.count = left < SDCA_CHUNK_ROWS ? left : SDCA_CHUNK_ROWS;
    return sdca_row_chunks_read_offsets(
        p->store, p->schema, p->offsets,
        (sdca_range){ p->range.first + p->next, p->window.count }, p->offset);
}

/* The next piece of a sparse file has so many rows. */
static void begin_chunk(sdca_row_chunks *p, int64_t rows)
{
    p->chunk.first = (uint32_t)p->next;
    p->chunk.rows  = (uint32_t)rows;
    p->chunk.start = p->offset + (p->next - p->window.first);
    p->next += rows;
}

/* So many that they are not too long together, but one at least. */
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
    SDCA_TRY(sdca_hdf5_read_array(p->columns, range, chunk->column));
    SDCA_TRY(sdca_hdf5_read_array(
        p->values, range, p->schema->float64 ? (void *)chunk->value64 : chunk->value32));

done:
    return status;
}

/* The non-zeros of width values: their columns, and they themselves. Returns how many
 * there are. */
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

/* The next piece of a dense file, without its zeros. */
static sdca_status read_dense(sdca_row_chunks *p)
{
    int64_t         width = p->schema->columns;
    int64_t         left  = p->range.count - p->next;
    int64_t         rows  = left < dense_chunk_rows(p) ? left : dense_chunk_rows(p);
    sdca_row_chunk *chunk = &p->chunk;
    sdca_status     status;

    status = sdca_hdf5_read_array(
        p->values, (sdca_range){ p->range.first + p->next, rows }, p->dense_values);
    p->offset[0] = 0;
    for (int64_t k = 0; status == SDCA_OK && k < rows; k++) {
        int64_t at = p->offset[k];

        p->offset[k + 1] =
            at + (p->schema->float64
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
    return p->schema->dense ? read_dense(p) : read_sparse(p);
}

sdca_status sdca_row_chunks_read_starts(sdca_row_chunks *p)
{
    sdca_status status = SDCA_OK;

    if (p->schema->dense) {
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
