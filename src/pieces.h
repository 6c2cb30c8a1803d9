/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces.h - the rows of a file, sparse or dense, some thousand at a time.
 *
 * A piece is small enough to be in the cache while its rows are looked at. */
#ifndef SDCA_PIECES_H
#define SDCA_PIECES_H

#include "outline.h"

/* Rows that a piece has at most, and non-zeros, unless a single row has more. */
enum { SDCA_PIECE_ROWS = 1 << 14, SDCA_PIECE_NONZEROS = 1 << 16 };

/* Row first + k of my range has the columns and values start[k] .. start[k + 1] - 1,
 * counted from start[0]. One of narrow and wide is NULL. */
typedef struct sdca_piece {
    uint32_t       first;
    uint32_t       rows;
    const int64_t *start;
    int32_t       *column;
    float         *narrow;
    double        *wide;
} sdca_piece;

typedef struct sdca_pieces {
    sdca_hdf5_file     *store; /* borrowed, as the outline is */
    const sdca_outline *file;
    sdca_range          mine;
    sdca_hdf5_array    *offsets; /* these two of a sparse file only */
    sdca_hdf5_array    *columns;
    sdca_hdf5_array    *values;
    sdca_range          window; /* rows of mine whose offsets are here: */
    int64_t             offset[SDCA_PIECE_ROWS + 1];
    void               *whole; /* values of a dense file, zeros too */
    int64_t             room;  /* for non-zeros of a piece */
    int64_t             next;  /* the row of mine that the next piece begins with */
    sdca_piece          piece; /* the last one; its arrays are changed by the next */
} sdca_pieces;

/* Open the rows of a range. Local. On success *out is the caller's, to be freed with
 * sdca_pieces_close(); NULL is fine. */
sdca_status sdca_pieces_open(sdca_hdf5_file *store, const sdca_outline *file,
                             sdca_range mine, sdca_pieces **out);
void        sdca_pieces_close(sdca_pieces *pieces);

/* Read the next piece, or just where its rows start; there is one as long as next is
 * below mine.count. begin_again makes the first row of the range the next. Local. */
sdca_status sdca_pieces_read(sdca_pieces *pieces);
sdca_status sdca_pieces_measure(sdca_pieces *pieces);
void        sdca_pieces_begin_again(sdca_pieces *pieces);

/* Row offsets of a range of a sparse file's rows: one more than there are rows. They are
 * checked to ascend from 0 to the number of non-zeros. Local. */
sdca_status sdca_pieces_offsets(sdca_hdf5_file *store, const sdca_outline *file,
                                sdca_hdf5_array *array, sdca_range range,
                                int64_t *offset);

#endif
