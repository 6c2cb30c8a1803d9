/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_launcher.c - rank and number of processes from the environment. */
#include "cli/launcher_environment.h"

#include "support/check_main.h"

#include <stdlib.h>

/* Environment variables, and the expected result. */
typedef struct launch_case {
    const char *variable[8][2];
    launcher    expected;
} launch_case;

static const launch_case cases[] = {
    { { { NULL, NULL } }, { 0, 1, false } },
    { { { "OMPI_COMM_WORLD_RANK", "2" }, { "OMPI_COMM_WORLD_SIZE", "4" } },
      { 2, 4, false } },
    { { { "PMI_RANK", "1" }, { "PMI_SIZE", "3" } }, { 1, 3, false } },
    { { { "PMIX_RANK", "1" } }, { 1, 0, false } },
    /* A batch script, and an unrelated variable. */
    { { { "SLURM_PROCID", "0" }, { "SLURM_NTASKS", "4" } }, { 0, 1, false } },
    { { { "SLURM_PROCID", "3" } }, { 0, 1, false } },
    /* srun, with --mpi=none and with PMI. */
    { { { "SLURM_STEP_ID", "0" },
        { "SLURM_PROCID", "3" },
        { "SLURM_STEP_NUM_TASKS", "4" } },
      { 3, 4, true } },
    { { { "SLURM_STEP_ID", "0" },
        { "SLURM_PROCID", "3" },
        { "SLURM_STEP_NUM_TASKS", "4" },
        { "PMIX_RANK", "3" } },
      { 3, 4, false } },
    { { { "SLURM_STEP_ID", "0" },
        { "SLURM_PROCID", "3" },
        { "SLURM_STEP_NUM_TASKS", "4" },
        { "PMI_RANK", "3" },
        { "PMI_SIZE", "4" } },
      { 3, 4, false } },
    /* mpirun with daemons started by srun. */
    { { { "SLURM_STEP_ID", "0" },
        { "SLURM_PROCID", "1" },
        { "SLURM_STEP_NUM_TASKS", "2" },
        { "PMIX_RANK", "0" },
        { "OMPI_COMM_WORLD_RANK", "0" },
        { "OMPI_COMM_WORLD_SIZE", "1" } },
      { 0, 1, false } },
};

enum { CASES = sizeof cases / sizeof cases[0] };

START_TEST(rank_from_environment)
{
    const launch_case *one = &cases[_i];
    launcher           found;

    for (int k = 0; k < CASES; k++) { /* independent of the launcher of this test */
        for (int v = 0; cases[k].variable[v][0] != NULL; v++) {
            unsetenv(cases[k].variable[v][0]);
        }
    }
    for (int v = 0; one->variable[v][0] != NULL; v++) {
        setenv(one->variable[v][0], one->variable[v][1], 1);
    }
    found = launcher_detect();
    ck_assert_int_eq(found.rank, one->expected.rank);
    ck_assert_int_eq(found.size, one->expected.size);
    ck_assert_int_eq(found.lacks_pmi, one->expected.lacks_pmi);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, rank_from_environment, 0, CASES);
}
