/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_summary.h - warnings about a conversion, and its summary. */
#ifndef SDCA_CLI_CONVERT_CONVERT_SUMMARY_H
#define SDCA_CLI_CONVERT_CONVERT_SUMMARY_H

#include "cli/convert/convert_request.h"
#include "cli/ui/terminal_line.h"
#include "data/dataset_writer.h"
#include "data/table_encoder.h"

/* A finished conversion. */
typedef struct convert_summary {
    const convert_request    *request;
    const sdca_table_encoder *table; /* or NULL */
    sdca_dataset_writer_stats stats;
    double                    bytes; /* of text */
    double                    seconds;
} convert_summary;

/* Warn about values that have lost precision; to stderr. Local. */
void convert_summary_warn(const convert_summary *s, const terminal_line *terminal);

/* Print size, columns and labels of the data set, and the speed; to stdout. Local. */
void convert_summary_print(const convert_summary *s);

#endif
