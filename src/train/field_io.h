/* SPDX-License-Identifier: BSD-3-Clause
 *
 * field_io.h - a file that holds all of a run, field by field.
 *
 * The same calls write an image and read it, so that a list of fields is written down
 * once, and the two can never differ. Fields of rows stand in the order of the data
 * file: an image does not know how many ranks there are. A failure is kept, and all
 * calls after it do nothing but meet the other ranks. */
#ifndef SDCA_TRAIN_FIELD_IO_H
#define SDCA_TRAIN_FIELD_IO_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "io/hdf5_file.h"
#include "objective/iterate.h"

typedef struct sdca_field_io {
    MPI_Comm            comm;
    const sdca_dataset *data;
    bool                writing;
    sdca_hdf5_file     *hdf5;       /* every rank's to read, rank 0's alone to write */
    const char         *group;      /* where single numbers are */
    double             *row_buffer; /* for one number per row of mine */
    sdca_status         status;     /* of the first failure on this rank */
} sdca_field_io;

/* Begin to write the image of a run on data, of which so many older generations stay; or
 * open one to be read. Collective. */
sdca_status sdca_field_io_create(MPI_Comm comm, const sdca_dataset *data,
                                 const char *path, int older_generations,
                                 sdca_field_io *out);
sdca_status sdca_field_io_open(MPI_Comm comm, const sdca_dataset *data, const char *path,
                               sdca_field_io *out);

/* Fail because a field that was read can not be what a run has written. Local. */
void sdca_field_io_reject(sdca_field_io *io, const char *name);

/* Give it its name if all has gone well, or leave nothing behind; or close what was read.
 * The worst outcome of all ranks. Collective. */
sdca_status sdca_field_io_close(sdca_field_io *io);

/* From here on, single numbers are attributes of this group. Local. */
void sdca_field_io_set_group(sdca_field_io *io, const char *group);

/* A number that is the same on every rank. Local. */
void sdca_field_io_double(sdca_field_io *io, const char *name, double *x);
void sdca_field_io_int64(sdca_field_io *io, const char *name, int64_t *x);
void sdca_field_io_bool(sdca_field_io *io, const char *name, bool *x);

/* A number that each rank has for itself, for the same number of ranks. Collective. */
void sdca_field_io_per_rank(sdca_field_io *io, const char *name, double *x);

/* A number for each column, the same on every rank. Local. */
void sdca_field_io_per_column(sdca_field_io *io, const char *name, double *x);

/* A number of the type for each of my rows. Collective. */
void sdca_field_io_per_row(sdca_field_io *io, const char *name, sdca_dtype type, void *x);

/* The alpha of each of my rows. Collective. */
void sdca_field_io_alpha(sdca_field_io *io, const char *name, sdca_point point);

#endif
