/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_weights.h - the sample weights of convert --weights: text with one per line. */
#ifndef SDCA_CLI_CONVERT_CONVERT_WEIGHTS_H
#define SDCA_CLI_CONVERT_CONVERT_WEIGHTS_H

#include "base/status.h"

/* Text that is being read. Opaque. */
typedef struct convert_weights convert_weights;

/* Open a text, which may be compressed; - is standard input. Local. On success the
 * caller closes *out with convert_weights_close(); NULL is fine. */
sdca_status convert_weights_open(const char *path, convert_weights **out);
void        convert_weights_close(convert_weights *weights);

/* The weight of the next row. Fails with SDCA_DATA if there is none, or if it is not a
 * finite number of 0 or more. Local. */
sdca_status convert_weights_read(convert_weights *weights, double *out);

/* Fails if weights are left after the last row. Local. */
sdca_status convert_weights_finish(convert_weights *weights);

#endif
