/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces.c - the rows of a file, sparse or dense, some thousand at a time. */
#include "pieces.h"

#include <stdlib.h>

#include "sdca/memory.h"

sdca_status sdca_pieces_offsets(sdca_hdf5_file *store, const sdca_outline *file,
                                sdca_hdf5_array *array, sdca_range range, int64_t *offset)
{
    sdca_range  read   = { range.first, range.count + 1 };
    sdca_status status = sdca_hdf5_read_array(array, read, offset);

    for (int64_t k = 0; status == SDCA_OK && k <= range.count; k++) {
        int64_t row   = range.first + k;
        int64_t least = row == file->rows ? file->nonzeros : k > 0 ? offset[k - 1] : 0;
        int64_t most  = row == 0 ? 0 : file->nonzeros;

        if (offset[k] < least || offset[k] > most) {
            status = SDCA_FAIL(
                SDCA_DATA,
                "'%s', row %lld: its offset %lld does not ascend from 0 to %lld",
                sdca_hdf5_path(store), (long long)row, (long long)offset[k],
                (long long)file->nonzeros);
        }
    }
    return status;
}

static sdca_status no_memory(const sdca_pieces *p)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)p->mine.count, sdca_hdf5_path(p->store));
}

/* Room for a piece of so many non-zeros, which are not kept. */
static sdca_status make_room(sdca_pieces *p, int64_t count)
{
    sdca_piece *piece = &p->piece;

    if (count <= p->room) {
        return SDCA_OK;
    }
    free(piece->column);
    free(piece->narrow);
    free(piece->wide);
    p->room       = count;
    piece->column = sdca_alloc_array((size_t)count, sizeof *piece->column);
    piece->narrow =
        p->file->wide ? NULL : sdca_alloc_array((size_t)count, sizeof *piece->narrow);
    piece->wide =
        p->file->wide ? sdca_alloc_array((size_t)count, sizeof *piece->wide) : NULL;
    return piece->column != NULL && (piece->narrow != NULL || piece->wide != NULL)
               ? SDCA_OK
               : no_memory(p);
}

/* Rows of a dense file that make a piece. */
static int64_t dense_step(const sdca_pieces *p)
{
    int64_t width = p->file->columns > 0 ? p->file->columns : 1;
    int64_t rows  = width < SDCA_PIECE_NONZEROS ? SDCA_PIECE_NONZEROS / width : 1;

    return rows < SDCA_PIECE_ROWS ? rows : SDCA_PIECE_ROWS;
}

static sdca_status open_dense(sdca_pieces *p)
{
    sdca_status status = SDCA_OK;
    sdca_dtype  type   = p->file->wide ? SDCA_FLOAT64 : SDCA_FLOAT32;
    int64_t     most   = dense_step(p) * p->file->columns;

    SDCA_TRY(make_room(p, most)); /* and one more, where what is not taken is written */
    p->whole =
        sdca_alloc_array((size_t)most, p->file->wide ? sizeof(double) : sizeof(float));
    if (p->whole == NULL) {
        status = no_memory(p);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X", type, &p->values));

done:
    return status;
}

static sdca_status open_sparse(sdca_pieces *p)
{
    sdca_status status = SDCA_OK;
    sdca_dtype  type   = p->file->wide ? SDCA_FLOAT64 : SDCA_FLOAT32;

    SDCA_TRY(make_room(p, SDCA_PIECE_NONZEROS));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/indptr", SDCA_INT64, &p->offsets));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/indices", SDCA_INT32, &p->columns));
    SDCA_TRY(sdca_hdf5_open_array(p->store, "X/data", type, &p->values));

done:
    return status;
}

sdca_status sdca_pieces_open(sdca_hdf5_file *store, const sdca_outline *file,
                             sdca_range mine, sdca_pieces **out)
{
    sdca_status  status = SDCA_OK;
    sdca_pieces *p      = calloc(1, sizeof *p);

    if (p == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", sdca_hdf5_path(store));
    }
    p->store = store;
    p->file  = file;
    p->mine  = mine;
    SDCA_TRY(file->dense ? open_dense(p) : open_sparse(p));
    *out = p;
    p    = NULL; /* now the caller's */

done:
    sdca_pieces_close(p);
    return status;
}

void sdca_pieces_close(sdca_pieces *p)
{
    if (p != NULL) {
        sdca_hdf5_close_array(p->offsets);
        sdca_hdf5_close_array(p->columns);
        sdca_hdf5_close_array(p->values);
        free(p->whole);
        free(p->piece.column);
        free(p->piece.narrow);
        free(p->piece.wide);
        free(p);
    }
}

/* The offsets of the next rows of a sparse file, unless they are here. */
static sdca_status fill_window(sdca_pieces *p)
{
    int64_t left = p->mine.count - p->next;

    if (p->window.first <= p->next && p->next < p->window.first + p->window.count) {
        return SDCA_OK;
    }
    p->window.first = p->next;
    p->window.count = left < SDCA_PIECE_ROWS ? left : SDCA_PIECE_ROWS;
    return sdca_pieces_offsets(p->store, p->file, p->offsets,
                               (sdca_range){ p->mine.first + p->next, p->window.count },
                               p->offset);
}

/* The next piece of a sparse file has so many rows. */
static void take_rows(sdca_pieces *p, int64_t rows)
{
    p->piece.first = (uint32_t)p->next;
    p->piece.rows  = (uint32_t)rows;
    p->piece.start = p->offset + (p->next - p->window.first);
    p->next += rows;
}

/* So many that they are not too long together, but one at least. */
static int64_t rows_that_fit(const sdca_pieces *p)
{
    const int64_t *start = p->offset + (p->next - p->window.first);
    int64_t        here  = p->window.first + p->window.count - p->next;
    int64_t        rows  = 1;

    while (rows < here && start[rows + 1] - start[0] <= SDCA_PIECE_NONZEROS) {
        rows++;
    }
    return rows;
}

static sdca_status read_sparse(sdca_pieces *p)
{
    sdca_status status = SDCA_OK;
    sdca_piece *piece  = &p->piece;
    sdca_range  range;

    SDCA_TRY(fill_window(p));
    take_rows(p, rows_that_fit(p));
    range.first = piece->start[0];
    range.count = piece->start[piece->rows] - piece->start[0];
    SDCA_TRY(make_room(p, range.count));
    SDCA_TRY(sdca_hdf5_read_array(p->columns, range, piece->column));
    SDCA_TRY(sdca_hdf5_read_array(p->values, range,
                                  p->file->wide ? (void *)piece->wide : piece->narrow));

done:
    return status;
}

/* The non-zeros of width values: their columns, and they themselves. Returns how many
 * there are. */
static int64_t take_narrow(const float *whole, int64_t width, int32_t *column,
                           float *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = whole[j];
        count += whole[j] != 0.0F;
    }
    return count;
}

static int64_t take_wide(const double *whole, int64_t width, int32_t *column,
                         double *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = whole[j];
        count += whole[j] != 0.0;
    }
    return count;
}

/* The next piece of a dense file, without its zeros. */
static sdca_status read_dense(sdca_pieces *p)
{
    int64_t     width = p->file->columns;
    int64_t     left  = p->mine.count - p->next;
    int64_t     rows  = left < dense_step(p) ? left : dense_step(p);
    sdca_piece *piece = &p->piece;
    sdca_status status;

    status = sdca_hdf5_read_array(
        p->values, (sdca_range){ p->mine.first + p->next, rows }, p->whole);
    p->offset[0] = 0;
    for (int64_t k = 0; status == SDCA_OK && k < rows; k++) {
        int64_t at = p->offset[k];

        p->offset[k + 1] =
            at + (p->file->wide ? take_wide((double *)p->whole + k * width, width,
                                            piece->column + at, piece->wide + at)
                                : take_narrow((float *)p->whole + k * width, width,
                                              piece->column + at, piece->narrow + at));
    }
    p->window.first = p->next;
    take_rows(p, rows);
    return status;
}

sdca_status sdca_pieces_read(sdca_pieces *p)
{
    return p->file->dense ? read_dense(p) : read_sparse(p);
}

sdca_status sdca_pieces_measure(sdca_pieces *p)
{
    sdca_status status = SDCA_OK;

    if (p->file->dense) {
        return read_dense(p);
    }
    SDCA_TRY(fill_window(p));
    take_rows(p, p->window.first + p->window.count - p->next);

done:
    return status;
}

void sdca_pieces_begin_again(sdca_pieces *p)
{
    p->next         = 0;
    p->window.count = 0;
}
