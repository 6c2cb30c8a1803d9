/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_text.c - the predictions for the rows of a text: a table, or LIBSVM/svmlight
 * text. */
#include "cli/predict/predict_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/predict/prediction_arrays.h"
#include "cli/predict/prediction_file.h"
#include "cli/predict/text_row_scorer.h"
#include "io/atomic_file.h"
#include "io/csv.h"
#include "io/hdf5_file.h"
#include "io/input_stream.h"
#include "io/svmlight.h"
#include "mpi/comm.h"

/* A text that is being scored, by the first rank. */
typedef struct text_scoring {
    const char                 *name; /* of the text, in messages */
    const predict_text_options *options;
    const sdca_model           *model;
    const prediction_rule      *rule;
    live_progress              *display;
    bool                        prints_lines; /* the predictions are a CSV file ... */
    bool                        uses_stdout;  /* ... on standard output */
    text_row_scorer             scorer;
    sdca_table_encoder         *table; /* of a table, or NULL */

    const sdca_csv_record *record; /* the one that is being encoded */
    int64_t               *keep;   /* the columns of --keep; NULL: not known yet */
    int64_t                keep_count;
    sdca_string_list       keep_names;

    predict_text_rows *out;
} text_scoring;

bool predict_text_is_text(const char *format, const char *path)
{
    static const unsigned char signature[8] = { 0x89, 'H',  'D',  'F',
                                                '\r', '\n', 0x1a, '\n' };
    unsigned char              first[8]     = { 0 };
    FILE                      *file;
    size_t                     length;

    if (strcmp(format, "auto") != 0) {
        return strcmp(format, "hdf5") != 0;
    }
    if (strcmp(path, "-") == 0) {
        return true;
    }
    file = fopen(path, "rb");
    if (file == NULL) {
        return false; /* opening it as HDF5 explains why */
    }
    length = fread(first, 1, sizeof first, file);
    fclose(file);
    if (length == sizeof first && memcmp(first, signature, sizeof first) == 0) {
        return false;
    }
    length = strlen(path);
    return !(length >= 3 && strcmp(path + length - 3, ".h5") == 0) &&
           !(length >= 5 && (strcmp(path + length - 5, ".hdf5") == 0 ||
                             strcmp(path + length - 5, ".h5ad") == 0));
}

/* Print the line of a row, the first one below the names of the columns. */
static sdca_status print_line(text_scoring *t)
{
    prediction_lines *lines  = &t->out->lines;
    sdca_status       status = SDCA_OK;

    if (t->uses_stdout) { /* which may be the same terminal */
        terminal_line_clear(&t->display->terminal);
    }
    if (lines->file == NULL) {
        SDCA_TRY(prediction_lines_open(t->options->out, t->rule, &t->keep_names, lines));
    }
    for (int64_t k = 0; k < t->keep_count; k++) {
        prediction_lines_print_kept(lines, t->record->field[t->keep[k]].text);
    }
    SDCA_TRY(prediction_lines_print_row(lines, t->scorer.record));

done:
    return status;
}

/* An sdca_svmlight_callback: score a row. */
static sdca_status score_row(void *context, const sdca_svmlight_row *row)
{
    text_scoring *t      = context;
    sdca_status   status = SDCA_OK;
    const double *record = t->scorer.record;

    SDCA_TRY(text_row_scorer_score(&t->scorer, row));
    for (int k = 0; k < t->rule->models; k++) {
        if (!isfinite(record[k])) {
            status = SDCA_FAIL(SDCA_DATA, "%s, line %lld: its score is not finite",
                               t->name, (long long)row->line);
            goto done;
        }
    }
    SDCA_TRY(scored_text_rows_add(&t->out->rows, record, row->label, row->weight));
    t->out->certain += t->rule->has_certain && prediction_row_is_certain(t->rule, record);
    if (t->prints_lines) {
        SDCA_TRY(print_line(t));
    }

done:
    return status;
}

/* Find the columns of --keep, once those of the table are known. */
static sdca_status find_kept_columns(text_scoring *t)
{
    const char *list   = t->options->keep;
    sdca_status status = SDCA_OK;

    t->keep = sdca_alloc_array(list != NULL ? strlen(list) + 1 : 1, sizeof *t->keep);
    if (t->keep == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the columns of --keep");
    }
    while (list != NULL) {
        size_t      length = strcspn(list, ",");
        int64_t     column = 0;
        const char *name;

        SDCA_TRY(
            sdca_table_encoder_find_column(t->table, "--keep", list, length, &column));
        name = sdca_table_encoder_column_name(t->table, column);
        SDCA_TRY(sdca_string_list_append(&t->keep_names, name, strlen(name)));
        t->keep[t->keep_count++] = column;
        list                     = list[length] == ',' ? list + length + 1 : NULL;
    }

done:
    return status;
}

/* An sdca_csv_callback: score a record of a table. */
static sdca_status score_record(void *context, const sdca_csv_record *record)
{
    text_scoring *t      = context;
    sdca_status   status = SDCA_OK;

    t->record = record;
    if (t->keep == NULL) {
        SDCA_TRY(sdca_table_encoder_begin(t->table, record));
        SDCA_TRY(find_kept_columns(t));
        t->out->rows.with_labels = sdca_table_encoder_get_stats(t->table).label != NULL;
    }
    SDCA_TRY(sdca_table_encoder_add_record(t->table, record));

done:
    return status;
}

/* Read the schema of the model, which a table needs. */
static sdca_status read_schema(text_scoring *t, const char *path)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (sdca_table_schema_exists(store)) {
        SDCA_TRY(sdca_table_schema_read(store, &t->out->schema));
    } else if (t->options->separator != 0) {
        status =
            SDCA_FAIL(SDCA_DATA,
                      "'%s' does not know the columns of a table: it was not trained "
                      "on a table, or by an earlier version of sdca",
                      path);
    }

done:
    sdca_hdf5_close(store);
    return status;
}

/* Feed the whole text to one of the parsers. */
static sdca_status parse(text_scoring *t, sdca_input_stream *source, sdca_csv *csv,
                         sdca_svmlight *svmlight)
{
    sdca_status status = SDCA_OK;
    const char *block  = NULL;
    size_t      length = 0;
    double      bytes  = 0.0;

    do {
        SDCA_TRY(sdca_input_stream_read(source, &block, &length));
        SDCA_TRY(csv != NULL ? sdca_csv_feed(csv, block, length)
                             : sdca_svmlight_feed(svmlight, block, length));
        bytes += (double)length;
        live_progress_update_rows(t->display, sdca_input_stream_fraction_read(source),
                                  bytes, t->out->rows.count);
    } while (length > 0);
    SDCA_TRY(csv != NULL ? sdca_csv_finish(csv) : sdca_svmlight_finish(svmlight));
    if (t->out->rows.count == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", t->name);
    }

done:
    return status;
}

/* Score a table. */
static sdca_status score_table(text_scoring *t, sdca_input_stream *source)
{
    const predict_text_options *o       = t->options;
    predict_text_rows          *out     = t->out;
    sdca_table_encoder_options  options = { .header          = o->header,
                                            .label           = o->label,
                                            .weight          = o->weight,
                                            .separator_given = o->separator_given,
                                            .unlabelled      = o->unlabelled,
                                            .classifies      = t->model->labels.count > 0,
                                            .like            = &out->schema,
                                            .scores          = true,
                                            .unweighted = o->unweighted || o->unlabelled,
                                            .refuse_unknown  = o->refuse_unknown,
                                            .missing_columns = o->missing_columns };
    sdca_table_encoder_stats    stats;
    sdca_status                 status = SDCA_OK;
    sdca_csv                   *csv    = NULL;

    SDCA_TRY(sdca_table_encoder_create(t->name, options, score_row, t, &t->table));
    SDCA_TRY(sdca_csv_create(t->name, o->separator, score_record, t, &csv));
    SDCA_TRY(parse(t, source, csv, NULL));
    stats            = sdca_table_encoder_get_stats(t->table);
    out->unknown     = stats.unknown;
    out->absent      = stats.absent;
    out->left_out    = stats.left_out;
    out->new_missing = stats.new_missing;
    if (stats.unknown > 0) {
        SDCA_TRY(sdca_string_list_append(&out->unknown_column, stats.unknown_column,
                                         strlen(stats.unknown_column)));
    }

done:
    sdca_csv_free(csv);
    return status;
}

/* Score LIBSVM text, whose rows have labels. */
static sdca_status score_svmlight(text_scoring *t, sdca_input_stream *source)
{
    sdca_status    status   = SDCA_OK;
    sdca_svmlight *svmlight = NULL;

    t->out->rows.with_labels = !t->options->unlabelled;
    SDCA_TRY(sdca_svmlight_create(t->name, t->options->zero_based ? 0 : 1, score_row, t,
                                  &svmlight));
    SDCA_TRY(parse(t, source, NULL, svmlight));

done:
    sdca_svmlight_free(svmlight);
    return status;
}

/* The first rank's part. */
static sdca_status score_text(text_scoring *t, const char *model_path)
{
    sdca_status        status = SDCA_OK;
    sdca_input_stream *source = NULL;

    SDCA_TRY(text_row_scorer_open(model_path, t->model, &t->out->schema, &t->scorer));
    SDCA_TRY(sdca_input_stream_open(t->options->path, &source));
    t->name = sdca_input_stream_name(source);
    live_progress_begin_rows(t->display, t->name);
    SDCA_TRY(t->options->separator != 0 ? score_table(t, source)
                                        : score_svmlight(t, source));
    SDCA_TRY(scored_text_rows_check_weights(&t->out->rows));

done:
    sdca_input_stream_close(source);
    return status;
}

sdca_status predict_text_read(MPI_Comm comm, const char *model_path,
                              const sdca_model *model, const prediction_rule *rule,
                              const predict_text_options *options, live_progress *display,
                              predict_text_rows *out)
{
    sdca_status  status  = SDCA_OK;
    bool         first   = sdca_comm_rank(comm) == 0;
    bool         is_hdf5 = options->out != NULL && prediction_file_is_hdf5(options->out);
    text_scoring t       = { .name         = options->path,
                             .options      = options,
                             .model        = model,
                             .rule         = rule,
                             .display      = display,
                             .prints_lines = options->out != NULL && !is_hdf5,
                             .uses_stdout  = options->out != NULL &&
                                            sdca_atomic_file_is_stdout(options->out),
                             .out = out };

    out->rows = (scored_text_rows){ .path         = options->path,
                                    .models       = rule->models,
                                    .classes      = rule->labels,
                                    .words        = &out->schema.class_names,
                                    .keep_records = is_hdf5 };
    SDCA_TRY(sdca_comm_agree(comm, read_schema(&t, model_path)));
    SDCA_TRY(sdca_comm_agree(comm, first ? score_text(&t, model_path) : SDCA_OK));
    out->has_labels = scored_text_rows_are_labelled(&out->rows);
    sdca_comm_broadcast(comm, &out->has_labels, sizeof out->has_labels);

done:
    sdca_table_encoder_free(t.table);
    text_row_scorer_close(&t.scorer);
    sdca_string_list_free(&t.keep_names);
    free(t.keep);
    return status;
}

void predict_text_free(predict_text_rows *text)
{
    scored_text_rows_free(&text->rows);
    prediction_lines_close(&text->lines);
    sdca_string_list_free(&text->unknown_column);
    sdca_table_schema_free(&text->schema);
    *text = (predict_text_rows){ 0 };
}

sdca_status predict_text_measure(MPI_Comm comm, const sdca_model *model, double threshold,
                                 const predict_text_rows *text, sdca_metrics_result *out)
{
    sdca_metrics_input input = scored_text_rows_labelled(&text->rows);

    input.log_odds  = model->objective.loss->log_odds;
    input.sigmoid   = model->calibration.sigmoid;
    input.threshold = threshold;
    return sdca_metrics_compute(comm, &input, out);
}

/* Write the records of all rows. */
static sdca_status write_arrays(const prediction_rule *rule, const scored_text_rows *rows,
                                const char *path)
{
    enum { AT_ONCE = 4096 };
    sdca_status       status = SDCA_OK;
    prediction_arrays arrays = { 0 };

    SDCA_TRY(prediction_arrays_open(path, rule, rows->count, &arrays));
    for (int64_t i = 0; i < rows->count; i += AT_ONCE) {
        int64_t left = rows->count - i;

        SDCA_TRY(prediction_arrays_write(&arrays,
                                         rows->record.value + i * (rows->models + 1),
                                         left < AT_ONCE ? left : AT_ONCE));
    }
    SDCA_TRY(prediction_arrays_commit(&arrays));

done:
    prediction_arrays_close(&arrays);
    return status;
}

sdca_status predict_text_finish(MPI_Comm comm, const prediction_rule *rule,
                                predict_text_rows *text, const char *path)
{
    sdca_status status = SDCA_OK;

    if (sdca_comm_rank(comm) == 0) {
        status = prediction_file_is_hdf5(path) ? write_arrays(rule, &text->rows, path)
                                               : prediction_lines_commit(&text->lines);
    }
    return sdca_comm_agree(comm, status);
}
