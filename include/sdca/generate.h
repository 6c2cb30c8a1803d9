/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate.h - synthetic data sets of the shapes that the paper uses.
 *
 * A row is a function of (shape, scale, seed, row number) alone, in integer and
 * IEEE arithmetic without the mathematics library: every machine makes the
 * same bits, and any part of a set can be made by itself. Test rows continue
 * the numbering of the training rows, so both have one distribution. */
#ifndef SDCA_GENERATE_H
#define SDCA_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sdca/partition.h"
#include "sdca/status.h"
#include "sdca/writer.h"

enum {
    SDCA_GENERATE_SHAPES  = 4,
    SDCA_GENERATE_LONGEST = 1024 /* no row has more non-zeros */
};

/* What the shapes are called. */
extern const char *const sdca_generate_names[SDCA_GENERATE_SHAPES];

/* The tables from which rows are drawn. Opaque. */
typedef struct sdca_generator sdca_generator;

typedef struct sdca_generate_facts {
    const char *shape;
    bool        classifies; /* labels are -1 and +1 */
    int64_t     rows;       /* for training: 0 .. rows - 1 */
    int64_t     test_rows;  /* the numbers after those */
    int32_t     columns;
} sdca_generate_facts;

/* What was drawn so far. */
typedef struct sdca_generate_tally {
    int64_t rows;
    int64_t nonzeros;
    int64_t positive;  /* rows with a label above 0 */
    double  low, high; /* least and greatest label */
} sdca_generate_tally;

/* Prepare a shape at a scale: the number of rows is the paper's times scale, at
 * least 16; the columns are the paper's at any scale. A small text set has fewer
 * columns in use, since rare words do not turn up in it, and can be learned, as
 * a subject's few frequent words say most about it. Fails with SDCA_USAGE on an
 * unknown name and on a scale that is not above 0 or makes too many rows. Local.
 * On success *out is the caller's, to be freed with sdca_generate_free(). */
sdca_status sdca_generate_create(const char *shape, double scale, uint64_t seed,
                                 sdca_generator **out);
void        sdca_generate_free(sdca_generator *generator);

/* How large the set is. Local. */
sdca_generate_facts sdca_generate_describe(const sdca_generator *generator);

/* Draw one row, of |x| = 1: its label, and as many columns, ascending, and
 * values as the result says; both have room for SDCA_GENERATE_LONGEST. Local. */
int sdca_generate_row(const sdca_generator *generator, int64_t row, double *label,
                      int32_t *column, double *value);

/* Draw the rows of a range into a data file and add them to the tally, which
 * is all zero at first. Local. */
sdca_status sdca_generate_rows(const sdca_generator *generator, sdca_range range,
                               sdca_writer *writer, sdca_generate_tally *tally);

#endif
