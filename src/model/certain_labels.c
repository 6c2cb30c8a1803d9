/* SPDX-License-Identifier: BSD-3-Clause
 *
 * certain_labels.c - predictions that are proven to be those of the exact optimum. */
#include "model/certain_labels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "objective/gap_pass.h"

/* What the score of a part may change per unit of |x|: the distance, and the rounding
 * errors of the score, with |w| <= sqrt(2 P / lambda). NaN or infinite if not known. */
static double radius_of(const sdca_model *model, int k)
{
    sdca_class_model        part        = sdca_model_part(model, k);
    const sdca_certificate *certificate = &part.certificate;
    double norm = sqrt(2.0 * certificate->primal / model->objective.lambda);

    return certificate->rounding > 0.0
               ? certificate->distance +
                     sdca_unit_roundoff * ((double)model->columns + 8.0) * norm
               : NAN;
}

bool sdca_model_distance_holds(const sdca_model *model)
{
    return !model->interrupted && !model->certificate_of_other_w &&
           model->standardize == SDCA_STANDARDIZE_NONE;
}

sdca_status sdca_certain_labels_make_room(sdca_certain_labels *certain)
{
    size_t models = (size_t)certain->models;

    certain->radius = sdca_alloc_zeroed(3 * models, sizeof *certain->radius);
    if (certain->radius == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d distances", certain->models);
    }
    certain->below = certain->radius + models;
    certain->above = certain->below + models;
    return SDCA_OK;
}

/* What an intercept may change, with rounding errors. */
static void set_intercept(const sdca_model *model, int k, sdca_certain_labels *out)
{
    sdca_class_model        part        = sdca_model_part(model, k);
    const sdca_certificate *certificate = &part.certificate;
    double                  rounding    = 64.0 * DBL_EPSILON * fabs(part.bias);

    if (model->intercept) {
        out->below[k] = fmax(0.0, part.bias - certificate->intercept_low) + rounding;
        out->above[k] = fmax(0.0, certificate->intercept_high - part.bias) + rounding;
    }
}

sdca_status sdca_certain_labels_create(const sdca_model *model, double threshold,
                                       sdca_certain_labels *out)
{
    int  models = sdca_model_parts(model);
    bool known  = model->labels.count >= 2 && sdca_model_distance_holds(model);

    *out = (sdca_certain_labels){ .models    = models,
                                  .threshold = threshold,
                                  .bias2     = model->intercept
                                                   ? 0.0
                                                   : model->bias_value * model->bias_value,
                                  .sigmoid   = model->calibration.sigmoid };
    for (int k = 0; known && k < models; k++) {
        known =
            isfinite(radius_of(model, k)) &&
            (!model->intercept || sdca_model_part(model, k).certificate.bounds_intercept);
    }
    if (!known) {
        return SDCA_OK;
    }
    if (sdca_certain_labels_make_room(out) != SDCA_OK) {
        return SDCA_MEMORY;
    }
    for (int k = 0; k < models; k++) {
        out->radius[k] = radius_of(model, k);
        set_intercept(model, k, out);
    }
    return SDCA_OK;
}

void sdca_certain_labels_free(sdca_certain_labels *certain)
{
    free(certain->radius);
    *certain = (sdca_certain_labels){ .models = 0 };
}

double sdca_certain_labels_norm(const sdca_certain_labels *certain, double norm2)
{
    return sqrt(norm2 + certain->bias2) * (1.0 + 1e-9);
}

bool sdca_certain_labels_is_certain(const sdca_certain_labels *certain,
                                    const double *score, double norm)
{
    const double *radius = certain->radius, *below = certain->below;
    int           g      = sdca_scorer_greatest(certain->models, score);
    bool          proven = true, exact = true;

    for (int k = 0; k < certain->models; k++) {
        exact = exact && below[k] == 0.0 && certain->above[k] == 0.0;
    }
    if (norm == 0.0 && exact) { /* all scores are 0 in any case */
        return true;
    }
    if (certain->models == 1) {
        double over = score[0] - certain->threshold;

        return fabs(over) >
               radius[0] * norm + (over > 0.0 ? below[0] : certain->above[0]);
    }
    for (int k = 0; k < certain->models; k++) {
        proven =
            proven && (k == g || score[g] - score[k] > (radius[g] + radius[k]) * norm +
                                                           below[g] + certain->above[k]);
    }
    return proven;
}

static double sigmoid(double z)
{
    return 1.0 / (1.0 + exp(-z));
}

/* The least value of the sigmoid of class k of the optimum, or with side 1 the greatest.
 * The logarithm of the odds has a slope and rounding errors if the model is calibrated.
 */
static double extreme_sigmoid(const sdca_certain_labels *certain, const double *score,
                              double norm, int k, double side)
{
    double z     = sdca_calibration_log_odds(certain->sigmoid, k, score[k]);
    bool   rise  = certain->sigmoid == NULL || certain->sigmoid[k].slope >= 0.0;
    double reach = certain->radius[k] * norm +
                   (rise == (side > 0.0) ? certain->above[k] : certain->below[k]);

    if (certain->sigmoid != NULL) {
        const sdca_sigmoid *s = &certain->sigmoid[k];

        reach = fabs(s->slope) * reach * (1.0 + 4.0 * DBL_EPSILON) +
                4.0 * DBL_EPSILON * (fabs(s->slope * score[k]) + fabs(s->offset));
    }
    return sigmoid(z + side * reach);
}

sdca_probability_interval sdca_certain_labels_probability(
    const sdca_certain_labels *certain, const double *score, double norm, int k)
{
    const double slack = 64.0 * DBL_EPSILON; /* rounding of what follows */
    double       low   = extreme_sigmoid(certain, score, norm, k, -1.0);
    double       high  = extreme_sigmoid(certain, score, norm, k, 1.0);
    double       least = 0.0, most = 0.0; /* the sums of the other sigmoids */

    for (int j = 0; certain->models > 1 && j < certain->models; j++) {
        least += j != k ? extreme_sigmoid(certain, score, norm, j, -1.0) : 0.0;
        most += j != k ? extreme_sigmoid(certain, score, norm, j, 1.0) : 0.0;
    }
    if (certain->models > 1) {
        low  = low + most > 0.0 ? low / (low + most) : 0.0;
        high = high + least > 0.0 ? high / (high + least) : 1.0;
    }
    return (sdca_probability_interval){
        .low  = low * (1.0 - slack * certain->models),
        .high = fmin(1.0, high * (1.0 + slack * certain->models))
    };
}

int64_t sdca_certain_labels_count(MPI_Comm comm, const sdca_certain_labels *certain,
                                  const sdca_scorer *scorer, const sdca_dataset *data)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double norm = sdca_certain_labels_norm(certain, data->x.row[i].norm2);

        count += sdca_certain_labels_is_certain(
            certain, sdca_scorer_row(scorer, &data->x, i), norm);
    }
    sdca_comm_allreduce_sum_int64(comm, &count, 1);
    return count;
}
