/* SPDX-License-Identifier: BSD-3-Clause
 *
 * solver.h - the interface between the trainer and a method.
 *
 * A method moves an iterate in rounds. The trainer decides when to evaluate the gap, when
 * to save the run and when to stop. To add a method: a folder with a table of these
 * operations, a line in SDCA_SOLVER_LIST (solvers.h), and a test. */
#ifndef SDCA_SOLVER_SOLVER_H
#define SDCA_SOLVER_SOLVER_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/field_io.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/iterate_average.h"
#include "objective/objective.h"
#include "solver/sdca/aggregation.h"
#include "solver/sdca/row_order.h"

/* Options of a method; each ignores those that it does not have. */
typedef struct sdca_solver_options {
    sdca_row_order_kind   order;
    sdca_aggregation_rule aggregate;
    bool                  deterministic; /* no clock may influence the result */
    double   local_steps; /* fraction of a rank's rows per round; 0: choose */
    double   sigma;       /* 0: choose */
    uint64_t seed;
    bool     approximate_step;    /* logistic: the paper's approximate step */
    bool     sgd_start;           /* the run begins with Modified-SGD */
    bool    outputs_single_steps; /* an average or a random one of all iterates is kept */
    int64_t epochs;               /* the budget; 0: none */
} sdca_solver_options;

/* What a method may call during a round, any number of times. Local. */
typedef struct sdca_monitor {
    void *context;
    double (*clock)(void *context); /* seconds since the start */
    bool (*stop_requested)(void *context);
    bool (*out_of_time)(void *context);
    void (*on_progress)(void *context); /* for methods with long rounds */
} sdca_monitor;

/* What is constant during a run. */
typedef struct sdca_training {
    MPI_Comm              comm;
    int                   rank;
    int                   ranks;
    int                   models;    /* trained side by side ... */
    const sdca_objective *objective; /* ... with an objective for each */
    const sdca_dataset   *data;
    sdca_solver_options   options;
    sdca_monitor          monitor;
    sdca_iterate_average *average; /* to be updated with every step; NULL: none */
} sdca_training;

/* What the trainer requests of the next round, for one model. The same on every rank. */
typedef struct sdca_round_request {
    bool    active;             /* the model takes part */
    double  target_gap;         /* the gap that is good enough */
    bool    conservative_sigma; /* the target is near */
    int64_t estimate_step;      /* number of steps after which the gap is estimated ... */
    int64_t evaluation_step;    /* ... and after which it is evaluated */
    int64_t selected_step;      /* the random iterate that is kept; 0: none */
} sdca_round_request;

/* The outcome of a round, the same on every rank but for the seconds spent. */
typedef struct sdca_round_report {
    bool   abandoned; /* it was stopped, and the iterate is as before */
    bool   stop_requested;
    bool   out_of_time;
    double clock; /* of rank 0 */
    double local_seconds;
    double communicate_seconds;
} sdca_round_report;

/* What the trainer records of a method, for one model. */
typedef struct sdca_solver_state {
    bool    logs_rounds;    /* each round goes to the log of rounds */
    double  eta;            /* NaN: has none */
    double  sigma;          /* NaN: has none */
    double  sigma_along;    /* NaN: has none */
    double  local_steps;    /* fraction of a rank's rows per round; NaN: has none */
    bool    adaptive_sigma; /* rounds with a conservative sigma are possible */
    int64_t bytes;          /* sent by this rank */
} sdca_solver_state;

/* How to evaluate an iterate. The same on every rank. */
typedef struct sdca_gap_evaluation_request {
    sdca_target target;
    double      target_gap;  /* that of the target, as far as P is known */
    bool        may_be_last; /* the run may end with this iterate */
} sdca_gap_evaluation_request;

/* The evaluation of one model's point: its iterate, or one made of its predecessors. */
typedef struct sdca_model_evaluation {
    bool                        due; /* false: all else is without meaning */
    sdca_point                  point;
    sdca_gap_evaluation_request request;
    sdca_certificate            certificate; /* the result ... */
    bool                        certified;   /* ... and whether rounding is bounded */
} sdca_model_evaluation;

/* Arrays below have an element for each model of the training. */
typedef struct sdca_solver_ops {
    const char *name; /* in options and files */

    bool   single_rank; /* runs on one rank only */
    bool   many_models; /* trains several models side by side */
    bool   w_of_alpha;  /* w is w(alpha), so that a sample of rows estimates the gap */
    bool   evaluates_each_round; /* an evaluation costs nothing after a round */
    bool   always_certifies;     /* every evaluation is a certificate */
    bool   resumes_alone;        /* its checkpoints are of no use to other methods */
    double rounding_level; /* relative gap below which only rounding errors are left */

    /* A method for these iterates, which are kept. Collective. *self is the caller's, to
     * be destroyed. Fails with SDCA_USAGE for options that it refuses. */
    sdca_status (*create)(const sdca_training *training, sdca_iterate *iterate,
                          void **self);
    void (*destroy)(void *self); /* Local. */

    /* One round. Collective. */
    void (*round)(void *self, const sdca_round_request *request, sdca_round_report *out);

    /* P, D and gap of the models that are due. Points that may be the last or that meet
     * the target get a certificate. Collective. */
    sdca_status (*evaluate)(void *self, sdca_model_evaluation *evaluation);

    /* A certificate of a point of a model that this method made. Collective. */
    sdca_status (*certify)(void *self, int model, sdca_point point,
                           const sdca_gap_evaluation_request *request,
                           sdca_certificate                  *out);

    /* Write or read its part of a checkpoint; the iterate is already read. If the
     * settings that decide the course of rounds differ, only what does not depend on them
     * is used. Collective. */
    void (*fields)(void *self, sdca_field_io *io, bool same_schedule);

    sdca_solver_state (*state)(const void *self, int model); /* Local. */

    /* Has it failed, so that SDCA should take over? NULL: never. Local. */
    bool (*has_failed)(const void *self);
} sdca_solver_ops;

#endif
