/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output_iterate.c - which iterate of a run becomes the model. */
#include "train/output_iterate.h"

#include <math.h>

#include "base/random.h"
#include "train/iterate_fields.h"

const char *const sdca_output_names[SDCA_OUTPUT_COUNT] = { [SDCA_OUTPUT_BEST] = "best",
                                                           [SDCA_OUTPUT_LAST] = "last",
                                                           [SDCA_OUTPUT_AVERAGE] =
                                                               "average",
                                                           [SDCA_OUTPUT_RANDOM] =
                                                               "random" };

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

    output.copy_pending = kind == SDCA_OUTPUT_BEST; /* the initial iterate */
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
                                     const sdca_iterate *iterate, int64_t steps_before)
{
    if (output->kind == SDCA_OUTPUT_RANDOM && steps_before < output->selected_step &&
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
            sdca_interval allowed = sdca_objective_feasible(
                objective, sdca_objective_label(objective, data->x.row[i].y));
            double mean = sdca_iterate_average_mean(
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

bool sdca_output_iterate_fields(sdca_output_iterate *output, const sdca_iterate *iterate,
                                const sdca_objective *objective, sdca_field_io *io)
{
    const sdca_point_names names = { .alpha = "kept/alpha", .w = "kept/w" };
    int                    kind  = (int)output->kind;
    int64_t start_step = output->start_step, selected_step = output->selected_step;
    bool    reached = kind != SDCA_OUTPUT_BEST && kind != SDCA_OUTPUT_LAST &&
                   sdca_output_iterate_available(output, iterate);

    sdca_field_io_set_group(io, "kept");
    sdca_field_io_enum(io, "kind", sdca_output_names, SDCA_OUTPUT_COUNT, &kind);
    sdca_field_io_int64(io, "start-step", &start_step);
    sdca_field_io_int64(io, "selected-step", &selected_step);
    sdca_field_io_bool(io, "reached", &reached); /* for readers of the model */
    if (kind != (int)output->kind ||
        (kind == SDCA_OUTPUT_AVERAGE && start_step != output->start_step) ||
        (kind == SDCA_OUTPUT_RANDOM && selected_step != output->selected_step)) {
        return false;
    }
    sdca_field_io_certificate(io, &output->best_certificate);
    sdca_field_io_int64(io, "best-step", &output->best_step);
    if (kind == SDCA_OUTPUT_AVERAGE) {
        sdca_field_io_per_row(io, "kept/sum", SDCA_FLOAT64, output->average.sum, 1);
        sdca_field_io_per_row(io, "kept/since", SDCA_INT64, output->average.next, 1);
    } else if (kind != SDCA_OUTPUT_LAST) {
        sdca_point_fields(objective, sdca_snapshot_point(&output->snapshot), names, io);
    }
    output->copy_pending = output->copy_pending && io->writing;
    return true;
}
