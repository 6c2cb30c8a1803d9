/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_printable.c - terminal control characters are removed from strings. */
#include "base/printable.h"

#include "support/check_main.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(unsafe_bytes_replaced)
{
    static const char *const texts[][2] = {
        { "", "" },
        { "plain", "plain" },
        { "\xc3\xa9t\xc3\xa9 \xe2\x82\xac", "\xc3\xa9t\xc3\xa9 \xe2\x82\xac" },
        { "two\nlines\r\tand\x7f", "two?lines??and?" },
        { "\x1b[31mred", "?[31mred" },
        { "\xc2\x9b"
          "31mred",
          "??31mred" },
        { "\xc2\xa0\xc2\x80", "\xc2\xa0??" },
        { "caf\xe9", "caf?" },
        { "cut \xe2\x82", "cut ??" },
        { "\xed\xa0\x80", "???" },
    };

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char text[64];

        snprintf(text, sizeof text, "%s", texts[k][0]);
        sdca_printable_sanitize(text);
        ck_assert_str_eq(text, texts[k][1]);
        sdca_printable_sanitize(text); /* idempotent */
        ck_assert_str_eq(text, texts[k][1]);
    }
}
END_TEST

/* Every control character, and no other two-byte character. */
START_TEST(only_controls_are_invisible)
{
    for (int c = 1; c < 0x800; c++) {
        bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
        char text[3] = { c < 0x80 ? (char)c : (char)(0xc0 | (c >> 6)),
                         c < 0x80 ? '\0' : (char)(0x80 | (c & 0x3f)), '\0' };
        size_t length = strlen(text);

        ck_assert_uint_eq(sdca_printable_utf8_length(text, length), length);
        ck_assert_uint_eq(sdca_printable_length(text, length), control ? 0 : length);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, unsafe_bytes_replaced);
    tcase_add_test(tests, only_controls_are_invisible);
}
