/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_reader.c - a data set from parts of an AnnData file, for dataset_reader. */
#include "data/anndata_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/anndata_rows.h"
#include "data/feature_names.h"
#include "data/name_match.h"
#include "mpi/comm.h"

/* Match the columns by name, where both sides have names. */
static sdca_status match_columns(sdca_hdf5_file *h5, const sdca_dataset_options *options,
                                 sdca_anndata_plan *plan)
{
    const sdca_string_list *wanted = options->column_names;
    sdca_status             status = SDCA_OK;
    sdca_string_list        found  = { 0 };

    if (wanted == NULL || wanted->count == 0) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_feature_names_read_cells(h5, &options->cells, &found));
    if (found.count > 0 && found.count == plan->columns) {
        SDCA_TRY(sdca_name_match_create(sdca_hdf5_path(h5), &found, wanted,
                                        options->missing_columns_zero, &plan->column_map,
                                        &plan->missing_columns));
    }
    plan->columns = plan->column_map != NULL ? wanted->count : plan->columns;

done:
    sdca_string_list_free(&found);
    return status;
}

sdca_status sdca_anndata_plan_read(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                   const sdca_dataset_options *options,
                                   sdca_anndata_plan          *plan)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_anndata_row_selection_read(h5, layout, options, &plan->selection));
    if (options->cells.covariates != NULL) {
        SDCA_TRY(sdca_covariates_open(h5, options->cells.covariates, layout->matrix.rows,
                                      &plan->covariates));
    }
    plan->columns = layout->matrix.columns + plan->covariates.names.count;
    if (plan->columns >= INT32_MAX) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has %lld columns; at most 2147483646 are possible",
                         sdca_hdf5_path(h5), (long long)plan->columns);
    }
    SDCA_TRY(match_columns(h5, options, plan));

done:
    return status;
}

void sdca_anndata_plan_free(sdca_anndata_plan *plan)
{
    sdca_anndata_row_selection_free(&plan->selection);
    sdca_covariates_close(&plan->covariates);
    free(plan->column_map);
    plan->column_map = NULL;
}

bool sdca_anndata_plan_is_needed(const sdca_anndata_plan *plan,
                                 const sdca_file_layout  *layout)
{
    return layout->by_column || plan->selection.row != NULL ||
           plan->selection.unlabelled > 0 || plan->covariates.count > 0 ||
           plan->column_map != NULL;
}

/* Labels and weights of this rank's rows. A row without a label has NaN. Local. */
static sdca_status read_labels(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                               const sdca_anndata_rows *rows, sdca_dataset_builder *b,
                               double *label)
{
    sdca_status   status = SDCA_OK;
    const double *window = NULL;

    SDCA_TRY(sdca_label_reader_open(h5, layout, &b->draft.class_names, &b->labels));
    for (int64_t k = 0; k < rows->range.count; k++) {
        SDCA_TRY(sdca_label_reader_read(
            b->labels, (sdca_range){ sdca_anndata_rows_source(rows, k), 1 }, &window));
        label[k] = window[0];
    }

done:
    sdca_label_reader_close(b->labels);
    b->labels = NULL;
    return status;
}

static sdca_status read_weights(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                const sdca_anndata_rows *rows, sdca_dataset_builder *b,
                                double *weight)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < rows->range.count; k++) {
        weight[k] = 1.0;
    }
    if (!layout->has_weights) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_weights_open(h5, layout, &b->weights));
    for (int64_t k = 0, next = 0; k < rows->range.count; k = next) {
        int64_t first = sdca_anndata_rows_source(rows, k);

        for (next = k + 1; next < rows->range.count &&
                           sdca_anndata_rows_source(rows, next) == first + next - k;) {
            next++;
        }
        SDCA_TRY(sdca_weights_read(&b->weights, b->name, (sdca_range){ first, next - k },
                                   weight + k));
    }

done:
    sdca_weights_close(&b->weights);
    return status;
}

/* Rows without a label have weight 0 and the label of another row. Returns whether any
 * row has a label. Collective. */
static bool fill_labels(MPI_Comm comm, int64_t rows, double *label, double *weight)
{
    double other = INFINITY;

    for (int64_t k = 0; k < rows; k++) {
        other = isnan(label[k]) ? other : fmin(other, label[k]);
    }
    sdca_comm_allreduce_min(comm, &other, 1);
    for (int64_t k = 0; k < rows; k++) {
        weight[k] = isnan(label[k]) ? 0.0 : weight[k];
        label[k]  = isnan(label[k]) ? other : label[k];
    }
    return isfinite(other);
}

/* The numbers of the rows, which the data set takes over. */
static void take_rows(sdca_anndata_plan *plan, int64_t source_rows, sdca_dataset *draft)
{
    draft->source_row   = plan->selection.row;
    draft->source_rows  = source_rows;
    draft->unlabelled   = plan->selection.unlabelled;
    plan->selection.row = NULL;
}

/* Open this rank's part as chunks of memory. Local. */
static sdca_status open_source(const sdca_anndata_rows *rows, sdca_matrix_format format,
                               sdca_dataset_builder *b)
{
    sdca_matrix_arrays arrays = { rows->indptr, rows->indices, rows->value32,
                                  rows->value64 };
    sdca_status        status = SDCA_OK;

    format.rows     = rows->range.count;
    format.nonzeros = rows->indptr[rows->range.count];
    SDCA_TRY(sdca_dataset_builder_check_rows(b));
    SDCA_TRY(sdca_row_chunks_open_memory(b->name, format, arrays, &b->chunks));

done:
    return status;
}

/* Read labels and weights. Local. */
static sdca_status read_targets(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                const sdca_anndata_rows *rows, sdca_dataset_builder *b,
                                double *label, double *weight)
{
    sdca_status status = SDCA_OK;

    if (label == NULL || weight == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                         (long long)rows->range.count, b->name);
    }
    if (layout->has_labels) {
        SDCA_TRY(read_labels(h5, layout, rows, b, label));
        SDCA_TRY(read_weights(h5, layout, rows, b, weight));
    }

done:
    return status;
}

/* Make the data set of the rows in memory. Collective. */
static sdca_status build(MPI_Comm comm, sdca_hdf5_file *h5,
                         const sdca_file_layout     *layout,
                         const sdca_dataset_options *options, sdca_anndata_plan *plan,
                         const sdca_anndata_rows *rows, sdca_dataset **out)
{
    int64_t            count    = rows->range.count;
    int64_t            nonzeros = rows->indptr[count];
    sdca_matrix_format format   = { .float64 = rows->value64 != NULL,
                                    .rows    = plan->selection.count,
                                    .columns = plan->columns };
    sdca_status        status   = SDCA_OK;
    bool               lacks    = plan->selection.unlabelled > 0 &&
                 options->unlabelled_rows == SDCA_UNLABELLED_KEEP;
    double              *label  = sdca_alloc_array((size_t)count, sizeof *label);
    double              *weight = sdca_alloc_array((size_t)count, sizeof *weight);
    sdca_dataset_builder b;

    sdca_comm_allreduce_sum_int64(comm, &nonzeros, 1);
    format.nonzeros = nonzeros;
    b = sdca_dataset_builder_begin(sdca_hdf5_path(h5), options, format, rows->range,
                                   layout->has_labels);
    b.has_weights = layout->has_weights;
    SDCA_TRY(sdca_comm_agree(comm, read_targets(h5, layout, rows, &b, label, weight)));
    if (layout->has_labels && lacks) {
        b.draft.has_labels = fill_labels(comm, count, label, weight);
        b.has_weights      = b.draft.has_labels;
    }
    b.memory_labels  = b.draft.has_labels ? label : NULL;
    b.weights.memory = b.has_weights ? weight : NULL;
    if (!b.draft.has_labels) {
        sdca_string_list_free(&b.draft.class_names);
    }
    take_rows(plan, layout->matrix.rows, &b.draft);
    SDCA_TRY(sdca_dataset_builder_finish(comm, &b, open_source(rows, format, &b), out));
    (*out)->missing_columns = plan->missing_columns;

done:
    sdca_dataset_builder_free(&b);
    free(label);
    free(weight);
    return status;
}

sdca_status sdca_anndata_reader_read(MPI_Comm comm, sdca_hdf5_file *h5,
                                     const sdca_file_layout     *layout,
                                     const sdca_dataset_options *options,
                                     sdca_anndata_plan *plan, sdca_dataset **out)
{
    sdca_status       status = SDCA_OK;
    sdca_anndata_rows rows   = { .layout     = layout,
                                 .selection  = &plan->selection,
                                 .covariates = &plan->covariates,
                                 .column_map = plan->column_map,
                                 .columns    = plan->columns };

    SDCA_TRY(sdca_anndata_rows_read(comm, h5, &rows));
    SDCA_TRY(build(comm, h5, layout, options, plan, &rows, out));

done:
    sdca_anndata_rows_free(&rows);
    return status;
}
