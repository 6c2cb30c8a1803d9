/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - sdca train: a certified model from a data file. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include "cli.h"
#include "names.h"
#include "ranks.h"
#include "restart.h"
#include "sdca/comm.h"
#include "sdca/legend.h"
#include "sdca/output.h"
#include "sdca/pace.h"
#include "sdca/reader.h"
#include "sdca/warm.h"
#include "train_files.h"
#include "train_options.h"
#include "watch.h"
#include "workers.h"

/* A run of the command, and all that it holds. */
typedef struct job {
    MPI_Comm          comm;  /* of the ranks that work */
    double            start; /* of reading */
    train_options     options;
    restart           checkpoints;
    live              screen;
    sdca_dataset     *data;
    sdca_dataset     *test; /* or NULL */
    sdca_classes      labels;
    sdca_objective    problem;
    sdca_model        model;
    sdca_iterate      state;
    sdca_train_result result;
    story             story;
} job;

/* What is known of a model before it is trained. */
static sdca_model make_model(const story *s)
{
    sdca_model model = { .objective   = *s->problem,
                         .labels      = *s->labels,
                         .normalized  = s->data->normalized,
                         .columns     = sdca_dataset_feature_count(s->data),
                         .bias_value  = s->data->bias,
                         .nonzeros    = s->data->nonzeros,
                         .fingerprint = s->data->fingerprint,
                         .seed        = s->options->plan.seed,
                         .ranks       = s->working,
                         .seconds     = { .read = s->read } };

    snprintf(model.options, sizeof model.options, "%s", s->options->words);
    return model;
}

/* The names of the columns, where the data file has one for each. A model without names
 * is as good: what else is wrong with them is no matter, but for links that lead where
 * nobody goes. */
static sdca_status read_names(const char *path, bool links, sdca_string_list *out)
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

/* Model (but for a run that is to go on), history and summary, as far as they are asked
 * for. */
static sdca_status write_outputs(const job *j, sdca_status outcome)
{
    const train_options     *options = &j->options;
    const sdca_train_result *result  = &j->result;
    double                  *w       = j->state.w;
    sdca_model               model   = j->model;
    sdca_status              status  = SDCA_OK;

    model.w              = w;
    model.column_map     = j->data->column_map;
    model.bias           = sdca_dataset_intercept(j->data, w);
    model.certificate    = result->certificate;
    model.has_test_error = isfinite(result->test_error);
    model.test_error     = result->test_error;
    model.history        = result->history;
    model.converged      = outcome == SDCA_OK;
    model.seconds        = narrate_seconds(&j->story, result);
    snprintf(model.solver, sizeof model.solver, "%s", sdca_solver_name(result->solver));
    if (outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(sdca_model_write(&model, options->model));
    }
    if (options->history != NULL) {
        SDCA_TRY(sdca_history_write_csv(&result->history, options->history));
    }
    if (options->summary != NULL) {
        SDCA_TRY(
            narrate_summary(&j->story, &j->state, result, outcome, options->summary));
    }

done:
    return status;
}

static sdca_objective make_problem(const train_options *options, int64_t rows)
{
    return options->C > 0.0
               ? sdca_objective_with_C(options->loss, options->parameter, options->C,
                                       rows)
               : sdca_objective_with_lambda(options->loss, options->parameter,
                                            options->lambda, rows);
}

/* Test set and model have to mean the same columns as the data. Collective. */
static sdca_status check_names(const job *j)
{
    const train_options *options = &j->options;
    sdca_status          status  = SDCA_OK;

    if (options->test != NULL) {
        SDCA_TRY(names_check(j->comm, options->test, options->data, options->links));
    }
    if (options->warm_start != NULL && options->plan.checkpoint.resume_from == NULL) {
        SDCA_TRY(
            names_check(j->comm, options->data, options->warm_start, options->links));
    }

done:
    return status;
}

/* Make sure of all that can be wrong before the rows are read. */
static sdca_status prepare(job *j)
{
    sdca_status         status  = SDCA_OK;
    bool                first   = sdca_comm_rank(j->comm) == 0;
    sdca_train_options *plan    = &j->options.plan;
    int                 started = sdca_comm_size(j->comm);

    SDCA_TRY(sdca_comm_agree(j->comm, first ? train_files_check(&j->options) : SDCA_OK));
    if (plan->solver == SDCA_SOLVER_SGD && started > 1) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--solver sgd runs on one rank, not on %d", started);
        goto done;
    }
    SDCA_TRY(restart_prepare(j->comm, &j->options, &j->checkpoints));
    plan->checkpoint.path =
        j->options.checkpoint != NULL ? j->checkpoints.path.text : NULL;
    plan->checkpoint.resume_from =
        j->checkpoints.from.text[0] != '\0' ? j->checkpoints.from.text : NULL;
    SDCA_TRY(check_names(j));
    plan->checkpoint.model = &j->model;
    j->screen              = live_open(first && !j->options.quiet);
    j->story               = (story){ .options = &j->options,
                                      .problem = &j->problem,
                                      .labels  = &j->labels,
                                      .ranks   = started };

done:
    return status;
}

/* Share the rows out among the ranks that work. */
static sdca_status read_rows(job *j)
{
    const train_options *options = &j->options;
    sdca_status          status  = SDCA_OK;

    live_begin_rows(&j->screen, options->data);
    SDCA_TRY(sdca_dataset_reader_read(
        j->comm, options->data,
        (sdca_dataset_reader_options){ .require_labels = true,
                                       .label_column   = options->label,
                                       .follow_links   = options->links,
                                       .normalize      = options->normalize,
                                       .bias           = options->bias,
                                       .shuffle        = true,
                                       .progress       = live_read,
                                       .context        = &j->screen },
        &j->data));
    SDCA_TRY(sdca_dataset_compact_columns(j->comm, j->data));
    SDCA_TRY(
        options->loss->classification
            ? sdca_dataset_binarize_labels(j->comm, j->data, options->data, &j->labels)
            : sdca_dataset_encode_labels(j->comm, j->data, options->data, &j->labels));
    j->problem       = make_problem(options, j->data->rows);
    j->story.data    = j->data;
    j->story.working = sdca_comm_size(j->comm);

done:
    return status;
}

/* Read the test set, if there is one. */
static sdca_status read_test(job *j)
{
    const train_options        *options = &j->options;
    sdca_dataset_reader_options how     = { .require_labels = true,
                                            .label_column   = options->label,
                                            .follow_links   = options->links,
                                            .normalize      = options->normalize,
                                            .limit_columns  = true,
                                            .columns  = sdca_dataset_feature_count(j->data),
                                            .progress = live_read,
                                            .context  = &j->screen };
    sdca_status                 status  = SDCA_OK;

    live_begin_rows(&j->screen, options->test);
    if (options->test != NULL) {
        SDCA_TRY(sdca_dataset_reader_read(j->comm, options->test, how, &j->test));
        SDCA_TRY(sdca_dataset_encode_labels(j->comm, j->test, options->test, &j->labels));
        SDCA_TRY(sdca_dataset_match_columns(j->comm, j->test, j->data));
    }

done:
    return status;
}

/* Once the rows are there: train, and tell and write what came of it. */
static sdca_status train(job *j)
{
    MPI_Comm       comm    = j->comm;
    train_options *options = &j->options;
    story         *s       = &j->story;
    bool           first   = sdca_comm_rank(comm) == 0;
    sdca_status    status = SDCA_OK, outcome = SDCA_OK;
    watch          me = {
                 .comm = comm, .story = s, .history = &j->result.history, .live = &j->screen
    };
    sdca_train_callbacks callbacks = { .context        = &me,
                                       .on_checkpoint  = watch_saved,
                                       .stop_requested = s->working < s->ranks
                                                             ? workers_are_asked_to_stop
                                                             : restart_is_asked_to_stop };
    advice_facts         facts     = { 0 };

    SDCA_TRY(read_test(j));
    s->read              = MPI_Wtime() - j->start;
    me.test              = j->test;
    callbacks.test_error = j->test != NULL ? watch_test_error : NULL;
    options->plan.solver = sdca_train_options_resolve_solver(&options->plan, &j->problem,
                                                             j->data, s->working);
    j->model             = make_model(s);
    SDCA_TRY(sdca_comm_agree(
        comm, first ? read_names(options->data, options->links, &j->model.feature_names)
                    : SDCA_OK));
    SDCA_TRY(sdca_comm_agree(comm, sdca_iterate_create(&j->problem, j->data, &j->state)));
    if (options->warm_start != NULL && options->plan.checkpoint.resume_from == NULL) {
        SDCA_TRY(
            sdca_warm_start(comm, &j->problem, j->data, options->warm_start, &j->state));
    }
    if (!options->quiet) {
        facts = advice_find(comm, j->data, options->verbose);
    }
    if (!options->quiet && j->test != NULL) {
        advice_labels(comm, j->test, options->test, &j->labels, me.unknown);
    }
    SDCA_TRY(
        sdca_comm_agree(comm, first ? watch_begin(&me, &facts, &callbacks) : SDCA_OK));
    restart_begin();
    outcome = sdca_train(comm, &j->problem, j->data, &options->plan, &callbacks,
                         &j->state, &j->result);
    live_close(&j->screen);
    status = outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED ? SDCA_OK : outcome;
    SDCA_TRY(status);
    SDCA_TRY(sdca_comm_agree(comm, first ? write_outputs(j, outcome) : SDCA_OK));
    if (first && !options->quiet) {
        narrate_result(s, &j->result, outcome);
    }
    status = !j->result.checkpoint_failed
                 ? outcome
                 : SDCA_FAIL(SDCA_IO,
                             "the model is written, but not the last "
                             "checkpoint: %.800s",
                             me.unsaved);

done:
    watch_end(&me, &j->result, status);
    return status;
}

/* How many ranks should have rows, if near of them are on the first one's node? */
static int choose_ranks(const job *j, int near)
{
    const sdca_train_options *plan  = &j->options.plan;
    int                       ranks = j->story.ranks;

    return j->options.all_ranks ||
                   sdca_train_options_resolve_solver(plan, &j->problem, j->data, ranks) !=
                       SDCA_SOLVER_SDCA
               ? ranks
               : sdca_round_length_choose_ranks(
                     sdca_round_length_input_of(&j->problem, j->data, ranks, 1), near);
}

/* Some ranks share all rows out anew and train, the others wait for them. */
static sdca_status train_among(job *j, MPI_Comm workers)
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
        restart_begin(); /* to stop the first rank, not this one */
    }
    return workers_meet(status);
}

/* Train on as many ranks as should be fastest. */
static sdca_status train_on_best(job *j)
{
    int         near    = workers_near();
    int         ranks   = choose_ranks(j, near);
    MPI_Comm    workers = MPI_COMM_NULL;
    sdca_status status  = SDCA_OK;

    if (ranks == j->story.ranks) {
        return train(j);
    }
    workers = workers_take(ranks);
    status  = train_among(j, workers);
    if (workers != MPI_COMM_NULL) {
        MPI_Comm_free(&workers);
    }
    return status;
}

/* Does the command line, of which nothing is parsed yet, ask for checkpoints? */
static bool names_checkpoint(int argc, char **argv)
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

    restart_listen(names_checkpoint(argc, argv)); /* before MPI, which takes its time */
    SDCA_TRY(ranks_begin("train", argc, argv));
    SDCA_TRY(ranks_agree(train_options_parse(argc, argv, &j.options, &help)));
    if (help) {
        goto done;
    }
    ranks_start();
    SDCA_TRY(prepare(&j));
    j.start = MPI_Wtime();
    SDCA_TRY(read_rows(&j));
    status = train_on_best(&j);

done:
    live_close(&j.screen);
    restart_end(&j.checkpoints);
    sdca_string_list_free(&j.model.feature_names);
    sdca_history_free(&j.result.history);
    sdca_iterate_free(&j.state);
    sdca_dataset_free(j.test);
    sdca_dataset_free(j.data);
    return status;
}
