/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_length.c - how many steps a rank makes between two allreduces of w. */
#include "solver/sdca/round_length.h"

#include <math.h>

#include "base/tuning.h"
#include "mpi/vector_allreduce.h"

static double clamp(double x, double low, double high)
{
    return fmin(high, fmax(low, x));
}

/* With far more rows than columns the ranks fit their own samples, and w oscillates
 * between them: rows are coupled more than one by one. */
static double effective_coupling(sdca_round_length_input input)
{
    double rows_per_column = (double)input.rows / fmax(1.0, (double)input.columns);

    return input.coupling * fmax(1.0, rows_per_column / tuning_rows_per_column);
}

/* Beyond four ranks, the penalty of long rounds grows with their number. */
static double rank_factor(sdca_round_length_input input)
{
    return sqrt(fmax(1.0, input.ranks / tuning_crowd_ranks));
}

/* Rounds of H take 1 + b H times the passes of one rank: b as measured on text for 4 and
 * 16 ranks, H from 0.03 to 1 and a coupling from 0.006 to 130, to a
 * factor of three. */
static double slowdown_rate(sdca_round_length_input input)
{
    double rank_scale = (1.0 - 1.0 / input.ranks) / (1.0 - 1.0 / 4.0);
    double coupling   = effective_coupling(input);

    return tuning_coupling_rate * coupling /
           (1.0 + coupling / tuning_coupling_saturation) * rank_scale *
           rank_factor(input);
}

/* Longer rounds do not even save rounds. */
static double max_round(sdca_round_length_input input)
{
    return clamp(tuning_max_round / effective_coupling(input), tuning_min_max_round,
                 1.0) /
           rank_factor(input);
}

/* Seconds for a pass of one rank over all rows. */
static double serial_pass_seconds(sdca_round_length_input input)
{
    bool   wide    = input.lanes <= 1 && (double)input.columns >= tuning_wide_columns;
    double seconds = wide ? tuning_wide_nonzero_seconds : tuning_nonzero_seconds;

    return (double)input.nonzeros * seconds + (double)input.rows * tuning_row_seconds;
}

static double network_seconds(sdca_round_length_input input, double elements)
{
    double hops = ceil(log2((double)input.nodes));

    return hops *
           (elements * tuning_network_column_seconds + tuning_network_message_seconds);
}

/* Seconds of an allreduce but for w. Each of several models has its line search. */
static double fixed_exchange_seconds(sdca_round_length_input input)
{
    return tuning_allreduce_seconds +
           (input.lanes > 1 ? input.lanes * tuning_lane_exchange_seconds : 0.0);
}

/* Seconds of an allreduce of all columns. */
static double dense_exchange_seconds(sdca_round_length_input input)
{
    double d = (double)input.columns;

    return d * tuning_column_seconds + fixed_exchange_seconds(input) +
           network_seconds(input, d);
}

/* The fraction of a sweep up to which rounds mark what they touch. */
static double max_marked_fraction(sdca_round_length_input input)
{
    double lines = (double)input.columns / SDCA_LINE;

    return input.touched.rate > 0.0
               ? tuning_mark_nonzeros * lines * input.nodes / (double)input.nonzeros
               : 0.0;
}

/* Seconds of an allreduce after a round that visits this fraction of all rows. */
static double exchange_seconds(sdca_round_length_input input, double fraction)
{
    double dense = dense_exchange_seconds(input);
    double lines = (double)input.columns / SDCA_LINE;
    double rows  = fraction * (double)input.rows / input.nodes;
    double part  = sdca_touched_lines_fraction(input.touched, rows);
    double mark  = fraction * (double)input.nonzeros / input.ranks * tuning_mark_seconds;
    double entries =
        part * lines * (input.lanes > 1 ? SDCA_LINE : tuning_line_entries) * input.nodes;
    double most = (double)input.columns / TUNING_SPARSE_ALLREDUCE_DIVISOR;

    if (fraction > max_marked_fraction(input)) {
        return dense;
    }
    if (part > tuning_touched_max_fraction || (input.nodes > 1 && entries > most)) {
        return dense + mark;
    }
    return part * lines * tuning_line_seconds + mark + fixed_exchange_seconds(input) +
           network_seconds(input, tuning_entry_elements * entries);
}

/* The growth of an allreduce with the rows of a round: d ln(seconds) / d ln(rows). */
static double exchange_growth(sdca_round_length_input input, double fraction)
{
    const double step = 1.1;

    return clamp(log(exchange_seconds(input, fraction) /
                     exchange_seconds(input, fraction / step)) /
                     log(step),
                 0.0, 1.0);
}

/* Time per pass, with rounds of H, up to a factor. */
static double relative_time(sdca_round_length_input input, double pass, double fraction)
{
    return (1.0 + slowdown_rate(input) * fraction) *
           (pass + exchange_seconds(input, fraction) / fraction);
}

/* (1 + b H) (pass + allreduce / H) is least at: */
static double best_fraction(sdca_round_length_input input, double pass)
{
    double dense    = dense_exchange_seconds(input);
    double rate     = fmax(tuning_round_min_lost, slowdown_rate(input));
    double longest  = max_round(input);
    double best     = fmin(longest, sqrt(dense / (pass * rate)));
    double marked   = fmin(longest, max_marked_fraction(input));
    double shortest = marked * tuning_round_min_search;

    for (double H = marked; H > shortest; H *= tuning_round_search_step) {
        best =
            relative_time(input, pass, H) < relative_time(input, pass, best) ? H : best;
    }
    return best;
}

sdca_round_length_input sdca_round_length_input_of(const sdca_objective *objective,
                                                   const sdca_dataset *data, int ranks,
                                                   int nodes, int lanes,
                                                   sdca_touched_lines touched)
{
    double smoothness = objective->loss->smoothness(objective->parameter);
    double extra      = objective->loss->extra_nanoseconds.sdca / 1e9;
    double coupling   = sdca_dataset_mean_curvature(data, objective->lambda) /
                      (smoothness > 0.0 ? smoothness : tuning_kinked_smoothness);

    return (sdca_round_length_input){
        .rows     = data->rows,
        .nonzeros = lanes > 1 ? TUNING_LANE_PASSES * data->nonzeros : data->nonzeros,
        .columns  = (int64_t)data->columns * lanes,
        .ranks    = ranks,
        .nodes    = nodes,
        .coupling = coupling,
        .extra_step_seconds = extra,
        .touched            = touched,
        .lanes              = lanes
    };
}

/* The passes that ranks take with the H they choose, in those of one rank, where rows are
 * coupled: 1.0 to 1.1 on two, 1.1 to 1.6 on up to 64 (docs/scaling.md). */
static double pass_overhead(sdca_round_length_input input)
{
    return input.ranks == 2 ? tuning_two_rank_passes : tuning_many_rank_passes;
}

/* Seconds for the progress of one serial pass on this number of ranks of one node. */
static double seconds_on(sdca_round_length_input input, int ranks)
{
    double serial =
        serial_pass_seconds(input) + (double)input.rows * input.extra_step_seconds;
    double fraction;

    if (ranks == 1) {
        return serial;
    }
    input.ranks = ranks;
    input.nodes = 1;
    fraction    = best_fraction(input, serial_pass_seconds(input) / ranks);
    return pass_overhead(input) *
           (serial / ranks + exchange_seconds(input, fraction) / fraction);
}

int sdca_round_length_choose_ranks(sdca_round_length_input input, int ranks_per_node)
{
    double bytes = 16.0 * (double)input.nonzeros + 64.0 * (double)input.rows +
                   64.0 * (double)input.columns;
    int best = input.ranks;

    for (int k = 2; k < input.ranks && k <= ranks_per_node; k *= 2) {
        double gain = seconds_on(input, best) / seconds_on(input, k);

        if (bytes <= tuning_max_rank_bytes * k &&
            gain > (best == input.ranks ? tuning_ranks_min_gain : 1.0)) {
            best = k;
        }
    }
    return bytes <= tuning_max_rank_bytes &&
                   seconds_on(input, 1) < tuning_ranks_min_gain * seconds_on(input, best)
               ? 1
               : best;
}

sdca_round_length sdca_round_length_start(double fraction, bool measured,
                                          sdca_round_length_input input)
{
    sdca_round_length length = { .fraction      = fraction,
                                 .lost_progress = -1.0,
                                 .pass_seconds = serial_pass_seconds(input) / input.ranks,
                                 .input        = input };

    if (input.ranks > 1) {
        double first =
            fraction > 0.0 ? fraction : best_fraction(input, length.pass_seconds);

        length.fraction         = first;
        length.exchange_seconds = exchange_seconds(input, first);
    }
    if (fraction > 0.0) {
        return length;
    }
    if (input.ranks == 1) {
        length.fraction = tuning_single_rank_round;
        return length;
    }
    length.adaptive = true;
    length.measured = measured && input.nodes > 1;
    length.max_fraction =
        fmin(max_round(input), tuning_round_max_increase * length.fraction);
    length.min_fraction = length.fraction / tuning_round_max_decrease;
    return length;
}

void sdca_round_length_update(sdca_round_length *length, double visited_fraction,
                              double tight_sigma, double eta, double compute_seconds,
                              double measured_exchange)
{
    /* Moves that agree too well go too far together; of those that are opposed, little is
     * left. */
    double agreement = clamp(tight_sigma > 1.0 ? 1.0 / tight_sigma : tight_sigma,
                             tuning_round_min_agreement, 1.0);
    double lost_progress = 1.0 - clamp(eta, tuning_round_min_agreement, 1.0) * agreement;
    double tau;

    if (!length->adaptive || !(visited_fraction > 0.0)) {
        return;
    }
    if (!length->measured) {
        length->exchange_seconds = exchange_seconds(length->input, visited_fraction);
    } else if (compute_seconds > 0.0) {
        double pass = compute_seconds / visited_fraction;

        length->pass_seconds = tuning_round_smoothing * length->pass_seconds +
                               (1.0 - tuning_round_smoothing) * pass;
        length->exchange_seconds = tuning_round_smoothing * length->exchange_seconds +
                                   (1.0 - tuning_round_smoothing) * measured_exchange;
    }
    length->lost_progress = length->lost_progress < 0.0
                                ? lost_progress
                                : tuning_round_smoothing * length->lost_progress +
                                      (1.0 - tuning_round_smoothing) * lost_progress;
    if (++length->rounds_since_change < TUNING_ROUND_ADAPT_INTERVAL) {
        return;
    }
    tau = length->exchange_seconds / (visited_fraction * length->pass_seconds);
    length->fraction *=
        clamp(sqrt((1.0 - exchange_growth(length->input, visited_fraction)) * tau /
                   (1.0 + tau) / fmax(tuning_round_min_lost, length->lost_progress)),
              1.0 / tuning_round_max_change, tuning_round_max_change);
    length->fraction =
        clamp(length->fraction, length->min_fraction, length->max_fraction);
    length->rounds_since_change = 0;
}
