/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calibration.c - probabilities from scores.
 *
 * With t_i the target of row i and p_i = 1/(1 + exp(-(a u_i + b))), the fit minimises
 *
 *     F(a, b) = -sum_i s_i (t_i log p_i + (1 - t_i) log(1 - p_i)),
 *
 * where u_i is the score less the mean and divided by the standard deviation, so that
 * the Hessian is well conditioned for scores of any scale. t_i is (W+ + 1)/(W+ + 2) in
 * the class and 1/(W- + 2) in the rest, W+ and W- being their weights: F then has a
 * minimum for classes that a score separates. */
#include "objective/calibration.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/compensated_sum.h"
#include "mpi/comm.h"
#include "objective/metrics.h"

enum { MAX_STEPS = 100, MAX_HALVINGS = 40, SUMS = 6 };

/* One sigmoid to be fitted. */
typedef struct fit {
    MPI_Comm                  comm;
    const sdca_metrics_input *in;
    int                       models, k;
    double                    weight[2]; /* of the rest, and of the class */
    double                    target[2];
    double                    unit;  /* the greatest magnitude of a score */
    double                    mean;  /* of score / unit */
    double                    scale; /* its standard deviation */
} fit;

/* F, its gradient and its Hessian: F, F_a, F_b, F_aa, F_ab, F_bb. */
typedef struct fit_point {
    double a, b;
    double sum[SUMS];
} fit_point;

static double weight_of(const fit *f, int64_t i)
{
    return f->in->label[i] < 0.0 ? 0.0 : f->in->weight != NULL ? f->in->weight[i] : 1.0;
}

/* Is row i of the class? */
static bool is_positive(const fit *f, int64_t i)
{
    return f->in->label[i] == (f->models > 1 ? (double)f->k : 1.0);
}

static double score_of(const fit *f, int64_t i)
{
    return f->in->score[i * f->models + f->k] / f->unit;
}

/* Reduce compensated sums over the ranks. Collective. */
static void reduce(const fit *f, const compensated_sum *part, int count, double *sum)
{
    for (int k = 0; k < count; k++) {
        sum[k] = compensated_value(&part[k]);
    }
    sdca_comm_allreduce_sum(f->comm, sum, count);
}

/* Weights and targets of the class and the rest, mean and scale of the score.
 * Collective. */
static void prepare(fit *f)
{
    compensated_sum part[3] = { { 0.0, 0.0 } }, square = { 0.0, 0.0 };
    double          sum[3];

    f->unit = 0.0;
    for (int64_t i = 0; i < f->in->rows; i++) {
        double size = fabs(f->in->score[i * f->models + f->k]);

        f->unit = weight_of(f, i) > 0.0 && size > f->unit ? size : f->unit;
    }
    sdca_comm_allreduce_max(f->comm, &f->unit, 1);
    f->unit = f->unit > 0.0 ? f->unit : 1.0;
    for (int64_t i = 0; i < f->in->rows; i++) {
        double s = weight_of(f, i);

        if (s > 0.0) {
            compensated_add(&part[is_positive(f, i)], s);
            compensated_add(&part[2], s * score_of(f, i));
        }
    }
    reduce(f, part, 3, sum);
    f->weight[0] = sum[0];
    f->weight[1] = sum[1];
    f->target[0] = 1.0 / (sum[0] + 2.0);
    f->target[1] = (sum[1] + 1.0) / (sum[1] + 2.0);
    f->mean      = sum[2] / (sum[0] + sum[1]);
    for (int64_t i = 0; i < f->in->rows; i++) {
        double s = weight_of(f, i);

        if (s > 0.0) {
            compensated_add(&square, s * pow(score_of(f, i) - f->mean, 2.0));
        }
    }
    reduce(f, &square, 1, sum);
    f->scale = sqrt(sum[0] / (f->weight[0] + f->weight[1]));
}

/* Add row i to the sums of a point. */
static void add_row(const fit *f, int64_t i, double s, const fit_point *at,
                    compensated_sum part[SUMS])
{
    double u = (score_of(f, i) - f->mean) / f->scale, t = f->target[is_positive(f, i)];
    double z = at->a * u + at->b, e = exp(-fabs(z)), p, h;

    p = (z >= 0.0 ? 1.0 : e) / (1.0 + e);
    h = s * e / ((1.0 + e) * (1.0 + e));
    compensated_add(&part[0], s * ((z >= 0.0 ? (1.0 - t) * z : -t * z) + log1p(e)));
    compensated_add(&part[1], s * (p - t) * u);
    compensated_add(&part[2], s * (p - t));
    compensated_add(&part[3], h * u * u);
    compensated_add(&part[4], h * u);
    compensated_add(&part[5], h);
}

/* F and its derivatives at a point. Collective. */
static void evaluate(const fit *f, fit_point *at)
{
    compensated_sum part[SUMS] = { { 0.0, 0.0 } };

    for (int64_t i = 0; i < f->in->rows; i++) {
        double s = weight_of(f, i);

        if (s > 0.0) {
            add_row(f, i, s, at, part);
        }
    }
    reduce(f, part, SUMS, at->sum);
}

/* Newton's step from a point; returns the decrease that it promises, twice. The Hessian
 * gets 1e-12 of itself, as it may be singular in double precision. */
static double newton_step(const fit_point *at, double step[2])
{
    const double *s  = at->sum;
    double        aa = s[3] * (1.0 + 1e-12) + 1e-300, bb = s[5] * (1.0 + 1e-12) + 1e-300;
    double        determinant = aa * bb - s[4] * s[4];

    step[0] = -(bb * s[1] - s[4] * s[2]) / determinant;
    step[1] = -(aa * s[2] - s[4] * s[1]) / determinant;
    return -(s[1] * step[0] + s[2] * step[1]);
}

/* Minimise F. All ranks have the same numbers. Collective. */
static fit_point minimise(const fit *f)
{
    double    total = f->weight[0] + f->weight[1];
    fit_point now   = { .b = log((f->weight[1] + 1.0) / (f->weight[0] + 1.0)) };

    evaluate(f, &now);
    for (int k = 0; k < MAX_STEPS; k++) {
        double    step[2], decrease = newton_step(&now, step), size = 1.0;
        fit_point next = now;

        if (!(decrease > 1e-26 * total)) {
            break;
        }
        for (int h = 0; h < MAX_HALVINGS; h++, size *= 0.5) {
            next.a = now.a + size * step[0];
            next.b = now.b + size * step[1];
            evaluate(f, &next);
            if (next.sum[0] <= now.sum[0] - 1e-4 * size * decrease ||
                decrease <=
                    1e-12 * now.sum[0]) { /* the last digits of F decide nothing */
                break;
            }
        }
        now = next;
    }
    return now;
}

/* The sigmoid of a score that is the same in all rows: the mean target. */
static sdca_sigmoid constant_sigmoid(const fit *f)
{
    double positive = f->weight[1] * f->target[1] + f->weight[0] * f->target[0];

    return (sdca_sigmoid){ 0.0,
                           log(positive) - log(f->weight[0] + f->weight[1] - positive) };
}

/* Fit the sigmoid of a score. Collective. */
static sdca_sigmoid fit_sigmoid(fit *f)
{
    fit_point at;

    prepare(f);
    if (!(f->scale > 1e-13)) {
        return constant_sigmoid(f);
    }
    at = minimise(f);
    return (sdca_sigmoid){ at.a / f->scale / f->unit, at.b - at.a * f->mean / f->scale };
}

/* Count the rows that are used, and the classes that have any. Collective. */
static sdca_status count_classes(const fit *f, const char *name, int64_t *rows)
{
    sdca_status status  = SDCA_OK;
    size_t      classes = (size_t)f->in->classes, present = 0;
    int64_t    *count = sdca_alloc_zeroed(classes + 1, sizeof *count);

    if (count == NULL) {
        status =
            SDCA_FAIL(SDCA_MEMORY, "no memory to calibrate %d classes", f->in->classes);
    }
    SDCA_TRY(sdca_comm_agree(f->comm, status));
    for (int64_t i = 0; i < f->in->rows; i++) {
        if (weight_of(f, i) > 0.0) {
            count[(size_t)f->in->label[i]]++;
            count[classes]++;
        }
    }
    sdca_comm_allreduce_sum_int64(f->comm, count, (int64_t)classes + 1);
    for (size_t k = 0; k < classes; k++) {
        present += count[k] > 0;
    }
    *rows = count[classes];
    if (present < 2) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' cannot calibrate the model: it needs rows of two labels "
                           "at least",
                           name);
    }

done:
    free(count);
    return status;
}

sdca_status sdca_calibration_fit(MPI_Comm comm, const sdca_metrics_input *held_out,
                                 const char *name, sdca_calibration *out)
{
    sdca_status      status = SDCA_OK;
    int              models = held_out->classes > 2 ? held_out->classes : 1;
    fit              f      = { .comm = comm, .in = held_out, .models = models };
    sdca_calibration c      = { .models = models };

    SDCA_TRY(count_classes(&f, name, &c.rows));
    c.sigmoid = sdca_alloc_array((size_t)models, sizeof *c.sigmoid);
    if (c.sigmoid == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to calibrate %d models", models);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    for (f.k = 0; f.k < models; f.k++) {
        c.sigmoid[f.k] = fit_sigmoid(&f);
    }
    *out = c;
    c    = (sdca_calibration){ .sigmoid = NULL }; /* now the caller's */

done:
    sdca_calibration_free(&c);
    return status;
}

void sdca_calibration_free(sdca_calibration *calibration)
{
    free(calibration->sigmoid);
    *calibration = (sdca_calibration){ .sigmoid = NULL };
}
