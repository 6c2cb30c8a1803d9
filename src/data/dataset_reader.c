/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_reader.c - a data set from an HDF5 file, each rank reading its own rows. */
#include "data/dataset_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/anndata_reader.h"
#include "data/dataset_builder.h"
#include "data/file_layout.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

/* Read and check the row offsets of a slice of a sparse file. */
static sdca_status read_slice_offsets(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                      sdca_range slice, int64_t *offset)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    char             path[SDCA_SCHEMA_PATH_SIZE + 16];

    snprintf(path, sizeof path, "%s/indptr", layout->x_path);
    SDCA_TRY(sdca_hdf5_open_array(h5, path, SDCA_INT64, &array));
    SDCA_TRY(sdca_hdf5_read_array(array, (sdca_range){ slice.first, slice.count + 1 },
                                  offset));
    SDCA_TRY(sdca_row_chunks_check_offsets(sdca_hdf5_path(h5), layout->matrix,
                                           slice.first, slice.count, offset));

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* Cut the rows of a sparse file into ranges of equal work. Weights make no
 * difference: a row of weight 0 is stored like any other. Each rank reads
 * an equal slice of the offsets, so that no rank needs them all. Collective. */
static sdca_status balance_nonzeros(MPI_Comm comm, sdca_hdf5_file *h5,
                                    const sdca_file_layout *layout, sdca_range *range)
{
    sdca_matrix_format format = layout->matrix;
    int                rank   = sdca_comm_rank(comm);
    int                ranks  = sdca_comm_size(comm);
    sdca_range         slice  = sdca_range_split_even(format.rows, rank, ranks);
    sdca_status        status = SDCA_OK;
    int64_t           *offset = sdca_alloc_array((size_t)slice.count, sizeof *offset);
    int64_t           *cut    = sdca_alloc_array((size_t)ranks, sizeof *cut);

    if (offset == NULL || cut == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                           (long long)slice.count);
    } else if (slice.count > 0) {
        status = read_slice_offsets(h5, layout, slice, offset);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    sdca_range_split_by_nonzeros(slice, offset, format.rows, format.nonzeros, ranks, cut);
    sdca_comm_allreduce_min_int64(comm, cut, ranks + 1);
    range->first = cut[rank];
    range->count = cut[rank + 1] - cut[rank];

done:
    free(offset);
    free(cut);
    return status;
}

/* The rows of this rank: all of them on one rank, an equal number of dense rows.
 * Collective. */
static sdca_status find_local_range(MPI_Comm comm, sdca_hdf5_file *h5,
                                    const sdca_file_layout *layout, sdca_range *range)
{
    if (!layout->matrix.dense && sdca_comm_size(comm) > 1) {
        return balance_nonzeros(comm, h5, layout, range);
    }
    *range = sdca_range_split_even(layout->matrix.rows, sdca_comm_rank(comm),
                                   sdca_comm_size(comm));
    return SDCA_OK;
}

/* Open this rank's rows, the labels and the weights. Local. */
static sdca_status open_source(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                               sdca_dataset_builder *builder)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_dataset_builder_check_rows(builder));
    if (layout->has_labels) {
        SDCA_TRY(sdca_label_reader_open(h5, layout, &builder->draft.class_names,
                                        &builder->labels));
    }
    if (layout->has_weights) {
        SDCA_TRY(sdca_weights_open(h5, layout, &builder->weights));
    }
    SDCA_TRY(sdca_row_chunks_open(h5, layout->x_path, layout->matrix,
                                  builder->draft.local_range, &builder->chunks));

done:
    return status;
}

/* Copies of a file may differ where opening it did not compare them. Compare what the
 * ranks must agree on. Collective. */
static sdca_status compare_layouts(MPI_Comm comm, const char *path,
                                   const sdca_file_layout *layout)
{
    const sdca_matrix_format *matrix = &layout->matrix;
    int64_t                   mine[] = { matrix->rows,
                                         matrix->columns,
                                         matrix->nonzeros,
                                         matrix->dense,
                                         matrix->float64,
                                         layout->has_labels,
                                         layout->category_path[0],
                                         layout->has_weights,
                                         layout->weight_mask_path[0],
                                         layout->by_column };
    int64_t                   first[sizeof mine / sizeof mine[0]];

    memcpy(first, mine, sizeof first);
    sdca_comm_broadcast(comm, first, sizeof first);
    return sdca_comm_agree(
        comm, memcmp(mine, first, sizeof first) == 0
                  ? SDCA_OK
                  : SDCA_FAIL(SDCA_DATA,
                              "'%s' is not the same file on all ranks: %lld rows, %lld "
                              "columns and %lld non-zeros on rank 0, %lld, %lld and "
                              "%lld on rank %d (a stale copy?)",
                              path, (long long)first[0], (long long)first[1],
                              (long long)first[2], (long long)mine[0], (long long)mine[1],
                              (long long)mine[2], sdca_comm_rank(comm)));
}

/* Parts of a file that the ranks must agree on. Collective. */
static sdca_status compare_plans(MPI_Comm comm, const char *path,
                                 const sdca_anndata_plan *plan)
{
    int64_t mine[]   = { plan->selection.count, plan->selection.unlabelled, plan->columns,
                         plan->column_map != NULL };
    int64_t first[4] = { 0 };

    memcpy(first, mine, sizeof first);
    sdca_comm_broadcast(comm, first, sizeof first);
    return sdca_comm_agree(
        comm, memcmp(mine, first, sizeof first) == 0
                  ? SDCA_OK
                  : SDCA_FAIL(SDCA_DATA,
                              "'%s' is not the same file on all ranks: %lld rows are "
                              "chosen on rank 0, %lld on rank %d (a stale copy?)",
                              path, (long long)first[0], (long long)mine[0],
                              sdca_comm_rank(comm)));
}

/* Read all of a file, row by row. Collective. */
static sdca_status read_all(MPI_Comm comm, sdca_hdf5_file *h5,
                            const sdca_file_layout     *layout,
                            const sdca_dataset_options *options, sdca_dataset **out)
{
    sdca_status          status      = SDCA_OK;
    const char          *path        = sdca_hdf5_path(h5);
    sdca_dataset_builder builder     = { .name = path };
    sdca_range           local_range = { 0, 0 };

    SDCA_TRY(find_local_range(comm, h5, layout, &local_range));
    builder = sdca_dataset_builder_begin(path, options, layout->matrix, local_range,
                                         layout->has_labels);
    builder.has_weights = layout->has_weights;
    SDCA_TRY(sdca_dataset_builder_finish(comm, &builder,
                                         open_source(h5, layout, &builder), out));

done:
    sdca_dataset_builder_free(&builder);
    return status;
}

sdca_status sdca_dataset_reader_read(MPI_Comm comm, const char *path,
                                     const sdca_dataset_options *options,
                                     sdca_dataset              **out)
{
    sdca_status       status = SDCA_OK;
    sdca_hdf5_file   *h5     = NULL;
    sdca_file_layout  layout = { .has_labels = false };
    sdca_anndata_plan plan   = { .columns = 0 };

    SDCA_TRY(sdca_hdf5_open(comm, path, &h5));
    if (options->follow_links) {
        sdca_hdf5_follow_external_links(h5);
    }
    SDCA_TRY(sdca_comm_agree(comm, sdca_file_layout_read(h5, options, &layout)));
    SDCA_TRY(compare_layouts(comm, path, &layout));
    SDCA_TRY(sdca_comm_agree(comm, sdca_anndata_plan_read(h5, &layout, options, &plan)));
    SDCA_TRY(compare_plans(comm, path, &plan));
    SDCA_TRY(sdca_anndata_plan_is_needed(&plan, &layout)
                 ? sdca_anndata_reader_read(comm, h5, &layout, options, &plan, out)
                 : read_all(comm, h5, &layout, options, out));

done:
    sdca_anndata_plan_free(&plan);
    sdca_hdf5_close(h5);
    return status;
}
