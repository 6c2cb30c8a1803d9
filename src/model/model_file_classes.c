/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_classes.c - bias, certificate and history of each of several classes in a
 * file. */
#include "model/model_file_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "io/hdf5_records.h"
#include "model/class_history_file.h"

/* The numbers of a class in the group of the certificate. */
#define CLASS_FIELD_LIST(X) \
    X(primal)               \
    X(dual) X(gap) X(rounding) X(distance) X(epochs) X(positives) X(converged)

#define CLASS_FIELD(name) double name;
typedef struct class_record {
    CLASS_FIELD_LIST(CLASS_FIELD)
} class_record;
#undef CLASS_FIELD

#define FIELD_NAME(name) #name,
static const char *const class_field_names[] = { CLASS_FIELD_LIST(FIELD_NAME) };
#undef FIELD_NAME

static const sdca_record_schema class_schema = { "certificate",
                                                 sizeof class_field_names /
                                                     sizeof class_field_names[0],
                                                 class_field_names };

sdca_status sdca_model_file_write_classes(const sdca_model *model, sdca_hdf5_file *hdf5)
{
    sdca_status   status  = SDCA_OK;
    int           classes = sdca_model_parts(model);
    class_record *record  = sdca_alloc_array((size_t)classes, sizeof *record);
    double       *bias    = sdca_alloc_array((size_t)classes, sizeof *bias);

    if (record == NULL || bias == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for a model of %d classes", classes);
        goto done;
    }
    for (int k = 0; k < classes; k++) {
        const sdca_class_model *part = &model->by_class[k];

        bias[k]   = part->bias;
        record[k] = (class_record){ .primal    = part->certificate.primal,
                                    .dual      = part->certificate.dual,
                                    .gap       = part->certificate.gap,
                                    .rounding  = part->certificate.rounding,
                                    .distance  = part->certificate.distance,
                                    .epochs    = part->epochs,
                                    .positives = (double)part->positives,
                                    .converged = part->converged };
    }
    SDCA_TRY(sdca_hdf5_write_array(hdf5, "bias", SDCA_FLOAT64, classes, bias));
    SDCA_TRY(
        sdca_hdf5_write_records(&class_schema, (const double *)record, classes, hdf5));
    SDCA_TRY(sdca_class_history_write(model, hdf5));

done:
    free(record);
    free(bias);
    return status;
}

/* Make parts of the records, of which there is one per class. */
static sdca_status take_records(sdca_hdf5_file *hdf5, const class_record *record,
                                int64_t count, sdca_model *model)
{
    if (count != sdca_model_parts(model)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld certificates for %d classes",
                         sdca_hdf5_path(hdf5), (long long)count, sdca_model_parts(model));
    }
    for (int k = 0; k < sdca_model_parts(model); k++) {
        bool counts = record[k].positives >= 0.0 && record[k].positives <= 0x1p53;

        model->by_class[k].certificate =
            (sdca_certificate){ .primal   = record[k].primal,
                                .dual     = record[k].dual,
                                .gap      = record[k].gap,
                                .rounding = record[k].rounding,
                                .distance = record[k].distance };
        model->by_class[k].epochs    = record[k].epochs;
        model->by_class[k].positives = counts ? (int64_t)record[k].positives : 0;
        model->by_class[k].converged = record[k].converged == 1.0;
    }
    return SDCA_OK;
}

sdca_status sdca_model_file_read_classes(sdca_hdf5_file *hdf5, sdca_model *model)
{
    sdca_status status  = SDCA_OK;
    int         classes = sdca_model_parts(model);
    int64_t     count   = 0;
    double     *record = NULL, *bias = NULL;

    SDCA_TRY(sdca_model_create_parts(model));
    bias = sdca_alloc_array((size_t)classes, sizeof *bias);
    if (bias == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for a model of %d classes", classes);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(hdf5, "bias", (sdca_range){ 0, classes }, SDCA_FLOAT64,
                                  bias));
    for (int k = 0; k < classes; k++) {
        model->by_class[k].bias = bias[k];
    }
    SDCA_TRY(sdca_hdf5_read_records(&class_schema, hdf5, &record, &count));
    SDCA_TRY(take_records(hdf5, (const class_record *)record, count, model));
    SDCA_TRY(sdca_class_history_read(hdf5, model));
    count = model->converged; /* as the file says */
    sdca_model_sum_up(model);
    model->converged = count != 0;

done:
    free(record);
    free(bias);
    return status;
}
