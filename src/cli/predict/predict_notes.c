/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_notes.c - what predict says of data that differ from those of the training. */
#include "cli/predict/predict_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/anndata_files.h"
#include "cli/ui/plural.h"
#include "cli/ui/run_warnings.h"
#include "mpi/comm.h"

/* Columns of the data that the model does not have are ignored, and those missing from
 * the data are 0: this may be intended, or a mistake. */
static void print_column_note(const live_progress *display, const sdca_model *model,
                              const sdca_dataset *data, const predict_arguments *options)
{
    char message[SDCA_MESSAGE_SIZE];

    if (data->missing_columns > 0) {
        snprintf(message, sizeof message,
                 "'%s' lacks %lld column%s of the model: 0 is used", options->data,
                 (long long)data->missing_columns, plural((double)data->missing_columns));
        terminal_line_print_message(&display->terminal, "Note", message);
    } else if (data->file_columns != model->columns) {
        snprintf(message, sizeof message, "'%s' has %ld column%s, the model %ld: %s",
                 options->data, (long)data->file_columns, plural(data->file_columns),
                 (long)model->columns,
                 data->file_columns > model->columns ? "the excess ones are ignored"
                                                     : "the missing ones are 0");
        terminal_line_print_message(&display->terminal, "Note", message);
    }
}

void predict_notes_print(MPI_Comm comm, const live_progress *display,
                         const sdca_model *model, const sdca_dataset *data,
                         const predict_arguments *options)
{
    char message[SDCA_MESSAGE_SIZE];

    run_warnings_check_labels(comm, data, options->data, &model->labels, message);
    if (sdca_comm_rank(comm) == 0 && !options->quiet) {
        print_column_note(display, model, data, options);
        anndata_files_print_notes(&display->terminal, data, options->data,
                                  "they have predictions, but are not in the metrics");
        if (message[0] != '\0') {
            terminal_line_print_message(&display->terminal, "Warning", message);
        }
    }
}

/* Missing values of a table. */
static void print_missing_values(const live_progress     *display,
                                 const predict_text_rows *text)
{
    char message[SDCA_MESSAGE_SIZE];

    if (text->left_out > 0) {
        snprintf(
            message, sizeof message,
            "%lld row%s missing values and no prediction, as --missing drop was used "
            "for the training data; --keep copies a column that tells the others "
            "apart",
            (long long)text->left_out, text->left_out == 1 ? " has" : "s have");
        terminal_line_print_message(&display->terminal, "Warning", message);
    }
    if (text->new_missing > 0) {
        snprintf(message, sizeof message,
                 "%lld value%s missing in columns where the training data have all "
                 "values: the mean or median is used, or no category",
                 (long long)text->new_missing, text->new_missing == 1 ? " is" : "s are");
        terminal_line_print_message(&display->terminal, "Warning", message);
    }
    if (text->rows.unlabelled > 0 && text->has_labels) {
        snprintf(message, sizeof message,
                 "%lld row%s no label: the metrics are those of the others",
                 (long long)text->rows.unlabelled,
                 text->rows.unlabelled == 1 ? " has" : "s have");
        terminal_line_print_message(&display->terminal, "Note", message);
    }
}

void predict_notes_print_text(const live_progress *display, const sdca_model *model,
                              const predict_text_rows *text, const char *path)
{
    char message[SDCA_MESSAGE_SIZE];

    if (text->unknown > 0) {
        const char *name = text->unknown_column.text[0];

        snprintf(message, sizeof message,
                 "%lld value%s not a category of the training data, the first in the "
                 "column '%s': %s counted as no category",
                 (long long)text->unknown, text->unknown == 1 ? " is" : "s are",
                 sdca_string_escape(name, strlen(name)).text,
                 text->unknown == 1 ? "it is" : "they are");
        terminal_line_print_message(&display->terminal, "Warning", message);
    }
    if (text->absent > 0) {
        snprintf(message, sizeof message,
                 "%lld column%s of the training data %s not in the table: 0 is used",
                 (long long)text->absent, plural((double)text->absent),
                 text->absent == 1 ? "is" : "are");
        terminal_line_print_message(&display->terminal, "Note", message);
    }
    print_missing_values(display, text);
    run_warnings_describe_unknown(text->rows.unknown, path, &model->labels, message);
    if (message[0] != '\0') {
        terminal_line_print_message(&display->terminal, "Warning", message);
    }
}
