/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compensated_sum.h - a sum whose rounding error does not grow with the number of terms
 * (Neumaier's variant of Kahan's summation). */
#ifndef SDCA_BASE_COMPENSATED_SUM_H
#define SDCA_BASE_COMPENSATED_SUM_H

#include <math.h>

typedef struct compensated_sum {
    double total;
    double compensation;
} compensated_sum;

/* Add a term. Local. */
static inline void compensated_add(compensated_sum *s, double x)
{
    double total = s->total + x;

    s->compensation +=
        fabs(s->total) >= fabs(x) ? (s->total - total) + x : (x - total) + s->total;
    s->total = total;
}

/* The sum so far; infinite if it has overflowed. Local. */
static inline double compensated_value(const compensated_sum *s)
{
    return isinf(s->total) ? s->total : s->total + s->compensation;
}

#endif
