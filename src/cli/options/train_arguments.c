/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_arguments.c - what the command line of train asks for. */
#include "cli/options/train_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/duration.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"

/* The words that the table of options fills in, before they mean something. */
typedef struct raw_values {
    const char *loss;
    const char *order;
    const char *aggregate;
    const char *output;
    const char *normalize;
    const char *solver;
    const char *init;
    const char *step;
    const char *checkpoint_every;
    const char *log_every;
    double      gamma;
    double      epsilon;
    int64_t     seed;
    int64_t     checkpoints_kept;
    bool        deterministic;
} raw_values;

static sdca_row_order_kind parse_order(const char *word)
{
    return strcmp(word, "random") == 0        ? SDCA_ROW_ORDER_RANDOM
           : strcmp(word, "cyclic") == 0      ? SDCA_ROW_ORDER_CYCLIC
           : strcmp(word, "permutation") == 0 ? SDCA_ROW_ORDER_PERMUTATION
                                              : SDCA_ROW_ORDER_AUTO;
}

static sdca_aggregation_rule parse_aggregation(const char *word)
{
    return strcmp(word, "average") == 0 ? SDCA_AGGREGATION_AVERAGE
           : strcmp(word, "add") == 0   ? SDCA_AGGREGATION_ADD
                                        : SDCA_AGGREGATION_LINE_SEARCH;
}

static sdca_solver parse_solver(const char *word)
{
    return strcmp(word, "sgd") == 0      ? SDCA_SOLVER_SGD
           : strcmp(word, "newton") == 0 ? SDCA_SOLVER_NEWTON
           : strcmp(word, "sdca") == 0   ? SDCA_SOLVER_SDCA
                                         : SDCA_SOLVER_AUTO;
}

static sdca_output_kind parse_output(const char *word)
{
    return strcmp(word, "last") == 0      ? SDCA_OUTPUT_LAST
           : strcmp(word, "average") == 0 ? SDCA_OUTPUT_AVERAGE
           : strcmp(word, "random") == 0  ? SDCA_OUTPUT_RANDOM
                                          : SDCA_OUTPUT_BEST;
}

/* T0 of the average and of the random iterate: half of T, which must be known. */
static sdca_status choose_average_from(const sdca_command_line *line,
                                       const raw_values        *raw,
                                       sdca_train_options      *training)
{
    bool from = sdca_option_parser_is_given(line, "average-from");
    bool uses =
        training->output == SDCA_OUTPUT_AVERAGE || training->output == SDCA_OUTPUT_RANDOM;

    if (from && !uses) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--average-from goes with --output average or random");
    }
    if (training->output == SDCA_OUTPUT_AVERAGE && training->epochs == 0 && !from) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--output average wants --epochs N, of which it takes the "
                         "second half, or --average-from E");
    }
    if (training->output == SDCA_OUTPUT_RANDOM && training->epochs == 0) {
        return SDCA_FAIL(SDCA_USAGE, "--output random wants --epochs N, to draw from");
    }
    if (uses && (strcmp(raw->solver, "sgd") == 0 || strcmp(raw->solver, "newton") == 0)) {
        return SDCA_FAIL(SDCA_USAGE, "--output %s is for SDCA, not for --solver %s",
                         raw->output, raw->solver);
    }
    if (from && training->epochs > 0 &&
        training->average_from >= (double)training->epochs) {
        return SDCA_FAIL(SDCA_USAGE, "--average-from %g leaves nothing of --epochs %lld",
                         training->average_from, (long long)training->epochs);
    }
    training->average_from =
        from ? training->average_from : (double)training->epochs / 2.0;
    return SDCA_OK;
}

/* Numbers that would overflow, or let a run never end. */
static sdca_status check_ranges(const sdca_command_line *line, const raw_values *raw,
                                const train_arguments *arguments)
{
    const sdca_train_options *training = &arguments->training;
    const sdca_loss          *loss     = sdca_loss_find(raw->loss);
    bool budget = training->epochs > 0 || training->rounds > 0 || training->seconds > 0.0;

    if (training->epochs > 1000000000 || training->average_from > 1e9 ||
        training->evaluation_interval > 1e9) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--epochs, --average-from and --evaluate are at most 1e9");
    }
    if (raw->gamma > 1e100 || raw->gamma < 1e-100 || raw->epsilon > 1e100) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--gamma lies between 1e-100 and 1e100, and --epsilon below");
    }
    if (arguments->bias > 1e6 || (arguments->bias > 0.0 && arguments->bias < 1e-6)) {
        return SDCA_FAIL(SDCA_USAGE, "--bias is 0 or lies between 1e-6 and 1e6");
    }
    if (training->local_steps > 1000.0) {
        return SDCA_FAIL(SDCA_USAGE, "--local-steps is at most 1000, not %g",
                         training->local_steps);
    }
    if (arguments->lambda > 1e100 ||
        (sdca_option_parser_is_given(line, "lambda") && arguments->lambda < 1e-100) ||
        arguments->C > 1e100 ||
        (sdca_option_parser_is_given(line, "C") && arguments->C < 1e-100)) {
        return SDCA_FAIL(SDCA_USAGE, "--lambda and --C lie between 1e-100 and 1e100");
    }
    if (strcmp(raw->solver, "sgd") == 0 && !budget &&
        loss->smoothness(raw->gamma) <= 0.0) {
        return SDCA_FAIL(
            SDCA_USAGE,
            "--solver sgd with %s wants --epochs, --rounds or --time: its gap "
            "may never reach the target",
            raw->loss);
    }
    return SDCA_OK;
}

/* A given option that only makes sense for coordinate ascent, or NULL. */
static const char *find_sdca_only_option(const sdca_command_line *line)
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

/* Who chooses how ranks exchange, or how often at most, wants them to. */
static bool configures_communication(const raw_values         *raw,
                                     const sdca_train_options *training)
{
    return strcmp(raw->aggregate, "auto") != 0 || training->local_steps > 0.0 ||
           training->sigma > 0.0 || training->rounds > 0;
}

/* Options that need or exclude each other. */
static sdca_status check_combinations(const sdca_command_line *line,
                                      const raw_values        *raw,
                                      const train_arguments   *arguments)
{
    if (arguments->model == NULL) {
        return SDCA_FAIL(SDCA_USAGE, "train wants -o MODEL.h5, the file for the model");
    }
    if (sdca_option_parser_is_given(line, "lambda") ==
        sdca_option_parser_is_given(line, "C")) {
        return SDCA_FAIL(SDCA_USAGE,
                         "train wants either --lambda or --C (C = 1/(lambda n))");
    }
    if (sdca_option_parser_is_given(line, "gap") &&
        sdca_option_parser_is_given(line, "rel-gap")) {
        return SDCA_FAIL(SDCA_USAGE, "train takes --gap or --rel-gap, not both");
    }
    if (sdca_option_parser_is_given(line, "gamma") &&
        strcmp(raw->loss, "smooth-hinge") != 0) {
        return SDCA_FAIL(SDCA_USAGE, "--gamma belongs to --loss smooth-hinge, not to %s",
                         raw->loss);
    }
    if (sdca_option_parser_is_given(line, "epsilon") &&
        strcmp(raw->loss, "epsilon-insensitive") != 0) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--epsilon belongs to --loss epsilon-insensitive, not to %s",
                         raw->loss);
    }
    if (sdca_option_parser_is_given(line, "logistic-step") &&
        strcmp(raw->loss, "logistic") != 0) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--logistic-step belongs to --loss logistic, not to %s",
                         raw->loss);
    }
    if (strcmp(raw->solver, "sgd") == 0 && strcmp(raw->init, "sgd") == 0) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--init sgd is a start for SDCA, not for --solver sgd");
    }
    if (strcmp(raw->solver, "newton") == 0 && find_sdca_only_option(line) != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "--%s is for SDCA, not for --solver newton",
                         find_sdca_only_option(line));
    }
    if (raw->deterministic && sdca_option_parser_is_given(line, "time") &&
        arguments->checkpoint == NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--deterministic excludes --time, which asks the clock, but for "
                         "--checkpoint");
    }
    if (arguments->quiet && arguments->verbose) {
        return SDCA_FAIL(SDCA_USAGE, "train takes --quiet or --verbose, not both");
    }
    return SDCA_OK;
}

/* Options about checkpoints that need or exclude each other. */
static sdca_status check_checkpoint_options(const sdca_command_line *line,
                                            const raw_values        *raw,
                                            const train_arguments   *arguments)
{
    if (arguments->checkpoint == NULL &&
        (sdca_option_parser_is_given(line, "checkpoint-every") ||
         sdca_option_parser_is_given(line, "keep"))) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--checkpoint-every and --keep go with --checkpoint FILE.h5");
    }
    if (arguments->resume && arguments->checkpoint == NULL &&
        arguments->resume_from == NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--resume wants --checkpoint FILE.h5 or --from FILE.h5");
    }
    if (arguments->resume_from != NULL && !arguments->resume) {
        return SDCA_FAIL(SDCA_USAGE, "--from goes with --resume");
    }
    if (arguments->warm_start != NULL &&
        (arguments->resume_from != NULL || strcmp(raw->init, "sgd") == 0 ||
         strcmp(raw->solver, "sgd") == 0)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--warm-start is a start of its own: it excludes --from, --init "
                         "sgd and --solver sgd");
    }
    if (raw->checkpoints_kept > 100) {
        return SDCA_FAIL(SDCA_USAGE, "--keep is at most 100, not %lld",
                         (long long)raw->checkpoints_kept);
    }
    return SDCA_OK;
}

/* 90s, 10m, 2h, 1d or 500r. */
static sdca_status parse_checkpoint_interval(const raw_values        *raw,
                                             sdca_checkpoint_options *saving)
{
    const char *at = raw->checkpoint_every;
    char       *end;
    double      number = strtod(at, &end);

    if (end > at && number > 0.0 && number <= 1e9 && strcmp(end, "r") == 0 &&
        number == rint(number)) {
        saving->interval_rounds = (int64_t)number;
        return SDCA_OK;
    }
    return duration_parse(at, &saving->interval_seconds)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "--checkpoint-every wants a time such as 90s, 10m or 2h, or "
                           "rounds such as 500r, not '%s'",
                           at);
}

static sdca_status parse_log_interval(const raw_values *raw, double *seconds)
{
    return duration_parse(raw->log_every, seconds)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "--log-every wants a time such as 10s, 1m or 2h, not '%s'",
                           raw->log_every);
}

/* The command line as one string, as much of it as fits. */
static void join_words(int argc, char **argv, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int k = 0; k < argc && used < size; k++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? " " : "", argv[k]);
    }
}

sdca_status train_arguments_parse(int argc, char **argv, train_arguments *arguments,
                                  bool *help)
{
    sdca_status         status     = SDCA_OK;
    const char         *operand[1] = { NULL };
    sdca_train_options *training   = &arguments->training;
    raw_values          raw        = { .loss             = "hinge",
                                       .order            = "auto",
                                       .aggregate        = "auto",
                                       .output           = "best",
                                       .normalize        = "none",
                                       .solver           = "auto",
                                       .init             = "zero",
                                       .step             = "exact",
                                       .checkpoint_every = "10m",
                                       .log_every        = "1m",
                                       .checkpoints_kept = 2,
                                       .gamma            = 1.0,
                                       .epsilon          = 0.1 };
    sdca_option         table[]    = {
                   { "output-file", 'o', SDCA_OPTION_TEXT, "MODEL.h5", &arguments->model,
                     "where the model goes; needed", false },
                   { "loss", 0, SDCA_OPTION_CHOICE,
                     "hinge|smooth-hinge|squared-hinge|logistic|squared|absolute|epsilon-"
                                "insensitive",
                     &raw.loss, "what is minimised; the last three are for regression", false },
                   { "gamma", 0, SDCA_OPTION_POSITIVE, "G", &raw.gamma,
                     "width of the smooth hinge's corner", false },
                   { "epsilon", 0, SDCA_OPTION_NONNEGATIVE, "E", &raw.epsilon,
                     "what the epsilon-insensitive loss forgives", false },
                   { "lambda", 0, SDCA_OPTION_POSITIVE, "L", &arguments->lambda,
                     "regularisation; either this or --C is needed", false },
                   { "C", 0, SDCA_OPTION_POSITIVE, "C", &arguments->C,
                     "the same in LIBLINEAR's terms: C = 1/(lambda n)", false },
                   { "gap", 0, SDCA_OPTION_POSITIVE, "G", &training->gap,
                     "stop when P - D is at most G", false },
                   { "rel-gap", 0, SDCA_OPTION_POSITIVE, "R", &training->rel_gap,
                     "stop when (P - D)/P is at most R", false },
                   { "epochs", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &training->epochs,
                     "at most so many passes over the rows", false },
                   { "rounds", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &training->rounds,
                     "at most so many exchanges between the ranks", false },
                   { "time", 0, SDCA_OPTION_POSITIVE, "S", &training->seconds,
                     "at most so many seconds after reading", false },
                   { "solver", 0, SDCA_OPTION_CHOICE, "auto|sdca|newton|sgd", &raw.solver,
                     "dual coordinate ascent; a Newton method for few columns; auto takes the one "
                                "that should be faster; or plain stochastic gradients to compare with",
                     false },
                   { "init", 0, SDCA_OPTION_CHOICE, "zero|sgd", &raw.init,
                     "begin at 0, or with an epoch of Modified-SGD", false },
                   { "logistic-step", 0, SDCA_OPTION_CHOICE, "exact|guess", &raw.step,
                     "the maximiser, or the paper's approximate step", false },
                   { "order", 0, SDCA_OPTION_CHOICE, "auto|permutation|random|cyclic", &raw.order,
                     "a new permutation each time, of all rows or (auto) without those that have "
                                "little to gain; rows drawn one by one; or one permutation for ever",
                     false },
                   { "output", 0, SDCA_OPTION_CHOICE, "best|last|average|random", &raw.output,
                     "which iterate is kept: best-certified, last, mean of the second half, or one "
                                "of the second half drawn at random",
                     false },
                   { "average-from", 0, SDCA_OPTION_NONNEGATIVE, "E", &training->average_from,
                     "the last two begin after so many epochs instead of half of --epochs", false },
                   { "aggregate", 0, SDCA_OPTION_CHOICE, "auto|average|add|line-search",
                     &raw.aggregate, "how the ranks' moves are combined; auto is the line search",
                     false },
                   { "local-steps", 0, SDCA_OPTION_AUTO, "auto|F", &training->local_steps,
                     "share of a rank's rows per round, e.g. 0.01, 1 or 4; below 1 those that rest "
                                "do not count",
                     false },
                   { "sigma", 0, SDCA_OPTION_AUTO, "auto|X", &training->sigma,
                     "how much a rank allows for the moves of the others", false },
                   { "all-ranks", 0, SDCA_OPTION_FLAG, NULL, &arguments->all_ranks,
                     "share the rows out among all ranks, even where fewer should be faster",
                     false },
                   { "normalize", 0, SDCA_OPTION_CHOICE, "none|rows", &raw.normalize,
                     "divide each row by its length first", false },
                   { "bias", 0, SDCA_OPTION_NONNEGATIVE, "B", &arguments->bias,
                     "put a column of B behind the others, for a bias that counts in |w|; 0 is none",
                     false },
                   { "seed", 0, SDCA_OPTION_COUNT, "N", &raw.seed,
                     "another number, another random order", false },
                   { "deterministic", 0, SDCA_OPTION_FLAG, NULL, &raw.deterministic,
                     "let no clock influence the result: on one node only --time does, on several "
                                "also --local-steps auto",
                     false },
                   { "evaluate", 0, SDCA_OPTION_AUTO, "auto|E", &training->evaluation_interval,
                     "epochs between two evaluations of the gap", false },
                   { "bound", 0, SDCA_OPTION_FLAG, NULL, &training->record_bounds,
                     "add to the history what the paper's theorems promise for the gap", false },
                   { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &arguments->label_column,
                     "the column of obs that has the labels, in AnnData's files", false },
                   { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &arguments->follow_links,
                     "open other files where links of DATA.h5 and TEST.h5 lead to them", false },
                   { "test", 0, SDCA_OPTION_TEXT, "TEST.h5", &arguments->test,
                     "also report the error on this data set", false },
                   { "history", 0, SDCA_OPTION_TEXT, "FILE.csv", &arguments->history,
                     "write a row per evaluation, and those so far every few seconds", false },
                   { "progress", 0, SDCA_OPTION_TEXT, "FILE", &arguments->progress,
                     "append a line of JSON per evaluation as it happens, and between them every "
                                "--log-every",
                     false },
                   { "log-every", 0, SDCA_OPTION_TEXT, "1m", &raw.log_every,
                     "the longest time without a line, in s, m, h or d, where stderr is no "
                                "terminal; 1m if not given",
                     false },
                   { "summary", 0, SDCA_OPTION_TEXT, "FILE.json", &arguments->summary,
                     "write the result for programs", false },
                   { "checkpoint", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->checkpoint,
                     "save the run there now and then, and when a signal or --time stops it",
                     false },
                   { "checkpoint-every", 0, SDCA_OPTION_TEXT, "10m|500r", &raw.checkpoint_every,
                     "how often, in s, m, h or d, or in rounds; 10m, or more where writing would "
                                "take over 2 % of the time, if not given",
                     false },
                   { "keep", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &raw.checkpoints_kept,
                     "so many checkpoints: FILE.h5, FILE.h5.1, ...", false },
                   { "resume", 0, SDCA_OPTION_FLAG, NULL, &arguments->resume,
                     "go on from the checkpoint, if there is one", false },
                   { "from", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->resume_from,
                     "go on from this one instead", false },
                   { "warm-start", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->warm_start,
                     "begin with the alpha of a checkpoint, or with what a model's w says of it; "
                                "loss "
                                "and lambda may be others",
                     false },
                   { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &arguments->quiet,
                     "say only what went wrong", false },
                   { "verbose", 'v', SDCA_OPTION_FLAG, NULL, &arguments->verbose,
                     "a line per evaluation also at a terminal, columns that are empty, and where "
                                "the time "
                                "went",
                     false },
                   { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "train",
        .purpose       = "Train a linear model and certify how good it is.",
        .operand_names = "DATA.h5",
        .min_operands  = 1,
        .max_operands  = 1,
        .operand       = operand,
        .options       = table,
        .has_budgets   = true,
        .notes =
            "Alone or under mpirun or srun: rows are shared out among the ranks, unless\n"
            "exchanges would take longer than the work: then the first rank has all.\n"
            "SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and Ctrl-C stop a run after its present\n"
            "round (Newton's method in the midst of it), a second Ctrl-C at once; "
            "mpirun\n"
            "passes the first two on.\n"
            "\n"
            "Example:\n"
            "  mpirun -np 4 sdca train data.h5 -o model.h5 --loss logistic --lambda "
            "1e-4\n",
        .details =
            "Training ends with exit status 0 when the target, --gap or --rel-gap, is "
            "proven by an evaluation of all rows in double precision. If a budget runs "
            "out first (--epochs, --rounds or --time), the exit status is 3, the model "
            "is written all the same, and the last lines say how good it is certified to "
            "be. A signal is such a budget, too. With --checkpoint, a signal or --time "
            "ends the run with exit status 75 and a checkpoint to --resume from.\n"
            "\n"
            "For classification the labels are any two numbers, of which the smaller "
            "stands for -1, or two words. On one node the same data, options, seed and "
            "number of ranks give the same bits; on several they do so with "
            "--deterministic.\n"
            "\n"
            "Files:\n"
            "  MODEL.h5  the weights, and how they were made: settings, certificate, "
            "history\n"
            "  --history  a line per evaluation, below a line that names the columns; a "
            "field without a value is empty\n"
            "  --progress  JSON objects, one per line, with time, event (evaluation, "
            "round "
            "or end), status, round, epoch, seconds, primal, dual, gap, rel_gap, "
            "estimated_gap, target, test_error and seconds_left; a file of an earlier "
            "run "
            "is appended to\n"
            "  --summary  one JSON object: status (converged, budget or interrupted), "
            "primal, dual, "
            "gap, rel_gap, sizes, settings, test_error, seconds\n",
    };

    *arguments        = (train_arguments){ 0 };
    training->rel_gap = 1e-3;
    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, help));
    if (*help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    SDCA_TRY(check_combinations(&line, &raw, arguments));
    SDCA_TRY(check_ranges(&line, &raw, arguments));
    SDCA_TRY(check_checkpoint_options(&line, &raw, arguments));
    SDCA_TRY(parse_checkpoint_interval(&raw, &training->checkpoint));
    SDCA_TRY(parse_log_interval(&raw, &arguments->log_interval));
    arguments->data           = operand[0];
    arguments->loss           = sdca_loss_find(raw.loss);
    arguments->loss_parameter = strcmp(raw.loss, "smooth-hinge") == 0 ? raw.gamma
                                : strcmp(raw.loss, "epsilon-insensitive") == 0
                                    ? raw.epsilon
                                    : 0.0;
    arguments->normalize      = strcmp(raw.normalize, "rows") == 0;
    training->order           = parse_order(raw.order);
    training->aggregate       = parse_aggregation(raw.aggregate);
    training->output          = parse_output(raw.output);
    training->solver          = parse_solver(raw.solver);
    if (training->solver == SDCA_SOLVER_AUTO && find_sdca_only_option(&line) != NULL) {
        training->solver = SDCA_SOLVER_SDCA;
    }
    training->sgd_start        = strcmp(raw.init, "sgd") == 0;
    training->approximate_step = strcmp(raw.step, "guess") == 0;
    training->seed             = (uint64_t)raw.seed;
    training->deterministic    = raw.deterministic;
    training->checkpoint.path  = arguments->checkpoint;
    arguments->all_ranks =
        arguments->all_ranks || configures_communication(&raw, training);
    training->checkpoint.older_generations = (int)raw.checkpoints_kept - 1;
    training->checkpoint.adaptive_interval =
        !sdca_option_parser_is_given(&line, "checkpoint-every");
    SDCA_TRY(choose_average_from(&line, &raw, training));
    join_words(argc, argv, arguments->command_line, sizeof arguments->command_line);

done:
    return status;
}
