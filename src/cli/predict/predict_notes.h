/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_notes.h - what predict says of data that differ from those of the training. */
#ifndef SDCA_CLI_PREDICT_PREDICT_NOTES_H
#define SDCA_CLI_PREDICT_PREDICT_NOTES_H

#include <mpi.h>

#include "cli/options/predict_arguments.h"
#include "cli/predict/predict_text.h"
#include "cli/ui/live_progress.h"
#include "data/dataset.h"
#include "model/model.h"

/* Print warnings after all that can fail: a failure is one message only. Labels that the
 * model does not know count as errors. Collective. */
void predict_notes_print(MPI_Comm comm, const live_progress *display,
                         const sdca_model *model, const sdca_dataset *data,
                         const predict_arguments *options);

/* The same for a text, with what a table has that the model does not, and the reverse.
 * Local. */
void predict_notes_print_text(const live_progress *display, const sdca_model *model,
                              const predict_text_rows *text, const char *path);

#endif
