/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca.h - all of libsdca.
 *
 * A program makes or reads a data set (dataset.h, reader.h), states a problem
 * (problem.h), trains a state (state.h, train.h) and keeps a model (model.h).
 * MPI must be on. Calls that can fail return an sdca_status; the sentence that
 * goes with it is sdca_status_message(). */
#ifndef SDCA_SDCA_H
#define SDCA_SDCA_H

#include "sdca/comm.h"
#include "sdca/dataset.h"
#include "sdca/gap.h"
#include "sdca/loss.h"
#include "sdca/metric.h"
#include "sdca/model.h"
#include "sdca/plan.h"
#include "sdca/problem.h"
#include "sdca/reader.h"
#include "sdca/rows.h"
#include "sdca/state.h"
#include "sdca/status.h"
#include "sdca/train.h"
#include "sdca/warm.h"
#include "sdca/writer.h"

#endif
