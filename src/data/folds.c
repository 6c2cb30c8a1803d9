/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folds.c - parts of a data set that take turns at being held out of training. */
#include "data/folds.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "data/fold_groups.h"
#include "mpi/comm.h"

/* Rows that are permuted together. */
static const int64_t block_rows = INT64_C(1) << 31;

/* A part of the rows that is divided evenly: a class, or all rows of a regression. */
static int stratum_of(const sdca_dataset *data, uint32_t i)
{
    return data->classes.count > 0 ? sdca_classes_decode(&data->classes, data->x.row[i].y)
                                   : 0;
}

static int count_strata(const sdca_dataset *data)
{
    return data->classes.count > 0 ? data->classes.count : 1;
}

/* The index in x of row k of my range. */
static uint32_t row_at(const sdca_dataset *data, int64_t k)
{
    return data->shuffle.count > 0 ? sdca_permutation_apply(&data->shuffle, (uint32_t)k)
                                   : (uint32_t)k;
}

/* Fail if rows are too few. The counts are those of all ranks. */
static sdca_status check_counts(const sdca_fold_options *options,
                                const sdca_dataset *data, const int64_t *count)
{
    int64_t rows = 0;

    for (int k = 0; k < count_strata(data); k++) {
        rows += count[k];
    }
    if (options->count > rows) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld row%s, fewer than the %d folds",
                         options->path, (long long)rows, rows == 1 ? "" : "s",
                         options->count);
    }
    if (options->count == rows) {
        return SDCA_FAIL(
            SDCA_DATA,
            "'%s' has %lld rows: %d folds would leave out one row at a time; choose "
            "fewer, or train one lambda with --keep-dual: verify then bounds the "
            "leave-one-out error of two classes without folds",
            options->path, (long long)rows, options->count);
    }
    for (int k = 0; k < data->classes.count; k++) {
        if (count[k] < options->count && options->groups == NULL) {
            char label[SDCA_CLASS_TEXT_SIZE];

            sdca_classes_format(&data->classes, k, label);
            return SDCA_FAIL(SDCA_DATA,
                             "label %s of '%s' has %lld row%s, fewer than the %d folds",
                             label, options->path, (long long)count[k],
                             count[k] == 1 ? "" : "s", options->count);
        }
    }
    return SDCA_OK;
}

/* The fold of row number k of a stratum with this many rows, whose first row comes after
 * offset rows of others. */
static int32_t choose_fold(const sdca_fold_options *options, int stratum, int64_t k,
                           int64_t count, int64_t offset)
{
    int64_t          first = k / block_rows * block_rows;
    int64_t          size  = count - first < block_rows ? count - first : block_rows;
    sdca_permutation order =
        sdca_permutation_create(options->seed, SDCA_STREAM_FOLD, (uint64_t)stratum,
                                (uint64_t)first, (uint32_t)size);
    int64_t at = first + sdca_permutation_apply(&order, (uint32_t)(k - first));

    return (int32_t)((at + offset) % options->count);
}

/* Divide each stratum. before[] has the numbers of its rows on the ranks before, and
 * counts on. */
static void divide_strata(const sdca_fold_options *options, const int64_t *count,
                          int64_t *before, sdca_dataset *data)
{
    for (int64_t k = 0; k < data->local_range.count; k++) {
        uint32_t i       = row_at(data, k);
        int      stratum = stratum_of(data, i);
        int64_t  offset  = 0;

        if (data->fold[i] < 0) {
            continue;
        }
        for (int s = 0; s < stratum; s++) {
            offset += count[s];
        }
        data->fold[i] =
            choose_fold(options, stratum, before[stratum]++, count[stratum], offset);
    }
}

/* Allocate the folds; 0 for rows that are to be in one. Local. */
static sdca_status make_room(sdca_dataset *data)
{
    free(data->fold);
    data->fold = sdca_alloc_array((size_t)data->x.count + 1, sizeof *data->fold);
    if (data->fold == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the folds of %lld rows",
                         (long long)data->x.count);
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        data->fold[i] = sdca_dataset_weight(data, i) > 0.0 ? 0 : -1;
    }
    return SDCA_OK;
}

sdca_status sdca_folds_assign(MPI_Comm comm, const sdca_fold_options *options,
                              sdca_dataset *data)
{
    sdca_status status = make_room(data);
    size_t      strata = (size_t)count_strata(data);
    int64_t    *count  = sdca_alloc_zeroed(2 * strata, sizeof *count);

    if (status == SDCA_OK && count == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for folds of %d classes",
                           count_strata(data));
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    for (uint32_t i = 0; i < data->x.count; i++) {
        count[stratum_of(data, i)] += data->fold[i] == 0;
    }
    MPI_Exscan(count, count + strata, (int)strata, MPI_INT64_T, MPI_SUM, comm);
    if (sdca_comm_rank(comm) == 0) {
        for (size_t k = 0; k < strata; k++) {
            count[strata + k] = 0;
        }
    }
    sdca_comm_allreduce_sum_int64(comm, count, (int64_t)strata);
    SDCA_TRY(check_counts(options, data, count));
    if (options->groups != NULL) {
        SDCA_TRY(sdca_fold_groups_assign(comm, options, data));
    } else {
        divide_strata(options, count, count + strata, data);
    }

done:
    free(count);
    return status;
}

void sdca_folds_weights(MPI_Comm comm, const sdca_dataset *data, int folds, double *out)
{
    for (int f = 0; f < folds; f++) {
        out[f] = 0.0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        if (data->fold[i] >= 0) {
            out[data->fold[i]] += sdca_dataset_weight(data, i);
        }
    }
    sdca_comm_allreduce_sum(comm, out, folds);
}
