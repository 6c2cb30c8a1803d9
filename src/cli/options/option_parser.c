/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_parser.c - the command line of one subcommand, as a table.
 *
 * getopt_long() is a GNU extension, accepts abbreviations, whose meaning changes when
 * a program gets more options, and makes no suggestions. */
#include "cli/options/option_parser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/closest_word.h"

enum { LIST_SIZE = 512 /* bytes for the words of a choice */ };

/* One option as written on the command line. */
typedef struct parsed_option {
    sdca_option *option;
    const char  *spelling; /* -o or --output, as written ... */
    int          length;   /* ... and its length: =VALUE may follow */
    const char  *word;     /* the value, or NULL */
} parsed_option;

/* The option called name[0 .. length - 1], or NULL. */
static sdca_option *find_name(const sdca_command_line *line, const char *name,
                              size_t length)
{
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static sdca_option *find_short_name(const sdca_command_line *line, char short_name)
{
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        if (option->short_name == short_name) {
            return option;
        }
    }
    return NULL;
}

static sdca_status unknown_option(const sdca_command_line *line, const char *word)
{
    int          length = (int)strcspn(word, "=");
    char         name[CLOSEST_WORD_MAX];
    closest_word search;

    snprintf(name, sizeof name, "%.*s", length - (int)strspn(word, "-"),
             word + strspn(word, "-"));
    search = closest_word_begin(name);
    closest_word_consider(&search, "help", strlen("help"));
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        closest_word_consider(&search, option->name, strlen(option->name));
    }
    if (search.best != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "unknown option '%.*s': did you mean --%s?", length,
                         word, search.best);
    }
    return SDCA_FAIL(SDCA_USAGE, "unknown option '%.*s'; see sdca %s --help", length,
                     word, line->command);
}

/* The values that an option accepts, in words. */
static const char *expected_value(const sdca_option *option)
{
    switch (option->kind) {
    case SDCA_OPTION_NUMBER:
        return "a number";
    case SDCA_OPTION_POSITIVE:
        return "a number above 0";
    case SDCA_OPTION_NONNEGATIVE:
        return "a number of at least 0";
    case SDCA_OPTION_AUTO:
        return "auto or a number above 0";
    case SDCA_OPTION_COUNT:
        return "a whole number of at least 0";
    case SDCA_OPTION_COUNT_POSITIVE:
        return "a whole number of at least 1";
    default:
        return option->argument;
    }
}

static bool is_count(const sdca_option *option)
{
    return option->kind == SDCA_OPTION_COUNT ||
           option->kind == SDCA_OPTION_COUNT_POSITIVE;
}

/* Is the whole word one decimal number, infinite if it is too large for a double?
 * strtod() alone would also take hexadecimal numbers, nan, infinity and leading
 * blanks. */
static bool read_decimal(const char *word, double *out)
{
    char *end = NULL;

    if (word[strspn(word, "0123456789.eE+-")] != '\0') {
        return false;
    }
    *out = strtod(word, &end);
    return end != word && *end == '\0';
}

static sdca_status wrong_value(const parsed_option *parsed)
{
    bool   count  = is_count(parsed->option);
    double number = 0.0;

    if (read_decimal(parsed->word, &number) && number >= (count ? 0x1p63 : INFINITY)) {
        return SDCA_FAIL(SDCA_USAGE, "%.*s expects %s and at most %s, not '%s'",
                         parsed->length, parsed->spelling, expected_value(parsed->option),
                         count ? "9223372036854775807" : "1.79e308", parsed->word);
    }
    return SDCA_FAIL(SDCA_USAGE, "%.*s expects %s, not '%s'", parsed->length,
                     parsed->spelling, expected_value(parsed->option), parsed->word);
}

static sdca_status given_twice(const parsed_option *parsed)
{
    return SDCA_FAIL(SDCA_USAGE, "%.*s is given twice, the second time as '%s'",
                     parsed->length, parsed->spelling, parsed->word);
}

static sdca_status set_text(const parsed_option *parsed)
{
    const char **value = parsed->option->value;

    if (parsed->option->given && strcmp(*value, parsed->word) != 0) {
        return given_twice(parsed);
    }
    *value = parsed->word;
    return SDCA_OK;
}

void sdca_option_parser_list_choices(const char *words, char *list, size_t size)
{
    size_t used = 0;

    for (; *words != '\0' && used + 3 <= size; words++) {
        if (*words == '|') {
            list[used++] = ',';
        }
        list[used++] = *words != '|' ? *words : ' ';
    }
    list[used] = '\0';
}

/* Is word one of the choices, which are split at |? name[0 .. length - 1] is the option
 * or operand. */
static sdca_status check_choice(const char *name, int length, const char *choices,
                                const char *word)
{
    closest_word search = closest_word_begin(word);
    char         list[LIST_SIZE];

    for (const char *choice = choices; *choice != '\0';) {
        size_t word_length = strcspn(choice, "|");

        if (strlen(word) == word_length && memcmp(word, choice, word_length) == 0) {
            return SDCA_OK;
        }
        closest_word_consider(&search, choice, word_length);
        choice += word_length + (choice[word_length] == '|');
    }
    sdca_option_parser_list_choices(choices, list, sizeof list);
    if (search.best != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "%.*s: '%s' is not one of %s: did you mean %.*s?",
                         length, name, word, list, search.length, search.best);
    }
    return SDCA_FAIL(SDCA_USAGE, "%.*s: '%s' is not one of %s", length, name, word, list);
}

static sdca_status set_choice(const parsed_option *parsed)
{
    sdca_status status = check_choice(parsed->spelling, parsed->length,
                                      parsed->option->argument, parsed->word);

    return status == SDCA_OK ? set_text(parsed) : status;
}

static bool read_number(const char *word, double *out)
{
    return read_decimal(word, out) && isfinite(*out);
}

/* Is the whole word one whole number of at least 0? 1e6 is one as well. */
static bool read_count(const char *word, int64_t *out)
{
    double number = 0.0;

    if (word[0] != '\0' && word[strspn(word, "0123456789")] == '\0') {
        errno = 0;
        *out  = strtoll(word, NULL, 10);
        return errno == 0;
    }
    if (!read_number(word, &number) || number < 0.0 || number >= 0x1p63 ||
        floor(number) < number) {
        return false;
    }
    *out = (int64_t)number;
    return true;
}

/* Is this a value of the option, which takes a number? */
static bool is_allowed(const sdca_option *option, double number)
{
    return option->kind == SDCA_OPTION_NUMBER || number > 0.0 ||
           (option->kind == SDCA_OPTION_NONNEGATIVE && number == 0.0);
}

static sdca_status set_number(const parsed_option *parsed)
{
    sdca_option *option = parsed->option;
    double      *value  = option->value;
    bool is_auto  = option->kind == SDCA_OPTION_AUTO && strcmp(parsed->word, "auto") == 0;
    double number = 0.0;

    if (!is_auto) {
        if (!read_number(parsed->word, &number) || !is_allowed(option, number)) {
            return wrong_value(parsed);
        }
    }
    if (option->given && (number < *value || number > *value)) {
        return given_twice(parsed);
    }
    *value = number;
    return SDCA_OK;
}

static sdca_status set_count(const parsed_option *parsed)
{
    sdca_option *option = parsed->option;
    int64_t     *value  = option->value;
    int64_t      count  = 0;

    if (!read_count(parsed->word, &count) ||
        (option->kind == SDCA_OPTION_COUNT_POSITIVE && count < 1)) {
        return wrong_value(parsed);
    }
    if (option->given && count != *value) {
        return given_twice(parsed);
    }
    *value = count;
    return SDCA_OK;
}

static sdca_status set_option(const parsed_option *parsed)
{
    switch (parsed->option->kind) {
    case SDCA_OPTION_FLAG:
        *(bool *)parsed->option->value = true;
        return SDCA_OK;
    case SDCA_OPTION_TEXT:
        return set_text(parsed);
    case SDCA_OPTION_CHOICE:
        return set_choice(parsed);
    case SDCA_OPTION_COUNT:
    case SDCA_OPTION_COUNT_POSITIVE:
        return set_count(parsed);
    default:
        return set_number(parsed);
    }
}

/* Parse the option in argv[*k], and advance *k to its last word. */
static sdca_status read_option(const sdca_command_line *line, int argc, char **argv,
                               int *k)
{
    const char   *word   = argv[*k];
    parsed_option parsed = { NULL, word, 0, NULL };
    sdca_status   status = SDCA_OK;

    if (word[1] == '-') {
        size_t length = strcspn(word, "=");

        parsed.option = find_name(line, word + 2, length - 2);
        parsed.length = (int)length;
        parsed.word   = word[length] == '=' ? word + length + 1 : NULL;
    } else if (find_name(line, word + 1, strcspn(word + 1, "=")) == NULL) {
        parsed.option = find_short_name(line, word[1]);
        parsed.length = 2;
        parsed.word   = word[2] != '\0' ? word + 2 : NULL;
    }
    if (parsed.option == NULL) {
        return unknown_option(line, word);
    }
    if (parsed.option->kind == SDCA_OPTION_FLAG) {
        if (parsed.word != NULL) {
            return SDCA_FAIL(SDCA_USAGE, "%.*s takes no value, but '%s' is given",
                             parsed.length, word, parsed.word);
        }
    } else if (parsed.word == NULL) {
        /* A value that looks like an option usually means that the value is missing;
         * --name=VALUE accepts it. */
        if (*k + 1 == argc || strncmp(argv[*k + 1], "--", 2) == 0) {
            return SDCA_FAIL(
                SDCA_USAGE, "%.*s expects %s, but no value follows; see sdca %s --help",
                parsed.length, word, expected_value(parsed.option), line->command);
        }
        parsed.word = argv[++*k];
    }
    status               = set_option(&parsed);
    parsed.option->given = status == SDCA_OK;
    return status;
}

static sdca_status take_operand(sdca_command_line *line, int *count, const char *word)
{
    if (*count == line->max_operands) {
        if (find_name(line, word, strlen(word)) != NULL) {
            return SDCA_FAIL(SDCA_USAGE, "unexpected argument '%s': did you mean --%s?",
                             word, word);
        }
        return SDCA_FAIL(
            SDCA_USAGE, "%s expects %s: unexpected argument '%s'; see sdca %s --help",
            line->command, line->max_operands > 0 ? line->operand_names : "options only",
            word, line->command);
    }
    line->operand[(*count)++] = word;
    return *count > 1 || line->operand_choices == NULL
               ? SDCA_OK
               : check_choice(line->operand_names, (int)strcspn(line->operand_names, " "),
                              line->operand_choices, word);
}

sdca_help_form sdca_option_parser_help_form(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ? SDCA_HELP_TEXT
           : strcmp(word, "--help=man") == 0                      ? SDCA_HELP_MAN_PAGE
           : strcmp(word, "--help=completion") == 0               ? SDCA_HELP_COMPLETION
                                                                  : SDCA_HELP_NONE;
}

sdca_help_form sdca_option_parser_find_help(int argc, char **argv)
{
    sdca_help_form form = SDCA_HELP_NONE;

    for (int k = 0; k < argc && form == SDCA_HELP_NONE && strcmp(argv[k], "--") != 0;
         k++) {
        form = sdca_option_parser_help_form(argv[k]);
    }
    return form;
}

sdca_status sdca_option_parser_run(sdca_command_line *line, int argc, char **argv,
                                   bool *help)
{
    bool        options = true;
    int         count   = 0;
    sdca_status status  = SDCA_OK;

    line->help_form = sdca_option_parser_find_help(argc, argv);
    *help           = line->help_form != SDCA_HELP_NONE;
    if (*help) {
        return SDCA_OK;
    }
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        option->given = false;
    }
    for (int k = 0; k < line->max_operands; k++) {
        line->operand[k] = NULL;
    }
    for (int k = 0; k < argc && status == SDCA_OK; k++) {
        if (options && strcmp(argv[k], "--") == 0) {
            options = false;
        } else if (options && argv[k][0] == '-' && argv[k][1] != '\0') {
            status = read_option(line, argc, argv, &k);
        } else {
            status = take_operand(line, &count, argv[k]);
        }
    }
    if (status == SDCA_OK && count < line->min_operands) {
        status = SDCA_FAIL(SDCA_USAGE, "%s expects %s; see sdca %s --help", line->command,
                           line->operand_names, line->command);
    }
    return status;
}

bool sdca_option_parser_is_given(const sdca_command_line *line, const char *name)
{
    const sdca_option *option = find_name(line, name, strlen(name));

    return option != NULL && option->given;
}
