/* SPDX-License-Identifier: BSD-3-Clause
 *
 * version.c - sdca --version: version and build, for bug reports. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "io/hdf5_file.h"
#include "io/input_stream.h"
#include "model/model.h"

/* The widest vector instructions that the compiler was allowed to use. */
static const char *vector_level(void)
{
#if defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX2__)
    return "AVX2";
#elif defined(__AVX__)
    return "AVX";
#elif defined(__SSE2__)
    return "SSE2";
#elif defined(__ARM_FEATURE_SVE)
    return "SVE";
#elif defined(__ARM_NEON)
    return "NEON";
#else
    return "none known";
#endif
}

static void show(const char *name, const char *value)
{
    printf("  %-10s  %s\n", name, value);
}

/* MPI's own text, without the lines that follow the first. Needs no MPI_Init. */
static void show_mpi(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int  length                               = 0;

    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\r\n")] = '\0';
    for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;) {
        *tab = ' ';
    }
    show("MPI", text);
}

static void show_hdf5(void)
{
    char text[64];

    sdca_hdf5_library_version(text, sizeof text);
    show("HDF5", text);
}

sdca_status sdca_cli_version(int argc, char **argv)
{
    bool              verbose = false, help = false;
    sdca_option       table[] = { { .name  = "verbose",
                                    .value = &verbose,
                                    .help = "print also how it was built, and the libraries",
                                    .group = SDCA_GROUP_GENERAL },
                                  { .name = NULL } };
    sdca_command_line line    = { .command       = "--version",
                                  .purpose       = "Print the version.",
                                  .operand_names = "",
                                  .options       = table };
    sdca_status       status  = SDCA_OK;

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, &help));
    if (help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    printf("sdca %s\n", sdca_version());
    if (verbose) {
        show("commit", SDCA_BUILD_COMMIT);
        show("compiler", SDCA_BUILD_COMPILER);
        show("flags", SDCA_BUILD_FLAGS);
        show("vectors", vector_level());
        show_mpi();
        show_hdf5();
        show("libarchive", sdca_input_stream_library_version());
    }

done:
    return status;
}
