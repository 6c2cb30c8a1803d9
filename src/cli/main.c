/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c - finds the subcommand, and turns what came of it into an exit status. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "help.h"
#include "options.h"
#include "sdca/model.h"

typedef struct subcommand {
    const char *name;
    sdca_status (*run)(int argc, char **argv);
    bool        parallel;
    const char *purpose;
} subcommand;

static const subcommand subcommands[] = {
    { "convert", sdca_cli_convert, false,
      "LIBSVM text or a table, CSV or TSV, to a data file" },
    { "generate", sdca_cli_generate, false, "a synthetic data set of a known shape" },
    { "train", sdca_cli_train, true, "a certified model from a data file" },
    { "predict", sdca_cli_predict, true, "labels for a data file, and their error" },
    { "info", sdca_cli_info, false, "what a file is" },
    { "export", sdca_cli_export, false, "a model for LIBLINEAR, or as text" },
    { "report", sdca_cli_report, false,
      "runs as one HTML page, or their curves as a picture" },
    { "bound", sdca_cli_bound, false, "steps that the theory promises to be enough" },
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
    "labels y, for one of seven losses phi, by stochastic dual coordinate ascent "
    "(Shalev-Shwartz and Zhang, JMLR 2013). A feasible point of the dual problem bounds "
    "how far P(w) can be from the least possible value: training ends when that bound, "
    "the duality gap, is as small as was asked for, and the model says how small it is.\n"
    "\n"
    "An error is one sentence on standard error, from one process, and all processes "
    "end. "
    "Output appears under its name when it is complete, or not at all.\n"
    "\n"
    "Files:\n"
    "  DATA.h5  rows and labels in HDF5, from sdca convert or any other program; sparse "
    "rows are in the CSR convention of AnnData and SciPy\n"
    "  MODEL.h5  weights, settings, certificate and history in HDF5\n"
    "Their contents are described in formats.md, which comes with sdca.\n";

static bool mpi_is_on(void)
{
    int started = 0, ended = 0;

    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started != 0 && ended == 0;
}

void sdca_cli_start_mpi(void)
{
    MPI_Init(NULL, NULL);
}

/* Which process of a parallel job this is: MPI's word for it or, before MPI is
 * on, the launcher's. */
static int my_rank(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                         "SLURM_PROCID" };
    int                      rank    = 0;

    if (mpi_is_on()) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);

        if (value != NULL) {
            return atoi(value);
        }
    }
    return 0;
}

/* Append to a text of TEXT_SIZE bytes what fits. */
static void append(char *text, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, TEXT_SIZE - used, "%s", more);
}

/* The help of the program itself is that of a command line without a name; its
 * notes list the subcommands. */
static void print_help(sdca_help_form form)
{
    char notes[TEXT_SIZE]   = "The subcommands, of which each has a --help of its own:\n";
    char choices[TEXT_SIZE] = "";
    bool version            = false;
    sdca_option       table[] = { { .name   = "version",
                                    .target = &version,
                                    .help = "say which version this is and do nothing else" },
                                  { .name = NULL } };
    sdca_command_line line    = { .command  = "",
                                  .purpose  = "Train linear models on one process or many, "
                                                 "with a certificate.",
                                  .operands = "SUBCOMMAND",
                                  .choices  = choices,
                                  .options  = table,
                                  .form     = form,
                                  .stops    = true,
                                  .notes    = notes,
                                  .details  = details };

    for (int k = 0; k < SUBCOMMANDS; k++) {
        const subcommand *one = &subcommands[k];
        char              row[128];

        snprintf(row, sizeof row, "  %-8s  %s%s\n", one->name, one->purpose,
                 one->parallel ? " (also under mpirun)" : "");
        append(notes, row);
        append(choices, k > 0 ? "|" : "");
        append(choices, one->name);
    }
    append(notes, examples);
    sdca_help_print(&line, stdout);
}

static sdca_status unknown(const char *name)
{
    const char *names[SUBCOMMANDS];
    const char *meant;

    for (int k = 0; k < SUBCOMMANDS; k++) {
        names[k] = subcommands[k].name;
    }
    meant = sdca_options_nearest(name, names, SUBCOMMANDS);
    return meant != NULL
               ? SDCA_FAIL(SDCA_USAGE, "unknown subcommand '%s': did you mean %s?", name,
                           meant)
               : SDCA_FAIL(SDCA_USAGE, "unknown subcommand '%s'; see sdca --help", name);
}

static sdca_status dispatch(int argc, char **argv)
{
    sdca_help_form form = SDCA_HELP_NONE;

    if (argc < 2) {
        return SDCA_FAIL(SDCA_USAGE, "a subcommand is missing; see sdca --help");
    }
    for (int k = 0; k < SUBCOMMANDS; k++) {
        if (strcmp(argv[1], subcommands[k].name) == 0) {
            /* Serial work is done once, however many processes are started. */
            return subcommands[k].parallel || my_rank() == 0
                       ? subcommands[k].run(argc - 2, argv + 2)
                       : SDCA_OK;
        }
    }
    form = strcmp(argv[1], "help") == 0 ? SDCA_HELP_TEXT : sdca_options_form(argv[1]);
    if (form != SDCA_HELP_NONE) {
        print_help(form);
        return SDCA_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sdca %s\n", sdca_version());
        return SDCA_OK;
    }
    return unknown(argv[1]);
}

/* Not a failure: there is no sentence to print. */
static bool has_results(sdca_status status)
{
    return status == SDCA_OK || status == SDCA_BUDGET || status == SDCA_INTERRUPTED;
}

int main(int argc, char **argv)
{
    sdca_status status = SDCA_OK;

    if (my_rank() > 0 && freopen("/dev/null", "w", stdout) == NULL) {
        return EXIT_FAILURE; /* results are told once, by the first process */
    }
    status = dispatch(argc, argv);
    if (has_results(status) && (fflush(stdout) != 0 || ferror(stdout) != 0)) {
        status = SDCA_FAIL(SDCA_IO, "cannot write to standard output");
    }
    if (!has_results(status) && my_rank() == 0) {
        fprintf(stderr, "sdca: %s\n", sdca_status_why());
    }
    if (mpi_is_on()) {
        MPI_Finalize();
    } else if (my_rank() > 0) {
        return EXIT_SUCCESS; /* mpirun would end the first one before it has spoken */
    }
    return sdca_status_exit(status);
}
