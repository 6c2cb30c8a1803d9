/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages.c - what train prints about a run, and its JSON summary. */
#include "cli/ui/train_messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/ui/data_warnings.h"
#include "cli/ui/plural.h"
#include "cli/ui/progress.h"
#include "data/label_text.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "objective/duality_gap.h"
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
        data->bias > 0.0 ? ", with a bias" : "", run->read_seconds);
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
    fprintf(stderr, ", lambda %g (C %g)\n", run->problem->lambda, run->problem->C);
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

double train_messages_relative_gap(const run_description   *run,
                                   const sdca_train_result *result)
{
    return run->model != NULL && run->model->by_class != NULL
               ? sdca_model_relative_gap(run->model)
               : sdca_duality_gap_relative(&result->certificate);
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

/* The last record, or NULL. */
static const sdca_history_record *last_record(const sdca_train_result *result)
{
    return result->history.count > 0 ? &result->history.records[result->history.count - 1]
                                     : NULL;
}

/* The load imbalance, and a hint if fewer ranks would have been faster. */
static void print_rank_balance(const run_description   *run,
                               const sdca_train_result *result)
{
    const sdca_phase_seconds *times = &result->times;
    int fewer = data_warnings_best_ranks(run->working_ranks, result->nodes,
                                         times->mean_local, times->communicate);

    if (run->working_ranks > 1 && run->arguments->verbose) {
        printf(
            "Load imbalance: the slowest rank computed %.2f times as long as the mean\n",
            times->mean_local > 0.0 ? times->local / times->mean_local : 1.0);
    }
    if (fewer < run->working_ranks) {
        fprintf(stderr,
                "Hint: %d ranks computed for %.2g s each and communicated for %.2g s: "
                "%d rank%s%s would be faster\n",
                run->working_ranks, times->mean_local, times->communicate, fewer,
                plural((double)fewer), fewer > 1 ? ", on one node," : "");
    }
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

/* A run that --resume can continue. */
/* The number of classes that have reached the target. */
static int count_converged(const sdca_model *model)
{
    int converged = 0;

    for (int k = 0; k < sdca_model_parts(model); k++) {
        converged += model->by_class[k].converged;
    }
    return converged;
}

static void print_interruption(const run_description   *run,
                               const sdca_train_result *result)
{
    const sdca_certificate *now = &result->certificate;

    printf("Stopped early, %.3g s after the start.", result->times.total);
    if (run->model->by_class != NULL) {
        printf(" %d of %d classes have reached the target.\n",
               count_converged(run->model), sdca_model_parts(run->model));
    } else {
        printf(" At the last evaluation, after %.4g epochs,\n"
               "P(w) = %.10g was at most %.3g (%.3g %%) above the minimum.\n",
               last_record(result)->epoch, now->primal, now->gap,
               100.0 * sdca_duality_gap_relative(now));
    }
    printf("Checkpoint: %s. The same command with --resume continues from there.\n",
           run->arguments->checkpoint);
}

static const char *stop_reason(const run_description   *run,
                               const sdca_train_result *result)
{
    if (result->stop_reason != SDCA_STOP_CONVERGED &&
        train_messages_relative_gap(run, result) <= 1e-12) {
        return "Stopped at the limit of double precision,";
    }
    switch (result->stop_reason) {
    case SDCA_STOP_CONVERGED:
        return "Target reached";
    case SDCA_STOP_BUDGET:
        return "Budget exhausted before reaching the target,";
    case SDCA_STOP_REQUESTED:
        return "Stopped on request before reaching the target,";
    case SDCA_STOP_STALLED:
        return "Stalled before reaching the target,";
    case SDCA_STOP_ROUNDING:
        return "Stopped at the limit of double precision,";
    }
    return "";
}

/* Epochs and rounds, of several classes those of all together. */
typedef struct run_totals {
    double epochs;
    double rounds;
} run_totals;

static run_totals class_totals(const sdca_model *model)
{
    run_totals totals = { 0.0, 0.0 };

    for (int k = 0; k < sdca_model_parts(model); k++) {
        const sdca_history *history = &model->by_class[k].history;

        totals.epochs += model->by_class[k].epochs;
        totals.rounds +=
            history->count > 0 ? history->records[history->count - 1].round : 0.0;
    }
    return totals;
}

/* The class with the largest relative gap. */
static int worst_class(const sdca_model *model)
{
    int k = 0;

    while (k < sdca_model_parts(model) - 1 &&
           sdca_duality_gap_relative(&model->by_class[k].certificate) <
               sdca_model_relative_gap(model)) {
        k++;
    }
    return k;
}

static void print_class_result(const run_description   *run,
                               const sdca_train_result *result)
{
    const sdca_model       *model       = run->model;
    const sdca_certificate *certificate = &result->certificate;
    run_totals              totals      = class_totals(model);
    int                     converged   = count_converged(model);
    char                    label[SDCA_CLASS_TEXT_SIZE];

    sdca_classes_format(&model->labels, worst_class(model), label);
    printf("%s after %.4g epochs (%.0f rounds) of all classes together in %.3g s.\n",
           stop_reason(run, result), totals.epochs, totals.rounds, result->times.total);
    if (converged < sdca_model_parts(model)) {
        printf("%d of %d classes reached the target.\n", converged,
               sdca_model_parts(model));
    }
    printf("Certified: the sum of P(w) over %d classes = %.10g is at most %.3g above the "
           "minimum,\nin each class at most %.3g %% (class %s),\n"
           "and the distance from all w to the minimisers is at most %.3g.\n",
           sdca_model_parts(model), certificate->primal, certificate->gap,
           100.0 * sdca_model_relative_gap(model), label, certificate->distance);
}

static void print_single_result(const run_description   *run,
                                const sdca_train_result *result)
{
    const sdca_certificate    *certificate = &result->certificate;
    const sdca_history_record *final       = last_record(result);

    printf("%s after %.4g epoch%s (%.0f round%s) in %.3g s.\n", stop_reason(run, result),
           final->epoch, plural(final->epoch), final->round, plural(final->round),
           result->times.total);
    printf("Certified: P(w) = %.10g is at most %.3g (%.3g %%) above the minimum,\n"
           "and the distance from w to the minimiser is at most %.3g.\n",
           certificate->primal, certificate->gap,
           100.0 * sdca_duality_gap_relative(certificate), certificate->distance);
}

void train_messages_result(const run_description *run, const sdca_train_result *result,
                           sdca_status outcome)
{
    const sdca_certificate *certificate = &result->certificate;

    if (outcome == SDCA_INTERRUPTED) {
        print_interruption(run, result);
        return;
    }
    if (run->model->by_class != NULL) {
        print_class_result(run, result);
    } else {
        print_single_result(run, result);
    }
    if (result->stop_reason == SDCA_STOP_ROUNDING) {
        printf("The target is below what double precision can prove for these data:\n"
               "%.3g of the gap is the bound on rounding errors.\n",
               certificate->rounding);
    }
    if (!result->output_as_requested) {
        printf(
            "The run ended before the requested iterate: the model has the last one.\n");
    }
    if (run->arguments->test != NULL) {
        printf("Test %s: %.6g\n", run->labels->count > 0 ? "error" : "RMSE",
               result->test_error);
    }
    printf("Model: %s\n", run->arguments->model);
    print_rank_balance(run, result);
    if (run->arguments->verbose) {
        printf("Time: reading %.3g s; then local steps %.3g s, communication %.3g s, gap "
               "%.3g s, checkpoints %.3g s; first rounds of %.4g of a rank's rows\n",
               result->times.read, result->times.local, result->times.communicate,
               result->times.gap, result->times.checkpoint, result->local_steps);
    }
}

static void write_number(FILE *file, const char *name, double value)
{
    fprintf(file, "  \"%s\": %s,\n", name, sdca_json_number(value).text);
}

const char *train_messages_status_name(sdca_status outcome)
{
    return outcome == SDCA_OK            ? "converged"
           : outcome == SDCA_BUDGET      ? "budget"
           : outcome == SDCA_INTERRUPTED ? "interrupted"
                                         : "failed";
}

static void write_seconds(FILE *file, const sdca_phase_seconds *seconds)
{
    const char *separator = "";

    fputs("  \"seconds\": {", file);
#define WRITE_SECONDS(name, label)                                    \
    fprintf(file, "%s\"" #name "\": %.6f", separator, seconds->name); \
    separator = ", ";
    SDCA_PHASE_SECONDS_LIST(WRITE_SECONDS)
#undef WRITE_SECONDS
    fputs("}\n", file);
}

/* What the summary says of several classes. */
static void write_classes(FILE *file, const sdca_model *model)
{
    fprintf(file, "  \"classes\": %d,\n  \"per_class\": [", sdca_model_parts(model));
    for (int k = 0; k < sdca_model_parts(model); k++) {
        const sdca_class_model *part = &model->by_class[k];

        fprintf(file, "%s    {\"label\": ", k > 0 ? ",\n" : "\n");
        sdca_label_text_print_json(file, &model->labels, k);
        fprintf(file, ", \"primal\": %s, \"dual\": %s, \"gap\": %s",
                sdca_json_number(part->certificate.primal).text,
                sdca_json_number(part->certificate.dual).text,
                sdca_json_number(part->certificate.gap).text);
        fprintf(file, ", \"epochs\": %s, \"positives\": %lld}",
                sdca_json_number(part->epochs).text, (long long)part->positives);
    }
    fputs("],\n", file);
}

sdca_status train_messages_write_summary(const run_description   *run,
                                         const sdca_iterate      *iterate,
                                         const sdca_train_result *result,
                                         sdca_status outcome, const char *path)
{
    const sdca_certificate *certificate = &result->certificate;
    run_totals              totals      = { sdca_iterate_epochs(run->problem, iterate),
                                            (double)iterate->round };
    FILE                   *file        = NULL;
    sdca_status             status      = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    if (run->model->by_class != NULL) {
        totals = class_totals(run->model);
    }
    fprintf(file, "{\n  \"status\": \"%s\",\n", train_messages_status_name(outcome));
    write_number(file, "primal", certificate->primal);
    write_number(file, "dual", certificate->dual);
    write_number(file, "gap", certificate->gap);
    write_number(file, "rel_gap", train_messages_relative_gap(run, result));
    write_number(file, "rounding", certificate->rounding);
    write_number(file, "distance", certificate->distance);
    write_number(file, "epochs", totals.epochs);
    write_number(file, "rounds", totals.rounds);
    write_number(file, "ranks", run->ranks);
    write_number(file, "working_ranks", run->working_ranks);
    write_number(file, "rows", (double)run->data->rows);
    write_number(file, "total_weight", run->data->total_weight);
    write_number(file, "columns", sdca_dataset_feature_count(run->data));
    write_number(file, "nonzeros", (double)run->data->nonzeros);
    fprintf(file, "  \"loss\": \"%s\",\n", run->problem->loss->name);
    if (run->problem->loss->parameter != NULL) {
        write_number(file, run->problem->loss->parameter, run->problem->parameter);
    }
    write_number(file, "lambda", run->problem->lambda);
    write_number(file, "C", run->problem->C);
    fprintf(file, "  \"seed\": %llu,\n",
            (unsigned long long)run->arguments->training.seed);
    write_number(file, "test_error", result->test_error);
    if (run->model->by_class != NULL) {
        write_classes(file, run->model);
    }
    write_seconds(file, &result->times);
    fputs("}\n", file);
    return sdca_atomic_file_commit(file, path);
}
