/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.h - a run under way, and what can be asked of it. */
#ifndef SDCA_RUN_H
#define SDCA_RUN_H

#include "sdca/forecast.h"
#include "sdca/newton.h"
#include "sdca/pace.h"
#include "sdca/plan.h"
#include "sdca/sgd.h"

/* A guess of the gap may come before its time by this share of an epoch, 1 / NEAR. */
enum { SDCA_RUN_NEAR = 32 };

/* What has the same value on every rank decides; what has not (times) is only
 * reported. */
typedef struct sdca_run {
    MPI_Comm              comm;
    const sdca_objective *problem;
    const sdca_dataset   *data;
    const sdca_plan      *plan;
    const sdca_watcher   *watcher;
    sdca_iterate         *state;
    sdca_result          *result;
    sdca_ascent           local;
    sdca_aggregation      aggregate;
    sdca_solver           solver; /* never AUTO */
    sdca_sgd              sgd;
    sdca_newton           newton;
    double               *dual_w; /* room for that of the alpha that certifies w */
    sdca_round_length     pace;
    double                ahead;  /* what ranks have left of their sweeps, as a share */
    double                waited; /* seconds in the exchange of the last round */
    sdca_keep             keep;
    int64_t               made; /* this rank's steps */

    /* Evaluations. */
    sdca_certificate now;       /* of the last one */
    int64_t          evaluated; /* its round, or -1 */
    bool             certified; /* it bounds rounding errors, in this very run */
    double           rounding;  /* that bound, as last computed; 0: not yet */
    bool             looked;    /* was there an evaluation since the run went on? */
    int64_t          due;       /* the next one, in steps */
    double           highest;   /* D, but for what is too little to speak of ... */
    int64_t          risen;     /* ... and the steps after which it was found so */
    bool             rests;     /* rows rest, on every rank that has any */

    /* Between them, guesses from a sample of rows. */
    double        primal;    /* P as last seen, by a guess or an evaluation */
    sdca_forecast forecast;  /* of the gap, from both */
    int64_t       look;      /* the next guess, in steps; 0: there is none */
    bool          settles;   /* until then, w is to come to rest ... */
    double        within;    /* ... as the gap is at most so many times the target */
    bool          promising; /* a look at all rows may find the target reached */

    /* The clock is rank 0's, as of the last round; a run that goes on from a checkpoint
     * counts from the seconds gone there. */
    double began; /* MPI_Wtime() at the start, had it never stopped */
    double clock;
    double gone;
    bool   asked;     /* a rank has been asked to stop */
    bool   abandoned; /* ... in a round of Newton's, whose start is the present iterate */

    /* Checkpoints. */
    int64_t saved_round;
    bool    saved_at_target; /* as the last checkpoint says */
    double  saved_clock;
    double  interval;    /* seconds between two, as they have turned out to cost */
    bool    interrupted; /* there is one to go on from, and the run ends here */
} sdca_run;

/* Is the loss without corners? Local. */
bool sdca_run_is_smooth(const sdca_run *r);

/* The gap that is asked for, as far as P is known. Local. */
double sdca_run_wanted(const sdca_run *r);

/* The same less the rounding errors that will be added to the gap, unless they are as
 * large themselves. Local. */
double sdca_run_target(const sdca_run *r);

/* Is a certificate good enough? Local. */
bool sdca_run_reached(const sdca_run *r, const sdca_certificate *certificate);

/* Has the present iterate been found to reach the target, and may one be kept? Local. */
bool sdca_run_is_at_target(const sdca_run *r);

/* A relative gap so small that rounding is all there is. Local. */
double sdca_run_limit(const sdca_run *r);

/* Is all of the target taken up by rounding errors, and the gap without them as small as
 * the target? Then nothing better can be proven. Local. */
bool sdca_run_is_unprovable(const sdca_run *r);

/* Is there no budget left for another round? Being asked to stop without a place to save
 * the run is the end of all budgets. Local. */
bool sdca_run_is_spent(const sdca_run *r);

/* Is it to stop and be saved? Local. */
bool sdca_run_is_stopped(const sdca_run *r);

/* Has it gained so little for so long that it never will? Local. */
bool sdca_run_is_stuck(const sdca_run *r);

/* While rounds of SDCA go on, alpha and w are with the local steps: bring them to the
 * state. Local. */
void sdca_run_bring_state(sdca_run *r);

/* sigma for the next round of SDCA. Local. */
sdca_sigma sdca_run_sigma(const sdca_run *r);

/* This rank's part of all steps so far, where nobody has counted its own. Local. */
int64_t sdca_run_part_of_steps(const sdca_run *r);

/* This rank's steps for the next round of SDCA or SGD: its share, or what the budget of
 * epochs has left for it. If its length is ours to choose, it ends where the gap is to be
 * guessed; alone, also where an evaluation is wanted, and at the iterate drawn to be
 * kept. A new sweep may begin. Local. */
int64_t sdca_run_next_steps(sdca_run *r);

#endif
