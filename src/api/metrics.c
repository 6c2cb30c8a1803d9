/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.c - how well a model predicts the labels of a data set. */
#include "objective/metrics.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"
#include "mpi/comm.h"

/* The labels of a training set are -1 and +1, or of several classes 0, 1, 2, ...: value
 * has space for these. The classes are borrowed. */
static sdca_classes find_classes(const sdca_model *model, const sdca_dataset *data,
                                 double *value)
{
    sdca_classes classes = model->labels;

    if (data->task != SDCA_TASK_CLASSIFICATION || classes.count == 0) {
        return classes;
    }
    for (int k = 0; k < classes.count; k++) {
        value[k] = sdca_classes_code(&classes, k);
    }
    return (sdca_classes){ .count = classes.count, .value = value };
}

static sdca_status check_labels(const sdca_model *model, const sdca_dataset *data)
{
    if (!data->has_labels) {
        return SDCA_FAIL(SDCA_USAGE, "a model is evaluated on rows with labels");
    }
    return data->task != SDCA_TASK_CLASSIFICATION ||
                   sdca_classes_are_equal(&model->labels, &data->classes)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE, "the labels of the data set are not those of the "
                                       "model: make the data set for this model");
}

sdca_status sdca_model_evaluate(MPI_Comm comm, const sdca_model *model,
                                const sdca_dataset *data, sdca_metrics *out)
{
    sdca_status         status = SDCA_OK;
    sdca_scorer         scorer = { 0 };
    sdca_metrics_result result = { 0 };
    double      *value = sdca_alloc_zeroed((size_t)model->labels.count, sizeof *value);
    sdca_classes classes;

    status = value != NULL ? check_labels(model, data)
                           : SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes",
                                       model->labels.count);
    if (status == SDCA_OK) {
        status = sdca_model_make_scorer(model, data, &scorer);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    classes = find_classes(model, data, value);
    SDCA_TRY(sdca_metrics_measure(comm, data, &classes, &scorer,
                                  model->objective.loss->log_odds,
                                  model->calibration.sigmoid, 0.0, &result));
    *out = result.total;

done:
    sdca_metrics_result_free(&result);
    sdca_scorer_free(&scorer);
    free(value);
    return status;
}
