/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_length.h - how many steps a rank makes between two exchanges.
 *
 * Few steps: much time goes into exchanges. Many: the ranks' moves disagree, and more
 * passes are needed. With H for the share of a sweep that a rank makes per round, time
 * goes with
 *
 *     s(H) (1 + tau(H)),   1/s = min(eta, 1) min(r, 1/r),   tau = exchange / computing,
 *
 * with r = |sum dw_k|^2 / sum |dw_k|^2, which is 1 where moves have nothing to do with
 * each other; s - 1 grows like H and tau falls like 1/H. It is least where 1 - 1/s = tau
 * / (1 + tau), and the square root of the ratio leads there. */
#ifndef SDCA_SOLVER_SDCA_ROUND_LENGTH_H
#define SDCA_SOLVER_SDCA_ROUND_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/dataset.h"
#include "objective/objective.h"

typedef struct sdca_round_length {
    double  fraction; /* H, for the next round; of all of a rank's rows if given */
    bool    adaptive; /* H follows what rounds turn out to cost */
    bool    measured; /* measured times decide, not the model below */
    double  exchange_seconds;    /* seconds, modelled or measured: for one exchange ... */
    double  pass_seconds;        /* ... and for a pass of one rank over all its rows */
    double  max_fraction;        /* H is never more ... */
    double  min_fraction;        /* ... nor less */
    double  lost_progress;       /* 1 - 1/s, smoothed; negative: not known yet */
    int64_t rounds_since_change; /* since H last changed */
} sdca_round_length;

/* What is known of a problem before its first round. */
typedef struct sdca_round_length_input {
    int64_t rows;
    int64_t nonzeros;
    int64_t columns;
    int     ranks;
    int     nodes;
    double  coupling;           /* how much steps depend on each other */
    double  extra_step_seconds; /* seconds that a step of this loss takes more than
                                 * others'; H was fitted without, and only the choice of
                                 * one rank counts it */
} sdca_round_length_input;

/* The inputs for this number of ranks and nodes, and of models side by side (lanes).
 * Steps are coupled by C |x|^2, with the mean of |x|^2, over the smoothness of the loss,
 * which resists; that of a loss with corners counts as a quarter. Local. */
sdca_round_length_input sdca_round_length_input_of(const sdca_objective *objective,
                                                   const sdca_dataset *data, int ranks,
                                                   int nodes, int lanes);

/* How many of the ranks should have rows, even if all share memory: all; or a power of
 * two of them, of which near are on one node, where more would lose more by exchanges
 * than they gain; or one, which should be faster or nearly as fast. Local. */
int sdca_round_length_choose_ranks(sdca_round_length_input input, int ranks_per_node);

/* share > 0 fixes H. Else it is chosen, by the clock if the run may depend on it and
 * ranks talk through a network; on one node by a model, so that runs can be
 * repeated bit by bit. Local. */
sdca_round_length sdca_round_length_start(double fraction, bool measured,
                                          sdca_round_length_input input);

/* A round has ended: the part of all rows that it visited, how many times too careful or
 * too bold the local models were (sigma that would have been just safe, less than 1 where
 * moves were opposed, and eta), and the seconds that it took to compute and to exchange,
 * the same on all ranks. Local. */
void sdca_round_length_update(sdca_round_length *length, double visited_fraction,
                              double tight_sigma, double eta, double compute_seconds,
                              double exchange_seconds);

#endif
