/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.h - training: options, callbacks, result.
 *
 * Minimises P(w) = (1/n) sum_i phi(w.x_i; y_i) + (lambda/2) |w|^2 until the duality gap
 * proves that w is close enough to the optimum (docs/method.md). */
#ifndef SDCA_TRAIN_H
#define SDCA_TRAIN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "certificate.h"
#include "dataset.h"
#include "history.h"
#include "model.h"
#include "status.h"

typedef enum sdca_solver {
    SDCA_SOLVER_SDCA,   /* stochastic dual coordinate ascent */
    SDCA_SOLVER_SGD,    /* the paper's baseline, on one rank */
    SDCA_SOLVER_NEWTON, /* for few columns; continues with SDCA if it stalls */
    SDCA_SOLVER_SAG,    /* stochastic average gradient, a baseline on one rank */
    SDCA_SOLVER_EG,     /* exponentiated gradient, a baseline on one rank */
    SDCA_SOLVER_AUTO    /* SDCA or NEWTON, whichever should be faster */
} sdca_solver;

/* The order in which a rank visits its rows. */
typedef enum sdca_row_order_kind {
    SDCA_ROW_ORDER_AUTO, /* small groups of neighbours, reordered in each sweep, with
                          * shrinking */
    SDCA_ROW_ORDER_PERMUTATION, /* a new permutation in each sweep: SDCA-Perm */
    SDCA_ROW_ORDER_RANDOM,      /* each row drawn independently: SDCA */
    SDCA_ROW_ORDER_CYCLIC       /* the permutation of the first sweep in every sweep */
} sdca_row_order_kind;

/* How the updates of the ranks are combined after a round. */
typedef enum sdca_aggregation_rule {
    SDCA_AGGREGATION_AVERAGE,    /* eta = 1/K: CoCoA */
    SDCA_AGGREGATION_ADD,        /* eta = 1: CoCoA+ */
    SDCA_AGGREGATION_LINE_SEARCH /* the eta that maximises the dual */
} sdca_aggregation_rule;

/* Which iterate becomes the model. T0 and T are counted in steps. With several ranks the
 * iterates are those between rounds, each counted once per step of the next round. */
typedef enum sdca_output_kind {
    SDCA_OUTPUT_BEST,    /* of those evaluated, the one with the smallest gap */
    SDCA_OUTPUT_LAST,    /* number T */
    SDCA_OUTPUT_AVERAGE, /* the mean of T0 .. T - 1 */
    SDCA_OUTPUT_RANDOM   /* one of T0 + 1 .. T, drawn in advance: T must be known */
} sdca_output_kind;

/* Checkpoints: where a run is saved so that another one can resume it. */
typedef struct sdca_checkpoint_options {
    const char *path;              /* NULL: no checkpoints */
    int         older_generations; /* kept as path.1, path.2, ... */
    double      interval_seconds;  /* between two checkpoints; 0: no limit */
    bool        adaptive_interval; /* longer intervals, so that writing takes at most 2 %
                                    * of the time */
    int64_t     interval_rounds;   /* between two checkpoints; 0: no limit */
    const char *resume_from;       /* resume this checkpoint; NULL: none */
} sdca_checkpoint_options;

/* How to train and when to stop, the same on every rank. sdca_train_options_default()
 * has the defaults; 0 stands for "no limit" or "choose". */
typedef struct sdca_train_options {
    /* The problem. */
    const char *loss;           /* a name of loss.h; default: hinge */
    double      loss_parameter; /* NaN, the default: that of the loss */
    double      lambda;         /* either lambda or C is above 0 */
    double      C;              /* LIBLINEAR's C = 1/(lambda n) */

    /* Stopping: the target, and budgets that end the run before it. */
    double  gap;     /* stop at P - D <= gap; 0, the default: rel_gap decides */
    double  rel_gap; /* stop at (P - D) / P <= rel_gap; default: 1e-3 */
    int64_t epochs;
    int64_t rounds;
    double  seconds; /* of this call, not counting the run that it resumes */

    /* The method. */
    sdca_solver           solver;
    sdca_row_order_kind   order;
    sdca_aggregation_rule aggregate;
    double      local_steps; /* fraction of a rank's rows per round; 0: choose */
    double      sigma;       /* 0: choose */
    uint64_t    seed;
    bool        deterministic;    /* no clock may influence the result */
    bool        sgd_start;        /* start with an epoch of Modified-SGD */
    bool        approximate_step; /* logistic: the paper's approximate step */
    const char *warm_start;       /* start from this model or checkpoint */

    /* The result. */
    sdca_output_kind output;
    double           average_from; /* T0 in epochs, for average and random; below 0, the
                                    * default: half of epochs */
    double evaluation_interval;    /* epochs between two evaluations; 0: choose */
    bool   record_bounds;          /* record the gap that the theorems bound */
    const sdca_dataset *test;      /* record the error on this data set; or NULL */

    sdca_checkpoint_options checkpoint;
} sdca_train_options;

/* The state of a run between two evaluations. */
typedef struct sdca_progress {
    double round;
    double epoch;
    double seconds;
    double gap;                    /* as last evaluated, or estimated since ... */
    bool   gap_is_estimate;        /* ... from a sample of rows */
    double target_gap;             /* the gap at which the run stops */
    double communication_fraction; /* of this rank's time, with waiting */
} sdca_progress;

/* Functions that sdca_train() calls with context; each one may be NULL. */
typedef struct sdca_train_callbacks {
    void *context;

    /* With more than two classes, called on every rank before each evaluation: it is
     * that of class k against the rest. Local. */
    void (*on_class)(void *context, int k);

    /* Called on every rank after each evaluation. Local. */
    void (*on_evaluation)(void *context, const sdca_history_record *record);

    /* Called on every rank after each round, and during long rounds (Newton's). It must
     * be quick. Local. */
    void (*on_progress)(void *context, const sdca_progress *now);

    /* Called on every rank when a checkpoint was written, with the seconds this took, or
     * could not be written: sdca_status_message() then says why. Local. */
    void (*on_checkpoint)(void *context, sdca_status status, double seconds);

    /* Should the run stop? One rank is enough. Called as often as on_progress. Local. */
    bool (*stop_requested)(void *context);
} sdca_train_callbacks;

/* Where the time went, in seconds: for each part, on the rank that spent most on it. */
typedef struct sdca_phase_seconds {
    double total;       /* of the run, without reading the data */
    double read;        /* reading the data set; 0 from sdca_train() */
    double local;       /* coordinate steps */
    double communicate; /* allreduce of w, with waiting */
    double gap;         /* evaluations */
    double checkpoint;  /* writing checkpoints, with waiting */
    double mean_local;  /* the mean over the ranks, where local is the slowest one's */
} sdca_phase_seconds;

/* Why a run ended. */
typedef enum sdca_stop_reason {
    SDCA_STOP_CONVERGED,
    SDCA_STOP_BUDGET,
    SDCA_STOP_REQUESTED, /* by stop_requested */
    SDCA_STOP_STALLED,   /* no more progress */
    SDCA_STOP_ROUNDING   /* the target is below what double precision can prove */
} sdca_stop_reason;

typedef struct sdca_train_result {
    sdca_stop_reason   stop_reason;
    sdca_solver        solver;              /* at the end */
    sdca_certificate   certificate;         /* of the model: sdca_model_certificate() */
    double             test_error;          /* of the model; NaN without a test set */
    bool               output_as_requested; /* false: ended before T0 or the drawn step */
    bool               checkpoint_failed;   /* the last checkpoint was not written */
    sdca_phase_seconds times;
    sdca_history       history; /* the model's, freed with it; empty without one, and
                                 * of more than two classes */
    double local_steps;         /* as first chosen */
    int    nodes;               /* that the ranks ran on */
} sdca_train_result;

#ifdef __cplusplus
extern "C" {
#endif

/* The options of the program sdca train without options, but for lambda or C, which have
 * no default. Local. */
SDCA_API sdca_train_options sdca_train_options_default(void);

/* The name of a solver, as in files and options of the program. Local; the result is
 * static. */
SDCA_API const char *sdca_solver_name(sdca_solver solver);

/* Train a model on a labelled data set. With more than two classes, each is trained
 * against the rest, to the same target, some of them side by side: budgets of epochs
 * and rounds are per class, that of seconds is for all. callbacks and result may be
 * NULL; *result is initialised here. Collective. Returns SDCA_OK when the target is
 * reached, and SDCA_BUDGET when the run ended before (result->stop_reason): *model is
 * then the caller's, to be freed with sdca_model_free(). With checkpoints,
 * stop_requested and the budget of seconds end in SDCA_INTERRUPTED: *model is NULL, the
 * checkpoint is there to resume from, and result is that of the last evaluation.
 * Otherwise the run failed, and *model is NULL. */
SDCA_API sdca_status sdca_train(MPI_Comm comm, const sdca_dataset *data,
                                const sdca_train_options   *options,
                                const sdca_train_callbacks *callbacks, sdca_model **model,
                                sdca_train_result *result);

#ifdef __cplusplus
}
#endif

#endif
