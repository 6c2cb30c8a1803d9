/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_row_kernels.h - loops over one row for several weight vectors at once.
 *
 * The weight vectors of several models lie side by side in lanes: element j of model m is
 * w[j * lanes + m]. One walk over the row then serves all of them, and reads whole cache
 * lines of w. Sums are made in the order of rows_inline.h, lane by lane, so that every
 * lane has the bits that its model has alone, with vectors of any width. */
#ifndef SDCA_DATA_LANE_ROW_KERNELS_H
#define SDCA_DATA_LANE_ROW_KERNELS_H

#include <stdint.h>

#include "data/rows.h"

enum { SDCA_MAX_LANES = 8 };

/* The loops for rows of one format and a number of lanes. A row is width entries from
 * first on. Local. */
typedef struct sdca_lane_kernels {
    /* z[m] = w_m.x for all lanes; w_m += factor[m] x for all lanes. */
    void (*dot)(const sdca_rows *x, int64_t first, int64_t width, const double *w,
                double *z);
    void (*axpy)(const sdca_rows *x, int64_t first, int64_t width, const double *factor,
                 double *w);
} sdca_lane_kernels;

/* The loops for these rows and 4 or 8 lanes, with the widest vectors of this processor.
 * Local; the result is static. */
const sdca_lane_kernels *sdca_lane_kernels_find(const sdca_rows *x, int lanes);

#endif
