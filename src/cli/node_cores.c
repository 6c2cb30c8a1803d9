/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_cores.c - ranks per processor on the nodes of a run.
 *
 * mpirun and srun may bind each rank to some processors, and a batch system may allocate
 * a part of a node: the processors that all ranks of the node may use together count. */
#include "cli/node_cores.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi/comm.h"

static int count_bits(const uint8_t set[NODE_CORES_MASK_BYTES])
{
    int count = 0;

    for (int k = 0; k < 8 * NODE_CORES_MASK_BYTES; k++) {
        count += set[k / 8] >> k % 8 & 1;
    }
    return count;
}

int node_cores_parse_mask(const char *text, uint8_t set[NODE_CORES_MASK_BYTES])
{
    static const char digits[]    = "0123456789abcdef";
    int               digit_index = 0; /* in half bytes */

    memset(set, 0, NODE_CORES_MASK_BYTES);
    for (size_t k = strlen(text); k > 0; k--) {
        int         c     = tolower((unsigned char)text[k - 1]);
        const char *digit = c != '\0' ? strchr(digits, c) : NULL;

        if (digit != NULL && digit_index < 2 * NODE_CORES_MASK_BYTES) {
            set[digit_index / 2] |= (uint8_t)((digit - digits) << (digit_index % 2 * 4));
            digit_index++;
        } else if (c != ',' && !isspace(c)) {
            memset(set, 0, NODE_CORES_MASK_BYTES);
            return 0;
        }
    }
    return count_bits(set);
}

/* The processors this rank may run on; if the system does not report them, all that are
 * online. */
static void find_allowed(uint8_t set[NODE_CORES_MASK_BYTES])
{
    static const char name[] = "Cpus_allowed:";
    char              line[4096];
    int               found  = 0;
    long              online = sysconf(_SC_NPROCESSORS_ONLN);
    FILE             *file   = fopen("/proc/self/status", "r");

    while (file != NULL && found == 0 && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, sizeof name - 1) == 0) {
            found = node_cores_parse_mask(line + sizeof name - 1, set);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    for (long k = 0; found == 0 && k < online && k < 8 * NODE_CORES_MASK_BYTES; k++) {
        set[k / 8] |= (uint8_t)(1 << k % 8);
    }
}

node_load node_cores_find_most_loaded(MPI_Comm comm)
{
    uint8_t   set[NODE_CORES_MASK_BYTES] = { 0 };
    node_load here, worst;
    MPI_Comm  node;
    struct {
        double load;
        int    rank;
    } mine, most;

    find_allowed(set);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Allreduce(MPI_IN_PLACE, set, NODE_CORES_MASK_BYTES, MPI_UINT8_T, MPI_BOR, node);
    here.ranks = sdca_comm_size(node);
    here.cores = count_bits(set);
    MPI_Comm_free(&node);

    mine.load = (double)here.ranks / (double)here.cores;
    mine.rank = sdca_comm_rank(comm);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    worst = here;
    MPI_Bcast(&worst, 2, MPI_INT, most.rank, comm);
    return worst;
}
