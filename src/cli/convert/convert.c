/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert.c - sdca convert: LIBSVM/svmlight text or a table to a data file.
 *
 * Blocks of text pass from the input through a parser to the writer; only the longest
 * line is held in memory. Tables are read twice, the first time to find the kinds of
 * their columns and the categories. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/convert/convert_like.h"
#include "cli/convert/convert_request.h"
#include "cli/convert/convert_summary.h"
#include "cli/convert/convert_weights.h"
#include "cli/signal_cleanup.h"
#include "cli/ui/live_progress.h"
#include "data/dataset_writer.h"
#include "data/table_encoder.h"
#include "data/table_schema.h"
#include "io/atomic_file.h"
#include "io/csv.h"
#include "io/input_stream.h"
#include "io/svmlight.h"

/* A conversion, the context of its callbacks. */
typedef struct conversion {
    const char          *name; /* of the input, for messages */
    sdca_dataset_writer *writer;
    sdca_table_encoder  *table;       /* or NULL */
    convert_weights     *weights;     /* or NULL */
    int                  first_index; /* index of LIBSVM text */
    bool                 classifies;
    bool                 grouped; /* rows of the table have groups */
    double               bytes;   /* read, after decompression */
    double               start;   /* by terminal_line_clock() */
    live_progress        display;
} conversion;

/* Add the line of the row that the writer rejected, and a remedy, to the message. */
static sdca_status locate_error(const conversion *c, const sdca_svmlight_row *row,
                                sdca_status status)
{
    sdca_dataset_writer_stats stats = sdca_dataset_writer_get_stats(c->writer);
    bool too_many_labels = c->classifies && sdca_label_counts_are_too_many(&stats.labels);
    char why[SDCA_MESSAGE_SIZE];

    if (status != SDCA_DATA) {
        return status;
    }
    memcpy(why, sdca_status_message(), sizeof why);
    return SDCA_FAIL(status, "%s, line %lld: %s%s", c->name, (long long)row->line, why,
                     too_many_labels ? "; --task regression takes any" : "");
}

static sdca_status write_row(void *context, const sdca_svmlight_row *row)
{
    conversion *c      = context;
    double      weight = row->weight;
    sdca_status status = SDCA_OK;

    if (c->weights != NULL) {
        SDCA_TRY(convert_weights_read(c->weights, &weight));
    }
    if (c->grouped) {
        SDCA_TRY(sdca_dataset_writer_append_group(c->writer, row->group));
    }
    status = sdca_dataset_writer_append_weighted(c->writer, row->label, weight,
                                                 row->count, row->column, row->value);
    status = status == SDCA_OK ? SDCA_OK : locate_error(c, row, status);

done:
    return status;
}

/* One of the two, the other is NULL. */
typedef struct parser {
    sdca_svmlight *svmlight;
    sdca_csv      *csv;
} parser;

static sdca_status make_parser(conversion *c, char separator, parser *out)
{
    return c->table != NULL
               ? sdca_csv_create(c->name, separator, sdca_table_encoder_add_record,
                                 c->table, &out->csv)
               : sdca_svmlight_create(c->name, c->first_index, write_row, c,
                                      &out->svmlight);
}

/* Feed the whole input to a parser. */
static sdca_status parse_input(conversion *c, char separator, sdca_input_stream *source)
{
    sdca_status status = SDCA_OK;
    parser      p      = { NULL, NULL };
    const char *block  = NULL;
    size_t      length = 0;

    c->bytes = 0.0;
    live_progress_begin_rows(&c->display, c->name);
    SDCA_TRY(make_parser(c, separator, &p));
    do {
        SDCA_TRY(sdca_input_stream_read(source, &block, &length));
        SDCA_TRY(p.svmlight != NULL ? sdca_svmlight_feed(p.svmlight, block, length)
                                    : sdca_csv_feed(p.csv, block, length));
        c->bytes += (double)length;
        live_progress_update_rows(
            &c->display, sdca_input_stream_fraction_read(source), c->bytes,
            c->writer != NULL ? sdca_dataset_writer_get_stats(c->writer).rows : 0);
    } while (length > 0);
    SDCA_TRY(p.svmlight != NULL ? sdca_svmlight_finish(p.svmlight)
                                : sdca_csv_finish(p.csv));

done:
    sdca_svmlight_free(p.svmlight);
    sdca_csv_free(p.csv);
    return status;
}

/* Find the kinds of the table's columns, unless --like defines them. */
static sdca_status scan_columns(conversion *c, const convert_request *r,
                                sdca_input_stream *source)
{
    sdca_status status = SDCA_OK;

    if (r->reading.like == NULL) {
        SDCA_TRY(parse_input(c, r->separator, source));
        SDCA_TRY(sdca_table_encoder_end_fit(c->table));
        SDCA_TRY(sdca_input_stream_rewind(source));
    }

done:
    return status;
}

/* Convert the input to a data file. */
static sdca_status convert(conversion *c, convert_request *r, sdca_input_stream *source)
{
    sdca_status               status = SDCA_OK;
    sdca_dataset_writer      *writer = NULL;
    sdca_dataset_writer_stats stats  = { 0 };

    if (r->separator != 0) {
        SDCA_TRY(sdca_table_encoder_create(c->name, r->reading, write_row, c, &c->table));
        SDCA_TRY(scan_columns(c, r, source));
        r->writing.features = sdca_table_encoder_features(c->table);
        r->writing.columns  = (int32_t)r->writing.features->name.count;
    }
    signal_cleanup_add(r->out);
    c->grouped = r->writing.group != NULL;
    SDCA_TRY(sdca_dataset_writer_create(r->out, r->writing, &writer));
    c->writer = writer;
    SDCA_TRY(parse_input(c, r->separator, source));
    if (sdca_dataset_writer_get_stats(writer).rows == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", c->name);
        goto done;
    }
    if (sdca_dataset_writer_get_stats(writer).columns == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no columns in it", c->name);
        goto done;
    }
    if (sdca_dataset_writer_get_stats(writer).total_weight == 0.0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: the weights of all rows are 0", c->name);
        goto done;
    }
    if (c->weights != NULL) {
        SDCA_TRY(convert_weights_finish(c->weights));
    }
    SDCA_TRY(sdca_dataset_writer_finish(writer));
    stats  = sdca_dataset_writer_take_stats(writer);
    writer = NULL; /* freed by commit in any case */
    SDCA_TRY(sdca_dataset_writer_commit(c->writer));
    live_progress_close(&c->display);
    if (!r->quiet) {
        convert_summary summary = { r, c->table, stats, c->bytes,
                                    terminal_line_clock() - c->start };

        convert_summary_warn(&summary, &c->display.terminal);
        convert_summary_print(&summary);
    }

done:
    live_progress_close(&c->display);
    sdca_dataset_writer_discard(writer);
    sdca_dataset_writer_stats_free(&stats);
    sdca_table_encoder_free(c->table);
    return status;
}

sdca_status sdca_cli_convert(int argc, char **argv)
{
    sdca_status        status = SDCA_OK;
    convert_request    r;
    sdca_table_schema  like   = { 0 };
    sdca_input_stream *source = NULL;
    conversion         c      = { .start = terminal_line_clock() };
    bool               help   = false;

    SDCA_TRY(convert_request_parse(argc, argv, &r, &help));
    if (help) {
        goto done;
    }
    SDCA_TRY(sdca_atomic_file_check_regular(r.out));
    SDCA_TRY(sdca_atomic_file_check_not_input(r.out, r.in));
    if (r.like != NULL) {
        SDCA_TRY(sdca_atomic_file_check_not_input(r.out, r.like));
        SDCA_TRY(convert_like_read(r.like, &r.inherited, &like));
        r.reading.like = &like;
    }
    if (r.weights != NULL) {
        SDCA_TRY(convert_request_check_weights(&r, &like));
        SDCA_TRY(sdca_atomic_file_check_not_input(r.out, r.weights));
        SDCA_TRY(convert_weights_open(r.weights, &c.weights));
    }
    convert_request_resolve(&r);
    SDCA_TRY(r.separator != 0 && r.like == NULL
                 ? sdca_input_stream_open_rewindable(r.in, r.out, &source)
                 : sdca_input_stream_open(r.in, &source));
    c.name        = sdca_input_stream_name(source);
    c.first_index = r.writing.zero_based ? 0 : 1;
    c.classifies  = r.writing.classifies;
    c.display     = live_progress_open(!r.quiet);
    SDCA_TRY(convert(&c, &r, source));

done:
    sdca_input_stream_close(source);
    convert_weights_close(c.weights);
    sdca_table_schema_free(&like);
    return status;
}
