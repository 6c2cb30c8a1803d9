/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_option_parser.c - parsing of command lines, and messages on mistakes.
 *
 * All tests use one artificial command with an option of every kind. */
#include "cli/options/option_parser.h"

#include "support/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/closest_word.h"
#include "cli/options/help.h"

enum { OPTIONS = 9, MOST_WORDS = 16, LONGEST = 8192 };

static struct {
    const char *operand[2];
    const char *out;
    const char *loss;
    double      lambda;
    double      epsilon;
    double      sigma;
    int64_t     seed;
    int64_t     rounds;
    bool        quiet;
    const char *every;
} got;

static sdca_option       table[OPTIONS + 1];
static sdca_command_line line;

/* Restore the defaults. */
static void reset(void)
{
    const sdca_option fresh[OPTIONS + 1] = {
        { "model", 'o', SDCA_OPTION_TEXT, "FILE", &got.out, "where it goes",
          SDCA_GROUP_OUTPUT, false },
        { "loss", 0, SDCA_OPTION_CHOICE, "hinge|smooth-hinge|logistic", &got.loss,
          "what is minimised", SDCA_GROUP_PROBLEM, false },
        { "lambda", 0, SDCA_OPTION_POSITIVE, "L", &got.lambda,
          "how much a long w costs, in a sentence that is long enough to need more "
          "than one line of the help",
          SDCA_GROUP_PROBLEM, false },
        { "epsilon", 0, SDCA_OPTION_NONNEGATIVE, "E", &got.epsilon, "width",
          SDCA_GROUP_PROBLEM, false },
        { "sigma", 0, SDCA_OPTION_AUTO, "auto|X", &got.sigma, "caution",
          SDCA_GROUP_PARALLEL, false },
        { "seed", 0, SDCA_OPTION_COUNT, "N", &got.seed, "which numbers",
          SDCA_GROUP_EXPERT, false },
        { "rounds", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &got.rounds, "a budget",
          SDCA_GROUP_STOPPING, false },
        { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &got.quiet, "say nothing",
          SDCA_GROUP_OUTPUT, false },
        { "checkpoint-every", 0, SDCA_OPTION_TEXT, "10m|500r", &got.every, "how often",
          SDCA_GROUP_RESTART, false },
        { .name = NULL },
    };

    memset(&got, 0, sizeof got);
    got.loss    = "hinge";
    got.epsilon = 0.25;
    got.seed    = 7;
    memcpy(table, fresh, sizeof table);
    line = (sdca_command_line){ .command       = "train",
                                .purpose       = "Train on data.",
                                .operand_names = "DATA.h5 [MORE.h5]",
                                .min_operands  = 1,
                                .max_operands  = 2,
                                .operand       = got.operand,
                                .options       = table,
                                .notes         = "A note.\n  an   example\n",
                                .details       = ".dot 'quote' back\\slash --seed=1\n"
                                                 "Files:\n"
                                                 "  a-b  a term\n" };
}

/* Parse words separated by single blanks, for a fresh command. They are valid until the
 * next call. */
static sdca_status parse(const char *words, bool *help)
{
    static char text[LONGEST];
    char       *word[MOST_WORDS];
    int         count = 0;

    reset();
    ck_assert_uint_lt(strlen(words), sizeof text);
    strcpy(text, words);
    for (char *next = strtok(text, " "); next != NULL; next = strtok(NULL, " ")) {
        ck_assert_int_lt(count, MOST_WORDS);
        word[count++] = next;
    }
    return sdca_option_parser_run(&line, count, word, help);
}

static void assert_accepted(const char *words)
{
    bool help = true;

    ck_assert_msg(parse(words, &help) == SDCA_OK, "'%s': %s", words,
                  sdca_status_message());
    ck_assert(!help);
}

START_TEST(both_option_forms_are_equivalent)
{
    static const char *const forms[] = {
        "d --model m --loss logistic --lambda 1e-4 --epsilon 0 --sigma 2 --seed 5 "
        "--rounds 9 --quiet",
        "--model=m --loss=logistic --lambda=1e-4 --epsilon=0 --sigma=2 --seed=5 "
        "--rounds=9 -q d",
        "-o m --loss logistic d --lambda=.0001 --epsilon 0.0 --sigma=2e0 --seed 5 "
        "--rounds 9e0 -q",
        "-om --loss logistic --lambda 1E-4 --epsilon 0 --sigma 2 --seed 5 --rounds 9 -q "
        "-- d",
    };

    assert_accepted(forms[_i]);
    ck_assert_str_eq(got.operand[0], "d");
    ck_assert_ptr_null(got.operand[1]);
    ck_assert_str_eq(got.out, "m");
    ck_assert_str_eq(got.loss, "logistic");
    ck_assert(got.lambda == 1e-4);
    ck_assert(got.epsilon == 0.0);
    ck_assert(got.sigma == 2.0);
    ck_assert_int_eq(got.seed, 5);
    ck_assert_int_eq(got.rounds, 9);
    ck_assert(got.quiet);
}
END_TEST

START_TEST(missing_options_keep_their_default)
{
    assert_accepted("d --rounds 3");
    ck_assert_str_eq(got.loss, "hinge");
    ck_assert(got.epsilon == 0.25);
    ck_assert_int_eq(got.seed, 7);
    ck_assert_ptr_null(got.out);
    ck_assert(!got.quiet);
    ck_assert(sdca_option_parser_is_given(&line, "rounds"));
    ck_assert(!sdca_option_parser_is_given(&line, "seed"));
    ck_assert(!sdca_option_parser_is_given(&line, "no-such-option"));
}
END_TEST

START_TEST(operands_anywhere)
{
    assert_accepted("a --seed 1 b -q");
    ck_assert_str_eq(got.operand[0], "a");
    ck_assert_str_eq(got.operand[1], "b");
    assert_accepted("- -q -- -q");
    ck_assert_str_eq(got.operand[0], "-");
    ck_assert_str_eq(got.operand[1], "-q");
    assert_accepted("-- --help");
    ck_assert_str_eq(got.operand[0], "--help");
}
END_TEST

START_TEST(values_may_begin_with_a_dash)
{
    assert_accepted("d --model=--x=y");
    ck_assert_str_eq(got.out, "--x=y");
    assert_accepted("d -o -");
    ck_assert_str_eq(got.out, "-");
    assert_accepted("d --model=");
    ck_assert_str_eq(got.out, "");
}
END_TEST

START_TEST(counts_are_exact)
{
    assert_accepted("d --seed 9223372036854775807");
    ck_assert_int_eq(got.seed, INT64_MAX);
    assert_accepted("d --seed 0");
    ck_assert_int_eq(got.seed, 0);
    assert_accepted("d --seed 1e6");
    ck_assert_int_eq(got.seed, 1000000);
    assert_accepted("d --seed 2.5e1");
    ck_assert_int_eq(got.seed, 25);
}
END_TEST

START_TEST(auto_is_zero)
{
    assert_accepted("d --sigma auto");
    ck_assert(got.sigma == 0.0);
    ck_assert(sdca_option_parser_is_given(&line, "sigma"));
}
END_TEST

START_TEST(repeating_the_same_value_is_allowed)
{
    assert_accepted("d --seed 10 --seed=1e1 --lambda 1 --lambda 1.0 -q --quiet");
    assert_accepted(
        "d -o m --model m --loss hinge --loss=hinge --sigma auto --sigma auto");
}
END_TEST

#define HELP "; see sdca train --help"
#define LOSSES "hinge, smooth-hinge, logistic"
#define MOST "9223372036854775807"

static const struct {
    const char *words;
    const char *why;
} refused[] = {
    { "d --lamda 1", "unknown option '--lamda': did you mean --lambda?" },
    { "d --lamdba=1", "unknown option '--lamdba': did you mean --lambda?" },
    { "d --lam=1", "unknown option '--lam': did you mean --lambda?" },
    { "d --hlep", "unknown option '--hlep': did you mean --help?" },
    { "d -seed 1", "unknown option '-seed': did you mean --seed?" },
    { "d --checkpoint 1",
      "unknown option '--checkpoint': did you mean --checkpoint-every?" },
    { "d --frobnicate", "unknown option '--frobnicate'" HELP },
    { "d -x", "unknown option '-x'" HELP },
    { "d --=3", "unknown option '--'" HELP },
    { "d --loss hing", "--loss: 'hing' is not one of " LOSSES ": did you mean hinge?" },
    { "d --loss=smoothhinge",
      "--loss: 'smoothhinge' is not one of " LOSSES ": did you mean smooth-hinge?" },
    { "d --loss zebra", "--loss: 'zebra' is not one of " LOSSES },
    { "d --loss=", "--loss: '' is not one of " LOSSES },
    { "d --lambda abc", "--lambda expects a number above 0, not 'abc'" },
    { "d --lambda 0", "--lambda expects a number above 0, not '0'" },
    { "d --lambda -1", "--lambda expects a number above 0, not '-1'" },
    { "d --lambda 1e-4x", "--lambda expects a number above 0, not '1e-4x'" },
    { "d --lambda nan", "--lambda expects a number above 0, not 'nan'" },
    { "d --lambda inf", "--lambda expects a number above 0, not 'inf'" },
    { "d --lambda 1e999",
      "--lambda expects a number above 0 and at most 1.79e308, not '1e999'" },
    { "d --lambda -1e999", "--lambda expects a number above 0, not '-1e999'" },
    { "d --lambda 0x10", "--lambda expects a number above 0, not '0x10'" },
    { "d --lambda=", "--lambda expects a number above 0, not ''" },
    { "d --lambda 1,5", "--lambda expects a number above 0, not '1,5'" },
    { "d --epsilon -0.1", "--epsilon expects a number of at least 0, not '-0.1'" },
    { "d --sigma 0", "--sigma expects auto or a number above 0, not '0'" },
    { "d --sigma automatic",
      "--sigma expects auto or a number above 0, not 'automatic'" },
    { "d --seed -1", "--seed expects a whole number of at least 0, not '-1'" },
    { "d --seed 1.5", "--seed expects a whole number of at least 0, not '1.5'" },
    { "d --seed 9223372036854775808",
      "--seed expects a whole number of at least 0 and at most " MOST
      ", not '9223372036854775808'" },
    { "d --seed 1e30",
      "--seed expects a whole number of at least 0 and at most " MOST ", not '1e30'" },
    { "d --rounds 1e999",
      "--rounds expects a whole number of at least 1 and at most " MOST ", not '1e999'" },
    { "d --seed -1e30", "--seed expects a whole number of at least 0, not '-1e30'" },
    { "d --rounds 0", "--rounds expects a whole number of at least 1, not '0'" },
    { "d --lambda", "--lambda expects a number above 0, but no value follows" HELP },
    { "d -o", "-o expects FILE, but no value follows" HELP },
    { "d --model --quiet", "--model expects FILE, but no value follows" HELP },
    { "d --quiet=yes", "--quiet takes no value, but 'yes' is given" },
    { "d -qv", "-q takes no value, but 'v' is given" },
    { "d --seed 1 --seed 2", "--seed is given twice, the second time as '2'" },
    { "d --lambda 1 --lambda=2", "--lambda is given twice, the second time as '2'" },
    { "d --sigma auto --sigma 1", "--sigma is given twice, the second time as '1'" },
    { "d -o a --model b", "--model is given twice, the second time as 'b'" },
    { "d --loss hinge --loss logistic",
      "--loss is given twice, the second time as 'logistic'" },
    { "", "train expects DATA.h5 [MORE.h5]" HELP },
    { "--seed 3", "train expects DATA.h5 [MORE.h5]" HELP },
    { "a b c", "train expects DATA.h5 [MORE.h5]: unexpected argument 'c'" HELP },
    { "a b lambda 1", "unexpected argument 'lambda': did you mean --lambda?" },
};

START_TEST(mistakes_give_one_message)
{
    bool help = true;

    ck_assert_int_eq(parse(refused[_i].words, &help), SDCA_USAGE);
    ck_assert_str_eq(sdca_status_message(), refused[_i].why);
    ck_assert(!help);
}
END_TEST

START_TEST(very_long_words_are_safe)
{
    char words[LONGEST] = "d --";
    bool help           = false;

    memset(words + 4, 'x', 3000);
    words[3004] = '\0';
    ck_assert_int_eq(parse(words, &help), SDCA_USAGE);
    memcpy(words, "d --loss=", 9);
    ck_assert_int_eq(parse(words, &help), SDCA_USAGE);
    memcpy(words, "d --seed=", 9);
    ck_assert_int_eq(parse(words, &help), SDCA_USAGE);
    ck_assert_uint_lt(strlen(sdca_status_message()), SDCA_MESSAGE_SIZE);
}
END_TEST

START_TEST(help_comes_before_mistakes)
{
    static const char *const words[] = { "--help", "-h", "--nonsense --lambda x --help",
                                         "a b c d -h", "--help=man" };
    bool                     help    = false;

    ck_assert_int_eq(parse(words[_i], &help), SDCA_OK);
    ck_assert(help);
    ck_assert(got.lambda == 0.0);
}
END_TEST

/* The help of the command, in one format. */
static const char *help_text(sdca_help_form form)
{
    static char text[LONGEST];
    FILE       *file = tmpfile();
    size_t      length;

    ck_assert_ptr_nonnull(file);
    reset();
    line.help_form = form;
    sdca_help_print(&line, file);
    rewind(file);
    length       = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

START_TEST(help_shows_every_option)
{
    const char *text = help_text(SDCA_HELP_TEXT);

    ck_assert_ptr_eq(strstr(text, "usage: sdca train DATA.h5 [MORE.h5] [options]\n"),
                     text);
    ck_assert_ptr_nonnull(strstr(text, "\nTrain on data.\n"));
    for (const sdca_option *option = table; option->name != NULL; option++) {
        char dashed[64];

        snprintf(dashed, sizeof dashed, "--%s", option->name);
        ck_assert_msg(strstr(text, dashed) != NULL, "%s is not in the help", dashed);
    }
    ck_assert_ptr_nonnull(strstr(text, "  -o, --model FILE            where it goes\n"));
    ck_assert_ptr_nonnull(strstr(text, "  -h, --help "));
    ck_assert_ptr_nonnull(
        strstr(text, "what is minimised: hinge, smooth-hinge, logistic\n"));
    ck_assert_ptr_nonnull(strstr(text, "(default hinge)\n"));
    ck_assert_ptr_nonnull(strstr(text, "width (default 0.25)\n"));
    ck_assert_ptr_nonnull(strstr(text, "caution (default auto)\n"));
    ck_assert_ptr_nonnull(strstr(text, "which numbers (default 7)\n"));
    ck_assert_ptr_nonnull(strstr(text, "a budget\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nA note.\n  an   example\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nExit status: 0 success, 64 "));
    ck_assert_ptr_null(strstr(text, "a term"));
}
END_TEST

/* e2e/man_pages.sh compares pages with the help; this tests what only an artificial
 * command has. */
START_TEST(manual_escapes_roff_characters)
{
    const char *text = help_text(SDCA_HELP_MAN_PAGE);

    ck_assert_ptr_nonnull(strstr(text, "\nsdca\\-train \\- train on data\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n.EX\nan   example\n.EE\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n\\&.dot \\(aqquote\\(aq back\\eslash \\fB\\-\\-seed\\fR=1\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n.SH FILES\n.TP\n\\fBa\\-b\\fR\na term\n.SH SEE ALSO\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n.TP\n\\fB0\\fR\nsuccess\n.TP\n\\fB64\\fR\n"));
}
END_TEST

START_TEST(completion_lists_options_and_values)
{
    static const char *const entries[] = {
        "[train.1]='@.h5 '",
        "[train.--loss]='hinge smooth-hinge logistic'",
        "[train.-o]='@ '",
        "[train.--lambda]='+'",
        "[train.--sigma]='auto'",
        "[train.--checkpoint-every]='+ + '",
        "[train.--quiet]=''",
        "[train.options]+=' --quiet'",
        "[train.options]+=' --help'",
    };
    const char *text = help_text(SDCA_HELP_COMPLETION);

    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        ck_assert_msg(strstr(text, entries[k]) != NULL, "%s is not in %s", entries[k],
                      text);
    }
}
END_TEST

START_TEST(first_operand_may_be_a_choice)
{
    char *right[] = { "ccat", "b" };
    char *wrong[] = { "cat", "b" };
    bool  help    = false;

    reset();
    line.operand_choices = "astro-ph|ccat";
    ck_assert_int_eq(sdca_option_parser_run(&line, 2, right, &help), SDCA_OK);
    ck_assert_int_eq(sdca_option_parser_run(&line, 2, wrong, &help), SDCA_USAGE);
    ck_assert_str_eq(sdca_status_message(),
                     "DATA.h5: 'cat' is not one of astro-ph, ccat: did you mean ccat?");
}
END_TEST

START_TEST(help_fits_a_terminal)
{
    for (const char *text = help_text(SDCA_HELP_TEXT); *text != '\0';) {
        size_t length = strcspn(text, "\n");

        ck_assert_uint_le(length, 80);
        ck_assert(length == 0 || text[length - 1] != ' ');
        text += length + 1;
    }
}
END_TEST

START_TEST(nearest_word_is_found_or_none)
{
    static const char *const words[] = { "astro-ph", "ccat", "cov1" };

    ck_assert_str_eq(closest_word_find("astroph", words, 3), "astro-ph");
    ck_assert_str_eq(closest_word_find("astro", words, 3), "astro-ph");
    ck_assert_str_eq(closest_word_find("cvo1", words, 3), "cov1");
    ck_assert_str_eq(closest_word_find("ccat", words, 3), "ccat");
    ck_assert_ptr_null(closest_word_find("mnist", words, 3));
    ck_assert_ptr_null(closest_word_find("", words, 3));
    ck_assert_ptr_null(closest_word_find("ccat", words, 0));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, both_option_forms_are_equivalent, 0, 4);
    tcase_add_test(tests, missing_options_keep_their_default);
    tcase_add_test(tests, operands_anywhere);
    tcase_add_test(tests, values_may_begin_with_a_dash);
    tcase_add_test(tests, counts_are_exact);
    tcase_add_test(tests, auto_is_zero);
    tcase_add_test(tests, repeating_the_same_value_is_allowed);
    tcase_add_loop_test(tests, mistakes_give_one_message, 0, LENGTH(refused));
    tcase_add_test(tests, very_long_words_are_safe);
    tcase_add_loop_test(tests, help_comes_before_mistakes, 0, 5);
    tcase_add_test(tests, help_shows_every_option);
    tcase_add_test(tests, help_fits_a_terminal);
    tcase_add_test(tests, manual_escapes_roff_characters);
    tcase_add_test(tests, completion_lists_options_and_values);
    tcase_add_test(tests, first_operand_may_be_a_choice);
    tcase_add_test(tests, nearest_word_is_found_or_none);
}
