/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - a data set that is distributed by rows. */
#include "data/dataset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compensated_sum.h"
#include "data/class_weights.h"
#include "data/standardization.h"
#include "data/weights.h"
#include "mpi/comm.h"

static uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25U;
    return hash ^ (hash >> 28);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint64_t sdca_dataset_row_hash(int64_t row, double label, uint64_t entries)
{
    return hash_mix(hash_mix((uint64_t)row, bits_of(label)), entries);
}

uint64_t sdca_dataset_weight_hash(int64_t row, double weight)
{
    const uint64_t salt = 0x5851f42d4c957f2dU; /* unlike that of a row */

    return weight == 1.0
               ? 0
               : hash_mix(hash_mix((uint64_t)row ^ salt, bits_of(weight)), salt);
}

int64_t sdca_dataset_global_row(const sdca_dataset *data, uint32_t i)
{
    return data->local_range.first + sdca_permutation_invert(&data->shuffle, i);
}

double sdca_dataset_mean_curvature(const sdca_dataset *data, double lambda)
{
    return data->mean_norm2 / (lambda * (double)data->rows);
}

sdca_range sdca_dataset_find_local_range(MPI_Comm comm, int64_t rows)
{
    sdca_range range = { 0, rows };

    MPI_Exscan(&rows, &range.first, 1, MPI_INT64_T, MPI_SUM, comm);
    if (sdca_comm_rank(comm) == 0) {
        range.first = 0; /* MPI_Exscan leaves it undefined on rank 0 */
    }
    return range;
}

/* Counts over all ranks. The fingerprint is a sum over rows and so does not depend on
 * which rank has which row. Collective. */
static void reduce_counts(MPI_Comm comm, sdca_dataset *data)
{
    int64_t sum[3] = { data->x.count, data->nonzeros, (int64_t)data->fingerprint };

    sdca_comm_allreduce_sum_int64(comm, sum, 3);
    data->rows     = sum[0];
    data->nonzeros = sum[1];
    data->columns  = data->x.columns;
    data->fingerprint =
        hash_mix((uint64_t)sum[2], (uint64_t)sdca_dataset_feature_count(data));
}

/* Weighted sums over the rows of all ranks. Collective. */
static void reduce_weights(MPI_Comm comm, sdca_dataset *data)
{
    double          sums[3] = { 0.0 }; /* of 1, |x|^2 and error^2 |x|^2 */
    compensated_sum weights = { 0.0, 0.0 };

    for (uint32_t i = 0; i < data->x.count; i++) {
        const sdca_row *row     = &data->x.row[i];
        int64_t         entries = row[1].start - row[0].start;
        double          error   = sdca_rows_dot_error(entries);
        double          weight  = sdca_dataset_weight(data, i);

        compensated_add(&weights, weight);
        sums[1] += weight * row->norm2;
        sums[2] += weight * error * error * (row->norm2 + (double)entries * DBL_MIN);
    }
    sums[0] = compensated_value(&weights);
    sdca_comm_allreduce_sum(comm, sums, 3);
    data->total_weight  = sums[0];
    data->mean_norm2    = sums[0] > 0.0 ? sums[1] / sums[0] : 0.0;
    data->margin_error2 = sums[0] > 0.0 ? sums[2] / sums[0] : 0.0;
}

/* Weights that are all 1 are left out, on all ranks. Collective. */
static void drop_unit_weights(MPI_Comm comm, sdca_dataset *draft)
{
    double others = 0.0;

    if (draft->weight == NULL) {
        return;
    }
    for (uint32_t i = 0; i < draft->x.count; i++) {
        others = draft->weight[i] != 1.0 ? 1.0 : others;
    }
    sdca_comm_allreduce_max(comm, &others, 1);
    if (others == 0.0) {
        free(draft->weight);
        draft->weight = NULL;
    }
}

/* Number the columns as its map does, and leave out those that it lacks. Collective. */
static sdca_status apply_column_map(MPI_Comm comm, sdca_dataset *data)
{
    sdca_status status =
        sdca_comm_agree(comm, sdca_used_columns_apply(data->column_map, &data->x));

    data->columns = data->x.columns;
    return status;
}

/* The columns that options ask for. Norms stay those of all columns. Collective. */
static sdca_status select_columns(MPI_Comm comm, const sdca_dataset_options *options,
                                  sdca_dataset *data)
{
    const sdca_dataset *other  = options->columns_of;
    sdca_status         status = SDCA_OK;

    if (options->limit_columns || other != NULL) {
        data->file_columns = data->columns;
        data->columns =
            other != NULL ? sdca_dataset_feature_count(other) : options->max_columns;
        sdca_rows_truncate(&data->x, data->columns);
    }
    if (other != NULL && other->column_map != NULL) { /* without its bias column */
        SDCA_TRY(
            sdca_comm_agree(comm, sdca_used_columns_copy(other->column_map, data->columns,
                                                         &data->column_map)));
    } else if (options->compact_columns) {
        SDCA_TRY(sdca_used_columns_create(comm, &data->x, &data->column_map));
    }
    if (data->column_map != NULL) {
        SDCA_TRY(apply_column_map(comm, data));
    }

done:
    return status;
}

/* Standardise the columns, and choose the constant one. Collective. */
static sdca_status transform_columns(MPI_Comm comm, const char *name,
                                     const sdca_dataset_options *options,
                                     sdca_dataset               *data)
{
    const sdca_dataset *other  = options->columns_of;
    sdca_status         status = SDCA_OK;

    if (other != NULL && other->scale != NULL) {
        SDCA_TRY(sdca_standardization_apply_like(comm, other, data));
    }
    if (options->standardize != SDCA_STANDARDIZE_NONE) {
        SDCA_TRY(sdca_standardization_apply(comm, name, options->standardize, data));
        reduce_weights(comm, data);
    }
    if (data->intercept) {
        sdca_standardization_set_constant(data);
        reduce_weights(comm, data);
    }

done:
    return status;
}

sdca_status sdca_dataset_finish(MPI_Comm comm, const char *name,
                                const sdca_dataset_options *options, sdca_dataset *draft,
                                sdca_dataset **out)
{
    sdca_status   status = SDCA_OK;
    sdca_dataset *data   = malloc(sizeof *data);

    SDCA_TRY(sdca_comm_agree(
        comm,
        data != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a data set")));
    reduce_counts(comm, draft);
    SDCA_TRY(sdca_labels_encode(comm, draft, name, options->task, options->positive,
                                options->classes));
    if (options->class_weight != NULL && draft->has_labels) {
        SDCA_TRY(sdca_class_weights_apply(comm, options->class_weight, name, draft));
    }
    drop_unit_weights(comm, draft);
    reduce_weights(comm, draft);
    if (draft->weight != NULL) { /* the sum is the same on all ranks */
        SDCA_TRY(sdca_weights_check_total(name, draft->total_weight));
    }
    SDCA_TRY(select_columns(comm, options, draft));
    SDCA_TRY(transform_columns(comm, name, options, draft));
    draft->task = options->classes == NULL ? options->task : SDCA_TASK_NONE;
    *data       = *draft;
    *draft      = (sdca_dataset){ 0 };
    *out        = data;
    data        = NULL; /* now the caller's */

done:
    free(data);
    return status;
}

/* Norms and hashes of the rows, which are divided by their norms on request. */
static void compute_norms(sdca_dataset *draft)
{
    for (uint32_t i = 0; i < draft->x.count; i++) {
        sdca_row *row = &draft->x.row[i];

        row->y     = draft->has_labels ? row->y : 0.0;
        row->norm2 = sdca_rows_norm2(&draft->x, i);
        draft->fingerprint += sdca_dataset_row_hash(draft->local_range.first + i, row->y,
                                                    sdca_rows_hash(&draft->x, i));
        if (draft->normalized && row->norm2 > 0.0) {
            sdca_rows_scale(&draft->x, i, 1.0 / sqrt(row->norm2));
            row->norm2 = sdca_rows_norm2(&draft->x, i);
        }
    }
}

sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, bool has_labels,
                                const sdca_dataset_options *options, sdca_dataset **out)
{
    const sdca_dataset_options defaults  = { .normalize = false };
    bool                       normalize = options != NULL && options->normalize;
    sdca_status                status    = SDCA_OK;
    sdca_dataset draft = { .x = *x, .has_labels = has_labels, .normalized = normalize };

    draft.nonzeros    = x->row[x->count].start;
    draft.local_range = sdca_dataset_find_local_range(comm, x->count);
    compute_norms(&draft);
    SDCA_TRY(sdca_dataset_finish(comm, "memory", options != NULL ? options : &defaults,
                                 &draft, out));
    *x = (sdca_rows){ 0 };

done:
    free(draft.weight);
    free(draft.class_factor);
    free(draft.scale);
    free(draft.mean);
    sdca_classes_free(&draft.classes);
    sdca_used_columns_free(draft.column_map);
    return status;
}

int32_t sdca_dataset_feature_count(const sdca_dataset *data)
{
    int32_t columns = data->column_map != NULL ? sdca_used_columns_total(data->column_map)
                                               : data->x.columns;

    return columns - (data->bias > 0.0);
}

void sdca_dataset_free(sdca_dataset *data)
{
    if (data != NULL) {
        sdca_rows_free(&data->x);
        free(data->weight);
        free(data->class_factor);
        free(data->scale);
        free(data->mean);
        free(data->fold);
        sdca_classes_free(&data->classes);
        sdca_string_list_free(&data->class_names);
        sdca_used_columns_free(data->column_map);
        free(data->source_row);
        free(data);
    }
}
