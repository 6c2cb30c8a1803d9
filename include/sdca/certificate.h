/* SPDX-License-Identifier: BSD-3-Clause
 *
 * certificate.h - a proof of how far a model is from the optimum. */
#ifndef SDCA_CERTIFICATE_H
#define SDCA_CERTIFICATE_H

#include <stdint.h>

#include "version.h"

/* P(w), D(alpha) and the duality gap P - D, computed over all rows in double precision.
 * The gap bounds P(w) - min P from above. */
typedef struct sdca_certificate {
    double primal;
    double dual;
    double gap;
    double rounding; /* part of gap: a bound on all rounding errors; 0: not computed */
    double distance; /* a bound on |w - w*| */

    /* An intercept without penalty is no part of w: that of every optimum lies between
     * these. */
    int64_t bounds_intercept; /* 1: they are known */
    double  intercept_low;
    double  intercept_high;
} sdca_certificate;

#ifdef __cplusplus
extern "C" {
#endif

/* The relative gap, (P - D) / P; 0 where both are 0. Local. */
SDCA_API double sdca_certificate_relative_gap(const sdca_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
