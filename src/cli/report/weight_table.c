/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_table.c - the largest weights of a model, as a table of the page. */
#include "cli/report/weight_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/report/html_escape.h"
#include "cli/report/number_text.h"
#include "cli/report/svg_chart.h"

/* What a bar shows: the weight, per standard deviation if that is known. */
static double effect(const report_largest_weights *largest, int k)
{
    return largest->has_deviations ? largest->w[k] * largest->deviation[k]
                                   : largest->w[k];
}

/* A name, which may be broken after an underscore. */
static void write_name(const char *name, FILE *page)
{
    char part[128];

    while (*name != '\0') {
        size_t length = strcspn(name, "_");

        length += name[length] == '_';
        if (length >= sizeof part) { /* too long to be one word */
            html_write_text(page, name);
            return;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        html_write_text(page, part);
        name += length;
        fputs(*name != '\0' ? "<wbr/>" : "", page);
    }
}

static void write_column(const sdca_model *model, int64_t column, FILE *page)
{
    if (model->feature_names.count > 0) {
        write_name(model->feature_names.text[column], page);
    } else {
        fprintf(page, "%" PRId64, column);
    }
}

static void write_row(const sdca_model *model, const report_largest_weights *largest,
                      int k, FILE *page)
{
    double size = effect(largest, k);
    char   text[REPORT_NUMBER_SIZE];

    fputs("<tr><th scope=\"row\">", page);
    write_column(model, largest->column[k], page);
    report_format_number(largest->w[k], text);
    fprintf(page, "</th><td>%s</td>", text);
    if (largest->has_deviations) {
        report_format_number(size, text);
        fprintf(page, "<td>%s</td>", text);
    }
    fprintf(page,
            "<td aria-hidden=\"true\"><i class=\"%s\" style=\"width:%.2f%%\"></i></td>"
            "</tr>\n",
            size < 0.0 ? "minus" : "plus", 48.0 * fabs(size / effect(largest, 0)));
}

/* One table, of a run or of one of its classes. */
static void write_table(const sdca_model *model, const report_run *run, const char *title,
                        FILE *page)
{
    const report_largest_weights *largest = &run->largest;

    fprintf(page, "<section class=\"card weights%s ",
            largest->has_deviations ? " scaled" : "");
    report_svg_chart_write_classes(run->number, page);
    fprintf(page, "\">\n<h2>%s ", title);
    html_write_text(page, run->path);
    fprintf(page,
            "</h2>\n<table>\n<thead><tr><th scope=\"col\">column</th><th scope=\"col\">"
            "weight</th>%s<td></td></tr></thead>\n<tbody>\n",
            largest->has_deviations ? "<th scope=\"col\">per st. dev.</th>" : "");
    for (int k = 0; k < largest->count; k++) {
        write_row(model, largest, k, page);
    }
    fprintf(page,
            "</tbody></table>\n<p class=\"note\">%" PRId64 " of %" PRId32
            " weights are non-zero.%s%s</p>\n</section>\n",
            largest->nonzero, model->columns,
            model->feature_names.count > 0 ? "" : " Columns are counted from 0.",
            largest->has_deviations
                ? " Bars: weight \xc3\x97 standard deviation of the column in the test "
                  "data."
                : " Bars: weights, which depend on the scale of the columns.");
}

/* The largest weights of each class at a glance. */
static void write_overview(const report_run *run, FILE *page)
{
    enum { SHOWN = 4 }; /* weights of a class */

    fprintf(page, "<section class=\"card overview r%d\">\n<h2>Largest weights of ",
            run->number);
    html_write_text(page, run->path);
    fputs(" by class</h2>\n<div class=\"scroll\"><table>\n<tbody>\n", page);
    for (int k = 0; k < run->class_count; k++) {
        const report_largest_weights *largest = &run->classes[k].largest;

        fputs("<tr><th scope=\"row\">", page);
        html_write_text(page, run->classes[k].path);
        fputs("</th>", page);
        for (int j = 0; j < SHOWN && j < largest->count; j++) {
            fputs("<td>", page);
            write_column(&run->model, largest->column[j], page);
            fprintf(page, " <b class=\"%s\">%+.3g</b></td>",
                    effect(largest, j) < 0.0 ? "minus" : "plus", effect(largest, j));
        }
        fputs("</tr>\n", page);
    }
    fprintf(page, "</tbody></table></div>\n<p class=\"note\">%s%s</p>\n</section>\n",
            run->classes[0].largest.has_deviations
                ? "Column, and weight \xc3\x97 standard deviation of the column in the "
                  "test data."
                : "Column, and weight.",
            run->model.feature_names.count > 0 ? "" : " Columns are counted from 0.");
}

void report_weight_table_write(const report_run *run, FILE *page)
{
    int classes = sdca_model_parts(&run->model);

    if (run->class_count == 0) {
        write_table(&run->model, run, "Largest weights of", page);
        return;
    }
    write_overview(run, page);
    fprintf(page, "<details class=\"card r%d\">\n<summary>More weights of ", run->number);
    html_write_text(page, run->path);
    if (run->class_count < classes) {
        fprintf(page, ", the first %d of %d classes", run->class_count, classes);
    } else {
        fputs(" by class", page);
    }
    fputs("</summary>\n<div class=\"cards\">\n", page);
    for (int k = 0; k < run->class_count; k++) {
        write_table(&run->model, &run->classes[k], "Class", page);
    }
    fputs("</div>\n</details>\n", page);
}
