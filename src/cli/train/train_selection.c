/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_selection.c - train with several lambda of which one is chosen. */
#include "cli/train/train_selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/train/train_calibration.h"
#include "cli/train/train_scorer.h"
#include "data/class_weights.h"
#include "data/folds.h"
#include "mpi/comm.h"

sdca_status train_selection_create(MPI_Comm comm, const train_arguments *arguments,
                                   sdca_dataset *data, sdca_dataset *validation,
                                   int classes, train_selection *out)
{
    sdca_status     status = SDCA_OK;
    int             fits   = arguments->lambdas.count;
    int             folds  = validation != NULL ? 1 : (int)arguments->folds;
    train_selection s      = { .comm       = comm,
                               .arguments  = arguments,
                               .data       = data,
                               .validation = validation,
                               .metric     = arguments->metric };

    *out   = s;
    status = sdca_selection_create(
        sdca_metric_name(s.metric), sdca_metric_larger_is_better(s.metric),
        arguments->one_se ? SDCA_SELECTION_ONE_SE : SDCA_SELECTION_BEST, fits, folds,
        &out->table);
    out->kept        = sdca_alloc_zeroed((size_t)fits, sizeof *out->kept);
    out->calibration = arguments->calibrate
                           ? sdca_alloc_zeroed((size_t)fits, sizeof *out->calibration)
                           : NULL;
    if (status == SDCA_OK &&
        (out->kept == NULL || (arguments->calibrate && out->calibration == NULL))) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %d fits", fits);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (validation == NULL) {
        SDCA_TRY(sdca_folds_assign(
            comm,
            &(sdca_fold_options){ .count        = folds,
                                  .seed         = (uint64_t)arguments->fold_seed,
                                  .path         = arguments->data,
                                  .groups       = arguments->fold_groups,
                                  .follow_links = arguments->follow_links },
            data));
        SDCA_TRY(sdca_fold_training_create(comm, data, folds, classes,
                                           &arguments->training, &out->folds));
    }
    SDCA_TRY(train_selection_create_bound(out));

done:
    return status;
}

void train_selection_free(train_selection *selection)
{
    for (int k = 0; selection->kept != NULL && k < selection->table.room; k++) {
        kept_fit_drop(&selection->kept[k], selection->data->classes.count);
    }
    for (int k = 0; selection->calibration != NULL && k < selection->table.room; k++) {
        sdca_calibration_free(&selection->calibration[k]);
    }
    free(selection->calibration);
    free(selection->kept);
    sdca_fold_training_free(&selection->folds);
    sdca_validation_bound_free(&selection->bound);
    sdca_selection_free(&selection->table);
    *selection = (train_selection){ .kept = NULL };
}

/* The rows of one fold on this rank, with the scores that they were held out for. */
typedef struct fold_rows {
    double *score;
    double *label;
    double *weight;
} fold_rows;

static int64_t collect_fold(const train_selection *s, const double *score, int fold,
                            fold_rows *out)
{
    const sdca_dataset *data  = s->data;
    size_t              width = (size_t)s->folds.classes;
    int64_t             count = 0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = data->x.row[i].y;

        if (data->fold[i] != fold) {
            continue;
        }
        memcpy(out->score + (size_t)count * width, score + i * width,
               width * sizeof *score);
        out->label[count] =
            data->classes.count > 0 ? (double)sdca_classes_decode(&data->classes, y) : y;
        out->weight[count++] = sdca_dataset_sample_weight(data, i);
    }
    return count;
}

/* Fail on a metric that a part has not. */
static sdca_status check_value(const train_selection *s, int fold, double value)
{
    if (isfinite(value)) {
        return SDCA_OK;
    }
    return s->validation != NULL
               ? SDCA_FAIL(SDCA_DATA, "'%s' has no %s: it needs rows of several labels",
                           s->arguments->validation, s->table.metric)
               : SDCA_FAIL(SDCA_DATA,
                           "fold %d of '%s' has no %s: it needs rows of several labels",
                           fold + 1, s->arguments->data, s->table.metric);
}

/* The metric of each fold. Collective. */
static sdca_status measure_folds(train_selection *s, const sdca_model *model,
                                 double *value)
{
    sdca_status status = SDCA_OK;
    size_t      rows   = (size_t)s->data->x.count + 1;
    size_t      width  = (size_t)s->folds.classes;
    double     *score  = sdca_alloc_array(rows, width * sizeof *score);
    fold_rows   fold   = { sdca_alloc_array(rows, width * sizeof *score),
                           sdca_alloc_array(rows, sizeof *score),
                           sdca_alloc_array(rows, sizeof *score) };

    if (score == NULL || fold.score == NULL || fold.label == NULL ||
        fold.weight == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows",
                           (long long)rows);
    }
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    sdca_fold_training_score(&s->folds, s->data, score);
    SDCA_TRY(s->bounds ? train_selection_add_bound(s, model, score) : SDCA_OK);
    SDCA_TRY(s->calibration != NULL
                 ? train_calibration_of_folds(s->comm, s->arguments, s->data, score,
                                              &s->calibration[s->table.fits])
                 : SDCA_OK);
    for (int f = 0; f < s->table.folds; f++) {
        sdca_metrics_result result;
        sdca_metrics_input  input = { .classes = s->data->classes.count,
                                      .log_odds =
                                          s->arguments->loss->kind == SDCA_LOSS_logistic,
                                      .no_ranking = s->metric != SDCA_METRIC_AUC,
                                      .rows       = collect_fold(s, score, f, &fold),
                                      .score      = fold.score,
                                      .label      = fold.label,
                                      .weight     = fold.weight };

        SDCA_TRY(sdca_metrics_compute(s->comm, &input, &result));
        value[f] = sdca_metric_value(&result.total, s->metric);
        sdca_metrics_result_free(&result);
        SDCA_TRY(check_value(s, f, value[f]));
    }

done:
    free(score);
    free(fold.score);
    free(fold.label);
    free(fold.weight);
    return status;
}

/* What the scores of the validation set prove. Collective. */
static sdca_status bound_validation(train_selection *s, const sdca_model *model,
                                    const sdca_scorer *scorer)
{
    sdca_status      status = SDCA_OK;
    const sdca_rows *x      = &s->validation->x;
    size_t           width  = (size_t)scorer->models;
    double *score = sdca_alloc_array((size_t)x->count + 1, width * sizeof *score);

    if (score == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows",
                           (long long)x->count);
    }
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    for (uint32_t i = 0; i < x->count; i++) {
        memcpy(score + i * width, sdca_scorer_row(scorer, x, i), width * sizeof *score);
    }
    SDCA_TRY(train_selection_add_bound(s, model, score));

done:
    free(score);
    return status;
}

/* The metric of the validation set, whose columns are those of the data. Collective. */
static sdca_status measure_validation(train_selection *s, const sdca_model *model,
                                      double *value)
{
    sdca_status         status = SDCA_OK;
    sdca_scorer         scorer = { 0 };
    sdca_metrics_result result;

    SDCA_TRY(sdca_comm_agree(
        s->comm, train_scorer_create(model, s->data, s->validation, &scorer)));
    SDCA_TRY(sdca_metrics_measure(s->comm, s->validation, &model->labels, &scorer,
                                  s->arguments->loss->kind == SDCA_LOSS_logistic, NULL,
                                  0.0, &result));
    *value = sdca_metric_value(&result.total, s->metric);
    sdca_metrics_result_free(&result);
    SDCA_TRY(check_value(s, 0, *value));
    SDCA_TRY(s->bounds ? bound_validation(s, model, &scorer) : SDCA_OK);

done:
    sdca_scorer_free(&scorer);
    return status;
}

/* The gap of the model of a fold, for several classes the sum. */
static double gap_of_fold(const sdca_fold_training *t, int fold)
{
    double sum = 0.0;

    for (int k = 0; k < t->classes; k++) {
        sum += t->certificate[fold * t->classes + k].gap;
    }
    return sum;
}

/* The columns that have a weight other than 0, in any class, without the bias. */
static int64_t count_nonzero_columns(const train_selection *s, const sdca_model *model)
{
    int64_t count = 0;

    for (int32_t j = 0; j < s->data->columns - (s->data->bias > 0.0); j++) {
        int k = 0;

        while (k < sdca_model_parts(model) &&
               model->w[(size_t)k * sdca_model_stride(model) + (size_t)j] == 0.0) {
            k++;
        }
        count += k < sdca_model_parts(model);
    }
    return count;
}

sdca_status train_selection_test(train_selection *selection, const sdca_model *model,
                                 const sdca_train_options   *options,
                                 const sdca_train_callbacks *callbacks)
{
    train_selection *s      = selection;
    sdca_status      status = SDCA_OK, outcome;
    double           value[SDCA_MAX_FOLDS], gap[SDCA_MAX_FOLDS];

    if (s->validation != NULL) {
        gap[0] = model->certificate.gap;
        SDCA_TRY(measure_validation(s, model, value));
        SDCA_TRY(s->calibration != NULL
                     ? train_calibration_of_validation(s->comm, s->arguments, s->data,
                                                       s->validation, model,
                                                       &s->calibration[s->table.fits])
                     : SDCA_OK);
    } else {
        outcome = sdca_fold_training_run(s->comm, &model->objective, s->data, options,
                                         callbacks, &s->folds);
        SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
        s->worst   = outcome == SDCA_OK ? s->worst : outcome;
        s->stopped = s->folds.stopped;
        if (s->stopped) { /* this lambda is not tested */
            goto done;
        }
        SDCA_TRY(measure_folds(s, model, value));
        for (int f = 0; f < s->table.folds; f++) {
            gap[f] = gap_of_fold(&s->folds, f);
        }
    }
    sdca_selection_add(&s->table, model->objective.lambda, model->certificate.gap,
                       (double)count_nonzero_columns(s, model), value, gap);

done:
    return status;
}

sdca_status train_selection_keep(train_selection *selection, sdca_status outcome,
                                 const sdca_iterate *iterate, sdca_model *model,
                                 sdca_train_result *result)
{
    const sdca_selection *table = &selection->table;
    int                   last  = table->fits - 1;
    kept_fit             *fit   = &selection->kept[last];

    if (table->rule == SDCA_SELECTION_BEST) {
        if (table->best != last) {
            return SDCA_OK;
        }
        for (int k = 0; k < last; k++) {
            kept_fit_drop(&selection->kept[k], model->labels.count);
        }
    }
    *fit = (kept_fit){ .objective = model->objective,
                       .outcome   = outcome,
                       .class_w   = model->w,
                       .by_class  = model->by_class };
    if (model->by_class == NULL) {
        fit->class_w = NULL;
        fit->steps   = iterate->steps;
        fit->round   = iterate->round;
        fit->w       = sdca_alloc_array((size_t)selection->data->columns, sizeof *fit->w);
        if (fit->w == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights",
                             (long)selection->data->columns);
        }
        memcpy(fit->w, iterate->w, (size_t)selection->data->columns * sizeof *fit->w);
    }
    fit->result     = *result;
    result->history = (sdca_history){ 0 };
    model->w        = NULL;
    model->by_class = NULL;
    return SDCA_OK;
}

sdca_status train_selection_restore(train_selection *selection, sdca_iterate *iterate,
                                    sdca_model *model, sdca_train_result *result)
{
    kept_fit   *fit     = &selection->kept[selection->table.chosen];
    sdca_status outcome = fit->outcome;

    for (int k = 0; model->by_class != NULL && k < model->labels.count; k++) {
        sdca_history_free(&model->by_class[k].history);
    }
    free(model->w);
    free(model->by_class);
    sdca_history_free(&result->history);
    model->objective = fit->objective;
    model->w         = fit->class_w;
    model->by_class  = fit->by_class;
    *result          = fit->result;
    if (fit->w != NULL) {
        memcpy(iterate->w, fit->w, (size_t)selection->data->columns * sizeof *fit->w);
        iterate->steps = fit->steps;
        iterate->round = fit->round;
        free(fit->w);
    }
    *fit = (kept_fit){ .outcome = SDCA_OK };
    return outcome;
}
