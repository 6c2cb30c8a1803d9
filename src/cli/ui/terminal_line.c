/* SPDX-License-Identifier: BSD-3-Clause
 *
 * terminal_line.c - one line on stderr that is redrawn in place.
 *
 * The whole line is erased, not only what was drawn: the terminal may have echoed Ctrl-C
 * after it, or may have been resized. (A terminal that wraps a long line when it is made
 * narrower keeps the first part: on other terminals the line above is not ours.) */
#include "cli/ui/terminal_line.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/status.h"
#include "cli/launcher_environment.h"

enum { DEFAULT_WIDTH = 80, RESERVED_COLUMNS = 5 };

static const double redraw_interval = 0.1; /* seconds between two drawings */
static const char   green[] = "\033[32m", yellow[] = "\033[33m", reset[] = "\033[0m";
static const char   erase_line[] = "\r\033[K";

/* For the handler of SIGINT. */
static volatile sig_atomic_t line_is_enabled, line_is_drawn;

double terminal_line_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_env_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0';
}

static bool is_dumb_terminal(void)
{
    return !is_env_set("TERM") || strcmp(getenv("TERM"), "dumb") == 0;
}

/* mpirun copies the stderr of its processes from pipes to its own, unless it tags the
 * lines. Opens the terminal of mpirun's stderr; -1 if it is none. */
static int open_launcher_tty(void)
{
    struct stat info;
    char        path[64];
    int         fd;

    if (!is_env_set("OMPI_COMM_WORLD_RANK") || is_env_set("OMPI_MCA_orte_tag_output") ||
        is_env_set("OMPI_MCA_orte_timestamp_output") ||
        fstat(STDERR_FILENO, &info) != 0 || !S_ISFIFO(info.st_mode)) {
        return -1;
    }
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), STDERR_FILENO);
    fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && !isatty(fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void terminal_line_erase_in_handler(void)
{
    if (line_is_drawn != 0 &&
        write(STDERR_FILENO, erase_line, sizeof erase_line - 1) < 0) {
        line_is_drawn = 0; /* the terminal is gone */
    }
}

/* SA_RESETHAND: the raised signal ends the program after the handler returns. */
static void handle_interrupt(int signal)
{
    terminal_line_erase_in_handler();
    raise(signal);
}

void terminal_line_catch_interrupt(void)
{
    struct sigaction action = { .sa_handler = handle_interrupt,
                                .sa_flags   = (int)SA_RESETHAND };

    if (line_is_enabled != 0) {
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, NULL);
    }
}

terminal_line terminal_line_open(bool is_wanted)
{
    terminal_line    t = { .last_drawn = terminal_line_clock() };
    struct sigaction before;

    if (is_wanted && !is_dumb_terminal() &&
        launcher_detect().rank == 0) { /* one line for all ranks */
        t.fd            = isatty(STDERR_FILENO) ? STDERR_FILENO : open_launcher_tty();
        t.is_enabled    = t.fd >= 0;
        t.has_colours   = t.is_enabled && !is_env_set("NO_COLOR");
        line_is_enabled = t.is_enabled;
        if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            terminal_line_catch_interrupt();
        }
    }
    return t;
}

void terminal_line_close(terminal_line *t)
{
    terminal_line_clear(t);
    if (t->is_enabled && t->fd != STDERR_FILENO) {
        close(t->fd);
    }
    *t = (terminal_line){ 0 };
}

bool terminal_line_is_redraw_due(const terminal_line *t)
{
    return t->is_enabled && terminal_line_clock() - t->last_drawn >= redraw_interval;
}

/* Reserves the last column, as many terminals wrap when it is used, and space for two
 * echoes of Ctrl-C. */
int terminal_line_width(const terminal_line *t)
{
    struct winsize size  = { 0 };
    int            width = 0;

    if (ioctl(t->fd, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0 && is_env_set("COLUMNS")) {
        width = atoi(getenv("COLUMNS"));
    }
    return (width > 0 ? width : DEFAULT_WIDTH) - RESERVED_COLUMNS;
}

/* One write per drawing, so that no other output comes between its parts. */
void terminal_line_draw(terminal_line *t, const char *line, int coloured)
{
    bool is_coloured = t->has_colours && coloured > 0;
    char text[2048];
    int  used =
        snprintf(text, sizeof text, "%s%s%.*s%s%s", erase_line, is_coloured ? green : "",
                 coloured, line, is_coloured ? reset : "", line + coloured);

    line_is_drawn = 1; /* before a signal can interrupt the drawing */
    if (used > 0 && used < (int)sizeof text) {
        fwrite(text, 1, (size_t)used, stderr);
        fflush(stderr);
    }
    t->has_line   = line[0] != '\0';
    line_is_drawn = t->has_line;
    t->last_drawn = terminal_line_clock();
}

void terminal_line_clear(terminal_line *t)
{
    if (t->has_line) {
        terminal_line_draw(t, "", 0);
    }
}

void terminal_line_print_message(const terminal_line *t, const char *label,
                                 const char *message)
{
    char text[SDCA_MESSAGE_SIZE];

    snprintf(text, sizeof text, "%s", message);
    sdca_printable_sanitize(text);
    fprintf(stderr, "%s%s:%s %s\n", t->has_colours ? yellow : "", label,
            t->has_colours ? reset : "", text);
}
