/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_comm.c - agreement, reductions and gathers on all ranks, without deadlock. */
#include "mpi/comm.h"

#include "support/mpi_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm_chunked.h"

static int rank, size;

static void meet(void)
{
    rank = sdca_comm_rank(MPI_COMM_WORLD);
    size = sdca_comm_size(MPI_COMM_WORLD);
}

START_TEST(agreement_on_success)
{
    ck_assert_all(sdca_comm_agree(MPI_COMM_WORLD, SDCA_OK) == SDCA_OK);
}
END_TEST

START_TEST(one_failure_fails_all_ranks)
{
    for (int failing_rank = 0; failing_rank < size;
         failing_rank++) { /* each rank fails in turn */
        char        sentence[64];
        sdca_status mine = rank == failing_rank
                               ? SDCA_FAIL(SDCA_IO, "rank %d lost its file", rank)
                               : SDCA_OK;

        snprintf(sentence, sizeof sentence, "rank %d lost its file", failing_rank);
        ck_assert_all(sdca_comm_agree(MPI_COMM_WORLD, mine) == SDCA_IO);
        ck_assert_all(strcmp(sdca_status_message(), sentence) == 0);
    }
}
END_TEST

START_TEST(the_worst_failure_wins)
{
    for (int worst = 0; worst < size; worst++) {
        char        sentence[64];
        sdca_status mine = rank == worst
                               ? SDCA_FAIL(SDCA_DATA, "row %d is bad", rank)
                               : SDCA_FAIL(SDCA_USAGE, "rank %d disagrees", rank);

        snprintf(sentence, sizeof sentence, "row %d is bad", worst);
        ck_assert_all(sdca_comm_agree(MPI_COMM_WORLD, mine) == SDCA_DATA);
        ck_assert_all(strcmp(sdca_status_message(), sentence) == 0);
    }
}
END_TEST

START_TEST(of_equal_failures_the_lowest_rank_wins)
{
    for (int lowest = 0; lowest < size; lowest++) {
        char        sentence[64];
        sdca_status mine =
            rank >= lowest ? SDCA_FAIL(SDCA_MEMORY, "rank %d is full", rank) : SDCA_OK;

        snprintf(sentence, sizeof sentence, "rank %d is full", lowest);
        ck_assert_all(sdca_comm_agree(MPI_COMM_WORLD, mine) == SDCA_MEMORY);
        ck_assert_all(strcmp(sdca_status_message(), sentence) == 0);
    }
}
END_TEST

/* The contribution of rank r at k: different everywhere, with exact sums. */
static int64_t share(int r, int k)
{
    return (r % 2 == 0 ? 1 : -1) * (1000 * r + k);
}

/* Arrays longer than one MPI call may carry; the element after the array must not be
 * modified. */
enum { LONGEST = 20, MAX_CHUNK = 3 };

static int64_t expected(int k, char operation)
{
    int64_t result = share(0, k);

    for (int r = 1; r < size; r++) {
        int64_t x = share(r, k);

        result = operation == '+'   ? result + x
                 : operation == '<' ? (x < result ? x : result)
                                    : (x > result ? x : result);
    }
    return result;
}

static void sum_in_pieces(MPI_Comm comm, double *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_DOUBLE, MPI_SUM, MAX_CHUNK);
}

static void min_in_pieces(MPI_Comm comm, int64_t *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_INT64_T, MPI_MIN, MAX_CHUNK);
}

static bool reduces_doubles(void (*reduce)(MPI_Comm, double *, int64_t), char operation,
                            int count)
{
    double x[LONGEST + 1];
    bool   right = true;

    for (int k = 0; k <= LONGEST; k++) {
        x[k] = (double)share(rank, k);
    }
    reduce(MPI_COMM_WORLD, x, count);
    for (int k = 0; k <= LONGEST; k++) {
        right = right &&
                x[k] == (double)(k < count ? expected(k, operation) : share(rank, k));
    }
    return right;
}

static bool reduces_integers(void (*reduce)(MPI_Comm, int64_t *, int64_t), char operation,
                             int count)
{
    const int64_t beyond_double = (int64_t)1 << 58;
    int64_t       x[LONGEST + 1];
    bool          right = true;

    for (int k = 0; k <= LONGEST; k++) {
        x[k] = share(rank, k) + beyond_double;
    }
    reduce(MPI_COMM_WORLD, x, count);
    for (int k = 0; k <= LONGEST; k++) {
        int64_t shift = beyond_double * (operation == '+' && k < count ? size : 1);

        right = right &&
                x[k] - shift == (k < count ? expected(k, operation) : share(rank, k));
    }
    return right;
}

START_TEST(reductions_of_every_length)
{
    for (int count = 0; count <= LONGEST; count++) {
        ck_assert_all(reduces_doubles(sdca_comm_allreduce_sum, '+', count));
        ck_assert_all(reduces_doubles(sdca_comm_allreduce_min, '<', count));
        ck_assert_all(reduces_doubles(sdca_comm_allreduce_max, '>', count));
        ck_assert_all(reduces_integers(sdca_comm_allreduce_sum_int64, '+', count));
        ck_assert_all(reduces_integers(sdca_comm_allreduce_min_int64, '<', count));
        ck_assert_all(reduces_doubles(sum_in_pieces, '+', count));
        ck_assert_all(reduces_integers(min_in_pieces, '<', count));
    }
}
END_TEST

START_TEST(sums_are_bitwise_equal_everywhere)
{
    /* Terms of very different size, whose sum depends on the order. */
    double x[LONGEST], low[LONGEST], high[LONGEST];

    for (int k = 0; k < LONGEST; k++) {
        x[k] = 1.0 / (1 + rank * LONGEST + k) * (rank % 2 == 0 ? 1e16 : -1e16 / 3.0);
    }
    sdca_comm_allreduce_sum(MPI_COMM_WORLD, x, LONGEST);
    memcpy(low, x, sizeof x);
    memcpy(high, x, sizeof x);
    sdca_comm_allreduce_min(MPI_COMM_WORLD, low, LONGEST);
    sdca_comm_allreduce_max(MPI_COMM_WORLD, high, LONGEST);
    ck_assert_all(memcmp(low, x, sizeof x) == 0 && memcmp(high, x, sizeof x) == 0);
}
END_TEST

/* Rank 0's side of a gather: received values, and when to refuse more. */
typedef struct basket {
    int64_t calls, refuse_at;
    int64_t taken, longest;
    double *value;
} basket;

static sdca_status take(void *context, const double *values, int64_t count)
{
    basket *b = context;

    if (++b->calls == b->refuse_at) {
        return SDCA_FAIL(SDCA_IO, "call %lld refused", (long long)b->calls);
    }
    memcpy(b->value + b->taken, values, (size_t)count * sizeof *values);
    b->taken += count;
    b->longest = count > b->longest ? count : b->longest;
    return SDCA_OK;
}

/* Gather counts[r] numbers from every rank r, total in all: 0, 1, 2, ... */
static sdca_status gather(const int64_t *counts, basket *b)
{
    int64_t     before = 0, total = 0;
    double     *mine = NULL;
    sdca_status status;

    for (int r = 0; r < size; r++) {
        before += r < rank ? counts[r] : 0;
        total += counts[r];
    }
    mine     = malloc(((size_t)counts[rank] + 1) * sizeof *mine);
    b->value = malloc(((size_t)total + 1) * sizeof *b->value);
    for (int64_t k = 0; k < counts[rank]; k++) {
        mine[k] = (double)(before + k);
    }
    status = sdca_comm_gather(MPI_COMM_WORLD, mine, counts[rank], take, b);
    free(mine);
    return status;
}

static bool holds_first(const basket *b, int64_t count)
{
    bool right = b->taken == count;

    for (int64_t k = 0; right && k < count; k++) {
        right = b->value[k] == (double)k;
    }
    return right;
}

START_TEST(gathered_values_are_in_rank_order)
{
    for (int empty = 0; empty <= size; empty++) { /* each rank in turn is empty */
        basket   b      = { 0 };
        int64_t *counts = malloc((size_t)size * sizeof *counts);
        int64_t  total  = 0;

        for (int r = 0; r < size; r++) {
            counts[r] = r == empty ? 0 : 7 * r + 3;
            total += counts[r];
        }
        ck_assert_all(gather(counts, &b) == SDCA_OK);
        ck_assert_all(holds_first(&b, rank == 0 ? total : 0));
        free(b.value);
        free(counts);
    }
}
END_TEST

START_TEST(empty_gather_makes_no_calls)
{
    basket   b      = { 0 };
    int64_t *counts = calloc((size_t)size, sizeof *counts);

    ck_assert_all(gather(counts, &b) == SDCA_OK);
    ck_assert_all(b.calls == 0);
    free(b.value);
    free(counts);
}
END_TEST

START_TEST(large_gathers_use_bounded_pieces)
{
    enum { MANY = 300001, BOUND = 1 << 17 };
    basket   b      = { 0 };
    int64_t *counts = malloc((size_t)size * sizeof *counts);

    for (int r = 0; r < size; r++) {
        counts[r] = r == 0 ? 5 : MANY;
    }
    ck_assert_all(gather(counts, &b) == SDCA_OK);
    ck_assert_all(holds_first(&b, rank == 0 ? 5 + (int64_t)(size - 1) * MANY : 0));
    ck_assert_all(b.longest <= BOUND);
    free(b.value);
    free(counts);
}
END_TEST

START_TEST(refusal_in_a_gather_reaches_all)
{
    enum { MANY = 300001 };
    int64_t *counts = malloc((size_t)size * sizeof *counts);
    int64_t  calls  = 0;

    for (int r = 0; r < size; r++) {
        counts[r] = r == 0 ? 5 : MANY;
    }
    do {
        basket b = { .refuse_at = calls + 1 };
        char   sentence[64];

        snprintf(sentence, sizeof sentence, "call %lld refused", (long long)calls + 1);
        ck_assert_all(gather(counts, &b) == SDCA_IO);
        ck_assert_all(strcmp(sdca_status_message(), sentence) == 0);
        ck_assert_all(rank != 0 || b.calls == b.refuse_at); /* not called again */
        free(b.value);
        calls++;
    } while (calls < 1 + 3 * (size - 1)); /* the number of pieces */
    free(counts);
}
END_TEST

START_TEST(broadcast_is_from_rank_0)
{
    char text[8];

    snprintf(text, sizeof text, "%d", rank);
    sdca_comm_broadcast(MPI_COMM_WORLD, text, sizeof text);
    ck_assert_all(strcmp(text, "0") == 0);
}
END_TEST

enum { WIDTH = 100000 /* two records are more than a piece */ };

/* Record k of a rank has the numbers 10 rank + k. */
static void make_records(void *context, sdca_range records, double *x)
{
    (void)context;
    for (int64_t k = 0; k < records.count * WIDTH; k++) {
        x[k] = (double)(10 * rank + records.first + k / WIDTH);
    }
}

static sdca_status take_records(void *context, const double *x, int64_t count)
{
    basket *b = context;

    b->longest = count > b->longest ? count : b->longest;
    for (int64_t k = 0; k < count; k += WIDTH, b->taken++) {
        b->value[b->taken] = x[k] == x[k + WIDTH - 1] ? x[k] : -1.0;
    }
    return SDCA_OK;
}

START_TEST(records_are_gathered_whole)
{
    double value[16];
    basket b = { .value = value };

    ck_assert_all(sdca_comm_gather_records(MPI_COMM_WORLD, rank + 1, WIDTH, make_records,
                                           take_records, &b) == SDCA_OK);
    if (rank == 0) {
        ck_assert(b.taken == size * (size + 1) / 2 && b.longest == WIDTH);
        for (int r = 0, at = 0; r < size; at += ++r) {
            for (int k = 0; k <= r; k++) {
                ck_assert_double_eq(value[at + k], 10.0 * r + k);
            }
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, meet, NULL);

    tcase_add_test(tests, agreement_on_success);
    tcase_add_test(tests, one_failure_fails_all_ranks);
    tcase_add_test(tests, the_worst_failure_wins);
    tcase_add_test(tests, of_equal_failures_the_lowest_rank_wins);
    tcase_add_test(tests, reductions_of_every_length);
    tcase_add_test(tests, sums_are_bitwise_equal_everywhere);
    tcase_add_test(tests, broadcast_is_from_rank_0);
    tcase_add_test(tests, gathered_values_are_in_rank_order);
    tcase_add_test(tests, empty_gather_makes_no_calls);
    tcase_add_test(tests, large_gathers_use_bounded_pieces);
    tcase_add_test(tests, refusal_in_a_gather_reaches_all);
    tcase_add_test(tests, records_are_gathered_whole);
}
