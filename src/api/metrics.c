/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.c - how well a model predicts the labels of a data set. */
#include "objective/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "mpi/comm.h"

/* Do both give the same labels the same meaning? */
static bool have_same_classes(const sdca_classes *a, const sdca_classes *b)
{
    bool same = a->count == b->count && a->names.count == b->names.count;

    for (int k = 0; same && k < a->count; k++) {
        same = a->value[k] == b->value[k] &&
               (a->names.count == 0 || strcmp(a->names.text[k], b->names.text[k]) == 0);
    }
    return same;
}

/* The labels of a training set are -1 and +1. The classes are borrowed, from the model or
 * from signs. */
static sdca_classes find_classes(const sdca_model *model, const sdca_dataset *data,
                                 double signs[2])
{
    const sdca_classes all = model->labels;

    if (data->task != SDCA_TASK_CLASSIFICATION || all.count == 0) {
        return all;
    }
    signs[0] = sdca_classes_code(&all, 0);
    signs[1] = 1.0;
    return (sdca_classes){ .count = all.count, .value = signs };
}

static sdca_status check_labels(const sdca_model *model, const sdca_dataset *data)
{
    if (!data->has_labels) {
        return SDCA_FAIL(SDCA_USAGE, "a model is evaluated on rows with labels");
    }
    return data->task != SDCA_TASK_CLASSIFICATION ||
                   have_same_classes(&model->labels, &data->classes)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE, "the labels of the data set are not those of the "
                                       "model: make the data set for this model");
}

sdca_status sdca_model_evaluate(MPI_Comm comm, const sdca_model *model,
                                const sdca_dataset *data, sdca_metrics *out)
{
    sdca_status  status = SDCA_OK;
    double       signs[2];
    sdca_classes classes = find_classes(model, data, signs);
    double      *w       = NULL;
    double       unit    = 1.0; /* of a label, in those that are compared */

    if (data->task == SDCA_TASK_CLASSIFICATION && classes.count == 2) {
        unit = fabs(model->labels.value[1] - model->labels.value[0]) / 2.0;
    }
    status = check_labels(model, data);
    if (status == SDCA_OK) {
        status = sdca_model_select_weights(model, data, &w);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    *out = sdca_metrics_measure(comm, data, &classes, w, model->bias);
    out->rmse *= unit;
    out->mae *= unit;

done:
    free(w);
    return status;
}
