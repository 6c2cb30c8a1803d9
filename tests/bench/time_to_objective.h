/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_to_objective.h - training time until P reaches that of another program.
 *
 * A user specifies a gap, not P. The comparison therefore times the run with the largest
 * gap whose P is small enough. Runs are reproducible bit for bit, so the gap is searched
 * once and then timed. */
#ifndef SDCA_BENCH_TIME_TO_OBJECTIVE_H
#define SDCA_BENCH_TIME_TO_OBJECTIVE_H

#include <stdbool.h>

#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* One run from w = 0 to a gap, or for at most limit seconds of wall-clock time. seconds
 * is CPU time without reading: initialization, training and evaluations. */
typedef struct bench_run {
    double seconds;
    double epochs;
    double primal;
    double gap;
} bench_run;

bench_run bench_run_to(const sdca_objective *objective, const sdca_dataset *data,
                       double gap, double limit);

/* A long run towards the optimum, which passes the gap to be found. */
typedef struct bench_walk {
    const sdca_objective *problem;
    const sdca_dataset   *data;
    sdca_iterate          state;
    sdca_certificate      now;
    uint64_t              legs;
} bench_walk;

/* The caller owns both; a walk must be freed. */
bench_walk bench_walk_begin(const sdca_objective *objective, const sdca_dataset *data);
void       bench_walk_free(bench_walk *walk);

/* The largest gap to request, within a factor of 0.7, such that P at the end is at most
 * this value; 0 if runs of limit seconds find none. On one walk, request the largest P
 * first: it does not go backwards. */
double bench_gap_for(bench_walk *walk, double primal, double limit);

/* A timed run to that gap. Returns whether its P suffices. If not, *gap is tightened, and
 * earlier turns are invalid; 0 means that no gap will suffice. */
bool bench_turn(const bench_walk *walk, double primal, double limit, double *gap,
                bench_run *run);

#endif
