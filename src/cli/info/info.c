/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info.c - sdca info: a description of a file. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/info/info_data.h"
#include "cli/info/info_model.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "io/hdf5_file.h"

sdca_status sdca_cli_info(int argc, char **argv)
{
    const char *operand[1]   = { NULL };
    bool        follow_links = false;
    sdca_option table[]      = {
             { "follow-links", 0, SDCA_OPTION_FLAG, NULL, &follow_links,
               "follow external links of FILE.h5", SDCA_GROUP_GENERAL, false },
             { .name = NULL },
    };
    sdca_command_line line = {
        .command       = "info",
        .purpose       = "Describe a file: data set, model or checkpoint.",
        .operand_names = "FILE.h5",
        .min_operands  = 1,
        .max_operands  = 1,
        .operand       = operand,
        .options       = table,
        .notes         = "Example:\n"
                         "  sdca info model.h5\n",
    };
    sdca_status     status   = SDCA_OK;
    sdca_hdf5_file *store    = NULL;
    bool            help     = false;
    char            text[32] = "";

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, &help));
    if (help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, operand[0], &store));
    if (follow_links) {
        sdca_hdf5_follow_external_links(store);
    }
    if (sdca_hdf5_has_attribute(store, "/", "format")) {
        SDCA_TRY(
            sdca_hdf5_read_string_attribute(store, "/", "format", text, sizeof text));
    }
    if (strcmp(text, "sdca-model") == 0) {
        SDCA_TRY(info_model_print(store));
    } else if (strcmp(text, "sdca-checkpoint") == 0) {
        SDCA_TRY(info_model_print_checkpoint(store));
    } else if (sdca_hdf5_has_array(store, "X") || sdca_hdf5_has_group(store, "X")) {
        SDCA_TRY(info_data_print(store));
    } else {
        SDCA_TRY(sdca_hdf5_deferred_error(store));
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' is neither a data set nor a model or checkpoint of sdca",
                           operand[0]);
    }

done:
    sdca_hdf5_close(store);
    return status;
}
