/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold_training.c - the models of cross-validation. */
#include "train/fold_training.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "data/folds.h"
#include "model/history.h"
#include "model/round_log.h"
#include "mpi/comm.h"
#include "solver/solvers.h"
#include "train/iterate_fields.h"
#include "train/trainer.h"
#include "train/warm_start.h"

static int count_models(const sdca_fold_training *t)
{
    return t->folds * t->classes;
}

/* Models of the batch that begins with this one. */
static int count_batch(const sdca_fold_training *t, int first)
{
    int left = count_models(t) - first;

    return left < t->batch ? left : t->batch;
}

/* Models that can be trained side by side, as in class training. */
static int max_batch(const sdca_dataset *data, const sdca_train_options *options)
{
    return sdca_solver_find(options->solver)->many_models
               ? sdca_train_options_max_batch(options, data)
               : 1;
}

static sdca_status allocate(sdca_fold_training *t)
{
    size_t folds = (size_t)t->folds, models = (size_t)count_models(t);

    t->weight      = sdca_alloc_zeroed(folds, sizeof *t->weight);
    t->view        = sdca_alloc_zeroed(folds, sizeof *t->view);
    t->iterate     = sdca_alloc_zeroed(models, sizeof *t->iterate);
    t->certificate = sdca_alloc_zeroed(models, sizeof *t->certificate);
    t->converged   = sdca_alloc_zeroed(models, sizeof *t->converged);
    return t->weight != NULL && t->view != NULL && t->iterate != NULL &&
                   t->certificate != NULL && t->converged != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %d folds", t->folds);
}

sdca_status sdca_fold_training_create(MPI_Comm comm, const sdca_dataset *data, int folds,
                                      int classes, const sdca_train_options *options,
                                      sdca_fold_training *out)
{
    sdca_status        status = SDCA_OK;
    sdca_fold_training t      = { .folds   = folds,
                                  .classes = classes,
                                  .batch   = max_batch(data, options) };

    SDCA_TRY(sdca_comm_agree(comm, allocate(&t)));
    sdca_folds_weights(comm, data, folds, t.weight);
    *out = t;
    t    = (sdca_fold_training){ 0 }; /* now the caller's */

done:
    sdca_fold_training_free(&t);
    return status;
}

void sdca_fold_training_free(sdca_fold_training *training)
{
    for (int m = 0; training->iterate != NULL && m < count_models(training);
         m += training->batch) {
        sdca_iterate_free(&training->iterate[m]);
    }
    for (int f = 0; training->view != NULL && f < training->folds; f++) {
        free(training->view[f]);
    }
    free(training->weight);
    free(training->view);
    free(training->iterate);
    free(training->certificate);
    free(training->converged);
    *training = (sdca_fold_training){ 0 };
}

/* The objective of a model: lambda is that of all rows. */
static sdca_objective objective_of(const sdca_fold_training *t, const sdca_objective *all,
                                   int model)
{
    int            fold = model / t->classes;
    sdca_objective mine =
        sdca_objective_with_lambda(all->loss, all->parameter, all->lambda, all->rows,
                                   all->total_weight - t->weight[fold]);

    mine.one_against_rest = t->classes > 1 ? model % t->classes + 1 : 0;
    mine.held_out         = fold + 1;
    return mine;
}

/* Make the weights of the view of a fold. Local. */
static sdca_status make_view(sdca_fold_training *t, const sdca_dataset *data, int fold)
{
    if (t->view[fold] != NULL) {
        return SDCA_OK;
    }
    t->view[fold] = sdca_alloc_array((size_t)data->x.count + 1, sizeof *t->view[fold]);
    if (t->view[fold] == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the weights of %lld rows",
                         (long long)data->x.count);
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        t->view[fold][i] = data->fold[i] == fold ? 0.0 : sdca_dataset_weight(data, i);
    }
    return SDCA_OK;
}

/* The data set with a fold that has no weight. Means over the rows that are left are at
 * most those of the view. */
static sdca_dataset view_of(const sdca_fold_training *t, const sdca_dataset *data,
                            int fold)
{
    sdca_dataset view = *data;
    double       part;

    view.weight       = t->view[fold];
    view.fold         = NULL;
    view.total_weight = data->total_weight - t->weight[fold];
    part              = data->total_weight / view.total_weight;
    view.mean_norm2 *= part;
    view.margin_error2 *= part;
    return view;
}

/* The objectives of a batch, and its data set: a view, if it is one model. Collective. */
static sdca_status prepare_batch(MPI_Comm comm, const sdca_objective *all,
                                 const sdca_dataset *data, int first,
                                 sdca_fold_training *t, sdca_objective *objective,
                                 sdca_dataset *view)
{
    sdca_status status = SDCA_OK;
    int         count = count_batch(t, first), fold = first / t->classes;

    *view = *data;
    for (int m = 0; m < count; m++) {
        objective[m] = objective_of(t, all, first + m);
    }
    if (count == 1) {
        SDCA_TRY(sdca_comm_agree(comm, make_view(t, data, fold)));
        *view                 = view_of(t, data, fold);
        objective[0].held_out = 0;
    }

done:
    return status;
}

/* Train the models from first on. Collective. */
static sdca_status train_batch(MPI_Comm comm, const sdca_objective *all,
                               const sdca_dataset         *data,
                               const sdca_train_options   *options,
                               const sdca_train_callbacks *callbacks, int first,
                               sdca_fold_training *t)
{
    sdca_status          status                 = SDCA_OK, outcome;
    int                  count                  = count_batch(t, first);
    sdca_iterate        *iterate                = t->iterate + first;
    sdca_train_result    result[SDCA_MAX_LANES] = { { 0 } };
    sdca_objective       objective[SDCA_MAX_LANES];
    sdca_dataset         view;
    sdca_train_callbacks own;

    own = (sdca_train_callbacks){ .context        = callbacks->context,
                                  .on_progress    = callbacks->on_progress,
                                  .stop_requested = callbacks->stop_requested };
    SDCA_TRY(prepare_batch(comm, all, data, first, t, objective, &view));
    if (t->on_folds != NULL) {
        t->on_folds(t->context, first / t->classes, (first + count - 1) / t->classes);
    }
    if (iterate->row == NULL) {
        SDCA_TRY(sdca_iterate_create_lanes(comm, objective, &view, count, iterate));
    } else {
        sdca_warm_start_next_lambda(
            comm, objective, &view, count, objective[0].C * all->lambda / t->lambda,
            sdca_solver_find(options->solver)->w_of_alpha, iterate);
    }
    outcome = sdca_trainer_run_models(
        &(sdca_train_setup){
            .comm = comm, .data = &view, .options = options, .callbacks = &own },
        count, objective, NULL, iterate, result);
    for (int m = 0; m < count; m++) {
        t->certificate[first + m] = result[m].certificate;
        t->converged[first + m]   = result[m].stop_reason == SDCA_STOP_CONVERGED;
        t->stopped = t->stopped || result[m].stop_reason == SDCA_STOP_REQUESTED;
        t->epochs += sdca_iterate_epochs(&objective[m], &iterate[m]);
        sdca_history_free(&result[m].history);
    }
    status = outcome;

done:
    return status;
}

sdca_status sdca_fold_training_run(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset         *data,
                                   const sdca_train_options   *options,
                                   const sdca_train_callbacks *callbacks,
                                   sdca_fold_training         *training)
{
    sdca_status        status = SDCA_OK, worst = SDCA_OK;
    double             start = MPI_Wtime();
    sdca_train_options mine  = *options;

    mine.test         = NULL;
    mine.warm_start   = NULL;
    mine.checkpoint   = (sdca_checkpoint_options){ .path = NULL }; /* the caller's */
    training->stopped = false;
    training->epochs  = 0.0;
    for (int m = 0; m < count_models(training); m += training->batch) {
        double elapsed = MPI_Wtime() - start;

        sdca_comm_allreduce_max(comm, &elapsed, 1);
        training->stopped =
            training->stopped || (options->seconds > 0.0 && elapsed >= options->seconds);
        if (training->stopped) {
            break;
        }
        if (options->seconds > 0.0) {
            mine.seconds = options->seconds - elapsed;
        }
        status = train_batch(comm, objective, data, &mine, callbacks, m, training);
        SDCA_TRY(status == SDCA_BUDGET ? SDCA_OK : status);
        for (int k = 0; k < count_batch(training, m); k++) {
            worst = training->converged[m + k] ? worst : SDCA_BUDGET;
        }
    }
    training->lambda = objective->lambda;
    if (options->seconds > 0.0) { /* the last batch may have run out of time */
        double elapsed = MPI_Wtime() - start;

        sdca_comm_allreduce_max(comm, &elapsed, 1);
        training->stopped =
            training->stopped || (worst != SDCA_OK && elapsed >= options->seconds);
    }
    status = training->stopped ? SDCA_BUDGET : worst;

done:
    return status;
}

void sdca_fold_training_fields(const sdca_objective *objective, int number,
                               sdca_fold_training *training, sdca_field_io *io)
{
    sdca_fold_training *t    = training;
    const sdca_dataset *data = io->data;

    for (int first = 0; first < count_models(t); first += t->batch) {
        sdca_iterate  *iterate = t->iterate + first;
        int            count   = count_batch(t, first);
        sdca_objective of_batch[SDCA_MAX_LANES];
        sdca_dataset   view;
        sdca_status    status =
            prepare_batch(io->comm, objective, data, first, t, of_batch, &view);

        if (status == SDCA_OK && !io->writing) {
            status = sdca_iterate_create_lanes(io->comm, of_batch, &view, count, iterate);
        }
        if (status != SDCA_OK) {
            io->status = status;
            return; /* on every rank */
        }
        sdca_iterates_fields(of_batch, count, number + first, iterate, io);
    }
    t->lambda = objective->lambda;
}

/* The scores of the rows that a batch of models holds out. */
static void score_batch(const sdca_fold_training *t, const sdca_dataset *data, int first,
                        double *score)
{
    const sdca_iterate      *iterate = &t->iterate[first];
    int                      count   = count_batch(t, first);
    const sdca_lane_kernels *kernels =
        iterate->lanes > 1 ? sdca_lane_kernels_find(&data->x, iterate->lanes) : NULL;
    double z[SDCA_MAX_LANES];

    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t start = data->x.row[i].start, width = data->x.row[i + 1].start - start;
        int     begin = data->fold[i] * t->classes - first; /* of its models */

        if (data->fold[i] < 0 || begin + t->classes <= 0 || begin >= count) {
            continue;
        }
        if (kernels == NULL) {
            z[0] = sdca_rows_dot(&data->x, i, iterate->w);
        } else {
            kernels->dot(&data->x, start, width, iterate->w, z);
        }
        for (int k = 0; k < t->classes; k++) {
            if (begin + k >= 0 && begin + k < count) {
                score[(size_t)i * (size_t)t->classes + (size_t)k] = z[begin + k];
            }
        }
    }
}

void sdca_fold_training_score(const sdca_fold_training *training,
                              const sdca_dataset *data, double *score)
{
    for (size_t k = 0; k < (size_t)data->x.count * (size_t)training->classes; k++) {
        score[k] = 0.0;
    }
    for (int m = 0; m < count_models(training); m += training->batch) {
        if (training->iterate[m].row != NULL) {
            score_batch(training, data, m, score);
        }
    }
}
