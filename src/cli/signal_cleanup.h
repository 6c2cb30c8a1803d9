/* SPDX-License-Identifier: BSD-3-Clause
 *
 * signal_cleanup.h - a command that a signal ends leaves no unfinished output behind.
 *
 * For commands that have nothing to save; train has, see restart.h. */
#ifndef SDCA_CLI_SIGNAL_CLEANUP_H
#define SDCA_CLI_SIGNAL_CLEANUP_H

/* From now on SIGINT, SIGTERM and SIGHUP remove what there is of the output path under
 * its temporary name, and then end this process as they would have done; where one is
 * ignored it stays so. A process forked later removes nothing. A command has at most two
 * outputs. Called by the one rank that writes. Local. */
void signal_cleanup_add(const char *path);

#endif
