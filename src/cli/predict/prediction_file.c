/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_file.c - the predictions of a data set as a CSV file or an HDF5 file. */
#include "cli/predict/prediction_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/signal_cleanup.h"
#include "cli/suffix.h"
#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/csv.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

/* Where predictions go: a CSV file or an HDF5 file. */
typedef struct prediction_file {
    const char         *path;
    const sdca_classes *labels;
    const sdca_scorer  *scorer;
    const sdca_dataset *data;
    int                 models;           /* scores of a row */
    int64_t             written;          /* rows */
    bool                with_probability; /* for the logistic loss, or calibrated */

    const sdca_certain_labels *certain; /* radius NULL: nothing is known */
    FILE                      *csv;
    sdca_hdf5_file            *store;

    const predict_text_rows *text; /* whose kept columns come first; or NULL */
} prediction_file;

/* Are there intervals for probabilities? */
static bool has_intervals(const prediction_file *to)
{
    return to->with_probability && to->certain->radius != NULL;
}

/* An array with a number per row, or per row and class. */
static sdca_status create_array(const prediction_file *to, const char *name)
{
    return to->models == 1
               ? sdca_hdf5_create_array(to->store, name, SDCA_FLOAT64, to->data->rows)
               : sdca_hdf5_create_matrix(to->store, name, SDCA_FLOAT64, to->data->rows,
                                         to->models, 0);
}

static sdca_status create_store(prediction_file *out)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_create(out->path, &out->store));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(out->store, "/", "format", "sdca-predictions"));
    SDCA_TRY(
        sdca_hdf5_create_array(out->store, "prediction", SDCA_FLOAT64, out->data->rows));
    SDCA_TRY(create_array(out, "score"));
    if (out->with_probability) {
        SDCA_TRY(create_array(out, "probability"));
    }
    if (out->certain->radius != NULL) {
        SDCA_TRY(
            sdca_hdf5_create_array(out->store, "certain", SDCA_UINT8, out->data->rows));
    }
    if (has_intervals(out)) {
        SDCA_TRY(create_array(out, "probability_low"));
        SDCA_TRY(create_array(out, "probability_high"));
    }
    if (out->models > 1) {
        SDCA_TRY(sdca_hdf5_write_array(out->store, "labels", SDCA_FLOAT64,
                                       out->labels->count, out->labels->value));
    }
    SDCA_TRY(sdca_labels_write_names(out->labels, out->store));

done:
    return status;
}

/* Names of columns, one per score. */
static void print_class_names(const prediction_file *to, const char *prefix)
{
    for (int k = 0; k < to->models; k++) {
        fputc(',', to->csv);
        sdca_label_print_csv(to->csv, prefix, to->labels,
                             to->models > 1 ? k : to->labels->count - 1);
    }
}

/* The names of the columns. One score is that of the last class. */
static void print_names(const prediction_file *to)
{
    for (int64_t k = 0; to->text != NULL && k < to->text->kept_names.count; k++) {
        sdca_csv_print_field(to->csv, "", to->text->kept_names.text[k]);
        fputc(',', to->csv);
    }
    fputs("prediction", to->csv);
    if (to->models == 1) {
        fputs(",score", to->csv);
    }
    for (int k = 0; to->models > 1 && k < to->models; k++) {
        fputc(',', to->csv);
        sdca_label_print_csv(to->csv, "score_", to->labels, k);
    }
    if (to->with_probability) {
        print_class_names(to, "probability_");
    }
    if (to->certain->radius != NULL) {
        fputs(",certain", to->csv);
    }
    if (has_intervals(to)) {
        print_class_names(to, "probability_low_");
        print_class_names(to, "probability_high_");
    }
    fputc('\n', to->csv);
}

static sdca_status open_predictions(const char *path, prediction_file *out)
{
    size_t      length = strlen(path);
    sdca_status status = SDCA_OK;

    signal_cleanup_add(path);
    if (has_suffix(path, length, ".h5") || has_suffix(path, length, ".hdf5")) {
        SDCA_TRY(create_store(out));
    } else {
        SDCA_TRY(sdca_atomic_file_open(path, &out->csv));
        print_names(out);
    }

done:
    return status;
}

/* The probabilities of the classes, for a model of the logistic loss or a calibrated one:
 * one score gives that of the class +1; several give one each, divided by their sum. */
static void find_probabilities(const prediction_file *to, const double *score,
                               double *probability)
{
    int    models = to->models;
    double sum    = 0.0;

    for (int k = 0; k < models; k++) {
        double z = sdca_calibration_log_odds(to->certain->sigmoid, k, score[k]);

        probability[k] = 1.0 / (1.0 + exp(-z));
        sum += probability[k];
    }
    for (int k = 0; models > 1 && k < models; k++) {
        probability[k] = sum > 0.0 ? probability[k] / sum : 1.0 / models;
    }
}

/* The label that the scores of a row predict. */
static void print_prediction(const prediction_file *to, const double *score)
{
    if (to->labels->count == 0) {
        fprintf(to->csv, "%.17g", score[0]);
    } else {
        sdca_label_print_csv(
            to->csv, "", to->labels,
            to->models > 1
                ? sdca_scorer_greatest(to->models, score)
                : sdca_classes_choose(to->labels, score[0] - to->certain->threshold));
    }
}

static void print_numbers(const prediction_file *to, const double *x)
{
    for (int k = 0; k < to->models; k++) {
        fprintf(to->csv, ",%.17g", x[k]);
    }
}

/* The columns of --keep of a row. */
static void print_kept(const prediction_file *to, int64_t row)
{
    int64_t count = to->text != NULL ? to->text->kept_names.count : 0;

    for (int64_t k = 0; k < count; k++) {
        sdca_csv_print_field(to->csv, "", to->text->kept.text[row * count + k]);
        fputc(',', to->csv);
    }
}

/* The intervals of the probabilities of a row: their low ends, or the high ones. */
static void find_bounds(const prediction_file *to, const double *record, bool high,
                        double *bound)
{
    double norm = sdca_certain_labels_norm(to->certain, record[to->models]);

    for (int k = 0; k < to->models; k++) {
        sdca_probability_interval p =
            sdca_certain_labels_probability(to->certain, record, norm, k);

        bound[k] = high ? p.high : p.low;
    }
}

static bool is_certain(const prediction_file *to, const double *record)
{
    return sdca_certain_labels_is_certain(
        to->certain, record, sdca_certain_labels_norm(to->certain, record[to->models]));
}

/* What is proven about a row, as further columns. */
static void print_certain(const prediction_file *to, const double *record, double *buffer)
{
    if (to->certain->radius != NULL) {
        fprintf(to->csv, ",%d", is_certain(to, record));
    }
    if (has_intervals(to)) {
        find_bounds(to, record, false, buffer);
        print_numbers(to, buffer);
        find_bounds(to, record, true, buffer);
        print_numbers(to, buffer);
    }
}

/* Write records as lines of text; probability has space for those of a row. */
static sdca_status print_rows(const prediction_file *to, const double *score,
                              sdca_range rows, double *probability)
{
    for (int64_t i = 0; i < rows.count; i++, score += to->models + 1) {
        print_kept(to, rows.first + i);
        print_prediction(to, score);
        print_numbers(to, score);
        if (to->with_probability) {
            find_probabilities(to, score, probability);
            print_numbers(to, probability);
        }
        print_certain(to, score, probability);
        fputc('\n', to->csv);
    }
    return ferror(to->csv) == 0 ? SDCA_OK
                                : SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", to->path,
                                            strerror(errno != 0 ? errno : EIO));
}

/* Write an array with a number per row and score; number is one of those below. */
typedef void number_function(const prediction_file *to, const double *record, double *x);

static void copy_scores(const prediction_file *to, const double *record, double *x)
{
    memcpy(x, record, (size_t)to->models * sizeof *x);
}

static void copy_probabilities(const prediction_file *to, const double *record, double *x)
{
    find_probabilities(to, record, x);
}

static void copy_low(const prediction_file *to, const double *record, double *x)
{
    find_bounds(to, record, false, x);
}

static void copy_high(const prediction_file *to, const double *record, double *x)
{
    find_bounds(to, record, true, x);
}

static sdca_status store_numbers(const prediction_file *to, const char *name,
                                 number_function *number, const double *record,
                                 sdca_range rows, double *buffer)
{
    for (int64_t i = 0; i < rows.count; i++) {
        number(to, record + i * (to->models + 1), buffer + i * to->models);
    }
    return sdca_hdf5_write_range(to->store, name, rows, SDCA_FLOAT64, buffer);
}

/* The label that the scores of a row predict, as a number. */
static double find_prediction(const prediction_file *to, const double *score)
{
    double shifted = score[0] - to->certain->threshold;

    return sdca_scorer_predict(to->labels, to->models,
                               to->models == 1 ? &shifted : score);
}

/* Write records to arrays; buffer has space for all of their scores. */
static sdca_status store_rows(const prediction_file *to, const double *record,
                              sdca_range rows, double *buffer)
{
    sdca_status status  = SDCA_OK;
    uint8_t    *certain = (uint8_t *)buffer;

    for (int64_t i = 0; i < rows.count; i++) {
        buffer[i] = find_prediction(to, record + i * (to->models + 1));
    }
    SDCA_TRY(sdca_hdf5_write_range(to->store, "prediction", rows, SDCA_FLOAT64, buffer));
    SDCA_TRY(store_numbers(to, "score", copy_scores, record, rows, buffer));
    if (to->with_probability) {
        SDCA_TRY(
            store_numbers(to, "probability", copy_probabilities, record, rows, buffer));
    }
    if (has_intervals(to)) {
        SDCA_TRY(store_numbers(to, "probability_low", copy_low, record, rows, buffer));
        SDCA_TRY(store_numbers(to, "probability_high", copy_high, record, rows, buffer));
    }
    for (int64_t i = 0; i < rows.count && to->certain->radius != NULL; i++) {
        certain[i] = is_certain(to, record + i * (to->models + 1));
    }
    if (to->certain->radius != NULL) {
        SDCA_TRY(sdca_hdf5_write_range(to->store, "certain", rows, SDCA_UINT8, certain));
    }

done:
    return status;
}

/* Write records, which arrive in row order: the scores of a row, and its |x|^2. */
static sdca_status write_predictions(void *context, const double *record, int64_t count)
{
    prediction_file *to   = context;
    sdca_range       rows = { to->written, count / (to->models + 1) };
    double          *buffer =
        sdca_alloc_array((size_t)(to->csv != NULL ? to->models : count), sizeof *buffer);
    sdca_status status = SDCA_OK;

    if (buffer == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld predictions",
                         (long long)rows.count);
    }
    to->written += rows.count;
    status = to->csv != NULL ? print_rows(to, record, rows, buffer)
                             : store_rows(to, record, rows, buffer);
    free(buffer);
    return status;
}

/* Commit the file on success, else remove it. */
static sdca_status close_predictions(const char *path, prediction_file *from,
                                     sdca_status status)
{
    if (from->csv != NULL) {
        if (status == SDCA_OK) {
            return sdca_atomic_file_commit(from->csv, path);
        }
        sdca_atomic_file_discard(from->csv, path);
    } else if (from->store != NULL) {
        if (status == SDCA_OK) {
            return sdca_hdf5_commit(from->store);
        }
        sdca_hdf5_close(from->store);
    }
    return status;
}

/* The records of my rows: the scores of a row, and its |x|^2. */
static void score_rows(void *context, sdca_range rows, double *record)
{
    const prediction_file *to    = context;
    size_t                 width = (size_t)to->models;

    for (int64_t k = 0; k < rows.count; k++, record += width + 1) {
        uint32_t i = (uint32_t)(rows.first + k);

        memcpy(record, sdca_scorer_row(to->scorer, &to->data->x, i),
               width * sizeof *record);
        record[width] = to->data->x.row[i].norm2;
    }
}

sdca_status prediction_file_write(MPI_Comm comm, const sdca_model *model,
                                  const sdca_scorer *scorer, const sdca_dataset *data,
                                  const sdca_certain_labels *certain,
                                  const predict_text_rows *text, const char *path)
{
    bool            first  = sdca_comm_rank(comm) == 0;
    sdca_status     status = SDCA_OK;
    prediction_file out    = { .path             = path,
                               .labels           = &model->labels,
                               .scorer           = scorer,
                               .data             = data,
                               .certain          = certain,
                               .text             = text,
                               .models           = scorer->models,
                               .with_probability = model->objective.loss->log_odds ||
                                                   model->calibration.sigmoid != NULL };

    if (first) {
        status = open_predictions(path, &out);
    }
    status = sdca_comm_agree(comm, status);
    if (status == SDCA_OK) {
        status = sdca_comm_gather_records(comm, data->x.count, scorer->models + 1,
                                          score_rows, write_predictions, &out);
    }
    return sdca_comm_agree(comm, first ? close_predictions(path, &out, status) : status);
}
