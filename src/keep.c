/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.c - which iterate of a run is kept. */
#include "sdca/keep.h"

#include <math.h>

#include "sdca/random.h"

sdca_status sdca_keep_create(sdca_keep_kind kind, int64_t from, int64_t last,
                             uint64_t seed, const sdca_dataset *data,
                             const sdca_state *first, sdca_keep *out)
{
    sdca_status status = SDCA_OK;
    sdca_keep   keep   = { .kind = kind, .from = from, .best = { .gap = INFINITY } };
    sdca_random stream = sdca_random_stream(seed, SDCA_STREAM_OUTPUT_ITERATE, 0, 0);

    keep.owed = kind == SDCA_KEEP_BEST; /* the first, before it moves */
    keep.drawn =
        from + 1 + (int64_t)(sdca_random_uniform(&stream) * (double)(last - from));
    if (kind == SDCA_KEEP_AVERAGE) {
        SDCA_TRY(sdca_average_create(data->x.count, from, &keep.average));
    }
    SDCA_TRY(sdca_state_room(data, &keep.kept));
    if (!keep.owed) {
        sdca_state_copy(data, first, &keep.kept);
    }
    *out = keep;
    keep = (sdca_keep){ .kind = kind }; /* now the caller's */

done:
    sdca_keep_free(&keep);
    return status;
}

void sdca_keep_free(sdca_keep *keep)
{
    sdca_average_free(&keep->average);
    sdca_state_free(&keep->kept);
}

void sdca_keep_start(sdca_keep *keep, const sdca_dataset *data, const sdca_state *state)
{
    for (uint32_t i = 0; keep->kind == SDCA_KEEP_AVERAGE && i < data->x.count; i++) {
        sdca_average_change(&keep->average, i, keep->kept.alpha[i], state->steps);
    }
}

void sdca_keep_round(sdca_keep *keep, const sdca_dataset *data, const sdca_local *local,
                     const sdca_state *state, int64_t before)
{
    for (uint32_t k = 0; keep->kind == SDCA_KEEP_AVERAGE && k < local->tally.visits;
         k++) {
        sdca_average_change(&keep->average, local->visit[k].row, local->visit[k].alpha,
                            state->steps);
    }
    if (keep->kind == SDCA_KEEP_RANDOM && before < keep->drawn &&
        state->steps >= keep->drawn) {
        sdca_state_copy(data, state, &keep->kept);
    }
}

bool sdca_keep_is_ready(const sdca_keep *keep, const sdca_state *state)
{
    return keep->kind == SDCA_KEEP_AVERAGE  ? state->steps > keep->from
           : keep->kind == SDCA_KEEP_RANDOM ? state->steps >= keep->drawn
                                            : true;
}

sdca_state *sdca_keep_candidate(MPI_Comm comm, const sdca_problem *problem,
                                const sdca_dataset *data, sdca_keep *keep,
                                sdca_state *state)
{
    if (keep->kind == SDCA_KEEP_BEST || keep->kind == SDCA_KEEP_LAST ||
        !sdca_keep_is_ready(keep, state)) {
        return state;
    }
    if (keep->kind == SDCA_KEEP_AVERAGE) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            sdca_interval allowed = problem->loss->feasible(data->x.row[i].y);
            double        mean =
                sdca_average_of(&keep->average, i, state->alpha[i], state->steps);

            keep->kept.alpha[i] = fmin(allowed.high, fmax(allowed.low, mean));
        }
        sdca_state_rebuild(comm, problem, data, &keep->kept);
    }
    return &keep->kept;
}

void sdca_keep_evaluated(sdca_keep *keep, const sdca_state *state,
                         const sdca_certificate *certificate)
{
    if (certificate->gap < keep->best.gap) {
        keep->best     = *certificate;
        keep->improved = state->steps;
        keep->owed     = keep->kind == SDCA_KEEP_BEST;
    }
}

void sdca_keep_settle(sdca_keep *keep, const sdca_dataset *data, const sdca_state *state)
{
    if (keep->owed) {
        sdca_state_copy(data, state, &keep->kept);
        keep->owed = false;
    }
}
