/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weights.c - a number for each column, in a file. */
#include "sdca/weights.h"

#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

/* Columns from one piece to the next; a piece of zeros takes no space in a file. A view
 * is what a visitor sees at a time: HDF5 reads many pieces faster at once. */
enum { PIECE = 1024, VIEW = 64 * PIECE };

/* The piece of an array of length columns that has this column. */
static sdca_range piece_with(int32_t column, int32_t length)
{
    int64_t first = column / PIECE * PIECE;
    int64_t left  = length - first;

    return (sdca_range){ first, left < PIECE ? left : PIECE };
}

/* How many places, from this one on, have columns below end? */
static int32_t places_below(const sdca_column_map *used, int32_t place, int64_t end)
{
    int32_t next = place;

    while (next < sdca_column_map_count(used) &&
           sdca_column_map_original(used, next) < end) {
        next++;
    }
    return next - place;
}

sdca_status sdca_weights_write(sdca_hdf5_file *store, const char *name,
                               const sdca_column_map *used, int32_t length,
                               const double *w)
{
    sdca_status status = SDCA_OK;
    int32_t     places = used != NULL ? places_below(used, 0, length) : 0;
    int32_t     count;

    if (used == NULL) {
        return sdca_hdf5_write_array(store, name, SDCA_FLOAT64, length, w);
    }
    SDCA_TRY(sdca_hdf5_create_sparse_array(store, name, SDCA_FLOAT64, length, PIECE));
    for (int32_t place = 0; place < places; place += count) {
        sdca_range piece = piece_with(sdca_column_map_original(used, place), length);
        double     x[PIECE];

        memset(x, 0, sizeof x);
        count = places_below(used, place, piece.first + piece.count);
        for (int32_t k = place; k < place + count; k++) {
            x[sdca_column_map_original(used, k) - piece.first] = w[k];
        }
        SDCA_TRY(sdca_hdf5_write_range(store, name, piece, SDCA_FLOAT64, x));
    }

done:
    return status;
}

/* Open an array, which a file that was changed may have in two dimensions. */
static sdca_status open_vector(sdca_hdf5_file *store, const char *name,
                               sdca_hdf5_array **out)
{
    sdca_status status = sdca_hdf5_open_sparse_array(store, name, SDCA_FLOAT64, out);

    return status == SDCA_OK && sdca_hdf5_array_shape(*out).dimensions != 1
               ? SDCA_FAIL(SDCA_DATA, "%s in '%s' is not a vector", name,
                           sdca_hdf5_path(store))
               : status;
}

sdca_status sdca_weights_count(sdca_hdf5_file *store, const char *name, int64_t *out)
{
    sdca_hdf5_array *array  = NULL;
    sdca_status      status = open_vector(store, name, &array);

    if (status == SDCA_OK) {
        *out = sdca_hdf5_array_shape(array).extent[0];
    }
    sdca_hdf5_close_array(array);
    return status;
}

sdca_status sdca_weights_read(sdca_hdf5_file *store, const char *name,
                              const sdca_column_map *used, int32_t length, double *w)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    int32_t          places = used != NULL ? places_below(used, 0, length) : 0;
    int32_t          count;

    SDCA_TRY(open_vector(store, name, &array));
    if (used == NULL) {
        status = sdca_hdf5_read_array(array, (sdca_range){ 0, length }, w);
        goto done;
    }
    for (int32_t place = 0; place < places; place += count) {
        sdca_range piece = piece_with(sdca_column_map_original(used, place), length);
        double     x[PIECE];

        count = places_below(used, place, piece.first + piece.count);
        SDCA_TRY(sdca_hdf5_read_array(array, piece, x));
        for (int32_t k = place; k < place + count; k++) {
            w[k] = x[sdca_column_map_original(used, k) - piece.first];
        }
    }
    for (int32_t k = places; k < sdca_column_map_count(used); k++) {
        w[k] = 0.0;
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

sdca_status sdca_weights_visit(sdca_hdf5_file *store, const char *name, int32_t length,
                               sdca_weights_visitor *visitor, void *context)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    double          *x      = sdca_alloc_array(VIEW, sizeof *x);

    if (x == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    SDCA_TRY(open_vector(store, name, &array));
    for (int64_t first = 0; first < length; first += VIEW) {
        int64_t    left = length - first;
        sdca_range view = { first, left < VIEW ? left : VIEW };

        SDCA_TRY(sdca_hdf5_read_array(array, view, x));
        SDCA_TRY(visitor(context, view, x));
    }

done:
    sdca_hdf5_close_array(array);
    free(x);
    return status;
}
