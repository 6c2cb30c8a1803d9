/* SPDX-License-Identifier: BSD-3-Clause
 *
 * field_io.h - the fields of a checkpoint or model in its file.
 *
 * The same calls write a file and read it, so that each list of fields exists once and
 * reading always matches writing. Fields of rows are in the order of the data file, so
 * that a file does not depend on the number of ranks. A failure is kept in status;
 * the calls after it do nothing but take part in collective operations. */
#ifndef SDCA_MODEL_FIELD_IO_H
#define SDCA_MODEL_FIELD_IO_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "io/hdf5_file.h"
#include "objective/duality_gap.h"

typedef struct sdca_field_io {
    MPI_Comm            comm;
    const sdca_dataset *data;
    bool                writing;
    sdca_hdf5_file     *hdf5;       /* open on every rank to read, on rank 0 to write */
    char                prefix[16]; /* of all names: "" or that of a model */
    char                group[64];  /* of single values */
    double             *row_buffer; /* space for one number per row of this rank */
    uint8_t    *row_flags; /* space for one byte per row of this rank, and 8 more ... */
    uint8_t    *row_lanes; /* ... and the same again, zero at first */
    sdca_status status;    /* of the first failure on this rank */
} sdca_field_io;

/* Begin to write a file for a run on data, keeping this many older generations; or open
 * one to be read. Collective. */
sdca_status sdca_field_io_create(MPI_Comm comm, const sdca_dataset *data,
                                 const char *path, int older_generations,
                                 sdca_field_io *out);
sdca_status sdca_field_io_open(MPI_Comm comm, const sdca_dataset *data, const char *path,
                               sdca_field_io *out);

/* The fields of a file that this process has open: single values only. The file remains
 * the caller's, and there is nothing to be closed. Local. */
sdca_field_io sdca_field_io_of_file(sdca_hdf5_file *hdf5, bool writing);

/* Is there an optional single value of this name? When writing, the caller says so.
 * Local.
 */
bool sdca_field_io_has(const sdca_field_io *io, const char *name, bool written);

/* Fail because a field that was read has a value that no run writes. Local. */
void sdca_field_io_reject(sdca_field_io *io, const char *name);

/* Was everything read so far, without a failure on this rank? Local. */
bool sdca_field_io_has_read(const sdca_field_io *io);

/* Commit the file if all went well, else remove it; or close a file that was read.
 * Returns the worst status of all ranks. Collective. */
sdca_status sdca_field_io_close(sdca_field_io *io);

/* The following fields are those of one of several models; of all if model is below 0.
 * A group is to be set next. Local. */
void sdca_field_io_set_model(sdca_field_io *io, int model);

/* The following single values are attributes of this group. Local. */
void sdca_field_io_set_group(sdca_field_io *io, const char *group);

/* A value that is the same on every rank. Local. */
void sdca_field_io_double(sdca_field_io *io, const char *name, double *x);
void sdca_field_io_int64(sdca_field_io *io, const char *name, int64_t *x);
void sdca_field_io_bool(sdca_field_io *io, const char *name, bool *x);

/* The same, stored as text: of at most size bytes with the final zero, or the name of an
 * enumerator, whose number is 0 .. count - 1. Local. */
void sdca_field_io_text(sdca_field_io *io, const char *name, char *text, size_t size);
void sdca_field_io_enum(sdca_field_io *io, const char *name, const char *const *names,
                        int count, int *x);

/* P, D and gap of a certificate. Local. */
void sdca_field_io_certificate(sdca_field_io *io, sdca_certificate *certificate);

/* An array of any length, by elements of a type. What was read is the caller's, to be
 * freed; NULL if it is empty. Local. */
void sdca_field_io_array(sdca_field_io *io, const char *name, sdca_dtype type, void **x,
                         int64_t *count);

/* The following fields of rows are those of another data set. Collective. */
void sdca_field_io_set_data(sdca_field_io *io, const sdca_dataset *data);

/* A number per rank, to be read by the same number of ranks. Collective. */
void sdca_field_io_per_rank(sdca_field_io *io, const char *name, double *x);
void sdca_field_io_int64_per_rank(sdca_field_io *io, const char *name, int64_t *x);

/* A number for each column, the same on every rank: that of column j is x[j * stride].
 * Local. */
void sdca_field_io_per_column(sdca_field_io *io, const char *name, double *x,
                              size_t stride);

/* A number of the type for each of my rows: that of row i is x[i * stride]. Collective.
 */
void sdca_field_io_per_row(sdca_field_io *io, const char *name, sdca_dtype type, void *x,
                           size_t stride);

#endif
