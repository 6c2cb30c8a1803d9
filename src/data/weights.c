/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weights.c - the sample weights of a source, which is a file or memory. */
#include "data/weights.h"

#include <math.h>

#include "base/alloc.h"

/* Weights that are read at a time. */
enum { WINDOW = 2048 };

sdca_status sdca_weights_open(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                              sdca_weight_source *source)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_open_array(h5, layout->weight_path, SDCA_FLOAT64, &source->array));
    if (layout->weight_mask_path[0] != '\0') {
        SDCA_TRY(sdca_hdf5_open_array(h5, layout->weight_mask_path, SDCA_FLOAT64,
                                      &source->mask));
    }

done:
    return status;
}

void sdca_weights_close(sdca_weight_source *source)
{
    sdca_hdf5_close_array(source->array);
    sdca_hdf5_close_array(source->mask);
    *source = (sdca_weight_source){ NULL, NULL, NULL };
}

sdca_status sdca_weights_check(const char *name, int64_t first_row, int64_t count,
                               const double *weight)
{
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(weight[k])) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s', row %lld: the weight is not a finite number", name,
                             (long long)(first_row + k));
        }
        if (weight[k] < 0.0) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s', row %lld: the weight is %g, where 0 or more is "
                             "needed",
                             name, (long long)(first_row + k), weight[k]);
        }
    }
    return SDCA_OK;
}

/* Fail if the mask marks a row of the window. */
static sdca_status check_mask(sdca_hdf5_array *mask, const char *name, sdca_range window)
{
    sdca_status status = SDCA_OK;
    double      missing[WINDOW];

    SDCA_TRY(sdca_hdf5_read_array(mask, window, missing));
    for (int64_t k = 0; k < window.count; k++) {
        if (missing[k] != 0.0) {
            status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the weight is missing", name,
                               (long long)(window.first + k));
            goto done;
        }
    }

done:
    return status;
}

/* Read and check a window of the weights, numbered as in the source. */
static sdca_status read_window(const sdca_weight_source *source, const char *name,
                               const sdca_dataset *draft, sdca_range window,
                               double *weight)
{
    sdca_status status = SDCA_OK;

    if (source->array != NULL) {
        SDCA_TRY(source->mask != NULL ? check_mask(source->mask, name, window) : SDCA_OK);
        SDCA_TRY(sdca_hdf5_read_array(source->array, window, weight));
    }
    for (int64_t k = 0; source->memory != NULL && k < window.count; k++) {
        weight[k] = source->memory[window.first - draft->local_range.first + k];
    }
    SDCA_TRY(sdca_weights_check(name, window.first, window.count, weight));

done:
    return status;
}

sdca_status sdca_weights_read(const sdca_weight_source *source, const char *name,
                              sdca_range rows, double *weight)
{
    sdca_status status = SDCA_OK;

    for (int64_t at = 0; status == SDCA_OK && at < rows.count; at += WINDOW) {
        int64_t count = rows.count - at < WINDOW ? rows.count - at : WINDOW;

        status = read_window(source, name, NULL, (sdca_range){ rows.first + at, count },
                             weight + at);
    }
    return status;
}

sdca_status sdca_weights_check_total(const char *name, double total)
{
    if (total == 0.0) {
        return SDCA_FAIL(SDCA_DATA, "the weights of all rows of '%s' are 0", name);
    }
    return total >= 1e-100 && total <= 1e100
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "the sum of the weights of '%s' is %g, where 1e-100 to 1e100 "
                           "is possible: scale them",
                           name, total);
}

sdca_status sdca_weights_load(const sdca_weight_source *source, const char *name,
                              const uint32_t *position, sdca_dataset *draft)
{
    sdca_status status = SDCA_OK;
    sdca_range  range  = draft->local_range;
    double      weight[WINDOW];

    draft->weight = sdca_alloc_array((size_t)range.count, sizeof *draft->weight);
    if (draft->weight == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the weights of %lld rows of '%s'",
                         (long long)range.count, name);
    }
    for (int64_t at = 0; at < range.count; at += WINDOW) {
        int64_t count = range.count - at < WINDOW ? range.count - at : WINDOW;

        SDCA_TRY(read_window(source, name, draft, (sdca_range){ range.first + at, count },
                             weight));
        for (int64_t k = 0; k < count; k++) {
            draft->weight[position[at + k]] = weight[k];
            draft->fingerprint +=
                sdca_dataset_weight_hash(range.first + at + k, weight[k]);
        }
    }

done:
    return status;
}
