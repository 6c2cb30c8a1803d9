/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages.c - what train prints before and during a run. */
#include "cli/ui/train_messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/ui/plural.h"
#include "cli/ui/progress_text.h"
#include "data/label_print.h"
#include "solver/sdca/aggregation.h"
#include "solver/sdca/row_order.h"
#include "solver/solvers.h"
#include "train/output_iterate.h"

static void print_solver(const run_description *run)
{
    const sdca_train_options *training = &run->arguments->training;

    if (training->solver == SDCA_SOLVER_NEWTON) {
        fprintf(stderr, "  solver    newton, output %s\n",
                sdca_output_names[training->output]);
        return;
    }
    if (training->solver != SDCA_SOLVER_AUTO &&
        sdca_solver_find(training->solver)->single_rank) {
        fprintf(stderr, "  solver    %s", sdca_solver_name(training->solver));
    } else {
        fprintf(stderr, "  solver    sdca%s, order %s, output %s",
                training->sgd_start ? ", init sgd" : "",
                sdca_row_order_names[training->order],
                sdca_output_names[training->output]);
    }
    fprintf(stderr, ", seed %llu\n", (unsigned long long)training->seed);
}

/* The ranks that work, and how they combine their updates. */
static void print_ranks(const run_description *run)
{
    const sdca_train_options *training = &run->arguments->training;

    if (run->ranks == 1) {
        return;
    }
    if (training->solver == SDCA_SOLVER_NEWTON) {
        fprintf(stderr, "  ranks     %d\n", run->ranks);
        return;
    }
    fprintf(stderr, "  ranks     %d", run->working_ranks);
    if (run->working_ranks < run->ranks) {
        fprintf(stderr,
                " of %d, because communication would cost more than the others gain "
                "(--all-ranks uses all)",
                run->ranks);
    }
    if (run->working_ranks == 1) {
        fputc('\n', stderr);
        return;
    }
    fprintf(stderr, ", %s", sdca_aggregation_names[training->aggregate]);
    if (training->sigma > 0.0) {
        fprintf(stderr, ", sigma %g", training->sigma);
    }
    if (training->local_steps > 0.0) {
        fprintf(stderr, ", %g of a rank's rows per round", training->local_steps);
    }
    fputc('\n', stderr);
}

/* What the labels mean, unless they are -1 and +1. */
static void print_labels(const sdca_dataset *data)
{
    const sdca_classes *classes = &data->classes;
    char                text[SDCA_CLASS_LIST_SIZE], label[2][SDCA_CLASS_TEXT_SIZE];

    if (classes->count == 2 && (classes->value[0] != -1.0 || classes->value[1] != 1.0)) {
        sdca_classes_format(classes, 0, label[0]);
        sdca_classes_format(classes, 1, label[1]);
        fprintf(stderr, "  labels    %s is -1, %s is +1\n", label[0], label[1]);
    } else if (classes->count > 2) {
        sdca_classes_list(classes, text);
        fprintf(stderr, "  labels    %d classes, each against the rest: %s\n",
                classes->count, text);
    }
    if (data->unused_names > 0) {
        fprintf(stderr, "            %lld name%s no rows and %s\n",
                (long long)data->unused_names,
                data->unused_names == 1 ? " of a label has" : "s of labels have",
                data->unused_names == 1 ? "is no class" : "are no classes");
    }
}

static void print_standardization(const sdca_dataset *data)
{
    int32_t constant = data->constant_columns;

    if (data->standardize == SDCA_STANDARDIZE_NONE) {
        return;
    }
    fprintf(stderr, "  columns   %sdivided by their standard deviation",
            data->mean != NULL ? "less their mean, " : "");
    if (constant > 0) {
        fprintf(stderr, "; %ld column%s no variance and %s not scaled", (long)constant,
                constant == 1 ? " has" : "s have", constant == 1 ? "is" : "are");
    }
    fputc('\n', stderr);
}

void train_messages_settings(const run_description *run)
{
    const train_arguments *arguments = run->arguments;
    const sdca_dataset    *data      = run->data;
    char                   used[40]  = "";

    if (data->column_map != NULL) {
        snprintf(used, sizeof used, " (%ld used)",
                 (long)data->columns - (data->bias > 0.0));
    }
    fprintf(stderr, "sdca %s: train on %s\n", sdca_version(), arguments->data);
    fprintf(
        stderr,
        "  data      %lld row%s x %ld column%s%s, %lld non-zero%s%s%s, read in %.2f s\n",
        (long long)data->rows, plural((double)data->rows),
        (long)sdca_dataset_feature_count(data), plural(sdca_dataset_feature_count(data)),
        used, (long long)data->nonzeros, plural((double)data->nonzeros),
        data->normalized ? ", rows normalised" : "",
        data->intercept    ? ", with an intercept"
        : data->bias > 0.0 ? ", with a bias"
                           : "",
        run->read_seconds);
    print_standardization(data);
    if (data->weight != NULL) {
        fprintf(stderr, "  weights   sum %.10g, mean %.4g per row\n", data->total_weight,
                data->total_weight / (double)data->rows);
    }
    print_labels(data);
    fprintf(stderr, "  problem   %s", run->problem->loss->name);
    if (run->problem->loss->parameter != NULL) {
        fprintf(stderr, " (%s %g)", run->problem->loss->parameter,
                run->problem->parameter);
    }
    if (train_arguments_has_path(arguments)) {
        fprintf(stderr, ", %d lambda from %g to %g\n", arguments->lambdas.count,
                arguments->lambdas.value[0], arguments->lambda);
    } else {
        fprintf(stderr, ", lambda %g (C %g)\n", run->problem->lambda, run->problem->C);
    }
    print_solver(run);
    print_ranks(run);
    if (arguments->training.checkpoint.resume_from != NULL) {
        fprintf(stderr, "  resumed   from %s\n",
                arguments->training.checkpoint.resume_from);
    }
    if (arguments->training.gap > 0.0) {
        fprintf(stderr, "  target    gap %g\n", arguments->training.gap);
    } else {
        fprintf(stderr, "  target    relative gap %g\n", arguments->training.rel_gap);
    }
}

void train_messages_empty_columns(int64_t empty, int32_t columns)
{
    fprintf(stderr, "  columns   %lld of %ld %s empty\n", (long long)empty, (long)columns,
            empty == 1 ? "is" : "are");
}

/* Is the test error evaluated during the run, which is not so for several classes? */
static bool tests_during_run(const run_description *run)
{
    return run->arguments->test != NULL && run->labels->count <= 2;
}

void train_messages_table_head(const run_description *run)
{
    fprintf(stderr, "\n%7s %8s %9s %14s %14s %10s %10s%s%s\n", "round", "epoch",
            "seconds", "primal", "dual", "gap", "gap/primal",
            !tests_during_run(run)   ? ""
            : run->labels->count > 0 ? " test error"
                                     : "  test RMSE",
            run->labels->count > 2 ? " class" : "");
}

void train_messages_fit(const run_description *run, int k)
{
    const lambda_list *lambdas = &run->arguments->lambdas;

    fprintf(stderr, "lambda %g (%d of %d)\n", lambdas->value[k], k + 1, lambdas->count);
}

void train_messages_progress(const sdca_progress *now, double seconds_left)
{
    time_t    clock = time(NULL);
    struct tm local;
    char      date[32], time_left[PROGRESS_TIME_SIZE];

    localtime_r(&clock, &local);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
    progress_format_time_left(seconds_left, time_left);
    fprintf(stderr, "  %s  epoch %.2f, %s %.3e, target %.3e, %s%s\n", date, now->epoch,
            now->gap_is_estimate ? "estimated gap (sampled)" : "gap as last evaluated",
            now->gap, now->target_gap, isfinite(seconds_left) ? "about " : "",
            time_left + strspn(time_left, " "));
}

void train_messages_evaluation(const run_description     *run,
                               const sdca_history_record *record, int k)
{
    char label[SDCA_CLASS_TEXT_SIZE];

    fprintf(stderr, "%7.0f %8.2f %9.3f %14.10g %14.10g %10.3e %10.3e", record->round,
            record->epoch, record->seconds, record->primal, record->dual, record->gap,
            record->primal > 0.0 ? record->gap / record->primal : 0.0);
    if (tests_during_run(run)) {
        fprintf(stderr, " %10.5f", record->test_error);
    }
    if (run->labels->count > 2) {
        sdca_classes_format(run->labels, k, label);
        fprintf(stderr, " %s", label);
    }
    fputc('\n', stderr);
}

void train_messages_checkpoint(const run_description *run, sdca_status status,
                               double seconds)
{
    if (status != SDCA_OK) {
        fprintf(
            stderr,
            "Warning: cannot save a checkpoint: %s; the previous one, if any, is kept\n",
            sdca_status_message());
    } else if (run->arguments->verbose) {
        fprintf(stderr, "  checkpoint written in %.3g s\n", seconds);
    }
}
