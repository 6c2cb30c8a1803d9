/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_class_advice.h - what to try if the models of several classes are no better
 * together than the majority vote. */
#ifndef SDCA_CLI_TRAIN_TRAIN_CLASS_ADVICE_H
#define SDCA_CLI_TRAIN_TRAIN_CLASS_ADVICE_H

#include "cli/train/train_job.h"

/* A sentence, or "", which it also is for very many weights. Only the model of the first
 * rank, which is complete, is used. Collective. */
sdca_status train_class_advice_find(const train_job *j, const sdca_model *model,
                                    char text[OPTION_ADVICE_TEXT_SIZE]);

#endif
