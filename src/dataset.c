/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - my rows of a data set that all ranks share. */
#include "sdca/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/memory.h"

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9fb21c651e98df25U;
    return hash ^ (hash >> 28);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint64_t sdca_dataset_hash(int64_t row, double label, uint64_t entries)
{
    return hash_word(hash_word((uint64_t)row, bits_of(label)), entries);
}

int64_t sdca_dataset_row(const sdca_dataset *data, uint32_t i)
{
    return data->mine.first + sdca_random_origin(&data->places, i);
}

/* Which rows are mine, if the ranks have theirs in rank order? Collective. */
static sdca_range find_mine(MPI_Comm comm, int64_t rows)
{
    sdca_range mine = { 0, rows };

    MPI_Exscan(&rows, &mine.first, 1, MPI_INT64_T, MPI_SUM, comm);
    if (sdca_comm_rank(comm) == 0) {
        mine.first = 0; /* MPI_Exscan leaves rank 0's undefined */
    }
    return mine;
}

/* Facts that need the whole data set. Shares of the fingerprint are added up, so
 * that it does not matter which rank has which row. Collective. */
static void sum_up(MPI_Comm comm, sdca_dataset *data)
{
    int64_t sum[3] = { data->x.count, data->nonzeros, (int64_t)data->fingerprint };

    sdca_comm_sum_int64(comm, sum, 3);
    data->rows        = sum[0];
    data->nonzeros    = sum[1];
    data->columns     = data->x.columns;
    data->fingerprint = hash_word((uint64_t)sum[2], (uint64_t)data->columns);
}

sdca_status sdca_dataset_share(MPI_Comm comm, sdca_dataset *draft, sdca_dataset **out)
{
    sdca_dataset *data   = malloc(sizeof *data);
    sdca_status   status = sdca_comm_agree(
          comm,
        data != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a data set"));

    if (status != SDCA_OK) {
        free(data);
        return status;
    }
    *data  = *draft;
    *draft = (sdca_dataset){ 0 };
    sum_up(comm, data);
    *out = data;
    return SDCA_OK;
}

/* Measure the rows of a draft, and divide them by their lengths on request. */
static void measure_rows(sdca_dataset *draft)
{
    for (uint32_t i = 0; i < draft->x.count; i++) {
        draft->fingerprint +=
            sdca_dataset_hash(draft->mine.first + i, draft->y != NULL ? draft->y[i] : 0.0,
                              sdca_rows_hash(&draft->x, i));
        draft->norm2[i] = sdca_rows_norm2(&draft->x, i);
        if (draft->normalized && draft->norm2[i] > 0.0) {
            sdca_rows_scale(&draft->x, i, 1.0 / sqrt(draft->norm2[i]));
            draft->norm2[i] = sdca_rows_norm2(&draft->x, i);
        }
    }
}

sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, double *y, bool normalize,
                                sdca_dataset **out)
{
    sdca_status  status = SDCA_OK;
    sdca_dataset draft  = { .x = *x, .y = y, .normalized = normalize };

    draft.nonzeros = x->start[x->count];
    draft.norm2    = sdca_memory_allocate(x->count, sizeof *draft.norm2);
    if (draft.norm2 == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the norms of %lu rows",
                           (unsigned long)x->count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    draft.mine = find_mine(comm, x->count);
    measure_rows(&draft);
    SDCA_TRY(sdca_dataset_share(comm, &draft, out));
    *x = (sdca_rows){ 0 };

done:
    free(draft.norm2);
    return status;
}

void sdca_dataset_free(sdca_dataset *data)
{
    if (data != NULL) {
        sdca_rows_free(&data->x);
        free(data->y);
        free(data->norm2);
        free(data);
    }
}

sdca_status sdca_dataset_sign(MPI_Comm comm, sdca_dataset *data, const char *name,
                              sdca_labels *labels)
{
    sdca_status status  = SDCA_OK;
    double      ends[2] = { -INFINITY, -INFINITY }; /* minus the least, the greatest */

    for (uint32_t i = 0; i < data->x.count; i++) {
        ends[0] = fmax(ends[0], -data->y[i]);
        ends[1] = fmax(ends[1], data->y[i]);
    }
    sdca_comm_max(comm, ends, 2);
    ends[0] = -ends[0];
    for (uint32_t i = 0; status == SDCA_OK && i < data->x.count; i++) {
        if (data->y[i] != ends[0] && data->y[i] != ends[1]) {
            status = SDCA_FAIL(
                SDCA_DATA,
                "'%s' has more than two labels: %g, %g and, in row %lld, %g; "
                "choose a loss for regression, or make them two",
                name, ends[0], ends[1], (long long)sdca_dataset_row(data, i), data->y[i]);
        }
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    labels->count    = ends[0] < ends[1] ? 2 : 1;
    labels->value[0] = ends[0];
    labels->value[1] = ends[1];
    for (uint32_t i = 0; i < data->x.count; i++) {
        bool plus = labels->count == 2 ? data->y[i] == ends[1] : data->y[i] > 0.0;

        data->y[i] = plus ? 1.0 : -1.0;
    }

done:
    return status;
}

double sdca_labels_of_score(const sdca_labels *labels, double score)
{
    return labels->count == 0 ? score : labels->value[score > 0.0 ? 1 : 0];
}
