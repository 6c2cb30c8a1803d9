/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_table.c - the largest weights of a model, as a table of the page. */
#include "cli/report/weight_table.h"

#include <inttypes.h>
#include <math.h>

#include "cli/report/html.h"
#include "cli/report/svg_chart.h"

/* One table, of a run or of one of its classes. */
static void write_table(const sdca_model *model, const report_run *run, const char *title,
                        FILE *page)
{
    const report_largest_weights *largest = &run->largest;

    fputs("<section class=\"card weights ", page);
    report_svg_chart_write_classes(run->number, page);
    fprintf(page, "\">\n<h2>%s ", title);
    html_write_text(page, run->path);
    fputs("</h2>\n<table>\n<thead><tr><th scope=\"col\">column</th><th scope=\"col\">"
          "weight</th><td></td></tr></thead>\n<tbody>\n",
          page);
    for (int k = 0; k < largest->count; k++) {
        double w = largest->w[k];

        fputs("<tr><td><span>", page);
        if (model->feature_names.count > 0) {
            html_write_text(page, model->feature_names.text[largest->column[k]]);
        } else {
            fprintf(page, "%" PRId64, largest->column[k]);
        }
        fprintf(page,
                "</span></td><td>%.6g</td><td aria-hidden=\"true\"><i class=\"%s\" "
                "style=\"width:%.2f%%\"></i></td></tr>\n",
                w, w < 0.0 ? "minus" : "plus", 48.0 * fabs(w / largest->w[0]));
    }
    fprintf(page,
            "</tbody></table>\n<p class=\"note\">%" PRId64 " of %" PRId32
            " weights are non-zero.%s</p>\n</section>\n",
            largest->nonzero, model->columns,
            model->feature_names.count > 0 ? "" : " Columns are counted from 0.");
}

void report_weight_table_write(const report_run *run, FILE *page)
{
    int classes = sdca_model_parts(&run->model);

    if (run->class_count == 0) {
        write_table(&run->model, run, "Largest weights of", page);
        return;
    }
    fprintf(page, "<details class=\"card r%d\">\n<summary>Largest weights of ",
            run->number);
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
