/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_csv.c - CSV records from text split at any place, and messages that locate
 * errors. */
#include "io/csv.h"

#include "support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 512 };

/* All records in one line: [LINE:field|'quoted field'] ... */
static sdca_status take(void *context, const sdca_csv_record *record)
{
    char  *all  = context;
    size_t used = strlen(all);

    used += (size_t)snprintf(all + used, ROOM - used, "[%lld:", (long long)record->line);
    for (int64_t k = 0; k < record->count; k++) {
        const sdca_csv_field *field = &record->field[k];
        const char           *quote = field->quoted ? "'" : "";

        ck_assert_int_eq(field->text[field->length], '\0');
        used += (size_t)snprintf(all + used, ROOM - used, "%s%s%.*s%s", k > 0 ? "|" : "",
                                 quote, (int)field->length, field->text, quote);
    }
    snprintf(all + used, ROOM - used, "]");
    return SDCA_OK;
}

/* Parse a text in two pieces, each in its own allocation, or (cut < 0) byte by byte. */
static sdca_status parse(const char *text, char separator, long cut, char all[ROOM])
{
    sdca_status status = SDCA_OK;
    sdca_csv   *parser = NULL;
    size_t      length = strlen(text), first = 0;

    all[0] = '\0';
    SDCA_TRY(sdca_csv_create("text", separator, take, all, &parser));
    while (first < length) {
        size_t size  = cut < 0 ? 1 : first == 0 && cut > 0 ? (size_t)cut : length - first;
        char  *piece = malloc(size);

        ck_assert_ptr_nonnull(piece);
        memcpy(piece, text + first, size);
        status = sdca_csv_feed(parser, piece, size);
        free(piece);
        SDCA_TRY(status);
        first += size;
    }
    SDCA_TRY(sdca_csv_finish(parser));

done:
    sdca_csv_free(parser);
    return status;
}

static const struct {
    char        separator;
    const char *text, *records;
} texts[] = {
    { ',', "", "" },
    { ',', "\xef\xbb\xbf", "" },
    { ',', "a,b\n1,2\n", "[1:a|b][2:1|2]" },
    { ',', "a,b\r\n1,2\r\n", "[1:a|b][2:1|2]" },
    { ',', "a,b\n1,2", "[1:a|b][2:1|2]" },
    { ',', "a,b\r", "[1:a|b]" },
    { ',',
      "\xef\xbb\xbf"
      "a,b\n",
      "[1:a|b]" },
    { ',', "\xef\xbb\xbf\"a\",b\n", "[1:'a'|b]" },
    { ',', "\xef\xbbz,b\n", "[1:\xef\xbbz|b]" },
    { ',', "\xef\xbb", "[1:\xef\xbb]" },
    { ',', "a,\n,b\n,\n", "[1:a|][2:|b][3:|]" },
    { ',', "a,", "[1:a|]" },
    { ',', "\n\na\n\r\n\nb\n\n", "[3:a][6:b]" },
    { ',', "\"\"\n", "[1:'']" },
    { ',', "\"a,b\",\"c\"\"d\"\n", "[1:'a,b'|'c\"d']" },
    { ',', "\"\"\"\"", "[1:'\"']" },
    { ',', "\"a\nb\r\nc\",d\ne\n", "[1:'a\nb\r\nc'|d][4:e]" },
    { ',', "a\"b\"c,d\n", "[1:a\"b\"c|d]" },
    { ',', " \"a\"\n", "[1: \"a\"]" },
    { ',', "a\tb,c\n", "[1:a\tb|c]" },
    { '\t', "a\tb,c\n\t\n", "[1:a|b,c][2:|]" },
};

START_TEST(records_follow_rfc_4180)
{
    const char *text = texts[_i].text;
    char        all[ROOM];

    for (long cut = -1; cut <= (long)strlen(text); cut++) {
        ck_assert_int_eq(parse(text, texts[_i].separator, cut, all), SDCA_OK);
        ck_assert_str_eq(all, texts[_i].records);
    }
}
END_TEST

static const struct {
    const char *text, *why;
} faults[] = {
    { "a\n\"b\n\nc", "text, line 2: a quote begins here that is not closed" },
    { "a,\"", "text, line 1: a quote begins here that is not closed" },
    { "a\n\n\"b\nc\"d\n", "text, line 4: there is text after the closing quote" },
    { "a\n\"b\" ,c\n", "text, line 2: there is text after the closing quote" },
    { "a\nb\rc\n", "text, line 2: a carriage return has no line feed after it" },
    { "\"a\"\rc\n", "text, line 1: a carriage return has no line feed after it" },
};

START_TEST(errors_name_their_place)
{
    const char *text = faults[_i].text;
    char        all[ROOM];

    for (long cut = -1; cut <= (long)strlen(text); cut++) {
        ck_assert_int_eq(parse(text, ',', cut, all), SDCA_DATA);
        ck_assert_ptr_nonnull(strstr(sdca_status_message(), faults[_i].why));
    }
}
END_TEST

/* Feed a text repeatedly, until that fails or exceeds the maximum record. */
static sdca_status feed_for_ever(sdca_csv *parser, const char *text)
{
    sdca_status status = SDCA_OK;

    for (size_t fed = 0; status == SDCA_OK && fed <= SDCA_CSV_MAX_RECORD_BYTES;
         fed += strlen(text)) {
        status = sdca_csv_feed(parser, text, strlen(text));
    }
    return status;
}

START_TEST(record_length_is_limited)
{
    static const struct {
        const char *begin, *more, *why;
    } endless[] = {
        { "a\nb,\"c\n", "many words without a quote\n", "line 2: a quote begins here" },
        { "a\n", "many words without an end of line ", "line 2: a record begins here" },
        { "a\n", ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", "more than 4194304 fields" },
    };
    char all[ROOM] = "";

    for (size_t k = 0; k < sizeof endless / sizeof endless[0]; k++) {
        sdca_csv *parser = NULL;

        ck_assert_int_eq(sdca_csv_create("text", ',', take, all, &parser), SDCA_OK);
        ck_assert_int_eq(
            sdca_csv_feed(parser, endless[k].begin, strlen(endless[k].begin)), SDCA_OK);
        ck_assert_int_eq(feed_for_ever(parser, endless[k].more), SDCA_DATA);
        ck_assert_ptr_nonnull(strstr(sdca_status_message(), endless[k].why));
        sdca_csv_free(parser);
    }
}
END_TEST

static sdca_status refuse(void *context, const sdca_csv_record *record)
{
    (void)context;
    return SDCA_FAIL(SDCA_IO, "no room for line %lld", (long long)record->line);
}

START_TEST(callback_may_fail)
{
    sdca_csv *parser = NULL;

    ck_assert_int_eq(sdca_csv_create("text", ',', refuse, NULL, &parser), SDCA_OK);
    ck_assert_int_eq(sdca_csv_feed(parser, "\na,b\n", 5), SDCA_IO);
    ck_assert_str_eq(sdca_status_message(), "no room for line 2");
    sdca_csv_free(parser);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, records_follow_rfc_4180, 0, LENGTH(texts));
    tcase_add_loop_test(tests, errors_name_their_place, 0, LENGTH(faults));
    tcase_add_test(tests, record_length_is_limited);
    tcase_add_test(tests, callback_may_fail);
}
