/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h - sparse or dense rows in memory: dot products, updates, norms.
 *
 * Sparse rows: column and value of a non-zero are adjacent, so that a row is one stream
 * of memory. Dense rows: all values including zeros, without columns. Values are float32
 * where that is exact, else float64; sums are always in double precision. */
#ifndef SDCA_DATA_ROWS_H
#define SDCA_DATA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Non-zeros of 6 bytes (for at most 2^16 columns), of 8 and of 16 bytes. The 6-byte
 * entry has the two halves of a float32, which would need an alignment of 4. */
typedef struct sdca_entry16 {
    uint16_t column;
    uint16_t value[2];
} sdca_entry16;

typedef struct sdca_entry32 {
    int32_t column;
    float   value;
} sdca_entry32;

typedef struct sdca_entry64 {
    int64_t column;
    double  value;
} sdca_entry64;

/* The record of a row. */
typedef struct sdca_row {
    int64_t start; /* first entry; the row ends where the next one starts */
    double  norm2; /* |x|^2 */
    double  y;     /* label; 0 without labels */
} sdca_row;

/* Row i has the entries row[i].start .. row[i + 1].start - 1, columns ascending from 0;
 * the entries of a dense row are the values of all columns. One of the five arrays is
 * used, the others are NULL. Local row numbers have 32 bits, global ones (sdca_range)
 * 64. */
typedef struct sdca_rows {
    uint32_t      count;
    int32_t       columns;
    sdca_row     *row; /* count + 1 records */
    sdca_entry16 *sparse16;
    sdca_entry32 *sparse32;
    sdca_entry64 *sparse64;
    float        *dense32;
    double       *dense64;
} sdca_rows;

/* Allocate count rows with nonzeros entries in total, in float64 or with the smallest
 * float32 entries that columns allow; only row[0].start is set. Local. The caller frees
 * out with sdca_rows_free(). */
sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros,
                             bool float64, sdca_rows *out);
void        sdca_rows_free(sdca_rows *rows);

/* Allocate the entries of rows whose count, columns and starts are set. Local. */
sdca_status sdca_rows_allocate_entries(sdca_rows *rows, bool float64);

/* Allocate count dense rows; only their starts are set. The rest is as above. Local. */
sdca_status sdca_rows_create_dense(uint32_t count, int32_t columns, bool float64,
                                   sdca_rows *out);

/* Entry k, counted over all rows, in any format. Setting rounds to the format; in dense
 * rows the column is ignored. Local. */
int64_t sdca_rows_column(const sdca_rows *rows, int64_t k);
double  sdca_rows_value(const sdca_rows *rows, int64_t k);
void    sdca_rows_set_entry(sdca_rows *rows, int64_t k, int32_t column, double value);

/* x_i . w. Local. */
double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w);

/* A bound on the rounding error of x_i . w for a row with this many entries, in units of
 * 2^-53 sum_j |x_j w_j|. Local. */
double sdca_rows_dot_error(int64_t entries);

/* w += factor x_i. Local. */
void sdca_rows_axpy(const sdca_rows *rows, uint32_t i, double factor, double *w);

/* |x_i|^2. Local. */
double sdca_rows_norm2(const sdca_rows *rows, uint32_t i);

/* x_i *= factor. Local. */
void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor);

/* A hash of the non-zeros of x_i, the same in all formats. Local. */
uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i);

/* The number of cache lines to prefetch per row: enough for nearly all rows of a sample,
 * up to a limit. Local. */
int sdca_rows_prefetch_lines(const sdca_rows *rows);

/* Set the number of columns, removing entries beyond. Local. */
void sdca_rows_truncate(sdca_rows *rows, int32_t columns);

/* Convert float64 rows to float32; fails only if out of memory. Local. */
sdca_status sdca_rows_to_float32(sdca_rows *rows);

#endif
