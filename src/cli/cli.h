/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli.h - the subcommands, a file or folder each.
 *
 * Each takes the words after its name and returns a status; main.c prints the message of
 * a failure once, and converts the status to an exit status. */
#ifndef SDCA_CLI_H
#define SDCA_CLI_H

#include "base/status.h"

/* Serial subcommands, without MPI. Local. */
sdca_status sdca_cli_convert(int argc, char **argv);
sdca_status sdca_cli_generate(int argc, char **argv);
sdca_status sdca_cli_info(int argc, char **argv);
sdca_status sdca_cli_export(int argc, char **argv);
sdca_status sdca_cli_report(int argc, char **argv);
sdca_status sdca_cli_version(int argc, char **argv);

/* Subcommands with MPI, see mpi_session.h. Collective. */
sdca_status sdca_cli_bound(int argc, char **argv);
sdca_status sdca_cli_train(int argc, char **argv);
sdca_status sdca_cli_predict(int argc, char **argv);
sdca_status sdca_cli_verify(int argc, char **argv);

#endif
