/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_test.h - how well the model of a run of train predicts the test set, at its end.
 */
#ifndef SDCA_CLI_TRAIN_TRAIN_TEST_H
#define SDCA_CLI_TRAIN_TRAIN_TEST_H

#include "cli/train/train_job.h"

/* Compute all metrics, and the number of labels that are proven to be those of the
 * exact optimum; below 0: that is not known. Only the model of the first rank, which is
 * complete, is used. Collective. The caller frees out with sdca_metrics_result_free(). */
sdca_status train_test_measure(const train_job *j, const sdca_model *model,
                               sdca_metrics_result *out, int64_t *certain);

#endif
