/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_keep_dual.h - train --keep-dual: the dual variables become part of the model. */
#ifndef SDCA_CLI_TRAIN_TRAIN_KEEP_DUAL_H
#define SDCA_CLI_TRAIN_TRAIN_KEEP_DUAL_H

#include <mpi.h>

#include "cli/options/train_arguments.h"

/* Before training: allocate space for the dual variables if they are to be kept. Local.
 */
sdca_status train_keep_dual_prepare(const train_arguments *arguments,
                                    const sdca_dataset *data, sdca_model *model);

/* Write the model of a run with this result again, with its dual variables, if they are
 * to be kept. Of more than two classes the iterate is not used. Collective. */
sdca_status train_keep_dual_write(MPI_Comm comm, const train_arguments *arguments,
                                  const sdca_dataset *data, const sdca_iterate *iterate,
                                  const sdca_train_result *result, sdca_model *model,
                                  const char *path);

#endif
