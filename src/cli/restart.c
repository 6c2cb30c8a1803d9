/* SPDX-License-Identifier: BSD-3-Clause
 *
 * restart.c - what train does around checkpoints: who may write them, which one it goes
 * on from, and who may stop it. */
#include "restart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdca/comm.h"
#include "sdca/seal.h"
#include "terminal.h"

/* No checkpoint to go on from. */
enum { NONE = -1 };

/* What a handler of signals may touch. */
static volatile sig_atomic_t asked_to_stop, under_way, saves;
static sdca_file_lock *volatile held; /* or NULL */

/* There is nothing to save yet. All calls are safe in a handler. */
static void leave(int signal)
{
    struct sigaction usual = { .sa_handler = SIG_DFL };

    if (held != NULL) {
        sdca_checkpoint_files_unlock(held);
    }
    if (saves) {
        _exit(sdca_status_exit_code(SDCA_INTERRUPTED));
    }
    sigemptyset(&usual.sa_mask);
    sigaction(signal, &usual, NULL);
    raise(signal); /* comes once this returns */
}

static void note(int signal)
{
    asked_to_stop = 1;
    if (!under_way) {
        terminal_erase();
        leave(signal);
    } else if (signal == SIGINT) { /* whose next one ends the run */
        terminal_catch_interrupt();
    }
}

static void listen_to(int signal, int flags)
{
    struct sigaction action = { .sa_handler = note, .sa_flags = (int)SA_RESTART | flags };

    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/* What terminals send. Where it is ignored, as in what a script does in the background,
 * or under nohup, it is meant for others. */
static void listen_to_terminal(int signal, int flags)
{
    struct sigaction before;

    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        listen_to(signal, flags);
    }
}

void restart_listen(bool checkpoints)
{
    saves = checkpoints;
    listen_to(SIGUSR1, 0);
    listen_to(SIGUSR2, 0);
    listen_to(SIGTERM, 0);
    listen_to_terminal(SIGHUP, 0);
    listen_to_terminal(SIGINT, (int)SA_RESETHAND); /* a second one means it */
}

void restart_begin(void)
{
    under_way = 1;
}

bool restart_is_asked_to_stop(void *context)
{
    (void)context;
    return asked_to_stop != 0;
}

/* What earlier runs were writing when they died. */
static void sweep(const char *path, bool quiet)
{
    int count = sdca_checkpoint_files_remove_temps(path);

    if (count > 0 && !quiet) {
        fprintf(stderr, "sdca: removed %d unfinished checkpoint%s of earlier runs\n",
                count, count > 1 ? "s" : "");
    }
}

/* The youngest whole checkpoint of path; NONE if there is none of any kind. */
static sdca_status find(const char *path, bool quiet, int64_t *age)
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
    *age = found;
    return status;
}

/* The checkpoint to put aside: the youngest whole one, else the youngest that has
 * bytes, else NONE. */
static int find_last(const char *path)
{
    int         age = 0;
    struct stat facts;

    if (sdca_checksum_find_intact(path, &age) == SDCA_OK) {
        return age;
    }
    while (age <= SDCA_CHECKSUM_MAX_GENERATIONS &&
           (stat(sdca_atomic_file_generation(path, age).text, &facts) != 0 ||
            facts.st_size == 0)) {
        age++;
    }
    return age <= SDCA_CHECKSUM_MAX_GENERATIONS ? age : NONE;
}

/* The last checkpoint of an earlier run gets another name, and the others go. */
static sdca_status put_aside(const char *path, bool quiet)
{
    int       age   = find_last(path);
    sdca_path name  = sdca_atomic_file_generation(path, age);
    sdca_path aside = sdca_checkpoint_files_old_path(path);

    if (age == NONE) {
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
static bool goes_on(const train_options *options)
{
    return options->from != NULL ? sdca_checkpoint_files_contain_generation(
                                       options->checkpoint, options->from)
                                 : options->resume;
}

/* The first rank's part; *age is for the others. All is checked before any file is
 * renamed or removed. */
static sdca_status prepare(const train_options *options, restart *me, int64_t *age)
{
    const char *path   = options->checkpoint != NULL ? me->path.text : NULL;
    sdca_status status = SDCA_OK;

    if (path != NULL) {
        SDCA_TRY(sdca_checkpoint_files_lock(path, &me->lock));
        held = &me->lock;
        SDCA_TRY(
            sdca_checkpoint_files_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS));
        SDCA_TRY(
            sdca_checksum_check_replaceable(sdca_checkpoint_files_old_path(path).text));
    }
    if (options->from != NULL) {
        SDCA_TRY(sdca_checksum_verify(options->from, options->from));
        *age = 0;
    } else if (options->resume) {
        SDCA_TRY(find(path, options->quiet, age));
    }
    if (path != NULL) {
        sweep(path, options->quiet);
        SDCA_TRY(goes_on(options) ? SDCA_OK : put_aside(path, options->quiet));
    }

done:
    return status;
}

sdca_status restart_prepare(MPI_Comm comm, const train_options *options, restart *out)
{
    bool        first = sdca_comm_rank(comm) == 0;
    int64_t     age   = NONE;
    sdca_status status;

    *out = (restart){ .lock = { .held = false } };
    if (options->checkpoint !=
        NULL) { /* a link may lead nowhere once that is put aside */
        out->path = sdca_atomic_file_generation(options->checkpoint, 0);
    }
    status = sdca_comm_agree(comm, first ? prepare(options, out, &age) : SDCA_OK);
    if (status != SDCA_OK) {
        restart_end(out);
        return status;
    }
    age = first ? age : 0;
    sdca_comm_allreduce_sum_int64(comm, &age, 1);
    if (age != NONE) {
        out->from = sdca_atomic_file_generation(
            options->from != NULL ? options->from : out->path.text, (int)age);
    }
    return SDCA_OK;
}

void restart_end(restart *me)
{
    held = NULL;
    sdca_checkpoint_files_unlock(&me->lock);
}
