/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton.h - a Newton method for few columns, the same for any number of ranks.
 *
 * A round sums one d x d matrix over all rows, d being the number of columns, and
 * solves for the new w. Rounds are expensive but few, and the distribution of rows
 * over ranks changes nothing but rounding. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_H
#define SDCA_SOLVER_NEWTON_NEWTON_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/tuning.h"
#include "data/dataset.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "objective/snapshot.h"
#include "solver/newton/newton_linearization.h"

/* Limited by the time to factor the matrix, on every rank. */
enum { SDCA_NEWTON_MAX_COLUMNS = TUNING_NEWTON_MAX_COLUMNS };

/* Summed over the ranks with every allreduce of a round. */
typedef struct sdca_newton_votes {
    double clock;          /* for the caller's use */
    double stop_requested; /* above 0: stop, by request of the caller ... */
    double out_of_time;    /* ... or because the time is used up */
} sdca_newton_votes;

/* Called on every rank between blocks of rows and before every allreduce; it must be
 * quick. vote is Local, and may be NULL. */
typedef struct sdca_newton_callback {
    void *context;
    sdca_newton_votes (*vote)(void *context);
} sdca_newton_callback;

typedef struct sdca_newton {
    sdca_newton_linearization linearization;
    double                    best_gap;          /* the smallest gap so far ... */
    int64_t                   rounds_since_best; /* ... and the rounds since then */
    double  smoothing_gap;      /* the part of the gap due to smoothing the kinks */
    double  predicted_decrease; /* of P, by the last step ... */
    double  previous_decrease;  /* ... and by the step before */
    bool    has_system;         /* sums has the system for the next step */
    bool    system_resumed;     /* it was reduced before a resume, and is reduced again */
    double *step;               /* of w */
    sdca_certificate certificate; /* of the last round, rounding errors not bounded */
    bool             sums_valid;  /* sums still belongs to certificate */
    double           mpi_seconds; /* spent in MPI so far ... */
    int64_t          bytes;       /* ... and bytes sent by this rank */

    sdca_newton_votes local_votes; /* of this rank, in the current or last round */
    sdca_newton_votes total_votes; /* of all ranks, at the last allreduce */
    sdca_snapshot     backup;      /* the iterate before the round */
} sdca_newton;

/* Local. The caller frees out with sdca_newton_free(). */
sdca_status sdca_newton_create(const sdca_dataset *data, const sdca_iterate *iterate,
                               sdca_newton *out);
void        sdca_newton_free(sdca_newton *newton);

/* One round. w and all alpha change; alpha stays feasible. Nothing else may change the
 * iterate between rounds. A start at w = 0 with very many rows begins with rounds on a
 * sample of them. Adds the number of rows, and of those in the sample, to iterate->steps,
 * and 1 to iterate->round. Kinks are smoothed as much as target_gap allows. Sets
 * newton->certificate to P(w), D(alpha) and their difference.
 *
 * A rank that votes for stopping leaves its pass over the rows at the next block, and all
 * ranks abandon the round at the next allreduce. Then the result is false, iterate and
 * newton are as before the round, and the same call repeats it with the same bits.
 * newton->total_votes is the sum of all votes. Collective. */
bool sdca_newton_round(MPI_Comm comm, const sdca_objective *objective,
                       const sdca_dataset *data, sdca_newton *newton, double target_gap,
                       sdca_iterate *iterate, sdca_newton_callback poll);

/* Has there been a round, so that certificate is set? Local. */
bool sdca_newton_has_started(const sdca_newton *newton);

/* The certificate of the last round with a bound on rounding errors. False if the sums
 * for it are no longer there. Local. */
bool sdca_newton_certify(const sdca_objective *objective, const sdca_dataset *data,
                         const sdca_newton *newton, const double *w, int ranks,
                         sdca_certificate *out);

/* Continue from an iterate of an earlier run, after the fields of newton were read from
 * its checkpoint. Local. */
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
 * both; beyond 1e-10 with corners, 1e-14 without, rounding is in the way. Of several
 * models SDCA trains up to eight side by side, in the time of three, Newton one after
 * another. */
bool sdca_newton_is_faster(const sdca_objective *objective, const sdca_dataset *data,
                           double target, int ranks, int models);

/* Has the gap not improved for many rounds? Local. */
bool sdca_newton_has_stalled(const sdca_newton *newton);

#endif
