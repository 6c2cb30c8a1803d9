/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_files.h - may train read and write these files? */
#ifndef SDCA_TRAIN_FILES_H
#define SDCA_TRAIN_FILES_H

#include "base/status.h"
#include "cli/options/train_arguments.h"

/* Outputs that cannot be made are refused, as are those that would replace an input or
 * each other. Asked before the work. Local. */
sdca_status train_files_check(const train_arguments *arguments);

#endif
