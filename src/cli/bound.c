/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bound.c - sdca bound: the number of steps that the theorems guarantee to suffice, and
 * for a finished run the refined analysis beside the observed rate. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/mpi_session.h"
#include "cli/options/help.h"
#include "cli/options/loss_options.h"
#include "cli/options/option_parser.h"
#include "data/dataset_reader.h"
#include "model/model.h"
#include "objective/iteration_bounds.h"

typedef struct bound_options {
    int64_t      n;
    double       lambda;
    double       gap;
    loss_options loss;
    const char  *model;        /* or NULL */
    const char  *data;         /* or NULL */
    const char  *label_column; /* the column of obs, or NULL: y */
    bool         follow_links; /* to other files */
} bound_options;

static sdca_status read_options(int argc, char **argv, bound_options *options, bool *help)
{
    const sdca_option others[] = {
        { "n", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &options->n, "number of rows",
          SDCA_GROUP_PROBLEM, false },
        { "lambda", 0, SDCA_OPTION_POSITIVE, "L", &options->lambda,
          "regularisation parameter", SDCA_GROUP_PROBLEM, false },
        { "gap", 0, SDCA_OPTION_POSITIVE, "E", &options->gap, "target of the duality gap",
          SDCA_GROUP_PROBLEM, false },
        { "model", 0, SDCA_OPTION_TEXT, "MODEL.h5", &options->model,
          "model with hinge or absolute loss to analyse", SDCA_GROUP_INPUT, false },
        { "data", 0, SDCA_OPTION_TEXT, "DATA.h5", &options->data,
          "data set that the model was trained on", SDCA_GROUP_INPUT, false },
        { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &options->label_column,
          "column of obs with the labels (AnnData files)", SDCA_GROUP_INPUT, false },
        { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &options->follow_links,
          "follow external links of the data file", SDCA_GROUP_INPUT, false },
        { .name = NULL },
    };
    sdca_option       table[LOSS_OPTIONS_MAX + sizeof others / sizeof *others];
    sdca_command_line line = {
        .command = "bound",
        .purpose =
            "Print the number of steps that the theorems of Shalev-Shwartz & Zhang "
            "guarantee to suffice.",
        .operand_names = "",
        .options       = table,
        .notes =
            "The theorems bound expectations over the random order, for SDCA with "
            "replacement on one rank, rows of length at most 1 and phi(0) at most 1. "
            "With "
            "--model and --data, the refined analysis (Theorem 5) of a finished run is "
            "printed beside the rate that was observed.\n"
            "\n"
            "Examples:\n"
            "  sdca bound --n 500000 --lambda 1e-5 --gap 1e-3 --loss smooth-hinge\n"
            "  sdca bound --model model.h5 --data data.h5\n",
    };
    sdca_status status = SDCA_OK;

    memcpy(table + loss_options_create(&options->loss, table), others, sizeof others);
    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, help));
    if (*help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    if ((options->model == NULL) != (options->data == NULL)) {
        status = SDCA_FAIL(SDCA_USAGE, "--model and --data require each other");
    } else if (options->label_column != NULL && options->data == NULL) {
        status = SDCA_FAIL(SDCA_USAGE, "--label requires --data");
    } else if (options->model == NULL && (!sdca_option_parser_is_given(&line, "n") ||
                                          !sdca_option_parser_is_given(&line, "lambda") ||
                                          !sdca_option_parser_is_given(&line, "gap"))) {
        status = SDCA_FAIL(
            SDCA_USAGE, "bound requires --n, --lambda and --gap, or --model and --data");
    } else {
        status = loss_options_check(&options->loss, &line);
    }

done:
    return status;
}

static void print_bound(const sdca_objective *objective, const char *what, double from,
                        double steps)
{
    printf("  %-52s %12.0f steps = %.4g epochs", what, ceil(steps),
           steps / (double)objective->rows);
    if (from >= 0.0) {
        printf(", T0 = %.0f", ceil(from));
    }
    putchar('\n');
}

/* The theorems that depend on the size of the problem only. */
static void print_theorems(const sdca_objective *objective, double gap)
{
    printf("%s", objective->loss->name);
    if (objective->loss->parameter != NULL &&
        sdca_iteration_bounds_has_smooth(objective)) {
        printf(" (%s %g)", objective->loss->parameter, objective->parameter);
    }
    printf(", n = %lld, lambda = %g: expected gap at most %g after\n",
           (long long)objective->rows, objective->lambda, gap);
    if (sdca_iteration_bounds_has_smooth(objective)) {
        print_bound(objective, "Theorem 2 (smooth), last iterate", -1.0,
                    sdca_iteration_bounds_smooth(objective, gap));
        print_bound(objective, "Theorem 2 (smooth), mean of T0 + 1 .. T, T = 2 T0",
                    sdca_iteration_bounds_smooth_average(objective, gap) / 2.0,
                    sdca_iteration_bounds_smooth_average(objective, gap));
    }
    if (sdca_iteration_bounds_has_lipschitz(objective)) {
        print_bound(objective, "Theorem 1 (Lipschitz), mean or random of T0 + 1 .. T",
                    sdca_iteration_bounds_lipschitz_average_start(objective, gap, false),
                    sdca_iteration_bounds_lipschitz(objective, gap, false));
        print_bound(objective, "Theorem 4 (the same after an epoch of Modified-SGD)",
                    sdca_iteration_bounds_lipschitz_average_start(objective, gap, true),
                    sdca_iteration_bounds_lipschitz(objective, gap, true));
        printf("  Theorem 3: after that epoch the dual is expected within %.4g of its "
               "maximum\n",
               sdca_iteration_bounds_sgd_suboptimality(objective));
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The number of sorted values below u: N(u). */
static int64_t count_below(const double *sorted, int64_t count, double u)
{
    int64_t low = 0;

    while (count > 0) {
        int64_t half = count / 2;

        if (sorted[low + half] < u) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* The rate r at which the dual suboptimality falls, as e^(-r) per epoch, between the
 * first evaluation where it is below high and the last one where it is above low; 0 if
 * there are not two such evaluations. The final dual is taken as the maximum. */
static double observed_rate(const sdca_model *model, double high, double low)
{
    const sdca_history        *history = &model->history;
    const sdca_history_record *first = NULL, *last = NULL;
    double                     final_dual = model->certificate.dual;

    for (int64_t k = 0; k < history->count; k++) {
        const sdca_history_record *record   = &history->records[k];
        double                     distance = final_dual - record->dual;

        if (distance <= high && distance > fmax(low, 10.0 * model->certificate.gap)) {
            first = first == NULL ? record : first;
            last  = record;
        }
    }
    return first == NULL || last->epoch <= first->epoch
               ? 0.0
               : log((final_dual - first->dual) / (final_dual - last->dual)) /
                     (last->epoch - first->epoch);
}

/* Theorem 5 for the gamma_i of the run, as a function of s: the dual suboptimality is at
 * most the floor after 2 (n/s) ln(2/floor) steps, hence a rate of s/2 per epoch. */
static void print_refined(const sdca_model *model, const double *gamma)
{
    const sdca_objective *objective = &model->objective;
    double                observed  = observed_rate(model, 1.0, 0.0);

    printf("Refined analysis (Theorem 5), gamma_i = %s at the optimum, N(u) = rows with "
           "gamma_i < u\n",
           objective->loss->classification ? "|y w.x - 1|" : "|w.x - y|");
    printf("  %10s %12s %12s %10s %14s %14s\n", "s", "s/(lambda n)", "N(u)", "N(u)/n",
           "holds down to", "epochs there");
    for (double s = 1.0; s > 1e-4; s /= 4.0) {
        double  u          = s * objective->C;
        int64_t rows_below = count_below(gamma, objective->rows, u);
        double  floor =
            sdca_iteration_bounds_refined_floor(objective, s, (double)rows_below);
        double epochs = floor > 0.0 ? sdca_iteration_bounds_refined(objective, s, floor) /
                                          (double)objective->rows
                                    : INFINITY;

        printf("  %10.3g %12.4g %12lld %10.4g %14.4g %14.4g\n", s, u,
               (long long)rows_below, (double)rows_below / (double)objective->rows, floor,
               epochs);
    }
    printf("Predicted: the dual suboptimality falls by e^(-s/2) per epoch, down to that "
           "floor.\n");
    if (observed > 0.0) {
        printf("Observed: e^(-%.4g) per epoch over the history of the run.\n", observed);
    } else {
        printf(
            "Observed: the history has too few evaluations; train with --evaluate 1.\n");
    }
}

/* gamma_i of every row, sorted. */
static void measure_gammas(const sdca_model *model, const sdca_dataset *data,
                           double *gamma)
{
    bool classifies = model->objective.loss->classification;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, model->w) + model->bias;

        gamma[i] =
            classifies ? fabs(data->x.row[i].y * z - 1.0) : fabs(z - data->x.row[i].y);
    }
    qsort(gamma, data->x.count, sizeof *gamma, compare_doubles);
}

/* The label that was the class +1, in number if it is none by name; NULL if there are not
 * two classes. */
static const char *positive_label(const sdca_classes *labels, char number[32])
{
    if (labels->count != 2) {
        return NULL;
    }
    snprintf(number, 32, "%.17g", labels->value[1]);
    return labels->names.count > 0 ? labels->names.text[1] : number;
}

static sdca_status run_refined_analysis(const bound_options *options)
{
    sdca_status          status = SDCA_OK;
    sdca_model           model  = { 0 };
    sdca_dataset        *data   = NULL;
    double              *gamma  = NULL;
    char                 number[32];
    sdca_dataset_options reader = { .compact_columns = true,
                                    .require_labels  = true,
                                    .label_column    = options->label_column,
                                    .follow_links    = options->follow_links };

    mpi_session_init();
    SDCA_TRY(sdca_model_read_metadata(MPI_COMM_SELF, options->model, &model));
    if (!model.objective.loss->theorem_5) {
        status = SDCA_FAIL(SDCA_USAGE,
                           "the refined analysis is for hinge and absolute loss, not %s",
                           model.objective.loss->name);
        goto done;
    }
    if (model.by_class != NULL) {
        status = SDCA_FAIL(SDCA_USAGE,
                           "the refined analysis is of one model, and '%s' has one for "
                           "each of %d classes",
                           options->model, model.labels.count);
        goto done;
    }
    reader.normalize     = model.normalized;
    reader.task          = model.objective.loss->classification ? SDCA_TASK_CLASSIFICATION
                                                                : SDCA_TASK_REGRESSION;
    reader.positive      = positive_label(&model.labels, number);
    reader.limit_columns = true;
    reader.max_columns   = model.columns;
    SDCA_TRY(sdca_dataset_reader_read(MPI_COMM_SELF, options->data, &reader, &data));
    if (data->rows != model.objective.rows || data->fingerprint != model.fingerprint) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is not what '%s' was trained on",
                           options->data, options->model);
        goto done;
    }
    if (data->weight != NULL) {
        status = SDCA_FAIL(SDCA_USAGE,
                           "the paper's theorems do not cover weights, and the rows of "
                           "'%s' have weights",
                           options->data);
        goto done;
    }
    SDCA_TRY(
        sdca_model_read_weights(MPI_COMM_SELF, options->model, data->column_map, &model));
    gamma = sdca_alloc_array((size_t)data->rows, sizeof *gamma);
    if (gamma == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %lld rows", (long long)data->rows);
        goto done;
    }
    measure_gammas(&model, data, gamma);
    print_theorems(&model.objective, fmax(model.certificate.gap, 1e-300));
    print_refined(&model, gamma);

done:
    free(gamma);
    sdca_dataset_free(data);
    sdca_model_clear(&model);
    return status;
}

sdca_status sdca_cli_bound(int argc, char **argv)
{
    bound_options  options = { 0 };
    bool           help    = false;
    sdca_status    status  = SDCA_OK;
    sdca_objective objective;

    SDCA_TRY(mpi_session_begin("bound", argc, argv));
    SDCA_TRY(mpi_session_agree(read_options(argc, argv, &options, &help)));
    if (help) {
        goto done;
    }
    if (options.model != NULL) {
        SDCA_TRY(mpi_session_agree(run_refined_analysis(&options)));
    } else {
        objective = sdca_objective_with_lambda(
            loss_options_loss(&options.loss), loss_options_parameter(&options.loss),
            options.lambda, options.n, (double)options.n);
        print_theorems(&objective, options.gap);
    }

done:
    return status;
}
