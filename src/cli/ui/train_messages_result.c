/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages_result.c - what train prints after a run. */
#include "cli/ui/train_messages_private.h"

#include <stdio.h>

#include "cli/metrics_output.h"
#include "cli/train/train_selection.h"
#include "cli/ui/plural.h"
#include "cli/ui/run_warnings.h"
#include "data/label_print.h"
#include "objective/duality_gap.h"
#include "train/class_training.h"

double train_messages_relative_gap(const run_description   *run,
                                   const sdca_train_result *result)
{
    return run->model != NULL && run->model->by_class != NULL
               ? sdca_model_relative_gap(run->model)
               : sdca_duality_gap_relative(&result->certificate);
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
    int fewer = run_warnings_best_ranks(run->working_ranks, result->nodes,
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

/* The number of classes that have reached the target. */
static int count_converged(const sdca_model *model)
{
    int converged = 0;

    for (int k = 0; k < sdca_model_parts(model); k++) {
        converged += model->by_class[k].converged;
    }
    return converged;
}

/* A path that --resume can continue. */
static void print_path_interruption(const run_description *run)
{
    int fits = run->path->finished;

    printf("Stopped early, %.3g s after the start. %d of %d lambda are finished.\n",
           run->path->seconds, fits, run->arguments->lambdas.count);
    if (fits > 0) {
        printf("Checkpoint: %s. The same command with --resume continues with the next "
               "lambda.\n",
               run->arguments->checkpoint);
    } else {
        puts("There is no checkpoint yet: the same command begins again.");
    }
}

/* A run that --resume can continue. */
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

run_totals train_messages_class_totals(const sdca_model *model)
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

/* What the distance is about. */
static const char *distance_note(const run_description *run)
{
    return run->data->scale != NULL ? ", for standardised columns" : "";
}

/* A larger budget is for the batch of the checkpoint, and not for those before. */
static void print_larger_budget(const run_description   *run,
                                const sdca_train_result *result)
{
    const sdca_model *model = run->model;
    int               parts = sdca_model_parts(model);
    int               batch = sdca_class_training_max_batch(
                      run->problem, run->data, &run->arguments->training, run->working_ranks);
    int  last        = parts - (parts - 1) / batch * batch;
    char classes[32] = "class";

    if (last > 1) {
        snprintf(classes, sizeof classes, "%d classes", last);
    }
    for (int k = 0; k < parts - last; k++) {
        if (run->arguments->checkpoint != NULL && run->path == NULL &&
            result->stop_reason == SDCA_STOP_BUDGET && !model->by_class[k].converged) {
            printf("With --resume, a larger budget is for the last %s; with "
                   "--warm-start %s, for all.\n",
                   classes, run->arguments->model);
            return;
        }
    }
}

static void print_class_result(const run_description   *run,
                               const sdca_train_result *result)
{
    const sdca_model       *model       = run->model;
    const sdca_certificate *certificate = &result->certificate;
    run_totals              totals      = train_messages_class_totals(model);
    int                     converged   = count_converged(model);
    char                    label[SDCA_CLASS_TEXT_SIZE];

    sdca_classes_format(&model->labels, worst_class(model), label);
    printf("%s after %.4g epochs (%.0f rounds) of all classes together in %.3g s.\n",
           stop_reason(run, result), totals.epochs, totals.rounds, result->times.total);
    if (converged < sdca_model_parts(model)) {
        printf("%d of %d classes reached the target.\n", converged,
               sdca_model_parts(model));
        print_larger_budget(run, result);
    }
    printf("Certified: the sum of P(w) over %d classes = %.10g is at most %.3g above the "
           "minimum,\nin each class at most %.3g %% (class %s),\n"
           "and the distance from all w to the minimisers is at most %.3g, where |w| is "
           "%.4g%s.\n",
           sdca_model_parts(model), certificate->primal, certificate->gap,
           100.0 * sdca_model_relative_gap(model), label, certificate->distance,
           run->w_norm, distance_note(run));
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
           "and the distance from w to the minimiser is at most %.3g, where |w| is "
           "%.4g%s.\n",
           certificate->primal, certificate->gap,
           100.0 * sdca_duality_gap_relative(certificate), certificate->distance,
           run->w_norm, distance_note(run));
}

/* A line for each fit of a path. */
static void print_path(const run_description *run)
{
    const train_path *path    = run->path;
    int               planned = run->arguments->lambdas.count;
    bool              tests   = run->arguments->test != NULL;

    printf("%12s %14s %10s %10s %9s%s\n", "lambda", "primal", "gap/primal", "epochs",
           "seconds",
           !tests                   ? ""
           : run->labels->count > 0 ? " test error"
                                    : "  test RMSE");
    for (int k = 0; k < path->count; k++) {
        const path_fit *fit = &path->fit[k];

        printf("%12.4g %14.10g %10.3e %10.2f %9.3f", fit->lambda, fit->certificate.primal,
               fit->relative_gap, fit->epochs, fit->seconds);
        if (tests) {
            printf(" %10.5f", fit->test_error);
        }
        puts(fit->outcome == SDCA_OK ? "" : "  target not reached");
    }
    if (run->arguments->path != NULL) {
        printf("Path: %d model%s in %s after %.3g s\n", path->count,
               plural((double)path->count), run->arguments->path, path->seconds);
    }
    if (run->selection != NULL) {
        train_selection_print(run->selection);
        printf("%s lambda %g, trained on all rows in a path of %.3g s:\n",
               run->selection->table.fits > 0 ? "Chosen:"
                                              : "No lambda was tested; the last,",
               run->problem->lambda, path->seconds);
        return;
    }
    if (path->count < planned) {
        printf("The run ended before the other %d of %d lambda.\n", planned - path->count,
               planned);
    }
    printf("The last fit, with lambda %g:\n", run->problem->lambda);
}

/* What maps scores to probabilities. */
static void print_calibration(const sdca_calibration *calibration)
{
    int flat = 0;

    if (calibration->sigmoid == NULL) {
        printf("Not calibrated: the run ended before the models of the folds.\n");
        return;
    }
    for (int k = 0; k < calibration->models; k++) {
        flat += !(calibration->sigmoid[k].slope > 0.0);
    }
    printf("Calibrated on %lld held-out rows: probability 1/(1 + exp(-(A score + B)))",
           (long long)calibration->rows);
    if (calibration->models > 1) {
        printf(", A and B for each class.\n");
    } else {
        printf(", A %.6g, B %.6g.\n", calibration->sigmoid[0].slope,
               calibration->sigmoid[0].offset);
    }
    if (flat > 0 && calibration->models > 1) {
        printf("For %d class%s the scores of these rows do not predict the labels: A is "
               "not above 0.\n",
               flat, flat == 1 ? "" : "es");
    } else if (flat > 0) {
        printf("The scores of these rows do not predict the labels: A is not above 0.\n");
    }
}

/* How well the model predicts the test set. */
static void print_test(const run_description *run, const sdca_train_result *result)
{
    printf("Test %s: %.6g\n", run->labels->count > 0 ? "error" : "RMSE",
           result->test_error);
    if (run->metrics != NULL) {
        metrics_output_print_others(run->labels, run->metrics, stdout);
    }
    if (run->certain >= 0 && run->metrics != NULL) {
        metrics_output_print_certain(run->certain, run->test->rows, stdout);
    }
}

void train_messages_result(const run_description *run, const sdca_train_result *result,
                           sdca_status outcome)
{
    const sdca_certificate *certificate = &result->certificate;

    if (outcome == SDCA_INTERRUPTED) {
        if (run->path != NULL) {
            print_path_interruption(run);
        } else {
            print_interruption(run, result);
        }
        return;
    }
    if (run->path != NULL) {
        print_path(run);
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
        print_test(run, result);
    }
    if (run->arguments->calibrate) {
        print_calibration(&run->model->calibration);
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
