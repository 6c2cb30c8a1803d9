/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_counts.h - the different labels of a data set, and the rows of each. */
#ifndef SDCA_DATA_LABEL_COUNTS_H
#define SDCA_DATA_LABEL_COUNTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The most labels of classification; and if some are not whole numbers, which are then
 * likely to be those of a regression. */
enum { SDCA_MAX_CLASSES = 10000, SDCA_MAX_FRACTIONS = 100 };

/* All zero: no labels. */
typedef struct sdca_label_counts {
    int      count;
    int      capacity;
    double  *value; /* ascending */
    int64_t *rows;  /* of each */
    bool     has_fractions;
    int      last; /* the index of the last label, since the next is often the same */
} sdca_label_counts;

/* Count a row with this label. One label above the most of classification is kept, and
 * more are left out. Fails for lack of memory only. Local. */
sdca_status sdca_label_counts_add(sdca_label_counts *counts, double label);

/* Are there more labels than classification takes? Local. */
bool sdca_label_counts_are_too_many(const sdca_label_counts *counts);

/* Fails if there are, in a sentence that a caller can put behind "FILE, line N: ". Local.
 */
sdca_status sdca_label_counts_check(const sdca_label_counts *counts);

/* The index of a label; -1 if it is not there. Local. */
int sdca_label_counts_find(const sdca_label_counts *counts, double label);

/* The labels of all ranks, on every rank; the rows of each stay unknown. Collective.
 * What *all holds, which is empty before, is the caller's. */
sdca_status sdca_label_counts_unite(MPI_Comm comm, const sdca_label_counts *mine,
                                    sdca_label_counts *all);

/* Free what it holds, leaving no labels. Local. */
void sdca_label_counts_free(sdca_label_counts *counts);

#endif
