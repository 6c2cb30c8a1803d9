/* SPDX-License-Identifier: BSD-3-Clause
 *
 * temp_dir.h - a temporary directory for one test, shared by all ranks.
 *
 * Without MPI_Init() the process counts as the only rank. */
#ifndef SDCA_SUPPORT_TEMP_DIR_H
#define SDCA_SUPPORT_TEMP_DIR_H

#include <stdbool.h>

/* Create the directory; remove it with all files in it. Collective. */
void temp_directory_create(void);
void temp_directory_remove(void);

/* The number of files in the directory. Local. */
int temp_directory_file_count(void);

/* The path of a file in it; valid until the fourth next call. Local. */
const char *temp_directory_path(const char *name);

/* The path of the directory. Local. */
const char *temp_directory_name(void);

/* Whether a file with this path exists. Local. */
bool file_exists(const char *path);

#endif
