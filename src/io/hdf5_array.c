/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_array.c - arrays of numbers in a file. */
#include "io/hdf5_private.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Elements per chunk of an extensible array: half a megabyte or one. */
enum { CHUNK_LENGTH = 1 << 17 };

/* Bytes of the chunk cache, or two rows of chunks over the width of the array if that is
 * more. */
enum { CHUNK_CACHE_BYTES = 1 << 22 };

struct sdca_hdf5_array {
    sdca_hdf5_file  *h5;   /* borrowed */
    const char      *name; /* for messages */
    hid_t            dataset;
    sdca_array_shape shape;
    sdca_dtype       type;        /* in memory */
    bool             is_sparse;   /* created by sdca_hdf5_create_sparse_array() */
    char             name_copy[]; /* a copy of the name that outlives the call */
};

/* The shape of an open array, which must have one or two dimensions. */
static sdca_status read_shape(sdca_hdf5_array *array)
{
    sdca_status status     = SDCA_OK;
    hid_t       space      = H5Dget_space(array->dataset);
    hid_t       type       = H5Dget_type(array->dataset);
    H5T_class_t kind       = H5Tget_class(type);
    int         dimensions = H5Sget_simple_extent_ndims(space);
    hsize_t     extent[2]  = { 0, 1 };

    if (dimensions < 1 || dimensions > 2 ||
        (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is not an array of numbers in 1 or 2 dimensions",
                           array->name, array->h5->path);
    } else {
        H5Sget_simple_extent_dims(space, extent, NULL);
        status =
            sdca_hdf5_check_declared_size(array->h5, array->name, array->dataset, extent,
                                          H5Tget_size(type), array->is_sparse);
        array->shape =
            (sdca_array_shape){ .dimensions = dimensions,
                                .extent     = { (int64_t)extent[0], (int64_t)extent[1] },
                                .is_float   = kind == H5T_FLOAT,
                                .element_size = H5Tget_size(type) };
    }
    H5Tclose(type);
    H5Sclose(space);
    return status;
}

/* Open an existing array, to be closed with H5Dclose(). */
static sdca_status open_array(sdca_hdf5_array *array)
{
    sdca_hdf5_file *h5     = array->h5;
    bool            there  = sdca_hdf5_has_array(h5, array->name);
    sdca_status     status = sdca_hdf5_deferred_error(h5);

    if (status != SDCA_OK) {
        return status;
    }
    if (!there) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no array %s", h5->path, array->name);
    }
    array->dataset = H5Dopen2(h5->file, array->name, h5->link_access);
    if (array->dataset < 0) {
        return sdca_hdf5_fail(SDCA_DATA, h5, "open", array->name);
    }
    status = sdca_hdf5_check_stored_inside(h5, array->name, array->dataset);
    status = status == SDCA_OK ? read_shape(array) : status;
    if (status != SDCA_OK) {
        H5Dclose(array->dataset);
    }
    return status;
}

sdca_status sdca_hdf5_get_shape(sdca_hdf5_file *h5, const char *name,
                                sdca_array_shape *out)
{
    sdca_hdf5_array array  = { .h5 = h5, .name = name };
    sdca_status     status = open_array(&array);

    if (status == SDCA_OK) {
        *out = array.shape;
        H5Dclose(array.dataset);
    }
    return status;
}

static sdca_status check_dimensions(const sdca_hdf5_array *array, int dimensions)
{
    int found = array->shape.dimensions;

    return found == dimensions
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "%s in '%s' has %d dimension%s, not %d",
                           array->name, array->h5->path, found, found == 1 ? "" : "s",
                           dimensions);
}

sdca_status sdca_hdf5_check_shape(sdca_hdf5_file *h5, const char *name, int dimensions,
                                  sdca_array_shape *out)
{
    sdca_hdf5_array array  = { .h5 = h5, .name = name };
    sdca_status     status = sdca_hdf5_get_shape(h5, name, &array.shape);

    if (status == SDCA_OK) {
        *out   = array.shape;
        status = check_dimensions(&array, dimensions);
    }
    return status;
}

/* Read a block of an open array, of rows and of the columns of each, into memory at to
 * or, if that is NULL, write it from memory at from. */
static herr_t transfer_block(const sdca_hdf5_array *array, sdca_range rows,
                             sdca_range columns, void *to, const void *from)
{
    hsize_t first[2] = { (hsize_t)rows.first, (hsize_t)columns.first };
    hsize_t count[2] = { (hsize_t)rows.count, (hsize_t)columns.count };
    hid_t   type     = sdca_hdf5_native_type(array->type);
    hid_t   file     = H5Dget_space(array->dataset);
    hid_t   memory   = H5Screate_simple(array->shape.dimensions, count, NULL);
    herr_t  result = H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, count, NULL);

    if (result >= 0) {
        result = to != NULL
                     ? H5Dread(array->dataset, type, memory, file, H5P_DEFAULT, to)
                     : H5Dwrite(array->dataset, type, memory, file, H5P_DEFAULT, from);
        sdca_hdf5_note_error(array->h5, result);
    }
    H5Sclose(memory);
    H5Sclose(file);
    return result;
}

/* The same for whole rows. */
static herr_t transfer(const sdca_hdf5_array *array, sdca_range range, void *to,
                       const void *from)
{
    return transfer_block(array, range, (sdca_range){ 0, array->shape.extent[1] }, to,
                          from);
}

/* Is a range within this length? */
static bool is_within(sdca_range range, int64_t length)
{
    return range.first >= 0 && range.count >= 0 && range.first <= length - range.count;
}

sdca_status sdca_hdf5_read_array(sdca_hdf5_array *array, sdca_range range, void *x)
{
    int64_t length = array->shape.extent[0];

    if (!is_within(range, length)) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' has %lld entries where %lld are needed",
                         array->name, array->h5->path, (long long)length,
                         (long long)(range.first + range.count));
    }
    if (range.count > 0 && transfer(array, range, x, NULL) < 0) {
        return sdca_hdf5_fail_read(array->h5, array->name, array->dataset);
    }
    return SDCA_OK;
}

sdca_status sdca_hdf5_read_block(sdca_hdf5_array *array, sdca_range rows,
                                 sdca_range columns, void *x)
{
    const int64_t *extent = array->shape.extent;

    if (!is_within(rows, extent[0]) || !is_within(columns, extent[1])) {
        return SDCA_FAIL(SDCA_DATA,
                         "%s in '%s' has %lld x %lld entries where %lld x "
                         "%lld are needed",
                         array->name, array->h5->path, (long long)extent[0],
                         (long long)extent[1], (long long)(rows.first + rows.count),
                         (long long)(columns.first + columns.count));
    }
    if (rows.count > 0 && columns.count > 0 &&
        transfer_block(array, rows, columns, x, NULL) < 0) {
        return sdca_hdf5_fail_read(array->h5, array->name, array->dataset);
    }
    return SDCA_OK;
}

sdca_status sdca_hdf5_read_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                 sdca_dtype type, void *x)
{
    sdca_hdf5_array array  = { .h5 = h5, .name = name, .type = type };
    sdca_status     status = open_array(&array);

    if (status == SDCA_OK) {
        status = check_dimensions(&array, 1);
        status = status == SDCA_OK ? sdca_hdf5_read_array(&array, range, x) : status;
        H5Dclose(array.dataset);
    }
    return status;
}

/* Access properties for reading in ranges: a compressed chunk is decompressed once even
 * if several ranges need it; others are not cached. */
static hid_t chunk_cache_plist(const sdca_hdf5_array *array)
{
    hid_t   plist    = H5Dget_create_plist(array->dataset);
    hid_t   access   = H5Pcopy(array->h5->link_access);
    hsize_t chunk[2] = { 0, 1 };
    double  cache    = 0.0;

    if (H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_nfilters(plist) > 0 &&
        H5Pget_chunk(plist, 2, chunk) > 0) {
        double width =
            (double)chunk[1] * ceil((double)array->shape.extent[1] / (double)chunk[1]);

        cache = 2.0 * (double)chunk[0] * width * (double)array->shape.element_size;
        cache = fmin(fmax(cache, CHUNK_CACHE_BYTES), (double)(SIZE_MAX / 4));
    }
    H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, (size_t)cache,
                       H5D_CHUNK_CACHE_W0_DEFAULT);
    H5Pclose(plist);
    return access;
}

static sdca_status open_for_ranges(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                   bool is_sparse, sdca_hdf5_array **out)
{
    sdca_hdf5_array *opened = malloc(sizeof *opened + strlen(name) + 1);
    sdca_status      status = SDCA_OK;
    hid_t            access;

    if (opened == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    opened->h5        = h5;
    opened->name      = strcpy(opened->name_copy, name);
    opened->type      = type;
    opened->is_sparse = is_sparse;
    SDCA_TRY(open_array(opened));
    access = chunk_cache_plist(opened);
    H5Dclose(
        opened->dataset); /* otherwise HDF5 reuses the properties of the first opening */
    opened->dataset = H5Dopen2(h5->file, name, access);
    H5Pclose(access);
    if (opened->dataset < 0) {
        status = sdca_hdf5_fail(SDCA_DATA, h5, "open", name);
        goto done;
    }
    *out   = opened;
    opened = NULL; /* now the caller's */

done:
    free(opened);
    return status;
}

sdca_status sdca_hdf5_open_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                 sdca_hdf5_array **out)
{
    return open_for_ranges(h5, name, type, false, out);
}

sdca_status sdca_hdf5_open_sparse_array(sdca_hdf5_file *h5, const char *name,
                                        sdca_dtype type, sdca_hdf5_array **out)
{
    return open_for_ranges(h5, name, type, true, out);
}

sdca_array_shape sdca_hdf5_array_shape(const sdca_hdf5_array *array)
{
    return array->shape;
}

void sdca_hdf5_close_array(sdca_hdf5_array *array)
{
    if (array != NULL) {
        H5Dclose(array->dataset);
        free(array);
    }
}

/* Create an array of this shape, in such chunks, or contiguous if chunk is NULL; only
 * chunked arrays can grow. The handle is negative on failure. */
static void create_shaped(sdca_hdf5_array *array, sdca_array_shape shape,
                          const hsize_t *chunk, bool grows)
{
    hsize_t size[2]    = { (hsize_t)shape.extent[0], (hsize_t)shape.extent[1] };
    hsize_t most[2]    = { grows ? H5S_UNLIMITED : size[0], size[1] };
    hid_t   space      = H5Screate_simple(shape.dimensions, size, most);
    hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_obj_track_times(properties, 0); /* no times: same content, same bytes */
    if (chunk != NULL) {
        H5Pset_chunk(properties, shape.dimensions, chunk);
    }
    array->dataset =
        H5Dcreate2(array->h5->file, array->name, sdca_hdf5_native_type(array->type),
                   space, H5P_DEFAULT, properties, H5P_DEFAULT);
    array->shape = shape;
    H5Pclose(properties);
    H5Sclose(space);
}

/* The same for one dimension, and chunks of that many numbers; 0: contiguous. */
static void create_array(sdca_hdf5_array *array, int64_t count, hsize_t chunk, bool grows)
{
    create_shaped(array, (sdca_array_shape){ .dimensions = 1, .extent = { count, 1 } },
                  chunk > 0 ? &chunk : NULL, grows);
}

/* Write to an open array, unless creating it failed, and close it. */
static sdca_status write_and_close(const sdca_hdf5_array *array, sdca_range range,
                                   const void *x)
{
    herr_t result = array->dataset >= 0 ? 0 : -1;

    if (result >= 0 && range.count > 0) {
        result = transfer(array, range, NULL, x);
    }
    if (array->dataset >= 0 &&
        sdca_hdf5_note_error(array->h5, H5Dclose(array->dataset)) < 0) {
        result = -1;
    }
    return result >= 0 ? SDCA_OK
                       : sdca_hdf5_fail(SDCA_IO, array->h5, "write", array->name);
}

sdca_status sdca_hdf5_append(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                             int64_t count, const void *x)
{
    sdca_hdf5_array array = { .h5 = h5, .name = name, .type = type };
    sdca_range      range = { 0, count };

    if (sdca_hdf5_has_array(h5, name)) {
        sdca_status status = open_array(&array);
        hsize_t     size;

        if (status != SDCA_OK) {
            return status;
        }
        range.first = array.shape.extent[0];
        size        = (hsize_t)(range.first + count);
        if (sdca_hdf5_note_error(h5, H5Dset_extent(array.dataset, &size)) < 0) {
            H5Dclose(array.dataset);
            return sdca_hdf5_fail(SDCA_IO, h5, "extend", name);
        }
    } else {
        create_array(&array, count, CHUNK_LENGTH, true);
    }
    return write_and_close(&array, range, x);
}

sdca_status sdca_hdf5_write_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                  int64_t count, const void *x)
{
    sdca_hdf5_array array = { .h5 = h5, .name = name, .type = type };

    create_array(&array, count, 0, false);
    return write_and_close(&array, (sdca_range){ 0, count }, x);
}

/* Create an array without data. */
static sdca_status create_unwritten(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                    int64_t count, int64_t chunk)
{
    sdca_hdf5_array array = { .h5 = h5, .name = name, .type = type };

    create_array(&array, count, (hsize_t)chunk, false);
    return write_and_close(&array, (sdca_range){ 0, 0 }, NULL);
}

sdca_status sdca_hdf5_create_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                   int64_t count)
{
    return create_unwritten(h5, name, type, count, 0);
}

sdca_status sdca_hdf5_create_sparse_array(sdca_hdf5_file *h5, const char *name,
                                          sdca_dtype type, int64_t count, int64_t chunk)
{
    return create_unwritten(h5, name, type, count, chunk < count ? chunk : count);
}

sdca_status sdca_hdf5_write_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                  sdca_dtype type, const void *x)
{
    sdca_hdf5_array array  = { .h5 = h5, .name = name, .type = type };
    sdca_status     status = open_array(&array);

    return status == SDCA_OK ? write_and_close(&array, range, x) : status;
}

sdca_status sdca_hdf5_create_matrix(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                    int64_t rows, int64_t columns, int64_t chunk)
{
    sdca_hdf5_array  array        = { .h5 = h5, .name = name, .type = type };
    hsize_t          chunks[2]    = { 1, (hsize_t)(chunk < columns ? chunk : columns) };
    sdca_array_shape matrix_shape = { .dimensions = 2, .extent = { rows, columns } };

    create_shaped(&array, matrix_shape, chunks[1] > 0 ? chunks : NULL, false);
    return write_and_close(&array, (sdca_range){ 0, 0 }, NULL);
}

sdca_status sdca_hdf5_write_row(sdca_hdf5_file *h5, const char *name, int64_t row,
                                sdca_range columns, sdca_dtype type, const void *x)
{
    sdca_hdf5_array array  = { .h5 = h5, .name = name, .type = type };
    sdca_status     status = open_array(&array);
    herr_t          result = 0;

    if (status != SDCA_OK) {
        return status;
    }
    if (columns.count > 0) {
        result = transfer_block(&array, (sdca_range){ row, 1 }, columns, NULL, x);
    }
    status = write_and_close(&array, (sdca_range){ 0, 0 }, NULL);
    return result >= 0 ? status : sdca_hdf5_fail(SDCA_IO, h5, "write", name);
}
