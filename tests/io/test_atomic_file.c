/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_atomic_file.c - files appear under their final name complete or not at all. */
#include "io/atomic_file.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char        path[64];
static sdca_path   name_while_written;
static const char *temporary = name_while_written.text;

static void set_up(void)
{
    temp_directory_create();
    snprintf(path, sizeof path, "%s", temp_directory_path("out"));
    name_while_written = sdca_atomic_file_temp_path(path);
}

/* The first line of a file, possibly truncated. */
static const char *content(const char *name)
{
    static char line[64];
    FILE       *file = fopen(name, "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    fclose(file);
    return line;
}

START_TEST(file_gets_its_name_when_complete)
{
    FILE *file = NULL;

    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_OK);
    fputs("old", file);
    ck_assert(!file_exists(path));
    ck_assert_int_eq(sdca_atomic_file_commit(file, path), SDCA_OK);
    ck_assert_str_eq(content(path), "old");
    ck_assert(!file_exists(temporary));
}
END_TEST

START_TEST(abandoned_file_keeps_the_old_one)
{
    FILE *file = NULL;

    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_OK);
    fputs("old", file);
    ck_assert_int_eq(sdca_atomic_file_commit(file, path), SDCA_OK);
    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_OK);
    fputs("new", file);
    sdca_atomic_file_discard(file, path);
    ck_assert_str_eq(content(path), "old");
    ck_assert(!file_exists(temporary));
    sdca_atomic_file_discard(NULL, path);
}
END_TEST

static void make(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Even if the temporary name is taken by a file or a link. */
START_TEST(foreign_files_are_not_touched)
{
    char  fixed[80], target[80];
    FILE *file = NULL;

    snprintf(fixed, sizeof fixed, "%s.tmp", path);
    snprintf(target, sizeof target, "%s", temp_directory_path("target"));
    make(fixed, "mine");
    make(target, "mine too");
    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_OK);
    fputs("new", file);
    ck_assert_int_eq(sdca_atomic_file_commit(file, path), SDCA_OK);
    ck_assert_str_eq(content(path), "new");
    ck_assert_str_eq(content(fixed), "mine");

    make(temporary, "taken");
    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_CREATE);
    ck_assert_str_eq(content(temporary), "taken");
    unlink(temporary);
    ck_assert_int_eq(symlink(target, temporary), 0);
    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_CREATE);
    ck_assert_int_eq(sdca_atomic_file_create_exclusive(temporary), -1);
    ck_assert_str_eq(content(target), "mine too");
    unlink(target);
    ck_assert_int_eq(sdca_atomic_file_create_exclusive(temporary),
                     -1); /* a link to nothing */
    ck_assert(!file_exists(target));
    unlink(fixed);
}
END_TEST

/* Two processes write the same output concurrently: each publishes its own file. */
START_TEST(two_writers_do_not_mix)
{
    FILE *file   = NULL;
    int   status = 0;
    pid_t child;

    ck_assert_int_eq(sdca_atomic_file_open(path, &file), SDCA_OK);
    fputs("first", file);
    fflush(file);
    child = fork();
    if (child == 0) {
        FILE *other = NULL;
        bool  good  = sdca_atomic_file_open(path, &other) == SDCA_OK;

        good = good && fputs("second, and longer", other) >= 0 &&
               sdca_atomic_file_commit(other, path) == SDCA_OK;
        _exit(good ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_str_eq(content(path), "second, and longer");
    ck_assert_int_eq(sdca_atomic_file_commit(file, path), SDCA_OK);
    ck_assert_str_eq(content(path), "first");
}
END_TEST

/* An output may have any valid file name. */
START_TEST(long_names_work)
{
    char   name[400];
    size_t before = (size_t)snprintf(name, sizeof name, "%s/", temp_directory_name());
    FILE  *file   = NULL;

    memset(name + before, 'a', 256);
    for (size_t length = 200; length < 256; length++) {
        name[before + length] = '\0';
        ck_assert_int_eq(sdca_atomic_file_check_writable(name), SDCA_OK);
        ck_assert_int_eq(sdca_atomic_file_open(name, &file), SDCA_OK);
        ck_assert(file_exists(sdca_atomic_file_temp_path(name).text));
        ck_assert_int_eq(sdca_atomic_file_commit(file, name), SDCA_OK);
        ck_assert_int_eq(unlink(name), 0);
        name[before + length] = 'a';
    }
    name[before + 256] = '\0';
    ck_assert_int_eq(sdca_atomic_file_check_writable(name), SDCA_CREATE);
}
END_TEST

/* Different outputs have different temporary names, for any length. */
START_TEST(temporary_names_differ)
{
    char a[256], b[256];

    memset(a, 'a', sizeof a - 1);
    a[sizeof a - 1] = '\0';
    memcpy(b, a, sizeof b);
    b[sizeof b - 2] = 'b';
    ck_assert_str_ne(sdca_atomic_file_temp_path(a).text,
                     sdca_atomic_file_temp_path(b).text);
    ck_assert_str_eq(sdca_atomic_file_temp_path(a).text,
                     sdca_atomic_file_temp_path(a).text);
    ck_assert_str_ne(sdca_atomic_file_temp_path(path).text,
                     sdca_atomic_file_tagged_temp_path(path, "other-").text);
}
END_TEST

START_TEST(failed_write_is_reported)
{
    FILE *full = fopen("/dev/full", "w");

    ck_assert_ptr_nonnull(full);
    fputs("no room for this", full);
    ck_assert_int_eq(sdca_atomic_file_commit(full, path), SDCA_IO);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "No space left"));
    ck_assert(!file_exists(path));
}
END_TEST

START_TEST(impossible_outputs_are_rejected_early)
{
    char missing[96];

    snprintf(missing, sizeof missing, "%s", temp_directory_path("none/out"));
    ck_assert_int_eq(sdca_atomic_file_check_writable(missing), SDCA_CREATE);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "No such file"));
    ck_assert_int_eq(sdca_atomic_file_check_writable(temp_directory_name()), SDCA_CREATE);
    ck_assert_int_eq(sdca_atomic_file_check_writable(path), SDCA_OK);
    ck_assert_int_eq(sdca_atomic_file_check_writable("here"), SDCA_OK);
    ck_assert_int_eq(sdca_atomic_file_check_writable(""), SDCA_USAGE);
    ck_assert_int_eq(sdca_atomic_file_check_writable("none/"), SDCA_CREATE);
    ck_assert_int_eq(sdca_atomic_file_check_writable("-"), SDCA_OK);
    ck_assert_int_eq(sdca_atomic_file_check_regular("-"), SDCA_USAGE);
    ck_assert_int_eq(sdca_atomic_file_check_regular(path), SDCA_OK);
}
END_TEST

static void publish(const char *text, int older)
{
    make(temporary, text);
    ck_assert_int_eq(sdca_atomic_file_publish(temporary, path, older), SDCA_OK);
}

/* The target of a link is replaced, and the link stays; a dangling link is rejected. */
START_TEST(links_are_followed)
{
    char        link[96];
    FILE       *file = NULL;
    struct stat facts;

    snprintf(link, sizeof link, "%s", temp_directory_path("link"));
    ck_assert_int_eq(symlink("out", link), 0);
    ck_assert_int_eq(sdca_atomic_file_check_writable(link), SDCA_CREATE);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "dangling symbolic link"));
    publish("old", 0);
    ck_assert_int_eq(sdca_atomic_file_open(link, &file), SDCA_OK);
    ck_assert(file_exists(temporary));
    fputs("new", file);
    ck_assert_int_eq(sdca_atomic_file_commit(file, link), SDCA_OK);
    ck_assert_str_eq(content(path), "new");
    ck_assert(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    ck_assert_int_eq(sdca_atomic_file_check_distinct(path, link), SDCA_USAGE);
    unlink(link);
}
END_TEST

START_TEST(same_file_is_detected)
{
    char      other[96];
    sdca_path ending;

    snprintf(other, sizeof other, "%s", temp_directory_path("./out"));
    ck_assert_int_eq(sdca_atomic_file_check_distinct(path, other), SDCA_USAGE);
    snprintf(other, sizeof other, "%s.tmp", path);
    ck_assert_int_eq(sdca_atomic_file_check_distinct(path, other), SDCA_OK);
    ck_assert_int_eq(sdca_atomic_file_check_distinct(other, path), SDCA_OK);
    ck_assert(sdca_atomic_file_match_suffix(path, other, &ending));
    ck_assert_str_eq(ending.text, ".tmp");
    ck_assert(!sdca_atomic_file_match_suffix(other, path, &ending));
}
END_TEST

START_TEST(older_generations_kept)
{
    sdca_path   older[2] = { sdca_atomic_file_generation(path, 1),
                             sdca_atomic_file_generation(path, 2) };
    const char *first = older[0].text, *second = older[1].text;

    publish("a", 2);
    ck_assert(!file_exists(first));
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

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_test(tests, file_gets_its_name_when_complete);
    tcase_add_test(tests, abandoned_file_keeps_the_old_one);
    tcase_add_test(tests, foreign_files_are_not_touched);
    tcase_add_test(tests, two_writers_do_not_mix);
    tcase_add_test(tests, long_names_work);
    tcase_add_test(tests, temporary_names_differ);
    tcase_add_test(tests, failed_write_is_reported);
    tcase_add_test(tests, impossible_outputs_are_rejected_early);
    tcase_add_test(tests, links_are_followed);
    tcase_add_test(tests, same_file_is_detected);
    tcase_add_test(tests, older_generations_kept);
}
