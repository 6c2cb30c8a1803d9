/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_dataset.c - a small data set, of which every rank creates its own part, and runs
 * on it. */
#include "support/small_dataset.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "objective/snapshot.h"
#include "train/trainer.h"

enum { PER_ROW = 5 };

/* Fill in row i and return its label: noisy, depending on the parity of columns. */
static double small_dataset_fill_row(int64_t row, uint32_t i, bool classifies,
                                     sdca_rows *x)
{
    sdca_random stream = sdca_random_stream(7, SDCA_STREAM_TEST, (uint64_t)row, 0);
    int64_t     at     = x->row[i].start;
    double      score  = 0.2 * sdca_random_uniform(&stream) - 0.1;
    int32_t     step   = x->columns / PER_ROW;

    if (row % 10 != 9) {
        for (int32_t k = 0; k < PER_ROW; k++) {
            int32_t column =
                k * step + (int32_t)sdca_random_below(&stream, (uint32_t)step);
            double value = sdca_random_uniform(&stream) - 0.3;

            sdca_rows_set_entry(x, at++, column, value);
            score += (column % 2 == 0 ? 1.0 : -1.0) * value;
        }
    }
    x->row[i + 1].start = at;
    if (!classifies) {
        return 2.0 * score;
    }
    return score > 0.0 || row % 17 == 3 ? 1.0 : -1.0;
}

sdca_dataset *small_dataset_create(int64_t rows, int32_t columns, bool classifies,
                                   bool wide)
{
    return small_dataset_create_on(MPI_COMM_WORLD, rows, columns, classifies, wide);
}

sdca_dataset *small_dataset_create_on(MPI_Comm comm, int64_t rows, int32_t columns,
                                      bool classifies, bool wide)
{
    sdca_range mine =
        sdca_range_split_even(rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    sdca_rows     x;
    sdca_dataset *data = NULL;

    if (sdca_rows_create((uint32_t)mine.count, columns, PER_ROW * mine.count, wide, &x) !=
        SDCA_OK) {
        abort();
    }
    for (uint32_t i = 0; i < x.count; i++) {
        x.row[i].y = small_dataset_fill_row(mine.first + i, i, classifies, &x);
    }
    if (sdca_dataset_create(comm, &x, true, NULL, &data) != SDCA_OK) {
        abort();
    }
    return data;
}

sdca_objective small_dataset_objective(int loss, double lambda, const sdca_dataset *data)
{
    return sdca_objective_with_lambda(&sdca_losses[loss], 0.3, lambda, data->rows,
                                      data->total_weight);
}

static small_run start(MPI_Comm comm, sdca_dataset *data, sdca_objective objective)
{
    small_run run = { .comm = comm, .data = data, .objective = objective };

    if (sdca_iterate_create(comm, &run.objective, data, &run.iterate) != SDCA_OK) {
        abort();
    }
    return run;
}

small_run small_run_start(int64_t rows, int32_t columns, int loss, double lambda,
                          bool wide)
{
    return small_run_start_on(MPI_COMM_WORLD, rows, columns, loss, lambda, wide);
}

small_run small_run_start_on(MPI_Comm comm, int64_t rows, int32_t columns, int loss,
                             double lambda, bool wide)
{
    sdca_dataset *data = small_dataset_create_on(comm, rows, columns,
                                                 sdca_losses[loss].classification, wide);

    return start(comm, data, small_dataset_objective(loss, lambda, data));
}

small_run small_run_of(sdca_dataset *data, int loss, double lambda)
{
    return start(MPI_COMM_WORLD, data, small_dataset_objective(loss, lambda, data));
}

small_run small_run_on(sdca_dataset *data, const sdca_objective *objective)
{
    small_run run = start(MPI_COMM_WORLD, data, *objective);

    run.borrowed = true;
    return run;
}

sdca_status small_run_continue(small_run *run, const sdca_train_options *options)
{
    sdca_train_callbacks nobody = { .context = NULL };

    sdca_history_free(&run->result.history);
    run->result = (sdca_train_result){ 0 };
    run->status = sdca_trainer_run(&(sdca_train_setup){ .comm      = run->comm,
                                                        .data      = run->data,
                                                        .options   = options,
                                                        .callbacks = &nobody },
                                   &run->objective, NULL, &run->iterate, &run->result);
    return run->status;
}

sdca_status small_run_again(small_run *run, const sdca_train_options *options)
{
    sdca_iterate_free(&run->iterate);
    if (sdca_iterate_create(run->comm, &run->objective, run->data, &run->iterate) !=
        SDCA_OK) {
        abort();
    }
    return small_run_continue(run, options);
}

small_run small_run_train(int64_t rows, int32_t columns, int loss, double lambda,
                          const sdca_train_options *options)
{
    small_run run = small_run_start(rows, columns, loss, lambda, false);

    small_run_continue(&run, options);
    return run;
}

void small_run_free(small_run *run)
{
    sdca_history_free(&run->result.history);
    sdca_iterate_free(&run->iterate);
    if (!run->borrowed) {
        sdca_dataset_free(run->data);
    }
}

bool small_run_is_feasible(const small_run *run)
{
    bool all = true;

    for (uint32_t i = 0; i < run->data->x.count; i++) {
        sdca_interval allowed =
            sdca_objective_feasible(&run->objective, run->data->x.row[i].y);

        all = all && run->iterate.row[i].alpha >= allowed.low &&
              run->iterate.row[i].alpha <= allowed.high;
    }
    return all;
}

sdca_certificate small_run_measure(const small_run *run)
{
    sdca_certificate out;

    if (sdca_duality_gap_measure(run->comm, &run->objective, run->data,
                                 sdca_iterate_point(&run->iterate), NULL,
                                 &out) != SDCA_OK) {
        abort();
    }
    return out;
}

double small_run_inconsistency(const small_run *run)
{
    sdca_snapshot fresh;
    double        most = 0.0;

    if (sdca_snapshot_create(&run->iterate, &fresh) != SDCA_OK) {
        abort();
    }
    sdca_snapshot_save(&run->iterate, &fresh);
    sdca_point_recompute_w(run->comm, &run->objective, run->data,
                           sdca_snapshot_point(&fresh));
    for (int32_t j = 0; j < run->data->columns; j++) {
        most = fmax(most, fabs(fresh.w[j] - run->iterate.w[j]));
    }
    sdca_snapshot_free(&fresh);
    return most;
}

void small_check_baseline_options(sdca_solver solver, int k)
{
    sdca_train_options options = { .solver    = solver,
                                   .gap       = 1e-300,
                                   .epochs    = 4,
                                   .sgd_start = k == 0,
                                   .output    = k == 1   ? SDCA_OUTPUT_AVERAGE
                                                : k == 2 ? SDCA_OUTPUT_RANDOM
                                                         : SDCA_OUTPUT_BEST };
    small_run          run = small_run_train(100, 60, SDCA_LOSS_logistic, 1e-3, &options);

    ck_assert_int_eq(run.status, k < 3 ? SDCA_USAGE : SDCA_BUDGET);
    small_run_free(&run);
}
