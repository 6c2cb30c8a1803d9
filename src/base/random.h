/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random.h - random numbers that are a function of a key and a counter.
 *
 * A stream is identified by a seed, a kind and two more numbers, e.g. the epoch and the
 * rank; its k-th number depends on nothing else. There is no hidden state to save in a
 * checkpoint, and the numbers are the same on every machine. */
#ifndef SDCA_BASE_RANDOM_H
#define SDCA_BASE_RANDOM_H

#include <stdint.h>

/* What a stream is used for: streams of different kinds are independent. */
typedef enum sdca_stream_kind {
    SDCA_STREAM_ROW_ORDER,
    SDCA_STREAM_SYNTHETIC,
    SDCA_STREAM_TEST,
    SDCA_STREAM_OUTPUT_ITERATE,
    SDCA_STREAM_ROW_SHUFFLE,
    SDCA_STREAM_SUBSAMPLE,
    SDCA_STREAM_FOLD
} sdca_stream_kind;

typedef struct sdca_random {
    uint64_t key;
    uint64_t counter;
} sdca_random;

/* The stream with this identity, at its beginning. Local. */
sdca_random sdca_random_stream(uint64_t seed, sdca_stream_kind kind, uint64_t a,
                               uint64_t b);

/* The next 64 random bits. Local. */
uint64_t sdca_random_bits(sdca_random *stream);

/* The next number, uniform on 0 .. bound - 1 without bias; bound > 0. Local. */
uint32_t sdca_random_below(sdca_random *stream, uint32_t bound);

/* The next number, uniform on the multiples of 2^-53 in [0, 1). Local. */
double sdca_random_uniform(sdca_random *stream);

/* Shuffle row[0] .. row[count - 1] uniformly. Local. */
void sdca_random_shuffle(sdca_random *stream, uint32_t *row, uint32_t count);

enum { SDCA_PERMUTATION_ROUNDS = 6 };

/* A permutation of 0 .. count - 1 that is computed, not stored. All zero: the identity.
 */
typedef struct sdca_permutation {
    uint32_t count;
    uint32_t half_bits, low_mask, high_mask; /* how a number is split into two halves */
    uint64_t key[SDCA_PERMUTATION_ROUNDS];
} sdca_permutation;

/* The permutation with this identity. Local. */
sdca_permutation sdca_permutation_create(uint64_t seed, sdca_stream_kind kind, uint64_t a,
                                         uint64_t b, uint32_t count);

/* The image of k < count, and the inverse. Local. */
uint32_t sdca_permutation_apply(const sdca_permutation *p, uint32_t k);
uint32_t sdca_permutation_invert(const sdca_permutation *p, uint32_t position);

#endif
