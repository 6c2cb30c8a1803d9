/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages_private.h - what the sources of train_messages share. */
#ifndef SDCA_CLI_UI_TRAIN_MESSAGES_PRIVATE_H
#define SDCA_CLI_UI_TRAIN_MESSAGES_PRIVATE_H

#include "cli/ui/train_messages.h"

/* Epochs and rounds, for several classes those of all together. */
typedef struct run_totals {
    double epochs;
    double rounds;
} run_totals;

/* The totals of a model of several classes. Local. */
run_totals train_messages_class_totals(const sdca_model *model);

#endif
