/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_check.c - do two files have the same columns? */
#include "cli/train/feature_check.h"

#include "data/feature_names.h"
#include "io/hdf5_file.h"
#include "mpi/comm.h"

/* The first rank's part. */
static sdca_status compare_names(const char *data, const char *model,
                                 const sdca_anndata_options *cells, bool links)
{
    sdca_status     status    = SDCA_OK;
    sdca_hdf5_file *data_file = NULL, *model_file = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, data, &data_file));
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, model, &model_file));
    if (links) {
        sdca_hdf5_follow_external_links(data_file);
        sdca_hdf5_follow_external_links(model_file);
    }
    SDCA_TRY(sdca_feature_names_compare(data_file, model_file, cells));

done:
    sdca_hdf5_close(model_file);
    sdca_hdf5_close(data_file);
    return status;
}

sdca_status feature_check_names(MPI_Comm comm, const char *data, const char *model,
                                const sdca_anndata_options *cells, bool links)
{
    return sdca_comm_agree(comm, sdca_comm_rank(comm) == 0
                                     ? compare_names(data, model, cells, links)
                                     : SDCA_OK);
}
