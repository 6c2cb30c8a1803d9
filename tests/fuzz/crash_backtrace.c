/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crash_backtrace.c - a program that dies by a signal says where, once this is preloaded.
 */
#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { FRAMES = 64, STACK = 1 << 16 };

/* The signal has its own way again, and comes a second time once this returns. */
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

/* A stack that has overflown has no room for a handler. */
__attribute__((constructor)) static void listen_to_deaths(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    static char      room[STACK];
    stack_t          stack  = { .ss_sp = room, .ss_size = sizeof room };
    struct sigaction action = { .sa_handler = tell,
                                .sa_flags   = (int)(SA_RESETHAND | SA_ONSTACK) };
    void            *first;

    (void)backtrace(&first, 1); /* which loads a library, and had better do it now */
    sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        sigaction(signals[k], &action, NULL);
    }
}
