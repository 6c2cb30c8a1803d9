/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tty.h - one line on stderr that is redrawn in place.
 *
 * It is drawn if stderr is a terminal or, under mpirun, a pipe to a launcher whose stderr
 * is one, and if the terminal can return to the start of a line (TERM is not dumb). */
#ifndef SDCA_CLI_UI_TTY_H
#define SDCA_CLI_UI_TTY_H

#include <stdbool.h>

/* { 0 } draws nothing. */
typedef struct tty {
    bool   is_enabled;
    int    fd;          /* of the terminal, to get its width */
    bool   has_colours; /* unless NO_COLOR is set */
    double last_drawn;  /* tty_clock() when the line was last drawn */
    bool   has_line;    /* a line is drawn */
} tty;

/* Open the terminal of stderr, if there is one and is_wanted. tty_close() clears the line
 * and releases it. Installs a handler that clears the line before SIGINT ends the
 * program, unless SIGINT has another handler. Local. */
tty  tty_open(bool is_wanted);
void tty_close(tty *t);

/* For signal handlers: remove the line, or let the next SIGINT remove it and end the
 * program. Local. */
void tty_erase_in_handler(void);
void tty_catch_interrupt(void);

/* Is it time to redraw the line? At most ten times a second, and not in the first tenth
 * of a second. Local. */
bool tty_is_redraw_due(const tty *t);

/* The number of characters that fit in a line. Local. */
int tty_width(const tty *t);

/* Replace the line by one of at most tty_width() characters, whose first ones are
 * coloured. Local. */
void tty_draw_line(tty *t, const char *line, int coloured);

/* Remove the line. Local. */
void tty_clear_line(tty *t);

/* Print "Label: message" to stderr, the label in colour if there are colours. Local. */
void tty_print_message(const tty *t, const char *label, const char *message);

/* Monotonic time in seconds. Local. */
double tty_clock(void);

#endif
