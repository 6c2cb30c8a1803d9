/* SPDX-License-Identifier: BSD-3-Clause
 *
 * standardization.c - columns divided by their standard deviation, less their mean, and
 * the constant column of an unpenalised intercept. */
#include "data/standardization.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "data/row_loader.h"
#include "data/rows_inline.h"
#include "mpi/comm.h"

const char *const sdca_standardize_names[SDCA_STANDARDIZE_COUNT] = {
    [SDCA_STANDARDIZE_NONE]  = "none",
    [SDCA_STANDARDIZE_SCALE] = "scale",
    [SDCA_STANDARDIZE_FULL]  = "full"
};

/* Weighted sums over the rows that have a non-zero in a column, by column. */
typedef struct column_sums {
    int32_t columns; /* without the constant one */
    double *mean;    /* sum of s x, then the mean over all rows */
    double *weight;  /* of the rows, then of the rows that have a 0 */
    double *count;   /* rows with a weight, so that no rounding makes a constant vary */
    double *first;   /* s (x - mean) ... */
    double *second;  /* ... and s (x - mean)^2 */
} column_sums;

enum { SUMS_PER_COLUMN = 5 };

static int32_t feature_columns(const sdca_dataset *data)
{
    return data->x.columns - (data->bias > 0.0);
}

/* What is done with an entry. Returns its new value. */
typedef double entry_function(column_sums *sums, int32_t column, double weight,
                              double value);

/* Visit the entries of all rows but those of the constant column. change: store the
 * results. */
static void visit_entries(sdca_dataset *draft, entry_function *visit, bool change,
                          column_sums *sums)
{
    sdca_rows *x     = &draft->x;
    bool       dense = !is_sparse(format_of(x));

    for (uint32_t i = 0; i < x->count; i++) {
        double  weight = sdca_dataset_weight(draft, i);
        int64_t start  = x->row[i].start;

        for (int64_t k = start; k < x->row[i + 1].start; k++) {
            int32_t j = dense ? (int32_t)(k - start) : (int32_t)sdca_rows_column(x, k);

            if (j < sums->columns) {
                double value = visit(sums, j, weight, sdca_rows_value(x, k));

                if (change) {
                    sdca_rows_set_entry(x, k, j, value);
                }
            }
        }
    }
}

static double add_entry(column_sums *sums, int32_t column, double weight, double value)
{
    if (value != 0.0 && weight > 0.0) {
        sums->mean[column] += weight * value;
        sums->weight[column] += weight;
        sums->count[column] += 1.0;
    }
    return value;
}

static double add_deviation(column_sums *sums, int32_t column, double weight,
                            double value)
{
    double deviation = value - sums->mean[column];

    if (value != 0.0 && weight > 0.0) {
        sums->first[column] += weight * deviation;
        sums->second[column] += weight * deviation * deviation;
    }
    return value;
}

/* (x - mean)/s, with s in place of second. */
static double standardize_entry(column_sums *sums, int32_t column, double weight,
                                double value)
{
    (void)weight;
    return (value - sums->mean[column]) / sums->second[column];
}

static double scale_entry(column_sums *sums, int32_t column, double weight, double value)
{
    (void)weight;
    return value / sums->second[column];
}

/* Rows of all ranks that have a weight. Collective. */
static double count_weighted_rows(MPI_Comm comm, const sdca_dataset *draft)
{
    double count = 0.0;

    for (uint32_t i = 0; i < draft->x.count; i++) {
        count += sdca_dataset_weight(draft, i) > 0.0;
    }
    sdca_comm_allreduce_sum(comm, &count, 1);
    return count;
}

/* Means and variances: deviations are from a mean that is known already, so that nothing
 * large cancels. Collective. */
static void compute_moments(MPI_Comm comm, sdca_dataset *draft, column_sums *sums)
{
    double S = draft->total_weight, rows = count_weighted_rows(comm, draft);

    visit_entries(draft, add_entry, false, sums);
    sdca_comm_allreduce_sum(comm, sums->mean, 3 * (int64_t)sums->columns);
    for (int32_t j = 0; j < sums->columns; j++) {
        sums->mean[j] /= S;
        sums->weight[j] = sums->count[j] == rows ? 0.0 : fmax(0.0, S - sums->weight[j]);
    }
    visit_entries(draft, add_deviation, false, sums);
    sdca_comm_allreduce_sum(comm, sums->first, 2 * (int64_t)sums->columns);
    for (int32_t j = 0; j < sums->columns; j++) {
        double mean  = sums->mean[j];
        double first = (sums->first[j] - sums->weight[j] * mean) / S;

        sums->second[j] = fmax(
            0.0, (sums->second[j] + sums->weight[j] * mean * mean) / S - first * first);
        sums->mean[j] = mean + first;
    }
}

/* The standard deviations in place of the variances, 1 for a column without variance.
 * Returns false if one is not finite. */
static bool compute_deviations(column_sums *sums, int32_t *constant)
{
    *constant = 0;
    for (int32_t j = 0; j < sums->columns; j++) {
        double deviation = sqrt(sums->second[j]);

        if (!isfinite(deviation) || !isfinite(sums->mean[j])) {
            return false;
        }
        if (deviation <= fmax(4.0 * DBL_EPSILON * fabs(sums->mean[j]), DBL_MIN)) {
            (*constant)++;
            deviation = 1.0;
        }
        sums->second[j] = deviation;
    }
    return true;
}

/* The norms of rows whose values have changed. */
static void recompute_norms(sdca_dataset *draft)
{
    for (uint32_t i = 0; i < draft->x.count; i++) {
        draft->x.row[i].norm2 = sdca_rows_norm2(&draft->x, i);
    }
}

/* Are the rows sparse, on the ranks that have some? Collective. */
static bool rows_are_sparse(MPI_Comm comm, const sdca_dataset *draft)
{
    double sparse = draft->x.count > 0 && is_sparse(format_of(&draft->x)) ? 1.0 : 0.0;

    sdca_comm_allreduce_max(comm, &sparse, 1);
    return sparse > 0.0;
}

/* Keep what was divided by, and what was subtracted. Local. */
static sdca_status keep_moments(const char *name, const column_sums *sums, bool centred,
                                sdca_dataset *draft)
{
    size_t columns = (size_t)sums->columns;

    draft->scale = sdca_alloc_array(columns, sizeof *draft->scale);
    draft->mean  = centred ? sdca_alloc_array(columns, sizeof *draft->mean) : NULL;
    if (draft->scale == NULL || (centred && draft->mean == NULL)) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the moments of %ld columns of '%s'",
                         (long)columns, name);
    }
    memcpy(draft->scale, sums->second, columns * sizeof *draft->scale);
    if (centred) {
        memcpy(draft->mean, sums->mean, columns * sizeof *draft->mean);
    }
    return SDCA_OK;
}

sdca_status sdca_standardization_apply(MPI_Comm comm, const char *name,
                                       sdca_standardize kind, sdca_dataset *draft)
{
    column_sums sums    = { .columns = feature_columns(draft) };
    size_t      columns = (size_t)sums.columns;
    bool        sparse  = rows_are_sparse(comm, draft);
    bool        centred = kind == SDCA_STANDARDIZE_FULL && !sparse;
    sdca_status status  = SDCA_OK;

    if (kind == SDCA_STANDARDIZE_FULL && sparse && !draft->intercept) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the rows of '%s' are sparse: --standardize full needs "
                         "--intercept there, or use --standardize scale",
                         name);
    }
    sums.mean = sdca_alloc_zeroed(columns * SUMS_PER_COLUMN, sizeof *sums.mean);
    SDCA_TRY(sdca_comm_agree(
        comm, sums.mean != NULL
                  ? SDCA_OK
                  : SDCA_FAIL(SDCA_MEMORY, "no memory for the moments of %ld columns",
                              (long)columns)));
    sums.weight = sums.mean + columns;
    sums.count  = sums.weight + columns;
    sums.first  = sums.count + columns;
    sums.second = sums.first + columns;
    compute_moments(comm, draft, &sums);
    if (!compute_deviations(&sums, &draft->constant_columns)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "a column of '%s' is too large for double precision: its "
                           "variance is not finite",
                           name);
        goto done;
    }
    SDCA_TRY(sdca_comm_agree(comm, keep_moments(name, &sums, centred, draft)));
    visit_entries(draft, centred ? standardize_entry : scale_entry, true, &sums);
    draft->standardize = kind;
    recompute_norms(draft);

done:
    free(sums.mean);
    return status;
}

sdca_status sdca_standardization_apply_like(MPI_Comm comm, const sdca_dataset *other,
                                            sdca_dataset *draft)
{
    column_sums sums   = { .columns = feature_columns(draft), .second = other->scale };
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, keep_moments("test", &sums, false, draft)));
    visit_entries(draft, scale_entry, true, &sums);

done:
    return status;
}

void sdca_standardization_set_constant(sdca_dataset *draft)
{
    double norm2 = draft->mean_norm2 - draft->bias * draft->bias;

    draft->bias =
        (double)(float)(tuning_constant_column * sqrt(fmin(1e12, fmax(1e-12, norm2))));
    for (uint32_t i = 0; i < draft->x.count; i++) {
        sdca_row_loader_set_bias(draft, i);
    }
    recompute_norms(draft);
}

bool sdca_dataset_is_transformed(const sdca_dataset *data)
{
    return data->scale != NULL || data->intercept;
}

double sdca_dataset_bias_value(const sdca_dataset *data)
{
    return data->intercept      ? 1.0
           : data->bias > 0.0   ? data->bias
           : data->mean != NULL ? 1.0
                                : 0.0;
}

void sdca_dataset_source_weights(const sdca_dataset *data, const double *w, size_t stride,
                                 double *out)
{
    int32_t columns = feature_columns(data);

    for (int32_t j = 0; j < columns; j++) {
        double weight = w[(size_t)j * stride];

        out[j] = data->scale != NULL ? weight / data->scale[j] : weight;
    }
}

double sdca_dataset_intercept(const sdca_dataset *data, const double *w, size_t stride)
{
    int32_t columns   = feature_columns(data);
    double  intercept = 0.0;

    if (data->bias > 0.0) {
        intercept = data->bias * w[(size_t)columns * stride];
    }
    for (int32_t j = 0; data->mean != NULL && j < columns; j++) {
        intercept -= w[(size_t)j * stride] / data->scale[j] * data->mean[j];
    }
    return intercept;
}

double sdca_dataset_row_weights(const sdca_dataset *data, double intercept, double *w)
{
    int32_t columns = feature_columns(data);

    for (int32_t j = 0; data->scale != NULL && j < columns; j++) {
        intercept += data->mean != NULL ? w[j] * data->mean[j] : 0.0;
        w[j] *= data->scale[j];
    }
    return intercept;
}
