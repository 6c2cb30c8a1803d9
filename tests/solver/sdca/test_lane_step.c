/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_lane_step.c - the steps of several models on one row are those of each model
 * alone: alpha, by-products, shrinking. */
#include "solver/sdca/lane_step.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "objective/kernel_dispatch.h"
#include "solver/sdca/shrinking.h"
#include "support/check_main.h"

enum { TRIALS = 1000 };

typedef double scalar_step(double p, double a, double z, double q, double y,
                           step_result *result);

#define DEFINE_SCALAR_STEP(unused, id, ...)                                     \
    static double scalar_##id(double p, double a, double z, double q, double y, \
                              step_result *result)                              \
    {                                                                           \
        return id##_step(p, a, z, q, y, id##_precompute(a, q, y), result);      \
    }
#define SCALAR_STEP_ENTRY(unused, id, ...) [SDCA_LOSS_##id] = scalar_##id,
SDCA_LOSS_LIST(DEFINE_SCALAR_STEP, )
static scalar_step *const scalar_steps[] = { SDCA_LOSS_LIST(SCALAR_STEP_ENTRY, ) };

static double from_to(sdca_random *stream, double low, double high)
{
    return low + (high - low) * sdca_random_uniform(stream);
}

/* A feasible alpha, often an end of its interval or 0. */
static double any_alpha(sdca_random *stream, const sdca_loss *loss, double p, double y)
{
    sdca_interval in  = loss->feasible(p, y);
    double        low = fmax(in.low, -3.0), high = fmin(in.high, 3.0);
    uint32_t      kind = sdca_random_below(stream, 5);

    return kind == 0   ? low
           : kind == 1 ? high
           : kind == 2 ? 0.0
                       : from_to(stream, low, high);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* One row with random margins, curvatures of all sizes, and any lanes due. */
static void check_row(sdca_random *stream, sdca_loss_kind kind, int lanes)
{
    const sdca_loss *loss   = &sdca_losses[kind];
    double           p      = loss->parameter != NULL ? from_to(stream, 0.1, 2.0) : NAN;
    sdca_lane_models models = { .p            = p,
                                .only_unmoved = sdca_random_below(stream, 2) == 0 };
    lane_steps       steps  = { .with_derivatives = true };
    double           alpha[SDCA_MAX_LANES], before[SDCA_MAX_LANES];
    lane_vector      factor;
    float            gap_term[SDCA_MAX_LANES], old_term[SDCA_MAX_LANES];
    uint8_t          streak[SDCA_MAX_LANES], old_streak[SDCA_MAX_LANES];
    double           z[SDCA_MAX_LANES], term_sum[SDCA_MAX_LANES];
    uint64_t         max_streak[SDCA_MAX_LANES];
    unsigned         all = (1U << lanes) - 1;
    sdca_lane_row    row = { .label          = loss->classification
                                                   ? (double)sdca_random_below(stream, 10)
                                                   : from_to(stream, -3.0, 3.0),
                             .weight         = from_to(stream, 0.5, 2.0),
                             .weighted_norm2 = exp(from_to(stream, -8.0, 8.0)),
                             .due            = 1 + sdca_random_below(stream, all),
                             .alpha          = alpha,
                             .gap_term       = gap_term,
                             .streak         = streak };
    unsigned         moved, expected_moved = 0;

    for (int m = 0; m < lanes; m++) {
        double y;

        models.positive[m] = loss->classification ? m : -1.0;
        y               = !loss->classification ? row.label : row.label == m ? 1.0 : -1.0;
        models.scale[m] = from_to(stream, 0.5, 2.0);
        models.threshold[m] = exp(from_to(stream, -20.0, 1.0));
        term_sum[m] = models.term_sum[m] = from_to(stream, 0.0, 9.0);
        max_streak[m] = sdca_random_below(stream, 2) == 0 ? 1 : SDCA_SHRINKING_MAX_STREAK;
        models.max_streak |= max_streak[m] << 8 * m;
        before[m] = alpha[m] = any_alpha(stream, loss, p, y);
        steps.z[m]    = from_to(stream, -1.0, 1.0) * exp(from_to(stream, -6.0, 4.0));
        z[m]          = steps.z[m];
        gap_term[m]   = (float)from_to(stream, 0.0, 1.0);
        old_term[m]   = gap_term[m];
        streak[m]     = (uint8_t)sdca_random_below(stream, SDCA_SHRINKING_MAX_STREAK + 1);
        old_streak[m] = streak[m];
    }
    moved = sdca_lane_step_find(kind, lanes)(&models, &row, &steps, factor);
    for (int m = 0; m < lanes; m++) {
        sdca_shrinking      one  = { .only_unmoved = models.only_unmoved,
                                     .gap_term     = &old_term[m],
                                     .streak       = &old_streak[m] };
        sdca_shrinking_lane lane = { .threshold  = models.threshold[m],
                                     .max_streak = (double)max_streak[m],
                                     .term_sum   = term_sum[m] };
        double              q = models.scale[m] * row.weighted_norm2, after = before[m];
        step_result         result = { .gap_term = 0.0 };

        if (row.due >> m & 1) {
            after = scalar_steps[kind](p, before[m], z[m], q, steps.y[m], &result);
            sdca_shrinking_update(&one, &lane, 0, row.weight * result.gap_term,
                                  after != before[m]);
            ck_assert(same(steps.derivative_before[m], result.derivative_before));
            ck_assert(same(steps.derivative_after[m], result.derivative_after));
            ck_assert(same(steps.curvature_after[m], result.curvature_after));
        }
        expected_moved |= (unsigned)(after != before[m]) << m;
        ck_assert_msg(same(alpha[m], after), "%s: alpha %.17g, alone %.17g", loss->name,
                      alpha[m], after);
        ck_assert(same(factor[m], models.scale[m] * (row.weight * (after - before[m]))));
        ck_assert(same(gap_term[m], old_term[m]));
        ck_assert_int_eq(streak[m], old_streak[m]);
        ck_assert(same(models.term_sum[m], lane.term_sum));
    }
    ck_assert_uint_eq(moved, expected_moved);
}

START_TEST(steps_of_lanes_are_those_of_one_model)
{
    for (int kind = 0; kind < SDCA_LOSS_COUNT; kind++) {
        sdca_random stream = sdca_random_stream(1, SDCA_STREAM_TEST, (uint64_t)kind, 0);

        for (int trial = 0; trial < TRIALS; trial++) {
            check_row(&stream, (sdca_loss_kind)kind, trial % 2 == 0 ? 4 : 8);
        }
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, steps_of_lanes_are_those_of_one_model);
}
