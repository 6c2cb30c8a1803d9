/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_selection_output.c - the tables and files about the choice of a lambda. */
#include <math.h>

#include "cli/train/train_selection.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "mpi/comm.h"

/* The folds of a data set, and where they are written. */
typedef struct fold_list {
    const sdca_dataset *data;
    FILE               *file;
} fold_list;

/* The folds of rows, in the order of the file. */
static void make_folds(void *context, sdca_range rows, double *x)
{
    const sdca_dataset *data = ((const fold_list *)context)->data;

    for (int64_t k = 0; k < rows.count; k++) {
        uint32_t at = (uint32_t)(rows.first + k);
        uint32_t i =
            data->shuffle.count > 0 ? sdca_permutation_apply(&data->shuffle, at) : at;

        x[k] = data->fold[i] + 1.0;
    }
}

static sdca_status print_folds(void *context, const double *fold, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        fprintf(((const fold_list *)context)->file, "%.0f\n", fold[k]);
    }
    return SDCA_OK;
}

sdca_status train_selection_write_folds(MPI_Comm comm, const sdca_dataset *data,
                                        const char *path)
{
    sdca_status status = SDCA_OK;
    bool        first  = sdca_comm_rank(comm) == 0;
    fold_list   list   = { .data = data };

    if (path == NULL) {
        return SDCA_OK;
    }
    SDCA_TRY(
        sdca_comm_agree(comm, first ? sdca_atomic_file_open(path, &list.file) : SDCA_OK));
    SDCA_TRY(
        sdca_comm_gather_records(comm, data->x.count, 1, make_folds, print_folds, &list));
    status    = first ? sdca_atomic_file_commit(list.file, path) : SDCA_OK;
    list.file = NULL;
    status    = sdca_comm_agree(comm, status);

done:
    sdca_atomic_file_discard(list.file, path);
    return status;
}

void train_selection_print_test(const train_selection *selection, FILE *file)
{
    const sdca_selection *s = &selection->table;
    int                   k = s->fits - 1;

    if (k < 0) {
        return;
    }
    fprintf(file, "lambda %g: %s %.5f", s->lambda[k], s->metric, s->mean[k]);
    if (s->folds > 1) {
        fprintf(file, " +- %.5f over %d folds", s->standard_error[k], s->folds);
    }
    fputc('\n', file);
}

/* What is proven about all lambda of the range. */
static void print_bound(const sdca_selection *s, bool is_error)
{
    if (is_error && isfinite(s->error_bound) && s->error_bound > 0.0) {
        double down = floor(s->error_bound * 1e5) / 1e5;

        printf("Proven: no lambda between %g and %g, tested or not, has an error below "
               "%.5f;\nthe chosen one has %.5f.\n",
               s->lambda[s->fits - 1], s->lambda[0], down, s->mean[s->chosen]);
    }
}

void train_selection_print(const train_selection *selection)
{
    const sdca_selection *s = &selection->table;

    printf("%12s %14s %14s\n", "lambda", s->metric, s->folds > 1 ? "std error" : "");
    for (int k = 0; k < s->fits; k++) {
        printf("%12.4g %14.6f", s->lambda[k], s->mean[k]);
        if (s->folds > 1) {
            printf(" %14.6f", s->standard_error[k]);
        }
        puts(k == s->chosen ? "  chosen" : k == s->best ? "  best" : "");
    }
    if (s->fits > 0 && s->fits < s->room) {
        printf("The run ended before the other %d of %d lambda could be tested.\n",
               s->room - s->fits, s->room);
    }
    if (selection->worst != SDCA_OK && !selection->stopped) {
        puts("Models of folds did not reach the target: their gaps are in --selection "
             "and in the model.");
    }
    if (s->fits > 0) {
        print_bound(s, selection->metric == SDCA_METRIC_ERROR);
    }
}

/* Numbers of a fit and each fold. */
static void write_numbers(FILE *file, const char *name, const double *number, int count)
{
    fprintf(file, ", \"%s\": [", name);
    for (int f = 0; f < count; f++) {
        fprintf(file, "%s%s", f > 0 ? ", " : "", sdca_json_number(number[f]).text);
    }
    fputc(']', file);
}

void train_selection_write_json(const train_selection *selection, FILE *file)
{
    const sdca_selection *s = &selection->table;

    fprintf(file, "  \"selection\": {\"metric\": \"%s\", \"rule\": \"%s\", ", s->metric,
            s->rule == SDCA_SELECTION_ONE_SE ? "one-se" : "best");
    fprintf(file, "\"folds\": %d, ", selection->validation != NULL ? 0 : s->folds);
    if (s->fits > 0) {
        fprintf(file, "\"lambda\": %s, \"best_lambda\": %s, ",
                sdca_json_number(s->lambda[s->chosen]).text,
                sdca_json_number(s->lambda[s->best]).text);
    }
    fprintf(file, "\"error_bound\": %s, \"fits\": [",
            sdca_json_number(s->error_bound).text);
    for (int k = 0; k < s->fits; k++) {
        size_t at = (size_t)k * (size_t)s->folds;

        fprintf(file,
                "%s    {\"lambda\": %s, \"mean\": %s, \"standard_error\": %s, "
                "\"full_gap\": %s, \"nonzero_columns\": %s",
                k > 0 ? ",\n" : "\n", sdca_json_number(s->lambda[k]).text,
                sdca_json_number(s->mean[k]).text,
                sdca_json_number(s->standard_error[k]).text,
                sdca_json_number(s->full_gap[k]).text,
                sdca_json_number(s->nonzero_columns[k]).text);
        write_numbers(file, "value", s->value + at, s->folds);
        write_numbers(file, "gap", s->gap + at, s->folds);
        fputc('}', file);
    }
    fputs("]},\n", file);
}
