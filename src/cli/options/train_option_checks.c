/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_option_checks.c - options of train that exclude or require each other, and
 * values out of range. */
#include <stddef.h>
#include <string.h>

#include "cli/options/train_option_table.h"
#include "data/class_weights.h"
#include "data/folds.h"
#include "solver/solvers.h"

const char *train_option_checks_find_sdca_only(const sdca_command_line *line)
{
    static const char *const names[] = { "init",      "logistic-step", "order",
                                         "aggregate", "local-steps",   "sigma",
                                         "bound" };

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (sdca_option_parser_is_given(line, names[k])) {
            return names[k];
        }
    }
    return NULL;
}

/* Does the method run on one rank only? */
static bool is_serial(const char *solver)
{
    sdca_solver kind = sdca_solver_by_name(solver);

    return kind != SDCA_SOLVER_AUTO && sdca_solver_find(kind)->single_rank;
}

/* --output average and random need to know the epochs that they cover. */
static sdca_status check_output(const sdca_command_line *line, const train_words *words,
                                const sdca_train_options *training)
{
    bool from    = sdca_option_parser_is_given(line, "average-from");
    bool average = strcmp(words->output, "average") == 0;
    bool random  = strcmp(words->output, "random") == 0;

    if (from && !average && !random) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--average-from requires --output average or random");
    }
    if (average && training->epochs == 0 && !from) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--output average requires --epochs N, whose second half is "
                         "averaged, or --average-from E");
    }
    if (random && training->epochs == 0) {
        return SDCA_FAIL(SDCA_USAGE, "--output random requires --epochs N");
    }
    if ((average || random) &&
        (is_serial(words->solver) || strcmp(words->solver, "newton") == 0)) {
        return SDCA_FAIL(SDCA_USAGE, "--output %s applies to SDCA, not to --solver %s",
                         words->output, words->solver);
    }
    if (from && training->epochs > 0 &&
        training->average_from >= (double)training->epochs) {
        return SDCA_FAIL(SDCA_USAGE, "--average-from %g leaves no epoch of --epochs %lld",
                         training->average_from, (long long)training->epochs);
    }
    return SDCA_OK;
}

/* Numbers that would overflow, or make a run endless. */
static sdca_status check_ranges(const sdca_command_line *line, const train_words *words,
                                const train_arguments *arguments)
{
    const sdca_train_options *training = &arguments->training;
    const sdca_loss          *loss     = loss_options_loss(&words->loss);
    bool budget = training->epochs > 0 || training->rounds > 0 || training->seconds > 0.0;

    if (training->epochs > 1000000000 || training->average_from > 1e9 ||
        training->evaluation_interval > 1e9) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--epochs, --average-from and --evaluate can be at most 1e9");
    }
    if (arguments->bias > 1e6 || (arguments->bias > 0.0 && arguments->bias < 1e-6)) {
        return SDCA_FAIL(SDCA_USAGE, "--bias must be 0 or between 1e-6 and 1e6");
    }
    if (training->local_steps > 1000.0) {
        return SDCA_FAIL(SDCA_USAGE, "--local-steps can be at most 1000, not %g",
                         training->local_steps);
    }
    if (arguments->C > 1e100 ||
        (sdca_option_parser_is_given(line, "C") && arguments->C < 1e-100)) {
        return SDCA_FAIL(SDCA_USAGE, "--lambda and --C must be between 1e-100 and 1e100");
    }
    if (strcmp(words->solver, "sgd") == 0 && !budget &&
        loss->smoothness(loss_options_parameter(&words->loss)) <= 0.0) {
        return SDCA_FAIL(
            SDCA_USAGE,
            "--solver sgd with %s requires --epochs, --rounds or --time: its gap "
            "may never reach the target",
            loss->name);
    }
    return SDCA_OK;
}

/* Options that require or exclude each other. */
static sdca_status check_combinations(const sdca_command_line *line,
                                      const train_words       *words,
                                      const train_arguments   *arguments)
{
    if (arguments->model == NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "train requires -o MODEL.h5, the file for the model");
    }
    if (sdca_option_parser_is_given(line, "lambda") ==
        sdca_option_parser_is_given(line, "C")) {
        return SDCA_FAIL(SDCA_USAGE,
                         "train requires either --lambda or --C (C = 1/(lambda n)); "
                         "--lambda 1e-1:1e-5:9 --folds 5 chooses among nine");
    }
    if (sdca_option_parser_is_given(line, "gap") &&
        sdca_option_parser_is_given(line, "rel-gap")) {
        return SDCA_FAIL(SDCA_USAGE, "train takes --gap or --rel-gap, not both");
    }
    if (sdca_option_parser_is_given(line, "logistic-step") &&
        !loss_options_loss(&words->loss)->approximate_step) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--logistic-step belongs to --loss logistic, not to %s",
                         words->loss.name);
    }
    if ((arguments->positive != NULL || strcmp(words->multiclass, "auto") != 0) &&
        !loss_options_loss(&words->loss)->classification) {
        return SDCA_FAIL(SDCA_USAGE, "--%s is for classification, not for --loss %s",
                         arguments->positive != NULL ? "positive" : "multiclass",
                         words->loss.name);
    }
    if (is_serial(words->solver) && strcmp(words->init, "sgd") == 0) {
        return SDCA_FAIL(SDCA_USAGE, "--init sgd applies to SDCA, not to --solver %s",
                         words->solver);
    }
    if (strcmp(words->solver, "newton") == 0 &&
        train_option_checks_find_sdca_only(line) != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "--%s applies to SDCA, not to --solver newton",
                         train_option_checks_find_sdca_only(line));
    }
    if (words->deterministic && sdca_option_parser_is_given(line, "time") &&
        arguments->checkpoint == NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--deterministic excludes --time, which depends on the clock, "
                         "unless --checkpoint is given");
    }
    if (arguments->quiet && arguments->verbose) {
        return SDCA_FAIL(SDCA_USAGE, "train takes --quiet or --verbose, not both");
    }
    return SDCA_OK;
}

/* The same for a path of several lambda. */
static sdca_status check_path(const sdca_command_line *line, const train_words *words,
                              const train_arguments *arguments)
{
    static const char *const excluded[] = { "checkpoint-every", "init", "average-from",
                                            "bound" };

    if (!train_arguments_has_path(arguments)) {
        return arguments->path == NULL
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_USAGE,
                               "--path requires several lambda, such as --lambda "
                               "1e-1:1e-6:20");
    }
    if (arguments->path == NULL && !train_arguments_has_selection(arguments)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "several lambda require --path DIR, the directory for their "
                         "models, or --folds or --validation to choose one");
    }
    for (size_t k = 0; k < sizeof excluded / sizeof excluded[0]; k++) {
        if (sdca_option_parser_is_given(line, excluded[k])) {
            return SDCA_FAIL(SDCA_USAGE, "--%s is for one lambda, not for a path",
                             excluded[k]);
        }
    }
    if (is_serial(words->solver)) {
        return SDCA_FAIL(SDCA_USAGE, "--solver %s is for one lambda, not for a path",
                         words->solver);
    }
    return strcmp(words->output, "average") == 0 || strcmp(words->output, "random") == 0
               ? SDCA_FAIL(SDCA_USAGE, "--output %s is for one lambda, not for a path",
                           words->output)
               : SDCA_OK;
}

/* The same for an intercept without penalty. */
static sdca_status check_intercept(const sdca_command_line *line,
                                   const train_words       *words,
                                   const train_arguments   *arguments)
{
    const char *excluded = sdca_option_parser_is_given(line, "bias") ? "--bias"
                           : strcmp(words->init, "sgd") == 0         ? "--init sgd"
                           : arguments->training.record_bounds       ? "--bound"
                           : strcmp(words->output, "average") == 0   ? "--output average"
                           : strcmp(words->output, "random") == 0    ? "--output random"
                                                                     : NULL;

    if (!arguments->intercept) {
        return SDCA_OK;
    }
    if (is_serial(words->solver)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--intercept is for SDCA and Newton's method, not for --solver "
                         "%s",
                         words->solver);
    }
    return excluded == NULL ? SDCA_OK
                            : SDCA_FAIL(SDCA_USAGE, "--intercept excludes %s", excluded);
}

/* The same for dual variables, which are about the rows as they were trained on. */
static sdca_status check_kept_dual(const train_words     *words,
                                   const train_arguments *arguments)
{
    return arguments->keep_dual &&
                   (arguments->intercept || strcmp(words->standardize, "none") != 0 ||
                    arguments->cells.x != NULL || arguments->cells.where != NULL ||
                    arguments->cells.covariates != NULL)
               ? SDCA_FAIL(SDCA_USAGE, "--keep-dual excludes --intercept, --standardize, "
                                       "--x, --where and --covariates")
               : SDCA_OK;
}

/* Does the metric fit the loss? */
static sdca_status check_metric(const train_words *words)
{
    const sdca_loss *loss = loss_options_loss(&words->loss);
    sdca_metric      metric =
        words->metric != NULL ? sdca_metric_find(words->metric) : SDCA_METRICS;

    if (metric == SDCA_METRICS) {
        return SDCA_OK;
    }
    if (sdca_metric_is_for_regression(metric) == loss->classification) {
        return SDCA_FAIL(
            SDCA_USAGE, "--metric %s is for %s, not for --loss %s", words->metric,
            loss->classification ? "regression" : "classification", words->loss.name);
    }
    return metric != SDCA_METRIC_LOG_LOSS || loss->kind == SDCA_LOSS_logistic
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "--metric log-loss requires --loss logistic, whose scores "
                           "are log-odds");
}

/* The same for the choice of lambda. */
static sdca_status check_selection(const sdca_command_line *line,
                                   const train_words       *words,
                                   const train_arguments   *arguments)
{
    static const char *const of_folds[]  = { "fold-groups", "fold-seed", "fold-file" };
    static const char *const of_either[] = { "select", "metric", "selection" };

    for (size_t k = 0; k < sizeof of_folds / sizeof of_folds[0]; k++) {
        if (sdca_option_parser_is_given(line, of_folds[k]) && arguments->folds == 0) {
            return SDCA_FAIL(SDCA_USAGE, "--%s requires --folds K", of_folds[k]);
        }
        if (sdca_option_parser_is_given(line, of_either[k]) &&
            !train_arguments_holds_rows_out(arguments)) {
            return SDCA_FAIL(SDCA_USAGE,
                             "--%s requires --folds K or --validation FILE.h5",
                             of_either[k]);
        }
    }
    if (!train_arguments_holds_rows_out(arguments)) {
        return SDCA_OK;
    }
    if (arguments->folds > 0 && arguments->validation != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "train takes --folds or --validation, not both");
    }
    if (arguments->keep_dual) {
        return SDCA_FAIL(SDCA_USAGE, "--folds and --validation exclude --keep-dual");
    }
    if (!train_arguments_has_path(arguments) && !arguments->calibrate) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--folds and --validation choose one of several lambda, such as "
                         "--lambda 1e-1:1e-6:13");
    }
    for (size_t k = 0; k < sizeof of_either / sizeof of_either[0]; k++) {
        if (!train_arguments_has_path(arguments) &&
            sdca_option_parser_is_given(line, of_either[k])) {
            return SDCA_FAIL(SDCA_USAGE,
                             "--%s is for several lambda, of which one is chosen",
                             of_either[k]);
        }
    }
    if (arguments->folds > 0 &&
        (arguments->folds < 2 || arguments->folds > SDCA_MAX_FOLDS)) {
        return SDCA_FAIL(SDCA_USAGE, "--folds must be between 2 and %d, not %lld",
                         (int)SDCA_MAX_FOLDS, (long long)arguments->folds);
    }
    if (arguments->validation != NULL && strcmp(words->select, "one-se") == 0) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--select one-se requires --folds: a validation set gives no "
                         "standard error");
    }
    return check_metric(words);
}

/* The same for proven labels. */
static sdca_status check_until(const sdca_command_line *line, const train_words *words,
                               const train_arguments *arguments)
{
    const char *excluded =
        sdca_option_parser_is_given(line, "lambda") && train_arguments_has_path(arguments)
            ? "several lambda"
        : arguments->checkpoint != NULL || arguments->resume ? "checkpoints"
        : strcmp(words->standardize, "none") != 0            ? "--standardize"
        : arguments->intercept                               ? "--intercept"
        : is_serial(words->solver)                           ? "--solver"
        : arguments->training.record_bounds                  ? "--bound"
        : strcmp(words->output, "average") == 0 || strcmp(words->output, "random") == 0
            ? "--output average and random"
            : NULL;

    if (words->until == NULL) {
        return SDCA_OK;
    }
    if (arguments->test == NULL || !loss_options_loss(&words->loss)->classification) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--until labels requires --test TEST.h5 and a loss for "
                         "classification");
    }
    return excluded == NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE, "--until labels excludes %s", excluded);
}

/* The same for probabilities. */
static sdca_status check_calibration(const train_words     *words,
                                     const train_arguments *arguments)
{
    if (!arguments->calibrate) {
        return SDCA_OK;
    }
    if (!train_arguments_holds_rows_out(arguments)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--calibrate requires --folds K or --validation FILE.h5, whose "
                         "rows the model is not trained on");
    }
    if (!loss_options_loss(&words->loss)->classification) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--calibrate is for classification, not for --loss %s",
                         words->loss.name);
    }
    return arguments->folds > 0 && !train_arguments_has_path(arguments) &&
                   (arguments->checkpoint != NULL || arguments->resume)
               ? SDCA_FAIL(SDCA_USAGE,
                           "--calibrate with --folds excludes checkpoints, which do not "
                           "have the models of folds")
               : SDCA_OK;
}

/* The same for options of weights. */
static sdca_status check_weights(const train_words     *words,
                                 const train_arguments *arguments)
{
    if (arguments->unweighted && arguments->test == NULL &&
        arguments->validation == NULL) {
        return SDCA_FAIL(SDCA_USAGE, "--unweighted requires --test TEST.h5");
    }
    if (arguments->class_weight == NULL) {
        return SDCA_OK;
    }
    return loss_options_loss(&words->loss)->classification
               ? sdca_class_weights_check(arguments->class_weight)
               : SDCA_FAIL(SDCA_USAGE,
                           "--class-weight requires a loss for classification, not %s",
                           words->loss.name);
}

/* The same for options of checkpoints and warm starts. */
static sdca_status check_checkpoint_options(const sdca_command_line *line,
                                            const train_words       *words,
                                            const train_arguments   *arguments)
{
    if (arguments->checkpoint == NULL &&
        (sdca_option_parser_is_given(line, "checkpoint-every") ||
         sdca_option_parser_is_given(line, "keep"))) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--checkpoint-every and --keep require --checkpoint FILE.h5");
    }
    if (arguments->resume && arguments->checkpoint == NULL &&
        arguments->resume_from == NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--resume requires --checkpoint FILE.h5 or --from FILE.h5");
    }
    if (arguments->resume_from != NULL && !arguments->resume) {
        return SDCA_FAIL(SDCA_USAGE, "--from requires --resume");
    }
    if (arguments->warm_start != NULL &&
        (arguments->resume_from != NULL || strcmp(words->init, "sgd") == 0 ||
         strcmp(words->solver, "sgd") == 0)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--warm-start excludes --from, --init sgd and --solver sgd");
    }
    if (words->checkpoints_kept > 100) {
        return SDCA_FAIL(SDCA_USAGE, "--keep can be at most 100, not %lld",
                         (long long)words->checkpoints_kept);
    }
    return SDCA_OK;
}

sdca_status train_option_checks_run(const sdca_command_line *line,
                                    const train_words       *words,
                                    const train_arguments   *arguments)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(check_combinations(line, words, arguments));
    SDCA_TRY(loss_options_check(&words->loss, line));
    SDCA_TRY(check_path(line, words, arguments));
    SDCA_TRY(check_selection(line, words, arguments));
    SDCA_TRY(check_until(line, words, arguments));
    SDCA_TRY(check_calibration(words, arguments));
    SDCA_TRY(check_weights(words, arguments));
    SDCA_TRY(check_intercept(line, words, arguments));
    SDCA_TRY(check_kept_dual(words, arguments));
    SDCA_TRY(check_ranges(line, words, arguments));
    SDCA_TRY(check_output(line, words, &arguments->training));
    SDCA_TRY(check_checkpoint_options(line, words, arguments));

done:
    return status;
}
