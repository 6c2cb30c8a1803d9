/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_view.h - a data set of several classes, seen as one class against the rest.
 *
 * A view has labels of its own; everything else is shared with the data set, which must
 * outlive it. */
#ifndef SDCA_DATA_DATASET_VIEW_H
#define SDCA_DATA_DATASET_VIEW_H

#include "base/status.h"
#include "data/dataset.h"

/* A view of a data set, with the labels as they are. Local. *out is the caller's, to be
 * freed with sdca_dataset_view_free(). */
sdca_status sdca_dataset_view_create(const sdca_dataset *data, sdca_dataset **out);
void        sdca_dataset_view_free(sdca_dataset *view);

/* The labels become +1 for the rows of class k, an index of data->classes, and -1 for all
 * others. Local. */
void sdca_dataset_view_select(const sdca_dataset *data, int k, sdca_dataset *view);

#endif
