/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_lanes.c - several models that are trained side by side have the certified optima
 * of the models trained one by one. */
#include "train/trainer.h"

#include <math.h>

#include "base/random.h"
#include "mpi/comm.h"
#include "support/mpi_check.h"
#include "support/small_dataset.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 400, COLUMNS = 30, CLASSES = 6 };

/* Labels become indices of classes, by the number of a row alone. */
static sdca_dataset *create_classes(bool wide)
{
    sdca_dataset *data = small_dataset_create(ROWS, COLUMNS, true, wide);

    for (uint32_t i = 0; i < data->x.count; i++) {
        uint64_t    row    = (uint64_t)sdca_dataset_global_row(data, i);
        sdca_random stream = sdca_random_stream(3, SDCA_STREAM_TEST, row, 0);
        uint32_t    half   = sdca_random_below(&stream, CLASSES / 2);

        data->x.row[i].y =
            data->x.row[i].y > 0.0 ? (double)half : (double)(half + CLASSES / 2);
    }
    return data;
}

static sdca_train_options make_options(void)
{
    return (sdca_train_options){ .solver        = SDCA_SOLVER_SDCA,
                                 .aggregate     = SDCA_AGGREGATION_LINE_SEARCH,
                                 .rel_gap       = 1e-6,
                                 .seed          = 3,
                                 .deterministic = true };
}

/* One objective per class, with a lambda of its own if vary. */
static void make_objectives(int loss, const sdca_dataset *data, bool vary,
                            sdca_objective *objective)
{
    for (int k = 0; k < CLASSES; k++) {
        objective[k] = small_dataset_objective(loss, vary ? 1e-3 * (k + 1) : 2e-3, data);
        objective[k].one_against_rest = k + 1;
    }
}

static double squared_distance(const sdca_iterate *a, const sdca_iterate *b)
{
    double sum = 0.0;

    for (int64_t j = 0; j < a->columns; j++) {
        double x = a->w[j * a->lanes] - b->w[j * b->lanes];

        sum += x * x;
    }
    return sum;
}

static void free_results(int count, sdca_train_result *result)
{
    for (int k = 0; k < count; k++) {
        sdca_history_free(&result[k].history);
    }
}

/* Compare models trained side by side with each model by itself. */
static void compare_with_single_models(int loss, int models, bool vary, bool wide)
{
    sdca_dataset        *data    = create_classes(wide);
    sdca_train_options   options = make_options();
    sdca_train_callbacks nobody  = { .context = NULL };
    sdca_objective       objective[CLASSES];
    sdca_iterate         lanes[CLASSES];
    sdca_train_result    result[CLASSES] = { { .nodes = 0 } };

    make_objectives(loss, data, vary, objective);
    ck_assert_all(sdca_iterate_create_lanes(*world, objective, data, models, lanes) ==
                  SDCA_OK);
    ck_assert_all(
        sdca_trainer_run_models(
            &(sdca_train_setup){
                .comm = *world, .data = data, .options = &options, .callbacks = &nobody },
            models, objective, NULL, lanes, result) == SDCA_OK);
    for (int k = 0; k < models; k++) {
        small_run               alone = small_run_on(data, &objective[k]);
        const sdca_certificate *a     = &result[k].certificate;
        const sdca_certificate *b     = &alone.result.certificate;

        ck_assert_all(small_run_continue(&alone, &options) == SDCA_OK);
        ck_assert_all(a->gap <= options.rel_gap * a->primal);
        ck_assert_all(a->primal - b->primal <= a->gap && b->primal - a->primal <= b->gap);
        ck_assert_all(sqrt(squared_distance(&lanes[k], &alone.iterate)) <=
                      a->distance + b->distance);
        small_run_free(&alone);
    }
    free_results(models, result);
    sdca_iterate_free(&lanes[0]);
    sdca_dataset_free(data);
}

START_TEST(all_losses)
{
    if (sdca_losses[_i].classification) {
        compare_with_single_models(_i, CLASSES, false, false);
        compare_with_single_models(_i, 3, true, true);
    }
}
END_TEST

/* The same bits from two runs. */
START_TEST(runs_are_repeatable)
{
    sdca_dataset        *data    = create_classes(false);
    sdca_train_options   options = make_options();
    sdca_train_callbacks nobody  = { .context = NULL };
    sdca_objective       objective[CLASSES];
    sdca_iterate         lanes[2][CLASSES];

    make_objectives(SDCA_LOSS_logistic, data, false, objective);
    for (int run = 0; run < 2; run++) {
        sdca_train_result result[CLASSES] = { { .nodes = 0 } };

        ck_assert_all(sdca_iterate_create_lanes(*world, objective, data, CLASSES,
                                                lanes[run]) == SDCA_OK);
        ck_assert_all(sdca_trainer_run_models(&(sdca_train_setup){ .comm      = *world,
                                                                   .data      = data,
                                                                   .options   = &options,
                                                                   .callbacks = &nobody },
                                              CLASSES, objective, NULL, lanes[run],
                                              result) == SDCA_OK);
        free_results(CLASSES, result);
    }
    for (int k = 0; k < CLASSES; k++) {
        ck_assert_all(squared_distance(&lanes[0][k], &lanes[1][k]) == 0.0);
        ck_assert_all(lanes[0][k].steps == lanes[1][k].steps);
    }
    sdca_iterate_free(&lanes[0][0]);
    sdca_iterate_free(&lanes[1][0]);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *lanes = add_case(suite, NULL, NULL);

    tcase_add_loop_test(lanes, all_losses, 0, SDCA_LOSS_COUNT);
    tcase_add_test(lanes, runs_are_repeatable);
}
