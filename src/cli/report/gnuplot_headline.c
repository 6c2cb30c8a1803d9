/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_headline.c - what a figure says at a glance: of one model its most important
 * numbers, in large letters; of several, one sentence. */
#include "cli/report/gnuplot_headline.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli/report/gnuplot_legend.h"
#include "cli/report/number_text.h"
#include "cli/report/test_scoring.h"
#include "cli/ui/plural.h"

enum {
    NUMBERS         = 2, /* beside each other */
    TEXT_SIZE       = 96,
    SENTENCE_HEIGHT = 30,
    NUMBERS_HEIGHT  = 98,
    ORIGIN_AT       = 19, /* from the top: the centres of its three lines */
    NUMBER_AT       = 52,
    CAPTION_AT      = 79
};

/* A number, and below it what it is. */
typedef struct headline_number {
    char value[REPORT_NUMBER_SIZE];
    char caption[TEXT_SIZE];
} headline_number;

/* Is the objective of the weights proven to be near its minimum? */
static bool is_certified(const report_run *run)
{
    return run->has_model && !run->model.certificate_of_other_w &&
           !isnan(report_run_relative_gap(run));
}

/* The quality on test data; false if it is unknown. */
static bool find_quality(const report_run *run, headline_number *out)
{
    char other[REPORT_NUMBER_SIZE];

    if (run->test != NULL && run->test->metrics.classes > 0) {
        report_format_percent(run->test->metrics.total.error, out->value);
        report_format_percent(run->test->metrics.total.majority_error, other);
        snprintf(out->caption, sizeof out->caption,
                 "error on test data; of the majority vote: %s", other);
    } else if (run->test != NULL) {
        report_format_number(run->test->metrics.total.rmse, out->value);
        report_format_number(run->test->metrics.total.mean_rmse, other);
        snprintf(out->caption, sizeof out->caption,
                 "RMSE on test data; of the mean label: %s", other);
    } else if (isnan(report_run_test_error(run))) {
        return false;
    } else if (report_run_is_regression(run)) {
        report_format_number(report_run_test_error(run), out->value);
        snprintf(out->caption, sizeof out->caption, "RMSE on test data");
    } else {
        report_format_percent(report_run_test_error(run), out->value);
        snprintf(out->caption, sizeof out->caption, "error on test data");
    }
    return true;
}

static int find_numbers(const report_run *run, headline_number out[NUMBERS + 1])
{
    int found = run->has_model && find_quality(run, &out[0]) ? 1 : 0;

    if (is_certified(run)) {
        snprintf(out[found].value, sizeof out[found].value, "%.2g\xc2\xa0%%",
                 100.0 * report_run_relative_gap(run));
        snprintf(out[found++].caption, TEXT_SIZE,
                 run->class_count > 0
                     ? "above the minimum, at most, in each class: proven"
                     : "above the minimum of the objective, at most: proven");
    }
    if (found > 0 && !isnan(run->model.seconds.total)) {
        report_format_seconds(run->model.seconds.total, out[found].value);
        snprintf(out[found++].caption, TEXT_SIZE, "training time");
    }
    return found < NUMBERS ? found : NUMBERS;
}

/* The largest relative gap of several certified models; NaN if one is not certified. */
static double worst_gap(const report_run *run, int count)
{
    double worst = 0.0;

    for (int r = 0; r < count; r++) {
        if (!is_certified(&run[r])) {
            return NAN;
        }
        worst = fmax(worst, report_run_relative_gap(&run[r]));
    }
    return worst;
}

int gnuplot_headline_height(const report_run *run, int count)
{
    headline_number number[NUMBERS + 1];

    if (count > 1) {
        return isnan(worst_gap(run, count)) ? 0 : SENTENCE_HEIGHT;
    }
    return find_numbers(run, number) > 0 ? NUMBERS_HEIGHT : 0;
}

static void write_label(const char *text, double x, double y, const char *look,
                        FILE *script)
{
    fprintf(script, "set label \"%s\" at screen %.4f, screen %.4f %s\n", text, x, y,
            look);
}

/* The name of the run, and what was trained. */
static void write_origin(const report_run *run, double y, FILE *script)
{
    const sdca_objective *objective          = &run->model.objective;
    char                  classes[TEXT_SIZE] = "";

    if (run->model.labels.count > 2) {
        snprintf(classes, sizeof classes, ", %d classes%s", run->model.labels.count,
                 run->class_count == run->model.labels.count ? ", a curve for each" : "");
    }
    fputs("set label ", script);
    gnuplot_legend_write_name(run, script);
    fprintf(script,
            ".': %s loss, %" PRId64 " row%s \xc3\x97 %" PRId32
            " column%s%s' at screen 0.03, screen %.4f noenhanced font \",12\"\n",
            objective->loss->name, objective->rows, plural((double)objective->rows),
            run->model.columns, plural(run->model.columns), classes, y);
}

void gnuplot_headline_write(const report_run *run, int count, int height, FILE *script)
{
    const double    left = 0.03, right = 0.53; /* of the columns of panels */
    headline_number number[NUMBERS + 1];
    char            text[TEXT_SIZE];
    int             found = 0;

    if (count > 1) {
        if (!isnan(worst_gap(run, count))) {
            snprintf(text, sizeof text,
                     "{/:Bold %d runs. Each objective at most %.2g %% above its minimum: "
                     "proven.}",
                     count, 100.0 * worst_gap(run, count));
            write_label(text, 0.5, 1.0 - 18.0 / height, "center font \",12\"", script);
        }
        return;
    }
    found = find_numbers(run, number);
    if (found > 0) {
        write_origin(run, 1.0 - (double)ORIGIN_AT / height, script);
    }
    for (int k = 0; k < found; k++) {
        snprintf(text, sizeof text, "{/:Bold %.31s}", number[k].value);
        write_label(text, k == 0 ? left : right, 1.0 - (double)NUMBER_AT / height,
                    "font \",26\"", script);
        write_label(number[k].caption, k == 0 ? left : right,
                    1.0 - (double)CAPTION_AT / height,
                    "font \",11\" textcolor \"#666666\"", script);
    }
}
