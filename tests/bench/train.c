/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - how long training takes on one core, beside LIBLINEAR's dual
 * solvers, to the same primal objective.
 *
 * LIBLINEAR trains to its own tolerance and reaches some P. A first run here finds
 * the duality gap at which P is no larger; timed runs then go to that gap as a
 * user's would, evaluations included. The two take turns; medians are compared. */
#include <linear.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/reader.h"
#include "sdca/train.h"

enum { TURNS = 3 };

/* A loss that both have, and LIBLINEAR's number for it. */
typedef struct duel {
    const char *loss;
    int         solver;
} duel;

static const duel duels[] = {
    { "hinge", L2R_L1LOSS_SVC_DUAL },
    { "squared-hinge", L2R_L2LOSS_SVC_DUAL },
    { "logistic", L2R_LR_DUAL },
};

static void keep_silent(const char *words)
{
    (void)words;
}

/* The rows as LIBLINEAR has them; never freed, the program ends soon. */
static struct problem copy_rows(const sdca_dataset *data)
{
    int                  rows  = (int)data->x.count;
    int64_t              nodes = data->x.start[rows] + rows;
    struct feature_node *node  = malloc((size_t)nodes * sizeof *node);
    struct problem       out   = { .l = rows, .n = (int)data->columns, .bias = -1.0 };

    out.y = data->y;
    out.x = malloc((size_t)rows * sizeof *out.x);
    if (node == NULL || out.x == NULL) {
        abort();
    }
    for (int i = 0; i < rows; i++) {
        out.x[i] = node;
        for (int64_t k = data->x.start[i]; k < data->x.start[i + 1]; k++) {
            *node++ = (struct feature_node){ (int)sdca_rows_column(&data->x, k) + 1,
                                             sdca_rows_value(&data->x, k) };
        }
        *node++ = (struct feature_node){ -1, 0.0 };
    }
    return out;
}

/* P of LIBLINEAR's weights, which are for its first label. */
static double primal_of(const sdca_problem *problem, const sdca_dataset *data,
                        const struct model *model)
{
    double sign = model->label[0] > 0 ? 1.0 : -1.0;
    double sum = 0.0, norm2 = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sign * sdca_rows_dot(&data->x, i, model->w);

        sum += problem->loss->primal(problem->parameter, z, data->y[i]);
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += model->w[j] * model->w[j];
    }
    return sum / (double)data->rows + problem->lambda / 2.0 * norm2;
}

/* LIBLINEAR's seconds, and the P that it reaches. */
static double time_peer(const struct problem *rows, int solver, double eps,
                        const sdca_problem *problem, const sdca_dataset *data,
                        double *primal)
{
    struct parameter how   = { .solver_type = solver, .eps = eps, .C = problem->C };
    double           start = MPI_Wtime();
    struct model    *model = train(rows, &how);
    double           spent = MPI_Wtime() - start;

    *primal = primal_of(problem, data, model);
    free_and_destroy_model(&model);
    return spent;
}

/* One run of ours to that gap; its history is the caller's. */
static double time_ours(const sdca_problem *problem, const sdca_dataset *data, double gap,
                        double evaluate, sdca_result *result)
{
    sdca_plan    plan   = { .gap = gap, .evaluate = evaluate };
    sdca_watcher nobody = { NULL, NULL, NULL };
    sdca_state   state;

    memset(result, 0, sizeof *result);
    if (sdca_state_create(problem, data, &state) != SDCA_OK ||
        sdca_train(MPI_COMM_SELF, problem, data, &plan, &nobody, &state, result) !=
            SDCA_OK) {
        fprintf(stderr, "%s\n", sdca_status_why());
        abort();
    }
    sdca_state_free(&state);
    return result->times.total;
}

/* The gap at which our P is first at most the peer's. */
static double gap_for(const sdca_problem *problem, const sdca_dataset *data,
                      double primal)
{
    for (double gap = 1e-2 * primal; gap > 1e-12 * primal; gap /= 10.0) {
        sdca_result result;

        time_ours(problem, data, gap, 0.25, &result);
        for (int64_t k = 0; k < result.history.count; k++) {
            if (result.history.record[k].primal <= primal) {
                gap = result.history.record[k].gap;
                sdca_history_free(&result.history);
                return gap;
            }
        }
        sdca_history_free(&result.history);
    }
    return 1e-12 * primal;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *x)
{
    qsort(x, TURNS, sizeof *x, ascending);
    return x[TURNS / 2];
}

static void compare(const char *path, const duel *d, double lambda, double eps,
                    const sdca_dataset *data, const struct problem *rows)
{
    sdca_problem problem =
        sdca_problem_with_lambda(sdca_loss_find(d->loss), 0.0, lambda, data->rows);
    double      primal, peer[TURNS], ours[TURNS], gap, theirs, mine;
    sdca_result result = { 0 };

    time_peer(rows, d->solver, eps, &problem, data, &primal);
    gap = gap_for(&problem, data, primal);
    for (int turn = 0; turn < TURNS; turn++) {
        peer[turn] = time_peer(rows, d->solver, eps, &problem, data, &primal);
        ours[turn] = time_ours(&problem, data, gap, 0.0, &result);
        if (turn + 1 < TURNS) {
            sdca_history_free(&result.history);
        }
    }
    theirs = median(peer);
    mine   = median(ours);
    printf("| %s | %s | %g | %g | %.3f | %.8g | %.3f | %.8g | %.1f | %.2f |\n", path,
           d->loss, lambda, eps, theirs, primal, mine, result.certificate.primal,
           result.history.record[result.history.count - 1].epoch, theirs / mine);
    fflush(stdout);
    sdca_history_free(&result.history);
}

int main(int argc, char **argv)
{
    static const double lambdas[] = { 1e-4, 1e-5, 1e-6 };
    sdca_reader_options how       = { .labels = true, .normalize = true };
    double              eps       = 0.01;

    MPI_Init(&argc, &argv);
    set_print_string_function(keep_silent);
    printf("| data | loss | lambda | eps | LIBLINEAR s | its P | sdca s | our P | epochs "
           "| ratio |\n"
           "|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 1; k < argc; k++) {
        sdca_dataset  *data = NULL;
        sdca_labels    labels;
        struct problem rows;

        if (sscanf(argv[k], "--eps=%lf", &eps) == 1) {
            continue;
        }
        if (sdca_reader_read(MPI_COMM_SELF, argv[k], how, &data) != SDCA_OK ||
            sdca_dataset_sign(MPI_COMM_SELF, data, "data", &labels) != SDCA_OK) {
            fprintf(stderr, "%s\n", sdca_status_why());
            return EXIT_FAILURE;
        }
        rows = copy_rows(data);
        for (size_t d = 0; d < sizeof duels / sizeof duels[0]; d++) {
            for (size_t l = 0; l < sizeof lambdas / sizeof lambdas[0]; l++) {
                compare(argv[k], &duels[d], lambdas[l], eps, data, &rows);
            }
        }
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
