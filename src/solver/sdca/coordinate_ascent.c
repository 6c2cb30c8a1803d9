/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coordinate_ascent.c - a rank's steps of dual coordinate ascent over its own rows.
 *
 * Within a round each rank ascends the dual of its own block of rows and does not see
 * the steps of the others. The factor sigma on the curvature allows for them (Ma et
 * al., ICML 2015). The loop is compiled once per loss, row format and variant, all of
 * which are constants inside it. */
#include "solver/sdca/coordinate_ascent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "objective/kernel_dispatch.h"
#include "solver/sdca/alpha_update_record.h"
#include "solver/sdca/lane_ascent.h"

/* Prefetch distances in steps: first the record of a row, then its entries, whose address
 * the record holds. */
enum {
    PREFETCH_ROW     = TUNING_PREFETCH_RECORD_ROWS,
    PREFETCH_ENTRIES = TUNING_PREFETCH_ENTRY_ROWS
};

sdca_status sdca_ascent_create(const sdca_dataset        *data,
                               const sdca_ascent_options *options, sdca_ascent *out)
{
    sdca_status status = SDCA_OK;
    int         lanes  = sdca_iterate_lanes(options->models);
    sdca_ascent ascent = { .models      = options->models,
                           .lanes       = lanes,
                           .cache_lines = sdca_rows_prefetch_lines(&data->x),
                           .single_rank = options->single_rank };
    size_t      rows   = (size_t)data->x.count + 1;

    if (!options->single_rank) {
        ascent.max_updates = lanes == 1 ? rows : rows * (size_t)lanes / 2 + 8;
        ascent.update      = sdca_alloc_array(ascent.max_updates, sizeof *ascent.update);
        ascent.last_round  = sdca_alloc_zeroed(rows, sizeof *ascent.last_round);
        if (ascent.update == NULL || ascent.last_round == NULL) {
            status = SDCA_FAIL(SDCA_MEMORY, "no memory for local steps on %lu rows",
                               (unsigned long)data->x.count);
            goto done;
        }
    }
    if (options->shrinking_fraction > 0.0 && data->x.count > 0) {
        SDCA_TRY(sdca_shrinking_create(data->x.count, lanes, options->shrinking_fraction,
                                       options->only_unmoved, &ascent.shrinking));
        sdca_shrinking_leave_out(&ascent.shrinking, data->weight);
    }
    SDCA_TRY(sdca_row_order_create(options->order, options->seed, options->rank,
                                   data->x.count, &ascent.order));
    if (lanes > 1) {
        SDCA_TRY(sdca_row_order_use_lanes(&ascent.order, (1U << options->models) - 1));
    }
    if (options->order == SDCA_ROW_ORDER_CYCLIC) {
        ascent.order.file_order = data->shuffle;
    }
    *out = ascent;

done:
    if (status != SDCA_OK) {
        sdca_ascent_free(&ascent);
    }
    return status;
}

void sdca_ascent_free(sdca_ascent *ascent)
{
    sdca_row_order_free(&ascent->order);
    sdca_shrinking_free(&ascent->shrinking);
    free(ascent->mean_projection);
    free(ascent->update);
    free(ascent->last_round);
    *ascent = (sdca_ascent){ 0 };
}

/* Variants of a step. SINGLE: on a single rank, it updates w. AVERAGED: it also updates
 * the average of the iterates. MULTI: with several ranks, it updates this rank's copy of
 * w and is recorded. SHRINKING: it also updates the shrinking state of the row; the rows
 * have no weights unless it is WEIGHTED. The other variants test for weights. */
enum {
    SINGLE,
    SINGLE_AVERAGED,
    MULTI,
    SINGLE_SHRINKING,
    MULTI_SHRINKING,
    SINGLE_SHRINKING_WEIGHTED,
    MULTI_SHRINKING_WEIGHTED,
    VARIANTS
};

/* define(id, format, variant) for each variant. */
#define FOR_VARIANTS(define, id, format)                               \
    define(id, format, SINGLE) define(id, format, SINGLE_AVERAGED)     \
        define(id, format, MULTI) define(id, format, SINGLE_SHRINKING) \
            define(id, format, MULTI_SHRINKING)                        \
                define(id, format, SINGLE_SHRINKING_WEIGHTED)          \
                    define(id, format, MULTI_SHRINKING_WEIGHTED)
#define COUNT_VARIANT(id, format, variant) +1
_Static_assert(FOR_VARIANTS(COUNT_VARIANT, , ) == VARIANTS,
               "FOR_VARIANTS() lists every variant");
#undef COUNT_VARIANT

typedef double step_function(double p, double a, double z, double q, double y,
                             step_precomputed precompute, step_result *result);

typedef step_precomputed precompute_function(double a, double q, double y);

/* The part of a step that does not depend on the margin. It is computed one step ahead,
 * so that it overlaps with the dot product of the step before. */
typedef struct row_precomputed {
    double           weight;
    double           mean_projection;
    double           q;
    step_precomputed precomputed;
} row_precomputed;

SDCA_INLINE row_precomputed precompute_row(precompute_function *precompute,
                                           const sdca_ascent   *ascent,
                                           const sdca_iterate  *iterate,
                                           const double *weights, uint32_t i,
                                           bool deflated, double scale, double mean_scale)
{
    const sdca_iterate_row *this_row = &iterate->row[i];
    double                  weight   = weights != NULL ? weights[i] : 1.0;
    double projection = deflated ? (double)ascent->mean_projection[i] : 0.0;
    double q          = row_curvature(scale, this_row->weighted_norm2);

    q = deflated ? q + mean_scale * weight * projection * projection : q;
    return (row_precomputed){ weight, projection, q,
                              precompute(this_row->alpha, q, this_row->y) };
}

SDCA_INLINE void prefetch_row(const sdca_ascent *ascent, const sdca_iterate *iterate,
                              const double *weights, uint32_t i, bool shrinks,
                              bool multi_rank)
{
    SDCA_PREFETCH(&iterate->row[i]);
    SDCA_PREFETCH(&iterate->row[i + 1]);
    if (weights != NULL) { /* a prefetch of NULL takes time, too */
        SDCA_PREFETCH(&weights[i]);
    }
    if (shrinks) {
        SDCA_PREFETCH(&ascent->shrinking.gap_term[i]);
    }
    if (multi_rank && !ascent->no_repeats) {
        SDCA_PREFETCH(&ascent->last_round[i]);
    }
    if (multi_rank && ascent->mean_projection != NULL) {
        SDCA_PREFETCH(&ascent->mean_projection[i]);
    }
}

/* With several ranks: record the alpha of a row before its first step of a round. */
SDCA_INLINE void record_update(sdca_ascent *ascent, uint32_t round,
                               sdca_row_update update, double weight,
                               const step_result *result, sdca_update_sums *sums)
{
    if (!ascent->no_repeats) {
        if (ascent->last_round[update.row] == round) {
            ascent->rows_distinct = false;
            return;
        }
        ascent->last_round[update.row] = round;
    }
    append_update(ascent, update, weight, result, sums);
}

/* One step for each of the given rows. sums is a local copy, as a variable without
 * aliases stays in registers. */
SDCA_INLINE void ascend(step_function *step, precompute_function *precompute,
                        row_format format, int variant, const sdca_objective *objective,
                        const sdca_dataset *data, sdca_iterate *iterate,
                        sdca_ascent *ascent, sdca_sigma sigma, const uint32_t *row,
                        uint32_t count)
{
    const bool multi_rank = variant == MULTI || variant == MULTI_SHRINKING ||
                            variant == MULTI_SHRINKING_WEIGHTED;
    const bool          shrinks = variant >= SINGLE_SHRINKING;
    const double *const weights =
        variant == SINGLE_SHRINKING || variant == MULTI_SHRINKING ? NULL
                                                                  : iterate->weight;
    const bool       deflated = multi_rank && ascent->mean_projection != NULL;
    const double     p        = objective->parameter;
    const double     scale = multi_rank ? sigma.orthogonal * objective->C : objective->C;
    const double     extra_sigma        = sigma.mean_direction - sigma.orthogonal;
    const double     mean_scale         = extra_sigma * objective->C;
    const sdca_rows *x                  = &data->x;
    double          *u                  = iterate->w; /* with several ranks, my copy */
    sdca_iterate_row *const        rows = iterate->row;
    const int                      cache_lines = ascent->cache_lines;
    const sdca_vector_marks *const marks =
        multi_rank && is_sparse(format) ? marks_of(iterate) : NULL;
    sdca_shrinking_lane *shrinking = &ascent->shrinking.lane[0];
    sdca_update_sums     sums      = ascent->sums[0];
    row_precomputed next = precompute_row(precompute, ascent, iterate, weights, row[0],
                                          deflated, scale, mean_scale);

    for (uint32_t k = 0; k < count; k++) {
        uint32_t          i         = row[k];
        uint32_t          following = row[k + 1 < count ? k + 1 : k];
        sdca_iterate_row *this_row  = &rows[i];
        int64_t           first     = this_row[0].start;
        int64_t           width     = this_row[1].start - first;
        row_precomputed   current   = next;
        double            before, after, z;
        step_result       result;

        if (k + PREFETCH_ROW < count) {
            prefetch_row(ascent, iterate, weights, row[k + PREFETCH_ROW], shrinks,
                         multi_rank);
        }
        if (k + PREFETCH_ENTRIES < count) {
            prefetch_entries(format, x, rows[row[k + PREFETCH_ENTRIES]].start,
                             cache_lines);
        }
        next   = precompute_row(precompute, ascent, iterate, weights, following, deflated,
                                scale, mean_scale);
        before = this_row->alpha;
        z      = row_dot(format, x, first, width, u);
        if (deflated) {
            z += extra_sigma * current.mean_projection * sums.mean_change;
        }
        after = step(p, before, z, current.q, this_row->y, current.precomputed, &result);
        if (shrinks) {
            sdca_shrinking_update(&ascent->shrinking, shrinking, i,
                                  current.weight * result.gap_term, after != before);
        }
        if (after == before) {
            continue;
        }
        if (variant == SINGLE_AVERAGED) {
            sdca_iterate_average_update(ascent->average, i, before,
                                        ascent->steps_done + k + 1);
        }
        if (multi_rank) {
            record_update(ascent, (uint32_t)iterate->round + 1,
                          (sdca_row_update){ before, after, this_row->y, i, 0 },
                          current.weight, &result, &sums);
        }
        if (deflated) {
            sums.mean_change += objective->C * current.weight * (after - before) *
                                current.mean_projection;
        }
        this_row->alpha = after;
        if (following == i) { /* the same row twice in succession */
            next = precompute_row(precompute, ascent, iterate, weights, i, deflated,
                                  scale, mean_scale);
        }
        row_add_to_w(format, x, first, width, scale, current.weight * (after - before),
                     u);
        if (marks != NULL) {
            mark_row(format, x, first, width, marks);
        }
    }
    ascent->sums[0] = sums;
}

typedef void ascent_function(const sdca_objective *objective, const sdca_dataset *data,
                             sdca_iterate *iterate, sdca_ascent *ascent, sdca_sigma sigma,
                             const uint32_t *row, uint32_t count);

#define DEFINE_ASCENT(id, format, variant)                                            \
    static void ascend_##variant##_##id##_##format(                                   \
        const sdca_objective *objective, const sdca_dataset *data,                    \
        sdca_iterate *iterate, sdca_ascent *ascent, sdca_sigma sigma,                 \
        const uint32_t *row, uint32_t count)                                          \
    {                                                                                 \
        ascend(id##_step, id##_precompute, format, variant, objective, data, iterate, \
               ascent, sigma, row, count);                                            \
    }
#define DEFINE_ASCENTS(id, format) FOR_VARIANTS(DEFINE_ASCENT, id, format)

SDCA_DEFINE_KERNELS(DEFINE_ASCENTS)
SDCA_DEFINE_KERNELS_OF(DEFINE_ASCENTS, logistic_approximate)

#define ASCENT_TABLE(id, format, variant) [variant] = SDCA_KERNEL_TABLE(ascend_##variant),
#define APPROXIMATE_TABLE(id, format, variant) \
    [variant] = SDCA_KERNEL_TABLE_OF(ascend_##variant, logistic_approximate),

/* By variant, loss and row format. */
static ascent_function *const ascent_table[VARIANTS][SDCA_LOSS_COUNT][ROW_FORMATS] = {
    FOR_VARIANTS(ASCENT_TABLE, , )
};
static ascent_function *const approximate_table[VARIANTS][ROW_FORMATS] = { FOR_VARIANTS(
    APPROXIMATE_TABLE, , ) };

static int variant_of(const sdca_ascent *ascent, bool weighted)
{
    bool shrinks = ascent->shrinking.rows > 0;
    int  single  = weighted ? SINGLE_SHRINKING_WEIGHTED : SINGLE_SHRINKING;
    int  multi   = weighted ? MULTI_SHRINKING_WEIGHTED : MULTI_SHRINKING;

    return !ascent->single_rank      ? shrinks ? multi : MULTI
           : ascent->average != NULL ? SINGLE_AVERAGED
           : shrinks                 ? single
                                     : SINGLE;
}

static sdca_shrinking *shrinking_of(sdca_ascent *ascent)
{
    return ascent->shrinking.rows > 0 ? &ascent->shrinking : NULL;
}

int64_t sdca_ascent_round_steps(sdca_ascent *ascent, double fraction, bool even)
{
    double left  = (double)sdca_row_order_remaining(&ascent->order, shrinking_of(ascent));
    double steps = fmax(1.0, rint(fraction * (double)ascent->order.count));

    return (int64_t)(even ? ceil(left / fmax(1.0, rint(left / steps))) : steps);
}

/* Visits of one model, in as many sweeps as it takes. */
static void run_single(const sdca_objective *objective, const sdca_dataset *data,
                       sdca_iterate *iterate, sdca_ascent *ascent, sdca_sigma sigma,
                       int64_t visits)
{
    int              variant   = variant_of(ascent, iterate->weight != NULL);
    row_format       format    = format_of(&data->x);
    sdca_shrinking  *shrinking = shrinking_of(ascent);
    ascent_function *run       = ascent->approximate
                                     ? approximate_table[variant][format]
                                     : ascent_table[variant][objective->loss->kind][format];

    while (visits > 0) {
        uint32_t        count = 0;
        const uint32_t *row =
            sdca_row_order_next(&ascent->order, shrinking, visits, &count);

        run(objective, data, iterate, ascent, sigma, row, count);
        ascent->steps_done += count;
        visits -= count;
    }
    for (size_t k = 0; !ascent->rows_distinct && k < ascent->updates; k++) {
        ascent->update[k].alpha_after = iterate->row[ascent->update[k].row].alpha;
    }
}

/* Whether changes of w are marked: in rounds with few non-zeros for the size of w. */
static bool marks_pay(const sdca_dataset *data, const sdca_iterate *iterate,
                      int64_t visits)
{
    const sdca_vector_allreduce *allreduce = iterate->allreduce;
    double                       rows      = (double)data->x.count;
    double                       nonzeros  = (double)data->x.row[data->x.count].start;

    return data->x.count == 0 ||
           (is_sparse(format_of(&data->x)) &&
            (double)visits * nonzeros / rows * allreduce->node_ranks <=
                tuning_mark_nonzeros * (double)allreduce->lines);
}

int64_t sdca_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                        sdca_iterate *iterate, sdca_ascent *ascent,
                        const sdca_sigma *sigma, int64_t visits)
{
    sdca_shrinking *shrinking = shrinking_of(ascent);

    ascent->rows_distinct = true;
    ascent->updates       = 0;
    ascent->steps_done    = iterate->steps;
    for (int m = 0; m < ascent->models; m++) {
        ascent->sigma[m] = sigma[m];
        ascent->sums[m]  = (sdca_update_sums){ .mean_change = 0.0 };
        ascent->steps[m] = 0;
    }
    if (iterate->allreduce != NULL) {
        iterate->allreduce->marked = marks_pay(data, iterate, visits);
    }
    if (data->x.count == 0 || visits <= 0) {
        return 0;
    }
    ascent->no_repeats = ascent->order.kind != SDCA_ROW_ORDER_RANDOM &&
                         visits <= sdca_row_order_remaining(&ascent->order, shrinking);
    if (ascent->lanes == 1) {
        run_single(objective, data, iterate, ascent, sigma[0], visits);
        ascent->steps[0] = visits;
        return visits;
    }
    return sdca_lane_ascent_run(objective, data, iterate, ascent, visits);
}
