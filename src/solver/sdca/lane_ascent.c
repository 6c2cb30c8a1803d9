/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_ascent.c - steps of coordinate ascent for several models in one walk over a row.
 *
 * The weights of a column lie side by side, so that one walk computes the margins of all
 * models and another one adds all their changes. The steps of the models are independent
 * of each other, and each is that of coordinate_ascent.c. */
#include "solver/sdca/lane_ascent.h"

#include "base/compiler.h"
#include "base/tuning.h"
#include "solver/sdca/alpha_update_record.h"
#include "solver/sdca/lane_step.h"

enum {
    PREFETCH_ROW     = TUNING_PREFETCH_RECORD_ROWS,
    PREFETCH_ENTRIES = TUNING_PREFETCH_ENTRY_ROWS
};

/* What the steps of a round need of the models, and sums that they continue. */
static sdca_lane_models models_of(const sdca_objective *objective,
                                  const sdca_ascent    *ascent)
{
    sdca_lane_models models = { .p            = objective->parameter,
                                .only_unmoved = ascent->shrinking.only_unmoved };

    for (int m = 0; m < ascent->models; m++) {
        const sdca_shrinking_lane *lane  = &ascent->shrinking.lane[m];
        sdca_sigma                 sigma = ascent->sigma[m];
        double                     C     = objective[m].C;

        models.scale[m]       = ascent->single_rank ? C : sigma.orthogonal * C;
        models.extra_sigma[m] = sigma.mean_direction - sigma.orthogonal;
        models.mean_scale[m]  = models.extra_sigma[m] * C;
        models.mean_change[m] = ascent->sums[m].mean_change;
        models.positive[m]    = objective[m].one_against_rest - 1;
        models.threshold[m]   = lane->threshold;
        models.term_sum[m]    = lane->term_sum;
        models.max_streak |= (uint64_t)lane->max_streak << 8 * m;
    }
    return models;
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

/* With several ranks: record the changes of a row's alpha, and the change of w along the
 * mean row. */
static void record_updates(const sdca_objective *objective, sdca_ascent *ascent,
                           sdca_lane_models *models, uint32_t i, const sdca_lane_row *row,
                           unsigned moved, const lane_steps *steps)
{
    for (int m = 0; m < ascent->models; m++) {
        double before = steps->before[m], after = steps->after[m];
        double change = objective[m].C * row->weight * (after - before) * row->projection;
        step_result result = { .derivative_before = steps->derivative_before[m],
                               .derivative_after  = steps->derivative_after[m],
                               .curvature_after   = steps->curvature_after[m] };

        if ((moved >> m & 1) == 0) {
            continue;
        }
        append_update(ascent,
                      (sdca_row_update){ before, after, steps->y[m], i, (uint32_t)m },
                      row->weight, &result, &ascent->sums[m]);
        models->mean_change[m] += change;
    }
}

/* The steps of these rows. */
static void ascend(const sdca_objective *objective, const sdca_dataset *data,
                   sdca_iterate *iterate, sdca_ascent *ascent, const uint32_t *row,
                   const uint8_t *due_lanes, uint32_t count)
{
    const sdca_rows         *x       = &data->x;
    const int                lanes   = ascent->lanes;
    const sdca_lane_kernels *kernels = sdca_lane_kernels_find(x, lanes);
    sdca_lane_step_function *step    = sdca_lane_step_find(objective->loss->kind, lanes);
    sdca_lane_models         models  = models_of(objective, ascent);
    lane_steps               steps   = { .with_derivatives = !ascent->single_rank };
    const sdca_vector_marks *marks   = marks_of(iterate);
    lane_vector              factor;
    double *const            u = iterate->w; /* with several ranks, my copy */

    for (uint32_t k = 0; k < count; k++) {
        uint32_t                i        = row[k];
        const sdca_iterate_row *this_row = &iterate->row[i];
        int64_t                 first    = this_row[0].start;
        int64_t                 width    = this_row[1].start - first;
        size_t                  at       = (size_t)i * (size_t)lanes;
        sdca_lane_row           now      = { .label = this_row->y,
                                             .weight =
                                  iterate->weight != NULL ? iterate->weight[i] : 1.0,
                                             .weighted_norm2 = this_row->weighted_norm2,
                                             .projection     = ascent->mean_projection != NULL
                                                                   ? (double)ascent->mean_projection[i]
                                                                   : 0.0,
                                             .due      = due_lanes[k] & ascent->order.lanes,
                                             .alpha    = iterate->alpha + at,
                                             .gap_term = ascent->shrinking.gap_term + at,
                                             .streak   = ascent->shrinking.streak + at };
        unsigned                moved;

        if (k + PREFETCH_ROW < count) {
            prefetch_row(ascent, iterate, row[k + PREFETCH_ROW]);
        }
        if (k + PREFETCH_ENTRIES < count) {
            prefetch_row_entries(x, iterate, row[k + PREFETCH_ENTRIES],
                                 ascent->cache_lines);
        }
        if (now.due == 0) {
            continue;
        }
        kernels->dot(x, first, width, u, steps.z);
        moved = step(&models, &now, &steps, factor);
        for (int m = 0; m < lanes; m++) {
            ascent->steps[m] += now.due >> m & 1;
        }
        if (moved != 0 && !ascent->single_rank) {
            record_updates(objective, ascent, &models, i, &now, moved, &steps);
        }
        if (moved != 0) {
            kernels->axpy(x, first, width, factor, u);
        }
        if (moved != 0 && marks != NULL) {
            mark_row(format_of(x), x, first, width, marks);
        }
    }
    for (int m = 0; m < ascent->models; m++) {
        ascent->shrinking.lane[m].term_sum = models.term_sum[m];
        ascent->sums[m].mean_change        = models.mean_change[m];
    }
}

int64_t sdca_lane_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                             sdca_iterate *iterate, sdca_ascent *ascent, int64_t visits)
{
    uint32_t        start, count = 0;
    const uint32_t *row;

    if (!ascent->single_rank) {
        int64_t most = (int64_t)(ascent->max_updates / (size_t)ascent->lanes);

        visits = visits < most ? visits : most;
    }
    row   = sdca_row_order_next(&ascent->order, &ascent->shrinking, visits, &count);
    start = ascent->order.position - count;
    ascend(objective, data, iterate, ascent, row, ascent->order.due + start, count);
    return count;
}
