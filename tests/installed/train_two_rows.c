/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_two_rows.c - trains on two rows in memory through libsdca alone.
 *
 * Rows (1, 0) and (0, 1) with labels +1 and -1: for the squared hinge and
 * lambda = 1, w = (a, -a) with a = 1/2, and P(w) = 1/2. */
#include <math.h>
#include <sdca/sdca.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    sdca_rows            x;
    sdca_dataset        *data    = NULL;
    sdca_iterate         iterate = { 0 };
    sdca_train_result    result  = { 0 };
    sdca_objective       objective;
    sdca_train_options   options = { .gap = 1e-12 };
    sdca_train_callbacks nobody  = { .context = NULL };
    sdca_status          status  = SDCA_OK;
    int                  correct = 0;

    MPI_Init(&argc, &argv);
    SDCA_TRY(sdca_rows_create(2, 2, 2, true, &x));
    for (int i = 0; i < 2; i++) {
        sdca_rows_set_entry(&x, i, i, 1.0);
        x.row[i + 1].start = i + 1;
        x.row[i].y         = i == 0 ? 1.0 : -1.0;
    }
    SDCA_TRY(sdca_dataset_create(MPI_COMM_WORLD, &x, true, NULL, &data));
    objective =
        sdca_objective_with_lambda(sdca_loss_find("squared-hinge"), 0.0, 1.0, data->rows);
    SDCA_TRY(sdca_iterate_create(MPI_COMM_WORLD, &objective, data, &iterate));
    SDCA_TRY(sdca_train(MPI_COMM_WORLD, &objective, data, &options, &nobody, &iterate,
                        &result));
    printf("w = (%.6f, %.6f), gap %.1e\n", iterate.w[0], iterate.w[1],
           result.certificate.gap);
    correct =
        fabs(iterate.w[0] - 0.5) < 1e-6 && fabs(result.certificate.primal - 0.5) < 1e-9;

done:
    if (status != SDCA_OK) {
        fprintf(stderr, "%s\n", sdca_status_message());
    }
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
