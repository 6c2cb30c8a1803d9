/* SPDX-License-Identifier: BSD-3-Clause
 *
 * snapshot.h - a copy of alpha and w, such as those of the best iterate so far. */
#ifndef SDCA_OBJECTIVE_SNAPSHOT_H
#define SDCA_OBJECTIVE_SNAPSHOT_H

#include <stdint.h>

#include "base/status.h"
#include "objective/iterate.h"

typedef struct sdca_snapshot {
    double *alpha; /* of one model, by row */
    double *w;     /* by column */
    int64_t round;
    int64_t steps;
} sdca_snapshot;

/* Allocate a copy of this iterate, all 0. Local. The caller frees out with
 * sdca_snapshot_free(). */
sdca_status sdca_snapshot_create(const sdca_iterate *iterate, sdca_snapshot *out);
void        sdca_snapshot_free(sdca_snapshot *snapshot);

/* Copy the iterate that the snapshot was made for, and copy it back. Local. */
void sdca_snapshot_save(const sdca_iterate *iterate, sdca_snapshot *snapshot);
void sdca_snapshot_restore(const sdca_snapshot *snapshot, sdca_iterate *iterate);

/* Copy back alpha alone. Local. */
void sdca_snapshot_restore_alpha(const sdca_snapshot *snapshot, sdca_iterate *iterate);

/* The alpha and w of a snapshot, valid as long as it is. Local. */
sdca_point sdca_snapshot_point(const sdca_snapshot *snapshot);

#endif
