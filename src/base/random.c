/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random.c - random numbers that are a function of a key and a counter.
 *
 * The generator is SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) read as a hash
 * of its counter: an odd constant times the counter, then a finaliser in which
 * every input bit reaches every output bit. */
#include "base/random.h"

static const uint64_t golden = 0x9e3779b97f4a7c15U; /* 2^64 / golden ratio, odd */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

sdca_random sdca_random_stream(uint64_t seed, sdca_stream_kind kind, uint64_t a,
                               uint64_t b)
{
    sdca_random stream = { 0, 0 };

    stream.key = mix(seed + golden);
    stream.key = mix(stream.key ^ ((uint64_t)kind + golden));
    stream.key = mix(stream.key + mix(a + 2 * golden));
    stream.key = mix(stream.key ^ mix(b + 3 * golden));
    return stream;
}

uint64_t sdca_random_bits(sdca_random *stream)
{
    return mix(stream->key + golden * ++stream->counter);
}

uint32_t sdca_random_below(sdca_random *stream, uint32_t bound)
{
    /* Lemire (2019): the high half of a 32 x 32 bit product, drawn again if the low half
     * is in the part that would make small results more likely. */
    uint64_t product = (sdca_random_bits(stream) >> 32) * bound;

    if ((uint32_t)product < bound) {
        uint32_t threshold = (uint32_t)(-bound) % bound;

        while ((uint32_t)product < threshold) {
            product = (sdca_random_bits(stream) >> 32) * bound;
        }
    }
    return (uint32_t)(product >> 32);
}

double sdca_random_uniform(sdca_random *stream)
{
    return (double)(sdca_random_bits(stream) >> 11) * 0x1p-53;
}

void sdca_random_shuffle(sdca_random *stream, uint32_t *row, uint32_t count)
{
    for (uint32_t last = count; last > 1; last--) {
        uint32_t other    = sdca_random_below(stream, last);
        uint32_t shuffled = row[other];

        row[other]    = row[last - 1];
        row[last - 1] = shuffled;
    }
}

sdca_permutation sdca_permutation_create(uint64_t seed, sdca_stream_kind kind, uint64_t a,
                                         uint64_t b, uint32_t count)
{
    sdca_random      stream = sdca_random_stream(seed, kind, a, b);
    sdca_permutation p      = { .count = count };
    uint32_t         bits   = 0;

    while (bits < 32 && (uint64_t)1 << bits < count) {
        bits++;
    }
    p.half_bits = bits / 2;
    p.low_mask  = ((uint32_t)1 << p.half_bits) - 1;
    p.high_mask = ((uint32_t)1 << (bits - p.half_bits)) - 1;
    for (int round = 0; round < SDCA_PERMUTATION_ROUNDS; round++) {
        p.key[round] = sdca_random_bits(&stream);
    }
    return p;
}

/* A round of a Feistel network XORs one half of the bits with a function of the other
 * half: it is its own inverse. */
static uint32_t feistel_round(const sdca_permutation *p, int round, uint32_t other)
{
    return (uint32_t)(((other ^ p->key[round]) * golden) >> 32);
}

/* Cycle walking: results that are not below count are permuted again. */
uint32_t sdca_permutation_apply(const sdca_permutation *p, uint32_t k)
{
    while (p->count > 0) {
        uint32_t high = k >> p->half_bits, low = k & p->low_mask;

        for (int round = 0; round < SDCA_PERMUTATION_ROUNDS; round += 2) {
            high ^= feistel_round(p, round, low) & p->high_mask;
            low ^= feistel_round(p, round + 1, high) & p->low_mask;
        }
        k = high << p->half_bits | low;
        if (k < p->count) {
            break;
        }
    }
    return k;
}

uint32_t sdca_permutation_invert(const sdca_permutation *p, uint32_t position)
{
    while (p->count > 0) {
        uint32_t high = position >> p->half_bits, low = position & p->low_mask;

        for (int round = SDCA_PERMUTATION_ROUNDS; round > 0; round -= 2) {
            low ^= feistel_round(p, round - 1, high) & p->low_mask;
            high ^= feistel_round(p, round - 2, low) & p->high_mask;
        }
        position = high << p->half_bits | low;
        if (position < p->count) {
            break;
        }
    }
    return position;
}
