/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_model.c - the description of a model or checkpoint by sdca info. */
#include "cli/info/info_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/printable.h"
#include "cli/ui/plural.h"
#include "data/standardization.h"
#include "model/certain_labels.h"
#include "model/model.h"
#include "model/selection.h"

/* The number of largest weights whose order is examined. */
enum { LARGEST = 100 };

/* Columns that have a weight other than 0, in any class; and of one class, what the
 * certified distance says about the weights. */
typedef struct column_count {
    int     parts;
    int64_t nonzero;
    double  distance; /* from the optimum */
    double  norm;     /* |w| without the bias */
    int64_t signs;    /* proven ones */
    double  largest[LARGEST + 1];
    int     listed;
} column_count;

/* Insert the magnitude of a weight into the descending list of the largest. */
static void add_largest(column_count *count, double magnitude)
{
    int k = count->listed;

    if (k <= LARGEST || magnitude > count->largest[LARGEST]) {
        k = k <= LARGEST ? count->listed++ : LARGEST;
        for (; k > 0 && count->largest[k - 1] < magnitude; k--) {
            count->largest[k] = count->largest[k - 1];
        }
        count->largest[k] = magnitude;
    }
}

/* The number of largest weights that are proven to be so, in that order. */
static int count_proven_order(const column_count *count)
{
    const double sqrt2 = 1.41421356237309515;
    int          k     = 0;

    while (k + 1 < count->listed &&
           count->largest[k] - count->largest[k + 1] > sqrt2 * count->distance) {
        k++;
    }
    return k;
}

/* Add those of a batch. */
static sdca_status count_columns(void *context, sdca_range columns, const double *w)
{
    column_count *count = context;

    for (int64_t j = 0; j < columns.count && count->parts == 1; j++) {
        count->norm = hypot(count->norm, w[j]);
        count->signs += fabs(w[j]) > count->distance;
        if (w[j] != 0.0) {
            add_largest(count, fabs(w[j]));
        }
    }
    for (int64_t j = 0; j < columns.count; j++) {
        int k = 0;

        while (k < count->parts && w[k * columns.count + j] == 0.0) {
            k++;
        }
        count->nonzero += k < count->parts;
    }
    return SDCA_OK;
}

/* Read a model, or the model of a checkpoint, and look at its weights. */
static sdca_status read_model(sdca_hdf5_file *store, sdca_model *model,
                              column_count *count)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_model_file_read(store, model));
    *count = (column_count){ .parts    = sdca_model_parts(model),
                             .distance = model->certificate.distance };
    sdca_printable_sanitize(model->version);
    sdca_printable_sanitize(model->options);
    sdca_printable_sanitize(model->solver);
    SDCA_TRY(sdca_model_file_read_feature_names(store, model));
    SDCA_TRY(sdca_model_visit_weights(model, store, count_columns, count));

done:
    return status;
}

/* The bias and where it comes from, and what was done to the columns in training. */
static void show_bias(const sdca_model *model)
{
    bool        centred = model->standardize == SDCA_STANDARDIZE_FULL;
    const char *name    = model->intercept ? "intercept" : "bias";
    char        origin[64];

    snprintf(origin, sizeof origin, "from a constant column of %g", model->bias_value);
    if (model->standardize != SDCA_STANDARDIZE_NONE) {
        printf("  columns      standardised in training (%s), weights are for columns as "
               "they are\n",
               sdca_standardize_names[model->standardize]);
    }
    if (model->bias_value > 0.0) {
        if (model->by_class != NULL) {
            printf("  %-12s one per class, ", name);
        } else {
            printf("  %-12s %.12g, ", name, model->bias);
        }
        printf("%s\n", model->intercept ? "without penalty"
                       : centred        ? "with the means of the columns"
                                        : origin);
    }
}

/* What maps scores to probabilities. */
static void show_calibration(const sdca_calibration *calibration)
{
    if (calibration->sigmoid == NULL) {
        return;
    }
    printf("  calibration  probability 1/(1 + exp(-(A score + B))), ");
    if (calibration->models > 1) {
        printf("A and B for each class");
    } else {
        printf("A %.6g, B %.6g", calibration->sigmoid[0].slope,
               calibration->sigmoid[0].offset);
    }
    printf(", by the scores of %lld row%s ", (long long)calibration->rows,
           plural((double)calibration->rows));
    if (calibration->folds > 0) {
        printf("held out in %d folds\n", calibration->folds);
    } else {
        puts("of a validation set");
    }
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
    show_bias(model);
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
    show_calibration(&model->calibration);
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

/* What the distance from the optimum says about the weights; docs/certificates.md. The
 * bias is part of w. */
static void show_proven(const sdca_model *model, const column_count *count)
{
    const sdca_certificate *certificate = &model->certificate;
    bool   counts = model->bias_value > 0.0 && !model->intercept; /* as a part of w */
    double bias   = counts ? model->bias / model->bias_value : 0.0;
    int    k      = count_proven_order(count);

    printf(
        "  proven       |w| is %.6g, at most %.3g from the optimum: the sign%s of %lld "
        "of %lld weight%s",
        hypot(count->norm, bias), count->distance, plural((double)count->signs),
        (long long)count->signs, (long long)count->nonzero,
        plural((double)count->nonzero));
    if (k > 0) {
        printf("; the order of the %d%s largest", k, k == LARGEST ? " or more" : "");
    }
    if (certificate->bounds_intercept) {
        printf("; the intercept of the optimum is between %.9g and %.9g",
               certificate->intercept_low, certificate->intercept_high);
    }
    putchar('\n');
}

/* How lambda was chosen; nothing of a run with one. */
static sdca_status show_selection(sdca_hdf5_file *store)
{
    sdca_status    status = SDCA_OK;
    sdca_selection s      = { .fits = 0 };

    SDCA_TRY(sdca_selection_read(store, &s));
    if (s.fits == 0) {
        goto done;
    }
    sdca_printable_sanitize(s.metric);
    printf("  chosen by    %s %.6g", s.metric, s.mean[s.chosen]);
    if (s.folds > 1) {
        printf(" +- %.2g over %d folds", s.standard_error[s.chosen], s.folds);
    } else {
        printf(" of a validation set");
    }
    printf(", %s of %d lambda\n", s.rule == SDCA_SELECTION_ONE_SE ? "one-se" : "best",
           s.fits);

done:
    sdca_selection_free(&s);
    return status;
}

sdca_status info_model_print(sdca_hdf5_file *store)
{
    sdca_model   model  = { 0 };
    sdca_status  status = SDCA_OK;
    column_count count;

    SDCA_TRY(read_model(store, &model, &count));
    printf("%s: model (sdca %s)\n", sdca_hdf5_path(store), model.version);
    show_problem(&model, count.nonzero);
    SDCA_TRY(show_selection(store));
    show_certificate(&model, model.converged ? "converged" : "target not reached");
    if (model.by_class == NULL && sdca_model_distance_holds(&model) &&
        isfinite(model.certificate.distance)) {
        show_proven(&model, &count);
    }
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}

/* How far a path of several lambda has come; nothing of a run with one. */
static sdca_status show_path(sdca_hdf5_file *store)
{
    sdca_status status = SDCA_OK;
    int64_t     fits = 0, planned = 0;

    if (!sdca_hdf5_has_group(store, "path")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_attribute(store, "path", "fits", SDCA_INT64, 1, &fits));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "path", "planned", SDCA_INT64, 1, &planned));
    printf("  path         %lld of %lld lambda are finished\n", (long long)fits,
           (long long)planned);

done:
    return status;
}

sdca_status info_model_print_checkpoint(sdca_hdf5_file *store)
{
    sdca_model   model   = { 0 };
    sdca_status  status  = SDCA_OK;
    double       seconds = 0.0;
    column_count count;

    SDCA_TRY(read_model(store, &model, &count));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "/", "seconds", SDCA_FLOAT64, 1, &seconds));
    printf("%s: checkpoint (sdca %s), intact\n", sdca_hdf5_path(store), model.version);
    printf("  round        %lld\n", (long long)model.round);
    printf("  epochs       %.6g\n", (double)model.steps / (double)model.objective.rows);
    printf("  seconds      %.3f\n", seconds);
    SDCA_TRY(show_path(store));
    show_problem(&model, count.nonzero);
    show_certificate(&model, model.converged ? "converged" : "target not reached yet");
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}
