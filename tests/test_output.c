/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_output.c - files that appear whole under their final name or not at all. */
#include "sdca/output.h"

#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/sdca_output_XXXXXX";
static char path[64];
static char temporary[80];

static void make_directory(void)
{
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/out", directory);
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
}

static void remove_directory(void)
{
    unlink(path);
    unlink(temporary);
    rmdir(directory);
}

static bool exists(const char *name)
{
    return access(name, F_OK) == 0;
}

/* The first line of a file, as far as it fits. */
static const char *content(const char *name)
{
    static char line[64];
    FILE       *file = fopen(name, "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    fclose(file);
    return line;
}

START_TEST(a_file_has_its_name_only_when_it_is_whole)
{
    FILE *file = NULL;

    ck_assert_int_eq(sdca_output_open(path, &file), SDCA_OK);
    fputs("old", file);
    ck_assert(!exists(path));
    ck_assert_int_eq(sdca_output_close(file, path), SDCA_OK);
    ck_assert_str_eq(content(path), "old");
    ck_assert(!exists(temporary));
}
END_TEST

START_TEST(an_abandoned_file_leaves_the_old_one)
{
    FILE *file = NULL;

    ck_assert_int_eq(sdca_output_open(path, &file), SDCA_OK);
    fputs("old", file);
    ck_assert_int_eq(sdca_output_close(file, path), SDCA_OK);
    ck_assert_int_eq(sdca_output_open(path, &file), SDCA_OK);
    fputs("new", file);
    sdca_output_abandon(file, path);
    ck_assert_str_eq(content(path), "old");
    ck_assert(!exists(temporary));
    sdca_output_abandon(NULL, path);
}
END_TEST

START_TEST(a_stale_temporary_is_replaced)
{
    FILE *file = fopen(temporary, "w");

    fputs("left by a crash, and longer than what comes", file);
    fclose(file);
    ck_assert_int_eq(sdca_output_open(path, &file), SDCA_OK);
    fputs("new", file);
    ck_assert_int_eq(sdca_output_close(file, path), SDCA_OK);
    ck_assert_str_eq(content(path), "new");
}
END_TEST

START_TEST(a_failed_write_is_told)
{
    FILE *full = fopen("/dev/full", "w");

    ck_assert_ptr_nonnull(full);
    fputs("no room for this", full);
    ck_assert_int_eq(sdca_output_close(full, path), SDCA_IO);
    ck_assert_ptr_nonnull(strstr(sdca_status_why(), "No space left"));
    ck_assert(!exists(path));
}
END_TEST

START_TEST(impossible_outputs_are_refused_early)
{
    char missing[96];

    snprintf(missing, sizeof missing, "%s/none/out", directory);
    ck_assert_int_eq(sdca_output_check(missing), SDCA_CREATE);
    ck_assert_ptr_nonnull(strstr(sdca_status_why(), "No such file"));
    ck_assert_int_eq(sdca_output_check(directory), SDCA_CREATE);
    ck_assert_int_eq(sdca_output_check(path), SDCA_OK);
    ck_assert_int_eq(sdca_output_check("here"), SDCA_OK);
    ck_assert_int_eq(sdca_output_check(""), SDCA_USAGE);
}
END_TEST

static void publish(const char *text, int older)
{
    FILE *file = fopen(temporary, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(sdca_output_publish(temporary, path, older), SDCA_OK);
}

/* What a link leads to is replaced, and the link stays; a link to nothing is refused. */
START_TEST(links_are_followed)
{
    char        link[96];
    FILE       *file = NULL;
    struct stat facts;

    snprintf(link, sizeof link, "%s/link", directory);
    ck_assert_int_eq(symlink("out", link), 0);
    ck_assert_int_eq(sdca_output_check(link), SDCA_CREATE);
    ck_assert_ptr_nonnull(strstr(sdca_status_why(), "link to nothing"));
    publish("old", 0);
    ck_assert_int_eq(sdca_output_open(link, &file), SDCA_OK);
    ck_assert(exists(temporary));
    fputs("new", file);
    ck_assert_int_eq(sdca_output_close(file, link), SDCA_OK);
    ck_assert_str_eq(content(path), "new");
    ck_assert(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    ck_assert_int_eq(sdca_output_check_apart(path, link), SDCA_USAGE);
    unlink(link);
}
END_TEST

/* None of the names of files beside an output is free for another one. */
START_TEST(files_beside_an_output_are_its_own)
{
    static const char *const taken[] = { "", ".tmp", ".lock", ".old", ".1", ".17" };
    static const char *const free[]  = { ".", ".h5", ".1a", ".tmp2", "1", ".olds" };

    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        char other[96];

        snprintf(other, sizeof other, "%s%s", path, taken[k]);
        ck_assert_int_eq(sdca_output_check_apart(path, other), SDCA_USAGE);
        ck_assert_int_eq(sdca_output_check_apart(other, path), SDCA_USAGE);
        snprintf(other, sizeof other, "%s%s", path, free[k]);
        ck_assert_int_eq(sdca_output_check_apart(path, other), SDCA_OK);
        ck_assert_int_eq(sdca_output_check_apart(other, path), SDCA_OK);
    }
}
END_TEST

START_TEST(older_generations_stay)
{
    sdca_name   older[2] = { sdca_output_generation(path, 1),
                             sdca_output_generation(path, 2) };
    const char *first = older[0].text, *second = older[1].text;

    publish("a", 2);
    ck_assert(!exists(first));
    publish("b", 2);
    ck_assert_str_eq(content(first), "a");
    publish("c", 2);
    publish("d", 2);
    ck_assert_str_eq(content(path), "d");
    ck_assert_str_eq(content(first), "c");
    ck_assert_str_eq(content(second), "b");
    publish("e", 0);
    ck_assert_str_eq(content(path), "e");
    ck_assert_str_eq(content(first), "c");
    unlink(first);
    unlink(second);
}
END_TEST

/* Another process asks for what this one has: 0 if it gets it. */
static int ask_elsewhere(void)
{
    int   status = 0;
    pid_t child  = fork();

    if (child == 0) {
        sdca_lock lock = { 0 };

        _exit(sdca_output_lock(path, &lock) == SDCA_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

START_TEST(a_lock_keeps_others_out)
{
    sdca_lock lock = { 0 };

    ck_assert_int_eq(sdca_output_lock(path, &lock), SDCA_OK);
    ck_assert_int_eq(ask_elsewhere(), 1);
    sdca_output_unlock(&lock);
    ck_assert_int_eq(ask_elsewhere(), 0);
    ck_assert_int_eq(sdca_output_lock(path, &lock), SDCA_OK); /* left by one that died */
    sdca_output_unlock(&lock);
    sdca_output_unlock(&lock); /* nothing to give back */
    ck_assert_int_eq(sdca_output_lock("none/out", &lock), SDCA_CREATE);
}
END_TEST

/* Take the lock and give it back again and again: was it ever somebody else's, too? Who
 * has it makes a file of a name that is free then. */
static int share_often(void)
{
    enum { TIMES = 3000 };
    int  shared = 0;
    char held[80];

    snprintf(held, sizeof held, "%s/held", directory);
    for (int k = 0; k < TIMES; k++) {
        sdca_lock lock = { 0 };

        if (sdca_output_lock(path, &lock) == SDCA_OK) {
            int file = open(held, O_WRONLY | O_CREAT | O_EXCL, 0666);

            shared += file < 0;
            close(file);
            unlink(held);
            sdca_output_unlock(&lock);
        }
    }
    return shared > 0;
}

START_TEST(a_lock_has_one_owner)
{
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];

    for (int k = 0; k < PROCESSES; k++) {
        child[k] = fork();
        if (child[k] == 0) {
            _exit(share_often());
        }
    }
    for (int k = 0; k < PROCESSES; k++) {
        int status = 0;

        ck_assert_int_eq(waitpid(child[k], &status, 0), child[k]);
        ck_assert_int_eq(status, 0);
    }
}
END_TEST

int main(void)
{
    Suite   *suite  = suite_create("output");
    TCase   *tests  = tcase_create("output");
    SRunner *runner = srunner_create(suite);
    int      failed;

    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, make_directory, remove_directory);
    tcase_add_test(tests, a_file_has_its_name_only_when_it_is_whole);
    tcase_add_test(tests, an_abandoned_file_leaves_the_old_one);
    tcase_add_test(tests, a_stale_temporary_is_replaced);
    tcase_add_test(tests, a_failed_write_is_told);
    tcase_add_test(tests, impossible_outputs_are_refused_early);
    tcase_add_test(tests, links_are_followed);
    tcase_add_test(tests, files_beside_an_output_are_its_own);
    tcase_add_test(tests, older_generations_stay);
    tcase_add_test(tests, a_lock_keeps_others_out);
    tcase_add_test(tests, a_lock_has_one_owner);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
