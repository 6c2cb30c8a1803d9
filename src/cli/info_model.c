/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_model.c - the description of a model or checkpoint by sdca info. */
#include "cli/info_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/printable.h"
#include "cli/ui/plural.h"
#include "model/model.h"

/* Columns that have a weight other than 0, in any class. */
typedef struct column_count {
    int     parts;
    int64_t nonzero;
} column_count;

/* Add those of a batch. */
static sdca_status count_columns(void *context, sdca_range columns, const double *w)
{
    column_count *count = context;

    for (int64_t j = 0; j < columns.count; j++) {
        int k = 0;

        while (k < count->parts && w[k * columns.count + j] == 0.0) {
            k++;
        }
        count->nonzero += k < count->parts;
    }
    return SDCA_OK;
}

/* Read a model, or the model of a checkpoint, and count its non-zero weights. */
static sdca_status read_model(sdca_hdf5_file *store, sdca_model *model, int64_t *nonzero)
{
    sdca_status  status = SDCA_OK;
    column_count count  = { 0 };

    SDCA_TRY(sdca_model_file_read(store, model));
    count.parts = sdca_model_parts(model);
    sdca_printable_sanitize(model->version);
    sdca_printable_sanitize(model->options);
    sdca_printable_sanitize(model->solver);
    SDCA_TRY(sdca_model_file_read_feature_names(store, model));
    SDCA_TRY(sdca_model_visit_weights(model, store, count_columns, &count));
    *nonzero = count.nonzero;

done:
    return status;
}

/* The settings that models and checkpoints have in common. */
static void show_problem(const sdca_model *model, int64_t nonzero)
{
    char label[2][SDCA_CLASS_TEXT_SIZE];

    printf("  loss         %s", model->objective.loss->name);
    if (model->objective.loss->parameter != NULL) {
        printf(", %s %g", model->objective.loss->parameter, model->objective.parameter);
    }
    printf("\n  lambda       %g (C %g)\n", model->objective.lambda, model->objective.C);
    printf("  columns      %ld, %lld with a non-zero weight\n", (long)model->columns,
           (long long)nonzero);
    if (model->bias_value > 0.0 && model->by_class != NULL) {
        printf("  bias         one per class, from a constant column of %g\n",
               model->bias_value);
    } else if (model->bias_value > 0.0) {
        printf("  bias         %.12g, from a constant column of %g\n", model->bias,
               model->bias_value);
    }
    if (model->by_class != NULL) {
        printf("  labels       %d classes, each against the rest; the greatest score "
               "counts\n",
               model->labels.count);
    } else if (model->labels.count > 0) {
        sdca_classes_format(&model->labels, 0, label[0]);
        sdca_classes_format(&model->labels, 1, label[1]);
        printf("  labels       %s for negative scores, %s for positive ones\n", label[0],
               label[1]);
    }
    printf("  normalize    %s\n", model->normalized ? "rows" : "none");
}

/* The number of evaluations in the histories of all parts. */
static int64_t count_evaluations(const sdca_model *model)
{
    int64_t count = 0;

    for (int k = 0; k < sdca_model_parts(model); k++) {
        count += sdca_model_part(model, k).history.count;
    }
    return count;
}

static void show_origin(const sdca_model *model)
{
    int64_t evaluations = count_evaluations(model);

    printf("  trained on   %lld row%s, %lld non-zero%s, fingerprint %016" PRIx64 "\n",
           (long long)model->objective.rows, plural((double)model->objective.rows),
           (long long)model->nonzeros, plural((double)model->nonzeros),
           model->fingerprint);
    if (model->objective.total_weight != (double)model->objective.rows) {
        printf("  weights      sum %.12g\n", model->objective.total_weight);
    }
    printf("  command      sdca train %s\n", model->options);
    if (model->solver[0] != '\0') {
        printf("  solver       %s\n", model->solver);
    }
    printf("  run          %d rank%s, seed %llu; %lld evaluation%s in the history, %lld "
           "round%s in the log\n",
           model->ranks, plural(model->ranks), (unsigned long long)model->seed,
           (long long)evaluations, plural((double)evaluations),
           (long long)model->history.round_log.count,
           plural((double)model->history.round_log.count));
    if (!isnan(model->seconds.total)) {
        printf("  time         %.3g s: local steps %.3g s, communication %.3g s, gap "
               "%.3g s, "
               "checkpoints %.3g s; reading before that %.3g s\n",
               model->seconds.total, model->seconds.local, model->seconds.communicate,
               model->seconds.gap, model->seconds.checkpoint, model->seconds.read);
    }
}

/* The certificates of the first classes. */
static void show_classes(const sdca_model *model)
{
    enum { SHOWN = 20 };
    char label[SDCA_CLASS_TEXT_SIZE];

    for (int k = 0; k < sdca_model_parts(model) && k < SHOWN; k++) {
        const sdca_class_model *part = &model->by_class[k];

        sdca_classes_format(&model->labels, k, label);
        printf("  class        %s: %lld row%s; primal %.12g, dual %.12g, gap %.3g (%.3g "
               "of the primal) after %.6g epoch%s%s\n",
               label, (long long)part->positives, plural((double)part->positives),
               part->certificate.primal, part->certificate.dual, part->certificate.gap,
               sdca_duality_gap_relative(&part->certificate), part->epochs,
               plural(part->epochs), part->converged ? "" : ", target not reached");
    }
    if (sdca_model_parts(model) > SHOWN) {
        printf("               and %d more\n", sdca_model_parts(model) - SHOWN);
    }
}

static void show_certificate(const sdca_model *model, const char *what)
{
    const sdca_history *history = &model->history;

    if (model->by_class != NULL) {
        printf("  certificate  %s: sums over the classes primal %.12g, dual %.12g, gap "
               "%.3g; the largest gap is %.3g of its primal\n",
               what, model->certificate.primal, model->certificate.dual,
               model->certificate.gap, sdca_model_relative_gap(model));
        show_classes(model);
        return;
    }
    printf("  certificate  %s", what);
    if (model->certificate_of_other_w && history->count > 0) {
        printf(", of the evaluation at epoch %.6g (round %.0f), not of these weights",
               history->records[history->count - 1].epoch,
               history->records[history->count - 1].round);
    }
    printf(": primal %.12g, dual %.12g, gap %.3g (%.3g of the primal)\n",
           model->certificate.primal, model->certificate.dual, model->certificate.gap,
           sdca_duality_gap_relative(&model->certificate));
}

sdca_status info_model_print(sdca_hdf5_file *store)
{
    sdca_model  model   = { 0 };
    sdca_status status  = SDCA_OK;
    int64_t     nonzero = 0;

    SDCA_TRY(read_model(store, &model, &nonzero));
    printf("%s: model (sdca %s)\n", sdca_hdf5_path(store), model.version);
    show_problem(&model, nonzero);
    show_certificate(&model, model.converged ? "converged" : "target not reached");
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}

sdca_status info_model_print_checkpoint(sdca_hdf5_file *store)
{
    sdca_model  model   = { 0 };
    sdca_status status  = SDCA_OK;
    int64_t     nonzero = 0;
    double      seconds = 0.0;

    SDCA_TRY(read_model(store, &model, &nonzero));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "/", "seconds", SDCA_FLOAT64, 1, &seconds));
    printf("%s: checkpoint (sdca %s), intact\n", sdca_hdf5_path(store), model.version);
    printf("  round        %lld\n", (long long)model.round);
    printf("  epochs       %.6g\n", (double)model.steps / (double)model.objective.rows);
    printf("  seconds      %.3f\n", seconds);
    show_problem(&model, nonzero);
    show_certificate(&model, model.converged ? "converged" : "target not reached yet");
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}
