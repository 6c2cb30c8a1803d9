/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_weights.c - the largest weights of a model, as a table of a page. */
#include "report_weights.h"

#include <inttypes.h>
#include <math.h>

#include "html.h"
#include "report_svg.h"

enum { MOST = 15 };

/* The columns of the largest weights, largest first; how many there are. Of equals
 * the first comes first. */
static int find_largest(const sdca_model *model, int32_t *column)
{
    int found = 0;

    for (int32_t j = 0; j < model->columns; j++) {
        int at = found;

        while (at > 0 && fabs(model->w[column[at - 1]]) < fabs(model->w[j])) {
            at--;
        }
        if (model->w[j] == 0.0 || at == MOST) {
            continue;
        }
        found += found < MOST;
        for (int k = found - 1; k > at; k--) {
            column[k] = column[k - 1];
        }
        column[at] = j;
    }
    return found;
}

static int32_t count_weights(const sdca_model *model)
{
    int32_t count = 0;

    for (int32_t j = 0; j < model->columns; j++) {
        count += model->w[j] != 0.0;
    }
    return count;
}

void report_weights_write(const report_run *run, int r, FILE *page)
{
    const sdca_model *model = &run->model;
    int32_t           column[MOST];
    int               found = find_largest(model, column);

    fputs("<section class=\"card weights ", page);
    report_svg_write_classes(r, page);
    fputs("\">\n<h2>Largest weights of ", page);
    html_write_text(page, run->path);
    fputs("</h2>\n<table>\n<thead><tr><th scope=\"col\">column</th><th scope=\"col\">"
          "weight</th><td></td></tr></thead>\n<tbody>\n",
          page);
    for (int k = 0; k < found; k++) {
        double w = model->w[column[k]];

        fputs("<tr><td>", page);
        if (model->names.count > 0) {
            html_write_text(page, model->names.text[column[k]]);
        } else {
            fprintf(page, "%" PRId32, column[k]);
        }
        fprintf(page,
                "</td><td>%.6g</td><td aria-hidden=\"true\"><i class=\"%s\" "
                "style=\"width:%.2f%%\"></i></td></tr>\n",
                w, w < 0.0 ? "minus" : "plus", 48.0 * fabs(w / model->w[column[0]]));
    }
    fprintf(page,
            "</tbody></table>\n<p class=\"note\">%" PRId32 " of %" PRId32
            " weights are not 0.%s</p>\n</section>\n",
            count_weights(model), model->columns,
            model->names.count > 0 ? "" : " Columns count from 0.");
}
