/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_warnings.c - warnings about data and settings that look like a mistake, or that
 * make a run slow.
 *
 * The limits were tested on a9a, abalone, arxiv-astro, cov1, ijcnn1, rcv1, reuters, w8a
 * and all synthetic shapes, which give no warning, and on cadata, which gives one. */
#include "cli/ui/run_warnings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/ui/plural.h"
#include "mpi/comm.h"
#include "solver/newton/newton.h"

/* Norms are fine if their mean is from 1/limit to limit, and none exceeds limit times the
 * mean. */
static const double norm_limit = 10.0;

/* The number of epochs is proportional to |x|^2/(lambda gamma n), by measured factors of
 * 0.2 to 10. A warning appears above slow_epochs, and proposes a lambda for
 * target_epochs. */
static const double slow_epochs = 1000.0, target_epochs = 100.0;

/* Work of the busiest rank / mean above which the load imbalance is reported. */
static const double imbalance_limit = 2.0;

/* Data with at most TABLE_MAX_COLUMNS columns and TABLE_ROWS_PER_COLUMN rows per column
 * are a table, all of whose columns should be used. Some categories may be missing from a
 * sample of rows by chance, but not one column in EMPTY_ONE_IN. Text has columns that no
 * row uses, which is no mistake; with HUGE_COLUMNS of which most are empty, the column
 * indices are. */
enum {
    TABLE_MAX_COLUMNS     = 8192,
    TABLE_ROWS_PER_COLUMN = 10,
    EMPTY_ONE_IN          = 20,
    HUGE_COLUMNS          = 1000000
};

/* Used columns are counted exactly up to this number of columns. */
enum { MAX_COUNTED_COLUMNS = 1 << 20 };

/* Rows that are compared before all rows are, to find constant columns. */
enum { PROBE_ROWS = 100 };

/* Norms, labels and work of the rows. Collective. */
static void measure_rows(MPI_Comm comm, const sdca_dataset *data, data_facts *facts)
{
    int64_t work   = data->x.row[data->x.count].start + data->x.count;
    double  sum[4] = { 0.0, 0.0, 0.0, (double)work };
    double  max[4] = { 0.0, -INFINITY, -INFINITY, (double)work };

    for (uint32_t i = 0; i < data->x.count; i++) {
        double norm = sqrt(data->x.row[i].norm2);

        sum[0] += norm > 0.0 ? 1.0 : 0.0;
        sum[1] += norm;
        sum[2] += data->x.row[i].norm2;
        max[0] = fmax(max[0], norm);
        max[1] = fmax(max[1], -data->x.row[i].y);
        max[2] = fmax(max[2], data->x.row[i].y);
    }
    sdca_comm_allreduce_sum(comm, sum, 4);
    sdca_comm_allreduce_max(comm, max, 4);
    facts->mean_norm     = sum[0] > 0.0 ? sum[1] / sum[0] : 0.0;
    facts->mean_norm2    = sum[0] > 0.0 ? sum[2] / sum[0] : 0.0;
    facts->max_norm      = max[0];
    facts->has_one_label = -max[1] == max[2];
    facts->imbalance     = sum[3] > 0.0 ? max[3] * facts->ranks / sum[3] : 1.0;
}

static bool is_table(int64_t rows, int64_t columns)
{
    return columns <= TABLE_MAX_COLUMNS && rows >= TABLE_ROWS_PER_COLUMN * columns;
}

/* Set the bits of the columns that my rows use, until all are set. */
static void mark_used_columns(const sdca_rows *x, int64_t columns, uint8_t *used)
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

/* Count empty columns. In a table the first rows suffice unless there are some; with
 * thorough, a pass over the rows counts them in other data. Otherwise the number of
 * non-zeros gives a lower bound. Collective. */
static void count_empty_columns(MPI_Comm comm, const sdca_dataset *data, bool thorough,
                                data_facts *facts)
{
    static uint8_t used[MAX_COUNTED_COLUMNS / 8];
    int64_t        columns = facts->columns;

    if (data->column_map != NULL) { /* which leaves out empty columns */
        facts->empty_is_exact = true;
        facts->empty_columns  = columns - (data->columns - (data->bias > 0.0));
        return;
    }
    if (!is_table(data->rows, columns) && !(thorough && columns <= MAX_COUNTED_COLUMNS)) {
        facts->empty_columns = columns > data->nonzeros ? columns - data->nonzeros : 0;
        return;
    }
    memset(used, 0, sizeof used);
    mark_used_columns(&data->x, columns, used);
    MPI_Allreduce(MPI_IN_PLACE, used, (int)(columns + 7) / 8, MPI_UINT8_T, MPI_BOR, comm);
    facts->empty_is_exact = true;
    facts->empty_columns  = columns;
    for (int64_t j = 0; j < columns; j++) {
        facts->empty_columns -= used[j / 8] >> j % 8 & 1;
    }
}

/* The index of a column in the file. */
static int32_t file_column(const sdca_dataset *data, int64_t column)
{
    return sdca_used_columns_original(data->column_map, (int32_t)column);
}

/* x_ij, by binary search. */
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

/* Does the column have this value in the first count rows? */
static bool is_constant_column(const sdca_rows *x, uint32_t count, int64_t column,
                               double value)
{
    uint32_t i = 0;

    while (i < count && value_at(x, i, column) == value) {
        i++;
    }
    return i == count;
}

/* Find columns with the same value, not 0, in all rows. The candidates are the columns of
 * the first row that are constant in the PROBE_ROWS first rows; all rows are compared if
 * there are more than allowed. A single one acts as a bias, which is fine unless there is
 * a bias column. Collective. */
static void find_constant_columns(MPI_Comm comm, const sdca_dataset *data,
                                  data_facts *facts)
{
    const sdca_rows *x          = &data->x;
    uint32_t         probe_rows = x->count < PROBE_ROWS ? x->count : PROBE_ROWS;
    int64_t          column[RUN_WARNINGS_MAX_CONSTANTS] = { 0 };
    double           value[RUN_WARNINGS_MAX_CONSTANTS]  = { 0.0 };
    int64_t          rank                               = sdca_comm_rank(comm);
    int64_t          first   = x->count > 0 ? rank : sdca_comm_size(comm);
    int              allowed = data->bias > 0.0 ? 0 : 1, count = 0;

    sdca_comm_allreduce_min_int64(comm, &first, 1);
    for (int64_t k = 0;
         first == rank && k < x->row[1].start && count < RUN_WARNINGS_MAX_CONSTANTS;
         k++) {
        column[count] = sdca_rows_column(x, k);
        value[count]  = sdca_rows_value(x, k);
        count += file_column(data, column[count]) < facts->columns &&
                 value[count] != 0.0 &&
                 is_constant_column(x, probe_rows, column[count], value[count]);
    }
    MPI_Bcast(&count, 1, MPI_INT, (int)first, comm);
    MPI_Bcast(column, count, MPI_INT64_T, (int)first, comm);
    MPI_Bcast(value, count, MPI_DOUBLE, (int)first, comm);
    for (int k = 0; count > allowed && k < count; k++) {
        column[k] = is_constant_column(x, x->count, column[k], value[k]) ? column[k] : -1;
    }
    sdca_comm_allreduce_min_int64(comm, column, count);
    for (int k = 0; count > allowed && k < count; k++) {
        if (column[k] >= 0) {
            facts->constant_columns[facts->constant_count++] =
                file_column(data, column[k]);
        }
    }
}

data_facts data_facts_measure(MPI_Comm comm, const sdca_dataset *data, bool from_table,
                              bool thorough)
{
    data_facts facts = { .ranks    = sdca_comm_size(comm),
                         .rows     = data->rows,
                         .columns  = sdca_dataset_feature_count(data),
                         .has_bias = data->bias > 0.0 };

    measure_rows(comm, data, &facts);
    if (data->scale == NULL) { /* else columns without variance are reported */
        count_empty_columns(comm, data, thorough, &facts);
        find_constant_columns(comm, data, &facts);
    }
    facts.advice = option_advice_measure(
        comm, data, from_table || is_table(facts.rows, facts.columns));
    facts.most_loaded = node_cores_find_most_loaded(comm);
    return facts;
}

static void add_warning(run_warnings *warnings, const char *format, ...)
    SDCA_PRINTF_FORMAT(2, 3);

static void add_warning(run_warnings *warnings, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(warnings->text[warnings->count++], RUN_WARNINGS_TEXT_SIZE, format,
              arguments);
    va_end(arguments);
}

static bool norms_are_extreme(const data_facts *facts)
{
    return facts->mean_norm > norm_limit ||
           facts->max_norm > norm_limit * facts->mean_norm ||
           (facts->mean_norm > 0.0 && facts->mean_norm < 1.0 / norm_limit);
}

/* Newton's method on a smooth loss does not depend on the norms. */
static bool norms_matter(const sdca_objective     *objective,
                         const sdca_train_options *training)
{
    return training->solver != SDCA_SOLVER_NEWTON ||
           objective->loss->smoothness(objective->parameter) == 0.0;
}

static void warn_about_columns(const data_facts *facts, run_warnings *warnings)
{
    bool    is_single = facts->constant_count == 1;
    int64_t empty     = facts->empty_columns;

    if (facts->constant_count > (facts->has_bias ? 0 : 1)) {
        add_warning(
            warnings, "%s%d of %ld columns %s constant (%lld%s, counted from 0): drop %s",
            facts->constant_count == RUN_WARNINGS_MAX_CONSTANTS ? "at least " : "",
            facts->constant_count, (long)facts->columns, is_single ? "is" : "are",
            (long long)facts->constant_columns[0], is_single ? "" : " and others",
            is_single         ? "it, because the model has a constant anyway"
            : facts->has_bias ? "them, because the model has a constant anyway"
                              : "all but one, which acts as a bias");
    }
    if (is_table(facts->rows, facts->columns)
            ? EMPTY_ONE_IN * empty >= facts->columns
            : facts->columns >= HUGE_COLUMNS && 2 * empty > facts->columns) {
        add_warning(warnings,
                    "%s%lld of %ld columns %s empty: check how X was made, and drop "
                    "columns that no "
                    "row uses",
                    facts->empty_is_exact ? "" : "at least ", (long long)empty,
                    (long)facts->columns, empty == 1 ? "is" : "are");
    }
}

static void warn_about_data(const data_facts *facts, const sdca_objective *objective,
                            const sdca_train_options *training, run_warnings *warnings)
{
    char text[OPTION_ADVICE_TEXT_SIZE];

    if (facts->has_one_label) {
        add_warning(
            warnings,
            "all rows have the same label, so that there is nothing to learn: check how "
            "the labels were made");
    }
    option_advice_columns(&facts->advice, text);
    if (text[0] != '\0') {
        add_warning(warnings, "%s", text);
    } else if (norms_are_extreme(facts) && norms_matter(objective, training) &&
               !facts->advice.standardized) {
        add_warning(
            warnings,
            "the rows have norms up to %.3g, %.3g on average, and about 1 is best for "
            "convergence: try %s",
            facts->max_norm, facts->mean_norm, option_advice_scaling(&facts->advice));
    }
    option_advice_labels(&facts->advice, objective, text);
    if (text[0] != '\0') {
        add_warning(warnings, "%s", text);
    }
    warn_about_columns(facts, warnings);
}

/* Theorem 2 needs n + 1/(lambda gamma) steps for each factor e of the gap, for |x| <= 1;
 * longer rows act like a smaller lambda. gamma = 1 gives the same estimate for losses
 * that are not smooth. Classes with more columns than rows are separable, and fast. */
static void warn_about_lambda(const data_facts *facts, const sdca_objective *objective,
                              const sdca_train_options *training, run_warnings *warnings)
{
    double smooth    = objective->loss->smoothness(objective->parameter);
    double norm2     = norms_are_extreme(facts) ? 1.0 : facts->mean_norm2;
    double epochs    = objective->C * norm2 / (smooth > 0.0 ? smooth : 1.0);
    bool   separable = objective->loss->classification && facts->columns >= facts->rows;

    if (training->solver == SDCA_SOLVER_SDCA && !separable && epochs > slow_epochs) {
        add_warning(warnings,
                    "lambda %g is small for these rows: |x|^2/(lambda%s n) is %.2g, and "
                    "that many "
                    "epochs or more may be needed: use --lambda %.1g or more%s",
                    objective->lambda, smooth > 0.0 ? " gamma" : "", epochs,
                    objective->lambda * epochs / target_epochs,
                    facts->columns <= SDCA_NEWTON_MAX_COLUMNS ? ", or --solver newton"
                                                              : "");
    }
}

static void warn_about_ranks(const data_facts *facts, run_warnings *warnings)
{
    if (facts->ranks > facts->rows) {
        add_warning(
            warnings,
            "%d ranks are more than the %lld rows: start at most one rank per row",
            facts->ranks, (long long)facts->rows);
    } else if (facts->imbalance > imbalance_limit) {
        add_warning(
            warnings,
            "load imbalance: long rows give one rank %.2g times the mean work: start at "
            "most %d ranks",
            facts->imbalance, (int)fmax(1.0, facts->ranks / facts->imbalance));
    }
    if (facts->most_loaded.ranks > facts->most_loaded.cores) {
        add_warning(warnings,
                    "%d ranks share %d core%s of a node: start at most %d there",
                    facts->most_loaded.ranks, facts->most_loaded.cores,
                    facts->most_loaded.cores == 1 ? "" : "s", facts->most_loaded.cores);
    }
}

run_warnings run_warnings_warn(const data_facts *facts, const sdca_objective *objective,
                               const sdca_train_options *training)
{
    run_warnings warnings = { .count = 0 };

    warn_about_data(facts, objective, training, &warnings);
    warn_about_lambda(facts, objective, training, &warnings);
    warn_about_ranks(facts, &warnings);
    return warnings;
}

void run_warnings_check_labels(MPI_Comm comm, const sdca_dataset *data, const char *name,
                               const sdca_classes *labels, char text[SDCA_MESSAGE_SIZE])
{
    run_warnings_describe_unknown(sdca_labels_count_unknown(comm, data, labels), name,
                                  labels, text);
}

void run_warnings_describe_unknown(int64_t unknown, const char *name,
                                   const sdca_classes *labels,
                                   char                text[SDCA_MESSAGE_SIZE])
{
    char known[SDCA_CLASS_LIST_SIZE];

    text[0] = '\0';
    if (unknown > 0) {
        sdca_classes_list(labels, known);
        snprintf(text, SDCA_MESSAGE_SIZE,
                 "'%s' has %lld row%s with a label that the model does not know, which "
                 "count%s as wrong: it knows %s%s",
                 name, (long long)unknown, plural((double)unknown),
                 unknown == 1 ? "s" : "", known, labels->count == 1 ? " only" : "");
    }
}

int run_warnings_best_ranks(int ranks, int nodes, double computing, double communication)
{
    /* Fewer ranks divide the same work; communication within a node is negligible beside
     * that of a network, and one rank has none. */
    const double min_seconds  = 0.3; /* the least gain that is reported, ... */
    const double min_fraction = 0.1; /* ... also as a share of the total */
    int          on_one_node  = (ranks + nodes - 1) / nodes;
    double       total        = computing + communication;
    double       threshold    = total - fmax(min_seconds, min_fraction * total);

    return nodes > 1 && computing * ranks / on_one_node < threshold ? on_one_node
           : ranks > 1 && computing * ranks < threshold             ? 1
                                                                    : ranks;
}
