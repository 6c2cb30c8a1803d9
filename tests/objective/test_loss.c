/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_loss.c - every loss of the table obeys the same laws.
 *
 * The laws are tried on a grid of labels, margins z, dual variables a and
 * curvatures q; a new loss is covered as soon as it is listed and its textbook
 * formula is added below. */
#include "objective/loss.h"

#include "support/check_main.h"

#include "base/random.h"
#include "objective/loss_inline.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One loss with one value of its parameter and one label. */
typedef struct setting {
    const sdca_loss *loss;
    double           p;
    double           y;
} setting;

/* All of them, filled by main. A loss without a parameter gets NAN for it, to
 * show that it is not used. */
enum { LABELS = 6, PARAMETERS = 3 };
static setting settings[SDCA_LOSS_COUNT * LABELS * PARAMETERS];

static int fill_settings(void)
{
    static const double labels[LABELS]          = { -1.0, 1.0, 0.0, 0.3, -2.5, 1000.0 };
    static const double positive[PARAMETERS]    = { 0.01, 0.1, 1.0 };
    static const double nonnegative[PARAMETERS] = { 0.0, 0.1, 1.0 };
    static const double none[]                  = { NAN };
    int                 count                   = 0;

    for (int kind = 0; kind < SDCA_LOSS_COUNT; kind++) {
        const sdca_loss *loss = &sdca_losses[kind];
        const double    *p    = loss->parameter == NULL              ? none
                                : loss->parameter_option.least > 0.0 ? positive
                                                                     : nonnegative;

        for (int label = 0; label < (loss->classification ? 2 : LABELS); label++) {
            for (int k = 0; k < (loss->parameter == NULL ? 1 : PARAMETERS); k++) {
                settings[count++] = (setting){ loss, p[k], labels[label] };
            }
        }
    }
    return count;
}

/* phi(z; y) as the textbooks write it. */
static double textbook(const setting *s, double z)
{
    double m = s->y * z;
    double r = fabs(z - s->y);

    switch (s->loss->kind) {
    case SDCA_LOSS_hinge:
        return fmax(0.0, 1.0 - m);
    case SDCA_LOSS_smooth_hinge:
        return m >= 1.0          ? 0.0
               : m <= 1.0 - s->p ? 1.0 - m - s->p / 2.0
                                 : (1.0 - m) * (1.0 - m) / (2.0 * s->p);
    case SDCA_LOSS_squared_hinge:
        return fmax(0.0, 1.0 - m) * fmax(0.0, 1.0 - m);
    case SDCA_LOSS_squared:
        return r * r;
    case SDCA_LOSS_absolute:
        return r;
    case SDCA_LOSS_epsilon_insensitive:
        return fmax(0.0, r - s->p);
    case SDCA_LOSS_huber:
        return r <= s->p ? r * r / 2.0 : s->p * (r - s->p / 2.0);
    case SDCA_LOSS_logistic:
        return m < -40.0 ? -m : log1p(exp(-m));
    case SDCA_LOSS_COUNT:
        break;
    }
    ck_abort_msg("no textbook formula for %s", s->loss->name);
    return NAN;
}

/* The grids. Margins lie around the label of a regression and around 0 else,
 * kinks included; duals fill the interval with its ends, or a wide part of it. */
enum { MARGINS = 61, DUALS = 81, CURVATURES = 9 };

static const double curvatures[CURVATURES] = { 0.0, 1e-300, 1e-12, 1e-3, 0.1,
                                               1.0, 30.0,   1e5,   1e12 };

static double nth_margin(const setting *s, int k)
{
    return (s->loss->classification ? 0.0 : s->y) + (k - MARGINS / 2) / 10.0;
}

static double nth_dual(const setting *s, int k)
{
    const double  wide  = 20.0;
    sdca_interval range = s->loss->feasible(s->p, s->y);

    range.low  = fmax(range.low, -wide);
    range.high = fmin(range.high, wide);
    return k == DUALS - 1 ? range.high
                          : range.low + (range.high - range.low) * k / (DUALS - 1);
}

/* An assertion for the innermost loops, where millions of Check's own would take
 * minutes: each of those writes a mark to a file, also where it holds. */
static void law(bool holds, const setting *s, double z, double a)
{
    if (!holds) {
        ck_abort_msg("%s p=%g y=%g: not for z=%.17g a=%.17g", s->loss->name, s->p, s->y,
                     z, a);
    }
}

/* A bound on the rounding error of a sum with terms of that size. */
static double rounding(double size)
{
    return 64.0 * DBL_EPSILON * (1.0 + fabs(size));
}

/* phi(z) + phi*(-a) + a z, which is never negative, and a bound on its rounding error. */
static double young(const setting *s, double z, double a)
{
    return s->loss->primal(s->p, z, s->y) + s->loss->conjugate(s->p, a, s->y) + a * z;
}

static double young_rounding(const setting *s, double z, double a)
{
    return rounding(fabs(a * z) + fabs(a * s->y) + s->loss->primal(s->p, z, s->y));
}

START_TEST(names_are_found)
{
    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        ck_assert_int_eq(sdca_losses[k].kind, k);
        ck_assert_ptr_eq(sdca_loss_find(sdca_losses[k].name), &sdca_losses[k]);
    }
    ck_assert_ptr_nonnull(sdca_loss_find("epsilon-insensitive"));
    ck_assert_ptr_null(sdca_loss_find(""));
    ck_assert_ptr_null(sdca_loss_find("Hinge"));
    ck_assert_ptr_null(sdca_loss_find("hing"));
    ck_assert_ptr_null(sdca_loss_find("hinge "));
}
END_TEST

START_TEST(primal_is_the_textbook_formula)
{
    setting s = settings[_i];

    for (int k = 0; k < MARGINS; k++) {
        double z = nth_margin(&s, k);

        ck_assert_double_eq_tol(s.loss->primal(s.p, z, s.y), textbook(&s, z),
                                rounding(textbook(&s, z)));
    }
    for (double z = 1e-6; z < 1e100; z *= 1e3) {
        ck_assert_double_eq_tol(s.loss->primal(s.p, z, s.y) / (1.0 + textbook(&s, z)),
                                textbook(&s, z) / (1.0 + textbook(&s, z)), rounding(0.0));
        ck_assert_double_eq_tol(s.loss->primal(s.p, -z, s.y) / (1.0 + textbook(&s, -z)),
                                textbook(&s, -z) / (1.0 + textbook(&s, -z)),
                                rounding(0.0));
    }
}
END_TEST

START_TEST(primal_is_accurate_and_not_negative_near_its_zero)
{
    /* A label that is no round number, and margins ever nearer to it. */
    setting s     = settings[_i];
    double  start = s.y;

    s.y = s.loss->classification ? s.y : s.y * 1000.0 / 3.0;
    for (double h = 1.0; h > 1e-13; h /= 3.0) {
        for (int side = -1; side <= 1; side += 2) {
            double z = s.loss->classification ? start * (1.0 + side * h) : s.y + side * h;
            double phi = s.loss->primal(s.p, z, s.y);

            ck_assert_double_ge(phi, 0.0);
            ck_assert_double_le(fabs(phi - textbook(&s, z)),
                                rounding(0.0) * textbook(&s, z));
        }
    }
}
END_TEST

START_TEST(the_interval_is_where_the_conjugate_is_finite)
{
    setting       s       = settings[_i];
    sdca_interval allowed = s.loss->feasible(s.p, s.y);
    double        span    = fmin(1.0, allowed.high - allowed.low) / 10.0;

    /* -a z - phi(z) stays bounded in z inside, and grows outside. */
    for (double z = 1e6; z <= 1e7; z *= 10.0) {
        for (int side = -1; side <= 1; side += 2) {
            double a = side < 0 ? allowed.high : allowed.low;
            double r = side * z;

            if (isfinite(a)) {
                ck_assert_double_gt(-(a - side * span) * r - textbook(&s, r),
                                    0.1 * span * z);
                ck_assert_double_lt(-(a + side * span) * r - textbook(&s, r), 0.0);
            }
        }
    }
    ck_assert_double_le(allowed.low, 0.0);
    ck_assert_double_ge(allowed.high, 0.0);
}
END_TEST

START_TEST(conjugate_is_the_greatest_difference)
{
    setting s = settings[_i];

    for (int k = 0; k < DUALS; k++) {
        double a    = nth_dual(&s, k);
        double low  = nth_margin(&s, MARGINS / 2) - 60.0;
        double high = low + 120.0;
        double best;

        while (high - low > 1e-9) { /* -a z - phi(z) is concave in z */
            double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;

            if (-a * left - textbook(&s, left) < -a * right - textbook(&s, right)) {
                low = left;
            } else {
                high = right;
            }
        }
        best = -a * low - textbook(&s, low);
        ck_assert_double_eq_tol(s.loss->conjugate(s.p, a, s.y), best,
                                1e-8 + rounding(a * s.y));
    }
}
END_TEST

START_TEST(fenchel_young_inequality_holds)
{
    setting s = settings[_i];

    for (int i = 0; i < MARGINS; i++) {
        for (int k = 0; k < DUALS; k++) {
            double z = nth_margin(&s, i);
            double a = nth_dual(&s, k);

            law(young(&s, z, a) >= -young_rounding(&s, z, a), &s, z, a);
        }
    }
}
END_TEST

START_TEST(fenchel_young_equality_holds_at_minus_the_derivative)
{
    setting      s = settings[_i];
    const double h = 1e-6;

    for (int i = 0; i < MARGINS; i++) {
        double        z       = nth_margin(&s, i);
        sdca_interval allowed = s.loss->feasible(s.p, s.y);
        double        a       = -(textbook(&s, z + h) - textbook(&s, z - h)) / (2.0 * h);

        a = fmin(allowed.high, fmax(allowed.low, a));
        ck_assert_double_le(young(&s, z, a), 1e-7 + young_rounding(&s, z, a));
    }
}
END_TEST

START_TEST(maximizer_without_curvature_attains_equality)
{
    setting s = settings[_i];

    for (int i = 0; i < MARGINS; i++) {
        for (int k = 0; k < DUALS; k++) {
            double z = nth_margin(&s, i);
            double b = s.loss->maximizer(s.p, nth_dual(&s, k), z, 0.0, s.y);

            law(young(&s, z, b) <= young_rounding(&s, z, b), &s, z, b);
        }
    }
}
END_TEST

/* What maximizer() maximises over b, and a bound on its rounding error. */
static double gain(const setting *s, double a, double z, double q, double b)
{
    return -s->loss->conjugate(s->p, b, s->y) - b * z - (b - a) * (b - a) * q / 2.0;
}

static double gain_rounding(const setting *s, double a, double z, double q, double b)
{
    return rounding(fabs(b * s->y) + fabs(b * z) + b * b +
                    fabs(b - a) * (fabs(a) + 1.0) * q);
}

/* Is b at least as good as the feasible value next to other? */
static void beats(const setting *s, double a, double z, double q, double b, double other)
{
    sdca_interval allowed = s->loss->feasible(s->p, s->y);

    other = fmin(allowed.high, fmax(allowed.low, other));
    if (!(gain(s, a, z, q, b) >=
          gain(s, a, z, q, other) - gain_rounding(s, a, z, q, b))) {
        ck_abort_msg("%s p=%g y=%g z=%g q=%g: from %.17g to %.17g is worse than to %.17g",
                     s->loss->name, s->p, s->y, z, q, a, b, other);
    }
}

START_TEST(maximizer_is_feasible_and_maximal)
{
    setting       s       = settings[_i];
    sdca_interval allowed = s.loss->feasible(s.p, s.y);

    for (int i = 0; i < MARGINS; i += 3) {
        for (int j = 0; j < CURVATURES; j++) {
            for (int k = 0; k < DUALS; k += 4) {
                double z = nth_margin(&s, i);
                double q = curvatures[j];
                double a = nth_dual(&s, k);
                double b = s.loss->maximizer(s.p, a, z, q, s.y);

                law(b >= allowed.low && b <= allowed.high, &s, z, a);
                for (int other = 0; other < DUALS; other++) {
                    beats(&s, a, z, q, b, nth_dual(&s, other));
                }
                for (double near = 1.0; near > 1e-15; near /= 10.0) {
                    beats(&s, a, z, q, b, b + near);
                    beats(&s, a, z, q, b, b - near);
                }
            }
        }
    }
}
END_TEST

START_TEST(dual_derivatives_are_those_of_minus_the_conjugate)
{
    setting       s       = settings[_i];
    sdca_interval allowed = s.loss->feasible(s.p, s.y);
    const double  h       = 1e-4;

    for (int k = 0; k < DUALS; k++) {
        double a = nth_dual(&s, k);
        double here, left, right;

        if (a - h <= allowed.low || a + h >= allowed.high || fabs(a) <= h) {
            continue;
        }
        here  = -s.loss->conjugate(s.p, a, s.y);
        left  = -s.loss->conjugate(s.p, a - h, s.y);
        right = -s.loss->conjugate(s.p, a + h, s.y);
        ck_assert_double_eq_tol(s.loss->dual_derivative(s.p, a, s.y),
                                (right - left) / (2.0 * h), 1e-4 + rounding(a * s.y) / h);
        ck_assert_double_eq_tol(s.loss->dual_curvature(s.p, a, s.y),
                                -(right - 2.0 * here + left) / (h * h),
                                1e-2 + rounding(a * s.y) / (h * h));
    }
}
END_TEST

START_TEST(dual_derivative_at_a_kink_lies_between_the_one_sided)
{
    setting       s       = settings[_i];
    sdca_interval allowed = s.loss->feasible(s.p, s.y);
    const double  h       = 1e-7;

    if (allowed.low < 0.0 && allowed.high > 0.0) {
        double here = s.loss->conjugate(s.p, 0.0, s.y);

        ck_assert_double_le(s.loss->dual_derivative(s.p, 0.0, s.y),
                            (s.loss->conjugate(s.p, -h, s.y) - here) / h + 1e-6);
        ck_assert_double_ge(s.loss->dual_derivative(s.p, 0.0, s.y),
                            (here - s.loss->conjugate(s.p, h, s.y)) / h - 1e-6);
    }
}
END_TEST

START_TEST(smoothness_is_that_of_the_primal)
{
    /* The greatest second difference of phi is 1/gamma; at a kink, where there
     * is no such gamma, it grows as 1/h. */
    setting      s        = settings[_i];
    const double h        = 1e-3;
    double       greatest = 0.0;
    double       gamma    = s.loss->smoothness(s.p);

    for (int k = -4000; k <= 4000; k++) {
        double z    = (s.loss->classification ? 0.0 : s.y) + k * h;
        double bend = textbook(&s, z + h) - 2.0 * textbook(&s, z) + textbook(&s, z - h);

        greatest = fmax(greatest, bend / (h * h));
    }
    if (gamma > 0.0) {
        ck_assert_double_eq_tol(greatest * gamma, 1.0, 1e-3);
    } else {
        ck_assert_double_eq(gamma, 0.0);
        ck_assert_double_gt(greatest, 0.5 / h);
    }
}
END_TEST

START_TEST(lipschitz_constant_is_the_steepest_derivative)
{
    setting      s        = settings[_i];
    const double far      = 1e4;
    double       L        = s.loss->lipschitz(s.p);
    double       steepest = 0.0;

    for (int k = -4000; k <= 4000; k++) {
        double z = k * far / 4000.0;

        steepest = fmax(steepest, fabs(textbook(&s, z + 1.0) - textbook(&s, z)));
    }
    if (isfinite(L)) {
        ck_assert_double_eq_tol(steepest / L, 1.0, 1e-6);
    } else {
        ck_assert_double_gt(steepest, far);
    }
}
END_TEST

#define MAX_DERIVATIVE(with, id, ...) [SDCA_LOSS_##id] = id##_max_derivative,
static double (*const max_derivatives[SDCA_LOSS_COUNT])(
    double p, double z, double r, double y) = { SDCA_LOSS_LIST(MAX_DERIVATIVE, ) };
#undef MAX_DERIVATIVE

/* The bound on rounding errors in a certificate rests on it. */
START_TEST(max_derivative_bounds_every_difference_quotient)
{
    static const double radius[] = { 1e-3, 0.1, 3.0, 100.0 };
    setting             s        = settings[_i];

    for (int k = 0; k < MARGINS; k++) {
        double z = nth_margin(&s, k);
        double f = s.loss->primal(s.p, z, s.y);

        for (int j = 0; j < LENGTH(radius); j++) {
            double r    = radius[j];
            double most = max_derivatives[s.loss->kind](s.p, z, r, s.y) * r;
            double up   = s.loss->primal(s.p, z + r, s.y);
            double down = s.loss->primal(s.p, z - r, s.y);

            law(fabs(up - f) <= most + rounding(up + f + fabs(s.y)), &s, z, r);
            law(fabs(down - f) <= most + rounding(down + f + fabs(s.y)), &s, z, -r);
        }
    }
}
END_TEST

/* What the table says beside the formulas. */
START_TEST(entries_are_complete)
{
    const sdca_loss        *loss   = &sdca_losses[_i];
    const sdca_loss_option *option = &loss->parameter_option;

    ck_assert_ptr_nonnull(loss->liblinear_solver);
    ck_assert(_i == 0 || sdca_losses[_i - 1].classification || !loss->classification);
    ck_assert(loss->theorem_1_width > 0.0 && loss->sdca_epochs > 0.0);
    ck_assert(loss->newton_rounds.after_sample >= 1.0 &&
              loss->newton_rounds.without_sample >= loss->newton_rounds.after_sample);
    if (loss->parameter != NULL) {
        ck_assert(option->argument != NULL && option->help != NULL);
        ck_assert(option->least >= 0.0 && option->initial >= option->least &&
                  option->greatest >= option->initial);
    }
}
END_TEST

/* A small problem with the hinge loss, for its dual. */
enum { POINTS = 6, FEATURES = 3 };
typedef struct hinge_problem {
    double lambda;
    double x[POINTS][FEATURES];
    double y[POINTS];
} hinge_problem;

static void primal_point(const hinge_problem *h, const double *alpha, double *w)
{
    for (int j = 0; j < FEATURES; j++) {
        w[j] = 0.0;
        for (int i = 0; i < POINTS; i++) {
            w[j] += alpha[i] * h->x[i][j] / (h->lambda * POINTS);
        }
    }
}

/* D(alpha) = (1/n) sum y_i alpha_i - (lambda/2) |w(alpha)|^2. */
static double dual_value(const hinge_problem *h, const double *alpha)
{
    double w[FEATURES], sum = 0.0, norm2 = 0.0;

    primal_point(h, alpha, w);
    for (int i = 0; i < POINTS; i++) {
        sum += h->y[i] * alpha[i];
    }
    for (int j = 0; j < FEATURES; j++) {
        norm2 += w[j] * w[j];
    }
    return sum / POINTS - h->lambda / 2.0 * norm2;
}

/* D with alpha_i moved by a share of the way to target. */
static double dual_on_segment(const hinge_problem *h, const double *alpha, int i,
                              double target, double share)
{
    double moved[POINTS];

    memcpy(moved, alpha, sizeof moved);
    moved[i] += share * (target - alpha[i]);
    return dual_value(h, moved);
}

/* A step of stochastic Frank-Wolfe on block i: towards the vertex of [0, y] at which the
 * linearised dual is greatest, with exact line search. The dual is a parabola on the way:
 * three values of it say where it is greatest. */
static double frank_wolfe(const hinge_problem *h, const double *alpha, int i)
{
    double ends[2] = { dual_on_segment(h, alpha, i, alpha[i] - 1e-3, 1.0),
                       dual_on_segment(h, alpha, i, alpha[i] + 1e-3, 1.0) };
    double vertex  = (ends[1] > ends[0]) == (h->y[i] > 0.0) ? h->y[i] : 0.0;
    double at[3], slope, curvature, share;

    for (int k = 0; k < 3; k++) {
        at[k] = dual_on_segment(h, alpha, i, vertex, k / 2.0);
    }
    slope     = -3.0 * at[0] + 4.0 * at[1] - at[2];
    curvature = -4.0 * (at[0] - 2.0 * at[1] + at[2]);
    share     = curvature > 1e-9 ? fmin(1.0, fmax(0.0, slope / curvature)) : 0.0;
    return alpha[i] + share * (vertex - alpha[i]);
}

/* Section 6 of the paper compares with this method, which for the hinge loss is SDCA. */
START_TEST(hinge_step_is_a_step_of_stochastic_frank_wolfe)
{
    enum { PROBLEMS = 20, STEPS = 100 };
    const sdca_loss *hinge  = &sdca_losses[SDCA_LOSS_hinge];
    sdca_random      stream = sdca_random_stream(2, SDCA_STREAM_TEST, 0, 0);
    int              inside = 0;

    for (int problem = 0; problem < PROBLEMS; problem++) {
        hinge_problem h             = { .lambda = 0.02 + sdca_random_uniform(&stream) };
        double        alpha[POINTS] = { 0.0 };

        for (int i = 0; i < POINTS; i++) {
            h.y[i] = sdca_random_below(&stream, 2) == 0 ? -1.0 : 1.0;
            for (int j = 0; j < FEATURES; j++) {
                h.x[i][j] = 2.0 * sdca_random_uniform(&stream) - 1.0;
            }
        }
        for (int step = 0; step < STEPS; step++) {
            int    i = (int)sdca_random_below(&stream, POINTS);
            double w[FEATURES], z = 0.0, norm2 = 0.0, expected;

            primal_point(&h, alpha, w);
            for (int j = 0; j < FEATURES; j++) {
                z += w[j] * h.x[i][j];
                norm2 += h.x[i][j] * h.x[i][j];
            }
            expected = frank_wolfe(&h, alpha, i);
            alpha[i] =
                hinge->maximizer(NAN, alpha[i], z, norm2 / (h.lambda * POINTS), h.y[i]);
            ck_assert_double_eq_tol(alpha[i], expected, 1e-6);
            inside += fabs(alpha[i]) > 0.01 && fabs(alpha[i]) < 0.99;
        }
    }
    ck_assert_int_gt(inside, 100); /* many steps end between the vertices */
}
END_TEST

START_TEST(dual_curvature_is_at_least_the_smoothness)
{
    setting s = settings[_i];

    for (int k = 0; k < DUALS; k++) {
        ck_assert_double_ge(s.loss->dual_curvature(s.p, nth_dual(&s, k), s.y),
                            s.loss->smoothness(s.p));
    }
}
END_TEST

START_TEST(everything_is_finite)
{
    static const double margins[] = { 0.0,  -0.0,  1.0,   -1.0,   1e-300, -1e-300,
                                      37.0, -37.0, 800.0, -800.0, 1e100,  -1e100 };
    setting             s         = settings[_i];
    sdca_interval       allowed   = s.loss->feasible(s.p, s.y);

    for (int k = 0; k < DUALS; k++) {
        double a = nth_dual(&s, k);

        ck_assert(isfinite(s.loss->conjugate(s.p, a, s.y)));
        ck_assert(isfinite(s.loss->dual_derivative(s.p, a, s.y)));
        ck_assert(isfinite(s.loss->dual_curvature(s.p, a, s.y)));
        for (size_t i = 0; i < sizeof margins / sizeof *margins; i++) {
            law(isfinite(s.loss->primal(s.p, margins[i], s.y)), &s, margins[i], a);
            for (int j = 0; j < CURVATURES; j++) {
                double b = s.loss->maximizer(s.p, a, margins[i], curvatures[j], s.y);

                law(isfinite(b) && b >= allowed.low && b <= allowed.high, &s, margins[i],
                    a);
            }
        }
    }
}
END_TEST

/* The best b of the logistic loss solves F(b) = logit(b) + m + q (b - b0) = 0, F
 * increasing. So F is not positive just below its answer and not negative just above,
 * where "just" is the rounding of b itself, and the slack that of the sum. */
static void solves_logistic(double b0, double m, double q)
{
    const sdca_loss *logistic = &sdca_losses[SDCA_LOSS_logistic];

    for (double y = -1.0; y <= 1.0; y += 2.0) {
        double b     = y * logistic->maximizer(NAN, y * b0, y * m, q, y);
        double low   = b - 8.0 * DBL_EPSILON;
        double high  = b + 8.0 * DBL_EPSILON;
        double slack = rounding(fabs(m) + q * fabs(b - b0));

        if (!(b >= 0.0 && b <= 1.0) ||
            (low > 0.0 && log(low) - log1p(-low) + m + q * (low - b0) > slack) ||
            (high < 1.0 && log(high) - log1p(-high) + m + q * (high - b0) < -slack)) {
            ck_abort_msg("b0 = %.17g m = %.17g q = %.17g: not %.17g", b0, m, q, b);
        }
    }
}

START_TEST(logistic_maximizer_where_a_plain_newton_method_cycles)
{
    solves_logistic(0.99994579, 3.63593, 16.4276);
}
END_TEST

START_TEST(logistic_maximizer_in_extreme_cases)
{
    enum { CASES = 200000 };
    sdca_random stream = sdca_random_stream(1, SDCA_STREAM_TEST, 0, 0);

    for (int k = 0; k < CASES; k++) {
        double tiny    = pow(10.0, -17.0 * sdca_random_uniform(&stream));
        double kinds[] = { 0.0, 1.0, tiny, 1.0 - tiny, sdca_random_uniform(&stream) };
        double b0      = kinds[sdca_random_below(&stream, 5)];
        double q       = pow(10.0, 24.0 * sdca_random_uniform(&stream) - 12.0);
        double m       = pow(10.0, 10.0 * sdca_random_uniform(&stream) - 6.0);

        solves_logistic(b0, sdca_random_below(&stream, 2) == 0 ? m : -m, q);
    }
}
END_TEST

START_TEST(logistic_maximizer_keeps_small_answers_accurate)
{
    /* Even where the answer is tiny, the residual must vanish. */
    const sdca_loss *logistic = &sdca_losses[SDCA_LOSS_logistic];

    for (double m = 1.0; m < 700.0; m *= 1.5) {
        for (double q = 1e-6; q < 1e12; q *= 10.0) {
            double b = logistic->maximizer(NAN, 0.0, m, q, 1.0);

            ck_assert_double_gt(b, 0.0);
            ck_assert_double_eq_tol(log(b) - log1p(-b) + m + q * b, 0.0,
                                    rounding(m + q * b));
        }
    }
}
END_TEST

START_TEST(logistic_logit_is_accurate_everywhere)
{
    /* In steps across all magnitudes, and about where the power of two between s and
     * 1 - s changes. */
    static const double edges[] = { 0.5, 0.4, 0.6, 1.0 / 3.0, 2.0 / 3.0 };
    enum { EDGES = sizeof edges / sizeof *edges };

    for (double step = 0.5; step > 2.0 * DBL_MIN; step /= 1.37) {
        for (int k = -EDGES; k <= EDGES; k++) {
            double s     = k == 0  ? step
                           : k < 0 ? edges[-k - 1] - step / 3.0
                                   : edges[k - 1] + step / 3.0;
            double other = 1.0 - s;
            double right =
                (double)(s > 0.3 && s < 0.7 ? log1pl(((long double)s - other) / other)
                                            : logl(s) - logl(other));

            ck_assert_double_le(fabs(logistic_logit(s, other) - right),
                                4.0 * DBL_EPSILON * fabs(right));
            ck_assert_double_le(fabs(logistic_logit(other, s) + right),
                                4.0 * DBL_EPSILON * fabs(right));
        }
    }
    ck_assert_double_eq(logistic_logit(0.5, 0.5), 0.0);
    ck_assert_double_eq(logistic_logit(DBL_MIN / 2.0, 1.0), -INFINITY);
    ck_assert_double_eq(logistic_logit(0.0, 1.0), -INFINITY);
    ck_assert_double_eq(logistic_logit(1.0, 0.0), INFINITY);
}
END_TEST

START_TEST(exponential_is_accurate)
{
    for (double x = 0.0; x > -708.0; x = x * 1.0001 - 1e-5) {
        ck_assert_double_le(fabs((double)(exp_of_negative(x) / expl(x) - 1.0L)), 3e-16);
    }
    ck_assert_double_eq(exp_of_negative(0.0), 1.0);
    ck_assert_double_eq(exp_of_negative(-709.0), 0.0);
    ck_assert_double_eq(exp_of_negative(-INFINITY), 0.0);
}
END_TEST

/* The step from b0 for which Newton's move is w. Its b solves F(b) = 0 of above to the
 * rounding of what F adds up and of b itself, also where b or 1 - b is tiny; what it
 * tells of the place where it ends is what the table says; and the term is that of the
 * gap, to a factor of 2 below and 10 above. */
static void steps_well(double b0, double q, double w, double y)
{
    const sdca_loss *logistic = &sdca_losses[SDCA_LOSS_logistic];
    double           z  = -y * (w * (1.0 + q * b0 * (1.0 - b0)) + log(b0 / (1.0 - b0)));
    double           a0 = y * b0;
    step_result      result;
    double a = logistic_step(NAN, a0, z, q, y, logistic_precompute(a0, q, y), &result);
    double b = y * a;
    double blunt = 8.0 * DBL_EPSILON / (1.0 - b); /* the logit, by the rounding of b */
    double slack = rounding(fabs(z) + q * fabs(b - b0)) + blunt + rounding(0.0) * q * b;
    double f =
        (double)(logl(b) - log1pl(-(long double)b) + y * z + q * ((long double)b - b0));
    double term = logistic->primal(NAN, z, y) + logistic->conjugate(NAN, a0, y) + a0 * z;

    if (b < DBL_MIN || b >= 1.0) {
        solves_logistic(b0, y * z, q);
    } else if (a != logistic->maximizer(NAN, a0, z, q, y) || fabs(f) > slack ||
               fabs(result.derivative_before - logistic->dual_derivative(NAN, a0, y)) >
                   slack ||
               fabs(result.derivative_after - logistic->dual_derivative(NAN, a, y)) >
                   slack ||
               fabs(result.curvature_after / logistic->dual_curvature(NAN, a, y) - 1.0) >
                   blunt ||
               (term > rounding(1.0 + fabs(z)) &&
                !(result.gap_term > 0.499 * term && result.gap_term < 10.0 * term))) {
        ck_abort_msg("b0 = %.17g q = %.17g w = %.17g: not %.17g", b0, q, w, b);
    }
}

START_TEST(logistic_steps_are_exact_on_both_sides_of_each_threshold)
{
    static const double starts[] = { 1e-300, 1e-20,      1e-10,       1e-4,
                                     0.01,   0.3,        0.5,         0.7,
                                     0.99,   1.0 - 1e-4, 1.0 - 1e-10, 1.0 - 1e-15 };
    static const double moves[]  = {
         0.0, 1e-12, 1e-6, 1e-3, 0.00999999999, 0.01000000001, 0.1,
         0.5, 0.75,  1.0,  1.25, 1.4999999,     1.5000001,     3.0
    };

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
            for (double q = 1e-8; q < 2e8; q *= 10.0) {
                for (double y = -1.0; y <= 1.0; y += 2.0) {
                    steps_well(starts[i], q, moves[k], y);
                    steps_well(starts[i], q, -moves[k], y);
                }
            }
        }
    }
}
END_TEST

/* From an end of the interval, to a root that may be so near the end that doubles do not
 * tell them apart: then there is nothing to gain, and never an infinite term, which
 * would make the sum of all terms useless. */
START_TEST(logistic_terms_are_finite_at_the_ends)
{
    for (double m = -2e3; m <= 2e3; m += 12.5) { /* y z */
        for (double q = 1e-6; q < 2e6; q *= 100.0) {
            for (int at_one = 0; at_one <= 1; at_one++) {
                double      away = at_one != 0 ? -m : m; /* > 0: it may stay there */
                double      a    = (double)at_one;
                step_result result;

                (void)logistic_step(NAN, a, m, q, 1.0, logistic_precompute(a, q, 1.0),
                                    &result);
                ck_assert(isfinite(result.gap_term) && result.gap_term >= 0.0);
                ck_assert(away < 750.0 || result.gap_term == 0.0);
                ck_assert(away > -1.0 || result.gap_term > 0.1);
            }
        }
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);
    int    count = fill_settings();

    tcase_add_test(tests, names_are_found);
    tcase_add_loop_test(tests, entries_are_complete, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, primal_is_the_textbook_formula, 0, count);
    tcase_add_loop_test(tests, primal_is_accurate_and_not_negative_near_its_zero, 0,
                        count);
    tcase_add_loop_test(tests, the_interval_is_where_the_conjugate_is_finite, 0, count);
    tcase_add_loop_test(tests, conjugate_is_the_greatest_difference, 0, count);
    tcase_add_loop_test(tests, fenchel_young_inequality_holds, 0, count);
    tcase_add_loop_test(tests, fenchel_young_equality_holds_at_minus_the_derivative, 0,
                        count);
    tcase_add_loop_test(tests, maximizer_without_curvature_attains_equality, 0, count);
    tcase_add_loop_test(tests, maximizer_is_feasible_and_maximal, 0, count);
    tcase_add_loop_test(tests, dual_derivatives_are_those_of_minus_the_conjugate, 0,
                        count);
    tcase_add_loop_test(tests, dual_derivative_at_a_kink_lies_between_the_one_sided, 0,
                        count);
    tcase_add_loop_test(tests, smoothness_is_that_of_the_primal, 0, count);
    tcase_add_loop_test(tests, lipschitz_constant_is_the_steepest_derivative, 0, count);
    tcase_add_loop_test(tests, max_derivative_bounds_every_difference_quotient, 0, count);
    tcase_add_loop_test(tests, dual_curvature_is_at_least_the_smoothness, 0, count);
    tcase_add_loop_test(tests, everything_is_finite, 0, count);
    tcase_add_test(tests, hinge_step_is_a_step_of_stochastic_frank_wolfe);
    tcase_add_test(tests, logistic_maximizer_where_a_plain_newton_method_cycles);
    tcase_add_test(tests, logistic_maximizer_in_extreme_cases);
    tcase_add_test(tests, logistic_maximizer_keeps_small_answers_accurate);
    tcase_add_test(tests, exponential_is_accurate);
    tcase_add_test(tests, logistic_logit_is_accurate_everywhere);
    tcase_add_test(tests, logistic_steps_are_exact_on_both_sides_of_each_threshold);
    tcase_add_test(tests, logistic_terms_are_finite_at_the_ends);
}
