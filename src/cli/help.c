/* SPDX-License-Identifier: BSD-3-Clause
 *
 * help.c - a command line for readers: what --help prints on a terminal. */
#include "help.h"

#include <ctype.h>
#include <string.h>

#include "completion.h"
#include "manual.h"

enum {
    WIDTH      = 80, /* of the help, in characters */
    LEFT       = 28, /* where the second column of the help begins */
    LIST_SIZE  = 512,
    RIGHT_SIZE = 1024
};

const sdca_option sdca_help_option = { .name   = "help",
                                       .letter = 'h',
                                       .kind   = SDCA_OPTION_FLAG,
                                       .help   = "show this text and do nothing else" };

/* Print text[0 .. length - 1], word by word, from that column on; further lines
 * are indented. */
static void print_wrapped(FILE *out, const char *text, size_t length, int column,
                          int indent)
{
    const char *end   = text + length;
    bool        first = true;

    while (text < end) {
        size_t rest = (size_t)(end - text);
        size_t word = 0;

        while (word < rest && text[word] != ' ') {
            word++;
        }
        if (!first && column + 1 + (int)word > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)word, text);
        column += (int)word;
        first = false;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* The default of an option in brackets, or nothing where there is none. */
static void describe_default(const sdca_option *option, char *text, size_t size)
{
    const char *words  = NULL;
    double      number = 0.0;

    text[0] = '\0';
    switch (option->kind) {
    case SDCA_OPTION_FLAG:
        break;
    case SDCA_OPTION_TEXT:
    case SDCA_OPTION_CHOICE:
        words = *(const char **)option->target;
        break;
    case SDCA_OPTION_COUNT:
    case SDCA_OPTION_COUNT_POSITIVE:
        number = (double)*(int64_t *)option->target;
        break;
    default:
        number = *(double *)option->target;
        words  = option->kind == SDCA_OPTION_AUTO && !(number > 0.0) ? "auto" : NULL;
    }
    if (words != NULL) {
        snprintf(text, size, " (default %s)", words);
    } else if (number > 0.0) {
        snprintf(text, size, " (default %.15g)", number);
    }
}

void sdca_help_value(const sdca_option *option, char *text, size_t size)
{
    const bool choice = option->kind == SDCA_OPTION_CHOICE;

    snprintf(text, size, "%s",
             choice                             ? option->name
             : option->kind == SDCA_OPTION_FLAG ? ""
                                                : option->argument);
    for (; choice && *text != '\0'; text++) {
        *text = (char)toupper((unsigned char)*text);
    }
}

void sdca_help_describe(const sdca_option *option, char *text, size_t size)
{
    const bool choice          = option->kind == SDCA_OPTION_CHOICE;
    char       list[LIST_SIZE] = "";
    char       preset[128];

    if (choice) {
        sdca_options_list(option->argument, list, sizeof list);
    }
    describe_default(option, preset, sizeof preset);
    snprintf(text, size, "%s%s%s%s", option->help, choice ? ": " : "", list, preset);
}

/* An option's two columns: how to write it, what it does. The words of a choice
 * stand in the second, where there is room for them. */
static void print_option(FILE *out, const sdca_option *option)
{
    char letter[] = "    ";
    char value[LIST_SIZE];
    char right[RIGHT_SIZE];
    int  column = 0;

    if (option->letter != '\0') {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    sdca_help_value(option, value, sizeof value);
    column = fprintf(out, "  %s--%s%s%s", letter, option->name,
                     value[0] != '\0' ? " " : "", value);
    if (column > LEFT - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", LEFT - column, "");
    sdca_help_describe(option, right, sizeof right);
    print_wrapped(out, right, strlen(right), LEFT, LEFT);
}

static void print_notes(FILE *out, const char *text)
{
    fputc('\n', out);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        if (text[0] == ' ') {
            fprintf(out, "%.*s\n", (int)length, text);
        } else {
            print_wrapped(out, text, length, 0, 0);
        }
        text += length + (text[length] == '\n');
    }
}

const char *sdca_help_exit(const sdca_command_line *line, int exit_status)
{
    for (int k = 0; k < SDCA_STATUS_COUNT; k++) {
        sdca_status status = (sdca_status)k;

        if (sdca_status_exit_code(status) == exit_status &&
            (line->stops || (status != SDCA_BUDGET && status != SDCA_INTERRUPTED))) {
            return sdca_status_description(status);
        }
    }
    return NULL;
}

static void print_exits(FILE *out, const sdca_command_line *line)
{
    char   text[RIGHT_SIZE] = "Exit status:";
    size_t used             = strlen(text);

    for (int code = 0; code < 256; code++) {
        const char *meaning = sdca_help_exit(line, code);

        if (meaning != NULL) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %d %s",
                                     code > 0 ? "," : "", code, meaning);
        }
    }
    fputc('\n', out);
    print_wrapped(out, text, strlen(text), 0, 0);
}

static void print_text(const sdca_command_line *line, FILE *out)
{
    fprintf(out, "usage: sdca%s%s%s%s [options]\n\n", line->command[0] != '\0' ? " " : "",
            line->command, line->operands[0] != '\0' ? " " : "", line->operands);
    print_wrapped(out, line->purpose, strlen(line->purpose), 0, 0);
    fprintf(out, "\noptions:\n");
    for (const sdca_option *option = line->options; option->name != NULL; option++) {
        print_option(out, option);
    }
    print_option(out, &sdca_help_option);
    if (line->notes != NULL) {
        print_notes(out, line->notes);
    }
    print_exits(out, line);
}

bool sdca_help_is_heading(const char *text)
{
    size_t length = strcspn(text, " \n");

    return length > 1 && text[length - 1] == ':' && text[length] != ' ';
}

void sdca_help_print(const sdca_command_line *line, FILE *out)
{
    switch (line->form) {
    case SDCA_HELP_MANUAL:
        sdca_manual_print(line, out);
        break;
    case SDCA_HELP_COMPLETION:
        sdca_completion_print(line, out);
        break;
    default:
        print_text(line, out);
    }
}
