/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_writer.h - a data file, written row by row in bounded memory.
 *
 * The file is X in the AnnData/SciPy CSR convention and y; docs/formats.md has
 * it in full. Both text and generated data come through here. */
#ifndef SDCA_DATA_DATASET_WRITER_H
#define SDCA_DATA_DATASET_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/feature_names.h"
#include "data/labels.h"

/* A data file that is being written. Opaque. */
typedef struct sdca_dataset_writer sdca_dataset_writer;

typedef struct sdca_dataset_writer_options {
    bool    classifies; /* at most two labels, stored as -1 and +1 with their map */
    bool    float64;    /* values as float64; otherwise float32 */
    bool    normalize;  /* divide each row by its length; a row of zeros stays */
    bool    unlabelled; /* no y is written; the rows' labels are ignored */
    bool    zero_based; /* sentences number columns from 0, as the text does */
    int32_t columns;    /* of the data set, or 0: as many as the rows need */
    const sdca_feature_names *features; /* names to be written, kept; or NULL */
} sdca_dataset_writer_options;

/* Begin a data file. Local. On success *out is the caller's, to be given to
 * sdca_dataset_writer_commit() or sdca_dataset_writer_discard(). */
sdca_status sdca_dataset_writer_create(const char                 *path,
                                       sdca_dataset_writer_options options,
                                       sdca_dataset_writer       **out);

/* Append a row: its label and count non-zeros, columns ascending from 0, all
 * values finite. Fails with SDCA_DATA, in words that a caller can put behind
 * "FILE, line N: ", on a third label, a column beyond options.columns, or a value that
 * float32 cannot hold. Local. */
sdca_status sdca_dataset_writer_append(sdca_dataset_writer *writer, double label,
                                       int64_t count, const int32_t *column,
                                       const double *value);

/* What was written so far. Local. */
typedef struct sdca_dataset_writer_stats {
    int64_t      rows;
    int32_t      columns;
    int64_t      nonzeros;
    int64_t      underflowed; /* values that became 0 as float32, and are left out */
    int64_t      rounded;     /* whole numbers below 2^53 that float32 has changed */
    sdca_classes classes;     /* the labels so far, for classification */
} sdca_dataset_writer_stats;
sdca_dataset_writer_stats sdca_dataset_writer_get_stats(
    const sdca_dataset_writer *writer);

/* Write all that is left and close the file, which does not have its final name yet. The
 * writer can then only be committed or abandoned, as after a failure. Local. */
sdca_status sdca_dataset_writer_finish(sdca_dataset_writer *writer);

/* Give the file its final name, finished or to be finished now; or leave nothing behind.
 * The writer is gone afterwards, whatever the result. Local. */
sdca_status sdca_dataset_writer_commit(sdca_dataset_writer *writer);
void        sdca_dataset_writer_discard(sdca_dataset_writer *writer);

#endif
