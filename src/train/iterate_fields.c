/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate_fields.c - alpha and w in a checkpoint. */
#include "train/iterate_fields.h"

#include <math.h>

static bool is_feasible(const sdca_objective *objective, const sdca_dataset *data,
                        sdca_point point)
{
    bool feasible = true;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_interval allowed = sdca_objective_feasible(
            objective, sdca_objective_label(objective, data->x.row[i].y));
        double alpha = point.alpha[i * point.alpha_stride];

        feasible =
            feasible && isfinite(alpha) && alpha >= allowed.low && alpha <= allowed.high;
    }
    return feasible;
}

static bool is_finite(const sdca_dataset *data, const double *w, size_t stride)
{
    bool finite = true;

    for (size_t j = 0; j < (size_t)data->columns; j++) {
        finite = finite && isfinite(w[j * stride] * w[j * stride]);
    }
    return finite;
}

void sdca_point_fields(const sdca_objective *objective, sdca_point point,
                       sdca_point_names names, sdca_field_io *io)
{
    sdca_field_io_per_row(io, names.alpha, SDCA_FLOAT64, point.alpha, point.alpha_stride);
    if (!io->writing || !names.w_is_written) {
        sdca_field_io_per_column(io, names.w, point.w, point.w_stride);
    }
    if (!sdca_field_io_has_read(io)) {
        return;
    }
    if (!is_feasible(objective, io->data, point)) {
        sdca_field_io_reject(io, names.alpha);
    } else if (!is_finite(io->data, point.w, point.w_stride)) {
        sdca_field_io_reject(io, names.w);
    }
}

void sdca_iterates_fields(const sdca_objective *objective, int models, int number,
                          sdca_iterate *iterate, sdca_field_io *io)
{
    const sdca_point_names names = { "alpha", "iterate-w", false };

    for (int m = 0; m < models; m++) {
        sdca_field_io_set_model(io, number < 0 ? number : number + m);
        sdca_field_io_set_group(io, "/");
        if (io->data->intercept) {
            sdca_field_io_double(io, "intercept-centre", &iterate[m].centre);
        }
        sdca_point_fields(&objective[m], sdca_iterate_point(&iterate[m]), names, io);
        iterate[m].starts_at_zero = iterate[m].starts_at_zero && io->writing;
    }
    sdca_field_io_set_model(io, -1);
    sdca_iterate_w_changed(iterate);
}
