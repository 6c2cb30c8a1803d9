/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_job_path.c - train with several lambda: each fit is recorded, tested and kept. */
#include <math.h>

#include "cli/train/train_job.h"
#include "cli/train/train_keep_dual.h"
#include "cli/train/train_path_checkpoint.h"
#include "mpi/comm.h"
#include "train/lambda_path.h"

static void begin_fit(void *context, int k)
{
    train_job *j = context;

    if (sdca_comm_rank(j->comm) == 0) {
        train_monitor_begin_fit(j->monitor, k);
    }
}

static void begin_folds(void *context, int first, int last)
{
    train_monitor_begin_folds(((train_job *)context)->monitor, first, last);
}

void train_job_watch_folds(train_job *j, sdca_fold_training *folds)
{
    if (sdca_comm_rank(j->comm) == 0) {
        folds->on_folds = begin_folds;
        folds->context  = j;
    }
}

/* The seconds of the run that are left; 0: no limit. Collective. */
static double seconds_left(const train_job *j)
{
    double limit = j->arguments.training.seconds, elapsed = MPI_Wtime() - j->path_start;

    sdca_comm_allreduce_max(j->comm, &elapsed, 1);
    return limit > 0.0 ? fmax(limit - elapsed, 1e-9) : 0.0;
}

/* Test the lambda of a fit, whose complete model is given, and keep the model if it may
 * be chosen. Collective. */
static sdca_status test_lambda(train_job *j, const sdca_model *model, sdca_status outcome)
{
    sdca_status        status   = SDCA_OK;
    bool               first    = sdca_comm_rank(j->comm) == 0;
    int                tested   = j->selection.table.fits;
    sdca_train_options training = j->arguments.training;

    training.seconds = seconds_left(j);
    SDCA_TRY(train_selection_test(&j->selection, model, &training, j->callbacks));
    if (j->selection.table.fits == tested) { /* the folds were stopped */
        goto done;
    }
    SDCA_TRY(sdca_comm_agree(j->comm, first ? train_selection_keep(&j->selection, outcome,
                                                                   &j->state, &j->model,
                                                                   &j->result)
                                            : SDCA_OK));
    if (first) {
        train_monitor_lambda_tested(j->monitor, &j->selection);
    }

done:
    return status;
}

static bool selection_is_over(void *context)
{
    const train_job *j = context;

    return j->selection.stopped;
}

/* Write the model of a fit, and keep what is said about it at the end. Collective. */
static sdca_status end_fit(void *context, sdca_status outcome)
{
    train_job         *j      = context;
    sdca_train_result *result = &j->result;
    sdca_status        status = SDCA_OK;
    sdca_model         model;
    path_fit           fit;
    sdca_path          file;

    result->times.read = j->run.read_seconds;
    model              = train_job_complete_model(j, outcome);
    fit                = (path_fit){ .lambda       = j->problem.lambda,
                                     .C            = j->problem.C,
                                     .certificate  = result->certificate,
                                     .relative_gap = sdca_model_relative_gap(&model),
                                     .seconds      = result->times.total,
                                     .test_error   = result->test_error,
                                     .outcome      = outcome };

    for (int part = 0; part < sdca_model_parts(&model); part++) {
        sdca_class_model now = sdca_model_part(&model, part);

        fit.epochs += now.epochs;
        fit.rounds += now.history.records[now.history.count - 1].round;
    }
    j->last_outcome = outcome;
    SDCA_TRY(sdca_comm_agree(j->comm,
                             sdca_comm_rank(j->comm) == 0
                                 ? train_path_add(&j->path, &j->arguments, &model, &fit)
                                 : SDCA_OK));
    file = train_path_file(&j->arguments, j->path.count > 0 ? j->path.count - 1 : 0);
    SDCA_TRY(train_keep_dual_write(j->comm, &j->arguments, j->data, &j->state, result,
                                   &model, file.text));
    if (j->run.selection != NULL && result->stop_reason != SDCA_STOP_REQUESTED) {
        SDCA_TRY(test_lambda(j, &model, outcome));
    }

done:
    return status;
}

static void save(void *context, int fits, sdca_status worst)
{
    train_job *j = context;

    j->path.finished = fits;
    j->path_worst    = worst;
    train_path_checkpoint_write(j);
}

/* The chosen fit is the result. Of a run that ended early, it is the best that was
 * tested; without any, it is the last. Local. */
static void use_chosen_fit(train_job *j)
{
    if (j->selection.table.fits > 0 && sdca_comm_rank(j->comm) == 0) {
        j->last_outcome =
            train_selection_restore(&j->selection, &j->state, &j->model, &j->result);
        j->problem = j->model.objective;
        if (j->selection.calibration != NULL) {
            sdca_calibration *chosen =
                &j->selection.calibration[j->selection.table.chosen];

            j->model.calibration = *chosen;
            *chosen              = (sdca_calibration){ .sigmoid = NULL };
        }
    }
}

/* The table of the choice, if one is to be made, and its bound. Collective. */
static sdca_status finish_selection(train_job *j, sdca_status *outcome)
{
    sdca_status status   = SDCA_OK;
    bool        complete = j->selection.table.fits == j->selection.table.room;

    if (*outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(train_selection_finish_bound(&j->selection));
        SDCA_TRY(train_selection_write_folds(j->comm, j->data, j->arguments.fold_file));
        *outcome = complete && j->selection.worst == SDCA_OK ? *outcome : SDCA_BUDGET;
    }
    use_chosen_fit(j);
    if (j->state.w != NULL) { /* of two classes or a regression */
        sdca_comm_broadcast_numbers(j->comm, j->state.w, j->data->columns);
    }

done:
    return status;
}

/* Continue from a checkpoint, if there is one. Collective. */
static sdca_status resume(train_job *j)
{
    sdca_status status = SDCA_OK;

    if (j->arguments.training.checkpoint.resume_from != NULL) {
        SDCA_TRY(train_path_checkpoint_read(j));
    }

done:
    return status;
}

sdca_status train_job_run_path(train_job *j, const sdca_train_options *training,
                               const sdca_train_callbacks *callbacks)
{
    sdca_lambda_path path  = { .count     = j->arguments.lambdas.count,
                               .lambda    = j->arguments.lambdas.value,
                               .context   = j,
                               .classes   = &j->class_iterates,
                               .save      = j->arguments.checkpoint != NULL ? save : NULL,
                               .on_fit    = begin_fit,
                               .on_fitted = end_fit,
                               .is_over   = selection_is_over };
    sdca_train_setup setup = {
        .comm = j->comm, .data = j->data, .options = training, .callbacks = callbacks
    };
    sdca_status status = SDCA_OK, outcome = SDCA_OK;

    train_job_watch_folds(j, &j->selection.folds);
    j->callbacks  = callbacks;
    j->path_start = MPI_Wtime();
    SDCA_TRY(resume(j));
    path.first = j->path.finished;
    path.worst = j->path_worst;
    outcome    = sdca_lambda_path_run(&setup, &path, &j->problem, &j->model, &j->state,
                                      &j->result);
    SDCA_TRY(outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED ? SDCA_OK : outcome);
    j->path.seconds += MPI_Wtime() - j->path_start;
    if (j->run.selection != NULL) {
        SDCA_TRY(finish_selection(j, &outcome));
    }
    j->result.checkpoint_failed =
        outcome != SDCA_INTERRUPTED && j->path_checkpoint_failed;
    status = outcome;

done:
    sdca_class_iterates_free(&j->class_iterates);
    return status;
}
