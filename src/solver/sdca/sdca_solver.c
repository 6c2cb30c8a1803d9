/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca_solver.c - distributed SDCA as a method of the trainer.
 *
 * A round is local coordinate ascent on every rank, then one reduction that moves w by
 * the best multiple of the summed changes. */
#include "solver/sdca/sdca_solver.h"

#include <math.h>
#include <stdlib.h>

#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/solvers.h"

static bool loss_is_smooth(const sdca_training *training)
{
    const sdca_objective *objective = training->objective;

    return objective->loss->smoothness(objective->parameter) > 0.0;
}

/* The fraction of the mean gap term below which a row is shrunk: smaller for losses with
 * kinks, whose terms are mostly either 0 or not, than where all terms shrink together. */
static double choose_shrinking_threshold(const sdca_training *training)
{
    const sdca_solver_options *options = &training->options;

    return options->order != SDCA_ROW_ORDER_AUTO || options->outputs_single_steps ? 0.0
           : loss_is_smooth(training) ? tuning_shrinking_fraction_smooth
                                      : tuning_shrinking_fraction_kinked;
}

static void destroy(void *self)
{
    sdca_sdca_solver *s = self;

    if (s != NULL) {
        sdca_ascent_free(&s->ascent);
        free(s);
    }
}

static sdca_status create_local(const sdca_training *training, sdca_iterate *iterate,
                                sdca_sdca_solver *s)
{
    const sdca_solver_options *options   = &training->options;
    double                     threshold = choose_shrinking_threshold(training);
    sdca_status                status    = sdca_ascent_create(
                          training->data, options->order, options->seed, training->rank,
                          training->ranks == 1, threshold, !loss_is_smooth(training), &s->ascent);

    s->training = training;
    s->iterate  = iterate;
    s->shrinks  = threshold > 0.0;
    s->ascent.approximate =
        options->approximate_step && training->objective->loss->approximate_step;
    s->ascent.average = training->ranks == 1 ? training->average : NULL;
    s->aggregation =
        sdca_aggregation_start(options->aggregate, options->sigma, training->ranks);
    s->ascent.sigma = s->aggregation.sigma;
    s->round_length = sdca_round_length_start(
        options->local_steps, !options->deterministic,
        sdca_round_length_input_of(training->objective, training->data, training->ranks,
                                   training->ranks > 1 ? iterate->allreduce.nodes : 1));
    return status;
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status       status = SDCA_OK;
    sdca_sdca_solver *s      = calloc(1, sizeof *s);

    status = s != NULL ? create_local(training, iterate, s)
                       : SDCA_FAIL(SDCA_MEMORY, "no memory for a solver");
    SDCA_TRY(sdca_comm_agree(training->comm, status));
    SDCA_TRY(sdca_aggregation_deflate(training->comm, training->data, &s->ascent,
                                      &s->aggregation));
    *self = s;
    s     = NULL; /* now the caller's */

done:
    destroy(s);
    return status;
}

/* Ranks do not see each other's steps within a round, so w oscillates, which costs more
 * in P than in D. With a larger sigma than is best for D, w settles within a sweep or
 * two. */
static sdca_sigma round_sigma(const sdca_sdca_solver *s, bool conservative)
{
    double     most  = (double)s->aggregation.ranks;
    sdca_sigma sigma = s->aggregation.sigma;

    return conservative
               ? (sdca_sigma){ fmin(most, tuning_conservative_sigma * sigma.orthogonal),
                               fmin(most,
                                    tuning_conservative_sigma * sigma.mean_direction) }
               : sigma;
}

/* This rank's part of all steps, in proportion to its rows. The parts of all ranks add up
 * to all steps. */
static int64_t proportional_steps(const sdca_dataset *data, int64_t steps)
{
    sdca_range mine  = data->local_range;
    double     total = (double)steps, rows = (double)data->rows;

    return (int64_t)rint(total * (double)(mine.first + mine.count) / rows) -
           (int64_t)rint(total * (double)mine.first / rows);
}

/* Steps that this method has not made, such as those of an earlier run on other ranks,
 * count in proportion to the rows. */
static void count_other_steps(sdca_sdca_solver *s)
{
    if (s->iterate->steps != s->counted_steps) {
        s->rank_steps    = proportional_steps(s->training->data, s->iterate->steps);
        s->counted_steps = s->iterate->steps;
    }
}

/* The minimum of steps and the steps left until a step number, if that is ahead. */
static int64_t limit_steps(const sdca_sdca_solver *s, int64_t steps, int64_t number)
{
    int64_t left = number - s->iterate->steps;

    return left > 0 && left < steps ? left : steps;
}

/* The minimum of steps and this rank's part of the steps left until the gap is estimated,
 * if that is neither near the beginning nor the end of the round and saves more time than
 * one more reduction takes. */
static int64_t limit_steps_to_estimate(const sdca_sdca_solver *s, int64_t steps,
                                       int64_t estimate_step)
{
    double  rows         = (double)s->training->data->x.count;
    double  row_fraction = rows / (double)s->training->objective->rows;
    int64_t left =
        (int64_t)ceil((double)(estimate_step - s->iterate->steps) * row_fraction);
    int64_t min_distance = s->training->data->x.count / TUNING_ESTIMATE_EARLY_DIVISOR;
    double  saved        = (double)(steps - left) * s->round_length.pass_seconds;

    return left > min_distance && left + min_distance < steps &&
                   saved > s->round_length.exchange_seconds * rows
               ? left
               : steps;
}

/* The round's fraction of my rows, or of those that are not shrunk. */
static int64_t fraction_steps(sdca_sdca_solver *s)
{
    double rows     = (double)s->training->data->x.count;
    double fraction = s->round_length.fraction;

    return s->round_length.adaptive || (fraction < 1.0 && !s->ascent.single_rank)
               ? sdca_ascent_round_steps(&s->ascent, fraction, s->round_length.adaptive)
               : (int64_t)fmax(1.0, rint(fraction * rows));
}

int64_t sdca_sdca_solver_round_steps(sdca_sdca_solver         *s,
                                     const sdca_round_request *request)
{
    const sdca_solver_options *options = &s->training->options;
    int64_t                    rows    = s->training->data->x.count;
    int64_t                    steps   = fraction_steps(s);
    int64_t                    left    = options->epochs * rows - s->rank_steps;

    steps = options->epochs > 0 && left < steps ? left : steps;
    if (options->local_steps <= 0.0) {
        steps = limit_steps_to_estimate(s, steps, request->estimate_step);
        steps = s->ascent.single_rank ? limit_steps(s, steps, request->evaluation_step)
                                      : steps;
    }
    if (s->ascent.single_rank) {
        steps = limit_steps(s, steps, request->selected_step);
    }
    return rows > 0 ? steps : 0;
}

/* With several ranks the average is over the iterates between rounds; on a single rank,
 * each step updates the average. */
static void update_average(const sdca_sdca_solver *s)
{
    sdca_iterate_average *average = s->training->average;

    for (uint32_t k = 0; average != NULL && k < s->ascent.sums.updates; k++) {
        sdca_iterate_average_update(average, s->ascent.update[k].row,
                                    s->ascent.update[k].alpha_before, s->iterate->steps);
    }
}

static void make_round(void *self, const sdca_round_request *request,
                       sdca_round_report *out)
{
    sdca_sdca_solver     *s         = self;
    const sdca_training  *training  = s->training;
    const sdca_objective *objective = training->objective;
    const sdca_monitor   *monitor   = &training->monitor;
    double                ranks     = (double)training->ranks;
    int64_t               before    = s->iterate->steps;
    double                start, middle;
    int64_t               steps;
    sdca_round_totals     totals;

    count_other_steps(s);
    steps = sdca_sdca_solver_round_steps(s, request);
    start = MPI_Wtime();
    sdca_ascent_run(objective, training->data, s->iterate, &s->ascent,
                    round_sigma(s, request->conservative_sigma), steps);
    middle = MPI_Wtime();
    totals = (sdca_round_totals){
        .clock            = training->rank == 0 ? monitor->clock(monitor->context) : 0.0,
        .compute_seconds  = middle - start,
        .exchange_seconds = s->exchange_seconds,
        .stop_requests    = monitor->stop_requested(monitor->context)
    };
    sdca_aggregation_round(training->comm, objective, s->iterate, &s->ascent,
                           &s->aggregation, steps, &totals);
    sdca_round_length_update(
        &s->round_length, (double)(s->iterate->steps - before) / (double)objective->rows,
        s->aggregation.tight_sigma, s->aggregation.eta, totals.compute_seconds / ranks,
        totals.exchange_seconds / ranks);
    s->exchange_seconds = MPI_Wtime() - middle;
    s->rank_steps += steps;
    s->counted_steps = s->iterate->steps;
    update_average(s);
    *out = (sdca_round_report){ .stop_requested      = totals.stop_requests > 0.0,
                                .clock               = totals.clock,
                                .local_seconds       = middle - start,
                                .communicate_seconds = s->exchange_seconds };
}

/* Every sigma is safe with the line search only: say so if a run without it diverged. */
static sdca_status explain_divergence(const sdca_sdca_solver *s, sdca_status status)
{
    double enough = s->aggregation.eta * s->training->ranks;

    return status != SDCA_DEFECT || s->aggregation.rule == SDCA_AGGREGATION_LINE_SEARCH ||
                   s->aggregation.sigma.orthogonal >= enough
               ? status
               : SDCA_FAIL(SDCA_USAGE,
                           "the run diverges: without a line search sigma must be at "
                           "least %g",
                           enough);
}

/* P, D and gap, measured or certified. The gap terms of all rows show which of them were
 * shrunk in error. */
static sdca_status measure(sdca_sdca_solver *s, sdca_point point, bool certify,
                           double target_gap, sdca_certificate *out)
{
    const sdca_training *training = s->training;
    sdca_shrinking      *shrink   = &s->ascent.shrinking;
    float               *gap_term = shrink->rows > 0 ? shrink->gap_term : NULL;
    sdca_status          status =
        certify
                     ? sdca_duality_gap_certify(training->comm, training->objective,
                                                training->data, point, target_gap, gap_term, out)
                     : sdca_duality_gap_measure(training->comm, training->objective,
                                                training->data, point, gap_term, out);

    if (gap_term != NULL) {
        sdca_shrinking_reactivate(shrink);
    }
    return explain_divergence(s, status);
}

/* The certificate is for w recomputed from alpha. */
static sdca_status certify_point(void *self, sdca_point point, double target_gap,
                                 sdca_certificate *out)
{
    sdca_sdca_solver    *s        = self;
    const sdca_training *training = s->training;

    sdca_point_recompute_w(training->comm, training->objective, training->data, point);
    sdca_iterate_w_changed(s->iterate); /* if the point is the iterate */
    return measure(s, point, true, target_gap, out);
}

static sdca_status evaluate(void *self, sdca_point point,
                            const sdca_evaluation_request *request, sdca_certificate *out,
                            bool *certified)
{
    sdca_sdca_solver *s      = self;
    sdca_status       status = SDCA_OK;

    *certified = false;
    if (!request->may_be_last) {
        SDCA_TRY(measure(s, point, false, request->target_gap, out));
    }
    if (request->may_be_last || sdca_target_is_met(&request->target, out)) {
        *certified = true;
        SDCA_TRY(certify_point(s, point, request->target_gap, out));
    }

done:
    return status;
}

static void controller_fields(sdca_sdca_solver *s, sdca_field_io *io)
{
    sdca_aggregation  *aggregation = &s->aggregation;
    sdca_round_length *length      = &s->round_length;

    sdca_field_io_set_group(io, "controller");
    sdca_field_io_double(io, "sigma-across", &aggregation->sigma.orthogonal);
    sdca_field_io_double(io, "sigma-along", &aggregation->sigma.mean_direction);
    sdca_field_io_double(io, "sigma", &s->ascent.sigma.orthogonal);
    sdca_field_io_double(io, "eta", &aggregation->eta);
    sdca_field_io_double(io, "tight-sigma", &aggregation->tight_sigma);
    sdca_field_io_double(io, "local-steps", &length->fraction);
    sdca_field_io_double(io, "exchange-seconds", &length->exchange_seconds);
    sdca_field_io_double(io, "pass-seconds", &length->pass_seconds);
    sdca_field_io_double(io, "lost-progress", &length->lost_progress);
    sdca_field_io_int64(io, "rounds-since-change", &length->rounds_since_change);
}

/* By row: the streak of small terms and, in the highest bit, whether the row is in the
 * current sweep. */
static void shrinking_fields(sdca_sdca_solver *s, sdca_field_io *io)
{
    sdca_shrinking *shrink = &s->ascent.shrinking;
    uint8_t        *flags  = io->row_flags;

    sdca_field_io_per_rank(io, "ranks/threshold", &shrink->threshold);
    sdca_field_io_per_rank(io, "ranks/sum", &shrink->term_sum);
    sdca_field_io_per_rank(io, "ranks/mean", &shrink->mean_term);
    sdca_field_io_per_rank(io, "ranks/longest", &shrink->max_streak);
    sdca_field_io_set_group(io, "rows");
    sdca_field_io_per_row(io, "rows/term", SDCA_FLOAT32, shrink->gap_term, 1);
    if (io->writing) {
        sdca_row_order_mark_active(&s->ascent.order, flags);
        for (uint32_t i = 0; i < shrink->rows; i++) {
            flags[i] |= shrink->streak[i];
        }
    }
    sdca_field_io_per_row(io, "rows/mark", SDCA_UINT8, flags, 1);
    for (uint32_t i = 0; sdca_field_io_has_read(io) && i < shrink->rows; i++) {
        shrink->streak[i] = flags[i] & 0x7f;
        flags[i] &= 0x80;
        if (shrink->streak[i] > SDCA_SHRINKING_MAX_STREAK &&
            sdca_dataset_weight(s->training->data, i) > 0.0) { /* would never be active */
            sdca_field_io_reject(io, "rows/mark");
        }
    }
}

/* The position of each rank in its sweep. */
static void order_fields(sdca_sdca_solver *s, sdca_field_io *io)
{
    sdca_row_order *order    = &s->ascent.order;
    int64_t         position = order->position;

    sdca_field_io_set_group(io, "ranks");
    sdca_field_io_int64_per_rank(io, "ranks/made", &s->rank_steps);
    sdca_field_io_int64_per_rank(io, "ranks/bytes", &s->iterate->allreduce.bytes_sent);
    sdca_field_io_int64_per_rank(io, "ranks/sweep", &order->sweep);
    sdca_field_io_int64_per_rank(io, "ranks/place", &position);
    s->counted_steps = s->iterate->steps;
    if (s->shrinks) {
        shrinking_fields(s, io);
    }
    if (sdca_field_io_has_read(io) &&
        !sdca_row_order_resume(order, order->sweep, position,
                               s->shrinks ? io->row_flags : NULL)) {
        sdca_field_io_reject(io, "ranks/place");
    }
}

static void fields(void *self, sdca_field_io *io, bool same_schedule)
{
    if (same_schedule) {
        controller_fields(self, io);
        order_fields(self, io);
    }
}

static sdca_solver_state state(const void *self)
{
    const sdca_sdca_solver *s = self;

    return (sdca_solver_state){ .logs_rounds    = true,
                                .eta            = s->aggregation.eta,
                                .sigma          = s->ascent.sigma.orthogonal,
                                .sigma_along    = s->ascent.mean_projection != NULL
                                                      ? s->ascent.sigma.mean_direction
                                                      : NAN,
                                .local_steps    = s->round_length.fraction,
                                .adaptive_sigma = s->aggregation.adaptive,
                                .bytes          = s->iterate->allreduce.bytes_sent };
}

const sdca_solver_ops sdca_solver_sdca = { .name           = "sdca",
                                           .w_of_alpha     = true,
                                           .rounding_level = tuning_rounding_level,
                                           .create         = create,
                                           .destroy        = destroy,
                                           .round          = make_round,
                                           .evaluate       = evaluate,
                                           .certify        = certify_point,
                                           .fields         = fields,
                                           .state          = state };
