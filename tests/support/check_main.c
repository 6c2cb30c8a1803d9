/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_main.c - the main program of a Check suite, shared by unit and MPI tests. */
#include "support/check_main.h"

TCase *add_case(Suite *suite, void (*set_up)(void), void (*tear_down)(void))
{
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 0.0);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    suite_add_tcase(suite, tests);
    return tests;
}
