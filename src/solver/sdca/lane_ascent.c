/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_ascent.c - steps of coordinate ascent for several models in one walk over a row.
 *
 * The weights of a column lie side by side, so that one walk computes the margins of all
 * models and another one adds all their changes. Where few of the models are due, as late
 * in a run, they walk by themselves. The steps of the models are independent of each
 * other, and each is that of coordinate_ascent.c. */
#include "solver/sdca/lane_ascent.h"

#include "base/compiler.h"
#include "base/tuning.h"
#include "objective/kernel_dispatch.h"
#include "solver/sdca/row_update.h"

enum {
    PREFETCH_ROW     = TUNING_PREFETCH_RECORD_ROWS,
    PREFETCH_ENTRIES = TUNING_PREFETCH_ENTRY_ROWS
};

typedef double step_function(double p, double a, double z, double q, double y,
                             step_precomputed precompute, step_result *result);

typedef step_precomputed precompute_function(double a, double q, double y);

/* What is constant for a model during a round. */
typedef struct lane_constants {
    double scale;       /* C, with several ranks times sigma */
    double extra_sigma; /* of the mean direction */
    double mean_scale;  /* that times C */
} lane_constants;

static lane_constants constants_of(const sdca_objective *objective, bool multi_rank,
                                   sdca_sigma sigma)
{
    double extra = sigma.mean_direction - sigma.orthogonal;

    return (lane_constants){ multi_rank ? sigma.orthogonal * objective->C : objective->C,
                             extra, extra * objective->C };
}

/* The number of bits that are set, of eight. */
SDCA_INLINE int count_bits(unsigned mask)
{
    mask = mask - (mask >> 1 & 0x55);
    mask = (mask & 0x33) + (mask >> 2 & 0x33);
    return (int)((mask + (mask >> 4)) & 0x0f);
}

SDCA_INLINE void prefetch_row(const sdca_ascent *ascent, const sdca_iterate *iterate,
                              uint32_t i)
{
    size_t at = (size_t)i * (size_t)ascent->lanes;

    SDCA_PREFETCH(&iterate->row[i]);
    SDCA_PREFETCH(&iterate->row[i + 1]);
    SDCA_PREFETCH(&iterate->alpha[at]);
    SDCA_PREFETCH(&ascent->shrinking.gap_term[at]);
    SDCA_PREFETCH(&ascent->shrinking.streak[at]);
    if (iterate->weight != NULL) {
        SDCA_PREFETCH(&iterate->weight[i]);
    }
    if (ascent->mean_projection != NULL) {
        SDCA_PREFETCH(&ascent->mean_projection[i]);
    }
}

/* Prefetch a row's entries; its record is there by now. */
SDCA_INLINE void prefetch_row_entries(const sdca_rows *x, const sdca_iterate *iterate,
                                      uint32_t i, int cache_lines)
{
    prefetch_entries(format_of(x), x, iterate->row[i].start, cache_lines);
}

/* Margins of the models that are due. */
SDCA_INLINE void compute_margins(const sdca_lane_kernels *kernels, const sdca_rows *x,
                                 int lanes, unsigned due, int64_t first, int64_t width,
                                 const double *w, double *z)
{
    if (count_bits(due) > TUNING_LANES_ALONE) {
        kernels->dot(x, first, width, w, z);
        return;
    }
    for (int m = 0; m < lanes; m++) {
        if (due >> m & 1) {
            z[m] = kernels->dot_one(x, first, width, w + m);
        }
    }
}

/* w += factor x for the models that moved; factor is 0 for the others. */
SDCA_INLINE void add_to_weights(const sdca_lane_kernels *kernels, const sdca_rows *x,
                                int lanes, unsigned moved, int64_t first, int64_t width,
                                const double *factor, double *w)
{
    if (count_bits(moved) > TUNING_LANES_ALONE) {
        kernels->axpy(x, first, width, factor, w);
        return;
    }
    for (int m = 0; m < lanes; m++) {
        if (moved >> m & 1) {
            kernels->axpy_one(x, first, width, factor[m], w + m);
        }
    }
}

SDCA_INLINE void ascend_lanes(step_function *step, precompute_function *precompute,
                              int lanes, bool multi_rank, const sdca_objective *objective,
                              const sdca_dataset *data, sdca_iterate *iterate,
                              sdca_ascent *ascent, const uint32_t *row,
                              const uint8_t *due_lanes, uint32_t count)
{
    const sdca_rows         *x        = &data->x;
    const sdca_lane_kernels *kernels  = sdca_lane_kernels_find(x, lanes);
    const bool               deflated = multi_rank && ascent->mean_projection != NULL;
    const double             p        = objective->parameter;
    double *const            u        = iterate->w; /* with several ranks, my copy */
    lane_constants           constant[SDCA_MAX_LANES];

    for (int m = 0; m < ascent->models; m++) {
        constant[m] = constants_of(&objective[m], multi_rank, ascent->sigma[m]);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t                i        = row[k];
        unsigned                due      = due_lanes[k] & ascent->order.lanes;
        const sdca_iterate_row *this_row = &iterate->row[i];
        int64_t                 first    = this_row[0].start;
        int64_t                 width    = this_row[1].start - first;
        size_t                  at       = (size_t)i * (size_t)lanes;
        double *const           alpha    = iterate->alpha + at;
        double   weight     = iterate->weight != NULL ? iterate->weight[i] : 1.0;
        double   projection = deflated ? (double)ascent->mean_projection[i] : 0.0;
        double   z[SDCA_MAX_LANES], factor[SDCA_MAX_LANES] = { 0.0 };
        unsigned moved = 0;

        if (k + PREFETCH_ROW < count) {
            prefetch_row(ascent, iterate, row[k + PREFETCH_ROW]);
        }
        if (k + PREFETCH_ENTRIES < count) {
            prefetch_row_entries(x, iterate, row[k + PREFETCH_ENTRIES],
                                 ascent->cache_lines);
        }
        if (due == 0) {
            continue;
        }
        compute_margins(kernels, x, lanes, due, first, width, u, z);
        for (int m = 0; m < lanes; m++) {
            double      before, after, q, y;
            step_result result;

            if ((due >> m & 1) == 0) {
                continue;
            }
            before = alpha[m];
            y      = sdca_objective_label(&objective[m], this_row->y);
            q      = row_curvature(constant[m].scale, this_row->weighted_norm2);
            if (deflated) {
                q += constant[m].mean_scale * weight * projection * projection;
                z[m] +=
                    constant[m].extra_sigma * projection * ascent->sums[m].mean_change;
            }
            after = step(p, before, z[m], q, y, precompute(before, q, y), &result);
            ascent->steps[m]++;
            sdca_shrinking_update(&ascent->shrinking, &ascent->shrinking.lane[m],
                                  at + (size_t)m, weight * result.gap_term,
                                  after != before);
            if (after == before) {
                continue;
            }
            alpha[m]  = after;
            factor[m] = constant[m].scale * (weight * (after - before));
            moved |= 1U << m;
            if (multi_rank) {
                append_update(ascent,
                              (sdca_row_update){ before, after, y, i, (uint32_t)m },
                              weight, &result, &ascent->sums[m]);
            }
            if (deflated) {
                ascent->sums[m].mean_change +=
                    objective[m].C * weight * (after - before) * projection;
            }
        }
        if (moved != 0) {
            add_to_weights(kernels, x, lanes, moved, first, width, factor, u);
        }
    }
}

typedef void lane_ascent_function(const sdca_objective *objective,
                                  const sdca_dataset *data, sdca_iterate *iterate,
                                  sdca_ascent *ascent, const uint32_t *row,
                                  const uint8_t *due_lanes, uint32_t count);

#define DEFINE_LANE_ASCENT(id, lanes, multi_rank)                                   \
    static void ascend_##id##_##lanes##_##multi_rank(                               \
        const sdca_objective *objective, const sdca_dataset *data,                  \
        sdca_iterate *iterate, sdca_ascent *ascent, const uint32_t *row,            \
        const uint8_t *due_lanes, uint32_t count)                                   \
    {                                                                               \
        ascend_lanes(id##_step, id##_precompute, lanes, multi_rank != 0, objective, \
                     data, iterate, ascent, row, due_lanes, count);                 \
    }
#define DEFINE_LANE_ASCENTS(unused, id, ...) \
    DEFINE_LANE_ASCENT(id, 4, 0)             \
    DEFINE_LANE_ASCENT(id, 4, 1)             \
    DEFINE_LANE_ASCENT(id, 8, 0)             \
    DEFINE_LANE_ASCENT(id, 8, 1)
#define LANE_ASCENT_ENTRY(unused, id, ...)                         \
    [SDCA_LOSS_##id] = { { ascend_##id##_4_0, ascend_##id##_4_1 }, \
                         { ascend_##id##_8_0, ascend_##id##_8_1 } },

SDCA_LOSS_LIST(DEFINE_LANE_ASCENTS, )

/* By loss, lanes (4, 8) and whether there are several ranks. */
static lane_ascent_function *const lane_ascent_table[][2][2] = { SDCA_LOSS_LIST(
    LANE_ASCENT_ENTRY, ) };
SDCA_KERNEL_TABLE_IS_COMPLETE(lane_ascent_table);

int64_t sdca_lane_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                             sdca_iterate *iterate, sdca_ascent *ascent, int64_t visits)
{
    uint32_t        start = ascent->order.position, count = 0;
    const uint32_t *row;

    if (!ascent->single_rank) {
        int64_t most = (int64_t)(ascent->max_updates / (size_t)ascent->lanes);

        visits = visits < most ? visits : most;
    }
    row   = sdca_row_order_next(&ascent->order, &ascent->shrinking, visits, &count);
    start = ascent->order.position - count;
    lane_ascent_table[objective->loss->kind][ascent->lanes == 8][!ascent->single_rank](
        objective, data, iterate, ascent, row, ascent->order.due + start, count);
    return count;
}
