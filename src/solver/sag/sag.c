/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sag.c - stochastic average gradient (Le Roux, Schmidt & Bach, NIPS 2012).
 *
 * A step changes every column, but one that the next rows do not have need not be
 * changed at once (just-in-time updates, Section 4 of the paper). Let w = c v. The step
 * multiplies c by 1 - s lambda and adds s d / (m c) to v; d_j only changes when a row
 * with column j is visited. So with T = sum of s / (m c) over the steps made, column j
 * lacks d_j (T - T_j), where T_j was the T of its last update. */
#include "solver/sag/sag.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "data/rows_inline.h"

/* What all columns have in common during a run of steps. */
typedef struct lazy_scale {
    double scale; /* c */
    double total; /* T */
} lazy_scale;

/* Below this c, all columns are brought up to date and c begins again at 1: 1/c and the
 * totals of s/c stay far from overflow. */
static const double min_scale = 0x1p-400;

/* SDCA draws its orders from the seed itself: these must differ. */
static uint64_t sag_seed(uint64_t seed)
{
    return ~seed;
}

/* The weight of a row in a mean over n rows, s_i n / S. */
static double relative_weight(const sdca_dataset *data, uint32_t i)
{
    return sdca_dataset_weight(data, i) * ((double)data->rows / data->total_weight);
}

static double find_max_norm2(const sdca_dataset *data)
{
    double max = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        max = fmax(max, relative_weight(data, i) * data->x.row[i].norm2);
    }
    return max;
}

sdca_status sdca_sag_create(const sdca_objective *objective, const sdca_dataset *data,
                            uint64_t seed, sdca_sag *out)
{
    sdca_status status = SDCA_OK;
    double      gamma  = objective->loss->smoothness(objective->parameter);
    sdca_sag    sag    = { .steps = 0 };

    if (!(gamma > 0.0)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the stochastic average gradient is for smooth losses, and the "
                         "%s loss is not smooth",
                         objective->loss->name);
    }
    sag.max_smoothness = find_max_norm2(data) / gamma;
    sag.smoothness     = fmax(sag.max_smoothness, objective->lambda);
    sag.gradient       = sdca_alloc_zeroed(data->x.count, sizeof *sag.gradient);
    sag.sum            = sdca_alloc_zeroed((size_t)data->columns, sizeof *sag.sum);
    sag.column         = sdca_alloc_array((size_t)data->columns, sizeof *sag.column);
    if (sag.gradient == NULL || sag.sum == NULL || sag.column == NULL) {
        SDCA_TRY(SDCA_FAIL(SDCA_MEMORY, "no memory for %lu rows and %ld columns",
                           (unsigned long)data->x.count, (long)data->columns));
    }
    SDCA_TRY(sdca_row_order_create(SDCA_ROW_ORDER_PERMUTATION, sag_seed(seed), 0,
                                   data->x.count, &sag.order));
    *out = sag;

done:
    if (status != SDCA_OK) {
        sdca_sag_free(&sag);
    }
    return status;
}

void sdca_sag_free(sdca_sag *sag)
{
    sdca_row_order_free(&sag->order);
    free(sag->gradient);
    free(sag->sum);
    free(sag->column);
    *sag = (sdca_sag){ .steps = 0 };
}

/* The first sweep is a permutation, so that m is the number of steps, at most n. */
static sdca_row_order_kind order_after(int64_t steps, uint32_t rows)
{
    return steps < rows ? SDCA_ROW_ORDER_PERMUTATION : SDCA_ROW_ORDER_RANDOM;
}

bool sdca_sag_resume(sdca_sag *sag, int64_t sweep, int64_t position)
{
    sag->order.kind = sweep > 1 ? SDCA_ROW_ORDER_RANDOM : SDCA_ROW_ORDER_PERMUTATION;
    return sdca_row_order_resume(&sag->order, sweep, position, NULL);
}

/* Bring the columns of the row up to date; v.x_i. */
SDCA_INLINE double update_and_dot(row_format format, const sdca_rows *x, uint32_t i,
                                  double total, sdca_sag_column *column)
{
    int64_t first = x->row[i].start, end = x->row[i + 1].start;
    double  dot = 0.0;

    for (int64_t k = first; k < end; k++) {
        int64_t          j  = is_sparse(format) ? entry_column(format, x, k) : k - first;
        sdca_sag_column *at = &column[j];

        at->v += at->sum * (total - at->applied);
        at->applied = total;
        dot += entry_value(format, x, k) * at->v;
    }
    return dot;
}

/* d += change x_i. */
SDCA_INLINE void add_to_sum(row_format format, const sdca_rows *x, uint32_t i,
                            double change, sdca_sag_column *column)
{
    int64_t first = x->row[i].start, end = x->row[i + 1].start;

    for (int64_t k = first; k < end; k++) {
        int64_t j = is_sparse(format) ? entry_column(format, x, k) : k - first;

        column[j].sum += change * entry_value(format, x, k);
    }
}

/* The L of the row's own loss, at least: the paper's line search doubles L while a
 * gradient step of 1/L on the row's loss gains less than L-smoothness promises. */
static double search_smoothness(const sdca_objective *objective, double L, double max,
                                double weight, double a, double z, double norm2, double y)
{
    const double     min_gradient2 = 1e-8; /* the paper's: less is noise */
    const sdca_loss *loss          = objective->loss;
    double           p             = objective->parameter;
    double           gradient      = weight * a;
    double           gradient2     = gradient * gradient * norm2;
    double           value;

    if (!(gradient2 > min_gradient2)) {
        return L;
    }
    value = weight * loss->primal(p, z, y);
    while (L < max && weight * loss->primal(p, z + gradient * norm2 / L, y) >
                          value - gradient2 / (2.0 * L)) {
        L = fmin(2.0 * L, max);
    }
    return L;
}

/* One step on row i, in rows of that format. */
SDCA_INLINE void visit(row_format format, const sdca_objective *objective,
                       const sdca_dataset *data, sdca_sag *sag, uint32_t i, double decay,
                       lazy_scale *lazy)
{
    const sdca_rows *x      = &data->x;
    double           weight = relative_weight(data, i);
    double           lambda = objective->lambda;
    double           y      = sdca_objective_label(objective, x->row[i].y);
    double z = lazy->scale * update_and_dot(format, x, i, lazy->total, sag->column);
    double a = objective->loss->maximizer(objective->parameter, 0.0, z, 0.0, y);
    double m, s;

    add_to_sum(format, x, i, weight * (a - sag->gradient[i]), sag->column);
    sag->gradient[i] = a;
    sag->smoothness  = search_smoothness(objective, sag->smoothness, sag->max_smoothness,
                                         weight, a, z, x->row[i].norm2, y);
    sag->steps++;
    m = fmin((double)sag->steps, (double)x->count);
    s = 1.0 / (sag->smoothness + lambda);
    lazy->scale *= 1.0 - s * lambda;
    lazy->total += s / (m * lazy->scale);
    sag->smoothness = fmax(sag->smoothness * decay, lambda);
}

static void load_columns(int32_t columns, sdca_sag *sag, const double *w)
{
    for (int32_t j = 0; j < columns; j++) {
        sag->column[j] = (sdca_sag_column){ .v = w[j], .sum = sag->sum[j] };
    }
}

static void store_columns(int32_t columns, lazy_scale lazy, sdca_sag *sag, double *w)
{
    for (int32_t j = 0; j < columns; j++) {
        const sdca_sag_column *at = &sag->column[j];

        w[j]        = lazy.scale * (at->v + at->sum * (lazy.total - at->applied));
        sag->sum[j] = at->sum;
    }
}

SDCA_INLINE void run(row_format format, const sdca_objective *objective,
                     const sdca_dataset *data, sdca_sag *sag, int64_t steps, double *w)
{
    double     decay = exp2(-1.0 / (double)data->x.count); /* L halves in an epoch */
    lazy_scale lazy  = { .scale = 1.0 };

    load_columns(data->columns, sag, w);
    while (steps > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = NULL;

        sag->order.kind = order_after(sag->steps, data->x.count);
        row             = sdca_row_order_next(&sag->order, NULL, steps, &count);
        for (uint32_t k = 0; k < count; k++) {
            visit(format, objective, data, sag, row[k], decay, &lazy);
            if (lazy.scale < min_scale) {
                store_columns(data->columns, lazy, sag, w);
                load_columns(data->columns, sag, w);
                lazy = (lazy_scale){ .scale = 1.0 };
            }
        }
        steps -= count;
    }
    store_columns(data->columns, lazy, sag, w);
}

void sdca_sag_run(const sdca_objective *objective, const sdca_dataset *data,
                  sdca_sag *sag, int64_t steps, double *w)
{
    if (data->x.count == 0) {
        return;
    }
    switch (format_of(&data->x)) {
    case SPARSE16:
        run(SPARSE16, objective, data, sag, steps, w);
        break;
    case SPARSE32:
        run(SPARSE32, objective, data, sag, steps, w);
        break;
    case SPARSE64:
        run(SPARSE64, objective, data, sag, steps, w);
        break;
    case DENSE32:
        run(DENSE32, objective, data, sag, steps, w);
        break;
    default:
        run(DENSE64, objective, data, sag, steps, w);
    }
}
