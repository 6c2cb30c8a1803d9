/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - sdca train: a certified model from a data file.
 *
 * sdca_cli_train() parses the command line, checks files, reads the rows and chooses the
 * ranks that work; train() prepares the model, runs the trainer and writes the outputs.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/feature_check.h"
#include "cli/idle_ranks.h"
#include "cli/mpi_session.h"
#include "cli/options/train_arguments.h"
#include "cli/train_files.h"
#include "cli/train_restart.h"
#include "cli/ui/train_monitor.h"
#include "data/dataset_reader.h"
#include "data/feature_names.h"
#include "io/atomic_file.h"
#include "model/class_history.h"
#include "mpi/comm.h"
#include "solver/sdca/round_length.h"
#include "solver/solvers.h"
#include "train/class_training.h"
#include "train/warm_start.h"

/* A run of the command and its resources. */
typedef struct job {
    MPI_Comm          comm;  /* of the ranks that work */
    double            start; /* of reading */
    train_arguments   arguments;
    train_restart     checkpoints;
    status_line       display;
    sdca_dataset     *data;
    sdca_dataset     *test; /* or NULL */
    sdca_objective    problem;
    sdca_model        model;
    sdca_iterate      state;
    sdca_train_result result;
    run_description   run;
} job;

/* The settings of the model, before training. */
static sdca_model make_model(const run_description *run)
{
    sdca_model model = { .objective   = *run->problem,
                         .normalized  = run->data->normalized,
                         .columns     = sdca_dataset_feature_count(run->data),
                         .bias_value  = run->data->bias,
                         .nonzeros    = run->data->nonzeros,
                         .fingerprint = run->data->fingerprint,
                         .seed        = run->arguments->training.seed,
                         .ranks       = run->working_ranks,
                         .seconds     = { .read = run->read_seconds } };

    snprintf(model.options, sizeof model.options, "%s", run->arguments->command_line);
    return model;
}

/* Read the names of the columns, if the data file has them. Names are optional, so that
 * only a lack of memory and links that must not be followed are errors. */
static sdca_status read_feature_names(const char *path, bool links, sdca_string_list *out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (links) {
        sdca_hdf5_follow_external_links(store);
    }
    SDCA_TRY(sdca_feature_names_read_names(store, out));

done:
    if (status != SDCA_MEMORY &&
        (store == NULL || sdca_hdf5_deferred_error(store) == SDCA_OK)) {
        status = SDCA_OK;
    }
    sdca_hdf5_close(store);
    return status;
}

/* Write model, history and summary, as requested; no model if the run is to be resumed.
 */
static sdca_status write_outputs(const job *j, sdca_status outcome)
{
    const train_arguments   *arguments = &j->arguments;
    const sdca_train_result *result    = &j->result;
    bool                     several   = j->model.by_class != NULL;
    sdca_model               model     = j->model;
    sdca_status              status    = SDCA_OK;

    if (!several) {
        model.w    = j->state.w;
        model.bias = sdca_dataset_intercept(j->data, model.w);
    }
    model.column_map     = j->data->column_map;
    model.certificate    = result->certificate;
    model.has_test_error = isfinite(result->test_error);
    model.test_error     = result->test_error;
    model.history        = result->history;
    model.converged      = outcome == SDCA_OK;
    model.seconds        = result->times;
    snprintf(model.solver, sizeof model.solver, "%s", sdca_solver_name(result->solver));
    if (outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(sdca_model_write(&model, arguments->model));
    }
    if (arguments->history != NULL) {
        SDCA_TRY(several ? sdca_class_history_write_csv(&model, arguments->history)
                         : sdca_history_write_csv(&result->history, arguments->history));
    }
    if (arguments->summary != NULL) {
        SDCA_TRY(train_messages_write_summary(&j->run, &j->state, result, outcome,
                                              arguments->summary));
    }

done:
    return status;
}

static sdca_objective make_problem(const train_arguments *arguments,
                                   const sdca_dataset    *data)
{
    return arguments->C > 0.0
               ? sdca_objective_with_C(arguments->loss, arguments->loss_parameter,
                                       arguments->C, data->rows, data->total_weight)
               : sdca_objective_with_lambda(arguments->loss, arguments->loss_parameter,
                                            arguments->lambda, data->rows,
                                            data->total_weight);
}

/* Test set and model must have the same columns as the data. Collective. */
static sdca_status check_feature_names(const job *j)
{
    const train_arguments *arguments = &j->arguments;
    sdca_status            status    = SDCA_OK;

    if (arguments->test != NULL) {
        SDCA_TRY(feature_check_names(j->comm, arguments->test, arguments->data,
                                     arguments->follow_links));
    }
    if (arguments->warm_start != NULL &&
        arguments->training.checkpoint.resume_from == NULL) {
        SDCA_TRY(feature_check_names(j->comm, arguments->data, arguments->warm_start,
                                     arguments->follow_links));
    }

done:
    return status;
}

/* Check the files and find the checkpoint, before the rows are read. Collective. */
static sdca_status prepare(job *j)
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
    SDCA_TRY(train_restart_prepare(j->comm, &j->arguments, &j->checkpoints));
    training->checkpoint.path =
        j->arguments.checkpoint != NULL ? j->checkpoints.path.text : NULL;
    training->checkpoint.resume_from = j->checkpoints.resume_from.text[0] != '\0'
                                           ? j->checkpoints.resume_from.text
                                           : NULL;
    SDCA_TRY(check_feature_names(j));
    training->checkpoint.model = &j->model;
    j->display                 = status_line_open(first && !j->arguments.quiet);
    j->run                     = (run_description){ .arguments = &j->arguments,
                                                    .problem   = &j->problem,
                                                    .model     = &j->model,
                                                    .ranks     = started };

done:
    return status;
}

/* Read the rows, divided among the ranks of j->comm. Collective. */
static sdca_status read_rows(job *j)
{
    const train_arguments *arguments = &j->arguments;
    sdca_status            status    = SDCA_OK;

    status_line_begin_rows(&j->display, arguments->data);
    SDCA_TRY(sdca_dataset_reader_read(
        j->comm, arguments->data,
        &(sdca_dataset_options){ .task            = arguments->loss->classification
                                                        ? SDCA_TASK_CLASSIFICATION
                                                        : SDCA_TASK_REGRESSION,
                                 .normalize       = arguments->normalize,
                                 .bias            = arguments->bias,
                                 .shuffle         = true,
                                 .compact_columns = true,
                                 .positive        = arguments->positive,
                                 .require_labels  = true,
                                 .label_column    = arguments->label_column,
                                 .weight_column   = arguments->weight_column,
                                 .class_weight    = arguments->class_weight,
                                 .follow_links    = arguments->follow_links,
                                 .progress        = status_line_update_reader,
                                 .context         = &j->display },
        &j->data));
    if (arguments->training.record_bounds && j->data->weight != NULL) {
        status = SDCA_FAIL(SDCA_USAGE, "the paper's bounds do not cover weights of rows");
        goto done;
    }
    j->problem           = make_problem(arguments, j->data);
    j->run.data          = j->data;
    j->run.labels        = &j->data->classes;
    j->run.working_ranks = sdca_comm_size(j->comm);

done:
    return status;
}

/* Read the test set, if there is one. Collective. */
static sdca_status read_test(job *j)
{
    const train_arguments *arguments = &j->arguments;

    status_line_begin_rows(&j->display, arguments->test);
    if (arguments->test == NULL) {
        return SDCA_OK;
    }
    return sdca_dataset_reader_read(
        j->comm, arguments->test,
        &(sdca_dataset_options){
            .classes        = &j->data->classes,
            .normalize      = arguments->normalize,
            .columns_of     = j->data,
            .require_labels = true,
            .label_column   = arguments->label_column,
            .weight_column  = arguments->unweighted ? NULL : arguments->weight_column,
            .unweighted     = arguments->unweighted,
            .follow_links   = arguments->follow_links,
            .progress       = status_line_update_reader,
            .context        = &j->display },
        &j->test);
}

/* Make the model with its settings and names of columns, and the initial iterate.
 * Collective. */
static sdca_status prepare_model(job *j)
{
    const train_arguments *arguments = &j->arguments;
    bool                   first     = sdca_comm_rank(j->comm) == 0;
    sdca_status            status    = SDCA_OK;

    j->arguments.training.solver = sdca_train_options_resolve_solver(
        &arguments->training, &j->problem, j->data, j->run.working_ranks);
    j->model = make_model(&j->run);
    SDCA_TRY(
        sdca_comm_agree(j->comm, sdca_classes_copy(j->run.labels, &j->model.labels)));
    SDCA_TRY(sdca_comm_agree(j->comm, first ? read_feature_names(arguments->data,
                                                                 arguments->follow_links,
                                                                 &j->model.feature_names)
                                            : SDCA_OK));
    if (sdca_model_parts(&j->model) > 1) { /* each class has an iterate of its own */
        j->model.column_map = j->data->column_map;
        goto done;
    }
    SDCA_TRY(sdca_iterate_create(j->comm, &j->problem, j->data, &j->state));
    if (arguments->warm_start != NULL &&
        arguments->training.checkpoint.resume_from == NULL) {
        SDCA_TRY(sdca_warm_start(j->comm, &j->problem, j->data, 0, arguments->warm_start,
                                 &j->state));
    }

done:
    return status;
}

/* Train the model, or one per class. Collective. */
static sdca_status run_trainer(job *j, const sdca_train_callbacks *callbacks)
{
    sdca_train_options training = j->arguments.training;

    training.warm_start = j->arguments.warm_start;
    return sdca_model_parts(&j->model) > 1
               ? sdca_class_training_run(j->comm, &j->problem, j->data, &training,
                                         callbacks, &j->model, &j->result)
               : sdca_trainer_run(j->comm, &j->problem, j->data, &j->arguments.training,
                                  callbacks, &j->state, &j->result);
}

/* Print settings and warnings, and install the callbacks. Collective. */
static sdca_status begin_monitor(job *j, train_monitor *monitor,
                                 sdca_train_callbacks *callbacks)
{
    const train_arguments *arguments = &j->arguments;
    bool                   first     = sdca_comm_rank(j->comm) == 0;
    data_facts             facts     = { 0 };

    if (!arguments->quiet) {
        facts = data_facts_measure(j->comm, j->data, arguments->verbose);
    }
    if (!arguments->quiet && j->test != NULL) {
        data_warnings_check_labels(j->comm, j->test, arguments->test, &j->data->classes,
                                   monitor->unknown_labels);
    }
    return sdca_comm_agree(
        j->comm, first ? train_monitor_begin(monitor, &facts, callbacks) : SDCA_OK);
}

/* Write the outputs and print the result of a run that did not fail. Collective. */
static sdca_status finish(const job *j, sdca_status outcome, const char *checkpoint_error)
{
    bool        first = sdca_comm_rank(j->comm) == 0;
    sdca_status status =
        sdca_comm_agree(j->comm, first ? write_outputs(j, outcome) : SDCA_OK);

    if (status != SDCA_OK) {
        return status;
    }
    if (first && !j->arguments.quiet) {
        train_messages_result(&j->run, &j->result, outcome);
    }
    return !j->result.checkpoint_failed
               ? outcome
               : SDCA_FAIL(SDCA_IO,
                           "the model is written, but not the last checkpoint: %.800s",
                           checkpoint_error);
}

/* Train on the rows that have been read. Collective. */
static sdca_status train(job *j)
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
                                               ? idle_ranks_is_stop_requested
                                               : train_restart_is_stop_requested };

    SDCA_TRY(read_test(j));
    monitor.test               = j->test;
    j->arguments.training.test = j->test;
    j->run.read_seconds        = MPI_Wtime() - j->start;
    SDCA_TRY(prepare_model(j));
    SDCA_TRY(begin_monitor(j, &monitor, &callbacks));
    train_restart_mark_running();
    outcome              = run_trainer(j, &callbacks);
    j->result.times.read = j->run.read_seconds;
    status_line_close(&j->display);
    status = outcome == SDCA_OK || outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED
                 ? finish(j, outcome, monitor.checkpoint_error)
                 : outcome;

done:
    train_monitor_end(&monitor, &j->result, status);
    return status;
}

/* The number of ranks that should be fastest; node_ranks are on the node of rank 0. */
static int choose_ranks(const job *j, int node_ranks)
{
    const sdca_train_options *training = &j->arguments.training;
    int                       ranks    = j->run.ranks;

    return j->arguments.all_ranks ||
                   sdca_train_options_resolve_solver(training, &j->problem, j->data,
                                                     ranks) != SDCA_SOLVER_SDCA
               ? ranks
               : sdca_round_length_choose_ranks(
                     sdca_round_length_input_of(&j->problem, j->data, ranks, 1, 1),
                     node_ranks);
}

/* Read the rows again on the workers and train there while the others wait. Collective.
 */
static sdca_status train_on_subset(job *j, MPI_Comm workers)
{
    sdca_status status = SDCA_OK;

    sdca_dataset_free(j->data);
    j->data = NULL;
    if (workers != MPI_COMM_NULL) {
        j->comm = workers;
        status  = read_rows(j);
        status  = status == SDCA_OK ? train(j) : status;
        j->comm = MPI_COMM_WORLD;
    } else {
        train_restart_mark_running(); /* signals now stop the first rank */
    }
    return idle_ranks_wait(status);
}

/* Train on the number of ranks that should be fastest. Collective. */
static sdca_status train_on_best_ranks(job *j)
{
    int         node_ranks = idle_ranks_count_first_node();
    int         ranks      = choose_ranks(j, node_ranks);
    MPI_Comm    workers    = MPI_COMM_NULL;
    sdca_status status     = SDCA_OK;

    if (ranks == j->run.ranks) {
        return train(j);
    }
    workers = idle_ranks_split(ranks);
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
    job         j      = { .comm = MPI_COMM_WORLD };

    train_restart_install_signals(
        requests_checkpoint(argc, argv)); /* before MPI_Init, which is slow */
    SDCA_TRY(mpi_session_begin("train", argc, argv));
    SDCA_TRY(mpi_session_agree(train_arguments_parse(argc, argv, &j.arguments, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(prepare(&j));
    j.start = MPI_Wtime();
    SDCA_TRY(read_rows(&j));
    status = train_on_best_ranks(&j);

done:
    status_line_close(&j.display);
    train_restart_end(&j.checkpoints);
    sdca_model_clear(&j.model);
    sdca_history_free(&j.result.history);
    sdca_iterate_free(&j.state);
    sdca_dataset_free(j.test);
    sdca_dataset_free(j.data);
    return status;
}
