/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton.h - a Newton method for few columns, the same for any number of ranks.
 *
 * A round sums one d x d matrix over all rows, d being the number of columns, and
 * solves for the new w: its rounds are dear, but few, and how the rows are dealt out
 * changes nothing but rounding. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_H
#define SDCA_SOLVER_NEWTON_NEWTON_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "objective/snapshot.h"
#include "solver/newton/newton_linearization.h"

/* The matrix of more columns would take long to factor, on every rank. */
enum { SDCA_NEWTON_MAX_COLUMNS = 4000 };

/* What ranks tell each other with every sum of a round: numbers that are added up. */
typedef struct sdca_newton_votes {
    double clock;          /* for the caller's use */
    double stop_requested; /* above 0: stop, as a signal came ... */
    double out_of_time;    /* ... or as there is no time left */
} sdca_newton_votes;

/* Called on every rank between blocks of rows and before every sum, so it has to be
 * quick. vote is Local, and may be NULL. */
typedef struct sdca_newton_callback {
    void *context;
    sdca_newton_votes (*vote)(void *context);
} sdca_newton_callback;

typedef struct sdca_newton {
    sdca_newton_linearization linearization;
    double                    best_gap;          /* the least gap so far ... */
    int64_t                   rounds_since_best; /* ... and the rounds since then */
    double           smoothing_gap;      /* for the gap, of rounding off the corners */
    double           predicted_decrease; /* of P, as the last step promised it ... */
    double           previous_decrease;  /* ... and the step before */
    bool             has_system;         /* the lines have the system for the next step */
    bool             system_resumed; /* ... which once was exchanged, and is made again */
    double          *step;           /* of w */
    sdca_certificate certificate;    /* of the last round, rounding errors not bounded */
    bool             sums_valid;     /* what the lines have added up is still of it */
    double           mpi_seconds;    /* seconds in MPI so far ... */
    int64_t          bytes;          /* ... and what this rank has handed to it */

    sdca_newton_votes local_votes; /* in the present round, or the last */
    sdca_newton_votes total_votes; /* of all ranks, with its last sum */
    sdca_snapshot     backup;      /* where the round began */
} sdca_newton;

/* Local. What out holds is the caller's, to be freed with sdca_newton_free(). */
sdca_status sdca_newton_create(const sdca_dataset *data, const sdca_iterate *iterate,
                               sdca_newton *out);
void        sdca_newton_free(sdca_newton *newton);

/* One round from a state, which nobody else moves between rounds: w and alpha move, all
 * at once; alpha stays feasible. A start at w = 0 on very many rows goes through a
 * sample of them first. state->steps grows by the number of rows and of those in a
 * sample, state->round by one. wanted is the gap that is good enough: corners are rounded
 * off no less than it allows. newton->certificate becomes P(w), D(alpha) and their
 * difference.
 *
 * A rank that votes for stopping leaves its pass over the rows at the next block, and all
 * ranks abandon the round at the next sum: returns false, and state and newton are as
 * before the round, which the same call makes again bit by bit. newton->votes is the sum
 * of all votes. Collective. */
bool sdca_newton_round(MPI_Comm comm, const sdca_objective *objective,
                       const sdca_dataset *data, sdca_newton *newton, double target_gap,
                       sdca_iterate *iterate, sdca_newton_callback poll);

/* Has there been a round, so that there is a certificate? Local. */
bool sdca_newton_has_started(const sdca_newton *newton);

/* The certificate of the last round with a bound on rounding errors. False if it is not
 * known any more. Local. */
bool sdca_newton_certify(const sdca_objective *objective, const sdca_dataset *data,
                         const sdca_newton *newton, const double *w, int ranks,
                         sdca_certificate *out);

/* Go on from a state that such rounds have led to, with the numbers of newton as they
 * were then. Local. */
void sdca_newton_resume(const sdca_objective *objective, const sdca_dataset *data,
                        const sdca_iterate *iterate, sdca_newton *newton);

/* Is it likely to reach a relative gap of target sooner than SDCA? Local. Depends on
 * nothing but its arguments: with n rows of m non-zeros, d columns and K ranks, in
 * nanoseconds for each row, measured on cov1, a9a, ijcnn1 and w8a,
 *
 *     a pass of Newton over the rows takes 55 + 0.2 m^2 with corners, 45 + 0.3 m^2
 *     without, 30 more if logistic, and solving for w K d^3/(12 n);
 *     an epoch of SDCA takes 15 + 2.3 m, 60 more if logistic;
 *     rounds are 3 (logistic, squared hinge) to 8 (absolute), 1 for squared, more
 *     without a sample and, with corners, for a large q;
 *     SDCA needs 3.5 + k q K^0.7 epochs, k being 1.3 (logistic), 3, 5 (hinge) or 8
 *     (squared ones).
 *
 * q, the curvature, is C |x|^2 of a mean row. Decades of the target beyond 1e-4 add to
 * both; beyond 1e-10 with corners, 1e-14 without, rounding is in the way. */
bool sdca_newton_is_faster(const sdca_objective *objective, const sdca_dataset *data,
                           double target, int ranks);

/* Has it found nothing better for so long that it is not to be trusted? Local. */
bool sdca_newton_has_stalled(const sdca_newton *newton);

#endif
