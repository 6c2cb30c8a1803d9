/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.h - the losses: entries of one table, under one contract.
 *
 * Notation of Shalev-Shwartz & Zhang (JMLR 2013): z = w.x is the margin, y the
 * label, a the dual variable, phi the loss, phi* its convex conjugate. p is the
 * parameter of the loss, such as gamma of the smooth hinge; losses without a
 * parameter ignore it. */
#ifndef SDCA_OBJECTIVE_LOSS_H
#define SDCA_OBJECTIVE_LOSS_H

#include <stdbool.h>

#include "objective/loss_list.h"

#define SDCA_LOSS_ENUM(with, id, ...) SDCA_LOSS_##id,
typedef enum sdca_loss_kind {
    SDCA_LOSS_LIST(SDCA_LOSS_ENUM, ) SDCA_LOSS_COUNT
} sdca_loss_kind;
#undef SDCA_LOSS_ENUM

/* A closed interval; its ends may be infinite. */
typedef struct sdca_interval {
    double low;
    double high;
} sdca_interval;

/* Most losses are quadratic in the dual,
 *
 *     phi*(-a; y) = -y a + e |a| + c a^2 / 2   for a in I(y),
 *
 * and differ in these coefficients only. I(+1) = [low, high], with low <= 0 <= high and
 * -low <= high; I(y) is its mirror image for y <= 0. Of a loss that is not quadratic in
 * the dual, c is the least curvature of the conjugate. */
typedef struct sdca_loss_coefficients {
    double c;
    double e;
    double low;
    double high;
} sdca_loss_coefficients;

/* The command line's option --NAME for the parameter of a loss. */
typedef struct sdca_loss_option {
    const char *argument; /* in the help, for its value */
    const char *help;
    double      initial; /* where the option is not given */
    double      least;   /* the range; the option excludes 0 where this is positive */
    double      greatest;
} sdca_loss_option;

/* Rounds that Newton's method needs to a relative gap of 1e-4, after a start on a sample
 * of the rows and without one, and for each decade beyond. */
typedef struct sdca_loss_newton_rounds {
    double after_sample;
    double without_sample;
    double per_decade;
} sdca_loss_newton_rounds;

/* Time for a row beyond that of a loss without transcendental functions: in a step of
 * SDCA and in a pass of Newton's method. */
typedef struct sdca_loss_nanoseconds {
    double sdca;
    double newton;
} sdca_loss_nanoseconds;

typedef struct sdca_loss {
    sdca_loss_kind kind;
    const char    *name;
    bool           classification;   /* labels are -1 and +1 */
    bool           log_odds;         /* the margin is the logarithm of the odds of +1 */
    bool           approximate_step; /* the paper has an approximate step for it */

    const char      *parameter; /* the name of p, or NULL */
    sdca_loss_option parameter_option;

    /* LIBLINEAR's solver with this objective, or with the same way to predict. */
    const char *liblinear_solver;

    /* The paper's bounds: the length of I(y) in units of the Lipschitz constant, as
     * Theorem 1 takes it, and whether Theorem 5 is for this loss. */
    double theorem_1_width;
    bool   theorem_5;

    /* What the choice between Newton's method and SDCA is based on; SDCA needs 3.5
     * epochs and sdca_epochs more per unit of C |x|^2. */
    sdca_loss_newton_rounds newton_rounds;
    bool                    newton_is_exact;   /* in one round: P is quadratic */
    bool                    newton_overshoots; /* P may rise: use a majorant then */
    double                  sdca_epochs;
    sdca_loss_nanoseconds   extra_nanoseconds;

    /* The gamma for which phi is (1/gamma)-smooth; 0 where it is not smooth. */
    double (*smoothness)(double p);

    /* The L for which phi is L-Lipschitz; infinite where it is not. */
    double (*lipschitz)(double p);

    /* The e of phi*, above. */
    double (*insensitivity)(double p);

    /* Does phi' jump or have corners, so that Newton's method has to smooth it? */
    bool (*has_kinks)(double p);

    /* phi(z; y), at least 0. */
    double (*primal)(double p, double z, double y);

    /* phi*(-a; y), for a inside feasible(y) only: elsewhere it is infinite. */
    double (*conjugate)(double p, double a, double y);

    /* I(y), the a for which the conjugate is finite. It depends on the sign of y only. */
    sdca_interval (*feasible)(double p, double y);

    /* The b that maximises -phi*(-b; y) - b z - (b - a)^2 q / 2: the best value
     * of one dual variable that now is a, q >= 0 being the curvature
     * sigma |x|^2 / (lambda n). Feasible, also for q = 0, a row of zeros. */
    double (*maximizer)(double p, double a, double z, double q, double y);

    /* The first derivative of -phi*(-a; y) by a, and minus the second, for a line
     * search along many a at once. At a kink, a value between the two one-sided
     * derivatives. */
    double (*dual_derivative)(double p, double a, double y);
    double (*dual_curvature)(double p, double a, double y);
} sdca_loss;

/* The table, by kind. */
extern const sdca_loss sdca_losses[SDCA_LOSS_COUNT];

/* The loss of that name, or NULL. Local; the result is static. */
const sdca_loss *sdca_loss_find(const char *name);

/* The names of all losses in the order of the table, separated by '|'. Local; the result
 * is static. */
const char *sdca_loss_choices(void);

#endif
