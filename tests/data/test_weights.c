/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_weights.c - sample weights of files and of memory follow their rows, and class
 * weights multiply them. */
#include "data/weights.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <string.h>

#include "base/range.h"
#include "data/class_weights.h"
#include "data/dataset_from_memory.h"
#include "data/dataset_reader.h"
#include "data/dataset_writer.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 5003, COLUMNS = 3 }; /* more rows than are read at a time */

/* Row i has the value i + 1 in column i % 3, and a quarter of the rows the label 7. */
static double label_of(int64_t i)
{
    return i % 4 == 0 ? 7.0 : 3.0;
}

/* Some rows have weight 0. Sums of these weights are exact. */
static double weight_of(int64_t i)
{
    return (double)(i % 9) * 0.25;
}

static double unit_weight(int64_t i)
{
    (void)i;
    return 1.0;
}

typedef double weight_function(int64_t i);

/* Rank 0 writes the rows, with weights unless weight is NULL. Collective. */
static sdca_status write_rows(const char *path, weight_function *weight)
{
    sdca_status          status = SDCA_OK;
    sdca_dataset_writer *writer = NULL;

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_dataset_writer_create(
            path,
            (sdca_dataset_writer_options){ .classifies = true,
                                           .weighted   = weight != NULL },
            &writer));
        for (int64_t i = 0; i < ROWS; i++) {
            int32_t column = (int32_t)(i % COLUMNS);
            double  value  = (double)(i + 1);

            SDCA_TRY(sdca_dataset_writer_append_weighted(writer, label_of(i),
                                                         weight != NULL ? weight(i) : 1.0,
                                                         1, &column, &value));
        }
        status = sdca_dataset_writer_commit(writer);
        writer = NULL;
    }

done:
    sdca_dataset_writer_discard(writer);
    return sdca_comm_agree(*world, status);
}

static sdca_dataset *read_rows(MPI_Comm comm, const char *path,
                               const sdca_dataset_options *options)
{
    sdca_dataset *data = NULL;

    ck_assert_msg(sdca_dataset_reader_read(comm, path, options, &data) == SDCA_OK, "%s",
                  sdca_status_message());
    return data;
}

/* The same rows from memory, dense or sparse. Collective. */
static sdca_status give_rows(bool dense, weight_function *weight,
                             const sdca_dataset_options *options, sdca_dataset **out)
{
    static double  label[ROWS], weights[ROWS], value[ROWS], full[ROWS * COLUMNS];
    static int64_t indptr[ROWS + 1];
    static int32_t indices[ROWS];
    sdca_range     mine =
        sdca_range_split_even(ROWS, sdca_comm_rank(*world), sdca_comm_size(*world));
    sdca_csr_view   csr  = { mine.count, COLUMNS, indptr, indices, NULL, value };
    sdca_dense_view view = { mine.count, COLUMNS, NULL, full };

    memset(full, 0, sizeof full);
    for (int64_t k = 0; k < mine.count; k++) {
        int64_t i = mine.first + k;

        label[k]      = label_of(i);
        weights[k]    = weight(i);
        value[k]      = (double)(i + 1);
        indices[k]    = (int32_t)(i % COLUMNS);
        indptr[k + 1] = k + 1;

        full[k * COLUMNS + i % COLUMNS] = value[k];
    }
    return dense
               ? sdca_dataset_from_memory_dense(*world, &view, label, weights, options,
                                                out)
               : sdca_dataset_from_memory_csr(*world, &csr, label, weights, options, out);
}

/* Whether every row has its weight, times a factor by class, and the sum is right. */
static bool weights_are_right(const sdca_dataset *data, double factor3, double factor7)
{
    bool   right = data->weight != NULL;
    double total = 0.0, norm2 = 0.0;

    for (uint32_t i = 0; right && i < data->x.count; i++) {
        int64_t row    = sdca_dataset_global_row(data, i);
        double  factor = label_of(row) == 3.0 ? factor3 : factor7;

        right =
            fabs(data->weight[i] - factor * weight_of(row)) <= 1e-14 * data->weight[i] &&
            data->x.row[i].norm2 == (double)(row + 1) * (double)(row + 1);
    }
    for (int64_t i = 0; i < ROWS; i++) {
        double weight = weight_of(i) * (label_of(i) == 3.0 ? factor3 : factor7);

        total += weight;
        norm2 += weight * (double)(i + 1) * (double)(i + 1);
    }
    return right && fabs(data->total_weight / total - 1.0) < 1e-12 &&
           fabs(data->mean_norm2 / (norm2 / total) - 1.0) < 1e-12;
}

START_TEST(weights_of_a_file_follow_their_rows)
{
    sdca_dataset_options how  = { .task = SDCA_TASK_CLASSIFICATION, .shuffle = _i == 1 };
    const char          *path = temp_directory_path("data.h5");
    sdca_dataset        *data = NULL, *alone = NULL;

    ck_assert_all(write_rows(path, weight_of) == SDCA_OK);
    data = read_rows(*world, path, &how);
    ck_assert_all(weights_are_right(data, 1.0, 1.0));
    alone = read_rows(MPI_COMM_SELF, path, &how);
    ck_assert_all(alone->fingerprint == data->fingerprint &&
                  alone->total_weight == data->total_weight);
    sdca_dataset_free(alone);
    how.unweighted = true;
    alone          = read_rows(MPI_COMM_SELF, path, &how);
    ck_assert_all(alone->weight == NULL && alone->total_weight == ROWS &&
                  alone->fingerprint != data->fingerprint);
    sdca_dataset_free(alone);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(weights_of_memory_are_those_of_a_file)
{
    sdca_dataset_options how  = { .task = SDCA_TASK_CLASSIFICATION, .shuffle = true };
    const char          *path = temp_directory_path("data.h5");
    sdca_dataset        *file = NULL, *memory = NULL;

    ck_assert_all(write_rows(path, weight_of) == SDCA_OK);
    file = read_rows(*world, path, &how);
    ck_assert_all(give_rows(_i == 1, weight_of, &how, &memory) == SDCA_OK);
    ck_assert_all(weights_are_right(memory, 1.0, 1.0));
    ck_assert_all(memory->fingerprint == file->fingerprint &&
                  memory->total_weight == file->total_weight);
    sdca_dataset_free(file);
    sdca_dataset_free(memory);
}
END_TEST

START_TEST(weights_of_one_are_no_weights)
{
    sdca_dataset_options how  = { .task = SDCA_TASK_CLASSIFICATION };
    const char          *path = temp_directory_path("data.h5");
    sdca_dataset        *with = NULL, *without = NULL;

    ck_assert_all(write_rows(path, unit_weight) == SDCA_OK);
    with = read_rows(*world, path, &how);
    ck_assert_all(write_rows(path, NULL) == SDCA_OK);
    without = read_rows(*world, path, &how);
    ck_assert_all(with->weight == NULL && without->weight == NULL);
    ck_assert_all(with->total_weight == ROWS && without->total_weight == ROWS);
    ck_assert_all(with->fingerprint == without->fingerprint);
    sdca_dataset_free(with);
    sdca_dataset_free(without);
}
END_TEST

static double negative_weight(int64_t i)
{
    return i == 4100 ? -0.5 : 1.0;
}

static double nan_weight(int64_t i)
{
    return i == ROWS - 1 ? NAN : 1.0;
}

static double infinite_weight(int64_t i)
{
    return i == 0 ? INFINITY : 1.0;
}

static double no_weight(int64_t i)
{
    (void)i;
    return 0.0;
}

static double huge_weight(int64_t i)
{
    return i == 7 ? 1e200 : 1.0;
}

static double tiny_weight(int64_t i)
{
    return i == 7 ? 1e-200 : 0.0;
}

static const struct {
    weight_function *weight;
    const char      *says;
} flaws[] = {
    { negative_weight, "row 4100: the weight is -0.5, where 0 or more is needed" },
    { nan_weight, "row 5002: the weight is not a finite number" },
    { infinite_weight, "row 0: the weight is not a finite number" },
    { no_weight, "the weights of all rows of 'memory' are 0" },
    { huge_weight, "the sum of the weights of 'memory' is 1e+200" },
    { tiny_weight, "the sum of the weights of 'memory' is 1e-200" },
};

START_TEST(wrong_weights_are_refused_on_all_ranks)
{
    sdca_dataset_options how  = { .task = SDCA_TASK_CLASSIFICATION };
    sdca_dataset        *data = NULL;

    ck_assert_all(give_rows(_i % 2 == 1, flaws[_i].weight, &how, &data) == SDCA_DATA);
    ck_assert_msg(strstr(sdca_status_message(), flaws[_i].says) != NULL, "it says: %s",
                  sdca_status_message());
    ck_assert_all(data == NULL);
}
END_TEST

/* All ranks have weights, or none has. */
START_TEST(weights_of_some_ranks_are_refused)
{
    bool                       first    = sdca_comm_rank(*world) == 0;
    const sdca_dataset_options how      = { .task = SDCA_TASK_NONE };
    const double               value[]  = { 1.0, 2.0 };
    const double               weight[] = { 2.0, 2.0 };
    sdca_dense_view            x        = { 2, 1, NULL, value };
    sdca_dataset              *data     = NULL;
    bool                       alone    = sdca_comm_size(*world) == 1;

    ck_assert_all(
        alone ||
        (sdca_dataset_from_memory_dense(*world, &x, value, first ? NULL : weight, &how,
                                        &data) == SDCA_DATA &&
         strstr(sdca_status_message(), "row 0: there is no weight, but other ranks have "
                                       "weights") != NULL));
    x.rows = first ? 0 : 2; /* a rank without rows needs none */
    ck_assert_all(alone ||
                  sdca_dataset_from_memory_dense(*world, &x, value, first ? NULL : weight,
                                                 &how, &data) == SDCA_OK);
    ck_assert_all(alone || (data->weight != NULL &&
                            data->total_weight == 4.0 * (sdca_comm_size(*world) - 1)));
    sdca_dataset_free(data);
}
END_TEST

/* The sum of the weights of a class. */
static double class_total(double label)
{
    double total = 0.0;

    for (int64_t i = 0; i < ROWS; i++) {
        total += label_of(i) == label ? weight_of(i) : 0.0;
    }
    return total;
}

START_TEST(class_weights_multiply_sample_weights)
{
    double total = class_total(3.0) + class_total(7.0);
    struct {
        const char *text;
        double      factor3, factor7;
    } cases[] = {
        { "balanced", total / (2.0 * class_total(3.0)),
          total / (2.0 * class_total(7.0)) },
        { "7=2.5", 1.0, 2.5 },
        { "7.0=0.5,3=4", 4.0, 0.5 },
        { "3=0", 0.0, 1.0 },
    };
    sdca_dataset_options how  = { .task         = SDCA_TASK_CLASSIFICATION,
                                  .shuffle      = true,
                                  .class_weight = cases[_i].text };
    const char          *path = temp_directory_path("data.h5");
    sdca_dataset        *data = NULL, *alone = NULL;

    ck_assert_all(sdca_class_weights_check(cases[_i].text) == SDCA_OK);
    ck_assert_all(write_rows(path, weight_of) == SDCA_OK);
    data = read_rows(*world, path, &how);
    ck_assert_all(weights_are_right(data, cases[_i].factor3, cases[_i].factor7));
    alone = read_rows(MPI_COMM_SELF, path, &how);
    ck_assert_all(alone->fingerprint == data->fingerprint);
    sdca_dataset_free(alone);
    how.class_weight = NULL;
    alone            = read_rows(MPI_COMM_SELF, path, &how);
    ck_assert_all(alone->fingerprint != data->fingerprint);
    sdca_dataset_free(alone);
    sdca_dataset_free(data);
}
END_TEST

/* Without sample weights, these are the n/(K n_k) of other programs. */
START_TEST(balanced_classes_have_the_same_weight)
{
    sdca_dataset_options how   = { .task         = SDCA_TASK_CLASSIFICATION,
                                   .class_weight = "balanced" };
    sdca_dataset        *data  = NULL;
    bool                 right = true;

    ck_assert_all(give_rows(false, unit_weight, &how, &data) == SDCA_OK);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double rows = data->x.row[i].y > 0.0 ? 1251.0 : 3752.0;

        right = right && fabs(data->weight[i] - ROWS / (2.0 * rows)) < 1e-14;
    }
    ck_assert_all(right && fabs(data->total_weight - ROWS) < 1e-9);
    sdca_dataset_free(data);
}
END_TEST

/* Label 3 in four of six rows, 5 and 7 in one each. */
static double third_label_of(int64_t i)
{
    return i % 6 == 1 ? 7.0 : i % 6 == 4 ? 5.0 : 3.0;
}

static sdca_dataset *give_three_classes(MPI_Comm comm, const sdca_dataset_options *how)
{
    enum { THREES = 600 };
    static double label[THREES], value[THREES];
    sdca_range    mine =
        sdca_range_split_even(THREES, sdca_comm_rank(comm), sdca_comm_size(comm));
    sdca_dense_view view = { mine.count, 1, NULL, value };
    sdca_dataset   *data = NULL;

    for (int64_t k = 0; k < mine.count; k++) {
        label[k] = third_label_of(mine.first + k);
        value[k] = (double)(mine.first + k + 1);
    }
    ck_assert_msg(sdca_dataset_from_memory_dense(comm, &view, label, NULL, how, &data) ==
                      SDCA_OK,
                  "%s", sdca_status_message());
    return data;
}

static const struct {
    const char *positive, *text;
    double      factor3, factor5, factor7;
} threes[] = {
    { NULL, "balanced", 0.5, 2.0, 2.0 },
    { NULL, "5=4,7=0.25", 1.0, 4.0, 0.25 },
    { "5", "balanced", 0.6, 3.0, 0.6 },
    { "5", "not 5=0.5,5=8", 0.5, 8.0, 0.5 },
};

START_TEST(three_classes_have_class_weights)
{
    sdca_dataset_options how  = { .task         = SDCA_TASK_CLASSIFICATION,
                                  .shuffle      = true,
                                  .positive     = threes[_i].positive,
                                  .class_weight = threes[_i].text };
    sdca_dataset        *data = give_three_classes(*world, &how), *alone = NULL;
    bool                 right = data->weight != NULL;

    for (uint32_t i = 0; right && i < data->x.count; i++) {
        double label  = third_label_of(sdca_dataset_global_row(data, i));
        double factor = label == 3.0   ? threes[_i].factor3
                        : label == 5.0 ? threes[_i].factor5
                                       : threes[_i].factor7;

        right = fabs(data->weight[i] - factor) < 1e-14;
    }
    ck_assert_all(right && data->classes.count == (how.positive != NULL ? 2 : 3));
    alone = give_three_classes(MPI_COMM_SELF, &how);
    ck_assert_all(alone->fingerprint == data->fingerprint);
    sdca_dataset_free(alone);
    sdca_dataset_free(data);
}
END_TEST

static const struct {
    const char *text;
    sdca_status status; /* of reading; the check fails, too, if it is not in the data */
    bool        syntax;
    const char *says;
} wrong[] = {
    { "", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3=", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "=1", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3=1,", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3=1x", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3=nan", SDCA_USAGE, true, "class weights are balanced or LABEL=W" },
    { "3=-1", SDCA_USAGE, true, "the class weight of '3' is -1" },
    { "3=1e999", SDCA_USAGE, true, "the class weight of '3' is inf" },
    { "3=1,3.0=2", SDCA_USAGE, false, "the class '3.0' has two class weights" },
    { "3=0,7=0", SDCA_USAGE, false,
      "the class weights of all classes of 'memory' are 0" },
    { "5=1", SDCA_DATA, false, "'memory' has no class '5'" },
    { "three=1", SDCA_DATA, false, "it has 3 and 7" },
    { "3=1,a,b=c,d=2,7=1", SDCA_DATA, false, "'memory' has no class 'a,b=c,d'," },
    { "3=1,a,b", SDCA_USAGE, true, "not 'a,b'" },
};

START_TEST(wrong_class_weights_are_refused)
{
    sdca_dataset_options how  = { .task         = SDCA_TASK_CLASSIFICATION,
                                  .class_weight = wrong[_i].text };
    sdca_dataset        *data = NULL;

    ck_assert_all((sdca_class_weights_check(wrong[_i].text) == SDCA_USAGE) ==
                  wrong[_i].syntax);
    ck_assert_all(give_rows(false, weight_of, &how, &data) == wrong[_i].status);
    ck_assert_msg(strstr(sdca_status_message(), wrong[_i].says) != NULL, "it says: %s",
                  sdca_status_message());
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, weights_of_a_file_follow_their_rows, 0, 2);
    tcase_add_loop_test(tests, weights_of_memory_are_those_of_a_file, 0, 2);
    tcase_add_test(tests, weights_of_one_are_no_weights);
    tcase_add_loop_test(tests, wrong_weights_are_refused_on_all_ranks, 0, LENGTH(flaws));
    tcase_add_test(tests, weights_of_some_ranks_are_refused);
    tcase_add_loop_test(tests, class_weights_multiply_sample_weights, 0, 4);
    tcase_add_test(tests, balanced_classes_have_the_same_weight);
    tcase_add_loop_test(tests, three_classes_have_class_weights, 0, LENGTH(threes));
    tcase_add_loop_test(tests, wrong_class_weights_are_refused, 0, LENGTH(wrong));
}
