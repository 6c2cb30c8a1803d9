/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_synthetic.c - synthetic rows: reproducible, of the documented sizes, and
 * learnable. */
#include "synthetic/synthetic.h"

#include "support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64, MANY = 4000, TOPICS = 4, DIGITS = 5 };

typedef struct drawn {
    double  label;
    int     count;
    int32_t column[SDCA_SYNTHETIC_MAX_NONZEROS];
    double  value[SDCA_SYNTHETIC_MAX_NONZEROS];
} drawn;

/* Known properties of each shape, in the order of sdca_synthetic_names. */
static const struct {
    int64_t  rows, test_rows;
    int32_t  columns;
    double   nonzeros;         /* per row */
    int32_t  classes;          /* by default; 0: no choice */
    double   least, most;      /* fraction of positive labels */
    double   easiest, hardest; /* error of a linear model on MANY rows */
    uint64_t fingerprint[2];   /* of the first rows, for the seeds 1 and 2 */
} known[SDCA_SYNTHETIC_SHAPES] = {
    { 29882,
      32487,
      99757,
      77.0,
      0,
      0.35,
      0.45,
      0.02,
      0.10,
      { 0x79cb5dc559f8eed1U, 0x3a131eba1f931867U } },
    { 781265,
      23149,
      47236,
      77.0,
      0,
      0.42,
      0.52,
      0.03,
      0.12,
      { 0x1ad7836b08dd2e78U, 0xd3cdcb2bc2cbbb46U } },
    { 522911,
      58101,
      54,
      12.0,
      0,
      0.32,
      0.40,
      0.20,
      0.27,
      { 0x8e6cc3b531739204U, 0x3c75009cad2230c9U } },
    { 100000,
      10000,
      1000,
      30.0,
      0,
      0.45,
      0.55,
      0.0,
      1.0,
      { 0xa21f560189e9989bU, 0xbba0226fe24f44c0U } },
    { 60000,
      15000,
      30000,
      71.0,
      20,
      1.0,
      1.0,
      0.10,
      0.30,
      { 0xa003f746288da20cU, 0x873e6c0ca1740139U } },
    { 60000,
      10000,
      784,
      152.0,
      10,
      0.9,
      0.9,
      0.05,
      0.15,
      { 0xe117b7c22f3ddae1U, 0xf9733ad1bb1edacdU } },
    { 600000,
      60000,
      1 << 20,
      39.0,
      0,
      0.25,
      0.32,
      0.18,
      0.25,
      { 0x634acaebdaee7184U, 0x4b2a58c81f413cbfU } },
};

static sdca_synthetic *create_classes(int shape, int32_t classes, double scale,
                                      uint64_t seed)
{
    sdca_synthetic *synthetic = NULL;

    ck_assert_int_eq(sdca_synthetic_create(sdca_synthetic_names[shape],
                                           (sdca_synthetic_size){ scale, classes, 0 },
                                           seed, &synthetic),
                     SDCA_OK);
    return synthetic;
}

static sdca_synthetic *create(int shape, double scale, uint64_t seed)
{
    return create_classes(shape, 0, scale, seed);
}

static void draw(const sdca_synthetic *synthetic, int64_t row, drawn *out)
{
    out->count =
        sdca_synthetic_draw_row(synthetic, row, &out->label, out->column, out->value);
}

/* FNV-1a of 64-bit words. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x100000001b3U;
}

static uint64_t hash_double(uint64_t hash, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return hash_word(hash, bits);
}

/* A hash of all bits of count rows, starting at first. */
static uint64_t fingerprint(const sdca_synthetic *synthetic, int64_t first, int64_t count)
{
    uint64_t hash = 0xcbf29ce484222325U;
    drawn    row;

    for (int64_t k = 0; k < count; k++) {
        draw(synthetic, first + k, &row);
        hash = hash_double(hash, row.label);
        hash = hash_word(hash, (uint64_t)row.count);
        for (int j = 0; j < row.count; j++) {
            hash = hash_word(hash, (uint64_t)row.column[j]);
            hash = hash_double(hash, row.value[j]);
        }
    }
    return hash;
}

START_TEST(rows_are_reproducible_bitwise)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        sdca_synthetic *synthetic = create(_i, 1.0, seed);

        ck_assert_msg(fingerprint(synthetic, 0, FEW) == known[_i].fingerprint[seed - 1],
                      "%s, seed %d: 0x%016llxU", sdca_synthetic_names[_i], (int)seed,
                      (unsigned long long)fingerprint(synthetic, 0, FEW));
        sdca_synthetic_free(synthetic);
    }
}
END_TEST

START_TEST(row_depends_on_its_number_alone)
{
    sdca_synthetic *synthetic = create(_i, 1.0, 3);
    sdca_synthetic *again     = create(_i, 1.0, 3);
    sdca_synthetic *other     = create(_i, 1.0, 4);
    drawn           row;

    draw(again, 17, &row); /* rows are independent of the order */
    for (int64_t k = FEW - 1; k >= 0; k--) {
        ck_assert_uint_eq(fingerprint(again, k, 1), fingerprint(synthetic, k, 1));
        ck_assert_uint_ne(fingerprint(other, k, 1), fingerprint(synthetic, k, 1));
    }
    sdca_synthetic_free(synthetic);
    sdca_synthetic_free(again);
    sdca_synthetic_free(other);
}
END_TEST

START_TEST(smaller_scale_is_a_prefix)
{
    sdca_synthetic *whole = create(_i, 1.0, 5);
    sdca_synthetic *part  = create(_i, 0.01, 5);

    ck_assert_uint_eq(fingerprint(part, 0, FEW), fingerprint(whole, 0, FEW));
    sdca_synthetic_free(whole);
    sdca_synthetic_free(part);
}
END_TEST

START_TEST(test_and_training_rows_differ)
{
    sdca_synthetic     *synthetic = create(_i, 0.01, 1);
    sdca_synthetic_info info      = sdca_synthetic_get_info(synthetic);
    uint64_t            training[FEW];
    int                 seen = 0;

    for (int64_t row = 0; row < FEW; row++) {
        training[row] = fingerprint(synthetic, row, 1);
    }
    for (int64_t test = 0; test < FEW; test++) {
        uint64_t mine = fingerprint(synthetic, info.rows + test, 1);

        for (int64_t row = 0; row < FEW; row++) {
            seen += training[row] == mine;
        }
    }
    ck_assert_int_eq(seen, 0);
    sdca_synthetic_free(synthetic);
}
END_TEST

START_TEST(sizes_follow_the_scale)
{
    static const double scales[] = { 1.0, 0.1, 2.5, 1e-9 };

    for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
        sdca_synthetic     *synthetic = create(_i, scales[k], 1);
        sdca_synthetic_info info      = sdca_synthetic_get_info(synthetic);
        double              least     = fmax(16.0, known[_i].classes);
        double              rows      = fmax(least, (double)known[_i].rows * scales[k]);
        double              tests = fmax(least, (double)known[_i].test_rows * scales[k]);

        ck_assert_str_eq(info.shape, sdca_synthetic_names[_i]);
        ck_assert_int_eq(info.columns, known[_i].columns);
        ck_assert_double_le(fabs((double)info.rows - rows), 0.5);
        ck_assert_double_le(fabs((double)info.test_rows - tests), 0.5);
        sdca_synthetic_free(synthetic);
    }
}
END_TEST

/* Columns ascend within bounds, values are finite and non-zero, and the row has norm 1.
 * (One assertion each would take longer than generating.) */
static bool is_well_formed(const drawn *row, int32_t columns)
{
    double norm2 = 0.0;
    bool   good  = row->count >= 1 && row->count <= SDCA_SYNTHETIC_MAX_NONZEROS;

    for (int j = 0; good && j < row->count; j++) {
        good = row->column[j] > (j > 0 ? row->column[j - 1] : -1) &&
               row->column[j] < columns && isfinite(row->value[j]) &&
               row->value[j] != 0.0;
        norm2 += row->value[j] * row->value[j];
    }
    return good && fabs(norm2 - 1.0) <= 1e-14 && isfinite(row->label);
}

START_TEST(rows_are_well_formed)
{
    sdca_synthetic *synthetic = create(_i, 1.0, 6);
    int             good      = 0;
    drawn           row;

    for (int64_t k = 0; k < MANY; k++) {
        draw(synthetic, k, &row);
        good += is_well_formed(&row, known[_i].columns);
    }
    ck_assert_int_eq(good, MANY);
    sdca_synthetic_free(synthetic);
}
END_TEST

static bool is_class(const sdca_synthetic_info *info, double label)
{
    return info->classes == 0 ? fabs(label) == 1.0
                              : label == floor(label) && label >= info->first_label &&
                                    label < info->first_label + info->classes;
}

/* The class of a label, counted from 0. */
static int class_of(const sdca_synthetic_info *info, double label)
{
    return info->classes == 0 ? label > 0.0 : (int)label - info->first_label;
}

START_TEST(statistics_are_as_documented)
{
    sdca_synthetic     *synthetic = create(_i, 1.0, 7);
    sdca_synthetic_info info      = sdca_synthetic_get_info(synthetic);
    int64_t             nonzeros  = 0;
    int64_t             positive  = 0;
    int64_t             classes   = 0; /* labels that are those of a class */
    drawn               row;

    for (int64_t k = 0; k < MANY; k++) {
        draw(synthetic, k, &row);
        classes += is_class(&info, row.label);
        nonzeros += row.count;
        positive += row.label > 0.0;
    }
    ck_assert_int_eq(info.classes, known[_i].classes);
    ck_assert_int_eq(classes, info.classifies ? MANY : 0);
    ck_assert_double_le(fabs((double)nonzeros / MANY - known[_i].nonzeros),
                        0.03 * known[_i].nonzeros);
    ck_assert_double_ge((double)positive, known[_i].least * MANY);
    ck_assert_double_le((double)positive, known[_i].most * MANY);
    sdca_synthetic_free(synthetic);
}
END_TEST

/* One step of plain dual coordinate ascent for the hinge loss with lambda = 1e-4: y in
 * {-1, 1}, alpha in [0, 1]. */
static void ascend(const drawn *row, double y, double *w, double *alpha)
{
    const double c      = 1.0 / (1e-4 * MANY);
    double       margin = 0.0;
    double       move;

    for (int j = 0; j < row->count; j++) {
        margin += w[row->column[j]] * row->value[j];
    }
    move = fmin(1.0, fmax(0.0, *alpha + (1.0 - y * margin) / c)) - *alpha;
    *alpha += move;
    for (int j = 0; j < row->count; j++) {
        w[row->column[j]] += y * move * row->value[j] * c;
    }
}

/* The class of the greatest score, counted from 0. */
static int predict(const drawn *row, const double *w, int32_t columns, int classes)
{
    double best = -INFINITY;
    int class   = 0;

    for (int k = 0; k < classes; k++) {
        double score = 0.0;

        for (int j = 0; j < row->count; j++) {
            score += w[k * columns + row->column[j]] * row->value[j];
        }
        if (score > best) {
            best  = score;
            class = k;
        }
    }
    return class;
}

/* Test error of one linear model per class, each against the rest, trained on the first
 * MANY rows. */
static double linear_error(const sdca_synthetic *synthetic)
{
    const sdca_synthetic_info info    = sdca_synthetic_get_info(synthetic);
    const int                 classes = info.classes > 0 ? info.classes : 2;
    const int                 passes  = 10;
    double                   *w     = calloc((size_t)(classes * info.columns), sizeof *w);
    double                   *alpha = calloc((size_t)classes * MANY, sizeof *alpha);
    int                       wrong = 0;
    drawn                     row;

    ck_assert_ptr_nonnull(w);
    ck_assert_ptr_nonnull(alpha);
    for (int64_t step = 0; step < (int64_t)passes * MANY; step++) {
        draw(synthetic, step % MANY, &row);
        for (int k = 0; k < classes; k++) {
            ascend(&row, class_of(&info, row.label) == k ? 1.0 : -1.0,
                   w + k * info.columns, &alpha[k * MANY + step % MANY]);
        }
    }
    for (int64_t k = info.rows; k < info.rows + MANY; k++) {
        draw(synthetic, k, &row);
        wrong += predict(&row, w, info.columns, classes) != class_of(&info, row.label);
    }
    free(w);
    free(alpha);
    return (double)wrong / MANY;
}

/* In training and test rows, for any number of classes. */
START_TEST(classes_have_equal_numbers_of_rows)
{
    static const int32_t numbers[] = { 2, 3, 20, SDCA_SYNTHETIC_MAX_CLASSES };

    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        sdca_synthetic     *synthetic = create_classes(_i, numbers[k], 0.001, 9);
        sdca_synthetic_info info      = sdca_synthetic_get_info(synthetic);
        int64_t            *rows      = calloc((size_t)info.classes, sizeof *rows);
        drawn               row;

        ck_assert_ptr_nonnull(rows);
        ck_assert_int_eq(info.classes, numbers[k]);
        ck_assert_int_ge(info.rows, info.classes);
        ck_assert_int_ge(info.test_rows, info.classes);
        for (int64_t at = 0; at < info.rows; at++) {
            draw(synthetic, at, &row);
            ck_assert(is_class(&info, row.label));
            rows[(int32_t)row.label - info.first_label]++;
        }
        for (int32_t class = 0; class < info.classes; class ++) {
            ck_assert_int_ge(rows[class], info.rows / info.classes);
            ck_assert_int_le(rows[class], info.rows / info.classes + 1);
        }
        free(rows);
        sdca_synthetic_free(synthetic);
    }
}
END_TEST

/* The inner product of the mean rows of two classes: words in common. */
static double words_in_common(const double *mean, int32_t columns, int one, int other)
{
    double product = 0.0;

    for (int32_t k = 0; k < columns; k++) {
        product += mean[one * columns + k] * mean[other * columns + k];
    }
    return product;
}

START_TEST(neighbouring_topics_share_words)
{
    enum { CLASSES = 8 };
    sdca_synthetic *synthetic = create_classes(TOPICS, CLASSES, 1.0, 10);
    const int32_t   columns   = known[TOPICS].columns;
    double         *mean      = calloc((size_t)CLASSES * (size_t)columns, sizeof *mean);
    double          near      = 0.0;
    double          far       = 0.0;
    drawn           row;

    ck_assert_ptr_nonnull(mean);
    for (int64_t k = 0; k < MANY; k++) {
        draw(synthetic, k, &row);
        for (int j = 0; j < row.count; j++) {
            mean[((int)row.label - 1) * columns + row.column[j]] += row.value[j];
        }
    }
    for (int class = 0; class < CLASSES; class ++) {
        near += words_in_common(mean, columns, class, (class + 1) % CLASSES);
        far += words_in_common(mean, columns, class, (class + CLASSES / 2) % CLASSES);
    }
    ck_assert_double_ge(near, 1.2 * far);
    free(mean);
    sdca_synthetic_free(synthetic);
}
END_TEST

START_TEST(linear_model_learns_most_rows)
{
    sdca_synthetic *synthetic = create(_i, 1.0, 8);
    double          error     = linear_error(synthetic);

    ck_assert_double_ge(error, known[_i].easiest);
    ck_assert_double_le(error, known[_i].hardest);
    sdca_synthetic_free(synthetic);
}
END_TEST

START_TEST(invalid_names_and_scales_are_rejected)
{
    static const double scales[]  = { 0.0, -1.0, 1e7, INFINITY, NAN };
    sdca_synthetic     *synthetic = NULL;

    ck_assert_int_eq(sdca_synthetic_create("mnist", (sdca_synthetic_size){ .scale = 1.0 },
                                           1, &synthetic),
                     SDCA_USAGE);
    ck_assert_str_eq(sdca_status_message(), "there is no shape 'mnist'");
    for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
        ck_assert_int_eq(
            sdca_synthetic_create("cov1", (sdca_synthetic_size){ .scale = scales[k] }, 1,
                                  &synthetic),
            SDCA_USAGE);
    }
    ck_assert_ptr_null(synthetic);
    sdca_synthetic_free(NULL);
}
END_TEST

START_TEST(invalid_numbers_of_classes_are_rejected)
{
    static const int32_t numbers[] = { -1, 1, SDCA_SYNTHETIC_MAX_CLASSES + 1, INT32_MAX };
    sdca_synthetic      *synthetic = NULL;

    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        ck_assert_int_eq(
            sdca_synthetic_create("digits", (sdca_synthetic_size){ 1.0, numbers[k], 0 },
                                  1, &synthetic),
            SDCA_USAGE);
    }
    ck_assert_int_eq(
        sdca_synthetic_create("cov1", (sdca_synthetic_size){ 1.0, 2, 0 }, 1, &synthetic),
        SDCA_USAGE);
    ck_assert_ptr_null(synthetic);
}
END_TEST

START_TEST(invalid_numbers_of_columns_are_rejected)
{
    sdca_synthetic *synthetic = NULL;

    ck_assert_int_eq(
        sdca_synthetic_create("ctr", (sdca_synthetic_size){ 1.0, 0, -1 }, 1, &synthetic),
        SDCA_USAGE);
    ck_assert_int_eq(sdca_synthetic_create("ctr",
                                           (sdca_synthetic_size){ 1.0, 0, INT32_MAX }, 1,
                                           &synthetic),
                     SDCA_USAGE);
    ck_assert_int_eq(
        sdca_synthetic_create("cov1", (sdca_synthetic_size){ 1.0, 0, 54 }, 1, &synthetic),
        SDCA_USAGE);
    ck_assert_str_eq(sdca_status_message(), "the shape cov1 has no choice of columns");
    ck_assert_ptr_null(synthetic);
}
END_TEST

/* Frequent categories are in most rows, rare ones in one row: of the columns that occur
 * in MANY rows, most occur once, and the ten most frequent have more than a tenth of the
 * non-zeros. Any number of columns has the same labels and numbers of categories. */
START_TEST(categories_have_a_long_tail)
{
    static const int32_t columns[] = { 1 << 20, INT32_MAX - 1, 1000 };
    static int           frequency[1 << 20];
    sdca_synthetic      *synthetic = NULL;
    int                  once = 0, used = 0, frequent = 0;
    double               label[3] = { 0.0 };
    drawn                row;

    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(
            sdca_synthetic_create("ctr", (sdca_synthetic_size){ 1.0, 0, columns[k] }, 1,
                                  &synthetic),
            SDCA_OK);
        ck_assert_int_eq(sdca_synthetic_get_info(synthetic).columns, columns[k]);
        for (int64_t i = 0; i < MANY; i++) {
            draw(synthetic, i, &row);
            ck_assert(is_well_formed(&row, columns[k]));
            label[k] += row.label * (double)(i + 1);
            for (int j = 0; k == 0 && j < row.count; j++) {
                frequency[row.column[j]]++;
            }
        }
        sdca_synthetic_free(synthetic);
    }
    for (int32_t j = 0; j < columns[0]; j++) {
        used += frequency[j] > 0;
        once += frequency[j] == 1;
        frequent += frequency[j] > MANY / 4;
    }
    ck_assert_int_ge(used, 20000);
    ck_assert_int_ge(once, used / 2);
    ck_assert_int_ge(frequent, 10);
    ck_assert_double_eq(label[1], label[0]);
    ck_assert_double_eq(label[2], label[0]);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, rows_are_reproducible_bitwise, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, row_depends_on_its_number_alone, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, smaller_scale_is_a_prefix, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, test_and_training_rows_differ, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, sizes_follow_the_scale, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, rows_are_well_formed, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, statistics_are_as_documented, 0, SDCA_SYNTHETIC_SHAPES);
    tcase_add_loop_test(tests, linear_model_learns_most_rows, 0, 3);
    tcase_add_loop_test(tests, linear_model_learns_most_rows, TOPICS, DIGITS + 1);
    tcase_add_loop_test(tests, classes_have_equal_numbers_of_rows, TOPICS, DIGITS + 1);
    tcase_add_test(tests, neighbouring_topics_share_words);
    tcase_add_test(tests, invalid_names_and_scales_are_rejected);
    tcase_add_test(tests, invalid_numbers_of_classes_are_rejected);
    tcase_add_test(tests, invalid_numbers_of_columns_are_rejected);
    tcase_add_test(tests, categories_have_a_long_tail);
}
