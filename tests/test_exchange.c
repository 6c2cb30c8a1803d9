/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_exchange.c - sums over ranks, through shared memory and between nodes. */
#include "sdca/exchange.h"

#include "mpi_check.h"

#include <limits.h>
#include <math.h>

#include "sdca/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROUNDS = 9 };

/* The most ranks on what passes for a node: the linker puts this function in the place of
 * MPI's, which knows one node only. */
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

/* What a rank adds at a place of a round: whole numbers, so that sums are exact. */
static double part(int rank, int64_t place, int round)
{
    bool zero = round % 3 == 2 && (place + rank) % 11 > 0; /* mostly, at times */

    return zero ? 0.0 : (double)((rank + 1) * (place + 3) + 100 * round * (rank % 2));
}

static void fill(sdca_exchange *exchange, int round)
{
    for (int64_t j = 0; j < exchange->length; j++) {
        exchange->mine[j] = part(sdca_comm_rank(*world), j, round);
    }
}

static bool is_right(const sdca_exchange *exchange, int round)
{
    double norm2 = 0.0;

    for (int64_t j = 0; j < exchange->length; j++) {
        double sum = 0.0;

        for (int rank = 0; rank < sdca_comm_size(*world); rank++) {
            sum += part(rank, j, round);
        }
        if (exchange->sum[j] != sum) {
            return false;
        }
        norm2 += j < exchange->length - exchange->scalars ? sum * sum : 0.0;
    }
    return fabs(exchange->norm2 - norm2) <= 1e-13 * norm2;
}

/* A slow reader still has its sum when fast ranks have filled the next round's. */
static void dawdle(int round)
{
    double end = MPI_Wtime() + (sdca_comm_rank(*world) == round % 3 ? 2e-4 : 0.0);

    while (MPI_Wtime() < end) {
    }
}

START_TEST(every_rank_gets_the_sum)
{
    const int     limits[]  = { INT_MAX, 1, 2, 3 };
    const int64_t lengths[] = { 1, 2, 7, 64, 1000, 100003 };
    sdca_exchange exchange;
    bool          right = true;

    node_limit = limits[_i % 4];
    ck_assert_all(sdca_exchange_create(*world, lengths[_i / 4], 2, &exchange) == SDCA_OK);
    ck_assert_int_eq(exchange.nodes,
                     (sdca_comm_size(*world) - 1) / (_i % 4 == 0 ? 100 : limits[_i % 4]) +
                         1);
    for (int round = 0; round < ROUNDS; round++) {
        fill(&exchange, round);
        sdca_exchange_sum(&exchange);
        dawdle(round);
        right = right && is_right(&exchange, round);
    }
    ck_assert_all(right);
    ck_assert_all(exchange.nodes > 1 ||
                  exchange.bytes == ROUNDS * (lengths[_i / 4] + 2) * 8);
    ck_assert_all(exchange.nodes != 2 || sdca_comm_size(*world) > 2 ||
                  lengths[_i / 4] < 64 || exchange.rank > 0 ||
                  exchange.sparse == ROUNDS / 3);
    sdca_exchange_free(&exchange);
    node_limit = INT_MAX;
}
END_TEST

/* Sums of numbers of all sizes have the same bits on every rank. */
START_TEST(all_ranks_have_the_same_bits)
{
    enum { LENGTH = 501 };
    sdca_exchange exchange;
    double        least[LENGTH], most[LENGTH];
    bool          same = true;

    node_limit = _i == 0 ? INT_MAX : _i;
    ck_assert_all(sdca_exchange_create(*world, LENGTH, 0, &exchange) == SDCA_OK);
    for (int j = 0; j < LENGTH; j++) {
        exchange.mine[j] = 1.0 / (1 + j + 1e6 * sdca_comm_rank(*world));
    }
    sdca_exchange_sum(&exchange);
    for (int j = 0; j < LENGTH; j++) {
        least[j] = most[j] = exchange.sum[j];
    }
    sdca_comm_min(*world, least, LENGTH);
    sdca_comm_max(*world, most, LENGTH);
    for (int j = 0; j < LENGTH; j++) {
        same = same && least[j] == most[j];
    }
    ck_assert_all(same);
    sdca_exchange_free(&exchange);
    node_limit = INT_MAX;
}
END_TEST

static Suite *suite(void)
{
    Suite *all   = suite_create("exchange");
    TCase *tests = tcase_create("exchange");

    suite_add_tcase(all, tests);
    tcase_add_loop_test(tests, every_rank_gets_the_sum, 0, 24);
    tcase_add_loop_test(tests, all_ranks_have_the_same_bits, 0, 3);
    return all;
}

int main(int argc, char **argv)
{
    return mpi_check_run(&argc, &argv, suite);
}
