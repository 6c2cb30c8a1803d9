/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines.c - Newton's two passes over the rows: which line each alpha follows, and where
 * it gets to. The loops exist once per loss and kind of rows, which are constants
 * inside them. */
#include "sdca/lines.h"

#include "loss_kernel.h"
#include "rows_kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "sdca/memory.h"
#include "sdca/triangle.h"

sdca_status sdca_lines_create(const sdca_dataset *data, size_t more, sdca_lines *out)
{
    size_t     rows    = data->x.count;
    size_t     columns = (size_t)data->columns;
    size_t     sums  = sdca_triangle(data->columns) + columns + SDCA_LINES_NUMBERS + more;
    sdca_lines lines = { 0 };

    lines.z      = sdca_alloc_zeroed(rows, sizeof *lines.z);
    lines.aim    = sdca_alloc_array(rows, sizeof *lines.aim);
    lines.weight = sdca_alloc_zeroed(rows, sizeof *lines.weight);
    lines.sample = sdca_alloc_array(rows, sizeof *lines.sample);
    lines.sum    = sdca_alloc_zeroed(sums, sizeof *lines.sum);
    lines.column = sdca_alloc_array(columns, sizeof *lines.column);
    lines.value  = sdca_alloc_array(columns, sizeof *lines.value);
    if (lines.z == NULL || lines.aim == NULL || lines.weight == NULL ||
        lines.sample == NULL || lines.sum == NULL || lines.column == NULL ||
        lines.value == NULL) {
        sdca_lines_free(&lines);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a matrix of %ld columns",
                         (long)data->columns);
    }
    *out = lines;
    return SDCA_OK;
}

void sdca_lines_free(sdca_lines *lines)
{
    free(lines->z);
    free(lines->aim);
    free(lines->weight);
    free(lines->sample);
    free(lines->sum);
    free(lines->column);
    free(lines->value);
    *lines = (sdca_lines){ 0 };
}

/* The line that alpha follows, and what rounding off the corner costs: the row's term of
 * the gap if alpha were where the rounded loss wants it. */
typedef struct line {
    double aim;
    double weight;
    double cost;
} line;

/* How lines are drawn. A corner is rounded off over a width; from so many widths on a row
 * no longer notices; as so near to an end of its interval, by its half, alpha counts
 * as there. Safe lines of the logistic loss are so steep that P cannot rise. */
typedef struct manner {
    double width;
    double far;
    double near;
    bool   safe;
} manner;

/* alpha between two ends, its equation linearised at (alpha, r) and solved for alpha:
 * alpha' = mid + s + h (r' - r) with s = half r/q, q the root and r' - r = z - z' - c
 * (alpha' - alpha). half is taken a little too large, just so that alpha is at its end
 * when r is far from the corner: there it stays, and the row takes no part in the
 * matrix. */
SDCA_INLINE line box_line(double mid, double half, double c, double pull, double alpha,
                          manner at)
{
    double larger = half * sqrt(1.0 + 1.0 / (at.far * at.far));
    double r      = pull - c * alpha;
    double end    = mid + copysign(half, r);
    double q, s, h;

    if (fabs(r) > at.far * at.width && fabs(end - alpha) <= half * at.near) {
        return (line){ end, 0.0, 0.0 };
    }
    q = sqrt(r * r + at.width * at.width) + DBL_MIN;
    s = clip(larger * r / q, -half, half);
    h = branchless_max(0.0, larger - (alpha - mid) * r / q) / q;
    return (line){ .aim    = (mid + s + c * h * alpha) / (1.0 + c * h),
                   .weight = h / (1.0 + c * h),
                   .cost   = fabs(r) * (half - fabs(s)) };
}

SDCA_INLINE line hinge_line(double p, double z, double y, double alpha, manner at)
{
    (void)p;
    return box_line(y / 2.0, 0.5, 0.0, y - z, alpha, at);
}

SDCA_INLINE line smooth_hinge_line(double p, double z, double y, double alpha, manner at)
{
    return box_line(y / 2.0, 0.5, p, y - z, alpha, at);
}

SDCA_INLINE line absolute_line(double p, double z, double y, double alpha, manner at)
{
    (void)p;
    return box_line(0.0, 1.0, 0.0, y - z, alpha, at);
}

/* Two hinges, one for what is too low and one for what is too high. */
SDCA_INLINE line epsilon_insensitive_line(double p, double z, double y, double alpha,
                                          manner at)
{
    line up   = box_line(0.5, 0.5, 0.0, y - z - p, fmax(0.0, alpha), at);
    line down = box_line(0.5, 0.5, 0.0, z - y - p, fmax(0.0, -alpha), at);

    return (line){ up.aim - down.aim, up.weight + down.weight, up.cost + down.cost };
}

/* The others are smooth enough as they are: their line is the tangent of -phi'. */
SDCA_INLINE line squared_line(double p, double z, double y, double alpha, manner at)
{
    (void)p;
    (void)alpha;
    (void)at;
    return (line){ 2.0 * (y - z), 2.0, 0.0 };
}

SDCA_INLINE line squared_hinge_line(double p, double z, double y, double alpha, manner at)
{
    (void)p;
    (void)alpha;
    (void)at;
    return y * z < 1.0 ? (line){ 2.0 * (y - z), 2.0, 0.0 } : (line){ 0.0, 0.0, 0.0 };
}

/* The parabola that touches the loss at m and at -m, and is nowhere below it, is safe
 * (Jaakkola and Jordan, Statistics and Computing 10, 2000). */
SDCA_INLINE line logistic_line(double p, double z, double y, double alpha, manner at)
{
    double m     = y * z;
    double small = exp(-fabs(m)); /* never overflows */
    double large = 1.0 / (1.0 + small);
    double steep = fabs(m) > 1e-3 ? (large - 0.5) / fabs(m) : 0.25;

    (void)p;
    (void)alpha;
    return (line){ m > 0.0 ? y * small * large : y * large,
                   at.safe ? steep : small * large * large, 0.0 };
}

enum {
    hinge_corners               = true,
    smooth_hinge_corners        = true,
    absolute_corners            = true,
    epsilon_insensitive_corners = true,
    squared_corners             = false,
    squared_hinge_corners       = false,
    logistic_corners            = false
};

bool sdca_lines_have_corners(const sdca_problem *problem)
{
#define CORNERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id]                           = id##_corners,
    static const bool corners[SDCA_LOSS_COUNT] = { SDCA_LOSS_LIST(CORNERS) };
#undef CORNERS

    return corners[problem->loss->kind];
}

uint32_t sdca_lines_rows(const sdca_dataset *data, const sdca_lines *lines)
{
    return lines->samples ? lines->sampled : data->x.count;
}

SDCA_INLINE uint32_t nth_row(const sdca_lines *lines, uint32_t k)
{
    return lines->samples ? lines->sample[k] : k;
}

/* Copy row i, or what is not zero of a dense one, to the room for one, and return how
 * much that is. */
SDCA_INLINE int64_t unpack(row_format format, const sdca_rows *x, int64_t first,
                           int64_t width, sdca_lines *lines)
{
    int64_t count = 0;

    for (int64_t k = 0; k < width; k++) {
        if (is_sparse(format)) {
            lines->column[k] = entry_column(format, x, first + k);
            lines->value[k]  = entry_value(format, x, first + k);
        } else {
            double value = entry_value(format, x, first + k);

            lines->column[count] = (int32_t)k;
            lines->value[count]  = value;
            count += value != 0.0;
        }
    }
    return is_sparse(format) ? width : count;
}

typedef line   line_function(double p, double z, double y, double alpha, manner at);
typedef double loss_function(double p, double z, double y);
typedef sdca_interval interval_function(double y);

SDCA_INLINE void weigh(line_function *line_of, bool corners, row_format format,
                       const sdca_problem *problem, const sdca_dataset *data,
                       sdca_lines *lines, sdca_lines_part part, const double *alpha)
{
    const double     nearest = 0.01;
    double           far     = 10.0 * fmax(1.0, sqrt(problem->C * data->mean_norm2));
    manner           at     = { lines->width, far, nearest * lines->width / lines->widest,
                                lines->safe };
    const sdca_rows *x      = &data->x;
    double          *vector = lines->sum + sdca_triangle(data->columns);
    double           cost   = vector[data->columns + SDCA_LINES_COST];

    for (uint32_t k = part.from; k < part.end; k++) {
        uint32_t i = nth_row(lines, k);
        int64_t  first, width;

        if (corners) {
            line l =
                line_of(problem->parameter, lines->z[i], data->x.row[i].y, alpha[i], at);

            lines->aim[i]    = l.aim;
            lines->weight[i] = l.weight;
            cost += l.cost;
        }
        if (lines->aim[i] == 0.0 && lines->weight[i] == 0.0) {
            continue;
        }
        first = x->row[i].start;
        width = x->row[i + 1].start - first;
        row_axpy(format, x, first, width, lines->aim[i], vector);
        if (lines->weight[i] > 0.0) {
            int64_t count = unpack(format, x, first, width, lines);

            sdca_triangle_add(lines->sum, lines->weight[i], lines->column, lines->value,
                              count);
        }
    }
    vector[data->columns + SDCA_LINES_COST] = cost;
}

/* Losses that are added up, of at most SDCA_LINES_BLOCK rows: as they are, and as ln of a
 * product of numbers from 1 to 2, which takes one logarithm for all. */
typedef struct tally {
    double sum;
    double product;
} tally;

typedef void tally_function(double p, double z, double y, tally *all);

#define TALLY(id, words, classifies, parameter, c, e, low, high)          \
    SDCA_INLINE void id##_tally(double p, double z, double y, tally *all) \
    {                                                                     \
        all->sum += id##_primal(p, z, y);                                 \
    }

SDCA_QUADRATIC_LOSS_LIST(TALLY)

SDCA_INLINE void logistic_tally(double p, double z, double y, tally *all)
{
    double m = y * z;

    (void)p;
    all->sum += branchless_max(-m, 0.0);
    all->product *= 1.0 + exp(-fabs(m));
}

/* Both ways of looking at the rows, once w has moved. */
SDCA_INLINE void look(line_function *line_of, bool corners, loss_function *primal,
                      tally_function *count, loss_function *conjugate,
                      interval_function *feasible, bool follows, row_format format,
                      const sdca_problem *problem, const sdca_dataset *data,
                      sdca_lines *lines, sdca_lines_part part, const double *w,
                      double *alpha)
{
    const manner     smooth = { .safe = lines->safe };
    const sdca_rows *x      = &data->x;
    double          *vector = lines->sum + sdca_triangle(data->columns);
    double          *sums   = vector + data->columns;
    double           p      = problem->parameter;

    for (uint32_t from = part.from; from < part.end; from += SDCA_LINES_BLOCK) {
        uint32_t end =
            part.end - from > SDCA_LINES_BLOCK ? from + SDCA_LINES_BLOCK : part.end;
        tally  losses = { 0.0, 1.0 };
        double terms  = 0.0;

        for (uint32_t k = from; k < end; k++) {
            uint32_t i     = nth_row(lines, k);
            int64_t  first = x->row[i].start;
            int64_t  width = x->row[i + 1].start - first;
            double   y     = data->x.row[i].y;
            double   z     = row_dot(format, x, first, width, w);

            if (follows) {
                double        loss    = primal(p, z, y);
                sdca_interval allowed = feasible(y);
                double        a = lines->aim[i] + lines->weight[i] * (lines->z[i] - z);

                a        = clip(a, allowed.low, allowed.high);
                alpha[i] = a;
                terms += branchless_max(0.0, loss + conjugate(p, a, y) + a * z);
                if (a != 0.0) {
                    row_axpy(format, x, first, width, a, vector);
                }
                losses.sum += loss;
            } else {
                count(p, z, y, &losses);
            }
            if (!corners) {
                line l = line_of(p, z, y, 0.0, smooth);

                lines->aim[i]    = l.aim;
                lines->weight[i] = l.weight;
                if (!follows) {
                    alpha[i] = l.aim;
                }
            }
            lines->z[i] = z;
        }
        sums[SDCA_LINES_LOSSES] += losses.sum + log(losses.product);
        sums[SDCA_LINES_TERMS] += terms;
    }
}

typedef void pass(const sdca_problem *problem, const sdca_dataset *data,
                  sdca_lines *lines, sdca_lines_part part, const double *w,
                  double *alpha);
typedef void weigher(const sdca_problem *problem, const sdca_dataset *data,
                     sdca_lines *lines, sdca_lines_part part, const double *alpha);

#define PASSES_ON(id, format)                                                      \
    static void weigh_##id##_##format(const sdca_problem *problem,                 \
                                      const sdca_dataset *data, sdca_lines *lines, \
                                      sdca_lines_part part, const double *alpha)   \
    {                                                                              \
        weigh(id##_line, id##_corners, format, problem, data, lines, part, alpha); \
    }                                                                              \
    static void follow_##id##_##format(                                            \
        const sdca_problem *problem, const sdca_dataset *data, sdca_lines *lines,  \
        sdca_lines_part part, const double *w, double *alpha)                      \
    {                                                                              \
        look(id##_line, id##_corners, id##_primal, id##_tally, id##_conjugate,     \
             id##_feasible, true, format, problem, data, lines, part, w, alpha);   \
    }                                                                              \
    static void look_##id##_##format(                                              \
        const sdca_problem *problem, const sdca_dataset *data, sdca_lines *lines,  \
        sdca_lines_part part, const double *w, double *alpha)                      \
    {                                                                              \
        look(id##_line, id##_corners, id##_primal, id##_tally, id##_conjugate,     \
             id##_feasible, false, format, problem, data, lines, part, w, alpha);  \
    }
#define PASSES_OF(id) SDCA_FOR_ROW_FORMATS(PASSES_ON, id)
#define PASSES(id, words, classifies, parameter, c, e, low, high) PASSES_OF(id)

SDCA_LOSS_LIST(PASSES)

#define CHOICE_OF(name, format) [format] = name##_##format,
#define CHOICE(verb, id)                             \
    {                                                \
        SDCA_FOR_ROW_FORMATS(CHOICE_OF, verb##_##id) \
    }
#define WEIGHERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(weigh, id),
#define FOLLOWERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(follow, id),
#define LOOKERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(look, id),

/* By loss and by what rows are made of. */
static weigher *const weighers[SDCA_LOSS_COUNT][ROW_FORMATS]  = { SDCA_LOSS_LIST(
     WEIGHERS) };
static pass *const    followers[SDCA_LOSS_COUNT][ROW_FORMATS] = { SDCA_LOSS_LIST(
       FOLLOWERS) };
static pass *const    lookers[SDCA_LOSS_COUNT][ROW_FORMATS] = { SDCA_LOSS_LIST(LOOKERS) };

void sdca_lines_weigh(const sdca_problem *problem, const sdca_dataset *data,
                      sdca_lines *lines, sdca_lines_part part, const double *alpha)
{
    weighers[problem->loss->kind][format_of(&data->x)](problem, data, lines, part, alpha);
}

void sdca_lines_follow(const sdca_problem *problem, const sdca_dataset *data,
                       sdca_lines *lines, sdca_lines_part part, const double *w,
                       double *alpha)
{
    followers[problem->loss->kind][format_of(&data->x)](problem, data, lines, part, w,
                                                        alpha);
}

void sdca_lines_look(const sdca_problem *problem, const sdca_dataset *data,
                     sdca_lines *lines, sdca_lines_part part, const double *w,
                     double *alpha)
{
    lookers[problem->loss->kind][format_of(&data->x)](problem, data, lines, part, w,
                                                      alpha);
}
