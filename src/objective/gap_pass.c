/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_pass.c - one pass over the rows of this rank for the duality gap of one model, or
 * of several models side by side. duality_gap.c has the formulas. */
#include "objective/gap_pass.h"

#include <float.h>
#include <math.h>

#include "objective/kernel_dispatch.h"
#include "objective/row_term.h"

const double sdca_unit_roundoff      = 1.01 * DBL_EPSILON / 2.0;
const double sdca_row_term_roundings = 17.0;

/* A negative term of more than this fraction of its parts is not due to rounding, unless
 * the parts are so small that they have few digits. */
static const double negative_tolerance = 1e-9;

typedef row_term row_term_function(double p, double a, double z, double y);
typedef double   max_derivative_function(double p, double z, double r, double y);
typedef double   rounding_magnitude_function(double p, double a, double z, double y,
                                             double max_derivative);

/* The functions of a loss that a pass needs. */
typedef struct loss_functions {
    row_term_function           *row_term_of;
    max_derivative_function     *max_derivative_of;
    rounding_magnitude_function *rounding_magnitude_of;
} loss_functions;

/* The sums of a block of rows. */
typedef struct block_sums {
    double losses;
    double conjugates;
    double gap_terms;
} block_sums;

/* sum_j |x_j w_j|. */
static double row_abs_dot(const sdca_rows *x, int64_t first, int64_t width,
                          const double *w, size_t w_stride)
{
    row_format format    = format_of(x);
    double     magnitude = 0.0;

    for (int64_t k = 0; k < width; k++) {
        int64_t j = is_sparse(format) ? entry_column(format, x, first + k) : k;

        magnitude += fabs(entry_value(format, x, first + k) * w[(size_t)j * w_stride]);
    }
    return magnitude;
}

/* |x_i|, or a little more where its square is too small for a double. */
static double row_norm(const sdca_row *row, int64_t width)
{
    return sqrt(row->norm2 + (double)width * DBL_MIN);
}

/* Add a bound on the rounding errors of a row. */
SDCA_INLINE void add_row_error(loss_functions f, const sdca_dataset *data,
                               const sdca_gap_lane *lane, uint32_t i, double alpha,
                               double z, double y, double weight, sdca_gap_sums *all)
{
    const sdca_rows *x     = &data->x;
    int64_t          start = x->row[i].start, width = x->row[i + 1].start - start;
    double           p = lane->objective->parameter;
    double           r = sdca_unit_roundoff * sdca_rows_dot_error(width) *
                   row_abs_dot(x, start, width, lane->point.w, lane->point.w_stride) +
               (double)width * DBL_TRUE_MIN;
    double max_derivative = f.max_derivative_of(p, z, r, y);
    double error          = (2.0 * max_derivative + fabs(alpha)) * r +
                   sdca_row_term_roundings * sdca_unit_roundoff *
                       f.rounding_magnitude_of(p, alpha, z, y, max_derivative);

    all->errors += weight * error;
    all->alpha_norms += weight * fabs(alpha) * row_norm(&x->row[i], width);
}

/* Add a row with the margin z, of a model with this many lanes. */
SDCA_INLINE void add_row(loss_functions f, const sdca_dataset *data,
                         const sdca_gap_lane *lane, size_t lanes, uint32_t i, double z,
                         double weight, block_sums *block, sdca_gap_sums *all)
{
    double   p         = lane->objective->parameter;
    double   alpha     = lane->point.alpha[i * lane->point.alpha_stride];
    double   y         = sdca_objective_label(lane->objective, data->x.row[i].y);
    row_term term      = f.row_term_of(p, alpha, z, y);
    double   magnitude = term.primal + fabs(term.conjugate) + fabs(alpha * z);

    if (!(term.gap >= -negative_tolerance * magnitude - DBL_MIN)) {
        all->invalid_row  = i;
        all->invalid_term = term.gap;
    }
    if (lane->gap_term != NULL) {
        lane->gap_term[i * lanes] = (float)(weight * term.gap);
    }
    block->losses += weight * term.primal;
    block->conjugates += weight * term.conjugate;
    block->gap_terms += term.gap > 0.0 ? weight * term.gap : 0.0;
    if (lane->by_row) {
        add_row_error(f, data, lane, i, alpha, z, y, weight, all);
    }
}

static void add_block(const block_sums *block, sdca_gap_sums *all)
{
    compensated_add(&all->losses, block->losses);
    compensated_add(&all->conjugates, block->conjugates);
    compensated_add(&all->gap_terms, block->gap_terms);
}

SDCA_INLINE void sum_rows(loss_functions f, row_format format, const sdca_dataset *data,
                          const sdca_gap_lane *lane, sdca_gap_sums *out)
{
    const sdca_rows *x    = &data->x;
    bool             zero = lane->norm2 == 0.0;
    sdca_gap_sums    all  = { .invalid_row = -1 };

    for (uint32_t first = 0; first < x->count; first += SDCA_GAP_PASS_BLOCK) {
        uint32_t left = x->count - first;
        uint32_t end =
            left > SDCA_GAP_PASS_BLOCK ? first + SDCA_GAP_PASS_BLOCK : first + left;
        block_sums block = { 0.0, 0.0, 0.0 };

        for (uint32_t i = first; i < end; i++) {
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;
            double  z = zero ? 0.0 : row_dot(format, x, start, width, lane->point.w);

            add_row(f, data, lane, 1, i, z, sdca_dataset_weight(data, i), &block, &all);
        }
        add_block(&block, &all);
    }
    *out = all;
}

/* The models of a walk with several lanes. */
typedef struct lane_list {
    int  model[SDCA_MAX_LANES];
    int  count;
    bool zero; /* every w is */
} lane_list;

static lane_list list_lanes(int lanes, const sdca_gap_lane *lane)
{
    lane_list list = { .zero = true };

    for (int m = 0; m < lanes; m++) {
        if (lane[m].objective != NULL) {
            list.model[list.count++] = m;
            list.zero                = list.zero && lane[m].norm2 == 0.0;
        }
    }
    return list;
}

SDCA_INLINE void sum_lane_rows(loss_functions f, const sdca_dataset *data, int lanes,
                               const double *w, const sdca_gap_lane *lane,
                               sdca_gap_sums *out)
{
    const sdca_rows         *x                 = &data->x;
    const sdca_lane_kernels *kernels           = sdca_lane_kernels_find(x, lanes);
    const lane_list          list              = list_lanes(lanes, lane);
    double                   z[SDCA_MAX_LANES] = { 0.0 };

    for (int k = 0; k < list.count; k++) {
        out[list.model[k]] = (sdca_gap_sums){ .invalid_row = -1 };
    }
    for (uint32_t first = 0; first < x->count; first += SDCA_GAP_PASS_BLOCK) {
        uint32_t left = x->count - first;
        uint32_t end =
            left > SDCA_GAP_PASS_BLOCK ? first + SDCA_GAP_PASS_BLOCK : first + left;
        block_sums block[SDCA_MAX_LANES] = { { 0.0, 0.0, 0.0 } };

        for (uint32_t i = first; i < end; i++) {
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;
            double  weight = sdca_dataset_weight(data, i);

            if (!list.zero) {
                kernels->dot(x, start, width, w, z);
            }
            for (int k = 0; k < list.count; k++) {
                int m = list.model[k];

                add_row(f, data, &lane[m], (size_t)lanes, i, z[m], weight, &block[m],
                        &out[m]);
            }
        }
        for (int k = 0; k < list.count; k++) {
            add_block(&block[list.model[k]], &out[list.model[k]]);
        }
    }
}

#define LOSS_FUNCTIONS(id)                                          \
    (loss_functions)                                                \
    {                                                               \
        id##_row_term, id##_max_derivative, id##_rounding_magnitude \
    }

typedef void sum_function(const sdca_dataset *data, const sdca_gap_lane *lane,
                          sdca_gap_sums *out);

#define DEFINE_SUM(id, format)                                                           \
    static void sum_##id##_##format(const sdca_dataset *data, const sdca_gap_lane *lane, \
                                    sdca_gap_sums *out)                                  \
    {                                                                                    \
        sum_rows(LOSS_FUNCTIONS(id), format, data, lane, out);                           \
    }
SDCA_DEFINE_KERNELS(DEFINE_SUM)
static sum_function *const sum_table[][ROW_FORMATS] = SDCA_KERNEL_TABLE(sum);
SDCA_KERNEL_TABLE_IS_COMPLETE(sum_table);

typedef void lane_sum_function(const sdca_dataset *data, int lanes, const double *w,
                               const sdca_gap_lane *lane, sdca_gap_sums *out);

#define DEFINE_LANE_SUM(unused, id, ...)                                            \
    static void lane_sum_##id(const sdca_dataset *data, int lanes, const double *w, \
                              const sdca_gap_lane *lane, sdca_gap_sums *out)        \
    {                                                                               \
        sum_lane_rows(LOSS_FUNCTIONS(id), data, lanes, w, lane, out);               \
    }
#define LANE_SUM_ENTRY(unused, id, ...) [SDCA_LOSS_##id] = lane_sum_##id,
SDCA_LOSS_LIST(DEFINE_LANE_SUM, )
static lane_sum_function *const lane_sum_table[] = { SDCA_LOSS_LIST(LANE_SUM_ENTRY, ) };
SDCA_KERNEL_TABLE_IS_COMPLETE(lane_sum_table);

void sdca_gap_pass_run(const sdca_dataset *data, const sdca_gap_lane *lane,
                       sdca_gap_sums *out)
{
    sum_table[lane->objective->loss->kind][format_of(&data->x)](data, lane, out);
}

void sdca_gap_pass_run_lanes(const sdca_dataset *data, int lanes, const double *w,
                             const sdca_gap_lane *lane, sdca_gap_sums *out)
{
    const sdca_objective *any = NULL;

    for (int m = 0; m < lanes; m++) {
        any = lane[m].objective != NULL ? lane[m].objective : any;
    }
    if (any != NULL) {
        lane_sum_table[any->loss->kind](data, lanes, w, lane, out);
    }
}
