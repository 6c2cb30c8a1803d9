/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_page.c - runs as one HTML page that needs nothing else.
 *
 * No script, no network: the page's own policy forbids both. It is well-formed
 * XML too, so that any parser can take it apart. */
#include "report_page.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "html.h"
#include "report_chart.h"
#include "report_table.h"
#include "sdca/gap.h"

/* A palette for light and one for dark; curves name their colours by number. */
static const char style[] =
    ":root { color-scheme: light dark;\n"
    "  --back: #fff; --card: #f6f7f9; --text: #1c1f24; --soft: #5b6270;\n"
    "  --rule: #dde1e7;\n"
    "  --c0: #1f6fb4; --c1: #d1560b; --c2: #15803d; --c3: #a3238e;\n"
    "  --c4: #b3261e; --c5: #0e7490; --c6: #7a5c00; --c7: #52525b }\n"
    "@media (prefers-color-scheme: dark) { :root {\n"
    "  --back: #14161a; --card: #1d2026; --text: #e7e9ed; --soft: #a0a7b4;\n"
    "  --rule: #353a44;\n"
    "  --c0: #6cb2f0; --c1: #f7955c; --c2: #5fd08a; --c3: #e58ad6;\n"
    "  --c4: #ff8a80; --c5: #4fd1e0; --c6: #e3c04b; --c7: #b4b4bd } }\n"
    ".c0 { --c: var(--c0) } .c1 { --c: var(--c1) } .c2 { --c: var(--c2) }\n"
    ".c3 { --c: var(--c3) } .c4 { --c: var(--c4) } .c5 { --c: var(--c5) }\n"
    ".c6 { --c: var(--c6) } .c7 { --c: var(--c7) }\n"
    "body { margin: 0 auto; max-width: 70rem; padding: 1.5rem 1rem 2rem;\n"
    "  background: var(--back); color: var(--text);\n"
    "  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }\n"
    "h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }\n"
    "h2 { font-size: 1.05rem; margin: 0 0 .5rem }\n"
    ".run { border-left: .3rem solid var(--c); padding: .1rem 0 .1rem .9rem;\n"
    "  margin: 0 0 1.2rem }\n"
    ".run p { margin: .2rem 0; max-width: 48rem }\n"
    ".charts { display: grid; gap: 1rem; margin: 0 0 1rem;\n"
    "  grid-template-columns:\n"
    "    repeat(auto-fit, minmax(min(100%, max(21rem, 40%)), 1fr)) }\n"
    "figure, .wide { margin: 0; padding: .9rem; background: var(--card);\n"
    "  border-radius: .6rem }\n"
    "figure > svg { display: block; width: 100%; height: auto; overflow: visible }\n"
    "figcaption { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem;\n"
    "  color: var(--soft); font-size: .85rem }\n"
    ".key svg { vertical-align: middle }\n"
    "text { font: 13px system-ui, sans-serif; fill: var(--soft) }\n"
    ".power { font-size: 9.5px }\n"
    ".grid { stroke: var(--rule) }\n"
    ".line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round }\n"
    ".dashed { stroke-dasharray: 5 3 }\n"
    "circle { fill: var(--c); stroke: transparent; stroke-width: 9; pointer-events: all "
    "}\n"
    ".many circle { fill: transparent }\n"
    "circle.zero { fill: var(--back); stroke: var(--c); stroke-width: 1.5 }\n"
    "circle:hover { stroke: var(--c); stroke-width: 4 }\n"
    ".wide { overflow-x: auto; margin-bottom: 1rem; overflow-wrap: normal }\n"
    "table { border-collapse: collapse; font-size: .9rem;\n"
    "  font-variant-numeric: tabular-nums }\n"
    "th, td { text-align: left; vertical-align: top; white-space: nowrap;\n"
    "  padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--rule) }\n"
    "tr:last-child > * { border-bottom: 0 }\n"
    "th { font-weight: 500; color: var(--soft) }\n"
    "td:has(code) { min-width: 13rem; white-space: normal; overflow-wrap: anywhere }\n"
    "code { font: .85em/1.5 ui-monospace, monospace }\n"
    "summary { cursor: pointer; overflow-wrap: anywhere }\n"
    "footer { color: var(--soft); font-size: .85rem }\n";

/* What the charts show: one or two fields of the histories. */
typedef struct view {
    const char *title;
    const char *across;
    size_t      x;
    bool        logarithmic;
    const char *value[2]; /* the second is NULL if there is one only */
    size_t      field[2];
} view;

#define FIELD(name) offsetof(sdca_record, name)
static const view views[] = {
    { .title       = "Gap against epochs",
      .across      = "epochs",
      .x           = FIELD(epoch),
      .logarithmic = true,
      .value       = { "gap" },
      .field       = { FIELD(gap) } },
    { .title       = "Gap against seconds",
      .across      = "seconds",
      .x           = FIELD(seconds),
      .logarithmic = true,
      .value       = { "gap" },
      .field       = { FIELD(gap) } },
    { .title  = "Primal and dual against epochs",
      .across = "epochs",
      .x      = FIELD(epoch),
      .value  = { "primal", "dual" },
      .field  = { FIELD(primal), FIELD(dual) } },
    { .title  = "Test error against epochs",
      .across = "epochs",
      .x      = FIELD(epoch),
      .value  = { "test error" },
      .field  = { FIELD(test_error) } },
};
#undef FIELD

static void write_head(const report_run *run, int count, FILE *page)
{
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
          "<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<title>sdca report: ",
          page);
    if (count == 1) {
        html_write_text(page, run[0].path);
    } else {
        fprintf(page, "%d runs", count);
    }
    fprintf(page,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>Training report</h1>\n",
            style);
}

static bool is_regression(const report_run *run)
{
    return run->whole && !run->model.problem.loss->classifies;
}

static const char *how_it_ended(const report_run *run)
{
    if (!run->whole) {
        return "Stopped"; /* a history does not know why */
    }
    return run->model.converged ? "Target reached"
                                : "A budget ran out before the target was reached,";
}

/* The certificate in the words of sdca train. */
static void write_certificate(const report_run *run, FILE *page)
{
    const sdca_certificate *kept = &run->model.certificate;
    const sdca_record      *last = report_run_last(run);

    if (last != NULL) {
        fprintf(page, "<p>%s after %.4g epochs (%.0f rounds) in %.*f s.</p>\n",
                how_it_ended(run), last->epoch, last->round, last->seconds < 10.0 ? 3 : 0,
                last->seconds);
    }
    if (!isnan(kept->gap)) {
        fprintf(page,
                "<p>Certified: P(w) = %.10g is at most %.3g (%.3g %%) above the least "
                "possible",
                kept->primal, kept->gap, 100.0 * sdca_gap_relative(kept));
        if (run->whole) {
            fprintf(page, ", and w at most %.3g from the best w in length",
                    sdca_gap_distance(&run->model.problem, kept));
        }
        fputs(".</p>\n", page);
    }
    if (last != NULL && !isnan(last->test_error)) {
        fprintf(page, "<p>Test %s: %.6g</p>\n", is_regression(run) ? "RMSE" : "error",
                last->test_error);
    }
}

static void write_run(const report_run *run, int k, FILE *page)
{
    fprintf(page, "<section class=\"run c%d\">\n<h2>", k % REPORT_CHART_COLOURS);
    html_write_text(page, run->path);
    fputs("</h2>\n", page);
    write_certificate(run, page);
    fputs("</section>\n", page);
}

/* Colours tell the runs apart, dashes the second field; beyond the palette the
 * dashes tell more runs apart where there is one field. */
static int fill_curves(const view *v, const report_run *run, int count,
                       report_curve *curve)
{
    int used = 0;

    for (int k = 0; k < count; k++) {
        for (int f = 0; f < 2 && v->value[f] != NULL; f++) {
            bool more = v->value[1] == NULL && k >= REPORT_CHART_COLOURS;

            curve[used++] = (report_curve){ .name    = run[k].path,
                                            .value   = v->value[f],
                                            .history = &run[k].model.history,
                                            .field   = v->field[f],
                                            .colour  = k % REPORT_CHART_COLOURS,
                                            .dashed  = f > 0 || more };
        }
    }
    return used;
}

/* The charts, as far as there is something to draw. */
static sdca_status write_charts(const report_run *run, int count, FILE *page)
{
    report_curve *curve = malloc(2 * (size_t)count * sizeof *curve);

    if (curve == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the curves of %d runs", count);
    }
    fputs("<div class=\"charts\">\n", page);
    for (size_t k = 0; k < sizeof views / sizeof views[0]; k++) {
        const view  *v     = &views[k];
        report_chart chart = { .title       = v->title,
                               .across      = v->across,
                               .x           = v->x,
                               .logarithmic = v->logarithmic,
                               .runs        = count > 1,
                               .values      = v->value[1] != NULL,
                               .curves      = fill_curves(v, run, count, curve),
                               .curve       = curve };

        if (report_chart_has_points(&chart)) {
            report_chart_write(&chart, page);
        }
    }
    fputs("</div>\n", page);
    free(curve);
    return SDCA_OK;
}

sdca_status report_page_write(const report_run *run, int count, FILE *page)
{
    sdca_status status = SDCA_OK;

    write_head(run, count, page);
    for (int k = 0; k < count; k++) {
        write_run(&run[k], k, page);
    }
    SDCA_TRY(write_charts(run, count, page));
    report_table_write_facts(run, count, page);
    for (int k = 0; k < count; k++) {
        report_table_write_evaluations(&run[k], page);
    }
    fprintf(page, "<footer>Made by sdca %s</footer>\n</body>\n</html>\n", sdca_version());

done:
    return status;
}
