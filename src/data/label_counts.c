/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_counts.c - the different labels of a data set, and the rows of each. */
#include "data/label_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"

bool sdca_label_counts_are_too_many(const sdca_label_counts *counts)
{
    return counts->count >
           (counts->has_fractions ? SDCA_MAX_FRACTIONS : SDCA_MAX_CLASSES);
}

sdca_status sdca_label_counts_check(const sdca_label_counts *counts)
{
    if (!sdca_label_counts_are_too_many(counts)) {
        return SDCA_OK;
    }
    return counts->has_fractions
               ? SDCA_FAIL(SDCA_DATA,
                           "there are more than %d different labels, not all of them "
                           "whole numbers, which are too many classes",
                           SDCA_MAX_FRACTIONS)
               : SDCA_FAIL(SDCA_DATA,
                           "there are more than %d different labels, which are too many "
                           "classes",
                           SDCA_MAX_CLASSES);
}

/* The index of the first label that is not below this one; NaN is above all others. */
static int find_position(const sdca_label_counts *counts, double label)
{
    int low = 0, high = counts->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (counts->value[middle] < label || isnan(label)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int sdca_label_counts_find(const sdca_label_counts *counts, double label)
{
    int k = find_position(counts, label);

    return k < counts->count && counts->value[k] == label ? k : -1;
}

/* Allocate space for labels. */
static sdca_status reserve(sdca_label_counts *counts, int capacity)
{
    double  *value = NULL;
    int64_t *rows  = NULL;

    if (capacity <= counts->capacity) {
        return SDCA_OK;
    }
    value         = sdca_alloc_resize(counts->value, (size_t)capacity, sizeof *value);
    counts->value = value != NULL ? value : counts->value;
    rows = value != NULL ? sdca_alloc_resize(counts->rows, (size_t)capacity, sizeof *rows)
                         : NULL;
    if (rows == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", capacity);
    }
    counts->rows     = rows;
    counts->capacity = capacity;
    return SDCA_OK;
}

sdca_status sdca_label_counts_add(sdca_label_counts *counts, double label)
{
    sdca_status status = SDCA_OK;
    int         k      = counts->last;

    if (k < counts->count && counts->value[k] == label) {
        counts->rows[k]++;
        return SDCA_OK;
    }
    k = find_position(counts, label);
    if (k == counts->count || counts->value[k] != label) {
        size_t after = (size_t)(counts->count - k);

        if (sdca_label_counts_are_too_many(counts)) {
            return SDCA_OK;
        }
        if (counts->count == counts->capacity) {
            SDCA_TRY(reserve(counts, counts->capacity > 0 ? 2 * counts->capacity : 16));
        }
        memmove(counts->value + k + 1, counts->value + k, after * sizeof *counts->value);
        memmove(counts->rows + k + 1, counts->rows + k, after * sizeof *counts->rows);
        counts->value[k]      = label;
        counts->rows[k]       = 0;
        counts->has_fractions = counts->has_fractions || label != rint(label);
        counts->count++;
    }
    counts->rows[k]++;
    counts->last = k;

done:
    return status;
}

/* Rank 0 adds the labels of each rank. */
static sdca_status add_labels(void *context, const double *value, int64_t count)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < count; k++) {
        status = sdca_label_counts_add(context, value[k]);
    }
    return status;
}

sdca_status sdca_label_counts_unite(MPI_Comm comm, const sdca_label_counts *mine,
                                    sdca_label_counts *all)
{
    sdca_status status = SDCA_OK;
    int         size[] = { 0, 0 };

    SDCA_TRY(sdca_comm_gather(comm, mine->value, mine->count, add_labels, all));
    size[0] = all->count;
    size[1] = all->has_fractions;
    sdca_comm_broadcast(comm, size, sizeof size);
    SDCA_TRY(sdca_comm_agree(comm, reserve(all, size[0] + 1)));
    all->count         = size[0];
    all->has_fractions = size[1] != 0;
    sdca_comm_broadcast(comm, all->value, all->count * (int)sizeof *all->value);
    memset(all->rows, 0, (size_t)all->count * sizeof *all->rows);

done:
    return status;
}

void sdca_label_counts_free(sdca_label_counts *counts)
{
    free(counts->value);
    free(counts->rows);
    *counts = (sdca_label_counts){ 0 };
}
