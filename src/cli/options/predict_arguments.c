/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_arguments.c - the command line of predict: its options, --help and checks. */
#include "cli/options/predict_arguments.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/separator.h"
#include "cli/predict/prediction_file.h"
#include "io/atomic_file.h"

/* Reject options of text for HDF5 files, and those of tables for LIBSVM text. */
static sdca_status check_text_options(const sdca_command_line *line,
                                      const predict_arguments *options)
{
    static const char *const texts[] = { "keep", "unknown", "separator", "header" };
    static const char *const cells[] = { "x", "names", "covariates", "where" };
    bool                     table   = options->is_text && options->text.separator != 0;

    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && !table; k++) {
        if (sdca_option_parser_is_given(line, texts[k])) {
            return SDCA_FAIL(
                SDCA_USAGE,
                "--%s applies to tables; if '%s' is one, use --format csv or tsv",
                texts[k], options->data);
        }
    }
    for (size_t k = 0; k < sizeof cells / sizeof cells[0] && options->is_text; k++) {
        if (sdca_option_parser_is_given(line, cells[k])) {
            return SDCA_FAIL(SDCA_USAGE, "--%s applies to AnnData files", cells[k]);
        }
    }
    if (options->is_text && !table && options->text.missing_columns) {
        return SDCA_FAIL(SDCA_USAGE, "--missing-columns applies to columns with names");
    }
    if ((!options->is_text || table) && options->text.zero_based) {
        return SDCA_FAIL(SDCA_USAGE, "--zero-based applies to LIBSVM text");
    }
    if (options->is_text && !table &&
        (options->label_column != NULL || options->weight_column != NULL)) {
        return SDCA_FAIL(SDCA_USAGE, "LIBSVM text has no columns --label and --weight");
    }
    if (options->text.keep != NULL &&
        (options->out == NULL || prediction_file_is_hdf5(options->out))) {
        return SDCA_FAIL(SDCA_USAGE, "--keep requires -o OUT.csv");
    }
    return SDCA_OK;
}

/* What the options say about a text. */
static sdca_status read_text_options(const sdca_command_line *line, const char *format,
                                     const char *separator, const char *header,
                                     const char *unknown, const char *missing,
                                     predict_arguments *options)
{
    predict_text_options *text   = &options->text;
    sdca_status           status = SDCA_OK;

    options->is_text      = predict_text_is_text(format, options->data);
    text->path            = options->data;
    text->out             = options->out;
    text->separator       = separator_choose(format, options->data);
    text->label           = options->label_column;
    text->weight          = options->weight_column;
    text->unlabelled      = options->unlabelled;
    text->unweighted      = options->unweighted;
    text->refuse_unknown  = strcmp(unknown, "error") == 0;
    text->missing_columns = strcmp(missing, "zero") == 0;
    text->header          = strcmp(header, "yes") == 0  ? SDCA_HEADER_YES
                            : strcmp(header, "no") == 0 ? SDCA_HEADER_NO
                                                        : SDCA_HEADER_AUTO;
    if (separator != NULL && options->is_text && strcmp(format, "svmlight") != 0) {
        text->separator_given = true;
        SDCA_TRY(separator_parse(separator, &text->separator));
    }
    SDCA_TRY(check_text_options(line, options));

done:
    return status;
}

sdca_status predict_arguments_parse(int argc, char **argv, predict_arguments *options,
                                    bool *help)
{
    const char *operand[2] = { NULL, NULL };
    const char *format     = "auto";
    const char *separator  = NULL;
    const char *header     = "auto";
    const char *unknown    = "ignore";
    const char *missing    = "error";
    sdca_option table[]    = {
           { "output-file", 'o', SDCA_OPTION_TEXT, "OUT.csv|OUT.h5", &options->out,
             "write the prediction and score of every row", SDCA_GROUP_OUTPUT, false },
           { "metrics", 0, SDCA_OPTION_TEXT, "FILE.json", &options->metrics,
             "write all metrics as JSON", SDCA_GROUP_OUTPUT, false },
           { "threshold", 0, SDCA_OPTION_NUMBER, "T", &options->threshold,
             "two classes: predict the greater label for scores above T", SDCA_GROUP_OUTPUT,
             false },
           { "keep", 0, SDCA_OPTION_TEXT, "COLUMN,...", &options->text.keep,
             "columns of a table to copy into OUT.csv", SDCA_GROUP_OUTPUT, false },
           { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &options->quiet, "print errors only",
             SDCA_GROUP_OUTPUT, false },
           { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &options->label_column,
             "column of a table, or of AnnData's obs, with the labels", SDCA_GROUP_INPUT,
             false },
           { "weight", 0, SDCA_OPTION_TEXT, "COLUMN", &options->weight_column,
             "column of a table, or of AnnData's obs, with the weights", SDCA_GROUP_INPUT,
             false },
           { "unweighted", 0, SDCA_OPTION_FLAG, NULL, &options->unweighted,
             "ignore the weights of the data", SDCA_GROUP_INPUT, false },
           { "unlabelled", 0, SDCA_OPTION_FLAG, NULL, &options->unlabelled,
             "ignore the labels of the data", SDCA_GROUP_INPUT, false },
           { "x", 0, SDCA_OPTION_TEXT, "X|raw/X|layers/NAME|obsm/NAME", &options->cells.x,
             "matrix of an AnnData file", SDCA_GROUP_INPUT, false },
           { "names", 0, SDCA_OPTION_TEXT, "COLUMN", &options->cells.names,
             "column of var with the names of columns (AnnData)", SDCA_GROUP_INPUT, false },
           { "covariates", 0, SDCA_OPTION_TEXT, "COLUMN,...", &options->cells.covariates,
             "columns of obs that are further features (AnnData)", SDCA_GROUP_INPUT, false },
           { "where", 0, SDCA_OPTION_TEXT, "COLUMN=VALUE,...", &options->cells.where,
             "rows to predict, by a column of obs; also != (AnnData)", SDCA_GROUP_INPUT,
             false },
           { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &options->follow_links,
             "follow external links of the data file", SDCA_GROUP_INPUT, false },
           { "format", 0, SDCA_OPTION_CHOICE, "auto|hdf5|svmlight|csv|tsv", &format,
             "format of DATA", SDCA_GROUP_INPUT, false },
           { "zero-based", 0, SDCA_OPTION_FLAG, NULL, &options->text.zero_based,
             "indices of LIBSVM text start at 0", SDCA_GROUP_INPUT, false },
           { "separator", 0, SDCA_OPTION_TEXT, "C", &separator,
             "field separator of a table: a character, or tab", SDCA_GROUP_INPUT, false },
           { "header", 0, SDCA_OPTION_CHOICE, "auto|yes|no", &header,
             "first line of a table has the column names", SDCA_GROUP_INPUT, false },
           { "unknown", 0, SDCA_OPTION_CHOICE, "ignore|error", &unknown,
             "categories that the model does not have", SDCA_GROUP_INPUT, false },
           { "missing-columns", 0, SDCA_OPTION_CHOICE, "error|zero", &missing,
             "columns of the model that DATA does not have", SDCA_GROUP_INPUT, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "predict",
        .purpose       = "Predict the labels of a data set, and report the error.",
        .operand_names = "MODEL.h5 DATA",
        .min_operands  = 2,
        .max_operands  = 2,
        .operand       = operand,
        .options       = table,
        .notes =
            "Prints the metrics if the data have labels: error, AUC, precision, recall "
            "and more, or RMSE, MAE and R2 of a regression. Columns that the model does "
            "not have are ignored. "
            "Runs alone or under mpirun.\n"
            "DATA is a data file, an AnnData file, a table (CSV, TSV), or "
            "LIBSVM/svmlight text; a text may be compressed, and - is standard "
            "input. A table needs a model that was trained on a table: its columns "
            "are found by name, in any order.\n"
            "\n"
            "Examples:\n"
            "  sdca predict model.h5 test.h5\n"
            "  sdca predict model.h5 new.csv -o predictions.csv --keep id\n"
            "  mpirun -np 2 sdca predict model.h5 rows.h5 -o labels.csv\n",
        .details =
            "The score of a row x is w.x, where x is normalised if the model was trained "
            "with --normalize rows. For two classes the prediction is the greater "
            "label if the score is above 0 or the --threshold, else the smaller one; for "
            "more classes it is "
            "the label of the greatest score, and of equal ones the first; for "
            "regression it is the score.\n"
            "\n"
            "The certificate of the model bounds the distance of its weights from the "
            "exact optimum, and so that of each score from the score of the optimum. "
            "Where this cannot change the label, the label is certain: it is proven to "
            "be that of the exact optimum. It is not proven to be right. "
            "docs/certificates.md has the proof.\n"
            "\n"
            "If the data have weights, all metrics are weighted: the error is the weight "
            "of the rows with a wrong label divided by the weight of all rows, and RMSE "
            "and MAE are weighted means. For more than two classes, AUC and average "
            "precision are the means of those of each class against the rest. Log-loss "
            "and Brier score need probabilities, which the logistic loss has, and models "
            "of train --calibrate. Rows with a label that the model does not know count "
            "as wrong, and are left out of "
            "all metrics but the error and that of the majority vote. Metrics take 56 "
            "bytes of memory per row, and 8 per row and score.\n"
            "\n"
            "A model that was trained on a converted table keeps the columns of the "
            "table, their categories, and the names of the label and weight columns. "
            "Another table is encoded in the same way. If it has the label column, the "
            "error is printed, over the rows with a label. Missing values are treated "
            "as in the training data: with convert --missing drop, their rows have no "
            "line in OUT. A category that the model does not have counts as no "
            "category, and a warning says how many there are; with --unknown error it is "
            "an error. Of several ranks, the first reads and scores a text, and writes "
            "the lines of OUT.csv as it reads. Only the scores of rows with a label are "
            "held in memory, for the metrics, and those of all rows for OUT.h5.\n"
            "\n"
            "If both the model and a data file have names of columns, from a table or "
            "from AnnData's var, columns are matched by name, in any order; those that "
            "the model does not have are ignored, and those that the file does not have "
            "are an error, or 0 with --missing-columns zero. Otherwise columns are "
            "matched by position.\n"
            "\n"
            "A model that was trained on an AnnData file keeps --x, --names, --label and "
            "--covariates, which apply to DATA unless they are given again. Cells "
            "without "
            "a label have a prediction and are left out of the metrics. OUT.csv begins "
            "with the names of the cells, the index of obs.\n"
            "\n"
            "Files:\n"
            "  OUT.csv  a line prediction,score for every row, in the order of the data, "
            "below a line of names; of more than two classes prediction and score_LABEL "
            "for each label; for the logistic loss and calibrated models also "
            "probability_LABEL, of two "
            "classes that of the greater label; for classes also certain, 1 for labels "
            "that are proven to be those of the exact optimum, else 0, and with "
            "probabilities probability_low_LABEL and probability_high_LABEL, between "
            "which the probability of the optimum is proven to lie; - is standard "
            "output, "
            "and the error is then printed to standard error\n"
            "  OUT.h5  the same as arrays prediction, score, probability, certain, "
            "probability_low and probability_high; all but prediction and certain have "
            "a column per class if there are more than two\n"
            "  FILE.json  all metrics, those of each class, and the confusion matrix: a "
            "row per label, a column per prediction; docs/formats.md lists the names\n",
    };
    sdca_status status = sdca_option_parser_run(&line, argc, argv, help);

    if (status == SDCA_OK && *help) {
        sdca_help_print(&line, stdout);
    }
    options->model         = operand[0];
    options->data          = operand[1];
    options->has_threshold = sdca_option_parser_is_given(&line, "threshold");
    if (status == SDCA_OK && !*help) {
        SDCA_TRY(read_text_options(&line, format, separator, header, unknown, missing,
                                   options));
    }
    if (status == SDCA_OK && !*help && options->unlabelled &&
        (options->out == NULL || options->label_column != NULL)) {
        status = SDCA_FAIL(SDCA_USAGE, "--unlabelled requires -o and excludes --label");
    }
    if (status == SDCA_OK && !*help && options->weight_column != NULL &&
        (options->unweighted || options->unlabelled)) {
        status = SDCA_FAIL(SDCA_USAGE, "--weight excludes --unweighted and --unlabelled");
    }
    if (status == SDCA_OK && !*help && options->metrics != NULL) {
        if (options->unlabelled) {
            return SDCA_FAIL(SDCA_USAGE, "--metrics excludes --unlabelled");
        }
        SDCA_TRY(sdca_atomic_file_check_writable(options->metrics));
        SDCA_TRY(sdca_atomic_file_check_not_input(options->metrics, options->model));
        SDCA_TRY(sdca_atomic_file_check_not_input(options->metrics, options->data));
        if (options->out != NULL) {
            SDCA_TRY(sdca_atomic_file_check_distinct(options->metrics, options->out));
        }
    }
    if (status == SDCA_OK && !*help && options->out != NULL) {
        SDCA_TRY(sdca_atomic_file_check_not_input(options->out, options->model));
        SDCA_TRY(sdca_atomic_file_check_not_input(options->out, options->data));
    }

done:
    return status;
}
