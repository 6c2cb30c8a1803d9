/* SPDX-License-Identifier: BSD-3-Clause
 *
 * snapshot.c - a copy of alpha and w, such as those of the best iterate so far. */
#include "objective/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

sdca_status sdca_snapshot_create(const sdca_iterate *iterate, sdca_snapshot *out)
{
    sdca_snapshot snapshot = { 0 };

    snapshot.alpha = sdca_alloc_zeroed(iterate->rows, sizeof *snapshot.alpha);
    snapshot.w     = sdca_alloc_zeroed((size_t)iterate->columns, sizeof *snapshot.w);
    if (snapshot.alpha == NULL || snapshot.w == NULL) {
        sdca_snapshot_free(&snapshot);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for alpha and w (%lu rows, %ld columns)",
                         (unsigned long)iterate->rows, (long)iterate->columns);
    }
    *out = snapshot;
    return SDCA_OK;
}

void sdca_snapshot_free(sdca_snapshot *snapshot)
{
    free(snapshot->alpha);
    free(snapshot->w);
    *snapshot = (sdca_snapshot){ 0 };
}

void sdca_snapshot_save(const sdca_iterate *iterate, sdca_snapshot *snapshot)
{
    bool zero = iterate->starts_at_zero && iterate->steps == 0; /* as a new snapshot is */

    for (uint32_t i = 0; !zero && i < iterate->rows; i++) {
        snapshot->alpha[i] = iterate->alpha[i * iterate->alpha_stride];
    }
    for (int32_t j = 0; !zero && j < iterate->columns; j++) {
        snapshot->w[j] = iterate->w[(int64_t)j * iterate->lanes];
    }
    snapshot->round = iterate->round;
    snapshot->steps = iterate->steps;
}

void sdca_snapshot_restore_alpha(const sdca_snapshot *snapshot, sdca_iterate *iterate)
{
    for (uint32_t i = 0; i < iterate->rows; i++) {
        iterate->alpha[i * iterate->alpha_stride] = snapshot->alpha[i];
    }
}

void sdca_snapshot_restore(const sdca_snapshot *snapshot, sdca_iterate *iterate)
{
    sdca_snapshot_restore_alpha(snapshot, iterate);
    for (int32_t j = 0; j < iterate->columns; j++) {
        iterate->w[(int64_t)j * iterate->lanes] = snapshot->w[j];
    }
    iterate->round = snapshot->round;
    iterate->steps = snapshot->steps;
    sdca_iterate_w_changed(iterate);
}

sdca_point sdca_snapshot_point(const sdca_snapshot *snapshot)
{
    return (sdca_point){ snapshot->alpha, 1, snapshot->w, 1 };
}
