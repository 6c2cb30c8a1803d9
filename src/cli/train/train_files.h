/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_files.h - checks of the input and output files of train. */
#ifndef SDCA_CLI_TRAIN_TRAIN_FILES_H
#define SDCA_CLI_TRAIN_TRAIN_FILES_H

#include "base/status.h"
#include "cli/options/train_arguments.h"

/* Fail if an output cannot be created, or would replace an input or another output.
 * Called before the run. Local. */
sdca_status train_files_check(const train_arguments *arguments);

#endif
