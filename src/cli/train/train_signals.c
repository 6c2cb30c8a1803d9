/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_signals.c - signals of train: requests to stop, and the lock of the checkpoint.
 */
#include "cli/train/train_signals.h"

#include <signal.h>
#include <unistd.h>

#include "base/status.h"
#include "cli/ui/terminal_line.h"

/* The state of the signal handler. */
static volatile sig_atomic_t stop_requested, is_running, has_checkpoints;
static sdca_checkpoint_lock *volatile held_lock; /* or NULL */

/* There is nothing to save yet. All calls are async-signal-safe. */
static void exit_now(int signal)
{
    struct sigaction default_action = { .sa_handler = SIG_DFL };

    if (held_lock != NULL) {
        sdca_checkpoint_lock_release(held_lock);
    }
    if (has_checkpoints) {
        _exit(sdca_status_exit_code(SDCA_INTERRUPTED));
    }
    sigemptyset(&default_action.sa_mask);
    sigaction(signal, &default_action, NULL);
    raise(signal); /* delivered when the handler returns */
}

static void handle_signal(int signal)
{
    stop_requested = 1;
    if (!is_running) {
        terminal_line_erase_in_handler();
        exit_now(signal);
    } else if (signal == SIGINT) { /* the next one ends the run */
        terminal_line_catch_interrupt();
    }
}

static void install_handler(int signal, int flags)
{
    struct sigaction action = { .sa_handler = handle_signal,
                                .sa_flags   = (int)SA_RESTART | flags };

    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/* For signals that terminals send: in background jobs and under nohup they are ignored,
 * and stay so. */
static void install_unless_ignored(int signal, int flags)
{
    struct sigaction before;

    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        install_handler(signal, flags);
    }
}

void train_signals_install(bool checkpoints)
{
    has_checkpoints = checkpoints;
    install_handler(SIGUSR1, 0);
    install_handler(SIGUSR2, 0);
    install_handler(SIGTERM, 0);
    install_unless_ignored(SIGHUP, 0);
    install_unless_ignored(SIGINT, (int)SA_RESETHAND); /* a second one ends the run */
}

void train_signals_mark_running(void)
{
    is_running = 1;
}

bool train_signals_is_stop_requested(void *context)
{
    (void)context;
    return stop_requested != 0;
}

void train_signals_hold(sdca_checkpoint_lock *lock)
{
    held_lock = lock;
}
