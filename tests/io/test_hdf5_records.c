/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hdf5_records.c - records are read back from one array per field. */
#include "io/hdf5_records.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *const        names[] = { "first", "second", "third" };
static const sdca_record_schema columns = { "group", 3, names };
static const double sample[]            = { 1.0, 2.0, NAN, 4.0, NAN, 6.0, 7.0, 8.0, NAN };

static void write_records(const char *path, const double *record, int64_t count)
{
    sdca_hdf5_file *store = NULL;

    ck_assert_int_eq(sdca_hdf5_create(path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_write_records(&columns, record, count, store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_commit(store), SDCA_OK);
}

START_TEST(records_round_trip)
{
    const char     *path  = temp_directory_path("records.h5");
    sdca_hdf5_file *store = NULL;
    double         *out   = NULL;
    int64_t         count = -1;

    write_records(path, sample, _i);
    ck_assert_int_eq(sdca_hdf5_open(MPI_COMM_NULL, path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_read_records(&columns, store, &out, &count), SDCA_OK);
    ck_assert_int_eq(count, _i);
    for (int k = 0; k < 3 * _i; k++) {
        ck_assert(isnan(sample[k]) ? isnan(out[k]) : out[k] == sample[k]);
    }

    /* The last column is first set in the second record. */
    ck_assert_int_eq(sdca_record_schema_used(&columns, sample, _i), _i > 1 ? 3 : 2);
    ck_assert_int_eq(sdca_hdf5_has_array(store, "group/third"), _i > 1);
    sdca_hdf5_close(store);
    free(out);
}
END_TEST

/* All arrays except the last must exist, with the length of the first. */
START_TEST(incomplete_records_are_rejected)
{
    const char     *path   = temp_directory_path("part.h5");
    double          one[2] = { 1.0, 2.0 };
    double         *out    = NULL;
    int64_t         count  = -1;
    sdca_hdf5_file *store  = NULL;

    ck_assert_int_eq(sdca_hdf5_create(path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_create_group(store, "group"), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_write_array(store, "group/first", SDCA_FLOAT64, 2, one),
                     SDCA_OK);
    if (_i > 0) {
        ck_assert_int_eq(
            sdca_hdf5_write_array(store, "group/second", SDCA_FLOAT64, 1, one), SDCA_OK);
    }
    ck_assert_int_eq(sdca_hdf5_commit(store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_open(MPI_COMM_NULL, path, &store), SDCA_OK);
    ck_assert_int_eq(sdca_hdf5_read_records(&columns, store, &out, &count), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "group/second"));
    ck_assert(out == NULL && count == -1);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(columns_are_found_by_full_name)
{
    ck_assert_int_eq(sdca_record_schema_find(&columns, "first", 5), 0);
    ck_assert_int_eq(sdca_record_schema_find(&columns, "third,", 5), 2);
    ck_assert_int_eq(sdca_record_schema_find(&columns, "firs", 4), -1);
    ck_assert_int_eq(sdca_record_schema_find(&columns, "firsts", 6), -1);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, records_round_trip, 0, 4);
    tcase_add_loop_test(tests, incomplete_records_are_rejected, 0, 2);
    tcase_add_test(tests, columns_are_found_by_full_name);
}
