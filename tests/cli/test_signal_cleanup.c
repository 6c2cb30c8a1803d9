/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_signal_cleanup.c - a command that a signal ends leaves no unfinished output
 * behind. */
#include "cli/signal_cleanup.h"

#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/atomic_file.h"

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
    make("other");
}

static void remove_directory(void)
{
    DIR           *open  = opendir(directory);
    struct dirent *entry = NULL;

    while (open != NULL && (entry = readdir(open)) != NULL) {
        unlinkat(dirfd(open), entry->d_name, 0);
    }
    closedir(open);
    rmdir(directory);
}

/* How many files there are. */
static int count(void)
{
    DIR           *open  = opendir(directory);
    struct dirent *entry = NULL;
    int            files = 0;

    ck_assert_ptr_nonnull(open);
    while ((entry = readdir(open)) != NULL) {
        files += entry->d_name[0] != '.';
    }
    closedir(open);
    return files;
}

/* Watch an output, and begin to write it. */
static void begin(const char *path)
{
    FILE *file = NULL;

    signal_cleanup_add(path);
    if (sdca_atomic_file_open(path, &file) != SDCA_OK) {
        _exit(2);
    }
}

/* A process that has begun to write one and two, and goes on with work. */
static int end_of(void (*work)(int signal), int signal)
{
    pid_t child = fork();
    int   end   = 0;

    if (child == 0) {
        begin(path_of("one"));
        begin(path_of("two"));
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
    ck_assert_int_eq(count(), 2);
    ck_assert(exists("one.tmp")); /* somebody else's */
    ck_assert(exists("other"));
}
END_TEST

START_TEST(a_signal_that_is_ignored_stays_ignored)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
    end = end_of(be_told, signals[_i]);
    ck_assert(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    ck_assert_int_eq(count(), 4);
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
    ck_assert_int_eq(count(), 4);
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
