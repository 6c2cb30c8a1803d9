/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranking.c - how well scores separate positive from negative rows: area under the ROC
 * curve and average precision, exactly, over the rows of all ranks. */
#include "objective/ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/compensated_sum.h"
#include "mpi/comm.h"

/* A rank sends this many samples of its scores. A share of the sorted groups is then
 * within 2/SAMPLES of all groups of its fair size. */
enum { SAMPLES = 256 };

/* Groups that a rank receives with one MPI call, whose counts are int. */
enum { MAX_RECEIVED = 1 << 26 };

typedef struct score_sample {
    double score;
    double groups; /* that it stands for */
} score_sample;

/* Groups that are sorted over the ranks: those of rank r come before those of r + 1. */
typedef struct sorting {
    MPI_Comm          comm;
    int               ranks;
    int64_t           chunk; /* groups that a rank sends with one call */
    sdca_score_group *group; /* of this rank, sorted */
    int64_t           count;
    double           *splitter;       /* ranks - 1: the least score of rank 1, 2, ... */
    int              *send, *receive; /* by rank: groups of a chunk, ... */
    int              *send_at, *receive_at; /* ... and where they start */
    sdca_score_group *sorted;               /* the result: the share of this rank */
    int64_t           sorted_count;
} sorting;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_groups(const void *a, const void *b)
{
    return compare_numbers(((const sdca_score_group *)a)->score,
                           ((const sdca_score_group *)b)->score);
}

static int compare_samples(const void *a, const void *b)
{
    return compare_numbers(((const score_sample *)a)->score,
                           ((const score_sample *)b)->score);
}

/* Sort groups and merge those of equal scores. Returns their number. */
static int64_t merge_groups(sdca_score_group *group, int64_t count)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < count; i++) { /* an order for all values */
        group[i].score = isnan(group[i].score) ? -INFINITY : group[i].score;
    }
    qsort(group, (size_t)count, sizeof *group, compare_groups);
    for (int64_t i = 0; i < count; i++) {
        if (kept > 0 && group[kept - 1].score == group[i].score) {
            group[kept - 1].positive += group[i].positive;
            group[kept - 1].negative += group[i].negative;
        } else {
            group[kept++] = group[i];
        }
    }
    return kept;
}

/* Choose the splitters from evenly spaced samples of all ranks. Collective. */
static sdca_status choose_splitters(sorting *s)
{
    size_t        total  = (size_t)s->ranks * SAMPLES;
    sdca_status   status = SDCA_OK;
    score_sample *sample = sdca_alloc_zeroed(total, sizeof *sample);
    score_sample  mine[SAMPLES];
    double        groups = 0.0, passed = 0.0;
    int           chosen = 0;

    s->splitter = sdca_alloc_array((size_t)s->ranks, sizeof *s->splitter);
    if (sample == NULL || s->splitter == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to sort scores");
    }
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    for (int j = 0; j < SAMPLES; j++) {
        mine[j].score  = s->count > 0 ? s->group[s->count * j / SAMPLES].score : 0.0;
        mine[j].groups = (double)s->count / SAMPLES;
    }
    MPI_Allgather(mine, 2 * SAMPLES, MPI_DOUBLE, sample, 2 * SAMPLES, MPI_DOUBLE,
                  s->comm);
    qsort(sample, total, sizeof *sample, compare_samples);
    for (size_t i = 0; i < total; i++) {
        groups += sample[i].groups;
    }
    for (size_t i = 0; i < total; i++) {
        while (chosen < s->ranks - 1 && passed >= groups * (chosen + 1) / s->ranks) {
            s->splitter[chosen++] = sample[i].score;
        }
        passed += sample[i].groups;
    }
    while (chosen < s->ranks - 1) {
        s->splitter[chosen++] = INFINITY;
    }

done:
    free(sample);
    return status;
}

/* How many groups of a sorted range go to each rank, and where they start. Local. */
static void divide(const sorting *s, const sdca_score_group *group, int count)
{
    int at = 0;

    for (int r = 0; r < s->ranks; r++) {
        s->send_at[r] = at;
        while (at < count && (r == s->ranks - 1 || group[at].score < s->splitter[r])) {
            at++;
        }
        s->send[r] = at - s->send_at[r];
    }
}

/* The groups of the chunk that starts at first. Local. */
static int chunk_size(const sorting *s, int64_t first)
{
    int64_t left = s->count - first;

    return (int)(left < s->chunk ? left : s->chunk);
}

/* The number of chunks of the rank that has most. Collective. */
static int64_t count_chunks(const sorting *s)
{
    double chunks = (double)((s->count + s->chunk - 1) / s->chunk);

    sdca_comm_allreduce_max(s->comm, &chunks, 1);
    return (int64_t)chunks;
}

/* Find how many groups each rank receives of all chunks together. Collective. */
static void count_received(sorting *s, int64_t chunks)
{
    int64_t first = 0;

    for (int64_t k = 0; k < chunks; k++) {
        int count = chunk_size(s, first);

        divide(s, s->group + first, count);
        MPI_Alltoall(s->send, 1, MPI_INT, s->receive, 1, MPI_INT, s->comm);
        for (int r = 0; r < s->ranks; r++) {
            s->sorted_count += s->receive[r];
        }
        first += count;
    }
}

/* Send the groups, chunk by chunk, to the ranks of their scores. Collective. */
static void exchange(sorting *s, int64_t chunks)
{
    int64_t      first = 0, received = 0;
    MPI_Datatype type;

    MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int64_t k = 0; k < chunks; k++) {
        int count = chunk_size(s, first), total = 0;

        divide(s, s->group + first, count);
        MPI_Alltoall(s->send, 1, MPI_INT, s->receive, 1, MPI_INT, s->comm);
        for (int r = 0; r < s->ranks; r++) {
            s->receive_at[r] = total;
            total += s->receive[r];
        }
        MPI_Alltoallv(s->group + first, s->send, s->send_at, type, s->sorted + received,
                      s->receive, s->receive_at, type, s->comm);
        first += count;
        received += total;
    }
    MPI_Type_free(&type);
}

/* Sort the groups over the ranks. Collective. */
static sdca_status sort_groups(sorting *s)
{
    sdca_status status = SDCA_OK;
    int64_t     chunks;
    int        *counts = sdca_alloc_zeroed(4 * (size_t)s->ranks, sizeof *counts);

    status = counts != NULL ? SDCA_OK
                            : SDCA_FAIL(SDCA_MEMORY, "no memory for %d ranks", s->ranks);
    SDCA_TRY(sdca_comm_agree(s->comm, status));
    SDCA_TRY(choose_splitters(s));
    s->send       = counts;
    s->receive    = counts + s->ranks;
    s->send_at    = counts + 2 * (size_t)s->ranks;
    s->receive_at = counts + 3 * (size_t)s->ranks;
    chunks        = count_chunks(s);
    count_received(s, chunks);
    s->sorted = sdca_alloc_array((size_t)s->sorted_count, sizeof *s->sorted);
    SDCA_TRY(sdca_comm_agree(
        s->comm, s->sorted != NULL ? SDCA_OK
                                   : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld scores",
                                               (long long)s->sorted_count)));
    exchange(s, chunks);
    s->sorted_count = merge_groups(s->sorted, s->sorted_count);

done:
    free(counts);
    free(s->splitter);
    return status;
}

/* The weights of the groups of this rank, of those before and of those behind it. */
typedef struct rank_weights {
    double positive, negative;
    double negative_before;
    double positive_behind, negative_behind;
    double positives, negatives; /* all */
} rank_weights;

/* Sum up weights over the ranks. Collective. */
static sdca_status sum_weights(MPI_Comm comm, const sdca_score_group *group,
                               int64_t count, rank_weights *out)
{
    int             rank = sdca_comm_rank(comm), ranks = sdca_comm_size(comm);
    compensated_sum mine[2] = { { 0.0, 0.0 }, { 0.0, 0.0 } };
    double         *all     = sdca_alloc_zeroed(2 * (size_t)ranks, sizeof *all);
    sdca_status     status  = SDCA_OK;
    rank_weights    sum     = { .positive = 0.0 };

    SDCA_TRY(sdca_comm_agree(comm, all != NULL ? SDCA_OK
                                               : SDCA_FAIL(SDCA_MEMORY,
                                                           "no memory for the weights of "
                                                           "%d ranks",
                                                           ranks)));
    for (int64_t i = 0; i < count; i++) {
        compensated_add(&mine[0], group[i].positive);
        compensated_add(&mine[1], group[i].negative);
    }
    sum.positive = compensated_value(&mine[0]);
    sum.negative = compensated_value(&mine[1]);
    MPI_Allgather((double[]){ sum.positive, sum.negative }, 2, MPI_DOUBLE, all, 2,
                  MPI_DOUBLE, comm);
    for (int r = 0; r < ranks; r++) {
        double positive = all[2 * r], negative = all[2 * r + 1];

        sum.positives += positive;
        sum.negatives += negative;
        sum.negative_before += r < rank ? negative : 0.0;
        sum.positive_behind += r > rank ? positive : 0.0;
        sum.negative_behind += r > rank ? negative : 0.0;
    }
    *out = sum;

done:
    free(all);
    return status;
}

/* Local. This rank's part of the number of pairs in the right order. */
static double sum_pairs(const sdca_score_group *group, int64_t count, double before)
{
    compensated_sum pairs = { 0.0, 0.0 }, below = { before, 0.0 };

    for (int64_t i = 0; i < count; i++) {
        compensated_add(&pairs, group[i].positive * (compensated_value(&below) +
                                                     0.5 * group[i].negative));
        compensated_add(&below, group[i].negative);
    }
    return compensated_value(&pairs);
}

/* Local. This rank's part of the sum of precisions, not yet divided by all positives. */
static double sum_precisions(const sdca_score_group *group, int64_t count,
                             double positive_behind, double negative_behind)
{
    compensated_sum sum = { 0.0, 0.0 }, right = { positive_behind, 0.0 };
    compensated_sum wrong = { negative_behind, 0.0 };

    for (int64_t i = count; i-- > 0;) {
        compensated_add(&right, group[i].positive);
        compensated_add(&wrong, group[i].negative);
        if (group[i].positive > 0.0) {
            double found = compensated_value(&right);

            compensated_add(&sum, group[i].positive *
                                      (found / (found + compensated_value(&wrong))));
        }
    }
    return compensated_value(&sum);
}

/* Sort the groups of all ranks and sum up their weights; s->group and s->count become
 * the share of this rank. Collective. free(s->sorted) must follow, also after a
 * failure. */
static sdca_status rank_groups(MPI_Comm comm, int64_t max_received,
                               sdca_score_group *group, int64_t count, sorting *s,
                               rank_weights *sum)
{
    sdca_status status = SDCA_OK;

    *s       = (sorting){ .comm = comm, .ranks = sdca_comm_size(comm), .group = group };
    s->chunk = max_received / s->ranks > 1 ? max_received / s->ranks : 1;
    s->count = merge_groups(group, count);
    if (s->ranks > 1) {
        SDCA_TRY(sort_groups(s));
        s->group = s->sorted;
        s->count = s->sorted_count;
    }
    SDCA_TRY(sum_weights(comm, s->group, s->count, sum));

done:
    return status;
}

sdca_status sdca_ranking_measure_in_chunks(MPI_Comm comm, int64_t max_received,
                                           sdca_score_group *group, int64_t count,
                                           sdca_ranking *out)
{
    sdca_status  status = SDCA_OK;
    sorting      s      = { .sorted = NULL };
    rank_weights sum;
    double       part[2];

    SDCA_TRY(rank_groups(comm, max_received, group, count, &s, &sum));
    part[0] = sum_pairs(s.group, s.count, sum.negative_before);
    part[1] = sum_precisions(s.group, s.count, sum.positive_behind, sum.negative_behind);
    sdca_comm_allreduce_sum(comm, part, 2);
    out->auc               = sum.positives > 0.0 && sum.negatives > 0.0
                                 ? part[0] / sum.positives / sum.negatives
                                 : NAN;
    out->average_precision = sum.positives > 0.0 ? part[1] / sum.positives : NAN;

done:
    free(s.sorted);
    return status;
}

sdca_status sdca_ranking_measure(MPI_Comm comm, sdca_score_group *group, int64_t count,
                                 sdca_ranking *out)
{
    return sdca_ranking_measure_in_chunks(comm, MAX_RECEIVED, group, count, out);
}

/* The number of the grid cell of a point of the curve. */
static double find_cell(const rank_weights *sum, double positive, double negative)
{
    return floor((positive / sum->positives + negative / sum->negatives) / 2.0 *
                 SDCA_CURVE_CELLS);
}

/* The corners of the curve that this rank keeps, from the greatest score on: the first
 * one in each cell. Local. */
static int list_corners(const sorting *s, const rank_weights *sum,
                        sdca_curve_corner *corner)
{
    compensated_sum positive = { sum->positive_behind, 0.0 };
    compensated_sum negative = { sum->negative_behind, 0.0 };
    int             count    = 0;

    for (int64_t i = s->count; i-- > 0;) {
        double before =
            find_cell(sum, compensated_value(&positive), compensated_value(&negative));
        double right, wrong;

        compensated_add(&positive, s->group[i].positive);
        compensated_add(&negative, s->group[i].negative);
        right = compensated_value(&positive);
        wrong = compensated_value(&negative);
        if (find_cell(sum, right, wrong) > before && count < SDCA_CURVE_CELLS) {
            corner[count++] =
                (sdca_curve_corner){ .threshold           = s->group[i].score,
                                     .false_positive_rate = wrong / sum->negatives,
                                     .true_positive_rate  = right / sum->positives,
                                     .precision           = right / (right + wrong) };
        }
    }
    return count;
}

/* The corners of all ranks, those of the last rank first. Collective. */
static sdca_status gather_corners(MPI_Comm comm, const sdca_curve_corner *mine, int count,
                                  sdca_curve *out)
{
    enum { NUMBERS = sizeof *mine / sizeof(double) };
    int         ranks = sdca_comm_size(comm), before = 0, total = 0;
    int        *counts = sdca_alloc_zeroed((size_t)ranks, sizeof *counts);
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(
        comm, counts != NULL ? SDCA_OK
                             : SDCA_FAIL(SDCA_MEMORY, "no memory for %d ranks", ranks)));
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, comm);
    for (int r = 0; r < ranks; r++) {
        before += r > sdca_comm_rank(comm) ? counts[r] : 0;
        total += counts[r];
    }
    out->corner = sdca_alloc_zeroed((size_t)total + 1, sizeof *out->corner);
    SDCA_TRY(sdca_comm_agree(
        comm,
        out->corner != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a curve")));
    out->count = total;
    for (int k = 0; k < count; k++) {
        out->corner[before + k] = mine[k];
    }
    sdca_comm_allreduce_sum(comm, (double *)out->corner, (int64_t)total * NUMBERS);

done:
    free(counts);
    return status;
}

sdca_status sdca_ranking_trace(MPI_Comm comm, sdca_score_group *group, int64_t count,
                               sdca_curve *out)
{
    sdca_status        status = SDCA_OK;
    sorting            s      = { .sorted = NULL };
    rank_weights       sum    = { .positive = 0.0 };
    sdca_curve_corner *mine   = sdca_alloc_zeroed(SDCA_CURVE_CELLS, sizeof *mine);
    int                listed = 0;

    *out = (sdca_curve){ .count = 0 };
    SDCA_TRY(sdca_comm_agree(
        comm, mine != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a curve")));
    SDCA_TRY(rank_groups(comm, MAX_RECEIVED, group, count, &s, &sum));
    if (sum.positives > 0.0 && sum.negatives > 0.0) {
        listed = list_corners(&s, &sum, mine);
    }
    SDCA_TRY(gather_corners(comm, mine, listed, out));

done:
    free(s.sorted);
    free(mine);
    return status;
}

void sdca_curve_free(sdca_curve *curve)
{
    free(curve->corner);
    *curve = (sdca_curve){ .count = 0 };
}
