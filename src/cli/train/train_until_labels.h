/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_until_labels.h - train --until labels: until every label of the test set is
 * proven to be that of the exact optimum. */
#ifndef SDCA_CLI_TRAIN_TRAIN_UNTIL_LABELS_H
#define SDCA_CLI_TRAIN_TRAIN_UNTIL_LABELS_H

#include "cli/train/train_job.h"

/* Train the model of one lambda, or one per class, to the target of the options, and
 * continue to smaller gaps until all labels are proven. The result is that of all
 * stages together. Collective. Returns SDCA_BUDGET if a stage has not reached its
 * target before. */
sdca_status train_until_labels(train_job *j, const sdca_train_callbacks *callbacks);

/* The number of labels of the test set that are proven; below 0: that is not known
 * about this model, which is complete. If need is not NULL, it gets the distance from
 * the optimum at which all would be, with weights as they are. Collective. */
sdca_status train_until_count(const train_job *j, const sdca_model *model,
                              int64_t *certain, double *need);

#endif
