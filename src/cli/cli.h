/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli.h - the subcommands, one per file.
 *
 * Each takes the words after its name and returns what happened; main.c prints
 * the sentence of a failure, once, and makes the exit status of it. */
#ifndef SDCA_CLI_H
#define SDCA_CLI_H

#include "base/status.h"

/* These do serial work, without MPI. Local. */
sdca_status sdca_cli_convert(int argc, char **argv);
sdca_status sdca_cli_generate(int argc, char **argv);
sdca_status sdca_cli_info(int argc, char **argv);
sdca_status sdca_cli_export(int argc, char **argv);
sdca_status sdca_cli_report(int argc, char **argv);
sdca_status sdca_cli_version(int argc, char **argv);

/* These use MPI, see ranks.h. Collective. */
sdca_status sdca_cli_bound(int argc, char **argv);
sdca_status sdca_cli_train(int argc, char **argv);
sdca_status sdca_cli_predict(int argc, char **argv);

#endif
