/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_length.c - how many steps a rank makes between two exchanges. */
#include "solver/sdca/round_length.h"

#include <math.h>

#include "base/tuning.h"

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

/* More than four ranks disagree the sooner. */
static double rank_factor(sdca_round_length_input input)
{
    return sqrt(fmax(1.0, input.ranks / tuning_crowd_ranks));
}

/* Rounds of H take 1 + b H times the passes of one rank: b as measured on text for 4 and
 * 16 ranks, H from 0.03 to 1 and a coupling from 0.006 to 130 (docs/scaling.md), to a
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
    return (double)input.nonzeros * tuning_nonzero_seconds +
           (double)input.rows * tuning_row_seconds;
}

static double exchange_seconds(sdca_round_length_input input)
{
    double d    = (double)input.columns;
    double hops = ceil(log2((double)input.nodes));

    return d * tuning_column_seconds + tuning_allreduce_seconds +
           hops * (d * tuning_network_column_seconds + tuning_network_message_seconds);
}

/* (1 + b H) (pass + exchange / H) is least at: */
static double best_fraction(sdca_round_length_input input, double pass, double exchange)
{
    return fmin(max_round(input), sqrt(exchange / (pass * fmax(tuning_round_min_lost,
                                                               slowdown_rate(input)))));
}

sdca_round_length_input sdca_round_length_input_of(const sdca_objective *objective,
                                                   const sdca_dataset *data, int ranks,
                                                   int nodes, int lanes)
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
        .extra_step_seconds = extra
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
    double exchange;

    if (ranks == 1) {
        return serial;
    }
    input.ranks = ranks;
    input.nodes = 1;
    exchange    = exchange_seconds(input);
    return pass_overhead(input) *
           (serial / ranks + exchange / best_fraction(input,
                                                      serial_pass_seconds(input) / ranks,
                                                      exchange));
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
                                 .exchange_seconds =
                                     input.ranks > 1 ? exchange_seconds(input) : 0.0 };

    if (fraction > 0.0) {
        return length;
    }
    if (input.ranks == 1) {
        length.fraction = tuning_single_rank_round;
        return length;
    }
    length.fraction = best_fraction(input, length.pass_seconds, length.exchange_seconds);
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
    if (length->measured && compute_seconds > 0.0) {
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
    length->fraction *= clamp(
        sqrt(tau / (1.0 + tau) / fmax(tuning_round_min_lost, length->lost_progress)),
        1.0 / tuning_round_max_change, tuning_round_max_change);
    length->fraction =
        clamp(length->fraction, length->min_fraction, length->max_fraction);
    length->rounds_since_change = 0;
}
