/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_weight_laws.c - a row of weight s counts as s rows, and only ratios of weights
 * matter: for P, D, the gap and the optimum, one model at a time and side by side. */
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "data/dataset_from_memory.h"
#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "support/mpi_check.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 150, COLUMNS = 12, PER_ROW = 4, MODELS = 3, MOST_WEIGHT = 3 };

static const double lambda = 0.01, parameter = 0.3, scale = 7.5;

/* The same problem in three ways. */
typedef enum form { WEIGHTED, REPEATED, SCALED, FORMS } form;

/* 0 to 3, with all of them on every rank. */
static int weight_of(int64_t row)
{
    return (int)(row * 7 / 3 % (MOST_WEIGHT + 1));
}

/* A row and its label: the class, or a real number. */
static double fill_row(int64_t row, bool classifies, int32_t *column, double *value)
{
    sdca_random stream = sdca_random_stream(11, SDCA_STREAM_TEST, (uint64_t)row, 0);
    double      score  = 0.0;

    for (int32_t k = 0; k < PER_ROW; k++) {
        int32_t third = COLUMNS / PER_ROW;

        column[k] = k * third + (int32_t)sdca_random_below(&stream, (uint32_t)third);
        value[k]  = sdca_random_uniform(&stream) - 0.4;
        score += (column[k] % 2 == 0 ? 1.0 : -1.0) * value[k];
    }
    score += 0.3 * sdca_random_uniform(&stream) - 0.15;
    return !classifies ? 2.0 * score : score > 0.2 ? 0.0 : score > -0.2 ? 1.0 : 2.0;
}

/* Every rank makes its own rows; a row is on the same rank in every form. Collective. */
static sdca_dataset *create_data(bool classifies, form how)
{
    static int64_t indptr[ROWS * MOST_WEIGHT + 1];
    static int32_t column[ROWS * MOST_WEIGHT * PER_ROW];
    static double  value[ROWS * MOST_WEIGHT * PER_ROW];
    static double  label[ROWS * MOST_WEIGHT], weight[ROWS * MOST_WEIGHT];
    sdca_range     mine =
        sdca_range_split_even(ROWS, sdca_comm_rank(*world), sdca_comm_size(*world));
    sdca_csr_view        view    = { 0, COLUMNS, indptr, column, NULL, value };
    sdca_dataset_options options = { .task = SDCA_TASK_NONE };
    sdca_dataset        *data    = NULL;

    for (int64_t row = mine.first; row < mine.first + mine.count; row++) {
        int copies = how == REPEATED ? weight_of(row) : 1;

        for (int k = 0; k < copies; k++) {
            int64_t at = PER_ROW * view.rows;

            label[view.rows]    = fill_row(row, classifies, column + at, value + at);
            weight[view.rows]   = weight_of(row) * (how == SCALED ? scale : 1.0);
            indptr[++view.rows] = at + PER_ROW;
        }
    }
    ck_assert_all(sdca_dataset_from_memory_csr(*world, &view, label,
                                               how == REPEATED ? NULL : weight, &options,
                                               &data) == SDCA_OK);
    return data;
}

/* A problem in one of its forms, with iterates of its models. */
typedef struct problem {
    sdca_dataset     *data;
    sdca_objective    objective[MODELS];
    sdca_iterate      iterate[MODELS];
    sdca_certificate  certificate[MODELS];
    sdca_train_result result[MODELS];
    int               models;
} problem;

/* Model k is class k against the rest, with a lambda of its own. */
static void create_problem(int loss, int models, form how, problem *out)
{
    bool classifies = sdca_losses[loss].classification;

    *out = (problem){ .data = create_data(classifies, how), .models = models };
    for (int k = 0; k < models; k++) {
        out->objective[k] =
            sdca_objective_with_lambda(&sdca_losses[loss], parameter, lambda * (k + 1),
                                       out->data->rows, out->data->total_weight);
        out->objective[k].one_against_rest = classifies ? k + 1 : 0;
    }
    ck_assert_all(sdca_iterate_create_lanes(*world, out->objective, out->data, models,
                                            out->iterate) == SDCA_OK);
}

static void free_problem(problem *p)
{
    for (int k = 0; k < p->models; k++) {
        sdca_history_free(&p->result[k].history);
    }
    sdca_iterate_free(&p->iterate[0]);
    sdca_dataset_free(p->data);
}

/* Any alpha that is feasible, by the number of the row, with its w and its gap. */
static void measure_any_point(form how, problem *p)
{
    sdca_range mine =
        sdca_range_split_even(ROWS, sdca_comm_rank(*world), sdca_comm_size(*world));

    for (int k = 0; k < p->models; k++) {
        sdca_iterate *iterate = &p->iterate[k];
        uint32_t      i       = 0;

        for (int64_t row = mine.first; row < mine.first + mine.count; row++) {
            sdca_random stream =
                sdca_random_stream(5, SDCA_STREAM_TEST, (uint64_t)row, (uint64_t)k);
            double at     = 0.1 + 0.8 * sdca_random_uniform(&stream);
            int    copies = how == REPEATED ? weight_of(row) : 1;

            for (int c = 0; c < copies; c++, i++) {
                sdca_interval allowed = sdca_objective_feasible(
                    &p->objective[k], sdca_iterate_label(iterate, &p->objective[k], i));
                double low = fmax(allowed.low, -2.0), high = fmin(allowed.high, 2.0);

                iterate->alpha[i * iterate->alpha_stride] = low + at * (high - low);
            }
        }
        ck_assert_int_eq(i, iterate->rows);
    }
    sdca_iterate_recompute_w(*world, p->objective, p->data, p->models, p->iterate);
    if (p->models == 1) {
        ck_assert_all(sdca_duality_gap_measure(*world, p->objective, p->data,
                                               sdca_iterate_point(p->iterate), NULL,
                                               p->certificate) == SDCA_OK);
    } else {
        ck_assert_all(sdca_duality_gap_measure_lanes(*world, p->objective, p->data,
                                                     p->iterate, (1U << p->models) - 1,
                                                     NULL, p->certificate) == SDCA_OK);
    }
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static double w_distance(const sdca_iterate *a, const sdca_iterate *b)
{
    double sum = 0.0;

    for (int64_t j = 0; j < COLUMNS; j++) {
        double x = a->w[j * a->lanes] - b->w[j * b->lanes];

        sum += x * x;
    }
    return sqrt(sum);
}

/* The same alpha has the same w, P, D and gap in all forms. */
static void compare_points(int loss, int models)
{
    problem p[FORMS];

    for (form how = 0; how < FORMS; how++) {
        create_problem(loss, models, how, &p[how]);
        measure_any_point(how, &p[how]);
        for (int k = 0; k < models; k++) {
            const sdca_certificate *a = &p[0].certificate[k];
            const sdca_certificate *b = &p[how].certificate[k];

            ck_assert_all(is_near(a->primal, b->primal) && is_near(a->dual, b->dual) &&
                          is_near(a->gap, b->gap));
            ck_assert_all(w_distance(&p[0].iterate[k], &p[how].iterate[k]) <= 1e-12);
        }
    }
    for (form how = 0; how < FORMS; how++) {
        free_problem(&p[how]);
    }
}

/* The optima of all forms are the same, as far as their certificates tell. */
static void compare_optima(int loss, int models, sdca_solver solver, double rel_gap)
{
    sdca_train_options   options = { .solver        = solver,
                                     .aggregate     = SDCA_AGGREGATION_LINE_SEARCH,
                                     .rel_gap       = rel_gap,
                                     .epochs        = 3000,
                                     .seed          = 3,
                                     .deterministic = true };
    sdca_train_callbacks nobody  = { .context = NULL };
    problem              p[FORMS];

    for (form how = 0; how < FORMS; how++) {
        create_problem(loss, models, how, &p[how]);
        ck_assert_all(sdca_trainer_run_models(&(sdca_train_setup){ .comm    = *world,
                                                                   .data    = p[how].data,
                                                                   .options = &options,
                                                                   .callbacks = &nobody },
                                              models, p[how].objective, NULL,
                                              p[how].iterate, p[how].result) == SDCA_OK);
        for (int k = 0; k < models; k++) {
            const sdca_certificate *a = &p[0].result[k].certificate;
            const sdca_certificate *b = &p[how].result[k].certificate;

            ck_assert_all(b->gap <= rel_gap * b->primal);
            ck_assert_all(p[how].result[k].solver == solver);
            ck_assert_all(a->primal - b->primal <= a->gap &&
                          b->primal - a->primal <= b->gap);
            ck_assert_all(a->dual - b->dual <= b->gap && b->dual - a->dual <= a->gap);
            ck_assert_all(w_distance(&p[0].iterate[k], &p[how].iterate[k]) <=
                          a->distance + b->distance);
        }
    }
    for (form how = 0; how < FORMS; how++) {
        free_problem(&p[how]);
    }
}

START_TEST(points_of_one_model)
{
    compare_points(_i, 1);
}
END_TEST

START_TEST(points_side_by_side)
{
    compare_points(_i, MODELS);
}
END_TEST

START_TEST(optima_of_sdca)
{
    compare_optima(_i, 1, SDCA_SOLVER_SDCA, 1e-8);
}
END_TEST

START_TEST(optima_side_by_side)
{
    compare_optima(_i, MODELS, SDCA_SOLVER_SDCA, 1e-8);
}
END_TEST

START_TEST(optima_of_newton)
{
    compare_optima(_i, 1, SDCA_SOLVER_NEWTON, 1e-8);
}
END_TEST

START_TEST(optima_of_sag)
{
    if (sdca_comm_size(*world) == 1 && sdca_losses[_i].smoothness(parameter) > 0.0) {
        compare_optima(_i, 1, SDCA_SOLVER_SAG, 1e-8);
    }
}
END_TEST

START_TEST(optima_of_eg)
{
    const int losses[] = { SDCA_LOSS_hinge, SDCA_LOSS_smooth_hinge, SDCA_LOSS_logistic };

    if (sdca_comm_size(*world) == 1) {
        compare_optima(losses[_i], 1, SDCA_SOLVER_EG, 1e-4);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, points_of_one_model, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, points_side_by_side, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, optima_of_sdca, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, optima_side_by_side, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, optima_of_newton, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, optima_of_sag, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, optima_of_eg, 0, 3);
}
