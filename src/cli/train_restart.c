/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_restart.c - what train does around checkpoints: who may write them, which one it
 * goes on from, and who may stop it. */
#include "cli/train_restart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/ui/tty.h"
#include "io/checksum.h"
#include "mpi/comm.h"

/* No checkpoint to go on from. */
enum { NO_CHECKPOINT = -1 };

/* What a handler of signals may touch. */
static volatile sig_atomic_t stop_requested, is_running, has_checkpoints;
static sdca_file_lock *volatile held_lock; /* or NULL */

/* There is nothing to save yet. All calls are safe in a handler. */
static void exit_now(int signal)
{
    struct sigaction default_action = { .sa_handler = SIG_DFL };

    if (held_lock != NULL) {
        sdca_checkpoint_files_unlock(held_lock);
    }
    if (has_checkpoints) {
        _exit(sdca_status_exit_code(SDCA_INTERRUPTED));
    }
    sigemptyset(&default_action.sa_mask);
    sigaction(signal, &default_action, NULL);
    raise(signal); /* comes once this returns */
}

static void handle_signal(int signal)
{
    stop_requested = 1;
    if (!is_running) {
        tty_erase_in_handler();
        exit_now(signal);
    } else if (signal == SIGINT) { /* whose next one ends the run */
        tty_catch_interrupt();
    }
}

static void install_handler(int signal, int flags)
{
    struct sigaction action = { .sa_handler = handle_signal,
                                .sa_flags   = (int)SA_RESTART | flags };

    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/* What terminals send. Where it is ignored, as in what a script does in the background,
 * or under nohup, it is meant for others. */
static void install_unless_ignored(int signal, int flags)
{
    struct sigaction before;

    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        install_handler(signal, flags);
    }
}

void train_restart_install_signals(bool checkpoints)
{
    has_checkpoints = checkpoints;
    install_handler(SIGUSR1, 0);
    install_handler(SIGUSR2, 0);
    install_handler(SIGTERM, 0);
    install_unless_ignored(SIGHUP, 0);
    install_unless_ignored(SIGINT, (int)SA_RESETHAND); /* a second one means it */
}

void train_restart_mark_running(void)
{
    is_running = 1;
}

bool train_restart_is_stop_requested(void *context)
{
    (void)context;
    return stop_requested != 0;
}

/* What earlier runs were writing when they died. */
static void remove_unfinished(const char *path, bool quiet)
{
    int count = sdca_checkpoint_files_remove_temps(path);

    if (count > 0 && !quiet) {
        fprintf(stderr, "sdca: removed %d unfinished checkpoint%s of earlier runs\n",
                count, count > 1 ? "s" : "");
    }
}

/* The youngest whole checkpoint of path; NONE if there is none of any kind. */
static sdca_status find_newest(const char *path, bool quiet, int64_t *generation)
{
    int         found  = 0;
    sdca_status status = sdca_checksum_find_intact(path, &found);

    if (status == SDCA_MISSING) {
        if (!quiet) {
            fprintf(stderr, "sdca: there is no checkpoint '%s' yet: the run begins\n",
                    path);
        }
        return SDCA_OK;
    }
    if (status == SDCA_OK && found > 0) { /* something is wrong, also for the quiet */
        fprintf(stderr, "sdca: %s; going on from '%s.%d'\n", sdca_status_message(), path,
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

/* The checkpoint to put aside: the youngest whole one, else the youngest that has
 * bytes, else NONE. */
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

/* The last checkpoint of an earlier run gets another name, and the others go. */
static sdca_status set_aside(const char *path, bool quiet)
{
    int       generation = find_previous(path);
    sdca_path name       = sdca_atomic_file_generation(path, generation);
    sdca_path aside      = sdca_checkpoint_files_old_path(path);

    if (generation == NO_CHECKPOINT) {
        return SDCA_OK;
    }
    if (rename(name.text, aside.text) != 0) {
        return SDCA_FAIL(SDCA_CREATE, "cannot rename '%s': %s", path, strerror(errno));
    }
    if (!quiet) {
        fprintf(stderr,
                "sdca: '%s' is of an earlier run and now called '%s'; --resume would go "
                "on from it\n",
                name.text, aside.text);
    }
    for (int k = 0; k <= SDCA_CHECKSUM_MAX_GENERATIONS; k++) {
        unlink(sdca_atomic_file_generation(path, k).text);
    }
    return SDCA_OK;
}

/* Do the checkpoints of path belong to the run that goes on? */
static bool continues_run(const train_arguments *arguments)
{
    return arguments->resume_from != NULL
               ? sdca_checkpoint_files_contain_generation(arguments->checkpoint,
                                                          arguments->resume_from)
               : arguments->resume;
}

/* The first rank's part; *age is for the others. All is checked before any file is
 * renamed or removed. */
static sdca_status prepare(const train_arguments *arguments, train_restart *restart,
                           int64_t *generation)
{
    const char *path   = arguments->checkpoint != NULL ? restart->path.text : NULL;
    sdca_status status = SDCA_OK;

    if (path != NULL) {
        SDCA_TRY(sdca_checkpoint_files_lock(path, &restart->lock));
        held_lock = &restart->lock;
        SDCA_TRY(
            sdca_checkpoint_files_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS));
        SDCA_TRY(
            sdca_checksum_check_replaceable(sdca_checkpoint_files_old_path(path).text));
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

sdca_status train_restart_prepare(MPI_Comm comm, const train_arguments *arguments,
                                  train_restart *out)
{
    bool        first      = sdca_comm_rank(comm) == 0;
    int64_t     generation = NO_CHECKPOINT;
    sdca_status status;

    *out = (train_restart){ .lock = { .held = false } };
    if (arguments->checkpoint !=
        NULL) { /* a link may lead nowhere once that is put aside */
        out->path = sdca_atomic_file_generation(arguments->checkpoint, 0);
    }
    status =
        sdca_comm_agree(comm, first ? prepare(arguments, out, &generation) : SDCA_OK);
    if (status != SDCA_OK) {
        train_restart_end(out);
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

void train_restart_end(train_restart *restart)
{
    held_lock = NULL;
    sdca_checkpoint_files_unlock(&restart->lock);
}
