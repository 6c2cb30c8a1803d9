/* SPDX-License-Identifier: BSD-3-Clause
 *
 * image.h - a file that holds all of a run, field by field.
 *
 * The same calls write an image and read it, so that a list of fields is written down
 * once, and the two can never differ. Fields of rows stand in the order of the data
 * file: an image does not know how many ranks there are. A failure is kept, and all
 * calls after it do nothing but meet the other ranks. */
#ifndef SDCA_IMAGE_H
#define SDCA_IMAGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "sdca/dataset.h"
#include "sdca/status.h"
#include "sdca/store.h"

typedef struct sdca_image {
    MPI_Comm            comm;
    const sdca_dataset *data;
    bool                writes;
    sdca_hdf5_file     *store;  /* every rank's to read, rank 0's alone to write */
    const char         *group;  /* where single numbers are */
    double             *room;   /* for one number per row of mine */
    sdca_status         status; /* of the first failure on this rank */
} sdca_image;

/* Begin to write the image of a run on data, of which so many older generations stay; or
 * open one to be read. Collective. */
sdca_status sdca_image_create(MPI_Comm comm, const sdca_dataset *data, const char *path,
                              int older, sdca_image *out);
sdca_status sdca_image_open(MPI_Comm comm, const sdca_dataset *data, const char *path,
                            sdca_image *out);

/* Fail because a field that was read can not be what a run has written. Local. */
void sdca_image_refuse(sdca_image *image, const char *name);

/* Give it its name if all has gone well, or leave nothing behind; or close what was read.
 * The worst outcome of all ranks. Collective. */
sdca_status sdca_image_close(sdca_image *image);

/* From here on, single numbers are attributes of this group. Local. */
void sdca_image_group(sdca_image *image, const char *group);

/* A number that is the same on every rank. Local. */
void sdca_image_number(sdca_image *image, const char *name, double *x);
void sdca_image_whole(sdca_image *image, const char *name, int64_t *x);
void sdca_image_flag(sdca_image *image, const char *name, bool *x);

/* A number that each rank has for itself, for the same number of ranks. Collective. */
void sdca_image_by_rank(sdca_image *image, const char *name, double *x);

/* A number for each column, the same on every rank. Local. */
void sdca_image_by_column(sdca_image *image, const char *name, double *x);

/* A number of the type for each of my rows. Collective. */
void sdca_image_by_row(sdca_image *image, const char *name, sdca_dtype type, void *x);

#endif
