/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap.c - the duality gap: how far from the optimum w can be at most.
 *
 * With w = w(alpha), lambda |w|^2 = (1/n) sum alpha_i w.x_i, and the gap is a
 * mean of terms that Fenchel and Young make non-negative:
 *
 *     P(w) - D(alpha) = (1/n) sum phi_i(z_i) + phi_i*(-alpha_i) + alpha_i z_i
 *
 * with z_i = w.x_i. Nothing large cancels, so a gap of 1e-12 P means something. For any
 * other w the same mean and (lambda/2) |w - w(alpha)|^2 make the gap. */
#include "sdca/gap.h"

#include <float.h>
#include <math.h>

#include "loss_kernel.h"
#include "rows_kernel.h"
#include "sdca/comm.h"

/* A term below zero by more than this share of its parts is not rounding, unless the
 * parts are so small that numbers have few digits left. */
static const double rounding = 1e-9;

/* Where the gap is this share of P or more, P - gap would say less of D than D's own
 * sum does. */
static const double large = 0.5;

/* A sum and what was rounded off it (Neumaier): n can be a billion. */
typedef struct sum {
    double total;
    double lost;
} sum;

static void add(sum *s, double x)
{
    double total = s->total + x;

    s->lost +=
        fabs(s->total) >= fabs(x) ? (s->total - total) + x : (x - total) + s->total;
    s->total = total;
}

/* (lambda/2) |w|^2. */
static double regularizer(const sdca_problem *problem, const sdca_dataset *data,
                          const double *w)
{
    sum norm2 = { 0.0, 0.0 };

    for (int32_t j = 0; j < data->columns; j++) {
        add(&norm2, w[j] * w[j]);
    }
    return problem->lambda / 2.0 * (norm2.total + norm2.lost);
}

static sdca_status check_finite(const sdca_certificate *certificate)
{
    return isfinite(certificate->primal) && isfinite(certificate->gap)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DEFECT, "the objective is no longer finite");
}

/* What one pass over my rows adds up. */
typedef struct sums {
    sum     losses;
    sum     conjugates;
    sum     gaps;
    int64_t bad; /* a row whose term is negative beyond rounding, or -1 */
} sums;

typedef double loss_function(double p, double z_or_a, double y);

/* Rows that are added up plainly before their sum joins the others'. */
enum { BLOCK = 256 };

/* One term per row; where w is zero, so is every margin. */
SDCA_INLINE sums add_terms(loss_function *primal_of, loss_function *conjugate_of,
                           row_kind kind, const sdca_problem *problem,
                           const sdca_dataset *data, const sdca_state *state, bool zero,
                           float *term)
{
    const sdca_rows *x   = &data->x;
    double           p   = problem->parameter;
    sums             all = { .bad = -1 };

    for (uint32_t first = 0; first < x->count; first += BLOCK) {
        uint32_t end    = x->count - first > BLOCK ? first + BLOCK : x->count;
        double   losses = 0.0, conjugates = 0.0, gaps = 0.0;

        for (uint32_t i = first; i < end; i++) {
            double  alpha = state->alpha[i];
            int64_t start = x->row[i].start;
            double  z =
                zero ? 0.0
                      : row_dot(kind, x, start, x->row[i + 1].start - start, state->w);
            double primal    = primal_of(p, z, data->x.row[i].y);
            double conjugate = conjugate_of(p, alpha, data->x.row[i].y);
            double gap       = primal + conjugate + alpha * z;

            double parts = primal + fabs(conjugate) + fabs(alpha * z);

            if (!(gap >= -rounding * parts - DBL_MIN)) {
                all.bad = i;
            }
            if (term != NULL) {
                term[i] = (float)gap;
            }
            losses += primal;
            conjugates += conjugate;
            gaps += gap > 0.0 ? gap : 0.0;
        }
        add(&all.losses, losses);
        add(&all.conjugates, conjugates);
        add(&all.gaps, gaps);
    }
    return all;
}

typedef sums adder(const sdca_problem *problem, const sdca_dataset *data,
                   const sdca_state *state, bool zero, float *term);

#define ADDER(id, kind)                                                                  \
    static sums add_##id##_##kind(const sdca_problem *problem, const sdca_dataset *data, \
                                  const sdca_state *state, bool zero, float *term)       \
    {                                                                                    \
        return add_terms(id##_primal, id##_conjugate, kind, problem, data, state, zero,  \
                         term);                                                          \
    }
#define ADDERS_OF(id) SDCA_FOR_ROW_KINDS(ADDER, id)
#define ADDERS(id, words, classifies, parameter, c, e, low, high) ADDERS_OF(id)
#define CHOICE_ON(name, kind) [kind] = name##_##kind,
#define CHOICE_OF(id) [SDCA_LOSS_##id] = { SDCA_FOR_ROW_KINDS(CHOICE_ON, add_##id) },
#define CHOICE(id, words, classifies, parameter, c, e, low, high) CHOICE_OF(id)

SDCA_QUADRATIC_LOSS_LIST(ADDERS)
ADDERS_OF(logistic)

/* By loss and by what rows are made of. */
static adder *const adders[SDCA_LOSS_COUNT][ROW_KINDS] = { SDCA_QUADRATIC_LOSS_LIST(
    CHOICE) CHOICE_OF(logistic) };

sdca_status sdca_gap_measure(MPI_Comm comm, const sdca_problem *problem,
                             const sdca_dataset *data, const sdca_state *state,
                             float *term, sdca_certificate *out)
{
    double n       = (double)problem->rows;
    double penalty = regularizer(problem, data, state->w);
    sums   mine    = adders[problem->loss->kind][kind_of(&data->x)](problem, data, state,
                                                               penalty == 0.0, term);
    double totals[3] = { mine.losses.total + mine.losses.lost,
                         mine.gaps.total + mine.gaps.lost,
                         mine.conjugates.total + mine.conjugates.lost };
    sdca_status status =
        mine.bad < 0 ? SDCA_OK
                     : SDCA_FAIL(SDCA_DEFECT, "the duality gap of row %lld is negative",
                                 (long long)sdca_dataset_row(data, (uint32_t)mine.bad));

    status = sdca_comm_agree(comm, status);
    if (status != SDCA_OK) {
        return status;
    }
    sdca_comm_sum(comm, totals, 3);
    out->primal = totals[0] / n + penalty;
    out->gap    = totals[1] / n;
    out->dual   = out->gap < large * out->primal ? out->primal - out->gap
                                                 : 0.0 - totals[2] / n - penalty;
    return check_finite(out);
}

sdca_status sdca_gap_measure_primal(MPI_Comm comm, const sdca_problem *problem,
                                    const sdca_dataset *data, sdca_state *state,
                                    double *dual_w, sdca_certificate *out)
{
    const sdca_loss *loss   = problem->loss;
    double           p      = problem->parameter;
    double           n      = (double)problem->rows;
    sum              losses = { 0.0, 0.0 }, conjugates = { 0.0, 0.0 };
    sdca_state       dual = { .alpha = state->alpha, .w = dual_w };
    double           totals[2];

    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = data->x.row[i].y;
        double z = sdca_rows_dot(&data->x, i, state->w);

        /* Without curvature the best dual value is minus a derivative. */
        state->alpha[i] = loss->best(p, 0.0, z, 0.0, y);
        add(&losses, loss->primal(p, z, y));
        add(&conjugates, loss->conjugate(p, state->alpha[i], y));
    }
    sdca_state_rebuild(comm, problem, data, &dual);
    totals[0] = losses.total + losses.lost;
    totals[1] = conjugates.total + conjugates.lost;
    sdca_comm_sum(comm, totals, 2);
    out->primal = totals[0] / n + regularizer(problem, data, state->w);
    out->dual   = -totals[1] / n - regularizer(problem, data, dual_w);
    out->gap    = fmax(0.0, out->primal - out->dual);
    return check_finite(out);
}

sdca_status sdca_gap_measure_pair(MPI_Comm comm, const sdca_problem *problem,
                                  const sdca_dataset *data, const sdca_state *state,
                                  double *dual_w, sdca_certificate *out)
{
    sdca_state  dual   = { .alpha = state->alpha, .w = dual_w };
    sdca_status status = sdca_gap_measure(comm, problem, data, state, NULL, out);

    if (status != SDCA_OK) {
        return status;
    }
    sdca_state_rebuild(comm, problem, data, &dual);
    for (int32_t j = 0; j < data->columns; j++) {
        dual_w[j] -= state->w[j];
    }
    out->gap += regularizer(problem, data, dual_w);
    out->dual = out->primal - out->gap;
    return check_finite(out);
}

/* What count neighbours from row first on say: the sum of their losses and of their terms
 * of the gap. */
static void add_neighbours(const sdca_problem *problem, const sdca_dataset *data,
                           const double *w, uint32_t first, uint32_t count, double *loss,
                           double *gap)
{
    double p = problem->parameter;

    *loss = 0.0;
    *gap  = 0.0;
    for (uint32_t i = first; i < first + count; i++) {
        const sdca_row *row = &data->x.row[i];
        double          z   = sdca_rows_dot(&data->x, i, w);
        double          phi = problem->loss->primal(p, z, row->y);

        *loss += phi;
        *gap += phi + problem->loss->conjugate(p, row->alpha, row->y) + row->alpha * z;
    }
}

sdca_guess sdca_gap_guess(MPI_Comm comm, const sdca_problem *problem,
                          const sdca_dataset *data, const double *w, double share,
                          sdca_random stream)
{
    const uint32_t many      = 16; /* neighbours are read faster than rows anywhere */
    uint32_t       rows      = data->x.count;
    uint32_t       together  = rows < many ? rows : many;
    uint32_t       groups    = (uint32_t)ceil(share * rows / many);
    double         n         = (double)problem->rows;
    double         norm2     = 0.0, spread;
    double         totals[4] = { 0.0, 0.0, 0.0, groups };

    for (uint32_t g = 0; g < groups; g++) {
        double   each  = (double)rows / ((double)groups * together); /* one of so many */
        double   where = (g + sdca_random_uniform(&stream)) / groups;
        uint32_t last  = rows - together;
        uint32_t first = (uint32_t)fmin(last, where * (last + 1.0));
        double   loss, gap;

        add_neighbours(problem, data, w, first, together, &loss, &gap);
        totals[0] += each * loss;
        totals[1] += each * gap;
        totals[2] += each * gap * each * gap;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += w[j] * w[j];
    }
    sdca_comm_sum(comm, totals, 4);
    spread = totals[3] > 1.0 ? (totals[2] - totals[1] * totals[1] / totals[3]) *
                                   totals[3] / (totals[3] - 1.0)
                             : totals[1] * totals[1]; /* one group says nothing of it */
    return (sdca_guess){ .primal = totals[0] / n + problem->lambda / 2.0 * norm2,
                         .gap    = fmax(0.0, totals[1] / n),
                         .error  = sqrt(fmax(0.0, spread)) / n };
}

double sdca_gap_relative(const sdca_certificate *certificate)
{
    return certificate->gap <= 0.0 ? 0.0 : certificate->gap / certificate->primal;
}

double sdca_gap_distance(const sdca_problem *problem, const sdca_certificate *certificate)
{
    return sqrt(2.0 * certificate->gap / problem->lambda);
}
