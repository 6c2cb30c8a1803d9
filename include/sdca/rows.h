/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h - rows in memory, and the three things done with them.
 *
 * Sparse rows: column and value of a non-zero stand side by side, so that a row
 * is one stream of memory. Dense rows: all values, zeros too, and no columns.
 * Values are float32 where that loses nothing, else float64; sums are always in
 * double precision. */
#ifndef SDCA_ROWS_H
#define SDCA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sdca/status.h"

/* A non-zero of 6 bytes, where there are at most 2^16 columns, one of 8, and one of 16.
 * Of the first, value has the two halves of a float32, as it would have to lie at a
 * multiple of 4 to be one. */
typedef struct sdca_slim_entry {
    uint16_t column;
    uint16_t value[2];
} sdca_slim_entry;

typedef struct sdca_entry {
    int32_t column;
    float   value;
} sdca_entry;

typedef struct sdca_wide_entry {
    int64_t column;
    double  value;
} sdca_wide_entry;

/* What is known of a row, in half a line of the cache, for a step needs all of it. */
typedef struct sdca_row {
    int64_t start; /* its first entry; where the next row has its own, it ends */
    double  norm2; /* |x|^2 */
    double  y;     /* its label; 0: there are none */
    double  alpha; /* the trainer's: while rounds go on, the dual variable lives here */
} sdca_row;

/* Row i holds the entries row[i].start .. row[i + 1].start - 1, columns ascending from
 * 0; of a dense row an entry is a value, that of the first column first. One of the
 * five arrays is in use, the others are NULL. Local row numbers are 32 bits wide;
 * global ones (sdca_range) are 64. */
typedef struct sdca_rows {
    uint32_t         count;
    int32_t          columns;
    sdca_row        *row; /* one more than there are rows */
    sdca_slim_entry *slim;
    sdca_entry      *entry;
    sdca_wide_entry *wide;
    float           *dense;
    double          *dense_wide;
} sdca_rows;

/* Room for count rows with nonzeros entries in all, wide ones or the smallest others that
 * columns allow, of which nothing is set but row[0].start. Local. What out holds is the
 * caller's, to be freed with sdca_rows_free(). */
sdca_status sdca_rows_create(uint32_t count, int32_t columns, int64_t nonzeros, bool wide,
                             sdca_rows *out);
void        sdca_rows_free(sdca_rows *rows);

/* Room for the entries of rows whose number, columns and starts are set. Local. */
sdca_status sdca_rows_reserve(sdca_rows *rows, bool wide);

/* Room for count dense rows, each with a value for every column; where they start is
 * set, and nothing else. The rest is as above. Local. */
sdca_status sdca_rows_create_dense(uint32_t count, int32_t columns, bool wide,
                                   sdca_rows *out);

/* The k-th entry of all, in any width; setting rounds to the width, and of a dense
 * row sets the value of the column that is there. Local. */
int64_t sdca_rows_column(const sdca_rows *rows, int64_t k);
double  sdca_rows_value(const sdca_rows *rows, int64_t k);
void    sdca_rows_set(sdca_rows *rows, int64_t k, int32_t column, double value);

/* x_i . w. Local. */
double sdca_rows_dot(const sdca_rows *rows, uint32_t i, const double *w);

/* x_i . w, as computed, is off by at most this many units of 2^-53 sum_j |x_j w_j| where
 * row i has that many entries. Local. */
double sdca_rows_dot_error(int64_t entries);

/* w += factor x_i. Local. */
void sdca_rows_add(const sdca_rows *rows, uint32_t i, double factor, double *w);

/* |x_i|^2. Local. */
double sdca_rows_norm2(const sdca_rows *rows, uint32_t i);

/* x_i *= factor. Local. */
void sdca_rows_scale(sdca_rows *rows, uint32_t i, double factor);

/* A number for the non-zeros of x_i, the same in any width, sparse or dense.
 * Local. */
uint64_t sdca_rows_hash(const sdca_rows *rows, uint32_t i);

/* So many lines of the cache are enough for nearly all rows, as a sample of them tells,
 * or as many as are worth asking for ahead. Local. */
int sdca_rows_lines(const sdca_rows *rows);

/* Have so many columns from now on, without any entries beyond. Local. */
void sdca_rows_limit(sdca_rows *rows, int32_t columns);

/* Store the values of wide rows in float32; fails only for want of memory. Local. */
sdca_status sdca_rows_narrow(sdca_rows *rows);

#endif
