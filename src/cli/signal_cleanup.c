/* SPDX-License-Identifier: BSD-3-Clause
 *
 * signal_cleanup.c - remove unfinished output files when a signal ends the command.
 *
 * A name is stored before the count includes it, so that the handler sees complete names
 * only. The handler calls async-signal-safe functions only. */
#include "cli/signal_cleanup.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "cli/ui/terminal_line.h"
#include "io/atomic_file.h"

enum { MAX_OUTPUTS = 2 }; /* of any command */

static sdca_path             temporary[MAX_OUTPUTS];
static volatile sig_atomic_t count;
static pid_t                 owner_pid;
static pthread_t             owner_thread;

static void remove_outputs(void)
{
    for (int k = 0; k < count; k++) {
        unlink(temporary[k].text);
    }
}

/* The raised signal ends the process after the handler returns. */
static void remove_and_reraise(int signal)
{
    struct sigaction default_action = { .sa_handler = SIG_DFL };
    bool             owner          = getpid() == owner_pid;
    int              reason         = errno;

    /* In a thread of MPI: the owner, which would go on to write, has the signal before
     * its file is removed. It may be slow to end, in a system call, and the file is not
     * to wait for that. */
    if (owner && !pthread_equal(pthread_self(), owner_thread)) {
        pthread_kill(owner_thread, signal);
        remove_outputs();
        errno = reason;
        return;
    }
    if (owner) {
        remove_outputs();
    }
    terminal_line_erase_in_handler();
    sigemptyset(&default_action.sa_mask);
    sigaction(signal, &default_action, NULL);
    raise(signal);
}

static void install_handler(int signal)
{
    struct sigaction before;
    struct sigaction action = { .sa_handler = remove_and_reraise };

    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(signal, &action, NULL);
    }
}

void signal_cleanup_add(const char *path)
{
    if (count < MAX_OUTPUTS) {
        temporary[count] = sdca_atomic_file_temp_path(path);
        owner_pid        = getpid();
        owner_thread     = pthread_self();
        count            = count + 1;
    }
    install_handler(SIGINT);
    install_handler(SIGTERM);
    install_handler(SIGHUP);
}
