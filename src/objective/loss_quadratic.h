/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_quadratic.h - losses with a quadratic conjugate, to be inlined:
 *
 *     phi*(-a; y) = -y a + e |a| + c a^2 / 2   for a in I(y).
 *
 * The coefficients are constants, or depend on the loss's parameter. */
#ifndef SDCA_OBJECTIVE_LOSS_QUADRATIC_H
#define SDCA_OBJECTIVE_LOSS_QUADRATIC_H

#include <float.h>
#include <math.h>

#include "objective/loss_results.h"

/* x moved towards 0 by e. */
SDCA_INLINE double soft_threshold(double x, double e)
{
    return e == 0.0 ? x : x > e ? x - e : x < -e ? x + e : 0.0;
}

/* +1 where I(y) is symmetric, else y, which then is -1 or +1: I(y) = sign I(+1). */
SDCA_INLINE double label_sign(sdca_loss_coefficients k, double y)
{
    return k.low == -k.high ? 1.0 : y;
}

/* The a in I(y) that maximises residual a - e |a| - curvature a^2 / 2: the residual
 * thresholded by e, divided, projected. Without curvature it is an end of I(y), or 0
 * where the thresholded residual is 0. */
SDCA_INLINE double quadratic_maximizer(sdca_loss_coefficients k, double residual,
                                       double curvature, double y)
{
    double sign        = label_sign(k, y);
    double thresholded = sign * soft_threshold(residual, k.e);
    double maximizer =
        thresholded * (1.0 / curvature); /* the curvature is known before the residual */

    if (!(curvature > 0.0)) {
        maximizer = thresholded > 0.0 ? INFINITY : thresholded < 0.0 ? -INFINITY : 0.0;
    }
    return sign * clip(maximizer, k.low, k.high);
}

/* The two sides of Fenchel's equality: phi(z) = max over a of -a z - phi*(-a). */
SDCA_INLINE double quadratic_conjugate(sdca_loss_coefficients k, double a, double y)
{
    return -y * a + k.e * fabs(a) + k.c * a * a / 2.0;
}

SDCA_INLINE double quadratic_primal(sdca_loss_coefficients k, double z, double y)
{
    double residual = y - z; /* large y and z cancel first */
    double a;

    if (k.c == 0.0) { /* an end of the interval, which then is finite */
        double thresholded = label_sign(k, y) * soft_threshold(residual, k.e);

        return branchless_max(thresholded, 0.0) * k.high +
               (k.low == 0.0 ? 0.0 : branchless_min(thresholded, 0.0) * k.low);
    }
    a = quadratic_maximizer(k, residual, k.c, y);
    return a * residual - k.e * fabs(a) - k.c * a * a / 2.0;
}

/* g = phi(z; y) + phi*(-a; y - z): the label and the margin cancel before they are
 * multiplied by a. */
SDCA_INLINE row_term quadratic_row_term(sdca_loss_coefficients k, double a, double z,
                                        double y)
{
    double primal = quadratic_primal(k, z, y);

    return (row_term){ primal, quadratic_conjugate(k, a, y),
                       primal + quadratic_conjugate(k, a, y - z) };
}

/* The largest |phi'(z')| for |z' - z| <= r, from the rounded residual y - z: -phi'
 * decreases in z', so it is largest at an end. */
SDCA_INLINE double quadratic_max_derivative(sdca_loss_coefficients k, double residual,
                                            double r, double y)
{
    double sign  = label_sign(k, y) * residual;
    double reach = r + DBL_EPSILON * (fabs(residual) + k.e) - k.e;
    double up    = branchless_max(0.0, sign + reach);
    double down  = k.low == 0.0 ? 0.0 : branchless_max(0.0, reach - sign);

    if (k.c == 0.0) {
        return up > 0.0 ? k.high : down > 0.0 ? -k.low : 0.0;
    }
    return branchless_max(branchless_min(k.high, up / k.c),
                          branchless_min(-k.low, down / k.c));
}

/* The sum of the magnitudes of all that is rounded in phi, counted twice, and in
 * phi* + a z. */
SDCA_INLINE double quadratic_rounding_magnitude(sdca_loss_coefficients k, double a,
                                                double residual, double max_derivative)
{
    double s = max_derivative, size = fabs(a);

    return (2.0 * s + size) * (fabs(residual) + k.e) + k.c * (s * s + size * size / 2.0);
}

SDCA_INLINE double quadratic_dual_derivative(sdca_loss_coefficients k, double a, double y)
{
    return y - k.c * a - (a > 0.0 ? k.e : a < 0.0 ? -k.e : 0.0);
}

SDCA_INLINE double quadratic_step(sdca_loss_coefficients k, double a, double z, double q,
                                  double y, step_result *result)
{
    double maximizer = quadratic_maximizer(k, y - z + q * a, q + k.c, y);

    result->gap_term =
        row_gap_estimate(quadratic_primal(k, z, y), quadratic_conjugate(k, a, y), a, z);
    result->derivative_before = quadratic_dual_derivative(k, a, y);
    result->derivative_after  = quadratic_dual_derivative(k, maximizer, y);
    result->curvature_after   = k.c;
    return maximizer;
}

/* alpha in [mid - half, mid + half], its equation linearised at (alpha, r) and solved for
 * alpha: alpha' = mid + s + h (r' - r) with s = half r/q, q the root and r' - r = z - z'
 * - c (alpha' - alpha). half is enlarged a little, so that alpha is at its end where r is
 * far from the kink: such a row has no slope and takes no part in the matrix. */
SDCA_INLINE linearization box_linearize(double mid, double half, double c,
                                        double residual, double alpha, smoothing at)
{
    double enlarged = half * sqrt(1.0 + 1.0 / (at.far * at.far));
    double r        = residual - c * alpha;
    double end      = mid + copysign(half, r);
    double q, s, h;

    if (fabs(r) > at.far * at.width && fabs(end - alpha) <= half * at.near) {
        return (linearization){ end, 0.0, 0.0 };
    }
    q = sqrt(r * r + at.width * at.width) + DBL_MIN;
    s = clip(enlarged * r / q, -half, half);
    h = branchless_max(0.0, enlarged - (alpha - mid) * r / q) / q;
    return (linearization){ .alpha         = (mid + s + c * h * alpha) / (1.0 + c * h),
                            .slope         = h / (1.0 + c * h),
                            .smoothing_gap = fabs(r) * (half - fabs(s)) };
}

/* A loss with an unbounded dual has no kinks: the line is the tangent of -phi'. Else phi'
 * has a kink or a jump at each end of I(y); insensitive losses are two one-sided ones,
 * one for residuals above e and one for those below -e. */
SDCA_INLINE linearization quadratic_linearize(sdca_loss_coefficients k, double z,
                                              double y, double alpha, smoothing at)
{
    double        residual = y - z, half = k.high / 2.0;
    linearization up, down;

    if (isinf(k.high)) {
        return isinf(k.low) || label_sign(k, y) * residual > 0.0
                   ? (linearization){ 1.0 / k.c * residual, 1.0 / k.c, 0.0 }
                   : (linearization){ 0.0, 0.0, 0.0 };
    }
    if (k.e == 0.0) {
        return box_linearize(label_sign(k, y) * ((k.low + k.high) / 2.0),
                             (k.high - k.low) / 2.0, k.c, residual, alpha, at);
    }
    up   = box_linearize(half, half, k.c, residual - k.e, fmax(0.0, alpha), at);
    down = box_linearize(half, half, k.c, -residual - k.e, fmax(0.0, -alpha), at);
    return (linearization){ up.alpha - down.alpha, up.slope + down.slope,
                            up.smoothing_gap + down.smoothing_gap };
}

/* The functions of one loss, given id_coefficients(p). */
#define SDCA_DEFINE_quadratic_LOSS(id)                                                   \
    SDCA_INLINE bool id##_has_kinks(double p)                                            \
    {                                                                                    \
        return isfinite(id##_coefficients(p).high);                                      \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_primal(double p, double z, double y)                         \
    {                                                                                    \
        return quadratic_primal(id##_coefficients(p), z, y);                             \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_conjugate(double p, double a, double y)                      \
    {                                                                                    \
        return quadratic_conjugate(id##_coefficients(p), a, y);                          \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE row_term id##_row_term(double p, double a, double z, double y)           \
    {                                                                                    \
        return quadratic_row_term(id##_coefficients(p), a, z, y);                        \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_max_derivative(double p, double z, double r, double y)       \
    {                                                                                    \
        return quadratic_max_derivative(id##_coefficients(p), y - z, r, y);              \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_rounding_magnitude(double p, double a, double z, double y,   \
                                               double max_derivative)                    \
    {                                                                                    \
        return quadratic_rounding_magnitude(id##_coefficients(p), a, y - z,              \
                                            max_derivative);                             \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_maximizer(double p, double a, double z, double q, double y)  \
    {                                                                                    \
        sdca_loss_coefficients k = id##_coefficients(p);                                 \
                                                                                         \
        return quadratic_maximizer(k, y - z + q * a, q + k.c, y);                        \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_dual_derivative(double p, double a, double y)                \
    {                                                                                    \
        return quadratic_dual_derivative(id##_coefficients(p), a, y);                    \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double id##_dual_curvature(double p, double a, double y)                 \
    {                                                                                    \
        (void)a;                                                                         \
        (void)y;                                                                         \
        return id##_coefficients(p).c;                                                   \
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
        (void)precomputed;                                                               \
        return quadratic_step(id##_coefficients(p), a, z, q, y, result);                 \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE linearization id##_linearize(double p, double z, double y, double alpha, \
                                             smoothing at)                               \
    {                                                                                    \
        return quadratic_linearize(id##_coefficients(p), z, y, alpha, at);               \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE void id##_add_loss(double p, double z, double y, loss_sum *all)          \
    {                                                                                    \
        all->sum += id##_primal(p, z, y);                                                \
    }

#endif
