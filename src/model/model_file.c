/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file.c - models read from files and written to files. The list of their fields is
 * in model_file_fields.c. */
#include "io/hdf5_file.h"
#include "model/model.h"
#include "mpi/comm.h"

sdca_status sdca_model_write(const sdca_model *model, const char *path)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;

    SDCA_TRY(sdca_hdf5_create(path, &hdf5));
    SDCA_TRY(sdca_model_file_write(model, hdf5));
    status = sdca_hdf5_commit(hdf5);
    hdf5   = NULL; /* closed, also on failure */

done:
    sdca_hdf5_close(hdf5);
    return status;
}

/* MPI_COMM_NULL is for one process. */
static sdca_status agree(MPI_Comm comm, sdca_status status)
{
    return comm == MPI_COMM_NULL ? status : sdca_comm_agree(comm, status);
}

sdca_status sdca_model_read_metadata(MPI_Comm comm, const char *path, sdca_model *out)
{
    sdca_status     status = SDCA_OK;
    bool            first  = comm == MPI_COMM_NULL || sdca_comm_rank(comm) == 0;
    sdca_hdf5_file *hdf5   = NULL;
    sdca_model      model  = { 0 };

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    status = sdca_model_file_read(hdf5, &model);
    if (status == SDCA_OK && first) {
        status = sdca_model_file_read_feature_names(hdf5, &model);
    }
    SDCA_TRY(agree(comm, status));
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_hdf5_close(hdf5);
    sdca_model_clear(&model);
    return status;
}

sdca_status sdca_model_read_weights(MPI_Comm comm, const char *path,
                                    const sdca_used_columns *column_map,
                                    sdca_model              *model)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    status = agree(comm, sdca_model_file_read_weights(hdf5, column_map, model));

done:
    sdca_hdf5_close(hdf5);
    return status;
}

sdca_status sdca_model_read_all(MPI_Comm comm, const char *path, sdca_model *out)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_read_metadata(comm, path, &model));
    SDCA_TRY(sdca_model_read_weights(comm, path, NULL, &model));
    *out  = model;
    model = (sdca_model){ 0 }; /* now the caller's */

done:
    sdca_model_clear(&model);
    return status;
}

sdca_status sdca_model_read_scorer(MPI_Comm comm, const char *path,
                                   const sdca_model *model, const sdca_dataset *data,
                                   sdca_scorer *out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;
    sdca_scorer     scorer = { 0 };

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    SDCA_TRY(agree(comm, sdca_model_file_read_scorer(hdf5, model, data, &scorer)));
    *out   = scorer;
    scorer = (sdca_scorer){ 0 }; /* now the caller's */

done:
    sdca_scorer_free(&scorer);
    sdca_hdf5_close(hdf5);
    return status;
}
