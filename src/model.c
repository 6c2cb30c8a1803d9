/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c - what is kept of a run: w, how to use it, how good it is, how it was
 * made. */
#include "sdca/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/output.h"
#include "sdca/seal.h"
#include "sdca/store.h"
#include "sdca/weights.h"

static const char *const formats[] = { "sdca-model", "sdca-checkpoint" };
static const int64_t     version   = 1;

const char *sdca_version(void)
{
    return SDCA_VERSION;
}

static sdca_status put_real(sdca_store *store, const char *object, const char *name,
                            double x)
{
    return sdca_store_put_numbers(store, object, name, SDCA_FLOAT64, 1, &x);
}

static sdca_status get_real(sdca_store *store, const char *object, const char *name,
                            double *x)
{
    return sdca_store_get_numbers(store, object, name, SDCA_FLOAT64, 1, x);
}

static sdca_status put_whole(sdca_store *store, const char *object, const char *name,
                             int64_t x)
{
    return sdca_store_put_numbers(store, object, name, SDCA_INT64, 1, &x);
}

static sdca_status get_whole(sdca_store *store, const char *object, const char *name,
                             int64_t *x)
{
    return sdca_store_get_numbers(store, object, name, SDCA_INT64, 1, x);
}

sdca_status sdca_labels_write_words(const sdca_labels *labels, sdca_store *store)
{
    char      *word[] = { (char *)labels->word[0], (char *)labels->word[1] };
    sdca_texts texts  = { labels->count, labels->count, word };

    return labels->word[0][0] != '\0'
               ? sdca_store_write_texts(store, "label_names", &texts)
               : SDCA_OK;
}

static sdca_status read_words(sdca_store *store, sdca_labels *labels)
{
    sdca_status status = SDCA_OK;
    sdca_texts  texts  = { 0 };

    if (!sdca_store_has_array(store, "label_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_store_read_texts(store, "label_names", &texts));
    if (texts.count != labels->count) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %d labels",
                           sdca_store_path(store), (long long)texts.count, labels->count);
        goto done;
    }
    for (int k = 0; k < 2; k++) {
        snprintf(labels->word[k], SDCA_LABEL_WORD, "%s",
                 texts.text[k < texts.count ? k : 0]);
    }

done:
    sdca_texts_free(&texts);
    return status;
}

static sdca_status write_problem(const sdca_model *model, sdca_store *store)
{
    const sdca_problem *problem = &model->problem;
    sdca_status         status  = SDCA_OK;

    SDCA_TRY(sdca_store_put_text(store, "/", "loss", problem->loss->name));
    if (problem->loss->parameter != NULL) {
        SDCA_TRY(put_real(store, "/", problem->loss->parameter, problem->parameter));
    }
    SDCA_TRY(put_real(store, "/", "lambda", problem->lambda));
    SDCA_TRY(put_real(store, "/", "C", problem->C));
    SDCA_TRY(put_real(store, "/", "bias", model->bias));
    if (model->bias_value > 0.0) {
        SDCA_TRY(put_real(store, "/", "bias-value", model->bias_value));
    }
    SDCA_TRY(sdca_store_put_text(store, "/", "normalize",
                                 model->normalized ? "rows" : "none"));
    if (model->labels.count > 0) {
        SDCA_TRY(sdca_store_put_numbers(store, "/", "labels", SDCA_FLOAT64,
                                        model->labels.count, model->labels.value));
    }
    SDCA_TRY(sdca_labels_write_words(&model->labels, store));

done:
    return status;
}

static sdca_status write_origin(const sdca_model *model, sdca_store *store)
{
    sdca_status status = SDCA_OK;
    char        fingerprint[32];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, model->fingerprint);
    SDCA_TRY(sdca_store_group(store, "origin"));
    SDCA_TRY(sdca_store_put_text(store, "origin", "sdca-version", sdca_version()));
    SDCA_TRY(sdca_store_put_text(store, "origin", "options", model->options));
    SDCA_TRY(put_whole(store, "origin", "seed", (int64_t)model->seed));
    SDCA_TRY(put_whole(store, "origin", "ranks", model->ranks));
    SDCA_TRY(put_whole(store, "origin", "rows", model->problem.rows));
    SDCA_TRY(put_whole(store, "origin", "nonzeros", model->nonzeros));
    SDCA_TRY(sdca_store_put_text(store, "origin", "data-fingerprint", fingerprint));

done:
    return status;
}

static sdca_status write_certificate(const sdca_model *model, sdca_store *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_store_group(store, "certificate"));
    SDCA_TRY(sdca_store_put_text(store, "certificate", "status",
                                 model->converged     ? "converged"
                                 : model->interrupted ? "interrupted"
                                                      : "budget"));
    SDCA_TRY(put_real(store, "certificate", "primal", model->certificate.primal));
    SDCA_TRY(put_real(store, "certificate", "dual", model->certificate.dual));
    SDCA_TRY(put_real(store, "certificate", "gap", model->certificate.gap));

done:
    return status;
}

static sdca_status write_seconds(const sdca_seconds *seconds, sdca_store *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_store_group(store, "seconds"));
#define PUT(name) SDCA_TRY(put_real(store, "seconds", #name, seconds->name));
    SDCA_SECONDS_LIST(PUT)
#undef PUT

done:
    return status;
}

/* A checkpoint has the weight of the bias behind the others. */
static int32_t weights_of_bias(const sdca_model *model)
{
    return model->interrupted && model->bias_value > 0.0 ? 1 : 0;
}

sdca_status sdca_model_put(const sdca_model *model, sdca_store *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_store_put_text(store, "/", "format", formats[model->interrupted]));
    SDCA_TRY(put_whole(store, "/", "format-version", version));
    SDCA_TRY(sdca_weights_write(store, "w", model->used,
                                model->columns + weights_of_bias(model), model->w));
    if (model->names.count > 0) {
        SDCA_TRY(sdca_store_write_texts(store, "column_names", &model->names));
    }
    SDCA_TRY(write_problem(model, store));
    SDCA_TRY(write_certificate(model, store));
    SDCA_TRY(write_origin(model, store));
    SDCA_TRY(write_seconds(&model->seconds, store));
    SDCA_TRY(sdca_history_write(&model->history, store));

done:
    return status;
}

sdca_status sdca_model_write(const sdca_model *model, const char *path)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = NULL;

    SDCA_TRY(sdca_store_create(path, &store));
    SDCA_TRY(sdca_model_put(model, store));
    status = sdca_store_commit(store);
    store  = NULL; /* gone, whatever came of it */

done:
    sdca_store_close(store);
    return status;
}

static sdca_status check_format(sdca_store *store, sdca_model *model)
{
    char        text[32] = "";
    int64_t     number   = 0;
    sdca_status status   = SDCA_OK;

    if (sdca_store_has(store, "/", "format")) {
        SDCA_TRY(sdca_store_get_text(store, "/", "format", text, sizeof text));
    }
    model->interrupted = strcmp(text, formats[1]) == 0;
    if (strcmp(text, formats[0]) != 0 && !model->interrupted) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is not a model", sdca_store_path(store));
        goto done;
    }
    SDCA_TRY(get_whole(store, "/", "format-version", &number));
    if (number > version) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a %s of format %lld; this version of sdca knows formats up "
            "to %lld",
            sdca_store_path(store), model->interrupted ? "checkpoint" : "model",
            (long long)number, (long long)version);
    }

done:
    return status;
}

static sdca_status read_problem(sdca_store *store, sdca_model *model)
{
    sdca_status      status = SDCA_OK;
    const sdca_loss *loss   = NULL;
    double           lambda = 0.0, p = 0.0;
    int64_t          rows = 0, labels = 0;
    char             text[64];

    SDCA_TRY(sdca_store_get_text(store, "/", "loss", text, sizeof text));
    loss = sdca_loss_find(text);
    if (loss == NULL) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has the unknown loss '%s'",
                           sdca_store_path(store), text);
        goto done;
    }
    if (loss->parameter != NULL) {
        SDCA_TRY(get_real(store, "/", loss->parameter, &p));
    }
    SDCA_TRY(get_real(store, "/", "lambda", &lambda));
    SDCA_TRY(get_whole(store, "origin", "rows", &rows));
    model->problem = sdca_problem_with_lambda(loss, p, lambda, rows);
    SDCA_TRY(get_real(store, "/", "C", &model->problem.C));
    SDCA_TRY(get_real(store, "/", "bias", &model->bias));
    if (sdca_store_has(store, "/", "bias-value")) {
        SDCA_TRY(get_real(store, "/", "bias-value", &model->bias_value));
    }
    SDCA_TRY(sdca_store_get_text(store, "/", "normalize", text, sizeof text));
    model->normalized = strcmp(text, "rows") == 0;
    if (loss->classifies) {
        SDCA_TRY(sdca_store_count(store, "/", "labels", &labels));
        model->labels.count = labels < 2 ? 1 : 2;
        SDCA_TRY(sdca_store_get_numbers(store, "/", "labels", SDCA_FLOAT64,
                                        model->labels.count, model->labels.value));
        model->labels.value[1] = model->labels.value[model->labels.count - 1];
        SDCA_TRY(read_words(store, &model->labels));
    }

done:
    return status;
}

static sdca_status read_origin(sdca_store *store, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int64_t     seed = 0, ranks = 0;
    char        text[32];

    SDCA_TRY(sdca_store_get_text(store, "origin", "sdca-version", model->version,
                                 sizeof model->version));
    SDCA_TRY(sdca_store_get_text(store, "origin", "options", model->options,
                                 sizeof model->options));
    SDCA_TRY(get_whole(store, "origin", "seed", &seed));
    SDCA_TRY(get_whole(store, "origin", "ranks", &ranks));
    SDCA_TRY(get_whole(store, "origin", "nonzeros", &model->nonzeros));
    SDCA_TRY(sdca_store_get_text(store, "origin", "data-fingerprint", text, sizeof text));
    model->seed        = (uint64_t)seed;
    model->ranks       = (int)ranks;
    model->fingerprint = strtoull(text, NULL, 16);

done:
    return status;
}

/* Models of earlier versions do not say. */
static sdca_status read_seconds(sdca_store *store, sdca_seconds *seconds)
{
    bool        told   = sdca_store_has_group(store, "seconds");
    sdca_status status = SDCA_OK;

#define GET(name)        \
    seconds->name = NAN; \
    SDCA_TRY(told ? get_real(store, "seconds", #name, &seconds->name) : SDCA_OK);
    SDCA_SECONDS_LIST(GET)
#undef GET

done:
    return status;
}

static sdca_status read_certificate(sdca_store *store, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    char        text[32];

    SDCA_TRY(sdca_store_get_text(store, "certificate", "status", text, sizeof text));
    model->converged = strcmp(text, "converged") == 0;
    SDCA_TRY(get_real(store, "certificate", "primal", &model->certificate.primal));
    SDCA_TRY(get_real(store, "certificate", "dual", &model->certificate.dual));
    SDCA_TRY(get_real(store, "certificate", "gap", &model->certificate.gap));

done:
    return status;
}

/* As many as w has weights, but for the bias. */
static sdca_status read_columns(sdca_store *store, sdca_model *model)
{
    sdca_shape  shape;
    sdca_status status = sdca_store_shape(store, "w", &shape);

    if (status != SDCA_OK) {
        return status;
    }
    if (shape.dimensions != 1 || shape.extent[0] >= INT32_MAX ||
        shape.extent[0] < weights_of_bias(model)) {
        return SDCA_FAIL(SDCA_DATA, "w in '%s' is not a vector", sdca_store_path(store));
    }
    model->columns = (int32_t)shape.extent[0] - weights_of_bias(model);
    return SDCA_OK;
}

static sdca_status read_names(sdca_store *store, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    if (!sdca_store_has_texts(store, "column_names")) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_store_read_texts(store, "column_names", &model->names));
    if (model->names.count != model->columns) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld names for %ld columns",
                           sdca_store_path(store), (long long)model->names.count,
                           (long)model->columns);
    }

done:
    return status;
}

sdca_status sdca_model_get(sdca_store *store, sdca_model *out)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(check_format(store, &model));
    SDCA_TRY(read_problem(store, &model));
    SDCA_TRY(read_origin(store, &model));
    SDCA_TRY(read_seconds(store, &model.seconds));
    SDCA_TRY(read_certificate(store, &model));
    SDCA_TRY(sdca_history_read(store, &model.history));
    SDCA_TRY(read_columns(store, &model));
    SDCA_TRY(read_names(store, &model));
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_free(&model);
    return status;
}

sdca_status sdca_model_get_weights(sdca_store *store, const sdca_used *used,
                                   sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int32_t     count  = used != NULL ? sdca_used_count(used) : model->columns;

    model->used = used;
    model->w    = malloc(((size_t)count + 1) * sizeof *model->w);
    if (model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)count);
    }
    SDCA_TRY(sdca_weights_read(store, "w", used, model->columns, model->w));
    if (!isfinite(model->bias)) {
        status = SDCA_FAIL(SDCA_DATA, "the bias in '%s' is not finite",
                           sdca_store_path(store));
        goto done;
    }
    for (int32_t j = 0; j < count; j++) {
        if (!isfinite(model->w[j])) {
            status = SDCA_FAIL(SDCA_DATA, "w in '%s' is not finite in column %ld",
                               sdca_store_path(store), (long)sdca_used_number(used, j));
            goto done;
        }
    }

done:
    return status;
}

/* One process needs no other. */
static sdca_status agree(MPI_Comm comm, sdca_status status)
{
    return comm == MPI_COMM_NULL ? status : sdca_comm_agree(comm, status);
}

sdca_status sdca_model_read_facts(MPI_Comm comm, const char *path, sdca_model *out)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = NULL;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_store_open(comm, path, &store));
    status = sdca_model_get(store, &model);
    if (status == SDCA_OK && model.interrupted &&
        (comm == MPI_COMM_NULL || sdca_comm_rank(comm) == 0)) {
        status = sdca_seal_check(path, path);
    }
    SDCA_TRY(agree(comm, status));
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_store_close(store);
    sdca_model_free(&model);
    return status;
}

sdca_status sdca_model_read_weights(MPI_Comm comm, const char *path,
                                    const sdca_used *used, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = NULL;

    SDCA_TRY(sdca_store_open(comm, path, &store));
    status = agree(comm, sdca_model_get_weights(store, used, model));

done:
    sdca_store_close(store);
    return status;
}

sdca_status sdca_model_read(MPI_Comm comm, const char *path, sdca_model *out)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_read_facts(comm, path, &model));
    SDCA_TRY(sdca_model_read_weights(comm, path, NULL, &model));
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_free(&model);
    return status;
}

void sdca_model_free(sdca_model *model)
{
    free(model->w);
    sdca_history_free(&model->history);
    sdca_texts_free(&model->names);
    model->w = NULL;
}

/* LIBLINEAR's solver whose objective is ours, or whose predictions are made in
 * the same way where it has no such objective. */
static const char *liblinear_solver(const sdca_loss *loss)
{
    switch (loss->kind) {
    case SDCA_LOSS_logistic:
        return "L2R_LR_DUAL";
    case SDCA_LOSS_squared_hinge:
        return "L2R_L2LOSS_SVC_DUAL";
    case SDCA_LOSS_squared:
    case SDCA_LOSS_absolute:
    case SDCA_LOSS_epsilon_insensitive:
        return "L2R_L1LOSS_SVR_DUAL";
    case SDCA_LOSS_hinge:
    case SDCA_LOSS_smooth_hinge:
    case SDCA_LOSS_COUNT:
        break;
    }
    return "L2R_L1LOSS_SVC_DUAL";
}

sdca_status sdca_model_export_liblinear(const sdca_model *model, const char *path)
{
    const sdca_labels *labels   = &model->labels;
    sdca_status        status   = SDCA_OK;
    FILE              *file     = NULL;
    bool               has_bias = model->bias_value > 0.0;

    if ((labels->count == 0 || has_bias) && model->normalized) {
        return SDCA_FAIL(SDCA_USAGE,
                         "LIBLINEAR's format cannot say that rows are normalised, which "
                         "this model needs; normalise the data instead");
    }
    for (int k = 0; k < labels->count; k++) {
        if (labels->value[k] != rint(labels->value[k]) ||
            fabs(labels->value[k]) > INT32_MAX) {
            return SDCA_FAIL(SDCA_USAGE,
                             "LIBLINEAR's labels are whole numbers; this model has %g",
                             labels->value[k]);
        }
    }
    SDCA_TRY(sdca_output_open(path, &file));
    fprintf(file, "solver_type %s\nnr_class 2\n", liblinear_solver(model->problem.loss));
    if (labels->count == 2) {
        /* The first label is the one for positive scores. */
        fprintf(file, "label %.0f %.0f\n", labels->value[1], labels->value[0]);
    } else if (labels->count == 1) {
        fprintf(file, "label %.0f %.0f\n", labels->value[0], labels->value[0]);
    }
    fprintf(file, "nr_feature %ld\nbias %.17g\nw\n", (long)model->columns,
            has_bias ? model->bias_value : -1.0);
    for (int32_t j = 0; j < model->columns; j++) {
        fprintf(file, "%.17g \n", model->w[j]);
    }
    if (has_bias) {
        fprintf(file, "%.17g \n", model->bias / model->bias_value);
    }
    status = sdca_output_close(file, path);

done:
    return status;
}

/* A name on a line of fields: tabs and ends of lines in it are blanks. */
static void write_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++) {
        fputc((unsigned char)*name < ' ' ? ' ' : *name, file);
    }
}

/* The end of a line of text: nothing, or the name of a column. */
static void end_line(FILE *file, const sdca_model *model, bool named, int32_t j)
{
    fputs(named ? "\t" : "", file);
    if (named && j >= model->columns) {
        fputs("bias", file);
    } else if (named && model->names.count > 0) {
        write_name(file, model->names.text[j]);
    } else if (named) {
        fprintf(file, "%ld", (long)j);
    }
    fputc('\n', file);
}

sdca_status sdca_model_export_text(const sdca_model *model, bool named, const char *path)
{
    FILE       *file   = NULL;
    sdca_status status = sdca_output_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    for (int32_t j = 0; j < model->columns; j++) {
        fprintf(file, "%.17g", model->w[j]);
        end_line(file, model, named, j);
    }
    if (model->bias_value > 0.0) {
        fprintf(file, "%.17g", model->bias);
        end_line(file, model, named, model->columns);
    }
    return sdca_output_close(file, path);
}
