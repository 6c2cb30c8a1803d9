/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sag_solver.c - the stochastic average gradient as a method of the trainer, on one
 * rank. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/sag/sag.h"
#include "solver/serial_round.h"
#include "solver/solvers.h"

typedef struct sag_solver {
    const sdca_training *training;
    sdca_iterate        *iterate;
    sdca_sag             sag;
    double              *dual_w; /* space for that of the alpha that certifies w */
} sag_solver;

static void destroy(void *self)
{
    sag_solver *s = self;

    if (s != NULL) {
        sdca_sag_free(&s->sag);
        free(s->dual_w);
        free(s);
    }
}

static sdca_status create_local(const sdca_training *training, sag_solver *s)
{
    const sdca_dataset        *data    = training->data;
    const sdca_solver_options *options = &training->options;
    sdca_status                status  = SDCA_OK;

    SDCA_TRY(sdca_serial_round_check_ranks(training, "the stochastic average gradient"));
    SDCA_TRY(
        sdca_serial_round_check_options(training, "the stochastic average gradient"));
    SDCA_TRY(sdca_sag_create(training->objective, data, options->seed, &s->sag));
    s->dual_w = sdca_alloc_array((size_t)data->columns, sizeof *s->dual_w);
    if (s->dual_w == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns", (long)data->columns);
    }

done:
    return status;
}

static sdca_status create(const sdca_training *training, sdca_iterate *iterate,
                          void **self)
{
    sdca_status status = SDCA_OK;
    sag_solver *s      = calloc(1, sizeof *s);

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
    sag_solver          *s        = self;
    const sdca_training *training = s->training;
    double               start    = training->monitor.clock(training->monitor.context);
    int64_t              steps = sdca_serial_round_steps(training, s->iterate, request);

    sdca_sag_run(training->objective, training->data, &s->sag, steps, s->iterate->w);
    sdca_iterate_w_changed(s->iterate);
    sdca_serial_round_finish(training, start, steps, s->iterate, out);
}

/* alpha becomes what certifies w. Collective. */
static sdca_status evaluate(void *self, sdca_model_evaluation *evaluation)
{
    sag_solver          *s        = self;
    const sdca_training *training = s->training;

    evaluation->certified = true;
    return sdca_duality_gap_certify_primal(
        training->comm, training->objective, training->data, evaluation->point,
        &evaluation->request.target, s->dual_w, &evaluation->certificate);
}

static sdca_status certify(void *self, int model, sdca_point point,
                           const sdca_gap_evaluation_request *request,
                           sdca_certificate                  *out)
{
    sag_solver          *s        = self;
    const sdca_training *training = s->training;

    (void)model;
    return sdca_duality_gap_certify_pair(training->comm, training->objective,
                                         training->data, point, &request->target,
                                         s->dual_w, out);
}

/* Are these numbers that a run could have written? */
static bool is_valid(const sag_solver *s)
{
    const sdca_sag       *sag       = &s->sag;
    const sdca_objective *objective = s->training->objective;
    const sdca_dataset   *data      = s->training->data;
    bool valid = sag->steps >= 0 && sag->smoothness >= objective->lambda &&
                 sag->smoothness <= fmax(sag->max_smoothness, objective->lambda);

    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_interval allowed = sdca_objective_feasible(
            objective, sdca_objective_label(objective, data->x.row[i].y));

        valid = valid && isfinite(sag->gradient[i]) && sag->gradient[i] >= allowed.low &&
                sag->gradient[i] <= allowed.high;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        valid = valid && isfinite(sag->sum[j]);
    }
    return valid;
}

static void fields(void *self, sdca_field_io *io, bool same_schedule)
{
    sag_solver *s        = self;
    sdca_sag   *sag      = &s->sag;
    int64_t     sweep    = sag->order.sweep;
    int64_t     position = sag->order.position;

    (void)same_schedule;
    sdca_field_io_set_group(io, "sag");
    sdca_field_io_int64(io, "steps", &sag->steps);
    sdca_field_io_double(io, "smoothness", &sag->smoothness);
    sdca_field_io_int64(io, "sweep", &sweep);
    sdca_field_io_int64(io, "position", &position);
    sdca_field_io_per_column(io, "sag/sum", sag->sum, 1);
    sdca_field_io_per_row(io, "sag/gradient", SDCA_FLOAT64, sag->gradient, 1);
    if (!io->writing && !sdca_sag_resume(sag, sweep, position)) {
        sdca_field_io_reject(io, "sag/position");
    }
    if (!io->writing && !is_valid(s)) {
        sdca_field_io_reject(io, "sag/gradient");
    }
}

static sdca_solver_state state(const void *self, int model)
{
    (void)model;
    return sdca_serial_round_state(((const sag_solver *)self)->training);
}

const sdca_solver_ops sdca_solver_sag = { .name             = "sag",
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
