/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_lane_steps.h - the coordinate steps of several models on one row, and their
 * terms of the gap, to be inlined.
 *
 * The lanes of a row are independent of each other. The loops over them have no branches
 * and a constant number of iterations, so that the compiler makes vector instructions of
 * them; each lane has the formulas, and the bits, of the step of its model alone
 * (loss_quadratic.h, loss_logistic.h). For each loss id of the list there are id_steps()
 * and id_terms().
 *
 * A source defines SDCA_VECTOR_LOOPS before it includes this header. */
#ifndef SDCA_OBJECTIVE_MODEL_LANE_STEPS_H
#define SDCA_OBJECTIVE_MODEL_LANE_STEPS_H

#include "data/lane_row_kernels.h"
#include "objective/loss_inline.h"

/* A number for each lane, and the bit of each lane or 0. */
#if defined(__GNUC__)
typedef double   lane_vector[SDCA_MAX_LANES] __attribute__((aligned(64)));
typedef uint64_t lane_bits[SDCA_MAX_LANES] __attribute__((aligned(64)));
#else
typedef double   lane_vector[SDCA_MAX_LANES];
typedef uint64_t lane_bits[SDCA_MAX_LANES];
#endif

/* The bit of each lane: shifts by the number of a lane do not become vector instructions.
 */
static const lane_bits lane_bit = { 1, 2, 4, 8, 16, 32, 64, 128 };

/* All bits together. */
SDCA_INLINE unsigned collect_bits(int lanes, const uint64_t *bits)
{
    uint64_t all = 0;

    for (int m = 0; m < lanes; m++) {
        all |= bits[m];
    }
    return (unsigned)all;
}

/* The steps of one row: of each lane its y, q, margin z and alpha before the step; the
 * alpha after it and the by-products of step_result, those for a line search only if
 * with_derivatives. */
typedef struct lane_steps {
    lane_vector y, q, z, before;
    lane_vector after, gap_term;
    bool        with_derivatives;
    lane_vector derivative_before, derivative_after, curvature_after;
} lane_steps;

/* Steps of a loss whose step has no branches. */
#define SDCA_DEFINE_quadratic_STEPS(id)                                                  \
    SDCA_INLINE void id##_steps(int lanes, double p, unsigned due, lane_steps *at)       \
    {                                                                                    \
        (void)due;                                                                       \
        _Pragma("omp simd") for (int m = 0; m < lanes; m++)                              \
        {                                                                                \
            step_result result;                                                          \
                                                                                         \
            at->after[m] = quadratic_step(id##_coefficients(p), at->before[m], at->z[m], \
                                          at->q[m], at->y[m], &result);                  \
            at->gap_term[m] = result.gap_term;                                           \
        }                                                                                \
        for (int m = 0; at->with_derivatives && m < lanes; m++) {                        \
            at->derivative_before[m] = id##_dual_derivative(p, at->before[m], at->y[m]); \
            at->derivative_after[m]  = id##_dual_derivative(p, at->after[m], at->y[m]);  \
            at->curvature_after[m]   = id##_coefficients(p).c;                           \
        }                                                                                \
    }

/* The logistic steps of a row under way: the point of each lane, its move w with the
 * increment of s, and the root, once it is found. */
typedef struct logistic_lanes {
    lane_vector b, logit;         /* of alpha before the step; +-infinite at its ends */
    lane_vector t, s, complement; /* the point */
    lane_vector w, increment;     /* from there */
    lane_vector root_t, root_s, root_complement;
} logistic_lanes;

/* Take the root of all lanes for which the series is accurate. Returns the others of
 * due. */
SDCA_INLINE unsigned logistic_take_roots(int lanes, unsigned due, const lane_steps *at,
                                         logistic_lanes *l)
{
    lane_bits rest;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        logistic_point point = { l->t[m], l->s[m], l->complement[m] };
        uint64_t       bit   = due & lane_bit[m];
        logistic_point root =
            logistic_series_root(point, at->q[m], l->w[m], l->increment[m]);
        bool within = fabs(l->w[m]) <= logistic_series_radius;
        bool take   = within & (bit != 0);

        l->root_t[m]          = take ? root.t : l->root_t[m];
        l->root_s[m]          = take ? root.s : l->root_s[m];
        l->root_complement[m] = take ? root.complement : l->root_complement[m];
        rest[m]               = within ? 0 : bit;
    }
    return collect_bits(lanes, rest);
}

/* From the lanes in rest to the next point: by the series where it is usable, else by
 * Newton's move, or at the start to an end of the bracket. */
SDCA_INLINE void logistic_move(int lanes, unsigned rest, bool start, const lane_steps *at,
                               logistic_lanes *l)
{
    lane_bits   is_far;
    lane_vector far_t;
    unsigned    far;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        logistic_point point = { l->t[m], l->s[m], l->complement[m] };
        double         w = l->w[m], increment = l->increment[m];
        uint64_t       bit    = rest & lane_bit[m];
        bool           usable = logistic_series_is_usable(point, w, increment);
        bool           take   = usable & (bit != 0);
        double         s      = usable ? point.s + increment : 0.5;
        double         other  = usable ? point.complement - increment : 0.5;
        double         t      = normal_logit(s, other);

        far_t[m] =
            start ? logistic_bracket_end(at->y[m] * at->z[m], at->q[m], l->b[m], point.t)
                  : point.t + w;
        l->t[m]          = take ? t : point.t;
        l->s[m]          = take ? s : point.s;
        l->complement[m] = take ? other : point.complement;
        is_far[m]        = usable ? 0 : bit;
    }
    far = collect_bits(lanes, is_far);
    if (far == 0) {
        return;
    }
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        logistic_point point = logistic_point_at(far_t[m]);
        bool           take  = (far & lane_bit[m]) != 0;

        l->t[m]          = take ? point.t : l->t[m];
        l->s[m]          = take ? point.s : l->s[m];
        l->complement[m] = take ? point.complement : l->complement[m];
    }
}

/* The roots of all lanes in rest, which are beyond the radius of the series. */
SDCA_INLINE void logistic_find_roots(int lanes, unsigned rest, const lane_steps *at,
                                     logistic_lanes *l)
{
    logistic_move(lanes, rest, true, at, l);
    for (int k = 0; k < LOGISTIC_ROOT_LIMIT && rest != 0; k++) {
#pragma omp simd
        for (int m = 0; m < lanes; m++) {
            logistic_point point = { l->t[m], l->s[m], l->complement[m] };
            double         j;

            l->w[m] =
                logistic_newton_move(point, at->y[m] * at->z[m], at->q[m], l->b[m], &j);
            l->increment[m] = logistic_series(point.s * point.complement,
                                              point.complement - point.s, j, l->w[m]);
        }
        rest = logistic_take_roots(lanes, rest, at, l);
        if (rest != 0) {
            logistic_move(lanes, rest, false, at, l);
        }
    }
#pragma omp simd
    for (int m = 0; m < lanes; m++) { /* without convergence, the last point */
        bool take = (rest & lane_bit[m]) != 0;

        l->root_t[m]          = take ? l->t[m] : l->root_t[m];
        l->root_s[m]          = take ? l->s[m] : l->root_s[m];
        l->root_complement[m] = take ? l->complement[m] : l->root_complement[m];
    }
}

/* logistic_gap_term() of all lanes; the rare cases only if a lane in due is one. */
SDCA_INLINE void logistic_gap_terms(int lanes, unsigned due, lane_steps *at,
                                    const logistic_lanes *l)
{
    lane_bits   far, infinite;
    lane_vector before, end;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double   increment = l->root_s[m] - l->b[m];
        double   remaining = at->q[m] * increment;
        uint64_t bit       = due & lane_bit[m];

        end[m]      = l->root_s[m] + remaining * l->root_s[m] * l->root_complement[m];
        before[m]   = 0.5 * increment * (l->root_t[m] - l->logit[m]);
        far[m]      = fabs(remaining) <= 1.0 ? 0 : bit;
        infinite[m] = fabs(l->logit[m]) <= DBL_MAX ? 0 : bit;
    }
    if (collect_bits(lanes, far) != 0) {
#pragma omp simd
        for (int m = 0; m < lanes; m++) {
            double remaining = at->q[m] * (l->root_s[m] - l->b[m]);
            double far_end   = logistic_point_at(l->root_t[m] + remaining).s;

            end[m] = fabs(remaining) <= 1.0 ? end[m] : far_end;
        }
    }
    if (collect_bits(lanes, infinite) != 0) {
#pragma omp simd
        for (int m = 0; m < lanes; m++) {
            logistic_point root  = { l->root_t[m], l->root_s[m], l->root_complement[m] };
            double         whole = logistic_gap_before(l->logit[m], root);

            before[m] = fabs(l->logit[m]) <= DBL_MAX ? before[m] : whole;
        }
    }
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double increment = l->root_s[m] - l->b[m];

        at->gap_term[m] =
            before[m] + 0.5 * (at->q[m] * increment) * (increment + (end[m] - l->b[m]));
    }
}

SDCA_INLINE void logistic_steps(int lanes, double p, unsigned due, lane_steps *at)
{
    logistic_lanes l;
    unsigned       rest;

    (void)p;
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double           y     = at->y[m];
        step_precomputed now   = logistic_precompute(at->before[m], at->q[m], y);
        logistic_point   point = now.point;
        double           w     = now.step_at_zero - now.newton_factor * at->z[m];
        double           increment =
            logistic_series(point.s * point.complement, y * (point.complement - point.s),
                            now.newton_factor, w);

        l.b[m]          = point.s;
        l.logit[m]      = point.t;
        l.t[m]          = point.t;
        l.s[m]          = point.s;
        l.complement[m] = point.complement;
        l.w[m]          = y * w;
        l.increment[m]  = y * increment;
        l.root_t[m] = l.root_s[m] = l.root_complement[m] = 0.5;
        at->after[m]                                     = at->before[m] + increment;
    }
    rest = logistic_take_roots(lanes, due, at, &l);
    if (rest != 0) {
        logistic_find_roots(lanes, rest, at, &l);
#pragma omp simd
        for (int m = 0; m < lanes; m++) {
            at->after[m] =
                (rest & lane_bit[m]) != 0 ? at->y[m] * l.root_s[m] : at->after[m];
        }
    }
    logistic_gap_terms(lanes, due, at, &l);
    for (int m = 0; at->with_derivatives && m < lanes; m++) {
        double limit = logistic_derivative_limit;

        at->derivative_before[m] = -at->y[m] * clip(l.logit[m], -limit, limit);
        at->derivative_after[m]  = -at->y[m] * clip(l.root_t[m], -limit, limit);
        at->curvature_after[m] =
            1.0 / branchless_max(DBL_MIN, l.root_s[m] * l.root_complement[m]);
    }
}

/* The terms of one row: of each lane its y, alpha and margin z, and its row_term. */
typedef struct lane_terms {
    lane_vector y, alpha, z;
    lane_vector primal, conjugate, gap;
} lane_terms;

#define SDCA_DEFINE_quadratic_TERMS(id)                                            \
    SDCA_INLINE void id##_terms(int lanes, double p, lane_terms *at)               \
    {                                                                              \
        _Pragma("omp simd") for (int m = 0; m < lanes; m++)                        \
        {                                                                          \
            row_term term = quadratic_row_term(id##_coefficients(p), at->alpha[m], \
                                               at->z[m], at->y[m]);                \
                                                                                   \
            at->primal[m]    = term.primal;                                        \
            at->conjugate[m] = term.conjugate;                                     \
            at->gap[m]       = term.gap;                                           \
        }                                                                          \
    }

/* logistic_row_term(), with errors of at most 15 u of the loss and of the conjugate. By
 * itself where a number would not be normal, or is NaN. */
SDCA_INLINE void logistic_terms(int lanes, double p, lane_terms *at)
{
    lane_bits rare;
    unsigned  alone;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double margin = at->y[m] * at->z[m], b = at->y[m] * at->alpha[m], c = 1.0 - b;
        double small     = exp_of_negative(-fabs(margin));
        double low       = b * normal_log(branchless_max(b, DBL_MIN));
        double high      = c * normal_log1p(-b, c);
        bool   subnormal = (b > 0.0) & (b < DBL_MIN);

        at->primal[m] = branchless_max(-margin, 0.0) + normal_log1p(small, 1.0 + small);
        at->conjugate[m] = (b > 0.0 ? low : 0.0) + (b < 1.0 ? high : 0.0);
        at->gap[m]       = at->primal[m] + (at->conjugate[m] + at->alpha[m] * at->z[m]);
        rare[m]          = ((fabs(margin) <= 700.0) & !subnormal) ? 0 : lane_bit[m];
    }
    alone = collect_bits(lanes, rare);
    for (int m = 0; alone != 0 && m < lanes; m++) {
        if ((alone >> m & 1) != 0) {
            row_term term = logistic_row_term(p, at->alpha[m], at->z[m], at->y[m]);

            at->primal[m]    = term.primal;
            at->conjugate[m] = term.conjugate;
            at->gap[m]       = term.gap;
        }
    }
}

#define SDCA_DEFINE_logistic_STEPS(id)
#define SDCA_DEFINE_logistic_TERMS(id)
#define SDCA_DEFINE_STEPS(with, id, family, ...) \
    SDCA_DEFINE_##family##_STEPS(id) SDCA_DEFINE_##family##_TERMS(id)

SDCA_LOSS_LIST(SDCA_DEFINE_STEPS, )

#undef SDCA_DEFINE_STEPS

#endif
