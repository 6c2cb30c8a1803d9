/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify.c - sdca verify: the certificate of a model, computed again from its weights and
 * dual variables. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/mpi_session.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/ui/live_progress.h"
#include "data/dataset_reader.h"
#include "model/dual_file.h"
#include "mpi/comm.h"
#include "objective/dual_check.h"
#include "objective/duality_gap.h"
#include "objective/leave_one_out_bounds.h"

/* A run of the command and its resources. */
typedef struct verification {
    MPI_Comm           comm;
    const char        *path; /* of the model */
    const char        *data_path;
    bool               follow_links;
    bool               quiet;
    live_progress      display;
    sdca_model         model; /* without weights; dual has those of my rows */
    sdca_dual_settings settings;
    sdca_dataset      *data;
    sdca_hdf5_file    *hdf5;
    double            *w;         /* of a part, as the file has it, ... */
    double            *dual_w;    /* ... and w(alpha) */
    double            *tolerance; /* by column, between the two */
} verification;

static sdca_status read_options(int argc, char **argv, verification *v, bool *help)
{
    const char *operand[2] = { NULL, NULL };
    sdca_option table[]    = {
           { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &v->follow_links,
             "follow external links of the data file", SDCA_GROUP_GENERAL, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &v->quiet, "print errors only",
             SDCA_GROUP_GENERAL, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "verify",
        .purpose       = "Compute the certificate of a model again, from its file.",
        .operand_names = "MODEL.h5 DATA.h5",
        .min_operands  = 2,
        .max_operands  = 2,
        .operand       = operand,
        .options       = table,
        .notes =
            "MODEL.h5 was trained on DATA.h5 with --keep-dual. Weights and dual "
            "variables are all that is used: neither the method nor its random numbers "
            "matter. Runs alone or under mpirun.\n"
            "\n"
            "Example:\n"
            "  sdca train data.h5 -o model.h5 --lambda 1e-4 --keep-dual\n"
            "  sdca verify model.h5 data.h5\n",
        .details =
            "The exit status is 0 if the data are those of the training, the dual "
            "variables are feasible, w is the w(alpha) of the dual variables (for "
            "methods that keep it so), and P, D, gap and distance in the file are those "
            "of these weights and dual variables, all within proven bounds on rounding "
            "errors. Otherwise it is 65, and one sentence says what differs. For two "
            "classes, the leave-one-out error is bounded too, without any training: for "
            "each row, by a ball that contains the optimum of all other rows at the same "
            "C. docs/certificates.md derives all this, and has a NumPy program that "
            "verifies a model too.\n",
    };
    sdca_status status = sdca_option_parser_run(&line, argc, argv, help);

    v->path      = operand[0];
    v->data_path = operand[1];
    if (status == SDCA_OK && *help) {
        sdca_help_print(&line, stdout);
    }
    return status;
}

static const char *given(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* Read the data as the training did. Collective. */
static sdca_status read_data(verification *v)
{
    bool classification = v->model.objective.loss->classification;

    live_progress_begin_rows(&v->display, v->data_path);
    return sdca_dataset_reader_read(
        v->comm, v->data_path,
        &(sdca_dataset_options){ .task      = classification ? SDCA_TASK_CLASSIFICATION
                                                             : SDCA_TASK_REGRESSION,
                                 .normalize = v->model.normalized,
                                 .bias      = v->model.bias_value,
                                 .compact_columns = true,
                                 .positive        = given(v->settings.positive),
                                 .require_labels  = true,
                                 .label_column    = given(v->settings.label_column),
                                 .unlabelled_rows = SDCA_UNLABELLED_SKIP,
                                 .weight_column   = given(v->settings.weight_column),
                                 .class_weight    = given(v->settings.class_weight),
                                 .follow_links    = v->follow_links,
                                 .progress        = live_progress_update_reader,
                                 .context         = &v->display },
        &v->data);
}

static sdca_status check_count(const verification *v, const char *what, int64_t found,
                               int64_t expected)
{
    return found == expected
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' is not what '%s' was trained on: it has %lld %s, not "
                           "%lld",
                           v->data_path, v->path, (long long)found, what,
                           (long long)expected);
}

/* Local. */
static sdca_status check_data(const verification *v)
{
    const sdca_model   *model  = &v->model;
    const sdca_dataset *data   = v->data;
    sdca_status         status = SDCA_OK;

    SDCA_TRY(check_count(v, "rows", data->rows, model->objective.rows));
    SDCA_TRY(check_count(v, "columns", sdca_dataset_feature_count(data), model->columns));
    SDCA_TRY(check_count(v, "non-zeros", data->nonzeros, model->nonzeros));
    if (!sdca_classes_are_equal(&data->classes, &model->labels) ||
        data->fingerprint != model->fingerprint) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' is not what '%s' was trained on: its values, labels or "
                           "weights are others",
                           v->data_path, v->path);
    }

done:
    return status;
}

/* The objective of part k. Its numbers are checked by what follows from them. */
static sdca_objective objective_of(const verification *v, int k)
{
    const sdca_objective *stored = &v->model.objective;
    sdca_objective        objective =
        sdca_objective_with_lambda(stored->loss, stored->parameter, stored->lambda,
                                   v->data->rows, v->data->total_weight);

    objective.one_against_rest = sdca_model_parts(&v->model) > 1 ? k + 1 : 0;
    return objective;
}

/* " of class 'a'" for one of several classes, else nothing. */
typedef struct class_words {
    char text[SDCA_CLASS_TEXT_SIZE + 16];
} class_words;

static class_words words_of(const verification *v, int k)
{
    class_words words = { "" };
    char        label[SDCA_CLASS_TEXT_SIZE];

    if (sdca_model_parts(&v->model) > 1) {
        sdca_classes_format(&v->model.labels, k, label);
        snprintf(words.text, sizeof words.text, " of class %s", label);
    }
    return words;
}

/* A number of the file is not the one that was computed. */
static sdca_status refuse(const verification *v, const char *what, int k, double found,
                          double expected)
{
    return SDCA_FAIL(SDCA_DATA,
                     "'%s' was altered: its %s%s is %.17g, where its weights and dual "
                     "variables give %.17g",
                     v->path, what, words_of(v, k).text, found, expected);
}

/* NaN agrees with nothing. */
static bool agrees(double a, double b, double bound)
{
    return fabs(a - b) <= bound;
}

/* Weights that are not 0. */
static sdca_status count_nonzeros(void *context, sdca_range columns, const double *w)
{
    int64_t *count = context;

    for (int64_t j = 0; j < columns.count; j++) {
        *count += w[j] != 0.0;
    }
    return SDCA_OK;
}

/* Read the weights of part k, with that of the bias, for the columns of the data. Those
 * of all other columns are 0, as w(alpha) is. Local. */
static sdca_status read_weights(verification *v, int k)
{
    sdca_status status  = SDCA_OK;
    int32_t     columns = v->data->columns - (v->data->bias > 0.0);
    int64_t     all = 0, read = 0;

    SDCA_TRY(sdca_model_file_read_part(v->hdf5, v->data->column_map, &v->model, k, v->w));
    SDCA_TRY(sdca_model_visit_part(&v->model, v->hdf5, k, count_nonzeros, &all));
    for (int32_t j = 0; j < columns; j++) {
        read += v->w[j] != 0.0;
    }
    if (read != all) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' was altered: a weight%s of a column without non-zeros "
                           "is not 0",
                           v->path, words_of(v, k).text);
    } else if (v->data->bias > 0.0) {
        v->w[columns] = sdca_model_part(&v->model, k).bias / v->data->bias;
    }

done:
    return status;
}

/* Is w the w(alpha)? Local. */
static sdca_status check_weights(const verification *v, int k)
{
    int32_t features = v->data->columns - (v->data->bias > 0.0);

    for (int32_t j = 0; j < v->data->columns; j++) {
        if (agrees(v->w[j], v->dual_w[j], v->tolerance[j])) {
            continue;
        }
        return j == features
                   ? refuse(v, "bias", k, v->w[j] * v->data->bias,
                            v->dual_w[j] * v->data->bias)
                   : SDCA_FAIL(SDCA_DATA,
                               "'%s' was altered: the weight of column %ld%s is %.17g, "
                               "where the dual variables give %.17g",
                               v->path,
                               (long)sdca_used_columns_original(v->data->column_map, j),
                               words_of(v, k).text, v->w[j], v->dual_w[j]);
    }
    return SDCA_OK;
}

typedef struct norms {
    double w, difference, tolerance; /* of w, w - w(alpha), and what that may be */
} norms;

static norms find_norms(const verification *v)
{
    norms n = { 0.0, 0.0, 0.0 };

    for (int32_t j = 0; j < v->data->columns; j++) {
        n.w          = hypot(n.w, v->w[j]);
        n.difference = hypot(n.difference, v->w[j] - v->dual_w[j]);
        n.tolerance  = hypot(n.tolerance, v->tolerance[j]);
    }
    return n;
}

/* |w - w*| is at most this, given |w - w(alpha)|; docs/certificates.md. */
static double distance_of(double gap, double lambda, double difference)
{
    return sqrt(fmax(0.0, gap / lambda - difference * difference / 4.0)) +
           difference / 2.0;
}

/* Is the distance in the file what follows from the gap, within the rounding errors of
 * both? Training may have taken a larger error of w(alpha), which its bound on rounding
 * errors then covers: lambda/2 times its square. Local. */
static bool has_its_distance(const sdca_certificate *stored, double lambda,
                             const norms *n, const sdca_certificate *found, double slack)
{
    const double tiny = 1e-9;
    double       most = fmin(n->difference + n->tolerance +
                                 sdca_duality_gap_distance_bound(lambda, stored->rounding),
                             sdca_duality_gap_distance_bound(lambda, found->gap + slack));
    double       low  = distance_of(found->gap - 2.0 * found->rounding, lambda,
                                    fmax(0.0, n->difference - n->tolerance));

    return stored->distance >= low * (1.0 - tiny) &&
           stored->distance <=
               distance_of(found->gap + slack, lambda, most) * (1.0 + tiny);
}

/* Is a model that is marked as converged so? Local. */
static bool has_its_target(const verification *v, int k, const sdca_certificate *stored)
{
    const sdca_target *target = &v->model.target;
    bool               converged =
        v->model.by_class != NULL ? v->model.by_class[k].converged : v->model.converged;

    return !converged || (target->gap <= 0.0 && target->rel_gap <= 0.0) ||
           sdca_target_is_met(target, stored);
}

/* Is the certificate in the file what was found, within the bounds on rounding errors of
 * both? Local. */
static sdca_status check_certificate(const verification *v, int k, double lambda,
                                     const norms *n, const sdca_certificate *found)
{
    sdca_class_model        part   = sdca_model_part(&v->model, k);
    const sdca_certificate *stored = &part.certificate;
    double slack = stored->rounding + found->rounding + 1e-15 * fabs(found->primal);

    /* 0 only where all numbers are 0, as where every loss is at w = 0. */
    if (!((stored->rounding > 0.0 || found->rounding == 0.0) && stored->rounding >= 0.0 &&
          stored->rounding <= stored->gap)) {
        return refuse(v, "bound on rounding errors", k, stored->rounding,
                      found->rounding);
    }
    if (!agrees(stored->primal, found->primal, slack)) {
        return refuse(v, "primal objective", k, stored->primal, found->primal);
    }
    if (!agrees(stored->gap - stored->rounding, found->gap - found->rounding, slack)) {
        return refuse(v, "duality gap", k, stored->gap, found->gap);
    }
    if (!agrees(stored->dual, found->dual, 3.0 * slack)) {
        return refuse(v, "dual objective", k, stored->dual, found->dual);
    }
    if (!has_its_distance(stored, lambda, n, found, slack)) {
        return refuse(v, "distance from the optimum", k, stored->distance,
                      found->distance);
    }
    return has_its_target(v, k, stored)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' was altered: it is marked as converged, but its "
                           "duality gap%s is above the target",
                           v->path, words_of(v, k).text);
}

/* Verify part k; *leave_one_out is for two classes. Collective. */
static sdca_status verify_part(verification *v, int k, sdca_certificate *found,
                               double *w_norm, sdca_leave_one_out *leave_one_out)
{
    const sdca_target sharp     = { .gap = 0.0 };
    sdca_status       status    = SDCA_OK;
    size_t            parts     = (size_t)sdca_model_parts(&v->model);
    sdca_objective    objective = objective_of(v, k);
    sdca_point        point     = { v->model.dual + k, parts, v->w, 1 };
    int64_t           row;
    norms             n;

    if (!agrees(v->model.objective.C, objective.C, 1e-12 * objective.C)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' was altered: its C is %.17g, where lambda and the rows "
                           "give %.17g",
                           v->path, v->model.objective.C, objective.C);
    }
    SDCA_TRY(sdca_comm_agree(v->comm, status));
    row = sdca_dual_check_find_infeasible(&objective, v->data, point.alpha, parts);
    if (row >= 0) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' was altered: the dual variable%s of row %lld is %.17g, "
                           "which is not feasible",
                           v->path, words_of(v, k).text,
                           (long long)sdca_dataset_global_row(v->data, (uint32_t)row),
                           point.alpha[(size_t)row * parts]);
    }
    SDCA_TRY(sdca_comm_agree(v->comm, status));
    SDCA_TRY(sdca_comm_agree(v->comm, read_weights(v, k)));
    sdca_dual_check_rebuild(v->comm, &objective, v->data,
                            (sdca_point){ point.alpha, parts, v->dual_w, 1 },
                            v->model.ranks, v->tolerance);
    if (v->settings.w_of_alpha) {
        SDCA_TRY(sdca_comm_agree(v->comm, check_weights(v, k)));
    }
    n      = find_norms(v);
    status = sdca_duality_gap_certify_pair(v->comm, &objective, v->data, point, &sharp,
                                           v->dual_w, found);
    if (status == SDCA_DEFECT) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' was altered: its objective%s is not finite",
                           v->path, words_of(v, k).text);
    }
    SDCA_TRY(status);
    SDCA_TRY(check_certificate(v, k, objective.lambda, &n, found));
    *w_norm = n.w;
    if (v->model.labels.count == 2) {
        *leave_one_out = sdca_leave_one_out_bound(v->comm, &objective, v->data, point,
                                                  found->gap, n.difference + n.tolerance);
    }

done:
    return status;
}

/* Local. */
static sdca_status read_dual(verification *v)
{
    sdca_status status  = SDCA_OK;
    size_t      columns = (size_t)v->data->columns;

    v->w         = sdca_alloc_zeroed(columns, sizeof *v->w);
    v->dual_w    = sdca_alloc_zeroed(columns, sizeof *v->dual_w);
    v->tolerance = sdca_alloc_zeroed(columns, sizeof *v->tolerance);
    if (v->w == NULL || v->dual_w == NULL || v->tolerance == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to verify %ld weights", (long)columns);
        goto done;
    }
    SDCA_TRY(sdca_model_create_dual(&v->model, v->data));
    SDCA_TRY(sdca_model_file_read_dual(v->hdf5, v->data, &v->model));

done:
    return status;
}

/* What was found, over all parts. */
static void print_result(const verification *v, const sdca_certificate *found,
                         double w_norm, const sdca_leave_one_out *leave_one_out)
{
    int parts = sdca_model_parts(&v->model);

    printf("Verified: the certificate of '%s' follows from its %s and dual variables\n",
           v->path, v->settings.w_of_alpha ? "w = w(alpha)" : "w");
    if (parts > 1) {
        printf("Sums over %d classes: primal %.12g, dual %.12g, gap %.3g\n", parts,
               found->primal, found->dual, found->gap);
    } else {
        printf("Primal %.12g, dual %.12g, gap %.3g (%.3g of the primal)\n", found->primal,
               found->dual, found->gap, sdca_duality_gap_relative(found));
    }
    printf("w is within %.3g of the optimum; |w| is %.6g\n", found->distance, w_norm);
    if (v->model.labels.count == 2) {
        printf("Leave-one-out error: %.6g to %.6g\n",
               leave_one_out->wrong / leave_one_out->total,
               (leave_one_out->wrong + leave_one_out->undecided) / leave_one_out->total);
    }
}

/* Verify all parts, and print what was found. Collective. */
static sdca_status verify(verification *v)
{
    sdca_status        status = SDCA_OK;
    sdca_certificate   total  = { .primal = 0.0 };
    double             w_norm = 0.0;
    sdca_leave_one_out leave_one_out;

    for (int k = 0; k < sdca_model_parts(&v->model); k++) {
        sdca_certificate found = { .primal = 0.0 };
        double           norm  = 0.0;

        SDCA_TRY(verify_part(v, k, &found, &norm, &leave_one_out));
        total.primal += found.primal;
        total.dual += found.dual;
        total.gap += found.gap;
        total.rounding += found.rounding;
        total.distance = hypot(total.distance, found.distance);
        w_norm         = hypot(w_norm, norm);
    }
    if (sdca_comm_rank(v->comm) == 0 && !v->quiet) {
        print_result(v, &total, w_norm, &leave_one_out);
    }

done:
    return status;
}

sdca_status sdca_cli_verify(int argc, char **argv)
{
    sdca_status  status = SDCA_OK;
    bool         help   = false;
    verification v      = { .comm = MPI_COMM_WORLD };

    SDCA_TRY(mpi_session_begin("verify", argc, argv));
    SDCA_TRY(mpi_session_agree(read_options(argc, argv, &v, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(sdca_model_read_metadata(v.comm, v.path, &v.model));
    SDCA_TRY(sdca_dual_settings_read(v.comm, v.path, &v.settings));
    v.display = live_progress_open(sdca_comm_rank(v.comm) == 0 && !v.quiet);
    SDCA_TRY(read_data(&v));
    live_progress_close(&v.display);
    SDCA_TRY(sdca_comm_agree(v.comm, check_data(&v)));
    SDCA_TRY(sdca_hdf5_open(v.comm, v.path, &v.hdf5));
    SDCA_TRY(sdca_comm_agree(v.comm, read_dual(&v)));
    SDCA_TRY(verify(&v));

done:
    live_progress_close(&v.display);
    sdca_hdf5_close(v.hdf5);
    sdca_dataset_free(v.data);
    sdca_model_clear(&v.model);
    free(v.w);
    free(v.dual_w);
    free(v.tolerance);
    return status;
}
