/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sgd_solver.c - plain SGD as a method of the trainer: the paper's baseline, on one
 * rank. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/serial_round.h"
#include "solver/sgd/sgd.h"
#include "solver/solvers.h"

typedef struct sgd_solver {
    const sdca_training *training;
    sdca_iterate        *iterate;
    sdca_sgd             sgd;
    double              *dual_w; /* space for w(alpha) of the alpha that certifies w */
} sgd_solver;

static void destroy(void *self)
{
    sgd_solver *s = self;

    if (s != NULL) {
        sdca_sgd_free(&s->sgd);
        free(s->dual_w);
        free(s);
    }
}

static sdca_status create_local(const sdca_training *training, sgd_solver *s)
{
    const sdca_dataset *data = training->data;

    if (training->ranks > 1) {
        return sdca_serial_round_check_ranks(training, "plain SGD");
    }
    s->dual_w = sdca_alloc_array((size_t)data->columns, sizeof *s->dual_w);
    return s->dual_w != NULL
               ? sdca_sgd_create(data, training->options.seed, training->rank, &s->sgd)
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns", (long)data->columns);
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status status = SDCA_OK;
    sgd_solver *s      = calloc(1, sizeof *s);

    status = s != NULL ? create_local(training, s)
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
    sgd_solver          *s        = self;
    const sdca_training *training = s->training;
    double               start    = training->monitor.clock(training->monitor.context);
    int64_t              steps = sdca_serial_round_steps(training, s->iterate, request);

    sdca_sgd_run(training->objective, training->data, &s->sgd, steps);
    sdca_serial_round_finish(training, start, steps, s->iterate, out);
}

/* Sets alpha to the one that certifies w. Collective. */
static sdca_status evaluate(void *self, sdca_model_evaluation *evaluation)
{
    sgd_solver           *s         = self;
    const sdca_training  *training  = s->training;
    const sdca_objective *objective = training->objective;
    sdca_status           status;

    sdca_sgd_weights(objective, training->data, &s->sgd, evaluation->point.w);
    evaluation->certified = true;
    status                = sdca_duality_gap_certify_primal(
                       training->comm, objective, training->data, evaluation->point,
                       &evaluation->request.target, s->dual_w, &evaluation->certificate);
    return status == SDCA_DEFECT
               ? SDCA_FAIL(SDCA_USAGE,
                           "plain SGD diverges: its first step is 1 / lambda, %.3g, too "
                           "long for the %s loss",
                           1.0 / objective->lambda, objective->loss->name)
               : status;
}

static sdca_status certify(void *self, int model, sdca_point point,
                           const sdca_gap_evaluation_request *request,
                           sdca_certificate                  *out)
{
    sgd_solver          *s        = self;
    const sdca_training *training = s->training;

    (void)model;
    return sdca_duality_gap_certify_pair(training->comm, training->objective,
                                         training->data, point, &request->target,
                                         s->dual_w, out);
}

static void fields(void *self, sdca_field_io *io, bool same_schedule)
{
    sgd_solver *s        = self;
    int64_t     position = s->sgd.order.position;

    (void)same_schedule;
    sdca_field_io_set_group(io, "sgd");
    sdca_field_io_int64(io, "t", &s->sgd.t);
    sdca_field_io_int64(io, "sweep", &s->sgd.order.sweep);
    sdca_field_io_int64(io, "place", &position);
    sdca_field_io_per_column(io, "sgd/v", s->sgd.v, 1);
    if (!io->writing &&
        !sdca_row_order_resume(&s->sgd.order, s->sgd.order.sweep, position, NULL)) {
        sdca_field_io_reject(io, "sgd/place");
    }
}

static sdca_solver_state state(const void *self, int model)
{
    (void)model;
    return sdca_serial_round_state(((const sgd_solver *)self)->training);
}

const sdca_solver_ops sdca_solver_sgd = { .name             = "sgd",
                                          .single_rank      = true,
                                          .always_certifies = true,
                                          .resumes_alone    = true,
                                          .rounding_level   = tuning_rounding_level,
                                          .create           = create,
                                          .destroy          = destroy,
                                          .round            = make_round,
                                          .evaluate         = evaluate,
                                          .certify          = certify,
                                          .fields           = fields,
                                          .state            = state };
