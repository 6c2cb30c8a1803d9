/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store_array.c - arrays of numbers in a file. */
#include "store_hdf5.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Elements per chunk of an array that grows: half a megabyte or one. */
enum { CHUNK = 1 << 17 };

/* Bytes of unpacked chunks that are remembered, or two stripes of chunks, side by
 * side over the width of an array, if that is more. */
enum { CHUNK_CACHE = 1 << 22 };

struct sdca_array {
    sdca_store *store; /* borrowed */
    const char *name;  /* for sentences */
    hid_t       array;
    sdca_shape  shape;
    sdca_type   type;   /* in memory */
    bool        zeros;  /* made by sdca_store_reserve_zeros() */
    char        kept[]; /* the name, where it has to outlive a call */
};

/* Find out what an open array is: it has to have one or two dimensions. */
static sdca_status measure(sdca_array *array)
{
    sdca_status status     = SDCA_OK;
    hid_t       space      = H5Dget_space(array->array);
    hid_t       type       = H5Dget_type(array->array);
    H5T_class_t kind       = H5Tget_class(type);
    int         dimensions = H5Sget_simple_extent_ndims(space);
    hsize_t     extent[2]  = { 0, 1 };

    if (dimensions < 1 || dimensions > 2 ||
        (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is not an array of numbers in 1 or 2 dimensions",
                           array->name, array->store->path);
    } else {
        H5Sget_simple_extent_dims(space, extent, NULL);
        status = sdca_store_check_size(array->store, array->name, array->array, extent,
                                       H5Tget_size(type), array->zeros);
        array->shape = (sdca_shape){ .dimensions = dimensions,
                                     .extent = { (int64_t)extent[0], (int64_t)extent[1] },
                                     .real   = kind == H5T_FLOAT,
                                     .bytes  = H5Tget_size(type) };
    }
    H5Tclose(type);
    H5Sclose(space);
    return status;
}

/* Open an array that is there, to be closed by H5Dclose(). */
static sdca_status open_array(sdca_array *array)
{
    sdca_store *store  = array->store;
    bool        there  = sdca_store_has_array(store, array->name);
    sdca_status status = sdca_store_check_links(store);

    if (status != SDCA_OK) {
        return status;
    }
    if (!there) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no array %s", store->path, array->name);
    }
    array->array = H5Dopen2(store->file, array->name, store->access);
    if (array->array < 0) {
        return sdca_store_fail(SDCA_DATA, store, "open", array->name);
    }
    status = sdca_store_check_inside(store, array->name, array->array);
    status = status == SDCA_OK ? measure(array) : status;
    if (status != SDCA_OK) {
        H5Dclose(array->array);
    }
    return status;
}

sdca_status sdca_store_shape(sdca_store *store, const char *name, sdca_shape *out)
{
    sdca_array  array  = { .store = store, .name = name };
    sdca_status status = open_array(&array);

    if (status == SDCA_OK) {
        *out = array.shape;
        H5Dclose(array.array);
    }
    return status;
}

static sdca_status check_dimensions(const sdca_array *array, int dimensions)
{
    int found = array->shape.dimensions;

    return found == dimensions
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "%s in '%s' has %d dimension%s, not %d",
                           array->name, array->store->path, found, found == 1 ? "" : "s",
                           dimensions);
}

sdca_status sdca_store_check(sdca_store *store, const char *name, int dimensions,
                             sdca_shape *out)
{
    sdca_array  array  = { .store = store, .name = name };
    sdca_status status = sdca_store_shape(store, name, &array.shape);

    if (status == SDCA_OK) {
        *out   = array.shape;
        status = check_dimensions(&array, dimensions);
    }
    return status;
}

/* Move a range of an open array to the memory at to or, if that is NULL, from there. */
static herr_t transfer(const sdca_array *array, sdca_range range, void *to,
                       const void *from)
{
    hsize_t first[2] = { (hsize_t)range.first, 0 };
    hsize_t count[2] = { (hsize_t)range.count, (hsize_t)array->shape.extent[1] };
    hid_t   type     = sdca_store_native(array->type);
    hid_t   file     = H5Dget_space(array->array);
    hid_t   memory   = H5Screate_simple(array->shape.dimensions, count, NULL);
    herr_t  result = H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, count, NULL);

    if (result >= 0) {
        result = to != NULL
                     ? H5Dread(array->array, type, memory, file, H5P_DEFAULT, to)
                     : H5Dwrite(array->array, type, memory, file, H5P_DEFAULT, from);
        sdca_store_noted(array->store, result);
    }
    H5Sclose(memory);
    H5Sclose(file);
    return result;
}

sdca_status sdca_store_read_array(sdca_array *array, sdca_range range, void *x)
{
    int64_t length = array->shape.extent[0];

    if (range.first < 0 || range.count < 0 || range.first > length - range.count) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' has %lld entries where %lld are needed",
                         array->name, array->store->path, (long long)length,
                         (long long)(range.first + range.count));
    }
    if (range.count > 0 && transfer(array, range, x, NULL) < 0) {
        return sdca_store_fail_reading(array->store, array->name, array->array);
    }
    return SDCA_OK;
}

sdca_status sdca_store_read(sdca_store *store, const char *name, sdca_range range,
                            sdca_type type, void *x)
{
    sdca_array  array  = { .store = store, .name = name, .type = type };
    sdca_status status = open_array(&array);

    if (status == SDCA_OK) {
        status = check_dimensions(&array, 1);
        status = status == SDCA_OK ? sdca_store_read_array(&array, range, x) : status;
        H5Dclose(array.array);
    }
    return status;
}

/* How to hold an array that is read piece by piece: a packed chunk is unpacked
 * once, though several pieces meet in it; others need no copy on their way. */
static hid_t choose_cache(const sdca_array *array)
{
    hid_t   made     = H5Dget_create_plist(array->array);
    hid_t   access   = H5Pcopy(array->store->access);
    hsize_t chunk[2] = { 0, 1 };
    double  cache    = 0.0;

    if (H5Pget_layout(made) == H5D_CHUNKED && H5Pget_nfilters(made) > 0 &&
        H5Pget_chunk(made, 2, chunk) > 0) {
        double width =
            (double)chunk[1] * ceil((double)array->shape.extent[1] / (double)chunk[1]);

        cache = 2.0 * (double)chunk[0] * width * (double)array->shape.bytes;
        cache = fmin(fmax(cache, CHUNK_CACHE), (double)(SIZE_MAX / 4));
    }
    H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, (size_t)cache,
                       H5D_CHUNK_CACHE_W0_DEFAULT);
    H5Pclose(made);
    return access;
}

static sdca_status open_in_pieces(sdca_store *store, const char *name, sdca_type type,
                                  bool zeros, sdca_array **out)
{
    sdca_array *opened = malloc(sizeof *opened + strlen(name) + 1);
    sdca_status status = SDCA_OK;
    hid_t       access;

    if (opened == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    opened->store = store;
    opened->name  = strcpy(opened->kept, name);
    opened->type  = type;
    opened->zeros = zeros;
    SDCA_TRY(open_array(opened));
    access = choose_cache(opened);
    H5Dclose(opened->array); /* or HDF5 would go on as the array was opened first */
    opened->array = H5Dopen2(store->file, name, access);
    H5Pclose(access);
    if (opened->array < 0) {
        status = sdca_store_fail(SDCA_DATA, store, "open", name);
        goto done;
    }
    *out   = opened;
    opened = NULL; /* now the caller's */

done:
    free(opened);
    return status;
}

sdca_status sdca_store_open_array(sdca_store *store, const char *name, sdca_type type,
                                  sdca_array **out)
{
    return open_in_pieces(store, name, type, false, out);
}

sdca_status sdca_store_open_zeros(sdca_store *store, const char *name, sdca_type type,
                                  sdca_array **out)
{
    return open_in_pieces(store, name, type, true, out);
}

sdca_shape sdca_store_shape_of(const sdca_array *array)
{
    return array->shape;
}

void sdca_store_close_array(sdca_array *array)
{
    if (array != NULL) {
        H5Dclose(array->array);
        free(array);
    }
}

/* Make a new array of count numbers, laid out in chunks of so many, or in one piece if
 * that is 0; only with chunks may it grow. Its handle is negative where that fails. */
static void create_array(sdca_array *array, int64_t count, hsize_t chunk, bool grows)
{
    hsize_t size       = (hsize_t)count;
    hsize_t most       = grows ? H5S_UNLIMITED : size;
    hid_t   space      = H5Screate_simple(1, &size, &most);
    hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_obj_track_times(properties, 0); /* the same content, the same bytes */
    if (chunk > 0) {
        H5Pset_chunk(properties, 1, &chunk);
    }
    array->array =
        H5Dcreate2(array->store->file, array->name, sdca_store_native(array->type), space,
                   H5P_DEFAULT, properties, H5P_DEFAULT);
    array->shape = (sdca_shape){ .dimensions = 1, .extent = { count, 1 } };
    H5Pclose(properties);
    H5Sclose(space);
}

/* Write to an open array, or to none if making it failed, and close it. */
static sdca_status write_and_close(const sdca_array *array, sdca_range range,
                                   const void *x)
{
    herr_t result = array->array >= 0 ? 0 : -1;

    if (result >= 0 && range.count > 0) {
        result = transfer(array, range, NULL, x);
    }
    if (array->array >= 0 && sdca_store_noted(array->store, H5Dclose(array->array)) < 0) {
        result = -1;
    }
    return result >= 0 ? SDCA_OK
                       : sdca_store_fail(SDCA_IO, array->store, "write", array->name);
}

sdca_status sdca_store_append(sdca_store *store, const char *name, sdca_type type,
                              int64_t count, const void *x)
{
    sdca_array array = { .store = store, .name = name, .type = type };
    sdca_range range = { 0, count };

    if (sdca_store_has_array(store, name)) {
        sdca_status status = open_array(&array);
        hsize_t     size;

        if (status != SDCA_OK) {
            return status;
        }
        range.first = array.shape.extent[0];
        size        = (hsize_t)(range.first + count);
        if (sdca_store_noted(store, H5Dset_extent(array.array, &size)) < 0) {
            H5Dclose(array.array);
            return sdca_store_fail(SDCA_IO, store, "extend", name);
        }
    } else {
        create_array(&array, count, CHUNK, true);
    }
    return write_and_close(&array, range, x);
}

sdca_status sdca_store_write(sdca_store *store, const char *name, sdca_type type,
                             int64_t count, const void *x)
{
    sdca_array array = { .store = store, .name = name, .type = type };

    create_array(&array, count, 0, false);
    return write_and_close(&array, (sdca_range){ 0, count }, x);
}

/* Make an array of which nothing is written yet. */
static sdca_status reserve(sdca_store *store, const char *name, sdca_type type,
                           int64_t count, int64_t chunk)
{
    sdca_array array = { .store = store, .name = name, .type = type };

    create_array(&array, count, (hsize_t)chunk, false);
    return write_and_close(&array, (sdca_range){ 0, 0 }, NULL);
}

sdca_status sdca_store_reserve(sdca_store *store, const char *name, sdca_type type,
                               int64_t count)
{
    return reserve(store, name, type, count, 0);
}

sdca_status sdca_store_reserve_zeros(sdca_store *store, const char *name, sdca_type type,
                                     int64_t count, int64_t piece)
{
    return reserve(store, name, type, count, piece < count ? piece : count);
}

sdca_status sdca_store_overwrite(sdca_store *store, const char *name, sdca_range range,
                                 sdca_type type, const void *x)
{
    sdca_array  array  = { .store = store, .name = name, .type = type };
    sdca_status status = open_array(&array);

    return status == SDCA_OK ? write_and_close(&array, range, x) : status;
}
