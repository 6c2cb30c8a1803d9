/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_logistic.h - the logistic loss, to be inlined: phi(z) = ln(1 + e^(-y z)),
 * phi*(-a) = b ln b + (1-b) ln(1-b) for b = y a in [0, 1]. */
#ifndef SDCA_OBJECTIVE_LOSS_LOGISTIC_H
#define SDCA_OBJECTIVE_LOSS_LOGISTIC_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "objective/loss_results.h"

SDCA_INLINE bool logistic_has_kinks(double p)
{
    (void)p;
    return false;
}

/* log1p(x), faster: the rounding error of 1 + x is known (Kahan). */
static inline double fast_log1p(double x)
{
    double sum = 1.0 + x;

    return sum == 1.0 ? x : log(sum) * (x / (sum - 1.0));
}

static inline double logistic_primal(double p, double z, double y)
{
    double m = y * z;

    (void)p;
    if (m == 0.0) {
        return 0x1.62e42fefa39efp-1; /* ln 2: every row of a run that starts at w = 0 */
    }
    return branchless_max(-m, 0.0) + fast_log1p(exp(-fabs(m)));
}

static inline double logistic_conjugate(double p, double a, double y)
{
    double b    = y * a;
    double low  = b > 0.0 ? b * log(b) : 0.0;
    double high = b < 1.0 ? (1.0 - b) * fast_log1p(-b) : 0.0;

    (void)p;
    return low + high;
}

/* b ln b and (1-b) ln(1-b) are accurate, and so is the sum unless all three are small. */
static inline row_term logistic_row_term(double p, double a, double z, double y)
{
    double primal    = logistic_primal(p, z, y);
    double conjugate = logistic_conjugate(p, a, y);

    return (row_term){ primal, conjugate, primal + (conjugate + a * z) };
}

/* |phi'| is the sigmoid of -m, which is less than phi and grows by at most a factor e^r
 * over a distance of r. */
static inline double logistic_max_derivative(double p, double z, double r, double y)
{
    return r < 1.0 ? branchless_min(1.0, (1.0 + 2.0 * r) * logistic_primal(p, z, y))
                   : 1.0;
}

static inline double logistic_rounding_magnitude(double p, double a, double z, double y,
                                                 double max_derivative)
{
    (void)max_derivative;
    return 2.0 * logistic_primal(p, z, y) + fabs(logistic_conjugate(p, a, y)) +
           fabs(a * z);
}

/* Where b is 0 or 1 the derivative of the conjugate is infinite, but a line search needs
 * finite numbers. Beyond this limit b is 0 or 1 in double precision. */
static const double logistic_derivative_limit = 745.0;

/* e^x for x <= 0, without a call and without a branch, so that a loop over lanes becomes
 * vector instructions; 0 where e^x would not be a normal number. x is k ln 2 + r, |r| <=
 * 0.35, with a series of 13 terms in r; the relative error is at most 3e-16. */
SDCA_INLINE double exp_of_negative(double x)
{
    const double integers = 0x1.8p52; /* a sum with it is rounded to an integer */
    const double least    = -708.0;
    double       power, k, r, r2, r4, low, high, result;
    uint64_t     bits, exponent;

    power = branchless_max(x, least) * 0x1.71547652b82fep0 + integers;
    k     = power - integers;
    r     = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
    r2    = r * r;
    r4    = r2 * r2;
    low   = ((1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0))) +
          r4 * ((1.0 / 720.0 + r * (1.0 / 5040.0)) +
                r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0)));
    high = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) +
           r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    result = 1.0 + (r + r2 * (low + (r4 * r4) * high));
    memcpy(&bits, &result, sizeof bits);
    memcpy(&exponent, &power, sizeof exponent);
    bits += exponent << 52;
    memcpy(&result, &bits, sizeof bits);
    return x < least ? 0.0 : result;
}

SDCA_INLINE logistic_point logistic_point_at(double t)
{
    double small = exp_of_negative(-fabs(t));
    double whole = 1.0 / (1.0 + small);

    return t < 0.0 ? (logistic_point){ t, small * whole, whole }
                   : (logistic_point){ t, whole, small * whole };
}

/* Scale s by a power of two to within 2/3 and 3/2 of the complement; returns the power.
 * Normal numbers; without a branch. */
SDCA_INLINE double scale_to(double complement, double *s)
{
    const uint64_t one      = (uint64_t)1 << 52; /* in the exponent */
    const uint64_t integers = 0x433U * one;      /* 2^52, to which integers are added */
    uint64_t       over, under, power;
    double         k;

    memcpy(&over, s, sizeof over);
    memcpy(&under, &complement, sizeof under);
    power = (over - under + 2048 * one + one / 2) / one; /* plus 2048 */
    over -= power * one - 2048 * one;
    memcpy(s, &over, sizeof over);
    power |= integers;
    memcpy(&k, &power, sizeof k);
    return k - (0x1p52 + 2048.0);
}

/* 2 atanh(f) - 2 f for |f| <= 1/5: seven terms. The coefficients, close to 2/3, 2/5, 2/7,
 * ..., interpolate the series at Chebyshev points; the relative error of 2 atanh(f) is at
 * most 6e-17. */
SDCA_INLINE double atanh_series(double f)
{
    double g   = f * f;
    double g2  = g * g;
    double low = (0.6666666666666694 + 0.39999999999341623 * g) +
                 (0.2857142883402187 + 0.22222183019460265 * g) * g2;
    double high = (0.1818459724682636 + 0.1528402127843849 * g) + 0.1511560315350166 * g2;

    return f * g * (low + high * (g2 * g2));
}

/* ln(s / complement) for normal numbers, faster than log() and without a branch. The
 * difference of the scaled numbers is exact. */
SDCA_INLINE double normal_logit(double s, double complement)
{
    double k = scale_to(complement, &s);
    double f = (s - complement) / (s + complement);

    return k * 0.69314718055994531 + (2.0 * f + atanh_series(f));
}

/* ln x for a normal number, without a call and without a branch; the relative error is at
 * most 5.5 * 2^-53: the first part of ln 2 is short, so that its product is exact. */
SDCA_INLINE double normal_log(double x)
{
    double k = scale_to(1.0, &x);
    double f = (x - 1.0) / (x + 1.0);

    return k * 0x1.62e42feep-1 +
           (2.0 * f + (atanh_series(f) + k * 0x1.a39ef35793c76p-33));
}

/* ln(1 + x), given the rounded sum; as fast_log1p(). */
SDCA_INLINE double normal_log1p(double x, double sum)
{
    double deviation = sum == 1.0 ? 1.0 : sum - 1.0;
    double logarithm = normal_log(branchless_max(sum, DBL_MIN)) * (x / deviation);

    return sum == 1.0 ? x : logarithm;
}

/* ln(s / complement), infinite at the ends and at numbers that are not normal. */
SDCA_INLINE double logistic_logit(double s, double complement)
{
    double infinite = s < complement ? -INFINITY : INFINITY;

    return branchless_min(s, complement) < DBL_MIN ? infinite
                                                   : normal_logit(s, complement);
}

SDCA_INLINE logistic_point logistic_point_of(double s, double complement)
{
    return (logistic_point){ logistic_logit(s, complement), s, complement };
}

/* The best t is the root of the increasing F(t) = t + m + q (s(t) - b), m = y z. At
 * any t, with s = s(t), p = s (1-s), u = 1 - 2 s, j = 1 / (1 + q p) and Newton's
 * move w = -j F(t), the sigmoid of the root is s + p C(w), where
 *
 *     j ln((1 + (1-s) C) / (1 - s C)) + (1-j) C = w.
 *
 * So C' = 1 + (u C - p C^2) (1 - (1-j) C') and C(0) = 0, and comparing powers of w gives
 * the series of C. Its coefficients do not depend on the margin: only w does. The sixth
 * is at most 0.007 for all s and q, so that for |w| up to this radius five terms have a
 * relative error of at most 1e-14 in s and in 1-s. */
static const double logistic_series_radius = 0.01;

SDCA_INLINE double logistic_series(double p, double u, double j, double w)
{
    double r  = 2.0 * j - 1.0;
    double r2 = r * r;
    double u2 = u * u;
    double c2 = (1.0 / 2.0) * (j * p) * u;
    double c3 = (1.0 / 12.0) * (j * p) * (3.0 * r * u2 - 1.0);
    double c4 = (1.0 / 96.0) * (j * p) * u * ((2.0 - 10.0 * r) + (15.0 * r2 - 3.0) * u2);
    double c5 = (1.0 / 960.0) * (j * p) *
                ((10.0 * r - 2.0) +
                 15.0 * u2 * ((1.0 + 2.0 * r - 7.0 * r2) + (7.0 * r2 - 3.0) * (r * u2)));
    double w2 = w * w;

    return w * (p + c2 * w) + w * w2 * ((c3 + c4 * w) + c5 * w2);
}

/* The root by the series. t + w + q (p w - increment) equals -m - q (s + increment - b),
 * in which large numbers would cancel. */
SDCA_INLINE logistic_point logistic_series_root(logistic_point at, double q, double w,
                                                double increment)
{
    return (logistic_point){ at.t + w + q * (at.s * at.complement * w - increment),
                             at.s + increment, at.complement - increment };
}

/* Beyond the radius the series is a good initial value, from which |w| is at most 0.07,
 * if at least a quarter of s and of 1-s remains. Beyond |w| = 1.5 it is not reliable. */
SDCA_INLINE bool logistic_series_is_usable(logistic_point at, double w, double increment)
{
    double least =
        branchless_min(0.75 * at.s + increment, 0.75 * at.complement - increment);

    return (fabs(w) <= 1.5) & (least >= DBL_MIN);
}

/* A t beyond the root, on the root's side of 0. F is convex for t <= 0 and concave for
 * t >= 0, so that from there Newton's method converges to the root without overshooting.
 */
SDCA_INLINE double logistic_bracket_end(double m, double q, double b, double logit)
{
    double below    = branchless_min(0.0, q * b - m);
    double above    = branchless_max(0.0, -m - q * (1.0 - b));
    double nearest  = branchless_min(below, logit),
           farthest = branchless_max(above, logit);

    below = logit + m >= 0.0 ? nearest : below;
    above = logit + m <= 0.0 ? farthest : above;
    return m + q * (0.5 - b) > 0.0 ? below : above;
}

/* Newton's move from a point, and j. */
SDCA_INLINE double logistic_newton_move(logistic_point at, double m, double q, double b,
                                        double *j)
{
    *j = 1.0 / (1.0 + q * (at.s * at.complement));
    return -(at.t + m + q * (at.s - b)) * *j;
}

enum { LOGISTIC_ROOT_LIMIT = 40 }; /* moves; the most in 300,000 extreme cases was 24 */

/* The root by Newton's method with the series, from the row's point and its w and
 * increment, or from beyond the root. Usually one or two more iterations. */
static inline logistic_point logistic_root(double m, double q, logistic_point at,
                                           double w, double increment)
{
    double b = at.s, j;

    at = logistic_series_is_usable(at, w, increment)
             ? logistic_point_of(at.s + increment, at.complement - increment)
             : logistic_point_at(logistic_bracket_end(m, q, b, at.t));
    for (int k = 0; k < LOGISTIC_ROOT_LIMIT; k++) {
        w         = logistic_newton_move(at, m, q, b, &j);
        increment = logistic_series(at.s * at.complement, at.complement - at.s, j, w);
        if (fabs(w) <= logistic_series_radius) {
            return logistic_series_root(at, q, w, increment);
        }
        at = logistic_series_is_usable(at, w, increment)
                 ? logistic_point_of(at.s + increment, at.complement - increment)
                 : logistic_point_at(at.t + w);
    }
    return at;
}

/* The row's term of the gap is the integral of s(t) - b for t from logit(b) to -m. The
 * root lies between them, and s is known there; beyond it s is extrapolated along its
 * tangent if -m is close. Each part is integrated by the trapezoidal rule, which is
 * accurate enough for shrinking. From an end of the interval, where the logit is
 * infinite, the first part has a closed form, with the complement bounded away from 0. */
SDCA_INLINE double logistic_gap_before(double logit, logistic_point root)
{
    double left = branchless_max(DBL_MIN, logit < 0.0 ? root.complement : root.s);

    return -normal_logit(left, 1.0);
}

SDCA_INLINE double logistic_gap_term(double q, double b, double logit,
                                     logistic_point root)
{
    double increment = root.s - b;
    double remaining = q * increment; /* from the root to -m */
    double end    = fabs(remaining) <= 1.0 ? root.s + remaining * root.s * root.complement
                                           : logistic_point_at(root.t + remaining).s;
    double before = isfinite(logit) ? 0.5 * increment * (root.t - logit)
                                    : logistic_gap_before(logit, root);

    return before + 0.5 * remaining * (increment + (end - b));
}

SDCA_INLINE step_precomputed logistic_precompute(double a, double q, double y)
{
    double         b  = clip(y * a, 0.0, 1.0);
    logistic_point at = logistic_point_of(b, 1.0 - b);
    double         j  = 1.0 / (1.0 + q * (at.s * at.complement));

    return (step_precomputed){ at, j, -y * at.t * j };
}

/* The next step depends on this one. So the chain of operations from z to the result is
 * short, with y w instead of w in it; all else is off that chain. */
SDCA_INLINE double logistic_step(double p, double a, double z, double q, double y,
                                 step_precomputed precomputed, step_result *result)
{
    logistic_point at = precomputed.point;
    double         w  = precomputed.step_at_zero - precomputed.newton_factor * z;
    double increment  = logistic_series(at.s * at.complement, y * (at.complement - at.s),
                                        precomputed.newton_factor, w);
    bool   within_radius = fabs(w) <= logistic_series_radius;
    logistic_point root  = within_radius
                               ? logistic_series_root(at, q, y * w, y * increment)
                               : logistic_root(y * z, q, at, y * w, y * increment);

    (void)p;
    result->gap_term = logistic_gap_term(q, at.s, at.t, root);
    result->derivative_before =
        -y * clip(at.t, -logistic_derivative_limit, logistic_derivative_limit);
    result->derivative_after =
        -y * clip(root.t, -logistic_derivative_limit, logistic_derivative_limit);
    result->curvature_after = 1.0 / branchless_max(DBL_MIN, root.s * root.complement);
    return within_radius ? a + increment : y * root.s;
}

static inline double logistic_maximizer(double p, double a, double z, double q, double y)
{
    step_result result;

    return logistic_step(p, a, z, q, y, logistic_precompute(a, q, y), &result);
}

/* The paper's approximate step (Section 6): a fraction of the way to minus the
 * derivative of the loss, small enough that the dual cannot decrease. */
static inline double logistic_approximate_maximizer(double p, double a, double z,
                                                    double q, double y)
{
    double m       = y * z;
    double sigmoid = m < 0.0 ? 1.0 / (1.0 + exp(m)) : exp(-m) / (1.0 + exp(-m));

    (void)p;
    return a + (y * sigmoid - a) / branchless_max(1.0, 0.25 + q);
}

/* The nearest b at which the derivatives are finite. */
static inline double logistic_interior(double a, double y)
{
    return clip(y * a, DBL_MIN, 1.0 - DBL_EPSILON / 2.0);
}

static inline double logistic_dual_derivative(double p, double a, double y)
{
    double b = logistic_interior(a, y);

    (void)p;
    return y * (log1p(-b) - log(b));
}

static inline double logistic_dual_curvature(double p, double a, double y)
{
    double b = logistic_interior(a, y);

    (void)p;
    return 1.0 / (b * (1.0 - b));
}

SDCA_INLINE step_precomputed logistic_approximate_precompute(double a, double q, double y)
{
    (void)a;
    (void)q;
    (void)y;
    return (step_precomputed){ .step_at_zero = 0.0 };
}

SDCA_INLINE double logistic_approximate_step(double p, double a, double z, double q,
                                             double y, step_precomputed precomputed,
                                             step_result *result)
{
    double maximizer = logistic_approximate_maximizer(p, a, z, q, y);

    (void)precomputed;
    result->gap_term =
        row_gap_estimate(logistic_primal(p, z, y), logistic_conjugate(p, a, y), a, z);
    result->derivative_before = logistic_dual_derivative(p, a, y);
    result->derivative_after  = logistic_dual_derivative(p, maximizer, y);
    result->curvature_after   = logistic_dual_curvature(p, maximizer, y);
    return maximizer;
}

/* The majorant is the parabola that touches the loss at m and at -m and is nowhere below
 * it (Jaakkola and Jordan, Statistics and Computing 10, 2000). */
SDCA_INLINE linearization logistic_linearize(double p, double z, double y, double alpha,
                                             smoothing at)
{
    double m                  = y * z;
    double small              = exp(-fabs(m)); /* never overflows */
    double large              = 1.0 / (1.0 + small);
    double majorant_curvature = fabs(m) > 1e-3 ? (large - 0.5) / fabs(m) : 0.25;

    (void)p;
    (void)alpha;
    return (linearization){ m > 0.0 ? y * small * large : y * large,
                            at.majorize ? majorant_curvature : small * large * large,
                            0.0 };
}

SDCA_INLINE void logistic_add_loss(double p, double z, double y, loss_sum *all)
{
    double m = y * z;

    (void)p;
    all->sum += branchless_max(-m, 0.0);
    all->product *= 1.0 + exp(-fabs(m));
}

/* All functions of the family's one loss are above. */
#define SDCA_DEFINE_logistic_LOSS(id)

#endif
