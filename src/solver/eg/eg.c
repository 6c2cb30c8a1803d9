/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eg.c - online exponentiated gradient on the dual (Collins et al., JMLR 2008). */
#include "solver/eg/eg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "objective/row_term.h"

/* Beyond this theta, b or 1 - b is less than 2^-57: in double precision b is at an end
 * of its interval, and a greater theta would only delay its return. */
static const double max_theta = 40.0;

/* The greatest |theta| of the start, ours: from alpha = 0 all rows begin near b = 0,
 * since at b = 1/2 w would be far from the optimum if lambda n is small. The first eta
 * and its growth are the paper's. The greatest eta is ours: a row that stays at an end of
 * the interval succeeds at every visit. */
static const double first_theta = 4.0;
static const double first_eta   = 0.5;
static const double eta_growth  = 1.05;
static const double max_eta     = 0x1p20;

/* SDCA draws its orders from the seed itself: these must differ. */
static uint64_t eg_seed(uint64_t seed)
{
    return ~seed;
}

static sdca_status check_loss(const sdca_objective *objective)
{
    const sdca_loss *loss     = objective->loss;
    sdca_interval    interval = sdca_objective_feasible(objective, 1.0);

    return loss->classification && interval.low == 0.0 && interval.high == 1.0
               ? SDCA_OK
               : SDCA_FAIL(
                     SDCA_USAGE,
                     "the exponentiated gradient is for dual variables between 0 "
                     "and 1 (hinge, smooth-hinge and logistic), not for the %s loss",
                     loss->name);
}

static double limit(double theta, double size)
{
    return fmin(fmax(theta, -size), size);
}

static double sigmoid(double theta)
{
    double small = exp(-fabs(theta)); /* never overflows */

    return (theta < 0.0 ? small : 1.0) / (1.0 + small);
}

static void start(const sdca_objective *objective, const sdca_dataset *data, sdca_eg *eg,
                  sdca_iterate *iterate)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_iterate_row *row = &iterate->row[i];
        double            b   = row->y * row->alpha;

        eg->theta[i] = limit(log(b) - log1p(-b), first_theta);
        eg->eta[i]   = first_eta;
        if (row->weighted_norm2 > 0.0) {
            row->alpha = row->y * sigmoid(eg->theta[i]);
        }
    }
    iterate->starts_at_zero = false;
    sdca_iterate_recompute_w(MPI_COMM_SELF, objective, data, 1, iterate);
}

sdca_status sdca_eg_create(const sdca_objective *objective, const sdca_dataset *data,
                           uint64_t seed, sdca_iterate *iterate, sdca_eg *out)
{
    sdca_status status = SDCA_OK;
    sdca_eg     eg     = { .theta = NULL };

    SDCA_TRY(check_loss(objective));
    eg.theta = sdca_alloc_array(data->x.count, sizeof *eg.theta);
    eg.eta   = sdca_alloc_array(data->x.count, sizeof *eg.eta);
    if (eg.theta == NULL || eg.eta == NULL) {
        SDCA_TRY(SDCA_FAIL(SDCA_MEMORY, "no memory for %lu rows",
                           (unsigned long)data->x.count));
    }
    SDCA_TRY(sdca_row_order_create(SDCA_ROW_ORDER_RANDOM, eg_seed(seed), 0, data->x.count,
                                   &eg.order));
    start(objective, data, &eg, iterate);
    *out = eg;

done:
    if (status != SDCA_OK) {
        sdca_eg_free(&eg);
    }
    return status;
}

void sdca_eg_free(sdca_eg *eg)
{
    sdca_row_order_free(&eg->order);
    free(eg->theta);
    free(eg->eta);
    *eg = (sdca_eg){ .theta = NULL };
}

/* Does n D not fall, but for rounding, if alpha_i changes from a to b at margin z and
 * curvature q? */
static bool keeps_dual(const sdca_objective *objective, double conjugate, double a,
                       double b, double z, double q, double y)
{
    double other  = objective->loss->conjugate(objective->parameter, b, y);
    double change = b - a;
    double linear = change * (z + 0.5 * q * change);

    return other - conjugate + linear <=
           4.0 * DBL_EPSILON * (fabs(other) + fabs(conjugate) + fabs(linear));
}

/* One step on row i. */
static void visit(const sdca_objective *objective, const sdca_dataset *data, sdca_eg *eg,
                  uint32_t i, sdca_iterate *iterate)
{
    enum { MAX_HALVINGS = 60 };
    const sdca_loss  *loss  = objective->loss;
    sdca_iterate_row *row   = &iterate->row[i];
    double            p     = objective->parameter;
    double            z     = sdca_rows_dot(&data->x, i, iterate->w);
    double            q     = row_curvature(objective->C, row->weighted_norm2);
    double            slope = row->y * (loss->dual_derivative(p, row->alpha, row->y) - z);
    double            conjugate = loss->conjugate(p, row->alpha, row->y);
    double            eta       = eg->eta[i];

    for (int k = 0; k < MAX_HALVINGS; k++, eta *= 0.5) {
        double theta = limit(eg->theta[i] + eta * slope, max_theta);
        double alpha = row->y * sigmoid(theta);

        if (keeps_dual(objective, conjugate, row->alpha, alpha, z, q, row->y)) {
            sdca_rows_axpy(&data->x, i,
                           objective->C * sdca_dataset_weight(data, i) *
                               (alpha - row->alpha),
                           iterate->w);
            row->alpha   = alpha;
            eg->theta[i] = theta;
            break;
        }
    }
    eg->eta[i] = fmin(eta_growth * eta, max_eta);
}

void sdca_eg_run(const sdca_objective *objective, const sdca_dataset *data, sdca_eg *eg,
                 int64_t steps, sdca_iterate *iterate)
{
    while (steps > 0 && data->x.count > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_row_order_next(&eg->order, NULL, steps, &count);

        for (uint32_t k = 0; k < count; k++) {
            if (iterate->row[row[k]].weighted_norm2 > 0.0) {
                visit(objective, data, eg, row[k], iterate);
            }
        }
        steps -= count;
    }
}

bool sdca_eg_is_valid(const sdca_eg *eg)
{
    bool valid = true;

    for (uint32_t i = 0; i < eg->order.rows; i++) {
        valid = valid && fabs(eg->theta[i]) <= max_theta && eg->eta[i] > 0.0 &&
                eg->eta[i] <= max_eta;
    }
    return valid;
}
