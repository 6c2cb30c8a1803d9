/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_arrays.c - predictions as the arrays of an HDF5 file. */
#include "cli/predict/prediction_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/signal_cleanup.h"

/* An array with a number per row, or per row and class. */
static sdca_status create_array(const prediction_arrays *to, const char *name)
{
    int models = to->rule->models;

    return models == 1 ? sdca_hdf5_create_array(to->file, name, SDCA_FLOAT64, to->rows)
                       : sdca_hdf5_create_matrix(to->file, name, SDCA_FLOAT64, to->rows,
                                                 models, 0);
}

static sdca_status create_arrays(const prediction_arrays *to)
{
    const prediction_rule *rule   = to->rule;
    sdca_status            status = SDCA_OK;

    SDCA_TRY(
        sdca_hdf5_write_string_attribute(to->file, "/", "format", "sdca-predictions"));
    SDCA_TRY(sdca_hdf5_create_array(to->file, "prediction", SDCA_FLOAT64, to->rows));
    SDCA_TRY(create_array(to, "score"));
    if (rule->has_probability) {
        SDCA_TRY(create_array(to, "probability"));
    }
    if (rule->has_certain) {
        SDCA_TRY(sdca_hdf5_create_array(to->file, "certain", SDCA_UINT8, to->rows));
    }
    if (rule->has_interval) {
        SDCA_TRY(create_array(to, "probability_low"));
        SDCA_TRY(create_array(to, "probability_high"));
    }
    if (rule->models > 1) {
        SDCA_TRY(sdca_hdf5_write_array(to->file, "labels", SDCA_FLOAT64,
                                       rule->labels->count, rule->labels->value));
    }
    SDCA_TRY(sdca_labels_write_names(rule->labels, to->file));

done:
    return status;
}

sdca_status prediction_arrays_open(const char *path, const prediction_rule *rule,
                                   int64_t rows, prediction_arrays *out)
{
    sdca_status status = SDCA_OK;

    *out = (prediction_arrays){ .rule = rule, .rows = rows };
    signal_cleanup_add(path);
    SDCA_TRY(sdca_hdf5_create(path, &out->file));
    SDCA_TRY(create_arrays(out));

done:
    return status;
}

/* What an array has of a row: one of these. */
typedef void number_function(const prediction_rule *rule, const double *record,
                             double *x);

static void copy_prediction(const prediction_rule *rule, const double *record, double *x)
{
    x[0] = prediction_row_predict(rule, record);
}

static void copy_scores(const prediction_rule *rule, const double *record, double *x)
{
    memcpy(x, record, (size_t)rule->models * sizeof *x);
}

static void copy_low(const prediction_rule *rule, const double *record, double *x)
{
    prediction_row_find_bounds(rule, record, false, x);
}

static void copy_high(const prediction_rule *rule, const double *record, double *x)
{
    prediction_row_find_bounds(rule, record, true, x);
}

/* Write the rows of an array of doubles, with this many numbers per row. */
static sdca_status write_numbers(const prediction_arrays *to, const char *name,
                                 number_function *number, int width, const double *record,
                                 sdca_range rows, double *buffer)
{
    for (int64_t i = 0; i < rows.count; i++) {
        number(to->rule, record + i * (to->rule->models + 1), buffer + i * width);
    }
    return sdca_hdf5_write_range(to->file, name, rows, SDCA_FLOAT64, buffer);
}

static sdca_status write_certain(const prediction_arrays *to, const double *record,
                                 sdca_range rows, uint8_t *certain)
{
    for (int64_t i = 0; i < rows.count; i++) {
        certain[i] =
            prediction_row_is_certain(to->rule, record + i * (to->rule->models + 1));
    }
    return sdca_hdf5_write_range(to->file, "certain", rows, SDCA_UINT8, certain);
}

/* buffer has space for the scores of the rows. */
static sdca_status write_rows(const prediction_arrays *to, const double *record,
                              sdca_range rows, double *buffer)
{
    sdca_status status = SDCA_OK;
    int         models = to->rule->models;

    SDCA_TRY(write_numbers(to, "prediction", copy_prediction, 1, record, rows, buffer));
    SDCA_TRY(write_numbers(to, "score", copy_scores, models, record, rows, buffer));
    if (to->rule->has_probability) {
        SDCA_TRY(write_numbers(to, "probability", prediction_row_find_probabilities,
                               models, record, rows, buffer));
    }
    if (to->rule->has_interval) {
        SDCA_TRY(
            write_numbers(to, "probability_low", copy_low, models, record, rows, buffer));
        SDCA_TRY(write_numbers(to, "probability_high", copy_high, models, record, rows,
                               buffer));
    }
    if (to->rule->has_certain) {
        SDCA_TRY(write_certain(to, record, rows, (uint8_t *)buffer));
    }

done:
    return status;
}

sdca_status prediction_arrays_write(prediction_arrays *to, const double *record,
                                    int64_t count)
{
    sdca_range  rows   = { to->written, count };
    sdca_status status = SDCA_OK;
    double     *buffer =
        sdca_alloc_array((size_t)count, (size_t)to->rule->models * sizeof *buffer);

    if (buffer == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld predictions", (long long)count);
    }
    to->written += count;
    status = write_rows(to, record, rows, buffer);
    free(buffer);
    return status;
}

sdca_status prediction_arrays_commit(prediction_arrays *arrays)
{
    sdca_hdf5_file *file = arrays->file;

    arrays->file = NULL;
    return sdca_hdf5_commit(file);
}

void prediction_arrays_close(prediction_arrays *arrays)
{
    sdca_hdf5_close(arrays->file);
    *arrays = (prediction_arrays){ .file = NULL };
}
