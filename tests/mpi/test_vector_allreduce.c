/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_vector_allreduce.c - allreduce of a vector through shared memory and between
 * nodes. */
#include "mpi/vector_allreduce.h"

#include "support/mpi_check.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROUNDS = 9 };

/* Who marks the changes: no rank; all; some of them in some rounds. */
enum { NONE_MARK, ALL_MARK, SOME_MARK, MARK_MODES };
static int mark_mode = NONE_MARK;

/* The maximum number of ranks per emulated node: the linker replaces MPI's function,
 * which sees only one node. */
static int node_limit = INT_MAX;

int __real_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out);
int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out);

int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out)
{
    MPI_Comm machine;

    __real_MPI_Comm_split_type(comm, type, key, info, &machine);
    MPI_Comm_split(machine, sdca_comm_rank(machine) / node_limit, key, out);
    return MPI_Comm_free(&machine);
}

/* A rank's change at a place in a round: integers, so that sums are exact. */
static double part(int rank, int64_t place, int round)
{
    bool zero = (round % 3 == 2 && (place + rank) % 11 > 0) || /* sparse in some rounds */
                (round % 9 == 4 && (place + 1000 * rank) % 2000 > 20); /* few lines */

    return zero ? 0.0
                : (double)(((rank + 1) * (place + 3) + 100 * round * (rank % 2)) % 1000);
}

/* The initial vector, and the step size of a round. */
static double start(int64_t place)
{
    return (double)(place % 7);
}

static double factor_of(int round, int lane)
{
    return (round % 2 == 0 ? 1.0 : 0.5) * (double)((lane + 1) % 3);
}

/* Scalars summed along with the vector. */
enum { SCALARS = 2 };

static void change(sdca_vector_allreduce *exchange, int round, double scalars[SCALARS])
{
    int rank = sdca_comm_rank(*world);

    exchange->marked =
        mark_mode == ALL_MARK || (mark_mode == SOME_MARK && (rank + round) % 2 == 0);
    for (int64_t j = 0; j < exchange->length; j++) {
        if (exchange->marked && part(rank, j, round) != 0.0) {
            int64_t line = (j / exchange->lanes) >> exchange->marks.shift;

            exchange->marks.line[line]                     = 1;
            exchange->marks.chunk[line / SDCA_CHUNK_LINES] = 1;
        }
        exchange->local[j] += part(rank, j, round);
    }
    for (int j = 0; j < SCALARS; j++) {
        scalars[j] = part(rank, 1000 + j, round);
    }
}

static double sum_of_parts(int64_t place, int round)
{
    double sum = 0.0;

    for (int rank = 0; rank < sdca_comm_size(*world); rank++) {
        sum += part(rank, place, round);
    }
    return sum;
}

static bool is_near(double x, double y)
{
    return fabs(x - y) <= 1e-12 * fabs(y);
}

/* |w|^2 may be that of the columns that have changed, or of some more. */
static bool are_near(const sdca_update_norms *x, const sdca_update_norms *y,
                     double changed_w_norm2)
{
    return x->w_norm2 <= y->w_norm2 * (1.0 + 1e-12) &&
           x->w_norm2 >= changed_w_norm2 * (1.0 - 1e-12) &&
           is_near(x->w_dot_dw, y->w_dot_dw) && is_near(x->dw_norm2, y->dw_norm2) &&
           is_near(x->local_norm2, y->local_norm2);
}

/* Whether the sums of a round agree with the old w, and w is updated correctly. */
static bool has_right_sums(const sdca_vector_allreduce *exchange, int round,
                           const double scalars[SCALARS], double *w)
{
    sdca_update_norms changes[SDCA_VECTOR_ALLREDUCE_MAX_LANES] = { { 0.0, 0.0, 0.0,
                                                                     0.0 } };
    double            changed_w_norm2[SDCA_VECTOR_ALLREDUCE_MAX_LANES] = { 0.0 };
    bool              right                                            = true;

    for (int64_t j = 0; j < exchange->length; j++) {
        int                lane = (int)(j % exchange->lanes);
        sdca_update_norms *of   = &changes[lane];
        double             sum  = sum_of_parts(j, round);

        for (int rank = 0; rank < sdca_comm_size(*world); rank++) {
            of->local_norm2 += part(rank, j, round) * part(rank, j, round);
        }
        of->w_norm2 += w[j] * w[j];
        changed_w_norm2[lane] += sum != 0.0 ? w[j] * w[j] : 0.0;
        of->w_dot_dw += w[j] * sum;
        of->dw_norm2 += sum * sum;
        w[j] += factor_of(round, lane) * sum;
    }
    for (int j = 0; j < SCALARS; j++) {
        right = right && scalars[j] == sum_of_parts(1000 + j, round);
    }
    for (int lane = 0; lane < exchange->lanes; lane++) {
        right = right &&
                are_near(&exchange->norms[lane], &changes[lane], changed_w_norm2[lane]);
    }
    return right;
}

/* A slow rank still finds its data when fast ones are in the next round. */
static void dawdle(int round)
{
    double end = MPI_Wtime() + (sdca_comm_rank(*world) == round % 3 ? 2e-4 : 0.0);

    while (MPI_Wtime() < end) {
    }
}

static double *vector(int64_t length)
{
    double *w = malloc((size_t)length * sizeof *w);

    ck_assert_ptr_nonnull(w);
    for (int64_t j = 0; j < length; j++) {
        w[j] = start(j);
    }
    return w;
}

/* Add to the last column what all ranks add alike, between two rounds. */
static void add_to_last_column(sdca_vector_allreduce *exchange, double *w)
{
    for (int64_t j = exchange->length - exchange->lanes; j < exchange->length; j++) {
        w[j] += 5.0;
        exchange->local[j] += 5.0;
    }
    sdca_vector_allreduce_rebase_column(exchange, exchange->columns - 1);
}

/* Rounds of changes, sums and steps. Returns whether all are correct. Collective. */
static bool goes_on(sdca_vector_allreduce *exchange)
{
    double *expected = vector(exchange->length);
    size_t  bytes    = (size_t)exchange->length * sizeof *expected;
    bool    right    = true;

    memcpy(exchange->local, expected, bytes);
    sdca_vector_allreduce_rebase(exchange);
    for (int round = 0; round < ROUNDS; round++) {
        double scalars[SCALARS], factor[SDCA_VECTOR_ALLREDUCE_MAX_LANES];

        for (int lane = 0; lane < exchange->lanes; lane++) {
            factor[lane] = factor_of(round, lane);
        }
        change(exchange, round, scalars);
        sdca_vector_allreduce_sum(exchange, scalars, SCALARS);
        dawdle(round);
        right = has_right_sums(exchange, round, scalars, expected) && right;
        sdca_vector_allreduce_apply(exchange, factor);
        right = memcmp(exchange->local, expected, bytes) == 0 && right;
        add_to_last_column(exchange, expected);
    }
    free(expected);
    return right;
}

/* Columns and lanes with nodes of any size, of 1, 2 and 3 ranks. */
static const struct {
    int64_t columns;
    int     lanes;
} sizes[] = { { 1, 1 },     { 2, 1 },  { 7, 1 },   { 64, 1 },   { 1000, 1 },
              { 30011, 1 }, { 1, 4 },  { 7, 4 },   { 1001, 4 }, { 1, 8 },
              { 2, 8 },     { 64, 8 }, { 999, 8 }, { 12503, 8 } };

/* The marks of all ranks are clear after a round. */
static bool marks_are_clear(const sdca_vector_allreduce *exchange)
{
    bool clear = true;

    for (int64_t line = 0; line < exchange->lines; line++) {
        clear = clear && exchange->marks.line[line] == 0 &&
                exchange->marks.chunk[line / SDCA_CHUNK_LINES] == 0;
    }
    return clear;
}

/* What a round with few changed lines sends, beside scalars: those lines. */
START_TEST(few_lines_are_few_bytes)
{
    enum { COLUMNS = 100000 };
    const int             lanes    = _i == 0 ? 1 : _i == 1 ? 4 : 8;
    const double          factor[] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    sdca_vector_allreduce exchange;
    double                scalar = 1.0;
    int                   rank   = sdca_comm_rank(*world);
    int                   ranks  = sdca_comm_size(*world);

    ck_assert_all(sdca_vector_allreduce_create(*world, COLUMNS, lanes, &exchange) ==
                  SDCA_OK);
    memset(exchange.local, 0, (size_t)exchange.length * sizeof *exchange.local);
    sdca_vector_allreduce_rebase(&exchange);
    exchange.marked = true;
    for (int k = 0; k < 3; k++) {
        int64_t j    = (rank + k) * 777 * lanes;
        int64_t line = j / SDCA_LINE;

        exchange.local[j] += 1.0;
        exchange.marks.line[line]                     = 1;
        exchange.marks.chunk[line / SDCA_CHUNK_LINES] = 1;
    }
    sdca_vector_allreduce_sum(&exchange, &scalar, 1);
    sdca_vector_allreduce_apply(&exchange, factor);
    ck_assert_all(exchange.touched_lines == ranks + 2);
    ck_assert_all(exchange.bytes_sent == (ranks + 2) * SDCA_LINE * 8 + 8);
    ck_assert_all(marks_are_clear(&exchange));
    ck_assert_all(exchange.local[(ranks + 1) * 777 * lanes] == 1.0);
    ck_assert_all(exchange.local[1] == 0.0);
    sdca_vector_allreduce_free(&exchange);
}
END_TEST

START_TEST(every_rank_gets_the_sum)
{
    const int             limits[] = { INT_MAX, 1, 2, 3 };
    int64_t               columns  = sizes[_i / 4 % (int)LENGTH(sizes)].columns;
    int                   lanes    = sizes[_i / 4 % (int)LENGTH(sizes)].lanes;
    sdca_vector_allreduce exchange;

    node_limit = limits[_i % 4];
    mark_mode  = _i / 4 / (int)LENGTH(sizes);
    ck_assert_all(sdca_vector_allreduce_create(*world, columns, lanes, &exchange) ==
                  SDCA_OK);
    ck_assert_int_eq(exchange.length, columns * lanes);
    ck_assert_int_eq(exchange.nodes,
                     (sdca_comm_size(*world) - 1) / (_i % 4 == 0 ? 100 : limits[_i % 4]) +
                         1);
    ck_assert_all(goes_on(&exchange));
    ck_assert_all(marks_are_clear(&exchange));
    ck_assert_all(exchange.nodes > 1 || mark_mode != NONE_MARK ||
                  exchange.bytes_sent == ROUNDS * (exchange.length + SCALARS) * 8);
    ck_assert_all(exchange.nodes != 2 || sdca_comm_size(*world) > 2 ||
                  exchange.length < 1000 || exchange.node_rank > 0 ||
                  exchange.sparse_reductions == ROUNDS / 3 + 1);
    sdca_vector_allreduce_free(&exchange);
    node_limit = INT_MAX;
}
END_TEST

static bool is_the_same_everywhere(const double *x, int count)
{
    bool same = true;

    for (int j = 0; j < count; j++) {
        double least = x[j], most = x[j];

        sdca_comm_allreduce_min(*world, &least, 1);
        sdca_comm_allreduce_max(*world, &most, 1);
        same = same && least == most;
    }
    return same;
}

/* Sums of numbers of all magnitudes have the same bits on every rank, also with different
 * numbers of ranks per node. */
START_TEST(all_ranks_have_the_same_bits)
{
    enum { COLUMNS = 501 };
    const int             lanes    = _i < 4 ? 1 : _i < 8 ? 4 : 8;
    const double          factor[] = { 0.3, 0.0, 1.0, 0.7, 0.1, 0.2, 0.9, 0.4 };
    sdca_vector_allreduce exchange;
    double                scalar = 1.0 / (3 + sdca_comm_rank(*world));

    node_limit = _i % 4 == 0 ? INT_MAX : _i % 4;
    ck_assert_all(sdca_vector_allreduce_create(*world, COLUMNS, lanes, &exchange) ==
                  SDCA_OK);
    for (int64_t j = 0; j < exchange.length; j++) {
        exchange.local[j] = 1.0 / (double)(7 + j);
    }
    sdca_vector_allreduce_rebase(&exchange);
    for (int64_t j = 0; j < exchange.length; j++) {
        exchange.local[j] += 1.0 / ((double)(1 + j) + 1e6 * sdca_comm_rank(*world));
    }
    sdca_vector_allreduce_sum(&exchange, &scalar, 1);
    sdca_vector_allreduce_apply(&exchange, factor);
    ck_assert_all(is_the_same_everywhere(exchange.local, (int)exchange.length));
    ck_assert_all(is_the_same_everywhere(&scalar, 1));
    for (int m = 0; m < lanes; m++) {
        ck_assert_all(is_the_same_everywhere(&exchange.norms[m].w_norm2, 1));
        ck_assert_all(is_the_same_everywhere(&exchange.norms[m].w_dot_dw, 1));
        ck_assert_all(is_the_same_everywhere(&exchange.norms[m].dw_norm2, 1));
        ck_assert_all(is_the_same_everywhere(&exchange.norms[m].local_norm2, 1));
    }
    sdca_vector_allreduce_free(&exchange);
    node_limit = INT_MAX;
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, every_rank_gets_the_sum, 0,
                        MARK_MODES * 4 * LENGTH(sizes));
    tcase_add_loop_test(tests, few_lines_are_few_bytes, 0, 3);
    tcase_add_loop_test(tests, all_ranks_have_the_same_bits, 0, 12);
}
