/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss.h - the losses that a model can be trained with. */
#ifndef SDCA_LOSS_H
#define SDCA_LOSS_H

#include <stdbool.h>

#include "version.h"

typedef struct sdca_loss_info {
    const char *name;           /* as in sdca_train_options.loss */
    bool        classification; /* labels are two classes; false: regression */
    const char *parameter;      /* the name of the loss's parameter; NULL: it has none */
    double      parameter_default;
} sdca_loss_info;

#ifdef __cplusplus
extern "C" {
#endif

/* The number of losses. Local. */
SDCA_API int sdca_loss_count(void);

/* Describe a loss, k = 0 ... sdca_loss_count() - 1. Local; the texts are static. */
SDCA_API sdca_loss_info sdca_loss_describe(int k);

#ifdef __cplusplus
}
#endif

#endif
