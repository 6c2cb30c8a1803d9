/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peak_memory.c - peak memory of loading and training, compared with the documented
 * bound.
 *
 * The bound: 8 bytes per non-zero, 40 per row, and vectors of doubles: labels; then alpha
 * and w, and those of the best iterate. Measured is the growth of the process at its peak
 * since MPI_Init(), so each process measures one file. Sets of a few megabytes show the
 * memory of the libraries. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "train/trainer.h"

static const double per_nonzero = 8.0;
static const double per_row     = 40.0;

/* Bytes in a line of /proc/self/status: "VmRSS:" current, "VmHWM:" peak. */
static double status_bytes(const char *name)
{
    FILE  *file = fopen("/proc/self/status", "r");
    char   line[256];
    double kilobytes = -1.0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kilobytes = strtod(line + strlen(name), NULL);
        }
    }
    if (kilobytes < 0.0) {
        fprintf(stderr, "bench: no %s in /proc/self/status\n", name);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return 1024.0 * kilobytes;
}

static void train(const sdca_dataset *data)
{
    sdca_objective objective = sdca_objective_with_lambda(
        sdca_loss_find("hinge"), 0.0, 1e-5, data->rows, data->total_weight);
    sdca_train_options   options = { .rel_gap = 0.05, .epochs = 20 };
    sdca_train_callbacks nobody  = { .context = NULL };
    sdca_iterate         iterate;
    sdca_train_result    result;

    memset(&result, 0, sizeof result);
    bench_check(sdca_iterate_create(MPI_COMM_SELF, &objective, data, &iterate));
    bench_check(sdca_trainer_run(&(sdca_train_setup){ .comm      = MPI_COMM_SELF,
                                                      .data      = data,
                                                      .options   = &options,
                                                      .callbacks = &nobody },
                                 &objective, NULL, &iterate, &result));
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
}

/* Bytes per non-zero, and per row, if all else matches the bound. */
static void print_row(const char *path, const char *after, const sdca_dataset *data,
                      double vectors, double measured)
{
    double nonzeros = (double)data->nonzeros, rows = (double)data->rows;
    double promise = per_nonzero * nonzeros + per_row * rows + vectors;

    printf("| %s | %s | %" PRId64 " | %" PRId64 " | %.1f | %.1f | %.2f | %.2f | %.1f |\n",
           bench_name(path), after, data->nonzeros, data->rows, 1e-6 * promise,
           1e-6 * measured, measured / promise,
           (measured - per_row * rows - vectors) / nonzeros,
           (measured - per_nonzero * nonzeros - vectors) / rows);
}

int main(int argc, char **argv)
{
    double        before, labels, iterates;
    sdca_dataset *data;

    if (argc != 2) {
        fprintf(stderr, "usage: memory FILE.h5\n");
        return 64;
    }
    MPI_Init(&argc, &argv);
    before   = status_bytes("VmRSS:");
    data     = bench_read(argv[1], true);
    labels   = (double)sizeof(double) * (double)data->rows;
    iterates = 2.0 * (double)sizeof(double) * (double)(data->rows + data->columns);
    print_row(argv[1], "loading", data, labels, status_bytes("VmHWM:") - before);
    train(data);
    print_row(argv[1], "training", data, labels + iterates,
              status_bytes("VmHWM:") - before);
    sdca_dataset_free(data);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
