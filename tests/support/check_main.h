/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_main.h - the main program of a Check suite.
 *
 * A test program defines add_tests(). Its main() is in unit_main.c, which runs each test
 * in a separate process, or in mpi_check.c, which runs all of them under mpirun. */
#ifndef SDCA_SUPPORT_CHECK_MAIN_H
#define SDCA_SUPPORT_CHECK_MAIN_H

#include <check.h>

/* The number of elements of an array, as the int that Check uses. */
#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* Add all tests of the program. Defined by the test. */
void add_tests(Suite *suite);

/* A new group of tests with this setup and teardown around each test; either may be NULL.
 * CTest has the only time limit. The suite owns the result. */
TCase *add_case(Suite *suite, void (*set_up)(void), void (*tear_down)(void));

#endif
