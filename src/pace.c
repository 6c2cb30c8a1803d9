/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace.c - how many steps a rank makes between two exchanges. */
#include "sdca/pace.h"

#include <math.h>

/* The model: seconds per non-zero and row of a pass, and per column and meeting of an
 * exchange in shared memory, as tests/bench measures them on common machines; between
 * nodes, those of a plain network. Factors of two do not matter. */
static const double per_nonzero = 1.7e-9;
static const double per_row     = 20e-9;
static const double per_column  = 3e-9;
static const double per_meeting = 5e-6;
static const double per_sent    = 20e-9; /* a column through a network ... */
static const double per_message = 50e-6; /* ... and what a message costs by itself */

/* Rounds between two changes of H, the most that one changes it, the memory of what it
 * rests on, and how far it goes from where it began: beyond that sigma and eta tell too
 * late, the sooner where columns are few or rows of unlike lengths. */
enum { PATIENCE = 4 };
static const double stride  = 1.5;
static const double memory  = 0.7;
static const double shorter = 8.0, longer = 3.0, longer_with_few_columns = 2.0;

static double clamp(double x, double low, double high)
{
    return fmin(high, fmax(low, x));
}

/* Where rows are far more than columns, each rank could do without the others' rows, and
 * w goes to and fro between what suits their samples: rows are coupled more than one by
 * one. */
static double fewness(sdca_pace_sizes sizes)
{
    const double many = 100.0; /* rows to a column */

    return fmax(1.0, (double)sizes.rows / (many * fmax(1.0, (double)sizes.columns)));
}

/* Where rows are of unlike lengths, the long ones are coupled most, and decide when a run
 * ends. */
static double unevenness(sdca_pace_sizes sizes)
{
    return clamp(sizes.uneven, 1.0, 1e6); /* and 1 if it is no number */
}

static double coupling_of(sdca_pace_sizes sizes)
{
    return sizes.coupling * fewness(sizes) * unevenness(sizes);
}

/* More than four ranks disagree the sooner. */
static double crowd(sdca_pace_sizes sizes)
{
    return sqrt(fmax(1.0, sizes.ranks / 4.0));
}

/* Rounds of H take 1 + b H times the passes of one rank: b as measured on text for 4 and
 * 16 ranks, H from 0.03 to 1 and a coupling from 0.006 to 130 (docs/scaling.md), to a
 * factor of three. */
static double disagreement(sdca_pace_sizes sizes)
{
    double others   = (1.0 - 1.0 / sizes.ranks) / (1.0 - 1.0 / 4.0);
    double coupling = coupling_of(sizes);

    return 2.5 * coupling / (1.0 + coupling / 8.0) * others * crowd(sizes);
}

/* Longer rounds do not even save rounds. */
static double longest_round(sdca_pace_sizes sizes)
{
    return clamp(0.33 / coupling_of(sizes), 0.1, 1.0) / crowd(sizes);
}

/* Seconds for a pass of one rank over all rows. */
static double pass_alone(sdca_pace_sizes sizes)
{
    return (double)sizes.nonzeros * per_nonzero + (double)sizes.rows * per_row;
}

static double exchange_of(sdca_pace_sizes sizes)
{
    double d    = (double)sizes.columns;
    double hops = ceil(log2((double)sizes.nodes));

    return d * per_column + per_meeting + hops * (d * per_sent + per_message);
}

/* How far beyond where it began H may go: so many times. */
static double growth(sdca_pace_sizes sizes)
{
    return fewness(sizes) > 1.0 ? longer_with_few_columns
                                : fmax(1.0, longer / unevenness(sizes));
}

/* (1 + b H) (pass + exchange / H) is least at: */
static double best_share(sdca_pace_sizes sizes, double pass, double exchange)
{
    return fmin(longest_round(sizes),
                sqrt(exchange / (pass * fmax(1e-6, disagreement(sizes)))));
}

sdca_pace_sizes sdca_pace_sizes_of(const sdca_problem *problem, const sdca_dataset *data,
                                   int ranks, int nodes)
{
    const double logistic   = 60e-9; /* seconds for a logarithm and divisions */
    double       smoothness = problem->loss->smoothness(problem->parameter);
    bool         slow       = problem->loss->kind == SDCA_LOSS_logistic;
    double       coupling =
        problem->C * data->mean_norm2 / (smoothness > 0.0 ? smoothness : 0.25);

    return (sdca_pace_sizes){ .rows     = data->rows,
                              .nonzeros = data->nonzeros,
                              .columns  = data->columns,
                              .ranks    = ranks,
                              .nodes    = nodes,
                              .coupling = coupling,
                              .uneven   = data->norm2_dispersion,
                              .slow     = slow ? logistic : 0.0 };
}

/* The passes that ranks take with the H they choose, in those of one rank, where rows are
 * coupled: 1.0 to 1.1 on two, 1.1 to 1.6 on up to 64 (docs/scaling.md). */
static double more_passes(sdca_pace_sizes sizes)
{
    return sizes.ranks == 2 ? 1.05 : 1.3;
}

/* Seconds for what a pass of one rank gains, on so many ranks of one node. */
static double seconds_on(sdca_pace_sizes sizes, int ranks)
{
    double alone = pass_alone(sizes) + (double)sizes.rows * sizes.slow;
    double exchange;

    if (ranks == 1) {
        return alone;
    }
    sizes.ranks = ranks;
    sizes.nodes = 1;
    exchange    = exchange_of(sizes);
    return more_passes(sizes) *
           (alone / ranks +
            exchange / best_share(sizes, pass_alone(sizes) / ranks, exchange));
}

int sdca_pace_ranks(sdca_pace_sizes sizes, int near)
{
    const double room  = 256e6; /* bytes of rows that one rank may take */
    const double worth = 1.2;   /* the least that a change has to gain, as this may err */
    double       bytes = 16.0 * (double)sizes.nonzeros + 64.0 * (double)sizes.rows +
                   64.0 * (double)sizes.columns;
    int best = sizes.ranks;

    for (int k = 2; k < sizes.ranks && k <= near; k *= 2) {
        double gain = seconds_on(sizes, best) / seconds_on(sizes, k);

        if (bytes <= room * k && gain > (best == sizes.ranks ? worth : 1.0)) {
            best = k;
        }
    }
    return bytes <= room && seconds_on(sizes, 1) < worth * seconds_on(sizes, best) ? 1
                                                                                   : best;
}

sdca_pace sdca_pace_start(double share, bool by_clock, sdca_pace_sizes sizes)
{
    const double alone = 0.25; /* an end of a round is a chance to stop, no more */
    sdca_pace    pace  = { .share    = share,
                           .costs    = -1.0,
                           .pass     = pass_alone(sizes) / sizes.ranks,
                           .exchange = sizes.ranks > 1 ? exchange_of(sizes) : 0.0 };

    if (share > 0.0) {
        return pace;
    }
    if (sizes.ranks == 1) {
        pace.share = alone;
        return pace;
    }
    pace.share    = best_share(sizes, pace.pass, pace.exchange);
    pace.adapts   = true;
    pace.by_clock = by_clock && sizes.nodes > 1;
    pace.most     = fmin(longest_round(sizes), growth(sizes) * pace.share);
    pace.least    = pace.share / shorter;
    return pace;
}

void sdca_pace_round(sdca_pace *pace, double visited, double tight, double eta,
                     double computing, double exchanging)
{
    /* Moves that agree too well go too far together; of those that are opposed, little is
     * left. */
    double unlike = clamp(tight > 1.0 ? 1.0 / tight : tight, 0.1, 1.0);
    double costs  = 1.0 - clamp(eta, 0.1, 1.0) * unlike;
    double tau;

    if (!pace->adapts || !(visited > 0.0)) {
        return;
    }
    if (pace->by_clock && computing > 0.0) {
        double pass = computing / visited;

        pace->pass     = memory * pace->pass + (1.0 - memory) * pass;
        pace->exchange = memory * pace->exchange + (1.0 - memory) * exchanging;
    }
    pace->costs =
        pace->costs < 0.0 ? costs : memory * pace->costs + (1.0 - memory) * costs;
    if (++pace->rounds < PATIENCE) {
        return;
    }
    tau = pace->exchange / (visited * pace->pass);
    pace->share *=
        clamp(sqrt(tau / (1.0 + tau) / fmax(1e-6, pace->costs)), 1.0 / stride, stride);
    pace->share  = clamp(pace->share, pace->least, pace->most);
    pace->rounds = 0;
}
