/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_from_memory.c - train on rows in memory, distributed over the ranks, and predict.
 *
 * Usage: mpirun -np 2 train_from_memory
 *
 * Every rank makes 1000 points in the unit square. The label says whether a point lies
 * above the diagonal, which a linear model can learn. */
#include <sdca/sdca.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, COLUMNS = 2 };

/* Local work that can fail: the failure of one rank becomes that of all in main(). */
static sdca_status make_rows(int rank, double **x, double **y)
{
    *x = (double *)malloc(ROWS * COLUMNS * sizeof **x);
    *y = (double *)malloc(ROWS * sizeof **y);
    if (*x == NULL || *y == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d rows", ROWS);
    }
    srand((unsigned)rank + 1);
    for (int i = 0; i < ROWS; i++) {
        double *point = *x + i * COLUMNS;

        point[0] = rand() / (double)RAND_MAX;
        point[1] = rand() / (double)RAND_MAX;
        (*y)[i]  = point[1] > point[0] ? 1.0 : 0.0; /* any two numbers will do */
    }
    return SDCA_OK;
}

int main(int argc, char **argv)
{
    sdca_status        status = SDCA_OK;
    int                rank   = 0;
    double            *x = NULL, *y = NULL;
    sdca_dense_view    view    = { ROWS, COLUMNS, NULL, NULL };
    sdca_train_options options = sdca_train_options_default();
    sdca_dataset      *data    = NULL;
    sdca_model        *model   = NULL;
    sdca_train_result  result;
    sdca_metrics       metrics;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SDCA_TRY(sdca_agree(MPI_COMM_WORLD, make_rows(rank, &x, &y)));
    view.value64 = x;
    SDCA_TRY(sdca_dataset_from_dense(MPI_COMM_WORLD, &view, y, NULL, &data));

    options.loss   = "logistic";
    options.lambda = 1e-4;
    SDCA_TRY(sdca_train(MPI_COMM_WORLD, data, &options, NULL, &model, &result));
    SDCA_TRY(sdca_model_evaluate(MPI_COMM_WORLD, model, data, &metrics));
    SDCA_TRY(sdca_agree(MPI_COMM_WORLD, sdca_model_predict(model, data, y)));
    if (rank == 0) {
        const double *w = sdca_model_weights(model);

        printf("w = (%.4f, %.4f), gap %.1e, error %.4f\n", w[0], w[1],
               result.certificate.gap, metrics.error);
        printf("first row: score %.4f, label %g\n", y[0], sdca_model_label(model, y[0]));
    }

done:
    if (status != SDCA_OK && rank == 0) {
        fprintf(stderr, "%s\n", sdca_status_message());
    }
    sdca_model_free(model);
    sdca_dataset_free(data);
    free(x);
    free(y);
    MPI_Finalize();
    return sdca_status_exit_code(status);
}
