/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_vs_liblinear.c - training time on one core, compared with LIBLINEAR's dual
 * solvers, to the same primal objective.
 *
 * LIBLINEAR trains to its own tolerance. time_to_objective.c finds the duality gap at
 * which our P is no larger; timed runs then train to that gap as a user would,
 * evaluations included. The two alternate; medians are compared. */
#include <linear.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "time_to_objective.h"

/* A loss that both support, LIBLINEAR's number for it, and whether it is one of the two
 * main comparisons, at an eps of 0.01. */
typedef struct duel {
    const char *loss;
    int         solver;
    bool        heads;
} duel;

static const duel duels[] = {
    { "hinge", L2R_L1LOSS_SVC_DUAL, true },
    { "squared-hinge", L2R_L2LOSS_SVC_DUAL, false },
    { "logistic", L2R_LR_DUAL, true },
};
static const double lambdas[]  = { 1e-4, 1e-5, 1e-6 };
static const double epsilons[] = { 0.1, 0.01, 0.001 };

enum {
    DUELS    = sizeof duels / sizeof duels[0],
    LAMBDAS  = sizeof lambdas / sizeof lambdas[0],
    EPSILONS = sizeof epsilons / sizeof epsilons[0]
};

/* Of medians, the main result; and of minimum times, which other processes disturb less.
 * 0 if P was not reached. */
typedef struct ratios {
    double median;
    double quiet;
} ratios;

/* Ratios so far. */
typedef struct tally {
    int    count;
    int    missing; /* P was not reached */
    ratios logs;
    ratios least;
} tally;

static void add(tally *t, ratios r)
{
    if (!(r.median > 0.0)) {
        t->missing++;
        return;
    }
    if (t->count == 0) {
        t->least = r;
    }
    t->least.median = fmin(t->least.median, r.median);
    t->least.quiet  = fmin(t->least.quiet, r.quiet);
    t->logs.median += log(r.median);
    t->logs.quiet += log(r.quiet);
    t->count++;
}

static void print_tally(const char *of, const tally *t)
{
    if (t->count == 0) {
        printf("| %s | 0 | - | - | - | - | %d |\n", of, t->missing);
        return;
    }
    printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %d |\n", of, t->count,
           exp(t->logs.median / t->count), t->least.median, exp(t->logs.quiet / t->count),
           t->least.quiet, t->missing);
}

/* LIBLINEAR's output is hidden; only one message matters. */
static bool peer_gave_up;

static void overhear(const char *words)
{
    peer_gave_up = peer_gave_up || strstr(words, "max number of iterations") != NULL;
}

/* The rows in LIBLINEAR's format, in the order of the file; free with free_rows(). */
static struct problem copy_rows(const sdca_dataset *data)
{
    uint32_t             rows   = data->x.count;
    size_t               nodes  = (size_t)data->nonzeros + rows;
    struct feature_node *node   = bench_room(nodes, sizeof *node);
    int32_t             *column = bench_room((size_t)data->columns, sizeof *column);
    double              *value  = bench_room((size_t)data->columns, sizeof *value);
    struct problem       out = { .l = (int)rows, .n = (int)data->columns, .bias = -1.0 };

    out.y    = bench_room((size_t)rows + 1, sizeof *out.y);
    out.x    = bench_room((size_t)rows + 1, sizeof *out.x);
    out.x[0] = node;
    for (uint32_t i = 0; i < rows; i++) {
        int64_t count = bench_row(data, i, &out.y[i], column, value);

        out.x[i] = node;
        for (int64_t k = 0; k < count; k++) {
            *node++ = (struct feature_node){ (int)column[k] + 1, value[k] };
        }
        *node++ = (struct feature_node){ -1, 0.0 };
    }
    free(column);
    free(value);
    return out;
}

static void free_rows(struct problem *rows)
{
    free(rows->x[0]);
    free(rows->x);
    free(rows->y);
}

/* LIBLINEAR's seconds, and the P of its weights for +1. It uses rand(), so every turn
 * sets the same seed. */
static double time_peer(const struct problem *rows, int solver, double eps,
                        const sdca_objective *objective, const sdca_dataset *data,
                        double *primal)
{
    struct parameter how = { .solver_type = solver, .eps = eps, .C = objective->C };
    struct model    *model;
    double           start, spent;

    peer_gave_up = false;
    srand(1);
    start = bench_now();
    model = train(rows, &how);
    spent = bench_now() - start;
    for (int32_t j = 0; model->label[0] < 0 && j < data->columns; j++) {
        model->w[j] = -model->w[j];
    }
    *primal = bench_primal(objective, data, model->w);
    free_and_destroy_model(&model);
    return spent;
}

/* Alternate, and print a row of the table. */
static ratios compare(const char *path, const duel *d, double eps, bench_walk *walk,
                      const struct problem *rows, int turns)
{
    const sdca_objective *objective = walk->problem;
    const sdca_dataset   *data      = walk->data;
    double                peer[BENCH_MOST_TURNS], ours[BENCH_MOST_TURNS];
    double                each[BENCH_MOST_TURNS]; /* ratio of each turn */
    double                first, limit, primal, gap;
    double                spent = 0.0;
    ratios                ratio = { 0.0, 0.0 };
    bench_run             run   = { 0.0, 0.0, NAN, NAN };
    int                   done  = 0;

    fprintf(stderr, "%s %s lambda %g eps %g\n", path, d->loss, objective->lambda, eps);
    first = time_peer(rows, d->solver, eps, objective, data, &primal);
    limit = 5.0 + 20.0 * first;
    gap   = bench_gap_for(walk, primal, limit);
    while (gap > 0.0 && bench_again(done, turns, spent)) {
        peer[done] = time_peer(rows, d->solver, eps, objective, data, &primal);
        if (bench_turn(walk, primal, limit, &gap, &run)) {
            ours[done] = run.seconds;
            each[done] = peer[done] / ours[done];
            spent += peer[done] + ours[done];
            done++;
        } else {
            spent = 0.0;
            done  = 0;
        }
    }
    printf("| %s | %s | %g | %g%s ", path, d->loss, objective->lambda, eps,
           peer_gave_up ? " (limit)" : "");
    if (done == 0) {
        printf("| %.4g | %.9g | - | - | - | not reached | - | - |\n", first, primal);
    } else {
        double theirs = bench_median(peer, done), mine = bench_median(ours, done);

        bench_median(each, done); /* all three are sorted now */
        ratio = (ratios){ theirs / mine, peer[0] / ours[0] };
        printf("| %.4g | %.9g | %.4g | %.9g | %.1f | %.2f | %.2f | %.2f to %.2f |\n",
               theirs, primal, mine, run.primal, run.epochs, ratio.median, ratio.quiet,
               each[0], each[done - 1]);
    }
    fflush(stdout);
    return ratio;
}

/* One data set: every loss and lambda, and every eps or one. */
static void compare_all(const char *path, int turns, double only, bool headline,
                        tally *heads, tally *all)
{
    sdca_dataset  *data = bench_read(path, true);
    struct problem rows = copy_rows(data);

    for (int d = 0; d < DUELS; d++) {
        for (int l = 0; l < LAMBDAS && (duels[d].heads || !headline); l++) {
            sdca_objective objective =
                sdca_objective_with_lambda(sdca_loss_find(duels[d].loss), 0.0, lambdas[l],
                                           data->rows, data->total_weight);
            bench_walk walk = bench_walk_begin(&objective, data);

            for (int e = 0; e < EPSILONS; e++) {
                ratios ratio;

                if (only > 0.0 && epsilons[e] != only) {
                    continue;
                }
                ratio = compare(bench_name(path), &duels[d], epsilons[e], &walk, &rows,
                                turns);

                add(all, ratio);
                if (duels[d].heads && epsilons[e] == 0.01) {
                    add(heads, ratio);
                }
            }
            bench_walk_free(&walk);
        }
    }
    free_rows(&rows);
    sdca_dataset_free(data);
}

int main(int argc, char **argv)
{
    tally  heads    = { .count = 0 };
    tally  all      = { .count = 0 };
    double turns    = 3.0;
    double only     = 0.0; /* eps; 0: all */
    bool   headline = false;

    MPI_Init(&argc, &argv);
    set_print_string_function(overhear);
    printf("| data | loss | lambda | eps | LIBLINEAR s | its P | sdca s | our P | epochs "
           "| ratio | of least times | of single turns |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--headline") == 0) {
            headline = true;
            only     = 0.01;
        } else if (!bench_option(argc, argv, &k, "--turns", &turns) &&
                   !bench_option(argc, argv, &k, "--eps", &only)) {
            compare_all(argv[k], (int)fmin(turns, BENCH_MOST_TURNS), only, headline,
                        &heads, &all);
        }
    }
    printf("\n| LIBLINEAR / sdca | ratios | geometric mean | least "
           "| of least times: geometric mean | of least times: least | not reached |\n"
           "|---|---|---|---|---|---|---|\n");
    print_tally("hinge and logistic at eps 0.01 (the headline)", &heads);
    print_tally("everything", &all);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
