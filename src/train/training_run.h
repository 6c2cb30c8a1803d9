/* SPDX-License-Identifier: BSD-3-Clause
 *
 * training_run.h - a run under way: its parts, each with a file of its own. */
#ifndef SDCA_TRAIN_TRAINING_RUN_H
#define SDCA_TRAIN_TRAINING_RUN_H

#include "objective/iterate.h"
#include "solver/solvers.h"
#include "train/checkpoint_schedule.h"
#include "train/clock.h"
#include "train/evaluation_schedule.h"
#include "train/output_iterate.h"
#include "train/stopping.h"
#include "train/train_options.h"

/* A method at work. */
typedef struct sdca_active_solver {
    sdca_solver            kind; /* not AUTO */
    const sdca_solver_ops *ops;
    void                  *self; /* NULL: none */
} sdca_active_solver;

/* What the last evaluation found. */
typedef struct sdca_last_evaluation {
    sdca_certificate certificate;
    int64_t          round;        /* of the iterate; -1: none yet */
    bool             certified;    /* rounding errors are bounded, in this very call */
    bool             since_resume; /* it was made in this call */
} sdca_last_evaluation;

/* One of the models that are trained side by side. */
typedef struct sdca_model_run {
    int                      number; /* among them */
    const sdca_objective    *objective;
    sdca_iterate            *iterate;
    sdca_train_result       *result;
    sdca_stopping            stopping;
    sdca_evaluation_schedule evaluations;
    sdca_last_evaluation     last;
    sdca_output_iterate      output;
    bool                     finished; /* its result is there */
} sdca_model_run;

/* Decisions depend on values that are the same on every rank; others, such as times, are
 * only reported. */
typedef struct sdca_training_run {
    sdca_training               training; /* constant */
    const sdca_train_options   *options;
    const sdca_train_callbacks *callbacks;
    const sdca_model           *description; /* of the model, for checkpoints; or NULL */
    sdca_active_solver          solver;
    sdca_active_solver          replaced;       /* the method that failed, if any ... */
    int64_t                     replaced_bytes; /* ... and what it sent */
    sdca_clock                  clock;
    sdca_phase_seconds          times;
    sdca_checkpoint_schedule    checkpoints;
    bool                        checkpoint_failed; /* the last one was not written */
    sdca_model_run              model[SDCA_MAX_LANES];
    bool round_abandoned; /* the last round was stopped, and the iterate is as before */
    bool interrupted;     /* the run was saved, and ends here */
} sdca_training_run;

/* Make the parts of a run, and start its method. Collective. sdca_training_run_free()
 * frees them, also after a failure. */
sdca_status sdca_training_run_init(sdca_training_run *r);
void        sdca_training_run_free(sdca_training_run *r);

/* Is there no budget left for another round of a model? Local. */
bool sdca_training_run_budget_exhausted(const sdca_training_run *r,
                                        const sdca_model_run    *m);

/* Does the present iterate of a model meet the target, and is the output there? And those
 * of all models? Local. */
bool sdca_training_run_model_converged(const sdca_model_run *m);
bool sdca_training_run_has_converged(const sdca_training_run *r);

/* The number of rounds of the model that has made most. Local. */
int64_t sdca_training_run_rounds(const sdca_training_run *r);

/* Let SDCA take over, at the best alpha if that is what is kept: a method that failed has
 * no proof of convergence of its own, but SDCA has. Collective. */
sdca_status sdca_training_run_replace_solver(sdca_training_run *r);

/* Call the callback for progress. Local. */
void sdca_training_run_report_progress(const sdca_training_run *r);

/* Has a model come to its end, with its last iterate evaluated? Local. */
bool sdca_training_run_model_has_ended(const sdca_training_run *r,
                                       const sdca_model_run    *m);

/* A model has ended: keep the iterate that was asked for, with a certificate of this
 * call. Collective. */
sdca_status sdca_training_run_finish_model(sdca_training_run *r, sdca_model_run *m);

/* Complete the results of all models: times, and of an interrupted run what was last
 * known about it. Collective. */
void sdca_training_run_report(sdca_training_run *r);

#endif
