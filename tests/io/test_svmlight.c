/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_svmlight.c - rows from text, split at any place or compressed, and messages
 * that locate errors. */
#include "io/svmlight.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/input_stream.h"

enum { MOST_ROWS = 16, MOST_ENTRIES = 64 };

/* All rows of a text. */
typedef struct table {
    int     rows, entries;
    int64_t line[MOST_ROWS];
    double  label[MOST_ROWS];
    int     count[MOST_ROWS];
    int32_t column[MOST_ENTRIES];
    double  value[MOST_ENTRIES];
} table;

static sdca_status take(void *context, const sdca_svmlight_row *row)
{
    table *t = context;

    if (t->rows == MOST_ROWS || t->entries + row->count > MOST_ENTRIES) {
        return SDCA_FAIL(SDCA_DEFECT, "too many rows for this test");
    }
    t->line[t->rows]    = row->line;
    t->label[t->rows]   = row->label;
    t->count[t->rows++] = (int)row->count;
    for (int64_t k = 0; k < row->count; k++) {
        t->column[t->entries]  = row->column[k];
        t->value[t->entries++] = row->value[k];
    }
    return SDCA_OK;
}

/* Options for the following texts. */
static int first_index = 1;

/* Parse a text in pieces: split at the given place, or everywhere if each. Every piece
 * has its own allocation, so that a sanitizer detects any read beyond it. */
static sdca_status parse_cut(const char *text, size_t cut, bool each, table *t)
{
    sdca_status    status = SDCA_OK;
    sdca_svmlight *parser = NULL;
    size_t         length = strlen(text);
    size_t         first  = 0;
    char          *piece  = NULL;

    memset(t, 0, sizeof *t);
    SDCA_TRY(sdca_svmlight_create("text", first_index, take, t, &parser));
    for (size_t k = 0; k < length; k++) {
        if (each || k + 1 == cut || k + 1 == length) {
            size_t size = k + 1 - first;

            free(piece);
            piece = malloc(size);
            ck_assert_ptr_nonnull(piece);
            memcpy(piece, text + first, size);
            first = k + 1;
            SDCA_TRY(sdca_svmlight_feed(parser, piece, size));
        }
    }
    SDCA_TRY(sdca_svmlight_finish(parser));

done:
    free(piece);
    sdca_svmlight_free(parser);
    return status;
}

static sdca_status parse(const char *text, table *t)
{
    return parse_cut(text, 0, false, t);
}

static void check_row(const table *t, int row, double label, int count)
{
    ck_assert_int_lt(row, t->rows);
    ck_assert_double_eq(t->label[row], label);
    ck_assert_int_eq(t->count[row], count);
}

START_TEST(row_is_a_label_and_entries)
{
    table t;

    ck_assert_int_eq(parse("-1 1:0.5 7:-2e3\n+1 2147483646:1\n", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 2);
    check_row(&t, 0, -1.0, 2);
    check_row(&t, 1, 1.0, 1);
    ck_assert_int_eq(t.column[0], 0);
    ck_assert_double_eq(t.value[0], 0.5);
    ck_assert_int_eq(t.column[1], 6);
    ck_assert_double_eq(t.value[1], -2000.0);
    ck_assert_int_eq(t.column[2], 2147483645);
}
END_TEST

START_TEST(zero_based_indices)
{
    table t;

    first_index = 0;
    ck_assert_int_eq(parse("-1 0:0.5 7:-2e3\n+1 2147483645:1\n", &t), SDCA_OK);
    check_row(&t, 0, -1.0, 2);
    check_row(&t, 1, 1.0, 1);
    ck_assert_int_eq(t.column[0], 0);
    ck_assert_int_eq(t.column[1], 7);
    ck_assert_int_eq(t.column[2], 2147483645);
    first_index = 1;
}
END_TEST

START_TEST(row_may_be_a_label_alone)
{
    table t;

    ck_assert_int_eq(parse("3.25\n", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 1);
    check_row(&t, 0, 3.25, 0);
}
END_TEST

START_TEST(zeros_are_left_out)
{
    table t;

    ck_assert_int_eq(parse("1 1:0 2:5 3:-0.0 4:1e-999\n", &t), SDCA_OK);
    check_row(&t, 0, 1.0, 1);
    ck_assert_int_eq(t.column[0], 1);
}
END_TEST

START_TEST(spaces_and_tabs_separate_words)
{
    table t;

    ck_assert_int_eq(parse("  \t1 \t 1:2\t\t2:3   \n", &t), SDCA_OK);
    check_row(&t, 0, 1.0, 2);
}
END_TEST

START_TEST(last_line_needs_no_newline)
{
    table t;

    ck_assert_int_eq(parse("1 1:2\n2 1:3", &t), SDCA_OK);
    check_row(&t, 1, 2.0, 1);
    ck_assert_double_eq(t.value[1], 3.0);
}
END_TEST

START_TEST(lines_may_end_in_cr_lf)
{
    table t;

    ck_assert_int_eq(parse("1 1:2\r\n\r\n2 \r\n", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 2);
    check_row(&t, 1, 2.0, 0);
}
END_TEST

START_TEST(comments_and_blank_lines_are_no_rows)
{
    table t;

    ck_assert_int_eq(parse("# title\n\n1 1:2 # 3:x\n \t\n1 1:2# tight\n1#\n#", &t),
                     SDCA_OK);
    ck_assert_int_eq(t.rows, 3);
    ck_assert_int_eq(t.line[0], 3);
    ck_assert_int_eq(t.line[1], 5);
    ck_assert_int_eq(t.line[2], 6);
    check_row(&t, 0, 1.0, 1);
    check_row(&t, 1, 1.0, 1);
    check_row(&t, 2, 1.0, 0);
}
END_TEST

START_TEST(query_ids_are_ignored)
{
    table t;

    ck_assert_int_eq(parse("1 qid:17 1:2\n1 qid:3\n", &t), SDCA_OK);
    check_row(&t, 0, 1.0, 1);
    check_row(&t, 1, 1.0, 0);
}
END_TEST

START_TEST(empty_text_has_no_rows)
{
    table t;

    ck_assert_int_eq(parse("", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 0);
    ck_assert_int_eq(parse("\n", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 0);
}
END_TEST

START_TEST(a_byte_order_mark_is_skipped)
{
    const char *text = "\xef\xbb\xbf-1 1:0.5\r\n+1 2:3\n";
    table       t;

    for (size_t k = 0; k <= strlen(text); k++) {
        ck_assert_int_eq(parse_cut(text, k, false, &t), SDCA_OK);
        ck_assert_int_eq(t.rows, 2);
        check_row(&t, 0, -1.0, 1);
    }
    ck_assert_int_eq(parse("\xef\xbb\xbf", &t), SDCA_OK);
    ck_assert_int_eq(t.rows, 0);
}
END_TEST

START_TEST(text_may_be_split_anywhere)
{
    const char *text = "# begin\r\n-1 1:0.25 33:1.5e-3\t70000:123456789\r\n\n"
                       "+1 qid:5 2:7 #end\n  -1  \n1 12345678:12345678.12345678";
    table       whole, cut;

    ck_assert_int_eq(parse(text, &whole), SDCA_OK);
    ck_assert_int_eq(whole.rows, 4);
    for (size_t k = 0; k <= strlen(text); k++) {
        ck_assert_int_eq(parse_cut(text, k, false, &cut), SDCA_OK);
        ck_assert_mem_eq(&cut, &whole, sizeof cut);
    }
    ck_assert_int_eq(parse_cut(text, 0, true, &cut), SDCA_OK);
    ck_assert_mem_eq(&cut, &whole, sizeof cut);
}
END_TEST

/* A row of this many entries k:k, checked as it arrives. */
static sdca_status take_long(void *context, const sdca_svmlight_row *row)
{
    int64_t *count = context;

    *count = row->count;
    for (int64_t k = 0; k < row->count; k++) {
        if (row->column[k] != k || row->value[k] != (double)(k + 1)) {
            return SDCA_FAIL(SDCA_DEFECT, "entry %lld is wrong", (long long)k);
        }
    }
    return SDCA_OK;
}

START_TEST(line_may_have_any_length)
{
    sdca_svmlight *parser = NULL;
    int64_t        count  = 0;
    char           word[64];

    ck_assert_int_eq(sdca_svmlight_create("text", 1, take_long, &count, &parser),
                     SDCA_OK);
    ck_assert_int_eq(sdca_svmlight_feed(parser, "1", 1), SDCA_OK);
    for (int k = 1; k <= 100000; k++) {
        int length = snprintf(word, sizeof word, " %d:%d", k, k);

        if (sdca_svmlight_feed(parser, word, (size_t)length) != SDCA_OK) {
            ck_abort_msg("%s", sdca_status_message());
        }
    }
    ck_assert_int_eq(count, 0);
    ck_assert_int_eq(sdca_svmlight_feed(parser, "\n", 1), SDCA_OK);
    ck_assert_int_eq(count, 100000);
    sdca_svmlight_free(parser);
}
END_TEST

typedef struct fault {
    const char *text, *why;
} fault;

static const fault faults[] = {
    { "x 1:2\n", "text, line 1, column 1: 'x' is not a number" },
    { "1 1:2\n\n# no\n  1,5 1:2\n", "text, line 4, column 3: '1,5' is not a number: a "
                                    "row has one label, without a comma" },
    { "# ages\nage,label\n",
      "text, line 2, column 1: 'age,label' is not a number; if this "
      "is a table, --format csv reads it" },
    { "1.5\t2,5\n",
      "text, line 1, column 5: '2,5' is not INDEX:VALUE: the ':' is missing; "
      "if this is a table, --format tsv reads it" },
    { "a;b\n", "text, line 1, column 1: 'a;b' is not a number; if this is a table, "
               "--separator ';' reads it" },
    { "a|b\n", "text, line 1, column 1: 'a|b' is not a number; if this is a table, "
               "--separator '|' reads it" },
    { "1\n1,5\n", "text, line 2, column 1: '1,5' is not a number" },
    { "1,5 1:2\n", "text, line 1, column 1: '1,5' is not a number: a row has one label, "
                   "without a comma" },
    { "1 1:2 2:3x\n", "text, line 1, column 9: '3x' is not a number" },
    { "1 1:2 2:0x10\n", "text, line 1, column 9: '0x10' is not a number" },
    { "1 1:1e\n", "text, line 1, column 5: '1e' is not a number" },
    { "1 1:2:3\n", "text, line 1, column 5: '2:3' is not a number" },
    { "1 1: 2\n", "text, line 1, column 3: '1:' has no value after the ':'" },
    { "1 1:", "text, line 1, column 3: '1:' has no value after the ':'" },
    { "1 0:5\n",
      "text, line 1, column 3: '0:5' has the index 0, but indices begin with 1; with "
      "--zero-based, they begin with 0" },
    { "1\n1 2:1 2:1\n",
      "text, line 2, column 7: '2:1' has an index that is not above the one before it" },
    { "1 12:1 3:1\r\n",
      "text, line 1, column 8: '3:1' has an index that is not above the one before it" },
    { "1 2147483647:1",
      "text, line 1, column 3: '2147483647:1' has an index above 2147483646" },
    { "1 18446744073709551617:1",
      "text, line 1, column 3: '18446744073709551617:1' has an index above 2147483646" },
    { "1 -3:1",
      "text, line 1, column 3: '-3:1' does not begin with an index, a whole number "
      "from 1" },
    { "1 1.5:1",
      "text, line 1, column 3: '1.5:1' does not begin with an index, a whole number "
      "from 1" },
    { "1 :1", "text, line 1, column 3: ':1' does not begin with an index, a whole number "
              "from 1" },
    { "1 2 3:4", "text, line 1, column 3: '2' is not INDEX:VALUE: the ':' is missing" },
    { "1 1:2 qid:3", "text, line 1, column 7: 'qid:3' does not begin with an index, a "
                     "whole number from 1" },
    { "1 qid:x 1:2", "text, line 1, column 3: 'qid:x' is not qid: and a whole number" },
    { "nan 1:2",
      "text, line 1, column 1: 'nan' is not finite, and only finite numbers are data" },
    { "1 1:-Inf",
      "text, line 1, column 5: '-Inf' is not finite, and only finite numbers are data" },
    { "1 1:1e400",
      "text, line 1, column 5: '1e400' is too large for a number of double precision" },
    { "1 1:2\r1 1:2\n",
      "text, line 1, column 6: '\\x0d1' is not INDEX:VALUE: the ':' is missing" },
    { "\xef\xbb\xbfx 1:2\n", "text, line 1, column 1: 'x' is not a number" },
    { "1 1:2\n\xef\xbb\xbf-1 1:2\n",
      "text, line 2, column 1: '\\xef\\xbb\\xbf-1' is not a number" },
    { "\xef\xbb", "text, line 1, column 1: '\\xef\\xbb' is not a number" },
    { "\x89HDF\r\n", "text, line 1, column 1: '\\x89HDF' is not a number" },
    { "1 aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee",
      "text, line 1, column 3: 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...' is not "
      "INDEX:VALUE: the ':' is missing" },
};

/* With zero-based indices. */
static const fault zero_faults[] = {
    { "1 0:1 0:1\n",
      "text, line 1, column 7: '0:1' has an index that is not above the one before it" },
    { "1 2147483646:1",
      "text, line 1, column 3: '2147483646:1' has an index above 2147483645" },
    { "1 :1", "text, line 1, column 3: ':1' does not begin with an index, a whole number "
              "from 0" },
    { "1 -0:1", "text, line 1, column 3: '-0:1' does not begin with an index, a whole "
                "number from 0" },
};

enum {
    FAULTS      = sizeof faults / sizeof faults[0],
    ZERO_FAULTS = sizeof zero_faults / sizeof zero_faults[0]
};

static void expect_fault(const fault *f)
{
    table t;

    ck_assert_int_eq(parse(f->text, &t), SDCA_DATA);
    ck_assert_str_eq(sdca_status_message(), f->why);
    ck_assert_int_eq(parse_cut(f->text, 0, true, &t), SDCA_DATA);
    ck_assert_str_eq(sdca_status_message(), f->why);
}

START_TEST(errors_name_their_place)
{
    expect_fault(&faults[_i]);
}
END_TEST

START_TEST(errors_use_zero_based_indices)
{
    first_index = 0;
    expect_fault(&zero_faults[_i]);
    first_index = 1;
}
END_TEST

static sdca_status refuse(void *context, const sdca_svmlight_row *row)
{
    (void)context;
    return row->line == 2 ? SDCA_FAIL(SDCA_CREATE, "no more") : SDCA_OK;
}

START_TEST(callback_may_fail)
{
    sdca_svmlight *parser = NULL;

    ck_assert_int_eq(sdca_svmlight_create("text", 1, refuse, NULL, &parser), SDCA_OK);
    ck_assert_int_eq(sdca_svmlight_feed(parser, "1\n2\nx\n", 6), SDCA_CREATE);
    ck_assert_str_eq(sdca_status_message(), "no more");
    sdca_svmlight_free(parser);
}
END_TEST

static void run(const char *command)
{
    char line[256];

    snprintf(line, sizeof line, "cd %s && %s", temp_directory_name(), command);
    if (system(line) != 0) {
        ck_abort_msg("failed: %s", line);
    }
}

/* Some hundred kilobytes that compress poorly. */
static void write_plain(void)
{
    FILE *file = fopen(temp_directory_path("plain"), "w");

    ck_assert_ptr_nonnull(file);
    for (unsigned k = 0; k < 20000; k++) {
        fprintf(file, "%d %u:%u.%u\n", k % 3 == 0 ? 1 : -1, k + 1, k,
                k * 2654435761U % 100000);
    }
    fclose(file);
}

/* Read an input to its end; the number of bytes and their sum are compared. */
static sdca_status read_all(const char *path, size_t *bytes, unsigned *sum)
{
    sdca_status        status = SDCA_OK;
    sdca_input_stream *source = NULL;
    const char        *block  = NULL;
    size_t             length = 0;

    *bytes = 0;
    *sum   = 1;
    SDCA_TRY(sdca_input_stream_open(path, &source));
    do {
        SDCA_TRY(sdca_input_stream_read(source, &block, &length));
        for (size_t k = 0; k < length; k++) {
            *sum = *sum * 31 + (unsigned char)block[k];
        }
        *bytes += length;
    } while (length > 0);

done:
    sdca_input_stream_close(source);
    return status;
}

static const char *const packers[] = { "gzip -c", "xz -c", "bzip2 -c", "zstd -qc",
                                       "cat" };

enum { PACKERS = sizeof packers / sizeof packers[0] };

/* Compress plain to a file without a suffix; false if the program is not installed. */
static bool make_packed(const char *packer, const char *plain)
{
    char command[128];

    snprintf(command, sizeof command, "command -v %.*s > /dev/null",
             (int)strcspn(packer, " "), packer);
    if (system(command) != 0) {
        return false;
    }
    snprintf(command, sizeof command, "%s < %s > packed", packer, plain);
    run(command);
    return true;
}

START_TEST(compressed_inputs_are_decompressed)
{
    size_t   plain_bytes, bytes;
    unsigned plain_sum, sum;

    write_plain();
    ck_assert_int_eq(read_all(temp_directory_path("plain"), &plain_bytes, &plain_sum),
                     SDCA_OK);
    ck_assert_uint_gt(plain_bytes, 200000);
    if (make_packed(packers[_i], "plain")) {
        ck_assert_int_eq(read_all(temp_directory_path("packed"), &bytes, &sum), SDCA_OK);
        ck_assert_uint_eq(bytes, plain_bytes);
        ck_assert_uint_eq(sum, plain_sum);
    }
}
END_TEST

START_TEST(an_empty_input_has_no_bytes)
{
    size_t   bytes;
    unsigned sum;

    if (make_packed(packers[_i], "/dev/null")) {
        ck_assert_int_eq(read_all(temp_directory_path("packed"), &bytes, &sum), SDCA_OK);
        ck_assert_uint_eq(bytes, 0);
    }
}
END_TEST

START_TEST(truncated_input_is_bad_data)
{
    size_t   bytes;
    unsigned sum;

    write_plain();
    if (make_packed(packers[_i], "plain")) {
        run("head -c -5 packed > short");
        ck_assert_int_eq(read_all(temp_directory_path("short"), &bytes, &sum), SDCA_DATA);
        ck_assert_ptr_nonnull(
            strstr(sdca_status_message(), "short: compressed, but damaged or tru"));
        run("head -c 10000 packed > short");
        ck_assert_int_eq(read_all(temp_directory_path("short"), &bytes, &sum), SDCA_DATA);
    }
}
END_TEST

START_TEST(damaged_input_is_bad_data)
{
    size_t   bytes;
    unsigned sum;

    write_plain();
    if (make_packed(packers[_i], "plain")) {
        run("head -c 20000 packed > bad; printf 'damaged here' >> bad;"
            "tail -c +20013 packed >> bad");
        ck_assert_int_eq(read_all(temp_directory_path("bad"), &bytes, &sum), SDCA_DATA);
    }
}
END_TEST

START_TEST(standard_input_is_named)
{
    sdca_input_stream *source = NULL;
    const char        *block  = NULL;
    size_t             length = 0;

    run("printf '1 1:2' > input");
    ck_assert_ptr_nonnull(freopen(temp_directory_path("input"), "r", stdin));
    ck_assert_int_eq(sdca_input_stream_open("-", &source), SDCA_OK);
    ck_assert_str_eq(sdca_input_stream_name(source), "standard input");
    ck_assert_int_eq(sdca_input_stream_read(source, &block, &length), SDCA_OK);
    ck_assert_uint_eq(length, 5);
    ck_assert_mem_eq(block, "1 1:2", 5);
    ck_assert_int_eq(sdca_input_stream_read(source, &block, &length), SDCA_OK);
    ck_assert_uint_eq(length, 0);
    sdca_input_stream_close(source);
}
END_TEST

START_TEST(missing_input_is_reported)
{
    sdca_input_stream *source = NULL;

    ck_assert_int_eq(sdca_input_stream_open(temp_directory_path("nothing"), &source),
                     SDCA_MISSING);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "nothing': No such file"));
    ck_assert_int_eq(sdca_input_stream_open(temp_directory_name(), &source),
                     SDCA_MISSING);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "is a directory"));
    ck_assert_ptr_null(source);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_test(tests, row_is_a_label_and_entries);
    tcase_add_test(tests, zero_based_indices);
    tcase_add_test(tests, row_may_be_a_label_alone);
    tcase_add_test(tests, zeros_are_left_out);
    tcase_add_test(tests, spaces_and_tabs_separate_words);
    tcase_add_test(tests, last_line_needs_no_newline);
    tcase_add_test(tests, lines_may_end_in_cr_lf);
    tcase_add_test(tests, comments_and_blank_lines_are_no_rows);
    tcase_add_test(tests, query_ids_are_ignored);
    tcase_add_test(tests, empty_text_has_no_rows);
    tcase_add_test(tests, a_byte_order_mark_is_skipped);
    tcase_add_test(tests, text_may_be_split_anywhere);
    tcase_add_test(tests, line_may_have_any_length);
    tcase_add_loop_test(tests, errors_name_their_place, 0, FAULTS);
    tcase_add_loop_test(tests, errors_use_zero_based_indices, 0, ZERO_FAULTS);
    tcase_add_test(tests, callback_may_fail);
    tcase_add_loop_test(tests, compressed_inputs_are_decompressed, 0, PACKERS);
    tcase_add_loop_test(tests, an_empty_input_has_no_bytes, 0, PACKERS);
    tcase_add_loop_test(tests, truncated_input_is_bad_data, 0, PACKERS - 1);
    tcase_add_loop_test(tests, damaged_input_is_bad_data, 0, PACKERS - 1);
    tcase_add_test(tests, standard_input_is_named);
    tcase_add_test(tests, missing_input_is_reported);
}
