/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - sdca train: a certified model from a data file. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "advice.h"
#include "cli.h"
#include "live.h"
#include "narrate.h"
#include "restart.h"
#include "sdca/comm.h"
#include "sdca/metric.h"
#include "sdca/output.h"
#include "sdca/reader.h"
#include "sdca/warm.h"
#include "train_options.h"

/* What the watcher of a run needs. */
typedef struct watch {
    MPI_Comm            comm;
    const story        *story;
    const sdca_dataset *test;                   /* or NULL */
    live               *live;                   /* or NULL: rounds are told as a table */
    char                unsaved[SDCA_WHY_SIZE]; /* why the last checkpoint was not */
} watch;

static double test_error(void *context, const double *w)
{
    const watch *me = context;

    const sdca_dataset *data = me->story->data;

    return sdca_metric_measure(me->comm, me->test, me->story->labels, w,
                               sdca_dataset_bias(data, w))
        .error;
}

static void tell_round(void *context, const sdca_record *record)
{
    const watch *me = context;

    if (me->live != NULL) {
        live_evaluated(me->live, record);
    } else {
        narrate_round(me->story, record);
    }
}

static void show_round(void *context, const sdca_moment *now)
{
    const watch *me = context;

    live_round(me->live, now);
}

/* Settings and advice come first; then each evaluation is a line of a table or, at a
 * terminal, one line shows how far it has come. */
static void begin_telling(const story *s, const advice_facts *facts, live *screen,
                          sdca_watcher *watcher)
{
    advice a  = advice_give(facts, s->problem, &s->options->plan);
    watch *me = watcher->context;

    live_begin_run(screen, &s->options->plan, s->ranks > 1,
                   s->labels->count > 0 ? "error" : "RMSE");
    narrate_settings(s);
    if (s->options->verbose && facts->counted && facts->empty_columns > 0) {
        narrate_empty(facts->empty_columns, facts->columns);
    }
    for (int k = 0; k < a.count; k++) {
        terminal_say(&screen->screen, "Warning", a.text[k]);
    }
    watcher->evaluated = tell_round;
    if (screen->screen.seen && !s->options->verbose) {
        me->live         = screen;
        watcher->went_on = show_round;
    } else {
        narrate_heading(s);
    }
}

/* A checkpoint that could not be written does not end a run: the next may be. */
static void tell_saved(void *context, sdca_status status, double seconds)
{
    watch *me = context;

    if (status != SDCA_OK) {
        memcpy(me->unsaved, sdca_status_why(), sizeof me->unsaved);
    }
    if (status != SDCA_OK && me->live != NULL) {
        terminal_clear(&me->live->screen); /* a warning takes its place */
    }
    if (sdca_comm_rank(me->comm) == 0) {
        narrate_saved(me->story, status, seconds);
    }
}

/* Outputs that cannot be made are refused before the work, not after it. */
static sdca_status check_outputs(const train_options *options)
{
    const char *path[] = { options->model, options->history, options->summary,
                           options->checkpoint };
    sdca_status status = SDCA_OK;

    for (int k = 0; k < 4; k++) {
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

/* What is known of a model before it is trained. */
static sdca_model make_model(const story *s)
{
    sdca_model model = { .problem     = *s->problem,
                         .labels      = *s->labels,
                         .normalized  = s->data->normalized,
                         .columns     = sdca_dataset_features(s->data),
                         .bias_value  = s->data->bias,
                         .nonzeros    = s->data->nonzeros,
                         .fingerprint = s->data->fingerprint,
                         .seed        = s->options->plan.seed,
                         .ranks       = s->ranks,
                         .seconds     = { .read = s->read } };

    snprintf(model.options, sizeof model.options, "%s", s->options->words);
    return model;
}

/* The names of the columns, where the data file has one for each, as AnnData keeps them.
 * A model without names is as good: what else is wrong with them is no matter. */
static sdca_status read_names(const story *s, sdca_texts *out)
{
    sdca_status status = SDCA_OK;
    sdca_texts  names  = { 0 };
    sdca_store *store  = NULL;

    SDCA_TRY(sdca_store_open(MPI_COMM_NULL, s->options->data, &store));
    if (sdca_store_has_texts(store, "var/_index")) {
        SDCA_TRY(sdca_store_read_texts(store, "var/_index", &names));
    }
    if (names.count == sdca_dataset_features(s->data)) {
        *out  = names;
        names = (sdca_texts){ 0 }; /* now the caller's */
    }

done:
    sdca_texts_free(&names);
    sdca_store_close(store);
    return status == SDCA_MEMORY ? status : SDCA_OK;
}

/* Model (but for a run that is to go on), history and summary, as far as they are asked
 * for. */
static sdca_status write_outputs(const story *s, sdca_model model,
                                 const sdca_state *state, const sdca_result *result,
                                 sdca_status outcome)
{
    const train_options *options = s->options;
    sdca_status          status  = SDCA_OK;

    model.w           = state->w;
    model.used        = s->data->used;
    model.bias        = sdca_dataset_bias(s->data, state->w);
    model.certificate = result->certificate;
    model.history     = result->history;
    model.converged   = outcome == SDCA_OK;
    model.seconds     = narrate_seconds(s, result);
    if (outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(sdca_model_write(&model, options->model));
    }
    if (options->history != NULL) {
        SDCA_TRY(sdca_history_write_csv(&result->history, options->history));
    }
    if (options->summary != NULL) {
        SDCA_TRY(narrate_summary(s, state, result, outcome, options->summary));
    }

done:
    return status;
}

/* Read the test set, if there is one. */
static sdca_status read_test(MPI_Comm comm, const train_options *options,
                             const sdca_labels *labels, const sdca_dataset *data,
                             live *screen, sdca_dataset **test)
{
    sdca_reader_options how    = { .labels    = true,
                                   .label     = options->label,
                                   .normalize = options->normalize,
                                   .limited   = true,
                                   .columns   = sdca_dataset_features(data),
                                   .progress  = live_read,
                                   .context   = screen };
    sdca_status         status = SDCA_OK;

    live_begin_rows(screen, options->test);
    if (options->test != NULL) {
        SDCA_TRY(sdca_reader_read(comm, options->test, how, test));
        SDCA_TRY(sdca_dataset_match(comm, *test, options->test, labels));
        SDCA_TRY(sdca_dataset_follow(comm, *test, data));
    }

done:
    return status;
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
    sdca_state    state       = { 0 };
    sdca_result   result      = { 0 };
    sdca_model    model       = { .names = { 0 } };
    restart       checkpoints = { .lock = { .held = false } };
    story         s           = { &options, NULL, &problem, &labels, 1, 0.0 };
    watch         me          = { .comm = comm, .story = &s };
    sdca_watcher  watcher     = { .context          = &me,
                                  .saved            = tell_saved,
                                  .is_asked_to_stop = restart_is_asked_to_stop };
    live          screen      = { 0 };
    advice_facts  facts       = { 0 };
    double        start;

    SDCA_TRY(train_options_parse(argc, argv, &options, &help));
    if (help) {
        goto done;
    }
    restart_listen(); /* before MPI, which takes its time: a signal then is no accident */
    sdca_cli_start_mpi();
    first   = sdca_comm_rank(comm) == 0;
    s.ranks = sdca_comm_size(comm);
    SDCA_TRY(sdca_comm_agree(comm, first ? check_outputs(&options) : SDCA_OK));
    if (options.plan.solver == SDCA_SOLVER_SGD && s.ranks > 1) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--solver sgd runs on one rank, not on %d", s.ranks);
        goto done;
    }
    SDCA_TRY(restart_prepare(comm, &options, &checkpoints));
    options.plan.saving.from =
        checkpoints.from.text[0] != '\0' ? checkpoints.from.text : NULL;
    options.plan.saving.model = &model;

    start  = MPI_Wtime();
    screen = live_open(first && !options.quiet);
    live_begin_rows(&screen, options.data);
    SDCA_TRY(sdca_reader_read(comm, options.data,
                              (sdca_reader_options){ .labels    = true,
                                                     .label     = options.label,
                                                     .normalize = options.normalize,
                                                     .bias      = options.bias,
                                                     .shuffle   = true,
                                                     .progress  = live_read,
                                                     .context   = &screen },
                              &data));
    SDCA_TRY(sdca_dataset_compact(comm, data));
    SDCA_TRY(options.loss->classifies
                 ? sdca_dataset_sign(comm, data, options.data, &labels)
                 : sdca_dataset_match(comm, data, options.data, &labels));
    SDCA_TRY(read_test(comm, &options, &labels, data, &screen, &test));
    s.data             = data;
    s.read             = MPI_Wtime() - start;
    me.test            = test;
    watcher.test_error = test != NULL ? test_error : NULL;

    problem             = make_problem(&options, data->rows);
    options.plan.solver = sdca_plan_solver(&options.plan, &problem, data, s.ranks);
    model               = make_model(&s);
    SDCA_TRY(sdca_comm_agree(comm, first ? read_names(&s, &model.names) : SDCA_OK));
    SDCA_TRY(sdca_comm_agree(comm, sdca_state_create(&problem, data, &state)));
    if (options.warm_start != NULL && options.plan.saving.from == NULL) {
        SDCA_TRY(sdca_warm_start(comm, &problem, data, options.warm_start, &state));
    }
    if (!options.quiet) {
        facts = advice_find(comm, data, options.verbose);
    }
    if (first && !options.quiet) {
        begin_telling(&s, &facts, &screen, &watcher);
    }
    outcome = sdca_train(comm, &problem, data, &options.plan, &watcher, &state, &result);
    live_close(&screen);
    status = outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED ? SDCA_OK : outcome;
    SDCA_TRY(status);
    SDCA_TRY(sdca_comm_agree(
        comm, first ? write_outputs(&s, model, &state, &result, outcome) : SDCA_OK));
    if (first && !options.quiet) {
        narrate_result(&s, &result, outcome);
    }
    status = !result.unsaved ? outcome
                             : SDCA_FAIL(SDCA_IO,
                                         "the model is written, but not the last "
                                         "checkpoint: %.800s",
                                         me.unsaved);

done:
    live_close(&screen);
    restart_end(&checkpoints);
    sdca_texts_free(&model.names);
    sdca_history_free(&result.history);
    sdca_state_free(&state);
    sdca_dataset_free(test);
    sdca_dataset_free(data);
    return status;
}
