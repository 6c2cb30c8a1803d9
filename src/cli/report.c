/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.c - sdca report: runs as one HTML page. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options.h"
#include "report_page.h"
#include "report_run.h"
#include "sdca/output.h"

typedef struct report_options {
    const char **path; /* of the runs, count of them */
    int          count;
    const char  *out;
    bool         quiet;
} report_options;

/* path has room for every word of the command line. */
static sdca_status read_options(int argc, char **argv, report_options *options,
                                bool *help)
{
    sdca_option table[] = {
        { "output-file", 'o', SDCA_OPTION_TEXT, "REPORT.html", &options->out,
          "where the page goes", false },
        { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &options->quiet, "print errors only",
          false },
        { .name = NULL },
    };
    sdca_command_line line = {
        .command = "report",
        .purpose =
            "Show one or several runs as one HTML page: certificate, curves, settings.",
        .operands = "RUN...",
        .least    = 1,
        .most     = argc,
        .operand  = options->path,
        .options  = table,
        .notes =
            "RUN is a model of sdca train, or the CSV file of its --history, which knows "
            "the "
            "curves but not the settings. The page needs no network and no other file.\n"
            "\n"
            "Example:\n"
            "  sdca report model.h5 other.h5 -o report.html\n",
    };
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_options_parse(&line, argc, argv, help));
    if (*help) {
        sdca_options_help(&line, stdout);
        goto done;
    }
    if (options->out == NULL) {
        status =
            SDCA_FAIL(SDCA_USAGE, "report wants -o REPORT.html, the file for the page");
        goto done;
    }
    for (; options->count < argc && options->path[options->count] != NULL;
         options->count++) {
        if (strcmp(options->path[options->count], options->out) == 0) {
            status =
                SDCA_FAIL(SDCA_USAGE, "'%s' is both a RUN and the output", options->out);
            goto done;
        }
    }

done:
    return status;
}

static sdca_status write_page(const report_run *run, const report_options *options)
{
    FILE       *page   = NULL;
    sdca_status status = sdca_output_open(options->out, &page);

    if (status != SDCA_OK) {
        return status;
    }
    status = report_page_write(run, options->count, page);
    if (status != SDCA_OK) {
        sdca_output_abandon(page, options->out);
        return status;
    }
    return sdca_output_close(page, options->out);
}

sdca_status sdca_cli_report(int argc, char **argv)
{
    sdca_status    status  = SDCA_OK;
    bool           help    = false;
    report_options options = { .path = calloc((size_t)argc + 1, sizeof *options.path) };
    report_run    *run     = calloc((size_t)argc + 1, sizeof *run);

    if (options.path == NULL || run == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %d runs", argc);
        goto done;
    }
    SDCA_TRY(read_options(argc, argv, &options, &help));
    if (help) {
        goto done;
    }
    SDCA_TRY(sdca_output_check(options.out));
    for (int k = 0; k < options.count; k++) {
        SDCA_TRY(report_run_read(options.path[k], &run[k]));
    }
    SDCA_TRY(write_page(run, &options));
    if (!options.quiet) {
        printf("Report: %s\n", options.out);
    }

done:
    for (int k = 0; run != NULL && k < options.count; k++) {
        report_run_free(&run[k]);
    }
    free(run);
    free(options.path);
    return status;
}
