/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pass_cost.c - cost of a pass over the rows per non-zero, compared with memory
 * bandwidth.
 *
 * Every pass visits all rows, without shrinking, and without evaluations in between. A
 * visit is a dot product and, for a non-zero step, an addition to w. A non-zero takes 6
 * or 8 bytes, so streaming that many bytes is a lower bound unless the rows fit into a
 * cache. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "train/trainer.h"

typedef struct entrant {
    const char *loss;
    double      parameter;
} entrant;

/* The first is the reference of the others. */
static const entrant entrants[] = {
    { "hinge", 0.0 },
    { "smooth-hinge", 1.0 },
    { "squared-hinge", 0.0 },
    { "logistic", 0.0 },
};

enum {
    ENTRANTS = sizeof entrants / sizeof entrants[0],
    PASSES   = 10,
    ROUNDS   = 7 /* of streaming */
};

static const double lambda = 1e-5;

/* Bytes per second when summing a buffer much larger than the caches. */
static double stream(double megabytes)
{
    size_t            words = (size_t)(megabytes * 1e6 / sizeof(uint64_t));
    uint64_t         *x     = bench_room(words, sizeof *x);
    double            seconds[ROUNDS];
    volatile uint64_t sink = 0; /* keeps the sums from being optimized away */

    memset(x, 1, words * sizeof *x);
    for (int round = 0; round < ROUNDS; round++) {
        double   start = bench_now();
        uint64_t sum   = 0;

        for (size_t k = 0; k < words; k++) {
            sum += x[k];
        }
        sink           = sink + sum;
        seconds[round] = bench_now() - start;
    }
    free(x);
    return (double)(words * sizeof *x) / bench_median(seconds, ROUNDS);
}

/* Seconds of PASSES passes from w = 0. The library measures wall-clock time; the CPU
 * share is known for the whole run only. With output of a random iterate there is no
 * shrinking; order and steps are unchanged. */
static double walk(const sdca_objective *objective, const sdca_dataset *data)
{
    sdca_train_options   options = { .output              = SDCA_OUTPUT_RANDOM,
                                     .epochs              = PASSES,
                                     .evaluation_interval = 2.0 * PASSES };
    sdca_train_callbacks nobody  = { .context = NULL };
    sdca_iterate         iterate;
    sdca_train_result    result;
    double               now, wall;

    memset(&result, 0, sizeof result);
    bench_check(sdca_iterate_create(MPI_COMM_SELF, objective, data, &iterate));
    now  = bench_now();
    wall = bench_wall();
    bench_check(sdca_trainer_run(&(sdca_train_setup){ .comm      = MPI_COMM_SELF,
                                                      .data      = data,
                                                      .options   = &options,
                                                      .callbacks = &nobody },
                                 objective, NULL, &iterate, &result));
    now  = bench_now() - now;
    wall = bench_wall() - wall;
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    return result.times.local * now / wall;
}

/* Bytes of all entries, including zeros in dense rows. */
static double bytes_of(const sdca_rows *x)
{
    size_t entry = x->sparse16 != NULL   ? sizeof *x->sparse16
                   : x->sparse32 != NULL ? sizeof *x->sparse32
                   : x->sparse64 != NULL ? sizeof *x->sparse64
                   : x->dense32 != NULL  ? sizeof *x->dense32
                                         : sizeof *x->dense64;

    return (double)entry * (double)x->row[x->count].start;
}

/* Losses alternate. */
static void measure(const char *path, double speed, int turns)
{
    sdca_dataset *data  = bench_read(path, true);
    double        bytes = bytes_of(&data->x);
    double        limit = 1e9 * bytes / (double)data->nonzeros / speed;
    double        seconds[ENTRANTS][BENCH_MOST_TURNS], median[ENTRANTS];
    double        spent = 0.0;
    int           done  = 0;

    for (; bench_again(done, turns, spent); done++) {
        for (int e = 0; e < ENTRANTS; e++) {
            sdca_objective objective = sdca_objective_with_lambda(
                sdca_loss_find(entrants[e].loss), entrants[e].parameter, lambda,
                data->rows, data->total_weight);

            seconds[e][done] = walk(&objective, data);
            spent += seconds[e][done];
        }
    }
    for (int e = 0; e < ENTRANTS; e++) {
        double ns;

        median[e] = bench_median(seconds[e], done);
        ns        = 1e9 * median[e] / PASSES / (double)data->nonzeros;
        printf("| %s | %s | %.1f | %.3f | %.3f | %.2f | %.2f |\n", bench_name(path),
               entrants[e].loss, 1e-6 * bytes, ns, limit, ns / limit,
               median[e] / median[0]);
    }
    sdca_dataset_free(data);
}

int main(int argc, char **argv)
{
    double turns = 3.0, megabytes = 512.0, speed = 0.0;

    MPI_Init(&argc, &argv);
    for (int k = 1; k < argc; k++) {
        if (bench_option(argc, argv, &k, "--turns", &turns) ||
            bench_option(argc, argv, &k, "--stream", &megabytes)) {
            continue;
        }
        if (speed <= 0.0) {
            speed = stream(megabytes);
            printf(
                "Streaming %.0f MB: %.2f GB/s. %d passes, lambda %g.\n\n"
                "| data | loss | MB of rows | ns per non-zero and pass | streaming ns | "
                "times the streaming limit | pass relative to hinge |\n"
                "|---|---|---|---|---|---|---|\n",
                megabytes, 1e-9 * speed, PASSES, lambda);
        }
        measure(argv[k], speed, (int)fmin(turns, BENCH_MOST_TURNS));
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
