/* SPDX-License-Identifier: BSD-3-Clause
 *
 * terminal.c - one line on stderr that is drawn again and again in place.
 *
 * What is erased is all to the end of the line, not as much as was drawn: the terminal
 * may have echoed Ctrl-C behind it, or been made narrower and wider again. (A terminal
 * that breaks a long line in two when it is made narrower keeps the first part: others do
 * not, and there the line above is not ours.) */
#include "terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"
#include "sdca/plain.h"
#include "sdca/status.h"

enum { USUAL_WIDTH = 80, FREE = 5 };

static const double tenth   = 0.1; /* seconds between two drawings */
static const char   green[] = "\033[32m", yellow[] = "\033[33m", plain[] = "\033[0m";
static const char   erase[] = "\r\033[K";

/* Does somebody look, and does a line stand there? For the handler of SIGINT. */
static volatile sig_atomic_t is_seen, is_drawn;

double terminal_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0';
}

static bool is_dumb(void)
{
    return !is_set("TERM") || strcmp(getenv("TERM"), "dumb") == 0;
}

/* mpirun reads the stderr of its processes from pipes, and writes what comes to its own,
 * unless it is to put names before it: is that one a terminal? Its device, or -1. */
static int launcher_device(void)
{
    struct stat facts;
    char        path[64];
    int         device;

    if (!is_set("OMPI_COMM_WORLD_RANK") || is_set("OMPI_MCA_orte_tag_output") ||
        is_set("OMPI_MCA_orte_timestamp_output") || fstat(STDERR_FILENO, &facts) != 0 ||
        !S_ISFIFO(facts.st_mode)) {
        return -1;
    }
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), STDERR_FILENO);
    device = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (device >= 0 && !isatty(device)) {
        close(device);
        device = -1;
    }
    return device;
}

void terminal_erase(void)
{
    if (is_drawn != 0 && write(STDERR_FILENO, erase, sizeof erase - 1) < 0) {
        is_drawn = 0; /* nobody sees it any more */
    }
}

/* End as without a handler, once this returns. */
static void leave(int signal)
{
    terminal_erase();
    raise(signal);
}

void terminal_catch_interrupt(void)
{
    struct sigaction action = { .sa_handler = leave, .sa_flags = (int)SA_RESETHAND };

    if (is_seen != 0) {
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, NULL);
    }
}

terminal terminal_open(bool wanted)
{
    terminal         t = { .drawn = terminal_clock() };
    struct sigaction before;

    if (wanted && !is_dumb() && launcher_find().rank == 0) { /* one line for all */
        t.device  = isatty(STDERR_FILENO) ? STDERR_FILENO : launcher_device();
        t.seen    = t.device >= 0;
        t.colours = t.seen && !is_set("NO_COLOR");
        is_seen   = t.seen;
        if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            terminal_catch_interrupt();
        }
    }
    return t;
}

void terminal_close(terminal *t)
{
    terminal_clear(t);
    if (t->seen && t->device != STDERR_FILENO) {
        close(t->device);
    }
    *t = (terminal){ 0 };
}

bool terminal_is_due(const terminal *t)
{
    return t->seen && terminal_clock() - t->drawn >= tenth;
}

/* The last place of a line stays free, as many terminals wrap when it is taken, and room
 * for two echoes of Ctrl-C. */
int terminal_width(const terminal *t)
{
    struct winsize size  = { 0 };
    int            width = 0;

    if (ioctl(t->device, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0 && is_set("COLUMNS")) {
        width = atoi(getenv("COLUMNS"));
    }
    return (width > 0 ? width : USUAL_WIDTH) - FREE;
}

/* One write per drawing, so that no other line comes between its parts. */
void terminal_draw(terminal *t, const char *line, int painted)
{
    bool paint = t->colours && painted > 0;
    char text[2048];
    int  used = snprintf(text, sizeof text, "%s%s%.*s%s%s", erase, paint ? green : "",
                         painted, line, paint ? plain : "", line + painted);

    is_drawn = 1; /* a signal may come before this is over */
    if (used > 0 && used < (int)sizeof text) {
        fwrite(text, 1, (size_t)used, stderr);
        fflush(stderr);
    }
    t->stands = line[0] != '\0';
    is_drawn  = t->stands;
    t->drawn  = terminal_clock();
}

void terminal_clear(terminal *t)
{
    if (t->stands) {
        terminal_draw(t, "", 0);
    }
}

void terminal_say(const terminal *t, const char *word, const char *sentence)
{
    char text[SDCA_MESSAGE_SIZE];

    snprintf(text, sizeof text, "%s", sentence);
    sdca_printable_sanitize(text);
    fprintf(stderr, "%s%s:%s %s\n", t->colours ? yellow : "", word,
            t->colours ? plain : "", text);
}
