/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_results.h - what the inlined functions of all losses share: their results, and the
 * geometry of I(y). */
#ifndef SDCA_OBJECTIVE_LOSS_RESULTS_H
#define SDCA_OBJECTIVE_LOSS_RESULTS_H

#include <stdbool.h>

#include "base/compiler.h"
#include "objective/loss.h"
#include "objective/row_term.h"

/* By-products of a step. They are inlined: what the caller does not use is not
 * computed. */
typedef struct step_result {
    double gap_term;          /* the row's term of the gap before the step */
    double derivative_before; /* of -phi* before ... */
    double derivative_after;  /* ... and after the step */
    double curvature_after;
} step_result;

/* A point of the logistic step: t, its sigmoid s, and complement = 1 - s. */
typedef struct logistic_point {
    double t, s, complement;
} logistic_point;

/* What a step computes from a row before the margin is known: used by the logistic loss
 * only. */
typedef struct step_precomputed {
    logistic_point point;         /* of the row: s = y a */
    double         newton_factor; /* j, and for a margin of 0 ... */
    double         step_at_zero;  /* ... y w: see logistic_series() */
} step_precomputed;

/* The line that alpha follows in a Newton step, alpha + slope (z - z'), and the row's
 * term of the gap if alpha were at the smoothed loss's optimum. */
typedef struct linearization {
    double alpha;
    double slope;
    double smoothing_gap;
} linearization;

/* How Newton's method smooths the kinks of a loss, and whether it uses a majorant. */
typedef struct smoothing {
    double width; /* over which a kink is smoothed */
    double far;   /* number of widths beyond which a row is not affected */
    double near;  /* fraction of half of I(y) within which alpha counts as at its end */
    bool   majorize; /* logistic: a slope so steep that P cannot rise */
} smoothing;

/* A sum of losses, as it is and as the logarithm of a product of numbers from 1 to 2,
 * which takes one logarithm for up to 1023 of them. */
typedef struct loss_sum {
    double sum;
    double product;
} loss_sum;

/* I(y), given I(+1). */
SDCA_INLINE sdca_interval mirrored_interval(sdca_loss_coefficients k, double y)
{
    return y > 0.0 ? (sdca_interval){ k.low, k.high }
                   : (sdca_interval){ -k.high, -k.low };
}

#endif
