/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_resume.h - the checkpoint that train resumes from, and those of earlier runs. */
#ifndef SDCA_CLI_TRAIN_TRAIN_RESUME_H
#define SDCA_CLI_TRAIN_TRAIN_RESUME_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "io/checkpoint_lock.h"

typedef struct train_resume {
    sdca_checkpoint_lock lock;        /* held by the first rank */
    sdca_path            path;        /* of the checkpoint, with links resolved */
    sdca_path            resume_from; /* the checkpoint to resume from, or "" */
} train_resume;

/* Lock the checkpoint, find the one to resume from, and remove unfinished files of
 * earlier runs. Checkpoints of a run that is not resumed are renamed; files that are not
 * checkpoints are rejected. The caller frees out with train_resume_end(). Collective. */
sdca_status train_resume_prepare(MPI_Comm comm, const train_arguments *arguments,
                                 train_resume *out);
void        train_resume_end(train_resume *resume);

#endif
