/* SPDX-License-Identifier: BSD-3-Clause
 *
 * temp_dir.h - file names in a directory of their own, shared by all ranks. */
#ifndef SDCA_SUPPORT_TEMP_DIR_H
#define SDCA_SUPPORT_TEMP_DIR_H

/* Make the directory, remove it with all that is in it. Collective. */
void temp_directory_create(void);
void temp_directory_remove(void);

/* The path of a file in it; valid until the fourth next call. Local. */
const char *temp_directory_path(const char *name);

#endif
