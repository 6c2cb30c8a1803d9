/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_option_checks.c - options of train that exclude or require each other, and
 * values out of range. */
#include <stddef.h>
#include <string.h>

#include "cli/options/train_option_table.h"
#include "data/class_weights.h"
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

/* --output average and random need to know the epochs that they cover. */
/* Does the method run on one rank only? */
static bool is_serial(const char *solver)
{
    sdca_solver kind = sdca_solver_by_name(solver);

    return kind != SDCA_SOLVER_AUTO && sdca_solver_find(kind)->single_rank;
}

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
    if (arguments->lambda > 1e100 ||
        (sdca_option_parser_is_given(line, "lambda") && arguments->lambda < 1e-100) ||
        arguments->C > 1e100 ||
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
                         "train requires either --lambda or --C (C = 1/(lambda n))");
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
    if (arguments->positive != NULL && !loss_options_loss(&words->loss)->classification) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--positive is for classification, not for --loss %s",
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

/* The same for options of weights. */
static sdca_status check_weights(const train_words     *words,
                                 const train_arguments *arguments)
{
    if (arguments->unweighted && arguments->test == NULL) {
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
    SDCA_TRY(check_weights(words, arguments));
    SDCA_TRY(check_ranges(line, words, arguments));
    SDCA_TRY(check_output(line, words, &arguments->training));
    SDCA_TRY(check_checkpoint_options(line, words, arguments));

done:
    return status;
}
