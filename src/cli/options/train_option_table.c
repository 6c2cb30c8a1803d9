/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_option_table.c - the options of train and their help. */
#include "cli/options/train_option_table.h"

#include <string.h>

static const char notes[] =
    "Runs alone or under mpirun or srun. The rows are divided among the ranks; fewer "
    "ranks work if communication would cost more than it gains.\n"
    "SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and Ctrl-C stop a run after the current round "
    "(Newton's method within it), a second Ctrl-C stops it immediately. mpirun forwards "
    "the first two signals.\n"
    "\n"
    "Example:\n"
    "  mpirun -np 4 sdca train data.h5 -o model.h5 --loss logistic --lambda 1e-4\n";

static const char details[] =
    "Training ends with exit status 0 when an evaluation of all rows "
    "proves the target, --gap or --rel-gap. If a budget (--epochs, --rounds or --time) "
    "runs out first, the exit status is 3, the model is written, and the last lines "
    "state its certified gap. A signal acts like a budget. With --checkpoint, a signal "
    "or --time ends the run with exit status 75 and a checkpoint from which --resume "
    "continues.\n"
    "\n"
    "--until labels continues after the target is reached, until the label of every row "
    "of --test is proven to be that of the exact optimum (docs/certificates.md), which "
    "more training cannot change. A row whose score is nearly 0 may need more than "
    "double precision: the exit status is then 3, as for a budget, and the last lines "
    "state how many labels are proven.\n"
    "\n"
    "For classification the labels are words or numbers. With two labels, the smaller "
    "one is the class -1 unless --positive names it. With more than two, each class is "
    "trained against the rest, to the same target; --positive LABEL trains LABEL against "
    "all others only. --epochs and --rounds are per class, --time is for all.\n"
    "\n"
    "On one node the same data, options, seed and number of ranks give bit-identical "
    "results; on several nodes they do so with --deterministic.\n"
    "\n"
    "Several values of --lambda, a list or a logarithmic grid, are a path: one run, the "
    "largest lambda first, each fit started from the one before and certified to the "
    "target. --path names the directory for their models, -o has that of the smallest "
    "lambda. --epochs and --rounds are per fit, --time is for all: when it runs out, "
    "-o has the last fit. The exit status is that of the worst fit.\n"
    "\n"
    "With --folds or --validation one of several lambda is chosen: -o has its model, "
    "trained on all rows, and --path is optional. Folds are divided evenly by class. The "
    "metric has the sample weights of the rows; class weights are of the training "
    "alone.\n"
    "\n"
    "--calibrate fits Platt's sigmoid 1/(1 + exp(-(A score + B))) to the scores of rows "
    "that a model was not trained on, those of --folds or --validation: one sigmoid, or "
    "one per class if there are more than two, for every loss of classification. predict "
    "then writes probability_LABEL. Sample weights count, class weights do not. With one "
    "--lambda the folds are used for this only. The models of --path are not "
    "calibrated.\n"
    "\n"
    "A data file may have an array weight, with a number of 0 or more for each row: the "
    "objective is then the weighted mean of the losses. --class-weight multiplies these "
    "weights (1 without the array) by one for each label, and by 1 for labels that are "
    "not listed; with balanced, the classes have the same total weight and the sum of "
    "all weights does not change.\n";

static const char sections[] =
    "Solvers:\n"
    "  auto  sdca or newton, whichever should be faster\n"
    "  sdca  stochastic dual coordinate ascent\n"
    "  newton  Newton's method, for data with few columns\n"
    "  sgd  plain stochastic gradient descent on one rank, a baseline\n"
    "  sag  stochastic average gradient on one rank, for smooth losses, a baseline\n"
    "  eg  exponentiated gradient on one rank, for the hinge, smooth hinge and logistic "
    "loss, a baseline\n"
    "Orders:\n"
    "  auto  a new permutation in every epoch, with shrinking: rows with a small gap "
    "term are skipped\n"
    "  permutation  a new permutation of all rows in every epoch\n"
    "  random  rows drawn with replacement\n"
    "  cyclic  the same permutation in every epoch\n"
    "Iterates:\n"
    "  best  the iterate with the smallest certified gap\n"
    "  last  the last iterate\n"
    "  average  the mean of the iterates in the second half of --epochs, or from epoch "
    "--average-from on\n"
    "  random  one of these iterates, drawn at random\n"
    "Tuning:\n"
    "  --init sgd  start with an epoch of Modified-SGD\n"
    "  --logistic-step guess  the approximate step of the paper\n"
    "  --aggregate auto  the line search\n"
    "  --local-steps  steps per round as a share of a rank's rows, such as 0.01, 1 or 4; "
    "shares below 1 do not count rows that shrinking skips\n"
    "  --bias  the bias is regularised like the other weights\n"
    "  --intercept  for SDCA and Newton's method; excludes --bias\n"
    "  --standardize  scale keeps zeros; full also subtracts the mean, and needs "
    "--intercept if rows are sparse; the model is for columns as in the file\n"
    "  --checkpoint-every  longer by default if writing takes more than 2 % of the "
    "time\n"
    "  --warm-start  loss and lambda may differ from those of the file; for a path it is "
    "the start of the first fit\n"
    "Files:\n"
    "  MODEL.h5  the weights with settings, certificate and history\n"
    "  --path  one model per lambda, named by the number of the fit and its lambda, such "
    "as 03-lambda-0.01.h5\n"
    "  --history  CSV, one row per evaluation below the names of the columns, updated "
    "every few seconds; unknown values are empty\n"
    "  --progress  JSON, one object per line for each evaluation, logged round and the "
    "end; lines are appended to an existing file; docs/formats.md lists the names\n"
    "  --summary  one JSON object: status, primal, dual, gap, rel_gap, sizes, settings, "
    "test_error, seconds\n";

void train_option_table_create(train_words *words, train_arguments *arguments,
                               train_command_line *out)
{
    sdca_train_options *training = &arguments->training;
    const sdca_option   table[]  = {
           { "lambda", 0, SDCA_OPTION_TEXT, "L|L1,L2,...|FIRST:LAST:COUNT", &words->lambda,
             "regularisation parameter, or several (required, or --C)", SDCA_GROUP_PROBLEM,
             false },
           { "C", 0, SDCA_OPTION_POSITIVE, "C", &arguments->C,
             "the same as LIBLINEAR's C = 1/(lambda n)", SDCA_GROUP_PROBLEM, false },
           { "bias", 0, SDCA_OPTION_NONNEGATIVE, "B", &arguments->bias,
             "add a constant column of value B; 0: none", SDCA_GROUP_PROBLEM, false },
           { "intercept", 0, SDCA_OPTION_FLAG, NULL, &arguments->intercept,
             "add a constant that has no penalty", SDCA_GROUP_PROBLEM, false },
           { "standardize", 0, SDCA_OPTION_CHOICE, "none|scale|full", &words->standardize,
             "divide columns by their standard deviation", SDCA_GROUP_PROBLEM, false },
           { "normalize", 0, SDCA_OPTION_CHOICE, "none|rows", &words->normalize,
             "scale to length 1", SDCA_GROUP_PROBLEM, false },
           { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &arguments->label_column,
             "column of obs with the labels (AnnData files)", SDCA_GROUP_PROBLEM, false },
           { "x", 0, SDCA_OPTION_TEXT, "X|raw/X|layers/NAME|obsm/NAME", &arguments->cells.x,
             "matrix of an AnnData file", SDCA_GROUP_PROBLEM, false },
           { "names", 0, SDCA_OPTION_TEXT, "COLUMN", &arguments->cells.names,
             "column of var with the names of columns (AnnData)", SDCA_GROUP_PROBLEM,
             false },
           { "covariates", 0, SDCA_OPTION_TEXT, "COLUMN,...", &arguments->cells.covariates,
             "columns of obs that are further features (AnnData)", SDCA_GROUP_PROBLEM,
             false },
           { "where", 0, SDCA_OPTION_TEXT, "COLUMN=VALUE,...", &arguments->cells.where,
             "rows to train on, by a column of obs; also != (AnnData)", SDCA_GROUP_PROBLEM,
             false },
           { "positive", 0, SDCA_OPTION_TEXT, "LABEL", &arguments->positive,
             "the label that is the class +1, all others -1", SDCA_GROUP_PROBLEM, false },
           { "multiclass", 0, SDCA_OPTION_CHOICE, "auto|ovr", &words->multiclass,
             "more than two labels: each against the rest, also if auto", SDCA_GROUP_PROBLEM,
             false },
           { "weight", 0, SDCA_OPTION_TEXT, "COLUMN", &arguments->weight_column,
             "column of obs with the weights (AnnData files)", SDCA_GROUP_PROBLEM, false },
           { "class-weight", 0, SDCA_OPTION_TEXT, "balanced|LABEL=W,...",
             &arguments->class_weight, "weights of the classes", SDCA_GROUP_PROBLEM, false },
           { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &arguments->follow_links,
             "follow external links of the data files", SDCA_GROUP_PROBLEM, false },

           { "gap", 0, SDCA_OPTION_POSITIVE, "G", &training->gap,
             "stop when the gap P - D is at most G", SDCA_GROUP_STOPPING, false },
           { "rel-gap", 0, SDCA_OPTION_POSITIVE, "R", &training->rel_gap,
             "stop when (P - D)/P is at most R", SDCA_GROUP_STOPPING, false },
           { "until", 0, SDCA_OPTION_CHOICE, "labels", &words->until,
             "continue until all labels of --test are proven", SDCA_GROUP_STOPPING, false },
           { "epochs", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &training->epochs,
             "stop after N passes over the rows", SDCA_GROUP_STOPPING, false },
           { "rounds", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &training->rounds,
             "stop after N rounds of communication", SDCA_GROUP_STOPPING, false },
           { "time", 0, SDCA_OPTION_POSITIVE, "S", &training->seconds,
             "stop S seconds after reading the data", SDCA_GROUP_STOPPING, false },

           { "folds", 0, SDCA_OPTION_COUNT_POSITIVE, "K", &arguments->folds,
             "choose lambda by cross-validation with K folds", SDCA_GROUP_SELECTION, false },
           { "fold-groups", 0, SDCA_OPTION_TEXT, "COLUMN", &arguments->fold_groups,
             "keep groups of rows in one fold: column of obs or array", SDCA_GROUP_SELECTION,
             false },
           { "fold-seed", 0, SDCA_OPTION_COUNT, "N", &arguments->fold_seed,
             "seed of the folds", SDCA_GROUP_SELECTION, false },
           { "fold-file", 0, SDCA_OPTION_TEXT, "FILE", &arguments->fold_file,
             "write the fold of each row, from 1 on", SDCA_GROUP_SELECTION, false },
           { "validation", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->validation,
             "choose lambda by this data set instead", SDCA_GROUP_SELECTION, false },
           { "select", 0, SDCA_OPTION_CHOICE, "best|one-se", &words->select,
             "best mean, or largest lambda within a standard error", SDCA_GROUP_SELECTION,
             false },
           { "metric", 0, SDCA_OPTION_CHOICE,
             "error|balanced-error|auc|log-loss|f1|rmse|mae|r2", &words->metric,
             "metric to choose by (default error or rmse)", SDCA_GROUP_SELECTION, false },
           { "selection", 0, SDCA_OPTION_TEXT, "FILE.csv", &arguments->selection,
             "write one row per lambda", SDCA_GROUP_SELECTION, false },
           { "calibrate", 0, SDCA_OPTION_FLAG, NULL, &arguments->calibrate,
             "fit probabilities to the scores of held-out rows", SDCA_GROUP_SELECTION,
             false },

           { "output-file", 'o', SDCA_OPTION_TEXT, "MODEL.h5", &arguments->model,
             "write the model to this file (required)", SDCA_GROUP_OUTPUT, false },
           { "path", 0, SDCA_OPTION_TEXT, "DIR", &arguments->path,
             "write the model of each lambda to this directory", SDCA_GROUP_OUTPUT, false },
           { "test", 0, SDCA_OPTION_TEXT, "TEST.h5", &arguments->test,
             "report the error on this data set", SDCA_GROUP_OUTPUT, false },
           { "keep-dual", 0, SDCA_OPTION_FLAG, NULL, &arguments->keep_dual,
             "write the dual variables into the model, for sdca verify", SDCA_GROUP_OUTPUT,
             false },
           { "unweighted", 0, SDCA_OPTION_FLAG, NULL, &arguments->unweighted,
             "ignore the weights of the test set", SDCA_GROUP_OUTPUT, false },
           { "history", 0, SDCA_OPTION_TEXT, "FILE.csv", &arguments->history,
             "write one row per evaluation", SDCA_GROUP_OUTPUT, false },
           { "progress", 0, SDCA_OPTION_TEXT, "FILE", &arguments->progress,
             "append the progress as JSON lines", SDCA_GROUP_OUTPUT, false },
           { "summary", 0, SDCA_OPTION_TEXT, "FILE.json", &arguments->summary,
             "write the result as JSON", SDCA_GROUP_OUTPUT, false },
           { "log-every", 0, SDCA_OPTION_TEXT, "TIME", &words->log_every,
             "longest time without a log line", SDCA_GROUP_OUTPUT, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &arguments->quiet, "print errors only",
             SDCA_GROUP_OUTPUT, false },
           { "verbose", 'v', SDCA_OPTION_FLAG, NULL, &arguments->verbose,
             "print every evaluation, and where time is spent", SDCA_GROUP_OUTPUT, false },

           { "checkpoint", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->checkpoint,
             "save the run to this file regularly", SDCA_GROUP_RESTART, false },
           { "checkpoint-every", 0, SDCA_OPTION_TEXT, "TIME", &words->checkpoint_every,
             "interval, e.g. 90s or 500r rounds", SDCA_GROUP_RESTART, false },
           { "keep", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &words->checkpoints_kept,
             "number of checkpoints to keep", SDCA_GROUP_RESTART, false },
           { "resume", 0, SDCA_OPTION_FLAG, NULL, &arguments->resume,
             "resume from the checkpoint if there is one", SDCA_GROUP_RESTART, false },
           { "from", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->resume_from,
             "resume from this checkpoint instead", SDCA_GROUP_RESTART, false },
           { "warm-start", 0, SDCA_OPTION_TEXT, "FILE.h5", &arguments->warm_start,
             "start from a checkpoint or a model", SDCA_GROUP_RESTART, false },

           { "all-ranks", 0, SDCA_OPTION_FLAG, NULL, &arguments->all_ranks,
             "use all ranks, even if fewer should be faster", SDCA_GROUP_PARALLEL, false },
           { "aggregate", 0, SDCA_OPTION_CHOICE, "auto|average|add|line-search",
             &words->aggregate, "aggregation rule", SDCA_GROUP_PARALLEL, false },
           { "local-steps", 0, SDCA_OPTION_AUTO, "auto|F", &training->local_steps,
             "share of a rank's rows per round", SDCA_GROUP_PARALLEL, false },
           { "sigma", 0, SDCA_OPTION_AUTO, "auto|X", &training->sigma,
             "safety factor of the local steps", SDCA_GROUP_PARALLEL, false },
           { "deterministic", 0, SDCA_OPTION_FLAG, NULL, &words->deterministic,
             "make the result independent of the clock", SDCA_GROUP_PARALLEL, false },

           { "solver", 0, SDCA_OPTION_CHOICE, "auto|sdca|newton|sgd|sag|eg", &words->solver,
             "method", SDCA_GROUP_EXPERT, false },
           { "init", 0, SDCA_OPTION_CHOICE, "zero|sgd", &words->init, "initial point",
             SDCA_GROUP_EXPERT, false },
           { "logistic-step", 0, SDCA_OPTION_CHOICE, "exact|guess", &words->step, "step",
             SDCA_GROUP_EXPERT, false },
           { "order", 0, SDCA_OPTION_CHOICE, "auto|permutation|random|cyclic", &words->order,
             "row order", SDCA_GROUP_EXPERT, false },
           { "output", 0, SDCA_OPTION_CHOICE, "best|last|average|random", &words->output,
             "iterate to keep", SDCA_GROUP_EXPERT, false },
           { "average-from", 0, SDCA_OPTION_NONNEGATIVE, "E", &training->average_from,
             "first epoch to average (default half of --epochs)", SDCA_GROUP_EXPERT, false },
           { "seed", 0, SDCA_OPTION_COUNT, "N", &words->seed, "seed of the row order",
             SDCA_GROUP_EXPERT, false },
           { "evaluate", 0, SDCA_OPTION_AUTO, "auto|E", &training->evaluation_interval,
             "epochs between evaluations", SDCA_GROUP_EXPERT, false },
           { "bound", 0, SDCA_OPTION_FLAG, NULL, &training->record_bounds,
             "add the paper's bounds to the history", SDCA_GROUP_EXPERT, false },
           { .name = NULL },
    };

    size_t losses = loss_options_create(&words->loss, out->table);

    _Static_assert(sizeof table / sizeof *table + LOSS_OPTIONS_MAX <= TRAIN_OPTIONS_MAX,
                   "the table is large enough");
    memcpy(out->table + losses, table, sizeof table);
    out->operand[0] = NULL;
    out->line       = (sdca_command_line){
              .command       = "train",
              .purpose       = "Train a linear model with a certificate of its accuracy.",
              .operand_names = "DATA.h5",
              .min_operands  = 1,
              .max_operands  = 1,
              .operand       = out->operand,
              .options       = out->table,
              .has_budgets   = true,
              .notes         = notes,
              .details       = details,
              .sections      = sections,
    };
}
