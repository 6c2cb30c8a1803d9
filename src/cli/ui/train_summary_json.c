/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_summary_json.c - the JSON summary of a run. */
#include "cli/ui/train_messages_private.h"

#include <stdio.h>

#include "cli/train/train_selection.h"
#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/json.h"

static void write_number(FILE *file, const char *name, double value)
{
    fprintf(file, "  \"%s\": %s,\n", name, sdca_json_number(value).text);
}

const char *train_messages_status_name(sdca_status outcome)
{
    return outcome == SDCA_OK            ? "converged"
           : outcome == SDCA_BUDGET      ? "budget"
           : outcome == SDCA_INTERRUPTED ? "interrupted"
                                         : "failed";
}

static void write_seconds(FILE *file, const sdca_phase_seconds *seconds)
{
    const char *separator = "";

    fputs("  \"seconds\": {", file);
#define WRITE_SECONDS(name, label)                                    \
    fprintf(file, "%s\"" #name "\": %.6f", separator, seconds->name); \
    separator = ", ";
    SDCA_PHASE_SECONDS_LIST(WRITE_SECONDS)
#undef WRITE_SECONDS
    fputs("}\n", file);
}

/* What the summary says about several classes. */
static void write_classes(FILE *file, const sdca_model *model)
{
    fprintf(file, "  \"classes\": %d,\n  \"per_class\": [", sdca_model_parts(model));
    for (int k = 0; k < sdca_model_parts(model); k++) {
        const sdca_class_model *part = &model->by_class[k];

        fprintf(file, "%s    {\"label\": ", k > 0 ? ",\n" : "\n");
        sdca_label_print_json(file, &model->labels, k);
        fprintf(file, ", \"primal\": %s, \"dual\": %s, \"gap\": %s",
                sdca_json_number(part->certificate.primal).text,
                sdca_json_number(part->certificate.dual).text,
                sdca_json_number(part->certificate.gap).text);
        fprintf(file, ", \"epochs\": %s, \"positives\": %lld}",
                sdca_json_number(part->epochs).text, (long long)part->positives);
    }
    fputs("],\n", file);
}

/* What the summary says about the fits of a path. */
static void write_path(FILE *file, const run_description *run)
{
    const train_path *path = run->path;

    fprintf(file, "  \"planned_fits\": %d,\n  \"path\": [",
            run->arguments->lambdas.count);
    for (int k = 0; k < path->count; k++) {
        const path_fit *fit = &path->fit[k];

        fprintf(file, "%s    {\"lambda\": %s, \"C\": %s, \"status\": \"%s\"",
                k > 0 ? ",\n" : "\n", sdca_json_number(fit->lambda).text,
                sdca_json_number(fit->C).text, train_messages_status_name(fit->outcome));
        fprintf(file, ", \"primal\": %s, \"dual\": %s, \"gap\": %s, \"rel_gap\": %s",
                sdca_json_number(fit->certificate.primal).text,
                sdca_json_number(fit->certificate.dual).text,
                sdca_json_number(fit->certificate.gap).text,
                sdca_json_number(fit->relative_gap).text);
        fprintf(file,
                ", \"epochs\": %s, \"rounds\": %s, \"seconds\": %s, \"test_error\": %s}",
                sdca_json_number(fit->epochs).text, sdca_json_number(fit->rounds).text,
                sdca_json_number(fit->seconds).text,
                sdca_json_number(fit->test_error).text);
    }
    fputs("],\n", file);
    write_number(file, "path_seconds", path->seconds);
}

sdca_status train_messages_write_summary(const run_description   *run,
                                         const sdca_iterate      *iterate,
                                         const sdca_train_result *result,
                                         sdca_status outcome, const char *path)
{
    const sdca_certificate *certificate = &result->certificate;
    run_totals              totals      = { sdca_iterate_epochs(run->problem, iterate),
                                            (double)iterate->round };
    FILE                   *file        = NULL;
    sdca_status             status      = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    if (run->model->by_class != NULL) {
        totals = train_messages_class_totals(run->model);
    }
    fprintf(file, "{\n  \"status\": \"%s\",\n", train_messages_status_name(outcome));
    write_number(file, "primal", certificate->primal);
    write_number(file, "dual", certificate->dual);
    write_number(file, "gap", certificate->gap);
    write_number(file, "rel_gap", train_messages_relative_gap(run, result));
    write_number(file, "rounding", certificate->rounding);
    write_number(file, "distance", certificate->distance);
    write_number(file, "epochs", totals.epochs);
    write_number(file, "rounds", totals.rounds);
    write_number(file, "ranks", run->ranks);
    write_number(file, "working_ranks", run->working_ranks);
    write_number(file, "rows", (double)run->data->rows);
    write_number(file, "total_weight", run->data->total_weight);
    write_number(file, "columns", sdca_dataset_feature_count(run->data));
    write_number(file, "nonzeros", (double)run->data->nonzeros);
    fprintf(file, "  \"loss\": \"%s\",\n", run->problem->loss->name);
    if (run->problem->loss->parameter != NULL) {
        write_number(file, run->problem->loss->parameter, run->problem->parameter);
    }
    write_number(file, "lambda", run->problem->lambda);
    write_number(file, "C", run->problem->C);
    fprintf(file, "  \"seed\": %llu,\n",
            (unsigned long long)run->arguments->training.seed);
    write_number(file, "test_error", result->test_error);
    if (run->model->by_class != NULL) {
        write_classes(file, run->model);
    }
    if (run->path != NULL) {
        write_path(file, run);
    }
    if (run->selection != NULL) {
        train_selection_write_json(run->selection, file);
    }
    if (run->arguments->calibrate) {
        fputs("  \"calibration\": ", file);
        sdca_model_print_calibration_json(&run->model->calibration, file);
        fputs(",\n", file);
    }
    write_seconds(file, &result->times);
    fputs("}\n", file);
    return sdca_atomic_file_commit(file, path);
}
