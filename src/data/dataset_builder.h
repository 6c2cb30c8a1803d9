/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_builder.h - a data set from chunks of rows, of a file or of memory.
 *
 * The common part of dataset_reader and dataset_from_memory: it chooses between sparse
 * and dense rows and between float32 and float64, and stores the rows. */
#ifndef SDCA_DATA_DATASET_BUILDER_H
#define SDCA_DATA_DATASET_BUILDER_H

#include "data/dataset.h"
#include "data/label_reader.h"
#include "data/row_chunks.h"
#include "data/row_loader.h"
#include "data/weights.h"

typedef struct sdca_dataset_builder {
    const char                 *name; /* of the source, in messages; borrowed */
    const sdca_dataset_options *options;
    sdca_matrix_format          format; /* of the whole matrix, the same on all ranks */
    sdca_row_chunks            *chunks; /* this rank's rows */
    sdca_label_reader          *labels; /* of a file with labels, or NULL */
    const double *memory_labels; /* of this rank's rows in memory, checked, or NULL */
    bool          has_weights;   /* on all ranks; then a rank with rows has a source */
    sdca_weight_source weights;
    uint32_t          *position; /* indices in draft.x of this rank's rows */
    bool               dense;    /* store rows dense, whatever the source has */
    sdca_dataset       draft;
} sdca_dataset_builder;

/* Begin a data set with this rank's range of rows. Local. What builder holds is freed
 * with sdca_dataset_builder_free(); chunks, labels and weights are closed by that, too.
 */
sdca_dataset_builder sdca_dataset_builder_begin(const char                 *name,
                                                const sdca_dataset_options *options,
                                                sdca_matrix_format          format,
                                                sdca_range local_range, bool has_labels);
void                 sdca_dataset_builder_free(sdca_dataset_builder *builder);

/* Fails if this rank has more rows than it can number. Local. */
sdca_status sdca_dataset_builder_check_rows(const sdca_dataset_builder *builder);

/* Read all chunks and make the data set of them. opened is this rank's result of
 * setting chunks, labels and weights. Collective. On success the caller frees *out with
 * sdca_dataset_free(). */
sdca_status sdca_dataset_builder_finish(MPI_Comm comm, sdca_dataset_builder *builder,
                                        sdca_status opened, sdca_dataset **out);

#endif
