/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_builder.c - a data set from chunks of rows, of a file or of memory.
 *
 * Each rank reads on its own between two agreements, so that an invalid row on one rank
 * becomes the failure of all. */
#include "data/dataset_builder.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"

/* From this share of non-zeros on, a dense row is as fast as a sparse one, which has more
 * to load and cannot be vectorised (measured: 0.38). */
static const double dense_threshold = 0.4;

/* The order of shuffled rows is a function of this and of their numbers. */
static const uint64_t shuffle_seed = 1;

sdca_dataset_builder sdca_dataset_builder_begin(const char                 *name,
                                                const sdca_dataset_options *options,
                                                sdca_matrix_format          format,
                                                sdca_range local_range, bool has_labels)
{
    sdca_dataset_builder builder = {
        .name    = name,
        .options = options,
        .format  = format,
        .draft   = { .local_range = local_range,
                     .has_labels  = has_labels,
                     .normalized  = options->normalize,
                     .intercept   = options->intercept,
                     .bias = options->intercept ? 1.0 : (double)(float)options->bias }
    };

    if (options->shuffle) {
        builder.draft.shuffle = sdca_permutation_create(
            shuffle_seed, SDCA_STREAM_ROW_SHUFFLE, (uint64_t)local_range.first, 0,
            (uint32_t)local_range.count);
    }
    return builder;
}

void sdca_dataset_builder_free(sdca_dataset_builder *b)
{
    sdca_row_chunks_close(b->chunks);
    sdca_label_reader_close(b->labels);
    sdca_weights_close(&b->weights);
    free(b->draft.weight);
    free(b->draft.class_factor);
    free(b->draft.scale);
    free(b->draft.mean);
    free(b->position);
    sdca_rows_free(&b->draft.x);
    sdca_classes_free(&b->draft.classes);
    sdca_string_list_free(&b->draft.class_names);
    sdca_used_columns_free(b->draft.column_map);
    free(b->draft.source_row);
}

sdca_status sdca_dataset_builder_check_rows(const sdca_dataset_builder *b)
{
    int64_t rows = b->draft.local_range.count;

    return rows <= UINT32_MAX - 1024
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                           b->name, (long long)rows);
}

static sdca_status no_memory(const sdca_dataset_builder *b)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)b->draft.local_range.count, b->name);
}

/* Positions are needed twice, and computing them takes longer than loading them. */
static sdca_status compute_positions(sdca_dataset_builder *b)
{
    uint32_t rows = (uint32_t)b->draft.local_range.count;

    b->position = sdca_alloc_array(rows, sizeof *b->position);
    if (b->position == NULL) {
        return no_memory(b);
    }
    for (uint32_t k = 0; k < rows; k++) {
        b->position[k] = sdca_permutation_apply(&b->draft.shuffle, k);
    }
    return SDCA_OK;
}

/* The starts of sparse rows in the order in which they are stored. The rows come in
 * another order: first their lengths are stored in place of the starts. */
static sdca_status compute_starts(sdca_dataset_builder *b)
{
    sdca_rows            *x      = &b->draft.x;
    const sdca_row_chunk *chunk  = &b->chunks->chunk;
    sdca_status           status = SDCA_OK;
    int64_t               bias   = b->draft.bias > 0.0;
    int64_t               end    = 0;

    for (sdca_row_chunks_rewind(b->chunks); b->chunks->next < x->count;) {
        SDCA_TRY(sdca_row_chunks_read_starts(b->chunks));
        for (uint32_t k = 0; k < chunk->rows; k++) {
            x->row[b->position[chunk->first + k]].start =
                chunk->start[k + 1] - chunk->start[k] + bias;
        }
    }
    for (uint32_t i = 0; i <= x->count; i++) {
        int64_t length = i < x->count ? x->row[i].start : 0;

        x->row[i].start = end;
        end += length;
    }

done:
    return status;
}

static sdca_status allocate_rows(sdca_dataset_builder *b)
{
    sdca_rows  *x       = &b->draft.x;
    uint32_t    rows    = (uint32_t)b->draft.local_range.count;
    int32_t     columns = (int32_t)b->format.columns + (b->draft.bias > 0.0);
    sdca_status status  = SDCA_OK;

    if (b->dense) {
        return sdca_rows_create_dense(rows, columns, b->format.float64, x);
    }
    x->count   = rows;
    x->columns = columns;
    x->row     = sdca_alloc_array(rows, sizeof *x->row);
    if (x->row == NULL) {
        return no_memory(b);
    }
    SDCA_TRY(compute_starts(b));
    SDCA_TRY(sdca_rows_allocate_entries(x, b->format.float64));

done:
    return status;
}

/* Choose between sparse and dense rows. The share of non-zeros of a dense matrix is
 * estimated from the first chunk of each rank. Collective. */
static sdca_status choose_layout(MPI_Comm comm, sdca_dataset_builder *b,
                                 sdca_status opened)
{
    sdca_status status   = SDCA_OK;
    double      total[2] = { (double)b->format.nonzeros,
                             (double)b->format.rows * (double)b->format.columns };

    if (opened == SDCA_OK && b->format.dense) {
        const sdca_row_chunk *chunk = &b->chunks->chunk;

        opened   = sdca_row_chunks_read(b->chunks);
        total[0] = opened == SDCA_OK
                       ? (double)(chunk->start[chunk->rows] - chunk->start[0])
                       : 0.0;
        total[1] = (double)chunk->rows * (double)b->format.columns;
    }
    SDCA_TRY(sdca_comm_agree(comm, opened));
    if (b->format.dense) {
        sdca_comm_allreduce_sum(comm, total, 2);
    }
    b->dense = total[0] > dense_threshold * total[1];

done:
    return status;
}

/* The labels of the present chunk, or NULL. */
static sdca_status read_labels(sdca_dataset_builder *b, const double **out)
{
    const sdca_row_chunk *chunk = &b->chunks->chunk;

    if (b->labels != NULL) {
        return sdca_label_reader_read(
            b->labels,
            (sdca_range){ b->draft.local_range.first + chunk->first, chunk->rows }, out);
    }
    *out = b->memory_labels != NULL ? b->memory_labels + chunk->first : NULL;
    return SDCA_OK;
}

/* Read, check and store this rank's rows, labels and weights. Local. */
static sdca_status read_rows(sdca_dataset_builder *b, sdca_row_loader *loader)
{
    const sdca_dataset_options *options = b->options;
    const sdca_row_chunk       *chunk   = &b->chunks->chunk;
    int64_t                     rows    = b->draft.local_range.count;
    const double               *label   = NULL;
    sdca_status                 status  = SDCA_OK;

    SDCA_TRY(compute_positions(b));
    if (b->has_weights) {
        SDCA_TRY(sdca_weights_load(&b->weights, b->name, b->position, &b->draft));
    }
    SDCA_TRY(allocate_rows(b));
    loader->prefetch_lines = sdca_rows_prefetch_lines(&b->draft.x);
    for (sdca_row_chunks_rewind(b->chunks); b->chunks->next < rows;) {
        SDCA_TRY(sdca_row_chunks_read(b->chunks));
        SDCA_TRY(read_labels(b, &label));
        SDCA_TRY(sdca_row_loader_add(loader, chunk, b->position + chunk->first, label));
        b->draft.nonzeros += chunk->start[chunk->rows] - chunk->start[0];
        if (options->progress != NULL) {
            options->progress(options->context, b->chunks->next, rows);
        }
    }

done:
    return status;
}

/* Store float64 values as float32 if they are exact on all ranks. Only then can float64
 * rows be normalised. Collective. */
static sdca_status choose_precision(MPI_Comm comm, bool exact, sdca_dataset *draft)
{
    double      all_exact = exact ? 1.0 : 0.0;
    sdca_status status    = SDCA_OK;

    sdca_comm_allreduce_min(comm, &all_exact, 1);
    SDCA_TRY(sdca_comm_agree(comm, all_exact > 0.0 ? sdca_rows_to_float32(&draft->x)
                                                   : SDCA_OK));
    for (uint32_t i = 0; draft->normalized && i < draft->x.count; i++) {
        sdca_row *row = &draft->x.row[i];

        if (row->norm2 > 0.0) {
            sdca_rows_scale(&draft->x, i, 1.0 / sqrt(row->norm2));
            row->norm2 = sdca_rows_norm2(&draft->x, i);
        }
    }

done:
    return status;
}

/* The bias is part of a row's norm, but rows are normalised without it. */
static void set_bias(sdca_dataset *draft)
{
    for (uint32_t i = 0; draft->bias > 0.0 && i < draft->x.count; i++) {
        sdca_row_loader_set_bias(draft, i);
        draft->x.row[i].norm2 = sdca_rows_norm2(&draft->x, i);
    }
}

sdca_status sdca_dataset_builder_finish(MPI_Comm comm, sdca_dataset_builder *b,
                                        sdca_status opened, sdca_dataset **out)
{
    sdca_row_loader loader = { b->name, &b->draft, true, 0 };
    sdca_status     status = SDCA_OK;

    SDCA_TRY(choose_layout(comm, b, opened));
    SDCA_TRY(sdca_comm_agree(comm, read_rows(b, &loader)));
    if (b->format.float64) {
        SDCA_TRY(choose_precision(comm, loader.exact_float32, &b->draft));
    }
    set_bias(&b->draft);
    SDCA_TRY(sdca_dataset_finish(comm, b->name, b->options, &b->draft, out));

done:
    return status;
}
