/* SPDX-License-Identifier: BSD-3-Clause
 *
 * terminal_line.h - one line on stderr that is redrawn in place.
 *
 * It is drawn if stderr is a terminal or, under mpirun, a pipe to a launcher whose stderr
 * is one, and if the terminal can return to the start of a line (TERM is not dumb). */
#ifndef SDCA_CLI_UI_TERMINAL_LINE_H
#define SDCA_CLI_UI_TERMINAL_LINE_H

#include <stdbool.h>

/* { 0 } draws nothing. */
typedef struct terminal_line {
    bool   is_enabled;
    int    fd;          /* of the terminal, to get its width */
    bool   has_colours; /* unless NO_COLOR is set */
    double last_drawn;  /* terminal_line_clock() when the line was last drawn */
    bool   has_line;    /* a line is drawn */
} terminal_line;

/* Open the terminal of stderr, if there is one and is_wanted. terminal_line_close()
 * clears the line and releases it. Installs a handler that clears the line before SIGINT
 * ends the program, unless SIGINT has another handler. Local. */
terminal_line terminal_line_open(bool is_wanted);
void          terminal_line_close(terminal_line *t);

/* For signal handlers: remove the line, or let the next SIGINT remove it and end the
 * program. Local. */
void terminal_line_erase_in_handler(void);
void terminal_line_catch_interrupt(void);

/* Is it time to redraw the line? At most ten times a second, and not in the first tenth
 * of a second. Local. */
bool terminal_line_is_redraw_due(const terminal_line *t);

/* The number of characters that fit in a line. Local. */
int terminal_line_width(const terminal_line *t);

/* Replace the line by one of at most terminal_line_width() characters, whose first ones
 * are coloured. Local. */
void terminal_line_draw(terminal_line *t, const char *line, int coloured);

/* Remove the line. Local. */
void terminal_line_clear(terminal_line *t);

/* Print "Label: message" to stderr, the label in colour if there are colours. Local. */
void terminal_line_print_message(const terminal_line *t, const char *label,
                                 const char *message);

/* Monotonic time in seconds. Local. */
double terminal_line_clock(void);

#endif
