/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_rows.c - Newton's two passes over the rows: which line each alpha follows, and
 * where it gets to. The loops exist once per loss and kind of rows, which are constants
 * inside them. */
#include "solver/newton/newton_rows.h"

#include "data/rows_inline.h"
#include "objective/loss_inline.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "solver/newton/packed_cholesky.h"

sdca_status sdca_newton_rows_create(const sdca_dataset *data, size_t extra_scalars,
                                    sdca_newton_rows *out)
{
    size_t rows    = data->x.count;
    size_t columns = (size_t)data->columns;
    size_t sums    = sdca_cholesky_row_start(data->columns) + columns +
                  SDCA_NEWTON_ROWS_SCALARS + extra_scalars;
    sdca_newton_rows newton_rows = { 0 };

    newton_rows.z            = sdca_alloc_zeroed(rows, sizeof *newton_rows.z);
    newton_rows.alpha_target = sdca_alloc_array(rows, sizeof *newton_rows.alpha_target);
    newton_rows.weight       = sdca_alloc_zeroed(rows, sizeof *newton_rows.weight);
    newton_rows.sample       = sdca_alloc_array(rows, sizeof *newton_rows.sample);
    newton_rows.sums         = sdca_alloc_zeroed(sums, sizeof *newton_rows.sums);
    newton_rows.row_column   = sdca_alloc_array(columns, sizeof *newton_rows.row_column);
    newton_rows.row_value    = sdca_alloc_array(columns, sizeof *newton_rows.row_value);
    if (newton_rows.z == NULL || newton_rows.alpha_target == NULL ||
        newton_rows.weight == NULL || newton_rows.sample == NULL ||
        newton_rows.sums == NULL || newton_rows.row_column == NULL ||
        newton_rows.row_value == NULL) {
        sdca_newton_rows_free(&newton_rows);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a matrix of %ld columns",
                         (long)data->columns);
    }
    *out = newton_rows;
    return SDCA_OK;
}

void sdca_newton_rows_free(sdca_newton_rows *newton_rows)
{
    free(newton_rows->z);
    free(newton_rows->alpha_target);
    free(newton_rows->weight);
    free(newton_rows->sample);
    free(newton_rows->sums);
    free(newton_rows->row_column);
    free(newton_rows->row_value);
    *newton_rows = (sdca_newton_rows){ 0 };
}

/* The line that alpha follows, and what rounding off the corner costs: the row's term of
 * the gap if alpha were where the rounded loss wants it. */
typedef struct linearization {
    double alpha;
    double weight;
    double smoothing_gap;
} linearization;

/* How lines are drawn. A corner is rounded off over a width; from so many widths on a row
 * no longer notices; as so near to an end of its interval, by its half, alpha counts
 * as there. Safe lines of the logistic loss are so steep that P cannot rise. */
typedef struct smoothing {
    double width;
    double far;
    double near;
    bool   majorize;
} smoothing;

/* alpha between two ends, its equation linearised at (alpha, r) and solved for alpha:
 * alpha' = mid + s + h (r' - r) with s = half r/q, q the root and r' - r = z - z' - c
 * (alpha' - alpha). half is taken a little too large, just so that alpha is at its end
 * when r is far from the corner: there it stays, and the row takes no part in the
 * matrix. */
SDCA_INLINE linearization box_linearize(double mid, double half, double c,
                                        double residual, double alpha, smoothing at)
{
    double enlarged = half * sqrt(1.0 + 1.0 / (at.far * at.far));
    double r        = residual - c * alpha;
    double end      = mid + copysign(half, r);
    double q, s, h;

    if (fabs(r) > at.far * at.width && fabs(end - alpha) <= half * at.near) {
        return (linearization){ end, 0.0, 0.0 };
    }
    q = sqrt(r * r + at.width * at.width) + DBL_MIN;
    s = clip(enlarged * r / q, -half, half);
    h = branchless_max(0.0, enlarged - (alpha - mid) * r / q) / q;
    return (linearization){ .alpha         = (mid + s + c * h * alpha) / (1.0 + c * h),
                            .weight        = h / (1.0 + c * h),
                            .smoothing_gap = fabs(r) * (half - fabs(s)) };
}

SDCA_INLINE linearization hinge_linearize(double p, double z, double y, double alpha,
                                          smoothing at)
{
    (void)p;
    return box_linearize(y / 2.0, 0.5, 0.0, y - z, alpha, at);
}

SDCA_INLINE linearization smooth_hinge_linearize(double p, double z, double y,
                                                 double alpha, smoothing at)
{
    return box_linearize(y / 2.0, 0.5, p, y - z, alpha, at);
}

SDCA_INLINE linearization absolute_linearize(double p, double z, double y, double alpha,
                                             smoothing at)
{
    (void)p;
    return box_linearize(0.0, 1.0, 0.0, y - z, alpha, at);
}

/* Two hinges, one for what is too low and one for what is too high. */
SDCA_INLINE linearization epsilon_insensitive_linearize(double p, double z, double y,
                                                        double alpha, smoothing at)
{
    linearization up   = box_linearize(0.5, 0.5, 0.0, y - z - p, fmax(0.0, alpha), at);
    linearization down = box_linearize(0.5, 0.5, 0.0, z - y - p, fmax(0.0, -alpha), at);

    return (linearization){ up.alpha - down.alpha, up.weight + down.weight,
                            up.smoothing_gap + down.smoothing_gap };
}

/* The others are smooth enough as they are: their line is the tangent of -phi'. */
SDCA_INLINE linearization squared_linearize(double p, double z, double y, double alpha,
                                            smoothing at)
{
    (void)p;
    (void)alpha;
    (void)at;
    return (linearization){ 2.0 * (y - z), 2.0, 0.0 };
}

SDCA_INLINE linearization squared_hinge_linearize(double p, double z, double y,
                                                  double alpha, smoothing at)
{
    (void)p;
    (void)alpha;
    (void)at;
    return y * z < 1.0 ? (linearization){ 2.0 * (y - z), 2.0, 0.0 }
                       : (linearization){ 0.0, 0.0, 0.0 };
}

/* The parabola that touches the loss at m and at -m, and is nowhere below it, is safe
 * (Jaakkola and Jordan, Statistics and Computing 10, 2000). */
SDCA_INLINE linearization logistic_linearize(double p, double z, double y, double alpha,
                                             smoothing at)
{
    double m                  = y * z;
    double small              = exp(-fabs(m)); /* never overflows */
    double large              = 1.0 / (1.0 + small);
    double majorant_curvature = fabs(m) > 1e-3 ? (large - 0.5) / fabs(m) : 0.25;

    (void)p;
    (void)alpha;
    return (linearization){ m > 0.0 ? y * small * large : y * large,
                            at.majorize ? majorant_curvature : small * large * large,
                            0.0 };
}

enum {
    hinge_has_kinks               = true,
    smooth_hinge_has_kinks        = true,
    absolute_has_kinks            = true,
    epsilon_insensitive_has_kinks = true,
    squared_has_kinks             = false,
    squared_hinge_has_kinks       = false,
    logistic_has_kinks            = false
};

bool sdca_newton_rows_loss_has_kinks(const sdca_objective *objective)
{
#define KINKS(id, display_name, classification, parameter, c, e, low, high) \
    [SDCA_LOSS_##id]                         = id##_has_kinks,
    static const bool kinks[SDCA_LOSS_COUNT] = { SDCA_LOSS_LIST(KINKS) };
#undef KINKS

    return kinks[objective->loss->kind];
}

uint32_t sdca_newton_rows_count(const sdca_dataset     *data,
                                const sdca_newton_rows *newton_rows)
{
    return newton_rows->use_sample ? newton_rows->sample_count : data->x.count;
}

SDCA_INLINE uint32_t nth_row(const sdca_newton_rows *newton_rows, uint32_t k)
{
    return newton_rows->use_sample ? newton_rows->sample[k] : k;
}

/* Copy row i, or what is not zero of a dense one, to the room for one, and return how
 * much that is. */
SDCA_INLINE int64_t unpack_row(row_format format, const sdca_rows *x, int64_t first,
                               int64_t width, sdca_newton_rows *newton_rows)
{
    int64_t nonzeros = 0;

    for (int64_t k = 0; k < width; k++) {
        if (is_sparse(format)) {
            newton_rows->row_column[k] = entry_column(format, x, first + k);
            newton_rows->row_value[k]  = entry_value(format, x, first + k);
        } else {
            double value = entry_value(format, x, first + k);

            newton_rows->row_column[nonzeros] = (int32_t)k;
            newton_rows->row_value[nonzeros]  = value;
            nonzeros += value != 0.0;
        }
    }
    return is_sparse(format) ? width : nonzeros;
}

typedef linearization linearize_function(double p, double z, double y, double alpha,
                                         smoothing at);
typedef double        loss_function(double p, double z, double y);
typedef sdca_interval interval_function(double y);

SDCA_INLINE void assemble(linearize_function *linearize, bool kinks, row_format format,
                          const sdca_objective *objective, const sdca_dataset *data,
                          sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                          const sdca_iterate_row *row)
{
    const double     nearest = 0.01;
    double           far     = 10.0 * fmax(1.0, sqrt(objective->C * data->mean_norm2));
    smoothing        at      = { newton_rows->smoothing_width, far,
                                 nearest * newton_rows->smoothing_width / newton_rows->initial_width,
                                 newton_rows->majorize };
    const sdca_rows *x       = &data->x;
    double          *vector  = newton_rows->sums + sdca_cholesky_row_start(data->columns);
    double smoothing_gap     = vector[data->columns + SDCA_NEWTON_ROWS_SMOOTHING_GAP];

    for (uint32_t k = part.begin; k < part.end; k++) {
        uint32_t i = nth_row(newton_rows, k);
        int64_t  first, width;

        if (kinks) {
            linearization l = linearize(objective->parameter, newton_rows->z[i], row[i].y,
                                        row[i].alpha, at);

            newton_rows->alpha_target[i] = l.alpha;
            newton_rows->weight[i]       = l.weight;
            smoothing_gap += l.smoothing_gap;
        }
        if (newton_rows->alpha_target[i] == 0.0 && newton_rows->weight[i] == 0.0) {
            continue;
        }
        first = row[i].start;
        width = row[i + 1].start - first;
        row_axpy(format, x, first, width, newton_rows->alpha_target[i], vector);
        if (newton_rows->weight[i] > 0.0) {
            int64_t nonzeros = unpack_row(format, x, first, width, newton_rows);

            sdca_cholesky_add_outer(newton_rows->sums, newton_rows->weight[i],
                                    newton_rows->row_column, newton_rows->row_value,
                                    nonzeros);
        }
    }
    vector[data->columns + SDCA_NEWTON_ROWS_SMOOTHING_GAP] = smoothing_gap;
}

/* Losses that are added up, of at most SDCA_NEWTON_ROWS_BLOCK rows: as they are, and as
 * ln of a product of numbers from 1 to 2, which takes one logarithm for all. */
typedef struct loss_sum {
    double sum;
    double product;
} loss_sum;

typedef void add_loss_function(double p, double z, double y, loss_sum *all);

#define DEFINE_ADD_LOSS(id, display_name, classification, parameter, c, e, low, high) \
    SDCA_INLINE void id##_add_loss(double p, double z, double y, loss_sum *all)       \
    {                                                                                 \
        all->sum += id##_primal(p, z, y);                                             \
    }

SDCA_QUADRATIC_LOSS_LIST(DEFINE_ADD_LOSS)

SDCA_INLINE void logistic_add_loss(double p, double z, double y, loss_sum *all)
{
    double m = y * z;

    (void)p;
    all->sum += branchless_max(-m, 0.0);
    all->product *= 1.0 + exp(-fabs(m));
}

/* Both ways of looking at the rows, once w has moved. */
SDCA_INLINE void evaluate(linearize_function *linearize, bool kinks,
                          loss_function *primal, add_loss_function *add_loss,
                          loss_function *conjugate, interval_function *feasible,
                          bool updates_alpha, row_format format,
                          const sdca_objective *objective, const sdca_dataset *data,
                          sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                          const double *w, sdca_iterate_row *row)
{
    const smoothing  smooth = { .majorize = newton_rows->majorize };
    const sdca_rows *x      = &data->x;
    double          *vector = newton_rows->sums + sdca_cholesky_row_start(data->columns);
    double          *sums   = vector + data->columns;
    double           p      = objective->parameter;

    for (uint32_t from = part.begin; from < part.end; from += SDCA_NEWTON_ROWS_BLOCK) {
        uint32_t end    = part.end - from > SDCA_NEWTON_ROWS_BLOCK
                              ? from + SDCA_NEWTON_ROWS_BLOCK
                              : part.end;
        loss_sum losses = { 0.0, 1.0 };
        double   terms  = 0.0;

        for (uint32_t k = from; k < end; k++) {
            uint32_t i     = nth_row(newton_rows, k);
            int64_t  first = x->row[i].start;
            int64_t  width = x->row[i + 1].start - first;
            double   y     = data->x.row[i].y;
            double   z     = row_dot(format, x, first, width, w);

            if (updates_alpha) {
                double        loss     = primal(p, z, y);
                sdca_interval interval = feasible(y);
                double        a        = newton_rows->alpha_target[i] +
                           newton_rows->weight[i] * (newton_rows->z[i] - z);

                a            = clip(a, interval.low, interval.high);
                row[i].alpha = a;
                terms += branchless_max(0.0, loss + conjugate(p, a, y) + a * z);
                if (a != 0.0) {
                    row_axpy(format, x, first, width, a, vector);
                }
                losses.sum += loss;
            } else {
                add_loss(p, z, y, &losses);
            }
            if (!kinks) {
                linearization l = linearize(p, z, y, 0.0, smooth);

                newton_rows->alpha_target[i] = l.alpha;
                newton_rows->weight[i]       = l.weight;
                if (!updates_alpha && row != NULL) {
                    row[i].alpha = l.alpha;
                }
            }
            newton_rows->z[i] = z;
        }
        sums[SDCA_NEWTON_ROWS_LOSSES] += losses.sum + log(losses.product);
        sums[SDCA_NEWTON_ROWS_GAP_TERMS] += terms;
    }
}

typedef void evaluate_function(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const double *w, sdca_iterate_row *row);
typedef void assemble_function(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const sdca_iterate_row *row);

#define DEFINE_PASSES_ON(id, format)                                                   \
    static void assemble_##id##_##format(                                              \
        const sdca_objective *objective, const sdca_dataset *data,                     \
        sdca_newton_rows *newton_rows, sdca_newton_rows_range part,                    \
        const sdca_iterate_row *row)                                                   \
    {                                                                                  \
        assemble(id##_linearize, id##_has_kinks, format, objective, data, newton_rows, \
                 part, row);                                                           \
    }                                                                                  \
    static void update_alpha_##id##_##format(                                          \
        const sdca_objective *objective, const sdca_dataset *data,                     \
        sdca_newton_rows *newton_rows, sdca_newton_rows_range part, const double *w,   \
        sdca_iterate_row *row)                                                         \
    {                                                                                  \
        evaluate(id##_linearize, id##_has_kinks, id##_primal, id##_add_loss,           \
                 id##_conjugate, id##_feasible, true, format, objective, data,         \
                 newton_rows, part, w, row);                                           \
    }                                                                                  \
    static void evaluate_##id##_##format(                                              \
        const sdca_objective *objective, const sdca_dataset *data,                     \
        sdca_newton_rows *newton_rows, sdca_newton_rows_range part, const double *w,   \
        sdca_iterate_row *row)                                                         \
    {                                                                                  \
        evaluate(id##_linearize, id##_has_kinks, id##_primal, id##_add_loss,           \
                 id##_conjugate, id##_feasible, false, format, objective, data,        \
                 newton_rows, part, w, row);                                           \
    }
#define DEFINE_PASSES_OF(id) SDCA_FOR_ROW_FORMATS(DEFINE_PASSES_ON, id)
#define DEFINE_PASSES(id, display_name, classification, parameter, c, e, low, high) \
    DEFINE_PASSES_OF(id)

SDCA_LOSS_LIST(DEFINE_PASSES)

#define TABLE_KIND(name, format) [format] = name##_##format,
#define TABLE_LOSS(verb, id)                          \
    {                                                 \
        SDCA_FOR_ROW_FORMATS(TABLE_KIND, verb##_##id) \
    }
#define ASSEMBLE_ENTRY(id, display_name, classification, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = TABLE_LOSS(assemble, id),
#define UPDATE_ALPHA_ENTRY(id, display_name, classification, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = TABLE_LOSS(update_alpha, id),
#define EVALUATE_ENTRY(id, display_name, classification, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = TABLE_LOSS(evaluate, id),

/* By loss and by what rows are made of. */
static assemble_function *const assemble_table[SDCA_LOSS_COUNT][ROW_FORMATS] = {
    SDCA_LOSS_LIST(ASSEMBLE_ENTRY)
};
static evaluate_function *const update_alpha_table[SDCA_LOSS_COUNT][ROW_FORMATS] = {
    SDCA_LOSS_LIST(UPDATE_ALPHA_ENTRY)
};
static evaluate_function *const evaluate_table[SDCA_LOSS_COUNT][ROW_FORMATS] = {
    SDCA_LOSS_LIST(EVALUATE_ENTRY)
};

void sdca_newton_rows_assemble(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const sdca_iterate_row *row)
{
    assemble_table[objective->loss->kind][format_of(&data->x)](objective, data,
                                                               newton_rows, part, row);
}

void sdca_newton_rows_update_alpha(const sdca_objective  *objective,
                                   const sdca_dataset    *data,
                                   sdca_newton_rows      *newton_rows,
                                   sdca_newton_rows_range part, const double *w,
                                   sdca_iterate_row *row)
{
    update_alpha_table[objective->loss->kind][format_of(&data->x)](
        objective, data, newton_rows, part, w, row);
}

void sdca_newton_rows_evaluate(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const double *w, sdca_iterate_row *row)
{
    evaluate_table[objective->loss->kind][format_of(&data->x)](objective, data,
                                                               newton_rows, part, w, row);
}
