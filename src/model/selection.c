/* SPDX-License-Identifier: BSD-3-Clause
 *
 * selection.c - how a lambda was chosen. */
#include "model/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "io/atomic_file.h"

sdca_status sdca_selection_create(const char *metric, bool larger_is_better,
                                  sdca_selection_rule rule, int fits, int folds,
                                  sdca_selection *out)
{
    size_t         count = (size_t)fits, all = (size_t)fits * (size_t)folds;
    sdca_selection s = { .larger_is_better = larger_is_better,
                         .rule             = rule,
                         .folds            = folds,
                         .room             = fits,
                         .error_bound      = NAN };

    snprintf(s.metric, sizeof s.metric, "%s", metric);
    s.lambda          = sdca_alloc_zeroed(count, sizeof *s.lambda);
    s.mean            = sdca_alloc_zeroed(count, sizeof *s.mean);
    s.standard_error  = sdca_alloc_zeroed(count, sizeof *s.standard_error);
    s.full_gap        = sdca_alloc_zeroed(count, sizeof *s.full_gap);
    s.nonzero_columns = sdca_alloc_zeroed(count, sizeof *s.nonzero_columns);
    s.interval_bound  = sdca_alloc_zeroed(count, sizeof *s.interval_bound);
    s.value           = sdca_alloc_zeroed(all, sizeof *s.value);
    s.gap             = sdca_alloc_zeroed(all, sizeof *s.gap);
    if (s.lambda == NULL || s.mean == NULL || s.standard_error == NULL ||
        s.full_gap == NULL || s.nonzero_columns == NULL || s.interval_bound == NULL ||
        s.value == NULL || s.gap == NULL) {
        sdca_selection_free(&s);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d lambda and %d folds", fits,
                         folds);
    }
    *out = s;
    return SDCA_OK;
}

void sdca_selection_free(sdca_selection *selection)
{
    free(selection->lambda);
    free(selection->mean);
    free(selection->standard_error);
    free(selection->full_gap);
    free(selection->nonzero_columns);
    free(selection->interval_bound);
    free(selection->value);
    free(selection->gap);
    *selection = (sdca_selection){ 0 };
}

/* Mean and standard error of the numbers of a fit. */
static void summarise(sdca_selection *s, int k)
{
    const double *value = s->value + (size_t)k * (size_t)s->folds;
    double        folds = s->folds, sum = 0.0, squares = 0.0;

    for (int f = 0; f < s->folds; f++) {
        sum += value[f];
    }
    s->mean[k] = sum / folds;
    for (int f = 0; f < s->folds; f++) {
        squares += (value[f] - s->mean[k]) * (value[f] - s->mean[k]);
    }
    s->standard_error[k] = s->folds > 1 ? sqrt(squares / (folds - 1.0) / folds) : NAN;
}

static void choose(sdca_selection *s)
{
    double sign = s->larger_is_better ? -1.0 : 1.0;
    double most;

    s->best = 0;
    for (int k = 1; k < s->fits; k++) {
        if (sign * s->mean[k] < sign * s->mean[s->best]) {
            s->best = k;
        }
    }
    s->chosen = s->best;
    most      = sign * s->mean[s->best] + s->standard_error[s->best];
    for (int k = 0; k < s->best && s->rule == SDCA_SELECTION_ONE_SE; k++) {
        if (sign * s->mean[k] <= most) { /* the largest lambda comes first */
            s->chosen = k;
            break;
        }
    }
}

void sdca_selection_add(sdca_selection *selection, double lambda, double full_gap,
                        double nonzero_columns, const double *value, const double *gap)
{
    int k = selection->fits++;

    selection->lambda[k]          = lambda;
    selection->full_gap[k]        = full_gap;
    selection->nonzero_columns[k] = nonzero_columns;
    for (int f = 0; f < selection->folds; f++) {
        size_t at = (size_t)k * (size_t)selection->folds + (size_t)f;

        selection->value[at] = value[f];
        selection->gap[at]   = gap[f];
    }
    summarise(selection, k);
    choose(selection);
}

/* Write a number per fit and fold. */
static sdca_status write_matrix(const sdca_selection *s, sdca_hdf5_file *hdf5,
                                const char *name, const double *number)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_create_matrix(hdf5, name, SDCA_FLOAT64, s->fits, s->folds, 0));
    for (int k = 0; k < s->fits; k++) {
        SDCA_TRY(sdca_hdf5_write_row(hdf5, name, k, (sdca_range){ 0, s->folds },
                                     SDCA_FLOAT64,
                                     number + (size_t)k * (size_t)s->folds));
    }

done:
    return status;
}

sdca_status sdca_selection_write(const sdca_selection *selection, sdca_hdf5_file *hdf5)
{
    const sdca_selection *s         = selection;
    sdca_status           status    = SDCA_OK;
    const int64_t         numbers[] = { s->chosen, s->best };
    const struct {
        const char   *name;
        const double *number;
    } array[] = { { "selection/lambda", s->lambda },
                  { "selection/mean", s->mean },
                  { "selection/standard_error", s->standard_error },
                  { "selection/full_gap", s->full_gap },
                  { "selection/nonzero_columns", s->nonzero_columns } };

    SDCA_TRY(sdca_hdf5_create_group(hdf5, "selection"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(hdf5, "selection", "metric", s->metric));
    SDCA_TRY(sdca_hdf5_write_string_attribute(
        hdf5, "selection", "rule", s->rule == SDCA_SELECTION_ONE_SE ? "one-se" : "best"));
    SDCA_TRY(sdca_hdf5_write_attribute(hdf5, "selection", "chosen", SDCA_INT64, 1,
                                       &numbers[0]));
    SDCA_TRY(
        sdca_hdf5_write_attribute(hdf5, "selection", "best", SDCA_INT64, 1, &numbers[1]));
    if (isfinite(s->error_bound)) {
        SDCA_TRY(sdca_hdf5_write_attribute(hdf5, "selection", "error_bound", SDCA_FLOAT64,
                                           1, &s->error_bound));
        SDCA_TRY(sdca_hdf5_write_array(hdf5, "selection/interval_error_bound",
                                       SDCA_FLOAT64, s->fits - 1, s->interval_bound));
    }
    for (size_t k = 0; k < sizeof array / sizeof array[0]; k++) {
        SDCA_TRY(sdca_hdf5_write_array(hdf5, array[k].name, SDCA_FLOAT64, s->fits,
                                       array[k].number));
    }
    SDCA_TRY(write_matrix(s, hdf5, "selection/value", s->value));
    SDCA_TRY(write_matrix(s, hdf5, "selection/gap", s->gap));

done:
    return status;
}

/* Read a number per fit and fold. */
static sdca_status read_matrix(const sdca_selection *s, sdca_hdf5_file *hdf5,
                               const char *name, double *number)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_open_array(hdf5, name, SDCA_FLOAT64, &array));
    shape = sdca_hdf5_array_shape(array);
    if (shape.extent[0] != s->fits || shape.extent[1] != s->folds) {
        status = SDCA_FAIL(SDCA_DATA, "%s in '%s' is out of range: the file was changed",
                           name, sdca_hdf5_path(hdf5));
        goto done;
    }
    status = sdca_hdf5_read_array(array, (sdca_range){ 0, s->fits }, number);

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* Fits and folds of the group, and its names. */
static sdca_status read_sizes(sdca_hdf5_file *hdf5, sdca_selection *out)
{
    enum { MOST = 100000 };
    sdca_status      status = SDCA_OK;
    char             metric[sizeof out->metric], rule[16];
    int64_t          chosen = 0, best = 0;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_check_shape(hdf5, "selection/value", 2, &shape));
    SDCA_TRY(sdca_hdf5_read_string_attribute(hdf5, "selection", "metric", metric,
                                             sizeof metric));
    SDCA_TRY(
        sdca_hdf5_read_string_attribute(hdf5, "selection", "rule", rule, sizeof rule));
    SDCA_TRY(
        sdca_hdf5_read_attribute(hdf5, "selection", "chosen", SDCA_INT64, 1, &chosen));
    SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "selection", "best", SDCA_INT64, 1, &best));
    if (shape.extent[0] < 1 || shape.extent[0] > MOST || shape.extent[1] < 1 ||
        shape.extent[1] > MOST || chosen < 0 || chosen >= shape.extent[0] || best < 0 ||
        best >= shape.extent[0]) {
        status = SDCA_FAIL(SDCA_DATA, "%s in '%s' is out of range: the file was changed",
                           "selection", sdca_hdf5_path(hdf5));
        goto done;
    }
    SDCA_TRY(sdca_selection_create(
        metric, false, rule[0] == 'o' ? SDCA_SELECTION_ONE_SE : SDCA_SELECTION_BEST,
        (int)shape.extent[0], (int)shape.extent[1], out));
    out->fits   = out->room;
    out->chosen = (int)chosen;
    out->best   = (int)best;

done:
    return status;
}

sdca_status sdca_selection_read(sdca_hdf5_file *hdf5, sdca_selection *out)
{
    sdca_selection s      = { .fits = 0 };
    sdca_status    status = SDCA_OK;
    sdca_range     fits;

    *out = s;
    if (!sdca_hdf5_has_group(hdf5, "selection")) {
        return SDCA_OK;
    }
    SDCA_TRY(read_sizes(hdf5, &s));
    fits = (sdca_range){ 0, s.fits };
    SDCA_TRY(
        sdca_hdf5_read_range(hdf5, "selection/lambda", fits, SDCA_FLOAT64, s.lambda));
    SDCA_TRY(sdca_hdf5_read_range(hdf5, "selection/mean", fits, SDCA_FLOAT64, s.mean));
    SDCA_TRY(sdca_hdf5_read_range(hdf5, "selection/standard_error", fits, SDCA_FLOAT64,
                                  s.standard_error));
    SDCA_TRY(
        sdca_hdf5_read_range(hdf5, "selection/full_gap", fits, SDCA_FLOAT64, s.full_gap));
    for (int k = 0; k < s.fits; k++) { /* models of earlier versions lack them */
        s.nonzero_columns[k] = NAN;
    }
    if (sdca_hdf5_has_array(hdf5, "selection/nonzero_columns")) {
        SDCA_TRY(sdca_hdf5_read_range(hdf5, "selection/nonzero_columns", fits,
                                      SDCA_FLOAT64, s.nonzero_columns));
    }
    SDCA_TRY(read_matrix(&s, hdf5, "selection/value", s.value));
    SDCA_TRY(read_matrix(&s, hdf5, "selection/gap", s.gap));
    if (sdca_hdf5_has_attribute(hdf5, "selection", "error_bound")) {
        SDCA_TRY(sdca_hdf5_read_attribute(hdf5, "selection", "error_bound", SDCA_FLOAT64,
                                          1, &s.error_bound));
        SDCA_TRY(sdca_hdf5_read_range(hdf5, "selection/interval_error_bound",
                                      (sdca_range){ 0, s.fits - 1 }, SDCA_FLOAT64,
                                      s.interval_bound));
    }
    *out = s;
    s    = (sdca_selection){ .fits = 0 }; /* now the caller's */

done:
    sdca_selection_free(&s);
    return status;
}

sdca_status sdca_selection_write_csv(const sdca_selection *selection, const char *path)
{
    const sdca_selection *s      = selection;
    FILE                 *file   = NULL;
    sdca_status           status = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    fprintf(file, "lambda,chosen,%s,standard_error,full_gap,nonzero_columns,error_bound",
            s->metric);
    for (int f = 0; f < s->folds; f++) {
        fprintf(file, ",fold_%d,gap_%d", f + 1, f + 1);
    }
    fputc('\n', file);
    for (int k = 0; k < s->fits; k++) {
        fprintf(file, "%.17g,%d,%.17g,", s->lambda[k], k == s->chosen, s->mean[k]);
        if (s->folds > 1) {
            fprintf(file, "%.17g", s->standard_error[k]);
        }
        fprintf(file, ",%.17g,%.0f,", s->full_gap[k], s->nonzero_columns[k]);
        if (isfinite(s->error_bound) && k + 1 < s->fits) {
            fprintf(file, "%.17g", s->interval_bound[k]);
        }
        for (int f = 0; f < s->folds; f++) {
            size_t at = (size_t)k * (size_t)s->folds + (size_t)f;

            fprintf(file, ",%.17g,%.17g", s->value[at], s->gap[at]);
        }
        fputc('\n', file);
    }
    return sdca_atomic_file_commit(file, path);
}
