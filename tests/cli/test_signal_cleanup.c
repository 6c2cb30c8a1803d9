/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_signal_cleanup.c - a command interrupted by a signal leaves no incomplete
 * output. */
#include "cli/signal_cleanup.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <pthread.h>
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

static void make(const char *name)
{
    FILE *file = fopen(temp_directory_path(name), "w");

    ck_assert_ptr_nonnull(file);
    fclose(file);
}

static void set_up(void)
{
    temp_directory_create();
    make("one.tmp");
    make("other");
}

/* Register an output, and start writing it. */
static void begin(const char *path)
{
    FILE *file = NULL;

    signal_cleanup_add(path);
    if (sdca_atomic_file_open(path, &file) != SDCA_OK) {
        _exit(2);
    }
}

/* A process that has started writing one and two, and keeps working. */
static int end_of(void (*work)(int signal), int signal)
{
    pid_t child = fork();
    int   end   = 0;

    if (child == 0) {
        begin(temp_directory_path("one"));
        begin(temp_directory_path("two"));
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

START_TEST(signal_removes_incomplete_files_and_ends_the_process)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    end = end_of(be_told, signals[_i]);
    ck_assert(WIFSIGNALED(end) && WTERMSIG(end) == signals[_i]);
    ck_assert_int_eq(temp_directory_file_count(), 2);
    ck_assert(
        file_exists(temp_directory_path("one.tmp"))); /* created by another program */
    ck_assert(file_exists(temp_directory_path("other")));
}
END_TEST

START_TEST(ignored_signal_stays_ignored)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
    end = end_of(be_told, signals[_i]);
    ck_assert(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    ck_assert_int_eq(temp_directory_file_count(), 4);
}
END_TEST

/* Exits with 0 if its child ends correctly. */
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

START_TEST(only_the_owner_cleans_up)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    end = end_of(have_a_child_told, signals[_i]);
    ck_assert(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    ck_assert_int_eq(temp_directory_file_count(), 4);
}
END_TEST

/* A thread as MPI has them: it takes any signal. */
static void *wait_for_signals(void *unused)
{
    sigset_t none;

    (void)unused;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    for (;;) {
        pause();
    }
    return NULL;
}

/* Work until the signal waits for this thread, start a third file, and let it come. */
static void be_told_in_a_thread(int signal)
{
    pthread_t other;
    sigset_t  all, pending;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    if (pthread_create(&other, NULL, wait_for_signals, NULL) != 0) {
        _exit(2);
    }
    pthread_kill(other, signal);
    do {
        sigpending(&pending);
    } while (!sigismember(&pending, signal));
    make("three");
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

START_TEST(signal_to_another_thread_ends_the_one_that_writes)
{
    int end;

    sigaction(signals[_i], &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    end = end_of(be_told_in_a_thread, signals[_i]);
    ck_assert(WIFSIGNALED(end) && WTERMSIG(end) == signals[_i]);
    ck_assert_int_eq(temp_directory_file_count(), 3);
    ck_assert(file_exists(temp_directory_path("three")));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_loop_test(tests, signal_removes_incomplete_files_and_ends_the_process, 0,
                        SIGNALS);
    tcase_add_loop_test(tests, ignored_signal_stays_ignored, 0, SIGNALS);
    tcase_add_loop_test(tests, only_the_owner_cleans_up, 0, SIGNALS);
    tcase_add_loop_test(tests, signal_to_another_thread_ends_the_one_that_writes, 0,
                        SIGNALS);
}
