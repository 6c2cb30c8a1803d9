/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.h - the losses: seven entries of one table, under one contract.
 *
 * Notation of Shalev-Shwartz & Zhang (JMLR 2013): z = w.x is the margin, y the
 * label, a the dual variable, phi the loss, phi* its convex conjugate. p is the
 * loss's own parameter: gamma of the smooth hinge, epsilon of the
 * epsilon-insensitive loss; the others ignore it. */
#ifndef SDCA_OBJECTIVE_LOSS_H
#define SDCA_OBJECTIVE_LOSS_H

#include <stdbool.h>

/* All losses but the logistic are quadratic in the dual:
 *
 *     phi*(-a; y) = -y a + e |a| + c a^2 / 2   for a in I(y),
 *
 * and differ in c, e and the interval I(+1) = [low, high] alone; I(y) is its
 * mirror image for y <= 0. Columns: name in C, name for people, labels are -1 and +1,
 * name of p, c, e, low, high. */
#define SDCA_QUADRATIC_LOSS_LIST(X)                                        \
    X(hinge, "hinge", true, NULL, 0.0, 0.0, 0.0, 1.0)                      \
    X(smooth_hinge, "smooth-hinge", true, "gamma", p, 0.0, 0.0, 1.0)       \
    X(squared_hinge, "squared-hinge", true, NULL, 0.5, 0.0, 0.0, INFINITY) \
    X(squared, "squared", false, NULL, 0.5, 0.0, -INFINITY, INFINITY)      \
    X(absolute, "absolute", false, NULL, 0.0, 0.0, -1.0, 1.0)              \
    X(epsilon_insensitive, "epsilon-insensitive", false, "epsilon", 0.0, p, -1.0, 1.0)

/* All losses, with the same columns; c and e are NAN for what is not quadratic. Tables
 * by loss are made of this list, so that each has an entry for every loss. */
#define SDCA_LOSS_LIST(X)       \
    SDCA_QUADRATIC_LOSS_LIST(X) \
    X(logistic, "logistic", true, NULL, NAN, NAN, 0.0, 1.0)

#define SDCA_LOSS_ENUM(name, display_name, classification, parameter, c, e, low, high) \
    SDCA_LOSS_##name,
typedef enum sdca_loss_kind {
    SDCA_LOSS_LIST(SDCA_LOSS_ENUM) SDCA_LOSS_COUNT
} sdca_loss_kind;
#undef SDCA_LOSS_ENUM

/* A closed interval; its ends may be infinite. */
typedef struct sdca_interval {
    double low;
    double high;
} sdca_interval;

typedef struct sdca_loss {
    sdca_loss_kind kind;
    const char    *name;
    bool           classification; /* labels are -1 and +1 */
    const char    *parameter;      /* what p is called, or NULL */

    /* The gamma for which phi is (1/gamma)-smooth; 0 where it is not smooth. */
    double (*smoothness)(double p);

    /* The L for which phi is L-Lipschitz; infinite where it is not. */
    double lipschitz;

    /* The e of phi*, above. */
    double (*insensitivity)(double p);

    /* phi(z; y), at least 0. */
    double (*primal)(double p, double z, double y);

    /* phi*(-a; y), for a inside feasible(y) only: elsewhere it is infinite. */
    double (*conjugate)(double p, double a, double y);

    /* The a for which the conjugate is finite. */
    sdca_interval (*feasible)(double y);

    /* The b that maximises -phi*(-b; y) - b z - (b - a)^2 q / 2: the best value
     * of one dual variable that now is a, q >= 0 being the curvature
     * sigma |x|^2 / (lambda n). Feasible, also for q = 0, the row of zeros. */
    double (*maximizer)(double p, double a, double z, double q, double y);

    /* The first derivative of -phi*(-a; y) by a, and minus the second: what a
     * line search along many a at once needs. At a kink, a value between the
     * two one-sided derivatives. */
    double (*dual_derivative)(double p, double a, double y);
    double (*dual_curvature)(double p, double a, double y);
} sdca_loss;

/* The table, by kind. */
extern const sdca_loss sdca_losses[SDCA_LOSS_COUNT];

/* The loss of that name, or NULL. Local; the result is static. */
const sdca_loss *sdca_loss_find(const char *name);

#endif
