/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_bars.c - the times of runs by activity, as bars and as a table of the page.
 *
 * The length of a bar is the time of the run with reading, relative to the longest run.
 * The time of an activity is the maximum over ranks, so that their sum may exceed the
 * total: the parts of a bar are shares of the sum. */
#include "cli/report/time_bars.h"

#include <math.h>
#include <stdbool.h>

#include "cli/report/html_escape.h"
#include "cli/report/svg_chart.h"
#include "cli/report/tables.h"

/* The parts of a bar: the phases, and the rest of the total. */
#define PART_ENUM(name, label) PART_##name,
typedef enum time_part { SDCA_PHASE_LIST(PART_ENUM) PART_other, PARTS } time_part;
#undef PART_ENUM

#define PART_LABEL(name, label) [PART_##name] = label,
static const char *const part_labels[PARTS] = { [PART_other] = "other",
                                                SDCA_PHASE_LIST(PART_LABEL) };
#undef PART_LABEL

static bool has_times(const report_run *run)
{
    return run->has_model && !isnan(run->model.seconds.total);
}

static double part_seconds(const report_run *run, time_part which)
{
    const sdca_phase_seconds *spent = &run->model.seconds;

    switch (which) {
#define PART_CASE(name, label) \
    case PART_##name:          \
        return spent->name;
        SDCA_PHASE_LIST(PART_CASE)
#undef PART_CASE
    default:
        return fmax(0.0, spent->total - spent->local - spent->communicate - spent->gap -
                             spent->checkpoint);
    }
}

static double total_seconds(const report_run *run)
{
    return run->model.seconds.read + run->model.seconds.total;
}

static double longest_total(const report_run *run, int count)
{
    double longest_run = 0.0;

    for (int r = 0; r < count; r++) {
        longest_run =
            has_times(&run[r]) ? fmax(longest_run, total_seconds(&run[r])) : longest_run;
    }
    return longest_run;
}

static void write_bar(const report_run *run, int r, bool named, double longest_run,
                      FILE *page)
{
    double sum = 0.0; /* becomes positive, as the total is */

    fprintf(page, "<div class=\"r%d\">", r);
    if (named) {
        html_write_text(page, run->path);
    }
    fprintf(page, "<div class=\"bar\" aria-hidden=\"true\" style=\"width:%.2f%%\">",
            100.0 * total_seconds(run) / longest_run);
    for (int p = 0; p < PARTS; p++) {
        sum += part_seconds(run, (time_part)p);
    }
    for (int p = 0; p < PARTS; p++) {
        fprintf(page, "<i class=\"p%d\" style=\"width:%.2f%%\"></i>", p,
                100.0 * part_seconds(run, (time_part)p) / sum);
    }
    fputs("</div></div>\n", page);
}

/* A row, unless the part would be printed as 0 for all runs. */
static void write_part(const report_run *run, int count, time_part which, FILE *page)
{
    double longest_run = 0.0;

    for (int r = 0; r < count; r++) {
        longest_run = has_times(&run[r]) ? fmax(longest_run, part_seconds(&run[r], which))
                                         : longest_run;
    }
    if (longest_run < 0.5e-3) {
        return;
    }
    fprintf(page, "<tr><th scope=\"row\"><i class=\"p%d\"></i>%s</th>", which,
            part_labels[which]);
    for (int r = 0; r < count; r++) {
        fprintf(page, "<td class=\"r%d\">", r);
        if (has_times(&run[r])) {
            fprintf(page, "%.3f s", part_seconds(&run[r], which));
        }
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

static void write_total(const report_run *run, int count, FILE *page)
{
    fputs("<tr><th scope=\"row\">total, without reading</th>", page);
    for (int r = 0; r < count; r++) {
        fprintf(page, "<td class=\"r%d\">", r);
        if (has_times(&run[r])) {
            fprintf(page, "%.3f s", run[r].model.seconds.total);
        }
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

static bool has_several_ranks(const report_run *run, int count)
{
    for (int r = 0; r < count; r++) {
        if (has_times(&run[r]) && run[r].model.ranks > 1) {
            return true;
        }
    }
    return false;
}

void report_time_bars_write(const report_run *run, int count, FILE *page)
{
    double longest_run = longest_total(run, count);

    if (!(longest_run > 0.0)) {
        return;
    }
    fputs("<section class=\"card time\">\n<h2>Time by activity</h2>\n", page);
    for (int r = 0; r < count; r++) {
        if (has_times(&run[r])) {
            write_bar(&run[r], r, count > 1, longest_run, page);
        }
    }
    fputs("<div class=\"scroll\"><table>\n", page);
    report_tables_write_head(run, count, page);
    fputs("<tbody>\n", page);
    for (int p = 0; p < PARTS; p++) {
        write_part(run, count, (time_part)p, page);
    }
    write_total(run, count, page);
    fputs("</tbody></table></div>\n", page);
    if (has_several_ranks(run, count)) {
        fputs("<p class=\"note\">Each time is the maximum over ranks: their sum may "
              "exceed the "
              "total.</p>\n",
              page);
    }
    fputs("</section>\n", page);
}
