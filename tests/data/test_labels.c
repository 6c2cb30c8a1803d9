/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_labels.c - the classes of a data set are the labels of all its rows, in ascending
 * order, on any number of ranks. */
#include "data/labels.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <stdio.h>
#include <string.h>

#include "data/dataset.h"
#include "data/label_counts.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 240 };

/* The label of a row of the whole data set. */
typedef double label_rule(int64_t row);

/* Labels 9, 6, 3 .. come in blocks of rows, so that ranks have different ones. */
static double in_blocks(int64_t row)
{
    return 9.0 - 3.0 * (double)(row / 40);
}

static double of_two(int64_t row)
{
    return row % 3 == 0 ? 2.5 : -4.0;
}

static double of_one(int64_t row)
{
    return row >= 0 ? -3.0 : 0.0;
}

static double of_three_names(int64_t row)
{
    return (double)(row % 3 == 2 ? 4 : row % 3); /* the name 3 has no rows */
}

static double of_fractions(int64_t row)
{
    return 0.5 * (double)(row % 101);
}

/* A data set whose labels are still as in the source. Collective. */
static sdca_dataset *draft(label_rule *rule)
{
    sdca_dataset *data = small_dataset_create(ROWS, 5, false, false);

    for (uint32_t i = 0; i < data->x.count; i++) {
        data->x.row[i].y = rule(sdca_dataset_global_row(data, i));
    }
    return data;
}

static void name_labels(sdca_dataset *data, int count, const char *const *name)
{
    for (int k = 0; k < count; k++) {
        ck_assert(sdca_string_list_append(&data->class_names, name[k], strlen(name[k])) ==
                  SDCA_OK);
    }
}

static const char *const colours[] = { "red", "green", "blue", "pink", "grey" };

static sdca_status classify(sdca_dataset *data, const char *positive)
{
    return sdca_labels_encode(*world, data, "data", SDCA_TASK_CLASSIFICATION, positive,
                              NULL);
}

/* Does y of every row have the value that code gives to the index of its label? */
static bool is_encoded(const sdca_dataset *data, label_rule *rule, int count,
                       const double *label, const double *code)
{
    bool right = true;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = rule(sdca_dataset_global_row(data, i));

        for (int k = 0; k < count; k++) {
            right = right && (y != label[k] || data->x.row[i].y == code[k]);
        }
    }
    return right;
}

static bool has_classes(const sdca_dataset *data, int count, const double *value,
                        const char *const *name)
{
    const sdca_classes *classes = &data->classes;
    bool                same =
        classes->count == count && classes->names.count == (name != NULL ? count : 0);

    for (int k = 0; same && k < count; k++) {
        same = classes->value[k] == value[k] &&
               (name == NULL || strcmp(classes->names.text[k], name[k]) == 0);
    }
    return same;
}

START_TEST(more_than_two_labels_become_indices)
{
    static const double values[] = { -6, -3, 0, 3, 6, 9 }, index[] = { 0, 1, 2, 3, 4, 5 };
    sdca_dataset       *data = draft(in_blocks);

    ck_assert_all(classify(data, NULL) == SDCA_OK);
    ck_assert_all(has_classes(data, 6, values, NULL));
    ck_assert_all(is_encoded(data, in_blocks, 6, values, index));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(one_or_two_labels_become_signs)
{
    label_rule         *rule     = _i == 0 ? of_one : of_two;
    static const double single[] = { -3.0 }, two[] = { -4.0, 2.5 }, signs[] = { -1, 1 };
    sdca_dataset       *data = draft(rule);

    ck_assert_all(classify(data, NULL) == SDCA_OK);
    ck_assert_all(has_classes(data, 1 + _i, _i == 0 ? single : two, NULL));
    ck_assert_all(is_encoded(data, rule, 1 + _i, _i == 0 ? single : two, signs));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(names_without_rows_are_no_classes)
{
    static const char *const used[]   = { "red", "green", "grey" };
    static const double      labels[] = { 0, 1, 4 }, index[] = { 0, 1, 2 };
    sdca_dataset            *data = draft(of_three_names);

    name_labels(data, 5, colours);
    ck_assert_all(classify(data, NULL) == SDCA_OK);
    ck_assert_all(has_classes(data, 3, index, used) && data->unused_names == 2);
    ck_assert_all(is_encoded(data, of_three_names, 3, labels, index));
    sdca_dataset_free(data);
}
END_TEST

START_TEST(a_label_is_positive_on_request)
{
    const struct {
        label_rule        *rule;
        bool               named;
        const char        *positive;
        double             value[2];
        const char *const *names;
        double             chosen; /* the label that becomes +1 */
    } cases[] = {
        { of_two, false, "-4", { 2.5, -4.0 }, NULL, -4.0 },
        { of_two, false, "2.50", { -4.0, 2.5 }, NULL, 2.5 },
        { in_blocks, false, "6.0", { 0, 1 }, (const char *[]){ "not 6", "6" }, 6.0 },
        { of_three_names,
          true,
          "green",
          { 0, 1 },
          (const char *[]){ "not green", "green" },
          1.0 },
        { of_one, false, "-3", { 0, 1 }, (const char *[]){ "not -3", "-3" }, -3.0 },
    };
    sdca_dataset *data  = draft(cases[_i].rule);
    uint64_t      plain = data->fingerprint;
    bool          right = true;

    if (cases[_i].named) {
        name_labels(data, 5, colours);
    }
    ck_assert_all(classify(data, cases[_i].positive) == SDCA_OK);
    ck_assert_all(has_classes(data, 2, cases[_i].value, cases[_i].names));
    ck_assert_all((data->fingerprint == plain) == (_i == 1));
    for (uint32_t i = 0; i < data->x.count; i++) {
        double label = cases[_i].rule(sdca_dataset_global_row(data, i));

        right = right && data->x.row[i].y == (label == cases[_i].chosen ? 1.0 : -1.0);
    }
    ck_assert_all(right);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(unusable_labels_are_refused)
{
    static const struct {
        label_rule *rule;
        bool        named;
        const char *positive, *says;
    } cases[] = {
        { in_blocks, false, "7",
          "'data' has no row with the positive label '7': it has -6, -3, 0, 3 and 2 "
          "more" },
        { of_two, false, "two", "the positive label 'two': it has -4 and 2.5" },
        { of_three_names, true, "blue", "'blue': it has 'red', 'green' and 'grey'" },
        { of_fractions, false, NULL,
          "'data': there are more than 100 different labels, not all of them whole "
          "numbers, which are too many classes: choose a loss for regression, as in "
          "--loss squared" },
    };
    sdca_dataset *data = draft(cases[_i].rule);

    if (cases[_i].named) {
        name_labels(data, 5, colours);
    }
    ck_assert_all(classify(data, cases[_i].positive) == SDCA_DATA);
    ck_assert_msg(strstr(sdca_status_message(), cases[_i].says) != NULL, "it says: %s",
                  sdca_status_message());
    sdca_dataset_free(data);
}
END_TEST

/* Rank r has labels r, r + size, ...; so many that only all of them together are too
 * many. */
START_TEST(labels_are_counted_over_all_ranks)
{
    int               ranks = sdca_comm_size(*world), most = SDCA_MAX_CLASSES + _i;
    sdca_label_counts mine = { 0 }, all = { 0 };
    bool              right = true;

    for (int k = sdca_comm_rank(*world); k < most; k += ranks) {
        right = right && sdca_label_counts_add(&mine, (double)-k) == SDCA_OK;
    }
    ck_assert_all(right);
    ck_assert_all(sdca_label_counts_unite(*world, &mine, &all) == SDCA_OK);
    ck_assert_all(all.count == most && all.value[0] == 1.0 - most &&
                  all.value[most - 1] == 0.0);
    ck_assert_all(sdca_label_counts_check(&all) == (_i == 0 ? SDCA_OK : SDCA_DATA));
    ck_assert_all(sdca_label_counts_find(&all, -7.0) == most - 8 &&
                  sdca_label_counts_find(&all, 0.5) == -1);
    sdca_label_counts_free(&mine);
    sdca_label_counts_free(&all);
}
END_TEST

/* Encode labels as values of given classes. */
static sdca_status encode_as(sdca_dataset *data, int count, const char *const *name)
{
    double       value[] = { 0, 1, 2, 3, 4 };
    char        *text[5] = { NULL };
    sdca_classes classes = { .count = count, .value = value };

    for (int k = 0; name != NULL && k < count; k++) {
        text[k] = (char *)name[k];
    }
    classes.names = (sdca_string_list){ name != NULL ? count : 0, 5, text };
    return sdca_labels_encode(*world, data, "data", SDCA_TASK_NONE, NULL, &classes);
}

START_TEST(names_are_looked_up_in_given_classes)
{
    static const char *const others[] = { "grey", "lilac", "red", "green" };
    static const double      labels[] = { 0, 1, 4 }, value[] = { 2, 3, 0 };
    sdca_dataset            *data = draft(of_three_names);

    name_labels(data, 5, colours);
    ck_assert_all(encode_as(data, 4, others) == SDCA_OK);
    ck_assert_all(is_encoded(data, of_three_names, 3, labels, value));
    ck_assert_all(sdca_labels_count_unknown(*world, data, &data->classes) == 0);
    sdca_dataset_free(data);

    data = draft(of_three_names);
    name_labels(data, 5, colours);
    ck_assert_all(encode_as(data, 3, others) == SDCA_DATA);
    ck_assert_msg(strstr(sdca_status_message(),
                         "the label is 'green', but the model has "
                         "the labels 'grey', 'lilac' and 'red'") != NULL,
                  "it says: %s", sdca_status_message());
    sdca_dataset_free(data);
}
END_TEST

/* A model of one label against the rest takes any other label for the rest. */
START_TEST(other_labels_are_the_rest)
{
    static const char *const one[] = { "not 4", "4" }, *const grey[] = { "not grey",
                                                                         "grey" };
    static const double labels[] = { 0, 1, 4 }, value[] = { 0, 0, 1 };
    sdca_dataset       *data = draft(of_three_names);

    if (_i == 1) {
        name_labels(data, 5, colours);
    }
    ck_assert_all(encode_as(data, 2, _i == 1 ? grey : one) == SDCA_OK);
    ck_assert_all(is_encoded(data, of_three_names, 3, labels, value));
    ck_assert_all(sdca_labels_count_unknown(*world, data, &data->classes) == 0);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(unknown_numbers_are_counted)
{
    sdca_dataset *data = draft(in_blocks);

    ck_assert_all(encode_as(data, 5, NULL) == SDCA_OK); /* of which rows have 0 and 3 */
    ck_assert_all(sdca_labels_count_unknown(*world, data, &data->classes) == 160);
    sdca_dataset_free(data);
}
END_TEST

/* Long names are cut between characters, and many classes after the fourth. */
START_TEST(classes_are_listed_in_a_short_text)
{
    char         name[2 * SDCA_CLASS_TEXT_SIZE] = "";
    char        *text[]                         = { name, "b\n", "c" };
    double       value[]                        = { 0, 1, 2, 3, 4, 5, 6, 7 };
    sdca_classes classes = { .count = 3, .value = value, .names = { 3, 3, text } };
    char         list[SDCA_CLASS_LIST_SIZE], one[SDCA_CLASS_TEXT_SIZE];

    for (int k = 0; k < 50; k++) {
        strcat(name, "\xc3\xa9"); /* e with an accent */
    }
    sdca_classes_format(&classes, 0, one);
    ck_assert_uint_eq(strlen(one), SDCA_CLASS_TEXT_SIZE - 1);
    ck_assert(strstr(one, "\xc3\xa9...") != NULL && strchr(one, '?') == NULL);
    text[0] = "a";
    sdca_classes_list(&classes, list);
    ck_assert_str_eq(list, "'a', 'b?' and 'c'");
    classes.names.count = 0;
    classes.count       = 5;
    sdca_classes_list(&classes, list);
    ck_assert_str_eq(list, "0, 1, 2, 3 and 4");
    classes.count = 8;
    sdca_classes_list(&classes, list);
    ck_assert_str_eq(list, "0, 1, 2, 3 and 4 more");
    classes.count = 1;
    sdca_classes_list(&classes, list);
    ck_assert_str_eq(list, "0");
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, more_than_two_labels_become_indices);
    tcase_add_loop_test(tests, one_or_two_labels_become_signs, 0, 2);
    tcase_add_test(tests, names_without_rows_are_no_classes);
    tcase_add_loop_test(tests, a_label_is_positive_on_request, 0, 5);
    tcase_add_loop_test(tests, unusable_labels_are_refused, 0, 4);
    tcase_add_loop_test(tests, labels_are_counted_over_all_ranks, 0, 2);
    tcase_add_test(tests, names_are_looked_up_in_given_classes);
    tcase_add_loop_test(tests, other_labels_are_the_rest, 0, 2);
    tcase_add_test(tests, unknown_numbers_are_counted);
    tcase_add_test(tests, classes_are_listed_in_a_short_text);
}
