/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_table.c - what is known of runs, as tables of a page. */
#include "report_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "html.h"
#include "report_chart.h"
#include "sdca/gap.h"

/* What a table says of every run. Those from LOSS on are known of a model only. */
#define FACT_LIST(X)                     \
    X(PRIMAL, "primal P(w)")             \
    X(DUAL, "dual D(alpha)")             \
    X(GAP, "gap")                        \
    X(RELATIVE, "gap / primal")          \
    X(EPOCHS, "epochs")                  \
    X(ROUNDS, "rounds")                  \
    X(SECONDS, "seconds")                \
    X(TEST_ERROR, "test error")          \
    X(LOSS, "loss")                      \
    X(LAMBDA, "lambda")                  \
    X(C, "C = 1/(lambda n)")             \
    X(RANKS, "ranks")                    \
    X(SEED, "seed")                      \
    X(ROWS, "rows n")                    \
    X(COLUMNS, "columns")                \
    X(NONZEROS, "non-zeros")             \
    X(NORMALIZE, "normalize")            \
    X(LABELS, "labels for &#8722;1, +1") \
    X(FINGERPRINT, "data fingerprint")   \
    X(VERSION, "sdca version")           \
    X(OPTIONS, "sdca train ...")

#define FACT_ENUM(name, words) FACT_##name,
typedef enum fact { FACT_LIST(FACT_ENUM) FACTS } fact;
#undef FACT_ENUM

#define FACT_WORDS(name, words) words,
static const char *const fact_words[FACTS] = { FACT_LIST(FACT_WORDS) };
#undef FACT_WORDS

/* A fact that is a number, else NaN; *digits is how many digits to show. */
static double number_of(const report_run *run, fact what, int *digits)
{
    const sdca_certificate *certificate = &run->model.certificate;
    const sdca_record      *last        = report_run_last(run);

    *digits = what == FACT_PRIMAL || what == FACT_DUAL ? 10 : 4;
    switch (what) {
    case FACT_PRIMAL:
        return certificate->primal;
    case FACT_DUAL:
        return certificate->dual;
    case FACT_GAP:
        return certificate->gap;
    case FACT_RELATIVE:
        return sdca_gap_relative(certificate);
    case FACT_EPOCHS:
        return last != NULL ? last->epoch : NAN;
    case FACT_ROUNDS:
        *digits = 12;
        return last != NULL ? last->round : NAN;
    case FACT_SECONDS:
        return last != NULL ? last->seconds : NAN;
    case FACT_TEST_ERROR:
        return last != NULL ? last->test_error : NAN;
    default:
        return NAN;
    }
}

static void tell_loss(const sdca_problem *problem, char *text, size_t size)
{
    if (problem->loss->parameter != NULL) {
        snprintf(text, size, "%s, %s %g", problem->loss->name, problem->loss->parameter,
                 problem->parameter);
    } else {
        snprintf(text, size, "%s", problem->loss->name);
    }
}

/* A setting of a model, or nothing where there is none. */
static void tell_setting(const sdca_model *model, fact what, char *text, size_t size)
{
    switch (what) {
    case FACT_LOSS:
        tell_loss(&model->problem, text, size);
        break;
    case FACT_LAMBDA:
        snprintf(text, size, "%g", model->problem.lambda);
        break;
    case FACT_C:
        snprintf(text, size, "%g", model->problem.C);
        break;
    case FACT_RANKS:
        snprintf(text, size, "%d", model->ranks);
        break;
    case FACT_SEED:
        snprintf(text, size, "%" PRIu64, model->seed);
        break;
    case FACT_ROWS:
        snprintf(text, size, "%" PRId64, model->problem.rows);
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
        if (model->labels.count > 0) {
            snprintf(text, size, "%g and %g", model->labels.value[0],
                     model->labels.value[1]);
        }
        break;
    case FACT_FINGERPRINT:
        snprintf(text, size, "%016" PRIx64, model->fingerprint);
        break;
    case FACT_VERSION:
        snprintf(text, size, "%s", model->version);
        break;
    case FACT_OPTIONS:
        snprintf(text, size, "%s", model->options);
        break;
    default:
        break;
    }
}

/* A fact in words, or nothing where it is not known. */
static void tell(const report_run *run, fact what, char *text, size_t size)
{
    int    digits = 0;
    double number = number_of(run, what, &digits);

    text[0] = '\0';
    if (what < FACT_LOSS && !isnan(number)) {
        snprintf(text, size, "%.*g", digits, number);
    } else if (run->whole) {
        tell_setting(&run->model, what, text, size);
    }
}

static void write_fact(const report_run *run, int count, fact what, FILE *page)
{
    char text[SDCA_MODEL_TEXT];
    bool known = false;

    for (int k = 0; k < count; k++) {
        tell(&run[k], what, text, sizeof text);
        known = known || text[0] != '\0';
    }
    if (!known) {
        return;
    }
    fprintf(page, "<tr><th scope=\"row\">%s</th>", fact_words[what]);
    for (int k = 0; k < count; k++) {
        tell(&run[k], what, text, sizeof text);
        fputs(what == FACT_OPTIONS ? "<td><code>" : "<td>", page);
        html_write_text(page, text);
        fputs(what == FACT_OPTIONS ? "</code></td>" : "</td>", page);
    }
    fputs("</tr>\n", page);
}

void report_table_write_facts(const report_run *run, int count, FILE *page)
{
    fputs("<div class=\"wide\">\n<h2>Results and settings</h2>\n<table>\n", page);
    if (count > 1) {
        fputs("<tr><td></td>", page);
        for (int k = 0; k < count; k++) {
            fputs("<td>", page);
            html_write_text(page, run[k].path);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    for (int what = 0; what < FACTS; what++) {
        write_fact(run, count, (fact)what, page);
    }
    fputs("</table>\n</div>\n", page);
}

/* Of many evaluations, those that also have a point in the charts. */
static void write_evaluation(const sdca_record *r, FILE *page)
{
    const double value[]  = { r->round, r->epoch, r->seconds,   r->primal,
                              r->dual,  r->gap,   r->test_error };
    const int    digits[] = { 12, 6, 6, 10, 10, 4, 6 };

    fputs("<tr>", page);
    for (size_t c = 0; c < sizeof value / sizeof value[0]; c++) {
        fputs("<td>", page);
        if (!isnan(value[c])) {
            fprintf(page, "%.*g", digits[c], value[c]);
        }
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

void report_table_write_evaluations(const report_run *run, FILE *page)
{
    const sdca_history *history = &run->model.history;

    fputs("<details class=\"wide\">\n<summary>Evaluations of ", page);
    html_write_text(page, run->path);
    fprintf(page, ": %s%" PRId64 "</summary>\n",
            history->count > REPORT_CHART_DOTS ? "some of " : "", history->count);
    fputs("<table class=\"rows\">\n<tr><th>round</th><th>epoch</th><th>seconds</th>"
          "<th>primal</th><th>dual</th><th>gap</th><th>test error</th></tr>\n",
          page);
    for (int64_t k = 0; k < history->count; k++) {
        if (report_chart_shows(history, k)) {
            write_evaluation(&history->record[k], page);
        }
    }
    fputs("</table>\n</details>\n", page);
}
