/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h - rows in memory, and the three things done with them.
 *
 * Sparse rows: column and value of a non-zero stand side by side, so that a row
 * is one stream of memory. Dense rows: all values, zeros too, and no columns.
 * Values are float32 where that loses nothing, else float64; sums are always in
 * double precision. */
#ifndef SDCA_DATA_ROWS_H
#define SDCA_DATA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* A non-zero of 6 bytes, where there are at most 2^16 columns, one of 8, and one of 16.
 * Of the first, value has the two halves of a float32, as it would have to lie at a
 * multiple of 4 to be one. */
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

/* What is known of a row besides its entries. */
typedef struct sdca_row {
    int64_t start; /* its first entry; where the next row has its own, it ends */
    double  norm2; /* |x|^2 */
    double  y;     /* its label; 0: there are none */
} sdca_row;

/* Row i holds the entries row[i].start .. row[i + 1].start - 1, columns ascending from
 * 0; of a dense row an entry is a value, that of the first column first. One of the
 * five arrays is in use, the others are NULL. Local row numbers are 32 bits wide;
 * global ones (sdca_range) are 64. */
typedef struct sdca_rows {
    uint32_t      count;
    int32_t       columns;
    sdca_row     *row; /* one more than there are rows */
    sdca_entry16 *sparse16;
    sdca_entry32 *sparse32;
    sdca_entry64 *sparse64;
    float        *dense32;
    double       *dense64;
} sdca_rows;

/* Room for count rows with nonzeros entries in all, wide ones or the smallest others that
 * columns allow, of which nothing is set but row[0].start. Local. What out holds is the
 * caller's, to be freed with sdca_rows_free(). */
sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros,
                             bool float64, sdca_rows *out);
void        sdca_rows_free(sdca_rows *rows);

/* Room for the entries of rows whose number, columns and starts are set. Local. */
sdca_status sdca_rows_allocate_entries(sdca_rows *rows, bool float64);

/* Room for count dense rows, each with a value for every column; where they start is
 * set, and nothing else. The rest is as above. Local. */
sdca_status sdca_rows_create_dense(uint32_t count, int32_t columns, bool float64,
                                   sdca_rows *out);

/* The k-th entry of all, in any width; setting rounds to the width, and of a dense
 * row sets the value of the column that is there. Local. */
int64_t sdca_rows_column(const sdca_rows *rows, int64_t k);
double  sdca_rows_value(const sdca_rows *rows, int64_t k);
void    sdca_rows_set_entry(sdca_rows *rows, int64_t k, int32_t column, double value);

/* x_i . w. Local. */
double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w);

/* x_i . w, as computed, is off by at most this many units of 2^-53 sum_j |x_j w_j| where
 * row i has that many entries. Local. */
double sdca_rows_dot_error(int64_t entries);

/* w += factor x_i. Local. */
void sdca_rows_axpy(const sdca_rows *rows, uint32_t i, double factor, double *w);

/* |x_i|^2. Local. */
double sdca_rows_norm2(const sdca_rows *rows, uint32_t i);

/* x_i *= factor. Local. */
void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor);

/* A number for the non-zeros of x_i, the same in any width, sparse or dense.
 * Local. */
uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i);

/* So many lines of the cache are enough for nearly all rows, as a sample of them tells,
 * or as many as are worth asking for ahead. Local. */
int sdca_rows_prefetch_lines(const sdca_rows *rows);

/* Have so many columns from now on, without any entries beyond. Local. */
void sdca_rows_truncate(sdca_rows *rows, int32_t columns);

/* Store the values of wide rows in float32; fails only for want of memory. Local. */
sdca_status sdca_rows_to_float32(sdca_rows *rows);

#endif
