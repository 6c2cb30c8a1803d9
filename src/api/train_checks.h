/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_checks.h - options that sdca_train() refuses. */
#ifndef SDCA_API_TRAIN_CHECKS_H
#define SDCA_API_TRAIN_CHECKS_H

#include "data/dataset.h"
#include "objective/loss.h"
#include "sdca/train.h"

/* Reject values out of range, options that exclude each other, and options that do not
 * fit the data set or the number of ranks. *loss becomes the loss of the options.
 * Local. */
sdca_status sdca_train_checks_run(const sdca_train_options *options,
                                  const sdca_dataset *data, int ranks,
                                  const sdca_loss **loss);

/* The name of an option that has a value other than its default and applies to coordinate
 * ascent only, or NULL. Local; the result is static. */
const char *sdca_train_checks_find_sdca_only(const sdca_train_options *options);

/* Fails on more than two classes. The same on every rank. Local. */
sdca_status sdca_train_checks_classes(const sdca_dataset *data);

#endif
