/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_node_cores.c - sets of processors, and ranks that share them. */
#include "cli/node_cores.h"

#include "support/mpi_check.h"

#include <stdlib.h>
#include <unistd.h>

#include "mpi/comm.h"

START_TEST(linux_cpu_lists_are_parsed)
{
    static const struct {
        const char *text;
        int         count, first, last;
    } cases[] = { { "\t3\n", 2, 0, 1 },
                  { "f0", 4, 4, 7 },
                  { "00000001,00000000,80000000\n", 2, 31, 64 },
                  { "ffffffff,ffffffff", 64, 0, 63 },
                  { "F", 4, 0, 3 } };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint8_t set[NODE_CORES_MASK_BYTES];
        int     first = cases[k].first, last = cases[k].last;

        ck_assert_int_eq(node_cores_parse_mask(cases[k].text, set), cases[k].count);
        ck_assert_int_eq(set[first / 8] >> first % 8 & 1, 1);
        ck_assert_int_eq(set[last / 8] >> last % 8 & 1, 1);
    }
}
END_TEST

START_TEST(invalid_lists_are_rejected)
{
    static const char *const cases[] = { "", "\n", "0", "0-3", "x", "12 apples" };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint8_t set[NODE_CORES_MASK_BYTES];

        ck_assert_int_eq(node_cores_parse_mask(cases[k], set), 0);
    }
}
END_TEST

/* All ranks of a test are on one node. */
START_TEST(ranks_are_counted_with_their_processors)
{
    node_load most = node_cores_find_most_loaded(MPI_COMM_WORLD);

    ck_assert_all(most.ranks == sdca_comm_size(MPI_COMM_WORLD));
    ck_assert_all(most.cores >= 1 && most.cores <= sysconf(_SC_NPROCESSORS_CONF));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, linux_cpu_lists_are_parsed);
    tcase_add_test(tests, invalid_lists_are_rejected);
    tcase_add_test(tests, ranks_are_counted_with_their_processors);
}
