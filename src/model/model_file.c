/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file.c - the fields of a model in a file.
 *
 * The same functions write and read the attributes, so that their list exists once. To
 * write, they get a copy of the model, which does not change. */
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "io/hdf5_file.h"
#include "model/weight_file.h"

static const char *const formats[] = { "sdca-model", "sdca-checkpoint" };
static const int64_t     version   = 1;

/* A file that is written or read, and the group of the attributes that follow. */
typedef struct attribute_io {
    sdca_hdf5_file *hdf5;
    bool            writing;
    const char     *group;
} attribute_io;

static sdca_status io_group(attribute_io *io, const char *group)
{
    io->group = group;
    return io->writing ? sdca_hdf5_create_group(io->hdf5, group) : SDCA_OK;
}

static sdca_status io_number(const attribute_io *io, const char *name, sdca_dtype type,
                             void *x)
{
    return io->writing ? sdca_hdf5_write_attribute(io->hdf5, io->group, name, type, 1, x)
                       : sdca_hdf5_read_attribute(io->hdf5, io->group, name, type, 1, x);
}

static sdca_status io_double(const attribute_io *io, const char *name, double *x)
{
    return io_number(io, name, SDCA_FLOAT64, x);
}

static sdca_status io_int64(const attribute_io *io, const char *name, int64_t *x)
{
    return io_number(io, name, SDCA_INT64, x);
}

static sdca_status io_string(const attribute_io *io, const char *name, char *text,
                             size_t size)
{
    return io->writing
               ? sdca_hdf5_write_string_attribute(io->hdf5, io->group, name, text)
               : sdca_hdf5_read_string_attribute(io->hdf5, io->group, name, text, size);
}

static sdca_status io_format(const attribute_io *io, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int64_t     number = version;
    char        text[32];

    snprintf(text, sizeof text, "%s", io->writing ? formats[model->interrupted] : "");
    if (io->writing || sdca_hdf5_has_attribute(io->hdf5, "/", "format")) {
        SDCA_TRY(io_string(io, "format", text, sizeof text));
    }
    model->interrupted = strcmp(text, formats[1]) == 0;
    if (strcmp(text, formats[0]) != 0 && !model->interrupted) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is not a model", sdca_hdf5_path(io->hdf5));
        goto done;
    }
    if (model->interrupted && !io->writing && !sdca_hdf5_is_checksummed(io->hdf5)) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is damaged: it is not as it was written",
                           sdca_hdf5_path(io->hdf5));
        goto done;
    }
    SDCA_TRY(io_int64(io, "format-version", &number));
    if (number > version) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a %s of format %lld; this version of sdca knows formats up "
            "to %lld",
            sdca_hdf5_path(io->hdf5), model->interrupted ? "checkpoint" : "model",
            (long long)number, (long long)version);
    }

done:
    return status;
}

sdca_status sdca_labels_write_names(const sdca_classes *labels, sdca_hdf5_file *hdf5)
{
    char            *word[] = { (char *)labels->name[0], (char *)labels->name[1] };
    sdca_string_list texts  = { labels->count, labels->count, word };

    return labels->name[0][0] != '\0'
               ? sdca_hdf5_write_strings(hdf5, "label_names", &texts)
               : SDCA_OK;
}

static sdca_status read_label_names(sdca_hdf5_file *hdf5, sdca_classes *labels)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list texts  = { 0 };

    if (!sdca_hdf5_has_array(hdf5, "label_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_strings(hdf5, "label_names", &texts));
    if (texts.count != labels->count) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %d labels",
                           sdca_hdf5_path(hdf5), (long long)texts.count, labels->count);
        goto done;
    }
    for (int k = 0; k < 2; k++) {
        snprintf(labels->name[k], SDCA_CLASS_NAME_SIZE, "%s",
                 texts.text[k < texts.count ? k : 0]);
    }

done:
    sdca_string_list_free(&texts);
    return status;
}

/* The meaning of labels; regression has none. */
static sdca_status io_labels(const attribute_io *io, sdca_classes *labels)
{
    sdca_status status = SDCA_OK;
    int64_t     count  = 0;

    if (io->writing) {
        SDCA_TRY(sdca_hdf5_write_attribute(io->hdf5, io->group, "labels", SDCA_FLOAT64,
                                           labels->count, labels->value));
        SDCA_TRY(sdca_labels_write_names(labels, io->hdf5));
    } else {
        SDCA_TRY(sdca_hdf5_attribute_length(io->hdf5, io->group, "labels", &count));
        labels->count = count < 2 ? 1 : 2;
        SDCA_TRY(sdca_hdf5_read_attribute(io->hdf5, io->group, "labels", SDCA_FLOAT64,
                                          labels->count, labels->value));
        labels->value[1] = labels->value[labels->count - 1];
        SDCA_TRY(read_label_names(io->hdf5, labels));
    }

done:
    return status;
}

static sdca_status io_objective(const attribute_io *io, sdca_model *model)
{
    sdca_objective *objective = &model->objective;
    sdca_status     status    = SDCA_OK;
    char            text[64];

    snprintf(text, sizeof text, "%s", io->writing ? objective->loss->name : "");
    SDCA_TRY(io_string(io, "loss", text, sizeof text));
    objective->loss = sdca_loss_find(text);
    if (objective->loss == NULL) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has the unknown loss '%s'",
                           sdca_hdf5_path(io->hdf5), text);
        goto done;
    }
    if (objective->loss->parameter != NULL) {
        SDCA_TRY(io_double(io, objective->loss->parameter, &objective->parameter));
    }
    SDCA_TRY(io_double(io, "lambda", &objective->lambda));
    SDCA_TRY(io_double(io, "C", &objective->C));
    SDCA_TRY(io_double(io, "bias", &model->bias));
    if (io->writing ? model->bias_value > 0.0
                    : sdca_hdf5_has_attribute(io->hdf5, "/", "bias-value")) {
        SDCA_TRY(io_double(io, "bias-value", &model->bias_value));
    }
    snprintf(text, sizeof text, "%s", model->normalized ? "rows" : "none");
    SDCA_TRY(io_string(io, "normalize", text, sizeof text));
    model->normalized = strcmp(text, "rows") == 0;
    if (io->writing ? model->labels.count > 0 : objective->loss->classification) {
        SDCA_TRY(io_labels(io, &model->labels));
    }

done:
    return status;
}

static sdca_status io_certificate(attribute_io *io, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    char        text[32];

    SDCA_TRY(io_group(io, "certificate"));
    snprintf(text, sizeof text, "%s",
             model->converged     ? "converged"
             : model->interrupted ? "interrupted"
                                  : "budget");
    SDCA_TRY(io_string(io, "status", text, sizeof text));
    model->converged = strcmp(text, "converged") == 0;
    SDCA_TRY(io_double(io, "primal", &model->certificate.primal));
    SDCA_TRY(io_double(io, "dual", &model->certificate.dual));
    SDCA_TRY(io_double(io, "gap", &model->certificate.gap));
    if (io->writing || sdca_hdf5_has_attribute(io->hdf5, io->group, "distance")) {
        SDCA_TRY(io_double(io, "rounding", &model->certificate.rounding));
        SDCA_TRY(io_double(io, "distance", &model->certificate.distance));
    } else { /* version 1 */
        model->certificate.distance = sdca_duality_gap_distance_bound(
            model->objective.lambda, model->certificate.gap);
    }
    model->has_test_error =
        io->writing ? model->has_test_error
                    : sdca_hdf5_has_attribute(io->hdf5, io->group, "test_error");
    if (model->has_test_error) {
        SDCA_TRY(io_double(io, "test_error", &model->test_error));
    }

done:
    return status;
}

static sdca_status io_origin(attribute_io *io, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int64_t     seed = (int64_t)model->seed, ranks = model->ranks;
    char        fingerprint[32];

    snprintf(model->version, sizeof model->version, "%s", sdca_version());
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, model->fingerprint);
    SDCA_TRY(io_group(io, "origin"));
    SDCA_TRY(io_string(io, "sdca-version", model->version, sizeof model->version));
    SDCA_TRY(io_string(io, "options", model->options, sizeof model->options));
    if (io->writing ? model->solver[0] != '\0'
                    : sdca_hdf5_has_attribute(io->hdf5, io->group, "solver")) {
        SDCA_TRY(io_string(io, "solver", model->solver, sizeof model->solver));
    }
    SDCA_TRY(io_int64(io, "seed", &seed));
    SDCA_TRY(io_int64(io, "ranks", &ranks));
    SDCA_TRY(io_int64(io, "rows", &model->objective.rows));
    SDCA_TRY(io_int64(io, "nonzeros", &model->nonzeros));
    SDCA_TRY(io_string(io, "data-fingerprint", fingerprint, sizeof fingerprint));
    model->seed        = (uint64_t)seed;
    model->ranks       = (int)ranks;
    model->fingerprint = strtoull(fingerprint, NULL, 16);

done:
    return status;
}

/* Models of earlier versions have no times. */
static sdca_status io_seconds(attribute_io *io, sdca_phase_seconds *seconds)
{
    bool        present = io->writing || sdca_hdf5_has_group(io->hdf5, "seconds");
    sdca_status status  = SDCA_OK;

    if (!present) {
#define SET_UNKNOWN(name, label) seconds->name = NAN;
        SDCA_PHASE_SECONDS_LIST(SET_UNKNOWN)
#undef SET_UNKNOWN
        return SDCA_OK;
    }
    SDCA_TRY(io_group(io, "seconds"));
#define IO_SECONDS(name, label) SDCA_TRY(io_double(io, #name, &seconds->name));
    SDCA_PHASE_SECONDS_LIST(IO_SECONDS)
#undef IO_SECONDS

done:
    return status;
}

/* All fields except the format and the arrays. */
static sdca_status io_metadata(attribute_io *io, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(io_objective(io, model));
    SDCA_TRY(io_certificate(io, model));
    SDCA_TRY(io_origin(io, model));
    SDCA_TRY(io_seconds(io, &model->seconds));

done:
    return status;
}

/* A checkpoint has the weight of the bias after the others. */
static int32_t bias_weights(const sdca_model *model)
{
    return model->interrupted && model->bias_value > 0.0 ? 1 : 0;
}

sdca_status sdca_model_file_write(const sdca_model *model, sdca_hdf5_file *hdf5)
{
    sdca_status  status = SDCA_OK;
    sdca_model   copy   = *model;
    attribute_io io     = { hdf5, true, "/" };

    SDCA_TRY(io_format(&io, &copy));
    SDCA_TRY(sdca_weight_file_write(hdf5, "w", model->column_map,
                                    model->columns + bias_weights(model), model->w));
    if (model->feature_names.count > 0) {
        SDCA_TRY(sdca_hdf5_write_strings(hdf5, "column_names", &model->feature_names));
    }
    SDCA_TRY(io_metadata(&io, &copy));
    SDCA_TRY(sdca_history_write(&model->history, hdf5));

done:
    return status;
}

/* The number of weights of w, without the bias. */
static sdca_status read_columns(sdca_hdf5_file *hdf5, sdca_model *model)
{
    int64_t     count  = 0;
    sdca_status status = sdca_weight_file_count(hdf5, "w", &count);

    if (status != SDCA_OK) {
        return status;
    }
    count -= bias_weights(model);
    if (count < 0 || count >= INT32_MAX) {
        return SDCA_FAIL(SDCA_DATA, "w in '%s' is not a vector", sdca_hdf5_path(hdf5));
    }
    model->columns = (int32_t)count;
    return SDCA_OK;
}

sdca_status sdca_model_file_read_feature_names(sdca_hdf5_file *hdf5, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    if (!sdca_hdf5_has_strings(hdf5, "column_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_strings(hdf5, "column_names", &model->feature_names));
    if (model->feature_names.count != model->columns) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %ld columns",
                           sdca_hdf5_path(hdf5), (long long)model->feature_names.count,
                           (long)model->columns);
    }

done:
    return status;
}

/* Whether --output average, 2, or random, 3, has reached the iterate that it keeps: the
 * average after step `start`, the random one at step `selected`. */
static bool keeps_other_iterate(int64_t kind, int64_t start, int64_t selected,
                                int64_t steps)
{
    return (kind == 2 && steps > start) || (kind == 3 && steps >= selected);
}

/* Rounds and steps of a checkpoint, and whether its certificate is of this w. */
static sdca_status read_progress(sdca_hdf5_file *hdf5, sdca_model *model)
{
    const sdca_history *history = &model->history;
    sdca_status         status  = SDCA_OK;
    int64_t             kind = 0, start = 0, selected = 0, reached = 0;

    SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "/", "round", SDCA_INT64, 1, &model->round));
    SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "/", "steps", SDCA_INT64, 1, &model->steps));
    if (sdca_hdf5_has_attribute(hdf5, "kept", "reached")) {
        SDCA_TRY(
            sdca_hdf5_read_attribute(hdf5, "kept", "reached", SDCA_INT64, 1, &reached));
    } else { /* version 1 */
        SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "kept", "kind", SDCA_INT64, 1, &kind));
        SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "kept", "from", SDCA_INT64, 1, &start));
        SDCA_TRY(
            sdca_hdf5_read_attribute(hdf5, "kept", "drawn", SDCA_INT64, 1, &selected));
        reached = keeps_other_iterate(kind, start, selected, model->steps);
    }
    model->certificate_of_other_w =
        history->count == 0 ||
        history->records[history->count - 1].round != (double)model->round ||
        reached != 0;

done:
    return status;
}

sdca_status sdca_model_file_read(sdca_hdf5_file *hdf5, sdca_model *out)
{
    sdca_status  status = SDCA_OK;
    sdca_model   model  = { 0 };
    attribute_io io     = { hdf5, false, "/" };

    SDCA_TRY(io_format(&io, &model));
    SDCA_TRY(io_metadata(&io, &model));
    SDCA_TRY(sdca_history_read(hdf5, &model.history));
    SDCA_TRY(read_columns(hdf5, &model));
    if (model.interrupted) {
        SDCA_TRY(read_progress(hdf5, &model));
    }
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_clear(&model);
    return status;
}
