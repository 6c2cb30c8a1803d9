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

/* Read a model, or the model of a checkpoint. Every rank gets all weights. Collective.
 * On success the caller frees *out with sdca_model_free(). */
SDCA_API sdca_status sdca_model_read(MPI_Comm comm, const char *path, sdca_model **out);

/* Write a model as an HDF5 file (docs/formats.md), which appears complete or not at all.
 * Local: one rank calls it, and sdca_agree() tells the others the outcome. */
SDCA_API sdca_status sdca_model_write(const sdca_model *model, const char *path);

/* Free a model; NULL is allowed. Local. */
SDCA_API void sdca_model_free(sdca_model *model);

/* The number of scores of a row: one per class if there are more than two classes, else
 * 1. Local. */
SDCA_API int sdca_model_score_count(const sdca_model *model);

/* Compute the scores w.x + bias of each of this rank's rows, in their order in the
 * source: scores has space for sdca_dataset_local_rows() times
 * sdca_model_score_count(), and the scores of a row follow each other. Columns that the
 * model does not have count for nothing. Fails with SDCA_USAGE if the rows are
 * normalised and those of the training data were not, or the reverse. Local. */
SDCA_API sdca_status sdca_model_predict(const sdca_model *model, const sdca_dataset *data,
                                        double *scores);

/* The label that a score predicts: one of the two classes, or for regression the score
 * itself. Local. */
SDCA_API double sdca_model_label(const sdca_model *model, double score);

/* The label that the scores of a row predict: the same for one score, for several
 * classes the label of the greatest score, and of equal ones the first. Local. */
SDCA_API double sdca_model_label_of_scores(const sdca_model *model, const double *scores);

/* The number of classes: 2 or more, 1 if all labels were the same, 0 for regression.
 * Local. */
SDCA_API int sdca_model_class_count(const sdca_model *model);

/* The label of class k, for two classes 0 for scores up to 0 and 1 for scores above 0,
 * and its name, NULL if labels are numbers. Local; the model owns the name. */
SDCA_API double      sdca_model_class_label(const sdca_model *model, int k);
SDCA_API const char *sdca_model_class_name(const sdca_model *model, int k);

/* The number of columns, and one weight for each of them: those of class 0, then those of
 * class 1, and so on if there are more than two classes. Local; the model owns them. */
SDCA_API int32_t       sdca_model_columns(const sdca_model *model);
SDCA_API const double *sdca_model_weights(const sdca_model *model);

/* What is added to every w.x; 0 without a bias, and with more than two classes. Local. */
SDCA_API double sdca_model_bias(const sdca_model *model);

/* With more than two classes, each is a model of its own, the class against the rest:
 * the weights, bias and certificate of class k, the epochs that it took, and its
 * history. Otherwise those of the model, for any k. Local; the model owns weights and
 * history. */
SDCA_API const double       *sdca_model_class_weights(const sdca_model *model, int k);
SDCA_API double              sdca_model_class_bias(const sdca_model *model, int k);
SDCA_API sdca_certificate    sdca_model_class_certificate(const sdca_model *model, int k);
SDCA_API double              sdca_model_class_epochs(const sdca_model *model, int k);
SDCA_API const sdca_history *sdca_model_class_history(const sdca_model *model, int k);

/* Loss and regularisation that the model was trained with. Local; the name is static. */
SDCA_API const char *sdca_model_loss(const sdca_model *model);
SDCA_API double      sdca_model_loss_parameter(const sdca_model *model);
SDCA_API double      sdca_model_lambda(const sdca_model *model);

/* Was each row divided by its norm in training? Local. */
SDCA_API bool sdca_model_is_normalized(const sdca_model *model);

/* Did training reach its target? Local. */
SDCA_API bool sdca_model_converged(const sdca_model *model);

/* The relative gap, for several classes the largest one. Local. */
SDCA_API double sdca_model_largest_relative_gap(const sdca_model *model);

/* How far the weights are from the optimum, and how training went. With more than two
 * classes, the certificate has sums over the classes and a bound on the distance of all
 * weights together, and the history is empty. Local; the model owns the history. */
SDCA_API sdca_certificate    sdca_model_certificate(const sdca_model *model);
SDCA_API const sdca_history *sdca_model_history(const sdca_model *model);

#ifdef __cplusplus
}
#endif

#endif
