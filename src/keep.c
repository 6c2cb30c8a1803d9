/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.c - which iterate of a run is kept. */
#include "sdca/keep.h"

#include <math.h>

#include "sdca/random.h"

sdca_status sdca_keep_create(sdca_keep_kind kind, int64_t from, int64_t last,
                             uint64_t seed, const sdca_dataset *data,
                             const sdca_iterate *first, sdca_keep *out)
{
    sdca_status status = SDCA_OK;
    sdca_keep   keep   = { .kind = kind, .from = from, .best = { .gap = INFINITY } };
    sdca_random stream = sdca_random_stream(seed, SDCA_STREAM_OUTPUT_ITERATE, 0, 0);

    keep.owed = kind == SDCA_KEEP_BEST; /* the first, before it moves */
    keep.drawn =
        from + 1 + (int64_t)(sdca_random_uniform(&stream) * (double)(last - from));
    if (kind == SDCA_KEEP_AVERAGE) {
        SDCA_TRY(sdca_iterate_average_create(data->x.count, from, &keep.average));
    }
    SDCA_TRY(sdca_iterate_allocate(data, &keep.kept));
    if (!keep.owed) {
        sdca_iterate_copy(data, first, &keep.kept);
    }
    *out = keep;
    keep = (sdca_keep){ .kind = kind }; /* now the caller's */

done:
    sdca_keep_free(&keep);
    return status;
}

void sdca_keep_free(sdca_keep *keep)
{
    sdca_iterate_average_free(&keep->average);
    sdca_iterate_free(&keep->kept);
}

void sdca_keep_start(sdca_keep *keep, const sdca_dataset *data,
                     const sdca_iterate *iterate)
{
    for (uint32_t i = 0; keep->kind == SDCA_KEEP_AVERAGE && i < data->x.count; i++) {
        sdca_iterate_average_update(&keep->average, i, keep->kept.alpha[i],
                                    iterate->steps);
    }
}

void sdca_keep_round(sdca_keep *keep, const sdca_dataset *data, const sdca_ascent *local,
                     const sdca_iterate *iterate, int64_t before)
{
    for (uint32_t k = 0; keep->kind == SDCA_KEEP_AVERAGE && k < local->sums.updates;
         k++) {
        sdca_iterate_average_update(&keep->average, local->update[k].row,
                                    local->update[k].alpha_before, iterate->steps);
    }
    if (keep->kind == SDCA_KEEP_RANDOM && before < keep->drawn &&
        iterate->steps >= keep->drawn) {
        sdca_iterate_copy(data, iterate, &keep->kept);
    }
}

bool sdca_keep_is_ready(const sdca_keep *keep, const sdca_iterate *iterate)
{
    return keep->kind == SDCA_KEEP_AVERAGE  ? iterate->steps > keep->from
           : keep->kind == SDCA_KEEP_RANDOM ? iterate->steps >= keep->drawn
                                            : true;
}

sdca_iterate *sdca_keep_candidate(MPI_Comm comm, const sdca_objective *objective,
                                  const sdca_dataset *data, sdca_keep *keep,
                                  sdca_iterate *iterate)
{
    if (keep->kind == SDCA_KEEP_BEST || keep->kind == SDCA_KEEP_LAST ||
        !sdca_keep_is_ready(keep, iterate)) {
        return iterate;
    }
    if (keep->kind == SDCA_KEEP_AVERAGE) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            sdca_interval allowed = objective->loss->feasible(data->x.row[i].y);
            double mean = sdca_iterate_average_mean(&keep->average, i, iterate->alpha[i],
                                                    iterate->steps);

            keep->kept.alpha[i] = fmin(allowed.high, fmax(allowed.low, mean));
        }
        sdca_iterate_recompute_w(comm, objective, data, &keep->kept);
    }
    return &keep->kept;
}

void sdca_keep_evaluated(sdca_keep *keep, const sdca_iterate *iterate,
                         const sdca_certificate *certificate)
{
    if (certificate->gap < keep->best.gap) {
        keep->best     = *certificate;
        keep->improved = iterate->steps;
        keep->owed     = keep->kind == SDCA_KEEP_BEST;
    }
}

void sdca_keep_settle(sdca_keep *keep, const sdca_dataset *data,
                      const sdca_iterate *iterate)
{
    if (keep->owed) {
        sdca_iterate_copy(data, iterate, &keep->kept);
        keep->owed = false;
    }
}
