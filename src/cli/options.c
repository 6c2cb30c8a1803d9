/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c - the command line of one subcommand, as a table.
 *
 * getopt_long() is a GNU extension, takes abbreviations, which turn into other
 * options as a program grows, and cannot say what was meant. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH      = 80, /* of the help, in characters */
    LEFT       = 28, /* where the second column of the help begins */
    LONG_WORDS = 48, /* words of this length or more are near to nothing */
    LIST_SIZE  = 512 /* bytes for the words of a choice */
};

/* One option as it stands on the command line. */
typedef struct setting {
    sdca_option *option;
    const char  *spelling; /* -o or --output, as written ... */
    int          length;   /* ... and its length: =VALUE may follow */
    const char  *word;     /* the value, or NULL */
} setting;

/* The candidate nearest to word so far. */
typedef struct nearest {
    const char *word;
    const char *best;
    int         length;
    size_t      distance; /* of the best, or the first one that is too far */
} nearest;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, taken out, replaced, or swapped with their
 * neighbour to get from a to b (optimal string alignment). */
static size_t edit_distance(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t cost[3][LONG_WORDS + 1];

    for (size_t j = 0; j <= columns; j++) {
        cost[0][j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        size_t *before_last = cost[(i + 1) % 3];
        size_t *last        = cost[(i + 2) % 3];
        size_t *here        = cost[i % 3];

        here[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            here[j] = smaller(last[j], here[j - 1]) + 1;
            here[j] = smaller(here[j], last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                here[j] = smaller(here[j], before_last[j - 2] + 1);
            }
        }
    }
    return cost[rows % 3][columns];
}

static nearest begin_search(const char *word)
{
    nearest search = { word, NULL, 0, (strlen(word) + 2) / 3 + 1 };

    return search;
}

static void consider(nearest *search, const char *candidate, size_t length)
{
    size_t typed = strlen(search->word);
    size_t distance;

    if (typed >= LONG_WORDS || length >= LONG_WORDS) {
        return;
    }
    distance = edit_distance(search->word, typed, candidate, length);
    if (typed >= 2 && typed < length && memcmp(search->word, candidate, typed) == 0) {
        distance = 1; /* the rest was left out */
    }
    if (distance < search->distance) {
        search->best     = candidate;
        search->length   = (int)length;
        search->distance = distance;
    }
}

const char *sdca_options_nearest(const char *word, const char *const *words, int count)
{
    nearest search = begin_search(word);

    for (int k = 0; k < count; k++) {
        consider(&search, words[k], strlen(words[k]));
    }
    return search.best;
}

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

static sdca_option *find_letter(const sdca_command_line *line, char letter)
{
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        if (option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

static sdca_status unknown_option(const sdca_command_line *line, const char *word)
{
    int     length = (int)strcspn(word, "=");
    char    name[LONG_WORDS];
    nearest search;

    snprintf(name, sizeof name, "%.*s", length - (int)strspn(word, "-"),
             word + strspn(word, "-"));
    search = begin_search(name);
    consider(&search, "help", strlen("help"));
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        consider(&search, option->name, strlen(option->name));
    }
    if (search.best != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "unknown option '%.*s': did you mean --%s?", length,
                         word, search.best);
    }
    return SDCA_FAIL(SDCA_USAGE, "unknown option '%.*s'; see sdca %s --help", length,
                     word, line->command);
}

/* What an option wants, in words. */
static const char *wanted(const sdca_option *option)
{
    switch (option->kind) {
    case SDCA_OPTION_POSITIVE:
        return "a number above 0";
    case SDCA_OPTION_NATURAL:
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

static sdca_status wrong_value(const setting *set)
{
    return SDCA_FAIL(SDCA_USAGE, "%.*s wants %s, not '%s'", set->length, set->spelling,
                     wanted(set->option), set->word);
}

static sdca_status given_twice(const setting *set)
{
    return SDCA_FAIL(SDCA_USAGE, "%.*s is given twice, the second time as '%s'",
                     set->length, set->spelling, set->word);
}

static sdca_status set_text(const setting *set)
{
    const char **target = set->option->target;

    if (set->option->given && strcmp(*target, set->word) != 0) {
        return given_twice(set);
    }
    *target = set->word;
    return SDCA_OK;
}

/* The words between bars with commas instead; list holds LIST_SIZE bytes. */
static void list_choices(const char *words, char *list)
{
    size_t used = 0;

    for (; *words != '\0' && used + 3 <= LIST_SIZE; words++) {
        if (*words == '|') {
            list[used++] = ',';
        }
        list[used++] = *words != '|' ? *words : ' ';
    }
    list[used] = '\0';
}

static sdca_status set_choice(const setting *set)
{
    nearest search = begin_search(set->word);
    char    list[LIST_SIZE];

    for (const char *word = set->option->argument; *word != '\0';) {
        size_t length = strcspn(word, "|");

        if (strlen(set->word) == length && memcmp(set->word, word, length) == 0) {
            return set_text(set);
        }
        consider(&search, word, length);
        word += length + (word[length] == '|');
    }
    list_choices(set->option->argument, list);
    if (search.best != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "%.*s: '%s' is none of %s: did you mean %.*s?",
                         set->length, set->spelling, set->word, list, search.length,
                         search.best);
    }
    return SDCA_FAIL(SDCA_USAGE, "%.*s: '%s' is none of %s", set->length, set->spelling,
                     set->word, list);
}

/* Is the whole word one finite decimal number? strtod() alone would also take
 * hexadecimal numbers, nan, infinity and leading blanks. */
static bool read_number(const char *word, double *out)
{
    char *end = NULL;

    if (word[strspn(word, "0123456789.eE+-")] != '\0') {
        return false;
    }
    *out = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*out);
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

static sdca_status set_number(const setting *set)
{
    sdca_option *option = set->option;
    double      *target = option->target;
    bool   by_itself = option->kind == SDCA_OPTION_AUTO && strcmp(set->word, "auto") == 0;
    double number    = 0.0;

    if (!by_itself) {
        if (!read_number(set->word, &number) || number < 0.0 ||
            (option->kind != SDCA_OPTION_NATURAL && !(number > 0.0))) {
            return wrong_value(set);
        }
    }
    if (option->given && (number < *target || number > *target)) {
        return given_twice(set);
    }
    *target = number;
    return SDCA_OK;
}

static sdca_status set_count(const setting *set)
{
    sdca_option *option = set->option;
    int64_t     *target = option->target;
    int64_t      count  = 0;

    if (!read_count(set->word, &count) ||
        (option->kind == SDCA_OPTION_COUNT_POSITIVE && count < 1)) {
        return wrong_value(set);
    }
    if (option->given && count != *target) {
        return given_twice(set);
    }
    *target = count;
    return SDCA_OK;
}

static sdca_status set_option(const setting *set)
{
    switch (set->option->kind) {
    case SDCA_OPTION_FLAG:
        *(bool *)set->option->target = true;
        return SDCA_OK;
    case SDCA_OPTION_TEXT:
        return set_text(set);
    case SDCA_OPTION_CHOICE:
        return set_choice(set);
    case SDCA_OPTION_COUNT:
    case SDCA_OPTION_COUNT_POSITIVE:
        return set_count(set);
    default:
        return set_number(set);
    }
}

/* Understand the option in argv[*k], and move *k to the last word that it
 * takes. */
static sdca_status read_option(const sdca_command_line *line, int argc, char **argv,
                               int *k)
{
    const char *word   = argv[*k];
    setting     set    = { NULL, word, 0, NULL };
    sdca_status status = SDCA_OK;

    if (word[1] == '-') {
        size_t length = strcspn(word, "=");

        set.option = find_name(line, word + 2, length - 2);
        set.length = (int)length;
        set.word   = word[length] == '=' ? word + length + 1 : NULL;
    } else if (find_name(line, word + 1, strcspn(word + 1, "=")) == NULL) {
        set.option = find_letter(line, word[1]);
        set.length = 2;
        set.word   = word[2] != '\0' ? word + 2 : NULL;
    }
    if (set.option == NULL) {
        return unknown_option(line, word);
    }
    if (set.option->kind == SDCA_OPTION_FLAG) {
        if (set.word != NULL) {
            return SDCA_FAIL(SDCA_USAGE, "%.*s takes no value, but '%s' is given",
                             set.length, word, set.word);
        }
    } else if (set.word == NULL) {
        /* A value that looks like an option is far more often a forgotten one;
         * where it is meant, --name=VALUE says so. */
        if (*k + 1 == argc || strncmp(argv[*k + 1], "--", 2) == 0) {
            return SDCA_FAIL(SDCA_USAGE,
                             "%.*s wants %s, but nothing follows it; see sdca %s --help",
                             set.length, word, wanted(set.option), line->command);
        }
        set.word = argv[++*k];
    }
    status            = set_option(&set);
    set.option->given = status == SDCA_OK;
    return status;
}

static sdca_status take_operand(sdca_command_line *line, int *count, const char *word)
{
    if (*count == line->most) {
        if (find_name(line, word, strlen(word)) != NULL) {
            return SDCA_FAIL(SDCA_USAGE, "'%s' is one word too many: did you mean --%s?",
                             word, word);
        }
        return SDCA_FAIL(SDCA_USAGE,
                         "%s wants %s: '%s' is one word too many; see sdca %s --help",
                         line->command, line->most > 0 ? line->operands : "options only",
                         word, line->command);
    }
    line->operand[(*count)++] = word;
    return SDCA_OK;
}

sdca_status sdca_options_parse(sdca_command_line *line, int argc, char **argv, bool *help)
{
    bool        options = true;
    int         count   = 0;
    sdca_status status  = SDCA_OK;

    *help = false;
    for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            *help = true;
            return SDCA_OK;
        }
    }
    for (sdca_option *option = line->options; option->name != NULL; option++) {
        option->given = false;
    }
    for (int k = 0; k < line->most; k++) {
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
    if (status == SDCA_OK && count < line->least) {
        status = SDCA_FAIL(SDCA_USAGE, "%s wants %s; see sdca %s --help", line->command,
                           line->operands, line->command);
    }
    return status;
}

bool sdca_options_given(const sdca_command_line *line, const char *name)
{
    const sdca_option *option = find_name(line, name, strlen(name));

    return option != NULL && option->given;
}

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

/* An option's two columns: how to write it, what it does. The words of a choice
 * stand in the second, where there is room for them. */
static void print_option(FILE *out, const sdca_option *option)
{
    const bool choice          = option->kind == SDCA_OPTION_CHOICE;
    char       letter[]        = "    ";
    char       list[LIST_SIZE] = "";
    char       preset[128];
    char       right[1024];
    int        column = 0;

    if (option->letter != '\0') {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    column = fprintf(out, "  %s--%s", letter, option->name);
    if (choice) {
        column += fprintf(out, " ");
        for (const char *c = option->name; *c != '\0'; c++, column++) {
            fputc(toupper((unsigned char)*c), out);
        }
        list_choices(option->argument, list);
    } else if (option->kind != SDCA_OPTION_FLAG) {
        column += fprintf(out, " %s", option->argument);
    }
    if (column > LEFT - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", LEFT - column, "");
    describe_default(option, preset, sizeof preset);
    snprintf(right, sizeof right, "%s%s%s%s", option->help, choice ? ": " : "", list,
             preset);
    print_wrapped(out, right, strlen(right), LEFT, LEFT);
}

void sdca_options_help(const sdca_command_line *line, FILE *out)
{
    bool        unused   = false;
    sdca_option for_help = { "help", 'h',     SDCA_OPTION_FLAG,
                             NULL,   &unused, "show this text and do nothing else",
                             false };

    fprintf(out, "usage: sdca %s %s%s[options]\n\n", line->command, line->operands,
            line->operands[0] != '\0' ? " " : "");
    print_wrapped(out, line->purpose, strlen(line->purpose), 0, 0);
    fprintf(out, "\noptions:\n");
    for (const sdca_option *option = line->options; option->name != NULL; option++) {
        print_option(out, option);
    }
    print_option(out, &for_help);
    if (line->notes != NULL) {
        fputc('\n', out);
        for (const char *text = line->notes; *text != '\0';) {
            size_t length = strcspn(text, "\n");

            if (text[0] == ' ') {
                fprintf(out, "%.*s\n", (int)length, text);
            } else {
                print_wrapped(out, text, length, 0, 0);
            }
            text += length + (text[length] == '\n');
        }
    }
}
