/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_resume.c - the checkpoint that train resumes from, and those of earlier runs. */
#include "cli/train/train_resume.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/train/train_signals.h"
#include "io/checkpoint_names.h"
#include "io/hdf5_checksum.h"
#include "mpi/comm.h"

/* There is no checkpoint to resume from. */
enum { NO_CHECKPOINT = -1 };

/* Remove temporary files of earlier runs that were killed. */
static void remove_unfinished(const char *path, bool quiet)
{
    int count = sdca_checkpoint_names_remove_temps(path);

    if (count > 0 && !quiet) {
        fprintf(stderr, "sdca: removed %d unfinished checkpoint%s of earlier runs\n",
                count, count > 1 ? "s" : "");
    }
}

/* The newest intact checkpoint of path; *generation is not changed if there is none. */
static sdca_status find_newest(const char *path, bool quiet, int64_t *generation)
{
    int         found  = 0;
    sdca_status status = sdca_checksum_find_intact(path, &found);

    if (status == SDCA_MISSING) {
        if (!quiet) {
            fprintf(stderr, "sdca: there is no checkpoint '%s' yet: starting a new run\n",
                    path);
        }
        return SDCA_OK;
    }
    if (status == SDCA_OK && found > 0) { /* printed also with --quiet */
        fprintf(stderr, "sdca: %s; resuming from '%s.%d'\n", sdca_status_message(), path,
                found);
    }
    if (status == SDCA_DATA) {
        char why[SDCA_MESSAGE_SIZE];

        memcpy(why, sdca_status_message(), sizeof why);
        return SDCA_FAIL(SDCA_DATA, "%.800s, and there is no older checkpoint", why);
    }
    *generation = found;
    return status;
}

/* The checkpoint to keep under another name: the newest intact one, else the newest that
 * is not empty, else NO_CHECKPOINT. */
static int find_previous(const char *path)
{
    int         generation = 0;
    struct stat info;

    if (sdca_checksum_find_intact(path, &generation) == SDCA_OK) {
        return generation;
    }
    while (generation <= SDCA_CHECKSUM_MAX_GENERATIONS &&
           (stat(sdca_atomic_file_generation(path, generation).text, &info) != 0 ||
            info.st_size == 0)) {
        generation++;
    }
    return generation <= SDCA_CHECKSUM_MAX_GENERATIONS ? generation : NO_CHECKPOINT;
}

/* Rename the last checkpoint of an earlier run, and remove the others. */
static sdca_status set_aside(const char *path, bool quiet)
{
    int       generation = find_previous(path);
    sdca_path name       = sdca_atomic_file_generation(path, generation);
    sdca_path aside      = sdca_checkpoint_names_old_path(path);

    if (generation == NO_CHECKPOINT) {
        return SDCA_OK;
    }
    if (rename(name.text, aside.text) != 0) {
        return SDCA_FAIL(SDCA_CREATE, "cannot rename '%s': %s", path, strerror(errno));
    }
    if (!quiet) {
        fprintf(
            stderr,
            "sdca: '%s' of an earlier run is renamed to '%s'; --resume would continue "
            "that run\n",
            name.text, aside.text);
    }
    for (int k = 0; k <= SDCA_CHECKSUM_MAX_GENERATIONS; k++) {
        unlink(sdca_atomic_file_generation(path, k).text);
    }
    return SDCA_OK;
}

/* Do the checkpoints belong to the run that is resumed? */
static bool continues_run(const train_arguments *arguments)
{
    return arguments->resume_from != NULL
               ? sdca_checkpoint_names_contain_generation(arguments->checkpoint,
                                                          arguments->resume_from)
               : arguments->resume;
}

/* The first rank's part; *generation is sent to the others. Everything is checked before
 * any file is renamed or removed. */
static sdca_status prepare(const train_arguments *arguments, train_resume *resume,
                           int64_t *generation)
{
    const char *path   = arguments->checkpoint != NULL ? resume->path.text : NULL;
    sdca_status status = SDCA_OK;

    if (path != NULL) {
        SDCA_TRY(sdca_checkpoint_lock_take(path, &resume->lock));
        train_signals_hold(&resume->lock);
        SDCA_TRY(
            sdca_checkpoint_names_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS));
        SDCA_TRY(
            sdca_checksum_check_replaceable(sdca_checkpoint_names_old_path(path).text));
    }
    if (arguments->resume_from != NULL) {
        SDCA_TRY(sdca_checksum_verify(arguments->resume_from, arguments->resume_from));
        *generation = 0;
    } else if (arguments->resume) {
        SDCA_TRY(find_newest(path, arguments->quiet, generation));
    }
    if (path != NULL) {
        remove_unfinished(path, arguments->quiet);
        SDCA_TRY(continues_run(arguments) ? SDCA_OK : set_aside(path, arguments->quiet));
    }

done:
    return status;
}

sdca_status train_resume_prepare(MPI_Comm comm, const train_arguments *arguments,
                                 train_resume *out)
{
    bool        first      = sdca_comm_rank(comm) == 0;
    int64_t     generation = NO_CHECKPOINT;
    sdca_status status;

    *out = (train_resume){ .lock = { .held = false } };
    if (arguments->checkpoint !=
        NULL) { /* resolve links before their target is renamed */
        out->path = sdca_atomic_file_generation(arguments->checkpoint, 0);
    }
    status =
        sdca_comm_agree(comm, first ? prepare(arguments, out, &generation) : SDCA_OK);
    if (status != SDCA_OK) {
        train_resume_end(out);
        return status;
    }
    generation = first ? generation : 0;
    sdca_comm_allreduce_sum_int64(comm, &generation, 1);
    if (generation != NO_CHECKPOINT) {
        out->resume_from = sdca_atomic_file_generation(
            arguments->resume_from != NULL ? arguments->resume_from : out->path.text,
            (int)generation);
    }
    return SDCA_OK;
}

void train_resume_end(train_resume *resume)
{
    train_signals_hold(NULL);
    sdca_checkpoint_lock_release(&resume->lock);
}
