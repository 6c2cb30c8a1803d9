/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dataset_from_memory.c - arrays in memory give the same data set as a file. */
#include "data/dataset_from_memory.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"
#include "support/temp_dir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "data/dataset_reader.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 120, COLUMNS = 30, MAX_NONZEROS = 8 };

/* The whole matrix, on every rank. */
typedef struct matrix {
    int64_t indptr[ROWS + 1];
    int32_t indices[ROWS * MAX_NONZEROS];
    double  value64[ROWS * MAX_NONZEROS];
    float   value32[ROWS * MAX_NONZEROS];
    double  dense64[ROWS * COLUMNS];
    float   dense32[ROWS * COLUMNS];
    double  label[ROWS];
} matrix;

/* Some rows are empty, and columns descend in every other row. With few columns the rows
 * are stored dense. */
static matrix make_matrix(int32_t columns)
{
    sdca_random stream = sdca_random_stream(5, SDCA_STREAM_TEST, 0, 0);
    matrix      m      = { .indptr = { 0 } };
    int64_t     k      = 0;

    for (int64_t i = 0; i < ROWS; i++) {
        int32_t count = i % 7 == 0 ? 0 : 2 + (int32_t)(i % (MAX_NONZEROS - 1));

        count = count < columns ? count : columns;
        for (int32_t j = 0; j < count; j++) {
            int32_t rank   = i % 2 == 0 ? j : count - 1 - j;
            int32_t column = rank * (columns / count);

            m.indices[k]                    = column;
            m.value64[k]                    = sdca_random_uniform(&stream) - 0.3;
            m.value32[k]                    = (float)m.value64[k];
            m.dense64[i * columns + column] = m.value64[k];
            m.dense32[i * columns + column] = m.value32[k];
            k++;
        }
        m.indptr[i + 1] = k;
        m.label[i]      = sdca_random_uniform(&stream) < 0.5 ? 3.0 : 7.0;
    }
    return m;
}

/* The forms in which a matrix is passed. */
typedef struct form {
    bool    dense, float64;
    int32_t columns;
} form;

static const form forms[] = {
    { false, false, COLUMNS }, { false, true, COLUMNS }, { true, false, COLUMNS },
    { true, true, COLUMNS },   { false, false, 4 },      { false, true, 4 },
    { true, false, 4 },        { true, true, 4 },
};

/* Write the matrix to a sparse file, which holds the same rows as a dense one. Rank 0
 * writes. Collective. */
static sdca_status write_file(const char *path, const matrix *m, form f)
{
    sdca_status     status   = SDCA_OK;
    sdca_hdf5_file *h5       = NULL;
    int64_t         shape[]  = { ROWS, f.columns };
    int64_t         nonzeros = m->indptr[ROWS];

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_hdf5_create(path, &h5));
        SDCA_TRY(sdca_hdf5_create_group(h5, "X"));
        SDCA_TRY(sdca_hdf5_write_attribute(h5, "X", "shape", SDCA_INT64, 2, shape));
        SDCA_TRY(sdca_hdf5_write_array(h5, "X/indptr", SDCA_INT64, ROWS + 1, m->indptr));
        SDCA_TRY(
            sdca_hdf5_write_array(h5, "X/indices", SDCA_INT32, nonzeros, m->indices));
        SDCA_TRY(f.float64 ? sdca_hdf5_write_array(h5, "X/data", SDCA_FLOAT64, nonzeros,
                                                   m->value64)
                           : sdca_hdf5_write_array(h5, "X/data", SDCA_FLOAT32, nonzeros,
                                                   m->value32));
        SDCA_TRY(sdca_hdf5_write_array(h5, "y", SDCA_FLOAT64, ROWS, m->label));
        status = sdca_hdf5_commit(h5);
        h5     = NULL;
    }

done:
    sdca_hdf5_close(h5);
    return sdca_comm_agree(*world, status);
}

/* Pass these rows of the matrix from memory. Collective. */
static sdca_status give_rows(const matrix *m, form f, sdca_range rows,
                             const sdca_dataset_options *options, sdca_dataset **out)
{
    int64_t         indptr[ROWS + 1];
    int64_t         start = m->indptr[rows.first];
    int64_t         first = rows.first * f.columns;
    const double   *label = m->label + rows.first;
    sdca_csr_view   csr   = { .rows    = rows.count,
                              .columns = f.columns,
                              .indptr  = indptr,
                              .indices = m->indices + start,
                              .value32 = f.float64 ? NULL : m->value32 + start,
                              .value64 = f.float64 ? m->value64 + start : NULL };
    sdca_dense_view dense = { .rows    = rows.count,
                              .columns = f.columns,
                              .value32 = f.float64 ? NULL : m->dense32 + first,
                              .value64 = f.float64 ? m->dense64 + first : NULL };

    for (int64_t i = 0; i <= rows.count; i++) {
        indptr[i] = m->indptr[rows.first + i] - start;
    }
    return f.dense
               ? sdca_dataset_from_memory_dense(*world, &dense, label, NULL, options, out)
               : sdca_dataset_from_memory_csr(*world, &csr, label, NULL, options, out);
}

static bool are_equal(const sdca_dataset *a, const sdca_dataset *b)
{
    bool equal =
        a->rows == b->rows && a->columns == b->columns && a->nonzeros == b->nonzeros &&
        a->fingerprint == b->fingerprint && a->mean_norm2 == b->mean_norm2 &&
        a->margin_error2 == b->margin_error2 && a->classes.count == b->classes.count &&
        memcmp(a->classes.value, b->classes.value,
               (size_t)a->classes.count * sizeof(double)) == 0 &&
        a->x.count == b->x.count && (a->x.sparse16 != NULL) == (b->x.sparse16 != NULL) &&
        (a->x.sparse64 != NULL) == (b->x.sparse64 != NULL) &&
        (a->x.dense32 != NULL) == (b->x.dense32 != NULL) &&
        (a->x.dense64 != NULL) == (b->x.dense64 != NULL);

    for (uint32_t i = 0; equal && i < a->x.count; i++) {
        equal = a->x.row[i + 1].start == b->x.row[i + 1].start &&
                a->x.row[i].y == b->x.row[i].y &&
                a->x.row[i].norm2 == b->x.row[i].norm2 &&
                sdca_rows_hash(&a->x, i) == sdca_rows_hash(&b->x, i);
    }
    return equal;
}

/* Whether both give the same w and certificate, bit for bit. Collective. */
static bool train_equally(sdca_dataset *a, sdca_dataset *b)
{
    sdca_objective     objective = small_dataset_objective(0, 0.01, a);
    sdca_train_options options   = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                     .rel_gap   = 1e-3 };
    small_run one = small_run_on(a, &objective), two = small_run_on(b, &objective);
    bool      equal;

    ck_assert_all(small_run_continue(&one, &options) == SDCA_OK);
    ck_assert_all(small_run_continue(&two, &options) == SDCA_OK);
    equal =
        memcmp(one.iterate.w, two.iterate.w, (size_t)a->columns * sizeof(double)) == 0 &&
        one.result.certificate.gap == two.result.certificate.gap;
    small_run_free(&one);
    small_run_free(&two);
    return equal;
}

START_TEST(memory_and_file_are_equivalent)
{
    static const sdca_dataset_options how[] = {
        { .task = SDCA_TASK_CLASSIFICATION },
        { .task = SDCA_TASK_CLASSIFICATION, .shuffle = true, .normalize = true },
        { .task = SDCA_TASK_CLASSIFICATION, .shuffle = true, .bias = 0.5 },
        { .task = SDCA_TASK_CLASSIFICATION, .normalize = true, .bias = 2.0 },
    };
    form          f = forms[_i];
    const matrix  m = make_matrix(f.columns);
    sdca_dataset *file, *memory;

    ck_assert_all(write_file(temp_directory_path("data.h5"), &m, f) == SDCA_OK);
    for (int k = 0; k < LENGTH(how); k++) {
        ck_assert_all(sdca_dataset_reader_read(*world, temp_directory_path("data.h5"),
                                               &how[k], &file) == SDCA_OK);
        ck_assert_all(give_rows(&m, f, file->local_range, &how[k], &memory) == SDCA_OK);
        ck_assert_all(are_equal(file, memory));
        ck_assert_all(train_equally(file, memory));
        sdca_dataset_free(file);
        sdca_dataset_free(memory);
    }
}
END_TEST

/* For any distribution of the rows, also with all on the last rank. */
START_TEST(the_fingerprint_does_not_depend_on_the_ranks)
{
    const sdca_dataset_options options = { .task = SDCA_TASK_CLASSIFICATION };
    int                        rank    = sdca_comm_rank(*world);
    int                        ranks   = sdca_comm_size(*world);
    form                       f       = forms[_i];
    const matrix               m       = make_matrix(f.columns);
    sdca_dataset              *even = NULL, *last = NULL;

    ck_assert_all(give_rows(&m, f, sdca_range_split_even(ROWS, rank, ranks), &options,
                            &even) == SDCA_OK);
    ck_assert_all(give_rows(&m, f, (sdca_range){ 0, rank == ranks - 1 ? ROWS : 0 },
                            &options, &last) == SDCA_OK);
    ck_assert_all(even->fingerprint == last->fingerprint && even->rows == ROWS &&
                  last->rows == ROWS);
    sdca_dataset_free(even);
    sdca_dataset_free(last);
}
END_TEST

/* Ranks may differ in precision: then float64 is used on all. */
START_TEST(precisions_may_be_mixed)
{
    sdca_dataset_options options = { .task = SDCA_TASK_NONE };
    int                  rank    = sdca_comm_rank(*world);
    int                  ranks   = sdca_comm_size(*world);
    sdca_range           mine    = sdca_range_split_even(ROWS, rank, ranks);
    const matrix         m       = make_matrix(COLUMNS);
    sdca_dataset        *data    = NULL;

    ck_assert_all(give_rows(&m, (form){ false, rank == 0, COLUMNS }, mine, &options,
                            &data) == SDCA_OK);
    ck_assert_all(data->x.sparse64 != NULL && data->rows == ROWS);
    sdca_dataset_free(data);
}
END_TEST

/* Unused columns are left out, and another data set can use the same map. */
START_TEST(columns_are_compacted_and_followed)
{
    const double         value[] = { 1.0, 2.0, 3.0 };
    const int32_t        train[] = { 5, 70, 900 }, test[] = { 5, 6, 900 };
    const int64_t        indptr[] = { 0, 3 };
    const double         label[]  = { 1.0 };
    sdca_csr_view        x        = { 1, 1000, indptr, train, NULL, value };
    sdca_dataset_options options  = { .compact_columns = true };
    sdca_dataset        *data = NULL, *other = NULL;

    ck_assert_all(sdca_dataset_from_memory_csr(*world, &x, label, NULL, &options,
                                               &data) == SDCA_OK);
    ck_assert_all(data->columns == 3 && sdca_dataset_feature_count(data) == 1000);
    x.indices = test;
    x.columns = 1200;
    options   = (sdca_dataset_options){ .columns_of = data, .classes = &data->classes };
    ck_assert_all(sdca_dataset_from_memory_csr(*world, &x, label, NULL, &options,
                                               &other) == SDCA_OK);
    ck_assert_all(sdca_dataset_feature_count(other) == 1000 &&
                  sdca_used_columns_original(other->column_map, 2) == 900);
    ck_assert_all(other->columns == 3 && other->x.row[1].start == 2 &&
                  sdca_rows_column(&other->x, 1) == 2 &&
                  sdca_rows_value(&other->x, 1) == 3.0 && other->file_columns == 1200);
    sdca_dataset_free(other);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(labels_are_optional)
{
    const sdca_dataset_options options = { .classes = &(sdca_classes){ .count = 0 } };
    const double               value[] = { 1.0, 2.0 };
    sdca_dense_view            x       = { 1, 2, NULL, value };
    sdca_dataset              *data    = NULL;

    ck_assert_all(sdca_dataset_from_memory_dense(*world, &x, NULL, NULL, &options,
                                                 &data) == SDCA_OK);
    ck_assert_all(!data->has_labels && data->rows == sdca_comm_size(*world));
    sdca_dataset_free(data);
}
END_TEST

/* Three rows on the last rank; the rows of other ranks are valid. Messages count the rows
 * of the whole data set. */
typedef struct flaw {
    const char *says; /* %d: 3 (ranks - 1) + row */
    int         row;
    int32_t     columns;
    int64_t     indptr[4];
    int32_t     indices[4];
    double      value[4];
    double      label[3];
} flaw;

#define GOOD_OFFSETS \
    {                \
        0, 2, 3, 4   \
    }
#define GOOD_COLUMNS \
    {                \
        0, 1, 0, 2   \
    }
#define GOOD_VALUES \
    {               \
        1, 1, 1, 1  \
    }
#define GOOD_LABELS \
    {               \
        1, 2, 1     \
    }

static const flaw good = {
    "", 0, 5, GOOD_OFFSETS, GOOD_COLUMNS, GOOD_VALUES, GOOD_LABELS
};

static const flaw flaws[] = {
    { "'memory', row %d, column 0: the value is not a finite number",
      1,
      5,
      GOOD_OFFSETS,
      GOOD_COLUMNS,
      { 1, 1, NAN, 1 },
      GOOD_LABELS },
    { "'memory', row %d: column 5 is out of range: there are 5",
      0,
      5,
      GOOD_OFFSETS,
      { 0, 5, 0, 2 },
      GOOD_VALUES,
      GOOD_LABELS },
    { "'memory', row %d: column -1 is out of range",
      2,
      5,
      GOOD_OFFSETS,
      { 0, 1, 0, -1 },
      GOOD_VALUES,
      GOOD_LABELS },
    { "'memory', row %d: column 1 occurs twice",
      0,
      5,
      GOOD_OFFSETS,
      { 1, 1, 0, 2 },
      GOOD_VALUES,
      GOOD_LABELS },
    { "'memory', row %d: its offset 2 does not ascend from 0 to 4",
      2,
      5,
      { 0, 3, 2, 4 },
      GOOD_COLUMNS,
      GOOD_VALUES,
      GOOD_LABELS },
    { "'memory', row %d: its offset is 1, not 0",
      0,
      5,
      { 1, 2, 3, 4 },
      GOOD_COLUMNS,
      GOOD_VALUES,
      GOOD_LABELS },
    { "'memory', row %d: the label is not a finite number",
      1,
      5,
      GOOD_OFFSETS,
      GOOD_COLUMNS,
      GOOD_VALUES,
      { 1, INFINITY, 1 } },
    { "2147483647 columns; at most", 0, INT32_MAX, GOOD_OFFSETS, GOOD_COLUMNS,
      GOOD_VALUES, GOOD_LABELS },
};

START_TEST(error_on_one_rank_reaches_all)
{
    const sdca_dataset_options options = { .task = SDCA_TASK_CLASSIFICATION };
    int                        ranks   = sdca_comm_size(*world);
    bool                       last    = sdca_comm_rank(*world) == ranks - 1;
    const flaw                *f       = last ? &flaws[_i] : &good;
    sdca_csr_view x    = { 3, f->columns, f->indptr, f->indices, NULL, f->value };
    sdca_dataset *data = NULL;
    const char   *number;
    char          says[200];

    ck_assert_all(sdca_dataset_from_memory_csr(*world, &x, f->label, NULL, &options,
                                               &data) == SDCA_DATA);
    number = strstr(flaws[_i].says, "%d");
    if (number != NULL) {
        snprintf(says, sizeof says, "%.*s%d%s", (int)(number - flaws[_i].says),
                 flaws[_i].says, 3 * (ranks - 1) + flaws[_i].row, number + 2);
    } else {
        snprintf(says, sizeof says, "%s", flaws[_i].says);
    }
    ck_assert_msg(strstr(sdca_status_message(), says) != NULL, "it says: %s, not: %s",
                  sdca_status_message(), says);
    ck_assert_all(data == NULL);
}
END_TEST

/* Whether it fails with SDCA_DATA and a message that contains says. Collective. */
static bool is_refused(const sdca_csr_view *x, const double *label, const char *says)
{
    const sdca_dataset_options options = { .task = SDCA_TASK_NONE };
    sdca_dataset              *data    = NULL;
    sdca_status                status =
        sdca_dataset_from_memory_csr(*world, x, label, NULL, &options, &data);

    return status == SDCA_DATA && data == NULL &&
           strstr(sdca_status_message(), says) != NULL;
}

START_TEST(incomplete_arrays_are_rejected)
{
    bool          first = sdca_comm_rank(*world) == 0;
    bool          alone = sdca_comm_size(*world) == 1;
    sdca_csr_view whole = { 3, 5, good.indptr, good.indices, NULL, good.value };
    sdca_csr_view x     = whole;

    x.rows = 0;
    ck_assert_all(is_refused(&x, NULL, "'memory' has no rows"));
    x.rows = first ? -1 : 3;
    ck_assert_all(is_refused(&x, good.label, "has -1 rows"));
    x        = whole;
    x.indptr = first ? NULL : x.indptr;
    ck_assert_all(is_refused(&x, good.label, "has no row offsets"));
    x         = whole;
    x.indices = first ? NULL : x.indices;
    ck_assert_all(is_refused(&x, good.label, "no column indices"));
    x         = whole;
    x.value64 = first ? NULL : x.value64;
    ck_assert_all(is_refused(&x, good.label, "not none"));
    x         = whole;
    x.columns = first ? 5 : 6;
    ck_assert_all(alone || is_refused(&x, good.label,
                                      "has 5 columns on one rank and 6 on another"));
    ck_assert_all(alone || is_refused(&whole, first ? NULL : good.label,
                                      "there is no label, but other ranks have labels"));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, memory_and_file_are_equivalent, 0, LENGTH(forms));
    tcase_add_loop_test(tests, the_fingerprint_does_not_depend_on_the_ranks, 0,
                        LENGTH(forms));
    tcase_add_test(tests, precisions_may_be_mixed);
    tcase_add_test(tests, columns_are_compacted_and_followed);
    tcase_add_test(tests, labels_are_optional);
    tcase_add_loop_test(tests, error_on_one_rank_reaches_all, 0, LENGTH(flaws));
    tcase_add_test(tests, incomplete_arrays_are_rejected);
}
