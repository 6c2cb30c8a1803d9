/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.c - do two files mean the same columns? */
#include "names.h"

#include "sdca/comm.h"
#include "sdca/legend.h"
#include "sdca/store.h"

/* The first rank's part. */
static sdca_status compare(const char *data, const char *model, bool links)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *found = NULL, *known = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, data, &found));
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, model, &known));
    if (links) {
        sdca_hdf5_follow_external_links(found);
        sdca_hdf5_follow_external_links(known);
    }
    SDCA_TRY(sdca_feature_names_compare(found, known));

done:
    sdca_hdf5_close(known);
    sdca_hdf5_close(found);
    return status;
}

sdca_status names_check(MPI_Comm comm, const char *data, const char *model, bool links)
{
    return sdca_comm_agree(comm, sdca_comm_rank(comm) == 0 ? compare(data, model, links)
                                                           : SDCA_OK);
}
