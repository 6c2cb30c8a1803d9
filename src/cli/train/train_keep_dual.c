/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_keep_dual.c - train --keep-dual: the dual variables become part of the model. */
#include "cli/train/train_keep_dual.h"

#include <stdio.h>

#include "model/dual_file.h"
#include "solver/solvers.h"

sdca_status train_keep_dual_prepare(const train_arguments *arguments,
                                    const sdca_dataset *data, sdca_model *model)
{
    if (!arguments->keep_dual) {
        return SDCA_OK;
    }
    if (sdca_model_parts(model) > 1 &&
        (arguments->checkpoint != NULL || arguments->resume)) {
        return SDCA_FAIL(SDCA_USAGE, "--keep-dual excludes checkpoints of more than two "
                                     "classes, which do not have all dual variables");
    }
    return sdca_model_create_dual(model, data);
}

static void copy_text(const char *from, char to[SDCA_MODEL_OPTIONS_SIZE])
{
    snprintf(to, SDCA_MODEL_OPTIONS_SIZE, "%s", from != NULL ? from : "");
}

sdca_status train_keep_dual_write(MPI_Comm comm, const train_arguments *arguments,
                                  const sdca_dataset *data, const sdca_iterate *iterate,
                                  const sdca_train_result *result, sdca_model *model,
                                  const char *path)
{
    sdca_solver        solver = arguments->training.solver; /* not AUTO any more */
    sdca_dual_settings settings;

    if (model->dual == NULL) {
        return SDCA_OK;
    }
    if (model->by_class == NULL) {
        sdca_model_keep_dual(model, data, 0, iterate);
    }
    settings = (sdca_dual_settings){ .w_of_alpha = solver == result->solver &&
                                                   sdca_solver_find(solver)->w_of_alpha };
    copy_text(arguments->label_column, settings.label_column);
    copy_text(arguments->weight_column, settings.weight_column);
    copy_text(arguments->class_weight, settings.class_weight);
    copy_text(arguments->positive, settings.positive);
    return sdca_model_write_with_dual(comm, model, data, &settings, path);
}
