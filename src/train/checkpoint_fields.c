/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_fields.c - the fields of a checkpoint: what of a run is written, and read
 * again. */
#include "train/checkpoint_fields.h"

#include <math.h>

static void certificate_fields(sdca_field_io *io, sdca_certificate *certificate)
{
    sdca_field_io_double(io, "primal", &certificate->primal);
    sdca_field_io_double(io, "dual", &certificate->dual);
    sdca_field_io_double(io, "gap", &certificate->gap);
}

/* alpha must be feasible, w and its square finite. */
static void check_point(const sdca_training_run *r, sdca_field_io *io, sdca_point point,
                        const char *alpha_name, const char *w_name)
{
    bool feasible = true, finite = true;

    if (io->writing || io->status != SDCA_OK) {
        return;
    }
    for (uint32_t i = 0; i < r->data->x.count; i++) {
        sdca_interval allowed =
            sdca_objective_feasible(r->objective, r->data->x.row[i].y);
        double alpha = point.alpha[i * point.alpha_stride];

        feasible =
            feasible && isfinite(alpha) && alpha >= allowed.low && alpha <= allowed.high;
    }
    for (int32_t j = 0; j < r->data->columns; j++) {
        finite = finite && isfinite(point.w[j] * point.w[j]);
    }
    if (!feasible || !finite) {
        sdca_field_io_reject(io, feasible ? w_name : alpha_name);
    }
}

void sdca_checkpoint_fields_iterate(sdca_training_run *r, sdca_field_io *io,
                                    int64_t *solver)
{
    sdca_iterate *iterate = r->iterate;
    sdca_point    point   = sdca_iterate_point(iterate);

    sdca_field_io_int64(io, "round", &iterate->round);
    sdca_field_io_int64(io, "steps", &iterate->steps);
    sdca_field_io_double(io, "seconds", &r->elapsed);
    sdca_field_io_int64(io, "solver", solver);
    sdca_field_io_alpha(io, "alpha", point);
    if (!io->writing) { /* it stands where a model's does */
        sdca_field_io_per_column(io, "w", iterate->w);
        sdca_iterate_w_changed(iterate);
    }
    check_point(r, io, point, "alpha", "w");
}

void sdca_checkpoint_fields_sgd(sdca_training_run *r, sdca_field_io *io)
{
    int64_t place = r->sgd.order.position;

    sdca_field_io_set_group(io, "sgd");
    sdca_field_io_int64(io, "t", &r->sgd.t);
    sdca_field_io_int64(io, "sweep", &r->sgd.order.sweep);
    sdca_field_io_int64(io, "place", &place);
    sdca_field_io_per_column(io, "sgd/v", r->sgd.v);
    if (!io->writing &&
        !sdca_row_order_resume(&r->sgd.order, r->sgd.order.sweep, place, NULL)) {
        sdca_field_io_reject(io, "sgd/place");
    }
}

void sdca_checkpoint_fields_newton(sdca_training_run *r, sdca_field_io *io)
{
    sdca_newton *newton  = &r->newton;
    int64_t      weighed = newton->has_system || newton->system_resumed;

    sdca_field_io_set_group(io, "newton");
    sdca_field_io_double(io, "width", &newton->rows.smoothing_width);
    sdca_field_io_double(io, "widest", &newton->rows.initial_width);
    sdca_field_io_double(io, "best", &newton->best_gap);
    sdca_field_io_int64(io, "since", &newton->rounds_since_best);
    sdca_field_io_double(io, "decrease", &newton->predicted_decrease);
    sdca_field_io_double(io, "former", &newton->previous_decrease);
    sdca_field_io_int64(io, "bytes", &newton->bytes);
    sdca_field_io_int64(io, "weighed", &weighed);
    certificate_fields(io, &newton->certificate);
    if (!io->writing) {
        newton->has_system = weighed != 0;
        sdca_newton_resume(r->objective, r->data, r->iterate, newton);
    }
}

bool sdca_checkpoint_fields_output(sdca_training_run *r, sdca_field_io *io)
{
    sdca_output_iterate *output = &r->output;
    int64_t              kind = output->kind, start_step = output->start_step,
            selected_step = output->selected_step;

    sdca_field_io_set_group(io, "kept");
    sdca_field_io_int64(io, "kind", &kind);
    sdca_field_io_int64(io, "from", &start_step);
    sdca_field_io_int64(io, "drawn", &selected_step);
    if (kind != (int64_t)output->kind ||
        (kind == SDCA_OUTPUT_AVERAGE && start_step != output->start_step) ||
        (kind == SDCA_OUTPUT_RANDOM && selected_step != output->selected_step)) {
        return false;
    }
    certificate_fields(io, &output->best_certificate);
    sdca_field_io_int64(io, "improved", &output->best_step);
    if (kind == SDCA_OUTPUT_AVERAGE) {
        sdca_field_io_per_row(io, "kept/sum", SDCA_FLOAT64, output->average.sum);
        sdca_field_io_per_row(io, "kept/since", SDCA_INT64, output->average.next);
    } else if (kind != SDCA_OUTPUT_LAST) {
        sdca_point kept = sdca_snapshot_point(&output->snapshot);

        sdca_field_io_alpha(io, "kept/alpha", kept);
        sdca_field_io_per_column(io, "kept/w", kept.w);
        check_point(r, io, kept, "kept/alpha", "kept/w");
    }
    output->copy_pending = output->copy_pending && io->writing;
    return true;
}

/* With another target it is time to look, whatever the plan was. */
static void target_fields(sdca_training_run *r, sdca_field_io *io)
{
    double gap = r->options->gap, rel_gap = r->options->rel_gap;

    sdca_field_io_double(io, "target", &gap);
    sdca_field_io_double(io, "relative-target", &rel_gap);
    if (gap != r->options->gap || rel_gap != r->options->rel_gap) {
        r->next_estimate_step = 0;
        r->conservative_sigma = false;
    }
}

void sdca_checkpoint_fields_controllers(sdca_training_run *r, sdca_field_io *io)
{
    sdca_aggregation  *aggregate = &r->aggregation;
    sdca_round_length *pace      = &r->round_length;

    sdca_field_io_set_group(io, "controller");
    sdca_field_io_double(io, "sigma-across", &aggregate->sigma.orthogonal);
    sdca_field_io_double(io, "sigma-along", &aggregate->sigma.mean_direction);
    sdca_field_io_double(io, "sigma", &r->ascent.sigma.orthogonal);
    sdca_field_io_double(io, "eta", &aggregate->eta);
    sdca_field_io_double(io, "tight", &aggregate->tight_sigma);
    sdca_field_io_double(io, "local-steps", &pace->fraction);
    sdca_field_io_double(io, "ahead", &r->sweep_fraction_left);
    sdca_field_io_double(io, "exchange", &pace->exchange_seconds);
    sdca_field_io_double(io, "pass", &pace->pass_seconds);
    sdca_field_io_double(io, "costs", &pace->lost_progress);
    sdca_field_io_int64(io, "rounds", &pace->rounds_since_change);
    certificate_fields(io, &r->last_certificate);
    sdca_field_io_double(io, "rounding", &r->rounding_bound);
    sdca_field_io_int64(io, "evaluated", &r->evaluated_round);
    sdca_field_io_int64(io, "due", &r->next_evaluation_step);
    sdca_field_io_double(io, "highest", &r->best_dual);
    sdca_field_io_int64(io, "risen", &r->best_dual_step);
    sdca_field_io_double(io, "seen-primal", &r->primal_estimate);
    sdca_field_io_double(io, "seen-gap", &r->forecast.gap);
    sdca_field_io_double(io, "seen-epoch", &r->forecast.epoch);
    sdca_field_io_double(io, "rate", &r->forecast.decay_rate);
    sdca_field_io_int64(io, "look", &r->next_estimate_step);
    sdca_field_io_bool(io, "settles", &r->conservative_sigma);
    sdca_field_io_double(io, "within", &r->conservative_gap_ratio);
    target_fields(r, io);
}

static void int64_per_rank(sdca_field_io *io, const char *name, int64_t *x)
{
    double number = (double)*x;

    sdca_field_io_per_rank(io, name, &number);
    if (fabs(number) <= 9007199254740992.0) { /* 2^53 */
        *x = (int64_t)number;
    } else {
        sdca_field_io_reject(io, name);
    }
}

void sdca_checkpoint_fields_row_order(sdca_training_run *r, sdca_field_io *io,
                                      uint8_t *row_flags)
{
    sdca_shrinking *rest  = &r->ascent.shrinking;
    sdca_row_order *order = &r->ascent.order;
    int64_t         place = order->position;

    sdca_field_io_set_group(io, "ranks");
    int64_per_rank(io, "ranks/made", &r->rank_steps);
    int64_per_rank(io, "ranks/bytes", &r->iterate->allreduce.bytes_sent);
    int64_per_rank(io, "ranks/sweep", &order->sweep);
    int64_per_rank(io, "ranks/place", &place);
    if (r->shrinking) {
        sdca_field_io_per_rank(io, "ranks/threshold", &rest->threshold);
        sdca_field_io_per_rank(io, "ranks/sum", &rest->term_sum);
        sdca_field_io_per_rank(io, "ranks/mean", &rest->mean_term);
        sdca_field_io_per_rank(io, "ranks/longest", &rest->max_streak);
        sdca_field_io_set_group(io, "rows");
        sdca_field_io_per_row(io, "rows/term", SDCA_FLOAT32, rest->gap_term);
        if (io->writing) {
            sdca_row_order_mark_active(order, row_flags);
            for (uint32_t i = 0; i < rest->rows; i++) {
                row_flags[i] |= rest->streak[i];
            }
        }
        sdca_field_io_per_row(io, "rows/mark", SDCA_UINT8, row_flags);
    }
    if (io->writing || io->status != SDCA_OK) {
        return;
    }
    for (uint32_t i = 0; i < rest->rows; i++) {
        rest->streak[i] = row_flags[i] & 0x7f;
        row_flags[i] &= 0x80;
        if (rest->streak[i] > SDCA_SHRINKING_MAX_STREAK) { /* it would never be due */
            sdca_field_io_reject(io, "rows/mark");
        }
    }
    if (!sdca_row_order_resume(order, order->sweep, place,
                               r->shrinking ? row_flags : NULL)) {
        sdca_field_io_reject(io, "ranks/place");
    }
}
