/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold_groups.c - folds of whole groups of rows.
 *
 * Each rank counts its rows by group and class, rank 0 adds up the counts and divides the
 * groups, and all ranks look up theirs. */
#include "data/fold_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/obs_column.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

/* Groups that are read at a time. */
enum { WINDOW = 2048 };

/* Rows of one group and class. */
typedef struct group_count {
    double group;
    double label; /* the number of the class */
    double rows;
} group_count;
enum { COUNT_WIDTH = sizeof(group_count) / sizeof(double) };

/* A group with its counts, which are count[first] and those after it. */
typedef struct fold_group {
    double   value;
    int64_t  first;
    int64_t  counts;
    double   rows;
    uint64_t order; /* random, to decide between groups of the same size */
    int32_t  fold;
} fold_group;

/* The group of a row, or what is said about it. */
typedef struct group_fold {
    double value;
    double fold;
} group_fold;

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_counts(const void *left, const void *right)
{
    const group_count *a = left, *b = right;
    int                by_group = compare_doubles(a->group, b->group);

    return by_group != 0 ? by_group : compare_doubles(a->label, b->label);
}

/* The largest first. */
static int compare_groups(const void *left, const void *right)
{
    const fold_group *a = left, *b = right;
    int               by_rows = compare_doubles(b->rows, a->rows);

    return by_rows != 0           ? by_rows
           : a->order != b->order ? (a->order > b->order) - (a->order < b->order)
                                  : compare_doubles(a->value, b->value);
}

static int compare_values(const void *left, const void *right)
{
    return compare_doubles(((const group_fold *)left)->value,
                           ((const group_fold *)right)->value);
}

/* Where the groups of the rows are. */
typedef struct group_source {
    const sdca_fold_options *options;
    sdca_obs_column          column; /* of obs, if the file has it there */
    sdca_hdf5_array         *array;  /* else any array; or NULL */
} group_source;

/* Open the column of obs of that name, or else the array. */
static sdca_status open_groups(sdca_hdf5_file *h5, const sdca_dataset *data,
                               group_source *out)
{
    const sdca_fold_options *options = out->options;
    const char              *name    = options->groups;
    int64_t          rows   = data->source_row != NULL ? data->source_rows : data->rows;
    sdca_status      status = SDCA_OK;
    char             path[512];
    sdca_array_shape shape;
    bool             found;

    snprintf(path, sizeof path, "obs/%s", name);
    if (sdca_hdf5_has_array(h5, path) || sdca_hdf5_has_group(h5, path)) {
        return sdca_obs_column_open(h5, "obs", name, rows, &out->column);
    }
    found = sdca_hdf5_has_array(h5, name);
    if (!found || sdca_hdf5_has_strings(h5, name)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no %s '%s' to group rows by", options->path,
                         found ? "categories or numbers" : "array or column of obs",
                         name);
    }
    SDCA_TRY(sdca_hdf5_check_shape(h5, name, 1, &shape));
    if (shape.extent[0] != rows) {
        return SDCA_FAIL(SDCA_DATA, "'%s' of '%s' has %lld groups for %lld rows", name,
                         options->path, (long long)shape.extent[0], (long long)rows);
    }
    SDCA_TRY(sdca_hdf5_open_array(h5, name, SDCA_FLOAT64, &out->array));

done:
    return status;
}

/* Read the groups of consecutive rows of the file. */
static sdca_status read_window(const group_source *source, sdca_range rows, double *value)
{
    return source->array != NULL ? sdca_hdf5_read_array(source->array, rows, value)
                                 : sdca_obs_column_read(&source->column, rows, value);
}

/* The number of rows from row k on that a window of the file has, and that window. */
static int64_t find_window(const sdca_dataset *data, int64_t k, sdca_range *window)
{
    int64_t first = sdca_dataset_source_row(data, k), next = k + 1;

    while (next < data->local_range.count &&
           sdca_dataset_source_row(data, next) < first + WINDOW) {
        next++;
    }
    *window = (sdca_range){ first, sdca_dataset_source_row(data, next - 1) - first + 1 };
    return next - k;
}

/* Read the groups of my rows into value[], by row of x. */
static sdca_status read_values(sdca_hdf5_file *h5, const sdca_fold_options *options,
                               const sdca_dataset *data, double *value)
{
    sdca_status  status = SDCA_OK;
    group_source source = { .options = options };
    double       read[WINDOW];

    SDCA_TRY(open_groups(h5, data, &source));
    for (int64_t at = 0; at < data->local_range.count;) {
        sdca_range window;
        int64_t    count = find_window(data, at, &window);

        SDCA_TRY(read_window(&source, window, read));
        for (int64_t k = at; k < at + count; k++) {
            int64_t  row   = sdca_dataset_source_row(data, k);
            double   group = read[row - window.first];
            uint32_t i     = data->shuffle.count > 0
                                 ? sdca_permutation_apply(&data->shuffle, (uint32_t)k)
                                 : (uint32_t)k;

            if (!isfinite(group)) {
                status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the group is not a number",
                                   options->path, (long long)row);
                goto done;
            }
            value[i] = group;
        }
        at += count;
    }

done:
    sdca_hdf5_close_array(source.array);
    sdca_obs_column_close(&source.column);
    return status;
}

/* The same with the file. Collective. */
static sdca_status read_groups(MPI_Comm comm, const sdca_fold_options *options,
                               const sdca_dataset *data, double *value)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *h5     = NULL;

    SDCA_TRY(sdca_hdf5_open(comm, options->path, &h5));
    if (options->follow_links) {
        sdca_hdf5_follow_external_links(h5);
    }
    SDCA_TRY(sdca_comm_agree(comm, read_values(h5, options, data, value)));

done:
    sdca_hdf5_close(h5);
    return status;
}

/* Sort counts and add up those of the same group and class; returns how many are left. */
static int64_t merge_counts(group_count *count, int64_t length)
{
    int64_t kept = 0;

    qsort(count, (size_t)length, sizeof *count, compare_counts);
    for (int64_t k = 0; k < length; k++) {
        if (kept > 0 && compare_counts(&count[kept - 1], &count[k]) == 0) {
            count[kept - 1].rows += count[k].rows;
        } else {
            count[kept++] = count[k];
        }
    }
    return kept;
}

/* My rows by group and class. */
static int64_t count_rows(const sdca_dataset *data, const double *value,
                          group_count *count)
{
    int64_t length = 0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        if (data->fold[i] >= 0) {
            int label = data->classes.count > 0
                            ? sdca_classes_decode(&data->classes, data->x.row[i].y)
                            : 0;

            count[length++] = (group_count){ value[i], label, 1.0 };
        }
    }
    return merge_counts(count, length);
}

/* All counts, on rank 0. */
typedef struct all_counts {
    double *number;
    int64_t length;
    int64_t room;
} all_counts;

static sdca_status append_counts(void *context, const double *number, int64_t length)
{
    all_counts *all = context;

    if (all->length + length > all->room) {
        int64_t room  = 2 * (all->length + length);
        double *wider = sdca_alloc_array((size_t)room, sizeof *wider);

        if (wider == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for the groups of %lld rows",
                             (long long)(all->length / COUNT_WIDTH));
        }
        if (all->length > 0) {
            memcpy(wider, all->number, (size_t)all->length * sizeof *wider);
        }
        free(all->number);
        all->number = wider;
        all->room   = room;
    }
    memcpy(all->number + all->length, number, (size_t)length * sizeof *number);
    all->length += length;
    return SDCA_OK;
}

/* The groups of merged counts. */
static int64_t list_groups(const group_count *count, int64_t length, uint64_t seed,
                           fold_group *group)
{
    int64_t groups = 0;

    for (int64_t k = 0; k < length; k++) {
        if (groups == 0 || group[groups - 1].value != count[k].group) {
            sdca_random stream =
                sdca_random_stream(seed, SDCA_STREAM_FOLD, (uint64_t)groups, 1);

            group[groups++] = (fold_group){ .value = count[k].group,
                                            .first = k,
                                            .order = sdca_random_bits(&stream) };
        }
        group[groups - 1].rows += count[k].rows;
        group[groups - 1].counts++;
    }
    return groups;
}

/* What a group adds to sum_f sum_c (share of class c in fold f)^2 in this fold, which is
 * least where the shares are even; empty folds come first. */
static double cost_of_fold(const group_count *count, const fold_group *group,
                           const double *share, const double *total, int classes)
{
    double cost = 0.0, rows = 0.0;

    for (int64_t k = group->first; k < group->first + group->counts; k++) {
        int    c   = (int)count[k].label;
        double add = count[k].rows / total[c];

        cost += add * (2.0 * share[c] + add);
    }
    for (int c = 0; c < classes; c++) {
        rows += share[c];
    }
    return rows == 0.0 ? -1.0 : cost;
}

/* Give each group, the largest first, its fold. share and total are scratch: folds x
 * classes and classes numbers, all 0. */
static void divide_groups(const group_count *count, int64_t length, int folds,
                          int classes, fold_group *group, int64_t groups, double *share,
                          double *total)
{
    for (int64_t k = 0; k < length; k++) {
        total[(int)count[k].label] += count[k].rows;
    }
    qsort(group, (size_t)groups, sizeof *group, compare_groups);
    for (int64_t g = 0; g < groups; g++) {
        double least = INFINITY;

        for (int f = 0; f < folds; f++) {
            double cost = cost_of_fold(
                count, &group[g], share + (size_t)f * (size_t)classes, total, classes);

            if (cost < least) {
                least         = cost;
                group[g].fold = f;
            }
        }
        for (int64_t k = group[g].first; k < group[g].first + group[g].counts; k++) {
            int c = (int)count[k].label;

            share[(size_t)group[g].fold * (size_t)classes + (size_t)c] +=
                count[k].rows / total[c];
        }
    }
}

/* Allocate the folds of groups. *out is the caller's. */
static sdca_status make_folds(int64_t groups, group_fold **out)
{
    *out = sdca_alloc_array((size_t)groups, sizeof **out);
    return *out != NULL ? SDCA_OK
                        : SDCA_FAIL(SDCA_MEMORY, "no memory for the folds of %lld groups",
                                    (long long)groups);
}

/* Divide the groups of all counts, on rank 0. *out is the caller's. */
static sdca_status divide(const sdca_fold_options *options, int classes, all_counts *all,
                          group_fold **out, int64_t *groups)
{
    sdca_status  status  = SDCA_OK;
    group_count *count   = (group_count *)all->number;
    int64_t      length  = merge_counts(count, all->length / COUNT_WIDTH);
    size_t       numbers = (size_t)classes * ((size_t)options->count + 1);
    fold_group  *group   = sdca_alloc_array((size_t)length, sizeof *group);
    double      *share   = sdca_alloc_zeroed(numbers, sizeof *share);

    if (group == NULL || share == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to divide groups of %lld rows",
                           (long long)length);
        goto done;
    }
    SDCA_TRY(make_folds(length, out));
    *groups = list_groups(count, length, options->seed, group);
    if (*groups < options->count) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' of '%s' has %lld group%s, fewer than the %d folds",
                      options->groups, options->path, (long long)*groups,
                      *groups == 1 ? "" : "s", options->count);
        goto done;
    }
    divide_groups(count, length, options->count, classes, group, *groups, share,
                  share + (size_t)classes * (size_t)options->count);
    for (int64_t g = 0; g < *groups; g++) {
        (*out)[g] = (group_fold){ group[g].value, group[g].fold };
    }
    qsort(*out, (size_t)*groups, sizeof **out, compare_values);

done:
    free(group);
    free(share);
    return status;
}

/* The folds of all groups, to all ranks. Collective. */
static sdca_status share_folds(MPI_Comm comm, group_fold **fold, int64_t *groups)
{
    sdca_status status = SDCA_OK;

    sdca_comm_broadcast(comm, groups, sizeof *groups);
    if (sdca_comm_rank(comm) > 0) {
        status = make_folds(*groups, fold);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    for (int64_t g = 0; g < *groups; g += WINDOW) {
        int64_t count = *groups - g < WINDOW ? *groups - g : WINDOW;

        sdca_comm_broadcast(comm, *fold + g, (int)(count * (int64_t)sizeof **fold));
    }

done:
    return status;
}

sdca_status sdca_fold_groups_assign(MPI_Comm comm, const sdca_fold_options *options,
                                    sdca_dataset *data)
{
    sdca_status  status  = SDCA_OK;
    bool         first   = sdca_comm_rank(comm) == 0;
    int          classes = data->classes.count > 0 ? data->classes.count : 1;
    int64_t      length = 0, groups = 0;
    all_counts   all   = { NULL, 0, 0 };
    group_fold  *fold  = NULL;
    double      *value = sdca_alloc_array((size_t)data->x.count + 1, sizeof *value);
    group_count *count = sdca_alloc_array((size_t)data->x.count + 1, sizeof *count);

    if (value == NULL || count == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the groups of %lld rows",
                           (long long)data->x.count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    SDCA_TRY(read_groups(comm, options, data, value));
    length = count_rows(data, value, count);
    SDCA_TRY(
        sdca_comm_gather(comm, &count->group, length * COUNT_WIDTH, append_counts, &all));
    SDCA_TRY(sdca_comm_agree(comm, first ? divide(options, classes, &all, &fold, &groups)
                                         : SDCA_OK));
    SDCA_TRY(share_folds(comm, &fold, &groups));
    for (uint32_t i = 0; i < data->x.count; i++) {
        const group_fold  mine = { value[i], 0.0 };
        const group_fold *found =
            bsearch(&mine, fold, (size_t)groups, sizeof mine, compare_values);

        data->fold[i] = data->fold[i] >= 0 && found != NULL ? (int32_t)found->fold : -1;
    }

done:
    free(all.number);
    free(fold);
    free(value);
    free(count);
    return status;
}
