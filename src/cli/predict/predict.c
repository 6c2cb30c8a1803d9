/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict.c - sdca predict: the labels of a data file, and the error. */
#include <math.h>
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
#include "cli/predict/prediction_row.h"
#include "cli/signal_cleanup.h"
#include "cli/ui/live_progress.h"
#include "data/dataset_reader.h"
#include "io/atomic_file.h"
#include "model/certain_labels.h"
#include "model/model.h"
#include "mpi/comm.h"
#include "objective/metrics.h"

/* What is reported of the rows of a data file or a text. */
typedef struct prediction_report {
    bool                has_labels;
    sdca_metrics_result metrics; /* with labels */
    metrics_output_rows rows;
    int64_t             certain; /* labels that are proven; below 0: not known */
} prediction_report;

/* What a score predicts, and what is known about the optimum. Local. */
static sdca_status prepare_labels(const predict_arguments *options,
                                  const sdca_model *model, sdca_certain_labels *out)
{
    return options->has_threshold && model->labels.count != 2
               ? SDCA_FAIL(SDCA_USAGE, "--threshold applies to models of two classes")
               : sdca_certain_labels_create(model, options->threshold, out);
}

/* Read the data, and make the scorer of their columns. Collective. */
static sdca_status read_data_file(MPI_Comm comm, const predict_arguments *options,
                                  const sdca_model *model, live_progress *display,
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
        .progress             = live_progress_update_reader,
        .context              = display,
    };

    SDCA_TRY(sdca_comm_agree(comm, anndata_files_read_model(options->model, &known)));
    anndata_files_choose(&known, &reader);
    SDCA_TRY(
        sdca_comm_agree(comm, anndata_files_find_label(options->data, &known, &reader)));
    live_progress_begin_rows(display, options->data);
    SDCA_TRY(sdca_dataset_reader_read(comm, options->data, &reader, data));
    SDCA_TRY(sdca_model_read_scorer(comm, options->model, model, *data, scorer));

done:
    anndata_files_model_free(&known);
    return status;
}

/* Without labels, something must be left to do. */
static sdca_status check_labels(const predict_arguments *options, bool has_labels)
{
    if (has_labels || (options->out != NULL && options->metrics == NULL)) {
        return SDCA_OK;
    }
    return options->out != NULL
               ? SDCA_FAIL(SDCA_DATA, "'%s' has no labels, which --metrics needs",
                           options->data)
               : SDCA_FAIL(SDCA_DATA, "'%s' has no labels: -o writes the predictions",
                           options->data);
}

/* The names of the cells of an AnnData file, as a column to keep of a CSV file. The first
 * rank reads them. Collective. */
static sdca_status read_cell_names(MPI_Comm comm, const predict_arguments *options,
                                   const sdca_dataset *data, prediction_kept *out)
{
    return sdca_comm_agree(
        comm, sdca_comm_rank(comm) == 0 && options->out != NULL
                  ? anndata_files_read_names(options->data, options->follow_links, data,
                                             &out->names, &out->text)
                  : SDCA_OK);
}

/* Fail if a score overflows. No row has a length above 1e155, so that only very large
 * weights can do that. Local. */
static sdca_status check_scores(const predict_arguments *options,
                                const sdca_scorer *scorer, const sdca_dataset *data)
{
    size_t count = (size_t)scorer->models * (size_t)scorer->columns, small = 0;

    while (small < count && fabs(scorer->w[small]) < 1e100) {
        small++;
    }
    for (uint32_t i = 0; small < count && i < data->x.count; i++) {
        const double *score = sdca_scorer_row(scorer, &data->x, i);

        for (int k = 0; k < scorer->models; k++) {
            if (!isfinite(score[k])) {
                return SDCA_FAIL(SDCA_DATA, "'%s', row %lld: its score is not finite",
                                 options->data,
                                 (long long)sdca_dataset_global_row(data, i));
            }
        }
    }
    return SDCA_OK;
}

/* Predict the rows of a data file. Collective. */
static sdca_status predict_rows_of_file(MPI_Comm comm, const predict_arguments *options,
                                        const sdca_model      *model,
                                        const prediction_rule *rule,
                                        live_progress *display, sdca_dataset **data,
                                        prediction_report *report)
{
    sdca_status     status = SDCA_OK;
    sdca_scorer     scorer = { 0 };
    prediction_kept kept   = { 0 };

    SDCA_TRY(read_data_file(comm, options, model, display, data, &scorer));
    live_progress_close(display);
    SDCA_TRY(read_cell_names(comm, options, *data, &kept));
    report->has_labels = (*data)->has_labels;
    report->rows       = (metrics_output_rows){ .count    = (*data)->rows,
                                                .weighted = (*data)->weight != NULL,
                                                .weight   = (*data)->total_weight };
    SDCA_TRY(check_labels(options, report->has_labels));
    SDCA_TRY(sdca_comm_agree(comm, check_scores(options, &scorer, *data)));
    if (report->has_labels) {
        SDCA_TRY(sdca_metrics_measure(
            comm, *data, &model->labels, &scorer, model->objective.loss->log_odds,
            model->calibration.sigmoid, options->threshold, &report->metrics));
    }
    if (rule->has_certain) {
        report->certain = sdca_certain_labels_count(comm, rule->certain, &scorer, *data);
    }
    if (options->out != NULL) {
        SDCA_TRY(prediction_file_write(comm, rule, &scorer, *data, &kept, options->out));
    }

done:
    sdca_string_list_free(&kept.names);
    sdca_string_list_free(&kept.text);
    sdca_scorer_free(&scorer);
    return status;
}

/* The same for a text. The report is that of the first rank, but for has_labels.
 * Collective. */
static sdca_status predict_rows_of_text(MPI_Comm comm, const predict_arguments *options,
                                        const sdca_model      *model,
                                        const prediction_rule *rule,
                                        live_progress *display, predict_text_rows *text,
                                        prediction_report *report)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(predict_text_read(comm, options->model, model, rule, &options->text, display,
                               text));
    live_progress_close(display);
    report->has_labels = text->has_labels;
    report->rows       = scored_text_rows_describe(&text->rows);
    SDCA_TRY(check_labels(options, report->has_labels));
    if (report->has_labels) {
        SDCA_TRY(predict_text_measure(comm, model, options->threshold, text,
                                      &report->metrics));
    }
    if (rule->has_certain) {
        report->certain = text->certain;
    }
    if (options->out != NULL) {
        SDCA_TRY(predict_text_finish(comm, rule, text, options->out));
    }

done:
    return status;
}

/* Rank 0 writes the metrics. Collective. */
static sdca_status write_metrics(MPI_Comm comm, const sdca_model *model,
                                 const prediction_report *report, const char *path)
{
    sdca_status status = SDCA_OK;

    if (sdca_comm_rank(comm) == 0) {
        signal_cleanup_add(path);
        status = metrics_output_write_file(&model->labels, report->rows.count,
                                           &report->metrics, report->certain, path);
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

/* Print the metrics. Local, for the first rank. */
static void print_report(const predict_arguments *options, const sdca_model *model,
                         const prediction_report *report)
{
    FILE *to = find_output(options);

    if (report->has_labels) {
        metrics_output_print(&model->labels, report->rows, &report->metrics, to);
    }
    if (report->certain >= 0) {
        metrics_output_print_certain(report->certain, report->rows.count, to);
    }
}

sdca_status sdca_cli_predict(int argc, char **argv)
{
    MPI_Comm            comm    = MPI_COMM_WORLD;
    predict_arguments   options = { 0 };
    sdca_model          model   = { 0 };
    sdca_dataset       *data    = NULL; /* of a data file */
    sdca_status         status  = SDCA_OK;
    bool                help    = false;
    bool                prints  = false;
    predict_text_rows   text    = { 0 };
    live_progress       display = { 0 };
    sdca_certain_labels certain = { 0 };
    prediction_rule     rule    = { 0 };
    prediction_report   report  = { .certain = -1 };

    SDCA_TRY(mpi_session_begin("predict", argc, argv));
    SDCA_TRY(mpi_session_agree(predict_arguments_parse(argc, argv, &options, &help)));
    if (help) {
        goto done;
    }
    mpi_session_init();
    SDCA_TRY(sdca_model_read_metadata(comm, options.model, &model));
    SDCA_TRY(sdca_comm_agree(comm, prepare_labels(&options, &model, &certain)));
    rule    = prediction_row_rule(&model, &certain);
    prints  = sdca_comm_rank(comm) == 0 && !options.quiet;
    display = live_progress_open(prints);
    SDCA_TRY(options.is_text ? predict_rows_of_text(comm, &options, &model, &rule,
                                                    &display, &text, &report)
                             : predict_rows_of_file(comm, &options, &model, &rule,
                                                    &display, &data, &report));
    if (options.metrics != NULL) {
        SDCA_TRY(write_metrics(comm, &model, &report, options.metrics));
    }
    if (!options.is_text) {
        predict_notes_print(comm, &display, &model, data, &options);
    } else if (prints) {
        predict_notes_print_text(&display, &model, &text, options.data);
    }
    if (prints) {
        print_report(&options, &model, &report);
    }

done:
    live_progress_close(&display);
    sdca_dataset_free(data);
    sdca_metrics_result_free(&report.metrics);
    sdca_certain_labels_free(&certain);
    predict_text_free(&text);
    sdca_model_clear(&model);
    return status;
}
