/* SPDX-License-Identifier: BSD-3-Clause
 *
 * synthetic.h - synthetic data sets of the shapes that the paper uses.
 *
 * A row is a function of (shape, scale, seed, row number) alone, in integer and
 * IEEE arithmetic without the mathematics library: every machine makes the
 * same bits, and any part of a set can be made by itself. Test rows continue
 * the numbering of the training rows, so both have one distribution. */
#ifndef SDCA_SYNTHETIC_SYNTHETIC_H
#define SDCA_SYNTHETIC_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/range.h"
#include "base/status.h"
#include "data/dataset_writer.h"

enum {
    SDCA_SYNTHETIC_SHAPES       = 4,
    SDCA_SYNTHETIC_MAX_NONZEROS = 1024 /* no row has more non-zeros */
};

/* What the shapes are called. */
extern const char *const sdca_synthetic_names[SDCA_SYNTHETIC_SHAPES];

/* The tables from which rows are drawn. Opaque. */
typedef struct sdca_synthetic sdca_synthetic;

typedef struct sdca_synthetic_info {
    const char *shape;
    bool        classifies; /* labels are -1 and +1 */
    int64_t     rows;       /* for training: 0 .. rows - 1 */
    int64_t     test_rows;  /* the numbers after those */
    int32_t     columns;
} sdca_synthetic_info;

/* What was drawn so far. */
typedef struct sdca_synthetic_stats {
    int64_t rows;
    int64_t nonzeros;
    int64_t positive;             /* rows with a label above 0 */
    double  min_label, max_label; /* least and greatest label */
} sdca_synthetic_stats;

/* Prepare a shape at a scale: the number of rows is the paper's times scale, at
 * least 16; the columns are the paper's at any scale. A small text set has fewer
 * columns in use, since rare words do not turn up in it, and can be learned, as
 * a subject's few frequent words say most about it. Fails with SDCA_USAGE on an
 * unknown name and on a scale that is not above 0 or makes too many rows. Local.
 * On success *out is the caller's, to be freed with sdca_synthetic_free(). */
sdca_status sdca_synthetic_create(const char *shape, double scale, uint64_t seed,
                                  sdca_synthetic **out);
void        sdca_synthetic_free(sdca_synthetic *synthetic);

/* How large the set is. Local. */
sdca_synthetic_info sdca_synthetic_get_info(const sdca_synthetic *synthetic);

/* Draw one row, of |x| = 1: its label, and as many columns, ascending, and
 * values as the result says; both have room for SDCA_SYNTHETIC_MAX_NONZEROS. Local. */
int sdca_synthetic_draw_row(const sdca_synthetic *synthetic, int64_t row, double *label,
                            int32_t *column, double *value);

/* Draw the rows of a range into a data file and add them to the tally, which
 * is all zero at first. Local. */
sdca_status sdca_synthetic_write_rows(const sdca_synthetic *synthetic, sdca_range range,
                                      sdca_dataset_writer  *writer,
                                      sdca_synthetic_stats *stats);

#endif
