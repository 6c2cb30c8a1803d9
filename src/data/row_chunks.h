/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_chunks.h - the rows of a matrix, sparse or dense, a few thousand at a time.
 *
 * The matrix is in a file or in memory. A chunk is small enough to stay in the cache
 * while its rows are processed. */
#ifndef SDCA_DATA_ROW_CHUNKS_H
#define SDCA_DATA_ROW_CHUNKS_H

#include "io/hdf5_file.h"

/* Upper limits on the rows of a chunk, and on its non-zeros unless a single row has
 * more. */
enum { SDCA_CHUNK_ROWS = 1 << 14, SDCA_CHUNK_NONZEROS = 1 << 16 };

/* What is known about a matrix before any row is read. */
typedef struct sdca_matrix_format {
    bool    dense;
    bool    float64; /* values are float64, or integers that may need it */
    int64_t rows;
    int64_t columns;
    int64_t nonzeros; /* of sparse matrices only */
} sdca_matrix_format;

/* A matrix in memory: CSR if indptr is not NULL, otherwise dense, row by row. One of the
 * values is NULL, or both if there are none. */
typedef struct sdca_matrix_arrays {
    const int64_t *indptr;
    const int32_t *indices;
    const float   *value32;
    const double  *value64;
} sdca_matrix_arrays;

/* Row first + k of the range has the columns and values start[k] .. start[k + 1] - 1,
 * counted from start[0]. One of value32 and value64 is NULL. */
typedef struct sdca_row_chunk {
    uint32_t       first;
    uint32_t       rows;
    const int64_t *start;
    int32_t       *column;
    float         *value32;
    double        *value64;
} sdca_row_chunk;

typedef struct sdca_row_chunks {
    const char        *name; /* of the matrix in messages; borrowed */
    sdca_matrix_format format;
    sdca_range         range;
    sdca_matrix_arrays memory;  /* of a matrix in memory, borrowed */
    sdca_hdf5_array   *offsets; /* of a sparse matrix in a file, as columns */
    sdca_hdf5_array   *columns;
    sdca_hdf5_array   *values; /* of a matrix in a file */
    sdca_range         window; /* rows of the range whose offsets are in offset[] */
    int64_t            offset[SDCA_CHUNK_ROWS + 1];
    void              *dense_values; /* values of a dense chunk, with zeros */
    int64_t            capacity;     /* for non-zeros of a chunk */
    int64_t            next;         /* the row of the range that begins the next chunk */
    sdca_row_chunk     chunk; /* the last one; the next one overwrites its arrays */
} sdca_row_chunks;

/* Open the rows of a range of the matrix x of a file, such as X. Local. On success the
 * caller closes *out with sdca_row_chunks_close() before the file is; NULL is fine. */
sdca_status sdca_row_chunks_open(sdca_hdf5_file *h5, const char *x,
                                 sdca_matrix_format format, sdca_range range,
                                 sdca_row_chunks **out);

/* The same for all rows of a matrix in memory, which is called name in messages. Values
 * are converted to float64 if format says so. Local. */
sdca_status sdca_row_chunks_open_memory(const char *name, sdca_matrix_format format,
                                        sdca_matrix_arrays arrays, sdca_row_chunks **out);
void        sdca_row_chunks_close(sdca_row_chunks *chunks);

/* Read the next chunk, or only the starts of its rows. There is one as long as next is
 * less than range.count. Rewinding makes the first row of the range the next. Local. */
sdca_status sdca_row_chunks_read(sdca_row_chunks *chunks);
sdca_status sdca_row_chunks_read_starts(sdca_row_chunks *chunks);
void        sdca_row_chunks_rewind(sdca_row_chunks *chunks);

/* Check that the offsets of count rows from first_row on, which are count + 1 numbers,
 * ascend from 0 to the number of non-zeros. Local. */
sdca_status sdca_row_chunks_check_offsets(const char *name, sdca_matrix_format format,
                                          int64_t first_row, int64_t count,
                                          const int64_t *offset);

#endif
