/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c - finds the subcommand, and turns what came of it into an exit status. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
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
      "LIBSVM text, plain or compressed, to a data file" },
    { "generate", sdca_cli_generate, false, "a synthetic data set of a known shape" },
    { "train", sdca_cli_train, true, "a certified model from a data file" },
    { "predict", sdca_cli_predict, true,
      "labels for a data file, and how many are wrong" },
    { "info", sdca_cli_info, false, "what a file is" },
    { "export", sdca_cli_export, false, "a model for LIBLINEAR, or as text" },
    { "report", sdca_cli_report, false,
      "runs as one HTML page, or their curves as a picture" },
    { "bound", sdca_cli_bound, false, "steps that the theory promises to be enough" },
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

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

static void print_help(FILE *out)
{
    fprintf(out,
            "sdca %s - distributed training of linear models with a certificate\n\n"
            "usage: sdca SUBCOMMAND ...        (sdca SUBCOMMAND --help says more)\n\n",
            sdca_version());
    for (int k = 0; k < SUBCOMMANDS; k++) {
        fprintf(out, "  %-10s %s%s\n", subcommands[k].name, subcommands[k].purpose,
                subcommands[k].parallel ? " (also under mpirun)" : "");
    }
    fprintf(
        out,
        "\nexample:\n"
        "  sdca generate cov1 train.h5 --scale 0.1 --test test.h5\n"
        "  mpirun -np 2 sdca train train.h5 -o model.h5 --lambda 1e-4 --test test.h5\n"
        "  sdca predict model.h5 test.h5\n");
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
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
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
