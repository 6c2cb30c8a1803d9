/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_round_log.c - a round log is bounded, evenly spaced, and unaffected by a restart.
 */
#include "model/round_log.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

enum { ROOM = SDCA_ROUND_LOG_CAPACITY };

static sdca_round_log_entry nth(double round)
{
    return (sdca_round_log_entry){ .round       = round,
                                   .epoch       = round / 8.0,
                                   .seconds     = round / 1024.0,
                                   .eta         = 1.0 / round,
                                   .sigma       = 2.0,
                                   .local_steps = 0.125,
                                   .sigma_along = NAN };
}

static void note(sdca_round_log *rounds, int64_t first, int64_t last)
{
    for (int64_t k = first; k <= last; k++) {
        sdca_round_log_entry entry = nth((double)k);

        sdca_round_log_append(rounds, &entry);
    }
}

static sdca_round_log log_of(int64_t last)
{
    sdca_round_log rounds = { 0 };

    ck_assert_int_eq(sdca_round_log_create(&rounds), SDCA_OK);
    note(&rounds, 1, last);
    return rounds;
}

static void write_log(const sdca_round_log *rounds, const char *path)
{
    sdca_hdf5_file *store = NULL;

    ck_assert_int_eq(sdca_hdf5_create(path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_round_log_write(rounds, store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_commit(store), SDCA_OK);
}

static sdca_round_log read_log(const char *path)
{
    sdca_hdf5_file *store  = NULL;
    sdca_round_log  rounds = { 0 };

    ck_assert_int_eq(sdca_hdf5_open(MPI_COMM_NULL, path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_round_log_read(store, &rounds), SDCA_OK);
    sdca_hdf5_close(store);
    return rounds;
}

/* Lengths of runs around those where the log is full, and far beyond. */
static const int64_t lengths[] = {
    0,
    1,
    2,
    ROOM - 1,
    ROOM,
    ROOM + 1,
    2 * ROOM - 1,
    2 * ROOM,
    3 * ROOM,
    3 * ROOM + 1,
    4 * ROOM - 1,
    4 * ROOM + 3,
    100003,
};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

START_TEST(every_kth_round_and_the_last_are_kept)
{
    int64_t        length = lengths[_i], stride = 1, k = 0;
    sdca_round_log rounds = log_of(length);

    while (length / stride >= ROOM) {
        stride *= 2;
    }
    ck_assert_int_le(rounds.count, ROOM);
    ck_assert_int_ge(rounds.count, length < ROOM ? length : ROOM / 2);
    for (int64_t round = stride; round <= length; round += stride) {
        sdca_round_log_entry wanted = nth((double)round);

        ck_assert_mem_eq(&rounds.entries[k++], &wanted, sizeof wanted);
    }
    if (length % stride != 0) {
        ck_assert(rounds.entries[k++].round == (double)length);
    }
    ck_assert_int_eq(k, rounds.count);
    sdca_round_log_free(&rounds);
}
END_TEST

/* Stop after any of these lengths, save, reload, and continue to any other. */
START_TEST(resumed_run_has_the_same_log)
{
    int64_t        first = lengths[_i % LENGTHS], last = lengths[_i / LENGTHS];
    sdca_round_log part, whole;

    if (first > last) {
        return;
    }
    part = log_of(first);
    write_log(&part, temp_directory_path("log.h5"));
    sdca_round_log_free(&part);
    part = read_log(temp_directory_path("log.h5"));
    note(&part, first + 1, last);
    whole = log_of(last);
    ck_assert_int_eq(part.count, whole.count);
    for (int64_t k = 0; k < whole.count; k++) {
        ck_assert_mem_eq(&part.entries[k], &whole.entries[k], sizeof whole.entries[k]);
    }
    sdca_round_log_free(&part);
    sdca_round_log_free(&whole);
}
END_TEST

START_TEST(unlogged_rounds_leave_gaps)
{
    sdca_round_log rounds = log_of(0);

    note(&rounds, 3 * ROOM, 3 * ROOM + 5);
    ck_assert_int_eq(rounds.count, 3); /* with stride 4: 0, 4, and the last */
    ck_assert(rounds.entries[1].round == 3 * ROOM + 4);
    sdca_round_log_free(&rounds);
}
END_TEST

/* A malicious file cannot exhaust memory or time. */
START_TEST(invalid_logs_are_ignored)
{
    static sdca_round_log_entry entry[3 * ROOM];
    sdca_round_log              made = { 3 * ROOM, entry }, rounds;

    for (int64_t k = 0; k < made.count; k++) {
        double wild[] = { -1.0, 0.0, 1.0, NAN, 1e300, INFINITY, 0.5, (double)k };

        entry[k]       = nth(1.0);
        entry[k].round = _i < 8    ? wild[_i]
                         : _i == 8 ? 1.0 + (double)k / 1e4
                                   : wild[k % 8];
    }
    write_log(&made, temp_directory_path("wild.h5"));
    rounds = read_log(temp_directory_path("wild.h5"));
    ck_assert_int_le(rounds.count, ROOM);
    for (int64_t k = 1; k < rounds.count; k++) {
        ck_assert(rounds.entries[k].round > rounds.entries[k - 1].round);
    }
    note(&rounds, 1, 2 * ROOM);
    ck_assert_int_le(rounds.count, ROOM);
    sdca_round_log_free(&rounds);
}
END_TEST

START_TEST(missing_log_reads_as_empty)
{
    sdca_hdf5_file *store  = NULL;
    sdca_round_log  rounds = { 0 };

    write_log(&rounds, temp_directory_path("none.h5"));
    ck_assert_int_eq(
        sdca_hdf5_open(MPI_COMM_NULL, temp_directory_path("none.h5"), &store), SDCA_OK);
    ck_assert(!sdca_hdf5_has_group(store, "rounds"));
    sdca_hdf5_close(store);
    rounds = read_log(temp_directory_path("none.h5"));
    ck_assert_int_eq(rounds.count, 0);
    note(&rounds, 1, 1);
    ck_assert_int_eq(rounds.count, 1);
    sdca_round_log_free(&rounds);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, every_kth_round_and_the_last_are_kept, 0, LENGTHS);
    tcase_add_loop_test(tests, resumed_run_has_the_same_log, 0, LENGTHS * LENGTHS);
    tcase_add_test(tests, unlogged_rounds_leave_gaps);
    tcase_add_loop_test(tests, invalid_logs_are_ignored, 0, 10);
    tcase_add_test(tests, missing_log_reads_as_empty);
}
