/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.h - a trained model: weights, certificate, history, and how it was made. */
#ifndef SDCA_MODEL_H
#define SDCA_MODEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "certificate.h"
#include "dataset.h"
#include "history.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read a model, or the model of a checkpoint. Every rank gets all weights. Collective. On
 * success *out is the caller's, to be freed with sdca_model_free(). */
SDCA_API sdca_status sdca_model_read(MPI_Comm comm, const char *path, sdca_model **out);

/* Write a model as an HDF5 file (docs/formats.md), which appears complete or not at all.
 * Local: one rank calls it, and sdca_agree() tells the others the outcome. */
SDCA_API sdca_status sdca_model_write(const sdca_model *model, const char *path);

/* Free a model; NULL is allowed. Local. */
SDCA_API void sdca_model_free(sdca_model *model);

/* Compute the score w.x + bias of each of this rank's rows, in their order in the source:
 * scores has room for sdca_dataset_local_rows(). Columns that the model does not have
 * count for nothing. Fails with SDCA_USAGE if the rows are normalised and those of the
 * training data were not, or the reverse. Local. */
SDCA_API sdca_status sdca_model_predict(const sdca_model *model, const sdca_dataset *data,
                                        double *scores);

/* The label that a score predicts: one of the two classes, or for regression the score
 * itself. Local. */
SDCA_API double sdca_model_label(const sdca_model *model, double score);

/* The number of classes: 2, 1 if all labels were the same, 0 for regression. Local. */
SDCA_API int sdca_model_class_count(const sdca_model *model);

/* The label of class k, 0 for scores up to 0 and 1 for scores above 0, and its name, NULL
 * if labels are numbers. Local; the model owns the name. */
SDCA_API double      sdca_model_class_label(const sdca_model *model, int k);
SDCA_API const char *sdca_model_class_name(const sdca_model *model, int k);

/* The number of columns, and one weight for each of them. Local; the model owns them. */
SDCA_API int32_t       sdca_model_columns(const sdca_model *model);
SDCA_API const double *sdca_model_weights(const sdca_model *model);

/* What is added to every w.x; 0 without a bias. Local. */
SDCA_API double sdca_model_bias(const sdca_model *model);

/* Loss and regularisation that the model was trained with. Local; the name is static. */
SDCA_API const char *sdca_model_loss(const sdca_model *model);
SDCA_API double      sdca_model_loss_parameter(const sdca_model *model);
SDCA_API double      sdca_model_lambda(const sdca_model *model);

/* Was each row divided by its norm in training? Local. */
SDCA_API bool sdca_model_is_normalized(const sdca_model *model);

/* Did training reach its target? Local. */
SDCA_API bool sdca_model_converged(const sdca_model *model);

/* How far the weights are from the optimum, and how training went. Local; the model owns
 * the history. */
SDCA_API sdca_certificate    sdca_model_certificate(const sdca_model *model);
SDCA_API const sdca_history *sdca_model_history(const sdca_model *model);

#ifdef __cplusplus
}
#endif

#endif
