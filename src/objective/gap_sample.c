/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_sample.c - P and the duality gap, estimated from a sample of the rows. */
#include <math.h>

#include "base/tuning.h"
#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "objective/row_term.h"

/* What is summed of one model: loss, gap and gap^2 of blocks of rows, scaled to all rows.
 */
typedef struct sample_sums {
    double loss;
    double gap;
    double gap2;
} sample_sums;

/* Margins of row i: one for each lane. */
static void compute_margins(const sdca_dataset *data, const sdca_iterate *iterate,
                            const sdca_lane_kernels *kernels, uint32_t i, double *z)
{
    int64_t first = data->x.row[i].start;

    if (kernels == NULL) {
        z[0] = sdca_rows_dot(&data->x, i, iterate->w);
    } else {
        kernels->dot(&data->x, first, data->x.row[i + 1].start - first, iterate->w, z);
    }
}

/* Add count consecutive rows from first on, as one block. */
static void add_block(const sdca_objective *objective, const sdca_dataset *data,
                      const sdca_iterate *iterate, unsigned models, uint32_t first,
                      uint32_t count, double scale, sample_sums *sums)
{
    int                      lanes = iterate->lanes;
    const sdca_lane_kernels *kernels =
        lanes > 1 ? sdca_lane_kernels_find(&data->x, lanes) : NULL;
    double loss[SDCA_MAX_LANES] = { 0.0 }, gap[SDCA_MAX_LANES] = { 0.0 };

    for (uint32_t i = first; i < first + count; i++) {
        double weight = sdca_dataset_weight(data, i), z[SDCA_MAX_LANES];

        compute_margins(data, iterate, kernels, i, z);
        for (int m = 0; m < lanes; m++) {
            const sdca_loss *of;
            double           p, y, alpha, phi;

            if ((models >> m & 1) == 0) {
                continue;
            }
            of    = objective[m].loss;
            p     = objective[m].parameter;
            y     = sdca_iterate_label(&iterate[m], &objective[m], i);
            alpha = iterate[m].alpha[i * iterate[m].alpha_stride];
            phi   = of->primal(p, z[m], y);
            loss[m] += weight * phi;
            gap[m] +=
                weight * row_gap_estimate(phi, of->conjugate(p, alpha, y), alpha, z[m]);
        }
    }
    for (int m = 0; m < lanes; m++) {
        sums[m].loss += scale * loss[m];
        sums[m].gap += scale * gap[m];
        sums[m].gap2 += scale * gap[m] * scale * gap[m];
    }
}

static double norm2_of(const sdca_iterate *iterate)
{
    double norm2 = 0.0;

    for (int32_t j = 0; j < iterate->columns; j++) {
        double w = iterate->w[(int64_t)j * iterate->lanes];

        norm2 += w * w;
    }
    return norm2;
}

static sdca_duality_gap_estimate estimate_of(const sdca_objective *objective,
                                             const sdca_iterate   *iterate,
                                             const sample_sums *sums, double blocks)
{
    double S = objective->total_weight;
    double variance =
        blocks > 1.0
            ? (sums->gap2 - sums->gap * sums->gap / blocks) * blocks / (blocks - 1.0)
            : sums->gap * sums->gap; /* one block gives no variance */

    return (sdca_duality_gap_estimate){
        .primal         = sums->loss / S + objective->lambda / 2.0 * norm2_of(iterate),
        .gap            = fmax(0.0, sums->gap / S),
        .standard_error = sqrt(fmax(0.0, variance)) / S
    };
}

void sdca_duality_gap_sample(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, const sdca_iterate *iterate,
                             unsigned models, double fraction, sdca_random stream,
                             sdca_duality_gap_estimate *out)
{
    const uint32_t block_rows =
        TUNING_SAMPLE_BLOCK_ROWS; /* read faster than scattered rows */
    uint32_t rows          = data->x.count;
    uint32_t rows_in_block = rows < block_rows ? rows : block_rows;
    uint32_t blocks        = (uint32_t)ceil(fraction * rows / block_rows);
    struct {
        sample_sums lane[SDCA_MAX_LANES];
        double      blocks;
    } totals = { .blocks = blocks };

    for (uint32_t g = 0; g < blocks; g++) {
        double   scale    = (double)rows / ((double)blocks * rows_in_block);
        double   position = (g + sdca_random_uniform(&stream)) / blocks;
        uint32_t last     = rows - rows_in_block;
        uint32_t first    = (uint32_t)fmin(last, position * (last + 1.0));

        add_block(objective, data, iterate, models, first, rows_in_block, scale,
                  totals.lane);
    }
    sdca_comm_allreduce_sum(comm, &totals.lane[0].loss,
                            (int64_t)(sizeof totals / sizeof(double)));
    for (int m = 0; m < iterate->lanes; m++) {
        if (models >> m & 1) {
            out[m] =
                estimate_of(&objective[m], &iterate[m], &totals.lane[m], totals.blocks);
        }
    }
}
