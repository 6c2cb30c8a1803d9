/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_table_encoder.c - columns of a table, and its rows as numbers. */
#include "data/table_encoder.h"

#include "support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024 };

static const sdca_table_encoder_options usual = { .classifies     = true,
                                                  .max_categories = 3 };

/* All rows in one line: [LINE:LABEL*WEIGHT INDEX:VALUE ...], without a weight of 1. */
static sdca_status take(void *context, const sdca_svmlight_row *row)
{
    char  *all  = context;
    size_t used = strlen(all);

    used += (size_t)snprintf(all + used, ROOM - used, "[%lld:%g", (long long)row->line,
                             row->label);
    if (row->weight != 1.0) {
        used += (size_t)snprintf(all + used, ROOM - used, "*%g", row->weight);
    }
    for (int64_t k = 0; k < row->count; k++) {
        used += (size_t)snprintf(all + used, ROOM - used, " %ld:%g", (long)row->column[k],
                                 row->value[k]);
    }
    snprintf(all + used, ROOM - used, "]");
    return SDCA_OK;
}

static sdca_status feed(sdca_table_encoder *table, const char *text)
{
    sdca_status status = SDCA_OK;
    sdca_csv   *parser = NULL;

    SDCA_TRY(sdca_csv_create("text", ',', sdca_table_encoder_add_record, table, &parser));
    SDCA_TRY(sdca_csv_feed(parser, text, strlen(text)));
    SDCA_TRY(sdca_csv_finish(parser));

done:
    sdca_csv_free(parser);
    return status;
}

/* Encode a table: the rows as text, then =, then the names of the columns of X and of
 * labels. */
static sdca_status read_table(const char *text, sdca_table_encoder_options options,
                              char all[ROOM])
{
    sdca_status              status = SDCA_OK;
    sdca_table_encoder      *table  = NULL;
    const sdca_table_schema *features;

    all[0] = '\0';
    SDCA_TRY(sdca_table_encoder_create("text", options, take, all, &table));
    if (options.like == NULL) {
        SDCA_TRY(feed(table, text));
        ck_assert_str_eq(all, "");
        SDCA_TRY(sdca_table_encoder_end_fit(table));
    }
    SDCA_TRY(feed(table, text));
    features = sdca_table_encoder_features(table);
    for (int64_t j = 0; j < features->name.count; j++) {
        snprintf(all + strlen(all), ROOM - strlen(all), "%s%s", j > 0 ? "," : "=",
                 features->name.text[j]);
    }
    for (int64_t k = 0; k < features->class_names.count; k++) {
        snprintf(all + strlen(all), ROOM - strlen(all), "%s%s", k > 0 ? "," : "=",
                 features->class_names.text[k]);
    }

done:
    sdca_table_encoder_free(table);
    return status;
}

static void expect_table(const char *text, sdca_table_encoder_options options,
                         const char *words)
{
    char all[ROOM];

    ck_assert_msg(read_table(text, options, all) == SDCA_OK, "%s", sdca_status_message());
    ck_assert_str_eq(all, words);
}

START_TEST(numbers_become_columns)
{
    expect_table("a,label,b\n1,-1,2.5\n0,1,-3e2\n", usual,
                 "[2:-1 0:1 1:2.5][3:1 1:-300]=a,b");
    expect_table("a,y\n 1 ,\"1\"\n\"2\", -1\t\n", usual, "[2:1 0:1][3:-1 0:2]=a");
}
END_TEST

START_TEST(strings_become_categories)
{
    expect_table("c,y,n\nred,1,5\n blue ,0,6\nred,1,7\n", usual,
                 "[2:1 1:1 2:5][3:0 0:1 2:6][4:1 1:1 2:7]=c=blue,c=red,n");
    expect_table("c,y\n\" red\",1\nred,0\n\"NA\",0\n", usual,
                 "[2:1 0:1][3:0 2:1][4:0 1:1]=c= red,c=NA,c=red");
}
END_TEST

START_TEST(labels_may_be_strings)
{
    expect_table("a,class\n1,yes\n2,no\n", usual, "[2:1 0:1][3:0 0:2]=a=no,yes");
    expect_table("a,class\n1,yes\n", usual, "[2:0 0:1]=a=yes");
    expect_table("a,class\n1,yes\n2,no\n3,perhaps\n", usual,
                 "[2:2 0:1][3:0 0:2][4:1 0:3]=a=no,perhaps,yes");
}
END_TEST

START_TEST(names_may_be_missing)
{
    sdca_table_encoder_options options = usual;

    options.label = "2";
    expect_table("1,-1\n2,1\n", options, "[1:-1 0:1][2:1 0:2]=1");
    expect_table("5,x\n2,z\n", options, "[1:0 0:5][2:1 0:2]=1=x,z");
    options.header = SDCA_HEADER_NO;
    expect_table("a,b\nc,d\n", options, "[1:0 0:1][2:1 1:1]=1=a,1=c=b,d");
    options.header = SDCA_HEADER_YES;
    expect_table("2019,2020\n1,2\n", options, "[2:2 0:1]=2019");
    options.label = "2019";
    expect_table("2019,\n1,2\n", options, "[2:1 0:2]=2");
}
END_TEST

START_TEST(columns_are_dropped_or_forced)
{
    sdca_table_encoder_options options = usual;

    options.drop        = "id,4";
    options.categorical = "zip";
    expect_table("id,zip,y,note\nx,10,1,\ny,9,0,NA\n", options,
                 "[2:1 0:1][3:0 1:1]=zip=10,zip=9");
    options            = usual;
    options.unlabelled = true;
    expect_table("y,a\n1,2\n", options, "[2:0 0:1 1:2]=y,a");
}
END_TEST

START_TEST(weights_are_no_features)
{
    sdca_table_encoder_options options = usual;

    options.weight = "w";
    expect_table("w,a,y\n2.5,1,1\n0,0,0\n1,3,0\n", options,
                 "[2:1*2.5 0:1][3:0*0][4:0 0:3]=a");
    options.weight = "3";
    options.label  = "1";
    expect_table("1,2,4\n0,3,0.5\n", options, "[1:1*4 0:2][2:0*0.5 0:3]=2");
}
END_TEST

static char *labels[]   = { "blue", "red" };
static char *columns[]  = { "c", "c", "n" };
static char *names[]    = { "c=blue", "c=red", "n" };
static char *category[] = { "blue", "red", "" };

START_TEST(table_with_given_encoding)
{
    sdca_table_schema like = {
        .name        = { 3, 3, names },
        .column      = { 3, 3, columns },
        .category    = { 3, 3, category },
        .class_names = { 2, 2, labels },
    };
    sdca_table_encoder_options options = usual;
    char                       all[ROOM];

    options.like = &like;
    expect_table("n,y,c\n5,red,red\n", options, "[2:1 1:1 2:5]=c=blue,c=red,n=blue,red");
    ck_assert_int_eq(read_table("n,y,c\n5,red,green\n", options, all), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "'green' is not a category"));
    ck_assert_int_eq(read_table("n,y,c\n5,green,red\n", options, all), SDCA_DATA);
    ck_assert_int_eq(read_table("n,y\n5,red\n", options, all), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "no column 'c'"));
    ck_assert_int_eq(read_table("n,y,c,d\n5,red,red,1\n", options, all), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "'d' is unknown to --like"));
    category[0] = "red";
    ck_assert_int_eq(read_table("n,y,c\n5,red,red\n", options, all), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "do not ascend"));
}
END_TEST

static const struct {
    sdca_status status;
    const char *text, *why;
} faults[] = {
    { SDCA_DATA, "", "text: there are no rows in it" },
    { SDCA_DATA, "a,y\n", "text: there are no rows in it" },
    { SDCA_DATA, "a,y\n1,2\n\n3\n", "text, line 4: 1 field where line 1 has 2" },
    { SDCA_DATA, "a,y\n1,2,3\n", "text, line 2: 3 fields where line 1 has 2" },
    { SDCA_DATA, "a,y\n,1\n",
      "text: values are missing in 1 column: 'a' (1, in line 2)" },
    { SDCA_DATA, "a,y\n1,1\n n/a ,1\n",
      "text: values are missing in 1 column: 'a' (1, in line 3)" },
    { SDCA_DATA, "a,y\n\"\",1\n", "missing in 1 column: 'a' (1, in line 2)" },
    { SDCA_DATA, "a,y\nred,1\nNaN,1\n", "in 1 column: 'a' (1, in line 3)" },
    { SDCA_DATA, "a,y\n,?\n,1\n",
      "in 2 columns: 'a' (2, first in line 2), 'y' (1, in line 2)" },
    { SDCA_DATA, "a,y\n1,1\n-inf,1\n", "line 3, column 'a': '-inf' is not finite" },
    { SDCA_DATA, "a,y\n1e400,1\n", "text, line 2, column 'a': '1e400' is not finite" },
    { SDCA_DATA, "a,y\n1,1\nx,1\n", "text, line 3, column 'a': 'x' is not a number" },
    { SDCA_DATA, "a,y\nx,1\n1,1\n", "text, line 3, column 'a': '1' is a number where" },
    { SDCA_DATA, "a,y\np,1\nq,1\nr,1\ns,1\n",
      "text: 1 column has more than 3 categories: 'a' (another in every row); --drop" },
    { SDCA_DATA, "a,b,c,y\np,p,,1\nq,p,1,1\nr,q,2,1\ns,r,3,1\ns,s,4,1\nt,s,4,1\n",
      "text: 2 columns have more than 3 categories: 'a' (another in every row), 'b'; "
      "--drop leaves out columns, --hash N shares N columns among their categories, "
      "--categories N allows more; values are missing in 1 column: 'c' (1, in line 2)" },
    { SDCA_DATA, "a,y\nb,1\ncaf\xe9,1\n", "text, line 3: 'caf\\xe9' is not UTF-8" },
    { SDCA_DATA,
      "\xff\xfe"
      "a,y\n",
      "text, line 1: '\\xff\\xfe" },
    { SDCA_USAGE, "a,b\n1,2\n", "no column is called label, y, target or class" },
    { SDCA_USAGE, "a,b\n1,2\n", "its 2 columns are: a, b" },
    { SDCA_USAGE, "Y,class\n1,2\n", "more than one column may be the label" },
    { SDCA_USAGE, "1\n", "its 1 column is: 1 (--header yes" },
};

START_TEST(errors_name_their_place)
{
    char all[ROOM];

    ck_assert_int_eq(read_table(faults[_i].text, usual, all), faults[_i].status);
    ck_assert_msg(strstr(sdca_status_message(), faults[_i].why) != NULL, "%s",
                  sdca_status_message());
}
END_TEST

START_TEST(missing_columns_are_reported)
{
    sdca_table_encoder_options options = usual;
    char                       all[ROOM];

    options.label = "c";
    ck_assert_int_eq(read_table("a,b\n1,2\n", options, all), SDCA_USAGE);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "no column is called 'c'"));
    options.label = "3";
    ck_assert_int_eq(read_table("a,b\n1,2\n", options, all), SDCA_USAGE);
    options.label = "a";
    ck_assert_int_eq(read_table("a,a\n1,2\n", options, all), SDCA_USAGE);
    ck_assert_ptr_nonnull(
        strstr(sdca_status_message(), "more than one column is called"));
    options.drop = "b,a";
    ck_assert_int_eq(read_table("a,b\n1,2\n", options, all), SDCA_USAGE);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "--drop names the label"));
    options      = usual;
    options.drop = "a,,b";
    ck_assert_int_eq(read_table("a,y\n1,2\n", options, all), SDCA_USAGE);
    options.drop       = NULL;
    options.classifies = false;
    ck_assert_int_eq(read_table("a,y\n1,x\n", options, all), SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "as regression needs"));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, numbers_become_columns);
    tcase_add_test(tests, strings_become_categories);
    tcase_add_test(tests, labels_may_be_strings);
    tcase_add_test(tests, names_may_be_missing);
    tcase_add_test(tests, columns_are_dropped_or_forced);
    tcase_add_test(tests, weights_are_no_features);
    tcase_add_test(tests, table_with_given_encoding);
    tcase_add_loop_test(tests, errors_name_their_place, 0, LENGTH(faults));
    tcase_add_test(tests, missing_columns_are_reported);
}
