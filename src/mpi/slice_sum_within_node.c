/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice_sum_within_node.c - sums of the changes that the ranks of a node made in an
 * owner's slice of w, and the new w: loops over all lines or over those that are touched.
 */
#include "mpi/slice_sum_within_node.h"

#include <string.h>

#include "base/compiler.h"
#include "base/tuning.h"

enum {
    LINE       = SDCA_LINE,
    MAX_LANES  = SDCA_VECTOR_ALLREDUCE_MAX_LANES,
    WORD       = sizeof(uint64_t), /* marks that are looked at together */
    DENSE_STEP = 512,              /* elements that stay in the cache */
    BLOCK      = TUNING_LINE_BLOCK
};
_Static_assert(LINE % MAX_LANES == 0, "a line has whole columns");
_Static_assert(SDCA_CHUNK_LINES % WORD == 0, "a chunk has whole words of marks");

/* Norms by the place of an element in its line, which determines its lane. */
typedef struct place_norms {
    double w2[LINE], wdw[LINE], dw2[LINE], own2[LINE];
} place_norms;

static void add_places(const place_norms *places, int lanes, sdca_update_norms *norms)
{
    for (int j = 0; j < LINE; j++) {
        sdca_update_norms *lane = &norms[j % lanes];

        lane->w_norm2 += places->w2[j];
        lane->w_dot_dw += places->wdw[j];
        lane->dw_norm2 += places->dw2[j];
        lane->local_norm2 += places->own2[j];
    }
}

SDCA_INLINE uint64_t read_word(const uint8_t *marks)
{
    uint64_t word;

    memcpy(&word, marks, sizeof word);
    return word;
}

/* The marks of all ranks in a word of lines or chunks. */
SDCA_INLINE uint64_t any_line(const sdca_vector_allreduce *allreduce, int64_t at)
{
    uint64_t word = 0;

    for (int k = 0; k < allreduce->node_ranks; k++) {
        word |= read_word(allreduce->rank_marks[k].line + at);
    }
    return word;
}

static bool any_chunk(const sdca_vector_allreduce *allreduce, int64_t at)
{
    uint8_t mark = 0;

    for (int k = 0; k < allreduce->node_ranks; k++) {
        mark |= allreduce->rank_marks[k].chunk[at];
    }
    return mark != 0;
}

/* Whether a word of chunks from this one on is not marked; no, if it is not whole. */
static bool word_is_clear(const sdca_vector_allreduce *allreduce, int64_t at, int64_t end)
{
    uint64_t word = at + WORD > end;

    for (int k = 0; word == 0 && k < allreduce->node_ranks; k++) {
        word = read_word(allreduce->rank_marks[k].chunk + at);
    }
    return word == 0;
}

/* List what is touched in a chunk, and clear its marks. */
static void list_chunk(sdca_vector_allreduce *allreduce, int64_t chunk)
{
    int64_t first = chunk * SDCA_CHUNK_LINES, end = first + SDCA_CHUNK_LINES;
    int64_t count = allreduce->touched;

    for (int64_t at = first; at < end; at += WORD) {
        uint64_t word = any_line(allreduce, at);

        for (int j = 0; word != 0 && j < WORD; j++) {
            uint8_t mark;

            memcpy(&mark, (const char *)&word + j, sizeof mark);
            allreduce->line[count] = (uint32_t)(at + j - allreduce->slice.first);
            count += mark != 0;
        }
    }
    allreduce->touched = count;
    for (int k = 0; k < allreduce->node_ranks; k++) {
        memset(allreduce->rank_marks[k].line + first, 0, SDCA_CHUNK_LINES);
        allreduce->rank_marks[k].chunk[chunk] = 0;
    }
}

void sdca_slice_sum_within_node_list(sdca_vector_allreduce *allreduce)
{
    sdca_range slice = allreduce->slice;
    int64_t end = (slice.first + slice.count + SDCA_CHUNK_LINES - 1) / SDCA_CHUNK_LINES;
    bool    all_mark = true, any_marks = false;

    for (int k = 0; k < allreduce->node_ranks; k++) {
        bool marked = allreduce->rank_area[k]->marked != 0;

        all_mark  = all_mark && marked;
        any_marks = any_marks || marked;
    }
    allreduce->touched = 0;
    for (int64_t chunk = slice.first / SDCA_CHUNK_LINES; any_marks && chunk < end;) {
        if (word_is_clear(allreduce, chunk, end)) {
            chunk += WORD;
            continue;
        }
        if (any_chunk(allreduce, chunk)) {
            list_chunk(allreduce, chunk);
        }
        chunk++;
    }
    allreduce->sparse = all_mark && (double)allreduce->touched <=
                                        tuning_touched_max_fraction * (double)slice.count;
}

/* sum = (u - w) + (v - w), the changes of two ranks. */
static sdca_update_norms sum_two_updates(const double *restrict u,
                                         const double *restrict v,
                                         const double *restrict w, int64_t count,
                                         double *restrict sum)
{
    double w2 = 0.0, wdw = 0.0, dw2 = 0.0, own2 = 0.0;

#pragma omp simd reduction(+ : w2, wdw, dw2, own2)
    for (int64_t j = 0; j < count; j++) {
        double first_update = u[j] - w[j], second_update = v[j] - w[j],
               update = first_update + second_update;

        sum[j] = update;
        w2 += w[j] * w[j];
        wdw += w[j] * update;
        dw2 += update * update;
        own2 += first_update * first_update + second_update * second_update;
    }
    return (sdca_update_norms){ w2, wdw, dw2, own2 };
}

/* sum += u - w, the change of one more rank; returns |u - w|^2. */
static double add_update(const double *restrict u, const double *restrict w,
                         int64_t count, double *restrict sum)
{
    double norm2 = 0.0;

#pragma omp simd reduction(+ : norm2)
    for (int64_t j = 0; j < count; j++) {
        double change = u[j] - w[j];

        sum[j] += change;
        norm2 += change * change;
    }
    return norm2;
}

static double dot(const double *restrict x, const double *restrict y, int64_t count)
{
    double sum = 0.0;

#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < count; j++) {
        sum += x[j] * y[j];
    }
    return sum;
}

/* Sum the changes of all ranks of the node in some elements of a single lane: at the
 * place in all copies and in the slice. A single rank counts as two of which one changes
 * nothing. */
static void sum_elements(const sdca_vector_allreduce *allreduce, int64_t place,
                         int64_t at, int64_t count, sdca_update_norms *total)
{
    double *const    *part   = allreduce->rank_copy;
    const double     *base   = allreduce->base + at;
    const double     *second = allreduce->node_ranks > 1 ? part[1] + place : base;
    double           *sum    = allreduce->sum + at;
    sdca_update_norms norms  = sum_two_updates(part[0] + place, second, base, count, sum);

    for (int k = 2; k < allreduce->node_ranks; k++) {
        norms.local_norm2 += add_update(part[k] + place, base, count, sum);
    }
    if (allreduce->node_ranks > 2) {
        norms.w_dot_dw = dot(base, sum, count);
        norms.dw_norm2 = dot(sum, sum, count);
    }
    total->w_norm2 += norms.w_norm2;
    total->w_dot_dw += norms.w_dot_dw;
    total->dw_norm2 += norms.dw_norm2;
    total->local_norm2 += norms.local_norm2;
}

/* The same in whole lines of any lanes, with norms by place: of two ranks, ... */
static void sum_two_lines(const double *restrict u, const double *restrict v,
                          const double *restrict w, int64_t count, double *restrict sum,
                          place_norms *restrict norms)
{
    for (int64_t i = 0; i < count; i += LINE) {
        for (int j = 0; j < LINE; j++) {
            double first_update  = u[i + j] - w[i + j];
            double second_update = v[i + j] - w[i + j];

            sum[i + j] = first_update + second_update;
            norms->own2[j] += first_update * first_update + second_update * second_update;
        }
    }
}

/* ... of one more rank, ... */
static void add_lines(const double *restrict u, const double *restrict w, int64_t count,
                      double *restrict sum, place_norms *restrict norms)
{
    for (int64_t i = 0; i < count; i += LINE) {
        for (int j = 0; j < LINE; j++) {
            double change = u[i + j] - w[i + j];

            sum[i + j] += change;
            norms->own2[j] += change * change;
        }
    }
}

/* ... and the norms of w and of the sum. */
static void add_norms(const double *restrict w, const double *restrict sum, int64_t count,
                      place_norms *restrict norms)
{
    for (int64_t i = 0; i < count; i += LINE) {
        for (int j = 0; j < LINE; j++) {
            norms->w2[j] += w[i + j] * w[i + j];
            norms->wdw[j] += w[i + j] * sum[i + j];
            norms->dw2[j] += sum[i + j] * sum[i + j];
        }
    }
}

/* A block of the list of touched lines, and how many of the next block follow it. */
typedef struct line_block {
    const uint32_t *line;
    int64_t         count;
    int64_t         ahead;
} line_block;

static line_block block_at(const sdca_vector_allreduce *allreduce, int64_t k)
{
    int64_t left  = allreduce->touched - k;
    int64_t count = left < BLOCK ? left : BLOCK;

    left -= count;
    return (line_block){ allreduce->line + k, count, left < BLOCK ? left : BLOCK };
}

/* Copy the lines of a block into a buffer, and prefetch those of the next block. */
SDCA_INLINE void gather(const double *restrict from, line_block block,
                        double *restrict to)
{
    for (int64_t k = 0; k < block.count; k++) {
        const double *place = from + (int64_t)block.line[k] * LINE;

        if (k < block.ahead) {
            SDCA_PREFETCH(from + (int64_t)block.line[block.count + k] * LINE);
        }
        for (int j = 0; j < LINE; j++) {
            to[k * LINE + j] = place[j];
        }
    }
}

/* The same from a buffer. */
SDCA_INLINE void scatter(const double *restrict from, line_block block,
                         double *restrict to)
{
    for (int64_t k = 0; k < block.count; k++) {
        double *place = to + (int64_t)block.line[k] * LINE;

        if (k < block.ahead) {
            SDCA_PREFETCH(to + (int64_t)block.line[block.count + k] * LINE);
        }
        for (int j = 0; j < LINE; j++) {
            place[j] = from[k * LINE + j];
        }
    }
}

/* The sums of listed lines lie one after another; with several nodes they lie in their
 * places, where those of other nodes are added. */
static bool sum_is_packed(const sdca_vector_allreduce *allreduce)
{
    return allreduce->nodes == 1;
}

/* Sum the changes in the touched lines of my slice. */
static void sum_listed(const sdca_vector_allreduce *allreduce, place_norms *places)
{
    int64_t first = allreduce->slice.first * LINE;
    double  w[BLOCK * LINE], u[BLOCK * LINE], v[BLOCK * LINE], total[BLOCK * LINE];

    for (int64_t k = 0; k < allreduce->touched; k += BLOCK) {
        line_block block  = block_at(allreduce, k);
        int64_t    count  = block.count * LINE;
        bool       packed = sum_is_packed(allreduce);
        double    *sum    = packed ? allreduce->sum + k * LINE : total;

        gather(allreduce->base, block, w);
        gather(allreduce->rank_copy[0] + first, block, u);
        if (allreduce->node_ranks > 1) {
            gather(allreduce->rank_copy[1] + first, block, v);
        }
        sum_two_lines(u, allreduce->node_ranks > 1 ? v : w, w, count, sum, places);
        for (int r = 2; r < allreduce->node_ranks; r++) {
            gather(allreduce->rank_copy[r] + first, block, u);
            add_lines(u, w, count, sum, places);
        }
        add_norms(w, sum, count, places);
        if (!packed) {
            scatter(total, block, allreduce->sum);
        }
    }
}

/* Sum the changes in all lines of my slice, of any lanes. */
static void sum_all(const sdca_vector_allreduce *allreduce, place_norms *places)
{
    double *const *part  = allreduce->rank_copy;
    int64_t        first = allreduce->slice.first * LINE;
    int64_t        end   = allreduce->slice.count * LINE;

    for (int64_t at = 0; at < end; at += DENSE_STEP) {
        int64_t       count  = end - at < DENSE_STEP ? end - at : DENSE_STEP;
        const double *base   = allreduce->base + at;
        const double *second = allreduce->node_ranks > 1 ? part[1] + first + at : base;
        double       *sum    = allreduce->sum + at;

        sum_two_lines(part[0] + first + at, second, base, count, sum, places);
        for (int r = 2; r < allreduce->node_ranks; r++) {
            add_lines(part[r] + first + at, base, count, sum, places);
        }
        add_norms(base, sum, count, places);
    }
}

void sdca_slice_sum_within_node_changes(sdca_vector_allreduce *allreduce,
                                        sdca_update_norms     *norms)
{
    int64_t     first  = allreduce->slice.first * LINE;
    int64_t     end    = allreduce->slice.count * LINE;
    place_norms places = { .w2 = { 0.0 } };

    memset(norms, 0, (size_t)allreduce->lanes * sizeof *norms);
    if (!allreduce->sparse && allreduce->lanes == 1) {
        for (int64_t at = 0; at < end; at += DENSE_STEP) {
            sum_elements(allreduce, first + at, at,
                         end - at < DENSE_STEP ? end - at : DENSE_STEP, norms);
        }
        return;
    }
    if (allreduce->sparse) {
        sum_listed(allreduce, &places);
    } else {
        sum_all(allreduce, &places);
    }
    add_places(&places, allreduce->lanes, norms);
}

void sdca_slice_sum_within_node_norms(const sdca_vector_allreduce *allreduce,
                                      const uint32_t *line, int64_t count,
                                      sdca_update_norms *norms)
{
    place_norms places = { .w2 = { 0.0 } };

    memset(norms, 0, (size_t)allreduce->lanes * sizeof *norms);
    for (int64_t k = 0; k < count; k++) {
        int64_t at = (line != NULL ? (int64_t)line[k] : k) * LINE;

        add_norms(allreduce->base + at, allreduce->sum + at, LINE, &places);
    }
    add_places(&places, allreduce->lanes, norms);
}

/* w += factor sum in some whole lines. */
static void add_scaled(const double factor[restrict LINE], const double *restrict sum,
                       int64_t      count, double *restrict w)
{
    for (int64_t i = 0; i < count; i += LINE) {
        for (int j = 0; j < LINE; j++) {
            w[i + j] += factor[j] * sum[i + j];
        }
    }
}

/* base += factor sum, and into all copies, in some consecutive lines. */
static void apply_lines(const sdca_vector_allreduce *allreduce, const double factor[LINE],
                        int64_t at, int64_t count)
{
    int64_t place = allreduce->slice.first * LINE + at;
    double *base  = allreduce->base + at;

    add_scaled(factor, allreduce->sum + at, count, base);
    for (int k = 0; k < allreduce->node_ranks; k++) {
        memcpy(allreduce->rank_copy[k] + place, base, (size_t)count * sizeof *base);
    }
}

/* The same in the touched lines of my slice. */
static void apply_listed(const sdca_vector_allreduce *allreduce,
                         const double                 factor[LINE])
{
    int64_t first = allreduce->slice.first * LINE;
    double  w[BLOCK * LINE], total[BLOCK * LINE];

    for (int64_t k = 0; k < allreduce->touched; k += BLOCK) {
        line_block block  = block_at(allreduce, k);
        bool       packed = sum_is_packed(allreduce);

        gather(allreduce->base, block, w);
        if (!packed) {
            gather(allreduce->sum, block, total);
        }
        add_scaled(factor, packed ? allreduce->sum + k * LINE : total, block.count * LINE,
                   w);
        scatter(w, block, allreduce->base);
        for (int r = 0; r < allreduce->node_ranks; r++) {
            scatter(w, block, allreduce->rank_copy[r] + first);
        }
    }
}

void sdca_slice_sum_within_node_apply(sdca_vector_allreduce *allreduce,
                                      const double          *factor)
{
    int64_t end = allreduce->slice.count * LINE;
    double  by_place[LINE];

    for (int j = 0; j < LINE; j++) {
        by_place[j] = factor[j % allreduce->lanes];
    }
    if (allreduce->sparse) {
        apply_listed(allreduce, by_place);
        return;
    }
    for (int64_t at = 0; at < end; at += DENSE_STEP) {
        apply_lines(allreduce, by_place, at,
                    end - at < DENSE_STEP ? end - at : DENSE_STEP);
    }
}
