/* SPDX-License-Identifier: BSD-3-Clause
 *
 * litter.c - a command that a signal ends leaves no unfinished output behind.
 *
 * What a handler touches is there before it is told of: a name first, then their count.
 * It calls only what is safe in one. */
#include "litter.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "sdca/output.h"
#include "terminal.h"

enum { OUTPUTS = 2 }; /* the most that a command has */

static sdca_path             unfinished[OUTPUTS];
static volatile sig_atomic_t count;
static pid_t                 owner;

/* The signal has its own way again, and comes a second time once this returns. */
static void clean_up(int signal)
{
    for (int k = 0; k < count && getpid() == owner; k++) {
        unlink(unfinished[k].text);
    }
    terminal_erase();
    raise(signal);
}

static void listen_to(int signal)
{
    struct sigaction before;
    struct sigaction action = { .sa_handler = clean_up, .sa_flags = (int)SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(signal, &action, NULL);
    }
}

void litter_watch(const char *path)
{
    if (count < OUTPUTS) {
        unfinished[count] = sdca_atomic_file_temp_path(path);
        owner             = getpid();
        count             = count + 1;
    }
    listen_to(SIGINT);
    listen_to(SIGTERM);
    listen_to(SIGHUP);
}
