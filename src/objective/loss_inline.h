/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_inline.h - the functions of each loss, to be inlined.
 *
 * loss.c makes the table of them. Loops over rows are compiled once per loss
 * (kernel_dispatch.h), so that a step costs no indirect call and the constants of a loss
 * fold. For each loss id of the list there are
 *
 *     id_coefficients  id_smoothness    id_lipschitz       id_insensitivity
 *     id_has_kinks     id_primal        id_conjugate       id_feasible
 *     id_maximizer     id_dual_derivative                  id_dual_curvature
 *
 * with the contracts of loss.h, and for the loops alone
 *
 *     id_row_term            the row's term of the gap (row_term.h)
 *     id_max_derivative      the largest |phi'| within r of z
 *     id_rounding_magnitude  the magnitudes whose rounding errors enter the row's term
 *     id_precompute, id_step id_maximizer in two parts, with by-products
 *     id_linearize           the line that alpha follows in a Newton step
 *     id_add_loss            add phi(z) to a sum. */
#ifndef SDCA_OBJECTIVE_LOSS_INLINE_H
#define SDCA_OBJECTIVE_LOSS_INLINE_H

#include <math.h>

#include "objective/loss_logistic.h"
#include "objective/loss_quadratic.h"
#include "objective/loss_results.h"

#define SDCA_WITHOUT_PARENTHESES(...) __VA_ARGS__

/* -phi' lies in I(y), so the end of I(y) is the Lipschitz constant. */
#define SDCA_DEFINE_LOSS(with, id, family, name, coefficients, ...)               \
    SDCA_INLINE sdca_loss_coefficients id##_coefficients(double p)                \
    {                                                                             \
        (void)p;                                                                  \
        return (sdca_loss_coefficients){ SDCA_WITHOUT_PARENTHESES coefficients }; \
    }                                                                             \
                                                                                  \
    SDCA_INLINE double id##_smoothness(double p)                                  \
    {                                                                             \
        return id##_coefficients(p).c;                                            \
    }                                                                             \
                                                                                  \
    SDCA_INLINE double id##_lipschitz(double p)                                   \
    {                                                                             \
        return id##_coefficients(p).high;                                         \
    }                                                                             \
                                                                                  \
    SDCA_INLINE double id##_insensitivity(double p)                               \
    {                                                                             \
        return id##_coefficients(p).e;                                            \
    }                                                                             \
                                                                                  \
    SDCA_INLINE sdca_interval id##_feasible(double p, double y)                   \
    {                                                                             \
        return mirrored_interval(id##_coefficients(p), y);                        \
    }                                                                             \
                                                                                  \
    SDCA_DEFINE_##family##_LOSS(id)

SDCA_LOSS_LIST(SDCA_DEFINE_LOSS, )

#undef SDCA_DEFINE_LOSS
#undef SDCA_WITHOUT_PARENTHESES

#endif
