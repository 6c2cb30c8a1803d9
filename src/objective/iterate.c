/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate.c - all that training changes: alpha, w and how far it has come. */
#include "objective/iterate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"

sdca_status sdca_iterate_allocate(const sdca_dataset *data, sdca_iterate *out)
{
    sdca_iterate iterate = { 0 };

    iterate.alpha = sdca_alloc_array(data->x.count, sizeof *iterate.alpha);
    iterate.w     = sdca_alloc_array((size_t)data->columns, sizeof *iterate.w);
    if (iterate.alpha == NULL || iterate.w == NULL) {
        sdca_iterate_free(&iterate);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for alpha and w (%lu rows, %ld columns)",
                         (unsigned long)data->x.count, (long)data->columns);
    }
    *out = iterate;
    return SDCA_OK;
}

sdca_status sdca_iterate_create(const sdca_objective *objective, const sdca_dataset *data,
                                sdca_iterate *out)
{
    sdca_iterate iterate;
    sdca_status  status = sdca_iterate_allocate(data, &iterate);

    if (status != SDCA_OK) {
        return status;
    }
    memset(iterate.alpha, 0, data->x.count * sizeof *iterate.alpha);
    memset(iterate.w, 0, (size_t)data->columns * sizeof *iterate.w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        if (!isfinite(objective->C * data->x.row[i].norm2) ||
            !isfinite(data->x.row[i].y * data->x.row[i].y)) {
            sdca_iterate_free(&iterate);
            return SDCA_FAIL(
                SDCA_DATA, "row %lld is too large for double precision with this lambda",
                (long long)sdca_dataset_global_row(data, i));
        }
        if (data->x.row[i].norm2 == 0.0) {
            iterate.alpha[i] = objective->loss->maximizer(objective->parameter, 0.0, 0.0,
                                                          0.0, data->x.row[i].y);
        }
    }
    *out = iterate;
    return SDCA_OK;
}

void sdca_iterate_free(sdca_iterate *iterate)
{
    free(iterate->alpha);
    free(iterate->w);
    *iterate = (sdca_iterate){ 0 };
}

void sdca_iterate_copy(const sdca_dataset *data, const sdca_iterate *from,
                       sdca_iterate *to)
{
    memcpy(to->alpha, from->alpha, data->x.count * sizeof *to->alpha);
    memcpy(to->w, from->w, (size_t)data->columns * sizeof *to->w);
    to->round = from->round;
    to->steps = from->steps;
}

void sdca_iterate_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, sdca_iterate *iterate)
{
    memset(iterate->w, 0, (size_t)data->columns * sizeof *iterate->w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        if (iterate->alpha[i] != 0.0) {
            sdca_rows_axpy(&data->x, i, iterate->alpha[i], iterate->w);
        }
    }
    sdca_comm_allreduce_sum(comm, iterate->w, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        iterate->w[j] *= objective->C;
    }
}

double sdca_iterate_epochs(const sdca_objective *objective, const sdca_iterate *iterate)
{
    return (double)iterate->steps / (double)objective->rows;
}
