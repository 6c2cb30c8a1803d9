/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton.c - a Newton method for few columns, the same for any number of ranks.
 *
 * At the optimum lambda n w = sum alpha_i x_i, and every alpha_i suits its margin z_i:
 * alpha_i = -phi'(z_i). Near the present (z_i, alpha_i) the latter is replaced by a line,
 *
 *     alpha_i = aim_i - weight_i (z_i' - z_i),
 *
 * which leaves a linear system for w' with the matrix lambda n I + sum weight_i x_i
 * x_i^T. A loss with corners, where alpha_i may lie anywhere between two values mid -+
 * half, has
 *
 *     (alpha - mid) sqrt(r^2 + width^2) = half r,   r = y - z - c alpha,
 *
 * whose width is lowered from round to round; with width 0 it says that alpha is at the
 * end that the sign of r asks for, or that r is 0. What is linearised is this very
 * product, and not alpha as a function of z: the line then depends on how far alpha has
 * come itself. A row whose alpha and z disagree gets the weight half (1 + 1)/|r| in place
 * of nearly none, and so no step goes far astray, without any line search (Chan,
 * Golub and Mulet, SIAM J. Sci. Comput. 20, 1999, for total variation).
 *
 * alpha follows its line, clipped to where it is feasible. As long as nothing is
 * clipped, w' = w(alpha), and the gap is that of the rows alone. */
#include "sdca/newton.h"

#include "loss_kernel.h"
#include "rows_kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"

/* The line that alpha follows, and what rounding off the corner costs: the row's term of
 * the gap if alpha were where the rounded loss wants it. */
typedef struct line {
    double aim;
    double weight;
    double cost;
} line;

/* alpha between two ends, its equation linearised at (alpha, r) and solved for alpha:
 * alpha' = mid + half r/q + h (r' - r) with q the root and r' - r = z - z' - c (alpha' -
 * alpha). */
SDCA_INLINE line box_line(double mid, double half, double c, double pull, double alpha,
                          double width)
{
    double r = pull - c * alpha;
    double q = sqrt(r * r + width * width) + DBL_MIN;
    double s = half * r / q;
    double h = fmax(0.0, half - (alpha - mid) * r / q) / q;

    return (line){ .aim    = (mid + s + c * h * alpha) / (1.0 + c * h),
                   .weight = h / (1.0 + c * h),
                   .cost   = fabs(r) * (half - fabs(s)) };
}

SDCA_INLINE line hinge_line(double p, double z, double y, double alpha, double width)
{
    (void)p;
    return box_line(y / 2.0, 0.5, 0.0, y - z, alpha, width);
}

SDCA_INLINE line smooth_hinge_line(double p, double z, double y, double alpha,
                                   double width)
{
    return box_line(y / 2.0, 0.5, p, y - z, alpha, width);
}

SDCA_INLINE line absolute_line(double p, double z, double y, double alpha, double width)
{
    (void)p;
    return box_line(0.0, 1.0, 0.0, y - z, alpha, width);
}

/* Two hinges, one for what is too low and one for what is too high. */
SDCA_INLINE line epsilon_insensitive_line(double p, double z, double y, double alpha,
                                          double width)
{
    line up   = box_line(0.5, 0.5, 0.0, y - z - p, fmax(0.0, alpha), width);
    line down = box_line(0.5, 0.5, 0.0, z - y - p, fmax(0.0, -alpha), width);

    return (line){ up.aim - down.aim, up.weight + down.weight, up.cost + down.cost };
}

/* The others are smooth enough as they are: their line is the tangent of -phi'. */
SDCA_INLINE line squared_line(double p, double z, double y, double alpha, double width)
{
    (void)p;
    (void)alpha;
    (void)width;
    return (line){ 2.0 * (y - z), 2.0, 0.0 };
}

SDCA_INLINE line squared_hinge_line(double p, double z, double y, double alpha,
                                    double width)
{
    (void)p;
    (void)alpha;
    (void)width;
    return y * z < 1.0 ? (line){ 2.0 * (y - z), 2.0, 0.0 } : (line){ 0.0, 0.0, 0.0 };
}

SDCA_INLINE line logistic_line(double p, double z, double y, double alpha, double width)
{
    double m     = y * z;
    double small = exp(-fabs(m)); /* never overflows */
    double large = 1.0 / (1.0 + small);

    (void)p;
    (void)alpha;
    (void)width;
    return (line){ m > 0.0 ? y * small * large : y * large, small * large * large, 0.0 };
}

/* Where row j of the packed lower triangle begins. */
static inline size_t triangle(int64_t j)
{
    return (size_t)j * ((size_t)j + 1) / 2;
}

/* Column and value of the k-th entry of all. */
SDCA_INLINE sdca_wide_entry entry_of(row_kind kind, const sdca_rows *x, int64_t k,
                                     int64_t place)
{
    return kind == NARROW
               ? (sdca_wide_entry){ x->entry[k].column, (double)x->entry[k].value }
           : kind == WIDE  ? x->wide[k]
           : kind == DENSE ? (sdca_wide_entry){ place, (double)x->dense[k] }
                           : (sdca_wide_entry){ place, x->dense_wide[k] };
}

/* Copy what is not zero of row i to newton's room for one, and return how much. */
SDCA_INLINE int64_t unpack(row_kind kind, const sdca_rows *x, uint32_t i,
                           sdca_newton *newton)
{
    int64_t first = x->start[i];
    int64_t width = x->start[i + 1] - first;
    int64_t count = 0;

    for (int64_t k = 0; k < width; k++) {
        sdca_wide_entry entry = entry_of(kind, x, first + k, k);

        newton->column[count] = (int32_t)entry.column;
        newton->value[count]  = entry.value;
        count += entry.value != 0.0;
    }
    return count;
}

/* matrix += weight x x^T, its lower triangle, two of its rows at a time. */
static void add_square(const sdca_newton *newton, int64_t count, double weight,
                       double *matrix)
{
    const int32_t *column = newton->column;
    const double  *value  = newton->value;
    int64_t        k      = 0;

    for (; k + 1 < count; k += 2) {
        double *one  = matrix + triangle(column[k]),
               *two  = matrix + triangle(column[k + 1]);
        double first = weight * value[k], second = weight * value[k + 1];

        for (int64_t l = 0; l <= k; l++) {
            one[column[l]] += first * value[l];
            two[column[l]] += second * value[l];
        }
        two[column[k + 1]] += second * value[k + 1];
    }
    for (int64_t l = 0; k < count && l <= k; l++) {
        matrix[triangle(column[k]) + (size_t)column[l]] += weight * value[k] * value[l];
    }
}

typedef line   line_function(double p, double z, double y, double alpha, double width);
typedef double loss_function(double p, double z, double y);

/* The line of each of my rows, alpha becoming its aim; sum becomes my part of the
 * matrix, of sum aim_i x_i and of the cost. */
SDCA_INLINE void weigh(line_function *line_of, row_kind kind, const sdca_problem *problem,
                       const sdca_dataset *data, sdca_newton *newton, sdca_state *state)
{
    size_t  size = triangle(data->columns);
    double *aims = newton->sum + size;
    double *cost = aims + data->columns;

    memset(newton->sum, 0, (size + (size_t)data->columns + 1) * sizeof *newton->sum);
    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t count = unpack(kind, &data->x, i, newton);
        line    l = line_of(problem->parameter, newton->z[i], data->y[i], state->alpha[i],
                            newton->width);

        if (count == 0) {
            continue; /* its alpha is at its best from the start */
        }
        state->alpha[i]   = l.aim;
        newton->weight[i] = l.weight;
        *cost += l.cost;
        for (int64_t k = 0; k < count; k++) {
            aims[newton->column[k]] += l.aim * newton->value[k];
        }
        if (l.weight > 0.0) {
            add_square(newton, count, l.weight, newton->sum);
        }
    }
}

/* Move each alpha of mine along its line to the new w; sum becomes my part of sum alpha_i
 * x_i, of the losses and of the rows' terms of the gap. */
SDCA_INLINE void follow(loss_function *primal, loss_function *conjugate, row_kind kind,
                        const sdca_problem *problem, const sdca_dataset *data,
                        sdca_newton *newton, sdca_state *state)
{
    const sdca_rows *x      = &data->x;
    double           p      = problem->parameter;
    double           losses = 0.0, terms = 0.0;

    memset(newton->sum, 0, ((size_t)data->columns + 2) * sizeof *newton->sum);
    for (uint32_t i = 0; i < x->count; i++) {
        int64_t       first   = x->start[i];
        int64_t       count   = x->start[i + 1] - first;
        double        y       = data->y[i];
        double        z       = row_dot(kind, x, first, count, state->w);
        sdca_interval allowed = problem->loss->feasible(y);
        double        alpha   = state->alpha[i] + newton->weight[i] * (newton->z[i] - z);
        double        loss    = primal(p, z, y);

        alpha           = clip(alpha, allowed.low, allowed.high);
        newton->z[i]    = z;
        state->alpha[i] = alpha;
        losses += loss;
        terms += fmax(0.0, loss + conjugate(p, alpha, y) + alpha * z);
        row_add(kind, x, first, count, alpha, newton->sum);
    }
    newton->sum[data->columns]     = losses;
    newton->sum[data->columns + 1] = terms;
}

typedef void pass(const sdca_problem *problem, const sdca_dataset *data,
                  sdca_newton *newton, sdca_state *state);

#define PASSES_ON(id, kind)                                                         \
    static void weigh_##id##_##kind(const sdca_problem *problem,                    \
                                    const sdca_dataset *data, sdca_newton *newton,  \
                                    sdca_state *state)                              \
    {                                                                               \
        weigh(id##_line, kind, problem, data, newton, state);                       \
    }                                                                               \
    static void follow_##id##_##kind(const sdca_problem *problem,                   \
                                     const sdca_dataset *data, sdca_newton *newton, \
                                     sdca_state *state)                             \
    {                                                                               \
        follow(id##_primal, id##_conjugate, kind, problem, data, newton, state);    \
    }
#define PASSES_OF(id)     \
    PASSES_ON(id, NARROW) \
    PASSES_ON(id, WIDE)   \
    PASSES_ON(id, DENSE)  \
    PASSES_ON(id, DENSE_WIDE)
#define PASSES(id, words, classifies, parameter, c, e, low, high) PASSES_OF(id)

SDCA_QUADRATIC_LOSS_LIST(PASSES)
PASSES_OF(logistic)

#define CHOICE(verb, id)                                               \
    {                                                                  \
        verb##_##id##_NARROW, verb##_##id##_WIDE, verb##_##id##_DENSE, \
            verb##_##id##_DENSE_WIDE                                   \
    }
#define WEIGHERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(weigh, id),
#define FOLLOWERS(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(follow, id),

/* By loss and by what rows are made of. */
static pass *const weighers[SDCA_LOSS_COUNT][ROW_KINDS] = {
    SDCA_QUADRATIC_LOSS_LIST(WEIGHERS)[SDCA_LOSS_logistic] = CHOICE(weigh, logistic)
};
static pass *const followers[SDCA_LOSS_COUNT][ROW_KINDS] = {
    SDCA_QUADRATIC_LOSS_LIST(FOLLOWERS)[SDCA_LOSS_logistic] = CHOICE(follow, logistic)
};

sdca_status sdca_newton_create(const sdca_dataset *data, sdca_newton *out)
{
    size_t      rows    = (size_t)data->x.count + 1; /* never zero bytes */
    size_t      columns = (size_t)data->columns + 1;
    sdca_newton newton  = { .best = INFINITY };

    newton.z      = malloc(rows * sizeof *newton.z);
    newton.weight = calloc(rows, sizeof *newton.weight);
    newton.sum    = malloc((triangle(data->columns) + columns + 1 + SDCA_NEWTON_SHARED) *
                           sizeof *newton.sum);
    newton.step   = malloc(columns * sizeof *newton.step);
    newton.column = malloc(columns * sizeof *newton.column);
    newton.value  = malloc(columns * sizeof *newton.value);
    if (newton.z == NULL || newton.weight == NULL || newton.sum == NULL ||
        newton.step == NULL || newton.column == NULL || newton.value == NULL) {
        sdca_newton_free(&newton);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a matrix of %ld columns",
                         (long)data->columns);
    }
    *out = newton;
    return SDCA_OK;
}

void sdca_newton_free(sdca_newton *newton)
{
    free(newton->z);
    free(newton->weight);
    free(newton->sum);
    free(newton->step);
    free(newton->column);
    free(newton->value);
    *newton = (sdca_newton){ 0 };
}

/* Four partial sums keep four multiply-adds in flight. */
static double dot(const double *a, const double *b, int32_t count)
{
    double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int32_t k = 0;

    for (; k + 4 <= count; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < count; k++) {
        s0 += a[k] * b[k];
    }
    return (s0 + s1) + (s2 + s3);
}

/* L L^T = matrix, in its place. A column that depends on those before it, as far as
 * rounding can tell, gets an infinite pivot: it stays where it is. */
static void factor(double *matrix, int32_t columns)
{
    for (int32_t j = 0; j < columns; j++) {
        double *row  = matrix + triangle(j);
        double  full = row[j];

        for (int32_t k = 0; k <= j; k++) {
            const double *other = matrix + triangle(k);
            double        rest  = row[k] - dot(row, other, k);

            row[k] = k < j                                 ? rest / other[k]
                     : rest > columns * DBL_EPSILON * full ? sqrt(rest)
                                                           : INFINITY;
        }
    }
}

/* x = (L L^T)^-1 x. */
static void solve(const double *matrix, int32_t columns, double *x)
{
    for (int32_t j = 0; j < columns; j++) {
        const double *row = matrix + triangle(j);

        for (int32_t l = 0; l < j; l++) {
            x[j] -= row[l] * x[l];
        }
        x[j] /= row[j];
    }
    for (int32_t j = columns - 1; j >= 0; j--) {
        const double *row = matrix + triangle(j);

        x[j] /= row[j];
        for (int32_t l = 0; l < j; l++) {
            x[l] -= row[l] * x[j];
        }
    }
}

static void sum_up(MPI_Comm comm, sdca_newton *newton, size_t count)
{
    double start = MPI_Wtime();

    sdca_comm_sum(comm, newton->sum, (int64_t)count);
    newton->exchange += MPI_Wtime() - start;
    newton->bytes += (int64_t)(count * sizeof *newton->sum);
}

/* The share of P below which a gap is nothing but rounding. */
static const double rounding = 1e-13;

/* The width for the next round. cost is the gap that the present one causes, which is
 * about proportional to its square. It is lowered as long as alpha can follow, and
 * raised where it could not. */
static void choose_width(sdca_newton *newton, double cost, double gap, double wanted)
{
    const double follows = 30.0, lost = 3000.0; /* gap / cost */
    const double least = 0.3, most = 0.5, share = 0.3;

    if (gap <= follows * cost && cost > wanted / 2.0) {
        newton->width *= fmin(most, fmax(least, sqrt(share * wanted / cost)));
    } else if (gap > lost * cost && gap > newton->best) {
        newton->width = fmin(newton->widest, 3.0 * newton->width);
    }
}

void sdca_newton_resume(const sdca_dataset *data, const sdca_state *state,
                        sdca_newton *newton)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        newton->z[i] = sdca_rows_dot(&data->x, i, state->w);
    }
}

/* All z, and the scale of the losses, which is that on which z and y differ. Collective.
 */
static void look_around(MPI_Comm comm, const sdca_problem *problem,
                        const sdca_dataset *data, sdca_newton *newton,
                        const sdca_state *state)
{
    double sum = 0.0;

    sdca_newton_resume(data, state, newton);
    for (uint32_t i = 0; i < data->x.count; i++) {
        sum += problem->loss->primal(problem->parameter, newton->z[i], data->y[i]);
    }
    sdca_comm_sum(comm, &sum, 1);
    newton->widest = fmax(DBL_MIN, sum / (double)problem->rows);
    newton->width  = newton->widest;
}

void sdca_newton_round(MPI_Comm comm, const sdca_problem *problem,
                       const sdca_dataset *data, sdca_newton *newton, double wanted,
                       sdca_state *state, double shared[SDCA_NEWTON_SHARED])
{
    sdca_certificate *now      = &newton->certificate;
    int32_t           d        = data->columns;
    size_t            size     = triangle(d);
    double            n        = (double)problem->rows;
    double            lambda_n = problem->lambda * n;
    row_kind          kind     = kind_of(&data->x);
    double            cost, norm2 = 0.0, apart2 = 0.0;

    if (newton->widest == 0.0) {
        look_around(comm, problem, data, newton, state);
    }
    weighers[problem->loss->kind][kind](problem, data, newton, state);
    sum_up(comm, newton, size + (size_t)d + 1);
    cost = newton->sum[size + (size_t)d] / n;
    for (int32_t j = 0; j < d; j++) {
        newton->sum[triangle(j) + (size_t)j] += lambda_n;
        newton->step[j] = newton->sum[size + (size_t)j] - lambda_n * state->w[j];
    }
    factor(newton->sum, d);
    solve(newton->sum, d, newton->step);
    for (int32_t j = 0; j < d; j++) {
        state->w[j] += newton->step[j];
    }

    followers[problem->loss->kind][kind](problem, data, newton, state);
    memcpy(&newton->sum[d + 2], shared, SDCA_NEWTON_SHARED * sizeof *shared);
    sum_up(comm, newton, (size_t)d + 2 + SDCA_NEWTON_SHARED);
    memcpy(shared, &newton->sum[d + 2], SDCA_NEWTON_SHARED * sizeof *shared);
    for (int32_t j = 0; j < d; j++) {
        double apart = state->w[j] - newton->sum[j] / lambda_n;

        norm2 += state->w[j] * state->w[j];
        apart2 += apart * apart;
    }
    now->primal = newton->sum[d] / n + problem->lambda / 2.0 * norm2;
    now->gap    = newton->sum[d + 1] / n + problem->lambda / 2.0 * apart2;
    now->dual   = now->primal - now->gap;
    choose_width(newton, cost, now->gap, fmax(wanted, rounding * now->primal));
    newton->since = now->gap < newton->best ? 0 : newton->since + 1;
    newton->best  = fmin(newton->best, now->gap);
    state->round++;
    state->steps += problem->rows;
}

/* Rounds to a relative gap of 1e-3 to 1e-4, and how the epochs of SDCA grow with C. */
typedef struct habit {
    double rounds;
    double epochs;
} habit;

static const habit habits[SDCA_LOSS_COUNT] = {
    [SDCA_LOSS_hinge]               = { 10.0, 3.0 },
    [SDCA_LOSS_smooth_hinge]        = { 8.0, 3.0 },
    [SDCA_LOSS_squared_hinge]       = { 6.0, 8.0 },
    [SDCA_LOSS_squared]             = { 1.0, 8.0 },
    [SDCA_LOSS_absolute]            = { 12.0, 3.0 },
    [SDCA_LOSS_epsilon_insensitive] = { 12.0, 3.0 },
    [SDCA_LOSS_logistic]            = { 6.0, 1.3 }
};

bool sdca_newton_pays(const sdca_problem *problem, int32_t columns, int64_t nonzeros,
                      double curvature, double target, int ranks)
{
    const double safe    = 1.1;
    const habit *usual   = &habits[problem->loss->kind];
    bool         corners = usual->rounds > 6.0;
    double       finest  = corners ? 1e-9 : 1e-11;
    bool         logs    = problem->loss->kind == SDCA_LOSS_logistic;
    double       n = (double)problem->rows, d = columns;
    double       m       = (double)nonzeros / n;
    double       decades = fmax(0.0, log10(1e-4 / target));
    double       round =
        60.0 + (logs ? 15.0 : 0.0) + m * m / 2.0 + ranks * d * d * d / (2.0 * n);
    double epoch  = 25.0 + (logs ? 65.0 : 0.0) + 2.5 * m;
    double rounds = usual->rounds + (corners ? 2.0 : 0.5) * decades;
    double epochs =
        (3.5 + usual->epochs * curvature * pow(ranks, 0.7)) * (1.0 + decades / 2.0);

    return columns <= SDCA_NEWTON_COLUMNS / 4 && target >= finest &&
           safe * rounds * round < epochs * epoch;
}

bool sdca_newton_is_lost(const sdca_newton *newton)
{
    return newton->since >= 20;
}
