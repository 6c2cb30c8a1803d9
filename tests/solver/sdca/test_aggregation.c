/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_aggregation.c - rounds of local steps and their aggregation: what every round
 * keeps true, and the best step size. */
#include "solver/sdca/aggregation.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <string.h>

#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "objective/snapshot.h"
#include "solver/sdca/coordinate_ascent.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { COLUMNS = 60, RULES = 3 };

/* The local steps of a run and their aggregation, round by round. */
typedef struct rounds {
    sdca_ascent      local;
    sdca_aggregation aggregation;
} rounds;

static rounds start_rounds(const small_run *run, sdca_row_order_kind order,
                           sdca_aggregation_rule rule, double sigma)
{
    int                 ranks   = sdca_comm_size(*world);
    sdca_ascent_options options = { .models      = 1,
                                    .order       = order,
                                    .seed        = 5,
                                    .rank        = sdca_comm_rank(*world),
                                    .single_rank = ranks == 1 };
    rounds              r = { .aggregation = sdca_aggregation_start(rule, sigma, ranks) };

    ck_assert_all(sdca_ascent_create(run->data, &options, &r.local) == SDCA_OK);
    ck_assert_all(sdca_aggregation_deflate(*world, run->data, &r.local, &r.aggregation) ==
                  SDCA_OK);
    return r;
}

/* Local steps, without aggregation and with it. */
static void make_steps(small_run *run, rounds *r, sdca_sigma sigma, int64_t steps)
{
    sdca_ascent_run(&run->objective, run->data, &run->iterate, &r->local, &sigma, steps);
}

static sdca_round_totals aggregate(small_run *run, rounds *r)
{
    sdca_round_totals totals = { .clock = 1.0, .stop_requests = 2.0 };

    sdca_aggregation_round(*world, &run->objective, &run->iterate, &r->local,
                           &r->aggregation, &totals);
    return totals;
}

/* After each round: alpha feasible, w = w(alpha), and the same w everywhere; the
 * gap is not negative; and the dual has not fallen. */
START_TEST(every_round_keeps_the_invariants)
{
    int               ranks = sdca_comm_size(*world);
    small_run         run   = small_run_start(211, COLUMNS, _i % SDCA_LOSS_COUNT, 1e-2,
                                              _i >= RULES * SDCA_LOSS_COUNT);
    sdca_round_totals totals;
    rounds            r;
    sdca_certificate  now;
    double            dual = -INFINITY;
    const double steps[]   = { 0.1, 1.0, 2.5 }; /* rows more than once in a round, too */

    r = start_rounds(&run, SDCA_ROW_ORDER_RANDOM,
                     (sdca_aggregation_rule)(_i / SDCA_LOSS_COUNT % RULES),
                     _i % 2 == 0 ? 0.0 : 4.0);
    for (int round = 0; round < 12; round++) {
        int64_t count  = (int64_t)(steps[round % 3] * run.data->x.count);
        double  larger = round % 4 == 3 && ranks > 1 ? 1.7 : 1.0; /* or a larger sigma */
        sdca_sigma sigma = { larger * r.aggregation.sigma.orthogonal,
                             larger * r.aggregation.sigma.mean_direction };

        make_steps(&run, &r, sigma, count);
        totals = aggregate(&run, &r);
        ck_assert_all(small_run_is_feasible(&run));
        ck_assert_double_le(small_run_inconsistency(&run), 1e-11);
        now = small_run_measure(&run);
        ck_assert_double_ge(now.gap, 0.0);
        /* Averaging is safe as well: D is concave. */
        ck_assert_double_ge(now.dual, dual - 1e-12 * fabs(now.primal));
        ck_assert_double_eq(totals.clock, ranks == 1 ? 1.0 : (double)ranks);
        ck_assert_double_eq(totals.stop_requests, ranks == 1 ? 2.0 : 2.0 * ranks);
        dual = now.dual;
    }
    ck_assert_int_eq(run.iterate.round, 12);
    sdca_ascent_free(&r.local);
    small_run_free(&run);
}
END_TEST

/* The mean row, scaled to length 1. Collective. */
static void find_mean(const sdca_dataset *data, double mean[COLUMNS])
{
    double norm2 = 0.0;

    memset(mean, 0, COLUMNS * sizeof *mean);
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_rows_axpy(&data->x, i, 1.0, mean);
    }
    sdca_comm_allreduce_sum(*world, mean, COLUMNS);
    for (int j = 0; j < COLUMNS; j++) {
        norm2 += mean[j] * mean[j];
    }
    for (int j = 0; j < COLUMNS; j++) {
        mean[j] /= sqrt(norm2);
    }
}

/* The local dual of a rank, n D, after its own moves: the curvature is sigma times the
 * true one, with a factor along the mean row and another one across it. Local. */
static double local_dual(const sdca_objective *objective, const sdca_dataset *data,
                         const sdca_snapshot *from, const double *alpha, sdca_sigma sigma,
                         const double mean[COLUMNS])
{
    double dw[COLUMNS] = { 0.0 }, value = 0.0, along = 0.0, norm2 = 0.0, wdw = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        value -=
            objective->loss->conjugate(objective->parameter, alpha[i], data->x.row[i].y);
        sdca_rows_axpy(&data->x, i, objective->C * (alpha[i] - from->alpha[i]), dw);
    }
    for (int j = 0; j < COLUMNS; j++) {
        along += dw[j] * mean[j];
        norm2 += dw[j] * dw[j];
        wdw += from->w[j] * dw[j];
    }
    return value - (wdw + (sigma.orthogonal * (norm2 - along * along) +
                           sigma.mean_direction * along * along) /
                              2.0) /
                       objective->C;
}

/* With several ranks a step maximises the rank's local dual: no other alpha of the row
 * that moved last is better. No row is visited twice in these rounds. */
START_TEST(a_step_maximises_the_local_dual)
{
    small_run     run   = small_run_start(400, COLUMNS, _i, 1e-2, true);
    sdca_sigma    sigma = { 1.7, 3.9 };
    double        mean[COLUMNS], alpha[400];
    sdca_snapshot before;
    rounds        r;

    if (sdca_comm_size(*world) == 1) {
        small_run_free(&run);
        return; /* no other ranks */
    }
    r = start_rounds(&run, SDCA_ROW_ORDER_PERMUTATION, SDCA_AGGREGATION_LINE_SEARCH, 0.0);
    ck_assert_all(sdca_snapshot_create(&run.iterate, &before) == SDCA_OK);
    find_mean(run.data, mean);
    ck_assert_all((r.local.mean_projection != NULL) == (sdca_comm_size(*world) >= 4));
    if (r.local.mean_projection == NULL) {
        sigma.mean_direction = sigma.orthogonal; /* few ranks: one factor for all */
    }
    for (int round = 0; round < 2; round++) {
        double   best, here;
        uint32_t last;

        r.aggregation.sigma = sigma;
        sdca_snapshot_save(&run.iterate, &before);
        make_steps(&run, &r, sigma, 40 + round);
        last = r.local.update[r.local.updates - 1].row;
        for (uint32_t i = 0; i < run.data->x.count; i++) {
            alpha[i] = run.iterate.row[i].alpha;
        }
        here = alpha[last];
        best = local_dual(&run.objective, run.data, &before, alpha, sigma, mean);
        for (int k = -20; k <= 20; k++) {
            sdca_interval allowed =
                sdca_objective_feasible(&run.objective, run.data->x.row[last].y);

            alpha[last] = fmin(allowed.high, fmax(allowed.low, here + k * 1e-3));
            ck_assert_all(local_dual(&run.objective, run.data, &before, alpha, sigma,
                                     mean) <= best + 1e-9);
        }
        aggregate(&run, &r);
        ck_assert_all(r.aggregation.sigma.mean_direction >=
                      r.aggregation.sigma.orthogonal);
    }
    sdca_snapshot_free(&before);
    sdca_ascent_free(&r.local);
    small_run_free(&run);
}
END_TEST

/* D at eta of the way between two states, by brute force over all rows; minus
 * infinity where that is infeasible. Collective. */
static double dual_at(const sdca_objective *objective, const sdca_dataset *data,
                      const sdca_snapshot *from, const sdca_snapshot *to, double eta)
{
    sdca_iterate     middle;
    sdca_certificate now     = { .gap = 0.0 };
    double           outside = 0.0;

    ck_assert_all(sdca_iterate_create(*world, objective, data, &middle) == SDCA_OK);
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_interval allowed = sdca_objective_feasible(objective, data->x.row[i].y);
        double        alpha   = from->alpha[i] + eta * (to->alpha[i] - from->alpha[i]);

        middle.row[i].alpha = fmin(allowed.high, fmax(allowed.low, alpha));
        outside             = fmax(outside, fabs(alpha - middle.row[i].alpha));
    }
    sdca_comm_allreduce_max(*world, &outside, 1);
    sdca_iterate_recompute_w(*world, objective, data, 1, &middle);
    ck_assert_all(sdca_duality_gap_measure(*world, objective, data,
                                           sdca_iterate_point(&middle), NULL,
                                           &now) == SDCA_OK);
    sdca_iterate_free(&middle);
    return outside <= 1e-12 ? now.dual : -INFINITY;
}

/* The line search's eta is not beaten by any other in [0, 1] on a grid. With
 * sigma = 1 the ranks overshoot, with sigma = 4 their steps are too short, so that both
 * D'(1) < 0 and D'(1) > 0 occur. */
START_TEST(the_line_search_finds_the_best_step)
{
    const double  sigmas[] = { 1.0, 4.0 };
    int           loss     = _i / 2;
    small_run     run      = small_run_start(151, COLUMNS, loss, 1e-3, false);
    sdca_snapshot before, local_end;
    rounds        r;

    if (sdca_comm_size(*world) == 1) {
        small_run_free(&run);
        return; /* there is nothing to search */
    }
    ck_assert_all(sdca_snapshot_create(&run.iterate, &before) == SDCA_OK);
    ck_assert_all(sdca_snapshot_create(&run.iterate, &local_end) == SDCA_OK);
    r = start_rounds(&run, SDCA_ROW_ORDER_PERMUTATION, SDCA_AGGREGATION_LINE_SEARCH,
                     sigmas[_i % 2]);
    for (int round = 0; round < 6; round++) {
        double start, found, best = -INFINITY;

        sdca_snapshot_save(&run.iterate, &before);
        make_steps(&run, &r, r.aggregation.sigma, run.data->x.count);
        sdca_snapshot_save(&run.iterate, &local_end);
        aggregate(&run, &r);
        start = dual_at(&run.objective, run.data, &before, &local_end, 0.0);
        found = dual_at(&run.objective, run.data, &before, &local_end, r.aggregation.eta);
        for (int k = 0; k <= 20; k++) {
            best = fmax(best,
                        dual_at(&run.objective, run.data, &before, &local_end, k / 20.0));
        }
        ck_assert_double_ge(found, start - 1e-14);
        /* An eta that is nearly right is accepted. */
        ck_assert_double_ge(found, best - 2e-3 * (best - start) - 1e-13);
        ck_assert_double_gt(r.aggregation.eta, 0.0);
        ck_assert_double_le(r.aggregation.eta, 1.0);
    }
    sdca_ascent_free(&r.local);
    sdca_snapshot_free(&before);
    sdca_snapshot_free(&local_end);
    small_run_free(&run);
}
END_TEST

/* A whole number of rounds is a sweep; a given fraction is one of the active rows. */
START_TEST(rounds_end_where_sweeps_do)
{
    const double shares[] = { 0.07, 0.3, 0.7, 1.0 };
    small_run    run      = small_run_start(400, COLUMNS, SDCA_LOSS_hinge, 1e-3, false);
    double       share    = shares[_i];
    bool         right    = true;
    sdca_ascent  local;

    ck_assert_all(sdca_ascent_create(run.data,
                                     &(sdca_ascent_options){ .models = 1,
                                                             .order = SDCA_ROW_ORDER_AUTO,
                                                             .seed  = 5,
                                                             .single_rank        = true,
                                                             .shrinking_fraction = 0.02,
                                                             .only_unmoved       = true },
                                     &local) == SDCA_OK);
    for (int sweep = 1; sweep <= 4; sweep++) {
        int64_t made = 0, count_rounds = 0;
        double  given = (double)sdca_ascent_round_steps(&local, share, false);
        double  count = local.order.count;

        right = right && given == fmax(1.0, rint(share * count));
        while ((double)made < count) {
            int64_t steps = sdca_ascent_round_steps(&local, share, true);

            right = right && steps > 0 && local.order.sweep == sweep;
            sdca_ascent_run(&run.objective, run.data, &run.iterate, &local,
                            &(sdca_sigma){ 1.0, 1.0 }, steps);
            made += steps;
            count_rounds++;
        }
        right = right && (double)made == count &&
                fabs((double)count_rounds - count / given) <= 1.0;
    }
    ck_assert_all(right);
    ck_assert_all(local.order.count < run.data->x.count); /* some are skipped by now */
    sdca_ascent_free(&local);
    small_run_free(&run);
}
END_TEST

/* Not even with a small sigma, where steps lead to the ends of intervals: there the dual
 * of the logistic loss has its greatest curvature. */
START_TEST(the_dual_never_falls_with_a_small_sigma)
{
    small_run run =
        small_run_start(1000, COLUMNS, SDCA_LOSS_logistic, pow(10.0, -4 - _i), false);
    rounds           r;
    sdca_certificate now;
    double           dual = 0.0;

    r = start_rounds(&run, SDCA_ROW_ORDER_AUTO, SDCA_AGGREGATION_LINE_SEARCH, 1.05);
    for (int round = 0; round < 25; round++) {
        make_steps(&run, &r, r.aggregation.sigma, run.data->x.count);
        aggregate(&run, &r);
        now = small_run_measure(&run);
        ck_assert_double_ge(now.dual, dual - 1e-12 * now.primal);
        dual = now.dual;
    }
    sdca_ascent_free(&r.local);
    small_run_free(&run);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, every_round_keeps_the_invariants, 0,
                        2 * RULES * SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, a_step_maximises_the_local_dual, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, the_line_search_finds_the_best_step, 0,
                        2 * SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, rounds_end_where_sweeps_do, 0, 4);
    tcase_add_loop_test(tests, the_dual_never_falls_with_a_small_sigma, 0, 5);
}
