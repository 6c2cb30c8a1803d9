/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse_text.c - speed of the text parser, compared with a simple loop of getline(),
 * strtol() and strtod().
 *
 * Both readers must produce the same rows, bit for bit. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse_number.h"
#include "bench.h"
#include "io/input_stream.h"
#include "io/svmlight.h"

/* The rows read. Hashing every number takes time, so timed runs only count. */
typedef struct tally {
    bool     hashes;
    int64_t  rows, entries;
    uint64_t hash;
} tally;

static void mix(tally *t, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    t->hash = (t->hash ^ bits ^ (t->hash >> 29)) * 0x9e3779b97f4a7c15U;
}

static void count_row(tally *t, double label, int64_t count, const int32_t *column,
                      const double *value)
{
    t->rows++;
    t->entries += count;
    if (!t->hashes) {
        return;
    }
    mix(t, label);
    for (int64_t k = 0; k < count; k++) {
        mix(t, column[k]);
        mix(t, value[k]);
    }
}

static sdca_status take(void *context, const sdca_svmlight_row *row)
{
    count_row(context, row->label, row->count, row->column, row->value);
    return SDCA_OK;
}

/* sdca's parser. Returns the bytes read. */
static double parse_ours(const char *path, tally *t)
{
    sdca_status        status = SDCA_OK;
    sdca_input_stream *source = NULL;
    sdca_svmlight     *parser = NULL;
    const char        *block  = NULL;
    size_t             length = 0;
    double             bytes  = 0.0;

    SDCA_TRY(sdca_input_stream_open(path, &source));
    SDCA_TRY(sdca_svmlight_create(path, 1, take, t, &parser));
    do {
        SDCA_TRY(sdca_input_stream_read(source, &block, &length));
        SDCA_TRY(sdca_svmlight_feed(parser, block, length));
        bytes += (double)length;
    } while (length > 0);
    SDCA_TRY(sdca_svmlight_finish(parser));

done:
    sdca_svmlight_free(parser);
    sdca_input_stream_close(source);
    bench_check(status);
    return bytes;
}

/* The simple loop, for well-formed files without comments. */
static double parse_usual(const char *path, tally *t)
{
    FILE    *file   = fopen(path, "r");
    char    *line   = NULL;
    size_t   room   = 0;
    size_t   most   = 1 << 20;
    int32_t *column = malloc(most * sizeof *column);
    double  *value  = malloc(most * sizeof *value);
    double   bytes  = 0.0;
    ssize_t  length;

    if (file == NULL || column == NULL || value == NULL) {
        perror(path);
        exit(1);
    }
    while ((length = getline(&line, &room, file)) > 0) {
        char   *p     = line;
        double  label = strtod(p, &p);
        int64_t count = 0;

        for (;;) {
            char *after;
            long  index = strtol(p, &after, 10);

            if (after == p || *after != ':' || (size_t)count == most) {
                break;
            }
            column[count] = (int32_t)(index - 1);
            value[count]  = strtod(after + 1, &p);
            count += value[count] != 0.0;
        }
        count_row(t, label, count, column, value);
        bytes += (double)length;
    }
    free(line);
    free(column);
    free(value);
    fclose(file);
    return bytes;
}

/* Median MB/s. */
static double measure(double (*parse)(const char *, tally *), const char *path, int turns)
{
    double seconds[BENCH_MOST_TURNS], bytes = 0.0, spent = 0.0;
    int    done = 0;

    while (bench_again(done, turns, spent)) {
        tally  t     = { .hashes = false };
        double start = bench_now();

        bytes         = parse(path, &t);
        seconds[done] = bench_now() - start;
        spent += seconds[done++];
    }
    return 1e-6 * bytes / bench_median(seconds, done);
}

static void compare(const char *path, int turns)
{
    tally  ours  = { .hashes = true };
    tally  usual = { .hashes = true };
    double bytes = parse_ours(path, &ours);
    double speed, usual_speed;

    parse_usual(path, &usual);
    if (ours.rows != usual.rows || ours.entries != usual.entries ||
        ours.hash != usual.hash) {
        fprintf(stderr, "bench: the two readers of '%s' differ\n", path);
        exit(EXIT_FAILURE);
    }
    speed       = measure(parse_ours, path, turns);
    usual_speed = measure(parse_usual, path, turns);
    printf("| %s | %.1f | %" PRId64 " | %" PRId64 " | %.0f | %.0f | %.2f |\n",
           bench_name(path), 1e-6 * bytes, ours.rows, ours.entries, speed, usual_speed,
           speed / usual_speed);
}

int main(int argc, char **argv)
{
    double turns = 3.0;

    printf("| text | MB | rows | non-zeros | sdca MB/s | strtod MB/s | ratio |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int k = 1; k < argc; k++) {
        if (!bench_option(argc, argv, &k, "--turns", &turns)) {
            compare(argv[k], turns < BENCH_MOST_TURNS ? (int)turns : BENCH_MOST_TURNS);
        }
    }
    return EXIT_SUCCESS;
}
