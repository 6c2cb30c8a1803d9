/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tables.c - results, settings and records of runs, as tables of the page. */
#include "cli/report/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cli/report/html_escape.h"
#include "cli/report/svg_chart.h"
#include "objective/duality_gap.h"

/* The rows of the tables. Those from LOSS on need a model. */
#define FACT_LIST(X)                              \
    X(PRIMAL, "primal P(w)")                      \
    X(DUAL, "dual D(alpha)")                      \
    X(GAP, "gap")                                 \
    X(RELATIVE, "gap / primal")                   \
    X(EPOCHS, "epochs")                           \
    X(ROUNDS, "rounds")                           \
    X(SECONDS, "seconds")                         \
    X(TEST_ERROR, "test error")                   \
    X(TEST_RMSE, "test RMSE")                     \
    X(ETA, "step length eta")                     \
    X(SIGMA, "sigma")                             \
    X(LOCAL_STEPS, "local steps / a rank's rows") \
    X(BYTES, "bytes sent per rank")               \
    X(LOSS, "loss")                               \
    X(LAMBDA, "lambda")                           \
    X(C, "C = 1/(lambda n)")                      \
    X(BIAS, "bias column")                        \
    X(SOLVER, "solver")                           \
    X(RANKS, "ranks")                             \
    X(SEED, "seed")                               \
    X(ROWS, "rows n")                             \
    X(WEIGHTS, "sum of weights S")                \
    X(COLUMNS, "columns")                         \
    X(NONZEROS, "non-zeros")                      \
    X(NORMALIZE, "normalize")                     \
    X(LABELS, "labels for &#8722;1, +1")          \
    X(CLASSES, "classes")                         \
    X(FINGERPRINT, "data fingerprint")            \
    X(VERSION, "sdca version")

#define FACT_ENUM(name, label) FACT_##name,
typedef enum fact { FACT_LIST(FACT_ENUM) FACTS } fact;
#undef FACT_ENUM

#define FACT_LABEL(name, label) [FACT_##name] = label,
static const char *const fact_labels[FACTS] = { FACT_LIST(FACT_LABEL) };
#undef FACT_LABEL

enum { TEXT_SIZE = 128 };

static const size_t no_field = SIZE_MAX;

/* A numeric fact, else NaN; *digits is the number of digits to print. */
static double numeric_fact(const report_run *run, fact what, int *digits)
{
    const sdca_certificate    *certificate = &run->model.certificate;
    const sdca_history_record *last        = report_run_last_record(run);

    *digits = what == FACT_PRIMAL || what == FACT_DUAL ? 10 : 4;
    switch (what) {
    case FACT_PRIMAL:
        return certificate->primal;
    case FACT_DUAL:
        return certificate->dual;
    case FACT_GAP:
        return certificate->gap;
    case FACT_RELATIVE:
        return report_run_relative_gap(run);
    case FACT_EPOCHS:
        return report_run_epochs(run);
    case FACT_ROUNDS:
        *digits = 12;
        return last != NULL ? last->round : NAN;
    case FACT_SECONDS:
        return last != NULL           ? last->seconds
               : run->class_count > 0 ? run->model.seconds.total
                                      : NAN;
    case FACT_TEST_ERROR:
        return report_run_is_regression(run) ? NAN : report_run_test_error(run);
    case FACT_TEST_RMSE:
        *digits = 6;
        return report_run_is_regression(run) ? report_run_test_error(run) : NAN;
    case FACT_BYTES:
        *digits = 15;
        return last != NULL ? last->bytes : NAN;
    default:
        return NAN;
    }
}

static void format_intercept(const sdca_model *model, char *text, size_t size)
{
    if (model->by_class != NULL) {
        snprintf(text, size, "none; an intercept without penalty per class");
    } else {
        snprintf(text, size, "none; the intercept is %.6g, without penalty", model->bias);
    }
}

static void format_loss(const sdca_objective *objective, char *text, size_t size)
{
    if (objective->loss->parameter != NULL) {
        snprintf(text, size, "%s, %s %g", objective->loss->name,
                 objective->loss->parameter, objective->parameter);
    } else {
        snprintf(text, size, "%s", objective->loss->name);
    }
}

/* A setting of a model; text is not changed if there is none. */
static void format_setting(const sdca_model *model, fact what, char *text, size_t size)
{
    char label[2][SDCA_CLASS_TEXT_SIZE];

    switch (what) {
    case FACT_LOSS:
        format_loss(&model->objective, text, size);
        break;
    case FACT_LAMBDA:
        snprintf(text, size, "%g", model->objective.lambda);
        break;
    case FACT_C:
        snprintf(text, size, "%g", model->objective.C);
        break;
    case FACT_BIAS:
        if (model->intercept) {
            format_intercept(model, text, size);
        } else if (model->bias_value > 0.0 && model->by_class != NULL) {
            snprintf(text, size, "%g; a bias per class", model->bias_value);
        } else if (model->bias_value > 0.0) {
            snprintf(text, size, "%g; the bias is %.6g", model->bias_value, model->bias);
        }
        break;
    case FACT_SOLVER:
        snprintf(text, size, "%s", model->solver);
        break;
    case FACT_RANKS:
        snprintf(text, size, "%d", model->ranks);
        break;
    case FACT_SEED:
        snprintf(text, size, "%" PRIu64, model->seed);
        break;
    case FACT_ROWS:
        snprintf(text, size, "%" PRId64, model->objective.rows);
        break;
    case FACT_WEIGHTS:
        if (model->objective.total_weight != (double)model->objective.rows) {
            snprintf(text, size, "%.12g", model->objective.total_weight);
        }
        break;
    case FACT_COLUMNS:
        snprintf(text, size, "%" PRId32, model->columns);
        break;
    case FACT_NONZEROS:
        snprintf(text, size, "%" PRId64, model->nonzeros);
        break;
    case FACT_NORMALIZE:
        snprintf(text, size, "%s", model->normalized ? "rows" : "none");
        break;
    case FACT_LABELS:
        if (model->labels.count > 0 && model->by_class == NULL) {
            sdca_classes_format(&model->labels, 0, label[0]);
            sdca_classes_format(&model->labels, 1, label[1]);
            snprintf(text, size, "%.50s and %.50s", label[0], label[1]);
        }
        break;
    case FACT_CLASSES:
        if (model->by_class != NULL) {
            snprintf(text, size, "%d, each against the rest", model->labels.count);
        }
        break;
    case FACT_FINGERPRINT:
        snprintf(text, size, "%016" PRIx64, model->fingerprint);
        break;
    case FACT_VERSION:
        snprintf(text, size, "%s", model->version);
        break;
    default:
        break;
    }
}

/* The offset of a field that may change during a run, or no_field. */
static size_t varying_field(fact what)
{
    switch (what) {
    case FACT_ETA:
        return offsetof(sdca_history_record, eta);
    case FACT_SIGMA:
        return offsetof(sdca_history_record, sigma);
    case FACT_LOCAL_STEPS:
        return offsetof(sdca_history_record, local_steps);
    default:
        return no_field;
    }
}

/* The value of a field, or its range. */
static void format_range(const sdca_history *history, size_t field, char *text,
                         size_t size)
{
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (int64_t k = 0; k < history->count; k++) {
        double value = *(const double *)((const char *)&history->records[k] + field);

        low  = fmin(low, value); /* ignores NaN */
        high = fmax(high, value);
    }
    if (low < high) {
        snprintf(text, size, "%.4g to %.4g", low, high);
    } else if (low == high) {
        snprintf(text, size, "%.4g", low);
    }
}

/* A fact as text, empty if it is unknown. */
static void format_fact(const report_run *run, fact what, char *text, size_t size)
{
    int    digits = 0;
    double number = numeric_fact(run, what, &digits);
    size_t field  = varying_field(what);

    text[0] = '\0';
    if (field != no_field) {
        format_range(&run->model.history, field, text, size);
    } else if (what < FACT_LOSS && !isnan(number)) {
        snprintf(text, size, "%.*g", digits, number);
    } else if (run->has_model) {
        format_setting(&run->model, what, text, size);
    }
}

static void write_fact(const report_run *run, int count, fact what, FILE *page)
{
    char text[TEXT_SIZE];
    bool known = false;

    for (int r = 0; r < count; r++) {
        format_fact(&run[r], what, text, sizeof text);
        known = known || text[0] != '\0';
    }
    if (!known) {
        return;
    }
    fprintf(page, "<tr><th scope=\"row\">%s</th>", fact_labels[what]);
    for (int r = 0; r < count; r++) {
        format_fact(&run[r], what, text, sizeof text);
        fprintf(page, "<td class=\"r%d\">", r);
        html_write_text(page, text);
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

void report_tables_write_head(const report_run *run, int count, FILE *page)
{
    if (count < 2) {
        return;
    }
    fputs("<thead><tr><td></td>", page);
    for (int r = 0; r < count; r++) {
        fputs("<th scope=\"col\" class=\"run ", page);
        report_svg_chart_write_classes(r, page);
        fputs("\">", page);
        html_write_text(page, run[r].path);
        fputs("</th>", page);
    }
    fputs("</tr></thead>\n", page);
}

/* The facts from first to end - 1. */
static void write_facts(const char *title, const report_run *run, int count, int first,
                        int end, FILE *page)
{
    fprintf(page,
            "<section class=\"card %s\">\n<h2>%s</h2>\n<div class=\"scroll\"><table>\n",
            first < FACT_LOSS ? "result" : "settings", title);
    report_tables_write_head(run, count, page);
    fputs("<tbody>\n", page);
    for (int what = first; what < end; what++) {
        write_fact(run, count, (fact)what, page);
    }
    fputs("</tbody></table></div>\n", page);
}

/* The command lines of the runs. */
static void write_commands(const report_run *run, int count, FILE *page)
{
    for (int r = 0; r < count; r++) {
        if (run[r].has_model) {
            fprintf(page, "<pre class=\"r%d\"><code>sdca train ", r);
            html_write_text(page, run[r].model.options);
            fputs("</code></pre>\n", page);
        }
    }
}

void report_tables_write_facts(const report_run *run, int count, FILE *page)
{
    bool has_model = false;

    for (int r = 0; r < count; r++) {
        has_model = has_model || run[r].has_model;
    }
    write_facts("Result", run, count, 0, FACT_LOSS, page);
    fputs("</section>\n", page);
    if (has_model) {
        write_facts("Settings", run, count, FACT_LOSS, FACTS, page);
        write_commands(run, count, page);
        fputs("</section>\n", page);
    }
}

/* The columns of records, and the digits to print. */
static const struct {
    const char *label;
    const char *name;
    int         digits;
} columns[] = {
    { "round", "round", 12 },
    { "epoch", "epoch", 6 },
    { "seconds", "seconds", 6 },
    { "primal", "primal", 10 },
    { "dual", "dual", 10 },
    { "best dual", "best_dual", 10 },
    { "gap", "gap", 4 },
    { "test error", "test_error", 6 },
    { "eta", "eta", 6 },
    { "sigma", "sigma", 6 },
    { "sigma along the mean row", "sigma_along", 6 },
    { "local steps", "local_steps", 6 },
    { "bytes", "bytes", 15 },
    { "bound", "bound", 4 },
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* The same labels as in the charts, by which the script finds the values of a point. */
static const char *column_label(const report_run *run, int column)
{
    return report_run_is_regression(run) &&
                   strcmp(columns[column].name, "test_error") == 0
               ? "test RMSE"
               : columns[column].label;
}

static double value_of(const report_series *series, int64_t k, int column)
{
    return series->values[k * series->columns->count + column];
}

/* The index of a table column in the records, or -1 if it has no values. */
static int find_nonempty(const report_series *series, int column)
{
    const char *name = columns[column].name;
    int         at   = sdca_record_schema_find(series->columns, name, strlen(name));

    for (int64_t k = 0; at >= 0 && k < series->count; k++) {
        if (!isnan(value_of(series, k, at))) {
            return at;
        }
    }
    return -1;
}

static void write_record(const report_series *series, const int *at, int r, int64_t k,
                         FILE *page)
{
    fputs("<tr id=\"", page);
    report_svg_chart_write_row_id(series, r, k, page);
    fputs("\">", page);
    for (int c = 0; c < COLUMNS; c++) {
        double value = at[c] >= 0 ? value_of(series, k, at[c]) : NAN;

        if (at[c] >= 0 && isnan(value)) {
            fputs("<td></td>", page);
        } else if (at[c] >= 0) {
            fprintf(page, "<td>%.*g</td>", columns[c].digits, value);
        }
    }
    fputs("</tr>\n", page);
}

void report_tables_write_records(const report_run *run, int r, const char *title,
                                 report_series series, FILE *page)
{
    int     at[COLUMNS];
    int64_t shown = 0;

    for (int64_t k = 0; k < series.count; k++) {
        shown += report_svg_chart_shows_record(&series, k);
    }
    fprintf(page, "<details class=\"card r%d\">\n<summary>%s of ", r, title);
    html_write_text(page, run->path);
    fprintf(page, ": %s%" PRId64 "</summary>\n<div class=\"scroll\"><table>\n<thead><tr>",
            shown < series.count ? "some of " : "", series.count);
    for (int c = 0; c < COLUMNS; c++) {
        at[c] = find_nonempty(&series, c);
        if (at[c] >= 0) {
            fprintf(page, "<th scope=\"col\">%s</th>", column_label(run, c));
        }
    }
    fputs("</tr></thead>\n<tbody>\n", page);
    for (int64_t k = 0; k < series.count; k++) {
        if (report_svg_chart_shows_record(&series, k)) {
            write_record(&series, at, r, k, page);
        }
    }
    fputs("</tbody></table></div>\n</details>\n", page);
}

static void write_class(const sdca_model *model, int k, FILE *page)
{
    const sdca_class_model *part = &model->by_class[k];
    char                    label[SDCA_CLASS_TEXT_SIZE];

    sdca_classes_format(&model->labels, k, label);
    fputs("<tr><th scope=\"row\">", page);
    html_write_text(page, label);
    fprintf(page,
            "</th><td>%" PRId64 "</td><td>%.10g</td><td>%.10g</td><td>%.4g</td>"
            "<td>%.4g</td><td>%.4g</td><td>%s</td></tr>\n",
            part->positives, part->certificate.primal, part->certificate.dual,
            part->certificate.gap, sdca_duality_gap_relative(&part->certificate),
            part->epochs, part->converged ? "reached" : "not reached");
}

void report_tables_write_classes(const report_run *run, FILE *page)
{
    const sdca_model *model  = &run->model;
    bool              folded = run->class_count < sdca_model_parts(model);

    fprintf(page,
            folded ? "<details class=\"card r%d\">\n<summary>"
                   : "<section class=\"card r%d\">\n<h2>",
            run->number);
    fprintf(page, "%d classes of ", sdca_model_parts(model));
    html_write_text(page, run->path);
    fputs(folded ? "</summary>\n" : "</h2>\n", page);
    fputs("<div class=\"scroll\"><table>\n<thead><tr><td></td><th scope=\"col\">rows</th>"
          "<th scope=\"col\">primal P(w)</th><th scope=\"col\">dual D(alpha)</th>"
          "<th scope=\"col\">gap</th><th scope=\"col\">gap / primal</th>"
          "<th scope=\"col\">epochs</th><th scope=\"col\">target</th></tr></thead>\n"
          "<tbody>\n",
          page);
    for (int k = 0; k < sdca_model_parts(model); k++) {
        write_class(model, k, page);
    }
    fputs("</tbody></table></div>\n", page);
    fputs(folded ? "</details>\n" : "</section>\n", page);
}
