/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_dataset.h - a small data set; every rank creates its own part.
 *
 * Row i is a function of i alone, so the data set is the same for any number of
 * ranks. Every tenth row is empty. */
#ifndef SDCA_SUPPORT_SMALL_DATASET_H
#define SDCA_SUPPORT_SMALL_DATASET_H

#include <mpi.h>
#include <stdbool.h>

#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "train/train_options.h"

/* Rows are distributed evenly; labels are -1 and +1 if classifies, else real. wide
 * selects float64 values. Collective. Aborts without memory. */
sdca_dataset *small_dataset_create(int64_t rows, int32_t columns, bool classifies,
                                   bool wide);
sdca_dataset *small_dataset_create_on(MPI_Comm comm, int64_t rows, int32_t columns,
                                      bool classifies, bool wide);

/* The objective with this loss and the parameter 0.3. Local. */
sdca_objective small_dataset_objective(int loss, double lambda, const sdca_dataset *data);

/* Whether every local alpha is in the domain of its conjugate. Local. */
bool small_dataset_is_feasible(const sdca_objective *objective, const sdca_dataset *data,
                               const sdca_iterate *iterate);

/* A complete training run on all ranks without callbacks; the caller frees its results.
 * Collective. Aborts without memory. */
sdca_status small_dataset_train(const sdca_objective *objective, const sdca_dataset *data,
                                const sdca_train_options *options, sdca_iterate *iterate,
                                sdca_train_result *result);

/* A data set with the loss to train, and what a training run on it leaves. */
typedef struct small_run {
    sdca_dataset     *data;
    sdca_objective    objective;
    sdca_iterate      iterate;
    sdca_train_result result;
    sdca_status       status;
} small_run;

/* Make a data set whose labels suit the loss, and train on it, all of it as above.
 * Collective. Aborts without memory. What the result holds is the caller's, to be freed
 * with small_run_free(). */
small_run small_run_train(int64_t rows, int32_t columns, int loss, double lambda,
                          const sdca_train_options *options);
void      small_run_free(small_run *run);

#endif
