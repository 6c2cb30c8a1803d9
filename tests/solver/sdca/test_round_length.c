/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_round_length.c - steps between allreduces, on machines and networks that are made
 * up. */
#include "solver/sdca/round_length.h"

#include "support/check_main.h"

#include <math.h>
#include <stdlib.h>

/* The last inputs where every round touches all lines of a single lane. */
#define ALL_TOUCHED { 0.0, 1.0 }, 1

/* A machine: the seconds of an allreduce and of a pass; ranks that disagree make sigma
 * 1 + slope H. */
typedef struct machine {
    double allreduce, pass, slope;
} machine;

static double tight_of(machine m, double share)
{
    return 1.0 + m.slope * share;
}

/* Seconds for what a pass of one rank would have reached. */
static double cost_of(machine m, double share)
{
    return tight_of(m, share) * (m.pass + m.allreduce / share);
}

/* Of all H that a run may choose. */
static double best_cost(machine m, const sdca_round_length *length)
{
    double best = INFINITY;

    for (double share = length->min_fraction; share <= length->max_fraction;
         share *= 1.02) {
        best = fmin(best, cost_of(m, share));
    }
    return best;
}

static sdca_round_length run(machine m, sdca_round_length length, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        sdca_round_length_update(&length, length.fraction, tight_of(m, length.fraction),
                                 1.0, m.pass * length.fraction, m.allreduce);
    }
    return length;
}

static const sdca_round_length_input text = { 400000, 30000000, 47000, 8,
                                              4,      0.01,     0.0,   ALL_TOUCHED };

START_TEST(what_is_given_stays)
{
    sdca_round_length length = sdca_round_length_start(0.03, true, text);

    length = run((machine){ 1.0, 1.0, 5.0 }, length, 100);
    ck_assert_double_eq(length.fraction, 0.03);
}
END_TEST

START_TEST(one_rank_needs_no_allreduce)
{
    sdca_round_length_input alone = text;
    sdca_round_length       length;

    alone.ranks = 1;
    alone.nodes = 0;
    length =
        run((machine){ 1.0, 1.0, 5.0 }, sdca_round_length_start(0.0, true, alone), 100);
    ck_assert_double_eq(length.fraction, 0.25);
}
END_TEST

/* By the clock, H comes near the best for any network and any data. */
START_TEST(by_the_clock_the_cost_comes_near_the_least)
{
    const double      allreduces[] = { 1e-5, 1e-3, 1e-2, 0.1 };
    const double      slopes[]     = { 0.01, 1.0, 20.0, 300.0 };
    machine           m            = { allreduces[_i % 4], 0.05, slopes[_i / 4] };
    sdca_round_length length = run(m, sdca_round_length_start(0.0, true, text), 400);

    ck_assert_double_gt(length.fraction, 0.0);
    ck_assert_double_le(length.fraction, 1.0);
    ck_assert_double_le(cost_of(m, length.fraction), 1.6 * best_cost(m, &length));
}
END_TEST

/* Without the clock, or on one node, times make no difference. */
START_TEST(without_the_clock_times_do_not_matter)
{
    sdca_round_length_input sizes = text;
    machine                 slow = { 10.0, 0.05, 2.0 }, fast = { 1e-6, 0.05, 2.0 };
    sdca_round_length       one, two;

    sizes.nodes = _i == 0 ? 1 : 4;
    one         = run(slow, sdca_round_length_start(0.0, _i == 0, sizes), 60);
    two         = run(fast, sdca_round_length_start(0.0, _i == 0, sizes), 60);
    ck_assert_double_eq(one.fraction, two.fraction);
}
END_TEST

START_TEST(disagreement_shortens_rounds_and_agreement_lengthens_them)
{
    sdca_round_length start = sdca_round_length_start(0.0, false, text);
    sdca_round_length calm  = run((machine){ 0.0, 1.0, 1e-9 }, start, 60);
    sdca_round_length wild  = run((machine){ 0.0, 1.0, 1e6 }, start, 60);

    ck_assert_double_gt(calm.fraction, wild.fraction);
    ck_assert_double_lt(wild.fraction, start.fraction);
    ck_assert_double_gt(wild.fraction, 0.0);
    ck_assert_double_le(calm.fraction, calm.max_fraction);
}
END_TEST

/* Opposed changes cost as much as those that agree too well: little of either is left. */
START_TEST(opposed_changes_shorten_rounds)
{
    sdca_round_length start        = sdca_round_length_start(0.0, false, text);
    sdca_round_length uncorrelated = start, opposed = start, agreed = start;

    for (int round = 0; round < 40; round++) {
        sdca_round_length_update(&uncorrelated, uncorrelated.fraction, 1.0, 1.0, 0.0,
                                 0.0);
        sdca_round_length_update(&opposed, opposed.fraction, 0.25, 1.0, 0.0, 0.0);
        sdca_round_length_update(&agreed, agreed.fraction, 4.0, 1.0, 0.0, 0.0);
    }
    ck_assert_double_lt(opposed.fraction, start.fraction);
    ck_assert_double_lt(opposed.fraction, uncorrelated.fraction);
    ck_assert_double_eq(opposed.fraction, agreed.fraction);
}
END_TEST

/* With a thousand rows per column, the sample of each rank determines w. */
START_TEST(few_columns_shorten_rounds)
{
    sdca_round_length_input text_like = { 400000, 8000000, 40000, 2,
                                          1,      0.05,    0.0,   ALL_TOUCHED };
    sdca_round_length_input few       = text_like;
    double pass = sdca_round_length_start(0.0, false, text_like).pass_seconds;

    few.columns = 40;
    ck_assert_double_eq(sdca_round_length_start(0.0, false, few).pass_seconds, pass);
    ck_assert_double_lt(sdca_round_length_start(0.0, false, few).fraction,
                        0.1 * sdca_round_length_start(0.0, false, text_like).fraction);
}
END_TEST

/* The first rounds of a run depend on its data, its loss and its network: those
 * of weakly coupled rows a whole pass, where that is cheap. */
START_TEST(first_rounds_fit_the_problem)
{
    sdca_round_length_input sizes = text;
    double                  near, far, strong, small;

    sizes.coupling = 1.0;
    sizes.nodes    = 1;
    near           = sdca_round_length_start(0.0, true, sizes).fraction;
    sizes.nodes    = 4;
    far            = sdca_round_length_start(0.0, true, sizes).fraction;
    sizes.coupling = 100.0;
    strong         = sdca_round_length_start(0.0, true, sizes).fraction;
    sizes.coupling = 0.01;
    sizes.ranks    = 4;
    sizes.rows /= 10;
    sizes.nonzeros /= 10;
    small = sdca_round_length_start(0.0, true, sizes).fraction;
    ck_assert_double_gt(far, near);
    ck_assert_double_lt(strong, far);
    ck_assert_double_eq(small, 1.0);
    sizes.ranks = 16;
    ck_assert_double_eq(sdca_round_length_start(0.0, true, sizes).fraction, 0.5);
}
END_TEST

/* With as much work for each, more ranks begin with shorter rounds. */
START_TEST(many_ranks_disagree_sooner)
{
    sdca_round_length_input few = text, many = text;

    few.ranks    = 4;
    few.nodes    = 1;
    few.coupling = 0.1;
    many         = few;
    many.ranks *= 4;
    many.rows *= 4;
    many.nonzeros *= 4;
    ck_assert_double_lt(sdca_round_length_start(0.0, true, many).fraction,
                        0.7 * sdca_round_length_start(0.0, true, few).fraction);
}
END_TEST

/* Where most rows are skipped, a sweep is short compared with an allreduce. */
START_TEST(short_sweeps_lengthen_rounds)
{
    sdca_round_length_input sizes = text;
    sdca_round_length       whole, part;

    sizes.coupling = 1.0;
    sizes.nodes    = 1;
    whole          = sdca_round_length_start(0.0, false, sizes);
    part           = whole;
    for (int round = 0; round < 8; round++) {
        sdca_round_length_update(&whole, whole.fraction, 1.3, 1.0, 0.0, 0.0);
        sdca_round_length_update(&part, part.fraction / 100.0, 1.3, 1.0, 0.0, 0.0);
    }
    ck_assert_double_gt(part.fraction, whole.fraction);
}
END_TEST

/* C |x|^2 over the smoothness of the loss. */
START_TEST(smooth_losses_couple_rows_less)
{
    const sdca_touched_lines even = { 0.0, 1.0 };
    double                   C    = 0.5;
    sdca_dataset   data = { .rows = 10, .nonzeros = 30, .columns = 7, .mean_norm2 = 2.0 };
    sdca_objective smooth = sdca_objective_with_C(&sdca_losses[SDCA_LOSS_smooth_hinge],
                                                  1.0, C, 10, (double)10);
    sdca_objective hinge =
        sdca_objective_with_C(&sdca_losses[SDCA_LOSS_hinge], 0.0, C, 10, (double)10);
    sdca_objective logistic =
        sdca_objective_with_C(&sdca_losses[SDCA_LOSS_logistic], 0.0, C, 10, (double)10);
    sdca_round_length_input sizes =
        sdca_round_length_input_of(&hinge, &data, 3, 2, 1, even);

    ck_assert_double_eq_tol(
        sdca_round_length_input_of(&smooth, &data, 3, 2, 1, even).coupling, 1.0, 1e-12);
    ck_assert_double_eq_tol(sizes.coupling, 4.0, 1e-12);
    ck_assert(
        sizes.extra_step_seconds == 0.0 &&
        sdca_round_length_input_of(&logistic, &data, 3, 2, 1, even).extra_step_seconds >
            0.0);
    ck_assert(sizes.rows == 10 && sizes.nonzeros == 30 && sizes.columns == 7);
    ck_assert(sizes.ranks == 3 && sizes.nodes == 2);
}
END_TEST

/* Rows, non-zeros and columns of text, large and small, and C |x|^2 of hinge and logistic
 * loss: measured on two ranks, in times as fast as one, 1.7, 1.3, 1.35, 1.45, 1.2, 0.95,
 * 0.75 and 0.5. Those between 0.8 and 1.2 may go either way. */
START_TEST(one_rank_is_better_where_it_was_so_when_measured)
{
    static const struct {
        sdca_round_length_input sizes;
        bool                    one;
    } measured[] = {
        { { 390633, 30054652, 47236, 2, 1, 10.2, 0.0, ALL_TOUCHED }, false },
        { { 39063, 3006433, 47236, 2, 1, 1.02, 0.0, ALL_TOUCHED }, false },
        { { 29882, 1981323, 53247, 2, 1, 1.34, 0.0, ALL_TOUCHED }, false },
        { { 39063, 3006433, 47236, 2, 1, 6.4, 60e-9, ALL_TOUCHED }, false },
        { { 29882, 1981323, 53247, 2, 1, 8.4, 60e-9, ALL_TOUCHED }, false },
        { { 29882, 1981323, 53247, 2, 1, 134.0, 0.0, ALL_TOUCHED }, true },
        { { 9603, 500000, 27212, 2, 1, 4.2, 0.0, ALL_TOUCHED }, true },
        { { 1000, 77739, 14000, 2, 1, 40.0, 0.0, ALL_TOUCHED }, true },
    };
    sdca_round_length_input sizes = measured[_i].sizes;

    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 2), measured[_i].one ? 1 : 2);
    sizes.nodes = 4; /* what does not pay on one node pays on no network */
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 2), measured[_i].one ? 1 : 2);
    sizes.ranks = 1;
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 1), 1);
}
END_TEST

/* On a small set many ranks communicate more than they compute: some of them are better
 * than all, and than one; on a large set all are. */
START_TEST(some_ranks_are_better_than_all_or_one)
{
    sdca_round_length_input sizes = { 39063, 3006433, 47236, 128,
                                      1,     1.02,    0.0,   ALL_TOUCHED };

    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 128), 16);
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 8),
                     8); /* a node has no more */
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 1), 128);
    sizes.ranks = 16;
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 16), 16);
    sizes.coupling = 1020.0;
    sizes.ranks    = 3;
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 3), 1);
    sizes.ranks = 128;
    ck_assert_int_lt(sdca_round_length_choose_ranks(sizes, 128), 16);
    sizes.rows *= 1000;
    sizes.nonzeros *= 1000;
    ck_assert_int_eq(sdca_round_length_choose_ranks(sizes, 128), 128);
}
END_TEST

/* Where several of few ranks are better than one, so are several of many. */
START_TEST(more_ranks_to_choose_from_do_no_harm)
{
    int before = 1;

    for (int ranks = 2; ranks <= 256; ranks *= 2) {
        sdca_round_length_input sizes = { 39063, 3006433,  47236, ranks,
                                          1,     _i * 0.7, 0.0,   ALL_TOUCHED };
        int                     best  = sdca_round_length_choose_ranks(sizes, ranks);

        ck_assert(before == 1 || best > 1);
        before = best;
    }
}
END_TEST

/* The rows of a large set may not fit the memory of one rank. */
START_TEST(large_data_stay_on_all_ranks)
{
    const sdca_round_length_input small    = { 100000, 5000000, 1000000, 2,
                                               1,      100.0,   0.0,     ALL_TOUCHED };
    sdca_round_length_input       large[3] = { small, small, small };

    ck_assert_int_eq(sdca_round_length_choose_ranks(small, 2), 1);
    large[0].nonzeros = 60000000;
    large[1].rows     = 15000000;
    large[2].columns  = 15000000;
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(sdca_round_length_choose_ranks(large[k], 2), 2);
    }
}
END_TEST

/* A click log: 39 of 800,000 columns in a row, some of them in most rows. */
static const sdca_round_length_input clicks = {
    600000, 23400000, 802000, 2, 1, 6.7, 0.0, { 0.000593, 0.795 }, 1
};

/* A round of few rows costs what it touches, one of many rows what all columns cost. */
START_TEST(an_allreduce_costs_what_is_touched)
{
    sdca_round_length few  = sdca_round_length_start(0.0, false, clicks);
    sdca_round_length many = few;

    sdca_round_length_update(&few, 1e-4, 1.0, 1.0, 0.0, 0.0);
    sdca_round_length_update(&many, 0.1, 1.0, 1.0, 0.0, 0.0);
    ck_assert_double_gt(few.exchange_seconds, 0.0);
    ck_assert_double_lt(few.exchange_seconds, 0.1 * many.exchange_seconds);
}
END_TEST

START_TEST(touched_lines_grow_to_all)
{
    sdca_touched_lines touched = clicks.touched;
    double             before  = 0.0;

    for (double rows = 1.0; rows < 1e7; rows *= 10.0) {
        double part = sdca_touched_lines_fraction(touched, rows);

        ck_assert(part > before && part <= 1.0);
        before = part;
    }
    ck_assert_double_gt(before, 0.999);
    ck_assert_double_eq_tol(sdca_touched_lines_fraction(touched, 9000.0), 0.5557, 0.03);
    touched.rate = 0.0;
    ck_assert_double_eq(sdca_touched_lines_fraction(touched, 1.0), 1.0);
}
END_TEST

/* Eight models of digits, and one model with as many numbers in w and as long a pass. */
START_TEST(line_searches_of_models_lengthen_rounds)
{
    sdca_round_length_input digits = { 60000, 27000000, 8 * 784, 2,
                                       1,     6.7,      0.0,     ALL_TOUCHED };
    sdca_round_length       one    = sdca_round_length_start(0.0, false, digits), eight;

    digits.lanes = 8;
    eight        = sdca_round_length_start(0.0, false, digits);
    ck_assert_double_gt(eight.fraction, 1.5 * one.fraction);
    ck_assert_double_gt(eight.exchange_seconds, one.exchange_seconds);
    ck_assert_double_eq(eight.pass_seconds, one.pass_seconds);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, what_is_given_stays);
    tcase_add_test(tests, an_allreduce_costs_what_is_touched);
    tcase_add_test(tests, touched_lines_grow_to_all);
    tcase_add_test(tests, first_rounds_fit_the_problem);
    tcase_add_test(tests, smooth_losses_couple_rows_less);
    tcase_add_loop_test(tests, one_rank_is_better_where_it_was_so_when_measured, 0, 8);
    tcase_add_test(tests, some_ranks_are_better_than_all_or_one);
    tcase_add_loop_test(tests, more_ranks_to_choose_from_do_no_harm, 0, 20);
    tcase_add_test(tests, large_data_stay_on_all_ranks);
    tcase_add_test(tests, opposed_changes_shorten_rounds);
    tcase_add_test(tests, few_columns_shorten_rounds);
    tcase_add_test(tests, many_ranks_disagree_sooner);
    tcase_add_test(tests, short_sweeps_lengthen_rounds);
    tcase_add_test(tests, line_searches_of_models_lengthen_rounds);
    tcase_add_test(tests, one_rank_needs_no_allreduce);
    tcase_add_loop_test(tests, by_the_clock_the_cost_comes_near_the_least, 0, 16);
    tcase_add_loop_test(tests, without_the_clock_times_do_not_matter, 0, 2);
    tcase_add_test(tests, disagreement_shortens_rounds_and_agreement_lengthens_them);
}
