/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.c - the table of losses. */
#include "objective/loss.h"

#include "objective/loss_inline.h"

#include <string.h>

#define LOSS_ENTRY(with, id, family, display_name, coefficients, ...) \
    [SDCA_LOSS_##id] = { .kind            = SDCA_LOSS_##id,           \
                         .name            = display_name,             \
                         .smoothness      = id##_smoothness,          \
                         .lipschitz       = id##_lipschitz,           \
                         .insensitivity   = id##_insensitivity,       \
                         .has_kinks       = id##_has_kinks,           \
                         .primal          = id##_primal,              \
                         .conjugate       = id##_conjugate,           \
                         .feasible        = id##_feasible,            \
                         .maximizer       = id##_maximizer,           \
                         .dual_derivative = id##_dual_derivative,     \
                         .dual_curvature  = id##_dual_curvature,      \
                         __VA_ARGS__ },

const sdca_loss sdca_losses[SDCA_LOSS_COUNT] = { SDCA_LOSS_LIST(LOSS_ENTRY, ) };

const sdca_loss *sdca_loss_find(const char *name)
{
    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        if (strcmp(sdca_losses[k].name, name) == 0) {
            return &sdca_losses[k];
        }
    }
    return NULL;
}

#define LOSS_CHOICE(with, id, family, display_name, ...) "|" display_name

const char *sdca_loss_choices(void)
{
    static const char choices[] = SDCA_LOSS_LIST(LOSS_CHOICE, );

    return choices + 1;
}
