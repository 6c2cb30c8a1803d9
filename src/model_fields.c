/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_fields.c - what a file has of a model, field by field.
 *
 * The same functions write the attributes and read them, so that their list is written
 * down once. A model that is written is not changed: what is handed round is a copy. */
#include "sdca/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/keep.h"
#include "sdca/memory.h"
#include "sdca/store.h"
#include "sdca/weights.h"

static const char *const formats[] = { "sdca-model", "sdca-checkpoint" };
static const int64_t     version   = 1;

/* A file, to be written or to be read, and the group whose attributes come next. */
typedef struct fields {
    sdca_hdf5_file *store;
    bool            writes;
    const char     *group;
} fields;

static sdca_status move_group(fields *f, const char *group)
{
    f->group = group;
    return f->writes ? sdca_hdf5_create_group(f->store, group) : SDCA_OK;
}

static sdca_status move_number(const fields *f, const char *name, sdca_dtype type,
                               void *x)
{
    return f->writes ? sdca_hdf5_write_attribute(f->store, f->group, name, type, 1, x)
                     : sdca_hdf5_read_attribute(f->store, f->group, name, type, 1, x);
}

static sdca_status move_real(const fields *f, const char *name, double *x)
{
    return move_number(f, name, SDCA_FLOAT64, x);
}

static sdca_status move_whole(const fields *f, const char *name, int64_t *x)
{
    return move_number(f, name, SDCA_INT64, x);
}

static sdca_status move_text(const fields *f, const char *name, char *text, size_t size)
{
    return f->writes
               ? sdca_hdf5_write_string_attribute(f->store, f->group, name, text)
               : sdca_hdf5_read_string_attribute(f->store, f->group, name, text, size);
}

static sdca_status move_format(const fields *f, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int64_t     number = version;
    char        text[32];

    snprintf(text, sizeof text, "%s", f->writes ? formats[model->interrupted] : "");
    if (f->writes || sdca_hdf5_has_attribute(f->store, "/", "format")) {
        SDCA_TRY(move_text(f, "format", text, sizeof text));
    }
    model->interrupted = strcmp(text, formats[1]) == 0;
    if (strcmp(text, formats[0]) != 0 && !model->interrupted) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is not a model", sdca_hdf5_path(f->store));
        goto done;
    }
    if (model->interrupted && !f->writes && !sdca_hdf5_is_checksummed(f->store)) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is damaged: it is not as it was written",
                           sdca_hdf5_path(f->store));
        goto done;
    }
    SDCA_TRY(move_whole(f, "format-version", &number));
    if (number > version) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a %s of format %lld; this version of sdca knows formats up "
            "to %lld",
            sdca_hdf5_path(f->store), model->interrupted ? "checkpoint" : "model",
            (long long)number, (long long)version);
    }

done:
    return status;
}

sdca_status sdca_labels_write_words(const sdca_classes *labels, sdca_hdf5_file *store)
{
    char            *word[] = { (char *)labels->name[0], (char *)labels->name[1] };
    sdca_string_list texts  = { labels->count, labels->count, word };

    return labels->name[0][0] != '\0'
               ? sdca_hdf5_write_strings(store, "label_names", &texts)
               : SDCA_OK;
}

static sdca_status read_words(sdca_hdf5_file *store, sdca_classes *labels)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list texts  = { 0 };

    if (!sdca_hdf5_has_array(store, "label_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_strings(store, "label_names", &texts));
    if (texts.count != labels->count) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %d labels",
                           sdca_hdf5_path(store), (long long)texts.count, labels->count);
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

/* What the labels mean, which regression has none of. */
static sdca_status move_labels(const fields *f, sdca_classes *labels)
{
    sdca_status status = SDCA_OK;
    int64_t     count  = 0;

    if (f->writes) {
        SDCA_TRY(sdca_hdf5_write_attribute(f->store, f->group, "labels", SDCA_FLOAT64,
                                           labels->count, labels->value));
        SDCA_TRY(sdca_labels_write_words(labels, f->store));
    } else {
        SDCA_TRY(sdca_hdf5_attribute_length(f->store, f->group, "labels", &count));
        labels->count = count < 2 ? 1 : 2;
        SDCA_TRY(sdca_hdf5_read_attribute(f->store, f->group, "labels", SDCA_FLOAT64,
                                          labels->count, labels->value));
        labels->value[1] = labels->value[labels->count - 1];
        SDCA_TRY(read_words(f->store, labels));
    }

done:
    return status;
}

static sdca_status move_problem(const fields *f, sdca_model *model)
{
    sdca_objective *objective = &model->problem;
    sdca_status     status    = SDCA_OK;
    char            text[64];

    snprintf(text, sizeof text, "%s", f->writes ? objective->loss->name : "");
    SDCA_TRY(move_text(f, "loss", text, sizeof text));
    objective->loss = sdca_loss_find(text);
    if (objective->loss == NULL) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has the unknown loss '%s'",
                           sdca_hdf5_path(f->store), text);
        goto done;
    }
    if (objective->loss->parameter != NULL) {
        SDCA_TRY(move_real(f, objective->loss->parameter, &objective->parameter));
    }
    SDCA_TRY(move_real(f, "lambda", &objective->lambda));
    SDCA_TRY(move_real(f, "C", &objective->C));
    SDCA_TRY(move_real(f, "bias", &model->bias));
    if (f->writes ? model->bias_value > 0.0
                  : sdca_hdf5_has_attribute(f->store, "/", "bias-value")) {
        SDCA_TRY(move_real(f, "bias-value", &model->bias_value));
    }
    snprintf(text, sizeof text, "%s", model->normalized ? "rows" : "none");
    SDCA_TRY(move_text(f, "normalize", text, sizeof text));
    model->normalized = strcmp(text, "rows") == 0;
    if (f->writes ? model->labels.count > 0 : objective->loss->classification) {
        SDCA_TRY(move_labels(f, &model->labels));
    }

done:
    return status;
}

static sdca_status move_certificate(fields *f, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    char        text[32];

    SDCA_TRY(move_group(f, "certificate"));
    snprintf(text, sizeof text, "%s",
             model->converged     ? "converged"
             : model->interrupted ? "interrupted"
                                  : "budget");
    SDCA_TRY(move_text(f, "status", text, sizeof text));
    model->converged = strcmp(text, "converged") == 0;
    SDCA_TRY(move_real(f, "primal", &model->certificate.primal));
    SDCA_TRY(move_real(f, "dual", &model->certificate.dual));
    SDCA_TRY(move_real(f, "gap", &model->certificate.gap));
    if (f->writes || sdca_hdf5_has_attribute(f->store, f->group, "distance")) {
        SDCA_TRY(move_real(f, "rounding", &model->certificate.rounding));
        SDCA_TRY(move_real(f, "distance", &model->certificate.distance));
    } else { /* of the first version */
        model->certificate.distance = sdca_duality_gap_distance_bound(
            model->problem.lambda, model->certificate.gap);
    }
    model->tested = f->writes ? model->tested
                              : sdca_hdf5_has_attribute(f->store, f->group, "test_error");
    if (model->tested) {
        SDCA_TRY(move_real(f, "test_error", &model->test_error));
    }

done:
    return status;
}

static sdca_status move_origin(fields *f, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int64_t     seed = (int64_t)model->seed, ranks = model->ranks;
    char        fingerprint[32];

    snprintf(model->version, sizeof model->version, "%s", sdca_version());
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, model->fingerprint);
    SDCA_TRY(move_group(f, "origin"));
    SDCA_TRY(move_text(f, "sdca-version", model->version, sizeof model->version));
    SDCA_TRY(move_text(f, "options", model->options, sizeof model->options));
    if (f->writes ? model->solver[0] != '\0'
                  : sdca_hdf5_has_attribute(f->store, f->group, "solver")) {
        SDCA_TRY(move_text(f, "solver", model->solver, sizeof model->solver));
    }
    SDCA_TRY(move_whole(f, "seed", &seed));
    SDCA_TRY(move_whole(f, "ranks", &ranks));
    SDCA_TRY(move_whole(f, "rows", &model->problem.rows));
    SDCA_TRY(move_whole(f, "nonzeros", &model->nonzeros));
    SDCA_TRY(move_text(f, "data-fingerprint", fingerprint, sizeof fingerprint));
    model->seed        = (uint64_t)seed;
    model->ranks       = (int)ranks;
    model->fingerprint = strtoull(fingerprint, NULL, 16);

done:
    return status;
}

/* Models of earlier versions do not say. */
static sdca_status move_seconds(fields *f, sdca_seconds *seconds)
{
    bool        told   = f->writes || sdca_hdf5_has_group(f->store, "seconds");
    sdca_status status = SDCA_OK;

    if (!told) {
#define UNKNOWN(name) seconds->name = NAN;
        SDCA_SECONDS_LIST(UNKNOWN)
#undef UNKNOWN
        return SDCA_OK;
    }
    SDCA_TRY(move_group(f, "seconds"));
#define MOVE(name) SDCA_TRY(move_real(f, #name, &seconds->name));
    SDCA_SECONDS_LIST(MOVE)
#undef MOVE

done:
    return status;
}

/* All but the format and the arrays. */
static sdca_status move_facts(fields *f, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(move_problem(f, model));
    SDCA_TRY(move_certificate(f, model));
    SDCA_TRY(move_origin(f, model));
    SDCA_TRY(move_seconds(f, &model->seconds));

done:
    return status;
}

/* A checkpoint has the weight of the bias behind the others. */
static int32_t weights_of_bias(const sdca_model *model)
{
    return model->interrupted && model->bias_value > 0.0 ? 1 : 0;
}

sdca_status sdca_model_put(const sdca_model *model, sdca_hdf5_file *store)
{
    sdca_status status = SDCA_OK;
    sdca_model  copy   = *model;
    fields      f      = { store, true, "/" };

    SDCA_TRY(move_format(&f, &copy));
    SDCA_TRY(sdca_weights_write(store, "w", model->used,
                                model->columns + weights_of_bias(model), model->w));
    if (model->names.count > 0) {
        SDCA_TRY(sdca_hdf5_write_strings(store, "column_names", &model->names));
    }
    SDCA_TRY(move_facts(&f, &copy));
    SDCA_TRY(sdca_history_write(&model->history, store));

done:
    return status;
}

/* As many as w has weights, but for the bias. */
static sdca_status read_columns(sdca_hdf5_file *store, sdca_model *model)
{
    int64_t     count  = 0;
    sdca_status status = sdca_weights_count(store, "w", &count);

    if (status != SDCA_OK) {
        return status;
    }
    count -= weights_of_bias(model);
    if (count < 0 || count >= INT32_MAX) {
        return SDCA_FAIL(SDCA_DATA, "w in '%s' is not a vector", sdca_hdf5_path(store));
    }
    model->columns = (int32_t)count;
    return SDCA_OK;
}

sdca_status sdca_model_get_names(sdca_hdf5_file *store, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    if (!sdca_hdf5_has_strings(store, "column_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_strings(store, "column_names", &model->names));
    if (model->names.count != model->columns) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %ld columns",
                           sdca_hdf5_path(store), (long long)model->names.count,
                           (long)model->columns);
    }

done:
    return status;
}

/* How far a checkpoint has come, and whether it was evaluated there. */
static sdca_status read_progress(sdca_hdf5_file *store, sdca_model *model)
{
    const sdca_history *history = &model->history;
    sdca_status         status  = SDCA_OK;
    sdca_iterate        iterate = { 0 };
    sdca_keep           keep    = { 0 };
    int64_t             kind    = 0;

    SDCA_TRY(
        sdca_hdf5_read_attribute(store, "/", "round", SDCA_INT64, 1, &iterate.round));
    SDCA_TRY(
        sdca_hdf5_read_attribute(store, "/", "steps", SDCA_INT64, 1, &iterate.steps));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "kept", "kind", SDCA_INT64, 1, &kind));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "kept", "from", SDCA_INT64, 1, &keep.from));
    SDCA_TRY(
        sdca_hdf5_read_attribute(store, "kept", "drawn", SDCA_INT64, 1, &keep.drawn));
    keep.kind    = (sdca_keep_kind)kind;
    model->round = iterate.round;
    model->steps = iterate.steps;
    model->apart = history->count == 0 ||
                   history->record[history->count - 1].round != (double)iterate.round ||
                   ((keep.kind == SDCA_KEEP_AVERAGE || keep.kind == SDCA_KEEP_RANDOM) &&
                    sdca_keep_is_ready(&keep, &iterate));

done:
    return status;
}

sdca_status sdca_model_get(sdca_hdf5_file *store, sdca_model *out)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };
    fields      f      = { store, false, "/" };

    SDCA_TRY(move_format(&f, &model));
    SDCA_TRY(move_facts(&f, &model));
    SDCA_TRY(sdca_history_read(store, &model.history));
    SDCA_TRY(read_columns(store, &model));
    if (model.interrupted) {
        SDCA_TRY(read_progress(store, &model));
    }
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_free(&model);
    return status;
}

/* Do the weights of these columns, from the first of a range on, make scores? */
static sdca_status check_finite(const char *path, const sdca_column_map *used,
                                sdca_range columns, const double *w)
{
    for (int64_t k = 0; k < columns.count; k++) {
        if (!isfinite(w[k])) {
            int32_t place = (int32_t)(columns.first + k);

            return SDCA_FAIL(SDCA_DATA, "w in '%s' is not finite in column %ld", path,
                             (long)sdca_column_map_original(used, place));
        }
    }
    return SDCA_OK;
}

static sdca_status check_bias(const char *path, const sdca_model *model)
{
    return isfinite(model->bias)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "the bias in '%s' is not finite", path);
}

sdca_status sdca_model_get_weights(sdca_hdf5_file *store, const sdca_column_map *used,
                                   sdca_model *model)
{
    sdca_status status = SDCA_OK;
    const char *path   = sdca_hdf5_path(store);
    int32_t     count  = used != NULL ? sdca_column_map_count(used) : model->columns;

    model->used = used;
    model->w    = sdca_alloc_array((size_t)count, sizeof *model->w);
    if (model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)count);
    }
    SDCA_TRY(sdca_weights_read(store, "w", used, model->columns, model->w));
    SDCA_TRY(check_bias(path, model));
    SDCA_TRY(check_finite(path, used, (sdca_range){ 0, count }, model->w));

done:
    return status;
}

/* A visitor, and whose weights they are. */
typedef struct visit {
    const char           *path;
    sdca_weights_visitor *visitor;
    void                 *context;
} visit;

static sdca_status check_and_visit(void *context, sdca_range columns, const double *w)
{
    const visit *v      = context;
    sdca_status  status = check_finite(v->path, NULL, columns, w);

    return status == SDCA_OK ? v->visitor(v->context, columns, w) : status;
}

sdca_status sdca_model_visit_weights(const sdca_model *model, sdca_hdf5_file *store,
                                     sdca_weights_visitor *visitor, void *context)
{
    sdca_status status = SDCA_OK;
    visit v = { store != NULL ? sdca_hdf5_path(store) : "this model", visitor, context };

    SDCA_TRY(check_bias(v.path, model));
    if (store != NULL) {
        SDCA_TRY(sdca_weights_visit(store, "w", model->columns, check_and_visit, &v));
    } else {
        SDCA_TRY(check_and_visit(&v, (sdca_range){ 0, model->columns }, model->w));
    }

done:
    return status;
}
