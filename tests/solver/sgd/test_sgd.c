/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sgd.c - the lazy forms of SGD are the plain ones, step by step. */
#include "solver/sgd/sgd.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "objective/snapshot.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { COLUMNS = 60, ROWS = 101, SEED = 5 };

/* Minus a derivative of the loss, from its values alone: a central difference,
 * good to about 1e-6 away from kinks. */
static double descent(const sdca_objective *objective, double z, double y)
{
    const sdca_loss *loss = objective->loss;
    double           h    = 1e-6;

    return -(loss->primal(objective->parameter, z + h, y) -
             loss->primal(objective->parameter, z - h, y)) /
           (2.0 * h);
}

/* w <- (1 - 1/t) w - phi'(w.x) x/(lambda t), in full at each step. */
START_TEST(walking_is_the_update_of_the_paper)
{
    small_run      run            = small_run_start(ROWS, COLUMNS, _i, 0.1, true);
    int            rank           = sdca_comm_rank(*world);
    double         plain[COLUMNS] = { 0.0 }, w[COLUMNS];
    double         off            = 0.0;
    sdca_sgd       sgd;
    sdca_row_order order;

    ck_assert_all(sdca_sgd_create(run.data, SEED, rank, &sgd) == SDCA_OK);
    ck_assert_all(sdca_row_order_create(SDCA_ROW_ORDER_RANDOM, ~(uint64_t)SEED, rank,
                                        run.data->x.count, &order) == SDCA_OK);
    for (int t = 1; t <= 2 * ROWS && run.data->x.count > 0; t++) {
        uint32_t count = 0;
        uint32_t i     = *sdca_row_order_next(&order, NULL, 1, &count);
        double   g     = descent(&run.objective, sdca_rows_dot(&run.data->x, i, plain),
                                 run.data->x.row[i].y);

        for (int j = 0; j < COLUMNS; j++) {
            plain[j] *= 1.0 - 1.0 / t;
        }
        sdca_rows_axpy(&run.data->x, i, g / (run.objective.lambda * t), plain);
        sdca_sgd_run(&run.objective, run.data, &sgd, 1);
        sdca_sgd_weights(&run.objective, run.data, &sgd, w);
        for (int j = 0; j < COLUMNS; j++) {
            off = fmax(off, fabs(w[j] - plain[j]));
        }
    }
    ck_assert_all(off < 1e-4);
    sdca_row_order_free(&order);
    sdca_sgd_free(&sgd);
    small_run_free(&run);
}
END_TEST

/* Procedure Modified-SGD in full: w from all alpha at each step, and an alpha
 * that no point of a grid beats. */
START_TEST(starting_is_the_procedure_of_the_paper)
{
    small_run        run        = small_run_start(ROWS, COLUMNS, _i, 0.05, true);
    const sdca_loss *loss       = run.objective.loss;
    int              rank       = sdca_comm_rank(*world);
    double           v[COLUMNS] = { 0.0 };
    sdca_row_order   order;
    uint32_t         count = 0;
    const uint32_t  *row;
    bool             best = true;
    ck_assert_all(sdca_sgd_initial_alpha(&run.objective, run.data, SEED, rank,
                                         &run.iterate) == SDCA_OK);
    ck_assert_all(sdca_row_order_create(SDCA_ROW_ORDER_PERMUTATION, ~(uint64_t)SEED, rank,
                                        run.data->x.count, &order) == SDCA_OK);
    row = sdca_row_order_next(&order, NULL, run.data->x.count, &count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = row[k];
        double   t = k + 1.0;
        double   z =
            k > 0 ? sdca_rows_dot(&run.data->x, i, v) / (run.objective.lambda * k) : 0.0;
        double        q = run.data->x.row[i].norm2 / (run.objective.lambda * t);
        sdca_interval allowed =
            loss->feasible(run.objective.parameter, run.data->x.row[i].y);
        double low = fmax(allowed.low, -4.0), high = fmin(allowed.high, 4.0);
        double a    = run.iterate.row[i].alpha;
        double mine = -loss->conjugate(run.objective.parameter, a, run.data->x.row[i].y) -
                      a * z - a * a * q / 2;

        best = best && a >= allowed.low && a <= allowed.high;
        for (int g = 0; g <= 100; g++) {
            double b = low + (high - low) * g / 100.0;
            double other =
                -loss->conjugate(run.objective.parameter, b, run.data->x.row[i].y) -
                b * z - b * b * q / 2;

            best = best && mine >= other - 1e-12;
        }
        sdca_rows_axpy(&run.data->x, i, a, v);
    }
    ck_assert_all(best);
    sdca_row_order_free(&order);
    small_run_free(&run);
}
END_TEST

/* The ranks' starts put together: the dual of all rows is at least the mean of
 * the ranks' own, weighted by their rows. */
START_TEST(together_the_ranks_start_no_worse_than_alone)
{
    small_run        run = small_run_start(ROWS, COLUMNS, _i, 0.05, false);
    sdca_objective   own;
    sdca_snapshot    mine;
    sdca_certificate all, part = { .gap = 0.0 };
    double           mean;

    ck_assert_all(sdca_snapshot_create(&run.iterate, &mine) == SDCA_OK);
    ck_assert_all(sdca_sgd_initial_alpha(&run.objective, run.data, SEED,
                                         sdca_comm_rank(*world),
                                         &run.iterate) == SDCA_OK);
    sdca_snapshot_save(&run.iterate, &mine);
    sdca_iterate_recompute_w(*world, &run.objective, run.data, 1, &run.iterate);
    all = small_run_measure(&run);
    own = sdca_objective_with_lambda(run.objective.loss, run.objective.parameter,
                                     run.objective.lambda, run.data->x.count,
                                     (double)run.data->x.count);
    sdca_point_recompute_w(MPI_COMM_SELF, &own, run.data, sdca_snapshot_point(&mine));
    ck_assert_all(sdca_duality_gap_measure(MPI_COMM_SELF, &own, run.data,
                                           sdca_snapshot_point(&mine), NULL,
                                           &part) == SDCA_OK);
    mean = part.dual * (double)run.data->x.count / ROWS;
    sdca_comm_allreduce_sum(*world, &mean, 1);
    ck_assert_double_ge(all.dual, mean - 1e-12);
    if (sdca_comm_size(*world) == 1) {
        ck_assert_double_eq_tol(all.dual, mean, 1e-12);
    }
    sdca_snapshot_free(&mine);
    small_run_free(&run);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, walking_is_the_update_of_the_paper, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, starting_is_the_procedure_of_the_paper, 0,
                        SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, together_the_ranks_start_no_worse_than_alone, 0,
                        SDCA_LOSS_COUNT);
}
