/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.c - the losses that a model can be trained with. */
#include "sdca/loss.h"

#include <stddef.h>

#include "objective/loss.h"

int sdca_loss_count(void)
{
    return SDCA_LOSS_COUNT;
}

sdca_loss_info sdca_loss_describe(int k)
{
    sdca_loss_info info = { .name = NULL };

    if (k >= 0 && k < SDCA_LOSS_COUNT) {
        const sdca_loss *loss = &sdca_losses[k];

        info = (sdca_loss_info){ .name              = loss->name,
                                 .classification    = loss->classification,
                                 .parameter         = loss->parameter,
                                 .parameter_default = loss->parameter_option.initial };
    }
    return info;
}
