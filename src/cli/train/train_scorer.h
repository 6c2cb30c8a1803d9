/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_scorer.h - the scores of a model that was trained, for another data set with the
 * columns of the training data. */
#ifndef SDCA_CLI_TRAIN_TRAIN_SCORER_H
#define SDCA_CLI_TRAIN_TRAIN_SCORER_H

#include "data/dataset.h"
#include "model/model.h"
#include "objective/scorer.h"

/* The weights of the model are for columns as in the source; those of other may be
 * scaled. Local. The caller frees out with sdca_scorer_free(). */
sdca_status train_scorer_create(const sdca_model *model, const sdca_dataset *data,
                                const sdca_dataset *other, sdca_scorer *out);

#endif
