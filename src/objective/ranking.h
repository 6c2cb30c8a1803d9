/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranking.h - how well scores separate positive from negative rows: area under the ROC
 * curve and average precision, exactly, over the rows of all ranks.
 *
 * Rows are sorted by score over all ranks (sample sort). Rows of equal scores become one
 * group, first on their own rank, so that ties cannot overload a rank. */
#ifndef SDCA_OBJECTIVE_RANKING_H
#define SDCA_OBJECTIVE_RANKING_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"

/* Rows of one score: the weight of the positive and that of the negative ones. */
typedef struct sdca_score_group {
    double score;
    double positive;
    double negative;
} sdca_score_group;

typedef struct sdca_ranking {
    /* The probability that a positive row has a greater score than a negative one, where
     * a tie counts half. NaN without positive or without negative rows. */
    double auc;
    /* The sum over the scores, from the greatest, of the precision of all rows of this
     * score or above times the recall that this score adds. NaN without positive rows. */
    double average_precision;
} sdca_ranking;

/* Rank the groups of all ranks. The order of group is changed, and groups of equal scores
 * are merged. Allocates groups for the share of this rank in the sorted order, which is
 * at most 1/ranks + 1/128 of the groups of all ranks, and one more for each rank.
 * Collective. */
sdca_status sdca_ranking_measure(MPI_Comm comm, sdca_score_group *group, int64_t count,
                                 sdca_ranking *out);

/* The same, where a rank receives at most max_received groups with one MPI call.
 * Collective. */
sdca_status sdca_ranking_measure_in_chunks(MPI_Comm comm, int64_t max_received,
                                           sdca_score_group *group, int64_t count,
                                           sdca_ranking *out);

/* A corner of the ROC curve and of the precision-recall curve: what rows of this score or
 * above are as predictions of positive rows. */
typedef struct sdca_curve_corner {
    double threshold; /* the score */
    double false_positive_rate;
    double true_positive_rate; /* the recall too */
    double precision;
} sdca_curve_corner;

/* From the greatest score to the least, where both rates are 1. Of the corners of the
 * exact curve, at most one for each step of 1/SDCA_CURVE_CELLS in the mean of both rates
 * is kept. Empty without positive or without negative rows. */
enum { SDCA_CURVE_CELLS = 512 };
typedef struct sdca_curve {
    int                count;
    sdca_curve_corner *corner;
} sdca_curve;

/* Trace the curve of the groups of all ranks; memory and groups as above. Every rank
 * gets it. Collective. The caller frees out with sdca_curve_free(). */
sdca_status sdca_ranking_trace(MPI_Comm comm, sdca_score_group *group, int64_t count,
                               sdca_curve *out);
void        sdca_curve_free(sdca_curve *curve);

#endif
