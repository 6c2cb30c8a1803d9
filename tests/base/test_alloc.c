/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_alloc.c - allocation of any size, growth, and rejection of overflow. */
#include "base/alloc.h"

#include "support/check_main.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t counts[] = { 0, 1, 1000, (1 << 19) - 1, 1 << 19, 3000001 };

START_TEST(array_has_room_for_one_more)
{
    size_t  count  = counts[_i];
    double *memory = sdca_alloc_array(count, sizeof *memory);

    ck_assert_ptr_nonnull(memory);
    memset(memory, 0xff, (count + 1) * sizeof *memory);
    free(memory);
}
END_TEST

START_TEST(memory_is_zeroed)
{
    size_t    count  = counts[_i];
    uint64_t *memory = sdca_alloc_zeroed(count, sizeof *memory);
    uint64_t  any    = 0;

    ck_assert_ptr_nonnull(memory);
    for (size_t k = 0; k <= count; k++) {
        any |= memory[k];
    }
    ck_assert_uint_eq(any, 0);
    free(memory);
}
END_TEST

START_TEST(overflow_is_rejected)
{
    ck_assert_ptr_null(sdca_alloc_array(SIZE_MAX / 8, 8));
    ck_assert_ptr_null(sdca_alloc_array(SIZE_MAX / 8, 16));
    ck_assert_ptr_null(sdca_alloc_zeroed(SIZE_MAX, 1));
    ck_assert_ptr_null(sdca_alloc_array(SIZE_MAX / 8 + 1, 8)); /* would be 8 bytes */
    ck_assert_ptr_null(sdca_alloc_array((size_t)1 << 61, 8));
    ck_assert_ptr_null(
        sdca_alloc_zeroed((size_t)INT64_C(-1), 8)); /* a negative count after the cast */
    ck_assert_ptr_null(sdca_alloc_array(1, 0));
}
END_TEST

START_TEST(growing_keeps_content)
{
    uint32_t *memory = sdca_alloc_resize(NULL, 3, sizeof *memory);

    ck_assert_ptr_nonnull(memory);
    memset(memory, 0x5a, 3 * sizeof *memory);
    memory = sdca_alloc_resize(memory, 100000, sizeof *memory);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq(memory[2], 0x5a5a5a5a);
    memory[99999] = 1;
    ck_assert_ptr_null(sdca_alloc_resize(memory, SIZE_MAX / 4 + 1, sizeof *memory));
    ck_assert_ptr_null(sdca_alloc_resize(memory, (size_t)1 << 62, sizeof *memory));
    ck_assert_ptr_null(sdca_alloc_resize(memory, 1, 0));
    ck_assert_uint_eq(memory[0], 0x5a5a5a5a); /* unchanged */
    free(memory);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, array_has_room_for_one_more, 0, LENGTH(counts));
    tcase_add_loop_test(tests, memory_is_zeroed, 0, LENGTH(counts));
    tcase_add_test(tests, overflow_is_rejected);
    tcase_add_test(tests, growing_keeps_content);
}
