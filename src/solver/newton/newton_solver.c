/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_solver.c - the Newton method as a method of the trainer. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/newton/newton.h"
#include "solver/solvers.h"

typedef struct newton_solver {
    const sdca_training *training;
    sdca_iterate        *iterate;
    sdca_newton          newton;
    double              *dual_w; /* space for w(alpha) */
} newton_solver;

static void destroy(void *self)
{
    newton_solver *s = self;

    if (s != NULL) {
        sdca_newton_free(&s->newton);
        free(s->dual_w);
        free(s);
    }
}

static sdca_status create_local(const sdca_training *training,
                                const sdca_iterate *iterate, newton_solver *s)
{
    const sdca_dataset *data = training->data;

    if (training->options.outputs_single_steps || training->options.sgd_start) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method has no average and no random iterate, and no "
                         "start with SGD");
    }
    if (data->columns > SDCA_NEWTON_MAX_COLUMNS) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method is for at most %d columns, not for %ld",
                         SDCA_NEWTON_MAX_COLUMNS, (long)data->columns);
    }
    s->dual_w = sdca_alloc_array((size_t)data->columns, sizeof *s->dual_w);
    return s->dual_w != NULL
               ? sdca_newton_create(data, iterate, &s->newton)
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns", (long)data->columns);
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status    status = SDCA_OK;
    newton_solver *s      = calloc(1, sizeof *s);

    status = s != NULL ? create_local(training, iterate, s)
                       : SDCA_FAIL(SDCA_MEMORY, "no memory for a solver");
    SDCA_TRY(sdca_comm_agree(training->comm, status));
    s->training = training;
    s->iterate  = iterate;
    *self       = s;
    s           = NULL; /* now the caller's */

done:
    destroy(s);
    return status;
}

/* A round may take minutes: it reports progress, and any rank may stop it. */
static sdca_newton_votes vote(void *context)
{
    const sdca_training *training = context;
    const sdca_monitor  *monitor  = &training->monitor;
    double clock = training->rank == 0 ? monitor->clock(monitor->context) : 0.0;

    monitor->on_progress(monitor->context);
    return (sdca_newton_votes){ .clock = clock,
                                .stop_requested =
                                    monitor->stop_requested(monitor->context),
                                .out_of_time = monitor->out_of_time(monitor->context) };
}

static void make_round(void *self, const sdca_round_request *request,
                       sdca_round_report *out)
{
    newton_solver           *s        = self;
    const sdca_training     *training = s->training;
    const sdca_newton_votes *votes    = &s->newton.total_votes;
    double                   start    = MPI_Wtime();
    double                   before   = s->newton.mpi_seconds;
    bool                     finished = sdca_newton_round(
                            training->comm, training->objective, training->data, &s->newton,
                            request->target_gap, s->iterate,
                            (sdca_newton_callback){ .context = (void *)training, .vote = vote });
    double exchange = s->newton.mpi_seconds - before;

    *out = (sdca_round_report){ .abandoned           = !finished,
                                .stop_requested      = votes->stop_requested > 0.0,
                                .out_of_time         = votes->out_of_time > 0.0,
                                .clock               = votes->clock,
                                .local_seconds       = MPI_Wtime() - start - exchange,
                                .communicate_seconds = exchange };
}

static sdca_status certify(void *self, int model, sdca_point point,
                           const sdca_gap_evaluation_request *request,
                           sdca_certificate                  *out)
{
    newton_solver       *s        = self;
    const sdca_training *training = s->training;

    (void)model;
    return sdca_duality_gap_certify_pair(training->comm, training->objective,
                                         training->data, point, &request->target,
                                         s->dual_w, out);
}

/* A round ends with P, D and gap of all rows, without a bound on rounding errors. Before
 * the first round the iterate may be from an earlier run of this method, or for another
 * lambda, whose w is not w(alpha). */
static sdca_status evaluate(void *self, sdca_model_evaluation *evaluation)
{
    newton_solver        *s         = self;
    const sdca_training  *training  = s->training;
    const sdca_objective *objective = training->objective;
    const sdca_dataset   *data      = training->data;

    evaluation->certified = false;
    if (!sdca_newton_has_started(&s->newton)) {
        evaluation->certified = s->iterate->round > 0 || s->iterate->of_other_lambda;
        return evaluation->certified
                   ? certify(s, 0, evaluation->point, &evaluation->request,
                             &evaluation->certificate)
                   : sdca_duality_gap_measure(training->comm, objective, data,
                                              evaluation->point, NULL,
                                              &evaluation->certificate);
    }
    if (data->intercept) { /* the gap is defined for balanced alpha only */
        evaluation->certified = true;
        return certify(s, 0, evaluation->point, &evaluation->request,
                       &evaluation->certificate);
    }
    evaluation->certificate = s->newton.certificate;
    if (!evaluation->request.may_be_last &&
        !sdca_target_is_met(&evaluation->request.target, &evaluation->certificate)) {
        return SDCA_OK;
    }
    evaluation->certified = true;
    return sdca_newton_certify(objective, data, &s->newton, evaluation->point.w,
                               training->ranks, &evaluation->certificate) &&
                   !sdca_duality_gap_rounding_dominates(&evaluation->certificate,
                                                        &evaluation->request.target)
               ? SDCA_OK
               : certify(s, 0, evaluation->point, &evaluation->request,
                         &evaluation->certificate);
}

static void fields(void *self, sdca_field_io *io, bool same_schedule)
{
    newton_solver *s          = self;
    sdca_newton   *newton     = &s->newton;
    bool           has_system = newton->has_system || newton->system_resumed;

    (void)same_schedule;
    sdca_field_io_set_group(io, "newton");
    sdca_field_io_double(io, "smoothing-width", &newton->linearization.smoothing_width);
    sdca_field_io_double(io, "initial-width", &newton->linearization.initial_width);
    sdca_field_io_double(io, "best-gap", &newton->best_gap);
    sdca_field_io_int64(io, "rounds-since-best", &newton->rounds_since_best);
    sdca_field_io_double(io, "predicted-decrease", &newton->predicted_decrease);
    sdca_field_io_double(io, "previous-decrease", &newton->previous_decrease);
    sdca_field_io_int64(io, "bytes", &newton->bytes);
    sdca_field_io_bool(io, "has-system", &has_system);
    sdca_field_io_certificate(io, &newton->certificate);
    if (!io->writing) {
        newton->has_system = has_system;
        sdca_newton_resume(s->training->objective, s->training->data, s->iterate, newton);
    }
}

/* A round visits all rows of a rank. */
static sdca_solver_state state(const void *self, int model)
{
    (void)model;
    const newton_solver *s = self;

    return (sdca_solver_state){ .eta         = NAN,
                                .sigma       = NAN,
                                .sigma_along = NAN,
                                .local_steps = NAN,
                                .bytes       = s->newton.bytes };
}

static bool has_failed(const void *self)
{
    const newton_solver *s = self;

    return sdca_newton_has_stalled(&s->newton);
}

const sdca_solver_ops sdca_solver_newton = { .name                 = "newton",
                                             .evaluates_each_round = true,
                                             .rounding_level =
                                                 tuning_newton_rounding_level,
                                             .create     = create,
                                             .destroy    = destroy,
                                             .round      = make_round,
                                             .evaluate   = evaluate,
                                             .certify    = certify,
                                             .fields     = fields,
                                             .state      = state,
                                             .has_failed = has_failed };
