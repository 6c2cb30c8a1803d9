/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.c - the losses: seven entries of one table, under one contract. */
#include "objective/loss.h"

#include "objective/loss_inline.h"

#include <string.h>

/* -phi' lies where the conjugate is finite, so the end of that interval is the
 * steepest that the loss gets. */
#define LOSS_ENTRY(id, display_name, for_classification, parameter_name, c, e, low, \
                   high)                                                            \
    [SDCA_LOSS_##id] = { .kind            = SDCA_LOSS_##id,                         \
                         .name            = display_name,                           \
                         .classification  = for_classification,                     \
                         .parameter       = parameter_name,                         \
                         .lipschitz       = high,                                   \
                         .smoothness      = id##_smoothness,                        \
                         .insensitivity   = id##_insensitivity,                     \
                         .primal          = id##_primal,                            \
                         .conjugate       = id##_conjugate,                         \
                         .feasible        = id##_feasible,                          \
                         .maximizer       = id##_maximizer,                         \
                         .dual_derivative = id##_dual_derivative,                   \
                         .dual_curvature  = id##_dual_curvature },

const sdca_loss sdca_losses[SDCA_LOSS_COUNT] = { SDCA_LOSS_LIST(LOSS_ENTRY) };

const sdca_loss *sdca_loss_find(const char *name)
{
    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        if (strcmp(sdca_losses[k].name, name) == 0) {
            return &sdca_losses[k];
        }
    }
    return NULL;
}
