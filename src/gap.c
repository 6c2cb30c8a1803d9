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
 * other w the same mean and (lambda/2) |w - w(alpha)|^2 make the gap.
 *
 * A certificate also bounds the errors of its own arithmetic. With u = 2^-53:
 *
 *     margins    |z - fl(z)| <= r = k u sum_j |x_j w_j|, k = sdca_rows_dot_error();
 *                phi moves by at most r times its steepness there, alpha z by |alpha| r;
 *     losses     16 u times the magnitudes of all that is added up in a row's term;
 *     w(alpha)   is off by at most h = (m + 8) u C sum |alpha_i||x_i|, for m additions in
 *                a column, which adds lambda |w - w(alpha)| h + (lambda/2) h^2;
 *     sums       of terms that are not negative: u of each per addition.
 *
 * The errors of P and of the gap are both added to the gap: then min P >= P - gap and,
 * for relative targets of at most 1, gap / P can be relied on, with P as reported.
 *
 * First these are bounded by what is known already, at no cost: with gamma phi'^2 <= 2
 * phi for a (1/gamma)-smooth loss, |x||w| for the sum over j, and the inequality of
 * Cauchy and Schwarz for sums over rows. Only where that is too coarse, another pass over
 * the rows adds up the bounds row by row. */
#include "sdca/gap.h"

#include <float.h>
#include <math.h>

#include "loss_kernel.h"
#include "rows_kernel.h"
#include "sdca/comm.h"

/* A term below zero by more than this share of its parts is not rounding, unless the
 * parts are so small that numbers have few digits left. */
static const double negligible = 1e-9;

/* Where the gap is this share of P or more, P - gap would say less of D than D's own
 * sum does. */
static const double large = 0.5;

/* u, and a little more for what is rounded in the bounds themselves. */
static const double unit = 1.01 * DBL_EPSILON / 2.0;

/* A bound on rounding errors is too coarse if it is more than this share of the gap, and
 * that is more than this share of what is wanted. */
static const double coarse = 0.01;

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

/* |a - b|^2; b may be NULL, for 0. */
static double distance2(const sdca_dataset *data, const double *a, const double *b)
{
    sum norm2 = { 0.0, 0.0 };

    for (int32_t j = 0; j < data->columns; j++) {
        double x = b != NULL ? a[j] - b[j] : a[j];

        add(&norm2, x * x);
    }
    return norm2.total + norm2.lost;
}

/* What is evaluated, and how carefully. */
typedef struct evaluation {
    const sdca_problem *problem;
    const sdca_dataset *data;
    const double       *alpha;
    const double       *w;
    const double       *dual_w; /* w(alpha); NULL: it is w */
    float              *term;   /* of the gap, by row, to be set; or NULL */
    double              norm2;  /* |w|^2 */
    double              apart2; /* |w - w(alpha)|^2 */
    bool                tight;  /* bound rounding errors row by row */
} evaluation;

/* What one pass over my rows adds up. */
typedef struct sums {
    sum     losses;
    sum     conjugates;
    sum     gaps;
    double  errors; /* bounds on those of the losses and of the gaps */
    double  pulls;  /* |alpha_i| |x_i| */
    int64_t bad;    /* a row whose term is negative beyond rounding, or -1; ... */
    double  term;   /* ... that term */
} sums;

typedef double primal_function(double p, double z, double y);
typedef double dual_function(double p, double a, double z, double y, double conjugate);
typedef double conjugate_function(double p, double a, double y);
typedef double steepness_function(double p, double z, double r, double y);
typedef double rounded_function(double p, double a, double z, double y, double steepness);

/* Rows that are added up plainly before their sum joins the others'. */
enum { BLOCK = 64 };

/* sum_j |x_j w_j|. */
SDCA_INLINE double row_magnitude(row_format format, const sdca_rows *x, int64_t first,
                                 int64_t width, const double *w)
{
    double magnitude = 0.0;

    for (int64_t k = 0; k < width; k++) {
        int64_t j = is_sparse(format) ? entry_column(format, x, first + k) : k;

        magnitude += fabs(entry_value(format, x, first + k) * w[j]);
    }
    return magnitude;
}

/* |x_i|, or a little more where its square is too small for a double. */
SDCA_INLINE double row_length(const sdca_row *row, int64_t width)
{
    return sqrt(row->norm2 + (double)width * DBL_MIN);
}

/* One term per row; where w is zero, so is every margin. */
SDCA_INLINE sums add_terms(primal_function *primal_of, dual_function *dual_part_of,
                           conjugate_function *conjugate_of,
                           steepness_function *steepness_of, rounded_function *rounded_of,
                           row_format format, const evaluation *e)
{
    const sdca_rows *x   = &e->data->x;
    double           p   = e->problem->parameter;
    sums             all = { .bad = -1 };

    for (uint32_t first = 0; first < x->count; first += BLOCK) {
        uint32_t end    = x->count - first > BLOCK ? first + BLOCK : x->count;
        double   losses = 0.0, conjugates = 0.0, gaps = 0.0;

        for (uint32_t i = first; i < end; i++) {
            double  alpha = e->alpha[i], y = x->row[i].y;
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;
            double  z = e->norm2 == 0.0 ? 0.0 : row_dot(format, x, start, width, e->w);
            double  primal    = primal_of(p, z, y);
            double  conjugate = conjugate_of(p, alpha, y);
            double  dual      = dual_part_of(p, alpha, z, y, conjugate);
            double  gap       = primal + dual;
            double  parts     = primal + fabs(conjugate) + fabs(alpha * z);

            if (!(gap >= -negligible * parts - DBL_MIN)) {
                all.bad  = i;
                all.term = gap;
            }
            if (e->term != NULL) {
                e->term[i] = (float)gap;
            }
            losses += primal;
            conjugates += conjugate;
            gaps += gap > 0.0 ? gap : 0.0;
            if (e->tight) {
                double r = unit * sdca_rows_dot_error(width) *
                               row_magnitude(format, x, start, width, e->w) +
                           (double)width * DBL_TRUE_MIN;
                double steep = steepness_of(p, z, r, y);

                all.errors += (2.0 * steep + fabs(alpha)) * r +
                              16.0 * unit * rounded_of(p, alpha, z, y, steep);
                all.pulls += fabs(alpha) * row_length(&x->row[i], width);
            }
        }
        add(&all.losses, losses);
        add(&all.conjugates, conjugates);
        add(&all.gaps, gaps);
    }
    return all;
}

typedef sums adder(const evaluation *e);

#define ADDER(id, format)                                                             \
    static sums add_##id##_##format(const evaluation *e)                              \
    {                                                                                 \
        return add_terms(id##_primal, id##_dual_part, id##_conjugate, id##_steepness, \
                         id##_rounded, format, e);                                    \
    }
#define ADDERS_OF(id) SDCA_FOR_ROW_FORMATS(ADDER, id)
#define ADDERS(id, words, classifies, parameter, c, e, low, high) ADDERS_OF(id)
#define CHOICE_ON(name, format) [format] = name##_##format,
#define CHOICE_OF(id) [SDCA_LOSS_##id] = { SDCA_FOR_ROW_FORMATS(CHOICE_ON, add_##id) },
#define CHOICE(id, words, classifies, parameter, c, e, low, high) CHOICE_OF(id)

SDCA_LOSS_LIST(ADDERS)

/* By loss and by what rows are made of. */
static adder *const adders[SDCA_LOSS_COUNT][ROW_FORMATS] = { SDCA_LOSS_LIST(CHOICE) };

/* What all ranks have added up. */
enum { LOSSES, GAPS, CONJUGATES, ERRORS, PULLS, TOTALS };

/* Add a bound on rounding errors to a certificate: of rows, in their mean term; of
 * additions, for each sum; and in_w, of w(alpha), which is apart from w by so much. */
static void add_rounding(const sdca_problem *problem, double of_rows, double additions,
                         double in_w, double apart, sdca_certificate *out)
{
    double lambda   = problem->lambda;
    double rounding = 1.01 * of_rows + unit * additions * (out->primal + out->gap) +
                      lambda * in_w * (apart + in_w / 2.0);

    out->rounding = rounding >= 0.0 ? rounding : INFINITY; /* no number */
    out->gap += out->rounding;

    /* w* lies in a ball around the middle of w and w(alpha): |(w + w(alpha))/2 - w*|^2
     * <= gap/lambda - |w - w(alpha)|^2/4, so that |w - w*| grows with |w - w(alpha)|. */
    apart = fmin(apart + in_w, sdca_gap_distance(lambda, out->gap));
    out->distance =
        sqrt(fmax(0.0, out->gap / lambda - apart * apart / 4.0)) + apart / 2.0;
}

void sdca_gap_add_rounding(const sdca_problem *problem, const sdca_dataset *data,
                           const sdca_gap_means *means, double additions,
                           sdca_certificate *out)
{
    const sdca_loss *loss      = problem->loss;
    double           lipschitz = loss->lipschitz;
    double           gamma     = loss->smoothness(problem->parameter);
    double           e         = loss->insensitivity(problem->parameter);
    double           bend      = gamma > 0.0 ? 1.0 / gamma : 0.0;
    double           r         = means->norm > 0.0
                                     ? unit * means->norm * sqrt(data->margin_error2) + DBL_MIN
                                     : 0.0;

    /* Means of the squares of phi' and alpha, of which 2 phi/gamma and 2 (term)/gamma
     * bound phi' and the distance between the two. */
    double steep2  = gamma > 0.0 ? fmin(lipschitz * lipschitz, 2.0 * bend * means->loss)
                                 : lipschitz * lipschitz;
    double alpha2  = isfinite(lipschitz) ? lipschitz * lipschitz
                                         : 2.0 * steep2 + 4.0 * bend * means->term;
    double margins = r * sqrt(8.0 * steep2 + 2.0 * alpha2) + 2.0 * bend * r * r;
    double rounded = 7.0 * means->loss + means->term + 6.0 * e + gamma * alpha2;
    double in_w    = unit * ((double)problem->rows + additions) *
                  sqrt(alpha2 * data->mean_norm2) / problem->lambda;

    add_rounding(problem, margins + 16.0 * unit * rounded, additions, in_w, means->apart,
                 out);
}

bool sdca_gap_is_coarse(const sdca_certificate *certificate, double wanted)
{
    return !(certificate->rounding <= coarse * certificate->gap) &&
           !(certificate->gap <= coarse * wanted);
}

static sdca_status check(const evaluation *e, const sums *mine)
{
    return mine->bad < 0 ? SDCA_OK
                         : SDCA_FAIL(SDCA_DEFECT, "the duality gap of row %lld is %s",
                                     (long long)sdca_dataset_global_row(
                                         e->data, (uint32_t)mine->bad),
                                     isnan(mine->term) ? "not a number" : "negative");
}

/* One pass over the rows of all ranks; what it adds up is left in totals. Collective. */
static sdca_status pass(MPI_Comm comm, const evaluation *e, double totals[TOTALS],
                        sdca_certificate *out)
{
    double n       = (double)e->problem->rows;
    double lambda  = e->problem->lambda;
    double added   = (double)e->data->x.count + sdca_comm_size(comm) + 8.0;
    double penalty = lambda / 2.0 * e->norm2;
    double dual_penalty =
        e->dual_w != NULL ? lambda / 2.0 * distance2(e->data, e->dual_w, NULL) : penalty;
    sums        mine   = adders[e->problem->loss->kind][format_of(&e->data->x)](e);
    sdca_status status = sdca_comm_agree(comm, check(e, &mine));

    if (status != SDCA_OK) {
        return status;
    }
    totals[LOSSES]     = mine.losses.total + mine.losses.lost;
    totals[GAPS]       = mine.gaps.total + mine.gaps.lost;
    totals[CONJUGATES] = mine.conjugates.total + mine.conjugates.lost;
    totals[ERRORS]     = mine.errors;
    totals[PULLS]      = added * mine.pulls;
    sdca_comm_allreduce_sum(comm, totals, TOTALS);
    *out          = (sdca_certificate){ .primal = totals[LOSSES] / n + penalty,
                                        .gap    = totals[GAPS] / n + lambda / 2.0 * e->apart2 };
    out->distance = sdca_gap_distance(lambda, out->gap);
    out->dual     = out->gap < large * out->primal
                        ? out->primal - out->gap
                        : 0.0 - totals[CONJUGATES] / n - dual_penalty;
    return isfinite(out->primal) && isfinite(out->gap) && isfinite(out->dual)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DEFECT, "the objective is no longer finite");
}

/* Vectors that one pass or two want to know the length of. */
static void measure_vectors(evaluation *e)
{
    e->norm2  = distance2(e->data, e->w, NULL);
    e->apart2 = e->dual_w != NULL ? distance2(e->data, e->w, e->dual_w) : 0.0;
}

/* A pass, and a second one where the first is not enough for a bound on rounding errors.
 * Collective. */
static sdca_status certify(MPI_Comm comm, evaluation e, double wanted,
                           sdca_certificate *out)
{
    sdca_status status    = SDCA_OK;
    double      n         = (double)e.problem->rows;
    double      additions = BLOCK + sdca_comm_size(comm) + 32.0;
    double      totals[TOTALS];

    measure_vectors(&e);
    SDCA_TRY(pass(comm, &e, totals, out));
    sdca_gap_add_rounding(e.problem, e.data,
                          &(sdca_gap_means){ .loss  = totals[LOSSES] / n,
                                             .term  = totals[GAPS] / n,
                                             .norm  = sqrt(e.norm2),
                                             .apart = sqrt(e.apart2) },
                          additions + sdca_comm_size(comm), out);
    if (sdca_gap_is_coarse(out, wanted)) {
        e.tight = true;
        SDCA_TRY(pass(comm, &e, totals, out));
        add_rounding(e.problem, totals[ERRORS] / n, additions,
                     unit * totals[PULLS] / (e.problem->lambda * n), sqrt(e.apart2), out);
    }
    out->dual = out->gap < large * out->primal ? out->primal - out->gap : out->dual;

done:
    return status;
}

sdca_status sdca_gap_measure(MPI_Comm comm, const sdca_problem *problem,
                             const sdca_dataset *data, const sdca_state *state,
                             float *term, sdca_certificate *out)
{
    double     totals[TOTALS];
    evaluation e = { .problem = problem,
                     .data    = data,
                     .alpha   = state->alpha,
                     .w       = state->w,
                     .term    = term };

    measure_vectors(&e);
    return pass(comm, &e, totals, out);
}

sdca_status sdca_gap_certify(MPI_Comm comm, const sdca_problem *problem,
                             const sdca_dataset *data, const sdca_state *state,
                             double wanted, float *term, sdca_certificate *out)
{
    return certify(comm,
                   (evaluation){ .problem = problem,
                                 .data    = data,
                                 .alpha   = state->alpha,
                                 .w       = state->w,
                                 .term    = term },
                   wanted, out);
}

sdca_status sdca_gap_certify_pair(MPI_Comm comm, const sdca_problem *problem,
                                  const sdca_dataset *data, const sdca_state *state,
                                  double wanted, double *dual_w, sdca_certificate *out)
{
    sdca_state dual = { .alpha = state->alpha, .w = dual_w };

    sdca_state_rebuild(comm, problem, data, &dual);
    return certify(comm,
                   (evaluation){ .problem = problem,
                                 .data    = data,
                                 .alpha   = state->alpha,
                                 .w       = state->w,
                                 .dual_w  = dual_w },
                   wanted, out);
}

sdca_status sdca_gap_certify_primal(MPI_Comm comm, const sdca_problem *problem,
                                    const sdca_dataset *data, sdca_state *state,
                                    double wanted, double *dual_w, sdca_certificate *out)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, state->w);

        /* Without curvature the best dual value is minus a derivative. */
        state->alpha[i] =
            problem->loss->best(problem->parameter, 0.0, z, 0.0, data->x.row[i].y);
    }
    return sdca_gap_certify_pair(comm, problem, data, state, wanted, dual_w, out);
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
    sdca_comm_allreduce_sum(comm, totals, 4);
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

double sdca_gap_distance(double lambda, double gap)
{
    return sqrt(2.0 * gap / lambda);
}
