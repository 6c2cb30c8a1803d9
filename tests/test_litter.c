/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_litter.c - a command that a signal ends leaves no unfinished output behind. */
#include "litter.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static char directory[] = "/tmp/sdca_litter_XXXXXX";

/* The path of a file in the directory; valid until the next call but one. */
static const char *path_of(const char *name)
{
    static char path[2][64];
    static int  next = 0;

    next = 1 - next;
    snprintf(path[next], sizeof path[next], "%s/%s", directory, name);
    return path[next];
}

static bool exists(const char *name)
{
    return access(path_of(name), F_OK) == 0;
}

static void make(const char *name)
{
    FILE *file = fopen(path_of(name), "w");

    ck_assert_ptr_nonnull(file);
    fclose(file);
}

static void make_directory(void)
{
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    make("one.tmp");
    make("two.tmp");
    make("other.tmp");
}

static void remove_directory(void)
{
    unlink(path_of("one.tmp"));
    unlink(path_of("two.tmp"));
    unlink(path_of("other.tmp"));
    rmdir(directory);
}

/* A process that has watched one and two, and goes on with work. */
static int end_of(void (*work)(int signal), int signal)
{
    pid_t child = fork();
    int   end   = 0;

    if (child == 0) {
        litter_watch(path_of("one"));
        litter_watch(path_of("two"));
        work(signal);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &end, 0), child);
    return end;
}

static void be_told(int signal)
{
    raise(signal);
}

START_TEST(a_signal_removes_what_is_unfinished_and_ends_the_process)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    end = end_of(be_told, signals[_i]);
    ck_assert(WIFSIGNALED(end) && WTERMSIG(end) == signals[_i]);
    ck_assert(!exists("one.tmp"));
    ck_assert(!exists("two.tmp"));
    ck_assert(exists("other.tmp"));
}
END_TEST

START_TEST(a_signal_that_is_ignored_stays_ignored)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
    end = end_of(be_told, signals[_i]);
    ck_assert(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    ck_assert(exists("one.tmp"));
}
END_TEST

/* Exits with 0 if its child ends as it should. */
static void have_a_child_told(int signal)
{
    pid_t child = fork();
    int   end   = 0;

    if (child == 0) {
        raise(signal);
        _exit(0);
    }
    waitpid(child, &end, 0);
    _exit(WIFSIGNALED(end) && WTERMSIG(end) == signal ? 0 : 1);
}

START_TEST(only_the_owner_removes_it)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    end = end_of(have_a_child_told, signals[_i]);
    ck_assert(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    ck_assert(exists("one.tmp"));
    ck_assert(exists("two.tmp"));
}
END_TEST

int main(void)
{
    Suite   *suite  = suite_create("litter");
    TCase   *tests  = tcase_create("litter");
    SRunner *runner = srunner_create(suite);
    int      failed = 0;

    tcase_add_checked_fixture(tests, make_directory, remove_directory);
    tcase_add_loop_test(tests, a_signal_removes_what_is_unfinished_and_ends_the_process,
                        0, SIGNALS);
    tcase_add_loop_test(tests, a_signal_that_is_ignored_stays_ignored, 0, SIGNALS);
    tcase_add_loop_test(tests, only_the_owner_removes_it, 0, SIGNALS);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
