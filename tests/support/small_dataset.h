/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_dataset.h - a small data set, of which every rank creates its own part, and runs
 * on it.
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

/* A data set with the loss to train, an iterate, and what training leaves. */
typedef struct small_run {
    MPI_Comm          comm;
    sdca_dataset     *data;
    sdca_objective    objective;
    sdca_iterate      iterate;
    sdca_train_result result;
    sdca_status       status;   /* of the last training */
    bool              borrowed; /* data belongs to another owner */
} small_run;

/* A data set as above whose labels suit the loss, its objective, and an iterate at the
 * start; or the same of a data set, which is taken over. Collective. Aborts without
 * memory. The caller frees the run with small_run_free(). */
small_run small_run_start(int64_t rows, int32_t columns, int loss, double lambda,
                          bool wide);
small_run small_run_start_on(MPI_Comm comm, int64_t rows, int32_t columns, int loss,
                             double lambda, bool wide);
small_run small_run_of(sdca_dataset *data, int loss, double lambda);

/* The same of a data set that is kept, with this objective. Collective. */
small_run small_run_on(sdca_dataset *data, const sdca_objective *objective);

/* Train without callbacks: from the present iterate, or from the start. The earlier
 * result is freed. Collective. Returns run->status. */
sdca_status small_run_continue(small_run *run, const sdca_train_options *options);
sdca_status small_run_again(small_run *run, const sdca_train_options *options);

/* Start and train. Collective. */
small_run small_run_train(int64_t rows, int32_t columns, int loss, double lambda,
                          const sdca_train_options *options);

void small_run_free(small_run *run);

/* Whether every alpha of this rank is in the domain of its conjugate. Local. */
bool small_run_is_feasible(const small_run *run);

/* Case k of the options that the serial baselines refuse, or take: a start with SGD, an
 * average, a random iterate, none of these. Collective. */
enum { SMALL_BASELINE_CASES = 4 };
void small_check_baseline_options(sdca_solver solver, int k);

/* P, D and gap of the present iterate. Collective. Aborts if they cannot be computed. */
sdca_certificate small_run_measure(const small_run *run);

/* The largest difference between w and C sum alpha_i x_i. Collective. */
double small_run_inconsistency(const small_run *run);

#endif
