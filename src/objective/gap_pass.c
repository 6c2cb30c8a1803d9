/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_pass.c - one pass over the rows of this rank for the duality gap of one model, or
 * of several models side by side. duality_gap.c has the formulas. */
#include "objective/gap_pass.h"

#include <float.h>
#include <math.h>

#include "objective/kernel_dispatch.h"
#include "objective/model_lane_terms.h"
#include "objective/row_term.h"

const double sdca_unit_roundoff      = 1.01 * DBL_EPSILON / 2.0;
const double sdca_row_term_roundings = 17.0;

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

/* The weight of a row for this model: 0 if its fold is held out. */
SDCA_INLINE double row_weight(const sdca_dataset *data, const sdca_objective *objective,
                              uint32_t i)
{
    return objective->held_out > 0 && data->fold[i] == objective->held_out - 1
               ? 0.0
               : sdca_dataset_weight(data, i);
}

/* Add a row with the margin z. */
SDCA_INLINE void add_row(loss_functions f, const sdca_dataset *data,
                         const sdca_gap_lane *lane, uint32_t i, double z, double weight,
                         block_sums *block, sdca_gap_sums *all)
{
    double   p     = lane->objective->parameter;
    double   alpha = lane->point.alpha[i * lane->point.alpha_stride];
    double   y     = sdca_objective_label(lane->objective, data->x.row[i].y);
    row_term term  = f.row_term_of(p, alpha, z, y);

    if (!row_term_is_valid(term, alpha * z)) {
        all->invalid_row  = i;
        all->invalid_term = term.gap;
    }
    if (lane->gap_term != NULL) {
        lane->gap_term[i] = (float)(weight * term.gap);
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
    bool             zero = lane->zero;
    sdca_gap_sums    all  = { .invalid_row = -1 };

    for (uint32_t first = 0; first < x->count; first += SDCA_GAP_PASS_BLOCK) {
        uint32_t left = x->count - first;
        uint32_t end =
            left > SDCA_GAP_PASS_BLOCK ? first + SDCA_GAP_PASS_BLOCK : first + left;
        block_sums block = { 0.0, 0.0, 0.0 };

        for (uint32_t i = first; i < end; i++) {
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;
            double  z = zero ? 0.0 : row_dot(format, x, start, width, lane->point.w);

            add_row(f, data, lane, i, z, row_weight(data, lane->objective, i), &block,
                    &all);
        }
        add_block(&block, &all);
    }
    *out = all;
}

/* The models of a walk with several lanes. */
typedef struct lane_walk {
    int                       lanes;
    const sdca_lane_kernels  *kernels;
    sdca_lane_terms_function *terms;
    unsigned                  models;
    unsigned                  by_row; /* those whose errors are bounded row by row */
    bool                      zero;   /* every w is */
    const double             *w;
    const double             *alpha;
    float                    *gap_term; /* or NULL */
} lane_walk;

/* The models of lane[], which are those of one iterate. */
static lane_walk walk_of(const sdca_dataset *data, int lanes, const double *w,
                         const sdca_gap_lane *lane, sdca_lane_sums *sums)
{
    lane_walk             walk                      = { .lanes   = lanes,
                                                        .kernels = sdca_lane_kernels_find(&data->x, lanes),
                                                        .zero    = true,
                                                        .w       = w };
    const sdca_objective *objective[SDCA_MAX_LANES] = { NULL };

    for (int m = 0; m < lanes; m++) {
        if (lane[m].objective != NULL) {
            objective[m] = lane[m].objective;
            walk.terms   = sdca_lane_terms_find(objective[m]->loss->kind, lanes);
            walk.models |= 1U << m;
            walk.by_row |= (unsigned)lane[m].by_row << m;
            walk.zero     = walk.zero && lane[m].zero;
            walk.alpha    = lane[m].point.alpha - m;
            walk.gap_term = lane[m].gap_term != NULL ? lane[m].gap_term - m : NULL;
        }
    }
    *sums = sdca_lane_sums_start(objective, walk.models);
    return walk;
}

/* Add a row with these margins. */
SDCA_INLINE void add_lane_row(loss_functions f, const sdca_dataset *data,
                              const lane_walk *walk, const sdca_gap_lane *lane,
                              uint32_t i, const double *z, sdca_lane_sums *sums,
                              sdca_gap_sums *out)
{
    size_t             at      = (size_t)i * (size_t)walk->lanes;
    sdca_lane_term_row row     = { .label  = data->x.row[i].y,
                                   .weight = sdca_dataset_weight(data, i),
                                   .fold   = sdca_dataset_fold(data, i),
                                   .alpha  = walk->alpha + at,
                                   .z      = z,
                                   .gap_term =
                                   walk->gap_term != NULL ? walk->gap_term + at : NULL };
    unsigned           invalid = walk->terms(sums, &row);

    for (int m = 0; (invalid | walk->by_row) != 0 && m < walk->lanes; m++) {
        if ((invalid >> m & 1) != 0) {
            out[m].invalid_row  = i;
            out[m].invalid_term = sums->gap[m];
        }
        if ((walk->by_row >> m & 1) != 0) {
            add_row_error(f, data, &lane[m], i, row.alpha[m], z[m],
                          sdca_objective_label(lane[m].objective, row.label),
                          row_weight(data, lane[m].objective, i), &out[m]);
        }
    }
}

/* Move the sums of a block to those of all rows. */
static void add_lane_block(const lane_walk *walk, sdca_lane_sums *sums,
                           sdca_gap_sums *out)
{
    for (int m = 0; m < walk->lanes; m++) {
        if ((walk->models >> m & 1) != 0) {
            block_sums block = { sums->losses[m], sums->conjugates[m],
                                 sums->gap_terms[m] };

            add_block(&block, &out[m]);
        }
        sums->losses[m] = sums->conjugates[m] = sums->gap_terms[m] = 0.0;
    }
}

SDCA_INLINE void sum_lane_rows(loss_functions f, const sdca_dataset *data, int lanes,
                               const double *w, const sdca_gap_lane *lane,
                               sdca_gap_sums *out)
{
    const sdca_rows *x = &data->x;
    sdca_lane_sums   sums;
    const lane_walk  walk = walk_of(data, lanes, w, lane, &sums);
    lane_vector      z    = { 0.0 };

    for (int m = 0; m < lanes; m++) {
        out[m] = (sdca_gap_sums){ .invalid_row = -1 };
    }
    for (uint32_t first = 0; first < x->count; first += SDCA_GAP_PASS_BLOCK) {
        uint32_t left = x->count - first;
        uint32_t end =
            left > SDCA_GAP_PASS_BLOCK ? first + SDCA_GAP_PASS_BLOCK : first + left;

        for (uint32_t i = first; i < end; i++) {
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;

            if (!walk.zero) {
                walk.kernels->dot(x, start, width, walk.w, z);
            }
            add_lane_row(f, data, &walk, lane, i, z, &sums, out);
        }
        add_lane_block(&walk, &sums, out);
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
