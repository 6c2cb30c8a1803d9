/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - sdca train: a certified model from a data file.
 *
 * sdca_cli_train() parses the command line, checks files, reads the rows and chooses the
 * ranks that work; train() prepares the model, runs the trainer and writes the outputs.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "cli/anndata_files.h"
#include "cli/cli.h"
#include "cli/mpi_session.h"
#include "cli/train/rank_subset.h"
#include "cli/train/train_calibration.h"
#include "cli/train/train_files.h"
#include "cli/train/train_job.h"
#include "cli/train/train_signals.h"
#include "cli/train/train_until_labels.h"
#include "mpi/comm.h"
#include "solver/sdca/round_length.h"
#include "solver/solvers.h"
#include "train/class_training.h"

/* Check the files and find the checkpoint, before the rows are read. Collective. */
static sdca_status prepare(train_job *j)
{
    sdca_status         status   = SDCA_OK;
    bool                first    = sdca_comm_rank(j->comm) == 0;
    sdca_train_options *training = &j->arguments.training;
    int                 started  = sdca_comm_size(j->comm);

    SDCA_TRY(
        sdca_comm_agree(j->comm, first ? train_files_check(&j->arguments) : SDCA_OK));
    if (training->solver != SDCA_SOLVER_AUTO &&
        sdca_solver_find(training->solver)->single_rank && started > 1) {
        status = SDCA_FAIL(SDCA_USAGE, "--solver %s runs on one rank, not on %d",
                           sdca_solver_name(training->solver), started);
        goto done;
    }
    SDCA_TRY(train_resume_prepare(j->comm, &j->arguments, &j->checkpoints));
    training->checkpoint.path =
        j->arguments.checkpoint != NULL ? j->checkpoints.path.text : NULL;
    training->checkpoint.resume_from = j->checkpoints.resume_from.text[0] != '\0'
                                           ? j->checkpoints.resume_from.text
                                           : NULL;
    SDCA_TRY(train_job_check_feature_names(j));
    j->display = live_progress_open(first && !j->arguments.quiet);
    j->run     = (run_description){ .arguments = &j->arguments,
                                    .problem   = &j->problem,
                                    .model     = &j->model,
                                    .ranks     = started };

done:
    return status;
}

/* Train the model, or one per class. Collective. */
static sdca_status run_trainer(train_job *j, const sdca_train_callbacks *callbacks)
{
    sdca_train_options training = j->arguments.training;
    sdca_train_setup   setup    = {
             .comm = j->comm, .data = j->data, .options = &training, .callbacks = callbacks
    };

    training.warm_start = j->arguments.warm_start; /* for several classes and lambda */
    if (j->run.path != NULL) {
        return train_job_run_path(j, &training, callbacks);
    }
    if (j->arguments.until_labels) {
        return train_until_labels(j, callbacks);
    }
    return sdca_model_parts(&j->model) > 1
               ? sdca_class_training_run(&setup, &j->problem, NULL, &j->model, &j->result)
               : sdca_trainer_run(&setup, &j->problem, &j->model, &j->state, &j->result);
}

/* What choosing a lambda or calibrating needs before training. Collective. */
static sdca_status prepare_held_out(train_job *j)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(&j->model);

    if (train_arguments_has_selection(&j->arguments)) {
        SDCA_TRY(train_selection_create(j->comm, &j->arguments, j->data, j->validation,
                                        parts, &j->selection));
        j->run.selection = &j->selection;
    } else if (j->arguments.folds > 0) {
        SDCA_TRY(
            train_calibration_prepare(j->comm, &j->arguments, j->data, parts, &j->folds));
    }

done:
    return status;
}

/* Calibrate the model of one lambda, which is trained, unless the run was stopped.
 * Collective. Returns the outcome of all that was trained. */
static sdca_status calibrate(train_job *j, const sdca_train_callbacks *callbacks,
                             sdca_status outcome)
{
    sdca_status        status = SDCA_OK, folds = SDCA_OK;
    sdca_train_options training = j->arguments.training;

    if (!j->arguments.calibrate || j->run.path != NULL ||
        (outcome != SDCA_OK && outcome != SDCA_BUDGET) ||
        j->result.stop_reason == SDCA_STOP_REQUESTED) {
        return outcome;
    }
    if (j->validation != NULL) {
        sdca_model model = train_job_complete_model(j, outcome);

        SDCA_TRY(train_calibration_of_validation(j->comm, &j->arguments, j->data,
                                                 j->validation, &model,
                                                 &j->model.calibration));
    } else {
        training.seconds = training.seconds > 0.0
                               ? fmax(training.seconds - j->result.times.total, 1e-9)
                               : 0.0;
        train_job_watch_folds(j, &j->folds);
        folds = train_calibration_run(j->comm, &j->arguments, j->data, &training,
                                      callbacks, &j->folds, &j->model);
        SDCA_TRY(folds == SDCA_BUDGET ? SDCA_OK : folds);
        outcome = folds == SDCA_OK ? outcome : folds;
        SDCA_TRY(train_selection_write_folds(j->comm, j->data, j->arguments.fold_file));
    }
    status = outcome;

done:
    return status;
}

/* Print settings and warnings, and install the callbacks. Collective. */
static sdca_status begin_monitor(train_job *j, train_monitor *monitor,
                                 sdca_train_callbacks *callbacks)
{
    const train_arguments *arguments = &j->arguments;
    bool                   first     = sdca_comm_rank(j->comm) == 0;
    sdca_status            status    = SDCA_OK;
    data_facts             facts     = { 0 };
    bool                   table     = j->model.table.column.count > 0; /* of rank 0 */

    if (!arguments->quiet) {
        sdca_comm_broadcast(j->comm, &table, sizeof table);
        facts     = data_facts_measure(j->comm, j->data, table, arguments->verbose);
        j->advice = facts.advice;
    }
    for (int k = 0; k < 2 && !arguments->quiet; k++) {
        const sdca_dataset *rows = k == 0 ? j->validation : j->test;

        if (rows != NULL) {
            run_warnings_check_labels(j->comm, rows,
                                      k == 0 ? arguments->validation : arguments->test,
                                      &j->data->classes, monitor->unknown_labels[k]);
        }
    }
    if (first && !arguments->quiet && arguments->label_column != NULL) {
        anndata_files_print_notes(&j->display.terminal, j->data, arguments->data,
                                  "left out");
        status = anndata_files_warn_of_counts(&j->display.terminal, j->data,
                                              arguments->data, arguments->follow_links);
        if (status == SDCA_OK) {
            status = anndata_files_warn_of_names(
                &j->display.terminal, &j->model.feature_names, arguments->data);
        }
    }
    if (first && status == SDCA_OK) {
        status = train_monitor_begin(monitor, &facts, callbacks);
    }
    return sdca_comm_agree(j->comm, status);
}

/* Train on the rows that have been read. Collective. */
static sdca_status train(train_job *j)
{
    sdca_status          status = SDCA_OK, outcome = SDCA_OK;
    train_monitor        monitor   = { .comm    = j->comm,
                                       .run     = &j->run,
                                       .history = &j->result.history,
                                       .display = &j->display };
    sdca_train_callbacks callbacks = { .context       = &monitor,
                                       .on_checkpoint = train_monitor_checkpoint_written,
                                       .stop_requested =
                                           j->run.working_ranks < j->run.ranks
                                               ? rank_subset_is_stop_requested
                                               : train_signals_is_stop_requested };

    j->monitor  = &monitor;
    j->run.path = train_arguments_has_path(&j->arguments) ? &j->path : NULL;
    SDCA_TRY(train_job_read_other(j, j->arguments.validation, &j->validation));
    SDCA_TRY(train_job_check_validation(j));
    SDCA_TRY(train_job_read_other(j, j->arguments.test, &j->test));
    monitor.test               = j->test;
    j->arguments.training.test = j->test;
    j->run.read_seconds        = MPI_Wtime() - j->start;
    SDCA_TRY(train_job_prepare_model(j));
    SDCA_TRY(prepare_held_out(j));
    SDCA_TRY(begin_monitor(j, &monitor, &callbacks));
    train_signals_mark_running();
    outcome              = run_trainer(j, &callbacks);
    outcome              = calibrate(j, &callbacks, outcome);
    j->result.times.read = j->run.read_seconds;
    live_progress_close(&j->display);
    status = outcome == SDCA_OK || outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED
                 ? train_job_finish(j, outcome, monitor.checkpoint_error)
                 : outcome;

done:
    train_monitor_end(&monitor, &j->result, status);
    train_selection_free(&j->selection);
    sdca_fold_training_free(&j->folds);
    return status;
}

/* The lanes of the models that are trained side by side. */
static int count_lanes(const train_job *j)
{
    int classes = j->data->classes.count;
    int most = sdca_class_training_max_batch(&j->problem, j->data, &j->arguments.training,
                                             j->run.ranks);

    return sdca_iterate_lanes(classes > 2 ? classes < most ? classes : most : 1);
}

/* The number of ranks that should be fastest; node_ranks are on the node of rank 0.
 * Collective. */
static int choose_ranks(const train_job *j, int node_ranks)
{
    int                ranks = j->run.ranks, lanes = count_lanes(j);
    sdca_touched_lines touched = sdca_touched_lines_estimate(j->comm, j->data, lanes);

    return j->arguments.all_ranks ||
                   train_job_resolve_solver(j, ranks) != SDCA_SOLVER_SDCA
               ? ranks
               : sdca_round_length_choose_ranks(
                     sdca_round_length_input_of(&j->problem, j->data, ranks, 1, lanes,
                                                touched),
                     node_ranks);
}

/* Read the rows again on the workers and train there while the others wait. Collective.
 */
static sdca_status train_on_subset(train_job *j, MPI_Comm workers)
{
    sdca_status status = SDCA_OK;

    sdca_dataset_free(j->data);
    j->data = NULL;
    if (workers != MPI_COMM_NULL) {
        j->comm = workers;
        status  = train_job_read_rows(j);
        status  = status == SDCA_OK ? train(j) : status;
        j->comm = MPI_COMM_WORLD;
    } else {
        train_signals_mark_running(); /* signals now stop the first rank */
    }
    return rank_subset_wait(status);
}

/* Train on the number of ranks that should be fastest. Collective. */
static sdca_status train_on_best_ranks(train_job *j)
{
    int         node_ranks = rank_subset_count_first_node();
    int         ranks      = choose_ranks(j, node_ranks);
    MPI_Comm    workers    = MPI_COMM_NULL;
    sdca_status status     = SDCA_OK;

    if (ranks == j->run.ranks) {
        return train(j);
    }
    workers = rank_subset_split(ranks);
    status  = train_on_subset(j, workers);
    if (workers != MPI_COMM_NULL) {
        MPI_Comm_free(&workers);
    }
    return status;
}

/* Does the command line, which is not parsed yet, request checkpoints? */
static bool requests_checkpoint(int argc, char **argv)
{
    static const char option[] = "--checkpoint";
    bool              found    = false;

    for (int k = 0; k < argc; k++) {
        found = found || strncmp(argv[k], option, sizeof option - 1) == 0;
    }
    return found;
}

sdca_status sdca_cli_train(int argc, char **argv)
{
    sdca_status status = SDCA_OK;
    bool        help   = false;
    train_job   j      = { .comm = MPI_COMM_WORLD };

    train_signals_install(
        requests_checkpoint(argc, argv)); /* before MPI_Init, which is slow */
    SDCA_TRY(mpi_session_begin("train", argc, argv));
    SDCA_TRY(mpi_session_agree(train_arguments_parse(argc, argv, &j.arguments, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(prepare(&j));
    j.start = MPI_Wtime();
    SDCA_TRY(train_job_read_rows(&j));
    status = train_on_best_ranks(&j);

done:
    live_progress_close(&j.display);
    train_resume_end(&j.checkpoints);
    train_path_free(&j.path);
    sdca_model_clear(&j.model);
    sdca_history_free(&j.result.history);
    sdca_iterate_free(&j.state);
    free(j.source_w);
    sdca_dataset_free(j.test);
    sdca_dataset_free(j.validation);
    sdca_dataset_free(j.data);
    return status;
}
