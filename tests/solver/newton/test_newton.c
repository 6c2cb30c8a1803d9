/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_newton.c - Newton's rounds: feasible, certified, the same for any ranks. */
#include "solver/newton/newton.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"
#include "train/trainer.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { COLUMNS = 60, LAMBDAS = 3, SETTINGS = SDCA_LOSS_COUNT * LAMBDAS * 2 };

static const double lambdas[LAMBDAS] = { 1e-1, 1e-3, 1e-5 };

/* One case: every loss, from much to little regularisation, both widths of values. */
typedef struct setting {
    int    loss;
    double lambda;
    bool   wide;
} setting;

static setting nth_setting(int k)
{
    return (setting){ k % SDCA_LOSS_COUNT, lambdas[k / SDCA_LOSS_COUNT % LAMBDAS],
                      k / SDCA_LOSS_COUNT / LAMBDAS == 1 };
}

static sdca_dataset *data_for(setting s, int64_t rows)
{
    return small_dataset_create(rows, COLUMNS, sdca_losses[s.loss].classification,
                                s.wide);
}

/* Goes on for ever. */
static sdca_newton_votes tell_clock(void *context)
{
    (void)context;
    return (sdca_newton_votes){ .clock = 1.0 };
}

static const sdca_newton_callback clock_only = { .vote = tell_clock };
static const sdca_newton_callback nobody     = { .vote = NULL };

/* What each round says of itself is what gap.c finds, and never impossible. */
START_TEST(every_round_is_feasible_and_certified)
{
    setting        s         = nth_setting(_i);
    sdca_dataset  *data      = data_for(s, 300);
    sdca_objective objective = small_dataset_objective(s.loss, s.lambda, data);
    double         dual_w[COLUMNS + 1];
    sdca_iterate   iterate;
    sdca_newton    newton;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_newton_create(data, &iterate, &newton) == SDCA_OK);
    for (int round = 1; round <= 12; round++) {
        sdca_certificate found;

        ck_assert_all(sdca_newton_round(*world, &objective, data, &newton, 1e-6, &iterate,
                                        clock_only));
        ck_assert_all(small_dataset_is_feasible(&objective, data, &iterate));
        ck_assert_all(sdca_duality_gap_certify_pair(*world, &objective, data,
                                                    sdca_iterate_point(&iterate), 0.0,
                                                    dual_w, &found) == SDCA_OK);
        ck_assert_double_ge(newton.certificate.gap, 0.0);
        ck_assert_double_eq_tol(newton.certificate.primal, found.primal,
                                1e-12 * found.primal);
        ck_assert_double_eq_tol(newton.certificate.gap, found.gap,
                                1e-9 * (found.primal + found.gap));
        ck_assert_double_eq(newton.total_votes.clock, sdca_comm_size(*world));
        ck_assert_int_eq(iterate.round, round);
        ck_assert_int_eq(iterate.steps, round * data->rows);
    }
    sdca_newton_free(&newton);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* P of a run with that solver to a relative gap, in at most so many rounds. */
static double optimum(const sdca_objective *objective, const sdca_dataset *data,
                      sdca_solver solver, double rel_gap, int64_t rounds)
{
    sdca_train_options options = { .solver    = solver,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = rel_gap,
                                   .rounds    = rounds };
    sdca_iterate       iterate;
    sdca_train_result  result;
    double             primal;

    ck_assert_all(small_dataset_train(objective, data, &options, &iterate, &result) ==
                  SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&result.certificate), rel_gap);
    ck_assert_double_ge(result.certificate.gap, 0.0);
    primal = result.certificate.primal;
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    return primal;
}

START_TEST(few_rounds_lead_to_the_optimum)
{
    setting        s         = nth_setting(_i);
    sdca_dataset  *data      = data_for(s, 300);
    sdca_objective objective = small_dataset_objective(s.loss, s.lambda, data);
    double         newton    = optimum(&objective, data, SDCA_SOLVER_NEWTON, 1e-9, 60);

    if (s.lambda > (sdca_comm_size(*world) == 1 ? 1e-4 : 1e-2)) { /* else for long */
        double sdca = optimum(&objective, data, SDCA_SOLVER_SDCA, 1e-9, 0);

        ck_assert_double_eq_tol(newton, sdca, 1e-9 * fmax(newton, sdca));
    }
    sdca_dataset_free(data);
}
END_TEST

/* The same rounds by all ranks together and by each one alone, on all rows. */
START_TEST(the_number_of_ranks_changes_nothing_but_rounding)
{
    setting       s    = nth_setting(_i);
    sdca_dataset *ours = data_for(s, 300);
    sdca_dataset *mine = small_dataset_create_on(
        MPI_COMM_SELF, 300, COLUMNS, sdca_losses[s.loss].classification, s.wide);
    sdca_objective objective = small_dataset_objective(s.loss, s.lambda, ours);
    sdca_iterate   together, alone;
    sdca_newton    shared, own;

    ck_assert_all(sdca_iterate_create(*world, &objective, ours, &together) == SDCA_OK);
    ck_assert_all(sdca_iterate_create(MPI_COMM_SELF, &objective, mine, &alone) ==
                  SDCA_OK);
    ck_assert_all(sdca_newton_create(ours, &together, &shared) == SDCA_OK);
    ck_assert_all(sdca_newton_create(mine, &alone, &own) == SDCA_OK);
    for (int round = 0; round < 6; round++) {
        double apart = 0.0, norm = 0.0;

        sdca_newton_round(*world, &objective, ours, &shared, 1e-4, &together, nobody);
        sdca_newton_round(MPI_COMM_SELF, &objective, mine, &own, 1e-4, &alone, nobody);
        for (int32_t j = 0; j < COLUMNS; j++) {
            apart = fmax(apart, fabs(together.w[j] - alone.w[j]));
            norm  = fmax(norm, fabs(alone.w[j]));
        }
        ck_assert_all(apart <= 1e-7 * norm);
        ck_assert_all(fabs(shared.certificate.gap - own.certificate.gap) <=
                      1e-7 * (own.certificate.gap + own.certificate.primal));
        ck_assert_double_eq_tol(shared.linearization.smoothing_width,
                                own.linearization.smoothing_width,
                                1e-6 * own.linearization.smoothing_width);
    }
    ck_assert_all(own.bytes == 0 && (shared.bytes > 0) == (sdca_comm_size(*world) > 1));
    sdca_newton_free(&shared);
    sdca_newton_free(&own);
    sdca_iterate_free(&together);
    sdca_iterate_free(&alone);
    sdca_dataset_free(ours);
    sdca_dataset_free(mine);
}
END_TEST

/* Very many rows for the columns: the first round begins on some of them, the same for
 * any ranks, and ends on all. */
START_TEST(a_sample_of_many_rows_comes_first)
{
    enum { MANY = 8000 };
    bool          samples = _i != SDCA_LOSS_squared; /* which is done in one round */
    bool          wide    = _i % 2 == 0;
    sdca_dataset *ours =
        small_dataset_create(MANY, COLUMNS, sdca_losses[_i].classification, wide);
    sdca_dataset    *mine      = small_dataset_create_on(MPI_COMM_SELF, MANY, COLUMNS,
                                                         sdca_losses[_i].classification, wide);
    sdca_objective   objective = small_dataset_objective(_i, 1e-3, ours);
    double           dual_w[COLUMNS + 1];
    sdca_iterate     together, alone;
    sdca_newton      shared, own;
    sdca_certificate found;

    ck_assert_all(sdca_iterate_create(*world, &objective, ours, &together) == SDCA_OK);
    ck_assert_all(sdca_iterate_create(MPI_COMM_SELF, &objective, mine, &alone) ==
                  SDCA_OK);
    ck_assert_all(sdca_newton_create(ours, &together, &shared) == SDCA_OK);
    ck_assert_all(sdca_newton_create(mine, &alone, &own) == SDCA_OK);
    for (int round = 0; round < 3; round++) {
        sdca_newton_round(*world, &objective, ours, &shared, 1e-5, &together, nobody);
        sdca_newton_round(MPI_COMM_SELF, &objective, mine, &own, 1e-5, &alone, nobody);
        ck_assert_all((round + 1) * MANY + (samples ? MANY / 8 : 0) <= alone.steps);
        ck_assert_all(alone.steps < (round + 5) * MANY);
        ck_assert_all(together.steps == alone.steps);
        for (int32_t j = 0; j < COLUMNS; j++) {
            ck_assert_double_eq_tol(together.w[j], alone.w[j], 1e-7);
        }
        ck_assert_all(sdca_duality_gap_certify_pair(*world, &objective, ours,
                                                    sdca_iterate_point(&together), 0.0,
                                                    dual_w, &found) == SDCA_OK);
        ck_assert_double_eq_tol(shared.certificate.primal, found.primal,
                                1e-12 * found.primal);
        ck_assert_double_eq_tol(shared.certificate.gap, found.gap,
                                1e-9 * (found.primal + found.gap));
    }
    ck_assert_double_le(found.gap, 0.05 * found.primal);
    sdca_newton_free(&shared);
    sdca_newton_free(&own);
    sdca_iterate_free(&together);
    sdca_iterate_free(&alone);
    sdca_dataset_free(ours);
    sdca_dataset_free(mine);
}
END_TEST

/* Votes for stopping at the k-th poll of one rank, once. */
typedef struct stop {
    int  polls;
    int  at;
    bool late;
} stop;

static sdca_newton_votes stop_once(void *context)
{
    stop *s   = context;
    bool  now = ++s->polls == s->at && sdca_comm_rank(*world) == 0;

    return (sdca_newton_votes){ .stop_requested = now && !s->late,
                                .out_of_time    = now && s->late };
}

static bool same_state(const sdca_snapshot *a, const sdca_iterate *b)
{
    bool same = a->round == b->round && a->steps == b->steps &&
                memcmp(a->w, b->w, (size_t)b->columns * sizeof *a->w) == 0;

    for (uint32_t i = 0; i < b->rows; i++) {
        same = same && a->alpha[i] == b->row[i].alpha;
    }
    return same;
}

/* Stopped at any place, a round leaves the state where it began, and is made again bit by
 * bit: the first one, with a sample, and others. */
START_TEST(a_round_that_is_stopped_is_made_again)
{
    enum { MANY = 8000, ROUNDS = 3 };
    sdca_dataset *data =
        small_dataset_create(MANY, COLUMNS, sdca_losses[_i].classification, _i % 2 == 0);
    sdca_objective objective = small_dataset_objective(_i, 1e-3, data);
    sdca_iterate   whole, iterate;
    sdca_snapshot  before;
    sdca_newton    straight, newton;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &whole) == SDCA_OK);
    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_snapshot_create(&iterate, &before) == SDCA_OK);
    ck_assert_all(sdca_newton_create(data, &iterate, &straight) == SDCA_OK);
    ck_assert_all(sdca_newton_create(data, &iterate, &newton) == SDCA_OK);
    for (int round = 0; round < ROUNDS; round++) {
        bool done = false;

        ck_assert_all(
            sdca_newton_round(*world, &objective, data, &straight, 1e-9, &whole, nobody));
        sdca_snapshot_save(&iterate, &before);
        for (int at = 1; !done; at += 1 + at / 3) {
            stop             s   = { .at = at, .late = at % 2 == 0 };
            sdca_certificate was = newton.certificate;

            done = sdca_newton_round(*world, &objective, data, &newton, 1e-9, &iterate,
                                     (sdca_newton_callback){ &s, stop_once });
            ck_assert_all(done || (same_state(&before, &iterate) &&
                                   memcmp(&was, &newton.certificate, sizeof was) == 0));
            ck_assert_all(
                (newton.total_votes.stop_requested + newton.total_votes.out_of_time >
                 0.0) == !done);
        }
        sdca_snapshot_save(&whole, &before);
        ck_assert_all(same_state(&before, &iterate));
        ck_assert_all(memcmp(&straight.certificate, &newton.certificate,
                             sizeof newton.certificate) == 0);
        ck_assert_all(straight.bytes == newton.bytes);
    }
    sdca_newton_free(&straight);
    sdca_newton_free(&newton);
    sdca_iterate_free(&whole);
    sdca_iterate_free(&iterate);
    sdca_snapshot_free(&before);
    sdca_dataset_free(data);
}
END_TEST

/* From where the logistic loss is nearly straight, Newton's own step goes much too far.
 */
START_TEST(a_step_that_leads_astray_is_taken_back)
{
    sdca_dataset  *data      = small_dataset_create(300, COLUMNS, true, false);
    sdca_objective objective = small_dataset_objective(SDCA_LOSS_logistic, 1e-4, data);
    double         before    = INFINITY;
    sdca_iterate   iterate;
    sdca_newton    newton;

    ck_assert_all(sdca_iterate_create(*world, &objective, data, &iterate) == SDCA_OK);
    ck_assert_all(sdca_newton_create(data, &iterate, &newton) == SDCA_OK);
    for (int32_t j = 0; j < COLUMNS; j++) {
        iterate.w[j] = j % 3 == 0 ? 30.0 : -40.0;
    }
    for (int round = 0; round < 40; round++) {
        sdca_newton_round(*world, &objective, data, &newton, 1e-6, &iterate, nobody);
        ck_assert_double_le(newton.certificate.primal, before * (1.0 + 1e-8));
        before = newton.certificate.primal;
    }
    ck_assert_double_le(newton.certificate.gap, 1e-6);
    sdca_newton_free(&newton);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Fewer rows than ranks leave ranks without any; one row is the least. */
START_TEST(ranks_without_rows_take_part)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        sdca_dataset *data =
            small_dataset_create(_i, COLUMNS, sdca_losses[loss].classification, false);
        sdca_objective objective = small_dataset_objective(loss, 1e-1, data);

        optimum(&objective, data, SDCA_SOLVER_NEWTON, 1e-8, 60);
        sdca_dataset_free(data);
    }
}
END_TEST

/* The matrix is singular but for lambda: a column twice, another never used. */
START_TEST(columns_may_depend_on_each_other)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        MPI_Comm       comm = *world;
        sdca_rows      x;
        sdca_dataset  *data = NULL;
        sdca_objective objective;

        ck_assert_all(sdca_rows_create(4, 3, 8, true, &x) == SDCA_OK);
        for (int i = 0; i < 4; i++) {
            double y = i % 2 == 0 ? 1.0 : -1.0;

            x.row[i].y         = y;
            x.row[i + 1].start = 2 * (i + 1);
            sdca_rows_set_entry(&x, 2 * i, 0, 1.0 + i + y);
            sdca_rows_set_entry(&x, 2 * i + 1, 2, 1.0 + i + y);
        }
        ck_assert_all(sdca_dataset_create(comm, &x, true, NULL, &data) == SDCA_OK);
        objective = small_dataset_objective(loss, 1e-12, data);
        optimum(&objective, data, SDCA_SOLVER_NEWTON, 1e-3, 100);
        sdca_dataset_free(data);
    }
}
END_TEST

/* A run begins with the certificate of the state that it is given. */
START_TEST(a_state_from_elsewhere_is_looked_at_first)
{
    sdca_dataset        *data      = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective       objective = small_dataset_objective(_i, 1e-3, data);
    sdca_train_options   first     = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 0.1 };
    sdca_train_options   second    = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-6 };
    sdca_train_callbacks none      = { .context = NULL };
    sdca_iterate         iterate;
    sdca_train_result    begun, ended;

    memset(&ended, 0, sizeof ended);
    ck_assert_all(small_dataset_train(&objective, data, &first, &iterate, &begun) ==
                  SDCA_OK);
    ck_assert_all(sdca_trainer_run(*world, &objective, data, &second, &none, NULL,
                                   &iterate, &ended) == SDCA_OK);
    ck_assert_double_eq_tol(ended.history.records[0].primal, begun.certificate.primal,
                            1e-12);
    ck_assert_double_eq_tol(ended.history.records[0].gap, begun.certificate.gap, 1e-9);
    ck_assert_double_le(ended.certificate.primal, begun.certificate.primal + 1e-12);
    ck_assert_double_gt(ended.certificate.primal, 0.0);
    ck_assert_double_le(sdca_duality_gap_relative(&ended.certificate), 1e-6);
    sdca_history_free(&begun.history);
    sdca_history_free(&ended.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Budgets, and what is kept, are as for SDCA. */
START_TEST(budgets_are_kept)
{
    sdca_dataset      *data      = small_dataset_create(200, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    sdca_train_options options   = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-300 };
    sdca_iterate       iterate;
    sdca_train_result  result;

    options.rounds = 3;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_int_eq(iterate.round, 3);
    ck_assert_int_eq(result.history.count, 4);
    for (int64_t k = 0; k < result.history.count; k++) {
        ck_assert_double_le(result.certificate.gap,
                            result.history.records[k].gap * (1.0 + 1e-9));
    }
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    options.rounds = 0;
    options.epochs = 2;
    ck_assert_all(small_dataset_train(&objective, data, &options, &iterate, &result) ==
                  SDCA_BUDGET);
    ck_assert_int_eq(iterate.steps, 2 * data->rows);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* A target beyond rounding is given up: SDCA takes over, and ends in turn. */
START_TEST(a_run_always_ends)
{
    sdca_dataset      *data      = small_dataset_create(60, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(_i, 1e-2, data);
    sdca_train_options options   = { .solver    = SDCA_SOLVER_NEWTON,
                                     .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                     .rel_gap   = 1e-300 };
    sdca_iterate       iterate;
    sdca_train_result  result;
    sdca_status        status =
        small_dataset_train(&objective, data, &options, &iterate, &result);

    ck_assert_all(status == SDCA_BUDGET || status == SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&result.certificate), 1e-10);
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(what_it_cannot_do_is_refused)
{
    sdca_dataset *few = small_dataset_create(20, COLUMNS, true, false);
    sdca_dataset *many =
        small_dataset_create(20, SDCA_NEWTON_MAX_COLUMNS + 5, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-2, few);
    sdca_train_options options   = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-3 };
    sdca_iterate       iterate;
    sdca_train_result  result;

    ck_assert_all(small_dataset_train(&objective, many, &options, &iterate, &result) ==
                  SDCA_USAGE);
    sdca_iterate_free(&iterate);
    options.output = SDCA_OUTPUT_AVERAGE;
    ck_assert_all(small_dataset_train(&objective, few, &options, &iterate, &result) ==
                  SDCA_USAGE);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(few);
    sdca_dataset_free(many);
}
END_TEST

/* Sizes like those of sets on which both were measured, with rows of length 1. */
static const sdca_dataset a9a = {
    .rows = 32561, .nonzeros = 451592, .columns = 123, .mean_norm2 = 1.0
};
static const sdca_dataset cov1 = {
    .rows = 522911, .nonzeros = 6246385, .columns = 54, .mean_norm2 = 1.0
};

static bool pays_for(int models, const sdca_dataset *data, const char *loss,
                     double lambda, double target, int ranks)
{
    sdca_objective objective = sdca_objective_with_lambda(
        sdca_loss_find(loss), 0.0, lambda, data->rows, data->total_weight);

    return sdca_newton_is_faster(&objective, data, target, ranks, models);
}

static bool pays(const sdca_dataset *data, const char *loss, double lambda, double target,
                 int ranks)
{
    return pays_for(1, data, loss, lambda, target, ranks);
}

START_TEST(newton_is_chosen_where_it_is_faster)
{
    sdca_dataset other = a9a;

    ck_assert(pays(&a9a, "hinge", 1e-6, 1e-4, 1));
    ck_assert(!pays(&a9a, "hinge", 1e-4, 1e-4, 1));
    ck_assert(pays(&cov1, "hinge", 1e-6, 1e-4, 8));
    ck_assert(pays(&cov1, "logistic", 1e-6, 1e-4, 8));
    ck_assert(pays(&a9a, "logistic", 1e-4, 1e-6, 1));
    ck_assert(!pays(&a9a, "hinge", 1e-6, 1e-11, 1)); /* beyond rounding */
    ck_assert(pays(&cov1, "logistic", 1e-6, 1e-13, 1));
    ck_assert(!pays(&cov1, "logistic", 1e-6, 1e-15, 1));
    ck_assert(pays(&cov1, "logistic", 1e-6, 1e-4, 1));
    ck_assert(!pays_for(8, &cov1, "logistic", 1e-6, 1e-4, 1)); /* SDCA has lanes */
    ck_assert(pays_for(8, &a9a, "hinge", 1e-6, 1e-4, 1));
    other.mean_norm2 = 100.0; /* long rows */
    ck_assert(pays(&other, "hinge", 1e-4, 1e-4, 1));
    other.columns = 50000;
    ck_assert(!pays(&other, "hinge", 1e-4, 1e-4, 1));
    other         = a9a;
    other.columns = 900; /* each solution takes longer than several passes */
    ck_assert(!pays(&other, "logistic", 1e-4, 1e-6, 1));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, every_round_is_feasible_and_certified, 0, SETTINGS);
    tcase_add_loop_test(tests, few_rounds_lead_to_the_optimum, 0, SETTINGS);
    tcase_add_loop_test(tests, the_number_of_ranks_changes_nothing_but_rounding, 0,
                        SETTINGS);
    tcase_add_loop_test(tests, a_sample_of_many_rows_comes_first, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, a_round_that_is_stopped_is_made_again, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, a_step_that_leads_astray_is_taken_back);
    tcase_add_loop_test(tests, ranks_without_rows_take_part, 1, 5);
    tcase_add_test(tests, columns_may_depend_on_each_other);
    tcase_add_loop_test(tests, a_state_from_elsewhere_is_looked_at_first, 0,
                        SDCA_LOSS_COUNT);
    tcase_add_test(tests, budgets_are_kept);
    tcase_add_loop_test(tests, a_run_always_ends, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, what_it_cannot_do_is_refused);
    tcase_add_test(tests, newton_is_chosen_where_it_is_faster);
}
