/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse.c - how fast text is parsed, beside the loop that one would write with
 * getline(), strtol() and strtod().
 *
 * Both readers must hand over the same rows, bit for bit. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sdca/number.h"
#include "sdca/source.h"
#include "sdca/svmlight.h"

enum { RUNS = 5 };

/* What was read. Hashing every number costs time of its own, so that timed runs
 * only count. */
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

static sdca_status take(void *context, const sdca_text_row *row)
{
    count_row(context, row->label, row->count, row->column, row->value);
    return SDCA_OK;
}

/* Our way. Returns the bytes read. */
static double parse_ours(const char *path, tally *t)
{
    sdca_status    status = SDCA_OK;
    sdca_source   *source = NULL;
    sdca_svmlight *parser = NULL;
    const char    *block  = NULL;
    size_t         length = 0;
    double         bytes  = 0.0;

    SDCA_TRY(sdca_source_open(path, &source));
    SDCA_TRY(sdca_svmlight_create(path, take, t, &parser));
    do {
        SDCA_TRY(sdca_source_read(source, &block, &length));
        SDCA_TRY(sdca_svmlight_feed(parser, block, length));
        bytes += (double)length;
    } while (length > 0);
    SDCA_TRY(sdca_svmlight_finish(parser));

done:
    sdca_svmlight_free(parser);
    sdca_source_close(source);
    if (status != SDCA_OK) {
        fprintf(stderr, "parse: %s\n", sdca_status_why());
        exit(sdca_status_exit(status));
    }
    return bytes;
}

/* The usual way, for well-formed files without comments. */
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

/* Processor time: others may be at work on the same machine. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of a few runs, in MB/s. */
static double measure(double (*parse)(const char *, tally *), const char *path)
{
    double best = 0.0;

    for (int run = 0; run < RUNS; run++) {
        tally  t     = { .hashes = false };
        double start = now();
        double bytes = parse(path, &t);
        double speed = 1e-6 * bytes / (now() - start);

        best = speed > best ? speed : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    tally  ours  = { .hashes = true };
    tally  usual = { .hashes = true };
    double speed, usual_speed;

    if (argc != 2) {
        fprintf(stderr, "usage: parse FILE (plain LIBSVM text)\n");
        return 64;
    }
    parse_ours(argv[1], &ours);
    parse_usual(argv[1], &usual);
    if (ours.rows != usual.rows || ours.entries != usual.entries ||
        ours.hash != usual.hash) {
        fprintf(stderr, "parse: the two readers of '%s' differ\n", argv[1]);
        return 1;
    }
    speed       = measure(parse_ours, argv[1]);
    usual_speed = measure(parse_usual, argv[1]);
    printf("%s: %" PRId64 " rows, %" PRId64 " entries, the same from both readers\n",
           argv[1], ours.rows, ours.entries);
    printf("sdca %.0f MB/s, strtol and strtod %.0f MB/s: %.1f times as fast\n", speed,
           usual_speed, speed / usual_speed);
    return 0;
}
