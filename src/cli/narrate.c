/* SPDX-License-Identifier: BSD-3-Clause
 *
 * narrate.c - a run of train in words: for people, and for programs. */
#include "narrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "advice.h"
#include "json.h"
#include "plural.h"
#include "progress.h"
#include "sdca/gap.h"
#include "sdca/output.h"

/* Words for enumerators. A switch without a default: the compiler reports one that has
 * no word. */
static const char *order_word(sdca_row_order_kind order)
{
    switch (order) {
    case SDCA_ROW_ORDER_AUTO:
        return "automatic";
    case SDCA_ROW_ORDER_PERMUTATION:
        return "permuted";
    case SDCA_ROW_ORDER_RANDOM:
        return "random";
    case SDCA_ROW_ORDER_CYCLIC:
        return "cyclic";
    }
    return "";
}

static const char *keep_word(sdca_output_kind keep)
{
    switch (keep) {
    case SDCA_OUTPUT_BEST:
        return "best";
    case SDCA_OUTPUT_LAST:
        return "last";
    case SDCA_OUTPUT_AVERAGE:
        return "average";
    case SDCA_OUTPUT_RANDOM:
        return "random";
    }
    return "";
}

static const char *rule_word(sdca_aggregation_rule rule)
{
    switch (rule) {
    case SDCA_AGGREGATION_AVERAGE:
        return "average";
    case SDCA_AGGREGATION_ADD:
        return "add";
    case SDCA_AGGREGATION_LINE_SEARCH:
        return "line search";
    }
    return "";
}

/* How it is solved, as far as it was chosen. */
static void narrate_method(const story *s)
{
    const sdca_train_options *plan = &s->options->plan;

    if (plan->solver == SDCA_SOLVER_NEWTON) {
        fprintf(stderr, "  method    newton, keeps the %s iterate\n",
                keep_word(plan->output));
        return;
    }
    if (plan->solver == SDCA_SOLVER_SGD) {
        fprintf(stderr, "  method    sgd");
    } else {
        fprintf(stderr, "  method    sdca%s, %s order, keeps the %s iterate",
                plan->sgd_start ? " after an epoch of Modified-SGD" : "",
                order_word(plan->order), keep_word(plan->output));
    }
    fprintf(stderr, ", seed %llu\n", (unsigned long long)plan->seed);
}

/* Who works, and how they agree, if there are several. */
static void narrate_team(const story *s)
{
    const sdca_train_options *plan = &s->options->plan;

    if (s->ranks == 1) {
        return;
    }
    if (plan->solver == SDCA_SOLVER_NEWTON) {
        fprintf(stderr, "  ranks     %d, as one\n", s->ranks);
        return;
    }
    fprintf(stderr, "  ranks     %d", s->working);
    if (s->working < s->ranks) {
        fprintf(stderr,
                " of %d, as more would lose more by exchanges than they gain "
                "(--all-ranks takes all)",
                s->ranks);
    }
    if (s->working == 1) {
        fputc('\n', stderr);
        return;
    }
    fprintf(stderr, ", %s", rule_word(plan->aggregate));
    if (plan->sigma > 0.0) {
        fprintf(stderr, ", sigma %g", plan->sigma);
    }
    if (plan->local_steps > 0.0) {
        fprintf(stderr, ", %g of a rank's rows per round", plan->local_steps);
    }
    fputc('\n', stderr);
}

void narrate_settings(const story *s)
{
    const train_options *options = s->options;
    const sdca_dataset  *data    = s->data;
    char                 label[2][SDCA_CLASS_NAME_SIZE], used[40] = "";

    if (data->column_map != NULL) {
        snprintf(used, sizeof used, " (%ld of them used)",
                 (long)data->columns - (data->bias > 0.0));
    }
    fprintf(stderr, "sdca %s: train on %s\n", sdca_version(), options->data);
    fprintf(
        stderr,
        "  data      %lld row%s x %ld column%s%s, %lld non-zero%s%s%s, read in %.2f s\n",
        (long long)data->rows, plural((double)data->rows),
        (long)sdca_dataset_feature_count(data), plural(sdca_dataset_feature_count(data)),
        used, (long long)data->nonzeros, plural((double)data->nonzeros),
        data->normalized ? ", rows normalised" : "",
        data->bias > 0.0 ? ", with a bias" : "", s->read);
    if (s->labels->count == 2 &&
        (s->labels->value[0] != -1.0 || s->labels->value[1] != 1.0)) {
        sdca_classes_format(s->labels, 0, label[0]);
        sdca_classes_format(s->labels, 1, label[1]);
        fprintf(stderr, "  labels    %s stands for -1, %s for +1\n", label[0], label[1]);
    }
    fprintf(stderr, "  problem   %s", s->problem->loss->name);
    if (s->problem->loss->parameter != NULL) {
        fprintf(stderr, " (%s %g)", s->problem->loss->parameter, s->problem->parameter);
    }
    fprintf(stderr, ", lambda %g, which is C %g\n", s->problem->lambda, s->problem->C);
    narrate_method(s);
    narrate_team(s);
    if (options->plan.checkpoint.resume_from != NULL) {
        fprintf(stderr, "  goes on   from %s\n", options->plan.checkpoint.resume_from);
    }
    if (options->plan.gap > 0.0) {
        fprintf(stderr, "  target    gap %g\n", options->plan.gap);
    } else {
        fprintf(stderr, "  target    relative gap %g\n", options->plan.rel_gap);
    }
}

void narrate_empty(int64_t empty, int32_t columns)
{
    fprintf(stderr, "  columns   %lld of %ld %s empty\n", (long long)empty, (long)columns,
            empty == 1 ? "is" : "are");
}

void narrate_heading(const story *s)
{
    fprintf(stderr, "\n%7s %8s %9s %14s %14s %10s %10s%s\n", "round", "epoch", "seconds",
            "primal", "dual", "gap", "gap/primal",
            s->options->test == NULL ? ""
            : s->labels->count > 0   ? " test error"
                                     : "  test RMSE");
}

void narrate_moment(const sdca_progress *now, double left)
{
    time_t    clock = time(NULL);
    struct tm local;
    char      when[32], words[PROGRESS_LEFT_SIZE];

    localtime_r(&clock, &local);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    progress_write_left(left, words);
    fprintf(stderr, "  %s  epoch %.2f, %s %.3e, target %.3e, %s%s\n", when, now->epoch,
            now->gap_is_estimate ? "estimated gap (sampled)" : "gap as last evaluated",
            now->gap, now->target_gap, isfinite(left) ? "about " : "",
            words + strspn(words, " "));
}

void narrate_round(const story *s, const sdca_history_record *record)
{
    fprintf(stderr, "%7.0f %8.2f %9.3f %14.10g %14.10g %10.3e %10.3e", record->round,
            record->epoch, record->seconds, record->primal, record->dual, record->gap,
            record->primal > 0.0 ? record->gap / record->primal : 0.0);
    if (s->options->test != NULL) {
        fprintf(stderr, " %10.5f", record->test_error);
    }
    fputc('\n', stderr);
}

/* The last record, or NULL. */
static const sdca_history_record *last(const sdca_train_result *result)
{
    return result->history.count > 0 ? &result->history.records[result->history.count - 1]
                                     : NULL;
}

/* How they shared the work, and whether fewer would have been faster. */
static void narrate_ranks(const story *s, const sdca_train_result *result)
{
    const sdca_phase_seconds *times = &result->times;
    int                       fewer =
        advice_ranks(s->working, result->nodes, times->mean_local, times->communicate);

    if (s->working > 1 && s->options->verbose) {
        printf("Ranks: the slowest computed %.2f times as long as the mean\n",
               times->mean_local > 0.0 ? times->local / times->mean_local : 1.0);
    }
    if (fewer < s->working) {
        fprintf(
            stderr,
            "Hint: %d ranks computed for %.2g s each and spent %.2g s on exchange and "
            "waiting: %d rank%s%s would be faster\n",
            s->working, times->mean_local, times->communicate, fewer,
            plural((double)fewer), fewer > 1 ? ", on one node," : "");
    }
}

void narrate_saved(const story *s, sdca_status status, double seconds)
{
    if (status != SDCA_OK) {
        fprintf(stderr, "Warning: no checkpoint: %s; the last one, if any, stands\n",
                sdca_status_message());
    } else if (s->options->verbose) {
        fprintf(stderr, "  checkpoint written in %.3g s\n", seconds);
    }
}

/* A run that is to go on another time. */
static void narrate_interruption(const story *s, const sdca_train_result *result)
{
    const sdca_certificate *now = &result->certificate;

    printf("Stopped early, %.3g s after the start. At the last evaluation, after %.4g "
           "epochs,\n"
           "P(w) = %.10g was at most %.3g (%.3g %%) above the least possible.\n"
           "Checkpoint: %s. The same command with --resume goes on from there.\n",
           result->times.total, last(result)->epoch, now->primal, now->gap,
           100.0 * sdca_duality_gap_relative(now), s->options->checkpoint);
}

static const char *how_it_ended(const sdca_train_result *result)
{
    if (result->stop_reason != SDCA_STOP_CONVERGED &&
        sdca_duality_gap_relative(&result->certificate) <= 1e-12) {
        return "Stopped at the limit of double precision,";
    }
    switch (result->stop_reason) {
    case SDCA_STOP_CONVERGED:
        return "Target reached";
    case SDCA_STOP_BUDGET:
        return "A budget ran out before the target was reached,";
    case SDCA_STOP_REQUESTED:
        return "Asked to stop before the target was reached,";
    case SDCA_STOP_STALLED:
        return "Stalled before the target was reached,";
    case SDCA_STOP_ROUNDING:
        return "Stopped at the limit of double precision,";
    }
    return "";
}

void narrate_result(const story *s, const sdca_train_result *result, sdca_status outcome)
{
    const sdca_certificate    *kept  = &result->certificate;
    const sdca_history_record *final = last(result);

    if (outcome == SDCA_INTERRUPTED) {
        narrate_interruption(s, result);
        return;
    }

    printf("%s after %.4g epoch%s (%.0f round%s) in %.3g s.\n", how_it_ended(result),
           final->epoch, plural(final->epoch), final->round, plural(final->round),
           result->times.total);
    printf("Certified: P(w) = %.10g is at most %.3g (%.3g %%) above the least possible,\n"
           "and the distance from w to the best w is at most %.3g.\n",
           kept->primal, kept->gap, 100.0 * sdca_duality_gap_relative(kept),
           kept->distance);
    if (result->stop_reason == SDCA_STOP_ROUNDING) {
        printf("The target lies below what double precision can prove for these data: of "
               "that gap,\n"
               "%.3g is the bound on rounding errors.\n",
               kept->rounding);
    }
    if (!result->output_as_requested) {
        printf("The run ended before the iterate that was asked for: this is the last "
               "one.\n");
    }
    if (s->options->test != NULL) {
        printf("Test %s: %.6g\n", s->labels->count > 0 ? "error" : "RMSE",
               result->test_error);
    }
    printf("Model: %s\n", s->options->model);
    narrate_ranks(s, result);
    if (s->options->verbose) {
        printf("Time: reading %.3g s; then local steps %.3g s, exchange and waiting %.3g "
               "s, gap "
               "%.3g s, checkpoints %.3g s; first rounds of %.4g of a rank's rows\n",
               s->read, result->times.local, result->times.communicate, result->times.gap,
               result->times.checkpoint, result->local_steps);
    }
}

static void write_number(FILE *file, const char *name, double value)
{
    fprintf(file, "  \"%s\": %s,\n", name, json_number(value).text);
}

const char *narrate_status(sdca_status outcome)
{
    return outcome == SDCA_OK            ? "converged"
           : outcome == SDCA_BUDGET      ? "budget"
           : outcome == SDCA_INTERRUPTED ? "interrupted"
                                         : "failed";
}

sdca_model_seconds narrate_seconds(const story *s, const sdca_train_result *result)
{
    const sdca_phase_seconds *times = &result->times;

    return (sdca_model_seconds){ .total       = times->total,
                                 .read        = s->read,
                                 .local       = times->local,
                                 .communicate = times->communicate,
                                 .gap         = times->gap,
                                 .checkpoint  = times->checkpoint };
}

sdca_status narrate_summary(const story *s, const sdca_iterate *iterate,
                            const sdca_train_result *result, sdca_status outcome,
                            const char *path)
{
    const sdca_certificate *kept   = &result->certificate;
    sdca_model_seconds      spent  = narrate_seconds(s, result);
    FILE                   *file   = NULL;
    sdca_status             status = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    fprintf(file, "{\n  \"status\": \"%s\",\n", narrate_status(outcome));
    write_number(file, "primal", kept->primal);
    write_number(file, "dual", kept->dual);
    write_number(file, "gap", kept->gap);
    write_number(file, "rel_gap", sdca_duality_gap_relative(kept));
    write_number(file, "rounding", kept->rounding);
    write_number(file, "distance", kept->distance);
    write_number(file, "epochs", sdca_iterate_epochs(s->problem, iterate));
    write_number(file, "rounds", (double)iterate->round);
    write_number(file, "ranks", s->ranks);
    write_number(file, "working_ranks", s->working);
    write_number(file, "rows", (double)s->data->rows);
    write_number(file, "columns", sdca_dataset_feature_count(s->data));
    write_number(file, "nonzeros", (double)s->data->nonzeros);
    fprintf(file, "  \"loss\": \"%s\",\n", s->problem->loss->name);
    if (s->problem->loss->parameter != NULL) {
        write_number(file, s->problem->loss->parameter, s->problem->parameter);
    }
    write_number(file, "lambda", s->problem->lambda);
    write_number(file, "C", s->problem->C);
    fprintf(file, "  \"seed\": %llu,\n", (unsigned long long)s->options->plan.seed);
    write_number(file, "test_error", result->test_error);
    fprintf(file,
            "  \"seconds\": {\"total\": %.6f, \"read\": %.6f, \"local\": %.6f, "
            "\"communicate\": "
            "%.6f, \"gap\": %.6f, \"checkpoint\": %.6f}\n}\n",
            spent.total, spent.read, spent.local, spent.communicate, spent.gap,
            spent.checkpoint);
    return sdca_atomic_file_commit(file, path);
}
