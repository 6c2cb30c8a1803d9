/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eg_solver.c - the exponentiated gradient as a method of the trainer, on one rank. */
#include <math.h>
#include <stdlib.h>

#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/eg/eg.h"
#include "solver/serial_round.h"
#include "solver/solvers.h"

typedef struct eg_solver {
    const sdca_training *training;
    sdca_iterate        *iterate;
    sdca_eg              eg;
} eg_solver;

static void destroy(void *self)
{
    eg_solver *s = self;

    if (s != NULL) {
        sdca_eg_free(&s->eg);
        free(s);
    }
}

static sdca_status create_local(const sdca_training *training, sdca_iterate *iterate,
                                eg_solver *s)
{
    const sdca_solver_options *options = &training->options;
    sdca_status                status  = SDCA_OK;

    SDCA_TRY(sdca_serial_round_check_ranks(training, "the exponentiated gradient"));
    SDCA_TRY(sdca_serial_round_check_options(training, "the exponentiated gradient"));
    SDCA_TRY(sdca_eg_create(training->objective, training->data, options->seed, iterate,
                            &s->eg));
    sdca_iterate_w_changed(iterate);

done:
    return status;
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status status = SDCA_OK;
    eg_solver  *s      = calloc(1, sizeof *s);

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

static void make_round(void *self, const sdca_round_request *request,
                       sdca_round_report *out)
{
    eg_solver           *s        = self;
    const sdca_training *training = s->training;
    double               start    = training->monitor.clock(training->monitor.context);
    int64_t              steps = sdca_serial_round_steps(training, s->iterate, request);

    sdca_eg_run(training->objective, training->data, &s->eg, steps, s->iterate);
    sdca_iterate_w_changed(s->iterate);
    sdca_serial_round_finish(training, start, steps, s->iterate, out);
}

/* w is recomputed from alpha first. Collective. */
static sdca_status certify(void *self, int model, sdca_point point,
                           const sdca_gap_evaluation_request *request,
                           sdca_certificate                  *out)
{
    eg_solver           *s        = self;
    const sdca_training *training = s->training;

    (void)model;
    sdca_point_recompute_w(training->comm, training->objective, training->data, point);
    sdca_iterate_w_changed(s->iterate); /* if the point is the iterate */
    return sdca_duality_gap_certify(training->comm, training->objective, training->data,
                                    point, &request->target, NULL, out);
}

static sdca_status evaluate(void *self, sdca_model_evaluation *evaluation)
{
    eg_solver           *s        = self;
    const sdca_training *training = s->training;
    sdca_status          status   = SDCA_OK;

    evaluation->certified = evaluation->request.may_be_last;
    if (!evaluation->request.may_be_last) {
        SDCA_TRY(sdca_duality_gap_measure(training->comm, training->objective,
                                          training->data, evaluation->point, NULL,
                                          &evaluation->certificate));
        evaluation->certified =
            sdca_target_is_met(&evaluation->request.target, &evaluation->certificate);
    }
    if (evaluation->certified) {
        SDCA_TRY(certify(s, 0, evaluation->point, &evaluation->request,
                         &evaluation->certificate));
    }

done:
    return status;
}

static void fields(void *self, sdca_field_io *io, bool same_schedule)
{
    eg_solver *s        = self;
    sdca_eg   *eg       = &s->eg;
    int64_t    sweep    = eg->order.sweep;
    int64_t    position = eg->order.position;

    (void)same_schedule;
    sdca_field_io_set_group(io, "eg");
    sdca_field_io_int64(io, "sweep", &sweep);
    sdca_field_io_int64(io, "position", &position);
    sdca_field_io_per_row(io, "eg/theta", SDCA_FLOAT64, eg->theta, 1);
    sdca_field_io_per_row(io, "eg/eta", SDCA_FLOAT64, eg->eta, 1);
    if (!io->writing && !sdca_row_order_resume(&eg->order, sweep, position, NULL)) {
        sdca_field_io_reject(io, "eg/position");
    }
    if (!io->writing && !sdca_eg_is_valid(eg)) {
        sdca_field_io_reject(io, "eg/theta");
    }
}

static sdca_solver_state state(const void *self, int model)
{
    (void)model;
    return sdca_serial_round_state(((const eg_solver *)self)->training);
}

const sdca_solver_ops sdca_solver_eg = { .name           = "eg",
                                         .single_rank    = true,
                                         .w_of_alpha     = true,
                                         .resumes_alone  = true,
                                         .rounding_level = tuning_rounding_level,
                                         .create         = create,
                                         .destroy        = destroy,
                                         .round          = make_round,
                                         .evaluate       = evaluate,
                                         .certify        = certify,
                                         .fields         = fields,
                                         .state          = state };
