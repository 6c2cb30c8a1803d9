/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store_hdf5.c - HDF5's types, and why one of its calls failed. */
#include "store_hdf5.h"

#include <string.h>

/* Keep the innermost message of HDF5's error stack, which comes last when the
 * walk goes downward; if it quotes the system, the quotation alone. */
static herr_t keep_reason(unsigned depth, const H5E_error2_t *error, void *reason)
{
    const char *quote  = "error message = '";
    const char *system = strstr(error->desc, quote);
    const char *text   = system != NULL ? system + strlen(quote) : error->desc;
    char       *end    = NULL;

    (void)depth;
    snprintf(reason, sizeof((sdca_store *)0)->reason, "%s", text);
    end = system != NULL ? strchr(reason, '\'') : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    return 0;
}

herr_t sdca_store_noted(sdca_store *store, herr_t result)
{
    if (result < 0 && store->reason[0] == '\0') {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_reason, store->reason);
    }
    return result;
}

sdca_status sdca_store_fail(sdca_status status, sdca_store *store, const char *what,
                            const char *name)
{
    const char *reason;

    sdca_store_noted(store, -1);
    reason = store->reason[0] != '\0' ? store->reason : "no reason given";
    if (strcmp(reason, sdca_store_no_memory) == 0) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", store->path);
    }
    if (strcmp(reason, sdca_store_bad_heap) == 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' is damaged: %s", store->path, reason);
    }
    if (name == NULL) {
        return SDCA_FAIL(status, "cannot %s '%s': %s", what, store->path, reason);
    }
    return SDCA_FAIL(status, "cannot %s %s in '%s': %s", what, name, store->path, reason);
}

/* Of the filters that an array is packed with, the first that is not to be had, by the
 * name or number that stands in the file. */
static bool lacks_filter(hid_t array, char *name, size_t size)
{
    hid_t made  = H5Dget_create_plist(array);
    int   count = H5Pget_nfilters(made);
    bool  lacks = false;

    for (int k = 0; k < count && !lacks; k++) {
        size_t       settings = 0; /* none is asked for */
        unsigned     flags    = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(made, (unsigned)k, &flags, &settings, NULL, size, name, NULL);

        lacks = filter >= 0 && H5Zfilter_avail(filter) <= 0;
        if (lacks && name[0] == '\0') {
            snprintf(name, size, "filter %d", (int)filter);
        }
    }
    H5Pclose(made);
    return lacks;
}

/* Asked only now, since what a filter could not make smaller is not packed. */
sdca_status sdca_store_fail_reading(sdca_store *store, const char *name, hid_t array)
{
    char filter[64] = "";

    sdca_store_noted(store, -1);
    return lacks_filter(array, filter, sizeof filter)
               ? SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is compressed with %s, which this HDF5 does not "
                           "have: write it with gzip or uncompressed, or use h5repack -f "
                           "NONE where %s is known",
                           name, store->path, filter, filter)
               : sdca_store_fail(SDCA_IO, store, "read", name);
}

hid_t sdca_store_native(sdca_type type)
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

/* Variable length and UTF-8: what h5py and AnnData take for text. */
hid_t sdca_store_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void sdca_store_library(char *text, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;

    H5get_libversion(&major, &minor, &release);
    snprintf(text, size, "%u.%u.%u, parallel", major, minor, release);
}
