/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_attribute.c - attributes of the arrays and groups of a file. */
#include "io/hdf5_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

bool sdca_hdf5_has_attribute(sdca_hdf5_file *h5, const char *object, const char *name)
{
    return H5Aexists_by_name(h5->file, object, name, h5->link_access) > 0;
}

/* Through the object: if a link leads to another file, H5Aopen_by_name() looks for
 * strings in the wrong file. */
static sdca_status open_attribute(sdca_hdf5_file *h5, const char *object,
                                  const char *name, hid_t *attribute)
{
    hid_t       owner  = H5I_INVALID_HID;
    bool        there  = sdca_hdf5_has_attribute(h5, object, name);
    sdca_status status = sdca_hdf5_deferred_error(h5);

    if (status != SDCA_OK) {
        return status;
    }
    if (!there) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' has no attribute %s", object, h5->path,
                         name);
    }
    owner      = H5Oopen(h5->file, object, h5->link_access);
    *attribute = H5Aopen(owner, name, H5P_DEFAULT);
    sdca_hdf5_note_error(h5, *attribute >= 0 ? 0 : -1);
    if (owner >= 0) {
        H5Oclose(owner);
    }
    return *attribute >= 0 ? SDCA_OK
                           : sdca_hdf5_fail(SDCA_DATA, h5, "open the attribute", name);
}

static int64_t count_values(hid_t attribute)
{
    hid_t   space = H5Aget_space(attribute);
    int64_t count = (int64_t)H5Sget_simple_extent_npoints(space);

    H5Sclose(space);
    return count;
}

/* Strings have a fixed length, or a variable one from h5py. whole has space for one of
 * fixed length. */
static herr_t read_string(sdca_hdf5_file *h5, hid_t attribute, hid_t type, char *buffer,
                          char *text, size_t size)
{
    herr_t result = -1;

    if (H5Tis_variable_str(type) > 0) {
        hid_t space  = H5Aget_space(attribute);
        char *string = NULL;

        result = sdca_hdf5_note_error(h5, H5Aread(attribute, type, &string));
        if (result >= 0) {
            snprintf(text, size, "%s", string != NULL ? string : "");
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, &string);
        }
        H5Sclose(space);
        return result;
    }
    result = H5Aread(attribute, type, buffer);
    if (result >= 0) {
        snprintf(text, size, "%s", buffer);
    }
    return result;
}

sdca_status sdca_hdf5_read_string_attribute(sdca_hdf5_file *h5, const char *object,
                                            const char *name, char *text, size_t size)
{
    hid_t       attribute = H5I_INVALID_HID;
    hid_t       type      = H5I_INVALID_HID;
    char       *buffer    = NULL;
    sdca_status status    = open_attribute(h5, object, name, &attribute);

    if (status != SDCA_OK) {
        return status;
    }
    type   = H5Aget_type(attribute);
    buffer = sdca_alloc_zeroed(H5Tget_size(type), 1);
    if (buffer == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to read the attribute %s of '%s'",
                           name, h5->path);
    } else if (H5Tget_class(type) != H5T_STRING || count_values(attribute) != 1) {
        status = SDCA_FAIL(SDCA_DATA, "the attribute %s of %s in '%s' is not text", name,
                           object, h5->path);
    } else if (read_string(h5, attribute, type, buffer, text, size) < 0) {
        status = sdca_hdf5_fail(SDCA_IO, h5, "read the attribute", name);
    }
    free(buffer);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

sdca_status sdca_hdf5_attribute_length(sdca_hdf5_file *h5, const char *object,
                                       const char *name, int64_t *count)
{
    hid_t       attribute = H5I_INVALID_HID;
    sdca_status status    = open_attribute(h5, object, name, &attribute);

    if (status == SDCA_OK) {
        *count = count_values(attribute);
        H5Aclose(attribute);
    }
    return status;
}

/* Whether floats are integers, exact as int64_t. HDF5 would truncate them. */
static bool is_integer(hid_t attribute, int64_t count)
{
    const double max_exact = 9007199254740992.0; /* 2^53 */
    double      *x         = sdca_alloc_array((size_t)count, sizeof *x);
    bool         exact     = x != NULL && H5Aread(attribute, H5T_NATIVE_DOUBLE, x) >= 0;

    for (int64_t k = 0; exact && k < count; k++) {
        exact = fabs(x[k]) <= max_exact && x[k] == floor(x[k]);
    }
    free(x);
    return exact;
}

sdca_status sdca_hdf5_read_attribute(sdca_hdf5_file *h5, const char *object,
                                     const char *name, sdca_dtype type, int64_t count,
                                     void *x)
{
    hid_t       attribute = H5I_INVALID_HID;
    hid_t       stored    = H5I_INVALID_HID;
    sdca_status status    = open_attribute(h5, object, name, &attribute);
    H5T_class_t kind;

    if (status != SDCA_OK) {
        return status;
    }
    stored = H5Aget_type(attribute);
    kind   = H5Tget_class(stored);
    if (count_values(attribute) != count || (kind != H5T_INTEGER && kind != H5T_FLOAT)) {
        status =
            SDCA_FAIL(SDCA_DATA, "the attribute %s of %s in '%s' is not %lld number%s",
                      name, object, h5->path, (long long)count, count == 1 ? "" : "s");
    } else if (kind == H5T_FLOAT && type == SDCA_INT64 && !is_integer(attribute, count)) {
        status = SDCA_FAIL(SDCA_DATA, "the attribute %s of %s in '%s' is not an integer",
                           name, object, h5->path);
    } else if (H5Aread(attribute, sdca_hdf5_native_type(type), x) < 0) {
        status = sdca_hdf5_fail(SDCA_IO, h5, "read the attribute", name);
    }
    H5Tclose(stored);
    H5Aclose(attribute);
    return status;
}

/* Create an attribute, write it, and close it and its space. */
static sdca_status write_attribute(sdca_hdf5_file *h5, const char *object,
                                   const char *name, hid_t type, hid_t space,
                                   const void *x)
{
    hid_t  attribute = H5Acreate_by_name(h5->file, object, name, type, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    herr_t result    = attribute >= 0 ? H5Awrite(attribute, type, x) : -1;

    sdca_hdf5_note_error(h5, result);
    if (attribute >= 0 && H5Aclose(attribute) < 0) {
        result = -1;
    }
    H5Sclose(space);
    return result >= 0 ? SDCA_OK
                       : sdca_hdf5_fail(SDCA_IO, h5, "write the attribute", name);
}

sdca_status sdca_hdf5_write_attribute(sdca_hdf5_file *h5, const char *object,
                                      const char *name, sdca_dtype type, int64_t count,
                                      const void *x)
{
    hsize_t size  = (hsize_t)count;
    hid_t   space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);

    return write_attribute(h5, object, name, sdca_hdf5_native_type(type), space, x);
}

/* One string or an array of them, depending on the space. */
static sdca_status write_strings(sdca_hdf5_file *h5, const char *object, const char *name,
                                 hid_t space, const void *x)
{
    hid_t       type   = sdca_hdf5_string_type();
    sdca_status status = write_attribute(h5, object, name, type, space, x);

    H5Tclose(type);
    return status;
}

sdca_status sdca_hdf5_write_string_attribute(sdca_hdf5_file *h5, const char *object,
                                             const char *name, const char *text)
{
    return write_strings(h5, object, name, H5Screate(H5S_SCALAR), &text);
}

sdca_status sdca_hdf5_write_string_list_attribute(sdca_hdf5_file *h5, const char *object,
                                                  const char             *name,
                                                  const sdca_string_list *strings)
{
    hsize_t count = (hsize_t)strings->count;

    return write_strings(h5, object, name, H5Screate_simple(1, &count, NULL),
                         strings->text);
}
