/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca_fields.c - the part of a checkpoint that belongs to SDCA: aggregation, shrinking,
 * and the position of each rank in its sweep. */
#include "solver/sdca/sdca_solver.h"

static void length_fields(sdca_round_length *length, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "controller");
    sdca_field_io_double(io, "local-steps", &length->fraction);
    sdca_field_io_double(io, "exchange-seconds", &length->exchange_seconds);
    sdca_field_io_double(io, "pass-seconds", &length->pass_seconds);
    sdca_field_io_double(io, "lost-progress", &length->lost_progress);
    sdca_field_io_int64(io, "rounds-since-change", &length->rounds_since_change);
}

static void aggregation_fields(sdca_sdca_solver *s, int m, sdca_field_io *io)
{
    sdca_aggregation *aggregation = &s->aggregation[m];

    sdca_field_io_set_group(io, "aggregation");
    sdca_field_io_double(io, "sigma-across", &aggregation->sigma.orthogonal);
    sdca_field_io_double(io, "sigma-along", &aggregation->sigma.mean_direction);
    sdca_field_io_double(io, "sigma", &s->ascent.sigma[m].orthogonal);
    sdca_field_io_double(io, "eta", &aggregation->eta);
    sdca_field_io_double(io, "tight-sigma", &aggregation->tight_sigma);
}

/* Is a streak one that a run could have? A row of weight 0 is never active. */
static bool streak_is_valid(const sdca_sdca_solver *s, uint32_t i, int streak)
{
    return streak <= SDCA_SHRINKING_MAX_STREAK ||
           sdca_dataset_weight(s->training->data, i) == 0.0;
}

/* By row: the streak of small terms and, in the highest bit, whether the row is in the
 * current sweep. io->row_lanes has the models for which it is. */
static void shrinking_fields(sdca_sdca_solver *s, int m, sdca_field_io *io)
{
    sdca_shrinking      *shrink = &s->ascent.shrinking;
    sdca_shrinking_lane *lane   = &shrink->lane[m];
    size_t               lanes  = (size_t)s->ascent.lanes;
    uint8_t             *flags  = io->row_flags;
    uint32_t             rows   = shrink->rows;

    sdca_field_io_per_rank(io, "ranks/threshold", &lane->threshold);
    sdca_field_io_per_rank(io, "ranks/sum", &lane->term_sum);
    sdca_field_io_per_rank(io, "ranks/mean", &lane->mean_term);
    sdca_field_io_per_rank(io, "ranks/longest", &lane->max_streak);
    sdca_field_io_set_group(io, "rows");
    sdca_field_io_per_row(io, "rows/term", SDCA_FLOAT32,
                          rows > 0 ? shrink->gap_term + m : NULL, lanes);
    for (uint32_t i = 0; io->writing && i < rows; i++) {
        bool active = lanes == 1 ? io->row_lanes[i] != 0 : io->row_lanes[i] >> m & 1;

        flags[i] = (uint8_t)(shrink->streak[i * lanes + (size_t)m] | (active ? 0x80 : 0));
    }
    sdca_field_io_per_row(io, "rows/mark", SDCA_UINT8, flags, 1);
    for (uint32_t i = 0; sdca_field_io_has_read(io) && i < rows; i++) {
        int streak = flags[i] & 0x7f;

        shrink->streak[i * lanes + (size_t)m] = (uint8_t)streak;
        io->row_lanes[i] |=
            (uint8_t)(lanes == 1 ? flags[i] & 0x80 : (flags[i] >> 7) << m);
        if (!streak_is_valid(s, i, streak)) {
            sdca_field_io_reject(io, "rows/mark");
        }
    }
}

static void model_fields(sdca_sdca_solver *s, int m, sdca_field_io *io)
{
    aggregation_fields(s, m, io);
    sdca_field_io_set_group(io, "ranks");
    sdca_field_io_int64_per_rank(io, "ranks/made", &s->rank_steps[m]);
    s->counted_steps[m] = s->iterate[m].steps;
    if (s->shrinks) {
        shrinking_fields(s, m, io);
    }
}

/* The position of each rank in its sweep. */
static void order_fields(sdca_sdca_solver *s, sdca_field_io *io)
{
    sdca_row_order *order    = &s->ascent.order;
    int64_t         position = order->position, lanes = order->lanes;
    int64_t         none = 0;
    int64_t        *bytes =
        s->iterate->allreduce != NULL ? &s->iterate->allreduce->bytes_sent : &none;

    sdca_field_io_set_group(io, "order");
    sdca_field_io_int64(io, "models", &lanes);
    order->lanes = (unsigned)lanes & 0xff;
    sdca_field_io_int64_per_rank(io, "order/bytes", bytes);
    sdca_field_io_int64_per_rank(io, "order/sweep", &order->sweep);
    sdca_field_io_int64_per_rank(io, "order/place", &position);
    if (sdca_field_io_has_read(io) &&
        !sdca_row_order_resume(order, order->sweep, position,
                               s->shrinks ? io->row_lanes : NULL)) {
        sdca_field_io_reject(io, "order/place");
    }
}

void sdca_sdca_solver_fields(void *self, sdca_field_io *io, bool same_schedule)
{
    sdca_sdca_solver *s      = self;
    int               models = s->training->models;

    if (!same_schedule) {
        return;
    }
    if (io->writing && s->shrinks) {
        sdca_row_order_mark_active(&s->ascent.order, io->row_lanes);
    }
    length_fields(&s->round_length, io);
    for (int m = 0; m < models; m++) {
        sdca_field_io_set_model(io, models > 1 ? m : -1);
        model_fields(s, m, io);
    }
    sdca_field_io_set_model(io, -1);
    order_fields(s, io);
}
