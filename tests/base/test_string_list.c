/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_string_list.c - sorted string lists, UTF-8 validation, and strings in
 * messages. */
#include "base/string_list.h"

#include "support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(strings_are_found_where_inserted)
{
    sdca_string_list texts = { 0 };
    char             word[16];
    int64_t          place = 0;

    for (int k = 0; k < 1000; k++) {
        snprintf(word, sizeof word, "%d", k * 7919 % 1000);
        ck_assert(!sdca_string_list_find(&texts, word, strlen(word), &place));
        ck_assert_int_eq(sdca_string_list_insert(&texts, place, word, strlen(word)),
                         SDCA_OK);
    }
    ck_assert_int_eq(texts.count, 1000);
    for (int64_t k = 0; k < texts.count; k++) {
        ck_assert(k == 0 || strcmp(texts.text[k - 1], texts.text[k]) < 0);
        ck_assert(
            sdca_string_list_find(&texts, texts.text[k], strlen(texts.text[k]), &place));
        ck_assert_int_eq(place, k);
    }
    sdca_string_list_free(&texts);
    ck_assert_int_eq(texts.count, 0);
}
END_TEST

START_TEST(string_sorts_after_its_prefixes)
{
    sdca_string_list texts = { 0 };
    int64_t          place = 0;

    ck_assert_int_eq(sdca_string_list_append(&texts, "abc", 2), SDCA_OK);
    ck_assert_str_eq(texts.text[0], "ab");
    ck_assert(!sdca_string_list_find(&texts, "abc", 3, &place));
    ck_assert_int_eq(place, 1);
    ck_assert(!sdca_string_list_find(&texts, "a", 1, &place));
    ck_assert_int_eq(place, 0);
    ck_assert(
        !sdca_string_list_find(&texts, "\xc3\xa4", 2, &place)); /* bytes are unsigned */
    ck_assert_int_eq(place, 1);
    sdca_string_list_free(&texts);
}
END_TEST

static const struct {
    const char *text;
    size_t      length;
    bool        utf8;
} bytes[] = {
    { "", 0, true },
    { "plain", 5, true },
    { "a\0b", 3, false },
    { "\x7f", 1, true },
    { "\x80", 1, false },
    { "\xc1\xbf", 2, false },
    { "\xc2\x80", 2, true },
    { "\xc2", 1, false },
    { "\xc2 ", 2, false },
    { "\xe0\x9f\xbf", 3, false },
    { "\xe0\xa0\x80", 3, true },
    { "\xe2\x82\xac", 3, true },
    { "\xe2\x82", 2, false },
    { "\xe2\x82 ", 3, false },
    { "\xed\x9f\xbf", 3, true },
    { "\xed\xa0\x80", 3, false },
    { "\xf0\x8f\xbf\xbf", 4, false },
    { "\xf0\x90\x80\x80", 4, true },
    { "\xf4\x8f\xbf\xbf", 4, true },
    { "\xf4\x90\x80\x80", 4, false },
    { "\xf5\x80\x80\x80", 4, false },
    { "caf\xe9", 4, false },
};

START_TEST(utf8_is_validated)
{
    ck_assert(sdca_string_is_utf8(bytes[_i].text, bytes[_i].length) == bytes[_i].utf8);
}
END_TEST

/* A shown string is short, has complete characters, and is one line. */
START_TEST(strings_are_shortened_in_messages)
{
    static const char *const shown[][2] = {
        { "plain", "plain" },
        { "two\nlines\x7f", "two\\x0alines\\x7f" },
        { "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
        { "caf\xe9", "caf\\xe9" },
        { "\xc2\x9b"
          "2J",
          "\\xc2\\x9b2J" },
        { "0123456789012345678901234567890123456789", /* the maximum length */
          "0123456789012345678901234567890123456789" },
        { "012345678901234567890123456789012345678\xc3\xa9!",
          "012345678901234567890123456789012345678\xc3\xa9..." },
    };

    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        ck_assert_str_eq(sdca_string_escape(shown[k][0], strlen(shown[k][0])).text,
                         shown[k][1]);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, strings_are_found_where_inserted);
    tcase_add_test(tests, string_sorts_after_its_prefixes);
    tcase_add_loop_test(tests, utf8_is_validated, 0, LENGTH(bytes));
    tcase_add_test(tests, strings_are_shortened_in_messages);
}
