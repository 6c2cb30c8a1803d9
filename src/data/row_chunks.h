/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_chunks.h - the rows of a file, sparse or dense, some thousand at a time.
 *
 * A piece is small enough to be in the cache while its rows are looked at. */
#ifndef SDCA_DATA_ROW_CHUNKS_H
#define SDCA_DATA_ROW_CHUNKS_H

#include "data/file_schema.h"

/* Rows that a piece has at most, and non-zeros, unless a single row has more. */
enum { SDCA_CHUNK_ROWS = 1 << 14, SDCA_CHUNK_NONZEROS = 1 << 16 };

/* Row first + k of my range has the columns and values start[k] .. start[k + 1] - 1,
 * counted from start[0]. One of narrow and wide is NULL. */
typedef struct sdca_row_chunk {
    uint32_t       first;
    uint32_t       rows;
    const int64_t *start;
    int32_t       *column;
    float         *value32;
    double        *value64;
} sdca_row_chunk;

typedef struct sdca_row_chunks {
    sdca_hdf5_file         *store; /* borrowed, as the outline is */
    const sdca_file_schema *schema;
    sdca_range              range;
    sdca_hdf5_array        *offsets; /* these two of a sparse file only */
    sdca_hdf5_array        *columns;
    sdca_hdf5_array        *values;
    sdca_range              window; /* rows of mine whose offsets are here: */
    int64_t                 offset[SDCA_CHUNK_ROWS + 1];
    void                   *dense_values; /* values of a dense file, zeros too */
    int64_t                 capacity;     /* for non-zeros of a piece */
    int64_t                 next;  /* the row of mine that the next piece begins with */
    sdca_row_chunk          chunk; /* the last one; its arrays are changed by the next */
} sdca_row_chunks;

/* Open the rows of a range. Local. On success *out is the caller's, to be freed with
 * sdca_row_chunks_close(); NULL is fine. */
sdca_status sdca_row_chunks_open(sdca_hdf5_file *store, const sdca_file_schema *schema,
                                 sdca_range range, sdca_row_chunks **out);
void        sdca_row_chunks_close(sdca_row_chunks *chunks);

/* Read the next piece, or just where its rows start; there is one as long as next is
 * below mine.count. begin_again makes the first row of the range the next. Local. */
sdca_status sdca_row_chunks_read(sdca_row_chunks *chunks);
sdca_status sdca_row_chunks_read_starts(sdca_row_chunks *chunks);
void        sdca_row_chunks_rewind(sdca_row_chunks *chunks);

/* Row offsets of a range of a sparse file's rows: one more than there are rows. They are
 * checked to ascend from 0 to the number of non-zeros. Local. */
sdca_status sdca_row_chunks_read_offsets(sdca_hdf5_file         *store,
                                         const sdca_file_schema *schema,
                                         sdca_hdf5_array *array, sdca_range range,
                                         int64_t *offset);

#endif
