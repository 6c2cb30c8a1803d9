/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state.c - all that training changes: alpha, w and how far it has come. */
#include "sdca/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/memory.h"

sdca_status sdca_state_room(const sdca_dataset *data, sdca_state *out)
{
    sdca_state state = { 0 };

    state.alpha = sdca_alloc_array(data->x.count, sizeof *state.alpha);
    state.w     = sdca_alloc_array((size_t)data->columns, sizeof *state.w);
    if (state.alpha == NULL || state.w == NULL) {
        sdca_state_free(&state);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for alpha and w (%lu rows, %ld columns)",
                         (unsigned long)data->x.count, (long)data->columns);
    }
    *out = state;
    return SDCA_OK;
}

sdca_status sdca_state_create(const sdca_problem *problem, const sdca_dataset *data,
                              sdca_state *out)
{
    sdca_state  state;
    sdca_status status = sdca_state_room(data, &state);

    if (status != SDCA_OK) {
        return status;
    }
    memset(state.alpha, 0, data->x.count * sizeof *state.alpha);
    memset(state.w, 0, (size_t)data->columns * sizeof *state.w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        if (!isfinite(problem->C * data->x.row[i].norm2) ||
            !isfinite(data->x.row[i].y * data->x.row[i].y)) {
            sdca_state_free(&state);
            return SDCA_FAIL(
                SDCA_DATA, "row %lld is too large for double precision with this lambda",
                (long long)sdca_dataset_global_row(data, i));
        }
        if (data->x.row[i].norm2 == 0.0) {
            state.alpha[i] =
                problem->loss->best(problem->parameter, 0.0, 0.0, 0.0, data->x.row[i].y);
        }
    }
    *out = state;
    return SDCA_OK;
}

void sdca_state_free(sdca_state *state)
{
    free(state->alpha);
    free(state->w);
    *state = (sdca_state){ 0 };
}

void sdca_state_copy(const sdca_dataset *data, const sdca_state *from, sdca_state *to)
{
    memcpy(to->alpha, from->alpha, data->x.count * sizeof *to->alpha);
    memcpy(to->w, from->w, (size_t)data->columns * sizeof *to->w);
    to->round = from->round;
    to->steps = from->steps;
}

void sdca_state_rebuild(MPI_Comm comm, const sdca_problem *problem,
                        const sdca_dataset *data, sdca_state *state)
{
    memset(state->w, 0, (size_t)data->columns * sizeof *state->w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        if (state->alpha[i] != 0.0) {
            sdca_rows_axpy(&data->x, i, state->alpha[i], state->w);
        }
    }
    sdca_comm_allreduce_sum(comm, state->w, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        state->w[j] *= problem->C;
    }
}

double sdca_state_epochs(const sdca_problem *problem, const sdca_state *state)
{
    return (double)state->steps / (double)problem->rows;
}
