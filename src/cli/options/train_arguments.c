/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_arguments.c - the command line of train, parsed and interpreted. */
#include "cli/options/train_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/duration.h"
#include "cli/options/help.h"
#include "cli/options/train_option_table.h"
#include "data/standardization.h"
#include "solver/sdca/aggregation.h"
#include "solver/sdca/row_order.h"
#include "solver/solvers.h"
#include "train/output_iterate.h"

/* The enumerator of a word that the parser has accepted; otherwise for any other word. */
static int find_enumerator(const char *word, const char *const *words, size_t count,
                           int otherwise)
{
    for (size_t k = 0; k < count; k++) {
        if (words[k] != NULL && strcmp(words[k], word) == 0) {
            return (int)k;
        }
    }
    return otherwise;
}

#define FIND_ENUMERATOR(word, words, otherwise) \
    find_enumerator(word, words, sizeof(words) / sizeof(words)[0], otherwise)

/* Options that set how or how often ranks communicate imply that all ranks work. */
static bool configures_communication(const train_words        *words,
                                     const sdca_train_options *training)
{
    return strcmp(words->aggregate, "auto") != 0 || training->local_steps > 0.0 ||
           training->sigma > 0.0 || training->rounds > 0;
}

/* 90s, 10m, 2h, 1d or 500r. */
static sdca_status parse_checkpoint_interval(const train_words       *words,
                                             sdca_checkpoint_options *saving)
{
    const char *at = words->checkpoint_every;
    char       *end;
    double      number = strtod(at, &end);

    if (end > at && number > 0.0 && number <= 1e9 && strcmp(end, "r") == 0 &&
        number == rint(number)) {
        saving->interval_rounds  = (int64_t)number;
        saving->interval_seconds = 0.0;
        return SDCA_OK;
    }
    return duration_parse(at, &saving->interval_seconds)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "--checkpoint-every expects a time such as 90s, 10m or 2h, or "
                           "rounds such as 500r, not '%s'",
                           at);
}

static sdca_status parse_log_interval(const train_words *words, double *seconds)
{
    return duration_parse(words->log_every, seconds)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "--log-every expects a time such as 10s, 1m or 2h, not '%s'",
                           words->log_every);
}

/* The command line as one string, truncated to size. */
static void join_words(int argc, char **argv, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int k = 0; k < argc && used < size; k++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? " " : "", argv[k]);
    }
}

/* Set the options of the run that the words stand for. */
static void interpret_words(const sdca_command_line *line, const train_words *words,
                            train_arguments *arguments)
{
    sdca_train_options *training = &arguments->training;

    arguments->loss           = loss_options_loss(&words->loss);
    arguments->loss_parameter = loss_options_parameter(&words->loss);
    arguments->normalize      = strcmp(words->normalize, "rows") == 0;
    arguments->standardize    = (sdca_standardize)FIND_ENUMERATOR(
           words->standardize, sdca_standardize_names, SDCA_STANDARDIZE_NONE);
    arguments->all_ranks =
        arguments->all_ranks || configures_communication(words, training);

    arguments->until_labels = words->until != NULL;
    arguments->one_se       = strcmp(words->select, "one-se") == 0;
    arguments->metric       = words->metric != NULL ? sdca_metric_find(words->metric)
                              : arguments->loss->classification ? SDCA_METRIC_ERROR
                                                                : SDCA_METRIC_RMSE;

    training->order = (sdca_row_order_kind)FIND_ENUMERATOR(
        words->order, sdca_row_order_names, SDCA_ROW_ORDER_AUTO);
    training->aggregate = (sdca_aggregation_rule)FIND_ENUMERATOR(
        words->aggregate, sdca_aggregation_names, (int)training->aggregate); /* auto */
    training->output = (sdca_output_kind)FIND_ENUMERATOR(words->output, sdca_output_names,
                                                         SDCA_OUTPUT_BEST);
    training->solver = sdca_solver_by_name(words->solver);
    if (training->solver == SDCA_SOLVER_AUTO &&
        train_option_checks_find_sdca_only(line) != NULL) {
        training->solver = SDCA_SOLVER_SDCA;
    }
    if (!sdca_option_parser_is_given(line, "average-from")) {
        training->average_from = (double)training->epochs / 2.0;
    }
    training->sgd_start        = strcmp(words->init, "sgd") == 0;
    training->approximate_step = strcmp(words->step, "guess") == 0;
    training->seed             = (uint64_t)words->seed;
    training->deterministic    = words->deterministic;

    training->checkpoint.path              = arguments->checkpoint;
    training->checkpoint.older_generations = (int)words->checkpoints_kept - 1;
    training->checkpoint.adaptive_interval =
        !sdca_option_parser_is_given(line, "checkpoint-every");
}

/* The words for the default options of a run. */
static train_words default_words(const sdca_train_options *normal, const char *interval)
{
    return (train_words){ .order         = sdca_row_order_names[normal->order],
                          .aggregate     = "auto", /* the default of the library */
                          .output        = sdca_output_names[normal->output],
                          .normalize     = "none",
                          .standardize   = sdca_standardize_names[SDCA_STANDARDIZE_NONE],
                          .multiclass    = "auto",
                          .select        = "best",
                          .solver        = sdca_solver_name(normal->solver),
                          .init          = normal->sgd_start ? "sgd" : "zero",
                          .step          = normal->approximate_step ? "guess" : "exact",
                          .seed          = (int64_t)normal->seed,
                          .deterministic = normal->deterministic,
                          .checkpoint_every = interval,
                          .checkpoints_kept = normal->checkpoint.older_generations + 1,
                          .log_every        = "1m" };
}

sdca_status train_arguments_parse(int argc, char **argv, train_arguments *arguments,
                                  bool *help)
{
    sdca_status        status = SDCA_OK;
    train_command_line command;
    char               interval[32];
    train_words        words;

    *arguments =
        (train_arguments){ .training = sdca_train_options_default(), .fold_seed = 1 };
    snprintf(interval, sizeof interval, "%gm",
             arguments->training.checkpoint.interval_seconds / 60.0);
    words = default_words(&arguments->training, interval);
    train_option_table_create(&words, arguments, &command);
    words.loss.name = arguments->training.loss;
    SDCA_TRY(sdca_option_parser_run(&command.line, argc, argv, help));
    if (*help) {
        sdca_help_print(&command.line, stdout);
        goto done;
    }
    if (words.lambda != NULL) {
        SDCA_TRY(lambda_list_parse(words.lambda, &arguments->lambdas));
        arguments->lambda = arguments->lambdas.value[arguments->lambdas.count - 1];
    }
    SDCA_TRY(train_option_checks_run(&command.line, &words, arguments));
    SDCA_TRY(parse_checkpoint_interval(&words, &arguments->training.checkpoint));
    SDCA_TRY(parse_log_interval(&words, &arguments->log_interval));
    interpret_words(&command.line, &words, arguments);
    arguments->data = command.operand[0];
    join_words(argc, argv, arguments->command_line, sizeof arguments->command_line);

done:
    return status;
}
