/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert.c - sdca convert: LIBSVM/svmlight text or a table in, a data file out.
 *
 * Bytes flow from the source through a parser into the writer, a block at a time;
 * nothing but the longest line is held in memory. Tables flow twice, the first time
 * to learn what is in their columns: only categories are kept of that. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/cli.h"
#include "cli/convert_like.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/separator.h"
#include "cli/signal_cleanup.h"
#include "cli/ui/plural.h"
#include "cli/ui/status_line.h"
#include "data/dataset_writer.h"
#include "data/feature_names.h"
#include "data/table_encoder.h"
#include "io/atomic_file.h"
#include "io/csv.h"
#include "io/input_stream.h"
#include "io/svmlight.h"

/* What the command line asks for. */
typedef struct convert_request {
    const char                 *in;
    const char                 *out;
    const char                 *like;      /* or NULL */
    char                        separator; /* of a table; 0: LIBSVM/svmlight text */
    convert_options             inherited;
    sdca_dataset_writer_options writing;
    sdca_table_encoder_options  reading;
    bool                        quiet;
} convert_request;

/* One conversion, for those who are called back in it. */
typedef struct conversion {
    const char          *name; /* of the input, in words */
    sdca_dataset_writer *writer;
    sdca_table_encoder  *table;       /* or NULL */
    int                  first_index; /* index of LIBSVM text */
    bool                 classifies;
    double               bytes; /* read, after unpacking */
    double               start; /* by tty_clock() */
    status_line          display;
} conversion;

/* Say where the row stands that the writer refused, and what would help. */
static sdca_status locate_error(const conversion *c, const sdca_svmlight_row *row,
                                sdca_status status)
{
    sdca_dataset_writer_stats stats = sdca_dataset_writer_get_stats(c->writer);
    bool is_third_label             = c->classifies && stats.classes.count == 2 &&
                          row->label != stats.classes.value[0] &&
                          row->label != stats.classes.value[1];
    char why[SDCA_MESSAGE_SIZE];

    if (status != SDCA_DATA) {
        return status;
    }
    memcpy(why, sdca_status_message(), sizeof why);
    return SDCA_FAIL(status, "%s, line %lld: %s%s", c->name, (long long)row->line, why,
                     is_third_label ? "; --task regression takes any" : "");
}

static sdca_status write_row(void *context, const sdca_svmlight_row *row)
{
    conversion *c      = context;
    sdca_status status = sdca_dataset_writer_append(c->writer, row->label, row->count,
                                                    row->column, row->value);

    return status == SDCA_OK ? SDCA_OK : locate_error(c, row, status);
}

/* Whatever turns bytes into rows: one of the two. */
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

/* All bytes of the source, through a parser. */
static sdca_status parse_input(conversion *c, char separator, sdca_input_stream *source)
{
    sdca_status status = SDCA_OK;
    parser      p      = { NULL, NULL };
    const char *block  = NULL;
    size_t      length = 0;

    c->bytes = 0.0;
    status_line_begin_rows(&c->display, c->name);
    SDCA_TRY(make_parser(c, separator, &p));
    do {
        SDCA_TRY(sdca_input_stream_read(source, &block, &length));
        SDCA_TRY(p.svmlight != NULL ? sdca_svmlight_feed(p.svmlight, block, length)
                                    : sdca_csv_feed(p.csv, block, length));
        c->bytes += (double)length;
        status_line_update_rows(
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

/* Learn what the table's columns are, unless --like says it: then it is known. */
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

static void print_labels(const conversion *c, const sdca_string_list *names,
                         sdca_dataset_writer_stats stats)
{
    char label[2][64];

    for (int k = 0; k < 2; k++) {
        int label_index = stats.classes.count == 1 ? (int)stats.classes.value[0] : k;

        snprintf(label[k], sizeof label[k], "%.10g", stats.classes.value[k]);
        if (label_index < names->count) {
            snprintf(label[k], sizeof label[k], "%s", names->text[label_index]);
            sdca_printable_sanitize(label[k]);
        }
    }
    if (!c->classifies) {
        printf("labels are kept as numbers, for regression\n");
    } else if (stats.classes.count == 1) {
        printf("there is one label only: %s, stored as %s\n", label[0],
               stats.classes.value[0] > 0.0 ? "+1" : "-1");
    } else {
        printf("of the labels, %s is stored as -1 and %s as +1\n", label[0], label[1]);
    }
}

static void print_table(const sdca_table_encoder *table)
{
    sdca_table_encoder_stats stats = sdca_table_encoder_get_stats(table);

    printf("%s: %lld column%s of numbers, %lld of categories",
           stats.header ? "the first line has the names" : "columns have no names",
           (long long)stats.numeric, stats.numeric == 1 ? "" : "s",
           (long long)stats.categorical);
    if (stats.label != NULL) {
        printf(", and the label in '%s'",
               sdca_string_escape(stats.label, strlen(stats.label)).text);
    }
    printf("\n");
}

static void print_summary(const conversion *c, const convert_request *r,
                          sdca_dataset_writer_stats stats)
{
    static const sdca_string_list none    = { 0 };
    double                        seconds = tty_clock() - c->start;
    double                        cells   = (double)stats.rows * (double)stats.columns;

    printf("%s: %lld row%s, %ld column%s, %lld non-zero%s (%.3g %%)\n", r->out,
           (long long)stats.rows, plural((double)stats.rows), (long)stats.columns,
           plural(stats.columns), (long long)stats.nonzeros,
           plural((double)stats.nonzeros),
           cells > 0.0 ? 100.0 * (double)stats.nonzeros / cells : 0.0);
    if (c->table != NULL) {
        print_table(c->table);
    }
    if (!r->writing.unlabelled) {
        print_labels(c,
                     c->table != NULL
                         ? &sdca_table_encoder_features(c->table)->class_names
                         : &none,
                     stats);
    }
    printf("read %.1f MB of text in %.2f s, %.0f MB/s\n", 1e-6 * c->bytes, seconds,
           1e-6 * c->bytes / seconds);
}

/* What is too large for float32 is an error; what is too small is as good as 0, unless
 * all of a column is. */
static void warn_about_underflow(const conversion *c, int64_t vanished)
{
    bool one = vanished == 1;
    char message[SDCA_MESSAGE_SIZE];

    if (vanished > 0) {
        snprintf(message, sizeof message,
                 "%lld value%s too small for float32 and %s become 0; --values float64 "
                 "keeps %s",
                 (long long)vanished, one ? " is" : "s are", one ? "has" : "have",
                 one ? "it" : "them");
        tty_print_message(&c->display.tty, "Warning", message);
    }
}

/* Numbers such as a time in seconds or that of a customer are whole, and meant to be
 * exact; with fractions, nobody expects it. */
static void warn_about_rounding(const conversion *c, int64_t rounded)
{
    bool one = rounded == 1;
    char message[SDCA_MESSAGE_SIZE];

    if (rounded > 0) {
        snprintf(message, sizeof message,
                 "%lld whole number%s too large for float32 to be exact and %s been "
                 "rounded; --values float64 keeps %s",
                 (long long)rounded, one ? " is" : "s are", one ? "has" : "have",
                 one ? "it" : "them");
        tty_print_message(&c->display.tty, "Warning", message);
    }
}

/* Options of tables are for tables, and those of LIBSVM text are not. */
static sdca_status check_format(const sdca_command_line *line, const convert_request *r)
{
    static const char *const tables[] = { "separator",  "header",      "label",
                                          "no-label",   "categorical", "drop",
                                          "categories", "like" };
    static const char *const texts[]  = { "columns", "zero-based" };

    for (size_t k = 0; k < sizeof tables / sizeof tables[0] && r->separator == 0; k++) {
        if (sdca_option_parser_is_given(line, tables[k])) {
            return SDCA_FAIL(SDCA_USAGE,
                             "--%s is for tables; if '%s' is one, say so with --format "
                             "csv or tsv",
                             tables[k], r->in);
        }
    }
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && r->separator != 0; k++) {
        if (sdca_option_parser_is_given(line, texts[k])) {
            return SDCA_FAIL(SDCA_USAGE, "--%s is for LIBSVM text, not for tables",
                             texts[k]);
        }
    }
    if (r->reading.label != NULL && r->reading.unlabelled) {
        return SDCA_FAIL(SDCA_USAGE, "convert takes --label or --no-label, not both");
    }
    if (r->like != NULL && (sdca_option_parser_is_given(line, "categorical") ||
                            sdca_option_parser_is_given(line, "categories"))) {
        return SDCA_FAIL(SDCA_USAGE, "with --like, categories are those of that file");
    }
    return SDCA_OK;
}

static sdca_status read_options(int argc, char **argv, convert_request *r, bool *help)
{
    sdca_status status     = SDCA_OK;
    const char *operand[2] = { NULL, NULL };
    int64_t     columns    = 0;
    const char *format     = "auto";
    const char *header     = "auto";
    const char *separator  = NULL;
    sdca_option table[]    = {
           { "format", 0, SDCA_OPTION_CHOICE, "auto|svmlight|csv|tsv", &format,
             "format of IN", SDCA_GROUP_INPUT, false },
           { "zero-based", 0, SDCA_OPTION_FLAG, NULL, &r->writing.zero_based,
             "indices of LIBSVM text start at 0", SDCA_GROUP_INPUT, false },
           { "separator", 0, SDCA_OPTION_TEXT, "C", &separator,
             "field separator of a table: a character, or tab", SDCA_GROUP_INPUT, false },
           { "header", 0, SDCA_OPTION_CHOICE, "auto|yes|no", &header,
             "first line has the column names", SDCA_GROUP_INPUT, false },
           { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &r->reading.label,
             "label column of a table, by name or number", SDCA_GROUP_INPUT, false },
           { "no-label", 0, SDCA_OPTION_FLAG, NULL, &r->reading.unlabelled,
             "the table has no labels", SDCA_GROUP_INPUT, false },
           { "categorical", 0, SDCA_OPTION_TEXT, "COLUMN,...", &r->reading.categorical,
             "columns whose numbers are categories", SDCA_GROUP_INPUT, false },
           { "categories", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &r->reading.max_categories,
             "limit of categories per column", SDCA_GROUP_INPUT, false },
           { "drop", 0, SDCA_OPTION_TEXT, "COLUMN,...", &r->reading.drop,
             "columns to leave out", SDCA_GROUP_INPUT, false },
           { "columns", 0, SDCA_OPTION_COUNT_POSITIVE, "D", &columns,
             "number of columns (default: what the rows need)", SDCA_GROUP_OUTPUT, false },
           { "like", 0, SDCA_OPTION_TEXT, "DATA.h5", &r->like,
             "use the columns, labels and settings of DATA.h5", SDCA_GROUP_OUTPUT, false },
           { "task", 0, SDCA_OPTION_CHOICE, "classification|regression",
             &r->inherited.task.value, "kind of labels", SDCA_GROUP_OUTPUT, false },
           { "normalize", 0, SDCA_OPTION_CHOICE, "none|rows", &r->inherited.normalize.value,
             "scale to length 1", SDCA_GROUP_OUTPUT, false },
           { "values", 0, SDCA_OPTION_CHOICE, "float32|float64", &r->inherited.values.value,
             "stored type", SDCA_GROUP_OUTPUT, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &r->quiet, "print errors only",
             SDCA_GROUP_OUTPUT, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "convert",
        .purpose       = "Convert LIBSVM/svmlight text or a table to an HDF5 data file.",
        .operand_names = "IN OUT.h5",
        .min_operands  = 2,
        .max_operands  = 2,
        .operand       = operand,
        .options       = table,
        .notes =
            "IN may be compressed by gzip, xz, bzip2 or zstd; - is standard input.\n"
            "A line of LIBSVM text is LABEL INDEX:VALUE ..., with ascending indices from "
            "1 (from 0 with --zero-based); # starts a comment; qid:N is ignored.\n"
            "A table is CSV or TSV (RFC 4180), or has another --separator. A column of "
            "numbers becomes a column of the data set; a column of words is one-hot "
            "encoded. Missing values are errors.\n"
            "\n"
            "Examples:\n"
            "  sdca convert rows.txt.gz rows.h5\n"
            "  xzcat part-*.xz | sdca convert - rows.h5 --columns 47236\n"
            "  sdca convert train.csv train.h5 --label outcome --drop id\n"
            "  sdca convert test.csv test.h5 --label outcome --drop id --like train.h5\n",
        .details =
            "Memory is needed for the longest line and for the categories of a table "
            "only. Error messages give the line and the column of the mistake.\n"
            "\n"
            "Defaults:\n"
            "  --format  auto: by the suffix of IN\n"
            "  --separator  a comma, or a tab for tsv\n"
            "  --header  auto: the first line has names if it has no number\n"
            "  --label  the column named label, y, target or class; numbers start at 1\n"
            "  --task  classification: two labels, stored as -1 and +1; regression: any "
            "numbers\n"
            "  --like  for test sets: DATA.h5 is the converted training set, whose "
            "--normalize, --task and --values apply as well\n",
    };

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, help));
    if (*help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    if (columns > SDCA_SVMLIGHT_MAX_INDEX) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--columns can be at most %d", SDCA_SVMLIGHT_MAX_INDEX);
        goto done;
    }
    r->in                        = operand[0];
    r->out                       = operand[1];
    r->separator                 = separator_choose(format, r->in);
    r->writing.unlabelled        = r->reading.unlabelled;
    r->writing.columns           = (int32_t)columns;
    r->inherited.values.given    = sdca_option_parser_is_given(&line, "values");
    r->inherited.normalize.given = sdca_option_parser_is_given(&line, "normalize");
    r->inherited.task.given      = sdca_option_parser_is_given(&line, "task");
    r->reading.header            = strcmp(header, "yes") == 0  ? SDCA_HEADER_YES
                                   : strcmp(header, "no") == 0 ? SDCA_HEADER_NO
                                                               : SDCA_HEADER_AUTO;
    if (separator != NULL && strcmp(format, "svmlight") != 0) {
        r->reading.separator_given = true;
        SDCA_TRY(separator_parse(separator, &r->separator));
    }
    SDCA_TRY(check_format(&line, r));

done:
    return status;
}

/* What was chosen, by the command line or by --like, is what rows are written with. */
static void resolve_options(convert_request *r)
{
    r->writing.float64    = strcmp(r->inherited.values.value, "float64") == 0;
    r->writing.normalize  = strcmp(r->inherited.normalize.value, "rows") == 0;
    r->writing.classifies = strcmp(r->inherited.task.value, "classification") == 0;
    r->reading.classifies = r->writing.classifies;
}

/* Make the source's bytes a data file. */
static sdca_status convert(conversion *c, convert_request *r, sdca_input_stream *source)
{
    sdca_status               status = SDCA_OK;
    sdca_dataset_writer      *writer = NULL;
    sdca_dataset_writer_stats stats;

    if (r->separator != 0) {
        SDCA_TRY(sdca_table_encoder_create(c->name, r->reading, write_row, c, &c->table));
        SDCA_TRY(scan_columns(c, r, source));
        r->writing.features = sdca_table_encoder_features(c->table);
        r->writing.columns  = (int32_t)r->writing.features->name.count;
    }
    signal_cleanup_add(r->out);
    SDCA_TRY(sdca_dataset_writer_create(r->out, r->writing, &writer));
    c->writer = writer;
    SDCA_TRY(parse_input(c, r->separator, source));
    stats = sdca_dataset_writer_get_stats(writer);
    if (stats.rows == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", c->name);
        goto done;
    }
    if (stats.columns == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no columns in it", c->name);
        goto done;
    }
    writer = NULL; /* gone, whatever the result */
    SDCA_TRY(sdca_dataset_writer_commit(c->writer));
    status_line_close(&c->display);
    if (!r->quiet) {
        warn_about_underflow(c, stats.underflowed);
        if (!r->inherited.values.given && r->like == NULL) {
            warn_about_rounding(c, stats.rounded);
        }
        print_summary(c, r, stats);
    }

done:
    status_line_close(&c->display);
    sdca_dataset_writer_discard(writer);
    sdca_table_encoder_free(c->table);
    return status;
}

sdca_status sdca_cli_convert(int argc, char **argv)
{
    sdca_status        status = SDCA_OK;
    convert_request    r      = { .reading.max_categories    = 1000,
                                  .inherited.values.value    = "float32",
                                  .inherited.normalize.value = "none",
                                  .inherited.task.value      = "classification" };
    sdca_feature_names like   = { 0 };
    sdca_input_stream *source = NULL;
    conversion         c      = { .start = tty_clock() };
    bool               help   = false;

    SDCA_TRY(read_options(argc, argv, &r, &help));
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
    resolve_options(&r);
    SDCA_TRY(r.separator != 0 && r.like == NULL
                 ? sdca_input_stream_open_rewindable(r.in, r.out, &source)
                 : sdca_input_stream_open(r.in, &source));
    c.name        = sdca_input_stream_name(source);
    c.first_index = r.writing.zero_based ? 0 : 1;
    c.classifies  = r.writing.classifies;
    c.display     = status_line_open(!r.quiet);
    SDCA_TRY(convert(&c, &r, source));

done:
    sdca_input_stream_close(source);
    sdca_feature_names_free(&like);
    return status;
}
