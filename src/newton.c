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
 * clipped, w' = w(alpha), and the gap is that of the rows alone. A loss without corners
 * has another alpha at hand, -phi'(z): no row has a term of the gap then, which is all in
 *
 *     lambda/2 |w - w(alpha)|^2 = |grad P(w)|^2 / (2 lambda).
 *
 * This is larger, but the gradient is needed in any case; so alpha follows its line only
 * where the end is likely. */
#include "sdca/newton.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "newton_sample.h"
#include "newton_task.h"
#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/triangle.h"

sdca_status sdca_newton_create(const sdca_dataset *data, sdca_newton *out)
{
    sdca_status status = SDCA_OK;
    sdca_newton newton = { .best = INFINITY };

    SDCA_TRY(sdca_lines_create(data, SDCA_NEWTON_VOTES, &newton.lines));
    SDCA_TRY(sdca_state_room(data, &newton.before));
    newton.step = sdca_alloc_array((size_t)data->columns, sizeof *newton.step);
    SDCA_TRY(newton.step != NULL ? SDCA_OK
                                 : SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns",
                                             (long)data->columns));
    *out   = newton;
    newton = (sdca_newton){ 0 }; /* now the caller's */

done:
    sdca_newton_free(&newton);
    return status;
}

void sdca_newton_free(sdca_newton *newton)
{
    sdca_lines_free(&newton->lines);
    sdca_state_free(&newton->before);
    free(newton->step);
    *newton = (sdca_newton){ 0 };
}

/* P and the gap, from what was added up: terms of the rows, and |w - w(alpha)|^2, sum
 * alpha_i x_i being in the vector. */
static void certify(const sdca_newton_task *t)
{
    sdca_certificate *now      = &t->newton->certificate;
    const double     *numbers  = sdca_newton_numbers(t);
    double            lambda_n = t->lambda * t->n;
    double            norm2 = 0.0, apart2 = 0.0;

    for (int32_t j = 0; j < t->data->columns; j++) {
        double w     = t->state->w[j];
        double apart = w - sdca_newton_vector(t)[j] / lambda_n;

        norm2 += w * w;
        apart2 += apart * apart;
    }
    now->primal       = numbers[SDCA_LINES_LOSSES] / t->n + t->lambda / 2.0 * norm2;
    now->gap          = numbers[SDCA_LINES_TERMS] / t->n + t->lambda / 2.0 * apart2;
    now->dual         = now->primal - now->gap;
    now->distance     = sdca_gap_distance(t->lambda, now->gap);
    t->newton->summed = true;
}

/* Look at the rows without following any line, and have the system for the next step.
 * Collective. */
static void look_and_weigh(const sdca_newton_task *t)
{
    sdca_newton_clear(t, true);
    sdca_newton_pass_over(t, sdca_newton_look);
    sdca_newton_pass_over(t, sdca_newton_weigh);
    sdca_newton_sum(t, true);
    t->newton->weighed = true;
    certify(t);
}

/* Let alpha follow its line. Collective. */
static void follow(const sdca_newton_task *t)
{
    sdca_newton_clear(t, false);
    sdca_newton_pass_over(t, sdca_newton_follow);
    sdca_newton_sum(t, false);
    t->newton->weighed = false;
    certify(t);
}

/* Solve for w, and remember how far P should fall. Collective. */
static void step(const sdca_newton_task *t)
{
    sdca_newton *newton   = t->newton;
    int32_t      d        = t->data->columns;
    double       lambda_n = t->lambda * t->n;
    double      *wanted   = sdca_newton_vector(t);
    double       fall     = 0.0;

    newton->summed = false;
    if (!newton->weighed) {
        int64_t known = newton->bytes;

        sdca_newton_clear(t, true);
        sdca_newton_pass_over(t, sdca_newton_weigh);
        sdca_newton_sum(t, true);
        newton->bytes = newton->resumed ? known : newton->bytes;
    }
    if (sdca_newton_is_stopped(t)) {
        return;
    }
    newton->resumed = false;
    newton->cost    = sdca_newton_numbers(t)[SDCA_LINES_COST] / t->n;
    for (int32_t j = 0; j < d; j++) {
        newton->lines.sum[sdca_triangle(j) + (size_t)j] += lambda_n;
        wanted[j] -= lambda_n * t->state->w[j];
        newton->step[j] = wanted[j];
    }
    sdca_triangle_factor(newton->lines.sum, d);
    sdca_triangle_solve(newton->lines.sum, d, newton->step);
    for (int32_t j = 0; j < d; j++) {
        t->state->w[j] += newton->step[j];
        fall += newton->step[j] * wanted[j];
    }
    newton->former   = newton->decrease;
    newton->decrease = fall / (2.0 * t->n);
}

/* Will the next gap be as small as is wanted? Newton's method squares the ratio of two
 * falls; alpha on its line has a gap of about the next one. */
static bool is_hopeful(const sdca_newton *newton, double wanted)
{
    double ratio = newton->former > 0.0 ? newton->decrease / newton->former : 1.0;

    return newton->decrease * fmin(1.0, ratio * ratio) <= wanted;
}

/* The share of P below which a gap is nothing but rounding. */
static const double rounding = 1e-13;

/* The width for the next round. The cost is the gap that the present one causes, which is
 * about proportional to its square. It is lowered as long as alpha can follow, and
 * raised where it could not. */
static void choose_width(sdca_newton *newton, double wanted)
{
    const double follows = 30.0, lost = 3000.0; /* gap / cost */
    const double least = 0.3, most = 0.5, share = 0.3;
    double       gap = newton->certificate.gap, cost = newton->cost;

    if (gap <= wanted) {
        return; /* it will do */
    }
    if (gap <= follows * cost && cost > wanted / 2.0) {
        newton->lines.width *= fmin(most, fmax(least, sqrt(share * wanted / cost)));
    } else if (gap > lost * cost && gap > newton->best) {
        newton->lines.width = fmin(newton->lines.widest, 3.0 * newton->lines.width);
    }
}

/* P and the gap at the new w. Collective. */
static void look_around(const sdca_newton_task *t, double wanted)
{
    if (sdca_lines_have_corners(t->problem) || is_hopeful(t->newton, wanted)) {
        follow(t);
    } else {
        look_and_weigh(t);
    }
}

/* The last step has led astray: go back, and make one that cannot. Collective. */
static void step_safely(const sdca_newton_task *t)
{
    for (int32_t j = 0; j < t->data->columns; j++) {
        t->state->w[j] -= t->newton->step[j];
    }
    t->newton->lines.safe = true;
    look_and_weigh(t);
    step(t);
    t->newton->lines.safe = false;
}

/* Has P risen, by more than rounding? Only far from the optimum can the logistic loss
 * mislead Newton, where it is nearly straight; where others have no corners they are
 * parabolas, and Newton recovers by itself. */
static bool is_astray(const sdca_newton_task *t, double before)
{
    const double noticed = 1e-9;

    return t->problem->loss->kind == SDCA_LOSS_logistic &&
           !(t->newton->certificate.primal <= (1.0 + noticed) * before);
}

static void make_round(const sdca_newton_task *t, double wanted)
{
    sdca_newton *newton = t->newton;
    double       before = newton->certificate.primal;

    step(t);
    look_around(t, wanted);
    if (is_astray(t, before)) {
        step_safely(t);
        look_around(t, wanted);
    }
    if (sdca_lines_have_corners(t->problem)) {
        choose_width(newton, fmax(wanted, rounding * newton->certificate.primal));
    }
    newton->since = newton->certificate.gap < newton->best ? 0 : newton->since + 1;
    newton->best  = fmin(newton->best, newton->certificate.gap);
}

/* Look at the rows for the first time. The scale of the losses is that on which z and y
 * differ. Collective. */
static void begin(const sdca_newton_task *t)
{
    if (sdca_lines_have_corners(t->problem)) {
        follow(t);
    } else {
        look_and_weigh(t);
    }
    t->newton->lines.widest =
        fmax(DBL_MIN, sdca_newton_numbers(t)[SDCA_LINES_LOSSES] / t->n);
}

/* Rounds on a sample, until it has no more to say of all rows. What it says of columns
 * that few of its rows have is not to be trusted: lambda n is not made as small as its
 * share of them would have it. Collective. */
static void learn_from_sample(const sdca_newton_task *whole)
{
    enum { LIMIT = 12 };
    const double rare   = 0.03 * whole->data->mean_norm2;
    double       share  = sdca_newton_sample_size(whole->problem, whole->data) / whole->n;
    sdca_newton *newton = whole->newton;
    double       wanted = INFINITY;
    sdca_newton_task t  = *whole;

    t.n = sdca_newton_sample_take(t.comm, t.data, share, &newton->lines);
    if (t.n == 0.0) {
        return; /* as good as impossible */
    }
    t.lambda = fmax(t.lambda, fmin(t.lambda * whole->n, rare) / t.n);
    begin(&t);
    newton->lines.width = newton->lines.widest;
    for (int k = 0; k < LIMIT && !sdca_newton_is_stopped(&t) &&
                    (k == 0 || newton->certificate.gap > wanted);
         k++) {
        wanted = newton->certificate.primal * t.data->columns / t.n;
        make_round(&t, wanted);
        t.state->steps += (int64_t)t.n;
    }
}

/* Once a sample has done its part, the alpha of all rows is what z asks for. */
static void suit_all(const sdca_newton_task *t)
{
    sdca_newton *newton = t->newton;

    for (uint32_t i = 0; i < t->data->x.count; i++) {
        double z = sdca_rows_dot(&t->data->x, i, t->state->w);

        newton->lines.aim[i] = t->problem->loss->best(t->problem->parameter, 0.0, z, 0.0,
                                                      t->data->x.row[i].y);
        newton->lines.weight[i] = 0.0;
    }
}

static bool is_zero(const double *w, int32_t columns)
{
    int32_t j = 0;

    while (j < columns && w[j] == 0.0) {
        j++;
    }
    return j == columns;
}

/* Before the first round: a good w, if the start is at 0 and rows are many; z, and where
 * losses have corners, an alpha to begin with. Collective. */
static void start(const sdca_newton_task *t)
{
    sdca_newton *newton  = t->newton;
    bool         corners = sdca_lines_have_corners(t->problem);

    memcpy(newton->lines.aim, t->state->alpha,
           t->data->x.count * sizeof *newton->lines.aim);
    if (sdca_newton_sample_size(t->problem, t->data) > 0.0 &&
        is_zero(t->state->w, t->data->columns)) {
        newton->lines.samples = true;
        learn_from_sample(t);
        newton->lines.samples = false;
        if (corners && !sdca_newton_is_stopped(t)) {
            suit_all(t);
        }
    }
    begin(t);
    newton->lines.width =
        newton->lines.width > 0.0 ? newton->lines.width : newton->lines.widest;
    newton->best     = INFINITY;
    newton->since    = 0;
    newton->decrease = 0.0;
}

void sdca_newton_resume(const sdca_problem *problem, const sdca_dataset *data,
                        const sdca_state *state, sdca_newton *newton)
{
    if (sdca_lines_have_corners(problem)) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            newton->lines.z[i] = sdca_rows_dot(&data->x, i, state->w);
        }
    } else {
        sdca_lines_look(problem, data, &newton->lines,
                        (sdca_lines_part){ 0, data->x.count }, state->w,
                        newton->lines.aim);
    }
    newton->resumed = newton->resumed || newton->weighed;
    newton->weighed = false;
    newton->summed  = false;
}

/* As if the round had never begun, but for the seconds that it took. */
static void abandon(const sdca_newton_task *t, const sdca_newton *before)
{
    double            exchange = t->newton->exchange;
    sdca_newton_votes votes    = t->newton->votes;

    *t->newton          = *before;
    t->newton->exchange = exchange;
    t->newton->votes    = votes;
    sdca_state_copy(t->data, &t->newton->before, t->state);
    sdca_newton_resume(t->problem, t->data, t->state, t->newton);
}

bool sdca_newton_round(MPI_Comm comm, const sdca_problem *problem,
                       const sdca_dataset *data, sdca_newton *newton, double wanted,
                       sdca_state *state, sdca_newton_poll poll)
{
    double           n = (double)problem->rows;
    sdca_newton_task t = { comm, problem, data, newton, state, poll, n, problem->lambda };
    sdca_newton      before;

    newton->mine = newton->votes = (sdca_newton_votes){ 0.0, 0.0, 0.0 };
    if (poll.vote != NULL) {
        sdca_state_copy(data, state, &newton->before);
    }
    before = *newton;
    if (!sdca_newton_has_begun(newton)) {
        start(&t);
    }
    make_round(&t, wanted);
    if (sdca_newton_is_stopped(&t)) {
        abandon(&t, &before);
        return false;
    }
    state->round++;
    state->steps += problem->rows;
    return true;
}

bool sdca_newton_certify(const sdca_problem *problem, const sdca_dataset *data,
                         const sdca_newton *newton, const double *w, int ranks,
                         sdca_certificate *out)
{
    const double *numbers =
        newton->lines.sum + sdca_triangle(data->columns) + data->columns;
    double n     = (double)problem->rows;
    double norm2 = 0.0, term = numbers[SDCA_LINES_TERMS] / n;

    if (!newton->summed) {
        return false;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += w[j] * w[j];
    }
    *out = newton->certificate;
    sdca_gap_add_rounding(
        problem, data,
        &(sdca_gap_means){ .loss = numbers[SDCA_LINES_LOSSES] / n,
                           .term = term,
                           .norm = sqrt(norm2),
                           .apart =
                               sqrt(2.0 * fmax(0.0, out->gap - term) / problem->lambda) },
        SDCA_LINES_BLOCK + n / SDCA_LINES_BLOCK + ranks + data->columns, out);
    out->dual = out->primal - out->gap;
    return true;
}

bool sdca_newton_has_begun(const sdca_newton *newton)
{
    return newton->lines.widest > 0.0;
}

bool sdca_newton_is_lost(const sdca_newton *newton)
{
    return newton->since >= 20;
}
