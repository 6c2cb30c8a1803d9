/* SPDX-License-Identifier: BSD-3-Clause
 *
 * closest_word.c - the valid word that a misspelt one most resembles. */
#include "cli/options/closest_word.h"

#include <string.h>

static size_t minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number of insertions, deletions, replacements and swaps of neighbouring letters
 * that turn a into b (optimal string alignment). */
static size_t edit_distance(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t cost[3][CLOSEST_WORD_MAX + 1];

    for (size_t j = 0; j <= columns; j++) {
        cost[0][j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        size_t *before_last = cost[(i + 1) % 3];
        size_t *last        = cost[(i + 2) % 3];
        size_t *here        = cost[i % 3];

        here[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            here[j] = minimum(last[j], here[j - 1]) + 1;
            here[j] = minimum(here[j], last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                here[j] = minimum(here[j], before_last[j - 2] + 1);
            }
        }
    }
    return cost[rows % 3][columns];
}

closest_word closest_word_begin(const char *word)
{
    return (closest_word){ .word = word, .distance = (strlen(word) + 2) / 3 + 1 };
}

void closest_word_consider(closest_word *search, const char *candidate, size_t length)
{
    size_t typed = strlen(search->word);
    size_t distance;

    if (typed >= CLOSEST_WORD_MAX || length >= CLOSEST_WORD_MAX) {
        return;
    }
    distance = edit_distance(search->word, typed, candidate, length);
    if (typed >= 2 && typed < length && memcmp(search->word, candidate, typed) == 0) {
        distance = 1; /* an abbreviation */
    }
    if (distance < search->distance) {
        search->best     = candidate;
        search->length   = (int)length;
        search->distance = distance;
    }
}

const char *closest_word_find(const char *word, const char *const *words, int count)
{
    closest_word search = closest_word_begin(word);

    for (int k = 0; k < count; k++) {
        closest_word_consider(&search, words[k], strlen(words[k]));
    }
    return search.best;
}
