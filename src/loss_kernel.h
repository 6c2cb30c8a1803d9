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
#include <stddef.h>

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

SDCA_INLINE double clip(double x, double low, double high)
{
    return lesser(high, greater(low, x)); /* what is not a number stays so */
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

        return greater(soft, 0.0) * high + (low == 0.0 ? 0.0 : lesser(soft, 0.0) * low);
    }
    a = quadratic_best(e, low, high, pull, c, y);
    return a * pull - e * fabs(a) - c * a * a / 2.0;
}

#define SDCA_QUADRATIC_LOSS(id, words, classifies, parameter, c, e, low, high)        \
    static inline double id##_smoothness(double p)                                    \
    {                                                                                 \
        (void)p;                                                                      \
        return c;                                                                     \
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
    SDCA_INLINE double id##_ahead(double a, double y)                                 \
    {                                                                                 \
        (void)a;                                                                      \
        (void)y;                                                                      \
        return 0.0;                                                                   \
    }                                                                                 \
                                                                                      \
    SDCA_INLINE double id##_step(double p, double a, double z, double q, double y,    \
                                 double ahead, step_facts *facts)                     \
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
    return greater(-m, 0.0) + log_one_plus(exp(-fabs(m)));
}

static inline double logistic_conjugate(double p, double a, double y)
{
    double b    = y * a;
    double low  = b > 0.0 ? b * log(b) : 0.0;
    double high = b < 1.0 ? (1.0 - b) * log_one_plus(-b) : 0.0;

    (void)p;
    return low + high;
}

static inline sdca_interval logistic_feasible(double y)
{
    return mirror(0.0, 1.0, y);
}

/* Where b is 0 or 1 the slope of the conjugate is infinite; a line search needs a number,
 * and beyond this one b is 0 or 1 in double precision. */
static const double logistic_steepest = 745.0;

/* A point on the way to the best t: t, its sigmoid s, and other = 1 - s. */
typedef struct logistic_point {
    double t, s, other;
} logistic_point;

SDCA_INLINE logistic_point logistic_at(double t)
{
    double small = exp(-fabs(t)); /* never overflows */
    double whole = 1.0 / (1.0 + small);

    return t < 0.0 ? (logistic_point){ t, small * whole, whole }
                   : (logistic_point){ t, whole, small * whole };
}

/* The best t is the root of the increasing F(t) = t + m + q (s(t) - b), m = y z. Halley's
 * method knows its curvature too and comes nearer with the cube of its move. */
SDCA_INLINE double logistic_move(double m, double q, double b, logistic_point at)
{
    double f     = at.t + m + q * (at.s - b);
    double first = 1.0 + q * at.s * at.other;
    double half  = 0.5 * q * at.s * at.other * (at.other - at.s);

    return f * first / (first * first - f * half);
}

/* After a move this small what is left is rounding, also in the sigmoid, which then
 * follows its series. */
static const double logistic_last_move = 2e-5;

SDCA_INLINE logistic_point logistic_follow(logistic_point at, double move)
{
    double slope  = at.s * at.other;
    double change = move * slope * (1.0 - 0.5 * move * (at.other - at.s));

    return (logistic_point){ at.t - move, at.s - change, at.other + change };
}

/* F is convex for t <= 0 and concave for t >= 0, so Newton's method that starts beyond
 * the root, on the root's side of 0, comes back to it without ever overshooting. */
static inline logistic_point logistic_root_safely(double m, double q, double b,
                                                  double logit)
{
    enum { LIMIT = 30 }; /* 11 were the most in 200,000 extreme cases */
    logistic_point at = { 0.0, 0.0, 0.0 };
    double         t;

    if (m + q * (0.5 - b) > 0.0) {
        t = lesser(0.0, q * b - m);
        t = logit + m >= 0.0 ? lesser(t, logit) : t;
    } else {
        t = greater(0.0, -m - q * (1.0 - b));
        t = logit + m <= 0.0 ? greater(t, logit) : t;
    }
    for (int k = 0; k < LIMIT; k++) {
        double move;

        at   = logistic_at(t);
        move = (t + m + q * (at.s - b)) / (1.0 + q * at.s * at.other);
        if (fabs(move) <= logistic_last_move) {
            return logistic_follow(at, logistic_move(m, q, b, at));
        }
        t -= move;
    }
    return logistic_at(t);
}

/* The same root, usually in two moves: the first from where b is, whose sigmoid is known,
 * to within the bracket of logit(b) and -m. The safe way is for the rest. */
SDCA_INLINE logistic_point logistic_root(double m, double q, double b, double logit)
{
    enum { TRIES = 3 };

    if (fabs(logit) < 36.0) {
        logistic_point at = { logit, b, 1.0 - b };

        for (int k = 0; k < TRIES; k++) {
            double t = at.t - logistic_move(m, q, b, at);
            double move;

            at   = logistic_at(clip(t, lesser(logit, -m), greater(logit, -m)));
            move = logistic_move(m, q, b, at);
            if (fabs(move) <= logistic_last_move) {
                return logistic_follow(at, move);
            }
        }
    }
    return logistic_root_safely(m, q, b, logit);
}

/* The row's term of the gap is the integral of s(t) - b for t from logit(b) to -m. On
 * the way lies the root, where s is known; beyond it s goes on along its tangent, as
 * far as 0 or 1. A trapezium for each part: good enough to tell large from small. */
SDCA_INLINE double logistic_term(double q, double b, double logit, logistic_point root)
{
    double rise   = root.s - b;
    double beyond = clip(root.s + q * rise * root.s * root.other, 0.0, 1.0) - b;
    double before = isfinite(logit) ? 0.5 * rise * (root.t - logit)
                                    : -log(rise > 0.0 ? root.other : root.s);

    return before + 0.5 * q * rise * (rise + beyond);
}

static inline double logistic_logit(double b)
{
    return log(b / (1.0 - b)); /* infinite at the ends */
}

static inline double logistic_best(double p, double a, double z, double q, double y)
{
    double b = clip(y * a, 0.0, 1.0);

    (void)p;
    return y * logistic_root(y * z, q, b, logistic_logit(b)).s;
}

SDCA_INLINE double logistic_ahead(double a, double y)
{
    return logistic_logit(clip(y * a, 0.0, 1.0));
}

SDCA_INLINE double logistic_step(double p, double a, double z, double q, double y,
                                 double logit, step_facts *facts)
{
    double         b    = clip(y * a, 0.0, 1.0);
    logistic_point root = logistic_root(y * z, q, b, logit);

    (void)p;
    facts->term         = logistic_term(q, b, logit, root);
    facts->slope_before = -y * clip(logit, -logistic_steepest, logistic_steepest);
    facts->slope_after  = -y * clip(root.t, -logistic_steepest, logistic_steepest);
    facts->bend_after   = 1.0 / greater(DBL_MIN, root.s * root.other);
    return y * root.s;
}

/* The paper's approximate step (Section 6): part of the way towards the b that
 * the margin asks for, small enough that the dual cannot fall. */
static inline double logistic_guess_best(double p, double a, double z, double q, double y)
{
    double m      = y * z;
    double wanted = m < 0.0 ? 1.0 / (1.0 + exp(m)) : exp(-m) / (1.0 + exp(-m));

    (void)p;
    return a + (y * wanted - a) / greater(1.0, 0.25 + q);
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

SDCA_INLINE double logistic_guess_ahead(double a, double y)
{
    (void)a;
    (void)y;
    return 0.0;
}

SDCA_INLINE double logistic_guess_step(double p, double a, double z, double q, double y,
                                       double ahead, step_facts *facts)
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
