/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict.c - sdca predict: the labels of a data file, and the error. */
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/feature_check.h"
#include "cli/mpi_session.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/signal_cleanup.h"
#include "cli/suffix.h"
#include "cli/ui/data_warnings.h"
#include "cli/ui/plural.h"
#include "cli/ui/status_line.h"
#include "data/dataset_reader.h"
#include "data/label_text.h"
#include "io/atomic_file.h"
#include "io/hdf5_file.h"
#include "model/model.h"
#include "mpi/comm.h"
#include "objective/metrics.h"

typedef struct predict_options {
    const char *model;
    const char *data;
    const char *out;           /* or NULL */
    const char *label_column;  /* the column of obs, or NULL: y */
    const char *weight_column; /* the same for weights, or NULL: weight */
    bool        unweighted;
    bool        unlabelled;
    bool        follow_links;
    bool        quiet;
} predict_options;

/* Where predictions go: a CSV file or an HDF5 file. */
typedef struct prediction_file {
    const char         *path;
    const sdca_classes *labels;
    const sdca_scorer  *scorer;
    const sdca_dataset *data;
    int                 models;           /* scores of a row */
    int64_t             written;          /* rows */
    bool                with_probability; /* for the logistic loss */
    FILE               *csv;
    sdca_hdf5_file     *store;
} prediction_file;

static sdca_status read_options(int argc, char **argv, predict_options *options,
                                bool *help)
{
    const char *operand[2] = { NULL, NULL };
    sdca_option table[]    = {
           { "output-file", 'o', SDCA_OPTION_TEXT, "OUT.csv|OUT.h5", &options->out,
             "write the prediction and score of every row", SDCA_GROUP_OUTPUT, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &options->quiet, "print errors only",
             SDCA_GROUP_OUTPUT, false },
           { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &options->label_column,
             "column of obs with the labels (AnnData files)", SDCA_GROUP_INPUT, false },
           { "weight", 0, SDCA_OPTION_TEXT, "COLUMN", &options->weight_column,
             "column of obs with the weights (AnnData files)", SDCA_GROUP_INPUT, false },
           { "unweighted", 0, SDCA_OPTION_FLAG, NULL, &options->unweighted,
             "ignore the weights of the data", SDCA_GROUP_INPUT, false },
           { "unlabelled", 0, SDCA_OPTION_FLAG, NULL, &options->unlabelled,
             "ignore the labels of the data", SDCA_GROUP_INPUT, false },
           { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &options->follow_links,
             "follow external links of the data file", SDCA_GROUP_INPUT, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "predict",
        .purpose       = "Predict the labels of a data set, and report the error.",
        .operand_names = "MODEL.h5 DATA.h5",
        .min_operands  = 2,
        .max_operands  = 2,
        .operand       = operand,
        .options       = table,
        .notes = "Prints the error (classification) or RMSE and MAE (regression) if the "
                 "data have labels. Columns that the model does not have are ignored. "
                 "Runs alone or under mpirun.\n"
                 "\n"
                 "Examples:\n"
                 "  sdca predict model.h5 test.h5\n"
                 "  mpirun -np 2 sdca predict model.h5 rows.h5 -o labels.csv\n",
        .details =
            "The score of a row x is w.x, where x is normalised if the model was trained "
            "with --normalize rows. For two classes the prediction is the greater "
            "label if the score is above 0, else the smaller one; for more classes it is "
            "the label of the greatest score, and of equal ones the first; for "
            "regression it is the score.\n"
            "\n"
            "If the data have weights, the error is the weight of the rows with a wrong "
            "label divided by the weight of all rows; RMSE and MAE are weighted means.\n"
            "\n"
            "Columns are matched by position. If both the model and the data have names "
            "of columns, from a table or from AnnData's var, the names must agree.\n"
            "\n"
            "Files:\n"
            "  OUT.csv  a line prediction,score for every row, in the order of the data, "
            "below a line of names; of more than two classes prediction and score_LABEL "
            "for each label; for the logistic loss also probability_LABEL, of two "
            "classes that of the greater label; - is standard output, and the error is "
            "then printed to standard error\n"
            "  OUT.h5  the same as arrays prediction, score and probability, the last "
            "two with a column per class if there are more than two\n",
    };
    sdca_status status = sdca_option_parser_run(&line, argc, argv, help);

    if (status == SDCA_OK && *help) {
        sdca_help_print(&line, stdout);
    }
    options->model = operand[0];
    options->data  = operand[1];
    if (status == SDCA_OK && !*help && options->unlabelled &&
        (options->out == NULL || options->label_column != NULL)) {
        status = SDCA_FAIL(SDCA_USAGE, "--unlabelled requires -o and excludes --label");
    }
    if (status == SDCA_OK && !*help && options->weight_column != NULL &&
        (options->unweighted || options->unlabelled)) {
        status = SDCA_FAIL(SDCA_USAGE, "--weight excludes --unweighted and --unlabelled");
    }
    if (status == SDCA_OK && !*help && options->out != NULL) {
        SDCA_TRY(sdca_atomic_file_check_not_input(options->out, options->model));
        SDCA_TRY(sdca_atomic_file_check_not_input(options->out, options->data));
    }

done:
    return status;
}

/* An array with a number per row, or per row and class. */
static sdca_status create_array(const prediction_file *to, const char *name)
{
    return to->models == 1
               ? sdca_hdf5_create_array(to->store, name, SDCA_FLOAT64, to->data->rows)
               : sdca_hdf5_create_matrix(to->store, name, SDCA_FLOAT64, to->data->rows,
                                         to->models, 0);
}

static sdca_status create_store(prediction_file *out)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_create(out->path, &out->store));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(out->store, "/", "format", "sdca-predictions"));
    SDCA_TRY(
        sdca_hdf5_create_array(out->store, "prediction", SDCA_FLOAT64, out->data->rows));
    SDCA_TRY(create_array(out, "score"));
    if (out->with_probability) {
        SDCA_TRY(create_array(out, "probability"));
    }
    if (out->models > 1) {
        SDCA_TRY(sdca_hdf5_write_array(out->store, "labels", SDCA_FLOAT64,
                                       out->labels->count, out->labels->value));
    }
    SDCA_TRY(sdca_labels_write_names(out->labels, out->store));

done:
    return status;
}

/* The names of the columns. One score is that of the last class. */
static void print_names(const prediction_file *to)
{
    fputs("prediction", to->csv);
    if (to->models == 1) {
        fputs(",score", to->csv);
    }
    for (int k = 0; to->models > 1 && k < to->models; k++) {
        fputc(',', to->csv);
        sdca_label_text_print_csv(to->csv, "score_", to->labels, k);
    }
    for (int k = 0; to->with_probability && k < to->models; k++) {
        fputc(',', to->csv);
        sdca_label_text_print_csv(to->csv, "probability_", to->labels,
                                  to->models > 1 ? k : to->labels->count - 1);
    }
    fputc('\n', to->csv);
}

static sdca_status open_predictions(const char *path, prediction_file *out)
{
    size_t      length = strlen(path);
    sdca_status status = SDCA_OK;

    signal_cleanup_add(path);
    if (has_suffix(path, length, ".h5") || has_suffix(path, length, ".hdf5")) {
        SDCA_TRY(create_store(out));
    } else {
        SDCA_TRY(sdca_atomic_file_open(path, &out->csv));
        print_names(out);
    }

done:
    return status;
}

/* The probabilities of the classes, for a model of the logistic loss: one score gives
 * that of the class +1; several give one each, divided by their sum. */
static void find_probabilities(int models, const double *score, double *probability)
{
    double sum = 0.0;

    for (int k = 0; k < models; k++) {
        probability[k] = 1.0 / (1.0 + exp(-score[k]));
        sum += probability[k];
    }
    for (int k = 0; models > 1 && k < models; k++) {
        probability[k] = sum > 0.0 ? probability[k] / sum : 1.0 / models;
    }
}

/* The label that the scores of a row predict. */
static void print_prediction(const prediction_file *to, const double *score)
{
    if (to->labels->count == 0) {
        fprintf(to->csv, "%.17g", score[0]);
    } else {
        sdca_label_text_print_csv(to->csv, "", to->labels,
                                  to->models > 1
                                      ? sdca_scorer_greatest(to->models, score)
                                      : sdca_classes_choose(to->labels, score[0]));
    }
}

static void print_numbers(const prediction_file *to, const double *x)
{
    for (int k = 0; k < to->models; k++) {
        fprintf(to->csv, ",%.17g", x[k]);
    }
}

/* Write the scores of rows as lines of text; probability has room for those of a row. */
static sdca_status print_rows(const prediction_file *to, const double *score,
                              int64_t rows, double *probability)
{
    for (int64_t i = 0; i < rows; i++, score += to->models) {
        print_prediction(to, score);
        print_numbers(to, score);
        if (to->with_probability) {
            find_probabilities(to->models, score, probability);
            print_numbers(to, probability);
        }
        fputc('\n', to->csv);
    }
    return ferror(to->csv) == 0 ? SDCA_OK
                                : SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", to->path,
                                            strerror(errno != 0 ? errno : EIO));
}

/* Write the scores of rows to arrays; buffer has room for all of their probabilities. */
static sdca_status store_rows(const prediction_file *to, const double *score,
                              sdca_range rows, double *buffer)
{
    sdca_status status = SDCA_OK;

    for (int64_t i = 0; i < rows.count; i++) {
        buffer[i] = sdca_scorer_predict(to->labels, to->models, score + i * to->models);
    }
    SDCA_TRY(sdca_hdf5_write_range(to->store, "prediction", rows, SDCA_FLOAT64, buffer));
    SDCA_TRY(sdca_hdf5_write_range(to->store, "score", rows, SDCA_FLOAT64, score));
    if (to->with_probability) {
        for (int64_t i = 0; i < rows.count; i++) {
            find_probabilities(to->models, score + i * to->models,
                               buffer + i * to->models);
        }
        SDCA_TRY(
            sdca_hdf5_write_range(to->store, "probability", rows, SDCA_FLOAT64, buffer));
    }

done:
    return status;
}

/* Write scores, which arrive in row order, those of a row together. */
static sdca_status write_predictions(void *context, const double *score, int64_t count)
{
    prediction_file *to   = context;
    sdca_range       rows = { to->written, count / to->models };
    double          *buffer =
        sdca_alloc_array((size_t)(to->csv != NULL ? to->models : count), sizeof *buffer);
    sdca_status status = SDCA_OK;

    if (buffer == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld predictions",
                         (long long)rows.count);
    }
    to->written += rows.count;
    status = to->csv != NULL ? print_rows(to, score, rows.count, buffer)
                             : store_rows(to, score, rows, buffer);
    free(buffer);
    return status;
}

/* Commit the file on success, else remove it. */
static sdca_status close_predictions(const char *path, prediction_file *from,
                                     sdca_status status)
{
    if (from->csv != NULL) {
        if (status == SDCA_OK) {
            return sdca_atomic_file_commit(from->csv, path);
        }
        sdca_atomic_file_discard(from->csv, path);
    } else if (from->store != NULL) {
        if (status == SDCA_OK) {
            return sdca_hdf5_commit(from->store);
        }
        sdca_hdf5_close(from->store);
    }
    return status;
}

/* The scores of my rows, those of a row together. */
static void score_rows(void *context, sdca_range rows, double *score)
{
    const prediction_file *to    = context;
    size_t                 width = (size_t)to->models;

    for (int64_t k = 0; k < rows.count; k++) {
        memcpy(score + (size_t)k * width,
               sdca_scorer_row(to->scorer, &to->data->x, (uint32_t)(rows.first + k)),
               width * sizeof *score);
    }
}

/* Score my rows and send the scores to rank 0, which writes them. Collective. */
static sdca_status write_scores(MPI_Comm comm, const sdca_model *model,
                                const sdca_scorer *scorer, const sdca_dataset *data,
                                const char *path)
{
    bool            first  = sdca_comm_rank(comm) == 0;
    sdca_status     status = SDCA_OK;
    prediction_file out    = { .path             = path,
                               .labels           = &model->labels,
                               .scorer           = scorer,
                               .data             = data,
                               .models           = scorer->models,
                               .with_probability = model->objective.loss->log_odds };

    if (first) {
        status = open_predictions(path, &out);
    }
    status = sdca_comm_agree(comm, status);
    if (status == SDCA_OK) {
        status = sdca_comm_gather_records(comm, data->x.count, scorer->models, score_rows,
                                          write_predictions, &out);
    }
    return sdca_comm_agree(comm, first ? close_predictions(path, &out, status) : status);
}

/* Columns of the data that the model does not have are ignored, and those missing from
 * the data are 0: this may be intended, or a mistake. */
static void print_column_note(const status_line *display, const sdca_model *model,
                              const sdca_dataset *data, const predict_options *options)
{
    char message[SDCA_MESSAGE_SIZE];

    if (data->file_columns != model->columns) {
        snprintf(message, sizeof message, "'%s' has %ld column%s, the model %ld: %s",
                 options->data, (long)data->file_columns, plural(data->file_columns),
                 (long)model->columns,
                 data->file_columns > model->columns ? "the excess ones are ignored"
                                                     : "the missing ones are 0");
        terminal_line_print_message(&display->terminal, "Note", message);
    }
}

/* Print warnings after all that can fail: a failure is one message only. Labels that the
 * model does not know count as errors. Collective. */
static void print_warnings(MPI_Comm comm, const status_line *display,
                           const sdca_model *model, const sdca_dataset *data,
                           const predict_options *options)
{
    char message[SDCA_MESSAGE_SIZE];

    data_warnings_check_labels(comm, data, options->data, &model->labels, message);
    if (sdca_comm_rank(comm) == 0 && !options->quiet) {
        print_column_note(display, model, data, options);
        if (message[0] != '\0') {
            terminal_line_print_message(&display->terminal, "Warning", message);
        }
    }
}

static void print_metric(const sdca_model *model, const sdca_dataset *data,
                         sdca_metrics metric, FILE *to)
{
    if (model->labels.count > 0 && data->weight != NULL) {
        fprintf(to, "Error: %.6g (weight %.6g of %.6g, %lld row%s)\n", metric.error,
                metric.error * data->total_weight, data->total_weight,
                (long long)data->rows, plural((double)data->rows));
    } else if (model->labels.count > 0) {
        fprintf(to, "Error: %.6g (%.0f of %lld row%s)\n", metric.error,
                metric.error * (double)data->rows, (long long)data->rows,
                plural((double)data->rows));
    } else {
        fprintf(to, "RMSE: %.6g\nMAE: %.6g\n", metric.rmse, metric.mae);
    }
}

sdca_status sdca_cli_predict(int argc, char **argv)
{
    MPI_Comm             comm    = MPI_COMM_WORLD;
    predict_options      options = { 0 };
    sdca_model           model   = { 0 };
    sdca_dataset        *data    = NULL;
    sdca_status          status  = SDCA_OK;
    bool                 help    = false;
    sdca_metrics         metric;
    sdca_scorer          scorer  = { 0 };
    status_line          display = { 0 };
    sdca_dataset_options reader  = { .progress = status_line_update_reader,
                                     .context  = &display };

    SDCA_TRY(mpi_session_begin("predict", argc, argv));
    SDCA_TRY(mpi_session_agree(read_options(argc, argv, &options, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(sdca_model_read_metadata(comm, options.model, &model));
    SDCA_TRY(
        feature_check_names(comm, options.data, options.model, options.follow_links));
    reader.label_column    = options.label_column;
    reader.weight_column   = options.weight_column;
    reader.unweighted      = options.unweighted;
    reader.ignore_labels   = options.unlabelled;
    reader.follow_links    = options.follow_links;
    reader.normalize       = model.normalized;
    reader.classes         = &model.labels;
    reader.limit_columns   = true;
    reader.max_columns     = model.columns;
    reader.compact_columns = true;
    reader.require_labels =
        options.out == NULL; /* without labels or output, nothing is left to do */
    display = status_line_open(sdca_comm_rank(comm) == 0 && !options.quiet);
    status_line_begin_rows(&display, options.data);
    SDCA_TRY(sdca_dataset_reader_read(comm, options.data, &reader, &data));
    status_line_close(&display);
    SDCA_TRY(sdca_model_read_scorer(comm, options.model, &model, data, &scorer));
    if (options.out != NULL) {
        SDCA_TRY(write_scores(comm, &model, &scorer, data, options.out));
    }
    print_warnings(comm, &display, &model, data, &options);
    if (data->has_labels) {
        metric = sdca_metrics_measure_scores(comm, data, &model.labels, &scorer);
        if (sdca_comm_rank(comm) == 0 && !options.quiet) {
            bool piped = options.out != NULL && sdca_atomic_file_is_stdout(options.out);

            print_metric(&model, data, metric, piped ? stderr : stdout);
        }
    }

done:
    status_line_close(&display);
    sdca_dataset_free(data);
    sdca_scorer_free(&scorer);
    sdca_model_clear(&model);
    return status;
}
