/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_inline.h - the losses as formulas, to be inlined.
 *
 * loss.c makes the table of them; local.c makes one loop per loss, so that no
 * step costs an indirect call and the constants of a loss fold away. Contracts:
 * sdca/loss.h. */
#ifndef SDCA_OBJECTIVE_LOSS_INLINE_H
#define SDCA_OBJECTIVE_LOSS_INLINE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "objective/loss.h"

/* What a step can tell beside its result, to be asked for with care: what nobody reads
 * is not computed. */
typedef struct step_result {
    double gap_term;          /* the row's term of the gap before the step */
    double derivative_before; /* the slope of -phi* before ... */
    double derivative_after;  /* ... and after */
    double curvature_after;
} step_result;

/* A point of the logistic step: t, its sigmoid s, and other = 1 - s. */
typedef struct logistic_point {
    double t, s, complement;
} logistic_point;

/* What a step can know of a row before its margin: of use to the logistic loss alone. */
typedef struct step_precomputed {
    logistic_point point;         /* where the row is: s = y a */
    double         newton_factor; /* j, and for a margin of 0 ... */
    double         step_at_zero;  /* ... y w: see logistic_series() */
} step_precomputed;

SDCA_INLINE double clip(double x, double low, double high)
{
    return branchless_min(high,
                          branchless_max(low, x)); /* what is not a number stays so */
}

/* I(y), given I(+1). */
static inline sdca_interval mirrored_interval(double low, double high, double y)
{
    return y > 0.0 ? (sdca_interval){ low, high } : (sdca_interval){ -high, -low };
}

/* x shrunk towards 0 by e. */
static inline double soft_threshold(double x, double e)
{
    return e == 0.0 ? x : x > e ? x - e : x < -e ? x + e : 0.0;
}

/* +1 where I(y) is I(+1) or symmetric, else -1: for labels that are -1 and +1, y. */
static inline double label_sign(double low, double high, double y)
{
    return low == -high ? 1.0 : y;
}

/* The a in I(y) that maximises pull a - e |a| - curvature a^2 / 2: pull shrunk
 * towards 0 by e, divided, clipped. Without curvature it is an end of I(y), or
 * 0 where nothing pulls. */
static inline double quadratic_maximizer(double e, double low, double high,
                                         double residual, double curvature, double y)
{
    double sign        = label_sign(low, high, y);
    double thresholded = sign * soft_threshold(residual, e);
    double maximizer =
        thresholded * (1.0 / curvature); /* curvature is known early, pull late */

    if (!(curvature > 0.0)) {
        maximizer = thresholded > 0.0 ? INFINITY : thresholded < 0.0 ? -INFINITY : 0.0;
    }
    return sign * clip(maximizer, low, high);
}

/* The two sides of Fenchel's equality: phi(z) = max over a of -a z - phi*(-a). */
static inline double quadratic_conjugate(double c, double e, double a, double y)
{
    return -y * a + e * fabs(a) + c * a * a / 2.0;
}

static inline double quadratic_primal(double c, double e, double low, double high,
                                      double z, double y)
{
    double residual = y - z; /* large y and z cancel first */
    double a;

    if (c == 0.0) { /* an end of the interval, which then is finite */
        double thresholded = label_sign(low, high, y) * soft_threshold(residual, e);

        return branchless_max(thresholded, 0.0) * high +
               (low == 0.0 ? 0.0 : branchless_min(thresholded, 0.0) * low);
    }
    a = quadratic_maximizer(e, low, high, residual, c, y);
    return a * residual - e * fabs(a) - c * a * a / 2.0;
}

/* The largest |phi'(z')| for |z' - z| <= r, from pull = y - z as rounded: -phi' falls as
 * z' grows, so it is largest at an end. */
static inline double quadratic_max_derivative(double c, double e, double low, double high,
                                              double residual, double r, double y)
{
    double sign  = label_sign(low, high, y) * residual;
    double reach = r + DBL_EPSILON * (fabs(residual) + e) - e;
    double up    = branchless_max(0.0, sign + reach);
    double down  = low == 0.0 ? 0.0 : branchless_max(0.0, reach - sign);

    if (c == 0.0) {
        return up > 0.0 ? high : down > 0.0 ? -low : 0.0;
    }
    return branchless_max(branchless_min(high, up / c), branchless_min(-low, down / c));
}

/* Magnitudes of all that is rounded on the way to phi, twice, and to phi* + a z. */
static inline double quadratic_rounding_magnitude(double c, double e, double a,
                                                  double residual, double max_derivative)
{
    double s = max_derivative, size = fabs(a);

    return (2.0 * s + size) * (fabs(residual) + e) + c * (s * s + size * size / 2.0);
}

#define SDCA_DEFINE_QUADRATIC_LOSS(id, display_name, classification, parameter, c, e,    \
                                   low, high)                                            \
    static inline double id##_smoothness(double p)                                       \
    {                                                                                    \
        (void)p;                                                                         \
        return c;                                                                        \
    }                                                                                    \
                                                                                         \
    static inline double id##_insensitivity(double p)                                    \
    {                                                                                    \
        (void)p;                                                                         \
        return e;                                                                        \
    }                                                                                    \
                                                                                         \
    static inline double id##_primal(double p, double z, double y)                       \
    {                                                                                    \
        (void)p;                                                                         \
        return quadratic_primal(c, e, low, high, z, y);                                  \
    }                                                                                    \
                                                                                         \
    static inline double id##_conjugate(double p, double a, double y)                    \
    {                                                                                    \
        (void)p;                                                                         \
        return quadratic_conjugate(c, e, a, y);                                          \
    }                                                                                    \
                                                                                         \
    static inline double id##_shifted_conjugate(double p, double a, double z, double y,  \
                                                double conjugate)                        \
    {                                                                                    \
        (void)p;                                                                         \
        (void)conjugate;                                                                 \
        return quadratic_conjugate(c, e, a, y - z);                                      \
    }                                                                                    \
                                                                                         \
    static inline double id##_max_derivative(double p, double z, double r, double y)     \
    {                                                                                    \
        (void)p;                                                                         \
        return quadratic_max_derivative(c, e, low, high, y - z, r, y);                   \
    }                                                                                    \
                                                                                         \
    static inline double id##_rounding_magnitude(double p, double a, double z, double y, \
                                                 double max_derivative)                  \
    {                                                                                    \
        (void)p;                                                                         \
        return quadratic_rounding_magnitude(c, e, a, y - z, max_derivative);             \
    }                                                                                    \
                                                                                         \
    static inline sdca_interval id##_feasible(double y)                                  \
    {                                                                                    \
        return mirrored_interval(low, high, y);                                          \
    }                                                                                    \
                                                                                         \
    static inline double id##_maximizer(double p, double a, double z, double q,          \
                                        double y)                                        \
    {                                                                                    \
        (void)p;                                                                         \
        return quadratic_maximizer(e, low, high, y - z + q * a, q + (c), y);             \
    }                                                                                    \
                                                                                         \
    static inline double id##_dual_derivative(double p, double a, double y)              \
    {                                                                                    \
        (void)p;                                                                         \
        return y - (c)*a - (a > 0.0 ? (e) : a < 0.0 ? -(e) : 0.0);                       \
    }                                                                                    \
                                                                                         \
    static inline double id##_dual_curvature(double p, double a, double y)               \
    {                                                                                    \
        (void)p;                                                                         \
        (void)a;                                                                         \
        (void)y;                                                                         \
        return c;                                                                        \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE step_precomputed id##_precompute(double a, double q, double y)           \
    {                                                                                    \
        (void)a;                                                                         \
        (void)q;                                                                         \
        (void)y;                                                                         \
        return (step_precomputed){ .step_at_zero = 0.0 };                                \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_step(double p, double a, double z, double q, double y,       \
                                 step_precomputed precomputed, step_result *result)      \
    {                                                                                    \
        double maximizer = id##_maximizer(p, a, z, q, y);                                \
                                                                                         \
        (void)precomputed;                                                               \
                                                                                         \
        result->gap_term = id##_primal(p, z, y) + id##_conjugate(p, a, y) + a * z;       \
        result->derivative_before = id##_dual_derivative(p, a, y);                       \
        result->derivative_after  = id##_dual_derivative(p, maximizer, y);               \
        result->curvature_after   = id##_dual_curvature(p, maximizer, y);                \
        return maximizer;                                                                \
    }

SDCA_QUADRATIC_LOSS_LIST(SDCA_DEFINE_QUADRATIC_LOSS)

#undef SDCA_DEFINE_QUADRATIC_LOSS

/* Logistic: phi(z) = ln(1 + e^(-y z)), phi*(-a) = b ln b + (1-b) ln(1-b) for
 * b = y a in [0, 1]. */
static inline double logistic_smoothness(double p)
{
    (void)p;
    return 4.0;
}

static inline double logistic_insensitivity(double p)
{
    (void)p;
    return 0.0;
}

/* log1p(x), in less time: what is rounded off in 1 + x is known (Kahan). */
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
        return 0x1.62e42fefa39efp-1; /* ln 2, for all rows when a run begins */
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

static inline double logistic_shifted_conjugate(double p, double a, double z, double y,
                                                double conjugate)
{
    (void)p;
    (void)y;
    return conjugate + a * z;
}

/* |phi'| is the sigmoid of -m, which is less than phi and, r further on, at most e^r
 * times as large. */
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

static inline sdca_interval logistic_feasible(double y)
{
    return mirrored_interval(0.0, 1.0, y);
}

/* Where b is 0 or 1 the slope of the conjugate is infinite; a line search needs a number,
 * and beyond this one b is 0 or 1 in double precision. */
static const double logistic_derivative_limit = 745.0;

SDCA_INLINE logistic_point logistic_point_at(double t)
{
    double small = exp(-fabs(t)); /* never overflows */
    double whole = 1.0 / (1.0 + small);

    return t < 0.0 ? (logistic_point){ t, small * whole, whole }
                   : (logistic_point){ t, whole, small * whole };
}

/* ln(s / other), infinite at the ends; log() would take longer. Less the power of two
 * between them s is 2/3 to 3/2 of other, so that their difference is exact, and what is
 * left is 2 atanh(f) with |f| <= 1/5: 2 f and seven more terms. Their coefficients,
 * which begin as 2/3, 2/5, 2/7 do, are those of the polynomial that agrees with the
 * series at Chebyshev's points, and so to 6e-17 of the result elsewhere. */
SDCA_INLINE double logistic_logit(double s, double complement)
{
    const uint64_t one = (uint64_t)1 << 52; /* in the exponent */
    uint64_t       over, under, power;
    double         f, g, g2, low, high;

    if (branchless_min(s, complement) < DBL_MIN) {
        return log(s) - log(complement);
    }
    memcpy(&over, &s, sizeof over);
    memcpy(&under, &complement, sizeof under);
    power = (over - under + 2048 * one + one / 2) / one; /* 2048 too many */
    over -= power * one - 2048 * one;
    memcpy(&s, &over, sizeof over);
    f   = (s - complement) / (s + complement);
    g   = f * f;
    g2  = g * g;
    low = (0.6666666666666694 + 0.39999999999341623 * g) +
          (0.2857142883402187 + 0.22222183019460265 * g) * g2;
    high = (0.1818459724682636 + 0.1528402127843849 * g) + 0.1511560315350166 * g2;
    return ((double)(int)power - 2048.0) * 0.69314718055994531 +
           (2.0 * f + f * g * (low + high * (g2 * g2)));
}

SDCA_INLINE logistic_point logistic_point_of(double s, double complement)
{
    return (logistic_point){ logistic_logit(s, complement), s, complement };
}

/* The best t is the root of the increasing F(t) = t + m + q (s(t) - b), m = y z. Seen
 * from any t, with s = s(t), p = s (1-s), u = 1 - 2 s, j = 1 / (1 + q p) and Newton's
 * move w = -j F(t), the sigmoid of the root is s + p C(w), where
 *
 *     j ln((1 + (1-s) C) / (1 - s C)) + (1-j) C = w.
 *
 * So C' = 1 + (u C - p C^2) (1 - (1-j) C') and C(0) = 0, and comparing powers of w gives
 * the series of C. Its coefficients do not depend on the margin: all that waits for it is
 * w. The sixth is at most 0.007, whatever s and q are, so that for |w| up to near five
 * terms are exact to 1e-14 of s and of 1-s. */
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

/* There, with t + w + q (p w - rise) = -m - q (s + rise - b), which would cancel. */
SDCA_INLINE logistic_point logistic_series_root(logistic_point at, double q, double w,
                                                double increment)
{
    return (logistic_point){ at.t + w + q * (at.s * at.complement * w - increment),
                             at.s + increment, at.complement - increment };
}

/* Further away the series is a good guess, after which |w| is at most 0.07, if it leaves
 * a quarter of s and of 1-s; beyond |w| = 1.5 it need not be one. */
SDCA_INLINE bool logistic_series_is_usable(logistic_point at, double w, double increment)
{
    return fabs(w) <= 1.5 && branchless_min(0.75 * at.s + increment,
                                            0.75 * at.complement - increment) > 0.0;
}

/* A t beyond the root, on the root's side of 0. F is convex for t <= 0 and concave for
 * t >= 0, so that from there Newton's method comes back to the root and never overshoots.
 */
static inline double logistic_bracket_end(double m, double q, double b, double logit)
{
    double t;

    if (m + q * (0.5 - b) > 0.0) {
        t = branchless_min(0.0, q * b - m);
        return logit + m >= 0.0 ? branchless_min(t, logit) : t;
    }
    t = branchless_max(0.0, -m - q * (1.0 - b));
    return logit + m <= 0.0 ? branchless_max(t, logit) : t;
}

/* The root, from a row's own point and the w and rise that it has there, or from beyond:
 * usually one or two logits more. */
static inline logistic_point logistic_root(double m, double q, logistic_point at,
                                           double w, double increment)
{
    enum { LIMIT = 40 }; /* 24 were the most in 300,000 extreme cases */
    double b = at.s;

    at = logistic_series_is_usable(at, w, increment)
             ? logistic_point_of(at.s + increment, at.complement - increment)
             : logistic_point_at(logistic_bracket_end(m, q, b, at.t));
    for (int k = 0; k < LIMIT; k++) {
        double p = at.s * at.complement;
        double j = 1.0 / (1.0 + q * p);

        w         = -(at.t + m + q * (at.s - b)) * j;
        increment = logistic_series(p, at.complement - at.s, j, w);
        if (fabs(w) <= logistic_series_radius) {
            return logistic_series_root(at, q, w, increment);
        }
        at = logistic_series_is_usable(at, w, increment)
                 ? logistic_point_of(at.s + increment, at.complement - increment)
                 : logistic_point_at(at.t + w);
    }
    return at;
}

/* The row's term of the gap is the integral of s(t) - b for t from logit(b) to -m. On
 * the way lies the root, where s is known; beyond it s goes on along its tangent, if it
 * is not far. A trapezium for each part: good enough to tell large from small. From an
 * end of the interval, where logit is infinite, the first part is known, and what is left
 * of 1 there is at least the least number. */
SDCA_INLINE double logistic_gap_term(double q, double b, double logit,
                                     logistic_point root)
{
    double increment = root.s - b;
    double remaining = q * increment; /* of the way, after the root */
    double end    = fabs(remaining) <= 1.0 ? root.s + remaining * root.s * root.complement
                                           : logistic_point_at(root.t + remaining).s;
    double left   = branchless_max(DBL_MIN, logit < 0.0 ? root.complement : root.s);
    double before = isfinite(logit) ? 0.5 * increment * (root.t - logit) : -log(left);

    return before + 0.5 * remaining * (increment + (end - b));
}

SDCA_INLINE step_precomputed logistic_precompute(double a, double q, double y)
{
    double         b  = clip(y * a, 0.0, 1.0);
    logistic_point at = logistic_point_of(b, 1.0 - b);
    double         j  = 1.0 / (1.0 + q * (at.s * at.complement));

    return (step_precomputed){ at, j, -y * at.t * j };
}

/* The next step waits for this one: so the chain from z to what is returned is short,
 * with y w instead of w in it, and all else apart. */
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

/* The paper's approximate step (Section 6): part of the way towards the b that
 * the margin asks for, small enough that the dual cannot fall. */
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

    result->gap_term = logistic_primal(p, z, y) + logistic_conjugate(p, a, y) + a * z;
    result->derivative_before = logistic_dual_derivative(p, a, y);
    result->derivative_after  = logistic_dual_derivative(p, maximizer, y);
    result->curvature_after   = logistic_dual_curvature(p, maximizer, y);
    return maximizer;
}

#endif
