/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_to_objective.c - training time on one core until P reaches that of given weights.
 *
 * For peers in other languages: they write their weights to a file of doubles and
 * read one line: their P, our seconds, our P and our epochs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "time_to_objective.h"

static double *read_weights(const char *path, int32_t columns)
{
    double *w    = bench_room((size_t)columns, sizeof *w);
    FILE   *file = fopen(path, "rb");

    if (file == NULL || fread(w, sizeof *w, (size_t)columns, file) != (size_t)columns) {
        fprintf(stderr, "bench: '%s' does not hold %ld weights\n", path, (long)columns);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return w;
}

static void race(const sdca_objective *objective, const sdca_dataset *data, double primal,
                 double limit, int turns)
{
    bench_walk walk = bench_walk_begin(objective, data);
    double     gap  = bench_gap_for(&walk, primal, limit);
    double     seconds[BENCH_MOST_TURNS], spent = 0.0;
    bench_run  run  = { NAN, NAN, NAN, NAN };
    int        done = 0;

    while (gap > 0.0 && bench_again(done, turns, spent)) {
        if (bench_turn(&walk, primal, limit, &gap, &run)) {
            seconds[done] = run.seconds;
            spent += seconds[done++];
        } else {
            spent = 0.0;
            done  = 0;
        }
    }
    printf("%.9g %.6f %.9g %.1f\n", primal, done > 0 ? bench_median(seconds, done) : NAN,
           run.primal, run.epochs);
    bench_walk_free(&walk);
}

int main(int argc, char **argv)
{
    double           lambda, limit, turns;
    const sdca_loss *loss;
    sdca_dataset    *data;
    sdca_objective   objective;
    double          *w;

    if (argc != 7 || (loss = sdca_loss_find(argv[2])) == NULL) {
        fprintf(stderr, "usage: primal FILE.h5 LOSS LAMBDA WEIGHTS LIMIT TURNS\n");
        return 64;
    }
    lambda = strtod(argv[3], NULL);
    limit  = strtod(argv[5], NULL);
    turns  = fmin(strtod(argv[6], NULL), BENCH_MOST_TURNS);
    MPI_Init(&argc, &argv);
    data = bench_read(argv[1], true);
    w    = read_weights(argv[4], data->columns);
    objective =
        sdca_objective_with_lambda(loss, 0.0, lambda, data->rows, data->total_weight);
    race(&objective, data, bench_primal(&objective, data, w), limit, (int)turns);
    free(w);
    sdca_dataset_free(data);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
