/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - my rows of a data set that all ranks share. */
#include "sdca/dataset.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/plain.h"

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
    return data->mine.first + sdca_permutation_invert(&data->places, i);
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
    data->rows          = sum[0];
    data->mean_norm2    = sum[0] > 0 ? norm[0] / (double)sum[0] : 0.0;
    data->uneven        = norm[0] > 0.0 ? norm[1] / norm[0] / data->mean_norm2 : 1.0;
    data->margin_error2 = sum[0] > 0 ? norm[2] / (double)sum[0] : 0.0;
    data->nonzeros      = sum[1];
    data->columns       = data->x.columns;
    data->fingerprint =
        hash_word((uint64_t)sum[2], (uint64_t)sdca_dataset_features(data));
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
        sdca_row *row = &draft->x.row[i];

        row->y     = draft->labels ? row->y : 0.0;
        row->alpha = 0.0;
        row->norm2 = sdca_rows_norm2(&draft->x, i);
        draft->fingerprint += sdca_dataset_hash(draft->mine.first + i, row->y,
                                                sdca_rows_hash(&draft->x, i));
        if (draft->normalized && row->norm2 > 0.0) {
            sdca_rows_scale(&draft->x, i, 1.0 / sqrt(row->norm2));
            row->norm2 = sdca_rows_norm2(&draft->x, i);
        }
    }
}

sdca_status sdca_dataset_create(MPI_Comm comm, sdca_rows *x, bool labels, bool normalize,
                                sdca_dataset **out)
{
    sdca_status  status = SDCA_OK;
    sdca_dataset draft  = { .x = *x, .labels = labels, .normalized = normalize };

    draft.nonzeros = x->row[x->count].start;
    draft.mine     = find_mine(comm, x->count);
    measure_rows(&draft);
    SDCA_TRY(sdca_dataset_share(comm, &draft, out));
    *x = (sdca_rows){ 0 };

done:
    return status;
}

int32_t sdca_dataset_features(const sdca_dataset *data)
{
    int32_t columns = data->used != NULL ? sdca_used_total(data->used) : data->x.columns;

    return columns - (data->bias > 0.0);
}

static sdca_status select_columns(MPI_Comm comm, sdca_dataset *data,
                                  const sdca_used *used)
{
    sdca_status status = sdca_comm_agree(comm, sdca_used_select(used, &data->x));

    data->columns = data->x.columns;
    return status;
}

sdca_status sdca_dataset_compact(MPI_Comm comm, sdca_dataset *data)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_used_find(comm, &data->x, &data->used));
    if (data->used != NULL) {
        SDCA_TRY(select_columns(comm, data, data->used));
    }

done:
    return status;
}

sdca_status sdca_dataset_follow(MPI_Comm comm, sdca_dataset *data,
                                const sdca_dataset *other)
{
    return other->used != NULL ? select_columns(comm, data, other->used) : SDCA_OK;
}

double sdca_dataset_bias(const sdca_dataset *data, const double *w)
{
    return data->bias > 0.0 ? data->bias * w[data->x.columns - 1] : 0.0;
}

void sdca_dataset_free(sdca_dataset *data)
{
    if (data != NULL) {
        sdca_rows_free(&data->x);
        sdca_string_list_free(&data->words);
        sdca_used_free(data->used);
        free(data);
    }
}

/* A label of the data set, for a sentence. */
static void show_label(const sdca_dataset *data, double y, char text[SDCA_LABEL_WORD])
{
    if (data->words.count > 0) {
        snprintf(text, SDCA_LABEL_WORD, "%s", data->words.text[(int64_t)y]);
    } else {
        snprintf(text, SDCA_LABEL_WORD, "%g", y);
    }
}

enum { LABELS = 20 }; /* that are counted, where two are wanted */

/* The first row of the file whose label is none of these, and that label; -1: there is
 * none. Collective. */
static int64_t find_other(MPI_Comm comm, const sdca_dataset *data, const double *known,
                          int count, double *label)
{
    double first = INFINITY, mine = INFINITY;

    *label = -INFINITY;
    for (uint32_t i = 0; i < data->x.count; i++) {
        double row = (double)sdca_dataset_row(data, i);
        int    k   = 0;

        while (k < count && data->x.row[i].y != known[k]) {
            k++;
        }
        if (k == count && row < mine) {
            mine   = row;
            *label = data->x.row[i].y;
        }
    }
    first = mine;
    sdca_comm_allreduce_min(comm, &first, 1);
    *label = mine == first ? *label : -INFINITY;
    sdca_comm_allreduce_max(comm, label, 1);
    return isinf(first) ? -1 : (int64_t)first;
}

/* There are more labels than two: how many, in the order of the file? Collective. */
static sdca_status many_labels(MPI_Comm comm, const sdca_dataset *data, const char *name)
{
    double  label[LABELS] = { 0.0 };
    int64_t row = 0, third = 0;
    int     count = 0;
    char    text[3][SDCA_LABEL_WORD];

    while (count < LABELS &&
           (row = find_other(comm, data, label, count, &label[count])) >= 0) {
        count++;
        third = count == 3 ? row : third;
    }
    for (int k = 0; k < 3; k++) {
        show_label(data, label[k], text[k]);
    }
    return SDCA_FAIL(
        SDCA_DATA,
        "'%s' has %s%d different labels (%s, %s, %s%s; the third first in row %lld), "
        "where two are wanted: %s",
        name, count == LABELS ? "at least " : "", count, text[0], text[1], text[2],
        count > 3 ? ", ..." : "", (long long)third,
        data->words.count > 0 ? "make them two, as words are no numbers for regression"
                              : "choose a loss for regression, or make them two");
}

/* Labels that are words have the values 0 and 1. */
static sdca_status take_words(const sdca_string_list *words, const char *name,
                              sdca_labels *labels)
{
    for (int k = 0; k < 2; k++) {
        const char *word = words->text[(int64_t)labels->value[k]];

        if (strlen(word) >= SDCA_LABEL_WORD) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s' has the label '%.20s...', which is longer "
                             "than %d bytes",
                             name, word, SDCA_LABEL_WORD - 1);
        }
        strcpy(labels->word[k], word);
    }
    labels->value[0] = 0.0;
    labels->value[1] = labels->count == 2 ? 1.0 : 0.0;
    return SDCA_OK;
}

sdca_status sdca_dataset_sign(MPI_Comm comm, sdca_dataset *data, const char *name,
                              sdca_labels *labels)
{
    sdca_status status  = SDCA_OK;
    double      ends[2] = { -INFINITY, -INFINITY }; /* minus the least, the greatest */
    double      others  = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        ends[0] = fmax(ends[0], -data->x.row[i].y);
        ends[1] = fmax(ends[1], data->x.row[i].y);
    }
    sdca_comm_allreduce_max(comm, ends, 2);
    ends[0] = -ends[0];
    for (uint32_t i = 0; i < data->x.count; i++) {
        others += data->x.row[i].y != ends[0] && data->x.row[i].y != ends[1];
    }
    sdca_comm_allreduce_max(comm, &others, 1);
    if (others > 0.0) {
        return many_labels(comm, data, name);
    }
    *labels = (sdca_labels){ .count = ends[0] < ends[1] ? 2 : 1,
                             .value = { ends[0], ends[1] } };
    if (data->words.count > 0) {
        SDCA_TRY(take_words(&data->words, name, labels));
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        bool plus =
            labels->count == 2 ? data->x.row[i].y == ends[1] : data->x.row[i].y > 0.0;

        data->x.row[i].y = plus ? 1.0 : -1.0;
    }

done:
    return status;
}

/* The values of the labels that each word of the data set stands for; NAN for none. */
static void find_words(const sdca_dataset *data, const sdca_labels *labels, double *value)
{
    for (int64_t j = 0; j < data->words.count; j++) {
        value[j] = NAN;
        for (int k = 0; k < labels->count; k++) {
            if (strcmp(data->words.text[j], labels->word[k]) == 0) {
                value[j] = labels->value[k];
            }
        }
    }
}

/* What one rank does by itself. */
static sdca_status match_words(sdca_dataset *data, const char *name,
                               const sdca_labels *labels)
{
    double     *value  = sdca_alloc_array((size_t)data->words.count, sizeof *value);
    sdca_status status = SDCA_OK;

    if (value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'", name);
    }
    find_words(data, labels, value);
    for (uint32_t i = 0; status == SDCA_OK && i < data->x.count; i++) {
        int64_t j = (int64_t)data->x.row[i].y;

        if (isnan(value[j])) {
            status = SDCA_FAIL(SDCA_DATA,
                               "'%s', row %lld: the label is '%.40s', where the model "
                               "knows '%s' and '%s'",
                               name, (long long)sdca_dataset_row(data, i),
                               data->words.text[j], labels->word[0], labels->word[1]);
        } else {
            data->x.row[i].y = value[j];
        }
    }
    free(value);
    return status;
}

sdca_status sdca_dataset_match(MPI_Comm comm, sdca_dataset *data, const char *name,
                               const sdca_labels *labels)
{
    bool words = labels->word[0][0] != '\0';

    if (!data->labels || (data->words.count == 0 && !words)) {
        return SDCA_OK;
    }
    if (data->words.count == 0 || !words) {
        return words ? SDCA_FAIL(SDCA_DATA,
                                 "the labels of '%s' are numbers, where the model has "
                                 "words",
                                 name)
                     : SDCA_FAIL(SDCA_DATA,
                                 "the labels of '%s' are words, where numbers are needed",
                                 name);
    }
    return sdca_comm_agree(comm, match_words(data, name, labels));
}

int64_t sdca_dataset_count_unknown(MPI_Comm comm, const sdca_dataset *data,
                                   const sdca_labels *labels)
{
    int64_t unknown = 0;

    if (!data->labels || labels->count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        unknown +=
            data->x.row[i].y != labels->value[0] && data->x.row[i].y != labels->value[1];
    }
    sdca_comm_allreduce_sum_int64(comm, &unknown, 1);
    return unknown;
}

void sdca_labels_show(const sdca_labels *labels, int k, char text[SDCA_LABEL_WORD])
{
    if (labels->word[k][0] != '\0') {
        snprintf(text, SDCA_LABEL_WORD, "%s", labels->word[k]);
        sdca_printable_sanitize(text);
    } else {
        snprintf(text, SDCA_LABEL_WORD, "%g", labels->value[k]);
    }
}

double sdca_labels_of_score(const sdca_labels *labels, double score)
{
    return labels->count == 0 ? score : labels->value[score > 0.0 ? 1 : 0];
}
