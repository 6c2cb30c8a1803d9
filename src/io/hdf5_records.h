/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_records.h - records of numbers, of which a file has one array per field. */
#ifndef SDCA_IO_HDF5_RECORDS_H
#define SDCA_IO_HDF5_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/hdf5_file.h"

/* The fields of a record, which is nothing but doubles, by their names in files. NaN
 * stands for no value; the last one is left out of files where it has no value at all. */
typedef struct sdca_record_schema {
    const char        *group; /* that has their arrays */
    int                count;
    const char *const *name;
} sdca_record_schema;

/* The column of a name of so many bytes, or -1. Local. */
int sdca_record_schema_find(const sdca_record_schema *schema, const char *name,
                            size_t length);

/* How many columns go into files: all, or all but the last. Local. */
int sdca_record_schema_used(const sdca_record_schema *schema, const double *record,
                            int64_t count);

/* Write count records, one after the other, to the group of an open file, or read all
 * that it has. *record is then the caller's, to be freed. Local. */
sdca_status sdca_hdf5_write_records(const sdca_record_schema *schema,
                                    const double *record, int64_t count,
                                    sdca_hdf5_file *h5);
sdca_status sdca_hdf5_read_records(const sdca_record_schema *schema, sdca_hdf5_file *h5,
                                   double **record, int64_t *count);

#endif
