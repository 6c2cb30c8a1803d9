/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_nested_training.c - a training started from a callback of another, on the same
 * data set, changes neither of the two results. */
#include "train/trainer.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <string.h>

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 300, COLUMNS = 20 };

/* A training, and the one that its evaluations start, if any. */
typedef struct training {
    const sdca_dataset *data;
    sdca_objective      objective;
    sdca_train_options  options;
    sdca_status         status;
    sdca_iterate        iterate;
    sdca_train_result   result;
    struct training    *inner;
    int                 evaluations;
} training;

static void run(training *t);

/* The first evaluation is of the start; the inner training begins in the midst of the
 * outer one. */
static void start_inner(void *context, const sdca_history_record *record)
{
    training *t = context;

    (void)record;
    if (++t->evaluations == 3 && t->inner != NULL) {
        run(t->inner);
    }
}

static void run(training *t)
{
    sdca_train_callbacks callbacks = { .context = t, .on_evaluation = start_inner };

    ck_assert_all(sdca_iterate_create(*world, &t->objective, t->data, &t->iterate) ==
                  SDCA_OK);
    t->result      = (sdca_train_result){ 0 };
    t->evaluations = 0;
    t->status      = sdca_trainer_run(&(sdca_train_setup){ .comm      = *world,
                                                           .data      = t->data,
                                                           .options   = &t->options,
                                                           .callbacks = &callbacks },
                                      &t->objective, NULL, &t->iterate, &t->result);
}

static void free_training(training *t)
{
    sdca_history_free(&t->result.history);
    sdca_iterate_free(&t->iterate);
}

/* Are alpha, w, counts and certificate the same, bit by bit? */
static bool same_result(const training *a, const training *b)
{
    const sdca_iterate *x = &a->iterate, *y = &b->iterate;

    return a->status == b->status && x->round == y->round && x->steps == y->steps &&
           memcmp(x->row, y->row, x->rows * sizeof *x->row) == 0 &&
           memcmp(x->w, y->w, (size_t)x->columns * sizeof *x->w) == 0 &&
           memcmp(&a->result.certificate, &b->result.certificate,
                  sizeof a->result.certificate) == 0;
}

/* Outer and inner by every solver, with the same lambda and with another. */
START_TEST(an_inner_training_changes_nothing)
{
    const sdca_solver  solvers[] = { SDCA_SOLVER_SDCA, SDCA_SOLVER_NEWTON };
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_train_options options   = { .aggregate           = SDCA_AGGREGATION_LINE_SEARCH,
                                     .rel_gap             = 1e-7,
                                     .seed                = 3,
                                     .deterministic       = true,
                                     .evaluation_interval = 1.0 };
    training           outer     = { .data = data,
                                     .objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-2, data),
                                     .options = options };
    training           inner     = outer, outer_alone, inner_alone;

    outer.options.solver = solvers[_i % 2];
    inner.options.solver = solvers[_i / 2 % 2];
    if (_i / 4 > 0) {
        inner.objective = small_dataset_objective(SDCA_LOSS_logistic, 1e-3, data);
    }
    outer_alone = outer;
    inner_alone = inner;
    outer.inner = &inner;
    run(&outer);
    run(&outer_alone);
    run(&inner_alone);
    ck_assert_all(outer.evaluations > 3 && inner.evaluations > 1);
    ck_assert_all(outer.status == SDCA_OK && inner.status == SDCA_OK);
    ck_assert_all(same_result(&outer, &outer_alone));
    ck_assert_all(same_result(&inner, &inner_alone));
    free_training(&outer);
    free_training(&inner);
    free_training(&outer_alone);
    free_training(&inner_alone);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    tcase_add_loop_test(add_case(suite, NULL, NULL), an_inner_training_changes_nothing, 0,
                        8);
}
