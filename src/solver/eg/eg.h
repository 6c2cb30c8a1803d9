/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eg.h - online exponentiated gradient on the dual (Collins, Globerson, Koo, Carreras &
 * Bartlett, JMLR 2008), for losses with dual variables b = y alpha in [0, 1].
 *
 * A row's b is the sigmoid of theta. A step on a row is a gradient step in b that
 * multiplies the odds of b:
 *
 *     theta <- theta + eta d(n D)/db,    d(n D)/db = y (d(-phi*(-alpha))/dalpha - w.x).
 *
 * The row's own eta is halved until the dual does not fall and grows by 5 % after each
 * step. w is w(alpha) throughout. */
#ifndef SDCA_SOLVER_EG_EG_H
#define SDCA_SOLVER_EG_EG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "solver/sdca/row_order.h"

typedef struct sdca_eg {
    sdca_row_order order;
    double        *theta; /* one per row */
    double        *eta;   /* one per row */
} sdca_eg;

/* EG on the rows of this process, from the iterate's alpha moved into the interior of
 * [0, 1], rows of zeros excepted; alpha and w of the iterate are set accordingly. Fails
 * with SDCA_USAGE if the dual variables of the loss are not confined to [0, 1]. Local.
 * The caller frees out with sdca_eg_free(). */
sdca_status sdca_eg_create(const sdca_objective *objective, const sdca_dataset *data,
                           uint64_t seed, sdca_iterate *iterate, sdca_eg *out);
void        sdca_eg_free(sdca_eg *eg);

/* Make that many steps on rows drawn at random with replacement, each of them at a cost
 * of O(non-zeros of its row). Local. */
void sdca_eg_run(const sdca_objective *objective, const sdca_dataset *data, sdca_eg *eg,
                 int64_t steps, sdca_iterate *iterate);

/* Are all theta and eta numbers that steps can lead to? Local. */
bool sdca_eg_is_valid(const sdca_eg *eg);

#endif
