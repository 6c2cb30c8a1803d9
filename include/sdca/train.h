/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.h - the method: rounds of local steps until the gap is small enough. */
#ifndef SDCA_TRAIN_H
#define SDCA_TRAIN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "sdca/aggregate.h"
#include "sdca/dataset.h"
#include "sdca/gap.h"
#include "sdca/history.h"
#include "sdca/keep.h"
#include "sdca/order.h"
#include "sdca/problem.h"
#include "sdca/state.h"
#include "sdca/status.h"

typedef enum sdca_solver {
    SDCA_SOLVER_SDCA,
    SDCA_SOLVER_SGD,    /* the paper's baseline, on one rank */
    SDCA_SOLVER_NEWTON, /* for few columns; goes on as SDCA should it get lost */
    SDCA_SOLVER_AUTO    /* SDCA, or NEWTON where sdca_newton_pays() */
} sdca_solver;

/* How to train and when to stop; 0 stands for "no limit" or "choose". The same
 * on every rank. */
typedef struct sdca_plan {
    sdca_solver         solver;
    sdca_order_kind     order;
    sdca_aggregate_rule aggregate;
    bool                deterministic; /* no clock may influence the result */
    double              local_steps;   /* share of a rank's rows per round; 0: choose */
    double              sigma;         /* 0: choose */
    uint64_t            seed;
    bool                sgd_start; /* begin with an epoch of Modified-SGD */
    bool                guesses;   /* logistic: the paper's approximate step */
    sdca_keep_kind      keep;
    double              average_from; /* T0 in epochs, for the last two ways to keep */
    double              gap;          /* stop at P - D <= gap ... */
    double              rel_gap;      /* ... or at (P - D) / P <= rel_gap */
    int64_t             epochs;       /* budgets */
    int64_t             rounds;
    double              seconds;
    double              evaluate; /* epochs between two evaluations; 0: choose */
    bool                bounds;   /* record what the theorems promise */
} sdca_plan;

/* Who watches a run; either function may be NULL. */
typedef struct sdca_watcher {
    void *context;

    /* The test error of w. Collective. */
    double (*test_error)(void *context, const double *w);

    /* Called on every rank after each evaluation. Local. */
    void (*evaluated)(void *context, const sdca_record *record);
} sdca_watcher;

/* Where the time went, in seconds: on the rank that spent most, for each. */
typedef struct sdca_times {
    double total;
    double local;       /* coordinate steps */
    double communicate; /* exchange, and waiting for it */
    double gap;         /* evaluations */
    double mean_local;  /* of the ranks, where local is the slowest one's */
} sdca_times;

typedef struct sdca_result {
    sdca_certificate certificate; /* of the state that is kept */
    double           test_error;  /* of that state; NaN without a test set */
    bool         kept_as_asked;   /* false: ended before the average or random iterate */
    sdca_times   times;
    sdca_history history;     /* the caller's, to be freed */
    double       local_steps; /* as first chosen */
} sdca_result;

/* The solver of a plan, AUTO decided: the same on every rank. Local. */
sdca_solver sdca_train_solver(const sdca_plan *plan, const sdca_problem *problem,
                              const sdca_dataset *data, int ranks);

/* Train from state, which ends as the iterate that is kept, with w rebuilt from
 * alpha and certified (under SGD and NEWTON, alpha is what certifies w). Collective.
 * Returns SDCA_OK
 * when the target is reached, SDCA_BUDGET when a budget ran out first, or when rounding
 * leaves nothing to gain before the target; state and result are then whole too. */
sdca_status sdca_train(MPI_Comm comm, const sdca_problem *problem,
                       const sdca_dataset *data, const sdca_plan *plan,
                       const sdca_watcher *watcher, sdca_state *state,
                       sdca_result *result);

#endif
