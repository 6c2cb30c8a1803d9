/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_writer.h - writing a data file row by row in bounded memory.
 *
 * The file has X in the AnnData/SciPy CSR convention and y; docs/formats.md has the
 * details. Converted text and synthetic data are written by it. */
#ifndef SDCA_DATA_DATASET_WRITER_H
#define SDCA_DATA_DATASET_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/label_counts.h"
#include "data/table_schema.h"

/* A data file that is being written. Opaque. */
typedef struct sdca_dataset_writer sdca_dataset_writer;

typedef struct sdca_dataset_writer_options {
    bool    classifies; /* two labels are stored as -1 and +1 with their values */
    bool    float64;    /* values as float64; otherwise float32 */
    bool    normalize;  /* divide each row by its norm; a row of zeros stays */
    bool    unlabelled; /* no y is written; the rows' labels are ignored */
    bool    weighted;   /* the rows' weights are written */
    bool    zero_based; /* messages number columns from 0, as the text does */
    int32_t columns;    /* number of columns; 0: as many as the rows need */
    const sdca_table_schema *features; /* names to write, borrowed; or NULL */
    const char *group; /* the array of obs with the rows' groups, borrowed; or NULL */
} sdca_dataset_writer_options;

/* Begin a data file. Local. On success *out is the caller's, to be given to
 * sdca_dataset_writer_commit() or sdca_dataset_writer_discard(). */
sdca_status sdca_dataset_writer_create(const char                 *path,
                                       sdca_dataset_writer_options options,
                                       sdca_dataset_writer       **out);

/* Append a row: its label and count non-zeros, columns ascending from 0, all values
 * finite. Fails with SDCA_DATA, in a message that a caller can put behind "FILE, line N:
 * ", on a third label, a column beyond options.columns, or a value outside the range of
 * float32. Local. */
sdca_status sdca_dataset_writer_append(sdca_dataset_writer *writer, double label,
                                       int64_t count, const int32_t *column,
                                       const double *value);

/* The same for a row with a weight, which is finite and not negative; above it is 1.
 * Local. */
sdca_status sdca_dataset_writer_append_weighted(sdca_dataset_writer *writer, double label,
                                                double weight, int64_t count,
                                                const int32_t *column,
                                                const double  *value);

/* The number of the group of the next row that is appended, where groups are written.
 * Local. */
sdca_status sdca_dataset_writer_append_group(sdca_dataset_writer *writer, double group);

/* Statistics of the rows written so far, whose labels are the writer's. Local. */
typedef struct sdca_dataset_writer_stats {
    int64_t           rows;
    int32_t           columns;
    int64_t           nonzeros;
    double            total_weight; /* the sum of the weights */
    int64_t           underflowed; /* values that became 0 in float32 and were left out */
    int64_t           rounded;     /* integers below 2^53 that float32 has rounded */
    sdca_label_counts labels;      /* so far, for classification */
} sdca_dataset_writer_stats;
sdca_dataset_writer_stats sdca_dataset_writer_get_stats(
    const sdca_dataset_writer *writer);

/* The same of a finished writer; what they hold is now the caller's, to be freed. Local.
 */
sdca_dataset_writer_stats sdca_dataset_writer_take_stats(sdca_dataset_writer *writer);
void sdca_dataset_writer_stats_free(sdca_dataset_writer_stats *stats);

/* Flush the buffers and close the file, which still has its temporary name. The writer
 * can then only be committed or discarded, as after a failure. Local. */
sdca_status sdca_dataset_writer_finish(sdca_dataset_writer *writer);

/* Finish the file if necessary and rename it to its final name; or remove it. The writer
 * is freed in any case. Local. */
sdca_status sdca_dataset_writer_commit(sdca_dataset_writer *writer);
void        sdca_dataset_writer_discard(sdca_dataset_writer *writer);

#endif
