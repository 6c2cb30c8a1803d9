/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - my rows of a data set that all ranks share. */
#include "sdca/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"

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

/* A row's share of the fingerprint. Shares are added up, so that it does not
 * matter which rank has which row. */
static uint64_t hash_row(const sdca_rows *x, uint32_t i, int64_t row, double label)
{
    uint64_t hash = hash_word((uint64_t)row, bits_of(label));

    for (int64_t k = x->start[i]; k < x->start[i + 1]; k++) {
        hash = hash_word(hash + (uint64_t)sdca_rows_column(x, k),
                         bits_of(sdca_rows_value(x, k)));
    }
    return hash;
}

/* Facts that need the whole data set. Collective. */
static void sum_up(MPI_Comm comm, sdca_dataset *data)
{
    int64_t rows   = data->x.count;
    int64_t sum[3] = { rows, data->x.start[rows], 0 };

    MPI_Exscan(&rows, &data->mine.first, 1, MPI_INT64_T, MPI_SUM, comm);
    if (sdca_comm_rank(comm) == 0) {
        data->mine.first = 0; /* MPI_Exscan leaves rank 0's undefined */
    }
    data->mine.count = rows;
    for (uint32_t i = 0; i < data->x.count; i++) {
        uint64_t share = hash_row(&data->x, i, data->mine.first + i,
                                  data->y != NULL ? data->y[i] : 0.0);

        sum[2] = (int64_t)((uint64_t)sum[2] + share);
    }
    sdca_comm_sum_int64(comm, sum, 3);
    data->rows        = sum[0];
    data->nonzeros    = sum[1];
    data->columns     = data->x.columns;
    data->fingerprint = hash_word((uint64_t)sum[2], (uint64_t)data->columns);
}

sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, double *y, bool normalize,
                                sdca_dataset **out)
{
    sdca_status   status = SDCA_OK;
    sdca_dataset *data   = calloc(1, sizeof *data);
    double       *norm2  = malloc(((size_t)x->count + 1) * sizeof *norm2);

    if (data == NULL || norm2 == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the norms of %lu rows",
                           (unsigned long)x->count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    data->x          = *x;
    data->y          = y;
    data->norm2      = norm2;
    data->normalized = normalize;
    norm2            = NULL;
    *x               = (sdca_rows){ 0 };
    sum_up(comm, data);
    for (uint32_t i = 0; i < data->x.count; i++) {
        data->norm2[i] = sdca_rows_norm2(&data->x, i);
        if (normalize && data->norm2[i] > 0.0) {
            sdca_rows_scale(&data->x, i, 1.0 / sqrt(data->norm2[i]));
            data->norm2[i] = sdca_rows_norm2(&data->x, i);
        }
    }
    *out = data;
    data = NULL; /* now the caller's */

done:
    free(norm2);
    free(data);
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
                name, ends[0], ends[1], (long long)(data->mine.first + i), data->y[i]);
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
