/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dataset_reader.c - every row of a data file reaches exactly one rank, unchanged.
 */
#include "data/dataset_reader.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "data/dataset_writer.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 157, COLUMNS = 40, MOST = 12 };

/* Row i as a function of i; some rows are empty, some long. Returns its length. */
static int64_t sample_row(int64_t i, int32_t *column, double *value, double *label)
{
    sdca_random stream = sdca_random_stream(3, SDCA_STREAM_TEST, (uint64_t)i, 0);
    int64_t     count  = i % 7 == 0 ? 0 : i % 11 == 0 ? MOST : 3;

    for (int32_t k = 0; k < count; k++) {
        column[k] = k * 3 + (int32_t)sdca_random_below(&stream, 3);
        value[k]  = sdca_random_uniform(&stream) + 0.125;
    }
    *label = i % 3 == 0 ? 2.0 : 1.0;
    return count;
}

/* Rank 0 writes the sample with these options. Collective. */
static sdca_status write_sample(const char *path, sdca_dataset_writer_options options,
                                int64_t rows)
{
    sdca_status          status = SDCA_OK;
    sdca_dataset_writer *writer = NULL;
    int32_t              column[MOST];
    double               value[MOST], label;

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_dataset_writer_create(path, options, &writer));
        for (int64_t i = 0; i < rows; i++) {
            int64_t count = sample_row(i, column, value, &label);

            SDCA_TRY(sdca_dataset_writer_append(writer, label, count, column, value));
        }
        status = sdca_dataset_writer_commit(writer);
        writer = NULL;
    }

done:
    if (writer != NULL) {
        sdca_dataset_writer_discard(writer);
    }
    return sdca_comm_agree(*world, status);
}

/* Whether local rows equal the sample's, to their precision. */
static bool rows_are_right(const sdca_dataset *data, int64_t drop)
{
    int32_t column[MOST];
    double  value[MOST], label;
    bool    right = true;

    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t count =
            sample_row(sdca_dataset_global_row(data, i), column, value, &label);
        int64_t kept = 0;

        for (int64_t k = 0; k < count; k++) {
            int64_t at = data->x.row[i].start + kept;

            if (column[k] < drop) {
                kept++;
                right = right && sdca_rows_column(&data->x, at) == column[k] &&
                        fabs(sdca_rows_value(&data->x, at) - value[k]) <=
                            (data->x.sparse64 != NULL ? 0.0 : 1e-7);
            }
        }
        right = right && data->x.row[i + 1].start - data->x.row[i].start == kept &&
                data->x.row[i].y == label;
    }
    return right;
}

START_TEST(all_rows_arrive_once)
{
    for (int wide = 0; wide < 2; wide++) {
        sdca_dataset_writer_options options = { .classifies = true,
                                                .float64    = wide == 1 };
        sdca_dataset               *data    = NULL;
        int64_t                     sum[2];

        ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) ==
                      SDCA_OK);
        ck_assert_all(
            sdca_dataset_reader_read(*world, temp_directory_path("data.h5"),
                                     &(sdca_dataset_options){ .require_labels = true },
                                     &data) == SDCA_OK);
        ck_assert_all(data->rows == ROWS && data->columns <= COLUMNS &&
                      (data->x.sparse64 != NULL) == (wide == 1));
        ck_assert_all(rows_are_right(data, COLUMNS));
        sum[0] = data->x.count;
        sum[1] = data->x.row[data->x.count].start;
        sdca_comm_allreduce_sum_int64(*world, sum, 2);
        ck_assert_all(sum[0] == ROWS && sum[1] == data->nonzeros);
        /* No rank has more than its share and one long row. */
        ck_assert_all(data->x.row[data->x.count].start + data->x.count <=
                      (data->nonzeros + ROWS) / sdca_comm_size(*world) + MOST + 2);
        sdca_dataset_free(data);
    }
}
END_TEST

/* Reported progress of reading. */
typedef struct reported_progress {
    int64_t calls, rows, of;
} reported_progress;

static void take_progress(void *context, int64_t rows, int64_t of)
{
    reported_progress *t = context;

    t->calls += rows > t->rows;
    t->rows = rows;
    t->of   = of;
}

START_TEST(progress_is_reported_to_the_end)
{
    sdca_dataset_writer_options options = { .classifies = true };
    reported_progress           t       = { 0 };
    sdca_dataset_options        how     = { .progress = take_progress, .context = &t };
    sdca_dataset               *data    = NULL;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"), &how,
                                           &data) == SDCA_OK);
    ck_assert_all(t.rows == data->local_range.count && t.of == data->local_range.count);
    ck_assert_all(data->local_range.count == 0 || t.calls > 0);
    sdca_dataset_free(data);
}
END_TEST

/* Whether each row of the local range has one place. */
static bool places_are_right(const sdca_dataset *data)
{
    bool seen[ROWS] = { false };
    bool right      = true;

    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t k = sdca_dataset_global_row(data, i) - data->local_range.first;

        right = right && k >= 0 && k < data->local_range.count && !seen[k] &&
                sdca_permutation_apply(&data->shuffle, (uint32_t)k) == i;
        seen[right ? k : 0] = true;
    }
    return right;
}

/* The same rows in another, reproducible, order. */
START_TEST(rows_are_shuffled_on_request)
{
    sdca_dataset_writer_options options = { .classifies = true, .float64 = _i % 2 == 1 };
    sdca_dataset_options        how   = { .require_labels = true, .normalize = _i >= 2 };
    sdca_dataset               *plain = NULL, *shuffled = NULL, *again = NULL;
    bool                        right = true;
    int64_t                     moved = 0;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"), &how,
                                           &plain) == SDCA_OK);
    how.shuffle = true;
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"), &how,
                                           &shuffled) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"), &how,
                                           &again) == SDCA_OK);
    ck_assert_all(plain->fingerprint == shuffled->fingerprint);
    ck_assert_all(how.normalize || rows_are_right(shuffled, COLUMNS));
    ck_assert_all(places_are_right(plain) && places_are_right(shuffled));
    for (uint32_t i = 0; i < shuffled->x.count; i++) {
        uint32_t k = (uint32_t)(sdca_dataset_global_row(shuffled, i) -
                                shuffled->local_range.first);

        right = right && shuffled->x.row[i].norm2 == plain->x.row[k].norm2 &&
                shuffled->x.row[i].y == plain->x.row[k].y &&
                sdca_rows_hash(&shuffled->x, i) == sdca_rows_hash(&plain->x, k) &&
                sdca_rows_hash(&shuffled->x, i) == sdca_rows_hash(&again->x, i);
        moved += k != i;
    }
    ck_assert_all(right);
    sdca_comm_allreduce_sum_int64(*world, &moved, 1);
    ck_assert_all(moved > ROWS / 2);
    sdca_dataset_free(plain);
    sdca_dataset_free(shuffled);
    sdca_dataset_free(again);
}
END_TEST

/* More rows and labels than one read, not divisible into whole reads. */
START_TEST(rows_of_many_reads_arrive)
{
    enum { MANY = 50000 };
    sdca_dataset_writer_options options = { .float64 = _i == 1, .classifies = true };
    sdca_dataset_options        how     = { .require_labels = true, .shuffle = true };
    sdca_dataset               *data    = NULL;

    ck_assert_all(write_sample(temp_directory_path("many.h5"), options, MANY) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("many.h5"), &how,
                                           &data) == SDCA_OK);
    ck_assert_all(data->rows == MANY);
    ck_assert_all(rows_are_right(data, COLUMNS));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(more_ranks_than_rows)
{
    sdca_dataset_writer_options options = { .classifies = true };
    sdca_dataset_options        how     = { .require_labels = true, .shuffle = _i == 1 };
    sdca_dataset               *data    = NULL;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, 2) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"), &how,
                                           &data) == SDCA_OK);
    ck_assert_all(data->rows == 2 && rows_are_right(data, COLUMNS));
    ck_assert_all(places_are_right(data));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(columns_beyond_limit_are_removed)
{
    sdca_dataset_writer_options options = { .classifies = true };
    sdca_dataset               *data    = NULL;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(
                      *world, temp_directory_path("data.h5"),
                      &(sdca_dataset_options){ .limit_columns = true, .max_columns = 5 },
                      &data) == SDCA_OK);
    ck_assert_all(data->columns == 5 && rows_are_right(data, 5));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(rows_are_normalized_on_request)
{
    sdca_dataset_writer_options options = { .classifies = true };
    sdca_dataset               *data    = NULL;
    bool                        right   = true;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"),
                                           &(sdca_dataset_options){ .normalize = true },
                                           &data) == SDCA_OK);
    for (uint32_t i = 0; i < data->x.count; i++) {
        bool empty = data->x.row[i].start == data->x.row[i + 1].start;

        right = right && (empty ? data->x.row[i].norm2 == 0.0
                                : fabs(data->x.row[i].norm2 - 1.0) < 1e-6);
    }
    ck_assert_all(right);
    sdca_dataset_free(data);
}
END_TEST

/* The mean of |x|^2 is that of all rows, including empty ones, on any ranks. */
START_TEST(mean_norm_is_computed)
{
    sdca_dataset_writer_options options = { .classifies = true };
    sdca_dataset               *data    = NULL;
    double                      square  = 0.0;

    for (int64_t i = 0; i < ROWS; i++) {
        int32_t column[MOST];
        double  value[MOST], label, norm2 = 0.0;
        int64_t count = sample_row(i, column, value, &label);

        for (int64_t k = 0; k < count; k++) {
            norm2 += value[k] * value[k];
        }
        square += norm2 / ROWS;
    }
    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(
        sdca_dataset_reader_read(*world, temp_directory_path("data.h5"),
                                 &(sdca_dataset_options){ .require_labels = true },
                                 &data) == SDCA_OK);
    ck_assert_all(fabs(data->mean_norm2 / square - 1.0) < 1e-5);
    sdca_dataset_free(data);
}
END_TEST

/* The fingerprint does not depend on the ranks, and detects one changed bit. */
START_TEST(fingerprint_depends_on_content)
{
    sdca_dataset_writer_options options = { .classifies = true, .float64 = true };
    sdca_dataset               *data = NULL, *part = NULL;
    uint64_t                    whole;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(
        sdca_dataset_reader_read(*world, temp_directory_path("data.h5"),
                                 &(sdca_dataset_options){ .require_labels = true },
                                 &data) == SDCA_OK);
    whole = data->fingerprint;
    sdca_dataset_free(data);
    if (sdca_comm_rank(*world) == 0) {
        ck_assert(
            sdca_dataset_reader_read(MPI_COMM_SELF, temp_directory_path("data.h5"),
                                     &(sdca_dataset_options){ .require_labels = true },
                                     &part) == SDCA_OK);
        ck_assert(part->fingerprint == whole);
        sdca_dataset_free(part);
    }
    options.float64 = false;
    ck_assert_all(write_sample(temp_directory_path("other.h5"), options, ROWS) ==
                  SDCA_OK);
    ck_assert_all(
        sdca_dataset_reader_read(*world, temp_directory_path("other.h5"),
                                 &(sdca_dataset_options){ .require_labels = true },
                                 &data) == SDCA_OK);
    ck_assert_all(data->fingerprint != whole);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(labels_become_signs)
{
    sdca_dataset_writer_options options = { .classifies = true };
    sdca_dataset               *data    = NULL;
    const sdca_classes         *classes;
    bool                        right = true;

    ck_assert_all(write_sample(temp_directory_path("data.h5"), options, ROWS) == SDCA_OK);
    ck_assert_all(sdca_dataset_reader_read(
                      *world, temp_directory_path("data.h5"),
                      &(sdca_dataset_options){ .task = SDCA_TASK_CLASSIFICATION },
                      &data) == SDCA_OK);
    classes = &data->classes;
    ck_assert_all(classes->count == 2 && classes->value[0] == 1.0 &&
                  classes->value[1] == 2.0);
    for (uint32_t i = 0; i < data->x.count; i++) {
        right = right &&
                data->x.row[i].y == ((data->local_range.first + i) % 3 == 0 ? 1.0 : -1.0);
    }
    ck_assert_all(right);
    ck_assert_all(sdca_classes_predict(classes, 0.5) == 2.0 &&
                  sdca_classes_predict(classes, -0.5) == 1.0);
    sdca_dataset_free(data);
}
END_TEST

/* An invalid file: the arrays of a valid one with one change. */
typedef struct flaw {
    const char *says; /* a part of the message */
    int64_t     offset[4];
    int32_t     column[4];
    double      value[4];
    double      label[3];
    int64_t     shape[2];
} flaw;

static const flaw flaws[] = {
    { "row 1: column 9 is out of range",
      { 0, 2, 3, 4 },
      { 0, 1, 9, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row 1: column -1 is out of range",
      { 0, 2, 3, 4 },
      { 0, 1, -1, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row 0: column 1 occurs twice",
      { 0, 2, 3, 4 },
      { 1, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row 2, column 2: the value is not",
      { 0, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, NAN },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row 2, column 2: the value is not",
      { 0, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, INFINITY },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row 1: the label is not",
      { 0, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, NAN, 1 },
      { 3, 5 } },
    { "does not ascend",
      { 0, 3, 2, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "does not ascend",
      { 0, 2, 3, 9 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "does not ascend",
      { 1, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, 5 } },
    { "row offsets for 4 rows",
      { 0, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 4, 5 } },
    { "2147483647 columns",
      { 0, 2, 3, 4 },
      { 0, 1, 0, 2 },
      { 1, 1, 1, 1 },
      { 1, 2, 1 },
      { 3, INT32_MAX } },
};

static sdca_status write_flaw(const char *path, const flaw *f)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_hdf5_create(path, &store));
        SDCA_TRY(sdca_hdf5_create_group(store, "X"));
        SDCA_TRY(sdca_hdf5_write_attribute(store, "X", "shape", SDCA_INT64, 2, f->shape));
        SDCA_TRY(sdca_hdf5_write_array(store, "X/indptr", SDCA_INT64, 4, f->offset));
        SDCA_TRY(sdca_hdf5_write_array(store, "X/indices", SDCA_INT32, 4, f->column));
        SDCA_TRY(sdca_hdf5_write_array(store, "X/data", SDCA_FLOAT64, 4, f->value));
        SDCA_TRY(sdca_hdf5_write_array(store, "y", SDCA_FLOAT64, 3, f->label));
        status = sdca_hdf5_commit(store);
        store  = NULL;
    }

done:
    sdca_hdf5_close(store);
    return sdca_comm_agree(*world, status);
}

START_TEST(invalid_file_fails_on_all_ranks)
{
    const flaw   *f    = &flaws[_i];
    sdca_dataset *data = NULL;
    sdca_status   status;

    ck_assert_all(write_flaw(temp_directory_path("flaw.h5"), f) == SDCA_OK);
    status = sdca_dataset_reader_read(
        *world, temp_directory_path("flaw.h5"),
        &(sdca_dataset_options){ .task           = SDCA_TASK_CLASSIFICATION,
                                 .require_labels = true },
        &data);
    ck_assert_all(status == SDCA_DATA);
    ck_assert_msg(strstr(sdca_status_message(), f->says) != NULL, "it says: %s",
                  sdca_status_message());
    sdca_dataset_free(data);
}
END_TEST

/* Rows with few zeros are stored dense, for any layout of the file. */
START_TEST(full_rows_become_dense)
{
    const flaw full = { "",          { 0, 2, 3, 4 }, { 1, 0, 1, 0 }, { 1, 2, 0.5, 4.1 },
                        { 1, 2, 1 }, { 3, 2 } };
    sdca_dataset *data = NULL;
    bool          right;

    ck_assert_all(write_flaw(temp_directory_path("full.h5"), &full) == SDCA_OK);
    ck_assert_all(
        sdca_dataset_reader_read(*world, temp_directory_path("full.h5"),
                                 &(sdca_dataset_options){ .require_labels = true,
                                                          .limit_columns  = true,
                                                          .max_columns    = 1 },
                                 &data) == SDCA_OK);
    ck_assert_all(data->x.dense64 != NULL && data->nonzeros == 4);
    right = true;
    for (uint32_t i = 0; i < data->x.count; i++) {
        const double first[] = { 2.0, 0.0, 4.1 };

        right = right && sdca_rows_value(&data->x, data->x.row[i].start) ==
                             first[data->local_range.first + i];
    }
    ck_assert_all(right && data->x.row[data->x.count].start == data->x.count);
    sdca_dataset_free(data);
}
END_TEST

/* Values exact in float32 are stored as such, for any type in the file. */
START_TEST(exact_values_are_narrowed)
{
    const flaw    good = { "",          { 0, 2, 3, 4 }, { 1, 0, 0, 2 }, { 1, 2, 0.5, 4 },
                           { 1, 2, 1 }, { 3, 5 } };
    sdca_dataset *data = NULL;

    ck_assert_all(write_flaw(temp_directory_path("good.h5"), &good) == SDCA_OK);
    ck_assert_all(
        sdca_dataset_reader_read(*world, temp_directory_path("good.h5"),
                                 &(sdca_dataset_options){ .require_labels = true },
                                 &data) == SDCA_OK);
    ck_assert_all(data->x.sparse64 == NULL);
    /* Row 0 had unsorted columns. */
    ck_assert_all(data->local_range.first > 0 || data->x.count == 0 ||
                  (sdca_rows_column(&data->x, 0) == 0 &&
                   sdca_rows_value(&data->x, 0) == 2.0 &&
                   sdca_rows_column(&data->x, 1) == 1));
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_test(tests, all_rows_arrive_once);
    tcase_add_test(tests, progress_is_reported_to_the_end);
    tcase_add_loop_test(tests, rows_are_shuffled_on_request, 0, 4);
    tcase_add_loop_test(tests, rows_of_many_reads_arrive, 0, 2);
    tcase_add_loop_test(tests, more_ranks_than_rows, 0, 2);
    tcase_add_test(tests, columns_beyond_limit_are_removed);
    tcase_add_test(tests, rows_are_normalized_on_request);
    tcase_add_test(tests, mean_norm_is_computed);
    tcase_add_test(tests, fingerprint_depends_on_content);
    tcase_add_test(tests, labels_become_signs);
    tcase_add_loop_test(tests, invalid_file_fails_on_all_ranks, 0, LENGTH(flaws));
    tcase_add_test(tests, exact_values_are_narrowed);
    tcase_add_test(tests, full_rows_become_dense);
}
