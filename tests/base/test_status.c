/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_status.c - status codes, messages and exit statuses. */
#include "base/status.h"

#include "support/check_main.h"

#include <stdlib.h>
#include <string.h>

START_TEST(exit_statuses_are_as_documented)
{
    ck_assert_int_eq(sdca_status_exit_code(SDCA_OK), 0);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_BUDGET), 3);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_USAGE), 64);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_DATA), 65);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_MISSING), 66);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_DEFECT), 70);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_CREATE), 73);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_IO), 74);
    ck_assert_int_eq(sdca_status_exit_code(SDCA_INTERRUPTED), 75);
}
END_TEST

START_TEST(every_code_has_its_own_exit_status_and_meaning)
{
    for (int a = 0; a < SDCA_STATUS_COUNT; a++) {
        ck_assert_int_ge(sdca_status_exit_code((sdca_status)a), 0);
        ck_assert_int_lt(sdca_status_exit_code((sdca_status)a), 126);
        ck_assert_str_ne(sdca_status_description((sdca_status)a), "");
        for (int b = 0; b < a; b++) {
            ck_assert_int_ne(sdca_status_exit_code((sdca_status)a),
                             sdca_status_exit_code((sdca_status)b));
        }
    }
}
END_TEST

START_TEST(severity_is_ordered_from_success_to_defect)
{
    ck_assert_int_eq(SDCA_OK, 0);
    ck_assert_int_eq(SDCA_DEFECT, SDCA_STATUS_COUNT - 1);
}
END_TEST

START_TEST(failure_keeps_code_and_message)
{
    sdca_status status = SDCA_FAIL(SDCA_DATA, "'%s', row %d", "x.h5", 7);

    ck_assert_int_eq(status, SDCA_DATA);
    ck_assert_str_eq(sdca_status_message(), "'x.h5', row 7");
    SDCA_FAIL(SDCA_IO, "the next");
    ck_assert_str_eq(sdca_status_message(), "the next");
}
END_TEST

START_TEST(message_stays_one_line)
{
    SDCA_FAIL(SDCA_DATA, "X is a '%s'", "csr\nsdca: all is well \x1b[2J\xff");
    ck_assert_str_eq(sdca_status_message(), "X is a 'csr?sdca: all is well ?[2J?'");
}
END_TEST

START_TEST(internal_error_names_its_place)
{
    SDCA_FAIL(SDCA_DEFECT, "the gap is negative");
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "the gap is negative"));
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "test_status.c:"));
}
END_TEST

START_TEST(long_message_is_truncated)
{
    char long_name[2 * SDCA_MESSAGE_SIZE];

    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    SDCA_FAIL(SDCA_MISSING, "no '%s'", long_name);
    ck_assert_uint_eq(strlen(sdca_status_message()), SDCA_MESSAGE_SIZE - 1);
    SDCA_FAIL(SDCA_DEFECT, "no '%s'", long_name);
    ck_assert_uint_eq(strlen(sdca_status_message()), SDCA_MESSAGE_SIZE - 1);
}
END_TEST

static sdca_status leaves_by_done(sdca_status given, int *reached)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(SDCA_OK);
    *reached = 1;
    SDCA_TRY(given);
    *reached = 2;

done:
    return status;
}

START_TEST(try_continues_after_success_and_returns_on_failure)
{
    int reached = 0;

    ck_assert_int_eq(leaves_by_done(SDCA_OK, &reached), SDCA_OK);
    ck_assert_int_eq(reached, 2);
    ck_assert_int_eq(leaves_by_done(SDCA_MEMORY, &reached), SDCA_MEMORY);
    ck_assert_int_eq(reached, 1);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, exit_statuses_are_as_documented);
    tcase_add_test(tests, every_code_has_its_own_exit_status_and_meaning);
    tcase_add_test(tests, severity_is_ordered_from_success_to_defect);
    tcase_add_test(tests, failure_keeps_code_and_message);
    tcase_add_test(tests, message_stays_one_line);
    tcase_add_test(tests, internal_error_names_its_place);
    tcase_add_test(tests, long_message_is_truncated);
    tcase_add_test(tests, try_continues_after_success_and_returns_on_failure);
}
