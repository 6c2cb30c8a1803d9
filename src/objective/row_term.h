/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_term.h - what one row adds to the objective: its term of the duality gap, the
 * projection of its alpha on the feasible interval, and its part in w(alpha).
 *
 *     gap        (1/S) sum s_i g_i,      g_i = phi(z_i; y_i) + phi*(-alpha_i; y_i)
 *                                              + alpha_i z_i
 *     w(alpha)   C sum s_i alpha_i x_i,  C = 1/(lambda S)
 *
 * The weight s_i of a row multiplies its g_i, its curvature and its part in w.
 *
 * All functions are Local. */
#ifndef SDCA_OBJECTIVE_ROW_TERM_H
#define SDCA_OBJECTIVE_ROW_TERM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/compiler.h"
#include "data/rows_inline.h"
#include "objective/loss.h"

/* The parts of g that are summed separately, and g. Each loss has a function
 * id_row_term() (loss_inline.h), in which nothing large cancels: g is accurate, also
 * where it is small beside its parts. It may be negative by rounding errors. */
typedef struct row_term {
    double primal;    /* phi(z) */
    double conjugate; /* phi*(-alpha) */
    double gap;       /* g */
} row_term;

/* g from its parts, with an error of rounding of the size of the largest: for estimates,
 * and for decisions that do not enter a certificate. */
SDCA_INLINE double row_gap_estimate(double primal, double conjugate, double alpha,
                                    double z)
{
    return primal + conjugate + alpha * z;
}

/* A negative term of more than this fraction of its parts is not due to rounding, unless
 * the parts are so small that they have few digits. False also for NaN. */
SDCA_INLINE bool row_term_is_valid(row_term term, double alpha_z)
{
    double magnitude = term.primal + fabs(term.conjugate) + fabs(alpha_z);

    return term.gap >= -1e-9 * magnitude - DBL_MIN;
}

/* The point of [low, high] nearest to x; NaN stays NaN. */
SDCA_INLINE double clip(double x, double low, double high)
{
    return branchless_min(high, branchless_max(low, x));
}

/* The feasible alpha nearest to this one; NaN stays NaN. */
SDCA_INLINE double project(sdca_interval feasible, double alpha)
{
    return clip(alpha, feasible.low, feasible.high);
}

/* The curvature q of the dual along alpha_i, per unit of weight, for a row with s_i
 * |x_i|^2 = weighted_norm2. scale is C, or sigma C among other ranks. */
SDCA_INLINE double row_curvature(double scale, double weighted_norm2)
{
    return scale * weighted_norm2;
}

/* w += scale change x_i: the effect on w(alpha) of a change of s_i alpha_i, with the
 * scale of row_curvature(). The row is width entries from first on. */
SDCA_INLINE void row_add_to_w(row_format format, const sdca_rows *x, int64_t first,
                              int64_t width, double scale, double change, double *w)
{
    row_axpy(format, x, first, width, scale * change, w);
}

#endif
