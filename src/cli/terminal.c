/* SPDX-License-Identifier: BSD-3-Clause
 *
 * terminal.c - one line on stderr that is drawn again and again in place.
 *
 * A line is removed by blanks, not by an escape code: colours are then the only ones. */
#include "terminal.h"

#include <fcntl.h>
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

enum { USUAL_WIDTH = 80 };

static const double tenth   = 0.1; /* seconds between two drawings */
static const char   green[] = "\033[32m", yellow[] = "\033[33m", plain[] = "\033[0m";

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

terminal terminal_open(bool wanted)
{
    terminal t = { .drawn = terminal_clock() };

    if (wanted && !is_dumb() && launcher_find().rank == 0) { /* one line for all */
        t.device  = isatty(STDERR_FILENO) ? STDERR_FILENO : launcher_device();
        t.seen    = t.device >= 0;
        t.colours = t.seen && !is_set("NO_COLOR");
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

/* The last place of a line stays free: many terminals wrap when it is taken. */
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
    return (width > 0 ? width : USUAL_WIDTH) - 1;
}

/* One write per drawing, so that no other line comes between its parts. */
void terminal_draw(terminal *t, const char *line, int painted)
{
    bool paint  = t->colours && painted > 0;
    int  length = (int)strlen(line);
    int  width  = terminal_width(t);
    int  before = t->length < width ? t->length : width; /* it may be narrower by now */
    char text[2048];
    int used = snprintf(text, sizeof text, "\r%s%.*s%s%s%*s", paint ? green : "", painted,
                        line, paint ? plain : "", line + painted,
                        before > length ? before - length : 0, "");

    if (used > 0 && used < (int)sizeof text) {
        fwrite(text, 1, (size_t)used, stderr);
        fflush(stderr);
    }
    t->length = length;
    t->drawn  = terminal_clock();
}

void terminal_clear(terminal *t)
{
    if (t->length > 0) {
        terminal_draw(t, "", 0);
        fputc('\r', stderr);
        fflush(stderr);
    }
}

void terminal_say(const terminal *t, const char *word, const char *sentence)
{
    char text[SDCA_WHY_SIZE];

    snprintf(text, sizeof text, "%s", sentence);
    sdca_plain_clean(text);
    fprintf(stderr, "%s%s:%s %s\n", t->colours ? yellow : "", word,
            t->colours ? plain : "", text);
}
