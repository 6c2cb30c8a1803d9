/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_rows.c - chosen rows of an AnnData file in memory, as compressed sparse rows.
 *
 * A csr_matrix or a dense one is read chunk by chunk, from the first row that this rank
 * needs to the last one. A csc_matrix is transposed in two passes: all ranks together
 * count the entries of each row, then each reads all entries and keeps those of its own
 * rows. */
#include "data/anndata_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/range.h"
#include "mpi/comm.h"

/* Numbers that are read at a time. */
enum { WINDOW = 1 << 14 };

static sdca_status no_memory(const sdca_anndata_rows *c, sdca_hdf5_file *h5)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)c->range.count, sdca_hdf5_path(h5));
}

/* The path of an array of the matrix. */
static const char *matrix_path(const sdca_anndata_rows *c, const char *array,
                               char path[SDCA_SCHEMA_PATH_SIZE + 16])
{
    snprintf(path, SDCA_SCHEMA_PATH_SIZE + 16, "%s/%s", c->layout->x_path, array);
    return path;
}

static int64_t selected_row(const sdca_anndata_rows *c, int64_t k)
{
    return c->selection->row != NULL ? c->selection->row[k] : k;
}

int64_t sdca_anndata_rows_source(const sdca_anndata_rows *c, int64_t k)
{
    return selected_row(c, c->range.first + k);
}

/* The column here of a column of the file; -1: none. */
static int64_t map_column(const sdca_anndata_rows *c, int64_t column)
{
    return c->column_map != NULL ? c->column_map[column] : column;
}

/* Read all offsets of the matrix, by row or by column, and check them. */
static sdca_status read_offsets(const sdca_anndata_rows *c, sdca_hdf5_file *h5,
                                int64_t count, int64_t *offset)
{
    sdca_matrix_format format = c->layout->matrix;
    char               path[SDCA_SCHEMA_PATH_SIZE + 16];
    sdca_status        status = SDCA_OK;

    format.rows = count;
    SDCA_TRY(sdca_hdf5_read_range(h5, matrix_path(c, "indptr", path),
                                  (sdca_range){ 0, count + 1 }, SDCA_INT64, offset));
    SDCA_TRY(sdca_row_chunks_check_offsets(sdca_hdf5_path(h5), format, 0, count, offset));

done:
    return status;
}

/* Count the entries of each row in this rank's share of a csc_matrix. Local. */
static sdca_status count_entries(const sdca_anndata_rows *c, sdca_hdf5_file *h5,
                                 sdca_range share, int64_t *length)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    int32_t          row[WINDOW];
    char             path[SDCA_SCHEMA_PATH_SIZE + 16];

    SDCA_TRY(
        sdca_hdf5_open_array(h5, matrix_path(c, "indices", path), SDCA_INT32, &array));
    for (int64_t at = 0; at < share.count; at += WINDOW) {
        int64_t count = share.count - at < WINDOW ? share.count - at : WINDOW;

        SDCA_TRY(
            sdca_hdf5_read_array(array, (sdca_range){ share.first + at, count }, row));
        for (int64_t k = 0; k < count; k++) {
            if (row[k] < 0 || row[k] >= c->layout->matrix.rows) {
                status =
                    SDCA_FAIL(SDCA_DATA, "'%s': row %lld is out of range: there are %lld",
                              sdca_hdf5_path(h5), (long long)row[k],
                              (long long)c->layout->matrix.rows);
                goto done;
            }
            length[row[k]]++;
        }
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* The entries of all rows of the file, of a csc_matrix or another sparse one.
 * Collective. */
static sdca_status find_lengths(MPI_Comm comm, const sdca_anndata_rows *c,
                                sdca_hdf5_file *h5, int64_t *length)
{
    sdca_matrix_format format = c->layout->matrix;
    sdca_range  share  = sdca_range_split_even(format.nonzeros, sdca_comm_rank(comm),
                                               sdca_comm_size(comm));
    sdca_status status = SDCA_OK;

    if (c->layout->by_column) {
        memset(length, 0, (size_t)format.rows * sizeof *length);
        SDCA_TRY(sdca_comm_agree(comm, count_entries(c, h5, share, length)));
        sdca_comm_allreduce_sum_int64(comm, length, format.rows);
        goto done;
    }
    SDCA_TRY(sdca_comm_agree(comm, read_offsets(c, h5, format.rows, length)));
    for (int64_t i = 0; i < format.rows; i++) {
        length[i] = length[i + 1] - length[i];
    }

done:
    return status;
}

/* This rank's part of the selection, from the entries of all rows of the file. Local. */
static sdca_status divide_rows(MPI_Comm comm, sdca_anndata_rows *c, const int64_t *length)
{
    int64_t  count = c->selection->count;
    int      ranks = sdca_comm_size(comm), rank = sdca_comm_rank(comm);
    int64_t *offset = sdca_alloc_array((size_t)count, sizeof *offset);
    int64_t *cut    = sdca_alloc_array((size_t)ranks, sizeof *cut);

    if (offset == NULL || cut == NULL) {
        free(offset);
        free(cut);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                         (long long)count);
    }
    offset[0] = 0;
    for (int64_t k = 0; k < count; k++) {
        offset[k + 1] = offset[k] + length[selected_row(c, k)];
    }
    sdca_range_split_by_nonzeros((sdca_range){ 0, count }, offset, count, offset[count],
                                 ranks, cut);
    c->range = (sdca_range){ cut[rank], cut[rank + 1] - cut[rank] };
    free(offset);
    free(cut);
    return SDCA_OK;
}

/* Allocate space for count entries. */
static sdca_status reserve(sdca_anndata_rows *c, sdca_hdf5_file *h5, bool float64,
                           int64_t count)
{
    int64_t  capacity = count > 2 * c->capacity ? count : 2 * c->capacity;
    int32_t *indices;
    void    *values;

    if (count <= c->capacity) {
        return SDCA_OK;
    }
    indices    = sdca_alloc_resize(c->indices, (size_t)capacity, sizeof *indices);
    c->indices = indices != NULL ? indices : c->indices;
    values     = float64 ? sdca_alloc_resize(c->value64, (size_t)capacity, sizeof(double))
                         : sdca_alloc_resize(c->value32, (size_t)capacity, sizeof(float));
    if (values != NULL && float64) {
        c->value64 = values;
    } else if (values != NULL) {
        c->value32 = values;
    }
    if (indices == NULL || values == NULL) {
        return no_memory(c, h5);
    }
    c->capacity = capacity;
    return SDCA_OK;
}

/* Store an entry at a place that there is space for. */
static void put_entry(sdca_anndata_rows *c, int64_t at, int64_t column, double value)
{
    c->indices[at] = (int32_t)column;
    if (c->value64 != NULL) {
        c->value64[at] = value;
    } else {
        c->value32[at] = (float)value;
    }
}

/* Whether values are kept as float64: those of covariates may need it. */
static bool is_float64(const sdca_anndata_rows *c)
{
    return c->layout->matrix.float64 || c->covariates->count > 0;
}

/* Append row j of a chunk, with space for covariates behind it. */
static sdca_status append_row(sdca_anndata_rows *c, sdca_hdf5_file *h5,
                              const sdca_row_chunk *chunk, uint32_t j, int64_t k)
{
    int64_t     from   = chunk->start[j] - chunk->start[0];
    int64_t     count  = chunk->start[j + 1] - chunk->start[j];
    int64_t     at     = c->indptr[k];
    sdca_status status = reserve(c, h5, is_float64(c), at + count + c->covariates->count);

    for (int64_t i = 0; status == SDCA_OK && i < count; i++) {
        int64_t column = chunk->column[from + i];

        if (column < 0 || column >= c->layout->matrix.columns) {
            return SDCA_FAIL(
                SDCA_DATA, "'%s', row %lld: column %lld is out of range: there are %lld",
                sdca_hdf5_path(h5), (long long)sdca_anndata_rows_source(c, k),
                (long long)column, (long long)c->layout->matrix.columns);
        }
        column = map_column(c, column);
        if (column >= 0) {
            put_entry(c, at++, column,
                      chunk->value64 != NULL ? chunk->value64[from + i]
                                             : (double)chunk->value32[from + i]);
        }
    }
    c->indptr[k + 1] = at + c->covariates->count;
    return status;
}

/* Read the rows of a dense matrix or of a csr_matrix. Local. */
static sdca_status read_by_row(sdca_anndata_rows *c, sdca_hdf5_file *h5)
{
    sdca_status      status = SDCA_OK;
    sdca_row_chunks *chunks = NULL;
    int64_t          first = 0, k = 0;
    sdca_range       span = { 0, 0 };

    if (c->range.count == 0) {
        return SDCA_OK;
    }
    first = sdca_anndata_rows_source(c, 0);
    span  = (sdca_range){ first,
                          sdca_anndata_rows_source(c, c->range.count - 1) - first + 1 };
    if (span.count > UINT32_MAX) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                         sdca_hdf5_path(h5), (long long)span.count);
    }
    SDCA_TRY(
        sdca_row_chunks_open(h5, c->layout->x_path, c->layout->matrix, span, &chunks));
    while (chunks->next < span.count) {
        SDCA_TRY(sdca_row_chunks_read(chunks));
        for (uint32_t j = 0; j < chunks->chunk.rows && k < c->range.count; j++) {
            if (first + chunks->chunk.first + j == sdca_anndata_rows_source(c, k)) {
                SDCA_TRY(append_row(c, h5, &chunks->chunk, j, k));
                k++;
            }
        }
    }

done:
    sdca_row_chunks_close(chunks);
    return status;
}

/* The starts of this rank's rows, from the entries of all rows of the file, and the
 * number here of each row of the file. */
static sdca_status place_rows(sdca_anndata_rows *c, sdca_hdf5_file *h5,
                              const int64_t *length)
{
    int64_t rows = c->layout->matrix.rows;

    c->row_of = sdca_alloc_array((size_t)rows, sizeof *c->row_of);
    if (c->row_of == NULL) {
        return no_memory(c, h5);
    }
    for (int64_t i = 0; i < rows; i++) {
        c->row_of[i] = -1;
    }
    for (int64_t k = 0; k < c->range.count; k++) {
        int64_t row = sdca_anndata_rows_source(c, k);

        c->row_of[row]   = k;
        c->indptr[k + 1] = c->indptr[k] + length[row] + c->covariates->count;
    }
    return reserve(c, h5, is_float64(c), c->indptr[c->range.count]);
}

/* Store the entries of a window of a csc_matrix that are in this rank's rows; next[k] is
 * where the next one of row k goes. column is that of the first entry. */
static void scatter(sdca_anndata_rows *c, sdca_range window, const int64_t *offset,
                    const int32_t *row, const double *value, int64_t *column,
                    int64_t *next)
{
    for (int64_t k = 0; k < window.count; k++) {
        int64_t here, to;

        while (window.first + k >= offset[*column + 1]) {
            ++*column;
        }
        /* Checked before, unless this rank has another copy of the file. */
        here = row[k] >= 0 && row[k] < c->layout->matrix.rows ? c->row_of[row[k]] : -1;
        to   = map_column(c, *column);
        if (here >= 0 && to >= 0 &&
            next[here] < c->indptr[here + 1] - c->covariates->count) {
            put_entry(c, next[here]++, to, value[k]);
        }
    }
}

/* Fill the rows with the entries of a csc_matrix. Local. */
static sdca_status read_entries(sdca_anndata_rows *c, sdca_hdf5_file *h5,
                                const int64_t *offset, int64_t *next)
{
    sdca_status      status  = SDCA_OK;
    sdca_hdf5_array *indices = NULL, *data = NULL;
    int64_t          total = c->layout->matrix.nonzeros, column = 0;
    int32_t          row[WINDOW];
    double           value[WINDOW];
    char             path[SDCA_SCHEMA_PATH_SIZE + 16];

    SDCA_TRY(
        sdca_hdf5_open_array(h5, matrix_path(c, "indices", path), SDCA_INT32, &indices));
    SDCA_TRY(sdca_hdf5_open_array(h5, matrix_path(c, "data", path), SDCA_FLOAT64, &data));
    for (int64_t at = 0; at < total; at += WINDOW) {
        sdca_range window = { at, total - at < WINDOW ? total - at : WINDOW };

        SDCA_TRY(sdca_hdf5_read_array(indices, window, row));
        SDCA_TRY(sdca_hdf5_read_array(data, window, value));
        scatter(c, window, offset, row, value, &column, next);
    }

done:
    sdca_hdf5_close_array(indices);
    sdca_hdf5_close_array(data);
    return status;
}

/* Remove the gaps that entries without a column here have left. */
static void close_gaps(sdca_anndata_rows *c, const int64_t *end)
{
    int64_t at = 0;

    for (int64_t k = 0; k < c->range.count; k++) {
        int64_t first = c->indptr[k], last = end[k];

        c->indptr[k] = at;
        for (int64_t i = first; i < last; i++, at++) {
            put_entry(c, at, c->indices[i],
                      c->value64 != NULL ? c->value64[i] : (double)c->value32[i]);
        }
        at += c->covariates->count;
    }
    c->indptr[c->range.count] = at;
}

/* Read the rows of a csc_matrix. Local. */
static sdca_status read_by_column(sdca_anndata_rows *c, sdca_hdf5_file *h5,
                                  const int64_t *length)
{
    sdca_status status = SDCA_OK;
    int64_t     rows = c->range.count, columns = c->layout->matrix.columns;
    int64_t    *offset = sdca_alloc_array((size_t)columns, sizeof *offset);
    int64_t    *next   = sdca_alloc_array((size_t)rows, sizeof *next);

    if (offset == NULL || next == NULL) {
        status = no_memory(c, h5);
        goto done;
    }
    SDCA_TRY(place_rows(c, h5, length));
    SDCA_TRY(read_offsets(c, h5, columns, offset));
    memcpy(next, c->indptr, (size_t)rows * sizeof *next);
    SDCA_TRY(read_entries(c, h5, offset, next));
    close_gaps(c, next);

done:
    free(offset);
    free(next);
    return status;
}

/* Set the entries of column k of obs, of which each row has one, at the end of the row.
 * Those that are 0 or have no column here, -1, are removed later. */
static sdca_status set_covariate(sdca_anndata_rows *c, int k)
{
    const sdca_covariates *v      = c->covariates;
    sdca_status            status = SDCA_OK;
    int64_t                base = c->layout->matrix.columns, at = 0, count = 0;
    int                    behind = v->count - k;
    double                 x[WINDOW];

    for (int64_t i = 0; i < c->range.count; i++) {
        int64_t row = sdca_anndata_rows_source(c, i), to;

        if (i == 0 || row >= at + count) {
            at    = row;
            count = c->layout->matrix.rows - at;
            count = count < WINDOW ? count : WINDOW;
            SDCA_TRY(sdca_obs_column_read(&v->column[k], (sdca_range){ at, count }, x));
        }
        SDCA_TRY(sdca_covariates_check(v, k, row, x[row - at]));
        to = map_column(c, base + v->first[k] +
                               (v->column[k].categorical ? (int64_t)x[row - at] : 0));
        put_entry(c, c->indptr[i + 1] - behind, to,
                  v->column[k].categorical ? 1.0 : x[row - at]);
    }

done:
    return status;
}

/* Remove entries of covariates that are zero or have no column here. */
static void remove_zeros(sdca_anndata_rows *c)
{
    int64_t at = 0, first = 0;

    for (int64_t k = 0; k < c->range.count; k++) {
        int64_t last = c->indptr[k + 1];

        for (int64_t i = first; i < last; i++) {
            bool covariate = i >= last - c->covariates->count;

            if (!covariate || (c->indices[i] >= 0 && c->value64[i] != 0.0)) {
                put_entry(c, at++, c->indices[i],
                          c->value64 != NULL ? c->value64[i] : (double)c->value32[i]);
            }
        }
        c->indptr[k + 1] = at;
        first            = last;
    }
}

/* Read this rank's rows. Local. */
static sdca_status read_rows(sdca_anndata_rows *c, sdca_hdf5_file *h5,
                             const int64_t *length)
{
    sdca_status status = SDCA_OK;

    c->indptr = sdca_alloc_array((size_t)c->range.count, sizeof *c->indptr);
    if (c->indptr == NULL) {
        return no_memory(c, h5);
    }
    c->indptr[0] = 0;
    SDCA_TRY(reserve(c, h5, is_float64(c), 1));
    SDCA_TRY(c->layout->by_column ? read_by_column(c, h5, length) : read_by_row(c, h5));
    for (int k = 0; k < c->covariates->count; k++) {
        SDCA_TRY(set_covariate(c, k));
    }
    if (c->covariates->count > 0) {
        remove_zeros(c);
    }

done:
    return status;
}

sdca_status sdca_anndata_rows_read(MPI_Comm comm, sdca_hdf5_file *h5,
                                   sdca_anndata_rows *c)
{
    sdca_status status = SDCA_OK;
    int64_t     rows   = c->layout->matrix.rows;
    int64_t    *length = NULL;

    if (c->layout->matrix.dense) {
        c->range = sdca_range_split_even(c->selection->count, sdca_comm_rank(comm),
                                         sdca_comm_size(comm));
    } else {
        length = sdca_alloc_array((size_t)rows, sizeof *length);
        SDCA_TRY(sdca_comm_agree(comm, length != NULL ? SDCA_OK : no_memory(c, h5)));
        SDCA_TRY(find_lengths(comm, c, h5, length));
        SDCA_TRY(sdca_comm_agree(comm, divide_rows(comm, c, length)));
    }
    SDCA_TRY(sdca_comm_agree(comm, read_rows(c, h5, length)));

done:
    free(length);
    return status;
}

void sdca_anndata_rows_free(sdca_anndata_rows *c)
{
    free(c->row_of);
    free(c->indptr);
    free(c->indices);
    free(c->value32);
    free(c->value64);
    c->row_of  = NULL;
    c->indptr  = NULL;
    c->indices = NULL;
    c->value32 = NULL;
    c->value64 = NULL;
}
