/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_export.c - models as text, as JSON, and in the format of LIBLINEAR.
 *
 * Weights pass through memory in batches. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>

#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/json.h"

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

    fprintf(file, "solver_type %s\nnr_class %d\n",
            model->objective.loss->liblinear_solver,
            labels->count > 2 ? labels->count : 2);
    if (labels->count == 2) {
        /* The first label is the one for positive scores. */
        fprintf(file, "label %.0f %.0f\n", labels->value[1], labels->value[0]);
    } else if (labels->count == 1) {
        fprintf(file, "label %.0f %.0f\n", labels->value[0], labels->value[0]);
    } else if (labels->count > 2) {
        fputs("label", file);
        for (int k = 0; k < labels->count; k++) {
            fprintf(file, " %.0f", labels->value[k]);
        }
        fputc('\n', file);
    }
    fprintf(file, "nr_feature %ld\nbias %.17g\nw\n", (long)model->columns,
            model->bias_value > 0.0 ? model->bias_value : -1.0);
}

/* A file that is written, and the number of models. */
typedef struct weight_lines {
    FILE *file;
    int   parts;
} weight_lines;

/* One line per column, with the weights of all classes. */
static sdca_status write_liblinear_weights(void *context, sdca_range columns,
                                           const double *w)
{
    const weight_lines *to = context;

    for (int64_t j = 0; j < columns.count; j++) {
        for (int k = 0; k < to->parts; k++) {
            fprintf(to->file, "%.17g ", w[k * columns.count + j]);
        }
        fputc('\n', to->file);
    }
    return SDCA_OK;
}

sdca_status sdca_model_export_liblinear(const sdca_model *model, sdca_hdf5_file *hdf5,
                                        const char *path)
{
    sdca_status  status = SDCA_OK;
    weight_lines to     = { NULL, sdca_model_parts(model) };

    SDCA_TRY(check_liblinear(model));
    SDCA_TRY(sdca_atomic_file_open(path, &to.file));
    write_liblinear_header(model, to.file);
    SDCA_TRY(sdca_model_visit_weights(model, hdf5, write_liblinear_weights, &to));
    if (model->bias_value > 0.0) {
        for (int k = 0; k < to.parts; k++) {
            fprintf(to.file, "%.17g ",
                    sdca_model_part(model, k).bias / model->bias_value);
        }
        fputc('\n', to.file);
    }
    status  = sdca_atomic_file_commit(to.file, path);
    to.file = NULL; /* closed, also on failure */

done:
    sdca_atomic_file_discard(to.file, path);
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

/* Write the end of a line, which is the name of its column if requested. */
static void end_line(const text_export *t, int64_t j)
{
    fputs(t->named ? "\t" : "", t->file);
    if (t->named && j >= t->model->columns) {
        fputs("bias", t->file);
    } else if (t->named && t->model->feature_names.count > 0) {
        write_name(t->file, t->model->feature_names.text[j]);
    } else if (t->named) {
        fprintf(t->file, "%lld", (long long)j);
    }
    fputc('\n', t->file);
}

static void write_text_weight(const text_export *t, int k, double w)
{
    fprintf(t->file, "%s%.17g", k > 0 ? "\t" : "", w);
}

static sdca_status write_text_weights(void *context, sdca_range columns, const double *w)
{
    const text_export *t     = context;
    int                parts = sdca_model_parts(t->model);

    for (int64_t j = 0; j < columns.count; j++) {
        for (int k = 0; k < parts; k++) {
            write_text_weight(t, k, w[k * columns.count + j]);
        }
        end_line(t, columns.first + j);
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
        for (int k = 0; k < sdca_model_parts(model); k++) {
            write_text_weight(&t, k, sdca_model_part(model, k).bias);
        }
        end_line(&t, model->columns);
    }
    status = sdca_atomic_file_commit(t.file, path);
    t.file = NULL; /* closed, also on failure */

done:
    sdca_atomic_file_discard(t.file, path);
    return status;
}

static void write_json_number(FILE *file, const char *name, double value)
{
    fprintf(file, "  \"%s\": %s,\n", name, sdca_json_number(value).text);
}

static void write_json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "  \"%s\": ", name);
    sdca_json_print_string(file, text);
    fputs(",\n", file);
}

static void write_json_labels(const sdca_classes *labels, FILE *file)
{
    if (labels->count == 0) {
        return;
    }
    fputs("  \"labels\": [", file);
    for (int k = 0; k < labels->count; k++) {
        fputs(k > 0 ? ", " : "", file);
        sdca_label_print_json(file, labels, k);
    }
    fputs("],\n", file);
}

static void write_json_feature_names(const sdca_string_list *names, FILE *file)
{
    if (names->count == 0) {
        return;
    }
    fputs("  \"feature_names\": [", file);
    for (int64_t j = 0; j < names->count; j++) {
        fputs(j > 0 ? ",\n    " : "\n    ", file);
        sdca_json_print_string(file, names->text[j]);
    }
    fputs("],\n", file);
}

/* A number, or an array of one per class. */
static void write_json_bias(const sdca_model *model, FILE *file)
{
    int parts = sdca_model_parts(model);

    fputs(parts > 1 ? "  \"bias\": [" : "  \"bias\": ", file);
    for (int k = 0; k < parts; k++) {
        fprintf(file, "%s%s", k > 0 ? ", " : "",
                sdca_json_number(sdca_model_part(model, k).bias).text);
    }
    fputs(parts > 1 ? "],\n" : ",\n", file);
}

static void write_json_certificate(const sdca_certificate *certificate, FILE *file)
{
    fprintf(file,
            "{\"primal\": %s, \"dual\": %s, \"gap\": %s, \"rounding\": %s, "
            "\"distance\": %s}",
            sdca_json_number(certificate->primal).text,
            sdca_json_number(certificate->dual).text,
            sdca_json_number(certificate->gap).text,
            sdca_json_number(certificate->rounding).text,
            sdca_json_number(certificate->distance).text);
}

/* An object, or an array of one per class. */
static void write_json_certificates(const sdca_model *model, FILE *file)
{
    int parts = sdca_model_parts(model);

    fputs("  \"certificate\": ", file);
    for (int k = 0; k < parts; k++) {
        sdca_class_model part = sdca_model_part(model, k);

        fputs(parts == 1 ? "" : k == 0 ? "[\n    " : ",\n    ", file);
        write_json_certificate(&part.certificate, file);
    }
    fputs(parts > 1 ? "],\n" : ",\n", file);
}

/* A number for each model, in an array if there are several. */
static void print_json_numbers(const sdca_calibration *calibration, bool offset,
                               FILE *file)
{
    for (int k = 0; k < calibration->models; k++) {
        const sdca_sigmoid *s = &calibration->sigmoid[k];

        fprintf(file, "%s%s",
                k > 0                     ? ", "
                : calibration->models > 1 ? "["
                                          : "",
                sdca_json_number(offset ? s->offset : s->slope).text);
    }
    fputs(calibration->models > 1 ? "]" : "", file);
}

void sdca_model_print_calibration_json(const sdca_calibration *calibration, FILE *file)
{
    if (calibration->sigmoid == NULL) {
        fputs("null", file);
        return;
    }
    fprintf(file, "{\"method\": \"sigmoid\", \"folds\": %d, \"rows\": %lld, \"slope\": ",
            calibration->folds, (long long)calibration->rows);
    print_json_numbers(calibration, false, file);
    fputs(", \"offset\": ", file);
    print_json_numbers(calibration, true, file);
    fputc('}', file);
}

/* All but the weights. */
static void write_json_head(const sdca_model *model, FILE *file)
{
    const sdca_objective *objective = &model->objective;

    fputs("{\n", file);
    write_json_text(file, "format", "sdca-model");
    write_json_text(file, "sdca_version", model->version);
    write_json_text(file, "loss", objective->loss->name);
    if (objective->loss->parameter != NULL) {
        write_json_number(file, objective->loss->parameter, objective->parameter);
    }
    write_json_number(file, "lambda", objective->lambda);
    write_json_number(file, "C", objective->C);
    write_json_number(file, "rows", (double)objective->rows);
    write_json_number(file, "columns", model->columns);
    write_json_text(file, "normalize", model->normalized ? "rows" : "none");
    write_json_text(file, "status",
                    model->converged     ? "converged"
                    : model->interrupted ? "interrupted"
                                         : "budget");
    write_json_labels(&model->labels, file);
    write_json_feature_names(&model->feature_names, file);
    write_json_certificates(model, file);
    if (model->calibration.sigmoid != NULL) {
        fputs("  \"calibration\": ", file);
        sdca_model_print_calibration_json(&model->calibration, file);
        fputs(",\n", file);
    }
    write_json_bias(model, file);
}

/* A line per weight, to the file that is the context. */
static sdca_status write_json_weights(void *context, sdca_range columns, const double *w)
{
    FILE *file = context;

    for (int64_t j = 0; j < columns.count; j++) {
        fprintf(file, "%s    %s", columns.first + j > 0 ? ",\n" : "",
                sdca_json_number(w[j]).text);
    }
    return SDCA_OK;
}

sdca_status sdca_model_export_json(const sdca_model *model, sdca_hdf5_file *hdf5,
                                   const char *path)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(model);
    FILE       *file   = NULL;

    SDCA_TRY(sdca_atomic_file_open(path, &file));
    write_json_head(model, file);
    fputs(parts > 1 ? "  \"weights\": [[\n" : "  \"weights\": [\n", file);
    for (int k = 0; k < parts; k++) {
        fputs(k > 0 ? "],\n  [\n" : "", file);
        SDCA_TRY(sdca_model_visit_part(model, hdf5, k, write_json_weights, file));
    }
    fputs(parts > 1 ? "]]\n}\n" : "]\n}\n", file);
    status = sdca_atomic_file_commit(file, path);
    file   = NULL; /* closed, also on failure */

done:
    sdca_atomic_file_discard(file, path);
    return status;
}
