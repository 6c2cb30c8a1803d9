/* SPDX-License-Identifier: BSD-3-Clause
 *
 * closest_word.h - the valid word that a misspelt one most resembles. */
#ifndef SDCA_CLI_OPTIONS_CLOSEST_WORD_H
#define SDCA_CLI_OPTIONS_CLOSEST_WORD_H

#include <stddef.h>

enum { CLOSEST_WORD_MAX = 48 }; /* words of this length or more match nothing */

/* The best candidate so far. */
typedef struct closest_word {
    const char *word;
    const char *best;     /* NULL: no candidate is close */
    int         length;   /* of best, which need not end there */
    size_t      distance; /* of best, or the smallest one that is too large */
} closest_word;

/* Start a search; word is kept. Local. */
closest_word closest_word_begin(const char *word);

/* Compare with candidate[0 .. length - 1], which is kept if it is the best. Local. */
void closest_word_consider(closest_word *search, const char *candidate, size_t length);

/* The one of count words that is closest to word, or NULL if none is close. Local. */
const char *closest_word_find(const char *word, const char *const *words, int count);

#endif
