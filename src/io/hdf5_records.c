/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_records.c - arrays of records, stored as one HDF5 array per field. */
#include "io/hdf5_records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { PATH_SIZE = 64 };

static void array_path(const sdca_record_schema *schema, int field, char name[PATH_SIZE])
{
    snprintf(name, PATH_SIZE, "%s/%s", schema->group, schema->name[field]);
}

int sdca_record_schema_find(const sdca_record_schema *schema, const char *name,
                            size_t length)
{
    for (int c = 0; c < schema->count; c++) {
        if (strlen(schema->name[c]) == length &&
            memcmp(schema->name[c], name, length) == 0) {
            return c;
        }
    }
    return -1;
}

int sdca_record_schema_used(const sdca_record_schema *schema, const double *record,
                            int64_t count)
{
    for (int64_t k = 1; k <= count; k++) {
        if (!isnan(record[k * schema->count - 1])) {
            return schema->count;
        }
    }
    return schema->count - 1;
}

sdca_status sdca_hdf5_write_records(const sdca_record_schema *schema,
                                    const double *record, int64_t count,
                                    sdca_hdf5_file *h5)
{
    sdca_status status = SDCA_OK;
    double     *values = sdca_alloc_array((size_t)count, sizeof *values);

    if (values == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to write %lld records",
                         (long long)count);
    }
    if (!sdca_hdf5_has_group(h5, schema->group)) {
        SDCA_TRY(sdca_hdf5_create_group(h5, schema->group));
    }
    for (int c = 0; c < sdca_record_schema_used(schema, record, count); c++) {
        char name[PATH_SIZE];

        array_path(schema, c, name);
        for (int64_t k = 0; k < count; k++) {
            values[k] = record[k * schema->count + c];
        }
        SDCA_TRY(sdca_hdf5_write_array(h5, name, SDCA_FLOAT64, count, values));
    }

done:
    free(values);
    return status;
}

/* Write one field of count records; values has space for it. */
static sdca_status read_field(const sdca_record_schema *schema, int field,
                              sdca_hdf5_file *h5, double *values, double *record,
                              int64_t count)
{
    sdca_status status = SDCA_OK;
    bool        there;
    char        name[PATH_SIZE];

    array_path(schema, field, name);
    there = field < schema->count - 1 || sdca_hdf5_has_array(h5, name);
    if (there) {
        SDCA_TRY(sdca_hdf5_read_range(h5, name, (sdca_range){ 0, count }, SDCA_FLOAT64,
                                      values));
    }
    for (int64_t k = 0; k < count; k++) {
        record[k * schema->count + field] = there ? values[k] : NAN;
    }

done:
    return status;
}

sdca_status sdca_hdf5_read_records(const sdca_record_schema *schema, sdca_hdf5_file *h5,
                                   double **record, int64_t *count)
{
    sdca_status      status = SDCA_OK;
    double          *values = NULL, *out = NULL;
    sdca_array_shape shape;
    char             name[PATH_SIZE];
    size_t           room;

    array_path(schema, 0, name);
    SDCA_TRY(sdca_hdf5_get_shape(h5, name, &shape));
    room   = (size_t)shape.extent[0];
    values = sdca_alloc_array(room, sizeof *values);
    out    = sdca_alloc_array(room, (size_t)schema->count * sizeof *out);
    if (values == NULL || out == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld records",
                           (long long)shape.extent[0]);
        goto done;
    }
    for (int c = 0; c < schema->count; c++) {
        SDCA_TRY(read_field(schema, c, h5, values, out, shape.extent[0]));
    }
    *count  = shape.extent[0];
    *record = out;
    out     = NULL; /* now the caller's */

done:
    free(values);
    free(out);
    return status;
}
