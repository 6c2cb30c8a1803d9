/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench.h - shared by the benchmarks: clocks, medians, data sets and rows.
 *
 * Only this file and time_to_objective.h depend on how the library stores rows and
 * trains. On failure, the program exits with a message. */
#ifndef SDCA_BENCH_H
#define SDCA_BENCH_H

#include "data/dataset.h"
#include "objective/objective.h"

/* CPU time in seconds, which other processes hardly affect; and wall-clock time. */
double bench_now(void);
double bench_wall(void);

/* The median of x[0 .. count - 1], which it sorts. */
double bench_median(double *x, int count);

/* The number of timed repetitions: at least turns; more if each is short, up to
 * BENCH_MOST_TURNS. */
enum { BENCH_MOST_TURNS = 25 };
bool bench_again(int done, int turns, double spent);

/* Exit the program on failure; an exhausted budget is none. */
void bench_check(sdca_status status);

/* The file name of a path, without directories. */
const char *bench_name(const char *path);

/* The number after an option such as "--turns", if argument k is that option; advances
 * *k. */
bool bench_option(int argc, char **argv, int *k, const char *name, double *value);

/* All rows of a file with two classes, stored as in sdca train. The caller frees it with
 * sdca_dataset_free(). */
sdca_dataset *bench_read(const char *path, bool normalize);

/* Copy the row with this number in the file: label, columns from 0, and values. Returns
 * the number of non-zeros. */
int64_t bench_row(const sdca_dataset *data, uint32_t number, double *label,
                  int32_t *column, double *value);

/* P(w). */
double bench_primal(const sdca_objective *objective, const sdca_dataset *data,
                    const double *w);

/* malloc() that exits on failure. */
void *bench_room(size_t count, size_t size);

#endif
