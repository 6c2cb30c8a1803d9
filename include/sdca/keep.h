/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.h - which iterate of a run is kept. */
#ifndef SDCA_KEEP_H
#define SDCA_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "sdca/average.h"
#include "sdca/dataset.h"
#include "sdca/gap.h"
#include "sdca/local.h"
#include "sdca/problem.h"
#include "sdca/state.h"
#include "sdca/status.h"

/* T0 and T are counted in steps. Over ranks the iterates are those between rounds,
 * each counted as often as the next round has steps. */
typedef enum sdca_keep_kind {
    SDCA_KEEP_BEST,    /* the best-certified of those evaluated */
    SDCA_KEEP_LAST,    /* number T */
    SDCA_KEEP_AVERAGE, /* the mean of T0 .. T - 1 */
    SDCA_KEEP_RANDOM   /* one of T0 + 1 .. T, drawn beforehand: T must be known */
} sdca_keep_kind;

typedef struct sdca_keep {
    sdca_keep_kind       kind;
    int64_t              from;    /* T0 */
    int64_t              drawn;   /* the number of the one drawn */
    sdca_iterate_average average; /* of alpha, if that is what is kept */
    sdca_iterate     kept; /* the best, the average or the drawn one; first the start */
    sdca_certificate best; /* of all that were evaluated ... */
    int64_t          improved; /* ... and its steps */
    bool             owed;     /* the best is the present state, and not yet kept */
} sdca_keep;

/* first is the state before the first step, T0 is from and T is last; last matters
 * to the random iterate alone. Local. What out holds is the caller's, to be freed
 * with sdca_keep_free(). */
sdca_status sdca_keep_create(sdca_keep_kind kind, int64_t from, int64_t last,
                             uint64_t seed, const sdca_dataset *data,
                             const sdca_iterate *first, sdca_keep *out);
void        sdca_keep_free(sdca_keep *keep);

/* All alpha have moved at once, from the start. Local. */
void sdca_keep_start(sdca_keep *keep, const sdca_dataset *data,
                     const sdca_iterate *iterate);

/* A round has led to this state, from so many steps. Alone, the local steps tell the
 * average by themselves. Local. */
void sdca_keep_round(sdca_keep *keep, const sdca_dataset *data, const sdca_ascent *local,
                     const sdca_iterate *iterate, int64_t before);

/* Is the iterate there that is to be kept? Local. */
bool sdca_keep_is_ready(const sdca_keep *keep, const sdca_iterate *iterate);

/* The iterate that would be kept if the run ended now: the last one as long as
 * that which is asked for is not there. It is keep's or state itself. Collective. */
sdca_iterate *sdca_keep_candidate(MPI_Comm comm, const sdca_objective *objective,
                                  const sdca_dataset *data, sdca_keep *keep,
                                  sdca_iterate *iterate);

/* A state was evaluated, or an iterate made of it. Local. */
void sdca_keep_evaluated(sdca_keep *keep, const sdca_iterate *iterate,
                         const sdca_certificate *certificate);

/* A state as it was evaluated is about to change, or to be saved: keep it if it is the
 * best. Local. */
void sdca_keep_settle(sdca_keep *keep, const sdca_dataset *data,
                      const sdca_iterate *iterate);

#endif
