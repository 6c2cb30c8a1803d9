/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.h - what is asked of a run, who watches it, and what comes of it. */
#ifndef SDCA_TRAIN_TRAIN_OPTIONS_H
#define SDCA_TRAIN_TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/history.h"
#include "model/model.h"
#include "objective/duality_gap.h"
#include "objective/objective.h"
#include "solver/sdca/aggregation.h"
#include "solver/sdca/row_order.h"
#include "train/output_iterate.h"

typedef enum sdca_solver {
    SDCA_SOLVER_SDCA,
    SDCA_SOLVER_SGD,    /* the paper's baseline, on one rank */
    SDCA_SOLVER_NEWTON, /* for few columns; goes on as SDCA should it get lost */
    SDCA_SOLVER_AUTO    /* SDCA, or NEWTON where sdca_newton_is_faster() */
} sdca_solver;

/* Where a run is saved, so that another can go on from there, and what it begins with
 * itself. The same on every rank. */
typedef struct sdca_checkpoint_options {
    const char *path;              /* NULL: nowhere */
    int         older_generations; /* generations that stay as path.1, path.2 ... */
    double      interval_seconds;  /* between two checkpoints; 0: time does not matter */
    bool adaptive_interval;  /* ... or more, so that they take 2 % of the time at most */
    int64_t interval_rounds; /* between two checkpoints; 0: their number is no matter */
    const sdca_model *model; /* all but w, certificate and history */
    const char       *resume_from; /* a checkpoint to go on from; NULL: begin at state */
} sdca_checkpoint_options;

/* How to train and when to stop; 0 stands for "no limit" or "choose". The same
 * on every rank. */
typedef struct sdca_train_options {
    sdca_solver           solver;
    sdca_row_order_kind   order;
    sdca_aggregation_rule aggregate;
    bool                  deterministic; /* no clock may influence the result */
    double                local_steps;   /* share of a rank's rows per round; 0: choose */
    double                sigma;         /* 0: choose */
    uint64_t              seed;
    bool                  sgd_start;        /* begin with an epoch of Modified-SGD */
    bool                  approximate_step; /* logistic: the paper's approximate step */
    sdca_output_kind      output;
    double average_from; /* T0 in epochs, for the last two ways to keep; below
                          * epochs, which a random iterate wants */
    double  gap;         /* stop at P - D <= gap ... */
    double  rel_gap;     /* ... or at (P - D) / P <= rel_gap */
    int64_t epochs;      /* budgets */
    int64_t rounds;
    double  seconds;             /* of this call, not counting what went before */
    double  evaluation_interval; /* epochs between two evaluations; 0: choose */
    bool    record_bounds;       /* record what the theorems promise */
    sdca_checkpoint_options checkpoint;
} sdca_train_options;

/* How far a run has come, for who watches it between evaluations. */
typedef struct sdca_progress {
    double round;
    double epoch;
    double seconds;
    double gap;                    /* as last evaluated, or as estimated since ... */
    bool   gap_is_estimate;        /* ... from a sample of rows */
    double target_gap;             /* of the gap */
    double communication_fraction; /* share of this rank's time that went into it, and
                                      into waiting */
} sdca_progress;

/* Who watches a run; every function may be NULL. */
typedef struct sdca_train_callbacks {
    void *context;

    /* The test error of w. Collective. */
    double (*test_error)(void *context, const double *w);

    /* Called on every rank after each evaluation. Local. */
    void (*on_evaluation)(void *context, const sdca_history_record *record);

    /* Called on every rank after each round and, where these may be long (Newton's),
     * often within them, so it has to be quick. Local. */
    void (*on_progress)(void *context, const sdca_progress *now);

    /* Called on every rank when a checkpoint has been written, in so many seconds, or
     * could not be: sdca_status_message() then says why. Local. */
    void (*on_checkpoint)(void *context, sdca_status status, double seconds);

    /* Is this process asked to stop? Called as often as went_on. Local. */
    bool (*stop_requested)(void *context);
} sdca_train_callbacks;

/* Where the time went, in seconds: on the rank that spent most, for each. */
typedef struct sdca_phase_seconds {
    double total;
    double local;       /* coordinate steps */
    double communicate; /* exchange, and waiting for it */
    double gap;         /* evaluations */
    double checkpoint;  /* writing them, and waiting for it */
    double mean_local;  /* of the ranks, where local is the slowest one's */
} sdca_phase_seconds;

/* Why a run ended. */
typedef enum sdca_stop_reason {
    SDCA_STOP_CONVERGED,
    SDCA_STOP_BUDGET,    /* a budget ran out */
    SDCA_STOP_REQUESTED, /* by a signal, or whoever watches */
    SDCA_STOP_STALLED,   /* nothing was gained for long */
    SDCA_STOP_ROUNDING   /* the target is below what double precision can prove */
} sdca_stop_reason;

typedef struct sdca_train_result {
    sdca_stop_reason stop_reason;
    sdca_solver      solver;      /* at the end */
    sdca_certificate certificate; /* of the state that is kept */
    double           test_error;  /* of that state; NaN without a test set */
    bool output_as_requested;     /* false: ended before the average or random iterate */
    bool checkpoint_failed;       /* the last checkpoint could not be written */
    sdca_phase_seconds times;
    sdca_history       history;     /* the caller's, to be freed */
    double             local_steps; /* as first chosen */
    int                nodes;       /* on which the ranks ran */
} sdca_train_result;

/* The solver of a plan, AUTO decided: the same on every rank. Local. */
sdca_solver sdca_train_options_resolve_solver(const sdca_train_options *options,
                                              const sdca_objective     *objective,
                                              const sdca_dataset *data, int ranks);

/* What options and files call a solver. Local; the result is static. */
const char *sdca_solver_name(sdca_solver solver);

#endif
