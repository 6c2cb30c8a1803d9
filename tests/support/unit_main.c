/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unit_main.c - main() of a unit test. */
#include "support/check_main.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    Suite   *suite  = suite_create(argv[0]);
    SRunner *runner = srunner_create(suite);
    int      failed;

    (void)argc;
    add_tests(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
