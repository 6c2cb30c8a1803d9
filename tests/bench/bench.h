/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench.h - what the benchmarks share: a clock, medians, data sets and rows.
 *
 * The only place, with time_to_objective.h, that knows how the library holds its rows and
 * is asked to train. A failure ends the program with a sentence: nobody waits. */
#ifndef SDCA_BENCH_H
#define SDCA_BENCH_H

#include "data/dataset.h"
#include "objective/objective.h"

/* Seconds of processor time, which others on the same machine do not lengthen much; and
 * of the clock on the wall. */
double bench_now(void);
double bench_wall(void);

/* The median of x[0 .. count - 1], which are sorted by it. */
double bench_median(double *x, int count);

/* How often a thing is timed: at least turns times; more often where that takes no
 * time, up to BENCH_MOST_TURNS. */
enum { BENCH_MOST_TURNS = 25 };
bool bench_again(int done, int turns, double spent);

/* End the program unless all went well, or a budget ran out. */
void bench_check(sdca_status status);

/* "FILE.h5" of a path, without the folders. */
const char *bench_name(const char *path);

/* The number after "--turns" or the like, if argument k is that: then *k is advanced. */
bool bench_option(int argc, char **argv, int *k, const char *name, double *value);

/* All rows of a file in two classes, lying as sdca train has them. The caller's, to be
 * freed with sdca_dataset_free(). */
sdca_dataset *bench_read(const char *path, bool normalize);

/* The row of that number in the file: its label, columns from 0, and values; how many
 * non-zeros it has. */
int64_t bench_row(const sdca_dataset *data, uint32_t number, double *label,
                  int32_t *column, double *value);

/* P(w). */
double bench_primal(const sdca_objective *objective, const sdca_dataset *data,
                    const double *w);

/* malloc() that does not fail. */
void *bench_room(size_t count, size_t size);

#endif
