/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_intercept_bounds.c - the bounds on the intercepts of the optima in a file. A
 * checkpoint has them of the models that are finished, and an empty interval for others:
 * a lower bound above the upper one. */
#include "model/model_file_private.h"

#include <stdlib.h>

#include "base/alloc.h"

static const char low_name[]  = "certificate/intercept_low";
static const char high_name[] = "certificate/intercept_high";

/* The certificate of part k in memory. */
static sdca_certificate *certificate_of(sdca_model *model, int k)
{
    return model->by_class != NULL ? &model->by_class[k].certificate
                                   : &model->certificate;
}

static sdca_status allocate(int parts, double **out)
{
    *out = sdca_alloc_array(2 * (size_t)parts, sizeof **out);
    return *out != NULL ? SDCA_OK
                        : SDCA_FAIL(SDCA_MEMORY,
                                    "no memory for the intercepts of %d models", parts);
}

sdca_status sdca_model_file_write_intercepts(const sdca_model *model,
                                             sdca_hdf5_file   *hdf5)
{
    sdca_status status = SDCA_OK;
    int         parts = sdca_model_parts(model), known = 0;
    double     *number = NULL;

    for (int k = 0; k < parts; k++) {
        known += sdca_model_part(model, k).certificate.bounds_intercept ? 1 : 0;
    }
    if ((model->interrupted ? known == 0 : known < parts) ||
        model->standardize == SDCA_STANDARDIZE_FULL) { /* they are of other columns */
        return SDCA_OK;
    }
    SDCA_TRY(allocate(parts, &number));
    for (int k = 0; k < parts; k++) {
        sdca_certificate certificate = sdca_model_part(model, k).certificate;
        bool             is_known    = certificate.bounds_intercept;

        number[k]         = is_known ? certificate.intercept_low : 1.0;
        number[parts + k] = is_known ? certificate.intercept_high : -1.0;
    }
    SDCA_TRY(sdca_hdf5_write_array(hdf5, low_name, SDCA_FLOAT64, parts, number));
    SDCA_TRY(sdca_hdf5_write_array(hdf5, high_name, SDCA_FLOAT64, parts, number + parts));

done:
    free(number);
    return status;
}

sdca_status sdca_model_file_read_intercepts(sdca_hdf5_file *hdf5, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(model);
    double     *number = NULL;

    if (!model->intercept || !sdca_hdf5_has_array(hdf5, low_name)) {
        return SDCA_OK;
    }
    SDCA_TRY(allocate(parts, &number));
    SDCA_TRY(sdca_model_file_read_numbers(hdf5, low_name, parts, number));
    SDCA_TRY(sdca_model_file_read_numbers(hdf5, high_name, parts, number + parts));
    for (int k = 0; k < parts; k++) {
        sdca_certificate *certificate = certificate_of(model, k);

        certificate->bounds_intercept = number[k] <= number[parts + k];
        certificate->intercept_low    = number[k];
        certificate->intercept_high   = number[parts + k];
    }

done:
    free(number);
    return status;
}
