/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c - runs the subcommand, and converts its status to an exit status. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/launcher_environment.h"
#include "cli/mpi_session.h"
#include "cli/options/closest_word.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "model/model.h"

/* How several processes run a subcommand. */
typedef enum parallel_mode {
    SERIAL,     /* independently, each with its own command line */
    REPLICATED, /* with MPI and one command line, all doing the same */
    DISTRIBUTED /* with MPI and one command line, dividing the work */
} parallel_mode;

typedef struct subcommand {
    const char *name;
    sdca_status (*run)(int argc, char **argv);
    parallel_mode mode;
    const char   *purpose;
} subcommand;

static const subcommand subcommands[] = {
    { "convert", sdca_cli_convert, SERIAL,
      "convert LIBSVM text, CSV or TSV to a data file" },
    { "generate", sdca_cli_generate, SERIAL, "generate a synthetic data set" },
    { "train", sdca_cli_train, DISTRIBUTED, "train a model with a certificate" },
    { "predict", sdca_cli_predict, DISTRIBUTED, "predict labels and report the error" },
    { "verify", sdca_cli_verify, DISTRIBUTED, "check the certificate of a model" },
    { "info", sdca_cli_info, SERIAL, "describe a data file, model or checkpoint" },
    { "export", sdca_cli_export, SERIAL, "write a model for LIBLINEAR, or as text" },
    { "report", sdca_cli_report, SERIAL, "report runs as an HTML page or a figure" },
    { "bound", sdca_cli_bound, REPLICATED,
      "print the steps that the theory guarantees to suffice" },
};

enum {
    SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0],
    TEXT_SIZE   = 2048 /* bytes for the help */
};

static const char *const examples =
    "\n"
    "Examples:\n"
    "  sdca generate cov1 train.h5 --scale 0.1 --test test.h5\n"
    "  mpirun -np 2 sdca train train.h5 -o model.h5 --lambda 1e-4 --test test.h5\n"
    "  sdca predict model.h5 test.h5\n";

static const char *const details =
    "sdca minimises P(w) = (1/n) sum phi(w.x; y) + (lambda/2) |w|^2 over n rows x with "
    "labels y, for one of several losses phi, by stochastic dual coordinate ascent "
    "(Shalev-Shwartz and Zhang, JMLR 2013). A feasible point of the dual problem bounds "
    "the distance of P(w) from its minimum: training ends when this bound, the duality "
    "gap, reaches the target, and the model records it as its certificate.\n"
    "\n"
    "An error is one message on standard error from one process, and all processes end. "
    "An output file gets its name when it is complete.\n"
    "\n"
    "Files:\n"
    "  DATA.h5  rows and labels in HDF5, from sdca convert or any other program; sparse "
    "rows have the CSR layout of AnnData and SciPy\n"
    "  MODEL.h5  weights, settings, certificate and history in HDF5\n"
    "The file formats are documented in formats.md, which is installed with sdca.\n";

/* Append to a text of TEXT_SIZE bytes, truncating. */
static void append(char *text, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, TEXT_SIZE - used, "%s", more);
}

/* The help of the program itself: a command line without a name, whose notes list the
 * subcommands. */
static void print_help(sdca_help_form form)
{
    char              notes[TEXT_SIZE]   = "Subcommands, each with its own --help:\n";
    char              choices[TEXT_SIZE] = "";
    bool              version            = false;
    sdca_option       table[]            = { { .name  = "version",
                                               .value = &version,
                                               .help  = "print the version and exit",
                                               .group = SDCA_GROUP_GENERAL },
                                             { .name = NULL } };
    sdca_command_line line               = { .command = "",
                                             .purpose = "Train linear models, serially or in parallel, "
                                                                      "with a certificate.",
                                             .operand_names   = "SUBCOMMAND",
                                             .operand_choices = choices,
                                             .options         = table,
                                             .help_form       = form,
                                             .has_budgets     = true,
                                             .notes           = notes,
                                             .details         = details };

    for (int k = 0; k < SUBCOMMANDS; k++) {
        const subcommand *command = &subcommands[k];
        char              row[128];

        snprintf(row, sizeof row, "  %-8s  %s%s\n", command->name, command->purpose,
                 command->mode == DISTRIBUTED ? " (runs under mpirun)" : "");
        append(notes, row);
        append(choices, k > 0 ? "|" : "");
        append(choices, command->name);
    }
    append(notes, examples);
    sdca_help_print(&line, stdout);
}

static sdca_status fail_unknown_subcommand(const char *name)
{
    const char *names[SUBCOMMANDS];
    const char *closest;

    for (int k = 0; k < SUBCOMMANDS; k++) {
        names[k] = subcommands[k].name;
    }
    closest = closest_word_find(name, names, SUBCOMMANDS);
    return closest != NULL
               ? SDCA_FAIL(SDCA_USAGE, "unknown subcommand '%s': did you mean %s?", name,
                           closest)
               : SDCA_FAIL(SDCA_USAGE, "unknown subcommand '%s'; see sdca --help", name);
}

/* Under a launcher, the first process prints a note that the work is not divided. */
static void note_serial(const char *name, int argc, char **argv)
{
    launcher launch = launcher_detect();
    bool     quiet  = launch.rank > 0 || launch.size < 2;

    for (int k = 0; k < argc; k++) {
        quiet = quiet || strcmp(argv[k], "-q") == 0 || strcmp(argv[k], "--quiet") == 0;
    }
    if (!quiet) {
        fprintf(
            stderr,
            "Note: %s does not run in parallel: each of the %d processes runs its own "
            "command line\n",
            name, launch.size);
    }
}

/* Each process runs a serial subcommand by itself: command lines may differ, to work on
 * different files. Only help is printed once. */
static sdca_status run_serial(const subcommand *command, int argc, char **argv)
{
    if (sdca_option_parser_find_help(argc, argv) == SDCA_HELP_NONE) {
        note_serial(command->name, argc, argv);
    } else if (launcher_detect().rank > 0) {
        return SDCA_OK;
    }
    return command->run(argc, argv);
}

/* Command lines without a subcommand: help and version, printed once, or a mistake, which
 * all ranks of a parallel run make. */
static sdca_status run_without_subcommand(int argc, char **argv)
{
    bool           first  = launcher_detect().rank == 0;
    sdca_status    status = SDCA_OK;
    sdca_help_form form   = argc < 1 ? SDCA_HELP_NONE
                            : strcmp(argv[0], "help") == 0
                                ? SDCA_HELP_TEXT
                                : sdca_option_parser_help_form(argv[0]);

    if (form != SDCA_HELP_NONE) {
        if (first) {
            print_help(form);
        }
    } else if (argc > 0 && strcmp(argv[0], "--version") == 0) {
        status = first ? sdca_cli_version(argc - 1, argv + 1) : SDCA_OK;
    } else {
        SDCA_TRY(mpi_session_begin("", argc, argv));
        status = argc > 0
                     ? fail_unknown_subcommand(argv[0])
                     : SDCA_FAIL(SDCA_USAGE, "a subcommand is missing; see sdca --help");
    }

done:
    return status;
}

static sdca_status dispatch(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "help") == 0) { /* of one subcommand */
        return dispatch(3, (char *[]){ argv[0], argv[2], (char[]){ "--help" }, NULL });
    }
    for (int k = 0; argc > 1 && k < SUBCOMMANDS; k++) {
        const subcommand *command = &subcommands[k];

        if (strcmp(argv[1], command->name) == 0) {
            return command->mode != SERIAL ? command->run(argc - 2, argv + 2)
                                           : run_serial(command, argc - 2, argv + 2);
        }
    }
    return run_without_subcommand(argc - 1, argv + 1);
}

/* The run has results: there is no error message to print. */
static bool has_results(sdca_status status)
{
    return status == SDCA_OK || status == SDCA_BUDGET || status == SDCA_INTERRUPTED;
}

int main(int argc, char **argv)
{
    sdca_status status = dispatch(argc, argv);

    if (has_results(status) && (fflush(stdout) != 0 || ferror(stdout) != 0)) {
        status = SDCA_FAIL(SDCA_IO, "cannot write to standard output");
    }
    if (!has_results(status) && !mpi_session_is_reported_elsewhere()) {
        fprintf(stderr, "sdca: %s\n", sdca_status_message());
    }
    mpi_session_finalize();
    return sdca_status_exit_code(status);
}
