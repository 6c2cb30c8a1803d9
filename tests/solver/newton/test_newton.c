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
static const sdca_target     sharp = { .gap = 0.0 };

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

/* Never stops a run. */
static sdca_newton_votes tell_clock(void *context)
{
    (void)context;
    return (sdca_newton_votes){ .clock = 1.0 };
}

static const sdca_newton_callback clock_only = { .vote = tell_clock };
static const sdca_newton_callback nobody     = { .vote = NULL };

/* The certificate of each round is that of duality_gap.c, and alpha is feasible. */
START_TEST(every_round_is_feasible_and_certified)
{
    setting     s   = nth_setting(_i);
    small_run   run = small_run_start(300, COLUMNS, s.loss, s.lambda, s.wide);
    double      dual_w[COLUMNS + 1];
    sdca_newton newton;
    ck_assert_all(sdca_newton_create(run.data, &run.iterate, &newton) == SDCA_OK);
    for (int round = 1; round <= 12; round++) {
        sdca_certificate found;

        ck_assert_all(sdca_newton_round(*world, &run.objective, run.data, &newton, 1e-6,
                                        &run.iterate, clock_only));
        ck_assert_all(small_run_is_feasible(&run));
        ck_assert_all(sdca_duality_gap_certify_pair(*world, &run.objective, run.data,
                                                    sdca_iterate_point(&run.iterate),
                                                    &sharp, dual_w, &found) == SDCA_OK);
        ck_assert_double_ge(newton.certificate.gap, 0.0);
        ck_assert_double_eq_tol(newton.certificate.primal, found.primal,
                                1e-12 * found.primal);
        ck_assert_double_eq_tol(newton.certificate.gap, found.gap,
                                1e-9 * (found.primal + found.gap));
        ck_assert_double_eq(newton.total_votes.clock, sdca_comm_size(*world));
        ck_assert_int_eq(run.iterate.round, round);
        ck_assert_int_eq(run.iterate.steps, round * run.data->rows);
    }
    sdca_newton_free(&newton);
    small_run_free(&run);
}
END_TEST

/* P after a training from the start with that solver to a relative gap, in at most this
 * number of rounds. */
static double optimum(small_run *run, sdca_solver solver, double rel_gap, int64_t rounds)
{
    sdca_train_options options = { .solver    = solver,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = rel_gap,
                                   .rounds    = rounds };

    ck_assert_all(small_run_again(run, &options) == SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&run->result.certificate), rel_gap);
    ck_assert_double_ge(run->result.certificate.gap, 0.0);
    return run->result.certificate.primal;
}

START_TEST(few_rounds_lead_to_the_optimum)
{
    setting   s      = nth_setting(_i);
    small_run run    = small_run_start(300, COLUMNS, s.loss, s.lambda, s.wide);
    double    newton = optimum(&run, SDCA_SOLVER_NEWTON, 1e-9, 60);

    if (s.lambda > (sdca_comm_size(*world) == 1 ? 1e-4 : 1e-2)) { /* else too slow */
        double sdca = optimum(&run, SDCA_SOLVER_SDCA, 1e-9, 0);

        ck_assert_double_eq_tol(newton, sdca, 1e-9 * fmax(newton, sdca));
    }
    small_run_free(&run);
}
END_TEST

/* Newton's rounds on a run. */
typedef struct rounds {
    small_run   run;
    sdca_newton newton;
} rounds;

static rounds rounds_start(small_run run)
{
    rounds r = { .run = run };

    ck_assert_all(sdca_newton_create(run.data, &r.run.iterate, &r.newton) == SDCA_OK);
    return r;
}

static void rounds_free(rounds *r)
{
    sdca_newton_free(&r->newton);
    small_run_free(&r->run);
}

static bool make_round(rounds *r, double target_gap, sdca_newton_callback callback)
{
    return sdca_newton_round(r->run.comm, &r->run.objective, r->run.data, &r->newton,
                             target_gap, &r->run.iterate, callback);
}

/* The same rounds by all ranks together and by each one alone, on all rows. */
START_TEST(the_number_of_ranks_changes_nothing_but_rounding)
{
    setting s     = nth_setting(_i);
    rounds shared = rounds_start(small_run_start(300, COLUMNS, s.loss, s.lambda, s.wide));
    rounds own    = rounds_start(
           small_run_start_on(MPI_COMM_SELF, 300, COLUMNS, s.loss, s.lambda, s.wide));
    const sdca_certificate *found = &shared.newton.certificate;
    const sdca_certificate *alone = &own.newton.certificate;

    for (int round = 0; round < 6; round++) {
        double apart = 0.0, norm = 0.0;

        make_round(&shared, 1e-4, nobody);
        make_round(&own, 1e-4, nobody);
        for (int32_t j = 0; j < COLUMNS; j++) {
            apart = fmax(apart, fabs(shared.run.iterate.w[j] - own.run.iterate.w[j]));
            norm  = fmax(norm, fabs(own.run.iterate.w[j]));
        }
        ck_assert_all(apart <= 1e-7 * norm);
        ck_assert_all(fabs(found->gap - alone->gap) <=
                      1e-7 * (alone->gap + alone->primal));
        ck_assert_double_eq_tol(shared.newton.linearization.smoothing_width,
                                own.newton.linearization.smoothing_width,
                                1e-6 * own.newton.linearization.smoothing_width);
    }
    ck_assert_all(own.newton.bytes == 0 &&
                  (shared.newton.bytes > 0) == (sdca_comm_size(*world) > 1));
    rounds_free(&shared);
    rounds_free(&own);
}
END_TEST

/* With very many rows per column the first round begins on a sample, the same for any
 * number of ranks, and ends on all rows. */
START_TEST(a_sample_of_many_rows_comes_first)
{
    enum { MANY = 8000 };
    bool   samples = _i != SDCA_LOSS_squared; /* which needs one round only */
    bool   wide    = _i % 2 == 0;
    rounds shared  = rounds_start(small_run_start(MANY, COLUMNS, _i, 1e-3, wide));
    rounds own =
        rounds_start(small_run_start_on(MPI_COMM_SELF, MANY, COLUMNS, _i, 1e-3, wide));
    double           dual_w[COLUMNS + 1];
    sdca_certificate found;

    for (int round = 0; round < 3; round++) {
        make_round(&shared, 1e-5, nobody);
        make_round(&own, 1e-5, nobody);
        ck_assert_all((round + 1) * MANY + (samples ? MANY / 8 : 0) <=
                      own.run.iterate.steps);
        ck_assert_all(own.run.iterate.steps < (round + 5) * MANY);
        ck_assert_all(shared.run.iterate.steps == own.run.iterate.steps);
        for (int32_t j = 0; j < COLUMNS; j++) {
            ck_assert_double_eq_tol(shared.run.iterate.w[j], own.run.iterate.w[j], 1e-7);
        }
        ck_assert_all(
            sdca_duality_gap_certify_pair(*world, &shared.run.objective, shared.run.data,
                                          sdca_iterate_point(&shared.run.iterate), &sharp,
                                          dual_w, &found) == SDCA_OK);
        ck_assert_double_eq_tol(shared.newton.certificate.primal, found.primal,
                                1e-12 * found.primal);
        ck_assert_double_eq_tol(shared.newton.certificate.gap, found.gap,
                                1e-9 * (found.primal + found.gap));
    }
    ck_assert_double_le(found.gap, 0.05 * found.primal);
    rounds_free(&shared);
    rounds_free(&own);
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

/* Stopped at any place, a round leaves the state where it began, and is repeated bit by
 * bit: the first one, with a sample, and others. */
START_TEST(a_round_that_is_stopped_is_made_again)
{
    enum { MANY = 8000, ROUNDS = 3 };
    bool          wide   = _i % 2 == 0;
    rounds        whole  = rounds_start(small_run_start(MANY, COLUMNS, _i, 1e-3, wide));
    rounds        cut    = rounds_start(small_run_start(MANY, COLUMNS, _i, 1e-3, wide));
    sdca_newton  *newton = &cut.newton;
    sdca_snapshot before;

    ck_assert_all(sdca_snapshot_create(&cut.run.iterate, &before) == SDCA_OK);
    for (int round = 0; round < ROUNDS; round++) {
        bool done = false;

        ck_assert_all(make_round(&whole, 1e-9, nobody));
        sdca_snapshot_save(&cut.run.iterate, &before);
        for (int at = 1; !done; at += 1 + at / 3) {
            stop             s   = { .at = at, .late = at % 2 == 0 };
            sdca_certificate was = newton->certificate;

            done = make_round(&cut, 1e-9, (sdca_newton_callback){ &s, stop_once });
            ck_assert_all(done || (same_state(&before, &cut.run.iterate) &&
                                   memcmp(&was, &newton->certificate, sizeof was) == 0));
            ck_assert_all(
                (newton->total_votes.stop_requested + newton->total_votes.out_of_time >
                 0.0) == !done);
        }
        sdca_snapshot_save(&whole.run.iterate, &before);
        ck_assert_all(same_state(&before, &cut.run.iterate));
        ck_assert_all(memcmp(&whole.newton.certificate, &newton->certificate,
                             sizeof newton->certificate) == 0);
        ck_assert_all(whole.newton.bytes == newton->bytes);
    }
    sdca_snapshot_free(&before);
    rounds_free(&whole);
    rounds_free(&cut);
}
END_TEST

/* Where the logistic loss is nearly straight, Newton's step overshoots. */
START_TEST(a_step_that_overshoots_is_taken_back)
{
    small_run   run    = small_run_start(300, COLUMNS, SDCA_LOSS_logistic, 1e-4, false);
    double      before = INFINITY;
    sdca_newton newton;
    ck_assert_all(sdca_newton_create(run.data, &run.iterate, &newton) == SDCA_OK);
    for (int32_t j = 0; j < COLUMNS; j++) {
        run.iterate.w[j] = j % 3 == 0 ? 30.0 : -40.0;
    }
    for (int round = 0; round < 40; round++) {
        sdca_newton_round(*world, &run.objective, run.data, &newton, 1e-6, &run.iterate,
                          nobody);
        ck_assert_double_le(newton.certificate.primal, before * (1.0 + 1e-8));
        before = newton.certificate.primal;
    }
    ck_assert_double_le(newton.certificate.gap, 1e-6);
    sdca_newton_free(&newton);
    small_run_free(&run);
}
END_TEST

/* Fewer rows than ranks leave ranks without any; one row is the least. */
START_TEST(ranks_without_rows_take_part)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        small_run run = small_run_start(_i, COLUMNS, loss, 1e-1, false);

        optimum(&run, SDCA_SOLVER_NEWTON, 1e-8, 60);
        small_run_free(&run);
    }
}
END_TEST

/* The matrix is singular but for lambda: a column twice, another never used. */
START_TEST(columns_may_depend_on_each_other)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        sdca_rows     x;
        sdca_dataset *data = NULL;
        small_run     run;

        ck_assert_all(sdca_rows_create(4, 3, 8, true, &x) == SDCA_OK);
        for (int i = 0; i < 4; i++) {
            double y = i % 2 == 0 ? 1.0 : -1.0;

            x.row[i].y         = y;
            x.row[i + 1].start = 2 * (i + 1);
            sdca_rows_set_entry(&x, 2 * i, 0, 1.0 + i + y);
            sdca_rows_set_entry(&x, 2 * i + 1, 2, 1.0 + i + y);
        }
        ck_assert_all(sdca_dataset_create(*world, &x, true, NULL, &data) == SDCA_OK);
        run = small_run_of(data, loss, 1e-12);
        optimum(&run, SDCA_SOLVER_NEWTON, 1e-3, 100);
        small_run_free(&run);
    }
}
END_TEST

/* A run begins with the certificate of the state that it is given. */
START_TEST(a_given_state_is_certified_first)
{
    sdca_train_options first  = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 0.1 };
    sdca_train_options second = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-6 };
    small_run          run    = small_run_train(200, COLUMNS, _i, 1e-3, &first);
    sdca_certificate   begun = run.result.certificate, *ended = &run.result.certificate;

    ck_assert_all(run.status == SDCA_OK);
    ck_assert_all(small_run_continue(&run, &second) == SDCA_OK);
    ck_assert_double_eq_tol(run.result.history.records[0].primal, begun.primal, 1e-12);
    ck_assert_double_eq_tol(run.result.history.records[0].gap, begun.gap, 1e-9);
    ck_assert_double_le(ended->primal, begun.primal + 1e-12);
    ck_assert_double_gt(ended->primal, 0.0);
    ck_assert_double_le(sdca_duality_gap_relative(ended), 1e-6);
    small_run_free(&run);
}
END_TEST

/* Budgets and outputs are as for SDCA. */
START_TEST(budgets_are_kept)
{
    small_run          run = small_run_start(200, COLUMNS, SDCA_LOSS_hinge, 1e-3, false);
    sdca_train_options options = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-300 };

    options.rounds = 3;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_int_eq(run.iterate.round, 3);
    ck_assert_int_eq(run.result.history.count, 4);
    for (int64_t k = 0; k < run.result.history.count; k++) {
        ck_assert_double_le(run.result.certificate.gap,
                            run.result.history.records[k].gap * (1.0 + 1e-9));
    }
    options.rounds = 0;
    options.epochs = 2;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_int_eq(run.iterate.steps, 2 * run.data->rows);
    small_run_free(&run);
}
END_TEST

/* With a target beyond rounding SDCA takes over, and ends too. */
START_TEST(a_run_always_ends)
{
    small_run          run     = small_run_start(60, COLUMNS, _i, 1e-2, false);
    sdca_train_options options = { .solver    = SDCA_SOLVER_NEWTON,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-300 };
    sdca_status        status  = small_run_again(&run, &options);

    ck_assert_all(status == SDCA_BUDGET || status == SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&run.result.certificate), 1e-10);
    small_run_free(&run);
}
END_TEST

START_TEST(what_it_cannot_do_is_refused)
{
    int                many    = SDCA_NEWTON_MAX_COLUMNS + 5;
    sdca_train_options options = { .solver = SDCA_SOLVER_NEWTON, .rel_gap = 1e-3 };
    small_run          run = small_run_train(20, many, SDCA_LOSS_hinge, 1e-2, &options);

    ck_assert_all(run.status == SDCA_USAGE);
    small_run_free(&run);
    options.output = SDCA_OUTPUT_AVERAGE;
    run            = small_run_train(20, COLUMNS, SDCA_LOSS_hinge, 1e-2, &options);
    ck_assert_all(run.status == SDCA_USAGE);
    small_run_free(&run);
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
    tcase_add_test(tests, a_step_that_overshoots_is_taken_back);
    tcase_add_loop_test(tests, ranks_without_rows_take_part, 1, 5);
    tcase_add_test(tests, columns_may_depend_on_each_other);
    tcase_add_loop_test(tests, a_given_state_is_certified_first, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, budgets_are_kept);
    tcase_add_loop_test(tests, a_run_always_ends, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, what_it_cannot_do_is_refused);
    tcase_add_test(tests, newton_is_chosen_where_it_is_faster);
}
