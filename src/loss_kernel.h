/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_kernel.h - the losses as formulas, to be inlined.
 *
 * loss.c makes the table of them; local.c makes one loop per loss, so that no
 * step costs an indirect call and the constants of a loss fold away. Contracts:
 * sdca/loss.h. */
#ifndef SDCA_LOSS_KERNEL_H
#define SDCA_LOSS_KERNEL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inline.h"
#include "sdca/loss.h"

/* What a step can tell beside its result, to be asked for with care: what nobody reads
 * is not computed. */
typedef struct step_facts {
    double term;         /* the row's term of the gap before the step */
    double slope_before; /* the slope of -phi* before ... */
    double slope_after;  /* ... and after */
    double bend_after;
} step_facts;

/* A point of the logistic step: t, its sigmoid s, and other = 1 - s. */
typedef struct logistic_point {
    double t, s, other;
} logistic_point;

/* What a step can know of a row before its margin: of use to the logistic loss alone. */
typedef struct step_ahead {
    logistic_point at;   /* where the row is: s = y a */
    double         ease; /* j, and for a margin of 0 ... */
    double         move; /* ... y w: see logistic_rise() */
} step_ahead;

SDCA_INLINE double clip(double x, double low, double high)
{
    return branchless_min(high,
                          branchless_max(low, x)); /* what is not a number stays so */
}

/* I(y), given I(+1). */
static inline sdca_interval mirror(double low, double high, double y)
{
    return y > 0.0 ? (sdca_interval){ low, high } : (sdca_interval){ -high, -low };
}

/* x shrunk towards 0 by e. */
static inline double shrink(double x, double e)
{
    return e == 0.0 ? x : x > e ? x - e : x < -e ? x + e : 0.0;
}

/* +1 where I(y) is I(+1) or symmetric, else -1: for labels that are -1 and +1, y. */
static inline double side(double low, double high, double y)
{
    return low == -high ? 1.0 : y;
}

/* The a in I(y) that maximises pull a - e |a| - curvature a^2 / 2: pull shrunk
 * towards 0 by e, divided, clipped. Without curvature it is an end of I(y), or
 * 0 where nothing pulls. */
static inline double quadratic_best(double e, double low, double high, double pull,
                                    double curvature, double y)
{
    double to   = side(low, high, y);
    double soft = to * shrink(pull, e);
    double best = soft * (1.0 / curvature); /* curvature is known early, pull late */

    if (!(curvature > 0.0)) {
        best = soft > 0.0 ? INFINITY : soft < 0.0 ? -INFINITY : 0.0;
    }
    return to * clip(best, low, high);
}

/* The two sides of Fenchel's equality: phi(z) = max over a of -a z - phi*(-a). */
static inline double quadratic_conjugate(double c, double e, double a, double y)
{
    return -y * a + e * fabs(a) + c * a * a / 2.0;
}

static inline double quadratic_primal(double c, double e, double low, double high,
                                      double z, double y)
{
    double pull = y - z; /* large y and z cancel first */
    double a;

    if (c == 0.0) { /* an end of the interval, which then is finite */
        double soft = side(low, high, y) * shrink(pull, e);

        return branchless_max(soft, 0.0) * high +
               (low == 0.0 ? 0.0 : branchless_min(soft, 0.0) * low);
    }
    a = quadratic_best(e, low, high, pull, c, y);
    return a * pull - e * fabs(a) - c * a * a / 2.0;
}

/* The largest |phi'(z')| for |z' - z| <= r, from pull = y - z as rounded: -phi' falls as
 * z' grows, so it is largest at an end. */
static inline double quadratic_steepness(double c, double e, double low, double high,
                                         double pull, double r, double y)
{
    double to   = side(low, high, y) * pull;
    double wide = r + DBL_EPSILON * (fabs(pull) + e) - e;
    double up   = branchless_max(0.0, to + wide);
    double down = low == 0.0 ? 0.0 : branchless_max(0.0, wide - to);

    if (c == 0.0) {
        return up > 0.0 ? high : down > 0.0 ? -low : 0.0;
    }
    return branchless_max(branchless_min(high, up / c), branchless_min(-low, down / c));
}

/* Magnitudes of all that is rounded on the way to phi, twice, and to phi* + a z. */
static inline double quadratic_rounded(double c, double e, double a, double pull,
                                       double steepness)
{
    double s = steepness, size = fabs(a);

    return (2.0 * s + size) * (fabs(pull) + e) + c * (s * s + size * size / 2.0);
}

#define SDCA_QUADRATIC_LOSS(id, words, classifies, parameter, c, e, low, high)        \
    static inline double id##_smoothness(double p)                                    \
    {                                                                                 \
        (void)p;                                                                      \
        return c;                                                                     \
    }                                                                                 \
                                                                                      \
    static inline double id##_insensitivity(double p)                                 \
    {                                                                                 \
        (void)p;                                                                      \
        return e;                                                                     \
    }                                                                                 \
                                                                                      \
    static inline double id##_primal(double p, double z, double y)                    \
    {                                                                                 \
        (void)p;                                                                      \
        return quadratic_primal(c, e, low, high, z, y);                               \
    }                                                                                 \
                                                                                      \
    static inline double id##_conjugate(double p, double a, double y)                 \
    {                                                                                 \
        (void)p;                                                                      \
        return quadratic_conjugate(c, e, a, y);                                       \
    }                                                                                 \
                                                                                      \
    static inline double id##_dual_part(double p, double a, double z, double y,       \
                                        double conjugate)                             \
    {                                                                                 \
        (void)p;                                                                      \
        (void)conjugate;                                                              \
        return quadratic_conjugate(c, e, a, y - z);                                   \
    }                                                                                 \
                                                                                      \
    static inline double id##_steepness(double p, double z, double r, double y)       \
    {                                                                                 \
        (void)p;                                                                      \
        return quadratic_steepness(c, e, low, high, y - z, r, y);                     \
    }                                                                                 \
                                                                                      \
    static inline double id##_rounded(double p, double a, double z, double y,         \
                                      double steepness)                               \
    {                                                                                 \
        (void)p;                                                                      \
        return quadratic_rounded(c, e, a, y - z, steepness);                          \
    }                                                                                 \
                                                                                      \
    static inline sdca_interval id##_feasible(double y)                               \
    {                                                                                 \
        return mirror(low, high, y);                                                  \
    }                                                                                 \
                                                                                      \
    static inline double id##_best(double p, double a, double z, double q, double y)  \
    {                                                                                 \
        (void)p;                                                                      \
        return quadratic_best(e, low, high, y - z + q * a, q + (c), y);               \
    }                                                                                 \
                                                                                      \
    static inline double id##_slope(double p, double a, double y)                     \
    {                                                                                 \
        (void)p;                                                                      \
        return y - (c)*a - (a > 0.0 ? (e) : a < 0.0 ? -(e) : 0.0);                    \
    }                                                                                 \
                                                                                      \
    static inline double id##_bend(double p, double a, double y)                      \
    {                                                                                 \
        (void)p;                                                                      \
        (void)a;                                                                      \
        (void)y;                                                                      \
        return c;                                                                     \
    }                                                                                 \
                                                                                      \
    SDCA_INLINE step_ahead id##_ahead(double a, double q, double y)                   \
    {                                                                                 \
        (void)a;                                                                      \
        (void)q;                                                                      \
        (void)y;                                                                      \
        return (step_ahead){ .move = 0.0 };                                           \
    }                                                                                 \
                                                                                      \
    SDCA_INLINE double id##_step(double p, double a, double z, double q, double y,    \
                                 step_ahead ahead, step_facts *facts)                 \
    {                                                                                 \
        double best = id##_best(p, a, z, q, y);                                       \
                                                                                      \
        (void)ahead;                                                                  \
                                                                                      \
        facts->term         = id##_primal(p, z, y) + id##_conjugate(p, a, y) + a * z; \
        facts->slope_before = id##_slope(p, a, y);                                    \
        facts->slope_after  = id##_slope(p, best, y);                                 \
        facts->bend_after   = id##_bend(p, best, y);                                  \
        return best;                                                                  \
    }

SDCA_QUADRATIC_LOSS_LIST(SDCA_QUADRATIC_LOSS)

#undef SDCA_QUADRATIC_LOSS

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
static inline double log_one_plus(double x)
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
    return branchless_max(-m, 0.0) + log_one_plus(exp(-fabs(m)));
}

static inline double logistic_conjugate(double p, double a, double y)
{
    double b    = y * a;
    double low  = b > 0.0 ? b * log(b) : 0.0;
    double high = b < 1.0 ? (1.0 - b) * log_one_plus(-b) : 0.0;

    (void)p;
    return low + high;
}

static inline double logistic_dual_part(double p, double a, double z, double y,
                                        double conjugate)
{
    (void)p;
    (void)y;
    return conjugate + a * z;
}

/* |phi'| is the sigmoid of -m, which is less than phi and, r further on, at most e^r
 * times as large. */
static inline double logistic_steepness(double p, double z, double r, double y)
{
    return r < 1.0 ? branchless_min(1.0, (1.0 + 2.0 * r) * logistic_primal(p, z, y))
                   : 1.0;
}

static inline double logistic_rounded(double p, double a, double z, double y,
                                      double steepness)
{
    (void)steepness;
    return 2.0 * logistic_primal(p, z, y) + fabs(logistic_conjugate(p, a, y)) +
           fabs(a * z);
}

static inline sdca_interval logistic_feasible(double y)
{
    return mirror(0.0, 1.0, y);
}

/* Where b is 0 or 1 the slope of the conjugate is infinite; a line search needs a number,
 * and beyond this one b is 0 or 1 in double precision. */
static const double logistic_steepest = 745.0;

SDCA_INLINE logistic_point logistic_at(double t)
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
SDCA_INLINE double logistic_logit(double s, double other)
{
    const uint64_t one = (uint64_t)1 << 52; /* in the exponent */
    uint64_t       over, under, power;
    double         f, g, g2, low, high;

    if (branchless_min(s, other) < DBL_MIN) {
        return log(s) - log(other);
    }
    memcpy(&over, &s, sizeof over);
    memcpy(&under, &other, sizeof under);
    power = (over - under + 2048 * one + one / 2) / one; /* 2048 too many */
    over -= power * one - 2048 * one;
    memcpy(&s, &over, sizeof over);
    f   = (s - other) / (s + other);
    g   = f * f;
    g2  = g * g;
    low = (0.6666666666666694 + 0.39999999999341623 * g) +
          (0.2857142883402187 + 0.22222183019460265 * g) * g2;
    high = (0.1818459724682636 + 0.1528402127843849 * g) + 0.1511560315350166 * g2;
    return ((double)(int)power - 2048.0) * 0.69314718055994531 +
           (2.0 * f + f * g * (low + high * (g2 * g2)));
}

SDCA_INLINE logistic_point logistic_of(double s, double other)
{
    return (logistic_point){ logistic_logit(s, other), s, other };
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
static const double logistic_near = 0.01;

SDCA_INLINE double logistic_rise(double p, double u, double j, double w)
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
SDCA_INLINE logistic_point logistic_end(logistic_point at, double q, double w,
                                        double rise)
{
    return (logistic_point){ at.t + w + q * (at.s * at.other * w - rise), at.s + rise,
                             at.other - rise };
}

/* Further away the series is a good guess, after which |w| is at most 0.07, if it leaves
 * a quarter of s and of 1-s; beyond |w| = 1.5 it need not be one. */
SDCA_INLINE bool logistic_leads(logistic_point at, double w, double rise)
{
    return fabs(w) <= 1.5 &&
           branchless_min(0.75 * at.s + rise, 0.75 * at.other - rise) > 0.0;
}

/* A t beyond the root, on the root's side of 0. F is convex for t <= 0 and concave for
 * t >= 0, so that from there Newton's method comes back to the root and never overshoots.
 */
static inline double logistic_beyond(double m, double q, double b, double logit)
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
                                           double w, double rise)
{
    enum { LIMIT = 40 }; /* 24 were the most in 300,000 extreme cases */
    double b = at.s;

    at = logistic_leads(at, w, rise) ? logistic_of(at.s + rise, at.other - rise)
                                     : logistic_at(logistic_beyond(m, q, b, at.t));
    for (int k = 0; k < LIMIT; k++) {
        double p = at.s * at.other;
        double j = 1.0 / (1.0 + q * p);

        w    = -(at.t + m + q * (at.s - b)) * j;
        rise = logistic_rise(p, at.other - at.s, j, w);
        if (fabs(w) <= logistic_near) {
            return logistic_end(at, q, w, rise);
        }
        at = logistic_leads(at, w, rise) ? logistic_of(at.s + rise, at.other - rise)
                                         : logistic_at(at.t + w);
    }
    return at;
}

/* The row's term of the gap is the integral of s(t) - b for t from logit(b) to -m. On
 * the way lies the root, where s is known; beyond it s goes on along its tangent, if it
 * is not far. A trapezium for each part: good enough to tell large from small. From an
 * end of the interval, where logit is infinite, the first part is known, and what is left
 * of 1 there is at least the least number. */
SDCA_INLINE double logistic_term(double q, double b, double logit, logistic_point root)
{
    double rise   = root.s - b;
    double rest   = q * rise; /* of the way, after the root */
    double end    = fabs(rest) <= 1.0 ? root.s + rest * root.s * root.other
                                      : logistic_at(root.t + rest).s;
    double left   = branchless_max(DBL_MIN, logit < 0.0 ? root.other : root.s);
    double before = isfinite(logit) ? 0.5 * rise * (root.t - logit) : -log(left);

    return before + 0.5 * rest * (rise + (end - b));
}

SDCA_INLINE step_ahead logistic_ahead(double a, double q, double y)
{
    double         b  = clip(y * a, 0.0, 1.0);
    logistic_point at = logistic_of(b, 1.0 - b);
    double         j  = 1.0 / (1.0 + q * (at.s * at.other));

    return (step_ahead){ at, j, -y * at.t * j };
}

/* The next step waits for this one: so the chain from z to what is returned is short,
 * with y w instead of w in it, and all else apart. */
SDCA_INLINE double logistic_step(double p, double a, double z, double q, double y,
                                 step_ahead ahead, step_facts *facts)
{
    logistic_point at = ahead.at;
    double         w  = ahead.move - ahead.ease * z;
    double rise = logistic_rise(at.s * at.other, y * (at.other - at.s), ahead.ease, w);
    bool   near = fabs(w) <= logistic_near;
    logistic_point root = near ? logistic_end(at, q, y * w, y * rise)
                               : logistic_root(y * z, q, at, y * w, y * rise);

    (void)p;
    facts->term         = logistic_term(q, at.s, at.t, root);
    facts->slope_before = -y * clip(at.t, -logistic_steepest, logistic_steepest);
    facts->slope_after  = -y * clip(root.t, -logistic_steepest, logistic_steepest);
    facts->bend_after   = 1.0 / branchless_max(DBL_MIN, root.s * root.other);
    return near ? a + rise : y * root.s;
}

static inline double logistic_best(double p, double a, double z, double q, double y)
{
    step_facts facts;

    return logistic_step(p, a, z, q, y, logistic_ahead(a, q, y), &facts);
}

/* The paper's approximate step (Section 6): part of the way towards the b that
 * the margin asks for, small enough that the dual cannot fall. */
static inline double logistic_guess_best(double p, double a, double z, double q, double y)
{
    double m      = y * z;
    double wanted = m < 0.0 ? 1.0 / (1.0 + exp(m)) : exp(-m) / (1.0 + exp(-m));

    (void)p;
    return a + (y * wanted - a) / branchless_max(1.0, 0.25 + q);
}

/* The nearest b at which the derivatives are finite. */
static inline double logistic_inner(double a, double y)
{
    return clip(y * a, DBL_MIN, 1.0 - DBL_EPSILON / 2.0);
}

static inline double logistic_slope(double p, double a, double y)
{
    double b = logistic_inner(a, y);

    (void)p;
    return y * (log1p(-b) - log(b));
}

static inline double logistic_bend(double p, double a, double y)
{
    double b = logistic_inner(a, y);

    (void)p;
    return 1.0 / (b * (1.0 - b));
}

SDCA_INLINE step_ahead logistic_guess_ahead(double a, double q, double y)
{
    (void)a;
    (void)q;
    (void)y;
    return (step_ahead){ .move = 0.0 };
}

SDCA_INLINE double logistic_guess_step(double p, double a, double z, double q, double y,
                                       step_ahead ahead, step_facts *facts)
{
    double best = logistic_guess_best(p, a, z, q, y);

    (void)ahead;

    facts->term         = logistic_primal(p, z, y) + logistic_conjugate(p, a, y) + a * z;
    facts->slope_before = logistic_slope(p, a, y);
    facts->slope_after  = logistic_slope(p, best, y);
    facts->bend_after   = logistic_bend(p, best, y);
    return best;
}

#endif
