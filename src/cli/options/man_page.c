/* SPDX-License-Identifier: BSD-3-Clause
 *
 * man_page.c - a command line as the source of a manual page.
 *
 * Uses only what groff and mandoc both support: .TH, .SH, .SS, .TP, .PP, .EX and inline
 * fonts, so that no argument of a macro needs quotes. */
#include "cli/options/man_page.h"

#include <ctype.h>
#include <string.h>

#include "cli/options/help.h"
#include "model/model.h"

enum {
    SENTENCE_SIZE = 1024,
    INDENT        = 2 /* blanks before a term or an example */
};

/* The kinds of lines in notes and details. */
typedef enum line_kind { BLANK, PARAGRAPH, TERM, EXAMPLE } line_kind;

/* One character, escaped for roff. */
static void put_character(FILE *out, char c)
{
    static const struct {
        char        plain;
        const char *roff;
    } special[] = { { '\\', "\\e" },  { '-', "\\-" },   { '\'', "\\(aq" },
                    { '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" },
                    { '"', "\\(dq" } };

    for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) {
        if (c == special[k].plain) {
            fputs(special[k].roff, out);
            return;
        }
    }
    fputc(c, out);
}

static void put_escaped(FILE *out, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        put_character(out, text[k]);
    }
}

/* The same in font B (bold) or I (italic). */
static void put_font(FILE *out, char font, const char *text, size_t length)
{
    if (length > 0) {
        fprintf(out, "\\f%c", font);
        put_escaped(out, text, length);
        fputs("\\fR", out);
    }
}

/* The number of characters of word that are an option: -o or --name. */
static size_t option_length(const char *word)
{
    size_t length = 0;

    if (word[0] == '-' && (isalpha((unsigned char)word[1]) || word[1] == '-')) {
        while (isalpha((unsigned char)word[length]) || word[length] == '-') {
            length++;
        }
    }
    return length > 2 || isalpha((unsigned char)word[1]) ? length : 0;
}

/* text[0 .. length - 1] as a line, with options in bold. */
static void put_line(FILE *out, const char *text, size_t length)
{
    fputs(text[0] == '.' ? "\\&" : "", out); /* or it would be a request */
    while (length > 0) {
        size_t option = option_length(text);
        size_t next   = option;

        while (next < length && text[next] != ' ') {
            next++;
        }
        while (next < length && text[next] == ' ') {
            next++;
        }
        put_font(out, 'B', text, option);
        put_escaped(out, text + option, next - option);
        text += next;
        length -= next;
    }
    fputc('\n', out);
}

static void put_sentence(FILE *out, const char *text)
{
    put_line(out, text, strlen(text));
}

/* "sdca", or "sdca" and the subcommand with the separator between them. */
static void put_name(FILE *out, const sdca_command_line *line, const char *separator)
{
    fprintf(out, "sdca%s%s", line->command[0] != '\0' ? separator : "", line->command);
}

static void put_head(FILE *out, const sdca_command_line *line)
{
    fputs(".TH ", out);
    put_name(out, line, "\\-");
    fprintf(out, " 1 \"\" \"sdca %s\" \"User Commands\"\n.nh\n.SH NAME\n",
            sdca_version());
    put_name(out, line, "\\-");
    fprintf(out, " \\- %c", tolower((unsigned char)line->purpose[0]));
    put_line(out, line->purpose + 1, strlen(line->purpose) - 2); /* no full stop */
    fputs(".SH SYNOPSIS\n\\fB", out);
    put_name(out, line, " ");
    fputs("\\fR ", out);
    put_font(out, 'I', line->operand_names, strlen(line->operand_names));
    fprintf(out, "%s[options]\n", line->operand_names[0] != '\0' ? " " : "");
}

static void put_option(FILE *out, const sdca_option *option)
{
    char text[SENTENCE_SIZE];

    fputs(".TP\n", out);
    if (option->short_name != '\0') {
        fprintf(out, "\\fB\\-%c\\fR, ", option->short_name);
    }
    fputs("\\fB\\-\\-", out);
    put_escaped(out, option->name, strlen(option->name));
    sdca_help_value_name(option, text, sizeof text);
    fputs(text[0] != '\0' ? "\\fR " : "\\fR", out);
    put_font(out, 'I', text, strlen(text));
    fputc('\n', out);
    sdca_help_describe(option, text, sizeof text);
    put_sentence(out, text);
}

/* A term, at least two blanks, and its description. */
static void put_term(FILE *out, const char *text, size_t length)
{
    size_t term = 0;
    size_t gap  = 0;

    while (term < length && strncmp(text + term, "  ", 2) != 0) {
        term++;
    }
    gap = strspn(text + term, " ");
    fputs(".TP\n", out);
    put_font(out, 'B', text, term);
    fputc('\n', out);
    put_line(out, text + term + gap, length - term - gap);
}

/* The lines of text up to end. Those that start with a blank are terms if terms is true,
 * else examples. */
static void put_lines(FILE *out, const char *text, const char *end, bool terms)
{
    line_kind previous = BLANK;
    bool      first    = true;

    while (text < end) {
        size_t    length  = strcspn(text, "\n");
        line_kind current = length == 0      ? BLANK
                            : text[0] != ' ' ? PARAGRAPH
                            : terms          ? TERM
                                             : EXAMPLE;

        if (previous == EXAMPLE && current != EXAMPLE) {
            fputs(".EE\n", out);
        }
        if (!first && current != previous &&
            (current == PARAGRAPH || current == EXAMPLE)) {
            fputs(".PP\n", out);
        }
        if (current == EXAMPLE && previous != EXAMPLE) {
            fputs(".EX\n", out);
        }
        if (current == TERM) {
            put_term(out, text + INDENT, length - INDENT);
        } else if (current == EXAMPLE) {
            put_line(out, text + INDENT, length - INDENT);
        } else if (current == PARAGRAPH) {
            put_line(out, text, length);
        }
        first    = first && current == BLANK;
        previous = current;
        text += length + (text[length] == '\n');
    }
    fputs(previous == EXAMPLE ? ".EE\n" : "", out);
}

/* The next heading, or the end of the text. */
static const char *find_heading(const char *text)
{
    while (*text != '\0' && !sdca_help_is_heading(text)) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* The text before the first heading. */
static void put_description(FILE *out, const char *text)
{
    if (text != NULL && !sdca_help_is_heading(text)) {
        fputs(".PP\n", out);
        put_lines(out, text, find_heading(text), false);
    }
}

/* One section per heading. */
static void put_sections(FILE *out, const char *text)
{
    text = text != NULL ? find_heading(text) : "";
    while (*text != '\0') {
        size_t      length = strcspn(text, ":");
        const char *body   = text + length + strspn(text + length, ":\n");
        const char *end    = find_heading(body);

        fputs(".SH ", out);
        for (size_t k = 0; k < length; k++) {
            fputc(toupper((unsigned char)text[k]), out);
        }
        fputc('\n', out);
        put_lines(out, body, end, strncmp(text, "Example", strlen("Example")) != 0);
        text = end;
    }
}

static void put_exit_statuses(FILE *out, const sdca_command_line *line)
{
    fputs(".SH EXIT STATUS\n", out);
    for (int code = 0; code < 256; code++) {
        const char *meaning = sdca_help_exit_meaning(line, code);

        if (meaning != NULL) {
            fprintf(out, ".TP\n\\fB%d\\fR\n", code);
            put_sentence(out, meaning);
        }
    }
}

/* One subsection per group of options. */
static void put_options(FILE *out, const sdca_command_line *line)
{
    fputs(".SH OPTIONS\n", out);
    for (int k = 0; k < SDCA_GROUP_COUNT; k++) {
        sdca_option_group  group  = (sdca_option_group)k;
        const sdca_option *option = sdca_help_next_in_group(line, group, NULL);

        if (option != NULL) {
            fprintf(out, ".SS %s options\n", sdca_help_group_title(group));
        }
        for (; option != NULL; option = sdca_help_next_in_group(line, group, option)) {
            put_option(out, option);
        }
    }
}

void sdca_man_page_print(const sdca_command_line *line, FILE *out)
{
    put_head(out, line);
    fputs(".SH DESCRIPTION\n", out);
    put_sentence(out, line->purpose);
    put_description(out, line->notes);
    put_description(out, line->details);
    put_options(out, line);
    put_exit_statuses(out, line);
    put_sections(out, line->details);
    put_sections(out, line->sections);
    put_sections(out, line->notes);
    fprintf(out, ".SH SEE ALSO\n%s\n",
            line->command[0] != '\0' ? "\\fBsdca\\fR(1)" : "\\fBmpirun\\fR(1)");
}
