/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_strings.c - arrays of strings in a file. */
#include "io/hdf5_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Open a one-dimensional array of strings, if name is one. */
static bool open_strings(sdca_hdf5_file *h5, const char *name, hid_t *array,
                         hsize_t *count)
{
    hid_t type, space;
    bool  fits;

    if (!sdca_hdf5_has_array(h5, name)) {
        return false;
    }
    *array = H5Dopen2(h5->file, name, h5->link_access);
    if (*array < 0) {
        return false;
    }
    if (sdca_hdf5_defer_error(h5, sdca_hdf5_check_stored_inside(h5, name, *array)) !=
        SDCA_OK) {
        H5Dclose(*array);
        return false;
    }
    type  = H5Dget_type(*array);
    space = H5Dget_space(*array);
    fits  = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_ndims(space) == 1;
    if (fits) {
        H5Sget_simple_extent_dims(space, count, NULL);
    } else {
        H5Dclose(*array);
    }
    H5Sclose(space);
    H5Tclose(type);
    return fits;
}

bool sdca_hdf5_has_strings(sdca_hdf5_file *h5, const char *name)
{
    hid_t   array = H5I_INVALID_HID;
    hsize_t count = 0;
    bool    there = open_strings(h5, name, &array, &count);

    if (there) {
        H5Dclose(array);
    }
    return there;
}

/* The strings of an array in memory: pointers for variable length, whose strings HDF5
 * allocates; otherwise that many bytes each. */
static sdca_status copy_strings(sdca_hdf5_file *h5, const char *name, hid_t array,
                                hsize_t count, sdca_string_list *out)
{
    sdca_status status      = SDCA_OK;
    hid_t       type        = H5Dget_type(array);
    hid_t       space       = H5Dget_space(array);
    bool        is_variable = H5Tis_variable_str(type) > 0;
    size_t      width       = H5Tget_size(type);
    double      left        = sdca_hdf5_max_string_bytes(array);
    hid_t       transfer    = sdca_hdf5_limit_string_bytes(&left);
    char       *bytes       = sdca_alloc_zeroed((size_t)count, width);

    if (bytes != NULL && H5Dread(array, type, H5S_ALL, H5S_ALL, transfer, bytes) < 0) {
        status      = sdca_hdf5_fail_read(h5, name, array);
        is_variable = false; /* nothing was allocated */
    }
    if (bytes == NULL || isnan(left)) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s of '%s'", name, h5->path);
    } else if (left < 0.0) {
        status =
            SDCA_FAIL(SDCA_DATA, "the strings of %s in '%s' are longer than the file",
                      name, h5->path);
    }
    for (hsize_t k = 0; status == SDCA_OK && k < count; k++) {
        const char *text = is_variable ? ((char **)(void *)bytes)[k] : bytes + k * width;
        size_t      length = text == NULL  ? 0
                             : is_variable ? strlen(text)
                                           : strnlen(text, width);

        status = sdca_string_list_append(out, text != NULL ? text : "", length);
    }
    if (bytes != NULL && is_variable) {
        H5Dvlen_reclaim(type, space, transfer, bytes);
    }
    free(bytes);
    H5Pclose(transfer);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

/* Bytes of a string in memory, or of what HDF5 stores for one of variable length. */
static sdca_status check_size(sdca_hdf5_file *h5, const char *name, hid_t array,
                              hsize_t count)
{
    hid_t         type      = H5Dget_type(array);
    const hsize_t extent[2] = { count, 1 };
    size_t        bytes     = H5Tget_size(type);

    H5Tclose(type);
    return sdca_hdf5_check_declared_size(h5, name, array, extent, bytes, false);
}

sdca_status sdca_hdf5_read_strings(sdca_hdf5_file *h5, const char *name,
                                   sdca_string_list *out)
{
    hid_t       array = H5I_INVALID_HID;
    hsize_t     count = 0;
    sdca_status status;

    if (!open_strings(h5, name, &array, &count)) {
        status = sdca_hdf5_deferred_error(h5);
        return status != SDCA_OK
                   ? status
                   : SDCA_FAIL(SDCA_DATA, "%s in '%s' is not an array of strings", name,
                               h5->path);
    }
    status = check_size(h5, name, array, count);
    status = status == SDCA_OK ? copy_strings(h5, name, array, count, out) : status;
    H5Dclose(array);
    if (status != SDCA_OK) {
        sdca_string_list_free(out);
    }
    return status;
}

sdca_status sdca_hdf5_write_strings(sdca_hdf5_file *h5, const char *name,
                                    const sdca_string_list *strings)
{
    hsize_t count      = (hsize_t)strings->count;
    hid_t   space      = H5Screate_simple(1, &count, NULL);
    hid_t   type       = sdca_hdf5_string_type();
    hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   array;
    herr_t  result = -1;

    H5Pset_obj_track_times(properties, 0); /* no times: same content, same bytes */
    array = H5Dcreate2(h5->file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (array >= 0) {
        result = count > 0
                     ? sdca_hdf5_note_error(h5, H5Dwrite(array, type, H5S_ALL, H5S_ALL,
                                                         H5P_DEFAULT, strings->text))
                     : 0;
        result = sdca_hdf5_note_error(h5, H5Dclose(array)) < 0 ? -1 : result;
    }
    H5Pclose(properties);
    H5Tclose(type);
    H5Sclose(space);
    return result >= 0 ? SDCA_OK : sdca_hdf5_fail(SDCA_IO, h5, "write", name);
}
