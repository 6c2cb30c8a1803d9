/* SPDX-License-Identifier: BSD-3-Clause
 *
 * signal_cleanup.h - remove unfinished output files when a signal ends the command.
 *
 * For commands that have nothing to save; train uses train_signals.h. */
#ifndef SDCA_CLI_SIGNAL_CLEANUP_H
#define SDCA_CLI_SIGNAL_CLEANUP_H

/* From now on SIGINT, SIGTERM and SIGHUP remove the temporary file of the output path
 * before they end this process; ignored signals stay ignored. A process forked later
 * removes nothing. A command has at most two outputs. Called by the rank that writes.
 * Local. */
void signal_cleanup_add(const char *path);

#endif
