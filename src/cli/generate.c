/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate.c - sdca generate: synthetic data sets. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/signal_cleanup.h"
#include "cli/ui/live_progress.h"
#include "data/dataset_writer.h"
#include "io/atomic_file.h"
#include "synthetic/synthetic.h"

typedef struct generate_options {
    const char *shape;
    const char *out;
    const char *test; /* or NULL */
    const char *values;
    double      scale;
    int64_t     classes; /* 0: as many as the shape has by default */
    int64_t     columns; /* the same */
    int64_t     seed;
    bool        quiet;
} generate_options;

static sdca_status read_options(int argc, char **argv, generate_options *options,
                                bool *help)
{
    const char *operand[2] = { NULL, NULL };
    sdca_option table[]    = {
           { "classes", 0, SDCA_OPTION_COUNT_POSITIVE, "K", &options->classes,
             "classes of topics (default 20) or digits (default 10): 2 to 10000",
             SDCA_GROUP_GENERAL, false },
           { "columns", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &options->columns,
             "columns of ctr, into which categories are hashed (default 1048576)",
             SDCA_GROUP_GENERAL, false },
           { "scale", 0, SDCA_OPTION_POSITIVE, "S", &options->scale,
             "number of rows relative to those below", SDCA_GROUP_GENERAL, false },
           { "seed", 0, SDCA_OPTION_COUNT, "N", &options->seed, "random seed",
             SDCA_GROUP_GENERAL, false },
           { "test", 't', SDCA_OPTION_TEXT, "TEST.h5", &options->test,
             "also write a test set", SDCA_GROUP_GENERAL, false },
           { "values", 0, SDCA_OPTION_CHOICE, "float32|float64", &options->values,
             "stored type", SDCA_GROUP_GENERAL, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &options->quiet, "print errors only",
             SDCA_GROUP_GENERAL, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command = "generate",
        .purpose =
            "Generate a synthetic data set: the shapes of the paper's sets, and others.",
        .operand_names   = "SHAPE OUT.h5",
        .operand_choices = "astro-ph|ccat|cov1|regression|topics|digits|ctr",
        .min_operands    = 2,
        .max_operands    = 2,
        .operand         = operand,
        .options         = table,
        .notes =
            "The shapes, with rows for training and test at scale 1, columns, and "
            "non-zeros per row:\n"
            "  astro-ph     29882 +  32487   99757   77   text, two classes\n"
            "  ccat        781265 +  23149   47236   77   text, two classes\n"
            "  cov1        522911 +  58101      54   12   map data, two classes\n"
            "  regression  100000 +  10000    1000   30   real labels\n"
            "  topics       60000 +  15000   30000   71   text, classes 1 to K\n"
            "  digits       60000 +  10000     784  152   images, classes 0 to K-1\n"
            "  ctr         600000 +  60000 1048576   39   click log, two classes\n"
            "All rows have length 1. A set has at least 16 rows, and one per class of "
            "topics and digits. The number of "
            "columns does not depend on the "
            "scale. Neighbouring topics share words. A row of ctr has one "
            "category of each of 39 fields. The same seed gives the same bits "
            "on any machine. Training and "
            "test rows are drawn from the same distribution.\n"
            "\n"
            "Example:\n"
            "  sdca generate astro-ph train.h5 --scale 0.1 --test test.h5\n",
    };
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, help));
    if (*help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    options->shape = operand[0];
    options->out   = operand[1];
    if (options->test != NULL) {
        SDCA_TRY(sdca_atomic_file_check_distinct(options->out, options->test));
    }

done:
    return status;
}

enum { TRAIN, TEST, FILES }; /* the files, of which the second is optional */

/* One of them. */
typedef struct output_file {
    const char          *path; /* NULL: not requested */
    sdca_range           rows;
    sdca_dataset_writer *writer;
    sdca_synthetic_stats stats;
} output_file;

static sdca_status create_file(output_file *file, sdca_dataset_writer_options layout)
{
    signal_cleanup_add(file->path);
    return sdca_dataset_writer_create(file->path, layout, &file->writer);
}

/* Write all rows of a file, in chunks between which the progress is shown. */
static sdca_status write_rows(const sdca_synthetic *synthetic, bool float64,
                              live_progress *display, output_file *file)
{
    const int64_t         chunk  = 8192;
    sdca_status           status = SDCA_OK;
    sdca_synthetic_stats *stats  = &file->stats;
    /* A column and a value; an offset and a label. */
    double per_nonzero = 4.0 + (float64 ? 8.0 : 4.0), per_row = 16.0;

    live_progress_begin_rows(display, file->path);
    for (int64_t at = 0; at < file->rows.count; at += chunk) {
        int64_t    left = file->rows.count - at;
        sdca_range next = { file->rows.first + at, left < chunk ? left : chunk };

        SDCA_TRY(sdca_synthetic_write_rows(synthetic, next, file->writer, stats));
        live_progress_update_rows(
            display, (double)(at + next.count) / (double)file->rows.count,
            per_nonzero * (double)stats->nonzeros + per_row * (double)stats->rows,
            at + next.count);
    }

done:
    return status;
}

static void print_summary(const char *path, const sdca_synthetic_info *info,
                          const sdca_synthetic_stats *stats)
{
    double per_row = (double)stats->nonzeros / (double)stats->rows;

    printf("%s: %" PRId64 " rows x %" PRId32 " columns, %" PRId64
           " non-zeros (%.1f per row, %.2f %%)",
           path, stats->rows, info->columns, stats->nonzeros, per_row,
           per_row * 100.0 / info->columns);
    if (info->classes > 0) {
        printf(", %" PRId32 " classes, labels %" PRId32 " to %" PRId32 "\n",
               info->classes, info->first_label, info->first_label + info->classes - 1);
    } else if (info->classifies) {
        double positive = (double)stats->positive * 100.0 / (double)stats->rows;

        printf(", labels +1 (%.1f %%) and -1 (%.1f %%)\n", positive, 100.0 - positive);
    } else {
        printf(", labels from %.3g to %.3g\n", stats->min_label, stats->max_label);
    }
}

/* Both files are complete before either gets its name: if the disk is full, neither is
 * replaced. */
static sdca_status commit(output_file file[FILES])
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k < FILES; k++) {
        SDCA_TRY(file[k].path != NULL ? sdca_dataset_writer_finish(file[k].writer)
                                      : SDCA_OK);
    }
    for (int k = FILES - 1; k >= 0; k--) {
        sdca_dataset_writer *writer = file[k].writer;

        file[k].writer = NULL; /* freed by commit in any case */
        SDCA_TRY(file[k].path != NULL ? sdca_dataset_writer_commit(writer) : SDCA_OK);
    }

done:
    return status;
}

/* INT32_MAX is refused by the generator. */
static int32_t limit_to_int32(int64_t count)
{
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

sdca_status sdca_cli_generate(int argc, char **argv)
{
    generate_options options           = { .values = "float32", .scale = 1.0, .seed = 1 };
    output_file      file[FILES]       = { { .path = NULL } };
    sdca_dataset_writer_options layout = { .float64 = false };
    sdca_synthetic_info         info;
    sdca_synthetic             *synthetic = NULL;
    sdca_synthetic_size         size      = { 0 };
    bool                        help      = false;
    live_progress               display   = { 0 };
    sdca_status                 status    = SDCA_OK;

    SDCA_TRY(read_options(argc, argv, &options, &help));
    if (help) {
        goto done;
    }
    display = live_progress_open(!options.quiet);
    size    = (sdca_synthetic_size){ options.scale, limit_to_int32(options.classes),
                                     limit_to_int32(options.columns) };
    SDCA_TRY(
        sdca_synthetic_create(options.shape, size, (uint64_t)options.seed, &synthetic));
    info              = sdca_synthetic_get_info(synthetic);
    layout.classifies = info.classifies;
    layout.float64    = strcmp(options.values, "float64") == 0;
    layout.columns    = info.columns;
    file[TRAIN]       = (output_file){ .path = options.out, .rows = { 0, info.rows } };
    file[TEST] =
        (output_file){ .path = options.test, .rows = { info.rows, info.test_rows } };

    for (int k = 0; k < FILES && file[k].path != NULL; k++) {
        SDCA_TRY(create_file(&file[k], layout));
    }
    for (int k = 0; k < FILES && file[k].path != NULL; k++) {
        SDCA_TRY(write_rows(synthetic, layout.float64, &display, &file[k]));
    }
    SDCA_TRY(commit(file));
    live_progress_close(&display);
    for (int k = 0; k < FILES && file[k].path != NULL && !options.quiet; k++) {
        print_summary(file[k].path, &info, &file[k].stats);
    }

done:
    live_progress_close(&display);
    for (int k = 0; k < FILES; k++) {
        sdca_dataset_writer_discard(file[k].writer);
    }
    sdca_synthetic_free(synthetic);
    return status;
}
