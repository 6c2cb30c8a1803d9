/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - my rows of a data set that all ranks share. */
#include "data/dataset.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/printable.h"
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

int64_t sdca_dataset_global_row(const sdca_dataset *data, uint32_t i)
{
    return data->local_range.first + sdca_permutation_invert(&data->shuffle, i);
}

/* Which rows are mine, if the ranks have theirs in rank order? Collective. */
static sdca_range find_local_range(MPI_Comm comm, int64_t rows)
{
    sdca_range range = { 0, rows };

    MPI_Exscan(&rows, &range.first, 1, MPI_INT64_T, MPI_SUM, comm);
    if (sdca_comm_rank(comm) == 0) {
        range.first = 0; /* MPI_Exscan leaves rank 0's undefined */
    }
    return range;
}

/* Facts that need the whole data set. Shares of the fingerprint are added up, so
 * that it does not matter which rank has which row. Collective. */
static void reduce_statistics(MPI_Comm comm, sdca_dataset *data)
{
    int64_t sum[3]  = { data->x.count, data->nonzeros, (int64_t)data->fingerprint };
    double  norm[3] = { 0.0, 0.0, 0.0 }; /* |x|^2, |x|^4, and |x|^2 as errors grow */

    for (uint32_t i = 0; i < data->x.count; i++) {
        const sdca_row *row     = &data->x.row[i];
        int64_t         entries = row[1].start - row[0].start;
        double          error   = sdca_rows_dot_error(entries);

        norm[0] += row->norm2;
        norm[1] += row->norm2 * row->norm2;
        norm[2] += error * error * (row->norm2 + (double)entries * DBL_MIN);
    }
    sdca_comm_allreduce_sum(comm, norm, 3);
    sdca_comm_allreduce_sum_int64(comm, sum, 3);
    data->rows             = sum[0];
    data->mean_norm2       = sum[0] > 0 ? norm[0] / (double)sum[0] : 0.0;
    data->norm2_dispersion = norm[0] > 0.0 ? norm[1] / norm[0] / data->mean_norm2 : 1.0;
    data->margin_error2    = sum[0] > 0 ? norm[2] / (double)sum[0] : 0.0;
    data->nonzeros         = sum[1];
    data->columns          = data->x.columns;
    data->fingerprint =
        hash_mix((uint64_t)sum[2], (uint64_t)sdca_dataset_feature_count(data));
}

sdca_status sdca_dataset_assemble(MPI_Comm comm, sdca_dataset *draft, sdca_dataset **out)
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
    reduce_statistics(comm, data);
    *out = data;
    return SDCA_OK;
}

/* Measure the rows of a draft, and divide them by their lengths on request. */
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
                                bool normalize, sdca_dataset **out)
{
    sdca_status  status = SDCA_OK;
    sdca_dataset draft  = { .x = *x, .has_labels = has_labels, .normalized = normalize };

    draft.nonzeros    = x->row[x->count].start;
    draft.local_range = find_local_range(comm, x->count);
    compute_norms(&draft);
    SDCA_TRY(sdca_dataset_assemble(comm, &draft, out));
    *x = (sdca_rows){ 0 };

done:
    return status;
}

int32_t sdca_dataset_feature_count(const sdca_dataset *data)
{
    int32_t columns = data->column_map != NULL ? sdca_column_map_total(data->column_map)
                                               : data->x.columns;

    return columns - (data->bias > 0.0);
}

static sdca_status apply_column_map(MPI_Comm comm, sdca_dataset *data,
                                    const sdca_column_map *map)
{
    sdca_status status = sdca_comm_agree(comm, sdca_column_map_apply(map, &data->x));

    data->columns = data->x.columns;
    return status;
}

sdca_status sdca_dataset_compact_columns(MPI_Comm comm, sdca_dataset *data)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_column_map_create(comm, &data->x, &data->column_map));
    if (data->column_map != NULL) {
        SDCA_TRY(apply_column_map(comm, data, data->column_map));
    }

done:
    return status;
}

sdca_status sdca_dataset_match_columns(MPI_Comm comm, sdca_dataset *data,
                                       const sdca_dataset *other)
{
    return other->column_map != NULL ? apply_column_map(comm, data, other->column_map)
                                     : SDCA_OK;
}

double sdca_dataset_intercept(const sdca_dataset *data, const double *w)
{
    return data->bias > 0.0 ? data->bias * w[data->x.columns - 1] : 0.0;
}

void sdca_dataset_free(sdca_dataset *data)
{
    if (data != NULL) {
        sdca_rows_free(&data->x);
        sdca_string_list_free(&data->class_names);
        sdca_column_map_free(data->column_map);
        free(data);
    }
}

/* A label of the data set, for a sentence. */
static void format_label(const sdca_dataset *data, double y,
                         char text[SDCA_CLASS_NAME_SIZE])
{
    if (data->class_names.count > 0) {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%s", data->class_names.text[(int64_t)y]);
    } else {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%g", y);
    }
}

enum { MAX_LABELS = 20 }; /* that are counted, where two are wanted */

/* The first row of the file whose label is none of these, and that label; -1: there is
 * none. Collective. */
static int64_t find_unlisted_label(MPI_Comm comm, const sdca_dataset *data,
                                   const double *known, int count, double *label)
{
    double first = INFINITY, local_first = INFINITY;

    *label = -INFINITY;
    for (uint32_t i = 0; i < data->x.count; i++) {
        double row = (double)sdca_dataset_global_row(data, i);
        int    k   = 0;

        while (k < count && data->x.row[i].y != known[k]) {
            k++;
        }
        if (k == count && row < local_first) {
            local_first = row;
            *label      = data->x.row[i].y;
        }
    }
    first = local_first;
    sdca_comm_allreduce_min(comm, &first, 1);
    *label = local_first == first ? *label : -INFINITY;
    sdca_comm_allreduce_max(comm, label, 1);
    return isinf(first) ? -1 : (int64_t)first;
}

/* There are more labels than two: how many, in the order of the file? Collective. */
static sdca_status fail_too_many_labels(MPI_Comm comm, const sdca_dataset *data,
                                        const char *name)
{
    double  label[MAX_LABELS] = { 0.0 };
    int64_t row = 0, third = 0;
    int     count = 0;
    char    text[3][SDCA_CLASS_NAME_SIZE];

    while (count < MAX_LABELS &&
           (row = find_unlisted_label(comm, data, label, count, &label[count])) >= 0) {
        count++;
        third = count == 3 ? row : third;
    }
    for (int k = 0; k < 3; k++) {
        format_label(data, label[k], text[k]);
    }
    return SDCA_FAIL(
        SDCA_DATA,
        "'%s' has %s%d different labels (%s, %s, %s%s; the third first in row %lld), "
        "where two are wanted: %s",
        name, count == MAX_LABELS ? "at least " : "", count, text[0], text[1], text[2],
        count > 3 ? ", ..." : "", (long long)third,
        data->class_names.count > 0
            ? "make them two, as words are no numbers for regression"
            : "choose a loss for regression, or make them two");
}

/* Labels that are words have the values 0 and 1. */
static sdca_status set_class_names(const sdca_string_list *class_names, const char *path,
                                   sdca_classes *classes)
{
    for (int k = 0; k < 2; k++) {
        const char *name = class_names->text[(int64_t)classes->value[k]];

        if (strlen(name) >= SDCA_CLASS_NAME_SIZE) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s' has the label '%.20s...', which is longer "
                             "than %d bytes",
                             path, name, SDCA_CLASS_NAME_SIZE - 1);
        }
        strcpy(classes->name[k], name);
    }
    classes->value[0] = 0.0;
    classes->value[1] = classes->count == 2 ? 1.0 : 0.0;
    return SDCA_OK;
}

sdca_status sdca_dataset_binarize_labels(MPI_Comm comm, sdca_dataset *data,
                                         const char *name, sdca_classes *classes)
{
    sdca_status status = SDCA_OK;
    double extremes[2] = { -INFINITY, -INFINITY }; /* minus the least, the greatest */
    double others      = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        extremes[0] = fmax(extremes[0], -data->x.row[i].y);
        extremes[1] = fmax(extremes[1], data->x.row[i].y);
    }
    sdca_comm_allreduce_max(comm, extremes, 2);
    extremes[0] = -extremes[0];
    for (uint32_t i = 0; i < data->x.count; i++) {
        others += data->x.row[i].y != extremes[0] && data->x.row[i].y != extremes[1];
    }
    sdca_comm_allreduce_max(comm, &others, 1);
    if (others > 0.0) {
        return fail_too_many_labels(comm, data, name);
    }
    *classes = (sdca_classes){ .count = extremes[0] < extremes[1] ? 2 : 1,
                               .value = { extremes[0], extremes[1] } };
    if (data->class_names.count > 0) {
        SDCA_TRY(set_class_names(&data->class_names, name, classes));
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        bool positive = classes->count == 2 ? data->x.row[i].y == extremes[1]
                                            : data->x.row[i].y > 0.0;

        data->x.row[i].y = positive ? 1.0 : -1.0;
    }

done:
    return status;
}

/* The values of the labels that each word of the data set stands for; NAN for none. */
static void match_class_names(const sdca_dataset *data, const sdca_classes *classes,
                              double *value)
{
    for (int64_t j = 0; j < data->class_names.count; j++) {
        value[j] = NAN;
        for (int k = 0; k < classes->count; k++) {
            if (strcmp(data->class_names.text[j], classes->name[k]) == 0) {
                value[j] = classes->value[k];
            }
        }
    }
}

/* What one rank does by itself. */
static sdca_status encode_class_names(sdca_dataset *data, const char *name,
                                      const sdca_classes *classes)
{
    double     *value  = sdca_alloc_array((size_t)data->class_names.count, sizeof *value);
    sdca_status status = SDCA_OK;

    if (value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'", name);
    }
    match_class_names(data, classes, value);
    for (uint32_t i = 0; status == SDCA_OK && i < data->x.count; i++) {
        int64_t j = (int64_t)data->x.row[i].y;

        if (isnan(value[j])) {
            status =
                SDCA_FAIL(SDCA_DATA,
                          "'%s', row %lld: the label is '%.40s', where the model "
                          "knows '%s' and '%s'",
                          name, (long long)sdca_dataset_global_row(data, i),
                          data->class_names.text[j], classes->name[0], classes->name[1]);
        } else {
            data->x.row[i].y = value[j];
        }
    }
    free(value);
    return status;
}

sdca_status sdca_dataset_encode_labels(MPI_Comm comm, sdca_dataset *data,
                                       const char *name, const sdca_classes *classes)
{
    bool named = classes->name[0][0] != '\0';

    if (!data->has_labels || (data->class_names.count == 0 && !named)) {
        return SDCA_OK;
    }
    if (data->class_names.count == 0 || !named) {
        return named ? SDCA_FAIL(SDCA_DATA,
                                 "the labels of '%s' are numbers, where the model has "
                                 "words",
                                 name)
                     : SDCA_FAIL(SDCA_DATA,
                                 "the labels of '%s' are words, where numbers are needed",
                                 name);
    }
    return sdca_comm_agree(comm, encode_class_names(data, name, classes));
}

int64_t sdca_dataset_count_unknown_labels(MPI_Comm comm, const sdca_dataset *data,
                                          const sdca_classes *classes)
{
    int64_t unknown = 0;

    if (!data->has_labels || classes->count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        unknown += data->x.row[i].y != classes->value[0] &&
                   data->x.row[i].y != classes->value[1];
    }
    sdca_comm_allreduce_sum_int64(comm, &unknown, 1);
    return unknown;
}

void sdca_classes_format(const sdca_classes *classes, int k,
                         char text[SDCA_CLASS_NAME_SIZE])
{
    if (classes->name[k][0] != '\0') {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%s", classes->name[k]);
        sdca_printable_sanitize(text);
    } else {
        snprintf(text, SDCA_CLASS_NAME_SIZE, "%g", classes->value[k]);
    }
}

double sdca_classes_predict(const sdca_classes *classes, double score)
{
    return classes->count == 0 ? score : classes->value[score > 0.0 ? 1 : 0];
}
