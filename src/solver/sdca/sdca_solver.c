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
#include "objective/intercept.h"
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
                                sdca_touched_lines touched, sdca_sdca_solver *s)
{
    const sdca_solver_options *options   = &training->options;
    double                     threshold = choose_shrinking_threshold(training);
    sdca_ascent_options        ascent    = { .models             = training->models,
                                             .order              = options->order,
                                             .seed               = options->seed,
                                             .rank               = training->rank,
                                             .single_rank        = training->ranks == 1,
                                             .shrinking_fraction = threshold,
                                             .only_unmoved = !loss_is_smooth(training) };
    sdca_status status = sdca_ascent_create(training->data, &ascent, &s->ascent);

    s->training = training;
    s->iterate  = iterate;
    s->shrinks  = threshold > 0.0;
    s->ascent.approximate =
        options->approximate_step && training->objective->loss->approximate_step;
    s->ascent.average = training->ranks == 1 ? training->average : NULL;
    for (int m = 0; m < training->models; m++) {
        if (status == SDCA_OK && training->objective[m].held_out > 0) {
            sdca_shrinking_leave_out_fold(&s->ascent.shrinking, m, training->data->fold,
                                          training->objective[m].held_out - 1);
        }
        s->aggregation[m] =
            sdca_aggregation_start(options->aggregate, options->sigma, training->ranks);
        s->ascent.sigma[m] = s->aggregation[m].sigma;
    }
    s->round_length = sdca_round_length_start(
        options->local_steps, !options->deterministic,
        sdca_round_length_input_of(training->objective, training->data, training->ranks,
                                   training->ranks > 1 ? iterate->allreduce->nodes : 1,
                                   iterate->lanes, touched));
    return status;
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status        status = SDCA_OK;
    sdca_sdca_solver  *s      = calloc(1, sizeof *s);
    sdca_touched_lines touched =
        sdca_touched_lines_estimate(training->comm, training->data, iterate->lanes);

    status = s != NULL ? create_local(training, iterate, touched, s)
                       : SDCA_FAIL(SDCA_MEMORY, "no memory for a solver");
    SDCA_TRY(sdca_comm_agree(training->comm, status));
    SDCA_TRY(sdca_aggregation_deflate(training->comm, training->data, &s->ascent,
                                      &s->aggregation[0]));
    *self = s;
    s     = NULL; /* now the caller's */

done:
    destroy(s);
    return status;
}

/* Ranks do not see each other's steps within a round, so w oscillates, which costs more
 * in P than in D. With a larger sigma than is best for D, w settles within a sweep or
 * two. */
static sdca_sigma round_sigma(const sdca_aggregation *aggregation, bool conservative)
{
    double     most  = (double)aggregation->ranks;
    sdca_sigma sigma = aggregation->sigma;

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
    for (int m = 0; m < s->training->models; m++) {
        if (s->iterate[m].steps != s->counted_steps[m]) {
            s->rank_steps[m] = proportional_steps(s->training->data, s->iterate[m].steps);
            s->counted_steps[m] = s->iterate[m].steps;
        }
    }
}

/* The minimum of steps and the steps left until a step number, if that is ahead. */
static int64_t limit_steps(const sdca_iterate *iterate, int64_t steps, int64_t number)
{
    int64_t left = number - iterate->steps;

    return left > 0 && left < steps ? left : steps;
}

/* The minimum of steps and this rank's part of the steps left until the gap is estimated,
 * if that is neither near the beginning nor the end of the round and saves more time than
 * one more reduction takes. */
static int64_t limit_steps_to_estimate(const sdca_sdca_solver *s, int m, int64_t steps,
                                       int64_t estimate_step)
{
    double  rows         = (double)s->training->data->x.count;
    double  row_fraction = rows / (double)s->training->objective->rows;
    int64_t left =
        (int64_t)ceil((double)(estimate_step - s->iterate[m].steps) * row_fraction);
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

/* This rank's part of the steps that are left of the budget of a model. With several
 * models it is not what this rank itself has left: the shortest part limits the visits
 * for all models, and a rank may have no row for one of them, as of a fold. Where there
 * is budget there is at least a step, so that every round comes nearer to its end. */
static int64_t steps_left(const sdca_sdca_solver *s, int m)
{
    const sdca_training *training = s->training;
    int64_t              epochs   = training->options.epochs;
    int64_t              part;

    if (training->models == 1) {
        return epochs * training->data->x.count - s->rank_steps[m];
    }
    part = proportional_steps(training->data,
                              epochs * training->objective[m].rows - s->iterate[m].steps);
    return part > 1 ? part : 1;
}

/* The minimum of steps, of those that the budget of a model leaves, and of those until
 * the points that its request names. */
static int64_t limit_steps_of_model(const sdca_sdca_solver *s, int m, int64_t steps,
                                    const sdca_round_request *request)
{
    const sdca_solver_options *options = &s->training->options;
    int64_t                    left    = steps_left(s, m);

    steps = options->epochs > 0 && left < steps ? left : steps;
    if (options->local_steps <= 0.0) {
        steps = limit_steps_to_estimate(s, m, steps, request->estimate_step);
        steps = s->ascent.single_rank
                    ? limit_steps(&s->iterate[m], steps, request->evaluation_step)
                    : steps;
    }
    return s->ascent.single_rank
               ? limit_steps(&s->iterate[m], steps, request->selected_step)
               : steps;
}

int64_t sdca_sdca_solver_round_steps(sdca_sdca_solver         *s,
                                     const sdca_round_request *request)
{
    int64_t steps = fraction_steps(s);

    for (int m = 0; m < s->training->models; m++) {
        steps =
            request[m].active ? limit_steps_of_model(s, m, steps, &request[m]) : steps;
    }
    return s->training->data->x.count > 0 ? steps : 0;
}

/* With several ranks the average is over the iterates between rounds; on a single rank,
 * each step updates the average. */
static void update_average(const sdca_sdca_solver *s)
{
    sdca_iterate_average *average = s->training->average;

    for (size_t k = 0; average != NULL && k < s->ascent.updates; k++) {
        sdca_iterate_average_update(average, s->ascent.update[k].row,
                                    s->ascent.update[k].alpha_before, s->iterate->steps);
    }
}

/* What the rounds of the models that took part say about their length, in the mean. */
static void update_round_length(sdca_sdca_solver *s, const sdca_round_request *request,
                                const sdca_round_totals *totals)
{
    double ranks       = (double)s->training->ranks;
    double tight_sigma = 0.0, eta = 0.0, active = 0.0;

    for (int m = 0; m < s->training->models; m++) {
        if (request[m].active) {
            tight_sigma += s->aggregation[m].tight_sigma;
            eta += s->aggregation[m].eta;
            active += 1.0;
        }
    }
    sdca_round_length_update(
        &s->round_length, totals->visits / (double)s->training->objective->rows,
        tight_sigma / active, eta / active, totals->compute_seconds / ranks,
        totals->exchange_seconds / ranks);
}

/* The models that take part in the round, as bits. */
static unsigned active_models(const sdca_training      *training,
                              const sdca_round_request *request)
{
    unsigned active = 0;

    for (int m = 0; m < training->models; m++) {
        active |= (unsigned)request[m].active << m;
    }
    return active;
}

/* With an intercept, the penalty of the constant column moves along with it. */
static void move_centres(sdca_sdca_solver *s, const sdca_round_request *request)
{
    if (!s->training->data->intercept) {
        return;
    }
    for (int m = 0; m < s->training->models; m++) {
        if (request[m].active) {
            sdca_intercept_move_centre(&s->iterate[m]);
        }
    }
    sdca_iterate_intercept_changed(s->iterate);
}

static void make_round(void *self, const sdca_round_request *request,
                       sdca_round_report *out)
{
    sdca_sdca_solver     *s         = self;
    const sdca_training  *training  = s->training;
    const sdca_objective *objective = training->objective;
    const sdca_monitor   *monitor   = &training->monitor;
    sdca_sigma            sigma[SDCA_MAX_LANES];
    double                start, middle;
    int64_t               visits;
    sdca_round_totals     totals;

    for (int m = 0; m < training->models; m++) {
        sigma[m] = round_sigma(&s->aggregation[m], request[m].conservative_sigma);
    }
    s->ascent.order.lanes = active_models(training, request);
    count_other_steps(s);
    visits = sdca_sdca_solver_round_steps(s, request);
    start  = MPI_Wtime();
    visits =
        sdca_ascent_run(objective, training->data, s->iterate, &s->ascent, sigma, visits);
    middle = MPI_Wtime();
    totals = (sdca_round_totals){
        .clock            = training->rank == 0 ? monitor->clock(monitor->context) : 0.0,
        .compute_seconds  = middle - start,
        .exchange_seconds = s->exchange_seconds,
        .stop_requests    = monitor->stop_requested(monitor->context),
        .visits           = (double)visits
    };
    sdca_aggregation_round(training->comm, objective, s->iterate, &s->ascent,
                           s->aggregation, &totals);
    move_centres(s, request);
    update_round_length(s, request, &totals);
    s->exchange_seconds = MPI_Wtime() - middle;
    for (int m = 0; m < training->models; m++) {
        s->rank_steps[m] += s->ascent.steps[m];
        s->counted_steps[m] = s->iterate[m].steps;
    }
    update_average(s);
    *out = (sdca_round_report){ .stop_requested      = totals.stop_requests > 0.0,
                                .clock               = totals.clock,
                                .local_seconds       = middle - start,
                                .communicate_seconds = s->exchange_seconds };
}

static sdca_solver_state state(const void *self, int model)
{
    const sdca_sdca_solver *s        = self;
    const sdca_ascent      *ascent   = &s->ascent;
    const sdca_sigma       *sigma    = &ascent->sigma[model];
    bool                    deflated = ascent->mean_projection != NULL;
    int64_t bytes = s->iterate->allreduce != NULL ? s->iterate->allreduce->bytes_sent : 0;

    return (sdca_solver_state){ .logs_rounds    = true,
                                .eta            = s->aggregation[model].eta,
                                .sigma          = sigma->orthogonal,
                                .sigma_along    = deflated ? sigma->mean_direction : NAN,
                                .local_steps    = s->round_length.fraction,
                                .adaptive_sigma = s->aggregation[model].adaptive,
                                .bytes          = bytes };
}

const sdca_solver_ops sdca_solver_sdca = { .name           = "sdca",
                                           .many_models    = true,
                                           .w_of_alpha     = true,
                                           .rounding_level = tuning_rounding_level,
                                           .create         = create,
                                           .destroy        = destroy,
                                           .round          = make_round,
                                           .evaluate       = sdca_sdca_solver_evaluate,
                                           .certify        = sdca_sdca_solver_certify,
                                           .fields         = sdca_sdca_solver_fields,
                                           .state          = state };
