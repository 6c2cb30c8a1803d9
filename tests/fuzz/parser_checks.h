/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parser_checks.h - guarantees of every parser for any input. */
#ifndef SDCA_FUZZ_PARSER_CHECKS_H
#define SDCA_FUZZ_PARSER_CHECKS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/svmlight.h"

/* Initial value of the hash of a result (FNV-1a). */
static const uint64_t hash_of_nothing = 0xcbf29ce484222325U;

typedef sdca_status feeder(void *parser, const char *text, size_t size);

static void demand(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static void mix(uint64_t *hash, const void *x, size_t size)
{
    const unsigned char *byte = x;

    for (size_t k = 0; k < size; k++) {
        *hash = (*hash ^ byte[k]) * 0x100000001b3U;
    }
}

/* A row is finite, without zeros, with ascending columns. */
static void mix_row(uint64_t *hash, const sdca_svmlight_row *row)
{
    int32_t last = -1;

    demand(isfinite(row->label), "a label is not finite");
    mix(hash, &row->line, sizeof row->line);
    mix(hash, &row->label, sizeof row->label);
    for (int64_t k = 0; k < row->count; k++) {
        demand(row->column[k] > last, "columns do not ascend");
        demand(isfinite(row->value[k]) && row->value[k] != 0.0,
               "a value is 0 or not finite");
        last = row->column[k];
        mix(hash, &row->column[k], sizeof row->column[k]);
        mix(hash, &row->value[k], sizeof row->value[k]);
    }
}

/* Feed a text in pieces of this many bytes. Each piece has its own allocation, so that a
 * sanitizer sees any read beyond it. */
static sdca_status feed_pieces(feeder *feed, void *parser, const uint8_t *bytes,
                               size_t size, size_t piece)
{
    sdca_status status = SDCA_OK;

    for (size_t first = 0; first < size && status == SDCA_OK; first += piece) {
        size_t length = size - first < piece ? size - first : piece;
        char  *copy   = malloc(length);

        demand(copy != NULL, "no memory");
        memcpy(copy, bytes + first, length);
        status = feed(parser, copy, length);
        free(copy);
    }
    return status;
}

#endif
