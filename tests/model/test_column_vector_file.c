/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_weight_file.c - weights of a few columns in a file with all columns. */
#include "model/column_vector_file.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <string.h>
#include <sys/stat.h>

#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { LARGEST = 2147483646, COUNT = 5 };

static const int32_t total[] = { 12, 200000, LARGEST };

/* In the first and the last of 12, of 200,000 and of the maximum number of columns. */
static const int32_t number[][COUNT] = { { 0, 3, 5, 10, 11 },
                                         { 0, 4095, 4096, 65536, 199999 },
                                         { 0, 1, 1 << 30, LARGEST - 2, LARGEST - 1 } };

static const double weight[COUNT] = { 1.5, -2.25, 1e-300, 0.1, 7.0 };

static const sdca_range *const one = &(const sdca_range){ 0, 1 };

static sdca_used_columns *make_used(int k)
{
    sdca_used_columns *used = NULL;
    sdca_rows          x;

    ck_assert_all(sdca_rows_create(1, total[k], COUNT, false, &x) == SDCA_OK);
    for (int j = 0; j < COUNT; j++) {
        sdca_rows_set_entry(&x, j, number[k][j], 1.0);
    }
    x.row[1].start = COUNT;
    ck_assert_all(sdca_used_columns_create(*world, &x, &used) == SDCA_OK && used != NULL);
    sdca_rows_free(&x);
    return used;
}

/* Rank 0 writes, without the last column if short. */
static sdca_status write(const sdca_used_columns *used, int32_t length)
{
    sdca_hdf5_file *store  = NULL;
    sdca_status     status = SDCA_OK;

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_hdf5_create(temp_directory_path("w.h5"), &store));
        SDCA_TRY(sdca_column_vector_file_write(store, "w", used, 1, length, weight));
        status = sdca_hdf5_commit(store);
    }

done:
    return sdca_comm_agree(*world, status);
}

START_TEST(weights_round_trip)
{
    sdca_used_columns *used  = make_used(_i);
    sdca_hdf5_file    *store = NULL;
    sdca_hdf5_array   *array = NULL;
    int64_t            count = 0;
    struct stat        facts;
    double             w[COUNT], at, beside;
    bool               same = true;

    for (int32_t lacks = 0; lacks < 2; lacks++) { /* the last column, such as a bias */
        int32_t length = total[_i] - lacks;

        ck_assert_all(write(used, length) == SDCA_OK);
        ck_assert_all(stat(temp_directory_path("w.h5"), &facts) == 0 &&
                      facts.st_size < 1 << 20);
        ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("w.h5"), &store) ==
                      SDCA_OK);
        ck_assert_all(sdca_column_vector_file_count(store, "w", 1, &count) == SDCA_OK &&
                      count == length);
        w[COUNT - 1] = 9.0;
        ck_assert_all(sdca_column_vector_file_read(store, "w", used, 1, *one, length,
                                                   w) == SDCA_OK);
        for (int k = 0; k < COUNT; k++) {
            same = same && w[k] == (k < COUNT - lacks ? weight[k] : 0.0);
        }
        ck_assert_all(sdca_hdf5_open_sparse_array(store, "w", SDCA_FLOAT64, &array) ==
                      SDCA_OK);
        for (int k = 0; k < COUNT - lacks; k++) { /* as seen without the column map */
            same = same &&
                   sdca_hdf5_read_array(array, (sdca_range){ number[_i][k], 1 }, &at) ==
                       SDCA_OK &&
                   at == weight[k];
        }
        same = same &&
               sdca_hdf5_read_array(array, (sdca_range){ number[_i][2] + 1, 1 },
                                    &beside) == SDCA_OK &&
               beside == 0.0;
        ck_assert_all(same);
        sdca_hdf5_close_array(array);
        sdca_hdf5_close(store);
    }
    sdca_used_columns_free(used);
}
END_TEST

/* A file written as a full array reads the same. */
START_TEST(full_arrays_are_read_by_column)
{
    sdca_used_columns *used      = make_used(0);
    sdca_hdf5_file    *store     = NULL;
    double             whole[12] = { 0.0 }, all[12], w[COUNT];
    bool               same      = true;

    for (int k = 0; k < 12; k++) {
        whole[k] = 1.0 / (k + 1);
    }
    if (sdca_comm_rank(*world) == 0) {
        ck_assert(sdca_hdf5_create(temp_directory_path("w.h5"), &store) == SDCA_OK);
        ck_assert(sdca_column_vector_file_write(store, "w", NULL, 1, 12, whole) ==
                  SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
    }
    ck_assert_all(true);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("w.h5"), &store) == SDCA_OK);
    ck_assert_all(sdca_column_vector_file_read(store, "w", used, 1, *one, 12, w) ==
                  SDCA_OK);
    ck_assert_all(sdca_column_vector_file_read(store, "w", NULL, 1, *one, 12, all) ==
                  SDCA_OK);
    for (int k = 0; k < COUNT; k++) {
        same = same && w[k] == whole[number[0][k]];
    }
    for (int k = 0; k < 12; k++) {
        same = same && all[k] == whole[k];
    }
    ck_assert_all(same);
    ck_assert_all(sdca_column_vector_file_read(store, "v", used, 1, *one, 12, w) ==
                  SDCA_DATA);
    sdca_hdf5_close(store);
    sdca_used_columns_free(used);
}
END_TEST

/* The state of a visitor. */
typedef struct seen {
    const int32_t *number; /* the columns that should have a weight */
    int64_t        next;   /* the expected next column */
    int            found;
    bool           right;
    bool           ends; /* the visitor stops */
} seen;

static sdca_status see(void *context, sdca_range columns, const double *w)
{
    seen *s = context;

    s->right = s->right && columns.first == s->next && columns.count > 0;
    s->next  = columns.first + columns.count;
    for (int64_t k = 0; k < columns.count; k++) {
        bool here = s->found < COUNT && columns.first + k == s->number[s->found];

        s->right = s->right && w[k] == (here ? weight[s->found] : 0.0);
        s->found += here;
    }
    return s->ends ? SDCA_FAIL(SDCA_USAGE, "enough") : SDCA_OK;
}

/* In order, each exactly once; except for the maximum number of columns, which takes
 * seconds. */
START_TEST(visitor_sees_all_columns)
{
    sdca_used_columns *used  = make_used(_i);
    sdca_hdf5_file    *store = NULL;
    seen               s     = { .number = number[_i], .right = true };

    ck_assert_all(write(used, total[_i]) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("w.h5"), &store) == SDCA_OK);
    ck_assert_all(sdca_column_vector_file_visit(store, "w", 1, *one, total[_i], see,
                                                &s) == SDCA_OK);
    ck_assert_all(s.right && s.found == COUNT && s.next == total[_i]);
    s = (seen){ .number = number[_i], .right = true, .ends = true };
    ck_assert_all(sdca_column_vector_file_visit(store, "w", 1, *one, total[_i], see,
                                                &s) == SDCA_USAGE);
    ck_assert_all(s.next <= 1 << 16);
    ck_assert_all(sdca_column_vector_file_visit(store, "v", 1, *one, 12, see, &s) ==
                  SDCA_DATA);
    sdca_hdf5_close(store);
    sdca_used_columns_free(used);
}
END_TEST

enum { CLASSES = 3 };

/* The weight of a class in place k of memory. */
static double class_weight(int class, int k)
{
    return weight[k] * (class + 1);
}

/* Rank 0 writes a row per class; without a map, 12 columns of the numbers 0 .. 35. */
static sdca_status write_classes(const sdca_used_columns *used, int32_t length)
{
    sdca_hdf5_file *store  = NULL;
    sdca_status     status = SDCA_OK;
    double          w[CLASSES * 12];

    for (int k = 0; k < CLASSES * (used != NULL ? COUNT : 12); k++) {
        w[k] = used != NULL ? class_weight(k / COUNT, k % COUNT) : k;
    }
    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_hdf5_create(temp_directory_path("w.h5"), &store));
        SDCA_TRY(sdca_column_vector_file_write(store, "w", used, CLASSES, length, w));
        status = sdca_hdf5_commit(store);
    }

done:
    return sdca_comm_agree(*world, status);
}

/* All rows at once, and the last two by themselves. */
START_TEST(rows_of_classes_round_trip)
{
    sdca_used_columns *used  = make_used(_i);
    sdca_hdf5_file    *store = NULL;
    int64_t            count = 0;
    struct stat        facts;
    double             w[CLASSES * COUNT], last[2 * COUNT];
    bool               same = true;

    for (int32_t lacks = 0; lacks < 2; lacks++) {
        int32_t length = total[_i] - lacks;

        ck_assert_all(write_classes(used, length) == SDCA_OK);
        ck_assert_all(stat(temp_directory_path("w.h5"), &facts) == 0 &&
                      facts.st_size < 1 << 20);
        ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("w.h5"), &store) ==
                      SDCA_OK);
        ck_assert_all(sdca_column_vector_file_count(store, "w", CLASSES, &count) ==
                          SDCA_OK &&
                      count == length);
        ck_assert_all(sdca_column_vector_file_read(store, "w", used, CLASSES,
                                                   (sdca_range){ 0, CLASSES }, length,
                                                   w) == SDCA_OK);
        ck_assert_all(sdca_column_vector_file_read(store, "w", used, CLASSES,
                                                   (sdca_range){ 1, 2 }, length,
                                                   last) == SDCA_OK);
        for (int k = 0; k < CLASSES * COUNT; k++) {
            int place = k % COUNT;

            same = same &&
                   w[k] == (place < COUNT - lacks ? class_weight(k / COUNT, place) : 0.0);
            same = same && (k < COUNT || last[k - COUNT] == w[k]);
        }
        ck_assert_all(same);
        sdca_hdf5_close(store);
    }
    sdca_used_columns_free(used);
}
END_TEST

/* Each number is 12 class + column. */
static sdca_status see_classes(void *context, sdca_range columns, const double *w)
{
    seen *s = context;

    s->right = s->right && columns.first == s->next;
    s->next  = columns.first + columns.count;
    for (int64_t k = 0; k < CLASSES * columns.count; k++) {
        double expected =
            (double)(12 * (k / columns.count) + columns.first + k % columns.count);

        s->right = s->right && w[k] == expected;
    }
    return SDCA_OK;
}

START_TEST(rows_of_classes_have_the_right_shape)
{
    sdca_hdf5_file *store = NULL;
    int64_t         count = 0;
    double          w[12];
    seen            s = { .right = true };

    ck_assert_all(write_classes(NULL, 12) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("w.h5"), &store) == SDCA_OK);
    ck_assert_all(sdca_column_vector_file_visit(store, "w", CLASSES,
                                                (sdca_range){ 0, CLASSES }, 12,
                                                see_classes, &s) == SDCA_OK);
    ck_assert_all(s.right && s.next == 12);
    ck_assert_all(sdca_column_vector_file_count(store, "w", 1, &count) == SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "is not a vector") != NULL);
    ck_assert_all(sdca_column_vector_file_count(store, "w", 4, &count) == SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "each of 4 classes") != NULL);
    ck_assert_all(sdca_column_vector_file_read(store, "w", NULL, CLASSES,
                                               (sdca_range){ 2, 1 }, 13, w) == SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "3 x 12 entries") != NULL);
    sdca_hdf5_close(store);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, weights_round_trip, 0, 3);
    tcase_add_test(tests, full_arrays_are_read_by_column);
    tcase_add_loop_test(tests, visitor_sees_all_columns, 0, 2);
    tcase_add_loop_test(tests, rows_of_classes_round_trip, 0, 3);
    tcase_add_test(tests, rows_of_classes_have_the_right_shape);
}
