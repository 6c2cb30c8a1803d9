/* SPDX-License-Identifier: BSD-3-Clause
 *
 * touched_lines_estimate.c - how many lines of w the rows of a round touch. */
#include "solver/sdca/touched_lines_estimate.h"

#include <math.h>
#include <stdbool.h>

#include "base/tuning.h"
#include "data/rows_inline.h"
#include "mpi/comm.h"
#include "mpi/vector_allreduce.h"

enum {
    BITS        = 1 << 19, /* of a table that counts different lines ... */
    MAX_ENTRIES = BITS / 2 /* ... of a sample with no more non-zeros */
};

/* Lines that were seen, each as one bit; where they are more than bits, some share one.
 */
typedef struct line_table {
    uint64_t word[BITS / 64];
    int64_t  lines; /* of w */
    double   seen;  /* bits that are set */
} line_table;

static void add_line(line_table *table, uint64_t line)
{
    uint64_t  hash = table->lines > BITS ? line * 0x9e3779b97f4a7c15U >> 45 : line;
    uint64_t *word = &table->word[hash % BITS / 64];
    uint64_t  bit  = (uint64_t)1 << hash % 64;

    table->seen += (*word & bit) == 0;
    *word |= bit;
}

/* -ln of the fraction of lines that were not seen. Of those that share a bit, one is
 * seen: of N lines, B (1 - exp(-N / B)) bits are set. */
static double log_unseen(const line_table *table)
{
    double lines = table->lines > BITS ? -BITS * log1p(-table->seen / BITS) : table->seen;

    return -log1p(-fmin(tuning_touched_saturation, lines / (double)table->lines));
}

/* Add the lines of every step-th row, up to count of them. */
static void add_rows(const sdca_rows *x, int lanes, uint32_t first, uint32_t end,
                     uint32_t step, line_table *table)
{
    row_format format = format_of(x);

    for (uint32_t i = first; i < end; i++) {
        const sdca_row *row = &x->row[(size_t)i * step];

        for (int64_t k = row[0].start; k < row[1].start; k++) {
            add_line(table,
                     (uint64_t)entry_column(format, x, k) * (uint64_t)lanes / SDCA_LINE);
        }
    }
}

/* From the lines in a sixteenth of a sample and in all of it. */
static sdca_touched_lines estimate(const sdca_rows *x, int lanes)
{
    sdca_touched_lines touched = { 0.0, 1.0 };
    double     width = (double)x->row[x->count].start / fmax(1.0, (double)x->count);
    double     rows  = fmin(fmin(TUNING_TOUCHED_SAMPLE, (double)x->count),
                            MAX_ENTRIES / fmax(1.0, width));
    uint32_t   count = (uint32_t)rows, part = count / 16;
    uint32_t   step  = count > 0 ? x->count / count : 1;
    line_table table = { .lines =
                             ((int64_t)x->columns * lanes + SDCA_LINE - 1) / SDCA_LINE };
    double     of_part, of_all;

    if (part == 0 || !is_sparse(format_of(x)) || table.lines == 0) {
        return touched;
    }
    add_rows(x, lanes, 0, part, step, &table);
    of_part = log_unseen(&table);
    add_rows(x, lanes, part, count, step, &table);
    of_all = log_unseen(&table);
    if (of_part > 0.0) {
        touched.power = log(of_all / of_part) / log((double)count / part);
        touched.power = fmin(1.0, fmax(tuning_touched_min_power, touched.power));
        touched.rate  = of_all / pow((double)count, touched.power);
    }
    return touched;
}

sdca_touched_lines sdca_touched_lines_estimate(MPI_Comm comm, const sdca_dataset *data,
                                               int lanes)
{
    sdca_touched_lines touched = { 0.0, 1.0 };

    if (sdca_comm_size(comm) > 1) {
        if (sdca_comm_rank(comm) == 0) {
            touched = estimate(&data->x, lanes);
        }
        sdca_comm_broadcast(comm, &touched, (int)sizeof touched);
    }
    return touched;
}

double sdca_touched_lines_fraction(sdca_touched_lines touched, double rows)
{
    return touched.rate > 0.0 ? -expm1(-touched.rate * pow(rows, touched.power)) : 1.0;
}
