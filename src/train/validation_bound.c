/* SPDX-License-Identifier: BSD-3-Clause
 *
 * validation_bound.c - a lower bound on the validation error of every lambda of a range.
 */
#include "train/validation_bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"

/* Pieces of the interval between two fits. */
enum { PIECES = 128 };

/* More than the rounding errors of cosines, norms and logarithms. */
static const double margin = 1e-8, tiny = 1e-12;

sdca_status sdca_validation_bound_create(uint32_t rows, int fits,
                                         sdca_validation_bound *out)
{
    sdca_validation_bound bound = { .rows = rows, .room = fits };

    bound.log_lambda = sdca_alloc_zeroed((size_t)fits, sizeof *bound.log_lambda);
    bound.reach = sdca_alloc_array((size_t)rows + 1, (size_t)fits * sizeof *bound.reach);
    if (bound.log_lambda == NULL || bound.reach == NULL) {
        sdca_validation_bound_free(&bound);
        return SDCA_FAIL(SDCA_MEMORY, "no memory to bound the error of %d lambda", fits);
    }
    *out = bound;
    return SDCA_OK;
}

void sdca_validation_bound_free(sdca_validation_bound *bound)
{
    free(bound->log_lambda);
    free(bound->reach);
    *bound = (sdca_validation_bound){ 0 };
}

double sdca_validation_bound_reach(const sdca_lambda_fit *fit, double lead, double norm2,
                                   int64_t width)
{
    double scale  = sqrt(norm2) * sqrt(fit->norm2);
    double cosine = scale > 0.0 ? lead / scale : 0.0;
    double gap    = fit->gap / (fit->lambda * fit->norm2) + tiny;
    double reach;

    cosine = fmin(cosine, 1.0) * (1.0 - margin) - tiny - (double)width * DBL_EPSILON;
    if (!(cosine > 0.0)) {
        return -1.0;
    }
    if (fit->w_of_alpha) {
        double least = fmax(0.0, cosine * cosine - gap);

        reach = 2.0 * asinh(sqrt(least / (1.0 - cosine * cosine)));
    } else {
        double distance = (1.0 + sqrt(2.0)) * sqrt(gap);

        reach = log((1.0 + cosine) / (1.0 - cosine + 2.0 * distance));
    }
    return reach > 0.0 ? reach : -1.0;
}

void sdca_validation_bound_begin_fit(sdca_validation_bound *bound, double lambda)
{
    int k = bound->fits++;

    bound->log_lambda[k] = log(lambda);
    for (uint32_t i = 0; i < bound->rows; i++) {
        bound->reach[(size_t)i * (size_t)bound->room + (size_t)k] = -1.0F;
    }
}

void sdca_validation_bound_set(sdca_validation_bound *bound, uint32_t i, double reach)
{
    size_t at = (size_t)i * (size_t)bound->room + (size_t)(bound->fits - 1);

    bound->reach[at] = (float)(reach * (1.0 - 1e-6)); /* rounded down */
}

/* Whole pieces of a length within this distance of an end of an interval. */
static int whole_pieces(double distance, double length)
{
    double pieces = floor(distance / length * PIECES - 1e-6);

    return (int)fmin(PIECES, fmax(0.0, pieces));
}

/* Add the share of a row to the differences of the pieces between the fits k and k + 1:
 * it is wrong down to low, and from high down. */
static void add_row(const sdca_validation_bound *bound, int k, double low, double high,
                    double share, double *difference)
{
    double  top = bound->log_lambda[k], bottom = bound->log_lambda[k + 1];
    int     above = whole_pieces(top - low, top - bottom);
    int     below = whole_pieces(high - bottom, top - bottom);
    double *at    = difference + (size_t)k * (PIECES + 1);

    if (above + below >= PIECES) {
        above = PIECES;
        below = 0;
    }
    if (above > 0) {
        at[0] += share;
        at[above] -= share;
    }
    if (below > 0) {
        at[PIECES - below] += share;
        at[PIECES] -= share;
    }
}

/* The pieces for which a row is proven wrong. high has space for a number per fit. */
static void add_reaches(const sdca_validation_bound *bound, uint32_t i, double share,
                        double *high, double *difference)
{
    const float *reach = bound->reach + (size_t)i * (size_t)bound->room;
    double       low   = INFINITY;

    high[bound->fits - 1] = -INFINITY;
    for (int k = bound->fits - 2; k >= 0; k--) { /* of the fits after k */
        double of_next = reach[k + 1] > 0.0F
                             ? bound->log_lambda[k + 1] + (double)reach[k + 1]
                             : -INFINITY;

        high[k] = fmax(high[k + 1], of_next);
    }
    for (int k = 0; k < bound->fits - 1; k++) {
        if (reach[k] > 0.0F) {
            low = fmin(low, bound->log_lambda[k] - (double)reach[k]);
        }
        add_row(bound, k, low, high[k], share, difference);
    }
}

/* The least sum of the differences of an interval. */
static double least_sum(const double *difference)
{
    double least = INFINITY, sum = 0.0;

    for (int p = 0; p < PIECES; p++) {
        sum += difference[p];
        least = fmin(least, sum);
    }
    return fmax(0.0, least * (1.0 - margin) - tiny);
}

sdca_status sdca_validation_bound_compute(MPI_Comm                     comm,
                                          const sdca_validation_bound *bound,
                                          const double *share, double *by_interval,
                                          double *out)
{
    sdca_status status     = SDCA_OK;
    int         intervals  = bound->fits - 1;
    size_t      count      = (size_t)(intervals > 0 ? intervals : 0) * (PIECES + 1);
    double     *difference = sdca_alloc_zeroed(count + 1, sizeof *difference);
    double     *high       = sdca_alloc_zeroed((size_t)bound->room + 1, sizeof *high);

    if (difference == NULL || high == NULL) {
        status =
            SDCA_FAIL(SDCA_MEMORY, "no memory for the pieces of %d intervals", intervals);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    *out = NAN;
    for (uint32_t i = 0; intervals > 0 && i < bound->rows; i++) {
        if (share[i] > 0.0) {
            add_reaches(bound, i, share[i], high, difference);
        }
    }
    sdca_comm_allreduce_sum(comm, difference, (int64_t)count);
    for (int k = 0; k < intervals; k++) {
        by_interval[k] = least_sum(difference + (size_t)k * (PIECES + 1));
        *out           = fmin(*out, by_interval[k]); /* not NaN from here on */
    }

done:
    free(difference);
    free(high);
    return status;
}
