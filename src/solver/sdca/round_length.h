/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_length.h - how many steps a rank makes between two allreduces of w.
 *
 * With few steps, most of the time is spent on them. With many, the changes of the
 * ranks overlap or cancel, and more passes are needed. If a rank makes the fraction H of
 * a sweep per round, the time is proportional to
 *
 *     s(H) (1 + tau(H)),   1/s = min(eta, 1) min(r, 1/r),   tau = allreduce / computing,
 *
 * with r = |sum dw_k|^2 / sum |dw_k|^2, which is 1 if the changes dw_k of the ranks are
 * orthogonal. s - 1 is proportional to H, and tau to 1/H. The minimum is where 1 - 1/s =
 * tau / (1 + tau); H is multiplied by the square root of the ratio of the two sides.
 * Where the time of an allreduce is proportional to H^p, tau counts (1 - p) times. */
#ifndef SDCA_SOLVER_SDCA_ROUND_LENGTH_H
#define SDCA_SOLVER_SDCA_ROUND_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/dataset.h"
#include "objective/objective.h"
#include "solver/sdca/touched_lines_estimate.h"

/* What is known about a problem before its first round. */
typedef struct sdca_round_length_input {
    int64_t rows;
    int64_t nonzeros;
    int64_t columns; /* times lanes */
    int     ranks;
    int     nodes;
    double  coupling;           /* how much steps depend on each other */
    double  extra_step_seconds; /* seconds that a step of this loss takes more than
                                 * others'; H was fitted without, and only the choice of
                                 * one rank counts it */
    sdca_touched_lines touched;
    int                lanes; /* 0: one */
} sdca_round_length_input;

typedef struct sdca_round_length {
    double  fraction; /* H, for the next round; of all of a rank's rows if given */
    bool    adaptive; /* H is adapted to the cost of rounds */
    bool    measured; /* measured times decide, not the model below */
    double  exchange_seconds;    /* seconds, modelled or measured: one allreduce ... */
    double  pass_seconds;        /* ... and a pass of one rank over all its rows */
    double  max_fraction;        /* H is never more ... */
    double  min_fraction;        /* ... nor less */
    double  lost_progress;       /* 1 - 1/s, smoothed; negative: not known yet */
    int64_t rounds_since_change; /* since H last changed */
    sdca_round_length_input input;
} sdca_round_length;

/* The inputs for this number of ranks and nodes, and of models side by side (lanes).
 * The coupling is C |x|^2 / gamma, with the mean of |x|^2 and the smoothness gamma of the
 * loss, for which a loss with kinks has a constant (base/tuning.h). Local. */
sdca_round_length_input sdca_round_length_input_of(const sdca_objective *objective,
                                                   const sdca_dataset *data, int ranks,
                                                   int nodes, int lanes,
                                                   sdca_touched_lines touched);

/* The number of ranks that should have rows: all; or a power of two, where further ranks
 * would cost more by communication than they gain; or one, if it should be faster or
 * nearly as fast. ranks_per_node of them share memory. Local. */
int sdca_round_length_choose_ranks(sdca_round_length_input input, int ranks_per_node);

/* fraction > 0 fixes H. Otherwise H is chosen: from measured times if the run may depend
 * on the clock and the ranks are on several nodes; on one node from modelled times, so
 * that runs are reproducible bit by bit. Local. */
sdca_round_length sdca_round_length_start(double fraction, bool measured,
                                          sdca_round_length_input input);

/* Adapt H after a round, from the fraction of all rows that it visited, the smallest
 * sigma that would have been safe for it (below 1 if the changes of the ranks cancel),
 * its eta, and its seconds of computing and of communication, all of them the same on all
 * ranks. Local. */
void sdca_round_length_update(sdca_round_length *length, double visited_fraction,
                              double tight_sigma, double eta, double compute_seconds,
                              double exchange_seconds);

#endif
