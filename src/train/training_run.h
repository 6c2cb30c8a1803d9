/* SPDX-License-Identifier: BSD-3-Clause
 *
 * training_run.h - a run under way, and what can be asked of it. */
#ifndef SDCA_TRAIN_TRAINING_RUN_H
#define SDCA_TRAIN_TRAINING_RUN_H

#include "solver/newton/newton.h"
#include "solver/sdca/aggregation.h"
#include "solver/sdca/round_length.h"
#include "solver/sgd/sgd.h"
#include "train/gap_forecast.h"
#include "train/output_iterate.h"
#include "train/train_options.h"

/* A guess of the gap may come before its time by this share of an epoch, 1 / NEAR. */
enum { SDCA_ESTIMATE_EARLY_DIVISOR = 32 };

/* What has the same value on every rank decides; what has not (times) is only
 * reported. */
typedef struct sdca_training_run {
    MPI_Comm                    comm;
    const sdca_objective       *objective;
    const sdca_dataset         *data;
    const sdca_train_options   *options;
    const sdca_train_callbacks *callbacks;
    sdca_iterate               *iterate;
    sdca_train_result          *result;
    sdca_ascent                 ascent;
    sdca_aggregation            aggregation;
    sdca_solver                 solver; /* never AUTO */
    sdca_sgd                    sgd;
    sdca_newton                 newton;
    double                     *dual_w; /* room for that of the alpha that certifies w */
    sdca_round_length           round_length;
    double sweep_fraction_left; /* what ranks have left of their sweeps, as a share */
    double allreduce_seconds;   /* seconds in the exchange of the last round */
    sdca_output_iterate output;
    int64_t             rank_steps; /* this rank's steps */

    /* Evaluations. */
    sdca_certificate last_certificate;  /* of the last one */
    int64_t          evaluated_round;   /* its round, or -1 */
    bool             last_is_certified; /* it bounds rounding errors, in this very run */
    double           rounding_bound;    /* that bound, as last computed; 0: not yet */
    bool    evaluated_since_resume; /* was there an evaluation since the run went on? */
    int64_t next_evaluation_step;   /* the next one, in steps */
    double  best_dual;              /* D, but for what is too little to speak of ... */
    int64_t best_dual_step;         /* ... and the steps after which it was found so */
    bool    shrinking;              /* rows rest, on every rank that has any */

    /* Between them, guesses from a sample of rows. */
    double            primal_estimate; /* P as last seen, by a guess or an evaluation */
    sdca_gap_forecast forecast;        /* of the gap, from both */
    int64_t           next_estimate_step; /* the next guess, in steps; 0: there is none */
    bool              conservative_sigma; /* until then, w is to come to rest ... */
    double
         conservative_gap_ratio; /* ... as the gap is at most so many times the target */
    bool estimate_meets_target;  /* a look at all rows may find the target reached */

    /* The clock is rank 0's, as of the last round; a run that goes on from a checkpoint
     * counts from the seconds gone there. */
    double start_time; /* MPI_Wtime() at the start, had it never stopped */
    double elapsed;
    double elapsed_at_resume;
    bool   stop_requested;  /* a rank has been asked to stop */
    bool   round_abandoned; /* ... in a round of Newton's, whose start is the present
                               iterate */

    /* Checkpoints. */
    int64_t checkpoint_round;
    bool    checkpoint_converged; /* as the last checkpoint says */
    double  checkpoint_elapsed;
    double checkpoint_interval; /* seconds between two, as they have turned out to cost */
    bool   interrupted;         /* there is one to go on from, and the run ends here */
} sdca_training_run;

/* Is the loss without corners? Local. */
bool sdca_training_run_loss_is_smooth(const sdca_training_run *r);

/* The gap that is asked for, as far as P is known. Local. */
double sdca_training_run_target_gap(const sdca_training_run *r);

/* The same less the rounding errors that will be added to the gap, unless they are as
 * large themselves. Local. */
double sdca_training_run_target_less_rounding(const sdca_training_run *r);

/* Is a certificate good enough? Local. */
bool sdca_training_run_meets_target(const sdca_training_run *r,
                                    const sdca_certificate  *certificate);

/* Has the present iterate been found to reach the target, and may one be kept? Local. */
bool sdca_training_run_converged(const sdca_training_run *r);

/* A relative gap so small that rounding is all there is. Local. */
double sdca_training_run_rounding_level(const sdca_training_run *r);

/* Is all of the target taken up by rounding errors, and the gap without them as small as
 * the target? Then nothing better can be proven. Local. */
bool sdca_training_run_target_below_rounding(const sdca_training_run *r);

/* Is there no budget left for another round? Being asked to stop without a place to save
 * the run is the end of all budgets. Local. */
bool sdca_training_run_budget_exhausted(const sdca_training_run *r);

/* Is it to stop and be saved? Local. */
bool sdca_training_run_must_interrupt(const sdca_training_run *r);

/* Has it gained so little for so long that it never will? Local. */
bool sdca_training_run_stalled(const sdca_training_run *r);

/* sigma for the next round of SDCA. Local. */
sdca_sigma sdca_training_run_sigma(const sdca_training_run *r);

/* This rank's part of all steps so far, where nobody has counted its own. Local. */
int64_t sdca_training_run_estimate_rank_steps(const sdca_training_run *r);

/* This rank's steps for the next round of SDCA or SGD: its share, or what the budget of
 * epochs has left for it. If its length is ours to choose, it ends where the gap is to be
 * guessed; alone, also where an evaluation is wanted, and at the iterate drawn to be
 * kept. A new sweep may begin. Local. */
int64_t sdca_training_run_next_round_steps(sdca_training_run *r);

#endif
