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

/* Add the number of non-zero weights to the context. */
static sdca_status count_weights(void *context, sdca_range columns, const double *w)
{
    int64_t *nonzero = context;

    for (int64_t k = 0; k < columns.count; k++) {
        *nonzero += w[k] != 0.0;
    }
    return SDCA_OK;
}

/* Read a model, or the model of a checkpoint, and count its non-zero weights. */
static sdca_status read_model(sdca_hdf5_file *store, sdca_model *model, int64_t *nonzero)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_model_file_read(store, model));
    sdca_printable_sanitize(model->version);
    sdca_printable_sanitize(model->options);
    sdca_printable_sanitize(model->solver);
    SDCA_TRY(sdca_model_file_read_feature_names(store, model));
    SDCA_TRY(sdca_model_visit_weights(model, store, count_weights, nonzero));

done:
    return status;
}

/* The settings that models and checkpoints have in common. */
static void show_problem(const sdca_model *model, int64_t nonzero)
{
    char label[2][SDCA_CLASS_NAME_SIZE];

    printf("  loss         %s", model->objective.loss->name);
    if (model->objective.loss->parameter != NULL) {
        printf(", %s %g", model->objective.loss->parameter, model->objective.parameter);
    }
    printf("\n  lambda       %g (C %g)\n", model->objective.lambda, model->objective.C);
    printf("  columns      %ld, %lld with a non-zero weight\n", (long)model->columns,
           (long long)nonzero);
    if (model->bias_value > 0.0) {
        printf("  bias         %.12g, from a constant column of %g\n", model->bias,
               model->bias_value);
    }
    if (model->labels.count > 0) {
        sdca_classes_format(&model->labels, 0, label[0]);
        sdca_classes_format(&model->labels, 1, label[1]);
        printf("  labels       %s for negative scores, %s for positive ones\n", label[0],
               label[1]);
    }
    printf("  normalize    %s\n", model->normalized ? "rows" : "none");
}

static void show_origin(const sdca_model *model)
{
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
           (long long)model->history.count, plural((double)model->history.count),
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

static void show_certificate(const sdca_model *model, const char *what)
{
    const sdca_history *history = &model->history;

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
