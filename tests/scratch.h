/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scratch.h - file names in a directory of their own, shared by all ranks. */
#ifndef SCRATCH_H
#define SCRATCH_H

/* Make the directory, remove it with all that is in it. Collective. */
void scratch_begin(void);
void scratch_end(void);

/* The path of a file in it; valid until the fourth next call. Local. */
const char *scratch_path(const char *name);

#endif
