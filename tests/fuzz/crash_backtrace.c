/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crash_backtrace.c - preloaded library that prints a backtrace on fatal signals.
 */
#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { FRAMES = 64, STACK = 1 << 16 };

/* Restore the default action; the signal recurs when this returns. */
static void tell(int signal)
{
    static const char heading[] = "backtrace:\n";
    void             *frame[FRAMES];
    int               frames = backtrace(frame, FRAMES);

    if (write(STDERR_FILENO, heading, sizeof heading - 1) > 0) {
        backtrace_symbols_fd(frame, frames, STDERR_FILENO);
    }
    raise(signal);
}

/* After a stack overflow, a handler needs its own stack. */
__attribute__((constructor)) static void listen_to_deaths(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    static char      room[STACK];
    stack_t          stack  = { .ss_sp = room, .ss_size = sizeof room };
    struct sigaction action = { .sa_handler = tell,
                                .sa_flags   = (int)(SA_RESETHAND | SA_ONSTACK) };
    void            *first;

    (void)backtrace(&first,
                    1); /* loads a library, which must not happen in the handler */
    sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        sigaction(signals[k], &action, NULL);
    }
}
