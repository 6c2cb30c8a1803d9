/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_to_objective.c - training time until P reaches that of another program. */
#include "time_to_objective.h"

#include <math.h>
#include <string.h>

#include "bench.h"
#include "train/trainer.h"

/* The gap is tightened by this factor until P suffices. */
static const double tighter = 0.7;

/* Relative changes of P below this are rounding errors. */
static const double least_gap = 1e-13;

/* Continue training from a state. */
static sdca_train_result train_on(const sdca_objective *objective,
                                  const sdca_dataset *data, double gap, uint64_t seed,
                                  double limit, sdca_iterate *iterate)
{
    sdca_train_options options = {
        .solver = SDCA_SOLVER_AUTO, .gap = gap, .seed = seed, .seconds = limit
    };
    sdca_train_callbacks nobody = { .context = NULL };
    sdca_train_result    result;

    memset(&result, 0, sizeof result);
    bench_check(sdca_trainer_run(&(sdca_train_setup){ .comm      = MPI_COMM_SELF,
                                                      .data      = data,
                                                      .options   = &options,
                                                      .callbacks = &nobody },
                                 objective, NULL, iterate, &result));
    return result;
}

bench_run bench_run_to(const sdca_objective *objective, const sdca_dataset *data,
                       double gap, double limit)
{
    double            start = bench_now();
    sdca_iterate      iterate;
    sdca_train_result result;
    bench_run         run;

    bench_check(sdca_iterate_create(MPI_COMM_SELF, objective, data, &iterate));
    result = train_on(objective, data, gap, 1, limit, &iterate);
    run    = (bench_run){ .seconds = bench_now() - start,
                          .epochs  = sdca_iterate_epochs(objective, &iterate),
                          .primal  = result.certificate.primal,
                          .gap     = result.certificate.gap };
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    return run;
}

bench_walk bench_walk_begin(const sdca_objective *objective, const sdca_dataset *data)
{
    bench_walk walk = { .problem = objective, .data = data };

    bench_check(sdca_iterate_create(MPI_COMM_SELF, objective, data, &walk.state));
    bench_check(sdca_duality_gap_measure(MPI_COMM_SELF, objective, data,
                                         sdca_iterate_point(&walk.state), NULL,
                                         &walk.now));
    return walk;
}

void bench_walk_free(bench_walk *walk)
{
    sdca_iterate_free(&walk->state);
}

/* Continue in legs until P is small enough. Returns the approximate gap to request, or 0.
 * Each leg has its own seed, so they do not all begin with the same sweep. */
static double walk_to(bench_walk *walk, double primal, double limit)
{
    double deadline = bench_wall() + limit;

    while (walk->now.primal > primal) {
        sdca_train_result result;

        if (walk->now.gap <= least_gap * primal || bench_wall() > deadline) {
            return 0.0;
        }
        result    = train_on(walk->problem, walk->data, tighter * walk->now.gap,
                             ++walk->legs, limit, &walk->state);
        walk->now = result.certificate;
        sdca_history_free(&result.history);
    }
    return walk->now.gap;
}

/* The result of requesting a gap. If a run does not reach it, for lack of time or
 * precision, a smaller gap is useless. */
typedef enum outcome { SUFFICES, FALLS_SHORT, ENDS_EARLY } outcome;

static outcome try_gap(const bench_walk *walk, double gap, double primal, double limit)
{
    bench_run run = bench_run_to(walk->problem, walk->data, gap, limit);

    return run.primal <= primal ? SUFFICES : run.gap <= gap ? FALLS_SHORT : ENDS_EARLY;
}

/* Given a sufficient gap, try slightly larger ones and return the largest that suffices.
 * P is not monotone in the gap, so a larger one may suffice where a smaller one did not.
 */
static double relax(const bench_walk *walk, double gap, double primal, double limit)
{
    enum { TRIES = 8 };
    const double finer = pow(tighter, 0.25);
    double       best  = gap;

    for (int k = 1; k <= TRIES; k++) {
        double larger = gap / pow(finer, k);

        if (try_gap(walk, larger, primal, limit) == SUFFICES) {
            best = larger;
        }
    }
    return best;
}

double bench_gap_for(bench_walk *walk, double primal, double limit)
{
    double  gap  = walk_to(walk, primal, limit);
    outcome came = ENDS_EARLY;

    if (gap > 0.0) {
        gap /= tighter * tighter; /* the walk differs from a run */
        came = try_gap(walk, gap, primal, limit);
    }
    while (came == SUFFICES && gap < primal &&
           try_gap(walk, gap / tighter, primal, limit) == SUFFICES) {
        gap /= tighter;
    }
    while (came == FALLS_SHORT) {
        gap *= tighter;
        came = try_gap(walk, gap, primal, limit);
    }
    return came == SUFFICES ? relax(walk, gap, primal, limit) : 0.0;
}

bool bench_turn(const bench_walk *walk, double primal, double limit, double *gap,
                bench_run *run)
{
    *run = bench_run_to(walk->problem, walk->data, *gap, limit);
    if (run->primal <= primal) {
        return true;
    }
    *gap = run->gap <= *gap ? tighter * *gap : 0.0;
    return false;
}
