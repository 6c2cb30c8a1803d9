/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_test.c - how well the model of a run predicts the test set.
 *
 * The model that was chosen of several is on the first rank only, and so may its file
 * be. */
#include "cli/train/train_test.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "cli/train/train_scorer.h"
#include "model/certain_labels.h"
#include "mpi/comm.h"

/* What predictions need of the model. */
typedef struct predictor {
    sdca_scorer         scorer;
    sdca_certain_labels labels;
    sdca_sigmoid       *sigmoid; /* one per model, if the model has any */
    int                 knows_distance;
    int                 has_sigmoid;
} predictor;

static void free_predictor(predictor *p)
{
    sdca_scorer_free(&p->scorer);
    sdca_certain_labels_free(&p->labels);
    free(p->sigmoid);
}

/* Allocate what every rank has, the first one too. Local. */
static sdca_status make_room(const sdca_model *model, predictor *p)
{
    size_t models = (size_t)sdca_model_parts(model);

    p->sigmoid = sdca_alloc_zeroed(models, sizeof *p->sigmoid);
    if (p->sigmoid == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the predictions of %lld models",
                         (long long)models);
    }
    return p->labels.radius == NULL ? sdca_certain_labels_make_room(&p->labels) : SDCA_OK;
}

/* Take what the model says. Local. */
static sdca_status create_predictor(const train_job *j, const sdca_model *model,
                                    predictor *p)
{
    sdca_status             status      = SDCA_OK;
    const sdca_calibration *calibration = &model->calibration;

    SDCA_TRY(train_scorer_create(model, j->data, j->test, &p->scorer));
    SDCA_TRY(sdca_certain_labels_create(model, 0.0, &p->labels));
    p->knows_distance = p->labels.radius != NULL;
    p->has_sigmoid    = calibration->sigmoid != NULL;
    SDCA_TRY(make_room(model, p));
    for (int k = 0; p->has_sigmoid && k < calibration->models; k++) {
        p->sigmoid[k] = calibration->sigmoid[k];
    }

done:
    return status;
}

static void broadcast_predictor(MPI_Comm comm, predictor *p)
{
    int64_t models = p->scorer.models;

    sdca_comm_broadcast_numbers(comm, p->scorer.w, models * p->scorer.columns);
    sdca_comm_broadcast_numbers(comm, p->scorer.bias, models);
    sdca_comm_broadcast_numbers(comm, p->labels.radius,
                                3 * models); /* below and above too */
    sdca_comm_broadcast_numbers(comm, &p->sigmoid->slope, 2 * models);
    sdca_comm_broadcast(comm, &p->knows_distance, sizeof p->knows_distance);
    sdca_comm_broadcast(comm, &p->has_sigmoid, sizeof p->has_sigmoid);
}

sdca_status train_test_measure(const train_job *j, const sdca_model *model,
                               sdca_metrics_result *out, int64_t *certain)
{
    sdca_status status = SDCA_OK;
    predictor   p      = { .sigmoid = NULL };

    SDCA_TRY(sdca_comm_agree(j->comm, create_predictor(j, model, &p)));
    broadcast_predictor(j->comm, &p);
    SDCA_TRY(sdca_metrics_measure(j->comm, j->test, &model->labels, &p.scorer,
                                  model->objective.loss->log_odds,
                                  p.has_sigmoid ? p.sigmoid : NULL, 0.0, out));
    *certain = p.knows_distance
                   ? sdca_certain_labels_count(j->comm, &p.labels, &p.scorer, j->test)
                   : -1;

done:
    free_predictor(&p);
    return status;
}
