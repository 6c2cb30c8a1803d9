/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench.c - shared by the benchmarks: clocks, medians, data sets and rows. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/dataset_reader.h"

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return (x[(count - 1) / 2] + x[count / 2]) / 2.0;
}

bool bench_again(int done, int turns, double spent)
{
    const double enough = 0.2; /* seconds */

    return done < turns || (spent < enough && done < BENCH_MOST_TURNS);
}

void bench_check(sdca_status status)
{
    if (status != SDCA_OK && status != SDCA_BUDGET) {
        fprintf(stderr, "bench: %s\n", sdca_status_message());
        exit(sdca_status_exit_code(status));
    }
}

const char *bench_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

bool bench_option(int argc, char **argv, int *k, const char *name, double *value)
{
    char *end = NULL;

    if (strcmp(argv[*k], name) != 0) {
        return false;
    }
    if (*k + 1 < argc) {
        *value = strtod(argv[++*k], &end);
    }
    if (end == NULL || *end != '\0') {
        fprintf(stderr, "bench: %s needs a number\n", name);
        exit(sdca_status_exit_code(SDCA_USAGE));
    }
    return true;
}

sdca_dataset *bench_read(const char *path, bool normalize)
{
    sdca_dataset_options how  = { .task           = SDCA_TASK_CLASSIFICATION,
                                  .require_labels = true,
                                  .normalize      = normalize,
                                  .shuffle        = true };
    sdca_dataset        *data = NULL;

    bench_check(sdca_dataset_reader_read(MPI_COMM_SELF, path, &how, &data));
    return data;
}

int64_t bench_row(const sdca_dataset *data, uint32_t number, double *label,
                  int32_t *column, double *value)
{
    uint32_t i     = sdca_permutation_apply(&data->shuffle, number);
    int64_t  count = 0;

    *label = data->x.row[i].y;
    for (int64_t k = data->x.row[i].start; k < data->x.row[i + 1].start; k++) {
        if (sdca_rows_value(&data->x, k) != 0.0) { /* dense rows store zeros */
            column[count]  = (int32_t)sdca_rows_column(&data->x, k);
            value[count++] = sdca_rows_value(&data->x, k);
        }
    }
    return count;
}

double bench_primal(const sdca_objective *objective, const sdca_dataset *data,
                    const double *w)
{
    double sum = 0.0, norm2 = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, w);

        sum += objective->loss->primal(objective->parameter, z, data->x.row[i].y);
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += w[j] * w[j];
    }
    return sum / (double)data->rows + objective->lambda / 2.0 * norm2;
}

void *bench_room(size_t count, size_t size)
{
    void *room = malloc(count > 0 ? count * size : 1);

    if (room == NULL) {
        fprintf(stderr, "bench: no memory for %zu times %zu bytes\n", count, size);
        exit(sdca_status_exit_code(SDCA_MEMORY));
    }
    return room;
}
