/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info.c - sdca info: what a file is. */
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/cli.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/ui/plural.h"
#include "data/feature_names.h"
#include "io/hdf5_file.h"
#include "model/model.h"

/* Count the weights that are not 0; the context is the number of those before. */
static sdca_status count_weights(void *context, sdca_range columns, const double *w)
{
    int64_t *nonzero = context;

    for (int64_t k = 0; k < columns.count; k++) {
        *nonzero += w[k] != 0.0;
    }
    return SDCA_OK;
}

/* A model or that of a checkpoint, and how many of its weights are not 0. */
static sdca_status read_model(sdca_hdf5_file *store, sdca_model *model, int64_t *nonzero)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_model_file_read(store, model));
    sdca_printable_sanitize(model->version);
    sdca_printable_sanitize(model->options);
    sdca_printable_sanitize(model->solver);
    SDCA_TRY(sdca_model_file_read_feature_names(store, model));
    SDCA_TRY(sdca_model_visit_weights(model, store, count_weights, nonzero));

done:
    return status;
}

/* What models and checkpoints have in common, but for the first line and the
 * certificate. */
static void show_problem(const sdca_model *model, int64_t nonzero)
{
    char label[2][SDCA_CLASS_NAME_SIZE];

    printf("  loss         %s", model->objective.loss->name);
    if (model->objective.loss->parameter != NULL) {
        printf(", %s %g", model->objective.loss->parameter, model->objective.parameter);
    }
    printf("\n  lambda       %g (C %g)\n", model->objective.lambda, model->objective.C);
    printf("  columns      %ld, %lld with a weight\n", (long)model->columns,
           (long long)nonzero);
    if (model->bias_value > 0.0) {
        printf("  bias         %.12g, from a column of %g\n", model->bias,
               model->bias_value);
    }
    if (model->labels.count > 0) {
        sdca_classes_format(&model->labels, 0, label[0]);
        sdca_classes_format(&model->labels, 1, label[1]);
        printf("  labels       %s for negative scores, %s for positive ones\n", label[0],
               label[1]);
    }
    printf("  normalize    %s\n", model->normalized ? "rows" : "none");
}

static void show_origin(const sdca_model *model)
{
    printf("  made from    %lld row%s, %lld non-zero%s, fingerprint %016" PRIx64 "\n",
           (long long)model->objective.rows, plural((double)model->objective.rows),
           (long long)model->nonzeros, plural((double)model->nonzeros),
           model->fingerprint);
    printf("  made by      sdca train %s\n", model->options);
    if (model->solver[0] != '\0') {
        printf("  solver       %s\n", model->solver);
    }
    printf("  on           %d rank%s, seed %llu; %lld evaluation%s in its history, %lld "
           "round%s in its log\n",
           model->ranks, plural(model->ranks), (unsigned long long)model->seed,
           (long long)model->history.count, plural((double)model->history.count),
           (long long)model->history.round_log.count,
           plural((double)model->history.round_log.count));
    if (!isnan(model->seconds.total)) {
        printf(
            "  took         %.3g s: local steps %.3g s, exchange and waiting %.3g s, gap "
            "%.3g s, checkpoints %.3g s; reading %.3g s before\n",
            model->seconds.total, model->seconds.local, model->seconds.communicate,
            model->seconds.gap, model->seconds.checkpoint, model->seconds.read);
    }
}

static void show_certificate(const sdca_model *model, const char *what)
{
    const sdca_history *history = &model->history;

    printf("  certificate  %s", what);
    if (model->certificate_of_other_w && history->count > 0) {
        printf(", of the evaluation at epoch %.6g (round %.0f), not of these weights",
               history->records[history->count - 1].epoch,
               history->records[history->count - 1].round);
    }
    printf(": primal %.12g, dual %.12g, gap %.3g (%.3g of the primal)\n",
           model->certificate.primal, model->certificate.dual, model->certificate.gap,
           sdca_duality_gap_relative(&model->certificate));
}

static sdca_status show_model(sdca_hdf5_file *store)
{
    sdca_model  model   = { 0 };
    sdca_status status  = SDCA_OK;
    int64_t     nonzero = 0;

    SDCA_TRY(read_model(store, &model, &nonzero));
    printf("%s: model (sdca %s)\n", sdca_hdf5_path(store), model.version);
    show_problem(&model, nonzero);
    show_certificate(&model, model.converged ? "converged" : "target not reached");
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}

static sdca_status show_checkpoint(sdca_hdf5_file *store)
{
    sdca_model  model   = { 0 };
    sdca_status status  = SDCA_OK;
    int64_t     nonzero = 0;
    double      seconds = 0.0;

    SDCA_TRY(read_model(store, &model, &nonzero));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "/", "seconds", SDCA_FLOAT64, 1, &seconds));
    printf("%s: checkpoint (sdca %s), whole\n", sdca_hdf5_path(store), model.version);
    printf("  round        %lld\n", (long long)model.round);
    printf("  epochs       %.6g\n", (double)model.steps / (double)model.objective.rows);
    printf("  seconds      %.3f\n", seconds);
    show_problem(&model, nonzero);
    show_certificate(&model, model.converged ? "converged" : "target not reached yet");
    show_origin(&model);

done:
    sdca_model_clear(&model);
    return status;
}

static void show_type(sdca_array_shape values)
{
    if (!values.is_float && values.element_size < sizeof(int32_t)) {
        printf("  values       small integers\n");
    } else {
        printf("  values       %s%zu\n", values.is_float ? "float" : "int",
               8 * values.element_size);
    }
}

/* What convert has done to rows; only newer files tell. */
static sdca_status show_normalize(sdca_hdf5_file *store)
{
    sdca_status status   = SDCA_OK;
    char        text[32] = "";

    if (sdca_hdf5_has_attribute(store, "/", "normalize")) {
        SDCA_TRY(
            sdca_hdf5_read_string_attribute(store, "/", "normalize", text, sizeof text));
        sdca_printable_sanitize(text);
        printf("  normalize    %s\n", text);
    }

done:
    return status;
}

enum {
    LABEL_CHUNK      = 4096 /* labels that are read at a time */,
    MAX_LABEL_VALUES = 8 /* to be told */
};

/* The different numbers among labels, as long as they are few, and how often each is. */
typedef struct label_counts {
    int     count; /* VALUES + 1: too many */
    double  value[MAX_LABEL_VALUES];
    int64_t rows[MAX_LABEL_VALUES];
} label_counts;

static void count_label(label_counts *t, double y)
{
    int k = 0;

    while (k < t->count && k < MAX_LABEL_VALUES && t->value[k] != y) {
        k++;
    }
    if (k == MAX_LABEL_VALUES || t->count > MAX_LABEL_VALUES) {
        t->count = MAX_LABEL_VALUES + 1;
        return;
    }
    if (k == t->count) {
        t->value[t->count++] = y;
        t->rows[k]           = 0;
    }
    t->rows[k]++;
}

/* Labels of which a file does not say what they mean. */
static sdca_status show_numeric_labels(sdca_hdf5_array *labels, int64_t rows)
{
    sdca_status  status = SDCA_OK;
    label_counts t      = { 0 };
    double       y[LABEL_CHUNK];

    for (int64_t at = 0; at < rows && t.count <= MAX_LABEL_VALUES; at += LABEL_CHUNK) {
        int64_t here = rows - at < LABEL_CHUNK ? rows - at : LABEL_CHUNK;

        SDCA_TRY(sdca_hdf5_read_array(labels, (sdca_range){ at, here }, y));
        for (int64_t k = 0; k < here; k++) {
            count_label(&t, y[k]);
        }
    }
    printf("  labels       %lld", (long long)rows);
    for (int k = 0; k < t.count && t.count <= MAX_LABEL_VALUES; k++) {
        printf("%s %g (%lld row%s)", k > 0 ? "," : ":", t.value[k], (long long)t.rows[k],
               plural((double)t.rows[k]));
    }
    printf("%s\n", t.count > MAX_LABEL_VALUES ? " of more than 8 different numbers" : "");

done:
    return status;
}

/* How many labels there are of each sign, read in bounded pieces. */
static sdca_status show_labels(sdca_hdf5_file *store, const sdca_string_list *names)
{
    sdca_status      status   = SDCA_OK;
    sdca_hdf5_array *array    = NULL;
    double           label[2] = { 0.0, 0.0 };
    int64_t          labels = 0, plus = 0, minus = 0;
    sdca_array_shape shape;
    double           y[LABEL_CHUNK];
    char             shown[2][128];

    SDCA_TRY(sdca_hdf5_check_shape(store, "y", 1, &shape));
    SDCA_TRY(sdca_hdf5_open_array(store, "y", SDCA_FLOAT64, &array));
    if (!sdca_hdf5_has_attribute(store, "y", "labels")) {
        status = show_numeric_labels(array, shape.extent[0]);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_attribute_length(store, "y", "labels", &labels));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "y", "labels", SDCA_FLOAT64,
                                      labels < 2 ? 1 : 2, label));
    for (int64_t at = 0; at < shape.extent[0]; at += LABEL_CHUNK) {
        int64_t left = shape.extent[0] - at;

        SDCA_TRY(sdca_hdf5_read_array(
            array, (sdca_range){ at, left < LABEL_CHUNK ? left : LABEL_CHUNK }, y));
        for (int64_t k = 0; k < left && k < LABEL_CHUNK; k++) {
            plus += y[k] == 1.0;
            minus += y[k] == -1.0;
        }
    }
    for (int k = 0; k < 2; k++) {
        snprintf(shown[k], sizeof shown[k], "%g", label[k]);
        if (label[k] >= 0.0 && label[k] < (double)names->count) {
            snprintf(shown[k], sizeof shown[k], "%s", names->text[(int64_t)label[k]]);
            sdca_printable_sanitize(shown[k]);
        }
    }
    printf("  labels       ");
    if (labels < 2) {
        printf("only %s\n", shown[0]);
    } else {
        printf("%s as -1 (%lld row%s), %s as +1 (%lld row%s)\n", shown[0],
               (long long)minus, plural((double)minus), shown[1], (long long)plus,
               plural((double)plus));
    }
    if (plus + minus < shape.extent[0]) {
        printf("  refused      by train: y has %lld row%s of neither -1 nor +1\n",
               (long long)(shape.extent[0] - plus - minus),
               plural((double)(shape.extent[0] - plus - minus)));
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* The first few names of columns, and how many there are of either kind. */
static void show_features(const sdca_feature_names *features)
{
    enum { SHOWN = 6 };
    int64_t count = features->name.count, numbers = 0;

    for (int64_t j = 0; j < count; j++) {
        numbers += features->category.text[j][0] == '\0';
    }
    printf("  columns      %lld of numbers, %lld of categories:", (long long)numbers,
           (long long)(count - numbers));
    for (int64_t j = 0; j < count && j < SHOWN; j++) {
        const char *name = features->name.text[j];

        printf("%s %s", j > 0 ? "," : "", sdca_string_escape(name, strlen(name)).text);
    }
    printf("%s\n", count > SHOWN ? ", ..." : "");
}

/* Is it an array of numbers, one for each row? */
static bool is_row_array(sdca_hdf5_file *store, const char *name, int64_t rows)
{
    sdca_array_shape shape;

    return sdca_hdf5_has_array(store, name) &&
           sdca_hdf5_get_shape(store, name, &shape) == SDCA_OK && shape.dimensions == 1 &&
           shape.extent[0] == rows;
}

/* The columns of AnnData's obs that can be labels: numbers, or numbers of categories. */
static sdca_status show_label_columns(sdca_hdf5_file *store, int64_t rows)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list names  = { 0 };
    int              shown  = 0;

    SDCA_TRY(sdca_hdf5_list_group(store, "obs", &names));
    for (int64_t k = 0; k < names.count; k++) {
        char path[512];
        bool numbers, categories;

        snprintf(path, sizeof path, "obs/%s", names.text[k]);
        numbers = is_row_array(store, path, rows);
        snprintf(path, sizeof path, "obs/%s/codes", names.text[k]);
        categories = is_row_array(store, path, rows);
        snprintf(path, sizeof path, "obs/__categories/%s", names.text[k]);
        categories = categories || (numbers && sdca_hdf5_has_array(store, path));
        if (numbers || categories) {
            sdca_printable_sanitize(names.text[k]);
            printf("%s %s (%s)", shown++ > 0 ? "," : "  for --label ", names.text[k],
                   categories ? "categories" : "numbers");
        }
    }
    printf("%s", shown > 0 ? "\n" : "");

done:
    sdca_string_list_free(&names);
    return status;
}

/* What train would not take, in a line each. */
static sdca_status show_unsupported(sdca_hdf5_file *store, int64_t rows)
{
    sdca_status      status       = SDCA_OK;
    char             encoding[32] = "csr_matrix";
    sdca_array_shape y;

    if (sdca_hdf5_has_group(store, "X") &&
        sdca_hdf5_has_attribute(store, "X", "encoding-type")) {
        SDCA_TRY(sdca_hdf5_read_string_attribute(store, "X", "encoding-type", encoding,
                                                 sizeof encoding));
        sdca_printable_sanitize(encoding);
    }
    if (strcmp(encoding, "csr_matrix") != 0) {
        printf("  refused      by train: X is a %s, and a csr_matrix is needed\n",
               encoding);
    }
    if (sdca_hdf5_has_array(store, "y")) {
        SDCA_TRY(sdca_hdf5_check_shape(store, "y", 1, &y));
        if (y.extent[0] != rows) {
            printf("  refused      by train: y has %lld label%s for %lld row%s\n",
                   (long long)y.extent[0], plural((double)y.extent[0]), (long long)rows,
                   plural((double)rows));
        }
    }
    if (sdca_hdf5_has_array(store, "weight")) {
        printf("  refused      by train: sample weights, the array weight, are not "
               "supported yet\n");
    }
    status = sdca_hdf5_deferred_error(store);

done:
    return status;
}

static sdca_status show_data(sdca_hdf5_file *store)
{
    sdca_status        status   = SDCA_OK;
    const char        *path     = sdca_hdf5_path(store);
    sdca_feature_names features = { 0 };
    int64_t            size[2];
    sdca_array_shape   values;

    if (sdca_hdf5_has_array(store, "X")) {
        SDCA_TRY(sdca_hdf5_check_shape(store, "X", 2, &values));
        size[0] = values.extent[0];
        printf("%s: data set, dense\n", path);
        printf("  size         %lld row%s x %lld column%s\n", (long long)values.extent[0],
               plural((double)values.extent[0]), (long long)values.extent[1],
               plural((double)values.extent[1]));
    } else {
        SDCA_TRY(sdca_hdf5_read_attribute(store, "X", "shape", SDCA_INT64, 2, size));
        SDCA_TRY(sdca_hdf5_check_shape(store, "X/data", 1, &values));
        printf("%s: data set, sparse\n", path);
        printf(
            "  size         %lld row%s x %lld column%s, %lld non-zero%s (%.3g a row)\n",
            (long long)size[0], plural((double)size[0]), (long long)size[1],
            plural((double)size[1]), (long long)values.extent[0],
            plural((double)values.extent[0]),
            size[0] > 0 ? (double)values.extent[0] / (double)size[0] : 0.0);
    }
    show_type(values);
    SDCA_TRY(show_normalize(store));
    if (sdca_feature_names_exist(store)) {
        SDCA_TRY(sdca_feature_names_read(store, &features));
        show_features(&features);
    }
    if (sdca_hdf5_has_array(store, "y")) {
        SDCA_TRY(show_labels(store, &features.class_names));
    } else {
        SDCA_TRY(sdca_hdf5_deferred_error(store));
        printf("  labels       none\n");
    }
    if (sdca_hdf5_has_group(store, "obs")) {
        SDCA_TRY(show_label_columns(store, size[0]));
    }
    SDCA_TRY(show_unsupported(store, size[0]));

done:
    sdca_feature_names_free(&features);
    return status;
}

sdca_status sdca_cli_info(int argc, char **argv)
{
    const char *operand[1]   = { NULL };
    bool        follow_links = false;
    sdca_option table[]      = {
             { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &follow_links,
               "follow external links of FILE.h5", SDCA_GROUP_GENERAL, false },
             { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "info",
        .purpose       = "Describe a file: data set, model or checkpoint.",
        .operand_names = "FILE.h5",
        .min_operands  = 1,
        .max_operands  = 1,
        .operand       = operand,
        .options       = table,
        .notes         = "Example:\n"
                         "  sdca info model.h5\n",
    };
    sdca_status     status   = SDCA_OK;
    sdca_hdf5_file *store    = NULL;
    bool            help     = false;
    char            text[32] = "";

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, &help));
    if (help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, operand[0], &store));
    if (follow_links) {
        sdca_hdf5_follow_external_links(store);
    }
    if (sdca_hdf5_has_attribute(store, "/", "format")) {
        SDCA_TRY(
            sdca_hdf5_read_string_attribute(store, "/", "format", text, sizeof text));
    }
    if (strcmp(text, "sdca-model") == 0) {
        SDCA_TRY(show_model(store));
    } else if (strcmp(text, "sdca-checkpoint") == 0) {
        SDCA_TRY(show_checkpoint(store));
    } else if (sdca_hdf5_has_array(store, "X") || sdca_hdf5_has_group(store, "X")) {
        SDCA_TRY(show_data(store));
    } else {
        SDCA_TRY(sdca_hdf5_deferred_error(store));
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' is neither a data set nor a model or checkpoint of sdca",
                           operand[0]);
    }

done:
    sdca_hdf5_close(store);
    return status;
}
