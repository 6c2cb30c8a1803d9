/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_lane_terms.c - what a row adds to the objectives of several models is what it adds
 * to each of them alone: the same bits, or for the logistic loss within its bounds on
 * rounding errors. */
#include "objective/model_lane_terms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "objective/gap_pass.h"
#include "objective/kernel_dispatch.h"
#include "support/check_main.h"

enum { TRIALS = 4000 };

typedef row_term row_term_function(double p, double a, double z, double y);

#define ROW_TERM_ENTRY(unused, id, ...) [SDCA_LOSS_##id] = id##_row_term,
static row_term_function *const row_terms[] = { SDCA_LOSS_LIST(ROW_TERM_ENTRY, ) };

static double from_to(sdca_random *stream, double low, double high)
{
    return low + (high - low) * sdca_random_uniform(stream);
}

/* A feasible alpha: an end of its interval, 0, close to 0, tiny or anywhere. */
static double any_alpha(sdca_random *stream, const sdca_loss *loss, double p, double y)
{
    sdca_interval in  = loss->feasible(p, y);
    double        low = fmax(in.low, -3.0), high = fmin(in.high, 3.0);
    uint32_t      kind = sdca_random_below(stream, 7);
    double        size = fmax(-low, high);
    double        sign = high > 0.0 ? 1.0 : -1.0;

    return kind == 0   ? low
           : kind == 1 ? high
           : kind == 2 ? 0.0
           : kind == 3 ? sign * size * exp(from_to(stream, -40.0, 0.0))
           : kind == 4 ? sign * size * DBL_MIN * from_to(stream, 0.0, 2.0)
           : kind == 5 ? sign * size * (1.0 - exp(from_to(stream, -40.0, 0.0)))
                       : from_to(stream, low, high);
}

/* A margin of any size; rarely one at which e^-|z| is not a normal number, or none. */
static double any_margin(sdca_random *stream)
{
    double z = from_to(stream, -1.0, 1.0) * exp(from_to(stream, -30.0, 5.0));

    return sdca_random_below(stream, 9) > 0    ? z
           : sdca_random_below(stream, 2) == 0 ? 5.0 * z
                                               : 0.0;
}

/* b ln b. */
static long double entropy(long double b)
{
    return b > 0.0L ? b * logl(b) : 0.0L;
}

/* The logistic term to more digits. 1 - b is exact in them unless b is tiny. */
static void check_logistic(double alpha, double z, double y, row_term term)
{
    long double b = y * (long double)alpha, m = y * (long double)z;
    long double loss      = (m < 0.0L ? -m : 0.0L) + log1pl(expl(-fabsl(m)));
    long double conjugate = entropy(b) + (b < 1.0L ? (1.0L - b) * log1pl(-b) : 0.0L);
    long double gap       = loss + conjugate + (long double)alpha * z;
    double      u         = DBL_EPSILON / 2.0;
    double      magnitude = (double)(loss - conjugate) + fabs(alpha * z);

    ck_assert_double_le(fabs(term.primal - (double)loss), 15.0 * u * (double)loss);
    ck_assert_double_le(fabs(term.conjugate - (double)conjugate),
                        -15.0 * u * (double)conjugate);
    ck_assert_double_le(fabs((double)((long double)term.gap - gap)),
                        sdca_row_term_roundings * u * magnitude);
}

static void check_term(sdca_loss_kind kind, double p, double alpha, double z, double y,
                       row_term term)
{
    row_term alone = row_terms[kind](p, alpha, z, y);

    if (kind == SDCA_LOSS_logistic) {
        check_logistic(alpha, z, y, term);
        return;
    }
    ck_assert(term.primal == alone.primal && term.gap == alone.gap &&
              term.conjugate == alone.conjugate);
}

/* One row of which some models are summed, some of them without its fold. */
static void check_row(sdca_random *stream, sdca_loss_kind kind, int lanes)
{
    const sdca_loss      *loss = &sdca_losses[kind];
    double                p   = loss->parameter != NULL ? from_to(stream, 0.1, 2.0) : 0.0;
    unsigned              all = (1U << lanes) - 1;
    unsigned              models = 1 + sdca_random_below(stream, all);
    sdca_objective        objective[SDCA_MAX_LANES];
    const sdca_objective *of[SDCA_MAX_LANES] = { NULL };
    lane_vector           alpha = { 0.0 }, z = { 0.0 };
    float                 gap_term[SDCA_MAX_LANES];
    sdca_lane_sums        sums;
    sdca_lane_term_row    row = { .label    = loss->classification
                                                  ? (double)sdca_random_below(stream, 9)
                                                  : from_to(stream, -3.0, 3.0),
                                  .weight   = from_to(stream, 0.5, 2.0),
                                  .fold     = (int)sdca_random_below(stream, 4) - 1,
                                  .alpha    = alpha,
                                  .z        = z,
                                  .gap_term = gap_term };

    for (int m = 0; m < lanes; m++) {
        objective[m] =
            (sdca_objective){ .loss             = loss,
                              .parameter        = p,
                              .one_against_rest = loss->classification ? m + 1 : 0,
                              .held_out         = (int)sdca_random_below(stream, 4) };
        of[m] = (models >> m & 1) != 0 ? &objective[m] : NULL;
        alpha[m] =
            any_alpha(stream, loss, p, sdca_objective_label(&objective[m], row.label));
        z[m]        = any_margin(stream);
        gap_term[m] = -1.0F;
    }
    sums = sdca_lane_sums_start(of, models);
    ck_assert_uint_eq(sdca_lane_terms_find(kind, lanes)(&sums, &row), 0);
    for (int m = 0; m < lanes; m++) {
        bool     held   = sdca_objective_holds_out(&objective[m], row.fold);
        double   weight = held ? 0.0 : row.weight;
        double   y      = sdca_objective_label(&objective[m], row.label);
        row_term term   = { .gap = sums.gap[m] };

        if ((models >> m & 1) == 0) {
            ck_assert(gap_term[m] == -1.0F);
            continue;
        }
        ck_assert(gap_term[m] == (float)(weight * term.gap));
        ck_assert(sums.gap_terms[m] == (term.gap > 0.0 ? weight * term.gap : 0.0));
        if (!held) { /* the weight is divided out, but for its rounding */
            term = kind == SDCA_LOSS_logistic
                       ? (row_term){ sums.losses[m] / weight, sums.conjugates[m] / weight,
                                     term.gap }
                       : row_terms[kind](p, alpha[m], z[m], y);
            ck_assert(kind == SDCA_LOSS_logistic ||
                      (sums.losses[m] == weight * term.primal &&
                       sums.conjugates[m] == weight * term.conjugate));
            term.gap = sums.gap[m];
            check_term(kind, p, alpha[m], z[m], y, term);
        }
    }
}

START_TEST(terms_of_lanes_are_those_of_one_model)
{
    for (int kind = 0; kind < SDCA_LOSS_COUNT; kind++) {
        sdca_random stream = sdca_random_stream(2, SDCA_STREAM_TEST, (uint64_t)kind, 0);

        for (int trial = 0; trial < TRIALS; trial++) {
            check_row(&stream, (sdca_loss_kind)kind, trial % 2 == 0 ? 4 : 8);
        }
    }
}
END_TEST

/* A margin that is not a number, and an alpha that is not feasible. */
START_TEST(invalid_terms_are_found)
{
    for (int kind = 0; kind < SDCA_LOSS_COUNT; kind++) {
        lane_vector    alpha = { 0.0 }, z = { 0.0, NAN, 0.0, 0.0 };
        sdca_objective objective = { .loss = &sdca_losses[kind], .parameter = 0.5 };
        const sdca_objective *of[SDCA_MAX_LANES] = { &objective, &objective, NULL, NULL };
        sdca_lane_sums        sums               = sdca_lane_sums_start(of, 3);
        sdca_lane_term_row    row                = {
                              .label = 1.0, .weight = 1.0, .fold = -1, .alpha = alpha, .z = z
        };

        ck_assert_uint_eq(sdca_lane_terms_find((sdca_loss_kind)kind, 4)(&sums, &row), 2);
        ck_assert(isnan(sums.gap[1]) && sums.gap[0] >= 0.0);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, terms_of_lanes_are_those_of_one_model);
    tcase_add_test(tests, invalid_terms_are_found);
}
