/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_export.c - a model in the formats of others. */
#include "sdca/model.h"

#include <math.h>
#include <stdio.h>

#include "sdca/output.h"

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
