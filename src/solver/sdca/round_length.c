/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_length.c - how many steps a rank makes between two exchanges. */
#include "solver/sdca/round_length.h"

#include <math.h>

/* The model: seconds per non-zero and row of a pass, and per column and meeting of an
 * exchange in shared memory, as tests/bench measures them on common machines; between
 * nodes, those of a plain network. Factors of two do not matter. */
static const double per_nonzero     = 1.7e-9;
static const double per_row         = 20e-9;
static const double per_column      = 3e-9;
static const double per_exchange    = 5e-6;
static const double per_column_sent = 20e-9; /* a column through a network ... */
static const double per_message     = 50e-6; /* ... and what a message costs by itself */

/* Rounds between two changes of H, the largest factor of one change, the weight of the
 * past in what it is based on, and how far H may grow from its first value: sigma and eta
 * report too late that rounds are too long. */
enum { ADAPT_INTERVAL = 4 };
static const double max_change   = 1.5;
static const double smoothing    = 0.7;
static const double max_increase = 3.0;

static double clamp(double x, double low, double high)
{
    return fmin(high, fmax(low, x));
}

/* With far more rows than columns the ranks fit their own samples, and w oscillates
 * between them: rows are coupled more than one by one. */
static double effective_coupling(sdca_round_length_input input)
{
    const double many = 100.0; /* rows per column */

    return input.coupling *
           fmax(1.0, (double)input.rows / (many * fmax(1.0, (double)input.columns)));
}

/* More than four ranks disagree the sooner. */
static double rank_factor(sdca_round_length_input input)
{
    return sqrt(fmax(1.0, input.ranks / 4.0));
}

/* Rounds of H take 1 + b H times the passes of one rank: b as measured on text for 4 and
 * 16 ranks, H from 0.03 to 1 and a coupling from 0.006 to 130 (docs/scaling.md), to a
 * factor of three. */
static double slowdown_rate(sdca_round_length_input input)
{
    double rank_scale = (1.0 - 1.0 / input.ranks) / (1.0 - 1.0 / 4.0);
    double coupling   = effective_coupling(input);

    return 2.5 * coupling / (1.0 + coupling / 8.0) * rank_scale * rank_factor(input);
}

/* Longer rounds do not even save rounds. */
static double max_round(sdca_round_length_input input)
{
    return clamp(0.33 / effective_coupling(input), 0.1, 1.0) / rank_factor(input);
}

/* Seconds for a pass of one rank over all rows. */
static double serial_pass_seconds(sdca_round_length_input input)
{
    return (double)input.nonzeros * per_nonzero + (double)input.rows * per_row;
}

static double exchange_seconds(sdca_round_length_input input)
{
    double d    = (double)input.columns;
    double hops = ceil(log2((double)input.nodes));

    return d * per_column + per_exchange + hops * (d * per_column_sent + per_message);
}

/* (1 + b H) (pass + exchange / H) is least at: */
static double best_fraction(sdca_round_length_input input, double pass, double exchange)
{
    return fmin(max_round(input),
                sqrt(exchange / (pass * fmax(1e-6, slowdown_rate(input)))));
}

sdca_round_length_input sdca_round_length_input_of(const sdca_objective *objective,
                                                   const sdca_dataset *data, int ranks,
                                                   int nodes)
{
    double smoothness = objective->loss->smoothness(objective->parameter);
    double extra      = objective->loss->extra_nanoseconds.sdca / 1e9;
    double coupling =
        objective->C * data->mean_norm2 / (smoothness > 0.0 ? smoothness : 0.25);

    return (sdca_round_length_input){ .rows               = data->rows,
                                      .nonzeros           = data->nonzeros,
                                      .columns            = data->columns,
                                      .ranks              = ranks,
                                      .nodes              = nodes,
                                      .coupling           = coupling,
                                      .extra_step_seconds = extra };
}

/* The passes that ranks take with the H they choose, in those of one rank, where rows are
 * coupled: 1.0 to 1.1 on two, 1.1 to 1.6 on up to 64 (docs/scaling.md). */
static double pass_overhead(sdca_round_length_input input)
{
    return input.ranks == 2 ? 1.05 : 1.3;
}

/* Seconds for what a pass of one rank gains, on so many ranks of one node. */
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
    const double max_bytes = 256e6; /* bytes of rows that one rank may take */
    const double min_gain =
        1.2; /* the least that a change has to gain, as this may err */
    double bytes = 16.0 * (double)input.nonzeros + 64.0 * (double)input.rows +
                   64.0 * (double)input.columns;
    int best = input.ranks;

    for (int k = 2; k < input.ranks && k <= ranks_per_node; k *= 2) {
        double gain = seconds_on(input, best) / seconds_on(input, k);

        if (bytes <= max_bytes * k && gain > (best == input.ranks ? min_gain : 1.0)) {
            best = k;
        }
    }
    return bytes <= max_bytes && seconds_on(input, 1) < min_gain * seconds_on(input, best)
               ? 1
               : best;
}

sdca_round_length sdca_round_length_start(double fraction, bool measured,
                                          sdca_round_length_input input)
{
    const double      serial = 0.25; /* an end of a round is a chance to stop, no more */
    sdca_round_length length = { .fraction      = fraction,
                                 .lost_progress = -1.0,
                                 .pass_seconds = serial_pass_seconds(input) / input.ranks,
                                 .exchange_seconds =
                                     input.ranks > 1 ? exchange_seconds(input) : 0.0 };

    if (fraction > 0.0) {
        return length;
    }
    if (input.ranks == 1) {
        length.fraction = serial;
        return length;
    }
    length.fraction = best_fraction(input, length.pass_seconds, length.exchange_seconds);
    length.adaptive = true;
    length.measured = measured && input.nodes > 1;
    length.max_fraction = fmin(max_round(input), max_increase * length.fraction);
    return length;
}

void sdca_round_length_update(sdca_round_length *length, double visited_fraction,
                              double tight_sigma, double eta, double compute_seconds,
                              double measured_exchange)
{
    /* Moves that agree too well go too far together; of those that are opposed, little is
     * left. */
    double agreement =
        clamp(tight_sigma > 1.0 ? 1.0 / tight_sigma : tight_sigma, 0.1, 1.0);
    double lost_progress = 1.0 - clamp(eta, 0.1, 1.0) * agreement;
    double tau;

    if (!length->adaptive || !(visited_fraction > 0.0)) {
        return;
    }
    if (length->measured && compute_seconds > 0.0) {
        double pass = compute_seconds / visited_fraction;

        length->pass_seconds =
            smoothing * length->pass_seconds + (1.0 - smoothing) * pass;
        length->exchange_seconds =
            smoothing * length->exchange_seconds + (1.0 - smoothing) * measured_exchange;
    }
    length->lost_progress =
        length->lost_progress < 0.0
            ? lost_progress
            : smoothing * length->lost_progress + (1.0 - smoothing) * lost_progress;
    if (++length->rounds_since_change < ADAPT_INTERVAL) {
        return;
    }
    tau = length->exchange_seconds / (visited_fraction * length->pass_seconds);
    length->fraction *= clamp(sqrt(tau / (1.0 + tau) / fmax(1e-6, length->lost_progress)),
                              1.0 / max_change, max_change);
    length->fraction            = fmin(length->fraction, length->max_fraction);
    length->rounds_since_change = 0;
}
