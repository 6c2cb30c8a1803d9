/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_calibration.c - the sigmoids of a calibrated model in a file. */
#include "model/model_file_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/field_io.h"

static const char group[] = "calibration";

/* The attributes of the group. */
static sdca_status attribute_fields(sdca_calibration *calibration, sdca_field_io *io)
{
    int64_t folds = calibration->folds;
    char    method[32];

    snprintf(method, sizeof method, "%s", io->writing ? "sigmoid" : "");
    sdca_field_io_set_group(io, group);
    sdca_field_io_text(io, "method", method, sizeof method);
    sdca_field_io_int64(io, "folds", &folds);
    sdca_field_io_int64(io, "rows", &calibration->rows);
    calibration->folds = (int)folds;
    return io->status;
}

/* Copy slopes and offsets to numbers, or back. */
static void copy_numbers(sdca_calibration *calibration, bool back, double *number)
{
    for (int k = 0; k < calibration->models; k++) {
        sdca_sigmoid *s      = &calibration->sigmoid[k];
        double       *slope  = &number[k];
        double       *offset = &number[calibration->models + k];

        if (back) {
            *s = (sdca_sigmoid){ *slope, *offset };
        } else {
            *slope  = s->slope;
            *offset = s->offset;
        }
    }
}

static sdca_status write_numbers(const double *number, int count, sdca_hdf5_file *hdf5)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(
        sdca_hdf5_write_array(hdf5, "calibration/slope", SDCA_FLOAT64, count, number));
    SDCA_TRY(sdca_hdf5_write_array(hdf5, "calibration/offset", SDCA_FLOAT64, count,
                                   number + count));

done:
    return status;
}

sdca_status sdca_model_file_read_numbers(sdca_hdf5_file *hdf5, const char *name,
                                         int count, double *number)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;
    bool             fits = true;

    SDCA_TRY(sdca_hdf5_check_shape(hdf5, name, 1, &shape));
    fits = shape.extent[0] == count;
    SDCA_TRY(fits ? sdca_hdf5_read_range(hdf5, name, (sdca_range){ 0, count },
                                         SDCA_FLOAT64, number)
                  : SDCA_OK);
    for (int k = 0; k < count && fits; k++) {
        fits = isfinite(number[k]);
    }
    if (!fits) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' in '%s' needs %d finite number%s, one for each model",
                           name, sdca_hdf5_path(hdf5), count, count == 1 ? "" : "s");
    }

done:
    return status;
}

static double *allocate_numbers(int models)
{
    return sdca_alloc_array(2 * (size_t)models, sizeof(double));
}

static sdca_status no_memory(int models)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory for the calibration of %d models", models);
}

sdca_status sdca_model_file_write_calibration(const sdca_model *model,
                                              sdca_hdf5_file   *hdf5)
{
    sdca_status      status = SDCA_OK;
    sdca_calibration copy   = model->calibration;
    sdca_field_io    io     = sdca_field_io_of_file(hdf5, true);
    double          *number = NULL;

    if (copy.sigmoid == NULL) {
        return SDCA_OK;
    }
    number = allocate_numbers(copy.models);
    if (number == NULL) {
        return no_memory(copy.models);
    }
    copy_numbers(&copy, false, number);
    SDCA_TRY(attribute_fields(&copy, &io));
    SDCA_TRY(write_numbers(number, copy.models, hdf5));

done:
    free(number);
    return status;
}

sdca_status sdca_model_file_read_calibration(sdca_hdf5_file *hdf5, sdca_model *model)
{
    sdca_status      status = SDCA_OK;
    sdca_field_io    io     = sdca_field_io_of_file(hdf5, false);
    sdca_calibration c      = { .models = sdca_model_parts(model) };
    double          *number = NULL;

    if (model->labels.count < 2 || !sdca_hdf5_has_group(hdf5, group)) {
        return SDCA_OK;
    }
    number    = allocate_numbers(c.models);
    c.sigmoid = sdca_alloc_array((size_t)c.models, sizeof *c.sigmoid);
    if (number == NULL || c.sigmoid == NULL) {
        status = no_memory(c.models);
        goto done;
    }
    SDCA_TRY(attribute_fields(&c, &io));
    SDCA_TRY(sdca_model_file_read_numbers(hdf5, "calibration/slope", c.models, number));
    SDCA_TRY(sdca_model_file_read_numbers(hdf5, "calibration/offset", c.models,
                                          number + c.models));
    copy_numbers(&c, true, number);
    model->calibration = c;
    c.sigmoid          = NULL; /* now the model's */

done:
    free(number);
    free(c.sigmoid);
    return status;
}
