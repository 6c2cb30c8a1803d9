/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_lines.c - predictions as the lines of a CSV file. */
#include "cli/predict/prediction_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/signal_cleanup.h"
#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/csv.h"

/* Names of columns, one per score. One score is that of the last class. */
static void print_class_names(const prediction_lines *to, const char *prefix)
{
    int models = to->rule->models;

    for (int k = 0; k < models; k++) {
        fputc(',', to->file);
        sdca_label_print_csv(to->file, prefix, to->rule->labels,
                             models > 1 ? k : to->rule->labels->count - 1);
    }
}

static void print_names(const prediction_lines *to, const sdca_string_list *kept)
{
    for (int64_t k = 0; k < kept->count; k++) {
        prediction_lines_print_kept(to, kept->text[k]);
    }
    fputs("prediction", to->file);
    if (to->rule->models == 1) {
        fputs(",score", to->file);
    } else {
        print_class_names(to, "score_");
    }
    if (to->rule->has_probability) {
        print_class_names(to, "probability_");
    }
    if (to->rule->has_certain) {
        fputs(",certain", to->file);
    }
    if (to->rule->has_interval) {
        print_class_names(to, "probability_low_");
        print_class_names(to, "probability_high_");
    }
    fputc('\n', to->file);
}

sdca_status prediction_lines_open(const char *path, const prediction_rule *rule,
                                  const sdca_string_list *kept, prediction_lines *out)
{
    sdca_status status = SDCA_OK;

    *out        = (prediction_lines){ .rule = rule, .path = path };
    out->number = sdca_alloc_array((size_t)rule->models, sizeof *out->number);
    if (out->number == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d probabilities", rule->models);
    }
    signal_cleanup_add(path);
    SDCA_TRY(sdca_atomic_file_open(path, &out->file));
    print_names(out, kept);

done:
    return status;
}

void prediction_lines_print_kept(const prediction_lines *to, const char *text)
{
    sdca_csv_print_field(to->file, "", text);
    fputc(',', to->file);
}

static void print_numbers(const prediction_lines *to, const double *x)
{
    for (int k = 0; k < to->rule->models; k++) {
        fprintf(to->file, ",%.17g", x[k]);
    }
}

/* What is proven about a row. */
static void print_certain(const prediction_lines *to, const double *record)
{
    if (to->rule->has_certain) {
        fprintf(to->file, ",%d", prediction_row_is_certain(to->rule, record));
    }
    if (to->rule->has_interval) {
        prediction_row_find_bounds(to->rule, record, false, to->number);
        print_numbers(to, to->number);
        prediction_row_find_bounds(to->rule, record, true, to->number);
        print_numbers(to, to->number);
    }
}

sdca_status prediction_lines_print_row(const prediction_lines *to, const double *record)
{
    if (to->rule->labels->count == 0) {
        fprintf(to->file, "%.17g", prediction_row_predict(to->rule, record));
    } else {
        sdca_label_print_csv(to->file, "", to->rule->labels,
                             prediction_row_choose(to->rule, record));
    }
    print_numbers(to, record);
    if (to->rule->has_probability) {
        prediction_row_find_probabilities(to->rule, record, to->number);
        print_numbers(to, to->number);
    }
    print_certain(to, record);
    fputc('\n', to->file);
    return ferror(to->file) == 0 ? SDCA_OK
                                 : SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", to->path,
                                             strerror(errno != 0 ? errno : EIO));
}

sdca_status prediction_lines_commit(prediction_lines *lines)
{
    FILE *file = lines->file;

    lines->file = NULL;
    return sdca_atomic_file_commit(file, lines->path);
}

void prediction_lines_close(prediction_lines *lines)
{
    sdca_atomic_file_discard(lines->file, lines->path);
    free(lines->number);
    *lines = (prediction_lines){ .file = NULL };
}
