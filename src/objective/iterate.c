/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate.c - alpha, w and how far training has come: all that a method changes. */
#include "objective/iterate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"

/* The records of my rows, and with a single rank w. */
static sdca_status allocate(const sdca_dataset *data, bool single_rank,
                            sdca_iterate *iterate)
{
    iterate->row = sdca_alloc_array((size_t)data->x.count + 1, sizeof *iterate->row);
    iterate->w =
        single_rank ? sdca_alloc_zeroed((size_t)data->columns, sizeof *iterate->w) : NULL;
    return iterate->row != NULL && (iterate->w != NULL || !single_rank)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY,
                           "no memory for alpha and w (%lu rows, %ld columns)",
                           (unsigned long)data->x.count, (long)data->columns);
}

static sdca_status fill_rows(const sdca_objective *objective, const sdca_dataset *data,
                             sdca_iterate *iterate)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        const sdca_row *row   = &data->x.row[i];
        double          norm2 = sdca_dataset_weight(data, i) * row->norm2;

        if (!isfinite(objective->C * norm2) || !isfinite(row->y * row->y)) {
            return SDCA_FAIL(
                SDCA_DATA, "row %lld is too large for double precision with this lambda",
                (long long)sdca_dataset_global_row(data, i));
        }
        iterate->row[i] = (sdca_iterate_row){ row->start, norm2, row->y, 0.0 };
        if (norm2 == 0.0) {
            iterate->row[i].alpha =
                objective->loss->maximizer(objective->parameter, 0.0, 0.0, 0.0, row->y);
        }
    }
    iterate->row[data->x.count] =
        (sdca_iterate_row){ .start = data->x.row[data->x.count].start };
    return SDCA_OK;
}

sdca_status sdca_iterate_create(MPI_Comm comm, const sdca_objective *objective,
                                const sdca_dataset *data, sdca_iterate *out)
{
    bool         single_rank = sdca_comm_size(comm) == 1;
    sdca_iterate iterate     = { .rows    = data->x.count,
                                 .columns = data->columns,
                                 .models  = 1,
                                 .weight  = data->weight };
    sdca_status  status      = allocate(data, single_rank, &iterate);

    status = status == SDCA_OK ? fill_rows(objective, data, &iterate) : status;
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (!single_rank) {
        SDCA_TRY(sdca_vector_allreduce_create(comm, data->columns, &iterate.allreduce));
        iterate.w = iterate.allreduce.local;
        memset(iterate.w, 0, (size_t)data->columns * sizeof *iterate.w);
        sdca_iterate_w_changed(&iterate);
    }
    *out    = iterate;
    iterate = (sdca_iterate){ 0 }; /* now the caller's */

done:
    sdca_iterate_free(&iterate);
    return status;
}

void sdca_iterate_free(sdca_iterate *iterate)
{
    free(iterate->row);
    if (iterate->w != iterate->allreduce.local) {
        free(iterate->w);
    }
    sdca_vector_allreduce_free(&iterate->allreduce);
    *iterate = (sdca_iterate){ 0 };
}

sdca_point sdca_iterate_point(const sdca_iterate *iterate)
{
    return (sdca_point){ .alpha        = &iterate->row[0].alpha,
                         .alpha_stride = sizeof *iterate->row / sizeof(double),
                         .w            = iterate->w };
}

void sdca_iterate_w_changed(sdca_iterate *iterate)
{
    if (iterate->allreduce.local != NULL) {
        sdca_vector_allreduce_rebase(&iterate->allreduce);
    }
}

void sdca_point_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, sdca_point point)
{
    memset(point.w, 0, (size_t)data->columns * sizeof *point.w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double alpha = point.alpha[i * point.alpha_stride];

        if (alpha != 0.0) {
            sdca_rows_axpy(&data->x, i, sdca_dataset_weight(data, i) * alpha, point.w);
        }
    }
    sdca_comm_allreduce_sum(comm, point.w, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        point.w[j] *= objective->C;
    }
}

void sdca_iterate_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, sdca_iterate *iterate)
{
    sdca_point_recompute_w(comm, objective, data, sdca_iterate_point(iterate));
    sdca_iterate_w_changed(iterate);
}

double sdca_iterate_epochs(const sdca_objective *objective, const sdca_iterate *iterate)
{
    return (double)iterate->steps / (double)objective->rows;
}
