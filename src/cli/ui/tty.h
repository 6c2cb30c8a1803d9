/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tty.h - one line on stderr that is drawn again and again in place.
 *
 * It is drawn only where somebody sees it: where stderr is a terminal or, under mpirun,
 * a pipe to a launcher whose stderr is one; and where the terminal can go back to the
 * start of a line (TERM is not dumb). */
#ifndef SDCA_CLI_UI_TTY_H
#define SDCA_CLI_UI_TTY_H

#include <stdbool.h>

/* Nobody looks at one that is { 0 }. */
typedef struct tty {
    bool   is_enabled;
    int    fd;          /* to ask for its width */
    bool   has_colours; /* unless NO_COLOR is set */
    double last_drawn;  /* tty_clock() when the line was last drawn */
    bool   has_line;    /* a line is there */
} tty;

/* Whoever looks at stderr; nobody, unless wanted. Local. To be closed with
 * tty_close(), which clears the line. Where nobody else handles SIGINT, it clears
 * the line, too, before it ends the program. */
tty  tty_open(bool is_wanted);
void tty_close(tty *t);

/* For handlers of signals: remove the line; have the next SIGINT do so, and end the
 * program. Local. */
void tty_erase_in_handler(void);
void tty_catch_interrupt(void);

/* Is the line to be drawn again? At most ten times a second, and not in the first tenth
 * of one: what is quick needs no line. Local. */
bool tty_is_redraw_due(const tty *t);

/* Characters that fit a line without wrapping it. Local. */
int tty_width(const tty *t);

/* Put this line of tty_width() characters at most in the place of the last one, its
 * first ones painted. Local. */
void tty_draw_line(tty *t, const char *line, int coloured);

/* Remove the line. Local. */
void tty_clear_line(tty *t);

/* Print "Word: sentence" on stderr, the word in colour where there are any. Local. */
void tty_print_message(const tty *t, const char *label, const char *message);

/* Seconds since some moment. Local. */
double tty_clock(void);

#endif
