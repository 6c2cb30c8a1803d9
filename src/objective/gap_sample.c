/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_sample.c - P and the duality gap, estimated from a sample of the rows. */
#include <math.h>

#include "base/range.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "objective/model_lane_terms.h"
#include "objective/row_term.h"

/* What is summed of one model: loss, gap and gap^2 of blocks of rows, scaled to all rows,
 * and |w|^2, of which each rank adds up some columns. */
typedef struct sample_sums {
    double loss;
    double gap;
    double gap2;
    double norm2;
} sample_sums;

/* Add a block of rows. */
static void add_block(double loss, double gap, double scale, sample_sums *sums)
{
    sums->loss += scale * loss;
    sums->gap += scale * gap;
    sums->gap2 += scale * gap * scale * gap;
}

/* Add count consecutive rows from first on, as one block. */
static void add_rows(const sdca_objective *objective, const sdca_dataset *data,
                     const sdca_iterate *iterate, uint32_t first, uint32_t count,
                     double scale, sample_sums *sums)
{
    const sdca_loss *of   = objective->loss;
    double           p    = objective->parameter;
    double           loss = 0.0, gap = 0.0;

    for (uint32_t i = first; i < first + count; i++) {
        double weight = sdca_dataset_weight(data, i);
        double z      = sdca_rows_dot(&data->x, i, iterate->w);
        double y = iterate->row[i].y, alpha = iterate->row[i].alpha;
        double phi = of->primal(p, z, y);

        if (!sdca_objective_holds_out(objective, sdca_dataset_fold(data, i))) {
            loss += weight * phi;
            gap += weight * row_gap_estimate(phi, of->conjugate(p, alpha, y), alpha, z);
        }
    }
    add_block(loss, gap, scale, sums);
}

/* The same for several models side by side. */
static void add_lane_rows(const sdca_dataset *data, const sdca_iterate *iterate,
                          sdca_lane_terms_function *terms, sdca_lane_sums *block,
                          uint32_t first, uint32_t count, double scale, sample_sums *sums)
{
    const sdca_rows         *x       = &data->x;
    const sdca_lane_kernels *kernels = sdca_lane_kernels_find(x, iterate->lanes);
    lane_vector              z;

    for (uint32_t i = first; i < first + count; i++) {
        int64_t            start = x->row[i].start;
        sdca_lane_term_row row   = { .label  = x->row[i].y,
                                     .weight = sdca_dataset_weight(data, i),
                                     .fold   = sdca_dataset_fold(data, i),
                                     .alpha  = iterate->alpha + i * iterate->alpha_stride,
                                     .z      = z };

        kernels->dot(x, start, x->row[i + 1].start - start, iterate->w, z);
        (void)terms(block, &row);
    }
    for (int m = 0; m < iterate->lanes; m++) {
        add_block(block->losses[m], block->gap_terms[m], scale, &sums[m]);
        block->losses[m] = block->gap_terms[m] = 0.0;
    }
}

/* The sums of these models of an iterate with several lanes. */
static sdca_lane_sums sums_of(const sdca_objective *objective, int lanes, unsigned models)
{
    const sdca_objective *of[SDCA_MAX_LANES] = { NULL };

    for (int m = 0; m < lanes; m++) {
        of[m] = (models >> m & 1) != 0 ? &objective[m] : NULL;
    }
    return sdca_lane_sums_start(of, models);
}

/* |w|^2 of the columns that this rank adds up. */
static double norm2_of(MPI_Comm comm, const sdca_iterate *iterate)
{
    sdca_range mine  = sdca_range_split_even(sdca_iterate_penalized_columns(iterate),
                                             sdca_comm_rank(comm), sdca_comm_size(comm));
    int64_t    end   = mine.first + mine.count;
    double     norm2 = 0.0;

#pragma omp simd reduction(+ : norm2)
    for (int64_t j = mine.first; j < end; j++) {
        double w = iterate->w[j * iterate->lanes];

        norm2 += w * w;
    }
    return norm2;
}

static sdca_duality_gap_estimate estimate_of(const sdca_objective *objective,
                                             const sample_sums *sums, double blocks)
{
    double S = objective->total_weight;
    double variance =
        blocks > 1.0
            ? (sums->gap2 - sums->gap * sums->gap / blocks) * blocks / (blocks - 1.0)
            : sums->gap * sums->gap; /* one block gives no variance */

    return (sdca_duality_gap_estimate){ .primal = sums->loss / S +
                                                  objective->lambda / 2.0 * sums->norm2,
                                        .gap            = fmax(0.0, sums->gap / S),
                                        .standard_error = sqrt(fmax(0.0, variance)) / S };
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
    } totals                        = { .blocks = blocks };
    int                       lanes = iterate->lanes;
    sdca_lane_terms_function *terms =
        lanes > 1 ? sdca_lane_terms_find(objective->loss->kind, lanes) : NULL;
    sdca_lane_sums block = sums_of(objective, lanes, models);

    for (uint32_t g = 0; g < blocks; g++) {
        double   scale    = (double)rows / ((double)blocks * rows_in_block);
        double   position = (g + sdca_random_uniform(&stream)) / blocks;
        uint32_t last     = rows - rows_in_block;
        uint32_t first    = (uint32_t)fmin(last, position * (last + 1.0));

        if (lanes > 1) {
            add_lane_rows(data, iterate, terms, &block, first, rows_in_block, scale,
                          totals.lane);
        } else {
            add_rows(objective, data, iterate, first, rows_in_block, scale, totals.lane);
        }
    }
    for (int m = 0; m < lanes; m++) {
        totals.lane[m].norm2 = (models >> m & 1) != 0 ? norm2_of(comm, &iterate[m]) : 0.0;
    }
    sdca_comm_allreduce_sum(comm, &totals.lane[0].loss,
                            (int64_t)(sizeof totals / sizeof(double)));
    for (int m = 0; m < lanes; m++) {
        if (models >> m & 1) {
            out[m] = estimate_of(&objective[m], &totals.lane[m], totals.blocks);
        }
    }
}
