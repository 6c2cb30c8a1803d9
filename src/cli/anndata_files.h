/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_files.h - what commands need of AnnData files besides their rows. */
#ifndef SDCA_CLI_ANNDATA_FILES_H
#define SDCA_CLI_ANNDATA_FILES_H

#include <stdbool.h>

#include "base/status.h"
#include "base/string_list.h"
#include "cli/ui/live_progress.h"
#include "data/anndata_settings.h"
#include "data/dataset.h"

/* What a model knows of the columns of its data, and of AnnData files. */
typedef struct anndata_files_model {
    sdca_string_list      names; /* of the columns, or none */
    sdca_anndata_settings settings;
} anndata_files_model;

/* Read it. *out is all zero before. What it holds is freed with
 * anndata_files_model_free(), also after a failure. Local. */
sdca_status anndata_files_read_model(const char *path, anndata_files_model *out);
void        anndata_files_model_free(anndata_files_model *model);

/* Complete the options of a reader: the parts of an AnnData file that they do not name
 * are those that the model was trained on, and columns are found by name. model is kept.
 * Local. */
void anndata_files_choose(const anndata_files_model *model,
                          sdca_dataset_options      *options);

/* The labels of an AnnData file are in the column that the model was trained on, unless
 * the options name one or the file has no such column. model is kept. Local. */
sdca_status anndata_files_find_label(const char *path, const anndata_files_model *model,
                                     sdca_dataset_options *options);

/* The names of the rows of a data set, if its file has them in obs: the index of obs.
 * header gets the name of that index, one string, and names a string per row; both stay
 * empty otherwise. Local. */
sdca_status anndata_files_read_names(const char *path, bool links,
                                     const sdca_dataset *data, sdca_string_list *header,
                                     sdca_string_list *names);

/* Whether the values of this rank's rows, or of the first ones of very many, are counts
 * in the file: nearly all but zeros and the constant column are whole numbers above 0,
 * and some of them greater than 2. Local. */
bool anndata_files_has_counts(const sdca_dataset *data);

/* Print how many rows of an AnnData file had no label, and a warning with its layers if
 * the values are counts. what becomes of such rows ends the sentence. Local. */
void anndata_files_print_notes(const terminal_line *terminal, const sdca_dataset *data,
                               const char *path, const char *what);
sdca_status anndata_files_warn_of_counts(const terminal_line *terminal,
                                         const sdca_dataset *data, const char *path,
                                         bool links);

/* Print a warning if columns of an AnnData file share their names. Local. */
sdca_status anndata_files_warn_of_names(const terminal_line    *terminal,
                                        const sdca_string_list *names, const char *path);

#endif
