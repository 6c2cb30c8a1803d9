/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_records.h - arrays of records, stored as one HDF5 array per field. */
#ifndef SDCA_IO_HDF5_RECORDS_H
#define SDCA_IO_HDF5_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/hdf5_file.h"

/* The fields of a record, which consists of doubles, by their names in files. NaN means
 * no value; the last field is left out of files if it has no values at all. */
typedef struct sdca_record_schema {
    const char        *group; /* the group of the arrays */
    int                count;
    const char *const *name;
} sdca_record_schema;

/* The index of the field of that name, or -1. Local. */
int sdca_record_schema_find(const sdca_record_schema *schema, const char *name,
                            size_t length);

/* The number of fields to store: all, or all but the last. Local. */
int sdca_record_schema_used(const sdca_record_schema *schema, const double *record,
                            int64_t count);

/* Write count records to the group of an open file, or read all that it has. *record is
 * then the caller's, to be freed. Local. */
sdca_status sdca_hdf5_write_records(const sdca_record_schema *schema,
                                    const double *record, int64_t count,
                                    sdca_hdf5_file *h5);
sdca_status sdca_hdf5_read_records(const sdca_record_schema *schema, sdca_hdf5_file *h5,
                                   double **record, int64_t *count);

#endif
