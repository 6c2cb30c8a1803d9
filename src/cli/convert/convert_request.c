/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_request.c - the command line of sdca convert. */
#include "cli/convert/convert_request.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/separator.h"
#include "io/svmlight.h"

/* Reject options of tables for LIBSVM text, and the reverse. */
static sdca_status check_format(const sdca_command_line *line, const convert_request *r)
{
    static const char *const tables[] = { "separator",  "header",      "label",
                                          "no-label",   "categorical", "drop",
                                          "categories", "like",        "weight",
                                          "missing",    "hash",        "group" };
    static const char *const texts[]  = { "columns", "zero-based" };

    for (size_t k = 0; k < sizeof tables / sizeof tables[0] && r->separator == 0; k++) {
        if (sdca_option_parser_is_given(line, tables[k])) {
            return SDCA_FAIL(
                SDCA_USAGE,
                "--%s applies to tables; if '%s' is one, use --format csv or tsv",
                tables[k], r->in);
        }
    }
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && r->separator != 0; k++) {
        if (sdca_option_parser_is_given(line, texts[k])) {
            return SDCA_FAIL(SDCA_USAGE, "--%s applies to LIBSVM text, not to tables",
                             texts[k]);
        }
    }
    if (r->reading.label != NULL && r->reading.unlabelled) {
        return SDCA_FAIL(SDCA_USAGE, "convert takes --label or --no-label, not both");
    }
    if (r->reading.weight != NULL && r->weights != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "convert takes --weight or --weights, not both");
    }
    if (r->reading.group != NULL && strchr(r->reading.group, '/') != NULL) {
        return SDCA_FAIL(
            SDCA_USAGE,
            "--group '%s' has a '/', which the name of an array cannot have: give "
            "the number of the column",
            r->reading.group);
    }
    if (r->weights != NULL && strcmp(r->weights, "-") == 0 && strcmp(r->in, "-") == 0) {
        return SDCA_FAIL(SDCA_USAGE, "IN and --weights cannot both be standard input");
    }
    if (r->like != NULL && (sdca_option_parser_is_given(line, "categorical") ||
                            sdca_option_parser_is_given(line, "categories") ||
                            sdca_option_parser_is_given(line, "missing") ||
                            sdca_option_parser_is_given(line, "hash"))) {
        return SDCA_FAIL(SDCA_USAGE, "--like excludes --categorical, --categories, "
                                     "--missing and --hash");
    }
    if (r->reading.hash > SDCA_SVMLIGHT_MAX_INDEX / 2) {
        return SDCA_FAIL(SDCA_USAGE, "--hash can be at most %d",
                         SDCA_SVMLIGHT_MAX_INDEX / 2);
    }
    return SDCA_OK;
}

sdca_status convert_request_parse(int argc, char **argv, convert_request *r, bool *help)
{
    sdca_status status     = SDCA_OK;
    const char *operand[2] = { NULL, NULL };
    int64_t     columns    = 0;
    const char *format     = "auto";
    const char *header     = "auto";
    const char *separator  = NULL;
    const char *missing    = "error";
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
           { "hash", 0, SDCA_OPTION_COUNT_POSITIVE, "N", &r->reading.hash,
             "hash columns of more than N categories into N columns", SDCA_GROUP_INPUT,
             false },
           { "missing", 0, SDCA_OPTION_CHOICE, "error|drop|mean|median|category", &missing,
             "how missing values of a table are treated", SDCA_GROUP_INPUT, false },
           { "drop", 0, SDCA_OPTION_TEXT, "COLUMN,...", &r->reading.drop,
             "columns to leave out", SDCA_GROUP_INPUT, false },
           { "weight", 0, SDCA_OPTION_TEXT, "COLUMN", &r->reading.weight,
             "column of a table with the sample weights", SDCA_GROUP_INPUT, false },
           { "weights", 0, SDCA_OPTION_TEXT, "FILE", &r->weights,
             "text with the sample weight of a row per line", SDCA_GROUP_INPUT, false },
           { "group", 0, SDCA_OPTION_TEXT, "COLUMN", &r->reading.group,
             "column of a table with the groups of rows, for train --fold-groups",
             SDCA_GROUP_INPUT, false },
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
            "encoded. Missing values are errors unless --missing is given: empty "
            "fields, NA, N/A, #N/A, <NA>, NaN, null, None and ?, in letters of any "
            "case.\n"
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
            "Sample weights are numbers of 0 or more. They become the array weight, "
            "which "
            "train, predict and --test use.\n"
            "\n"
            "The groups of --group are texts or numbers, such as the names of patients. "
            "Their column is not a feature; train --fold-groups COLUMN keeps the rows of "
            "a group in one fold.\n"
            "\n"
            "A missing value is an empty field, or NA, N/A, #N/A, <NA>, NaN, null, None "
            "or ? without quotes. --missing drop leaves out its row. mean, median and "
            "category add a column for each column with missing values, which is 1 where "
            "the value is missing and 0 elsewhere; a missing number becomes the mean or "
            "the median of the column, or 0 with category, and a missing word has no "
            "category. Except with error, rows without a label are left out. The data "
            "file keeps the choice, and predict treats other tables in the same way. "
            "median needs 8 bytes of memory per number.\n"
            "\n"
            "--hash N makes N columns of a column with more than N categories; the hash "
            "of a category (64-bit FNV-1a, modulo N) is the number of its column. The "
            "limit --categories then does not apply, and no category is unknown to "
            "predict.\n"
            "\n"
            "Defaults:\n"
            "  --format  auto: by the suffix of IN\n"
            "  --separator  a comma, or a tab for tsv\n"
            "  --header  auto: the first line has names if it has no number\n"
            "  --label  the column named label, y, target or class; numbers start at 1\n"
            "  --task  classification: two labels, stored as -1 and +1, or up to 10,000; "
            "regression: any numbers\n"
            "  --like  for test sets: DATA.h5 is the converted training set, whose "
            "--normalize, --task and --values apply as well\n",
    };

    *r = (convert_request){ .reading.max_categories    = 1000,
                            .inherited.values.value    = "float32",
                            .inherited.normalize.value = "none",
                            .inherited.task.value      = "classification" };
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
    r->in                 = operand[0];
    r->out                = operand[1];
    r->separator          = separator_choose(format, r->in);
    r->writing.unlabelled = r->reading.unlabelled;
    r->writing.weighted   = r->weights != NULL || r->reading.weight != NULL;
    r->writing.group      = r->reading.group;
    r->writing.columns    = (int32_t)columns;
    r->reading.missing    = (sdca_table_missing)0;
    while (strcmp(missing, sdca_table_missing_names[r->reading.missing]) != 0) {
        r->reading.missing++;
    }
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

void convert_request_resolve(convert_request *r)
{
    r->writing.float64    = strcmp(r->inherited.values.value, "float64") == 0;
    r->writing.normalize  = strcmp(r->inherited.normalize.value, "rows") == 0;
    r->writing.classifies = strcmp(r->inherited.task.value, "classification") == 0;
    r->reading.classifies = r->writing.classifies;
}

sdca_status convert_request_check_weights(const convert_request   *r,
                                          const sdca_table_schema *like)
{
    sdca_table_missing missing = r->like != NULL ? like->missing : r->reading.missing;

    return missing == SDCA_MISSING_ERROR
               ? SDCA_OK
               : SDCA_FAIL(
                     SDCA_USAGE,
                     "--weights has a weight per row, and --missing %s may leave out "
                     "rows: make the weights a column, for --weight",
                     sdca_table_missing_names[missing]);
}
