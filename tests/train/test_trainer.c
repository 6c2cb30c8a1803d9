/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_trainer.c - what every round keeps true, and what every run ends with. */
#include "train/trainer.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"
#include "objective/snapshot.h"
#include "solver/sdca/sdca_solver.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { COLUMNS = 60 };

/* One case: every loss with every rule, and both widths of values. */
typedef struct setting {
    int                   loss;
    sdca_aggregation_rule rule;
    bool                  wide;
} setting;

enum { SETTINGS = SDCA_LOSS_COUNT * 3 * 2 };

static setting nth_setting(int k)
{
    return (setting){ k % SDCA_LOSS_COUNT,
                      (sdca_aggregation_rule)(k / SDCA_LOSS_COUNT % 3),
                      k / SDCA_LOSS_COUNT / 3 == 1 };
}

static sdca_dataset *data_for(setting s, int64_t rows)
{
    return small_dataset_create(rows, COLUMNS, sdca_losses[s.loss].classification,
                                s.wide);
}

/* The largest difference between w and C sum alpha_i x_i. Collective. */
static double inconsistency(const sdca_objective *objective, const sdca_dataset *data,
                            const sdca_iterate *iterate)
{
    sdca_snapshot fresh;
    double        most = 0.0;

    ck_assert_all(sdca_snapshot_create(iterate, &fresh) == SDCA_OK);
    sdca_snapshot_save(iterate, &fresh);
    sdca_point_recompute_w(*world, objective, data, sdca_snapshot_point(&fresh));
    for (int32_t j = 0; j < data->columns; j++) {
        most = fmax(most, fabs(fresh.w[j] - iterate->w[j]));
    }
    sdca_snapshot_free(&fresh);
    return most;
}

/* After each round: alpha feasible, w = w(alpha), and the same w everywhere; the
 * gap is not negative; and the dual has not fallen. */
START_TEST(every_round_keeps_the_invariants)
{
    setting          s         = nth_setting(_i);
    int              ranks     = sdca_comm_size(*world);
    sdca_dataset    *data      = data_for(s, 211);
    sdca_objective   objective = small_dataset_objective(s.loss, 1e-2, data);
    sdca_iterate     iterate;
    sdca_ascent      local;
    sdca_aggregation aggregate;
    sdca_certificate now;
    double           dual = -INFINITY;
    const double steps[]  = { 0.1, 1.0, 2.5 }; /* rows more than once in a round, too */

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(
        sdca_ascent_create(data,
                           &(sdca_ascent_options){ .models      = 1,
                                                   .order       = SDCA_ROW_ORDER_RANDOM,
                                                   .seed        = 5,
                                                   .rank        = sdca_comm_rank(*world),
                                                   .single_rank = ranks == 1,
                                                   .shrinking_fraction = 0.0,
                                                   .only_unmoved       = false },
                           &local) == SDCA_OK);
    aggregate =
        sdca_aggregation_start(s.rule, _i % 2 == 0 ? 0.0 : 4.0, sdca_comm_size(*world));
    ck_assert_all(sdca_aggregation_deflate(*world, data, &local, &aggregate) == SDCA_OK);
    for (int round = 0; round < 12; round++) {
        int64_t           count  = (int64_t)(steps[round % 3] * data->x.count);
        sdca_round_totals totals = { .clock = 1.0, .stop_requests = 2.0 };
        double care = round % 4 == 3 && ranks > 1 ? 1.7 : 1.0; /* or more than needed */
        sdca_sigma sigma = { care * aggregate.sigma.orthogonal,
                             care * aggregate.sigma.mean_direction };

        sdca_ascent_run(&objective, data, &iterate, &local, &sigma, count);
        sdca_aggregation_round(*world, &objective, &iterate, &local, &aggregate, &totals);
        ck_assert_all(small_dataset_is_feasible(&objective, data, &iterate));
        ck_assert_double_le(inconsistency(&objective, data, &iterate), 1e-11);
        ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                               sdca_iterate_point(&iterate), NULL,
                                               &now) == SDCA_OK);
        ck_assert_double_ge(now.gap, 0.0);
        /* Averaging is safe as well: D is concave. */
        ck_assert_double_ge(now.dual, dual - 1e-12 * fabs(now.primal));
        ck_assert_double_eq(totals.clock, ranks == 1 ? 1.0 : (double)ranks);
        ck_assert_double_eq(totals.stop_requests, ranks == 1 ? 2.0 : 2.0 * ranks);
        dual = now.dual;
    }
    ck_assert_int_eq(iterate.round, 12);
    sdca_ascent_free(&local);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* The mean row, as long as a unit. Collective. */
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

/* What a rank believes its dual to be, n D, after its own moves: the curvature is sigma
 * times the true one, along the mean row and across it by a factor each. Local. */
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

/* Among others, a step is the maximiser of what the rank believes: no other alpha of the
 * row that moved last is better. No row is visited twice in these rounds. */
START_TEST(a_step_allows_for_the_others)
{
    sdca_dataset *data =
        small_dataset_create(400, COLUMNS, sdca_losses[_i].classification, true);
    sdca_objective    objective = small_dataset_objective(_i, 1e-2, data);
    sdca_sigma        sigma     = { 1.7, 3.9 };
    double            mean[COLUMNS], alpha[400];
    sdca_snapshot     before;
    sdca_round_totals totals = { .clock = 0.0 };
    sdca_iterate      iterate;
    sdca_ascent       local;
    sdca_aggregation  aggregate;

    if (sdca_comm_size(*world) == 1) {
        sdca_dataset_free(data);
        return; /* nobody else */
    }
    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(
        sdca_ascent_create(data,
                           &(sdca_ascent_options){ .models = 1,
                                                   .order  = SDCA_ROW_ORDER_PERMUTATION,
                                                   .seed   = 5,
                                                   .rank   = sdca_comm_rank(*world),
                                                   .single_rank        = false,
                                                   .shrinking_fraction = 0.0,
                                                   .only_unmoved       = false },
                           &local) == SDCA_OK);
    aggregate =
        sdca_aggregation_start(SDCA_AGGREGATION_LINE_SEARCH, 0.0, sdca_comm_size(*world));
    ck_assert_all(sdca_aggregation_deflate(*world, data, &local, &aggregate) == SDCA_OK);
    ck_assert_all(sdca_snapshot_create(&iterate, &before) == SDCA_OK);
    find_mean(data, mean);
    ck_assert_all((local.mean_projection != NULL) == (sdca_comm_size(*world) >= 4));
    if (local.mean_projection == NULL) {
        sigma.mean_direction = sigma.orthogonal; /* few ranks: one factor for all */
    }
    for (int round = 0; round < 2; round++) {
        double   best, here;
        uint32_t last;

        aggregate.sigma = sigma;
        sdca_snapshot_save(&iterate, &before);
        sdca_ascent_run(&objective, data, &iterate, &local, &sigma, 40 + round);
        last = local.update[local.updates - 1].row;
        for (uint32_t i = 0; i < data->x.count; i++) {
            alpha[i] = iterate.row[i].alpha;
        }
        here = alpha[last];
        best = local_dual(&objective, data, &before, alpha, sigma, mean);
        for (int k = -20; k <= 20; k++) {
            sdca_interval allowed =
                sdca_objective_feasible(&objective, data->x.row[last].y);

            alpha[last] = fmin(allowed.high, fmax(allowed.low, here + k * 1e-3));
            ck_assert_all(local_dual(&objective, data, &before, alpha, sigma, mean) <=
                          best + 1e-9);
        }
        sdca_aggregation_round(*world, &objective, &iterate, &local, &aggregate, &totals);
        ck_assert_all(aggregate.sigma.mean_direction >= aggregate.sigma.orthogonal);
    }
    sdca_snapshot_free(&before);
    sdca_ascent_free(&local);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
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

/* The line search's eta is not beaten by any other in [0, 1] on a grid. sigma = 1 makes
 * the ranks overshoot, sigma = 4 makes them timid, so that both D'(1) < 0 and D'(1) > 0
 * occur. */
START_TEST(the_line_search_finds_the_best_step)
{
    const double  sigmas[] = { 1.0, 4.0 };
    int           loss     = _i / 2;
    sdca_dataset *data =
        small_dataset_create(151, COLUMNS, sdca_losses[loss].classification, false);
    sdca_objective    objective = small_dataset_objective(loss, 1e-3, data);
    sdca_iterate      iterate;
    sdca_snapshot     before, local_end;
    sdca_ascent       local;
    sdca_aggregation  aggregate;
    sdca_round_totals totals = { .clock = 0.0 };

    if (sdca_comm_size(*world) == 1) {
        sdca_dataset_free(data);
        return; /* there is nothing to search */
    }
    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_snapshot_create(&iterate, &before) == SDCA_OK);
    ck_assert_all(sdca_snapshot_create(&iterate, &local_end) == SDCA_OK);
    ck_assert_all(
        sdca_ascent_create(data,
                           &(sdca_ascent_options){ .models = 1,
                                                   .order  = SDCA_ROW_ORDER_PERMUTATION,
                                                   .seed   = 5,
                                                   .rank   = sdca_comm_rank(*world),
                                                   .single_rank        = false,
                                                   .shrinking_fraction = 0.0,
                                                   .only_unmoved       = false },
                           &local) == SDCA_OK);
    aggregate = sdca_aggregation_start(SDCA_AGGREGATION_LINE_SEARCH, sigmas[_i % 2],
                                       sdca_comm_size(*world));
    ck_assert_all(sdca_aggregation_deflate(*world, data, &local, &aggregate) == SDCA_OK);
    for (int round = 0; round < 6; round++) {
        double start, found, best = -INFINITY;

        sdca_snapshot_save(&iterate, &before);
        sdca_ascent_run(&objective, data, &iterate, &local, &aggregate.sigma,
                        data->x.count);
        sdca_snapshot_save(&iterate, &local_end);
        sdca_aggregation_round(*world, &objective, &iterate, &local, &aggregate, &totals);
        start = dual_at(&objective, data, &before, &local_end, 0.0);
        found = dual_at(&objective, data, &before, &local_end, aggregate.eta);
        for (int k = 0; k <= 20; k++) {
            best = fmax(best, dual_at(&objective, data, &before, &local_end, k / 20.0));
        }
        ck_assert_double_ge(found, start - 1e-14);
        /* An eta that is nearly right is accepted. */
        ck_assert_double_ge(found, best - 2e-3 * (best - start) - 1e-13);
        ck_assert_double_gt(aggregate.eta, 0.0);
        ck_assert_double_le(aggregate.eta, 1.0);
    }
    sdca_ascent_free(&local);
    sdca_iterate_free(&iterate);
    sdca_snapshot_free(&before);
    sdca_snapshot_free(&local_end);
    sdca_dataset_free(data);
}
END_TEST

/* Rounds of about a share of a sweep end where it does, whatever is left of it; a share
 * that is given is of the rows that do not rest. */
START_TEST(rounds_end_where_sweeps_do)
{
    const double   shares[]  = { 0.07, 0.3, 0.7, 1.0 };
    sdca_dataset  *data      = small_dataset_create(400, COLUMNS, true, false);
    sdca_objective objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    double         share     = shares[_i];
    bool           right     = true;
    sdca_iterate   iterate;
    sdca_ascent    local;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_ascent_create(data,
                                     &(sdca_ascent_options){ .models = 1,
                                                             .order = SDCA_ROW_ORDER_AUTO,
                                                             .seed  = 5,
                                                             .rank  = 0,
                                                             .single_rank        = true,
                                                             .shrinking_fraction = 0.02,
                                                             .only_unmoved       = true },
                                     &local) == SDCA_OK);
    for (int sweep = 1; sweep <= 4; sweep++) {
        int64_t made = 0, rounds = 0;
        double  given = (double)sdca_ascent_round_steps(&local, share, false);
        double  count = local.order.count;

        right = right && given == fmax(1.0, rint(share * count));
        while ((double)made < count) {
            int64_t steps = sdca_ascent_round_steps(&local, share, true);

            right = right && steps > 0 && local.order.sweep == sweep;
            sdca_ascent_run(&objective, data, &iterate, &local, &(sdca_sigma){ 1.0, 1.0 },
                            steps);
            made += steps;
            rounds++;
        }
        right =
            right && (double)made == count && fabs((double)rounds - count / given) <= 1.0;
    }
    ck_assert_all(right);
    ck_assert_all(local.order.count < data->x.count); /* some rest by now */
    sdca_ascent_free(&local);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(every_rule_and_loss_reaches_the_target)
{
    setting            s         = nth_setting(_i);
    sdca_dataset      *data      = data_for(s, 300);
    sdca_objective     objective = small_dataset_objective(s.loss, 1e-2, data);
    sdca_train_options options   = { .aggregate   = s.rule,
                                     .local_steps = 0.5,
                                     .rel_gap     = 1e-6,
                                     .epochs      = 3000,
                                     .order       = (sdca_row_order_kind)(_i % 4) };
    sdca_iterate       iterate;
    sdca_train_result  result;

    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&result.certificate), 1e-6);
    ck_assert_double_eq(inconsistency(&objective, data, &iterate),
                        0.0); /* w is rebuilt */
    ck_assert_all(result.history.count >= 2);
    ck_assert_double_eq(result.history.records[0].epoch, 0.0);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Where D is exact to its last digit, P is not yet: the moves are so small that the slope
 * of a line search is nothing but rounding, and yet the gap must go on falling. */
START_TEST(the_gap_falls_beyond_the_digits_of_the_dual)
{
    small_run          run;
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .local_steps = 0.1,
                                   .rel_gap     = 1e-9,
                                   .epochs      = 600 };

    run = small_run_train(60, COLUMNS, SDCA_LOSS_hinge, 1e-5, &options);
    ck_assert_all(run.status == SDCA_OK);
    small_run_free(&run);
}
END_TEST

/* Values too large for float32, and a lambda that makes as much of them: several ranks
 * look at the mean row in float32, which has no number for these. */
START_TEST(large_values_are_learnt_from)
{
    const double   size = 1e60;
    sdca_dataset  *data = small_dataset_create(300, COLUMNS, true, true);
    sdca_objective objective =
        small_dataset_objective(SDCA_LOSS_hinge, 1e-2 * size * size, data);
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .solver      = SDCA_SOLVER_SDCA,
                                   .local_steps = 0.1,
                                   .rel_gap     = 1e-6,
                                   .epochs      = 1000 };
    sdca_iterate       iterate;
    sdca_train_result  result;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_rows_scale(&data->x, i, size);
        data->x.row[i].norm2 *= size * size;
    }
    data->mean_norm2 *= size * size;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_OK);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Fewer rows than ranks leave ranks without any; one row is the least. */
START_TEST(ranks_without_rows_take_part)
{
    small_run          run;
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-9,
                                   .epochs    = 1000 };

    run = small_run_train(_i, COLUMNS, SDCA_LOSS_hinge, 1e-1, &options);
    ck_assert_all(run.status == SDCA_OK);
    small_run_free(&run);
}
END_TEST

/* All rows empty: the optimum is known at the start. */
START_TEST(rows_of_zeros_are_at_their_best_from_the_start)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        MPI_Comm         comm = *world;
        sdca_rows        x;
        sdca_dataset    *data = NULL;
        sdca_objective   objective;
        sdca_iterate     iterate;
        sdca_certificate now = { .gap = 1.0 };

        ck_assert_all(sdca_rows_create(2, 3, 0, false, &x) == SDCA_OK);
        x.row[0] = (sdca_row){ .y = 1.0 };
        x.row[1] = (sdca_row){ .y = -1.0 };
        x.row[2] = (sdca_row){ .start = 0 };
        ck_assert_all(sdca_dataset_create(comm, &x, true, NULL, &data) == SDCA_OK);
        objective = small_dataset_objective(loss, 1e-2, data);
        ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
        ck_assert_all(sdca_duality_gap_measure(comm, &objective, data,
                                               sdca_iterate_point(&iterate), NULL,
                                               &now) == SDCA_OK);
        ck_assert_double_le(now.gap, 1e-15);
        sdca_iterate_free(&iterate);
        sdca_dataset_free(data);
    }
}
END_TEST

/* NaN meets no target. */
START_TEST(no_number_is_small_enough)
{
    sdca_target      absolute = { .gap = 0.1 }, relative = { .rel_gap = 0.1 };
    sdca_certificate good = { .primal = 1.0, .dual = 0.95, .gap = 0.05 };
    sdca_certificate none = { .primal = NAN, .dual = 0.95, .gap = NAN };

    ck_assert(sdca_target_is_met(&absolute, &good) &&
              !sdca_target_is_met(&absolute, &none));
    ck_assert(sdca_target_is_met(&relative, &good) &&
              !sdca_target_is_met(&relative, &none));
    none.primal = 1.0;
    ck_assert(!sdca_target_is_met(&relative, &none));
}
END_TEST

/* Looks at all rows are few, and yet the end is found about as soon as by looking all the
 * time. */
START_TEST(a_run_ends_soon_after_its_target)
{
    static const int   losses[]  = { SDCA_LOSS_hinge, SDCA_LOSS_smooth_hinge,
                                     SDCA_LOSS_logistic, SDCA_LOSS_squared };
    sdca_dataset      *data      = small_dataset_create(6000, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(losses[_i], 1e-3, data);
    sdca_train_options options   = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                     .solver    = SDCA_SOLVER_SDCA,
                                     .rel_gap   = 1e-3,
                                     .seed      = 11 };
    sdca_iterate       seldom, always;
    sdca_train_result  guessing, looking;
    double             epochs, least;

    ck_assert_all(small_dataset_train(&objective, data, &options, &seldom, &guessing) ==
                  SDCA_OK);
    options.evaluation_interval = 0.125;
    ck_assert_all(small_dataset_train(&objective, data, &options, &always, &looking) ==
                  SDCA_OK);
    epochs = sdca_iterate_epochs(&objective, &seldom);
    least  = sdca_iterate_epochs(&objective, &always);
    ck_assert_double_le(epochs, 1.1 * least + 0.25);
    ck_assert_int_le((int)guessing.history.count, 3);
    sdca_history_free(&guessing.history);
    sdca_history_free(&looking.history);
    sdca_iterate_free(&seldom);
    sdca_iterate_free(&always);
    sdca_dataset_free(data);
}
END_TEST

/* Nor where ranks are bold, and steps lead to the ends of intervals, where the logistic
 * loss bends the dual more than anywhere else. */
START_TEST(the_dual_never_falls)
{
    sdca_dataset  *data = small_dataset_create(1000, COLUMNS, true, false);
    sdca_objective objective =
        small_dataset_objective(SDCA_LOSS_logistic, pow(10.0, -4 - _i), data);
    sdca_iterate     iterate;
    sdca_ascent      local;
    sdca_aggregation aggregate;
    sdca_certificate now;
    double           dual = 0.0;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_ascent_create(
                      data,
                      &(sdca_ascent_options){ .models      = 1,
                                              .order       = SDCA_ROW_ORDER_AUTO,
                                              .seed        = 5,
                                              .rank        = sdca_comm_rank(*world),
                                              .single_rank = sdca_comm_size(*world) == 1,
                                              .shrinking_fraction = 0.0,
                                              .only_unmoved       = false },
                      &local) == SDCA_OK);
    aggregate = sdca_aggregation_start(SDCA_AGGREGATION_LINE_SEARCH, 1.05,
                                       sdca_comm_size(*world));
    for (int round = 0; round < 25; round++) {
        sdca_round_totals totals = { .clock = 0.0 };

        sdca_ascent_run(&objective, data, &iterate, &local, &aggregate.sigma,
                        data->x.count);
        sdca_aggregation_round(*world, &objective, &iterate, &local, &aggregate, &totals);
        ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                               sdca_iterate_point(&iterate), NULL,
                                               &now) == SDCA_OK);
        ck_assert_double_ge(now.dual, dual - 1e-12 * now.primal);
        dual = now.dual;
    }
    sdca_ascent_free(&local);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Does a run end with a greater sigma than it had before? Collective. */
static bool ends_with_care(const sdca_objective *objective, const sdca_dataset *data,
                           uint64_t seed)
{
    sdca_train_options          options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                            .solver    = SDCA_SOLVER_SDCA,
                                            .rel_gap   = 1e-2,
                                            .seed      = seed };
    double                      ranks = sdca_comm_size(*world), least = INFINITY;
    sdca_iterate                iterate;
    sdca_train_result           result;
    const sdca_round_log_entry *last;
    bool                        careful;

    ck_assert_all(small_dataset_train(objective, data, &options, &iterate, &result) ==
                  SDCA_OK);
    last = &result.history.round_log.entries[result.history.round_log.count - 1];
    for (int64_t k = 0; k < result.history.round_log.count; k++) {
        least = fmin(least, result.history.round_log.entries[k].sigma);
    }
    ck_assert_double_le(last->sigma, ranks);
    careful = last->sigma >= fmin(ranks, 1.5 * least);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    return careful;
}

/* Near the end ranks become careful, so that P does not pay for what they do not know of
 * each other; at times luck ends a run before. */
START_TEST(w_settles_before_the_end)
{
    sdca_dataset  *data      = small_dataset_create(6000, COLUMNS, true, false);
    sdca_objective objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-5, data);
    int            careful   = 0;

    for (uint64_t seed = 0; seed < 5; seed++) {
        careful += ends_with_care(&objective, data, seed);
    }
    ck_assert_int_ge(careful, 3);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(same_seed_same_bits)
{
    sdca_dataset  *data        = small_dataset_create(300, COLUMNS, true, false);
    sdca_objective objective   = small_dataset_objective(SDCA_LOSS_logistic, 1e-3, data);
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .local_steps = 0.2,
                                   .rel_gap     = 1e-5,
                                   .seed        = 11 };
    sdca_iterate       one, two, other;
    sdca_train_result  first, second, third;
    size_t             bytes = COLUMNS * sizeof *one.w;

    ck_assert_all(small_dataset_train(&objective, data, &options, &one, &first) ==
                  SDCA_OK);
    ck_assert_all(small_dataset_train(&objective, data, &options, &two, &second) ==
                  SDCA_OK);
    options.seed = 12;
    ck_assert_all(small_dataset_train(&objective, data, &options, &other, &third) ==
                  SDCA_OK);
    ck_assert_all(memcmp(one.w, two.w, bytes) == 0);
    ck_assert_all(memcmp(one.w, other.w, bytes) != 0);
    ck_assert_all(first.history.count == second.history.count);
    ck_assert_double_eq(first.certificate.gap, second.certificate.gap);
    /* Different roads, one optimum. */
    ck_assert_double_le(fabs(first.certificate.primal - third.certificate.primal),
                        first.certificate.gap + third.certificate.gap);
    sdca_history_free(&first.history);
    sdca_history_free(&second.history);
    sdca_history_free(&third.history);
    sdca_iterate_free(&one);
    sdca_iterate_free(&two);
    sdca_iterate_free(&other);
    sdca_dataset_free(data);
}
END_TEST

/* The same rows in entries of 8 or 16 bytes in place of 6. Local. */
static void rewrite(sdca_dataset *data, bool wide)
{
    sdca_rows *x       = &data->x;
    int64_t    entries = x->row[x->count].start;
    sdca_rows  other   = *x;

    other.sparse16 = NULL;
    other.sparse32 = wide ? NULL : calloc((size_t)entries + 1, sizeof *other.sparse32);
    other.sparse64 = wide ? calloc((size_t)entries + 1, sizeof *other.sparse64) : NULL;
    ck_assert(x->sparse16 != NULL && (other.sparse32 != NULL || other.sparse64 != NULL));
    for (int64_t k = 0; k < entries; k++) {
        sdca_rows_set_entry(&other, k, (int32_t)sdca_rows_column(x, k),
                            sdca_rows_value(x, k));
    }
    free(x->sparse16);
    *x = other;
}

/* SDCA and Newton's method see what rows hold, not how they hold it. */
START_TEST(entries_of_any_width_give_the_same_bits)
{
    int                loss    = _i / 2;
    sdca_train_options options = { .solver    = _i % 2 == 0 ? SDCA_SOLVER_SDCA
                                                            : SDCA_SOLVER_NEWTON,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-4,
                                   .seed      = 3 };
    sdca_iterate       iterate;
    sdca_train_result  result;
    double             w[3][COLUMNS];
    double             gap[3];
    const size_t       size = sizeof w[0];

    for (int width = 0; width < 3; width++) {
        sdca_dataset *data =
            small_dataset_create(157, COLUMNS, sdca_losses[loss].classification, false);
        sdca_objective objective = small_dataset_objective(loss, 1e-2, data);

        if (width > 0) {
            rewrite(data, width == 2);
        }
        ck_assert_all(small_dataset_train(&objective, data, &options, &iterate,
                                          &result) == SDCA_OK);
        memcpy(w[width], iterate.w, size);
        gap[width] = result.certificate.gap;
        ck_assert_double_gt(fabs(w[width][0]) + fabs(w[width][1]), 0.0);
        sdca_history_free(&result.history);
        sdca_iterate_free(&iterate);
        sdca_dataset_free(data);
    }
    ck_assert_all(memcmp(w[0], w[1], size) == 0 && memcmp(w[0], w[2], size) == 0);
    ck_assert_all(gap[0] == gap[1] && gap[0] == gap[2]);
}
END_TEST

START_TEST(budgets_are_kept)
{
    sdca_dataset  *data        = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective objective   = small_dataset_objective(SDCA_LOSS_logistic, 1e-9, data);
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_ADD,
                                   .local_steps = 0.3,
                                   .rel_gap     = 1e-300 };
    sdca_iterate       iterate;
    sdca_train_result  result;

    options.epochs = 2;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_int_eq(iterate.steps, 2 * data->rows);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    options.epochs = 0;
    options.rounds = 5;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_int_eq(iterate.round, 5);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    options.rounds  = 0;
    options.seconds = 0.005;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_double_ge(result.times.total, 0.005);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* The gap does not fall in every round. A run that ends just after it rose keeps
 * the iterate with the least gap, rebuilt and certified afresh. */
START_TEST(the_best_iterate_is_kept)
{
    sdca_dataset      *data      = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-4, data);
    sdca_train_options options   = { .aggregate           = SDCA_AGGREGATION_ADD,
                                     .rel_gap             = 1e-300,
                                     .rounds              = 60,
                                     .local_steps         = 0.15,
                                     .evaluation_interval = 0.01 };
    sdca_iterate       iterate;
    sdca_train_result  result;
    int64_t            risen = 0;

    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    for (int64_t k = 1; k < result.history.count && risen == 0; k++) {
        risen = result.history.records[k].gap > result.history.records[k - 1].gap ? k : 0;
    }
    ck_assert_int_gt(risen, 0);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);

    options.rounds = risen;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_double_eq_tol(result.certificate.gap, result.history.records[risen - 1].gap,
                            1e-12);
    ck_assert_double_lt(result.certificate.gap, result.history.records[risen].gap);
    ck_assert_double_eq(inconsistency(&objective, data, &iterate), 0.0);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);

    options.output = SDCA_OUTPUT_LAST;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_double_eq(result.certificate.gap, result.history.records[risen].gap);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* The iterates to draw from are those between T0 and T: both must be known, and in this
 * order. An average without T goes on until the run ends. */
START_TEST(iterates_to_keep_must_exist)
{
    small_run run;
    static const struct {
        sdca_output_kind keep;
        int64_t          epochs;
        double           from;
        sdca_status      status;
    } cases[] = {
        { SDCA_OUTPUT_RANDOM, 0, 0.0, SDCA_USAGE },
        { SDCA_OUTPUT_RANDOM, 3, 3.0, SDCA_USAGE },
        { SDCA_OUTPUT_RANDOM, 3, 2.9, SDCA_BUDGET },
        { SDCA_OUTPUT_AVERAGE, 3, 3.5, SDCA_USAGE },
        { SDCA_OUTPUT_AVERAGE, 0, 1.0, SDCA_OK },
    };
    sdca_train_options options = { .aggregate    = SDCA_AGGREGATION_LINE_SEARCH,
                                   .output       = cases[_i].keep,
                                   .epochs       = cases[_i].epochs,
                                   .average_from = cases[_i].from,
                                   .rel_gap =
                                       cases[_i].status == SDCA_OK ? 0.5 : 1e-300 };

    run = small_run_train(60, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-2, &options);
    ck_assert_all(run.status == cases[_i].status);
    small_run_free(&run);
}
END_TEST

/* What is kept against the iterates themselves, one round at a time: a step each
 * alone, a third of the rows among others. The last part of a run counts. */
START_TEST(average_and_random_are_of_the_iterates)
{
    bool           averaged = _i == 0;
    int            ranks    = sdca_comm_size(*world);
    sdca_dataset  *data     = small_dataset_create(90, COLUMNS, true, false);
    sdca_objective objective =
        small_dataset_objective(SDCA_LOSS_smooth_hinge, 1e-2, data);
    sdca_train_options options  = { .aggregate    = SDCA_AGGREGATION_LINE_SEARCH,
                                    .order        = SDCA_ROW_ORDER_RANDOM,
                                    .output       = averaged ? SDCA_OUTPUT_AVERAGE
                                                             : SDCA_OUTPUT_RANDOM,
                                    .rel_gap      = 1e-300,
                                    .seed         = 4,
                                    .local_steps  = ranks == 1 ? 1.0 : 1.0 / 3.0,
                                    .epochs       = 3,
                                    .average_from = 1.3 };
    double             mean[91] = { 0.0 }, weight = 0.0, off = 0.0;
    bool               met  = false;
    int64_t            made = 0;
    sdca_iterate       kept, iterate;
    sdca_train_result  result;
    sdca_ascent        local;
    sdca_aggregation   aggregate;

    ck_assert_all(small_dataset_train(&objective, data, &options, &kept, &result) ==
                  SDCA_BUDGET);
    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(
        sdca_ascent_create(data,
                           &(sdca_ascent_options){ .models      = 1,
                                                   .order       = options.order,
                                                   .seed        = options.seed,
                                                   .rank        = sdca_comm_rank(*world),
                                                   .single_rank = ranks == 1,
                                                   .shrinking_fraction = 0.0,
                                                   .only_unmoved       = false },
                           &local) == SDCA_OK);
    aggregate = sdca_aggregation_start(options.aggregate, 0.0, sdca_comm_size(*world));
    ck_assert_all(sdca_aggregation_deflate(*world, data, &local, &aggregate) == SDCA_OK);
    while (iterate.steps < 3 * data->rows) {
        int64_t           before = iterate.steps;
        int64_t           left   = 3 * (int64_t)data->x.count - made;
        int64_t           steps  = ranks == 1 ? 1 : (int64_t)rint(data->x.count / 3.0);
        sdca_round_totals totals = { .clock = 0.0 };
        double            count;
        double            old[91];

        for (uint32_t i = 0; i < data->x.count; i++) {
            old[i] = iterate.row[i].alpha;
        }
        steps = steps < left ? steps : left;
        made += steps;
        sdca_ascent_run(&objective, data, &iterate, &local, &aggregate.sigma, steps);
        sdca_aggregation_round(*world, &objective, &iterate, &local, &aggregate, &totals);
        count = fmax(0.0, (double)iterate.steps -
                              fmax((double)before, 1.3 * (double)data->rows));
        for (uint32_t i = 0; i < data->x.count; i++) {
            mean[i] += count * old[i];
        }
        weight += count;
        if ((double)iterate.steps > 1.3 * (double)data->rows) {
            double away = 0.0;

            for (uint32_t i = 0; i < data->x.count; i++) {
                away = fmax(away, fabs(iterate.row[i].alpha - kept.row[i].alpha));
            }
            sdca_comm_allreduce_max(*world, &away, 1);
            met = met || away == 0.0;
        }
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        off = fmax(off, fabs(mean[i] / weight - kept.row[i].alpha));
    }
    ck_assert_all(averaged ? off < 1e-13 : met);
    ck_assert_double_eq(inconsistency(&objective, data, &kept), 0.0);
    sdca_ascent_free(&local);
    sdca_history_free(&result.history);
    sdca_iterate_free(&kept);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* The approximate step of the logistic loss leads to the same optimum, and the
 * start with SGD as well. */
START_TEST(other_ways_lead_to_the_same_optimum)
{
    sdca_dataset  *data        = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective objective   = small_dataset_objective(SDCA_LOSS_logistic, 1e-2, data);
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-8 };
    double             primal[3];

    for (int k = 0; k < 3; k++) {
        sdca_iterate      iterate;
        sdca_train_result result;

        options.approximate_step = k == 1;
        options.sgd_start        = k == 2;
        ck_assert_all(small_dataset_train(&objective, data, &options, &iterate,
                                          &result) == SDCA_OK);
        ck_assert_double_eq(inconsistency(&objective, data, &iterate), 0.0);
        primal[k] = result.certificate.primal;
        sdca_history_free(&result.history);
        sdca_iterate_free(&iterate);
    }
    ck_assert_double_eq_tol(primal[0], primal[1], 1e-8);
    ck_assert_double_eq_tol(primal[0], primal[2], 1e-8);
    sdca_dataset_free(data);
}
END_TEST

/* A start with SGD may spoil a state that was better: what is kept is the best. */
START_TEST(the_state_before_sgd_may_be_the_best)
{
    sdca_dataset        *data      = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective       objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    sdca_train_options   options   = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                       .rel_gap   = 1e-4 };
    sdca_train_callbacks nobody    = { .context = NULL };
    sdca_train_result    good, result = { 0 };
    sdca_iterate         iterate;

    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &good) ==
                  SDCA_OK);
    options.sgd_start   = true;
    options.rel_gap     = 1e-300;
    options.local_steps = 0.02;
    options.rounds      = iterate.round + 3;
    ck_assert_all(sdca_trainer_run(*world, &objective, data, &options, &nobody, NULL,
                                   &iterate, &result) == SDCA_BUDGET);
    ck_assert_all(result.history.records[1].gap > 2.0 * good.certificate.gap);
    ck_assert_all(result.certificate.gap <= 1.0001 * good.certificate.gap);
    sdca_history_free(&good.history);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* SGD's w is certified by a dual of its own, and gets better; it is not for
 * several ranks. */
START_TEST(sgd_is_certified_as_well)
{
    sdca_dataset  *data = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective objective =
        small_dataset_objective(SDCA_LOSS_smooth_hinge, 1e-1, data);
    sdca_train_options options = { .solver  = SDCA_SOLVER_SGD,
                                   .rel_gap = 1e-300,
                                   .epochs  = 50 };
    sdca_iterate       iterate;
    sdca_train_result  result;
    sdca_status        status =
        small_dataset_train(&objective, data, &options, &iterate, &result);

    if (sdca_comm_size(*world) > 1) {
        ck_assert_all(status == SDCA_USAGE);
    } else {
        ck_assert_int_eq(status, SDCA_BUDGET);
        ck_assert_double_ge(result.certificate.gap, 0.0);
        ck_assert_double_lt(result.certificate.gap, 0.05);
        ck_assert_int_eq(iterate.steps, 50 * data->rows);
    }
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Newton's iterates are few, and have a start of their own. */
START_TEST(newton_has_no_average)
{
    small_run          run;
    sdca_train_options options = { .solver = SDCA_SOLVER_NEWTON,
                                   .output =
                                       _i == 0 ? SDCA_OUTPUT_AVERAGE : SDCA_OUTPUT_BEST,
                                   .sgd_start = _i == 1,
                                   .epochs    = 2 };

    run = small_run_train(200, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-1, &options);
    ck_assert_all(run.status == SDCA_USAGE);
    small_run_free(&run);
}
END_TEST

/* What a run has told after its rounds. */
typedef struct told {
    double        rounds;
    bool          sound;
    sdca_progress last;
    const double  target;
} told;

static void take_moment(void *context, const sdca_progress *now)
{
    told *t = context;

    t->rounds++;
    t->sound = t->sound && now->round == t->rounds && now->epoch > t->last.epoch &&
               now->seconds >= t->last.seconds && now->communication_fraction >= 0.0 &&
               now->communication_fraction < 1.0 && now->gap > 0.0 &&
               now->target_gap == t->target;
    t->last = *now;
}

/* Every round is told, with the gap as it is or as it is guessed. */
START_TEST(rounds_are_told_between_evaluations)
{
    sdca_dataset        *data      = small_dataset_create(300, COLUMNS, true, false);
    sdca_objective       objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-2, data);
    sdca_train_options   options   = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                       .order       = _i == 0 ? SDCA_ROW_ORDER_AUTO
                                                              : SDCA_ROW_ORDER_CYCLIC,
                                       .local_steps = 0.2,
                                       .gap         = 1e-5 };
    told                 t         = { .sound = true, .target = 1e-5 };
    sdca_train_callbacks callbacks = { .context = &t, .on_progress = take_moment };
    sdca_iterate         iterate;
    sdca_train_result    result = { 0 };
    bool                 between;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_trainer_run(*world, &objective, data, &options, &callbacks, NULL,
                                   &iterate, &result) == SDCA_OK);
    between = t.rounds > (double)result.history.count;
    ck_assert_all(t.sound && between && t.rounds == (double)iterate.round);
    ck_assert_all(t.last.gap < 1e-3 && t.last.gap > 1e-7);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* A corrupted alpha or w must not be certified. */
START_TEST(an_impossible_gap_is_a_defect)
{
    sdca_dataset    *data      = small_dataset_create(50, COLUMNS, true, false);
    sdca_objective   objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-2, data);
    sdca_iterate     iterate;
    sdca_certificate now;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    if (data->x.count > 0) {
        iterate.row[0].alpha = 2.0 * data->x.row[0].y; /* infeasible */
    }
    iterate.w[0] = NAN;
    ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                           sdca_iterate_point(&iterate), NULL,
                                           &now) == SDCA_DEFECT);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, every_round_keeps_the_invariants, 0, SETTINGS);
    tcase_add_loop_test(tests, a_step_allows_for_the_others, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, rounds_end_where_sweeps_do, 0, 4);
    tcase_add_loop_test(tests, the_line_search_finds_the_best_step, 0,
                        2 * SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, every_rule_and_loss_reaches_the_target, 0, SETTINGS);
    tcase_add_test(tests, the_gap_falls_beyond_the_digits_of_the_dual);
    tcase_add_test(tests, large_values_are_learnt_from);
    tcase_add_loop_test(tests, ranks_without_rows_take_part, 1, 5);
    tcase_add_test(tests, rows_of_zeros_are_at_their_best_from_the_start);
    tcase_add_test(tests, no_number_is_small_enough);
    tcase_add_loop_test(tests, a_run_ends_soon_after_its_target, 0, 4);
    tcase_add_loop_test(tests, the_dual_never_falls, 0, 5);
    tcase_add_test(tests, w_settles_before_the_end);
    tcase_add_test(tests, same_seed_same_bits);
    tcase_add_loop_test(tests, entries_of_any_width_give_the_same_bits, 0,
                        2 * SDCA_LOSS_COUNT);
    tcase_add_test(tests, budgets_are_kept);
    tcase_add_test(tests, the_best_iterate_is_kept);
    tcase_add_loop_test(tests, iterates_to_keep_must_exist, 0, 5);
    tcase_add_loop_test(tests, average_and_random_are_of_the_iterates, 0, 2);
    tcase_add_test(tests, other_ways_lead_to_the_same_optimum);
    tcase_add_test(tests, the_state_before_sgd_may_be_the_best);
    tcase_add_test(tests, sgd_is_certified_as_well);
    tcase_add_loop_test(tests, newton_has_no_average, 0, 2);
    tcase_add_loop_test(tests, rounds_are_told_between_evaluations, 0, 2);
    tcase_add_test(tests, an_impossible_gap_is_a_defect);
}
