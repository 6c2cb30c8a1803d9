/* SPDX-License-Identifier: BSD-3-Clause
 *
 * help.c - the help text of a command line: what --help prints. */
#include "cli/options/help.h"

#include <ctype.h>
#include <string.h>

#include "cli/options/completion.h"
#include "cli/options/man_page.h"

enum {
    WIDTH              = 80, /* of the text, in characters */
    DESCRIPTION_COLUMN = 30, /* where the descriptions of options start */
    LIST_SIZE          = 512,
    DESCRIPTION_SIZE   = 1024
};

const sdca_option sdca_help_option = { .name       = "help",
                                       .short_name = 'h',
                                       .kind       = SDCA_OPTION_FLAG,
                                       .help       = "print this help and exit",
                                       .group      = SDCA_GROUP_GENERAL };

static const char *const group_titles[] = {
    [SDCA_GROUP_PROBLEM] = "Problem",   [SDCA_GROUP_INPUT] = "Input",
    [SDCA_GROUP_STOPPING] = "Stopping", [SDCA_GROUP_SELECTION] = "Choosing lambda",
    [SDCA_GROUP_OUTPUT] = "Output",     [SDCA_GROUP_RESTART] = "Restart",
    [SDCA_GROUP_PARALLEL] = "Parallel", [SDCA_GROUP_EXPERT] = "Expert",
    [SDCA_GROUP_GENERAL] = "General",
};

_Static_assert(sizeof group_titles / sizeof group_titles[0] == SDCA_GROUP_COUNT,
               "every group of options has a title");

const char *sdca_help_group_title(sdca_option_group group)
{
    return group_titles[group];
}

const sdca_option *sdca_help_next_in_group(const sdca_command_line *line,
                                           sdca_option_group        group,
                                           const sdca_option       *previous)
{
    const sdca_option *option = previous == NULL ? line->options : previous + 1;

    if (previous == &sdca_help_option) {
        return NULL;
    }
    while (option->name != NULL && option->group != group) {
        option++;
    }
    return option->name != NULL          ? option
           : group == SDCA_GROUP_GENERAL ? &sdca_help_option
                                         : NULL;
}

/* Print text[0 .. length - 1], wrapped at blanks. The first line starts at column, the
 * others are indented. */
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

/* The default of an option in brackets, or an empty text if there is none. */
static void describe_default(const sdca_option *option, char *text, size_t size)
{
    const char *words  = NULL;
    double      number = 0.0;
    bool        known  = false; /* also if it is 0 */

    text[0] = '\0';
    switch (option->kind) {
    case SDCA_OPTION_FLAG:
        break;
    case SDCA_OPTION_TEXT:
    case SDCA_OPTION_CHOICE:
        words = *(const char **)option->value;
        break;
    case SDCA_OPTION_COUNT:
    case SDCA_OPTION_COUNT_POSITIVE:
        number = (double)*(int64_t *)option->value;
        known  = option->kind == SDCA_OPTION_COUNT;
        break;
    default:
        number = *(double *)option->value;
        words  = option->kind == SDCA_OPTION_AUTO && !(number > 0.0) ? "auto" : NULL;
    }
    if (words != NULL) {
        snprintf(text, size, " (default %s)", words);
    } else if (known || number > 0.0) {
        snprintf(text, size, " (default %.15g)", number);
    }
}

void sdca_help_value_name(const sdca_option *option, char *text, size_t size)
{
    const bool  choice = option->kind == SDCA_OPTION_CHOICE;
    const char *dash   = strrchr(option->name, '-');

    snprintf(text, size, "%s",
             choice                             ? (dash != NULL ? dash + 1 : option->name)
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
    char       default_text[128];

    if (choice) {
        sdca_option_parser_list_choices(option->argument, list, sizeof list);
    }
    describe_default(option, default_text, sizeof default_text);
    snprintf(text, size, "%s%s%s%s", option->help, choice ? ": " : "", list,
             default_text);
}

/* An option in two columns: its syntax, and its description with the words of a
 * choice. */
static void print_option(FILE *out, const sdca_option *option)
{
    char letter[] = "    ";
    char value[LIST_SIZE];
    char description[DESCRIPTION_SIZE];
    int  column = 0;

    if (option->short_name != '\0') {
        snprintf(letter, sizeof letter, "-%c, ", option->short_name);
    }
    sdca_help_value_name(option, value, sizeof value);
    column = fprintf(out, "  %s--%s%s%s", letter, option->name,
                     value[0] != '\0' ? " " : "", value);
    if (column >= DESCRIPTION_COLUMN) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", DESCRIPTION_COLUMN - column, "");
    sdca_help_describe(option, description, sizeof description);
    print_wrapped(out, description, strlen(description), DESCRIPTION_COLUMN,
                  DESCRIPTION_COLUMN);
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

const char *sdca_help_exit_meaning(const sdca_command_line *line, int exit_status)
{
    for (int k = 0; k < SDCA_STATUS_COUNT; k++) {
        sdca_status status = (sdca_status)k;

        if (sdca_status_exit_code(status) == exit_status &&
            (line->has_budgets ||
             (status != SDCA_BUDGET && status != SDCA_INTERRUPTED))) {
            return sdca_status_description(status);
        }
    }
    return NULL;
}

static void print_exit_statuses(FILE *out, const sdca_command_line *line)
{
    char   text[DESCRIPTION_SIZE] = "Exit status:";
    size_t used                   = strlen(text);

    for (int code = 0; code < 256; code++) {
        const char *meaning = sdca_help_exit_meaning(line, code);

        if (meaning != NULL) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %d %s",
                                     code > 0 ? "," : "", code, meaning);
        }
    }
    fputc('\n', out);
    print_wrapped(out, text, strlen(text), 0, 0);
}

static void print_group(const sdca_command_line *line, sdca_option_group group, FILE *out)
{
    const sdca_option *option = sdca_help_next_in_group(line, group, NULL);

    if (option != NULL) {
        fprintf(out, "\n%s options:\n", sdca_help_group_title(group));
    }
    for (; option != NULL; option = sdca_help_next_in_group(line, group, option)) {
        print_option(out, option);
    }
}

static void print_text(const sdca_command_line *line, FILE *out)
{
    fprintf(out, "usage: sdca%s%s%s%s [options]\n\n", line->command[0] != '\0' ? " " : "",
            line->command, line->operand_names[0] != '\0' ? " " : "",
            line->operand_names);
    print_wrapped(out, line->purpose, strlen(line->purpose), 0, 0);
    for (int group = 0; group < SDCA_GROUP_COUNT; group++) {
        print_group(line, (sdca_option_group)group, out);
    }
    if (line->notes != NULL) {
        print_notes(out, line->notes);
    }
    print_exit_statuses(out, line);
}

bool sdca_help_is_heading(const char *text)
{
    size_t length = strcspn(text, " \n");

    return length > 1 && text[length - 1] == ':' && text[length] != ' ';
}

void sdca_help_print(const sdca_command_line *line, FILE *out)
{
    switch (line->help_form) {
    case SDCA_HELP_MAN_PAGE:
        sdca_man_page_print(line, out);
        break;
    case SDCA_HELP_COMPLETION:
        sdca_completion_print(line, out);
        break;
    default:
        print_text(line, out);
    }
}
