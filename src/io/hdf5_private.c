/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_private.c - types of HDF5, and the reasons of its failures. */
#include "io/hdf5_private.h"

#include <string.h>

/* Record the innermost message of the HDF5 error stack, which comes last when walking
 * downward; if it quotes the system, only the quotation. */
static herr_t copy_error_message(unsigned depth, const H5E_error2_t *error, void *message)
{
    const char *quote  = "error message = '";
    const char *system = strstr(error->desc, quote);
    const char *text   = system != NULL ? system + strlen(quote) : error->desc;
    char       *end    = NULL;

    (void)depth;
    snprintf(message, sizeof((sdca_hdf5_file *)0)->hdf5_message, "%s", text);
    end = system != NULL ? strchr(message, '\'') : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    return 0;
}

herr_t sdca_hdf5_note_error(sdca_hdf5_file *h5, herr_t result)
{
    if (result < 0 && h5->hdf5_message[0] == '\0') {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, copy_error_message, h5->hdf5_message);
    }
    return result;
}

sdca_status sdca_hdf5_fail(sdca_status status, sdca_hdf5_file *h5, const char *what,
                           const char *name)
{
    const char *message;

    sdca_hdf5_note_error(h5, -1);
    message = h5->hdf5_message[0] != '\0' ? h5->hdf5_message : "no reason given";
    if (strcmp(message, sdca_hdf5_no_memory) == 0) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", h5->path);
    }
    if (strcmp(message, sdca_hdf5_bad_heap) == 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' is damaged: %s", h5->path, message);
    }
    if (name == NULL) {
        return SDCA_FAIL(status, "cannot %s '%s': %s", what, h5->path, message);
    }
    return SDCA_FAIL(status, "cannot %s %s in '%s': %s", what, name, h5->path, message);
}

/* The first filter of an array that is not available, by its name or number in the file.
 */
static bool lacks_filter(hid_t array, char *name, size_t size)
{
    hid_t plist = H5Dget_create_plist(array);
    int   count = H5Pget_nfilters(plist);
    bool  lacks = false;

    for (int k = 0; k < count && !lacks; k++) {
        size_t       settings = 0; /* not requested */
        unsigned     flags    = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)k, &flags, &settings, NULL, size, name, NULL);

        lacks = filter >= 0 && H5Zfilter_avail(filter) <= 0;
        if (lacks && name[0] == '\0') {
            snprintf(name, size, "filter %d", (int)filter);
        }
    }
    H5Pclose(plist);
    return lacks;
}

/* Checked only now, since chunks that a filter could not compress are stored without it.
 */
sdca_status sdca_hdf5_fail_read(sdca_hdf5_file *h5, const char *name, hid_t array)
{
    char filter[64] = "";

    sdca_hdf5_note_error(h5, -1);
    return lacks_filter(array, filter, sizeof filter)
               ? SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is compressed with %s, which this HDF5 does not "
                           "have: write it with gzip or uncompressed, or use h5repack -f "
                           "NONE where %s is known",
                           name, h5->path, filter, filter)
               : sdca_hdf5_fail(SDCA_IO, h5, "read", name);
}

hid_t sdca_hdf5_native_type(sdca_dtype type)
{
    switch (type) {
    case SDCA_UINT8:
        return H5T_NATIVE_UINT8;
    case SDCA_INT32:
        return H5T_NATIVE_INT32;
    case SDCA_INT64:
        return H5T_NATIVE_INT64;
    case SDCA_FLOAT32:
        return H5T_NATIVE_FLOAT;
    case SDCA_FLOAT64:
        break;
    }
    return H5T_NATIVE_DOUBLE;
}

/* Variable length and UTF-8, as h5py and AnnData write strings. */
hid_t sdca_hdf5_string_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void sdca_hdf5_library_version(char *text, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;

    H5get_libversion(&major, &minor, &release);
    snprintf(text, size, "%u.%u.%u, parallel", major, minor, release);
}
