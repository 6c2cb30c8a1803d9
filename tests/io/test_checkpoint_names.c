/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_checkpoint_files.c - the files of a checkpoint: names, locks and ownership.
 */
#include "io/checkpoint_lock.h"
#include "io/checkpoint_names.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5_checksum.h"

static char path[64];

static void set_up(void)
{
    temp_directory_create();
    snprintf(path, sizeof path, "%s", temp_directory_path("run"));
}

/* path with this suffix; valid until the next call but one. */
static const char *with(const char *ending)
{
    static char name[2][128];
    static int  next = 0;

    next = 1 - next;
    snprintf(name[next], sizeof name[next], "%s%s", path, ending);
    return name[next];
}

static bool exists(const char *ending)
{
    return file_exists(with(ending));
}

static void make(const char *ending, const char *text)
{
    FILE *file = fopen(with(ending), "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect(const char *ending, const char *text)
{
    char  found[64] = "";
    FILE *file      = fopen(with(ending), "r");

    ck_assert_ptr_nonnull(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(found, text);
}

START_TEST(checkpoint_file_names)
{
    static const char *const generation[] = { "", ".1", ".9", ".17", ".99", ".old" };
    static const char *const other[]      = {
             ".",    ".h5", ".tmp",  "1",      ".0",  ".01",
             ".100", ".1a", ".olds", ".lock2", ".lo", ".sdca-1-01234567.tmp"
    };
    static const char *const rest[] = { ".lock", ".sdca-checkpoint-12-0123abcd.tmp" };

    for (size_t k = 0; k < sizeof generation / sizeof *generation; k++) {
        ck_assert(sdca_checkpoint_names_contain(path, with(generation[k])));
        ck_assert(sdca_checkpoint_names_contain_generation(path, with(generation[k])));
    }
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        ck_assert(sdca_checkpoint_names_contain(path, with(rest[k])));
        ck_assert(!sdca_checkpoint_names_contain_generation(path, with(rest[k])));
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        ck_assert(!sdca_checkpoint_names_contain(path, with(other[k])));
    }
    ck_assert(
        sdca_checkpoint_names_contain(path, sdca_checkpoint_names_temp_path(path).text));
    ck_assert(
        !sdca_checkpoint_names_contain(path, sdca_atomic_file_temp_path(path).text));
    ck_assert_int_eq(symlink("run.7", with("-link")), 0);
    make(".7", "");
    ck_assert(sdca_checkpoint_names_contain(path, with("-link")));
}
END_TEST

/* A checkpoint may be complete, damaged or empty. Other files only have its name. */
START_TEST(only_checkpoints_are_recognised)
{
    static const char *const foreign[] = { "s", "my only notes", "\211HDF\r\n\032\n",
                                           "sdca sea", "sdca lock\n" };

    ck_assert_int_eq(
        sdca_checkpoint_names_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS),
        SDCA_OK);
    make("", "sdca seal 1\nbytes ...");
    make(".1", "");
    make(".99", "sdca seal 2\n");
    ck_assert_int_eq(
        sdca_checkpoint_names_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS),
        SDCA_OK);
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        make(".3", foreign[k]);
        ck_assert_int_eq(
            sdca_checkpoint_names_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS),
            SDCA_CREATE);
        ck_assert_ptr_nonnull(strstr(sdca_status_message(), "run.3'"));
        ck_assert_int_eq(sdca_checkpoint_names_check_replaceable(path, 2), SDCA_OK);
        expect(".3", foreign[k]);
    }
    unlink(with(".3"));
    ck_assert_int_eq(symlink("run", with(".3")), 0); /* a link to a checkpoint */
    ck_assert_int_eq(
        sdca_checkpoint_names_check_replaceable(path, SDCA_CHECKSUM_MAX_GENERATIONS),
        SDCA_CREATE);
}
END_TEST

START_TEST(cleanup_removes_stale_temporary_checkpoints)
{
    sdca_path temporary = sdca_checkpoint_names_temp_path(path);

    make(".sdca-checkpoint-1-00000000.tmp", "");
    make(".sdca-checkpoint-99-89abcdef.tmp", "half");
    make(".sdca-checkpoint-99-89abcdef.tmp.txt", "mine");
    make(".sdca-checkpoint-99-89ABCDEF.tmp", "mine");
    make(".sdca-checkpoint--89abcdef.tmp", "mine");
    make(".sdca-99-89abcdef.tmp", "of another command");
    make(".tmp", "mine");
    make("2.sdca-checkpoint-99-89abcdef.tmp", "of another checkpoint");
    ck_assert_int_eq(symlink(path, with(".sdca-checkpoint-2-00000000.tmp")), 0);
    close(sdca_atomic_file_create_exclusive(temporary.text));
    ck_assert_int_eq(sdca_checkpoint_names_remove_temps(path), 3);
    ck_assert(!exists(".sdca-checkpoint-1-00000000.tmp"));
    ck_assert(!exists(".sdca-checkpoint-99-89abcdef.tmp"));
    ck_assert_int_ne(access(temporary.text, F_OK), 0);
    ck_assert_int_eq(sdca_checkpoint_names_remove_temps(path), 0);
    expect(".sdca-checkpoint-99-89abcdef.tmp.txt", "mine");
    expect(".sdca-checkpoint-99-89ABCDEF.tmp", "mine");
    expect(".sdca-checkpoint--89abcdef.tmp", "mine");
    expect(".sdca-99-89abcdef.tmp", "of another command");
    expect(".tmp", "mine");
    expect("2.sdca-checkpoint-99-89abcdef.tmp", "of another checkpoint");
    ck_assert_int_eq(sdca_checkpoint_names_remove_temps("/nowhere/run"), 0);
}
END_TEST

/* Another process tries to take the lock: 0 if it succeeds. */
static int ask_elsewhere(void)
{
    int   status = 0;
    pid_t child  = fork();

    if (child == 0) {
        sdca_checkpoint_lock lock = { 0 };

        _exit(sdca_checkpoint_lock_take(path, &lock) == SDCA_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

START_TEST(lock_excludes_others)
{
    sdca_checkpoint_lock lock = { 0 };

    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_OK);
    ck_assert_int_eq(ask_elsewhere(), 1);
    sdca_checkpoint_lock_release(&lock);
    ck_assert_int_eq(ask_elsewhere(), 0);
    ck_assert(exists(".lock"));
    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock),
                     SDCA_OK); /* left by one that died */
    sdca_checkpoint_lock_release(&lock);
    ck_assert(!exists(".lock"));
    sdca_checkpoint_lock_release(&lock); /* nothing to give back */
    ck_assert_int_eq(sdca_checkpoint_lock_take("none/out", &lock), SDCA_CREATE);
}
END_TEST

/* A file that is named like a lock, but is none, stays and is rejected. An empty file is
 * used and stays; sdca's own lock is removed. */
START_TEST(other_files_are_rejected)
{
    static const char *const foreign[] = { "precious", "s", "sdca seal 1\n" };
    sdca_checkpoint_lock     lock      = { 0 };

    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        make(".lock", foreign[k]);
        ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_CREATE);
        ck_assert_ptr_nonnull(strstr(sdca_status_message(), "run.lock' is not a lock"));
        expect(".lock", foreign[k]);
    }
    make(".lock", "");
    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_OK);
    ck_assert_int_eq(ask_elsewhere(), 1);
    sdca_checkpoint_lock_release(&lock);
    expect(".lock", "");
    make(".lock", "sdca lock\nprocess 1 on some host with a rather long name\n");
    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_OK);
    sdca_checkpoint_lock_release(&lock);
    ck_assert(!exists(".lock"));
    make("-target", "precious");
    ck_assert_int_eq(symlink(with("-target"), with(".lock")), 0);
    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_CREATE);
    expect("-target", "precious");
}
END_TEST

/* A file that has replaced the lock is not removed. */
START_TEST(replaced_lock_file_stays)
{
    sdca_checkpoint_lock lock = { 0 };

    ck_assert_int_eq(sdca_checkpoint_lock_take(path, &lock), SDCA_OK);
    unlink(with(".lock"));
    make(".lock", "precious");
    sdca_checkpoint_lock_release(&lock);
    expect(".lock", "precious");
}
END_TEST

/* Take and release the lock repeatedly. Returns whether two processes ever held it: the
 * owner creates a file that must not exist. */
static int share_often(void)
{
    enum { TIMES = 3000 };
    int  shared = 0;
    char held[80];

    snprintf(held, sizeof held, "%s", temp_directory_path("held"));
    for (int k = 0; k < TIMES; k++) {
        sdca_checkpoint_lock lock = { 0 };

        if (sdca_checkpoint_lock_take(path, &lock) == SDCA_OK) {
            int file = open(held, O_WRONLY | O_CREAT | O_EXCL, 0666);

            shared += file < 0;
            close(file);
            unlink(held);
            sdca_checkpoint_lock_release(&lock);
        }
    }
    return shared > 0;
}

START_TEST(lock_has_one_owner)
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

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_test(tests, checkpoint_file_names);
    tcase_add_test(tests, only_checkpoints_are_recognised);
    tcase_add_test(tests, cleanup_removes_stale_temporary_checkpoints);
    tcase_add_test(tests, lock_excludes_others);
    tcase_add_test(tests, other_files_are_rejected);
    tcase_add_test(tests, replaced_lock_file_stays);
    tcase_add_test(tests, lock_has_one_owner);
}
