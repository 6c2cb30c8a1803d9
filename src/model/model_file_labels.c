/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_labels.c - the labels of a model in a file. */
#include "model/model_file_private.h"

#include <math.h>

#include "base/alloc.h"
#include "data/label_counts.h"

sdca_status sdca_labels_write_names(const sdca_classes *labels, sdca_hdf5_file *hdf5)
{
    return labels->names.count > 0
               ? sdca_hdf5_write_strings(hdf5, "label_names", &labels->names)
               : SDCA_OK;
}

static sdca_status read_label_names(sdca_hdf5_file *hdf5, sdca_classes *labels)
{
    sdca_status status = SDCA_OK;

    if (!sdca_hdf5_has_array(hdf5, "label_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_strings(hdf5, "label_names", &labels->names));
    if (labels->names.count != labels->count) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %d labels",
                           sdca_hdf5_path(hdf5), (long long)labels->names.count,
                           labels->count);
    }

done:
    return status;
}

/* Attributes have at most 64 KiB, so that several classes have arrays instead. */
sdca_status sdca_model_file_write_labels(sdca_hdf5_file *hdf5, const sdca_classes *labels)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(labels->count > 2
                 ? sdca_hdf5_write_array(hdf5, "labels", SDCA_FLOAT64, labels->count,
                                         labels->value)
                 : sdca_hdf5_write_attribute(hdf5, "/", "labels", SDCA_FLOAT64,
                                             labels->count, labels->value));
    SDCA_TRY(sdca_labels_write_names(labels, hdf5));

done:
    return status;
}

/* The number of labels: at least 3 if they are an array. */
static sdca_status count_labels(sdca_hdf5_file *hdf5, bool several, int *out)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape  = { .extent = { 0 } };
    int64_t          count  = 0;

    if (several) {
        SDCA_TRY(sdca_hdf5_check_shape(hdf5, "labels", 1, &shape));
        count = shape.extent[0];
        if (count < 3 || count > SDCA_MAX_CLASSES) {
            status =
                SDCA_FAIL(SDCA_DATA, "labels in '%s' has %lld entries, not 3 to %d",
                          sdca_hdf5_path(hdf5), (long long)count, (int)SDCA_MAX_CLASSES);
        }
    } else {
        SDCA_TRY(sdca_hdf5_attribute_length(hdf5, "/", "labels", &count));
        count = count < 2 ? 1 : 2;
    }
    *out = (int)count;

done:
    return status;
}

/* Are there several labels, ascending, of which names stand for 0, 1, 2, ...? */
static sdca_status check_several_labels(sdca_hdf5_file *hdf5, const sdca_classes *labels)
{
    for (int k = 0; k < labels->count; k++) {
        double least = k > 0 ? labels->value[k - 1] : -INFINITY;

        if (!isfinite(labels->value[k]) || labels->value[k] <= least ||
            (labels->names.count > 0 && labels->value[k] != k)) {
            return SDCA_FAIL(
                SDCA_DATA, "labels in '%s' are not ascending%s", sdca_hdf5_path(hdf5),
                labels->names.count > 0 ? " from 0 by 1, as names need" : "");
        }
    }
    return SDCA_OK;
}

sdca_status sdca_model_file_read_labels(sdca_hdf5_file *hdf5, sdca_classes *labels)
{
    sdca_status status  = SDCA_OK;
    bool        several = !sdca_hdf5_has_attribute(hdf5, "/", "labels") &&
                   sdca_hdf5_has_array(hdf5, "labels");

    SDCA_TRY(count_labels(hdf5, several, &labels->count));
    labels->value = sdca_alloc_zeroed((size_t)labels->count, sizeof *labels->value);
    if (labels->value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'",
                         sdca_hdf5_path(hdf5));
    }
    SDCA_TRY(several
                 ? sdca_hdf5_read_range(hdf5, "labels", (sdca_range){ 0, labels->count },
                                        SDCA_FLOAT64, labels->value)
                 : sdca_hdf5_read_attribute(hdf5, "/", "labels", SDCA_FLOAT64,
                                            labels->count, labels->value));
    SDCA_TRY(read_label_names(hdf5, labels));
    if (several) {
        SDCA_TRY(check_several_labels(hdf5, labels));
    }

done:
    return status;
}
