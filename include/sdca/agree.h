/* SPDX-License-Identifier: BSD-3-Clause
 *
 * agree.h - one outcome for all ranks.
 *
 * A rank that fails alone must not leave the others in a collective call. After local
 * work that can fail, and before the next collective call, all ranks agree. */
#ifndef SDCA_AGREE_H
#define SDCA_AGREE_H

#include <mpi.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pass this rank's status and return the most severe one of all ranks. The message of
 * the lowest rank with that status replaces the message on every rank. Collective. */
SDCA_API sdca_status sdca_agree(MPI_Comm comm, sdca_status mine);

#ifdef __cplusplus
}
#endif

#endif
