/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text_mutation.h - main() of a fuzz target without libFuzzer: difficult texts, then
 * reproducible mutations of them. */
#ifndef SDCA_FUZZ_TEXT_MUTATION_H
#define SDCA_FUZZ_TEXT_MUTATION_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { MUTATIONS = 20000, ROOM = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Change, insert or remove one character; new ones are from the meaningful characters. */
static size_t mutate(sdca_random *stream, const char *meaningful, uint32_t letters,
                     uint8_t *text, size_t size)
{
    uint8_t  c     = (uint8_t)meaningful[sdca_random_below(stream, letters)];
    uint32_t place = sdca_random_below(stream, (uint32_t)size + 1);

    switch (sdca_random_below(stream, 3)) {
    case 0:
        if (place < size) {
            text[place] = c;
        }
        return size;
    case 1:
        if (place < size) {
            memmove(text + place, text + place + 1, size - place - 1);
            return size - 1;
        }
        return size;
    default:
        if (size < ROOM) {
            memmove(text + place + 1, text + place, size - place);
            text[place] = c;
            return size + 1;
        }
        return size;
    }
}

/* letters includes the final zero of meaningful, as a valid character. */
static void run_nasty(const char *const *nasty, uint32_t count, const char *meaningful,
                      uint32_t letters)
{
    sdca_random stream = sdca_random_stream(1, SDCA_STREAM_TEST, 0, 0);
    uint8_t     text[ROOM];

    for (uint32_t k = 0; k < count + MUTATIONS; k++) {
        const char *from = nasty[k < count ? k : sdca_random_below(&stream, count)];
        size_t      size = strlen(from);
        uint32_t    more = k < count ? 0 : 1 + sdca_random_below(&stream, 8);

        memcpy(text, from, size);
        while (more-- > 0) {
            size = mutate(&stream, meaningful, letters, text, size);
        }
        LLVMFuzzerTestOneInput(text, size);
    }
    printf("%u nasty texts and %d mutations: all as promised\n", (unsigned)count,
           MUTATIONS);
}

#endif
