/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_start_sample.c - the sample of rows on which Newton's method begins. */
#include "solver/newton/newton_start_sample.h"

#include <math.h>

#include "base/random.h"
#include "base/tuning.h"
#include "mpi/comm.h"

/* With d columns, a sample of m rows has an error of about d/m of P. */
double sdca_newton_sample_size(const sdca_objective *objective, const sdca_dataset *data)
{
    double n = (double)data->rows;
    double m = fmax(tuning_newton_sample_min * n,
                    tuning_newton_sample_rows_per_column * data->columns);

    return !objective->loss->newton_is_exact && m <= tuning_newton_sample_max * n ? m
                                                                                  : 0.0;
}

void sdca_newton_sample_draw(MPI_Comm comm, const sdca_dataset *data, double fraction,
                             sdca_newton_linearization *lin, double *rows,
                             double *total_weight)
{
    sdca_random stream  = sdca_random_stream(0, SDCA_STREAM_SUBSAMPLE, 0, 0);
    double      sums[2] = { 0.0, 0.0 };

    stream.counter    = (uint64_t)data->local_range.first;
    lin->sample_count = 0;
    for (uint32_t k = 0; k < data->x.count; k++) {
        if (sdca_random_uniform(&stream) < fraction) {
            uint32_t i = sdca_permutation_apply(&data->shuffle, k);

            lin->sample[lin->sample_count++] = i;
            sums[1] += sdca_dataset_weight(data, i);
        }
    }
    sums[0] = lin->sample_count;
    sdca_comm_allreduce_sum(comm, sums, 2);
    *rows         = sums[0];
    *total_weight = sums[1];
}
