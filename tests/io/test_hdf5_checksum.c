/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hdf5_checksum.c - a checksum over the whole file detects damage. */
#include "io/hdf5_checksum.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = SDCA_CHECKSUM_BLOCK_SIZE + 1000 };

static char path[64];

static void set_up(void)
{
    temp_directory_create();
    snprintf(path, sizeof path, "%s", temp_directory_path("file"));
}

/* Create a sealed file whose bytes depend on seed. */
static void make(const char *name, int seed)
{
    FILE *file = fopen(name, "wb");

    ck_assert_ptr_nonnull(file);
    for (int k = 0; k < SIZE; k++) {
        fputc(k < SDCA_CHECKSUM_BLOCK_SIZE ? 0 : (k * 7 + seed) & 0xff, file);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(sdca_checksum_write(name, name), SDCA_OK);
}

static void put_byte(const char *name, long place, int byte)
{
    FILE *file = fopen(name, "r+b");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, place, SEEK_SET), 0);
    fputc(byte, file);
    ck_assert_int_eq(fclose(file), 0);
}

static int get_byte(const char *name, long place)
{
    FILE *file = fopen(name, "rb");
    int   byte;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, place, SEEK_SET), 0);
    byte = fgetc(file);
    fclose(file);
    return byte;
}

START_TEST(every_changed_byte_is_detected)
{
    make(path, 3);
    ck_assert_int_eq(sdca_checksum_verify(path, path), SDCA_OK);
    for (long k = 0; k < SIZE; k++) {
        int byte = get_byte(path, k);

        put_byte(path, k, byte ^ (1 << k % 8));
        ck_assert_int_eq(sdca_checksum_verify(path, "it"), SDCA_DATA);
        ck_assert_ptr_nonnull(strstr(sdca_status_message(), "'it' is damaged"));
        put_byte(path, k, byte);
    }
    ck_assert_int_eq(sdca_checksum_verify(path, path), SDCA_OK);
}
END_TEST

START_TEST(every_other_length_is_detected)
{
    for (long size = 0; size <= SIZE + 1; size++) {
        make(path, 5);
        ck_assert_int_eq(truncate(path, size), 0);
        ck_assert_int_eq(sdca_checksum_verify(path, path),
                         size == SIZE ? SDCA_OK : SDCA_DATA);
    }
}
END_TEST

/* Blocks that were never written to disk. */
START_TEST(zeros_are_detected)
{
    make(path, 1);
    for (long k = 0; k < SIZE; k++) {
        put_byte(path, k, 0);
    }
    ck_assert_int_eq(sdca_checksum_verify(path, path), SDCA_DATA);
}
END_TEST

START_TEST(latest_complete_file_is_found)
{
    char older[80], oldest[80];
    int  age = -1;

    snprintf(older, sizeof older, "%s.1", path);
    snprintf(oldest, sizeof oldest, "%s.3", path);
    ck_assert_int_eq(sdca_checksum_find_intact(path, &age), SDCA_MISSING);
    make(oldest, 9);
    ck_assert_int_eq(sdca_checksum_find_intact(path, &age), SDCA_OK);
    ck_assert_int_eq(age, 3);
    make(older, 8);
    make(path, 7);
    ck_assert_int_eq(sdca_checksum_find_intact(path, &age), SDCA_OK);
    ck_assert_int_eq(age, 0);
    put_byte(path, SIZE - 1, 0xaa);
    ck_assert_int_eq(sdca_checksum_find_intact(path, &age), SDCA_OK);
    ck_assert_int_eq(age, 1);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "damaged"));
    ck_assert_int_eq(truncate(older, 100), 0);
    ck_assert_int_eq(unlink(oldest), 0);
    ck_assert_int_eq(sdca_checksum_find_intact(path, &age), SDCA_DATA);
}
END_TEST

START_TEST(failures_are_reported)
{
    ck_assert_int_eq(sdca_checksum_write(path, "it"), SDCA_IO);
    ck_assert_ptr_nonnull(
        strstr(sdca_status_message(), "cannot write the checksum of 'it'"));
    ck_assert_int_eq(sdca_checksum_verify(path, "it"), SDCA_MISSING);
    ck_assert_int_eq(sdca_checksum_verify(temp_directory_name(), "it"), SDCA_IO);
}
END_TEST

START_TEST(seal_is_recognised)
{
    make(path, 3);
    ck_assert(sdca_checksum_is_present(path));
    put_byte(path, SIZE - 1, 0xaa);
    ck_assert(sdca_checksum_is_present(path));
    put_byte(path, 3, 0);
    ck_assert(!sdca_checksum_is_present(path));
    ck_assert_int_eq(truncate(path, 3), 0);
    ck_assert(!sdca_checksum_is_present(path));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert(!sdca_checksum_is_present(path));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_test(tests, every_changed_byte_is_detected);
    tcase_add_test(tests, every_other_length_is_detected);
    tcase_add_test(tests, zeros_are_detected);
    tcase_add_test(tests, latest_complete_file_is_found);
    tcase_add_test(tests, failures_are_reported);
    tcase_add_test(tests, seal_is_recognised);
}
