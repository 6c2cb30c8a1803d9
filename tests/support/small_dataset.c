/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_dataset.c - a small data set; every rank creates its own part. */
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "mpi/comm.h"
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

bool small_dataset_is_feasible(const sdca_objective *objective, const sdca_dataset *data,
                               const sdca_iterate *iterate)
{
    bool all = true;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_interval allowed = sdca_objective_feasible(objective, data->x.row[i].y);

        all = all && iterate->row[i].alpha >= allowed.low &&
              iterate->row[i].alpha <= allowed.high;
    }
    return all;
}

sdca_status small_dataset_train(const sdca_objective *objective, const sdca_dataset *data,
                                const sdca_train_options *options, sdca_iterate *iterate,
                                sdca_train_result *result)
{
    sdca_train_callbacks nobody = { .context = NULL };

    if (sdca_iterate_create(MPI_COMM_WORLD, objective, data, iterate) != SDCA_OK) {
        abort();
    }
    *result = (sdca_train_result){ 0 };
    return sdca_trainer_run(MPI_COMM_WORLD, objective, data, options, &nobody, NULL,
                            iterate, result);
}

small_run small_run_train(int64_t rows, int32_t columns, int loss, double lambda,
                          const sdca_train_options *options)
{
    small_run run = { .data = small_dataset_create(
                          rows, columns, sdca_losses[loss].classification, false) };

    run.objective = small_dataset_objective(loss, lambda, run.data);
    run.status =
        small_dataset_train(&run.objective, run.data, options, &run.iterate, &run.result);
    return run;
}

void small_run_free(small_run *run)
{
    sdca_history_free(&run->result.history);
    sdca_iterate_free(&run->iterate);
    sdca_dataset_free(run->data);
}
