/* SPDX-License-Identifier: BSD-3-Clause
 *
 * column_vector_file.c - vectors over all columns, in a file. */
#include "model/column_vector_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Columns of a chunk, of which one of zeros takes no space in a file, and numbers of a
 * batch for a visitor, which has at least some columns: HDF5 reads many chunks faster in
 * one call. */
enum { CHUNK = 1024, BATCH = 64 * CHUNK, LEAST_BATCH = 64 };

/* The chunk of a vector of length columns that contains this column. */
static sdca_range chunk_containing(int32_t column, int32_t length)
{
    int64_t first = column / CHUNK * CHUNK;
    int64_t left  = length - first;

    return (sdca_range){ first, left < CHUNK ? left : CHUNK };
}

/* The number of positions, from this one on, whose columns are below end. */
static int32_t count_below(const sdca_used_columns *column_map, int32_t position,
                           int64_t end)
{
    int32_t next = position;

    while (next < sdca_used_columns_count(column_map) &&
           sdca_used_columns_original(column_map, next) < end) {
        next++;
    }
    return next - position;
}

/* The numbers of a vector in memory. */
static size_t memory_length(const sdca_used_columns *column_map, int32_t length)
{
    return (size_t)(column_map != NULL ? sdca_used_columns_count(column_map) : length);
}

/* Write some columns of a row; one row is a vector. */
static sdca_status write_columns(sdca_hdf5_file *hdf5, const char *name, int rows,
                                 int row, sdca_range columns, const double *x)
{
    return rows == 1 ? sdca_hdf5_write_range(hdf5, name, columns, SDCA_FLOAT64, x)
                     : sdca_hdf5_write_row(hdf5, name, row, columns, SDCA_FLOAT64, x);
}

/* Write the chunks of a row that have columns of the map. */
static sdca_status write_mapped_row(sdca_hdf5_file *hdf5, const char *name, int rows,
                                    int row, const sdca_used_columns *column_map,
                                    int32_t length, const double *w)
{
    sdca_status status    = SDCA_OK;
    int32_t     positions = count_below(column_map, 0, length);
    int32_t     count;

    for (int32_t position = 0; position < positions; position += count) {
        sdca_range chunk =
            chunk_containing(sdca_used_columns_original(column_map, position), length);
        double x[CHUNK];

        memset(x, 0, sizeof x);
        count = count_below(column_map, position, chunk.first + chunk.count);
        for (int32_t k = position; k < position + count; k++) {
            x[sdca_used_columns_original(column_map, k) - chunk.first] = w[k];
        }
        SDCA_TRY(write_columns(hdf5, name, rows, row, chunk, x));
    }

done:
    return status;
}

sdca_status sdca_column_vector_file_write(sdca_hdf5_file *hdf5, const char *name,
                                          const sdca_used_columns *column_map, int rows,
                                          int32_t length, const double *w)
{
    sdca_status status = SDCA_OK;
    int64_t     chunk  = column_map != NULL ? CHUNK : 0;
    sdca_range  all    = { 0, length };

    if (rows == 1 && column_map == NULL) {
        return sdca_hdf5_write_array(hdf5, name, SDCA_FLOAT64, length, w);
    }
    SDCA_TRY(
        rows == 1
            ? sdca_hdf5_create_sparse_array(hdf5, name, SDCA_FLOAT64, length, CHUNK)
            : sdca_hdf5_create_matrix(hdf5, name, SDCA_FLOAT64, rows, length, chunk));
    for (int row = 0; row < rows; row++) {
        const double *from = w + (size_t)row * memory_length(column_map, length);

        SDCA_TRY(column_map == NULL
                     ? write_columns(hdf5, name, rows, row, all, from)
                     : write_mapped_row(hdf5, name, rows, row, column_map, length, from));
    }

done:
    return status;
}

/* Open an array and check that it has this many rows; one row is a vector. */
static sdca_status open_rows(sdca_hdf5_file *hdf5, const char *name, int rows,
                             sdca_hdf5_array **out)
{
    sdca_status      status = sdca_hdf5_open_sparse_array(hdf5, name, SDCA_FLOAT64, out);
    sdca_array_shape shape;

    if (status != SDCA_OK) {
        return status;
    }
    shape = sdca_hdf5_array_shape(*out);
    if (rows == 1) {
        return shape.dimensions == 1 ? SDCA_OK
                                     : SDCA_FAIL(SDCA_DATA, "%s in '%s' is not a vector",
                                                 name, sdca_hdf5_path(hdf5));
    }
    return shape.dimensions == 2 && shape.extent[0] == rows
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' does not have a row for each of %d "
                           "classes",
                           name, sdca_hdf5_path(hdf5), rows);
}

sdca_status sdca_column_vector_file_count(sdca_hdf5_file *hdf5, const char *name,
                                          int rows, int64_t *out)
{
    sdca_hdf5_array *array  = NULL;
    sdca_status      status = open_rows(hdf5, name, rows, &array);

    if (status == SDCA_OK) {
        *out = sdca_hdf5_array_shape(array).extent[rows == 1 ? 0 : 1];
    }
    sdca_hdf5_close_array(array);
    return status;
}

/* Read some columns of some rows; one row may be that of a vector. */
static sdca_status read_columns(sdca_hdf5_array *array, sdca_range rows,
                                sdca_range columns, double *x)
{
    return sdca_hdf5_array_shape(array).dimensions == 1
               ? sdca_hdf5_read_array(array, columns, x)
               : sdca_hdf5_read_block(array, rows, columns, x);
}

/* Read the chunks of a row that have columns of the map. */
static sdca_status read_mapped_row(sdca_hdf5_array *array, sdca_range row,
                                   const sdca_used_columns *column_map, int32_t length,
                                   double *w)
{
    sdca_status status    = SDCA_OK;
    int32_t     positions = count_below(column_map, 0, length);
    int32_t     count;

    for (int32_t position = 0; position < positions; position += count) {
        sdca_range chunk =
            chunk_containing(sdca_used_columns_original(column_map, position), length);
        double x[CHUNK];

        count = count_below(column_map, position, chunk.first + chunk.count);
        SDCA_TRY(read_columns(array, row, chunk, x));
        for (int32_t k = position; k < position + count; k++) {
            w[k] = x[sdca_used_columns_original(column_map, k) - chunk.first];
        }
    }
    for (int32_t k = positions; k < sdca_used_columns_count(column_map); k++) {
        w[k] = 0.0;
    }

done:
    return status;
}

sdca_status sdca_column_vector_file_read(sdca_hdf5_file *hdf5, const char *name,
                                         const sdca_used_columns *column_map, int rows,
                                         sdca_range selected, int32_t length, double *w)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;

    SDCA_TRY(open_rows(hdf5, name, rows, &array));
    for (int64_t k = 0; k < selected.count; k++) {
        sdca_range row = { selected.first + k, 1 };
        double    *to  = w + (size_t)k * memory_length(column_map, length);

        SDCA_TRY(column_map == NULL
                     ? read_columns(array, row, (sdca_range){ 0, length }, to)
                     : read_mapped_row(array, row, column_map, length, to));
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

sdca_status sdca_column_vector_file_visit(sdca_hdf5_file *hdf5, const char *name,
                                          int rows, sdca_range selected, int32_t length,
                                          sdca_weight_visitor *visitor, void *context)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    int64_t          most   = BATCH / selected.count;
    int64_t          width  = most > LEAST_BATCH ? most : LEAST_BATCH;
    double          *x = sdca_alloc_array((size_t)(width * selected.count), sizeof *x);

    if (x == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    SDCA_TRY(open_rows(hdf5, name, rows, &array));
    for (int64_t first = 0; first < length; first += width) {
        int64_t    left  = length - first;
        sdca_range batch = { first, left < width ? left : width };

        SDCA_TRY(read_columns(array, selected, batch, x));
        SDCA_TRY(visitor(context, batch, x));
    }

done:
    sdca_hdf5_close_array(array);
    free(x);
    return status;
}
