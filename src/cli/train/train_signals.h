/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_signals.h - signals of train: requests to stop, and the lock of the checkpoint.
 */
#ifndef SDCA_CLI_TRAIN_TRAIN_SIGNALS_H
#define SDCA_CLI_TRAIN_TRAIN_SIGNALS_H

#include <stdbool.h>

#include "io/checkpoint_lock.h"

/* Handle SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and SIGINT. Until train_signals_mark_running()
 * each of them ends this process: with the status of an interrupted run if it has
 * checkpoints, else by the signal. After that they request it to stop; a second SIGINT
 * ends it. Local. */
void train_signals_install(bool checkpoints);
void train_signals_mark_running(void);
bool train_signals_is_stop_requested(void *context);

/* A lock to release if a signal ends this process, or NULL. Local. */
void train_signals_hold(sdca_checkpoint_lock *lock);

#endif
