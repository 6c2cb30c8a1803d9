/* SPDX-License-Identifier: BSD-3-Clause
 *
 * terminal.h - one line on stderr that is drawn again and again in place.
 *
 * It is drawn only where somebody sees it: where stderr is a terminal or, under mpirun,
 * a pipe to a launcher whose stderr is one; and where the terminal can go back to the
 * start of a line (TERM is not dumb). */
#ifndef SDCA_TERMINAL_H
#define SDCA_TERMINAL_H

#include <stdbool.h>

/* Nobody looks at one that is { 0 }. */
typedef struct terminal {
    bool   seen;
    int    device;  /* to ask for its width */
    bool   colours; /* unless NO_COLOR is set */
    double drawn;   /* terminal_clock() when the line was last drawn */
    bool   stands;  /* a line is there */
} terminal;

/* Whoever looks at stderr; nobody, unless wanted. Local. To be closed with
 * terminal_close(), which clears the line. Where nobody else handles SIGINT, it clears
 * the line, too, before it ends the program. */
terminal terminal_open(bool wanted);
void     terminal_close(terminal *t);

/* For handlers of signals: remove the line; have the next SIGINT do so, and end the
 * program. Local. */
void terminal_erase(void);
void terminal_catch_interrupt(void);

/* Is the line to be drawn again? At most ten times a second, and not in the first tenth
 * of one: what is quick needs no line. Local. */
bool terminal_is_due(const terminal *t);

/* Characters that fit a line without wrapping it. Local. */
int terminal_width(const terminal *t);

/* Put this line of terminal_width() characters at most in the place of the last one, its
 * first ones painted. Local. */
void terminal_draw(terminal *t, const char *line, int painted);

/* Remove the line. Local. */
void terminal_clear(terminal *t);

/* Print "Word: sentence" on stderr, the word in colour where there are any. Local. */
void terminal_say(const terminal *t, const char *word, const char *sentence);

/* Seconds since some moment. Local. */
double terminal_clock(void);

#endif
