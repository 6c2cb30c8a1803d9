/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_class_advice.c - the error of the models of several classes on the rows that they
 * were trained on. */
#include "cli/train/train_class_advice.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "objective/scorer.h"

/* Weights of a model that are copied for this, 128 MB. */
enum { MAX_WEIGHTS = 1 << 24 };

/* Take the weights for the columns as they are in memory. The column of the constant, if
 * there is one, keeps the weight 0. Local. */
static void fill_scorer(const sdca_dataset *data, const sdca_model *model,
                        sdca_scorer *scorer)
{
    int32_t columns = data->columns - (data->bias > 0.0);

    for (int k = 0; k < scorer->models; k++) {
        const double *w = model->w + (size_t)k * sdca_model_stride(model);

        scorer->bias[k] = sdca_model_part(model, k).bias;
        for (int32_t c = 0; c < columns; c++) {
            scorer->w[(size_t)c * (size_t)scorer->models + (size_t)k] =
                data->scale != NULL ? w[c] * data->scale[c] : w[c];
            scorer->bias[k] += data->mean != NULL ? w[c] * data->mean[c] : 0.0;
        }
    }
}

/* The weight of the rows with wrong labels, and that of each class behind it; their y are
 * numbers of classes. Collective. */
static void sum_rows(MPI_Comm comm, const sdca_dataset *data, const sdca_scorer *scorer,
                     double *sum)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        double weight = sdca_dataset_weight(data, i);
        int    label  = (int)data->x.row[i].y;
        int    found =
            sdca_scorer_greatest(scorer->models, sdca_scorer_row(scorer, &data->x, i));

        sum[0] += found != label ? weight : 0.0;
        sum[1 + label] += weight;
    }
    sdca_comm_allreduce_sum(comm, sum, 1 + scorer->models);
}

sdca_status train_class_advice_find(const train_job *j, const sdca_model *model,
                                    char text[OPTION_ADVICE_TEXT_SIZE])
{
    const sdca_dataset *data    = j->data;
    int                 classes = data->classes.count;
    sdca_scorer         scorer  = { .models = 0 };
    double             *sum     = NULL;
    double              largest = 0.0;
    sdca_status         status  = SDCA_OK;

    text[0] = '\0';
    if ((int64_t)classes * data->columns > MAX_WEIGHTS) {
        return SDCA_OK;
    }
    sum    = sdca_alloc_zeroed((size_t)classes + 1, sizeof *sum);
    status = sum != NULL ? sdca_scorer_create(classes, data->columns, &scorer)
                         : SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes);
    SDCA_TRY(sdca_comm_agree(j->comm, status));
    if (sdca_comm_rank(j->comm) == 0) {
        fill_scorer(data, model, &scorer);
    }
    sdca_comm_broadcast(j->comm, scorer.w,
                        (int)((size_t)classes * (size_t)data->columns * sizeof(double)));
    sdca_comm_broadcast(j->comm, scorer.bias, (int)((size_t)classes * sizeof(double)));
    sum_rows(j->comm, data, &scorer, sum);
    for (int k = 1; k <= classes; k++) {
        largest = fmax(largest, sum[k]);
    }
    option_advice_classes(&j->advice, &j->problem, sum[0] / data->total_weight,
                          largest / data->total_weight, text);

done:
    sdca_scorer_free(&scorer);
    free(sum);
    return status;
}
