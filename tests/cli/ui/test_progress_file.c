/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_progress_file.c - JSON lines are appended, but only to sdca's own files. */
#include "cli/ui/progress_file.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static void set_up(void)
{
    temp_directory_create();
    snprintf(path, sizeof path, "%s", temp_directory_path("progress"));
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* The whole file. */
static const char *text(void)
{
    static char bytes[4096];
    FILE       *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    return bytes;
}

static const progress_entry entry = { .event         = "evaluation",
                                      .status        = "running",
                                      .round         = 12.0,
                                      .epoch         = 1.5,
                                      .seconds       = 0.1,
                                      .primal        = 0.5,
                                      .dual          = 0.25,
                                      .gap           = 0.25,
                                      .rel_gap       = 0.5,
                                      .estimated_gap = NAN,
                                      .target        = 5e-4,
                                      .test_error    = 1.0 / 3.0,
                                      .seconds_left  = INFINITY };

/* The part of a line after the time of day. */
static const char tail[] =
    "Z\", \"event\": \"evaluation\", \"status\": \"running\", \"round\": 12, "
    "\"epoch\": 1.5, \"seconds\": 0.1, \"primal\": 0.5, \"dual\": 0.25, "
    "\"gap\": 0.25, \"rel_gap\": 0.5, \"estimated_gap\": null, \"target\": 0.0005, "
    "\"test_error\": 0.33333333333333331, \"seconds_left\": null}\n";

static void add_one(void)
{
    progress_file progress = { 0 };

    ck_assert_int_eq(progress_file_check(path), SDCA_OK);
    ck_assert_int_eq(progress_file_open(path, &progress), SDCA_OK);
    ck_assert_int_eq(progress_file_append(&progress, &entry), SDCA_OK);
    progress_file_close(&progress);
}

START_TEST(lines_are_appended)
{
    const char *line;
    int         year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;

    add_one();
    ck_assert_int_eq(sscanf(text(), "{\"time\": \"%4d-%2d-%2dT%2d:%2d:%2dZ", &year,
                            &month, &day, &hour, &minute, &second),
                     6);
    ck_assert_int_gt(year, 2020);
    ck_assert_str_eq(strstr(text(), "Z\""), tail);
    add_one(); /* as in the next run */
    line = strchr(text(), '\n') + 1;
    ck_assert_str_eq(strstr(line, "Z\""), tail);
}
END_TEST

START_TEST(truncated_line_does_not_affect_others)
{
    write_text("{\"time\": \"2026-01-01T00:00:00Z\", \"ev");
    add_one();
    ck_assert_int_eq(strncmp(strchr(text(), '\n') + 1, "{\"time\": \"", 10), 0);
}
END_TEST

START_TEST(foreign_files_are_not_changed)
{
    static const char *const others[] = { "my notes\n", "{", "{\"key\": 1}\n", "\n" };
    progress_file            progress = { 0 };

    write_text(others[_i]);
    ck_assert_int_eq(progress_file_check(path), SDCA_CREATE);
    ck_assert_int_eq(progress_file_open(path, &progress), SDCA_CREATE);
    ck_assert_ptr_null(progress.path);
    ck_assert_str_eq(text(), others[_i]);
}
END_TEST

START_TEST(file_cannot_be_created)
{
    ck_assert_int_eq(progress_file_check("/tmp"), SDCA_CREATE);
    ck_assert_int_eq(progress_file_check("/dev/full"), SDCA_CREATE);
    ck_assert_int_eq(progress_file_check("/no/such/directory/file"), SDCA_CREATE);
    ck_assert_int_eq(progress_file_check(""), SDCA_USAGE);
    ck_assert_int_eq(progress_file_check("-"), SDCA_OK);
}
END_TEST

START_TEST(full_disk_is_reported)
{
    progress_file progress = { "full", open("/dev/full", O_WRONLY) };

    ck_assert_int_eq(progress_file_append(&progress, &entry), SDCA_IO);
    ck_assert_str_eq(sdca_status_message(),
                     "cannot write 'full': No space left on device");
    progress_file_close(&progress);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_test(tests, lines_are_appended);
    tcase_add_test(tests, truncated_line_does_not_affect_others);
    tcase_add_loop_test(tests, foreign_files_are_not_changed, 0, 4);
    tcase_add_test(tests, file_cannot_be_created);
    tcase_add_test(tests, full_disk_is_reported);
}
