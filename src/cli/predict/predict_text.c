/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_text.c - the scores of the rows of a text: a table, or LIBSVM/svmlight text. */
#include "cli/predict/predict_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/predict/scored_rows.h"
#include "data/dataset_builder.h"
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
    sdca_model                  weights; /* the model with w */
    sdca_scorer                 scorer;  /* of a row of the text */
    sdca_table_schema           schema;
    sdca_table_encoder         *table; /* of a table, or NULL */
    sdca_rows                   row;   /* one, with space for capacity entries */
    int64_t                     capacity;

    const sdca_csv_record *record; /* the one that is being encoded */
    int64_t               *keep;   /* the columns of --keep; NULL: not known yet */
    int64_t                keep_count;

    scored_rows        rows; /* so far */
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

/* Allocate space for the entries of a row. */
static sdca_status reserve_entries(text_scoring *t, int64_t count)
{
    if (t->row.row != NULL && count <= t->capacity) {
        return SDCA_OK;
    }
    sdca_rows_free(&t->row);
    t->capacity = 2 * count + 64;
    return sdca_rows_create(1, t->model->columns, t->capacity, t->schema.float64,
                            &t->row);
}

/* Divide the row by its norm. */
static void normalize_row(sdca_rows *x)
{
    double norm2 = sdca_rows_norm2(x, 0);

    if (norm2 > 0.0) {
        sdca_rows_scale(x, 0, 1.0 / sqrt(norm2));
    }
}

/* The row as a data file would have it. Columns beyond those of the model count in the
 * norm only. */
static sdca_status store_row(text_scoring *t, const sdca_svmlight_row *from)
{
    sdca_status status = SDCA_OK;
    sdca_rows  *x      = &t->row;
    int64_t     known  = from->count;

    SDCA_TRY(reserve_entries(t, from->count));
    for (int64_t k = 0; k < from->count; k++) {
        bool has_weight = from->column[k] < t->model->columns;

        sdca_rows_set_entry(x, k, has_weight ? from->column[k] : 0, from->value[k]);
        known -= !has_weight; /* the last ones, as columns ascend */
    }
    x->row[1].start = from->count;
    if (t->schema.normalized) {
        normalize_row(x);
    }
    if (t->model->normalized) {
        normalize_row(x);
    }
    x->row[1].start = known;

done:
    return status;
}

/* Copy the columns of --keep. */
static sdca_status keep_columns(text_scoring *t)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < t->keep_count; k++) {
        const sdca_csv_field *field = &t->record->field[t->keep[k]];

        status = sdca_string_list_append(&t->out->kept, field->text, field->length);
    }
    return status;
}

/* |x|^2 of the only row, 0 only if the row is: squares may be too small for a double. */
static double norm2_bound(const sdca_rows *x)
{
    double norm2 = sdca_rows_norm2(x, 0);

    for (int64_t k = 0; norm2 == 0.0 && k < x->row[1].start; k++) {
        norm2 = sdca_rows_value(x, k) != 0.0 ? DBL_MIN : norm2;
    }
    return norm2;
}

/* An sdca_svmlight_callback: score a row. */
static sdca_status score_row(void *context, const sdca_svmlight_row *row)
{
    text_scoring *t      = context;
    sdca_status   status = SDCA_OK;
    size_t        models = (size_t)t->scorer.models;
    const double *score;

    SDCA_TRY(store_row(t, row));
    score = sdca_scorer_row(&t->scorer, &t->row, 0);
    for (size_t k = 0; k < models; k++) {
        if (!isfinite(score[k])) {
            status = SDCA_FAIL(SDCA_DATA, "%s, line %lld: its score is not finite",
                               t->name, (long long)row->line);
            goto done;
        }
    }
    SDCA_TRY(
        scored_rows_add(&t->rows, score, norm2_bound(&t->row), row->label, row->weight));
    SDCA_TRY(keep_columns(t));

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
        SDCA_TRY(sdca_string_list_append(&t->out->kept_names, name, strlen(name)));
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
        SDCA_TRY(sdca_table_schema_read(store, &t->schema));
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

/* Read the weights of all columns. */
static sdca_status read_weights(text_scoring *t, const char *path)
{
    sdca_status status = SDCA_OK;
    int         models = sdca_model_parts(t->model);

    SDCA_TRY(sdca_model_read_all(MPI_COMM_NULL, path, &t->weights));
    SDCA_TRY(sdca_scorer_create(models, t->model->columns, &t->scorer));
    for (int k = 0; k < models; k++) {
        sdca_scorer_set(&t->scorer, k,
                        t->weights.w + (size_t)k * sdca_model_stride(&t->weights),
                        sdca_model_part(&t->weights, k).bias);
    }

done:
    return status;
}

/* Feed the whole text to one of the parsers. */
static sdca_status parse(text_scoring *t, sdca_input_stream *source, sdca_csv *csv,
                         sdca_svmlight *svmlight, status_line *display)
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
        status_line_update_rows(display, sdca_input_stream_fraction_read(source), bytes,
                                t->rows.count);
    } while (length > 0);
    SDCA_TRY(csv != NULL ? sdca_csv_finish(csv) : sdca_svmlight_finish(svmlight));
    if (t->rows.count == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", t->name);
    }

done:
    return status;
}

/* Score a table. */
static sdca_status score_table(text_scoring *t, sdca_input_stream *source,
                               status_line *display)
{
    const predict_text_options *o       = t->options;
    scored_rows                *rows    = &t->rows;
    sdca_table_encoder_options  options = { .header          = o->header,
                                            .label           = o->label,
                                            .weight          = o->weight,
                                            .separator_given = o->separator_given,
                                            .unlabelled      = o->unlabelled,
                                            .classifies      = t->model->labels.count > 0,
                                            .like            = &t->schema,
                                            .scores          = true,
                                            .unweighted = o->unweighted || o->unlabelled,
                                            .refuse_unknown  = o->refuse_unknown,
                                            .missing_columns = o->missing_columns };
    sdca_table_encoder_stats    stats;
    sdca_status                 status = SDCA_OK;
    sdca_csv                   *csv    = NULL;

    SDCA_TRY(sdca_table_encoder_create(t->name, options, score_row, t, &t->table));
    SDCA_TRY(sdca_csv_create(t->name, o->separator, score_record, t, &csv));
    SDCA_TRY(parse(t, source, csv, NULL, display));
    stats            = sdca_table_encoder_get_stats(t->table);
    rows->has_labels = stats.label != NULL && rows->unlabelled < rows->count;
    rows->has_weights =
        stats.weight != NULL || (rows->has_labels && rows->unlabelled > 0);
    t->out->unknown     = stats.unknown;
    t->out->absent      = stats.absent;
    t->out->left_out    = stats.left_out;
    t->out->new_missing = stats.new_missing;
    t->out->unlabelled  = rows->unlabelled;
    if (stats.unknown > 0) {
        SDCA_TRY(sdca_string_list_append(&t->out->unknown_column, stats.unknown_column,
                                         strlen(stats.unknown_column)));
    }

done:
    sdca_csv_free(csv);
    return status;
}

/* Score LIBSVM text, whose rows have labels. */
static sdca_status score_svmlight(text_scoring *t, sdca_input_stream *source,
                                  status_line *display)
{
    sdca_status    status   = SDCA_OK;
    sdca_svmlight *svmlight = NULL;

    SDCA_TRY(sdca_svmlight_create(t->name, t->options->zero_based ? 0 : 1, score_row, t,
                                  &svmlight));
    SDCA_TRY(parse(t, source, NULL, svmlight, display));
    t->rows.has_labels = !t->options->unlabelled;

done:
    sdca_svmlight_free(svmlight);
    return status;
}

/* The first rank's part. */
static sdca_status score_text(text_scoring *t, const char *model_path,
                              sdca_input_stream **source, status_line *display)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(read_weights(t, model_path));
    SDCA_TRY(sdca_input_stream_open(t->options->path, source));
    t->name = sdca_input_stream_name(*source);
    status_line_begin_rows(display, t->name);
    SDCA_TRY(t->options->separator != 0 ? score_table(t, *source, display)
                                        : score_svmlight(t, *source, display));
    SDCA_TRY(sdca_dataset_builder_check_rows(&(sdca_dataset_builder){
        .name = t->name, .draft.local_range.count = t->rows.count }));

done:
    return status;
}

sdca_status predict_text_read(MPI_Comm comm, const char *model_path,
                              const sdca_model           *model,
                              const predict_text_options *options, status_line *display,
                              predict_text_rows *out)
{
    sdca_status        status = SDCA_OK;
    bool               first  = sdca_comm_rank(comm) == 0;
    sdca_input_stream *source = NULL;
    text_scoring       t      = { .name    = options->path,
                                  .options = options,
                                  .model   = model,
                                  .rows    = { .path   = options->path,
                                               .models = sdca_model_parts(model) },
                                  .out     = out };

    SDCA_TRY(sdca_comm_agree(comm, read_schema(&t, model_path)));
    SDCA_TRY(sdca_comm_agree(comm, first ? score_text(&t, model_path, &source, display)
                                         : SDCA_OK));
    SDCA_TRY(scored_rows_make_dataset(comm, &t.rows, &t.schema.class_names,
                                      &model->labels, &out->data, &out->scorer));
    out->data->file_columns = model->columns;

done:
    sdca_table_encoder_free(t.table);
    sdca_input_stream_close(source);
    sdca_model_clear(&t.weights);
    sdca_scorer_free(&t.scorer);
    sdca_table_schema_free(&t.schema);
    sdca_rows_free(&t.row);
    free(t.keep);
    scored_rows_free(&t.rows);
    return status;
}

void predict_text_free(predict_text_rows *rows)
{
    sdca_dataset_free(rows->data);
    sdca_scorer_free(&rows->scorer);
    sdca_string_list_free(&rows->kept_names);
    sdca_string_list_free(&rows->kept);
    sdca_string_list_free(&rows->unknown_column);
    *rows = (predict_text_rows){ 0 };
}
