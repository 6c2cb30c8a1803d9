/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert.c - sdca convert: LIBSVM/svmlight text in, a data file out.
 *
 * Bytes flow from the source through the parser into the writer, a block at a
 * time; nothing but the longest line is held in memory. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "help.h"
#include "live.h"
#include "options.h"
#include "sdca/output.h"
#include "sdca/source.h"
#include "sdca/svmlight.h"
#include "sdca/writer.h"

/* One conversion, for those who are called back in it. */
typedef struct conversion {
    const char  *name; /* of the input, in words */
    sdca_writer *writer;
    bool         classifies;
    double       bytes; /* read, after unpacking */
    live         live;
} conversion;

/* Say where the row stands that the writer refused, and what would help. */
static sdca_status complain(const conversion *c, const sdca_text_row *row,
                            sdca_status status)
{
    sdca_writer_facts facts = sdca_writer_describe(c->writer);
    bool third = c->classifies && facts.labels == 2 && row->label != facts.label[0] &&
                 row->label != facts.label[1];
    char why[SDCA_WHY_SIZE];

    if (status != SDCA_DATA) {
        return status;
    }
    memcpy(why, sdca_status_why(), sizeof why);
    return SDCA_FAIL(status, "%s, line %lld: %s%s", c->name, (long long)row->line, why,
                     third ? "; --task regression takes any" : "");
}

static sdca_status take_row(void *context, const sdca_text_row *row)
{
    conversion *c = context;
    sdca_status status =
        sdca_writer_row(c->writer, row->label, row->count, row->column, row->value);

    return status == SDCA_OK ? SDCA_OK : complain(c, row, status);
}

/* Everything from the source into the writer. */
static sdca_status pump(conversion *c, sdca_source *source)
{
    sdca_status    status = SDCA_OK;
    sdca_svmlight *parser = NULL;
    const char    *block  = NULL;
    size_t         length = 0;

    SDCA_TRY(sdca_svmlight_create(c->name, take_row, c, &parser));
    do {
        SDCA_TRY(sdca_source_read(source, &block, &length));
        SDCA_TRY(sdca_svmlight_feed(parser, block, length));
        c->bytes += (double)length;
        live_rows(&c->live, sdca_source_share(source), c->bytes,
                  sdca_writer_describe(c->writer).rows);
    } while (length > 0);
    SDCA_TRY(sdca_svmlight_finish(parser));
    if (sdca_writer_describe(c->writer).rows == 0) {
        status = SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", c->name);
    }

done:
    sdca_svmlight_free(parser);
    return status;
}

static void print_summary(const conversion *c, const char *path, sdca_writer_facts facts)
{
    double seconds = terminal_clock() - c->live.began;
    double cells   = (double)facts.rows * (double)facts.columns;

    printf("%s: %lld rows, %ld columns, %lld non-zeros (%.3g %%)\n", path,
           (long long)facts.rows, (long)facts.columns, (long long)facts.nonzeros,
           cells > 0.0 ? 100.0 * (double)facts.nonzeros / cells : 0.0);
    if (!c->classifies) {
        printf("labels are kept as numbers, for regression\n");
    } else if (facts.labels == 1) {
        printf("there is one label only: %.10g, stored as %s\n", facts.label[0],
               facts.label[0] > 0.0 ? "+1" : "-1");
    } else {
        printf("of the labels, %.10g is stored as -1 and %.10g as +1\n", facts.label[0],
               facts.label[1]);
    }
    printf("read %.1f MB of text in %.2f s, %.0f MB/s\n", 1e-6 * c->bytes, seconds,
           1e-6 * c->bytes / seconds);
}

sdca_status sdca_cli_convert(int argc, char **argv)
{
    sdca_status         status     = SDCA_OK;
    const char         *operand[2] = { NULL, NULL };
    int64_t             columns    = 0;
    const char         *values     = "float32";
    const char         *normalize  = "none";
    const char         *task       = "classification";
    bool                quiet      = false;
    bool                help       = false;
    sdca_source        *source     = NULL;
    conversion          c          = { 0 };
    sdca_writer        *writer     = NULL;
    sdca_writer_options options;
    sdca_writer_facts   facts;

    sdca_option table[] = {
        { .name     = "columns",
          .kind     = SDCA_OPTION_COUNT_POSITIVE,
          .argument = "D",
          .target   = &columns,
          .help     = "columns of the data set; default: as many as the rows need" },
        { .name     = "values",
          .kind     = SDCA_OPTION_CHOICE,
          .argument = "float32|float64",
          .target   = &values,
          .help     = "how values are stored" },
        { .name     = "normalize",
          .kind     = SDCA_OPTION_CHOICE,
          .argument = "none|rows",
          .target   = &normalize,
          .help     = "whether to divide each row by its length" },
        { .name     = "task",
          .kind     = SDCA_OPTION_CHOICE,
          .argument = "classification|regression",
          .target   = &task,
          .help     = "two labels, stored as -1 and +1, or any numbers" },
        { .name   = "quiet",
          .letter = 'q',
          .kind   = SDCA_OPTION_FLAG,
          .target = &quiet,
          .help   = "print errors only" },
        { .name = NULL },
    };
    sdca_command_line line = {
        .command  = "convert",
        .purpose  = "Convert LIBSVM/svmlight text to an HDF5 data file.",
        .operands = "IN OUT.h5",
        .least    = 2,
        .most     = 2,
        .operand  = operand,
        .options  = table,
        .notes =
            "IN may be plain or packed by gzip, xz, bzip2 or zstd; - is standard input.\n"
            "A line is LABEL INDEX:VALUE ..., indices ascending from 1; a # begins a\n"
            "comment; qid:N is ignored.\n"
            "\n"
            "Examples:\n"
            "  sdca convert rows.txt.gz rows.h5\n"
            "  xzcat part-*.xz | sdca convert - rows.h5 --columns 47236\n",
        .details =
            "Memory is needed for the longest line only. What is wrong with the text "
            "is said with the line and the column where it stands.\n",
    };

    SDCA_TRY(sdca_options_parse(&line, argc, argv, &help));
    if (help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    if (columns > SDCA_SVMLIGHT_INDEX) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--columns can be at most %d", SDCA_SVMLIGHT_INDEX);
        goto done;
    }
    c.classifies = strcmp(task, "classification") == 0;
    options      = (sdca_writer_options){ .classifies = c.classifies,
                                          .wide       = strcmp(values, "float64") == 0,
                                          .normalize  = strcmp(normalize, "rows") == 0,
                                          .columns    = (int32_t)columns };
    SDCA_TRY(sdca_output_check_other(operand[1], operand[0]));
    SDCA_TRY(sdca_source_open(operand[0], &source));
    c.name = sdca_source_name(source);
    c.live = live_open(!quiet);
    live_begin_rows(&c.live, c.name);
    SDCA_TRY(sdca_writer_create(operand[1], options, &writer));
    c.writer = writer;
    SDCA_TRY(pump(&c, source));
    facts  = sdca_writer_describe(writer);
    writer = NULL; /* gone, whatever the result */
    SDCA_TRY(sdca_writer_commit(c.writer));
    live_close(&c.live);
    if (!quiet) {
        print_summary(&c, operand[1], facts);
    }

done:
    live_close(&c.live);
    sdca_writer_abandon(writer);
    sdca_source_close(source);
    return status;
}
