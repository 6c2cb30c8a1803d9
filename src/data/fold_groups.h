/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold_groups.h - folds of whole groups of rows. */
#ifndef SDCA_DATA_FOLD_GROUPS_H
#define SDCA_DATA_FOLD_GROUPS_H

#include "data/folds.h"

/* Set data->fold, which is -1 for rows that are in none, so that no group is in two
 * folds: the groups one after the other, the largest first, each to the fold where it
 * keeps the shares of the classes most even. Collective. */
sdca_status sdca_fold_groups_assign(MPI_Comm comm, const sdca_fold_options *options,
                                    sdca_dataset *data);

#endif
