/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_export.c - models as text, and in the format of LIBLINEAR. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>

#include "io/atomic_file.h"

static sdca_status check_liblinear(const sdca_model *model)
{
    const sdca_classes *labels = &model->labels;

    if ((labels->count == 0 || model->bias_value > 0.0) && model->normalized) {
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
    return SDCA_OK;
}

/* All lines before the weights. */
static void write_liblinear_header(const sdca_model *model, FILE *file)
{
    const sdca_classes *labels = &model->labels;

    fprintf(file, "solver_type %s\nnr_class 2\n",
            model->objective.loss->liblinear_solver);
    if (labels->count == 2) {
        /* The first label is the one for positive scores. */
        fprintf(file, "label %.0f %.0f\n", labels->value[1], labels->value[0]);
    } else if (labels->count == 1) {
        fprintf(file, "label %.0f %.0f\n", labels->value[0], labels->value[0]);
    }
    fprintf(file, "nr_feature %ld\nbias %.17g\nw\n", (long)model->columns,
            model->bias_value > 0.0 ? model->bias_value : -1.0);
}

/* One line per weight, to the file that is the context. */
static sdca_status write_liblinear_weights(void *context, sdca_range columns,
                                           const double *w)
{
    FILE *file = context;

    for (int64_t k = 0; k < columns.count; k++) {
        fprintf(file, "%.17g \n", w[k]);
    }
    return SDCA_OK;
}

sdca_status sdca_model_export_liblinear(const sdca_model *model, sdca_hdf5_file *hdf5,
                                        const char *path)
{
    sdca_status status = SDCA_OK;
    FILE       *file   = NULL;

    SDCA_TRY(check_liblinear(model));
    SDCA_TRY(sdca_atomic_file_open(path, &file));
    write_liblinear_header(model, file);
    SDCA_TRY(sdca_model_visit_weights(model, hdf5, write_liblinear_weights, file));
    if (model->bias_value > 0.0) {
        fprintf(file, "%.17g \n", model->bias / model->bias_value);
    }
    status = sdca_atomic_file_commit(file, path);
    file   = NULL; /* closed, also on failure */

done:
    sdca_atomic_file_discard(file, path);
    return status;
}

/* A text file, and whether it has names. */
typedef struct text_export {
    const sdca_model *model;
    bool              named;
    FILE             *file;
} text_export;

/* Write a name with control characters replaced by blanks. */
static void write_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++) {
        fputc((unsigned char)*name < ' ' ? ' ' : *name, file);
    }
}

/* Write a line: a weight, and the name of its column if requested. */
static void write_weight(const text_export *t, int64_t j, double w)
{
    fprintf(t->file, t->named ? "%.17g\t" : "%.17g", w);
    if (t->named && j >= t->model->columns) {
        fputs("bias", t->file);
    } else if (t->named && t->model->feature_names.count > 0) {
        write_name(t->file, t->model->feature_names.text[j]);
    } else if (t->named) {
        fprintf(t->file, "%lld", (long long)j);
    }
    fputc('\n', t->file);
}

static sdca_status write_text_weights(void *context, sdca_range columns, const double *w)
{
    for (int64_t k = 0; k < columns.count; k++) {
        write_weight(context, columns.first + k, w[k]);
    }
    return SDCA_OK;
}

sdca_status sdca_model_export_text(const sdca_model *model, sdca_hdf5_file *hdf5,
                                   bool named, const char *path)
{
    sdca_status status = SDCA_OK;
    text_export t      = { model, named, NULL };

    SDCA_TRY(sdca_atomic_file_open(path, &t.file));
    SDCA_TRY(sdca_model_visit_weights(model, hdf5, write_text_weights, &t));
    if (model->bias_value > 0.0) {
        write_weight(&t, model->columns, model->bias);
    }
    status = sdca_atomic_file_commit(t.file, path);
    t.file = NULL; /* closed, also on failure */

done:
    sdca_atomic_file_discard(t.file, path);
    return status;
}
