/* SPDX-License-Identifier: BSD-3-Clause
 *
 * load_dataset.c - time to load a data file, compared with a plain read() of its
 * bytes.
 *
 * In both cases the file is in the page cache, and the result in newly allocated memory.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "data/dataset_reader.h"

/* Seconds to load it as in training. */
static double load(const char *path, int64_t *nonzeros)
{
    sdca_dataset_options how   = { .require_labels = true,
                                   .normalize      = true,
                                   .shuffle        = true };
    double               start = bench_now();
    double               spent;
    sdca_dataset        *data = NULL;

    bench_check(sdca_dataset_reader_read(MPI_COMM_SELF, path, &how, &data));
    spent     = bench_now() - start;
    *nonzeros = data->nonzeros;
    sdca_dataset_free(data);
    return spent;
}

/* Seconds to read all bytes. */
static double read_bytes(const char *path, double *bytes)
{
    double  start = bench_now();
    double  spent;
    int     file = open(path, O_RDONLY);
    off_t   size = file >= 0 ? lseek(file, 0, SEEK_END) : -1;
    char   *room = bench_room(size > 0 ? (size_t)size : 1, 1);
    size_t  have = 0;
    ssize_t came = size >= 0 ? lseek(file, 0, SEEK_SET) == 0 : -1;

    while (came > 0 && have < (size_t)size) {
        came = read(file, room + have, (size_t)size - have);
        have += came > 0 ? (size_t)came : 0;
    }
    spent = bench_now() - start;
    if (size < 0 || have < (size_t)size) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    close(file);
    free(room);
    *bytes = (double)size;
    return spent;
}

static void measure(const char *path, int turns)
{
    double  ours[BENCH_MOST_TURNS], plain[BENCH_MOST_TURNS], bytes = 0.0, spent = 0.0;
    double  mine, theirs;
    int64_t nonzeros;
    int     done = 0;

    load(path, &nonzeros); /* warm up the cache */
    for (; bench_again(done, turns, spent); done++) {
        plain[done] = read_bytes(path, &bytes);
        ours[done]  = load(path, &nonzeros);
        spent += plain[done] + ours[done];
    }
    mine   = bench_median(ours, done);
    theirs = bench_median(plain, done);
    printf("| %s | %.1f | %.4g | %.0f | %.4g | %.0f | %.2f |\n", bench_name(path),
           1e-6 * bytes, mine, 1e-6 * bytes / mine, theirs, 1e-6 * bytes / theirs,
           mine / theirs);
}

int main(int argc, char **argv)
{
    double turns = 3.0;

    MPI_Init(&argc, &argv);
    printf("| data | file MB | load s | its MB/s | read() s | MB/s | load / read() |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int k = 1; k < argc; k++) {
        if (!bench_option(argc, argv, &k, "--turns", &turns)) {
            measure(argv[k], (int)fmin(turns, BENCH_MOST_TURNS));
        }
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
