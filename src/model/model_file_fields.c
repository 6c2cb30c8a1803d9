/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_fields.c - a model in a file: its list of fields.
 *
 * The same functions write and read the fields, so that their list exists once. To
 * write, they get a copy of the model, which does not change. */
#include "model/model_file_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/anndata_settings.h"
#include "data/standardization.h"
#include "io/hdf5_file.h"
#include "model/column_vector_file.h"
#include "model/field_io.h"

static const char *const formats[] = { "sdca-model", "sdca-checkpoint" };
static const int64_t     version   = 1;

static void format_fields(sdca_model *model, sdca_field_io *io)
{
    int64_t number = version;
    char    text[32];

    snprintf(text, sizeof text, "%s", io->writing ? formats[model->interrupted] : "");
    if (sdca_field_io_has(io, "format", true)) {
        sdca_field_io_text(io, "format", text, sizeof text);
    }
    if (io->status != SDCA_OK) {
        return;
    }
    model->interrupted = strcmp(text, formats[1]) == 0;
    if (strcmp(text, formats[0]) != 0 && !model->interrupted) {
        io->status =
            SDCA_FAIL(SDCA_DATA, "'%s' is not a model", sdca_hdf5_path(io->hdf5));
    } else if (model->interrupted && !io->writing &&
               !sdca_hdf5_is_checksummed(io->hdf5)) {
        io->status = SDCA_FAIL(SDCA_DATA, "'%s' is damaged: it is not as it was written",
                               sdca_hdf5_path(io->hdf5));
    }
    sdca_field_io_int64(io, "format-version", &number);
    if (io->status == SDCA_OK && number > version) {
        io->status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a %s of format %lld; this version of sdca knows formats up "
            "to %lld",
            sdca_hdf5_path(io->hdf5), model->interrupted ? "checkpoint" : "model",
            (long long)number, (long long)version);
    }
}

/* The loss and its parameter. */
static void loss_fields(sdca_objective *objective, sdca_field_io *io)
{
    char text[64];

    snprintf(text, sizeof text, "%s", io->writing ? objective->loss->name : "");
    sdca_field_io_text(io, "loss", text, sizeof text);
    if (io->status != SDCA_OK) {
        return;
    }
    objective->loss = sdca_loss_find(text);
    if (objective->loss == NULL) {
        io->status = SDCA_FAIL(SDCA_DATA, "'%s' has the unknown loss '%s'",
                               sdca_hdf5_path(io->hdf5), text);
    } else if (objective->loss->parameter != NULL) {
        sdca_field_io_double(io, objective->loss->parameter, &objective->parameter);
    }
}

/* By sdca_model.normalized. */
static const char *const normalize_names[] = { "none", "rows" };

/* Labels have a meaning in classification only. */
static void objective_fields(sdca_model *model, sdca_field_io *io)
{
    sdca_objective *objective   = &model->objective;
    int             standardize = (int)model->standardize;
    int             normalize   = model->normalized;

    loss_fields(objective, io);
    sdca_field_io_double(io, "lambda", &objective->lambda);
    sdca_field_io_double(io, "C", &objective->C);
    if (sdca_field_io_has(io, "bias-value", model->bias_value > 0.0)) {
        sdca_field_io_double(io, "bias-value", &model->bias_value);
    }
    if (sdca_field_io_has(io, "intercept", model->intercept)) {
        sdca_field_io_bool(io, "intercept", &model->intercept);
    }
    if (sdca_field_io_has(io, "standardize",
                          model->standardize != SDCA_STANDARDIZE_NONE)) {
        sdca_field_io_enum(io, "standardize", sdca_standardize_names,
                           SDCA_STANDARDIZE_COUNT, &standardize);
        model->standardize = (sdca_standardize)standardize;
    }
    sdca_field_io_enum(io, "normalize", normalize_names, 2, &normalize);
    model->normalized = normalize == 1;
    if (io->status == SDCA_OK && io->writing && model->labels.count > 0) {
        io->status = sdca_model_file_write_labels(io->hdf5, &model->labels);
    } else if (sdca_field_io_has_read(io) && objective->loss->classification) {
        io->status = sdca_model_file_read_labels(io->hdf5, &model->labels);
    }
    if (sdca_model_parts(model) == 1) { /* several classes have an array */
        sdca_field_io_double(io, "bias", &model->bias);
    }
}

/* P, D and the rest of the certificate of one model. */
static void objective_value_fields(sdca_certificate *certificate, double lambda,
                                   sdca_field_io *io)
{
    sdca_field_io_certificate(io, certificate);
    if (sdca_field_io_has(io, "distance", true)) {
        sdca_field_io_double(io, "rounding", &certificate->rounding);
        sdca_field_io_double(io, "distance", &certificate->distance);
    } else { /* version 1 */
        certificate->distance = sdca_duality_gap_distance_bound(lambda, certificate->gap);
    }
}

static void certificate_fields(sdca_model *model, sdca_field_io *io)
{
    char text[32];

    sdca_field_io_set_group(io, "certificate");
    snprintf(text, sizeof text, "%s",
             model->converged     ? "converged"
             : model->interrupted ? "interrupted"
                                  : "budget");
    sdca_field_io_text(io, "status", text, sizeof text);
    model->converged = strcmp(text, "converged") == 0;
    if (sdca_model_parts(model) == 1) {
        objective_value_fields(&model->certificate, model->objective.lambda, io);
    }
    if (sdca_field_io_has(io, "target_gap", model->target.gap > 0.0)) {
        sdca_field_io_double(io, "target_gap", &model->target.gap);
    }
    if (sdca_field_io_has(io, "target_rel_gap",
                          !(model->target.gap > 0.0) && model->target.rel_gap > 0.0)) {
        sdca_field_io_double(io, "target_rel_gap", &model->target.rel_gap);
    }
    model->has_test_error = sdca_field_io_has(io, "test_error", model->has_test_error);
    if (model->has_test_error) {
        sdca_field_io_double(io, "test_error", &model->test_error);
    }
}

static void origin_fields(sdca_model *model, sdca_field_io *io)
{
    sdca_objective *objective = &model->objective;
    int64_t         seed = (int64_t)model->seed, ranks = model->ranks;
    char            fingerprint[32];

    snprintf(model->version, sizeof model->version, "%s", sdca_version());
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, model->fingerprint);
    sdca_field_io_set_group(io, "origin");
    sdca_field_io_text(io, "sdca-version", model->version, sizeof model->version);
    sdca_field_io_text(io, "options", model->options, sizeof model->options);
    if (sdca_field_io_has(io, "solver", model->solver[0] != '\0')) {
        sdca_field_io_text(io, "solver", model->solver, sizeof model->solver);
    }
    sdca_field_io_int64(io, "seed", &seed);
    sdca_field_io_int64(io, "ranks", &ranks);
    sdca_field_io_int64(io, "rows", &objective->rows);
    if (sdca_field_io_has(io, "total-weight",
                          objective->total_weight != (double)objective->rows)) {
        sdca_field_io_double(io, "total-weight", &objective->total_weight);
    } else {
        objective->total_weight = (double)objective->rows;
    }
    sdca_field_io_int64(io, "nonzeros", &model->nonzeros);
    sdca_field_io_text(io, "data-fingerprint", fingerprint, sizeof fingerprint);
    model->seed        = (uint64_t)seed;
    model->ranks       = (int)ranks;
    model->fingerprint = strtoull(fingerprint, NULL, 16);
}

/* Models of earlier versions have no times. */
static void seconds_fields(sdca_phase_seconds *seconds, sdca_field_io *io)
{
    if (!io->writing && !sdca_hdf5_has_group(io->hdf5, "seconds")) {
#define SET_UNKNOWN(name, label) seconds->name = NAN;
        SDCA_PHASE_SECONDS_LIST(SET_UNKNOWN)
#undef SET_UNKNOWN
        return;
    }
    sdca_field_io_set_group(io, "seconds");
#define SECONDS_FIELD(name, label) sdca_field_io_double(io, #name, &seconds->name);
    SDCA_PHASE_SECONDS_LIST(SECONDS_FIELD)
#undef SECONDS_FIELD
}

/* All fields except the format and the arrays. */
static sdca_status metadata_fields(sdca_model *model, sdca_field_io *io)
{
    objective_fields(model, io);
    certificate_fields(model, io);
    origin_fields(model, io);
    seconds_fields(&model->seconds, io);
    return io->status;
}

/* A checkpoint has the weight of the bias after the others. */
static int32_t bias_weights(const sdca_model *model)
{
    return model->interrupted && model->bias_value > 0.0 && sdca_model_parts(model) == 1
               ? 1
               : 0;
}

sdca_status sdca_model_file_write(const sdca_model *model, sdca_hdf5_file *hdf5)
{
    sdca_status   status = SDCA_OK;
    sdca_model    copy   = *model;
    sdca_field_io io     = sdca_field_io_of_file(hdf5, true);

    format_fields(&copy, &io);
    SDCA_TRY(io.status);
    SDCA_TRY(sdca_column_vector_file_write(
        hdf5, "w", model->column_map, sdca_model_parts(model),
        model->columns + bias_weights(model), model->w));
    if (model->feature_names.count > 0) {
        SDCA_TRY(sdca_hdf5_write_strings(hdf5, "column_names", &model->feature_names));
    }
    if (model->feature_names.count > 0 && model->table.name.count > 0) {
        SDCA_TRY(sdca_table_schema_write_to_model(&model->table, hdf5));
    }
    SDCA_TRY(sdca_anndata_settings_write(&model->cells, model->label_column, hdf5));
    SDCA_TRY(metadata_fields(&copy, &io));
    SDCA_TRY(model->by_class != NULL ? sdca_model_file_write_classes(model, hdf5)
                                     : sdca_history_write(&model->history, hdf5));
    SDCA_TRY(sdca_model_file_write_intercepts(model, hdf5));
    SDCA_TRY(sdca_model_file_write_calibration(model, hdf5));
    if (model->selection != NULL && model->selection->fits > 0) {
        SDCA_TRY(sdca_selection_write(model->selection, hdf5));
    }

done:
    return status;
}

/* The number of weights of w, without the bias. */
static sdca_status read_columns(sdca_hdf5_file *hdf5, sdca_model *model)
{
    int64_t     count = 0;
    sdca_status status =
        sdca_column_vector_file_count(hdf5, "w", sdca_model_parts(model), &count);

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
    sdca_field_io       io      = sdca_field_io_of_file(hdf5, false);
    int64_t             kind = 0, start = 0, selected = 0;
    bool                reached = false;

    sdca_field_io_int64(&io, "round", &model->round);
    sdca_field_io_int64(&io, "steps", &model->steps);
    if (sdca_model_parts(model) > 1 || sdca_hdf5_has_group(hdf5, "path")) {
        return io.status; /* of several classes or lambda, each has its own */
    }
    sdca_field_io_set_group(&io, "kept");
    if (sdca_field_io_has(&io, "reached", true)) {
        sdca_field_io_bool(&io, "reached", &reached);
    } else { /* version 1 */
        sdca_field_io_int64(&io, "kind", &kind);
        sdca_field_io_int64(&io, "from", &start);
        sdca_field_io_int64(&io, "drawn", &selected);
        reached = keeps_other_iterate(kind, start, selected, model->steps);
    }
    model->certificate_of_other_w =
        history->count == 0 ||
        history->records[history->count - 1].round != (double)model->round || reached;
    return io.status;
}

sdca_status sdca_model_file_read(sdca_hdf5_file *hdf5, sdca_model *out)
{
    sdca_status   status = SDCA_OK;
    sdca_model    model  = { 0 };
    sdca_field_io io     = sdca_field_io_of_file(hdf5, false);

    format_fields(&model, &io);
    SDCA_TRY(metadata_fields(&model, &io));
    SDCA_TRY(sdca_model_parts(&model) > 1 ? sdca_model_file_read_classes(hdf5, &model)
                                          : sdca_history_read(hdf5, &model.history));
    SDCA_TRY(read_columns(hdf5, &model));
    SDCA_TRY(sdca_model_file_read_intercepts(hdf5, &model));
    SDCA_TRY(sdca_model_file_read_calibration(hdf5, &model));
    if (model.interrupted) {
        SDCA_TRY(read_progress(hdf5, &model));
    }
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_clear(&model);
    return status;
}
