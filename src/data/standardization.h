/* SPDX-License-Identifier: BSD-3-Clause
 *
 * standardization.h - columns divided by their standard deviation, less their mean, and
 * the constant column of an unpenalised intercept.
 *
 * With the weighted mean m_j and standard deviation s_j of column j, rows in memory have
 * x_j/s_j, or (x_j - m_j)/s_j. Zeros of sparse rows stay zeros: they are not centred,
 * which makes no difference together with an unpenalised intercept. Weights of a model
 * are converted to the units of the source, so that only training knows of this. */
#ifndef SDCA_DATA_STANDARDIZATION_H
#define SDCA_DATA_STANDARDIZATION_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "data/dataset.h"

/* Names of the kinds, as in options and files. */
enum { SDCA_STANDARDIZE_COUNT = SDCA_STANDARDIZE_FULL + 1 };
extern const char *const sdca_standardize_names[SDCA_STANDARDIZE_COUNT];

/* Standardise the rows of a draft, whose labels, weights and columns are final. Fails
 * with SDCA_USAGE if sparse rows would have to be centred, and with SDCA_DATA if a
 * variance overflows. Collective. */
sdca_status sdca_standardization_apply(MPI_Comm comm, const char *name,
                                       sdca_standardize kind, sdca_dataset *draft);

/* Divide the columns of a draft as those of another data set, of which it has the columns
 * without the constant one. Collective. */
sdca_status sdca_standardization_apply_like(MPI_Comm comm, const sdca_dataset *other,
                                            sdca_dataset *draft);

/* Give the constant column of an unpenalised intercept a part of the size of a mean row:
 * its steps are neither much shorter nor much longer than those of w. Local. */
void sdca_standardization_set_constant(sdca_dataset *draft);

/* Are weights for these rows other numbers than those for the source's, or is their
 * constant column not one that was asked for? Local. */
bool sdca_dataset_is_transformed(const sdca_dataset *data);

/* The value of a constant column with which a model can represent its intercept; 0: it
 * has none. Local. */
double sdca_dataset_bias_value(const sdca_dataset *data);

/* The weights for the source's values, given w for those of the rows, the weight of
 * column j being w[j * stride]. out has one for each column but the constant one, in the
 * order of the data set; it may be w if stride is 1. Local. */
void sdca_dataset_source_weights(const sdca_dataset *data, const double *w, size_t stride,
                                 double *out);

/* The intercept that goes with them. Local. */
double sdca_dataset_intercept(const sdca_dataset *data, const double *w, size_t stride);

/* The opposite, in place, of a model that may have been trained on other rows: w becomes
 * the weights for the rows' values, but for the constant column. Returns the intercept.
 * Local. */
double sdca_dataset_row_weights(const sdca_dataset *data, double intercept, double *w);

#endif
