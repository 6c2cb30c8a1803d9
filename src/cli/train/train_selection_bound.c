/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_selection_bound.c - what the fits of a selection prove about all other lambda. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cli/train/train_selection.h"
#include "data/folds.h"
#include "mpi/comm.h"
#include "solver/solvers.h"

/* The rows that a fit is tested on. */
static const sdca_dataset *tested_rows(const train_selection *s)
{
    return s->validation != NULL ? s->validation : s->data;
}

/* The fold of a row that is tested; -1: none. */
static int fold_of(const train_selection *s, uint32_t i)
{
    return s->validation != NULL ? 0 : s->data->fold[i];
}

sdca_status train_selection_create_bound(train_selection *selection)
{
    train_selection *s = selection;

    /* Not derived: a free intercept, which no ball of w confines. A validation set has
     * the norms of the source. */
    s->bounds = s->data->classes.count >= 2 && !s->data->intercept &&
                (s->validation == NULL || s->data->scale == NULL);
    s->w_of_alpha = sdca_solver_find(s->arguments->training.solver)->w_of_alpha;
    return s->bounds
               ? sdca_comm_agree(s->comm,
                                 sdca_validation_bound_create(tested_rows(s)->x.count,
                                                              s->table.room, &s->bound))
               : SDCA_OK;
}

static double norm2_of(const double *w, size_t stride, int32_t columns)
{
    double sum = 0.0;

    for (int32_t j = 0; j < columns; j++) {
        sum += w[(size_t)j * stride] * w[(size_t)j * stride];
    }
    return sum;
}

/* |w|^2 and gap of a model. */
typedef struct model_size {
    double norm2;
    double gap;
} model_size;

/* Those of class k of a fold, or of the model of all rows. */
static model_size size_of(const train_selection *s, const sdca_model *model, int fold,
                          int k)
{
    if (s->validation == NULL) {
        int                 m       = fold * s->folds.classes + k;
        const sdca_iterate *iterate = &s->folds.iterate[m];

        return (
            model_size){ norm2_of(iterate->w, (size_t)iterate->lanes, iterate->columns),
                         s->folds.certificate[m].gap };
    } else {
        sdca_class_model part = sdca_model_part(model, k);
        double  weight  = model->bias_value > 0.0 ? part.bias / model->bias_value : 0.0;
        int32_t columns = s->data->columns - (s->data->bias > 0.0);

        return (model_size){ norm2_of(model->w + (size_t)k * sdca_model_stride(model), 1,
                                      columns) +
                                 weight * weight,
                             part.certificate.gap };
    }
}

/* The reach of a row with these scores, of which label is the right one; -1: none is.
 * size has the models of a fold for lambda. */
static double reach_of(const train_selection *s, const model_size *size, double lambda,
                       uint32_t i, int label, const double *score)
{
    sdca_lambda_fit     fit     = { .lambda     = lambda,
                                    .norm2      = size[0].norm2,
                                    .gap        = size[0].gap,
                                    .w_of_alpha = s->w_of_alpha };
    const sdca_dataset *rows    = tested_rows(s);
    int                 classes = s->data->classes.count;
    double              bias    = s->validation != NULL ? s->data->bias : 0.0;
    double              norm2   = rows->x.row[i].norm2 + bias * bias;
    int64_t width = rows->x.row[i + 1].start - rows->x.row[i].start + (bias > 0.0);
    int     lead;

    if (label < 0) {
        return HUGE_VALF;
    }
    if (classes == 2) {
        return sdca_validation_bound_reach(&fit, label == 1 ? -score[0] : score[0], norm2,
                                           width);
    }
    lead      = sdca_scorer_greatest(classes, score);
    fit.norm2 = 2.0 * (size[lead].norm2 + size[label].norm2);
    fit.gap   = 2.0 * (size[lead].gap + size[label].gap);
    return lead == label ? -1.0
                         : sdca_validation_bound_reach(&fit, score[lead] - score[label],
                                                       norm2, width);
}

sdca_status train_selection_add_bound(train_selection *selection, const sdca_model *model,
                                      const double *score)
{
    train_selection    *s      = selection;
    const sdca_dataset *rows   = tested_rows(s);
    sdca_status         status = SDCA_OK;
    int                 parts  = sdca_model_parts(model);
    model_size         *size =
        sdca_alloc_array((size_t)s->table.folds * (size_t)parts, sizeof *size);

    if (size == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %d folds", s->table.folds);
    }
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    for (int m = 0; m < s->table.folds * parts; m++) {
        size[m] = size_of(s, model, m / parts, m % parts);
    }
    sdca_validation_bound_begin_fit(&s->bound, model->objective.lambda);
    for (uint32_t i = 0; i < rows->x.count; i++) {
        int    fold  = fold_of(s, i);
        double y     = rows->x.row[i].y;
        int    label = s->validation != NULL ? sdca_classes_find(&model->labels, y)
                                             : sdca_classes_decode(&model->labels, y);

        if (fold >= 0) {
            sdca_validation_bound_set(&s->bound, i,
                                      reach_of(s, size + (size_t)fold * (size_t)parts,
                                               model->objective.lambda, i, label,
                                               score + (size_t)i * (size_t)parts));
        }
    }

done:
    free(size);
    return status;
}

/* The sums by which the weights of tested rows are divided, by fold: their metrics are
 * means with sample weights. Collective. */
static void sum_weights(const train_selection *s, double *sum)
{
    const sdca_dataset *rows = tested_rows(s);

    for (int f = 0; f < s->table.folds; f++) {
        sum[f] = 0.0;
    }
    for (uint32_t i = 0; i < rows->x.count; i++) {
        if (fold_of(s, i) >= 0) {
            sum[fold_of(s, i)] += sdca_dataset_sample_weight(rows, i);
        }
    }
    sdca_comm_allreduce_sum(s->comm, sum, s->table.folds);
}

sdca_status train_selection_finish_bound(train_selection *selection)
{
    train_selection    *s      = selection;
    const sdca_dataset *rows   = tested_rows(s);
    sdca_status         status = SDCA_OK;
    double             *share  = NULL;
    double              sum[SDCA_MAX_FOLDS];

    if (!s->bounds) {
        return SDCA_OK;
    }
    share = sdca_alloc_zeroed((size_t)rows->x.count + 1, sizeof *share);
    if (share == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows",
                           (long long)rows->x.count);
    }
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    sum_weights(s, sum);
    for (uint32_t i = 0; i < rows->x.count; i++) {
        int fold = fold_of(s, i);

        if (fold >= 0) {
            share[i] = sdca_dataset_sample_weight(rows, i) /
                       (sum[fold] * (double)s->table.folds);
        }
    }
    status = sdca_validation_bound_compute(
        s->comm, &s->bound, share, s->table.interval_bound, &s->table.error_bound);

done:
    free(share);
    return status;
}
