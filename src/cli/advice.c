/* SPDX-License-Identifier: BSD-3-Clause
 *
 * advice.c - what about a run looks like a mistake, or will make it slow.
 *
 * The limits were tried on a9a, abalone, arxiv-astro, cov1, ijcnn1, rcv1, reuters, w8a
 * and all generated shapes, which give no advice, and on cadata, which does. */
#include "advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plural.h"
#include "sdca/comm.h"
#include "sdca/newton.h"

/* Rows of mean length from 1/FAR to FAR, none longer than FAR times that, are fine. */
static const double far = 10.0;

/* Epochs are in proportion to |x|^2/(lambda gamma n): measured, 0.2 to 10 times as many.
 * From slow on they are thousands; at fair they are not worth a word. */
static const double slow = 1000.0, fair = 100.0;

/* A rank with so much more work than the mean makes the others wait. */
static const double uneven = 2.0;

/* A table has at most FEW columns, and PER_COLUMN rows or more for each: all of them
 * should be in use. One category in so many may be missing by chance from rows that are a
 * sample; a twentieth of the columns is not. Text has columns that no row uses, and that
 * is no mistake; with MANY columns, of which most are empty, their numbers are. */
enum { FEW = 8192, PER_COLUMN = 10, TWENTIETH = 20, MANY = 1000000 };

/* Columns are counted up to so many. */
enum { COUNTED = 1 << 20 };

/* Rows that tell whether a column may be the same in all of them. */
enum { SOME = 100 };

/* Sums and extremes over the rows, from what is known of each. Collective. */
static void measure_rows(MPI_Comm comm, const sdca_dataset *data, advice_facts *facts)
{
    int64_t work   = data->x.row[data->x.count].start + data->x.count;
    double  sum[4] = { 0.0, 0.0, 0.0, (double)work };
    double  max[4] = { 0.0, -INFINITY, -INFINITY, (double)work };

    for (uint32_t i = 0; i < data->x.count; i++) {
        double length = sqrt(data->x.row[i].norm2);

        sum[0] += length > 0.0 ? 1.0 : 0.0;
        sum[1] += length;
        sum[2] += data->x.row[i].norm2;
        max[0] = fmax(max[0], length);
        max[1] = fmax(max[1], -data->x.row[i].y);
        max[2] = fmax(max[2], data->x.row[i].y);
    }
    sdca_comm_allreduce_sum(comm, sum, 4);
    sdca_comm_allreduce_max(comm, max, 4);
    facts->length    = sum[0] > 0.0 ? sum[1] / sum[0] : 0.0;
    facts->square    = sum[0] > 0.0 ? sum[2] / sum[0] : 0.0;
    facts->longest   = max[0];
    facts->one_label = -max[1] == max[2];
    facts->uneven    = sum[3] > 0.0 ? max[3] * facts->ranks / sum[3] : 1.0;
}

static bool is_table(int64_t rows, int64_t columns)
{
    return columns <= FEW && rows >= PER_COLUMN * columns;
}

/* Mark the columns that my rows use, a bit for each, until all are seen. */
static void mark_used(const sdca_rows *x, int64_t columns, uint8_t *used)
{
    int64_t count = 0;

    for (int64_t k = 0; k < x->row[x->count].start && count < columns; k++) {
        int64_t j = sdca_rows_column(x, k);

        if (j < columns && (used[j / 8] >> j % 8 & 1) == 0 &&
            sdca_rows_value(x, k) != 0.0) {
            used[j / 8] |= (uint8_t)(1 << j % 8);
            count++;
        }
    }
}

/* Columns that are empty. They are counted in tables, where the first rows tell unless
 * there is something to be told, or if somebody wants to know at any price, which is a
 * pass over the rows; otherwise all that is known is that a non-zero fills one at most.
 * Collective. */
static void find_empty(MPI_Comm comm, const sdca_dataset *data, bool thorough,
                       advice_facts *facts)
{
    static uint8_t used[COUNTED / 8];
    int64_t        columns = facts->columns;

    if (data->column_map != NULL) { /* they were left out */
        facts->counted       = true;
        facts->empty_columns = columns - (data->columns - (data->bias > 0.0));
        return;
    }
    if (!is_table(data->rows, columns) && !(thorough && columns <= COUNTED)) {
        facts->empty_columns = columns > data->nonzeros ? columns - data->nonzeros : 0;
        return;
    }
    memset(used, 0, sizeof used);
    mark_used(&data->x, columns, used);
    MPI_Allreduce(MPI_IN_PLACE, used, (int)(columns + 7) / 8, MPI_UINT8_T, MPI_BOR, comm);
    facts->counted       = true;
    facts->empty_columns = columns;
    for (int64_t j = 0; j < columns; j++) {
        facts->empty_columns -= used[j / 8] >> j % 8 & 1;
    }
}

/* What a column is called in the file. */
static int32_t number_of(const sdca_dataset *data, int64_t column)
{
    return sdca_column_map_original(data->column_map, (int32_t)column);
}

/* x_ij: a search by halves. */
static double value_at(const sdca_rows *x, uint32_t i, int64_t column)
{
    int64_t low = x->row[i].start, high = x->row[i + 1].start;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (sdca_rows_column(x, middle) < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < x->row[i + 1].start && sdca_rows_column(x, low) == column
               ? sdca_rows_value(x, low)
               : 0.0;
}

/* Has the column this value in the first count rows? */
static bool is_constant(const sdca_rows *x, uint32_t count, int64_t column, double value)
{
    uint32_t i = 0;

    while (i < count && value_at(x, i, column) == value) {
        i++;
    }
    return i == count;
}

/* Columns of one value, not 0, in all rows. Each is in any first row; where its columns
 * are the same in some rows after it, all rows are looked at. One alone is a bias, and no
 * matter if there is no other. Collective. */
static void find_constants(MPI_Comm comm, const sdca_dataset *data, advice_facts *facts)
{
    const sdca_rows *x                      = &data->x;
    uint32_t         some                   = x->count < SOME ? x->count : SOME;
    int64_t          found[ADVICE_CONSTANT] = { 0 };
    double           value[ADVICE_CONSTANT] = { 0.0 };
    int64_t          rank                   = sdca_comm_rank(comm);
    int64_t          first                  = x->count > 0 ? rank : sdca_comm_size(comm);
    int              fine = data->bias > 0.0 ? 0 : 1, count = 0;

    sdca_comm_allreduce_min_int64(comm, &first, 1);
    for (int64_t k = 0; first == rank && k < x->row[1].start && count < ADVICE_CONSTANT;
         k++) {
        found[count] = sdca_rows_column(x, k);
        value[count] = sdca_rows_value(x, k);
        count += number_of(data, found[count]) < facts->columns && value[count] != 0.0 &&
                 is_constant(x, some, found[count], value[count]);
    }
    MPI_Bcast(&count, 1, MPI_INT, (int)first, comm);
    MPI_Bcast(found, count, MPI_INT64_T, (int)first, comm);
    MPI_Bcast(value, count, MPI_DOUBLE, (int)first, comm);
    for (int k = 0; count > fine && k < count; k++) {
        found[k] = is_constant(x, x->count, found[k], value[k]) ? found[k] : -1;
    }
    sdca_comm_allreduce_min_int64(comm, found, count);
    for (int k = 0; count > fine && k < count; k++) {
        if (found[k] >= 0) {
            facts->constant[facts->constants++] = number_of(data, found[k]);
        }
    }
}

advice_facts advice_find(MPI_Comm comm, const sdca_dataset *data, bool thorough)
{
    advice_facts facts = { .ranks   = sdca_comm_size(comm),
                           .rows    = data->rows,
                           .columns = sdca_dataset_feature_count(data),
                           .bias    = data->bias > 0.0 };

    measure_rows(comm, data, &facts);
    find_empty(comm, data, thorough, &facts);
    find_constants(comm, data, &facts);
    facts.crowd = cores_most_crowded(comm);
    return facts;
}

static void say(advice *a, const char *format, ...) SDCA_PRINTF_FORMAT(2, 3);

static void say(advice *a, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(a->text[a->count++], ADVICE_SIZE, format, arguments);
    va_end(arguments);
}

static bool lengths_are_far(const advice_facts *facts)
{
    return facts->length > far || facts->longest > far * facts->length ||
           (facts->length > 0.0 && facts->length < 1.0 / far);
}

/* Newton's steps on a smooth loss do not mind lengths. */
static bool lengths_matter(const sdca_objective     *objective,
                           const sdca_train_options *plan)
{
    return plan->solver != SDCA_SOLVER_NEWTON ||
           objective->loss->smoothness(objective->parameter) == 0.0;
}

static void advise_on_columns(const advice_facts *facts, advice *a)
{
    bool    one   = facts->constants == 1;
    int64_t empty = facts->empty_columns;

    if (facts->constants > (facts->bias ? 0 : 1)) {
        say(a,
            "%s%d of %ld columns %s not change from row to row (%lld%s, counted from 0): "
            "leave out %s",
            facts->constants == ADVICE_CONSTANT ? "at least " : "", facts->constants,
            (long)facts->columns, one ? "does" : "do", (long long)facts->constant[0],
            one ? "" : " and others",
            one           ? "this one, as --bias is such a column"
            : facts->bias ? "these, as --bias is such a column"
                          : "all of these but one, which acts as a bias");
    }
    if (is_table(facts->rows, facts->columns)
            ? TWENTIETH * empty >= facts->columns
            : facts->columns >= MANY && 2 * empty > facts->columns) {
        say(a,
            "%s%lld of %ld columns %s empty: check how X was made, and leave out what no "
            "row has",
            facts->counted ? "" : "at least ", (long long)empty, (long)facts->columns,
            empty == 1 ? "is" : "are");
    }
}

static void advise_on_data(const advice_facts *facts, const sdca_objective *objective,
                           const sdca_train_options *plan, advice *a)
{
    if (facts->one_label) {
        say(a, "all rows have the same label, from which nothing can be learned: check "
               "how the labels were made");
    }
    if (lengths_are_far(facts) && lengths_matter(objective, plan)) {
        say(a,
            "the rows have lengths up to %.3g, %.3g on average, where about 1 is best "
            "for convergence: scale the columns, or try --normalize rows, which makes "
            "another model",
            facts->longest, facts->length);
    }
    advise_on_columns(facts, a);
}

/* Theorem 2 has n + 1/(lambda gamma) steps for each factor e of the gap, for |x| <= 1;
 * longer rows are as a smaller lambda. For losses that are not smooth gamma = 1 tells the
 * same here. Two classes with more columns than rows are easily parted, and quick. */
static void advise_on_lambda(const advice_facts *facts, const sdca_objective *objective,
                             const sdca_train_options *plan, advice *a)
{
    double smooth = objective->loss->smoothness(objective->parameter);
    double square = lengths_are_far(facts) ? 1.0 : facts->square;
    double epochs = objective->C * square / (smooth > 0.0 ? smooth : 1.0);
    bool   parted = objective->loss->classification && facts->columns >= facts->rows;

    if (plan->solver == SDCA_SOLVER_SDCA && !parted && epochs > slow) {
        say(a,
            "lambda %g is small for such rows: |x|^2/(lambda%s n) is %.2g, and as many "
            "epochs or more may be needed: take --lambda %.1g or more%s",
            objective->lambda, smooth > 0.0 ? " gamma" : "", epochs,
            objective->lambda * epochs / fair,
            facts->columns <= SDCA_NEWTON_MAX_COLUMNS
                ? ", or for so few columns --solver newton"
                : "");
    }
}

static void advise_on_ranks(const advice_facts *facts, advice *a)
{
    if (facts->ranks > facts->rows) {
        say(a, "%d ranks are more than the %lld rows: start at most as many as these",
            facts->ranks, (long long)facts->rows);
    } else if (facts->uneven > uneven) {
        say(a,
            "some rows are so long that one rank has %.2g times the mean work, and the "
            "others wait: start at most %d ranks",
            facts->uneven, (int)fmax(1.0, facts->ranks / facts->uneven));
    }
    if (facts->crowd.ranks > facts->crowd.cores) {
        say(a, "%d ranks share %d core%s of a node: start at most %d there",
            facts->crowd.ranks, facts->crowd.cores, facts->crowd.cores == 1 ? "" : "s",
            facts->crowd.cores);
    }
}

advice advice_give(const advice_facts *facts, const sdca_objective *objective,
                   const sdca_train_options *plan)
{
    advice a = { .count = 0 };

    advise_on_data(facts, objective, plan, &a);
    advise_on_lambda(facts, objective, plan, &a);
    advise_on_ranks(facts, &a);
    return a;
}

void advice_labels(MPI_Comm comm, const sdca_dataset *data, const char *name,
                   const sdca_classes *labels, char text[SDCA_MESSAGE_SIZE])
{
    int64_t unknown = sdca_dataset_count_unknown_labels(comm, data, labels);
    bool    two     = labels->count == 2;
    char    label[2][SDCA_CLASS_NAME_SIZE];

    text[0] = '\0';
    if (unknown > 0) {
        sdca_classes_format(labels, 0, label[0]);
        sdca_classes_format(labels, 1, label[1]);
        snprintf(text, SDCA_MESSAGE_SIZE,
                 "'%s' has %lld row%s with a label that the model does not know, which "
                 "count%s as wrong: it knows %s%s%s",
                 name, (long long)unknown, plural((double)unknown),
                 unknown == 1 ? "s" : "", label[0], two ? " and " : " only",
                 two ? label[1] : "");
    }
}

int advice_ranks(int ranks, int nodes, double computing, double exchange)
{
    /* With fewer ranks the same computing falls to each of them; on one node exchange is
     * next to nothing beside a network, and alone it is nothing. */
    const double matters     = 0.3; /* seconds that others would save ... */
    const double share       = 0.1; /* ... and the share of all */
    int          on_one_node = (ranks + nodes - 1) / nodes;
    double       all         = computing + exchange;
    double       enough      = all - fmax(matters, share * all);

    return nodes > 1 && computing * ranks / on_one_node < enough ? on_one_node
           : ranks > 1 && computing * ranks < enough             ? 1
                                                                 : ranks;
}
