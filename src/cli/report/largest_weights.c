/* SPDX-License-Identifier: BSD-3-Clause
 *
 * largest_weights.c - the largest weights of a model, found in one pass. */
#include "cli/report/largest_weights.h"

#include <math.h>
#include <mpi.h>

#include "io/hdf5_file.h"

/* What the order is by. */
static double magnitude(const report_largest_weights *largest, double w, double deviation)
{
    return fabs(largest->has_deviations ? w * deviation : w);
}

/* Insert a weight if it is among the largest so far. */
static void insert(report_largest_weights *largest, int64_t column, double w,
                   double deviation)
{
    double size = magnitude(largest, w, deviation);
    int    at   = largest->count;

    while (at > 0 &&
           magnitude(largest, largest->w[at - 1], largest->deviation[at - 1]) < size) {
        at--;
    }
    if (at == REPORT_LARGEST_WEIGHTS) {
        return;
    }
    largest->count += largest->count < REPORT_LARGEST_WEIGHTS;
    for (int k = largest->count - 1; k > at; k--) {
        largest->column[k]    = largest->column[k - 1];
        largest->w[k]         = largest->w[k - 1];
        largest->deviation[k] = largest->deviation[k - 1];
    }
    largest->column[at]    = column;
    largest->w[at]         = w;
    largest->deviation[at] = deviation;
}

static sdca_status visit_weights(void *context, sdca_range columns, const double *w)
{
    report_largest_weights *largest = context;

    for (int64_t k = 0; k < columns.count; k++) {
        if (w[k] != 0.0) {
            largest->nonzero++;
            largest->squared_norm += w[k] * w[k];
            insert(largest, columns.first + k, w[k], NAN);
        }
    }
    return SDCA_OK;
}

sdca_status report_largest_weights_find(const sdca_model *model, const char *path, int k,
                                        report_largest_weights *out)
{
    sdca_status            status  = SDCA_OK;
    sdca_hdf5_file        *store   = NULL;
    report_largest_weights largest = { 0 };

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    SDCA_TRY(sdca_model_visit_part(model, store, k, visit_weights, &largest));
    *out = largest;

done:
    sdca_hdf5_close(store);
    return status;
}

void report_largest_weights_rank(const sdca_scorer *scorer, int k,
                                 const sdca_dataset *data, const double *deviation,
                                 report_largest_weights *largest)
{
    largest->count          = 0;
    largest->has_deviations = true;
    for (int32_t j = 0; j < data->columns; j++) {
        double w = scorer->w[(size_t)j * (size_t)scorer->models + (size_t)k];

        if (w != 0.0 && deviation[j] > 0.0) {
            insert(largest, sdca_used_columns_original(data->column_map, j), w,
                   deviation[j]);
        }
    }
}
