/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca.h - the API of libsdca: distributed training of linear models with a certified
 * duality gap.
 *
 * Every function is Local (any rank may call it by itself) or Collective (all ranks of
 * the communicator call it, with equal arguments where the comment does not say
 * otherwise). A collective function returns the same status on every rank. */
#ifndef SDCA_SDCA_H
#define SDCA_SDCA_H

#include "agree.h"
#include "certificate.h"
#include "dataset.h"
#include "history.h"
#include "loss.h"
#include "metrics.h"
#include "model.h"
#include "status.h"
#include "train.h"
#include "version.h"

#endif
