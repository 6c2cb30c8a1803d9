/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - sdca train: a certified model from a data file. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "narrate.h"
#include "sdca/comm.h"
#include "sdca/metric.h"
#include "sdca/output.h"
#include "sdca/reader.h"
#include "train_options.h"

/* What the watcher of a run needs. */
typedef struct watch {
    MPI_Comm            comm;
    const story        *story;
    const sdca_dataset *test; /* or NULL */
} watch;

static double test_error(void *context, const double *w)
{
    const watch *me = context;

    return sdca_metric_measure(me->comm, me->test, me->story->labels, w).error;
}

static void tell_round(void *context, const sdca_record *record)
{
    const watch *me = context;

    narrate_round(me->story, record);
}

/* Outputs that cannot be made are refused before the work, not after it. */
static sdca_status check_outputs(const train_options *options)
{
    const char *path[] = { options->model, options->history, options->summary };
    sdca_status status = SDCA_OK;

    for (int k = 0; k < 3; k++) {
        if (path[k] != NULL) {
            SDCA_TRY(sdca_output_check(path[k]));
            SDCA_TRY(sdca_output_check_other(path[k], options->data));
            SDCA_TRY(options->test != NULL
                         ? sdca_output_check_other(path[k], options->test)
                         : SDCA_OK);
        }
        for (int other = 0; path[k] != NULL && other < k; other++) {
            SDCA_TRY(path[other] != NULL ? sdca_output_check_apart(path[k], path[other])
                                         : SDCA_OK);
        }
    }

done:
    return status;
}

/* Model, history and summary, as far as they are asked for. */
static sdca_status write_outputs(const story *s, const sdca_state *state,
                                 const sdca_result *result, bool converged)
{
    const train_options *options = s->options;
    sdca_status          status  = SDCA_OK;
    sdca_model           model   = { .problem     = *s->problem,
                                     .labels      = *s->labels,
                                     .normalized  = s->data->normalized,
                                     .columns     = s->data->columns,
                                     .w           = state->w,
                                     .certificate = result->certificate,
                                     .history     = result->history,
                                     .converged   = converged,
                                     .nonzeros    = s->data->nonzeros,
                                     .fingerprint = s->data->fingerprint,
                                     .seed        = options->plan.seed,
                                     .ranks       = s->ranks };

    snprintf(model.options, sizeof model.options, "%s", options->words);
    SDCA_TRY(sdca_model_write(&model, options->model));
    if (options->history != NULL) {
        SDCA_TRY(sdca_history_write_csv(&result->history, options->history));
    }
    if (options->summary != NULL) {
        SDCA_TRY(narrate_summary(s, state, result, converged, options->summary));
    }

done:
    return status;
}

/* Read the test set, if there is one. */
static sdca_status read_test(MPI_Comm comm, const train_options *options, int32_t columns,
                             sdca_dataset **test)
{
    sdca_reader_options how = { .labels    = true,
                                .normalize = options->normalize,
                                .limited   = true,
                                .columns   = columns };

    return options->test != NULL ? sdca_reader_read(comm, options->test, how, test)
                                 : SDCA_OK;
}

static sdca_problem make_problem(const train_options *options, int64_t rows)
{
    return options->C > 0.0
               ? sdca_problem_with_C(options->loss, options->parameter, options->C, rows)
               : sdca_problem_with_lambda(options->loss, options->parameter,
                                          options->lambda, rows);
}

sdca_status sdca_cli_train(int argc, char **argv)
{
    MPI_Comm      comm    = MPI_COMM_WORLD;
    sdca_status   status  = SDCA_OK;
    sdca_status   outcome = SDCA_OK;
    bool          help    = false, first;
    train_options options;
    sdca_dataset *data = NULL, *test = NULL;
    sdca_labels   labels = { 0 };
    sdca_problem  problem;
    sdca_state    state   = { 0 };
    sdca_result   result  = { 0 };
    story         s       = { &options, NULL, &problem, &labels, 1, 0.0 };
    watch         me      = { comm, &s, NULL };
    sdca_watcher  watcher = { .context = &me };
    double        start;

    SDCA_TRY(train_options_parse(argc, argv, &options, &help));
    if (help) {
        goto done;
    }
    sdca_cli_start_mpi();
    first   = sdca_comm_rank(comm) == 0;
    s.ranks = sdca_comm_size(comm);
    SDCA_TRY(sdca_comm_agree(comm, first ? check_outputs(&options) : SDCA_OK));
    if (options.plan.solver == SDCA_SOLVER_SGD && s.ranks > 1) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--solver sgd runs on one rank, not on %d", s.ranks);
        goto done;
    }

    start = MPI_Wtime();
    SDCA_TRY(sdca_reader_read(comm, options.data,
                              (sdca_reader_options){ .labels    = true,
                                                     .normalize = options.normalize,
                                                     .shuffle   = true },
                              &data));
    if (options.loss->classifies) {
        SDCA_TRY(sdca_dataset_sign(comm, data, options.data, &labels));
    }
    SDCA_TRY(read_test(comm, &options, data->columns, &test));
    s.data             = data;
    s.read             = MPI_Wtime() - start;
    me.test            = test;
    watcher.test_error = test != NULL ? test_error : NULL;

    problem             = make_problem(&options, data->rows);
    options.plan.solver = sdca_train_solver(&options.plan, &problem, data, s.ranks);
    SDCA_TRY(sdca_comm_agree(comm, sdca_state_create(&problem, data, &state)));
    if (first && !options.quiet) {
        narrate_settings(&s);
        watcher.evaluated = tell_round;
    }
    outcome = sdca_train(comm, &problem, data, &options.plan, &watcher, &state, &result);
    status  = outcome == SDCA_BUDGET ? SDCA_OK : outcome;
    SDCA_TRY(status);
    SDCA_TRY(sdca_comm_agree(
        comm, first ? write_outputs(&s, &state, &result, outcome == SDCA_OK) : SDCA_OK));
    if (first && !options.quiet) {
        narrate_result(&s, &result, outcome == SDCA_OK);
    }
    status = outcome;

done:
    sdca_history_free(&result.history);
    sdca_state_free(&state);
    sdca_dataset_free(test);
    sdca_dataset_free(data);
    return status;
}
