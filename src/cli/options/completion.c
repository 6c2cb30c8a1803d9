/* SPDX-License-Identifier: BSD-3-Clause
 *
 * completion.c - the entries of a command line in the table of completion.bash. */
#include "cli/options/completion.h"

#include <string.h>

#include "cli/options/help.h"

/* Words that are split at |, with blanks instead. */
static void put_choices(FILE *out, const char *words)
{
    for (; *words != '\0'; words++) {
        fputc(*words == '|' ? ' ' : *words, out);
    }
}

/* Patterns for the files that a placeholder such as MODEL.h5 or OUT.csv|OUT.h5 stands
 * for, by their suffixes; FILE is any file, and otherwise is the entry of any other
 * placeholder. */
static void put_files(FILE *out, const char *name, size_t length, const char *otherwise)
{
    while (length > 0) {
        size_t word = strcspn(name, "|");
        size_t stem = strcspn(name, ".|");

        word = word < length ? word : length;
        if (stem + 1 < word && name[stem + 1] != '.') {
            fprintf(out, "@%.*s ", (int)(word - stem), name + stem);
        } else {
            fprintf(out, "%s ",
                    word == 4 && memcmp(name, "FILE", 4) == 0 ? "@" : otherwise);
        }
        word += word < length;
        name += word;
        length -= word;
    }
}

static void put_value(FILE *out, const sdca_option *option)
{
    switch (option->kind) {
    case SDCA_OPTION_FLAG:
        break;
    case SDCA_OPTION_TEXT:
        put_files(out, option->argument, strlen(option->argument), "+");
        break;
    case SDCA_OPTION_CHOICE:
        put_choices(out, option->argument);
        break;
    case SDCA_OPTION_AUTO:
        fputs("auto", out);
        break;
    default:
        fputc('+', out);
    }
}

/* The entries of an option, and its name for the list of all options. */
static void put_option(FILE *out, const sdca_command_line *line,
                       const sdca_option *option)
{
    fprintf(out, "_sdca_expects[%s.--%s]='", line->command, option->name);
    put_value(out, option);
    fputs("'\n", out);
    if (option->short_name != '\0') {
        fprintf(out, "_sdca_expects[%s.-%c]='", line->command, option->short_name);
        put_value(out, option);
        fputs("'\n", out);
    }
    fprintf(out, "_sdca_expects[%s.options]+=' --%s'\n", line->command, option->name);
}

/* The entries of the operands, numbered from 1. */
static void put_operands(FILE *out, const sdca_command_line *line)
{
    const char *name = line->operand_names;

    for (int k = 1; *name != '\0'; k++) {
        size_t length = strcspn(name, " ");
        bool   more   = length > 3 && strncmp(name + length - 3, "...", 3) == 0;

        fprintf(out, "_sdca_expects[%s.%d]='", line->command, k);
        if (k == 1 && line->operand_choices != NULL) {
            put_choices(out, line->operand_choices);
        } else {
            put_files(out, name, length, "@");
        }
        fputs("'\n", out);
        if (more) {
            fprintf(out, "_sdca_expects[%s.more]=${_sdca_expects[%s.%d]}\n",
                    line->command, line->command, k);
        }
        name += length;
        name += strspn(name, " ");
    }
}

void sdca_completion_print(const sdca_command_line *line, FILE *out)
{
    put_operands(out, line);
    for (const sdca_option *option = line->options; option->name != NULL; option++) {
        put_option(out, line, option);
    }
    put_option(out, line, &sdca_help_option);
}
