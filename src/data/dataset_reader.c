/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_reader.c - a data set from an HDF5 file, each rank reading its own rows.
 *
 * Reading is independent on each rank: nobody waits for another between two
 * agreements, so a bad row on one rank is told by all. */
#include "data/dataset_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/file_schema.h"
#include "data/label_reader.h"
#include "data/row_chunks.h"
#include "data/row_loader.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

/* With this share of non-zeros a dense row is as fast as a sparse one, which has more
 * to fetch and cannot take several values at once (measured: 0.38). */
static const double dense_threshold = 0.4;

/* Rows lie in an order that is a function of this and of their numbers. */
static const uint64_t shuffle_seed = 1;

/* The row offsets of a slice of a sparse file. */
static sdca_status read_slice_offsets(sdca_hdf5_file         *store,
                                      const sdca_file_schema *schema, sdca_range slice,
                                      int64_t *offset)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;

    SDCA_TRY(sdca_hdf5_open_array(store, "X/indptr", SDCA_INT64, &array));
    SDCA_TRY(sdca_row_chunks_read_offsets(store, schema, array, slice, offset));

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* Cut the rows of a sparse file into equal work. Each rank looks at an equal
 * slice of the offsets, so that nobody needs them all. Collective. */
static sdca_status balance_nonzeros(MPI_Comm comm, sdca_hdf5_file *store,
                                    const sdca_file_schema *schema, sdca_range *range)
{
    int         rank   = sdca_comm_rank(comm);
    int         ranks  = sdca_comm_size(comm);
    sdca_range  slice  = sdca_range_split_even(schema->rows, rank, ranks);
    sdca_status status = SDCA_OK;
    int64_t    *offset = sdca_alloc_array((size_t)slice.count, sizeof *offset);
    int64_t    *cut    = sdca_alloc_array((size_t)ranks, sizeof *cut);

    if (offset == NULL || cut == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                           (long long)slice.count);
    } else if (slice.count > 0) {
        status = read_slice_offsets(store, schema, slice, offset);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    sdca_range_split_by_nonzeros(slice, offset, schema->rows, schema->nonzeros, ranks,
                                 cut);
    sdca_comm_allreduce_min_int64(comm, cut, ranks + 1);
    range->first = cut[rank];
    range->count = cut[rank + 1] - cut[rank];

done:
    free(offset);
    free(cut);
    return status;
}

/* Which rows are mine? One rank has all, and dense ones are all as long. Collective. */
static sdca_status find_local_range(MPI_Comm comm, sdca_hdf5_file *store,
                                    const sdca_file_schema *schema, sdca_range *range)
{
    if (!schema->dense && sdca_comm_size(comm) > 1) {
        return balance_nonzeros(comm, store, schema, range);
    }
    *range =
        sdca_range_split_even(schema->rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    return SDCA_OK;
}

/* One rank's way through its rows. */
typedef struct reading {
    sdca_hdf5_file                    *store;
    const sdca_file_schema            *schema;
    const sdca_dataset_reader_options *options;
    sdca_row_chunks                   *chunks;
    sdca_label_reader                 *labels;   /* NULL: there are no labels */
    uint32_t                          *position; /* of my rows, by number */
    bool            dense; /* rows will be dense in memory, whatever the file's are */
    sdca_row_loader loader;
} reading;

static sdca_status no_memory(const reading *r)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)r->loader.draft->local_range.count,
                     sdca_hdf5_path(r->store));
}

/* Places are asked for twice, and take longer to compute than to remember. */
static sdca_status compute_positions(reading *r)
{
    const sdca_dataset *draft = r->loader.draft;
    uint32_t            rows  = (uint32_t)draft->local_range.count;

    r->position = sdca_alloc_array(rows, sizeof *r->position);
    if (r->position == NULL) {
        return no_memory(r);
    }
    for (uint32_t k = 0; k < rows; k++) {
        r->position[k] = sdca_permutation_apply(&draft->shuffle, k);
    }
    return SDCA_OK;
}

/* Sparse rows begin one behind the other in the order they lie in: their widths, which
 * come in another order, are kept where the starts will be. */
static sdca_status compute_starts(reading *r, sdca_rows *x)
{
    const sdca_dataset   *draft  = r->loader.draft;
    const sdca_row_chunk *chunk  = &r->chunks->chunk;
    sdca_status           status = SDCA_OK;
    int64_t               bias   = draft->bias > 0.0;
    int64_t               end    = 0;

    for (sdca_row_chunks_rewind(r->chunks); r->chunks->next < draft->local_range.count;) {
        SDCA_TRY(sdca_row_chunks_read_starts(r->chunks));
        for (uint32_t k = 0; k < chunk->rows; k++) {
            x->row[r->position[chunk->first + k]].start =
                chunk->start[k + 1] - chunk->start[k] + bias;
        }
    }
    for (uint32_t i = 0; i <= x->count; i++) {
        int64_t width = i < x->count ? x->row[i].start : 0;

        x->row[i].start = end;
        end += width;
    }

done:
    return status;
}

static sdca_status allocate_rows(reading *r)
{
    sdca_dataset *draft   = r->loader.draft;
    sdca_rows    *x       = &draft->x;
    uint32_t      rows    = (uint32_t)draft->local_range.count;
    int32_t       columns = (int32_t)r->schema->columns + (draft->bias > 0.0);
    sdca_status   status  = SDCA_OK;

    if (r->dense) {
        return sdca_rows_create_dense(rows, columns, r->schema->float64, x);
    }
    x->count   = rows;
    x->columns = columns;
    x->row     = sdca_alloc_array(rows, sizeof *x->row);
    if (x->row == NULL) {
        return no_memory(r);
    }
    SDCA_TRY(compute_starts(r, x));
    SDCA_TRY(sdca_rows_allocate_entries(x, r->schema->float64));

done:
    return status;
}

/* All that one rank does by itself before the ranks choose between sparse and dense: of
 * a dense file nothing but the values tell, and the first piece has to do. */
static sdca_status open_rows(reading *r, double *nonzeros, double *values)
{
    sdca_status           status = SDCA_OK;
    sdca_dataset         *draft  = r->loader.draft;
    const sdca_row_chunk *chunk;

    if (draft->local_range.count > UINT32_MAX - 1024) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                           sdca_hdf5_path(r->store), (long long)draft->local_range.count);
        goto done;
    }
    if (r->schema->has_labels) {
        SDCA_TRY(
            sdca_label_reader_open(r->store, r->schema, &draft->class_names, &r->labels));
    }
    SDCA_TRY(sdca_row_chunks_open(r->store, r->schema, draft->local_range, &r->chunks));
    if (r->schema->dense) {
        SDCA_TRY(sdca_row_chunks_read(r->chunks));
        chunk     = &r->chunks->chunk;
        *nonzeros = (double)(chunk->start[chunk->rows] - chunk->start[0]);
        *values   = (double)chunk->rows * (double)r->schema->columns;
    }

done:
    return status;
}

/* Prepare to read, and choose how rows will lie in memory. Collective. */
static sdca_status choose_layout(MPI_Comm comm, reading *r)
{
    sdca_status status   = SDCA_OK;
    double      total[2] = { (double)r->schema->nonzeros,
                             (double)r->schema->rows * (double)r->schema->columns };

    SDCA_TRY(sdca_comm_agree(comm, open_rows(r, &total[0], &total[1])));
    if (r->schema->dense) {
        sdca_comm_allreduce_sum(comm, total, 2);
    }
    r->dense = total[0] > dense_threshold * total[1];

done:
    return status;
}

/* My rows and labels, checked: all that one rank does by itself. */
static sdca_status read_rows(reading *r)
{
    sdca_dataset         *draft  = r->loader.draft;
    const sdca_row_chunk *chunk  = &r->chunks->chunk;
    const double         *label  = NULL;
    sdca_status           status = SDCA_OK;

    SDCA_TRY(compute_positions(r));
    SDCA_TRY(allocate_rows(r));
    r->loader.prefetch_lines = sdca_rows_prefetch_lines(&draft->x);
    for (sdca_row_chunks_rewind(r->chunks); r->chunks->next < draft->local_range.count;) {
        SDCA_TRY(sdca_row_chunks_read(r->chunks));
        if (r->labels != NULL) {
            SDCA_TRY(sdca_label_reader_read(
                r->labels,
                (sdca_range){ draft->local_range.first + chunk->first, chunk->rows },
                &label));
        }
        SDCA_TRY(
            sdca_row_loader_add(&r->loader, chunk, r->position + chunk->first, label));
        draft->nonzeros += chunk->start[chunk->rows] - chunk->start[0];
        if (r->options->progress != NULL) {
            r->options->progress(r->options->context, r->chunks->next,
                                 draft->local_range.count);
        }
    }

done:
    return status;
}

/* Values that are exact in float32 on all ranks are kept in float32. Only then can
 * wide rows be divided by their lengths. Collective. */
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

/* A bias counts for the length of a row, but is not divided by it. */
static void set_bias(sdca_dataset *draft)
{
    for (uint32_t i = 0; draft->bias > 0.0 && i < draft->x.count; i++) {
        sdca_row_loader_set_bias(draft, i);
        draft->x.row[i].norm2 = sdca_rows_norm2(&draft->x, i);
    }
}

/* Copies that differ where the store takes no samples may still differ in what the ranks
 * have to agree on. Collective. */
static sdca_status compare_schemas(MPI_Comm comm, const char *path,
                                   const sdca_file_schema *schema)
{
    int64_t mine[] = {
        schema->rows,    schema->columns,    schema->nonzeros,        schema->dense,
        schema->float64, schema->has_labels, schema->category_path[0]
    };
    int64_t first[sizeof mine / sizeof mine[0]];

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

sdca_status sdca_dataset_reader_read(MPI_Comm comm, const char *path,
                                     sdca_dataset_reader_options options,
                                     sdca_dataset              **out)
{
    sdca_status      status = SDCA_OK;
    sdca_file_schema schema = { 0 };
    sdca_dataset     draft  = { .normalized = options.normalize,
                                .bias       = (double)(float)options.bias };
    reading          r      = { .schema  = &schema,
                                .options = &options,
                                .loader  = { path, &draft, true, 0 } };

    SDCA_TRY(sdca_hdf5_open(comm, path, &r.store));
    if (options.follow_links) {
        sdca_hdf5_follow_external_links(r.store);
    }
    SDCA_TRY(sdca_comm_agree(
        comm, sdca_file_schema_read(r.store, options.label_column, options.require_labels,
                                    options.ignore_labels, &schema)));
    SDCA_TRY(compare_schemas(comm, path, &schema));
    draft.has_labels = schema.has_labels;
    SDCA_TRY(find_local_range(comm, r.store, &schema, &draft.local_range));
    if (options.shuffle) {
        draft.shuffle = sdca_permutation_create(shuffle_seed, SDCA_STREAM_ROW_SHUFFLE,
                                                (uint64_t)draft.local_range.first, 0,
                                                (uint32_t)draft.local_range.count);
    }
    SDCA_TRY(choose_layout(comm, &r));
    SDCA_TRY(sdca_comm_agree(comm, read_rows(&r)));
    if (schema.float64) {
        SDCA_TRY(choose_precision(comm, r.loader.exact_float32, &draft));
    }
    set_bias(&draft);
    SDCA_TRY(sdca_dataset_assemble(comm, &draft, out));
    if (options.limit_columns) { /* a row's length is that of all its columns */
        (*out)->file_columns = (*out)->columns;
        sdca_rows_truncate(&(*out)->x, options.columns);
        (*out)->columns = options.columns;
    }

done:
    sdca_row_chunks_close(r.chunks);
    sdca_label_reader_close(r.labels);
    free(r.position);
    sdca_hdf5_close(r.store);
    sdca_rows_free(&draft.x);
    sdca_string_list_free(&draft.class_names);
    return status;
}
