/* SPDX-License-Identifier: BSD-3-Clause
 *
 * result_card.c - the first card of a run: how good, how certain, what was trained. */
#include "cli/report/result_card.h"

#include <inttypes.h>
#include <math.h>

#include "cli/report/html_escape.h"
#include "cli/report/number_text.h"
#include "cli/report/svg_chart.h"
#include "cli/report/test_scoring.h"
#include "cli/ui/plural.h"
#include "objective/duality_gap.h"

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

/* A result with its name, and a note below it unless that is empty. */
static void write_text(const char *name, const char *text, const char *note, FILE *page)
{
    fprintf(page, "<div><dt>%s</dt><dd>%s</dd>", name, text);
    if (note[0] != '\0') {
        fprintf(page, "<dd class=\"note\">%s</dd>", note);
    }
    fputs("</div>\n", page);
}

static void write_number(const char *name, double value, const char *note, FILE *page)
{
    char text[REPORT_NUMBER_SIZE];

    if (!isnan(value)) {
        report_format_number(value, text);
        write_text(name, text, note, page);
    }
}

static void write_percent(const char *name, double share, const char *note, FILE *page)
{
    char text[REPORT_NUMBER_SIZE];

    if (!isnan(share)) {
        report_format_percent(share, text);
        write_text(name, text, note, page);
    }
}

/* What the test data tell, beside what is known without a model. */
static void write_test_numbers(const report_test_results *t, FILE *page)
{
    const sdca_metrics *m = &t->metrics.total;
    char                text[REPORT_NUMBER_SIZE], note[64];

    if (t->metrics.classes == 0) {
        report_format_number(m->mean_rmse, text);
        snprintf(note, sizeof note, "of the mean label: %s", text);
        write_number("RMSE on test data", m->rmse, note, page);
        write_number("R\xc2\xb2", m->r2, "", page);
        return;
    }
    report_format_percent(m->majority_error, text);
    snprintf(note, sizeof note, "of the majority vote: %s", text);
    write_percent("error on test data", m->error, note, page);
    write_number(t->metrics.classes > 2 ? "mean AUC" : "AUC", m->auc, "", page);
    if (t->certain >= 0 && t->rows > 0) {
        report_format_percent((double)t->certain / (double)t->rows, text);
        snprintf(note, sizeof note, "%" PRId64 " of %" PRId64 " rows", t->certain,
                 t->rows);
        write_text("labels proven", text, note, page);
    }
}

/* The most important numbers: of the test data, of the certificate, of the effort. */
static void write_key_numbers(const report_run *run, FILE *page)
{
    const sdca_certificate    *certificate = &run->model.certificate;
    const sdca_history_record *last        = report_run_last_record(run);
    bool                       classes     = run->class_count > 0;
    double seconds  = classes || last == NULL ? run->model.seconds.total : last->seconds;
    char   note[64] = "", text[REPORT_NUMBER_SIZE];

    fputs("<dl>\n", page);
    if (run->test != NULL) {
        write_test_numbers(run->test, page);
    } else if (run->has_model && !report_run_is_regression(run)) {
        write_percent("test error", report_run_test_error(run), "", page);
    } else { /* a history does not tell which it is */
        write_number(run->has_model ? "test RMSE" : "test error",
                     report_run_test_error(run), "", page);
    }
    if (!isnan(certificate->gap)) {
        snprintf(note, sizeof note, "gap %.3g", certificate->gap);
    }
    if (!isnan(report_run_relative_gap(run))) {
        snprintf(text, sizeof text, "%.3g\xc2\xa0%%",
                 100.0 * report_run_relative_gap(run));
        write_text(classes ? "above the minimum, each class at most"
                           : "above the minimum, at most",
                   text, note, page);
    }
    if (classes) {
        write_number("epochs", report_run_epochs(run), "of all classes", page);
    }
    if (!isnan(seconds)) {
        report_format_seconds(seconds, text);
        write_text("training time", text, "", page);
    }
    fputs("</dl>\n", page);
}

/* |w| with the weight of the constant column. */
static double norm_of(const report_run *run)
{
    double value = run->model.intercept ? 0.0 : run->model.bias_value;
    double bias  = value > 0.0 ? run->model.bias / value : 0.0;

    return hypot(sqrt(run->largest.squared_norm), bias);
}

/* The certificate, in the words of sdca train and with the proof. */
static void write_certificate(const report_run *run, FILE *page)
{
    const sdca_certificate *certificate = &run->model.certificate;

    if (run->class_count > 0) {
        fprintf(
            page,
            "<p%s>%s Certified: over the %d classes, each against the rest, the sum of "
            "P(w) = %.10g is at most %.3g above the minimum, and in each class at "
            "most %.3g\xc2\xa0%%.</p>\n",
            run->model.converged ? "" : " class=\"short\"",
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
    if (run->has_model && run->model.standardize == SDCA_STANDARDIZE_NONE) {
        fprintf(page,
                " As P is strongly convex, the distance from %sw to the minimiser is at "
                "most %.3g",
                run->model.certificate_of_other_w ? "that " : "", certificate->distance);
        if (!run->model.certificate_of_other_w) {
            fprintf(page, ", where |w| is %.4g", norm_of(run));
        }
        fputc('.', page);
    }
    fputs("</p>\n", page);
}

/* What was trained, on what, and how. */
static void write_origin(const report_run *run, FILE *page)
{
    const sdca_model     *model     = &run->model;
    const sdca_objective *objective = &model->objective;

    fprintf(page,
            "<p class=\"origin\">%s loss, \xce\xbb\xc2\xa0=\xc2\xa0%g, on %" PRId64
            " row%s \xc3\x97 %" PRId32 " column%s",
            objective->loss->name, objective->lambda, objective->rows,
            plural((double)objective->rows), model->columns, plural(model->columns));
    if (model->labels.count > 2) {
        fprintf(page, ", %d classes", model->labels.count);
    }
    if (model->solver[0] != '\0') {
        fputs(", by ", page);
        html_write_text(page, model->solver);
        fprintf(page, " on %d rank%s", model->ranks, plural(model->ranks));
    }
    fputs(".</p>\n", page);
}

void report_result_card_write(const report_run *run, bool alone, FILE *page)
{
    const sdca_history_record *last = report_run_last_record(run);

    fprintf(page, "<section class=\"card outcome%s ", alone ? " alone" : "");
    report_svg_chart_write_classes(run->number, page);
    fputs("\">\n<h2>", page);
    html_write_text(page, run->path);
    fputs("</h2>\n", page);
    if (run->has_model) {
        write_origin(run, page);
    }
    write_key_numbers(run, page);
    if (last != NULL) {
        fprintf(page, "<p%s>",
                run->has_model && !run->model.converged ? " class=\"short\"" : "");
        write_stop_reason(run, page);
        fprintf(page, " after %.4g epoch%s (%.0f round%s).</p>\n", last->epoch,
                plural(last->epoch), last->round, plural(last->round));
    }
    if (!isnan(run->model.certificate.gap)) {
        fputs(alone ? "" : "<details>\n<summary>Certificate</summary>\n", page);
        write_certificate(run, page);
        fputs(alone ? "" : "</details>\n", page);
    }
    fputs("</section>\n", page);
}
