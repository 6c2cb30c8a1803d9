/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_to_objective.h - how long sdca takes until P is at most what somebody else has
 * reached.
 *
 * A user asks for a gap, not for a P. The fair question is then: how long does
 * the run with the largest gap take whose P is small enough? Runs repeat bit by bit, so
 * that the gap is sought once and then timed. */
#ifndef SDCA_BENCH_TIME_TO_OBJECTIVE_H
#define SDCA_BENCH_TIME_TO_OBJECTIVE_H

#include <stdbool.h>

#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* One run from w = 0 to a gap, or until it has taken limit seconds on the wall. seconds
 * is the processor's, of all but reading: the state, training, every evaluation. */
typedef struct bench_run {
    double seconds;
    double epochs;
    double primal;
    double gap;
} bench_run;

bench_run bench_run_to(const sdca_objective *objective, const sdca_dataset *data,
                       double gap, double limit);

/* A walk towards the optimum, which passes the gap that we look for. */
typedef struct bench_walk {
    const sdca_objective *problem;
    const sdca_dataset   *data;
    sdca_iterate          state;
    sdca_certificate      now;
    uint64_t              legs;
} bench_walk;

/* Both are the caller's; a walk must be freed. */
bench_walk bench_walk_begin(const sdca_objective *objective, const sdca_dataset *data);
void       bench_walk_free(bench_walk *walk);

/* The largest gap to ask for, within a factor of 0.7, so that a run ends with at most
 * this P; 0 if none is found in runs of limit seconds. On one walk ask for the greatest P
 * first: it does not turn back. */
double bench_gap_for(bench_walk *walk, double primal, double limit);

/* A timed run to that gap: does its P suffice? If not, *gap is tightened, and all turns
 * so far count for nothing; 0 says that there is no hope. */
bool bench_turn(const bench_walk *walk, double primal, double limit, double *gap,
                bench_run *run);

#endif
