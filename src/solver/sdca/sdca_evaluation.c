/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca_evaluation.c - duality gaps of the models of distributed SDCA: measured while they
 * are far from the target, certified where they may be the last. */
#include "mpi/comm.h"
#include "objective/intercept.h"
#include "solver/sdca/sdca_solver.h"

/* Every sigma is safe with the line search only: say so if a run without it diverged. */
static sdca_status explain_divergence(const sdca_sdca_solver *s, sdca_status status)
{
    const sdca_aggregation *aggregation = &s->aggregation[0];
    double                  enough      = aggregation->eta * s->training->ranks;

    return status != SDCA_DEFECT || aggregation->rule == SDCA_AGGREGATION_LINE_SEARCH ||
                   aggregation->sigma.orthogonal >= enough
               ? status
               : SDCA_FAIL(SDCA_USAGE,
                           "the run diverges: without a line search sigma must be at "
                           "least %g",
                           enough);
}

/* What is evaluated: the models as bits, and for a single model its point. */
typedef struct evaluation_pass {
    unsigned           models;
    sdca_point         point; /* of the only model */
    double             target_gap[SDCA_MAX_LANES];
    const sdca_target *target; /* that of all models */
} evaluation_pass;

/* P, D and gap, measured. */
static sdca_status measure(const sdca_sdca_solver *s, const evaluation_pass *pass,
                           float *gap_term, sdca_certificate *out)
{
    const sdca_training *t = s->training;

    return t->models == 1
               ? sdca_duality_gap_measure(t->comm, t->objective, t->data, pass->point,
                                          gap_term, out)
               : sdca_duality_gap_measure_lanes(t->comm, t->objective, t->data,
                                                s->iterate, pass->models, gap_term, out);
}

/* The same as certificates, for w recomputed from alpha. */
static sdca_status certify(sdca_sdca_solver *s, const evaluation_pass *pass,
                           float *gap_term, sdca_certificate *out)
{
    const sdca_training *t = s->training;

    if (t->models > 1) {
        sdca_iterate_recompute_w(t->comm, t->objective, t->data, t->models, s->iterate);
        return sdca_duality_gap_certify_lanes(t->comm, t->objective, t->data, s->iterate,
                                              pass->models, pass->target, gap_term, out);
    }
    sdca_point_recompute_w(t->comm, t->objective, t->data, pass->point);
    sdca_iterate_w_changed(s->iterate); /* if the point is the iterate */
    return sdca_duality_gap_certify(t->comm, t->objective, t->data, pass->point,
                                    pass->target, gap_term, out);
}

/* Either of them. The gap terms of all rows show which of them were shrunk in error. */
static sdca_status run_pass(sdca_sdca_solver *s, const evaluation_pass *pass,
                            bool certifies, sdca_certificate *out)
{
    const sdca_training *t        = s->training;
    sdca_shrinking      *shrink   = &s->ascent.shrinking;
    float               *gap_term = shrink->rows > 0 ? shrink->gap_term : NULL;
    sdca_status          status   = SDCA_OK;

    if (t->data->intercept) { /* the gap is defined for balanced alpha only */
        status = sdca_intercept_prepare(t->comm, t->objective, t->data, t->models,
                                        pass->models, pass->target_gap, s->iterate);
    }
    if (status == SDCA_OK) {
        status =
            certifies ? certify(s, pass, gap_term, out) : measure(s, pass, gap_term, out);
    }
    for (int m = 0; gap_term != NULL && m < s->training->models; m++) {
        if (pass->models >> m & 1) {
            sdca_shrinking_reactivate(shrink, m);
        }
    }
    return explain_divergence(s, status);
}

sdca_status sdca_sdca_solver_certify(void *self, int model, sdca_point point,
                                     const sdca_gap_evaluation_request *request,
                                     sdca_certificate                  *out)
{
    sdca_certificate certificate[SDCA_MAX_LANES];
    evaluation_pass  pass = { .models = 1U << model,
                              .point  = point,
                              .target = &request->target };
    sdca_status      status;

    pass.target_gap[model] = request->target_gap;
    status                 = run_pass(self, &pass, true, certificate);
    *out                   = certificate[model];
    return status;
}

/* The models that are due and that may be the last, or may not. */
static evaluation_pass select_models(const sdca_training         *training,
                                     const sdca_model_evaluation *evaluation,
                                     bool                         certified)
{
    evaluation_pass pass = { .models = 0 };

    for (int m = 0; m < training->models; m++) {
        if (evaluation[m].due && evaluation[m].certified == certified) {
            pass.models |= 1U << m;
            pass.point         = evaluation[m].point;
            pass.target_gap[m] = evaluation[m].request.target_gap;
            pass.target        = &evaluation[m].request.target;
        }
    }
    return pass;
}

sdca_status sdca_sdca_solver_evaluate(void *self, sdca_model_evaluation *evaluation)
{
    sdca_sdca_solver    *s        = self;
    const sdca_training *training = s->training;
    sdca_status          status   = SDCA_OK;
    sdca_certificate     certificate[SDCA_MAX_LANES];

    for (int m = 0; m < training->models; m++) {
        evaluation[m].certified = evaluation[m].due && evaluation[m].request.may_be_last;
    }
    for (int pass_number = 0; pass_number < 2; pass_number++) {
        bool            certifies = pass_number == 1;
        evaluation_pass pass      = select_models(training, evaluation, certifies);

        if (pass.models == 0) {
            continue;
        }
        SDCA_TRY(run_pass(s, &pass, certifies, certificate));
        for (int m = 0; m < training->models; m++) {
            sdca_model_evaluation *at = &evaluation[m];

            if (pass.models >> m & 1) {
                at->certificate = certificate[m];
                at->certified =
                    certifies || sdca_target_is_met(&at->request.target, &certificate[m]);
            }
        }
    }

done:
    return status;
}
