/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict.c - sdca predict: the labels of a data file, and the error. */
#include <mpi.h>
#include <stdio.h>

#include "cli/anndata_files.h"
#include "cli/cli.h"
#include "cli/metrics_output.h"
#include "cli/mpi_session.h"
#include "cli/options/predict_arguments.h"
#include "cli/predict/predict_notes.h"
#include "cli/predict/predict_text.h"
#include "cli/predict/prediction_file.h"
#include "cli/signal_cleanup.h"
#include "cli/ui/status_line.h"
#include "data/dataset_reader.h"
#include "io/atomic_file.h"
#include "model/model.h"
#include "mpi/comm.h"
#include "objective/metrics.h"

/* What a score predicts, and what is known about the optimum. Local. */
static sdca_status prepare_labels(const predict_arguments *options,
                                  const sdca_model *model, sdca_certain_labels *out)
{
    return options->has_threshold && model->labels.count != 2
               ? SDCA_FAIL(SDCA_USAGE, "--threshold applies to models of two classes")
               : sdca_certain_labels_create(model, options->threshold, out);
}

/* The names of the cells of an AnnData file, as columns to keep of a CSV file. The first
 * rank reads them. Collective. */
static sdca_status read_cell_names(MPI_Comm comm, const predict_arguments *options,
                                   const sdca_dataset *data, predict_text_rows *out)
{
    return sdca_comm_agree(
        comm, sdca_comm_rank(comm) == 0 && options->out != NULL
                  ? anndata_files_read_names(options->data, options->follow_links, data,
                                             &out->kept_names, &out->kept)
                  : SDCA_OK);
}

/* Read the data, and make the scorer of their columns. Collective. */
static sdca_status read_data_file(MPI_Comm comm, const predict_arguments *options,
                                  const sdca_model *model, status_line *display,
                                  sdca_dataset **data, sdca_scorer *scorer)
{
    sdca_status          status = SDCA_OK;
    anndata_files_model  known  = { 0 };
    sdca_dataset_options reader = {
        .label_column    = options->label_column,
        .weight_column   = options->weight_column,
        .unweighted      = options->unweighted,
        .ignore_labels   = options->unlabelled,
        .follow_links    = options->follow_links,
        .normalize       = model->normalized,
        .classes         = &model->labels,
        .limit_columns   = true,
        .max_columns     = model->columns,
        .compact_columns = true,
        .require_labels  = /* without labels or output, nothing is left to do */
        options->out == NULL || options->metrics != NULL,
        .unlabelled_rows      = SDCA_UNLABELLED_KEEP,
        .cells                = options->cells,
        .missing_columns_zero = options->text.missing_columns,
        .progress             = status_line_update_reader,
        .context              = display,
    };

    SDCA_TRY(sdca_comm_agree(comm, anndata_files_read_model(options->model, &known)));
    anndata_files_choose(&known, &reader);
    SDCA_TRY(
        sdca_comm_agree(comm, anndata_files_find_label(options->data, &known, &reader)));
    status_line_begin_rows(display, options->data);
    SDCA_TRY(sdca_dataset_reader_read(comm, options->data, &reader, data));
    SDCA_TRY(sdca_model_read_scorer(comm, options->model, model, *data, scorer));

done:
    anndata_files_model_free(&known);
    return status;
}

/* The same for a text. Collective. */
static sdca_status read_text(MPI_Comm comm, const predict_arguments *options,
                             const sdca_model *model, status_line *display,
                             predict_text_rows *text)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(
        predict_text_read(comm, options->model, model, &options->text, display, text));
    if (options->out == NULL && !text->data->has_labels) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' has no label column: -o writes the predictions",
                      options->data);
    }

done:
    return status;
}

/* Rank 0 writes the metrics. Collective. */
static sdca_status write_metrics(MPI_Comm comm, const sdca_model *model,
                                 const sdca_dataset        *data,
                                 const sdca_metrics_result *metrics, int64_t certain,
                                 const char *path)
{
    sdca_status status = SDCA_OK;

    if (sdca_comm_rank(comm) == 0) {
        signal_cleanup_add(path);
        status = metrics_output_write_file(&model->labels, data, metrics, certain, path);
    }
    return sdca_comm_agree(comm, status);
}

/* Where metrics are printed: standard output, unless it has a file's contents. */
static FILE *find_output(const predict_arguments *options)
{
    bool taken =
        (options->out != NULL && sdca_atomic_file_is_stdout(options->out)) ||
        (options->metrics != NULL && sdca_atomic_file_is_stdout(options->metrics));

    return taken ? stderr : stdout;
}

sdca_status sdca_cli_predict(int argc, char **argv)
{
    MPI_Comm            comm    = MPI_COMM_WORLD;
    predict_arguments   options = { 0 };
    sdca_model          model   = { 0 };
    sdca_dataset       *data    = NULL;
    sdca_status         status  = SDCA_OK;
    bool                help    = false;
    sdca_metrics_result metrics = { 0 };
    sdca_scorer         scorer  = { 0 };
    predict_text_rows   text    = { 0 };
    status_line         display = { 0 };
    const sdca_dataset *scored  = NULL;
    const sdca_scorer  *scores  = NULL;
    sdca_certain_labels certain = { 0 };
    int64_t             proven  = -1; /* not known */

    SDCA_TRY(mpi_session_begin("predict", argc, argv));
    SDCA_TRY(mpi_session_agree(predict_arguments_parse(argc, argv, &options, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(sdca_model_read_metadata(comm, options.model, &model));
    SDCA_TRY(sdca_comm_agree(comm, prepare_labels(&options, &model, &certain)));
    display = status_line_open(sdca_comm_rank(comm) == 0 && !options.quiet);
    SDCA_TRY(options.is_text
                 ? read_text(comm, &options, &model, &display, &text)
                 : read_data_file(comm, &options, &model, &display, &data, &scorer));
    status_line_close(&display);
    scored = options.is_text ? text.data : data;
    scores = options.is_text ? &text.scorer : &scorer;
    if (!options.is_text) {
        SDCA_TRY(read_cell_names(comm, &options, data, &text));
    }
    if (options.out == NULL && !scored->has_labels) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has no labels: -o writes the predictions",
                           options.data);
        goto done;
    }
    if (scored->has_labels) {
        SDCA_TRY(sdca_metrics_measure(
            comm, scored, &model.labels, scores, model.objective.loss->log_odds,
            model.calibration.sigmoid, options.threshold, &metrics));
    }
    if (certain.radius != NULL) {
        proven = sdca_certain_labels_count(comm, &certain, scores, scored);
    }
    if (options.out != NULL) {
        SDCA_TRY(prediction_file_write(comm, &model, scores, scored, &certain, &text,
                                       options.out));
    }
    if (options.metrics != NULL) {
        SDCA_TRY(write_metrics(comm, &model, scored, &metrics, proven, options.metrics));
    }
    if (options.is_text && sdca_comm_rank(comm) == 0 && !options.quiet) {
        predict_notes_print_text(&display, &text);
    }
    predict_notes_print(comm, &display, &model, scored, &options);
    if (scored->has_labels && sdca_comm_rank(comm) == 0 && !options.quiet) {
        metrics_output_print(&model.labels, scored, &metrics, find_output(&options));
    }
    if (proven >= 0 && sdca_comm_rank(comm) == 0 && !options.quiet) {
        metrics_output_print_certain(proven, scored->rows, find_output(&options));
    }

done:
    status_line_close(&display);
    sdca_dataset_free(data);
    sdca_scorer_free(&scorer);
    sdca_metrics_result_free(&metrics);
    sdca_certain_labels_free(&certain);
    predict_text_free(&text);
    sdca_model_clear(&model);
    return status;
}
