/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_from_hdf5.c - train on an HDF5 file, show progress, and write a model.
 *
 * Usage: mpirun -np 2 train_from_hdf5 DATA.h5 MODEL.h5 */
#include <sdca/sdca.h>
#include <stdio.h>
#include <string.h>

/* Called on every rank after each evaluation; context is this rank's number. */
static void print_record(void *context, const sdca_history_record *record)
{
    if (*(const int *)context == 0) {
        printf("epoch %6.2f  primal %.8f  gap %.1e\n", record->epoch, record->primal,
               record->gap);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm             comm   = MPI_COMM_WORLD;
    sdca_status          status = SDCA_OK, outcome = SDCA_OK;
    int                  rank    = 0;
    sdca_read_options    how     = sdca_read_options_default();
    sdca_train_options   options = sdca_train_options_default();
    sdca_train_callbacks callbacks;
    sdca_train_result    result;
    sdca_dataset        *data  = NULL;
    sdca_model          *model = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    if (argc != 3) {
        status = SDCA_FAIL(SDCA_USAGE, "usage: train_from_hdf5 DATA.h5 MODEL.h5");
        goto done;
    }
    how.normalize = true;
    how.bias      = 1.0;
    SDCA_TRY(sdca_dataset_read(comm, argv[1], &how, &data));

    options.C       = 1.0;
    options.rel_gap = 1e-4;
    options.epochs  = 100;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.context       = &rank;
    callbacks.on_evaluation = print_record;
    outcome = sdca_train(comm, data, &options, &callbacks, &model, &result);
    if (outcome != SDCA_BUDGET) { /* a model that ran out of epochs is certified, too */
        SDCA_TRY(outcome);
    }

    /* One rank writes, and all agree on the outcome. */
    SDCA_TRY(sdca_agree(comm, rank == 0 ? sdca_model_write(model, argv[2]) : SDCA_OK));
    if (rank == 0) {
        printf("%s after %.2f s: relative gap %.1e\n",
               outcome == SDCA_OK ? "target reached" : "out of epochs",
               result.times.total, sdca_certificate_relative_gap(&result.certificate));
    }

done:
    if (status != SDCA_OK && rank == 0) {
        fprintf(stderr, "%s\n", sdca_status_message());
    }
    sdca_model_free(model);
    sdca_dataset_free(data);
    MPI_Finalize();
    return sdca_status_exit_code(status);
}
