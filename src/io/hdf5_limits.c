/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_limits.c - limits on declared array sizes, given what the file stores.
 *
 * A file of a few kilobytes can declare an array of any size: HDF5 returns fill values
 * for what is not stored. Sizes are compared as double, in which products do not
 * overflow. */
#include "io/hdf5_private.h"

#include <math.h>
#include <stdlib.h>

/* Bytes that need not be stored: small arrays that were created and never written. */
static const double unwritten_allowance = (double)(1 << 24);

/* Upper limit on the array bytes per stored byte, for chunked arrays. Deflate compresses
 * by at most 1032. Other filters may compress constant chunks far more: scale-offset
 * stores 21 bytes for a chunk of a megabyte, and Zstandard 4 for 131072. */
static const double max_deflate_ratio = 2000.0, max_other_ratio = 131072.0;

/* The size of the file that has an open array. */
static double file_bytes(hid_t array)
{
    hid_t   file  = H5Iget_file_id(array);
    hsize_t bytes = 0;

    if (H5Fget_filesize(file, &bytes) < 0) {
        bytes = 0;
    }
    H5Fclose(file);
    return (double)bytes;
}

sdca_status sdca_hdf5_check_stored_inside(sdca_hdf5_file *h5, const char *name,
                                          hid_t array)
{
    hid_t       plist  = H5Dget_create_plist(array);
    sdca_status status = SDCA_OK;

    if (H5Pget_layout(plist) == H5D_VIRTUAL) {
        status = SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is a virtual dataset, which HDF5 fills with "
                           "zeros where a file is missing, and reads on one rank only: "
                           "copy it into one file, as h5repack -l CONTI does",
                           name, h5->path);
    } else if (H5Pget_external_count(plist) != 0) {
        status = SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is stored in other files, which are not opened: "
                           "copy it into one file, as h5repack -l CONTI does",
                           name, h5->path);
    }
    H5Pclose(plist);
    return status;
}

/* The limit on array bytes per stored byte. */
static double max_compression_ratio(hid_t plist)
{
    double ratio = max_deflate_ratio;
    int    count = H5Pget_nfilters(plist);

    for (int k = 0; k < count; k++) {
        size_t       settings = 0; /* not requested */
        unsigned     flags    = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)k, &flags, &settings, NULL, 0, NULL, NULL);

        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
            filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SZIP &&
            filter != H5Z_FILTER_NBIT) {
            ratio = max_other_ratio;
        }
    }
    return ratio;
}

/* The bytes of a chunk, which HDF5 processes as a whole; 0 if not chunked. */
static double chunk_bytes(hid_t plist, size_t bytes)
{
    hsize_t chunk[2] = { 0, 1 };

    return H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_chunk(plist, 2, chunk) > 0
               ? (double)chunk[0] * (double)chunk[1] * (double)bytes
               : 0.0;
}

/* A contiguous array is stored completely or, if it was never written, not at all; HDF5
 * copies a compact one without checking its size. What is less than the file or the
 * slack is accepted without counting chunks. */
static bool fits(hid_t array, hid_t plist, double declared, double *stored)
{
    H5D_layout_t layout = H5Pget_layout(plist);
    double       size   = file_bytes(array);

    if (layout == H5D_CHUNKED && declared <= fmax(size, unwritten_allowance)) {
        return true;
    }
    *stored = fmin((double)H5Dget_storage_size(array), size);
    if (layout == H5D_COMPACT || (layout == H5D_CONTIGUOUS && *stored > 0.0)) {
        return declared <= *stored;
    }
    return declared <= *stored * max_compression_ratio(plist) + unwritten_allowance;
}

sdca_status sdca_hdf5_check_declared_size(sdca_hdf5_file *h5, const char *name,
                                          hid_t array, const hsize_t extent[2],
                                          size_t bytes, bool is_sparse)
{
    hid_t  plist    = H5Dget_create_plist(array);
    double chunk    = chunk_bytes(plist, bytes);
    double declared = (double)extent[0] * fmax(1.0, (double)extent[1]) * (double)bytes;
    double stored   = 0.0;
    bool   is_new   = h5->temp_path.text[0] != '\0'; /* still being written */
    bool   fine;

    declared = is_sparse && chunk > 0.0 ? chunk : fmax(chunk, declared);
    fine     = extent[0] == 0 || is_new || fits(array, plist, declared, &stored);
    H5Pclose(plist);
    return fine ? SDCA_OK
                : SDCA_FAIL(SDCA_DATA,
                            "%s in '%s' is declared with %.0f bytes, of which the file "
                            "stores %.0f: it was not written, or it is damaged",
                            name, h5->path, declared, stored);
}

double sdca_hdf5_max_string_bytes(hid_t array)
{
    return file_bytes(array) + unwritten_allowance;
}

/* The allocator of HDF5 for strings, many of which may be the same one in the file. */
static void *allocate_string(size_t size, void *context)
{
    double *left = context;
    void   *text = NULL;

    *left -= (double)size;
    if (*left >= 0.0) {
        text  = malloc(size);
        *left = text != NULL ? *left : NAN;
    }
    return text;
}

static void free_string(void *text, void *context)
{
    (void)context;
    free(text);
}

hid_t sdca_hdf5_limit_string_bytes(double *left)
{
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);

    H5Pset_vlen_mem_manager(transfer, allocate_string, left, free_string, NULL);
    return transfer;
}
