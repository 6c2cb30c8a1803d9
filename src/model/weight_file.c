/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_file.c - a vector over all columns, in a file. */
#include "model/weight_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Columns of a chunk, of which one of zeros takes no space in a file, and of a batch for
 * a visitor: HDF5 reads many chunks faster in one call. */
enum { CHUNK = 1024, BATCH = 64 * CHUNK };

/* The chunk of a vector of length columns that contains this column. */
static sdca_range chunk_containing(int32_t column, int32_t length)
{
    int64_t first = column / CHUNK * CHUNK;
    int64_t left  = length - first;

    return (sdca_range){ first, left < CHUNK ? left : CHUNK };
}

/* The number of positions, from this one on, whose columns are below end. */
static int32_t count_below(const sdca_column_map *column_map, int32_t position,
                           int64_t end)
{
    int32_t next = position;

    while (next < sdca_column_map_count(column_map) &&
           sdca_column_map_original(column_map, next) < end) {
        next++;
    }
    return next - position;
}

sdca_status sdca_weight_file_write(sdca_hdf5_file *hdf5, const char *name,
                                   const sdca_column_map *column_map, int32_t length,
                                   const double *w)
{
    sdca_status status    = SDCA_OK;
    int32_t     positions = column_map != NULL ? count_below(column_map, 0, length) : 0;
    int32_t     count;

    if (column_map == NULL) {
        return sdca_hdf5_write_array(hdf5, name, SDCA_FLOAT64, length, w);
    }
    SDCA_TRY(sdca_hdf5_create_sparse_array(hdf5, name, SDCA_FLOAT64, length, CHUNK));
    for (int32_t position = 0; position < positions; position += count) {
        sdca_range chunk =
            chunk_containing(sdca_column_map_original(column_map, position), length);
        double x[CHUNK];

        memset(x, 0, sizeof x);
        count = count_below(column_map, position, chunk.first + chunk.count);
        for (int32_t k = position; k < position + count; k++) {
            x[sdca_column_map_original(column_map, k) - chunk.first] = w[k];
        }
        SDCA_TRY(sdca_hdf5_write_range(hdf5, name, chunk, SDCA_FLOAT64, x));
    }

done:
    return status;
}

/* Open an array and check that it is a vector. */
static sdca_status open_vector(sdca_hdf5_file *hdf5, const char *name,
                               sdca_hdf5_array **out)
{
    sdca_status status = sdca_hdf5_open_sparse_array(hdf5, name, SDCA_FLOAT64, out);

    return status == SDCA_OK && sdca_hdf5_array_shape(*out).dimensions != 1
               ? SDCA_FAIL(SDCA_DATA, "%s in '%s' is not a vector", name,
                           sdca_hdf5_path(hdf5))
               : status;
}

sdca_status sdca_weight_file_count(sdca_hdf5_file *hdf5, const char *name, int64_t *out)
{
    sdca_hdf5_array *array  = NULL;
    sdca_status      status = open_vector(hdf5, name, &array);

    if (status == SDCA_OK) {
        *out = sdca_hdf5_array_shape(array).extent[0];
    }
    sdca_hdf5_close_array(array);
    return status;
}

sdca_status sdca_weight_file_read(sdca_hdf5_file *hdf5, const char *name,
                                  const sdca_column_map *column_map, int32_t length,
                                  double *w)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    int32_t positions       = column_map != NULL ? count_below(column_map, 0, length) : 0;
    int32_t count;

    SDCA_TRY(open_vector(hdf5, name, &array));
    if (column_map == NULL) {
        status = sdca_hdf5_read_array(array, (sdca_range){ 0, length }, w);
        goto done;
    }
    for (int32_t position = 0; position < positions; position += count) {
        sdca_range chunk =
            chunk_containing(sdca_column_map_original(column_map, position), length);
        double x[CHUNK];

        count = count_below(column_map, position, chunk.first + chunk.count);
        SDCA_TRY(sdca_hdf5_read_array(array, chunk, x));
        for (int32_t k = position; k < position + count; k++) {
            w[k] = x[sdca_column_map_original(column_map, k) - chunk.first];
        }
    }
    for (int32_t k = positions; k < sdca_column_map_count(column_map); k++) {
        w[k] = 0.0;
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

sdca_status sdca_weight_file_visit(sdca_hdf5_file *hdf5, const char *name, int32_t length,
                                   sdca_weight_visitor *visitor, void *context)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    double          *x      = sdca_alloc_array(BATCH, sizeof *x);

    if (x == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    SDCA_TRY(open_vector(hdf5, name, &array));
    for (int64_t first = 0; first < length; first += BATCH) {
        int64_t    left  = length - first;
        sdca_range batch = { first, left < BATCH ? left : BATCH };

        SDCA_TRY(sdca_hdf5_read_array(array, batch, x));
        SDCA_TRY(visitor(context, batch, x));
    }

done:
    sdca_hdf5_close_array(array);
    free(x);
    return status;
}
