/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text_row_scorer.c - the scores of one row of a text at a time. */
#include "cli/predict/text_row_scorer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

sdca_status text_row_scorer_open(const char *path, const sdca_model *model,
                                 const sdca_table_schema *schema, text_row_scorer *out)
{
    sdca_status status = SDCA_OK;
    int         models = sdca_model_parts(model);

    *out        = (text_row_scorer){ .model = model, .schema = schema };
    out->record = sdca_alloc_array((size_t)models + 1, sizeof *out->record);
    if (out->record == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d scores", models);
    }
    SDCA_TRY(sdca_model_read_all(MPI_COMM_NULL, path, &out->weights));
    SDCA_TRY(sdca_scorer_create(models, model->columns, &out->scorer));
    for (int k = 0; k < models; k++) {
        sdca_scorer_set(&out->scorer, k,
                        out->weights.w + (size_t)k * sdca_model_stride(&out->weights),
                        sdca_model_part(&out->weights, k).bias);
    }

done:
    return status;
}

void text_row_scorer_close(text_row_scorer *s)
{
    sdca_model_clear(&s->weights);
    sdca_scorer_free(&s->scorer);
    sdca_rows_free(&s->row);
    free(s->record);
    *s = (text_row_scorer){ 0 };
}

/* Allocate space for the entries of a row. */
static sdca_status reserve_entries(text_row_scorer *s, int64_t count)
{
    if (s->row.row != NULL && count <= s->capacity) {
        return SDCA_OK;
    }
    sdca_rows_free(&s->row);
    s->capacity = 2 * count + 64;
    return sdca_rows_create(1, s->model->columns, s->capacity, s->schema->float64,
                            &s->row);
}

/* Divide the row by its norm. */
static void normalize_row(sdca_rows *x)
{
    double norm2 = sdca_rows_norm2(x, 0);

    if (norm2 > 0.0) {
        sdca_rows_scale(x, 0, 1.0 / sqrt(norm2));
    }
}

/* The row as a data file would have it. Columns beyond those of the model count in the
 * norm only. */
static sdca_status store_row(text_row_scorer *s, const sdca_svmlight_row *from)
{
    sdca_status status = SDCA_OK;
    sdca_rows  *x      = &s->row;
    int64_t     known  = from->count;

    SDCA_TRY(reserve_entries(s, from->count));
    for (int64_t k = 0; k < from->count; k++) {
        bool has_weight = from->column[k] < s->model->columns;

        sdca_rows_set_entry(x, k, has_weight ? from->column[k] : 0, from->value[k]);
        known -= !has_weight; /* the last ones, as columns ascend */
    }
    x->row[1].start = from->count;
    if (s->schema->normalized) {
        normalize_row(x);
    }
    if (s->model->normalized) {
        normalize_row(x);
    }
    x->row[1].start = known;

done:
    return status;
}

/* |x|^2 of the only row, 0 only if the row is: squares may be too small for a double. */
static double norm2_bound(const sdca_rows *x)
{
    double norm2 = sdca_rows_norm2(x, 0);

    for (int64_t k = 0; norm2 == 0.0 && k < x->row[1].start; k++) {
        norm2 = sdca_rows_value(x, k) != 0.0 ? DBL_MIN : norm2;
    }
    return norm2;
}

sdca_status text_row_scorer_score(text_row_scorer *s, const sdca_svmlight_row *row)
{
    sdca_status status = SDCA_OK;
    size_t      models = (size_t)s->scorer.models;

    SDCA_TRY(store_row(s, row));
    memcpy(s->record, sdca_scorer_row(&s->scorer, &s->row, 0),
           models * sizeof *s->record);
    s->record[models] = norm2_bound(&s->row);

done:
    return status;
}
