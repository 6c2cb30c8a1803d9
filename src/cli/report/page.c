/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.c - runs as one self-contained HTML page.
 *
 * The page's content security policy forbids network access and any other script. The
 * page is well-formed XML too, so that any parser can read it. Without the script only
 * the values at the pointer are missing. */
#include "cli/report/page.h"

#include <math.h>
#include <stdbool.h>

#include "cli/report/assets.h"
#include "cli/report/charts.h"
#include "cli/report/html.h"
#include "cli/report/svg_chart.h"
#include "cli/report/tables.h"
#include "cli/report/time_bars.h"
#include "cli/report/weight_table.h"
#include "cli/ui/plural.h"
#include "objective/duality_gap.h"

/* The hash of report.js in the page, without which browsers do not run it. It must be
 * updated when report.js changes; the test of the report prints the new one. */
static const char script_hash[] = "sha256-9SIoz/3c/8wdDkFXJ77cotY97z0LEBS/m3cwOPcXRzg=";

/* Runs that are switched off are hidden everywhere. */
static void write_style(int count, FILE *page)
{
    fprintf(page, "<style>\n%s", report_css);
    for (int r = 0; r < count && count > 1; r++) {
        fprintf(page, ":root:has(#show%d:not(:checked)) .r%d { display: none }\n", r, r);
    }
    fputs("</style>\n", page);
}

static void write_head(const report_run *run, int count, FILE *page)
{
    fprintf(page,
            "<!DOCTYPE html>\n"
            "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
            "<head>\n"
            "<meta charset=\"utf-8\"/>\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src '%s'\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<title>sdca report: ",
            script_hash);
    if (count == 1) {
        html_write_text(page, run[0].path);
    } else {
        fprintf(page, "%d runs", count);
    }
    fputs("</title>\n", page);
    write_style(count, page);
    fputs("</head>\n<body>\n<h1>Training report</h1>\n", page);
}

static void write_stop_reason(const report_run *run, FILE *page)
{
    const sdca_model *model = &run->model;

    if (run->has_model && model->interrupted && !model->converged) {
        fprintf(page, "Not finished: a checkpoint after %.4g epochs, last evaluated",
                (double)model->steps / (double)model->objective.rows);
    } else {
        fputs(!run->has_model    ? "Stopped" /* a history has no reason */
              : model->converged ? "Target reached"
                                 : "Stopped before reaching the target,",
              page);
    }
}

static void write_number(const char *name, int digits, double value, const char *unit,
                         FILE *page)
{
    if (!isnan(value)) {
        fprintf(page, "<div><dt>%s</dt><dd>%.*g%s</dd></div>\n", name, digits, value,
                unit);
    }
}

/* The most important numbers. */
static void write_key_numbers(const report_run *run, FILE *page)
{
    const sdca_certificate    *certificate = &run->model.certificate;
    const sdca_history_record *last        = report_run_last_record(run);

    fputs("<dl>\n", page);
    write_number("gap", 3, certificate->gap, "", page);
    write_number(run->class_count > 0 ? "largest gap / primal" : "gap / primal", 3,
                 100.0 * report_run_relative_gap(run), " %", page);
    if (run->class_count > 0) {
        write_number("classes", 5, sdca_model_parts(&run->model), "", page);
        write_number("epochs, all classes", 4, report_run_epochs(run), "", page);
        write_number("seconds", 4, run->model.seconds.total, "", page);
        write_number("test error", 4, report_run_test_error(run), "", page);
    }
    if (last != NULL) {
        write_number("epochs", 4, last->epoch, "", page);
        write_number("seconds", 4, last->seconds, "", page);
        write_number(report_run_is_regression(run) ? "test RMSE" : "test error", 4,
                     report_run_test_error(run), "", page);
    }
    fputs("</dl>\n", page);
}

/* The certificate, in the words of sdca train and with the proof. */
static void write_certificate(const report_run *run, FILE *page)
{
    const sdca_certificate *certificate = &run->model.certificate;

    if (isnan(certificate->gap)) {
        return;
    }
    if (run->class_count > 0) {
        fprintf(page,
                "<p>%s Certified: over the %d classes, each against the rest, the sum of "
                "P(w) = %.10g is at most %.3g above the minimum, and in each class at "
                "most %.3g\xc2\xa0%%.</p>\n",
                run->model.converged ? "Target reached."
                                     : "Stopped before all classes reached the target.",
                sdca_model_parts(&run->model), certificate->primal, certificate->gap,
                100.0 * report_run_relative_gap(run));
        return;
    }
    fprintf(page,
            "<p>Certified%s: P(w) = %.10g is at most %.3g (%.3g\xc2\xa0%%) above the "
            "minimum, because the dual objective D(alpha) = %.10g is a lower bound of P.",
            run->model.certificate_of_other_w
                ? " at that evaluation, not for the weights of the checkpoint"
                : "",
            certificate->primal, certificate->gap,
            100.0 * sdca_duality_gap_relative(certificate), certificate->dual);
    if (run->has_model) {
        fprintf(
            page,
            " As P is strongly convex, the distance from that w to the minimiser is at "
            "most %.3g.",
            certificate->distance);
    }
    fputs("</p>\n", page);
}

static void write_outcome(const report_run *run, int r, FILE *page)
{
    const sdca_history_record *last = report_run_last_record(run);

    fputs("<section class=\"card outcome ", page);
    report_svg_chart_write_classes(r, page);
    fputs("\">\n<h2>", page);
    html_write_text(page, run->path);
    fputs("</h2>\n", page);
    write_key_numbers(run, page);
    if (last != NULL) {
        fputs("<p>", page);
        write_stop_reason(run, page);
        fprintf(page, " after %.4g epoch%s (%.0f round%s) in %.3g s.</p>\n", last->epoch,
                plural(last->epoch), last->round, plural(last->round), last->seconds);
    }
    write_certificate(run, page);
    fputs("</section>\n", page);
}

/* The controls for the x axis and for the visibility of runs, which the style uses. */
static void write_controls(const report_run *run, int count, FILE *page)
{
    fputs(
        "<nav>\n<fieldset><legend>Against</legend>\n"
        "<label><input type=\"radio\" name=\"across\" id=\"epochs\" checked=\"checked\" "
        "autocomplete=\"off\"/>epochs</label>\n"
        "<label><input type=\"radio\" name=\"across\" id=\"seconds\" "
        "autocomplete=\"off\"/>seconds</label>\n"
        "</fieldset>\n",
        page);
    if (count > 1) {
        fputs("<fieldset><legend>Runs</legend>\n", page);
        for (int r = 0; r < count; r++) {
            fprintf(page,
                    "<label class=\"c%d\"><input type=\"checkbox\" id=\"show%d\" "
                    "checked=\"checked\" autocomplete=\"off\"/>",
                    r % REPORT_COLOURS, r);
            html_write_text(page, run[r].path);
            fputs("</label>\n", page);
        }
        fputs("</fieldset>\n", page);
    }
    fputs("</nav>\n", page);
}

static void write_charts(const report_run *run, int count, FILE *page)
{
    fputs("<div class=\"cards\">\n", page);
    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        if (report_chart_has_content(chart, REPORT_X_EPOCHS, run, count)) {
            report_svg_chart_write(chart, run, count, page);
        }
    }
    fputs("</div>\n", page);
}

static void write_weights(const report_run *run, int count, FILE *page)
{
    fputs("<div class=\"cards\">\n", page);
    for (int r = 0; r < count; r++) {
        if (run[r].has_model && run[r].class_count == 0) {
            report_weight_table_write(&run[r], page);
        }
    }
    fputs("</div>\n", page);
    for (int r = 0; r < count; r++) {
        if (run[r].class_count > 0) {
            report_weight_table_write(&run[r], page);
        }
    }
}

/* The certificates of the classes of a run, and the curves of the first ones, folded
 * away. */
static void write_classes(const report_run *run, FILE *page)
{
    report_tables_write_classes(run, page);
    fprintf(page, "<details class=\"card r%d\">\n<summary>Curves of ", run->number);
    html_write_text(page, run->path);
    if (run->class_count < sdca_model_parts(&run->model)) {
        fprintf(page, ", the first %d of %d classes", run->class_count,
                sdca_model_parts(&run->model));
    } else {
        fputs(" by class", page);
    }
    fputs("</summary>\n", page);
    write_charts(run->classes, run->class_count, page);
    for (int k = 0; k < run->class_count; k++) {
        report_tables_write_records(&run->classes[k], run->classes[k].number,
                                    "Evaluations",
                                    report_run_evaluations(&run->classes[k]), page);
    }
    fputs("</details>\n", page);
}

/* Does any chart show rounds? */
static bool shows_rounds(const report_run *run, int count)
{
    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        if (chart->is_per_round &&
            report_chart_has_content(chart, REPORT_X_EPOCHS, run, count)) {
            return true;
        }
    }
    return false;
}

/* The records behind the points of the charts. */
static void write_records(const report_run *run, int count, FILE *page)
{
    bool rounds = shows_rounds(run, count);

    for (int r = 0; r < count; r++) {
        if (run[r].class_count > 0) {
            continue;
        }
        report_tables_write_records(&run[r], r, "Evaluations",
                                    report_run_evaluations(&run[r]), page);
        if (rounds && report_run_rounds(&run[r]).count > 0) {
            report_tables_write_records(&run[r], r, "Rounds", report_run_rounds(&run[r]),
                                        page);
        }
    }
}

void report_page_write(const report_run *run, int count, FILE *page)
{
    write_head(run, count, page);
    fputs("<div class=\"cards\">\n", page);
    for (int r = 0; r < count; r++) {
        write_outcome(&run[r], r, page);
    }
    fputs("</div>\n", page);
    write_controls(run, count, page);
    write_charts(run, count, page);
    for (int r = 0; r < count; r++) {
        if (run[r].class_count > 0) {
            write_classes(&run[r], page);
        }
    }
    report_time_bars_write(run, count, page);
    report_tables_write_facts(run, count, page);
    write_weights(run, count, page);
    write_records(run, count, page);
    fprintf(page,
            "<footer>Made by sdca %s</footer>\n<div id=\"tip\" role=\"status\"></div>\n"
            "<script>/*<![CDATA[*/\n%s/*]]>*/</script>\n</body>\n</html>\n",
            sdca_version(), report_js);
}
