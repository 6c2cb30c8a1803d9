/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.c - sdca report: runs as one HTML page, or as a figure. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/launcher_environment.h"
#include "cli/mpi_session.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/report/gnuplot_figure.h"
#include "cli/report/report_page.h"
#include "cli/report/runs.h"
#include "cli/report/test_scoring.h"
#include "cli/signal_cleanup.h"
#include "io/atomic_file.h"

typedef struct report_options {
    const char **path; /* one per run */
    int          count;
    const char  *out;
    const char  *format;
    bool         quiet;

    report_test_data test;
} report_options;

/* The format that the suffix of the path stands for; without a suffix, HTML. */
static sdca_status find_format(const char *path, const char **out)
{
    static const struct {
        const char *suffix, *format;
    } known[] = {
        { ".html", "html" }, { ".htm", "html" }, { ".svg", "svg" }, { ".png", "png" }
    };
    const char *slash = strrchr(path, '/');
    const char *dot   = strrchr(slash != NULL ? slash : path, '.');

    if (dot == NULL) {
        *out = "html";
        return SDCA_OK;
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(dot, known[k].suffix) == 0) {
            *out = known[k].format;
            return SDCA_OK;
        }
    }
    return SDCA_FAIL(
        SDCA_USAGE,
        "'%s' does not end in .html, .svg or .png: choose the format with --format",
        path);
}

/* MPI_Init waits for all processes of a launcher, of which some may have other commands.
 */
static sdca_status check_test(const report_options *options)
{
    sdca_status status = SDCA_OK;

    if (options->test.path == NULL) {
        return SDCA_OK;
    }
    if (launcher_detect().size != 1) {
        status = SDCA_FAIL(SDCA_USAGE,
                           "report --test is for one process: start it without mpirun");
        goto done;
    }
    SDCA_TRY(sdca_atomic_file_check_not_input(options->out, options->test.path));

done:
    return status;
}

/* options->path has space for every word of the command line. */
static sdca_status read_options(int argc, char **argv, report_options *options,
                                bool *help)
{
    const char *missing = "error";
    sdca_option table[] = {
        { "output-file", 'o', SDCA_OPTION_TEXT, "REPORT", &options->out,
          "output file: .html, .svg or .png (required)", SDCA_GROUP_GENERAL, false },
        { "format", 0, SDCA_OPTION_CHOICE, "html|svg|png", &options->format,
          "overrides the suffix of the output file", SDCA_GROUP_GENERAL, false },
        { "test", 0, SDCA_OPTION_TEXT, "DATA.h5", &options->test.path,
          "show how well the models predict these rows", SDCA_GROUP_GENERAL, false },
        { "label", 0, SDCA_OPTION_TEXT, "COLUMN", &options->test.label,
          "column of AnnData's obs with the labels of --test", SDCA_GROUP_GENERAL,
          false },
        { "missing-columns", 0, SDCA_OPTION_CHOICE, "error|zero", &missing,
          "columns of the model that --test does not have", SDCA_GROUP_GENERAL, false },
        { "quiet", 'q', SDCA_OPTION_FLAG, NULL, &options->quiet, "print errors only",
          SDCA_GROUP_GENERAL, false },
        { .name = NULL },
    };
    sdca_command_line line = {
        .command = "report",
        .purpose = "Report one or several runs as an HTML page with the quality on test "
                   "data, certificate, curves, largest weights, settings and times, or "
                   "plot their curves.",
        .operand_names = "RUN...",
        .min_operands  = 1,
        .max_operands  = argc,
        .operand       = options->path,
        .options       = table,
        .notes = "RUN is a model or checkpoint of sdca train, or the CSV file of its "
                 "--history, which has the curves but not the settings. The page is "
                 "self-contained. With --test it has metrics, confusion matrix, ROC, "
                 "precision, recall, calibration and scores, and weights are shown per "
                 "standard deviation of their column; the data are a data file or an "
                 "AnnData file, whose columns are found as predict does. SVG and PNG "
                 "figures are drawn by "
                 "gnuplot, PNG in double resolution, and label a run with the name of "
                 "its file.\n"
                 "\n"
                 "Examples:\n"
                 "  sdca report model.h5 other.h5 -o report.html\n"
                 "  sdca report model.h5 --test test.h5 -o report.html\n"
                 "  sdca report model.h5 history.csv -o curves.svg\n",
    };
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_option_parser_run(&line, argc, argv, help));
    if (*help) {
        sdca_help_print(&line, stdout);
        goto done;
    }
    if (options->out == NULL) {
        status = SDCA_FAIL(SDCA_USAGE,
                           "report requires -o REPORT.html, the file for the page");
        goto done;
    }
    if (options->format == NULL) {
        SDCA_TRY(find_format(options->out, &options->format));
    }
    options->test.missing_columns = strcmp(missing, "zero") == 0;
    SDCA_TRY(check_test(options));
    for (; options->count < argc && options->path[options->count] != NULL;
         options->count++) {
        SDCA_TRY(sdca_atomic_file_check_not_input(options->out,
                                                  options->path[options->count]));
    }

done:
    return status;
}

/* Read all runs, and what they predict for the test data. */
static sdca_status read_runs(const report_options *options, report_run *run)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k < options->count; k++) {
        SDCA_TRY(report_run_read(options->path[k], k, &run[k]));
        if (options->test.path != NULL && !run[k].has_model) {
            status = SDCA_FAIL(SDCA_USAGE,
                               "'%s' is a history, which has no weights: --test is for "
                               "models",
                               options->path[k]);
            goto done;
        }
    }
    for (int k = 0; k < options->count && options->test.path != NULL; k++) {
        mpi_session_init();
        SDCA_TRY(report_test_results_measure(&options->test, &run[k]));
    }

done:
    return status;
}

static sdca_status write_page(const report_run *run, const report_options *options)
{
    FILE       *page   = NULL;
    sdca_status status = sdca_atomic_file_open(options->out, &page);

    if (status != SDCA_OK) {
        return status;
    }
    report_page_write(run, options->count, page);
    return sdca_atomic_file_commit(page, options->out);
}

/* The curves of all runs, or those of the classes of one run. */
static sdca_status write_figure(const report_run *run, const report_options *options)
{
    for (int k = 0; k < options->count && options->count > 1; k++) {
        if (run[k].class_count > 0) {
            return SDCA_FAIL(SDCA_USAGE,
                             "'%s' has several classes, which are a figure of their own: "
                             "plot it alone",
                             run[k].path);
        }
    }
    return report_gnuplot_figure_write(run, options->count, options->format,
                                       options->out);
}

sdca_status sdca_cli_report(int argc, char **argv)
{
    sdca_status    status  = SDCA_OK;
    bool           help    = false;
    report_options options = { .path = sdca_alloc_zeroed((size_t)argc,
                                                         sizeof *options.path) };
    report_run    *run     = sdca_alloc_zeroed((size_t)argc, sizeof *run);

    if (options.path == NULL || run == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %d runs", argc);
        goto done;
    }
    SDCA_TRY(read_options(argc, argv, &options, &help));
    if (help) {
        goto done;
    }
    SDCA_TRY(sdca_atomic_file_check_writable(options.out));
    SDCA_TRY(read_runs(&options, run));
    signal_cleanup_add(options.out);
    SDCA_TRY(strcmp(options.format, "html") == 0 ? write_page(run, &options)
                                                 : write_figure(run, &options));
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
