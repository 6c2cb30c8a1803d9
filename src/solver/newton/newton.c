/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton.c - a Newton method for few columns, the same for any number of ranks.
 *
 * At the optimum lambda S w = sum s_i alpha_i x_i with the weights s_i of the rows and
 * their sum S, and alpha_i = -phi'(z_i) with the margin
 * z_i. The latter is linearised about the current (z_i, alpha_i),
 *
 *     alpha_i = alpha_target_i - slope_i (z_i' - z_i),
 *
 * which leaves a linear system for w' with the matrix lambda S I + sum s_i slope_i x_i
 * x_i^T. A loss with kinks, at which alpha_i may have any value in mid -+ half, satisfies
 *
 *     (alpha - mid) sqrt(r^2 + width^2) = half r,   r = y - z - c alpha,
 *
 * in the limit of width 0, where alpha is at the end of its interval given by the sign of
 * r, or r is 0. The width is lowered from round to round. This product is linearised, and
 * not alpha as a function of z, so that the linearisation depends on the current alpha. A
 * row whose alpha and z disagree gets the slope half (1 + 1)/|r| instead of nearly 0,
 * which keeps steps short enough without a line search (Chan, Golub and Mulet, SIAM J.
 * Sci. Comput. 20, 1999, for total variation).
 *
 * alpha is updated by its linearisation and projected on its feasible interval. As long
 * as no projection is active, w' = w(alpha), and the gap is the sum of the rows' terms
 * alone. A loss without kinks has a second choice, alpha = -phi'(z): all terms of the
 * rows are then 0, and the gap is
 *
 *     lambda/2 |w - w(alpha)|^2 = |grad P(w)|^2 / (2 lambda).
 *
 * This is larger, but the gradient is needed in any case; so alpha is updated by its
 * linearisation only when the target is likely to be reached. */
#include "solver/newton/newton.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "solver/newton/newton_pass.h"
#include "solver/newton/newton_start_sample.h"
#include "solver/newton/packed_cholesky.h"

sdca_status sdca_newton_create(const sdca_dataset *data, const sdca_iterate *iterate,
                               sdca_newton *out)
{
    sdca_status status = SDCA_OK;
    sdca_newton newton = { .best_gap = INFINITY };

    SDCA_TRY(
        sdca_newton_linearization_create(data, SDCA_NEWTON_VOTES, &newton.linearization));
    SDCA_TRY(sdca_snapshot_create(iterate, &newton.backup));
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
    sdca_newton_linearization_free(&newton->linearization);
    sdca_snapshot_free(&newton->backup);
    free(newton->step);
    *newton = (sdca_newton){ 0 };
}

/* P and the gap from the sums: terms of the rows, and |w - w(alpha)|^2, with sum s_i
 * alpha_i x_i in the vector. */
static void certify(const sdca_newton_pass *t)
{
    sdca_certificate *now      = &t->newton->certificate;
    const double     *scalars  = sdca_newton_pass_scalars(t);
    double            lambda_S = t->lambda * t->total_weight;
    double            norm2 = 0.0, distance2 = 0.0;

    for (int32_t j = 0; j < sdca_dataset_penalized_columns(t->data); j++) {
        double w          = t->iterate->w[j];
        double difference = w - sdca_newton_pass_vector(t)[j] / lambda_S;

        norm2 += w * w;
        distance2 += difference * difference;
    }
    now->primal =
        scalars[SDCA_NEWTON_SCALAR_LOSSES] / t->total_weight + t->lambda / 2.0 * norm2;
    now->gap = scalars[SDCA_NEWTON_SCALAR_GAP_TERMS] / t->total_weight +
               t->lambda / 2.0 * distance2;
    now->dual             = now->primal - now->gap;
    now->distance         = sdca_duality_gap_distance_bound(t->lambda, now->gap);
    t->newton->sums_valid = true;
}

/* Evaluate the rows with alpha = -phi'(z), and assemble the system for the next step.
 * Collective. */
static void evaluate_and_assemble(const sdca_newton_pass *t)
{
    sdca_newton_pass_clear(t, true);
    sdca_newton_pass_run(t, sdca_newton_pass_evaluate);
    sdca_newton_pass_run(t, sdca_newton_pass_assemble);
    sdca_newton_pass_allreduce(t, true);
    t->newton->has_system = true;
    certify(t);
}

/* Evaluate the rows with alpha updated by its linearisation. Collective. */
static void update_alpha(const sdca_newton_pass *t)
{
    sdca_newton_pass_clear(t, false);
    sdca_newton_pass_run(t, sdca_newton_pass_update_alpha);
    sdca_newton_pass_allreduce(t, false);
    t->newton->has_system = false;
    certify(t);
}

/* The penalty of a step of an intercept: small compared with what the rows contribute,
 * which is all that there is for w = 0, where lambda is large or residuals are. */
static double intercept_penalty(double slopes, double lambda_S)
{
    return tuning_newton_intercept_penalty *
           (slopes > 0.0 ? fmin(slopes, lambda_S) : lambda_S);
}

static bool is_finite(const double *step, int32_t columns)
{
    int32_t j = 0;

    while (j < columns && isfinite(step[j])) {
        j++;
    }
    return j == columns;
}

/* Solve for w, and store the predicted decrease of P. Where the sums have overflowed, w
 * stays, and the result is false. Collective. */
static bool newton_step(const sdca_newton_pass *t)
{
    sdca_newton *newton    = t->newton;
    int32_t      d         = t->data->columns;
    int32_t      penalized = sdca_dataset_penalized_columns(t->data);
    double       lambda_S  = t->lambda * t->total_weight;
    double      *rhs       = sdca_newton_pass_vector(t);
    double       decrease  = 0.0;

    newton->sums_valid = false;
    if (!newton->has_system) {
        int64_t bytes = newton->bytes;

        sdca_newton_pass_clear(t, true);
        sdca_newton_pass_run(t, sdca_newton_pass_assemble);
        sdca_newton_pass_allreduce(t, true);
        newton->bytes = newton->system_resumed ? bytes : newton->bytes;
    }
    if (sdca_newton_pass_is_stopped(t)) {
        return true;
    }
    newton->system_resumed = false;
    newton->smoothing_gap =
        sdca_newton_pass_scalars(t)[SDCA_NEWTON_SCALAR_SMOOTHING_GAP] / t->total_weight;
    for (int32_t j = 0; j < d; j++) {
        bool free = j >= penalized; /* an intercept: only its step has a small penalty */

        double *diagonal =
            &newton->linearization.sums[sdca_cholesky_row_start(j) + (size_t)j];
        *diagonal += free ? intercept_penalty(*diagonal, lambda_S) : lambda_S;
        rhs[j] -= free ? 0.0 : lambda_S * t->iterate->w[j];
        newton->step[j] = rhs[j];
    }
    sdca_cholesky_factor(newton->linearization.sums, d);
    sdca_cholesky_solve(newton->linearization.sums, d, newton->step);
    if (!is_finite(newton->step, d)) {
        newton->has_system = false;
        return false;
    }
    for (int32_t j = 0; j < d; j++) {
        t->iterate->w[j] += newton->step[j];
        decrease += newton->step[j] * rhs[j];
    }
    newton->previous_decrease  = newton->predicted_decrease;
    newton->predicted_decrease = decrease / (2.0 * t->total_weight);
    return true;
}

/* Is the next gap expected to reach the target? Newton's method squares the ratio of two
 * decreases, and an alpha updated by its linearisation has about the gap of the next
 * step. */
static bool expects_convergence(const sdca_newton *newton, double target_gap)
{
    double ratio = newton->previous_decrease > 0.0
                       ? newton->predicted_decrease / newton->previous_decrease
                       : 1.0;

    return newton->predicted_decrease * fmin(1.0, ratio * ratio) <= target_gap;
}

/* The width for the next round. smoothing_gap is the gap that the current width causes,
 * about proportional to its square. The width is lowered as long as alpha can follow, and
 * raised where it could not. */
static void choose_smoothing_width(sdca_newton *newton, double target_gap)
{
    double gap = newton->certificate.gap, smoothing_gap = newton->smoothing_gap;

    if (gap <= target_gap) {
        return; /* small enough */
    }
    if (gap <= tuning_newton_tracking * smoothing_gap &&
        smoothing_gap > target_gap / 2.0) {
        newton->linearization.smoothing_width *=
            fmin(tuning_newton_width_max,
                 fmax(tuning_newton_width_min,
                      sqrt(tuning_newton_gap_fraction * target_gap / smoothing_gap)));
    } else if (gap > tuning_newton_diverged * smoothing_gap && gap > newton->best_gap) {
        newton->linearization.smoothing_width =
            fmin(newton->linearization.initial_width,
                 tuning_newton_width_raise * newton->linearization.smoothing_width);
    }
}

/* P and the gap at the new w. Collective. */
static void evaluate(const sdca_newton_pass *t, double target_gap)
{
    if (sdca_newton_loss_has_kinks(t->objective) ||
        expects_convergence(t->newton, target_gap)) {
        update_alpha(t);
    } else {
        evaluate_and_assemble(t);
    }
}

/* The last step increased P: undo it, and make one with the majorant, which cannot.
 * Collective. */
static bool safe_step(const sdca_newton_pass *t)
{
    bool found;

    for (int32_t j = 0; j < t->data->columns; j++) {
        t->iterate->w[j] -= t->newton->step[j];
    }
    t->newton->linearization.majorize = true;
    evaluate_and_assemble(t);
    found                             = newton_step(t);
    t->newton->linearization.majorize = false;
    return found;
}

/* Has P increased by more than rounding? Far from the optimum the logistic loss is nearly
 * linear, and a Newton step may overshoot. Other losses without kinks are piecewise
 * quadratic, and Newton's method recovers by itself. */
static bool primal_increased(const sdca_newton_pass *t, double before)
{
    return t->objective->loss->newton_overshoots &&
           !(t->newton->certificate.primal <=
             (1.0 + tuning_newton_primal_tolerance) * before);
}

static void run_round(const sdca_newton_pass *t, double target_gap)
{
    sdca_newton *newton = t->newton;
    double       before = newton->certificate.primal;
    bool         found  = newton_step(t);

    if (found) {
        evaluate(t, target_gap);
    }
    if (found && primal_increased(t, before)) {
        found = safe_step(t);
        if (found) {
            evaluate(t, target_gap);
        }
    }
    if (!found) { /* the next step would not be found either */
        newton->rounds_since_best = TUNING_NEWTON_PATIENCE;
        return;
    }
    if (sdca_newton_loss_has_kinks(t->objective)) {
        choose_smoothing_width(newton, fmax(target_gap, tuning_newton_rounding_floor *
                                                            newton->certificate.primal));
    }
    newton->rounds_since_best =
        newton->certificate.gap < newton->best_gap ? 0 : newton->rounds_since_best + 1;
    newton->best_gap = fmin(newton->best_gap, newton->certificate.gap);
}

/* Evaluate the rows for the first time. The mean loss is the scale on which z and y
 * differ. Collective. */
static void initialize(const sdca_newton_pass *t)
{
    if (sdca_newton_loss_has_kinks(t->objective)) {
        update_alpha(t);
    } else {
        evaluate_and_assemble(t);
    }
    t->newton->linearization.initial_width =
        fmax(DBL_MIN,
             sdca_newton_pass_scalars(t)[SDCA_NEWTON_SCALAR_LOSSES] / t->total_weight);
}

/* Rounds on a sample, until its error exceeds the gap. Columns with entries in few of its
 * rows are not reliable: lambda S is not scaled down with the size of the sample below a
 * minimum. Collective. */
static void solve_on_sample(const sdca_newton_pass *all_rows)
{
    const double mean_weight = all_rows->total_weight / all_rows->rows;
    const double min_lambda_S =
        tuning_newton_sample_min_lambda_n * mean_weight * all_rows->data->mean_norm2;
    double fraction =
        sdca_newton_sample_size(all_rows->objective, all_rows->data) / all_rows->rows;
    sdca_newton     *newton     = all_rows->newton;
    double           target_gap = INFINITY;
    sdca_newton_pass t          = *all_rows;

    sdca_newton_sample_draw(t.comm, t.data, fraction, &newton->linearization, &t.rows,
                            &t.total_weight);
    if (t.total_weight == 0.0) {
        return; /* next to impossible, unless few rows have a weight */
    }
    t.lambda = fmax(t.lambda, fmin(t.lambda * all_rows->total_weight, min_lambda_S) /
                                  t.total_weight);
    initialize(&t);
    newton->linearization.smoothing_width = newton->linearization.initial_width;
    for (int k = 0; k < TUNING_NEWTON_SAMPLE_ROUNDS && !sdca_newton_pass_is_stopped(&t) &&
                    (k == 0 || newton->certificate.gap > target_gap);
         k++) {
        target_gap = newton->certificate.primal * t.data->columns / t.rows;
        run_round(&t, target_gap);
        t.iterate->steps += (int64_t)t.rows;
    }
}

/* After the rounds on a sample: alpha of all rows from z. */
static void set_alpha_targets(const sdca_newton_pass *t)
{
    sdca_newton *newton = t->newton;

    for (uint32_t i = 0; i < t->data->x.count; i++) {
        double z = sdca_rows_dot(&t->data->x, i, t->iterate->w);

        newton->linearization.alpha_target[i] = t->objective->loss->maximizer(
            t->objective->parameter, 0.0, z, 0.0, t->iterate->row[i].y);
        newton->linearization.slope[i] = 0.0;
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

/* Before the first round: w from a sample, if w is 0 and there are many rows; z; and an
 * initial alpha for losses with kinks. Collective. */
static void prepare_first_round(const sdca_newton_pass *t)
{
    sdca_newton *newton = t->newton;
    bool         kinks  = sdca_newton_loss_has_kinks(t->objective);

    for (uint32_t i = 0; i < t->iterate->rows; i++) {
        newton->linearization.alpha_target[i] = t->iterate->row[i].alpha;
    }
    if (sdca_newton_sample_size(t->objective, t->data) > 0.0 &&
        is_zero(t->iterate->w, t->data->columns)) {
        newton->linearization.use_sample = true;
        solve_on_sample(t);
        newton->linearization.use_sample = false;
        if (kinks && !sdca_newton_pass_is_stopped(t)) {
            set_alpha_targets(t);
        }
    }
    initialize(t);
    newton->linearization.smoothing_width = newton->linearization.smoothing_width > 0.0
                                                ? newton->linearization.smoothing_width
                                                : newton->linearization.initial_width;
    newton->best_gap                      = INFINITY;
    newton->rounds_since_best             = 0;
    newton->predicted_decrease            = 0.0;
}

void sdca_newton_resume(const sdca_objective *objective, const sdca_dataset *data,
                        const sdca_iterate *iterate, sdca_newton *newton)
{
    if (sdca_newton_loss_has_kinks(objective)) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            newton->linearization.z[i] = sdca_rows_dot(&data->x, i, iterate->w);
        }
    } else {
        sdca_newton_linearization_evaluate(objective, data, &newton->linearization,
                                           (sdca_newton_row_range){ 0, data->x.count },
                                           iterate->w, NULL);
    }
    newton->system_resumed = newton->system_resumed || newton->has_system;
    newton->has_system     = false;
    newton->sums_valid     = false;
}

/* Restore the state before the round, except for the time in MPI and the votes. */
static void roll_back(const sdca_newton_pass *t, const sdca_newton *before)
{
    double            exchange = t->newton->mpi_seconds;
    sdca_newton_votes votes    = t->newton->total_votes;

    *t->newton             = *before;
    t->newton->mpi_seconds = exchange;
    t->newton->total_votes = votes;
    sdca_snapshot_restore(&t->newton->backup, t->iterate);
    sdca_newton_resume(t->objective, t->data, t->iterate, t->newton);
}

bool sdca_newton_round(MPI_Comm comm, const sdca_objective *objective,
                       const sdca_dataset *data, sdca_newton *newton, double target_gap,
                       sdca_iterate *iterate, sdca_newton_callback poll)
{
    sdca_newton_pass t = { comm,
                           objective,
                           data,
                           newton,
                           iterate,
                           poll,
                           (double)objective->rows,
                           objective->total_weight,
                           objective->lambda };
    sdca_newton      before;

    newton->local_votes = newton->total_votes = (sdca_newton_votes){ 0.0, 0.0, 0.0 };
    if (poll.vote != NULL) {
        sdca_snapshot_save(iterate, &newton->backup);
    }
    before = *newton;
    if (!sdca_newton_has_started(newton)) {
        prepare_first_round(&t);
    }
    run_round(&t, target_gap);
    if (sdca_newton_pass_is_stopped(&t)) {
        roll_back(&t, &before);
        return false;
    }
    sdca_iterate_w_changed(iterate);
    iterate->round++;
    iterate->steps += objective->rows;
    return true;
}

bool sdca_newton_certify(const sdca_objective *objective, const sdca_dataset *data,
                         const sdca_newton *newton, const double *w, int ranks,
                         sdca_certificate *out)
{
    const double *scalars = newton->linearization.sums +
                            sdca_cholesky_row_start(data->columns) + data->columns;
    double n = (double)objective->rows, S = objective->total_weight;
    double norm2 = 0.0, term = scalars[SDCA_NEWTON_SCALAR_GAP_TERMS] / S;

    if (!newton->sums_valid) {
        return false;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += w[j] * w[j];
    }
    *out = newton->certificate;
    sdca_duality_gap_add_rounding(
        objective, data,
        &(sdca_duality_gap_means){
            .mean_loss  = scalars[SDCA_NEWTON_SCALAR_LOSSES] / S,
            .mean_term  = term,
            .w_norm     = sqrt(norm2),
            .w_distance = sqrt(2.0 * fmax(0.0, out->gap - term) / objective->lambda) },
        SDCA_NEWTON_BLOCK_ROWS + n / SDCA_NEWTON_BLOCK_ROWS + ranks + data->columns, out);
    out->dual = out->primal - out->gap;
    return true;
}

bool sdca_newton_has_started(const sdca_newton *newton)
{
    return newton->linearization.initial_width > 0.0;
}

bool sdca_newton_has_stalled(const sdca_newton *newton)
{
    return newton->rounds_since_best >= TUNING_NEWTON_PATIENCE;
}
