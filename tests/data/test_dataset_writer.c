/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dataset_writer.c - a data file holds the appended rows. */
#include "data/dataset_writer.h"

#include "support/check_main.h"
#include "support/temp_dir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/atomic_file.h"
#include "io/hdf5_file.h"

static char path[64];

static const sdca_dataset_writer_options classification = { .classifies = true };
static const sdca_dataset_writer_options regression     = { .classifies = false };

static sdca_dataset_writer *begin(sdca_dataset_writer_options options)
{
    sdca_dataset_writer *writer = NULL;

    if (sdca_dataset_writer_create(path, options, &writer) != SDCA_OK) {
        ck_abort_msg("%s", sdca_status_message());
    }
    return writer;
}

/* A row of one entry. */
static sdca_status put(sdca_dataset_writer *writer, double label, int32_t column,
                       double value)
{
    return sdca_dataset_writer_append(writer, label, 1, &column, &value);
}

static sdca_hdf5_file *commit_and_open(sdca_dataset_writer *writer)
{
    sdca_hdf5_file *store = NULL;

    if (sdca_dataset_writer_commit(writer) != SDCA_OK ||
        sdca_hdf5_open(MPI_COMM_NULL, path, &store) != SDCA_OK) {
        ck_abort_msg("%s", sdca_status_message());
    }
    return store;
}

static void read_doubles(sdca_hdf5_file *store, const char *name, int64_t count,
                         double *x)
{
    sdca_array_shape shape;

    ck_assert_int_eq(sdca_hdf5_get_shape(store, name, &shape), SDCA_OK);
    ck_assert_int_eq(shape.extent[0], count);
    ck_assert_int_eq(
        sdca_hdf5_read_range(store, name, (sdca_range){ 0, count }, SDCA_FLOAT64, x),
        SDCA_OK);
}

static void check_doubles(sdca_hdf5_file *store, const char *name, int64_t count,
                          const double *want)
{
    double got[8];

    read_doubles(store, name, count, got);
    for (int64_t k = 0; k < count; k++) {
        ck_assert_double_eq(got[k], want[k]);
    }
}

static void check_text(sdca_hdf5_file *store, const char *object, const char *name,
                       const char *want)
{
    char text[64];

    ck_assert_int_eq(
        sdca_hdf5_read_string_attribute(store, object, name, text, sizeof text), SDCA_OK);
    ck_assert_str_eq(text, want);
}

static void check_shape(sdca_hdf5_file *store, int64_t rows, int64_t columns)
{
    int64_t shape[2] = { -1, -1 };

    ck_assert_int_eq(sdca_hdf5_read_attribute(store, "X", "shape", SDCA_INT64, 2, shape),
                     SDCA_OK);
    ck_assert_int_eq(shape[0], rows);
    ck_assert_int_eq(shape[1], columns);
}

static void check_nothing_left(void)
{
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_ne(access(sdca_atomic_file_temp_path(path).text, F_OK), 0);
}

START_TEST(rows_round_trip)
{
    const int32_t        column[] = { 0, 3, 6 };
    const double         value[]  = { 0.5, -2.0, 8.0 };
    sdca_dataset_writer *writer   = begin(classification);
    sdca_hdf5_file      *store    = NULL;

    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 2, column, value), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_append(writer, -1.0, 0, NULL, NULL), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_append(writer, -1.0, 1, column + 2, value + 2),
                     SDCA_OK);
    store = commit_and_open(writer);
    check_doubles(store, "X/data", 3, value);
    check_doubles(store, "X/indices", 3, (double[]){ 0.0, 3.0, 6.0 });
    check_doubles(store, "X/indptr", 4, (double[]){ 0.0, 2.0, 2.0, 3.0 });
    check_doubles(store, "y", 3, (double[]){ 1.0, -1.0, -1.0 });
    check_shape(store, 3, 7);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(weights_are_written_on_request)
{
    sdca_dataset_writer_options options = classification;
    sdca_dataset_writer        *writer  = NULL;
    sdca_hdf5_file             *store   = NULL;
    const int32_t               column  = 0;
    const double                value   = 1.0;

    options.weighted = _i == 1;
    writer           = begin(options);
    ck_assert_int_eq(
        sdca_dataset_writer_append_weighted(writer, 1.0, 0.25, 1, &column, &value),
        SDCA_OK);
    ck_assert_int_eq(put(writer, -1.0, 0, 1.0), SDCA_OK);
    ck_assert_double_eq(sdca_dataset_writer_get_stats(writer).total_weight, 1.25);
    store = commit_and_open(writer);
    ck_assert(sdca_hdf5_has_array(store, "weight") == options.weighted);
    if (options.weighted) {
        check_doubles(store, "weight", 2, (double[]){ 0.25, 1.0 });
    }
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(file_has_format_attributes)
{
    sdca_dataset_writer_options options = classification;
    sdca_dataset_writer        *writer  = NULL;
    sdca_hdf5_file             *store   = NULL;
    int64_t                     version = 0;

    options.normalize = _i == 1;
    writer            = begin(options);
    put(writer, 1.0, 0, 1.0);
    store = commit_and_open(writer);
    check_text(store, "/", "format", "sdca-data");
    check_text(store, "/", "normalize", _i == 1 ? "rows" : "none");
    check_text(store, "X", "encoding-type", "csr_matrix");
    check_text(store, "X", "encoding-version", "0.1.0");
    check_text(store, "y", "task", "classification");
    ck_assert_int_eq(
        sdca_hdf5_read_attribute(store, "/", "format-version", SDCA_INT64, 1, &version),
        SDCA_OK);
    ck_assert_int_eq(version, 1);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(arrays_have_documented_types)
{
    sdca_dataset_writer_options options = classification;
    sdca_hdf5_file             *store   = NULL;
    sdca_dataset_writer        *writer  = NULL;
    sdca_array_shape            shape;

    options.float64 = _i == 1;
    writer          = begin(options);
    put(writer, 1.0, 0, 0.1);
    store = commit_and_open(writer);
    sdca_hdf5_get_shape(store, "X/data", &shape);
    ck_assert(shape.is_float);
    ck_assert_uint_eq(shape.element_size, _i == 1 ? 8 : 4);
    sdca_hdf5_get_shape(store, "X/indices", &shape);
    ck_assert(!shape.is_float);
    ck_assert_uint_eq(shape.element_size, 4);
    sdca_hdf5_get_shape(store, "X/indptr", &shape);
    ck_assert(!shape.is_float);
    ck_assert_uint_eq(shape.element_size, 8);
    sdca_hdf5_get_shape(store, "y", &shape);
    ck_assert(shape.is_float);
    ck_assert_uint_eq(shape.element_size, 8);
    check_doubles(store, "X/data", 1, (double[]){ _i == 1 ? 0.1 : (double)0.1f });
    sdca_hdf5_close(store);
}
END_TEST

/* Labels as given, their number, and as stored. */
static const struct {
    double given[4];
    int    labels;
    double label[2];
    double stored[4];
} maps[] = {
    { { 1, -1, 1, 1 }, 2, { -1, 1 }, { 1, -1, 1, 1 } },
    { { 0, 1, 0, 1 }, 2, { 0, 1 }, { -1, 1, -1, 1 } },
    { { 2, 1, 2, 2 }, 2, { 1, 2 }, { 1, -1, 1, 1 } },
    { { -3, -7, -3, -7 }, 2, { -7, -3 }, { 1, -1, 1, -1 } },
    { { 5, 5, 5, 5 }, 1, { 5 }, { 1, 1, 1, 1 } },
    { { 0, 0, 0, 0 }, 1, { 0 }, { -1, -1, -1, -1 } },
    { { -1, -1, -1, -1 }, 1, { -1 }, { -1, -1, -1, -1 } },
    { { 1, 1, 1, 1 }, 1, { 1 }, { 1, 1, 1, 1 } },
};

enum { MAPS = sizeof maps / sizeof maps[0] };

START_TEST(two_labels_are_stored_as_signs_with_their_map)
{
    sdca_dataset_writer      *writer = begin(classification);
    sdca_hdf5_file           *store  = NULL;
    double                    label[2];
    sdca_dataset_writer_stats stats;

    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(put(writer, maps[_i].given[k], 0, 1.0), SDCA_OK);
    }
    stats = sdca_dataset_writer_get_stats(writer);
    ck_assert_int_eq(stats.labels.count, maps[_i].labels);
    for (int k = 0; k < maps[_i].labels; k++) {
        ck_assert_double_eq(stats.labels.value[k], maps[_i].label[k]);
    }
    store = commit_and_open(writer);
    check_doubles(store, "y", 4, maps[_i].stored);
    ck_assert_int_eq(sdca_hdf5_read_attribute(store, "y", "labels", SDCA_FLOAT64,
                                              maps[_i].labels, label),
                     SDCA_OK);
    for (int k = 0; k < maps[_i].labels; k++) {
        ck_assert_double_eq(label[k], maps[_i].label[k]);
    }
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(more_than_two_labels_are_stored_as_they_are)
{
    static const double       label[] = { 2.0, 1.0, 3.5, 2.0 };
    static const double       value[] = { 1.0, 2.0, 3.5 };
    static const int64_t      rows[]  = { 1, 2, 1 };
    sdca_dataset_writer      *writer  = begin(classification);
    sdca_hdf5_file           *store   = NULL;
    sdca_dataset_writer_stats stats;

    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(put(writer, label[k], 0, 1.0), SDCA_OK);
    }
    stats = sdca_dataset_writer_get_stats(writer);
    ck_assert_int_eq(stats.labels.count, 3);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq(stats.labels.value[k], value[k]);
        ck_assert_int_eq(stats.labels.rows[k], rows[k]);
    }
    store = commit_and_open(writer);
    check_doubles(store, "y", 4, label);
    ck_assert(!sdca_hdf5_has_attribute(store, "y", "labels"));
    sdca_hdf5_close(store);
}
END_TEST

/* Fractions are likely to be labels of a regression. */
static const struct {
    int         most; /* labels that are taken */
    double      step;
    const char *says;
} limits[] = {
    { 100, 0.5,
      "there are more than 100 different labels, not all of them whole numbers, which "
      "are too many classes" },
    { 10000, 1.0,
      "there are more than 10000 different labels, which are too many classes" },
};

START_TEST(too_many_labels_are_rejected)
{
    sdca_dataset_writer *writer = begin(classification);

    for (int k = 0; k < 2 * limits[_i].most; k++) {
        ck_assert_int_eq(put(writer, limits[_i].step * (k % limits[_i].most), 0, 1.0),
                         SDCA_OK);
    }
    ck_assert_int_eq(put(writer, -1.0, 0, 1.0), SDCA_DATA);
    ck_assert_str_eq(sdca_status_message(), limits[_i].says);
    sdca_dataset_writer_discard(writer);
    check_nothing_left();
}
END_TEST

START_TEST(regression_keeps_all_labels)
{
    const double         label[] = { 1.5, -2.0, 0.0, 1e300 };
    sdca_dataset_writer *writer  = begin(regression);
    sdca_hdf5_file      *store   = NULL;

    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(put(writer, label[k], 0, 1.0), SDCA_OK);
    }
    store = commit_and_open(writer);
    check_doubles(store, "y", 4, label);
    check_text(store, "y", "task", "regression");
    ck_assert(!sdca_hdf5_has_attribute(store, "y", "labels"));
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(column_count_can_be_set)
{
    sdca_dataset_writer_options options = regression;
    sdca_dataset_writer        *writer  = NULL;
    sdca_hdf5_file             *store   = NULL;

    options.columns = 10;
    writer          = begin(options);
    ck_assert_int_eq(put(writer, 1.0, 9, 1.0), SDCA_OK);
    store = commit_and_open(writer);
    check_shape(store, 1, 10);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(columns_beyond_column_count_are_rejected)
{
    sdca_dataset_writer_options options = regression;
    sdca_dataset_writer        *writer  = NULL;

    options.columns    = 10;
    options.zero_based = _i == 1;
    writer             = begin(options);
    ck_assert_int_eq(put(writer, 1.0, 10, 1.0), SDCA_DATA);
    ck_assert_str_eq(sdca_status_message(),
                     _i == 1 ? "the index 10 is beyond the 10 columns of --columns"
                             : "the index 11 is beyond the 10 columns of --columns");
    sdca_dataset_writer_discard(writer);
}
END_TEST

START_TEST(value_beyond_float32_is_rejected)
{
    sdca_dataset_writer *writer = begin(regression);

    ck_assert_int_eq(put(writer, 1.0, 4, 3.4e38), SDCA_OK);
    ck_assert_int_eq(put(writer, 1.0, 4, -1e39), SDCA_DATA);
    ck_assert_ptr_nonnull(
        strstr(sdca_status_message(), "float32 cannot hold the value -1e+39"));
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "of index 5"));
    sdca_dataset_writer_discard(writer);
}
END_TEST

START_TEST(zeros_are_left_out)
{
    const int32_t        column[] = { 1, 2, 3, 4 };
    const double         value[]  = { 0.0, 7.0, 1e-300, -0.0 };
    sdca_dataset_writer *writer   = begin(regression);
    sdca_hdf5_file      *store    = NULL;

    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 4, column, value), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_get_stats(writer).nonzeros, 1);
    store = commit_and_open(writer);
    check_doubles(store, "X/data", 1, (double[]){ 7.0 });
    check_doubles(store, "X/indices", 1, (double[]){ 2.0 });
    check_doubles(store, "X/indptr", 2, (double[]){ 0.0, 1.0 });
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(float32_underflows_are_counted)
{
    const int32_t               column[]   = { 0, 1, 2, 3, 4 };
    const double                value[]    = { 0.0, 1e-60, 1e-40, -1e-50, 3.0 };
    const int                   vanished[] = { 2, 0 };
    sdca_dataset_writer_options options    = regression;
    sdca_dataset_writer        *writer     = NULL;

    options.float64 = _i == 1;
    writer          = begin(options);
    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 5, column, value), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_get_stats(writer).underflowed, vanished[_i]);
    ck_assert_int_eq(sdca_dataset_writer_get_stats(writer).nonzeros, 4 - vanished[_i]);
    sdca_dataset_writer_discard(writer);
}
END_TEST

START_TEST(integers_rounded_by_float32_are_counted)
{
    const int32_t column[]  = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const double  value[]   = { 16777215.0, 16777217.0, -1700000001.0, 1700000000.0,
                                17000001.5, 0.1,        1e16,          1e20 };
    const int     rounded[] = { 2, 0, 0 };
    sdca_dataset_writer_options options = regression;
    sdca_dataset_writer        *writer  = NULL;

    options.float64   = _i == 1;
    options.normalize = _i == 2;
    writer            = begin(options);
    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 8, column, value), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_get_stats(writer).rounded, rounded[_i]);
    sdca_dataset_writer_discard(writer);
}
END_TEST

START_TEST(empty_rows_are_valid)
{
    sdca_dataset_writer *writer = begin(regression);
    sdca_hdf5_file      *store  = NULL;

    ck_assert_int_eq(sdca_dataset_writer_append(writer, 4.0, 0, NULL, NULL), SDCA_OK);
    store = commit_and_open(writer);
    check_doubles(store, "X/data", 0, NULL);
    check_doubles(store, "X/indices", 0, NULL);
    check_doubles(store, "X/indptr", 2, (double[]){ 0.0, 0.0 });
    check_shape(store, 1, 0);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(normalised_rows_have_norm_one)
{
    static const double scale[]  = { 1.0, 1e-3, 1e300, 1e-300, 4.9406564584124654e-324 };
    const int32_t       column[] = { 1, 5 };
    const double        value[]  = { 3.0 * scale[_i], -4.0 * scale[_i] };
    const double        zero     = 0.0;
    sdca_dataset_writer_options options = { .normalize = true, .float64 = true };
    sdca_dataset_writer        *writer  = begin(options);
    sdca_hdf5_file             *store   = NULL;
    double                      got[2];

    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 2, column, value), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_append(writer, 1.0, 1, column, &zero), SDCA_OK);
    store = commit_and_open(writer);
    read_doubles(store, "X/data", 2, got);
    ck_assert_double_eq_tol(got[0], 0.6, 1e-15);
    ck_assert_double_eq_tol(got[1], -0.8, 1e-15);
    sdca_hdf5_close(store);
}
END_TEST

/* More rows and entries than any buffer holds, and one row longer than a buffer: row i
 * has i % 3 entries, the last row LONG of them. */
START_TEST(long_data_round_trip)
{
    enum { ROWS = 300000, LONG = 300000 };
    int32_t             *column   = malloc(LONG * sizeof *column);
    double              *value    = malloc(LONG * sizeof *value);
    double              *x        = malloc((2 * LONG + ROWS) * sizeof *x);
    sdca_dataset_writer *writer   = begin(classification);
    sdca_hdf5_file      *store    = NULL;
    int64_t              nonzeros = 0;
    int64_t              k        = 0;

    ck_assert(column != NULL && value != NULL && x != NULL);
    for (int j = 0; j < LONG; j++) {
        column[j] = 2 * j;
        value[j]  = j + 1;
    }
    for (int i = 0; i < ROWS; i++) {
        int64_t count = i + 1 < ROWS ? i % 3 : LONG;

        if (sdca_dataset_writer_append(writer, i % 2 + 7, count, column, value) !=
            SDCA_OK) {
            ck_abort_msg("%s", sdca_status_message());
        }
        nonzeros += count;
    }
    store = commit_and_open(writer);
    check_shape(store, ROWS, 2 * LONG - 1);
    read_doubles(store, "y", ROWS, x);
    for (int i = 0; i < ROWS; i++) {
        k += x[i] == (i % 2 == 0 ? -1.0 : 1.0);
    }
    ck_assert_int_eq(k, ROWS);
    read_doubles(store, "X/indptr", ROWS + 1, x);
    k = 0;
    for (int i = 0; i < ROWS; i++) {
        k += x[i + 1] - x[i] == (i + 1 < ROWS ? i % 3 : LONG);
    }
    ck_assert_int_eq(k, ROWS);
    read_doubles(store, "X/data", nonzeros, x);
    for (k = 0; k < LONG && x[nonzeros - LONG + k] == value[k]; k++) {
    }
    ck_assert_int_eq(k, LONG);
    read_doubles(store, "X/indices", nonzeros, x);
    for (k = 0; k < LONG && x[nonzeros - LONG + k] == column[k]; k++) {
    }
    ck_assert_int_eq(k, LONG);
    sdca_hdf5_close(store);
    free(column);
    free(value);
    free(x);
}
END_TEST

START_TEST(file_without_rows_is_rejected)
{
    ck_assert_int_eq(sdca_dataset_writer_commit(begin(classification)), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "no rows"));
    check_nothing_left();
}
END_TEST

START_TEST(abandoned_file_leaves_nothing)
{
    sdca_dataset_writer *writer = begin(classification);

    put(writer, 1.0, 0, 1.0);
    sdca_dataset_writer_discard(writer);
    check_nothing_left();
    sdca_dataset_writer_discard(NULL);
}
END_TEST

START_TEST(file_gets_its_name_when_committed)
{
    sdca_dataset_writer *writer = begin(classification);

    put(writer, 1.0, 0, 1.0);
    ck_assert_int_eq(sdca_dataset_writer_finish(writer), SDCA_OK);
    ck_assert_int_ne(access(path, F_OK), 0);
    sdca_dataset_writer_discard(writer);
    check_nothing_left();
    writer = begin(classification);
    put(writer, 1.0, 0, 1.0);
    ck_assert_int_eq(sdca_dataset_writer_finish(writer), SDCA_OK);
    ck_assert_int_eq(sdca_dataset_writer_commit(writer), SDCA_OK);
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(missing_directory_is_rejected)
{
    sdca_dataset_writer *writer = NULL;

    ck_assert_int_eq(
        sdca_dataset_writer_create("/nowhere/at/all.h5", classification, &writer),
        SDCA_CREATE);
    ck_assert_ptr_null(writer);
}
END_TEST

static void set_up(void)
{
    temp_directory_create();
    snprintf(path, sizeof path, "%s", temp_directory_path("data.h5"));
}

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, set_up, temp_directory_remove);

    tcase_add_test(tests, rows_round_trip);
    tcase_add_loop_test(tests, weights_are_written_on_request, 0, 2);
    tcase_add_loop_test(tests, file_has_format_attributes, 0, 2);
    tcase_add_loop_test(tests, arrays_have_documented_types, 0, 2);
    tcase_add_loop_test(tests, two_labels_are_stored_as_signs_with_their_map, 0, MAPS);
    tcase_add_test(tests, more_than_two_labels_are_stored_as_they_are);
    tcase_add_loop_test(tests, too_many_labels_are_rejected, 0, 2);
    tcase_add_test(tests, regression_keeps_all_labels);
    tcase_add_test(tests, column_count_can_be_set);
    tcase_add_loop_test(tests, columns_beyond_column_count_are_rejected, 0, 2);
    tcase_add_test(tests, value_beyond_float32_is_rejected);
    tcase_add_test(tests, zeros_are_left_out);
    tcase_add_loop_test(tests, float32_underflows_are_counted, 0, 2);
    tcase_add_loop_test(tests, integers_rounded_by_float32_are_counted, 0, 3);
    tcase_add_test(tests, empty_rows_are_valid);
    tcase_add_loop_test(tests, normalised_rows_have_norm_one, 0, 5);
    tcase_add_test(tests, long_data_round_trip);
    tcase_add_test(tests, file_without_rows_is_rejected);
    tcase_add_test(tests, abandoned_file_leaves_nothing);
    tcase_add_test(tests, file_gets_its_name_when_committed);
    tcase_add_test(tests, missing_directory_is_rejected);
}
