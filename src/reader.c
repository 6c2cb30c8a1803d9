/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.c - a data set from an HDF5 file, each rank reading its own rows.
 *
 * Reading is independent on each rank: nobody waits for another between two
 * agreements, so a bad row on one rank is told by all. */
#include "sdca/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outline.h"
#include "pieces.h"
#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/store.h"
#include "targets.h"
#include "weave.h"

/* With this share of non-zeros a dense row is as fast as a sparse one, which has more
 * to fetch and cannot take several values at once (measured: 0.38). */
static const double dense_from = 0.4;

/* Rows lie in an order that is a function of this and of their numbers. */
static const uint64_t shuffle_seed = 1;

/* The row offsets of a slice of a sparse file. */
static sdca_status read_slice(sdca_hdf5_file *store, const sdca_outline *file,
                              sdca_range slice, int64_t *offset)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;

    SDCA_TRY(sdca_hdf5_open_array(store, "X/indptr", SDCA_INT64, &array));
    SDCA_TRY(sdca_pieces_offsets(store, file, array, slice, offset));

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* Cut the rows of a sparse file into equal work. Each rank looks at an equal
 * slice of the offsets, so that nobody needs them all. Collective. */
static sdca_status cut_work(MPI_Comm comm, sdca_hdf5_file *store,
                            const sdca_outline *file, sdca_range *mine)
{
    int         rank   = sdca_comm_rank(comm);
    int         ranks  = sdca_comm_size(comm);
    sdca_range  slice  = sdca_range_split_even(file->rows, rank, ranks);
    sdca_status status = SDCA_OK;
    int64_t    *offset = sdca_alloc_array((size_t)slice.count, sizeof *offset);
    int64_t    *cut    = sdca_alloc_array((size_t)ranks, sizeof *cut);

    if (offset == NULL || cut == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                           (long long)slice.count);
    } else if (slice.count > 0) {
        status = read_slice(store, file, slice, offset);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    sdca_range_split_by_nonzeros(slice, offset, file->rows, file->nonzeros, ranks, cut);
    sdca_comm_allreduce_min_int64(comm, cut, ranks + 1);
    mine->first = cut[rank];
    mine->count = cut[rank + 1] - cut[rank];

done:
    free(offset);
    free(cut);
    return status;
}

/* Which rows are mine? One rank has all, and dense ones are all as long. Collective. */
static sdca_status find_mine(MPI_Comm comm, sdca_hdf5_file *store,
                             const sdca_outline *file, sdca_range *mine)
{
    if (!file->dense && sdca_comm_size(comm) > 1) {
        return cut_work(comm, store, file, mine);
    }
    *mine = sdca_range_split_even(file->rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    return SDCA_OK;
}

/* One rank's way through its rows. */
typedef struct reading {
    sdca_hdf5_file            *store;
    const sdca_outline        *file;
    const sdca_reader_options *options;
    sdca_pieces               *pieces;
    sdca_targets              *targets; /* NULL: there are no labels */
    uint32_t                  *place;   /* of my rows, by number */
    bool       dense; /* rows will be dense in memory, whatever the file's are */
    sdca_weave weave;
} reading;

static sdca_status no_memory(const reading *r)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)r->weave.draft->mine.count, sdca_hdf5_path(r->store));
}

/* Places are asked for twice, and take longer to compute than to remember. */
static sdca_status find_places(reading *r)
{
    const sdca_dataset *draft = r->weave.draft;
    uint32_t            rows  = (uint32_t)draft->mine.count;

    r->place = sdca_alloc_array(rows, sizeof *r->place);
    if (r->place == NULL) {
        return no_memory(r);
    }
    for (uint32_t k = 0; k < rows; k++) {
        r->place[k] = sdca_permutation_apply(&draft->places, k);
    }
    return SDCA_OK;
}

/* Sparse rows begin one behind the other in the order they lie in: their widths, which
 * come in another order, are kept where the starts will be. */
static sdca_status find_starts(reading *r, sdca_rows *x)
{
    const sdca_dataset *draft  = r->weave.draft;
    const sdca_piece   *piece  = &r->pieces->piece;
    sdca_status         status = SDCA_OK;
    int64_t             bias   = draft->bias > 0.0;
    int64_t             end    = 0;

    for (sdca_pieces_begin_again(r->pieces); r->pieces->next < draft->mine.count;) {
        SDCA_TRY(sdca_pieces_measure(r->pieces));
        for (uint32_t k = 0; k < piece->rows; k++) {
            x->row[r->place[piece->first + k]].start =
                piece->start[k + 1] - piece->start[k] + bias;
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

static sdca_status make_rows(reading *r)
{
    sdca_dataset *draft   = r->weave.draft;
    sdca_rows    *x       = &draft->x;
    uint32_t      rows    = (uint32_t)draft->mine.count;
    int32_t       columns = (int32_t)r->file->columns + (draft->bias > 0.0);
    sdca_status   status  = SDCA_OK;

    if (r->dense) {
        return sdca_rows_create_dense(rows, columns, r->file->wide, x);
    }
    x->count   = rows;
    x->columns = columns;
    x->row     = sdca_alloc_array(rows, sizeof *x->row);
    if (x->row == NULL) {
        return no_memory(r);
    }
    SDCA_TRY(find_starts(r, x));
    SDCA_TRY(sdca_rows_reserve(x, r->file->wide));

done:
    return status;
}

/* All that one rank does by itself before the ranks choose between sparse and dense: of
 * a dense file nothing but the values tell, and the first piece has to do. */
static sdca_status begin_rows(reading *r, double *nonzeros, double *values)
{
    sdca_status       status = SDCA_OK;
    sdca_dataset     *draft  = r->weave.draft;
    const sdca_piece *piece;

    if (draft->mine.count > UINT32_MAX - 1024) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                           sdca_hdf5_path(r->store), (long long)draft->mine.count);
        goto done;
    }
    if (r->file->labels) {
        SDCA_TRY(sdca_targets_open(r->store, r->file, &draft->words, &r->targets));
    }
    SDCA_TRY(sdca_pieces_open(r->store, r->file, draft->mine, &r->pieces));
    if (r->file->dense) {
        SDCA_TRY(sdca_pieces_read(r->pieces));
        piece     = &r->pieces->piece;
        *nonzeros = (double)(piece->start[piece->rows] - piece->start[0]);
        *values   = (double)piece->rows * (double)r->file->columns;
    }

done:
    return status;
}

/* Prepare to read, and choose how rows will lie in memory. Collective. */
static sdca_status prepare(MPI_Comm comm, reading *r)
{
    sdca_status status   = SDCA_OK;
    double      total[2] = { (double)r->file->nonzeros,
                             (double)r->file->rows * (double)r->file->columns };

    SDCA_TRY(sdca_comm_agree(comm, begin_rows(r, &total[0], &total[1])));
    if (r->file->dense) {
        sdca_comm_allreduce_sum(comm, total, 2);
    }
    r->dense = total[0] > dense_from * total[1];

done:
    return status;
}

/* My rows and labels, checked: all that one rank does by itself. */
static sdca_status read_rows(reading *r)
{
    sdca_dataset     *draft  = r->weave.draft;
    const sdca_piece *piece  = &r->pieces->piece;
    const double     *label  = NULL;
    sdca_status       status = SDCA_OK;

    SDCA_TRY(find_places(r));
    SDCA_TRY(make_rows(r));
    r->weave.lines = sdca_rows_lines(&draft->x);
    for (sdca_pieces_begin_again(r->pieces); r->pieces->next < draft->mine.count;) {
        SDCA_TRY(sdca_pieces_read(r->pieces));
        if (r->targets != NULL) {
            SDCA_TRY(sdca_targets_read(
                r->targets, (sdca_range){ draft->mine.first + piece->first, piece->rows },
                &label));
        }
        SDCA_TRY(sdca_weave_piece(&r->weave, piece, r->place + piece->first, label));
        draft->nonzeros += piece->start[piece->rows] - piece->start[0];
        if (r->options->progress != NULL) {
            r->options->progress(r->options->context, r->pieces->next, draft->mine.count);
        }
    }

done:
    return status;
}

/* Values that are exact in float32 on all ranks are kept in float32. Only then can
 * wide rows be divided by their lengths. Collective. */
static sdca_status settle_width(MPI_Comm comm, bool fits, sdca_dataset *draft)
{
    double      all    = fits ? 1.0 : 0.0;
    sdca_status status = SDCA_OK;

    sdca_comm_allreduce_min(comm, &all, 1);
    SDCA_TRY(sdca_comm_agree(comm, all > 0.0 ? sdca_rows_narrow(&draft->x) : SDCA_OK));
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
static void settle_bias(sdca_dataset *draft)
{
    for (uint32_t i = 0; draft->bias > 0.0 && i < draft->x.count; i++) {
        sdca_weave_bias(draft, i);
        draft->x.row[i].norm2 = sdca_rows_norm2(&draft->x, i);
    }
}

/* Copies that differ where the store takes no samples may still differ in what the ranks
 * have to agree on. Collective. */
static sdca_status compare_outlines(MPI_Comm comm, const char *path,
                                    const sdca_outline *file)
{
    int64_t mine[] = { file->rows, file->columns, file->nonzeros,   file->dense,
                       file->wide, file->labels,  file->category[0] };
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

sdca_status sdca_reader_read(MPI_Comm comm, const char *path, sdca_reader_options options,
                             sdca_dataset **out)
{
    sdca_status  status = SDCA_OK;
    sdca_outline file   = { 0 };
    sdca_dataset draft  = { .normalized = options.normalize,
                            .bias       = (double)(float)options.bias };
    reading      r      = { .file    = &file,
                            .options = &options,
                            .weave   = { path, &draft, true, 0 } };

    SDCA_TRY(sdca_hdf5_open(comm, path, &r.store));
    if (options.links) {
        sdca_hdf5_follow_external_links(r.store);
    }
    SDCA_TRY(
        sdca_comm_agree(comm, sdca_outline_read(r.store, options.label, options.labels,
                                                options.unlabelled, &file)));
    SDCA_TRY(compare_outlines(comm, path, &file));
    draft.labels = file.labels;
    SDCA_TRY(find_mine(comm, r.store, &file, &draft.mine));
    if (options.shuffle) {
        draft.places = sdca_permutation_create(shuffle_seed, SDCA_STREAM_ROW_SHUFFLE,
                                               (uint64_t)draft.mine.first, 0,
                                               (uint32_t)draft.mine.count);
    }
    SDCA_TRY(prepare(comm, &r));
    SDCA_TRY(sdca_comm_agree(comm, read_rows(&r)));
    if (file.wide) {
        SDCA_TRY(settle_width(comm, r.weave.fits, &draft));
    }
    settle_bias(&draft);
    SDCA_TRY(sdca_dataset_share(comm, &draft, out));
    if (options.limited) { /* a row's length is that of all its columns */
        (*out)->stored = (*out)->columns;
        sdca_rows_limit(&(*out)->x, options.columns);
        (*out)->columns = options.columns;
    }

done:
    sdca_pieces_close(r.pieces);
    sdca_targets_close(r.targets);
    free(r.place);
    sdca_hdf5_close(r.store);
    sdca_rows_free(&draft.x);
    sdca_string_list_free(&draft.words);
    return status;
}
