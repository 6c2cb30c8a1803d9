/* SPDX-License-Identifier: BSD-3-Clause
 *
 * export.c - sdca export: a model in the formats of other programs. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/signal_cleanup.h"
#include "io/atomic_file.h"
#include "model/model.h"

/* Without normalisation a row gets the same label, but another probability. */
static void warn_unnormalized(const sdca_model *model)
{
    if (model->normalized && model->objective.loss->log_odds) {
        fputs("Note: this model expects normalised rows, and liblinear-predict does not "
              "normalise them: its labels are correct, but its probabilities (-b 1) only "
              "if the rows have length 1\n",
              stderr);
    }
}

sdca_status sdca_cli_export(int argc, char **argv)
{
    const char *operand[2] = { NULL, NULL };
    const char *format     = "liblinear";
    bool        names      = false;
    sdca_option table[]    = {
           { "format", 0, SDCA_OPTION_CHOICE, "liblinear|text|json", &format, "file format",
             SDCA_GROUP_GENERAL, false },
           { "names", 0, SDCA_OPTION_FLAG, NULL, &names,
             "add the names of the columns (--format text)", SDCA_GROUP_GENERAL, false },
           { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "export",
        .purpose       = "Write a model in a format that other programs read.",
        .operand_names = "MODEL.h5 OUT",
        .min_operands  = 2,
        .max_operands  = 2,
        .operand       = operand,
        .options       = table,
        .notes         = "OUT may be - for standard output. The format liblinear is "
                         "LIBLINEAR's model file, the format text has one weight per "
                         "line, with --names followed by a tab and the name of its "
                         "column, or its number from 0 if it has no name. With more than "
                         "two classes, a line has one weight per class, separated by "
                         "tabs. The format json is one object with weights, labels, "
                         "names and certificate.\n"
                         "\n"
                         "Examples:\n"
                         "  sdca export model.h5 model.liblinear\n"
                         "  sdca export model.h5 weights.tsv --format text --names\n"
                         "  sdca export model.h5 model.json --format json\n",
    };
    sdca_model      model  = { 0 };
    sdca_hdf5_file *store  = NULL;
    sdca_status     status = SDCA_OK;
    bool            help   = false;

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, &help));
    if (help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    if (names && strcmp(format, "text") != 0) {
        status = SDCA_FAIL(SDCA_USAGE, "--names requires --format text");
        goto done;
    }
    SDCA_TRY(sdca_atomic_file_check_not_input(operand[1], operand[0]));
    SDCA_TRY(sdca_model_read_metadata(MPI_COMM_NULL, operand[0], &model));
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, operand[0], &store));
    signal_cleanup_add(operand[1]);
    SDCA_TRY(strcmp(format, "text") == 0
                 ? sdca_model_export_text(&model, store, names, operand[1])
             : strcmp(format, "json") == 0
                 ? sdca_model_export_json(&model, store, operand[1])
                 : sdca_model_export_liblinear(&model, store, operand[1]));
    if (strcmp(format, "liblinear") == 0) {
        warn_unnormalized(&model);
    }

done:
    sdca_hdf5_close(store);
    sdca_model_clear(&model);
    return status;
}
