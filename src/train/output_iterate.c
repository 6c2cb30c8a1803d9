/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output_iterate.c - which iterate of a run is kept. */
#include "train/output_iterate.h"

#include <math.h>

#include "base/random.h"

sdca_status sdca_output_iterate_create(sdca_output_kind kind, int64_t start_step,
                                       int64_t last_step, uint64_t seed,
                                       const sdca_iterate  *first,
                                       sdca_output_iterate *out)
{
    sdca_status         status = SDCA_OK;
    sdca_output_iterate output = { .kind             = kind,
                                   .start_step       = start_step,
                                   .best_certificate = { .gap = INFINITY } };
    sdca_random stream = sdca_random_stream(seed, SDCA_STREAM_OUTPUT_ITERATE, 0, 0);

    output.copy_pending = kind == SDCA_OUTPUT_BEST; /* the first, before it moves */
    output.selected_step =
        start_step + 1 +
        (int64_t)(sdca_random_uniform(&stream) * (double)(last_step - start_step));
    if (kind == SDCA_OUTPUT_AVERAGE) {
        SDCA_TRY(sdca_iterate_average_create(first->rows, start_step, &output.average));
    }
    SDCA_TRY(sdca_snapshot_create(first, &output.snapshot));
    if (!output.copy_pending) {
        sdca_snapshot_save(first, &output.snapshot);
    }
    *out   = output;
    output = (sdca_output_iterate){ .kind = kind }; /* now the caller's */

done:
    sdca_output_iterate_free(&output);
    return status;
}

void sdca_output_iterate_free(sdca_output_iterate *output)
{
    sdca_iterate_average_free(&output->average);
    sdca_snapshot_free(&output->snapshot);
}

void sdca_output_iterate_after_sgd_start(sdca_output_iterate *output,
                                         const sdca_iterate  *iterate)
{
    for (uint32_t i = 0; output->kind == SDCA_OUTPUT_AVERAGE && i < iterate->rows; i++) {
        sdca_iterate_average_update(&output->average, i, output->snapshot.alpha[i],
                                    iterate->steps);
    }
}

void sdca_output_iterate_after_round(sdca_output_iterate *output,
                                     const sdca_ascent   *ascent,
                                     const sdca_iterate *iterate, int64_t before)
{
    for (uint32_t k = 0; output->kind == SDCA_OUTPUT_AVERAGE && k < ascent->sums.updates;
         k++) {
        sdca_iterate_average_update(&output->average, ascent->update[k].row,
                                    ascent->update[k].alpha_before, iterate->steps);
    }
    if (output->kind == SDCA_OUTPUT_RANDOM && before < output->selected_step &&
        iterate->steps >= output->selected_step) {
        sdca_snapshot_save(iterate, &output->snapshot);
    }
}

bool sdca_output_iterate_available(const sdca_output_iterate *output,
                                   const sdca_iterate        *iterate)
{
    return output->kind == SDCA_OUTPUT_AVERAGE  ? iterate->steps > output->start_step
           : output->kind == SDCA_OUTPUT_RANDOM ? iterate->steps >= output->selected_step
                                                : true;
}

sdca_point sdca_output_iterate_current(MPI_Comm comm, const sdca_objective *objective,
                                       const sdca_dataset  *data,
                                       sdca_output_iterate *output,
                                       const sdca_iterate  *iterate)
{
    sdca_point kept = sdca_snapshot_point(&output->snapshot);

    if (output->kind == SDCA_OUTPUT_BEST || output->kind == SDCA_OUTPUT_LAST ||
        !sdca_output_iterate_available(output, iterate)) {
        return sdca_iterate_point(iterate);
    }
    if (output->kind == SDCA_OUTPUT_AVERAGE) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            sdca_interval allowed = sdca_objective_feasible(objective, data->x.row[i].y);
            double        mean    = sdca_iterate_average_mean(
                          &output->average, i, iterate->row[i].alpha, iterate->steps);

            kept.alpha[i] = fmin(allowed.high, fmax(allowed.low, mean));
        }
        sdca_point_recompute_w(comm, objective, data, kept);
    }
    return kept;
}

void sdca_output_iterate_after_evaluation(sdca_output_iterate    *output,
                                          const sdca_iterate     *iterate,
                                          const sdca_certificate *certificate)
{
    if (certificate->gap < output->best_certificate.gap) {
        output->best_certificate = *certificate;
        output->best_step        = iterate->steps;
        output->copy_pending     = output->kind == SDCA_OUTPUT_BEST;
    }
}

void sdca_output_iterate_copy_best(sdca_output_iterate *output,
                                   const sdca_iterate  *iterate)
{
    if (output->copy_pending) {
        sdca_snapshot_save(iterate, &output->snapshot);
        output->copy_pending = false;
    }
}
