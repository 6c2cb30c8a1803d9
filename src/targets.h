/* SPDX-License-Identifier: BSD-3-Clause
 *
 * targets.h - the labels of a file as people gave them, some rows at a time. */
#ifndef SDCA_TARGETS_H
#define SDCA_TARGETS_H

#include "outline.h"
#include "pieces.h"
#include "sdca/texts.h"

typedef struct sdca_targets {
    sdca_hdf5_file  *store; /* borrowed */
    sdca_hdf5_array *array;
    int64_t          rows;     /* of the file */
    bool             category; /* labels say which of so many categories they are, ... */
    int64_t          categories;
    double          *numbers; /* ... which stand for these, or for themselves if NULL */
    bool             named;   /* ... and which are the names of labels */
    bool             signs;   /* -1 and +1 stand for these: */
    double           sign[2];
    sdca_range       window; /* these rows' labels are here: */
    double           label[SDCA_PIECE_ROWS];
} sdca_targets;

/* Open the labels of a file; if they are words, these are added to words. Local. On
 * success *out is the caller's, to be freed with sdca_targets_close(); NULL is fine. */
sdca_status sdca_targets_open(sdca_hdf5_file *store, const sdca_outline *file,
                              sdca_string_list *words, sdca_targets **out);
void        sdca_targets_close(sdca_targets *targets);

/* The labels of at most SDCA_PIECE_ROWS rows, good until the next call. Local. */
sdca_status sdca_targets_read(sdca_targets *targets, sdca_range rows, const double **out);

#endif
