/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_linearization.c - passes over the rows: assemble the linear system for the
 * next step, and evaluate the rows at a new w. */
#include "solver/newton/newton_linearization.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "objective/kernel_dispatch.h"
#include "objective/row_term.h"
#include "solver/newton/packed_cholesky.h"

sdca_status sdca_newton_linearization_create(const sdca_dataset        *data,
                                             size_t                     extra_scalars,
                                             sdca_newton_linearization *out)
{
    size_t rows    = data->x.count;
    size_t columns = (size_t)data->columns;
    size_t sums = sdca_cholesky_row_start(data->columns) + columns + SDCA_NEWTON_SCALARS +
                  extra_scalars;
    sdca_newton_linearization lin = { 0 };

    lin.z            = sdca_alloc_zeroed(rows, sizeof *lin.z);
    lin.alpha_target = sdca_alloc_array(rows, sizeof *lin.alpha_target);
    lin.slope        = sdca_alloc_zeroed(rows, sizeof *lin.slope);
    lin.sample       = sdca_alloc_array(rows, sizeof *lin.sample);
    lin.sums         = sdca_alloc_zeroed(sums, sizeof *lin.sums);
    lin.row_column   = sdca_alloc_array(columns, sizeof *lin.row_column);
    lin.row_value    = sdca_alloc_array(columns, sizeof *lin.row_value);
    if (lin.z == NULL || lin.alpha_target == NULL || lin.slope == NULL ||
        lin.sample == NULL || lin.sums == NULL || lin.row_column == NULL ||
        lin.row_value == NULL) {
        sdca_newton_linearization_free(&lin);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a matrix of %ld columns",
                         (long)data->columns);
    }
    *out = lin;
    return SDCA_OK;
}

void sdca_newton_linearization_free(sdca_newton_linearization *lin)
{
    free(lin->z);
    free(lin->alpha_target);
    free(lin->slope);
    free(lin->sample);
    free(lin->sums);
    free(lin->row_column);
    free(lin->row_value);
    *lin = (sdca_newton_linearization){ 0 };
}

bool sdca_newton_loss_has_kinks(const sdca_objective *objective)
{
    return objective->loss->has_kinks(objective->parameter);
}

uint32_t sdca_newton_linearization_count(const sdca_dataset              *data,
                                         const sdca_newton_linearization *lin)
{
    return lin->use_sample ? lin->sample_count : data->x.count;
}

SDCA_INLINE uint32_t nth_row(const sdca_newton_linearization *lin, uint32_t k)
{
    return lin->use_sample ? lin->sample[k] : k;
}

/* Copy the row, without the zeros if it is dense, to row_column and row_value; returns
 * the number of entries copied. */
SDCA_INLINE int64_t unpack_row(row_format format, const sdca_rows *x, int64_t first,
                               int64_t width, sdca_newton_linearization *lin)
{
    int64_t nonzeros = 0;

    for (int64_t k = 0; k < width; k++) {
        if (is_sparse(format)) {
            lin->row_column[k] = entry_column(format, x, first + k);
            lin->row_value[k]  = entry_value(format, x, first + k);
        } else {
            double value = entry_value(format, x, first + k);

            lin->row_column[nonzeros] = (int32_t)k;
            lin->row_value[nonzeros]  = value;
            nonzeros += value != 0.0;
        }
    }
    return is_sparse(format) ? width : nonzeros;
}

/* One pass over a part of the rows. */
typedef struct row_pass {
    const sdca_objective      *objective;
    const sdca_dataset        *data;
    sdca_newton_linearization *lin;
    sdca_newton_row_range      part;
    const double              *w;       /* where the rows are evaluated */
    const sdca_iterate_row    *current; /* for assembly, which does not change alpha */
    sdca_iterate_row          *row;     /* for evaluation */
} row_pass;

typedef void          pass_function(const row_pass *pass);
typedef linearization linearize_function(double p, double z, double y, double alpha,
                                         smoothing at);
typedef double        loss_function(double p, double z, double y);
typedef sdca_interval interval_function(double p, double y);
typedef void          add_loss_function(double p, double z, double y, loss_sum *all);

SDCA_INLINE void assemble(linearize_function *linearize, bool kinks, row_format format,
                          const row_pass *pass)
{
    const sdca_objective      *objective = pass->objective;
    const sdca_dataset        *data      = pass->data;
    const sdca_rows           *x         = &data->x;
    const sdca_iterate_row    *row       = pass->current;
    const uint32_t             end       = pass->part.end;
    sdca_newton_linearization *lin       = pass->lin;
    double                     far       = tuning_newton_far *
                 fmax(1.0, sqrt(sdca_dataset_mean_curvature(data, objective->lambda)));
    smoothing at            = { lin->smoothing_width, far,
                                tuning_newton_nearest * lin->smoothing_width / lin->initial_width,
                                lin->majorize };
    double   *vector        = lin->sums + sdca_cholesky_row_start(data->columns);
    double    smoothing_gap = vector[data->columns + SDCA_NEWTON_SCALAR_SMOOTHING_GAP];

    for (uint32_t k = pass->part.begin; k < end; k++) {
        uint32_t i      = nth_row(lin, k);
        double   weight = sdca_dataset_weight(data, i);
        int64_t  first, width;

        if (kinks) {
            linearization l =
                linearize(objective->parameter, lin->z[i], row[i].y, row[i].alpha, at);

            lin->alpha_target[i] = l.alpha;
            lin->slope[i]        = l.slope;
            smoothing_gap += weight * l.smoothing_gap;
        }
        if (weight == 0.0 || (lin->alpha_target[i] == 0.0 && lin->slope[i] == 0.0)) {
            continue;
        }
        first = row[i].start;
        width = row[i + 1].start - first;
        row_add_to_w(format, x, first, width, weight, lin->alpha_target[i], vector);
        if (lin->slope[i] > 0.0) {
            int64_t nonzeros = unpack_row(format, x, first, width, lin);

            sdca_cholesky_add_outer(lin->sums, weight * lin->slope[i], lin->row_column,
                                    lin->row_value, nonzeros);
        }
    }
    vector[data->columns + SDCA_NEWTON_SCALAR_SMOOTHING_GAP] = smoothing_gap;
}

/* updates_alpha: update alpha by its linearisation; else, without kinks, alpha =
 * -phi'(z). */
SDCA_INLINE void evaluate(linearize_function *linearize, bool kinks,
                          loss_function *primal, add_loss_function *add_loss,
                          loss_function *conjugate, interval_function *feasible,
                          bool updates_alpha, row_format format, const row_pass *pass)
{
    const sdca_rows            *x      = &pass->data->x;
    const double               *w      = pass->w;
    const sdca_newton_row_range part   = pass->part;
    sdca_iterate_row           *row    = pass->row;
    double                      p      = pass->objective->parameter;
    sdca_newton_linearization  *lin    = pass->lin;
    const smoothing             smooth = { .majorize = lin->majorize };
    double *vector = lin->sums + sdca_cholesky_row_start(pass->data->columns);
    double *sums   = vector + pass->data->columns;

    for (uint32_t from = part.begin; from < part.end; from += SDCA_NEWTON_BLOCK_ROWS) {
        uint32_t end    = part.end - from > SDCA_NEWTON_BLOCK_ROWS
                              ? from + SDCA_NEWTON_BLOCK_ROWS
                              : part.end;
        loss_sum losses = { 0.0, 1.0 };
        double   terms  = 0.0;

        for (uint32_t k = from; k < end; k++) {
            uint32_t i      = nth_row(lin, k);
            int64_t  first  = x->row[i].start;
            int64_t  width  = x->row[i + 1].start - first;
            double   y      = sdca_objective_label(pass->objective, x->row[i].y);
            double   z      = row_dot(format, x, first, width, w);
            double   weight = sdca_dataset_weight(pass->data, i);

            if (updates_alpha) {
                double loss = primal(p, z, y);
                double a    = project(feasible(p, y), lin->alpha_target[i] +
                                                          lin->slope[i] * (lin->z[i] - z));

                row[i].alpha = a;
                terms +=
                    weight *
                    branchless_max(0.0, row_gap_estimate(loss, conjugate(p, a, y), a, z));
                if (a != 0.0) {
                    row_add_to_w(format, x, first, width, weight, a, vector);
                }
                losses.sum += weight * loss;
            } else if (pass->data->weight != NULL) {
                losses.sum += weight * primal(p, z, y);
            } else {
                add_loss(p, z, y, &losses);
            }
            if (!kinks) {
                linearization l = linearize(p, z, y, 0.0, smooth);

                lin->alpha_target[i] = l.alpha;
                lin->slope[i]        = l.slope;
                if (!updates_alpha && row != NULL) {
                    row[i].alpha = l.alpha;
                }
            }
            lin->z[i] = z;
        }
        sums[SDCA_NEWTON_SCALAR_LOSSES] += losses.sum + log(losses.product);
        sums[SDCA_NEWTON_SCALAR_GAP_TERMS] += terms;
    }
}

#define DEFINE_EVALUATION(name, updates_alpha, id, format)                   \
    static void name##_##id##_##format(const row_pass *pass)                 \
    {                                                                        \
        evaluate(id##_linearize, id##_has_kinks(pass->objective->parameter), \
                 id##_primal, id##_add_loss, id##_conjugate, id##_feasible,  \
                 updates_alpha, format, pass);                               \
    }
#define DEFINE_PASSES(id, format)                                                    \
    static void assemble_##id##_##format(const row_pass *pass)                       \
    {                                                                                \
        assemble(id##_linearize, id##_has_kinks(pass->objective->parameter), format, \
                 pass);                                                              \
    }                                                                                \
    DEFINE_EVALUATION(update_alpha, true, id, format)                                \
    DEFINE_EVALUATION(evaluate, false, id, format)

SDCA_DEFINE_KERNELS(DEFINE_PASSES)

static pass_function *const assemble_table[][ROW_FORMATS] = SDCA_KERNEL_TABLE(assemble);
static pass_function *const update_alpha_table[][ROW_FORMATS] =
    SDCA_KERNEL_TABLE(update_alpha);
static pass_function *const evaluate_table[][ROW_FORMATS] = SDCA_KERNEL_TABLE(evaluate);
SDCA_KERNEL_TABLE_IS_COMPLETE(assemble_table);
SDCA_KERNEL_TABLE_IS_COMPLETE(update_alpha_table);
SDCA_KERNEL_TABLE_IS_COMPLETE(evaluate_table);

void sdca_newton_linearization_assemble(const sdca_objective      *objective,
                                        const sdca_dataset        *data,
                                        sdca_newton_linearization *lin,
                                        sdca_newton_row_range      part,
                                        const sdca_iterate_row    *row)
{
    const row_pass pass = { objective, data, lin, part, .current = row };

    assemble_table[objective->loss->kind][format_of(&data->x)](&pass);
}

void sdca_newton_linearization_update_alpha(const sdca_objective      *objective,
                                            const sdca_dataset        *data,
                                            sdca_newton_linearization *lin,
                                            sdca_newton_row_range part, const double *w,
                                            sdca_iterate_row *row)
{
    const row_pass pass = { objective, data, lin, part, .w = w, .row = row };

    update_alpha_table[objective->loss->kind][format_of(&data->x)](&pass);
}

void sdca_newton_linearization_evaluate(const sdca_objective      *objective,
                                        const sdca_dataset        *data,
                                        sdca_newton_linearization *lin,
                                        sdca_newton_row_range part, const double *w,
                                        sdca_iterate_row *row)
{
    const row_pass pass = { objective, data, lin, part, .w = w, .row = row };

    evaluate_table[objective->loss->kind][format_of(&data->x)](&pass);
}
