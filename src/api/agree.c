/* SPDX-License-Identifier: BSD-3-Clause
 *
 * agree.c - one outcome for all ranks. */
#include "sdca/agree.h"

#include "mpi/comm.h"

sdca_status sdca_agree(MPI_Comm comm, sdca_status mine)
{
    return sdca_comm_agree(comm, mine);
}
