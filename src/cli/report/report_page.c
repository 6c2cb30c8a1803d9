/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_page.c - runs as one self-contained HTML page.
 *
 * The page's content security policy forbids network access and any other script. The
 * page is well-formed XML too, so that any parser can read it. Without the script only
 * the values at the pointer are missing. */
#include "cli/report/report_page.h"

#include <math.h>
#include <stdbool.h>

#include "cli/report/assets.h"
#include "cli/report/chart_contents.h"
#include "cli/report/html_escape.h"
#include "cli/report/result_card.h"
#include "cli/report/selection_section.h"
#include "cli/report/svg_chart.h"
#include "cli/report/tables.h"
#include "cli/report/test_section.h"
#include "cli/report/time_bars.h"
#include "cli/report/weight_table.h"

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

/* The charts of results, or those of what is chosen per round. */
static void write_charts(const report_run *run, int count, bool per_round, FILE *page)
{
    bool any = false;

    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        if (chart->is_per_round == per_round &&
            report_chart_has_content(chart, REPORT_X_EPOCHS, run, count)) {
            fputs(any ? "" : "<div class=\"cards\">\n", page);
            report_svg_chart_write(chart, run, count, page);
            any = true;
        }
    }
    fputs(any ? "</div>\n" : "", page);
}

static void write_weights(const report_run *run, int count, FILE *page)
{
    bool any = false;

    for (int r = 0; r < count; r++) {
        if (run[r].has_model && run[r].class_count == 0) {
            fputs(any ? "" : "<div class=\"cards\">\n", page);
            report_weight_table_write(&run[r], page);
            any = true;
        }
    }
    fputs(any ? "</div>\n" : "", page);
    for (int r = 0; r < count; r++) {
        if (run[r].class_count > 0) {
            report_weight_table_write(&run[r], page);
        }
    }
}

/* The records of the first classes of a run, and the curves of many, folded away. */
static void write_folded_classes(const report_run *run, bool with_charts, FILE *page)
{
    fprintf(page, "<details class=\"card r%d\">\n<summary>%s of ", run->number,
            with_charts ? "Curves" : "Evaluations");
    html_write_text(page, run->path);
    if (run->class_count < sdca_model_parts(&run->model)) {
        fprintf(page, ", the first %d of %d classes", run->class_count,
                sdca_model_parts(&run->model));
    } else {
        fputs(" by class", page);
    }
    fputs("</summary>\n", page);
    if (with_charts) {
        write_charts(run->classes, run->class_count, false, page);
    }
    write_charts(run->classes, run->class_count, true, page);
    for (int k = 0; k < run->class_count; k++) {
        report_tables_write_records(&run->classes[k], run->classes[k].number,
                                    "Evaluations",
                                    report_run_evaluations(&run->classes[k]), page);
    }
    fputs("</details>\n", page);
}

/* The certificates of the classes of a run, and the curves of the first ones. */
static void write_classes(const report_run *run, bool alone, FILE *page)
{
    enum { MOST_OPEN = 8 }; /* classes whose curves can be told apart */
    bool open = alone && run->class_count <= MOST_OPEN;

    if (open) {
        write_charts(run->classes, run->class_count, false, page);
    }
    report_tables_write_classes(run, page);
    write_folded_classes(run, !open, page);
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

/* What happened in the rounds: charts, and the records behind the points of all charts,
 * folded away. */
static void write_internals(const report_run *run, int count, FILE *page)
{
    bool rounds = shows_rounds(run, count);

    if (rounds) {
        fputs("<details class=\"card\">\n<summary>Inside the rounds: step length, safety "
              "factor, local steps</summary>\n",
              page);
        write_charts(run, count, true, page);
        fputs("</details>\n", page);
    }
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

static void write_part(const char *title, FILE *page)
{
    fprintf(page, "<h2 class=\"part\">%s</h2>\n", title);
}

static bool has_models(const report_run *run, int count)
{
    for (int r = 0; r < count; r++) {
        if (run[r].has_model) {
            return true;
        }
    }
    return false;
}

void report_page_write(const report_run *run, int count, FILE *page)
{
    write_head(run, count, page);
    fputs("<div class=\"cards outcomes\">\n", page);
    for (int r = 0; r < count; r++) {
        report_result_card_write(&run[r], count == 1, page);
    }
    fputs("</div>\n", page);
    report_test_section_write(run, count, page);
    report_selection_section_write(run, count, page);
    write_part("How certain: convergence and certificate", page);
    write_controls(run, count, page);
    write_charts(run, count, false, page);
    for (int r = 0; r < count; r++) {
        if (run[r].class_count > 0) {
            write_classes(&run[r], count == 1, page);
        }
    }
    if (has_models(run, count)) {
        write_part("What was learned: largest weights", page);
        write_weights(run, count, page);
    }
    write_part("How it was made: settings and times", page);
    fprintf(page, "<div class=\"cards facts%s\">\n",
            count > 2 || !has_models(run, count) ? " wide" : "");
    report_tables_write_facts(run, count, page);
    report_time_bars_write(run, count, page);
    fputs("</div>\n", page);
    write_internals(run, count, page);
    fprintf(page,
            "<footer>Made by sdca %s</footer>\n<div id=\"tip\" role=\"status\"></div>\n"
            "<script>/*<![CDATA[*/\n%s/*]]>*/</script>\n</body>\n</html>\n",
            sdca_version(), report_js);
}
