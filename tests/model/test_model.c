/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_model.c - models and histories are read back as written. */
#include "model/model.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hdf5_file.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

/* A model with a distinct value in every field; its history has two rows and three
 * rounds. */
static sdca_model sample(int loss)
{
    static double       w[3] = { 0.5, -0.25, 3e12 }, values[2] = { 3.0, 7.0 };
    sdca_history_record row = {
        .round = 1, .epoch = 0.5, .gap = 1e-3, .test_error = NAN, .bound = NAN
    };
    sdca_model model = {
        .objective =
            sdca_objective_with_C(&sdca_losses[loss], 0.25, 3.0, 1000, (double)1000),
        .labels = { .count = sdca_losses[loss].classification ? 2 : 0, .value = values },
        .normalized  = true,
        .columns     = 3,
        .w           = w,
        .certificate = { .primal   = 0.5,
                         .dual     = 0.4375,
                         .gap      = 0.0625,
                         .rounding = 1e-14,
                         .distance = 0.25 },
        .converged   = loss % 2 == 0,
        .nonzeros    = (int64_t)1 << 33,
        .fingerprint = 0xfedcba9876543210U,
        .seed        = 42,
        .ranks       = 5,
        .seconds     = { .total       = 8.0,
                         .read        = 0.5,
                         .local       = 4.0,
                         .communicate = 2.0,
                         .gap         = 1.0,
                         .checkpoint  = 0.25 },
    };

    snprintf(model.solver, sizeof model.solver, "newton");
    snprintf(model.options, sizeof model.options, "a.h5 -o \"b\" --lambda 1");
    ck_assert(sdca_history_append(&model.history, &row) == SDCA_OK);
    row.round      = 2;
    row.test_error = 0.25;
    ck_assert(sdca_history_append(&model.history, &row) == SDCA_OK);
    ck_assert(sdca_round_log_create(&model.history.round_log) == SDCA_OK);
    for (int k = 1; k <= 3; k++) {
        sdca_round_log_append(
            &model.history.round_log,
            &(sdca_round_log_entry){ k, 0.5 * k, 0.25, 0.75, 3.0, 0.125, 4.0 });
    }
    return model;
}

/* Rank 0 writes. Collective. */
static sdca_status write_model(const sdca_model *model, const char *path)
{
    return sdca_comm_agree(
        *world, sdca_comm_rank(*world) == 0 ? sdca_model_write(model, path) : SDCA_OK);
}

START_TEST(model_file_round_trip)
{
    sdca_model in = sample(_i), out = { 0 };

    ck_assert_all(write_model(&in, temp_directory_path("model.h5")) == SDCA_OK);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("model.h5"), &out) ==
                  SDCA_OK);
    ck_assert_all(out.objective.loss == in.objective.loss);
    ck_assert_all(out.objective.parameter ==
                  (in.objective.loss->parameter != NULL ? 0.25 : 0.0));
    ck_assert_all(out.objective.lambda == in.objective.lambda &&
                  out.objective.C == in.objective.C && out.objective.rows == 1000);
    ck_assert_all(out.labels.count == in.labels.count);
    ck_assert_all(in.labels.count == 0 ||
                  (out.labels.value[0] == 3.0 && out.labels.value[1] == 7.0));
    ck_assert_all(out.normalized && out.columns == 3 &&
                  memcmp(out.w, in.w, 3 * sizeof *in.w) == 0);
    ck_assert_all(out.certificate.rounding == 1e-14 && out.certificate.distance == 0.25);
    ck_assert_all(out.certificate.gap == 0.0625 && out.certificate.primal == 0.5 &&
                  out.certificate.dual == 0.4375 && out.converged == in.converged);
    ck_assert_all(out.nonzeros == in.nonzeros && out.fingerprint == in.fingerprint &&
                  out.seed == 42 && out.ranks == 5);
    ck_assert_all(memcmp(&out.seconds, &in.seconds, sizeof in.seconds) == 0);
    ck_assert_all(strcmp(out.options, in.options) == 0 &&
                  strcmp(out.solver, "newton") == 0 &&
                  strcmp(out.version, sdca_version()) == 0);
    ck_assert_all(out.history.count == 2 && out.history.records[1].round == 2.0 &&
                  isnan(out.history.records[0].test_error) &&
                  out.history.records[1].test_error == 0.25);
    ck_assert_all(out.history.round_log.count == 3 &&
                  memcmp(out.history.round_log.entries, in.history.round_log.entries,
                         3 * sizeof *in.history.round_log.entries) == 0);
    sdca_history_free(&in.history);
    sdca_model_clear(&out);
}
END_TEST

enum { CLASSES = 4, COLUMNS = 3 };

/* A model of several classes, with a distinct value in every field. */
static sdca_model sample_classes(sdca_class_model parts[CLASSES])
{
    static double    w[CLASSES * COLUMNS], values[CLASSES] = { 0.0, 1.0, 2.0, 3.0 };
    static char     *names[CLASSES] = { "a", "b", "c", "d" };
    sdca_model       model          = sample(SDCA_LOSS_logistic);
    sdca_string_list texts          = { CLASSES, CLASSES, names };

    sdca_history_free(&model.history);
    model.labels   = (sdca_classes){ .count = CLASSES, .value = values, .names = texts };
    model.w        = w;
    model.by_class = parts;
    for (int k = 0; k < CLASSES * COLUMNS; k++) {
        w[k] = 1.0 / (k + 1);
    }
    for (int k = 0; k < CLASSES; k++) {
        parts[k] = (sdca_class_model){ .certificate = { .primal   = 2.0 + k,
                                                        .dual     = 1.0 + k,
                                                        .gap      = 1.0,
                                                        .rounding = 0.1,
                                                        .distance = 3.0 },
                                       .bias        = 0.5 * k,
                                       .epochs      = 7.0 + k,
                                       .positives   = 10 + k,
                                       .converged   = k != 2 };
        for (int i = 0; i < k; i++) { /* the first class has no history */
            sdca_history_record record = { .round = i, .gap = k, .bound = NAN };

            ck_assert(sdca_history_append(&parts[k].history, &record) == SDCA_OK);
        }
    }
    sdca_model_sum_up(&model);
    return model;
}

static bool same_part(const sdca_class_model *a, const sdca_class_model *b)
{
    return memcmp(&a->certificate, &b->certificate, sizeof a->certificate) == 0 &&
           a->bias == b->bias && a->epochs == b->epochs && a->positives == b->positives &&
           a->converged == b->converged && a->history.count == b->history.count &&
           (a->history.count == 0 ||
            (a->history.records[a->history.count - 1].gap ==
                 b->history.records[a->history.count - 1].gap &&
             a->history.records[a->history.count - 1].round ==
                 b->history.records[a->history.count - 1].round));
}

START_TEST(several_classes_round_trip)
{
    sdca_class_model parts[CLASSES];
    sdca_model       in = sample_classes(parts), out = { 0 };
    bool             same = true;

    ck_assert_all(!in.converged && in.certificate.primal == 14.0 &&
                  in.certificate.gap == 4.0 &&
                  fabs(in.certificate.distance - 6.0) < 1e-12);
    ck_assert_all(sdca_model_relative_gap(&in) == 0.5);
    ck_assert_all(write_model(&in, temp_directory_path("model.h5")) == SDCA_OK);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("model.h5"), &out) ==
                  SDCA_OK);
    ck_assert_all(sdca_model_parts(&out) == CLASSES && out.columns == COLUMNS &&
                  memcmp(out.w, in.w, CLASSES * COLUMNS * sizeof *in.w) == 0);
    ck_assert_all(strcmp(out.labels.names.text[3], "d") == 0 && !out.converged &&
                  out.certificate.primal == 14.0 && out.history.count == 0);
    for (int k = 0; k < CLASSES; k++) {
        same = same && same_part(&parts[k], &out.by_class[k]);
        sdca_history_free(&parts[k].history);
    }
    ck_assert_all(same);
    sdca_model_clear(&out);
}
END_TEST

/* Only rank 0 reads column names; there is one per column. */
START_TEST(column_names_on_rank_0)
{
    char      *name[] = { "a", "b", "c", "d" };
    bool       first  = sdca_comm_rank(*world) == 0;
    sdca_model in = sample(0), out = { 0 };

    in.feature_names = (sdca_string_list){ 3, 3, name };
    ck_assert_all(write_model(&in, temp_directory_path("model.h5")) == SDCA_OK);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("model.h5"), &out) ==
                  SDCA_OK);
    ck_assert_all(out.feature_names.count == (first ? 3 : 0));
    ck_assert_all(!first || strcmp(out.feature_names.text[2], "c") == 0);
    sdca_model_clear(&out);

    in.feature_names.count = 4;
    ck_assert_all(write_model(&in, temp_directory_path("model.h5")) == SDCA_OK);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("model.h5"), &out) ==
                  SDCA_DATA);
    sdca_history_free(&in.history);
}
END_TEST

/* Reading back does not test the names: these are the documented
 * ones (docs/formats.md). */
START_TEST(fields_have_documented_names)
{
    static const char *const field[][2] = {
        { "/", "format" },
        { "/", "format-version" },
        { "/", "loss" },
        { "/", "gamma" },
        { "/", "lambda" },
        { "/", "C" },
        { "/", "bias" },
        { "/", "bias-value" },
        { "/", "normalize" },
        { "/", "labels" },
        { "certificate", "status" },
        { "certificate", "primal" },
        { "certificate", "dual" },
        { "certificate", "gap" },
        { "origin", "options" },
        { "origin", "sdca-version" },
        { "origin", "solver" },
        { "origin", "seed" },
        { "origin", "ranks" },
        { "origin", "rows" },
        { "origin", "nonzeros" },
        { "seconds", "total" },
        { "origin", "data-fingerprint" },
        { "seconds", "read" },
        { "seconds", "local" },
        { "seconds", "gap" },
        { "seconds", "communicate" },
        { "seconds", "checkpoint" },
    };
    sdca_model      model = sample(SDCA_LOSS_smooth_hinge);
    sdca_hdf5_file *store = NULL;

    model.bias_value = 1.0;
    ck_assert_all(write_model(&model, temp_directory_path("model.h5")) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("model.h5"), &store) ==
                  SDCA_OK);
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++) {
        ck_assert_all(sdca_hdf5_has_attribute(store, field[k][0], field[k][1]));
    }
    sdca_hdf5_close(store);
    sdca_history_free(&model.history);
}
END_TEST

/* A valid model with one attribute replaced. Collective. */
static void write_with_attribute(const char *path, const char *format, int64_t version)
{
    if (sdca_comm_rank(*world) == 0) {
        sdca_hdf5_file *store = NULL;

        ck_assert(sdca_hdf5_create(path, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_write_string_attribute(store, "/", "format", format) ==
                  SDCA_OK);
        ck_assert(sdca_hdf5_write_attribute(store, "/", "format-version", SDCA_INT64, 1,
                                            &version) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
    }
    MPI_Barrier(*world);
}

START_TEST(other_files_are_rejected)
{
    sdca_model out = { 0 };

    write_with_attribute(temp_directory_path("data.h5"), "sdca-data", 1);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("data.h5"), &out) ==
                  SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "is not a model") != NULL);
    write_with_attribute(temp_directory_path("new.h5"), "sdca-model", 99);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("new.h5"), &out) ==
                  SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "format 99") != NULL);
    write_with_attribute(temp_directory_path("bare.h5"), "sdca-model", 1);
    ck_assert_all(sdca_model_read_all(*world, temp_directory_path("bare.h5"), &out) ==
                  SDCA_DATA);
    ck_assert_all(out.w == NULL);
}
END_TEST

/* The whole of a small file. */
static const char *text_of(const char *path)
{
    static char text[4096];
    FILE       *file = fopen(path, "r");
    size_t      size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    text[size] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

START_TEST(exports_have_the_documented_format)
{
    if (sdca_comm_rank(*world) == 0) {
        sdca_model model = sample(SDCA_LOSS_hinge);

        ck_assert(sdca_model_export_liblinear(&model, NULL, temp_directory_path("ll")) ==
                  SDCA_OK);
        ck_assert_str_eq(text_of(temp_directory_path("ll")),
                         "solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 7 3\n"
                         "nr_feature 3\nbias -1\nw\n0.5 \n-0.25 \n"
                         "3000000000000 \n");
        ck_assert(sdca_model_export_text(&model, NULL, false,
                                         temp_directory_path("text")) == SDCA_OK);
        ck_assert_str_eq(text_of(temp_directory_path("text")),
                         "0.5\n-0.25\n3000000000000\n");
        model.labels.value = (double[]){ 0.5, 7.0 };
        ck_assert(sdca_model_export_liblinear(&model, NULL, temp_directory_path("ll")) ==
                  SDCA_USAGE);
        sdca_history_free(&model.history);
        model = sample(SDCA_LOSS_squared);
        ck_assert(sdca_model_export_liblinear(&model, NULL, temp_directory_path("ll")) ==
                  SDCA_USAGE);
        model.normalized = false;
        ck_assert(sdca_model_export_liblinear(&model, NULL, temp_directory_path("ll")) ==
                  SDCA_OK);
        ck_assert(strstr(text_of(temp_directory_path("ll")), "SVR") != NULL);
        sdca_history_free(&model.history);
    }
}
END_TEST

START_TEST(exports_of_several_classes)
{
    if (sdca_comm_rank(*world) == 0) {
        sdca_class_model parts[CLASSES];
        sdca_model       model = sample_classes(parts);

        for (int k = 0; k < CLASSES * COLUMNS; k++) {
            model.w[k] = k;
        }
        ck_assert(sdca_model_export_liblinear(&model, NULL, temp_directory_path("ll")) ==
                  SDCA_OK);
        ck_assert_str_eq(text_of(temp_directory_path("ll")),
                         "solver_type L2R_LR_DUAL\nnr_class 4\nlabel 0 1 2 3\n"
                         "nr_feature 3\nbias -1\nw\n0 3 6 9 \n1 4 7 10 \n2 5 8 11 \n");
        ck_assert(sdca_model_export_text(&model, NULL, true,
                                         temp_directory_path("text")) == SDCA_OK);
        ck_assert_str_eq(text_of(temp_directory_path("text")),
                         "0\t3\t6\t9\t0\n1\t4\t7\t10\t1\n2\t5\t8\t11\t2\n");
        ck_assert(sdca_model_export_json(&model, NULL, temp_directory_path("json")) ==
                  SDCA_OK);
        ck_assert_ptr_nonnull(strstr(text_of(temp_directory_path("json")),
                                     "\"bias\": [0, 0.5, 1, 1.5],\n  \"weights\": [[\n"
                                     "    0,\n    1,\n    2],\n  [\n    3,"));
        for (int k = 0; k < CLASSES; k++) {
            sdca_history_free(&parts[k].history);
        }
    }
}
END_TEST

START_TEST(history_csv_has_empty_fields)
{
    if (sdca_comm_rank(*world) == 0) {
        sdca_model model = sample(SDCA_LOSS_hinge);

        ck_assert(sdca_history_write_csv(&model.history, temp_directory_path("h.csv")) ==
                  SDCA_OK);
        ck_assert_str_eq(
            text_of(temp_directory_path("h.csv")),
            "round,epoch,seconds,primal,dual,gap,test_error,eta,sigma,local_steps,"
            "bytes\n1,0.5,0,0,0,0.001,,0,0,0,0\n2,0.5,0,0,0,0.001,0.25,0,0,0,0\n");
        sdca_history_free(&model.history);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, model_file_round_trip, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, several_classes_round_trip);
    tcase_add_test(tests, exports_of_several_classes);
    tcase_add_test(tests, column_names_on_rank_0);
    tcase_add_test(tests, fields_have_documented_names);
    tcase_add_test(tests, other_files_are_rejected);
    tcase_add_test(tests, exports_have_the_documented_format);
    tcase_add_test(tests, history_csv_has_empty_fields);
}
