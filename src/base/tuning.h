/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tuning.h - every tuned constant of the program, with its unit, where it comes from, and
 * what happens without it.
 *
 * Changing one of these changes the speed of a run, never the meaning of its certificate.
 * Not here: bounds that follow from arithmetic (objective/duality_gap.c), what is
 * measured per loss (the entries of objective/loss_list.h), and the parameters of
 * published methods that are baselines (solver/sag, solver/eg).
 *
 * Sources: [A] the ablation in docs/performance.md, "What pays": the change of modelled
 * time when the rule is removed, on one, two or eight ranks. [P] another measurement in
 * docs/performance.md. [S] docs/scaling.md. [M] a measurement on common machines, which
 * may be wrong by a factor of two. [J] judgement: not measured by itself. */
#ifndef SDCA_BASE_TUNING_H
#define SDCA_BASE_TUNING_H

#include <float.h>

/* Memory: time per step. */

enum {
    /* Rows: prefetch distance of row records. [A] Without: 1.4 times the time per pass.
     * Also for alpha that moves back to eta < 1 [J] and for loading [J]. */
    TUNING_PREFETCH_RECORD_ROWS = 16,

    /* Rows: prefetch distance of entries, for which the record is needed first. [A]
     * Without: 1.8 times the time per pass. */
    TUNING_PREFETCH_ENTRY_ROWS = 6,

    /* The same while rows are loaded, which writes them. [J] */
    TUNING_PREFETCH_LOADED_ENTRY_ROWS = 8,

    /* Cache lines prefetched per row: enough for all but 1 / TAIL of the rows, by a
     * sample of this many rows, and at most MAX. [A] With one line: 1.5 times the time
     * per pass. */
    TUNING_PREFETCH_MAX_LINES     = 32,
    TUNING_PREFETCH_LINES_SAMPLE  = 4096,
    TUNING_PREFETCH_TAIL_FRACTION = 32,

    /* Rows: neighbours that are visited together, in random order; a 64-bit word has a
     * byte for each. [A] Without: 6 % fewer passes, but 1.2 times the time per pass. 32
     * rows need more passes on cov1 [P]. */
    TUNING_ROW_GROUP = 8,

    /* Rows: neighbours that are sampled together for an estimate of the gap. [J] */
    TUNING_SAMPLE_BLOCK_ROWS = 16,

    /* Lines of w that ranks have touched are summed in blocks of this many; those of the
     * next block are prefetched. [J] */
    TUNING_LINE_BLOCK = 32,

    /* Nodes send indices and values of non-zeros if at most 1 / this of the columns have
     * changed: 12 bytes instead of 8, gathered by all nodes. [S] */
    TUNING_SPARSE_ALLREDUCE_DIVISOR = 4,
};

/* Ranks mark the lines of w that they change if the rows of a round have at most this
 * many non-zeros per line; only marked lines are summed if they are at most this fraction
 * of all: a line in a list costs two to three times as much as one in a stream. [S] */
static const double tuning_mark_nonzeros        = 1.5;
static const double tuning_touched_max_fraction = 0.3;

/* Shrinking. [A] Without: 1.9 times the time on one rank, 15 times on w8a, hinge. */

/* A row is skipped if its gap term is below this fraction of the mean term. [A] 0.1 for
 * both: 2 % more time; 0.02 to 0.5 make no difference for losses that are not smooth [P].
 */
static const double tuning_shrinking_fraction_smooth = 0.3;
static const double tuning_shrinking_fraction_kinked = 0.02;

/* A skipped row is visited at least every 2^(this - 1) sweeps. [A] 2^3 instead of 2^6:
 * 9 % more time, 3.2 times on w8a, hinge. */
enum { TUNING_SHRINKING_MAX_STREAK = 7 };

/* No row of a smooth loss begins to be skipped in a sweep over which the mean term falls
 * below this fraction. [A] Nothing to a gap of 1e-6; to 1e-9, astro 7.6 -> 11.3 passes
 * without it. */
static const double tuning_shrinking_fast_decrease = 0.2;

/* Line search. */

/* An error of this fraction of eta is accepted: D loses with its square. [A] 1e-3: 3 to
 * 4 % more time. */
static const double tuning_eta_tolerance = 0.05;

/* A secant is not checked by another reduction if D' deviates from a straight line by at
 * most this fraction of the curvature. [A] 1e-9: 2.0 +- 0.9 % more time on eight ranks.
 */
static const double tuning_eta_max_nonlinearity = 0.1;

/* Safety: secants before eta = sigma/K is taken instead. [J] */
enum { TUNING_ETA_MAX_SECANTS = 20 };

/* A path of several lambda whose loss has corners is SDCA's on up to this many ranks. [M]
 * Newton: 2.8 to 5.5 times the time on a9a and cov1, hinge, one and two ranks; more ranks
 * take more passes of SDCA if columns are few, but not more rounds of Newton. */
enum { TUNING_WARM_SDCA_RANKS = 4 };

/* A slope has no sign below this fraction of its terms, or of |w|^2 in units of the
 * machine precision. [A] Without the latter, runs stall at gaps of 1e-9 to 1e-10. */
static const double tuning_slope_rounding   = 1e-14;
static const double tuning_slope_w_rounding = 8.0 * DBL_EPSILON;

/* sigma. [A] Fixed at K: 22 % more time on two ranks, 2.4 times on eight. */

/* Weight of the past in sigma. [A] 0: 6 +- 4 % more time on two ranks, none on eight. */
static const double tuning_sigma_smoothing = 0.7;

/* sigma is at least 1 + this. [A] 0: 3 +- 2 % more time on two ranks, none on eight. */
static const double tuning_sigma_margin = 0.05;

/* Ranks from which on the mean row has a sigma of its own. [A] Never: 18 % more time on
 * eight ranks, 1.9 times on astro, hinge; already on two: 7.5 % more. */
enum { TUNING_DEFLATION_MIN_RANKS = 4 };

/* Once the estimated gap is within this ratio of the target, sigma is multiplied by this
 * factor, so that w settles. [A] Without: 3 to 5 % more time on eight ranks. */
static const double tuning_conservative_gap_ratio = 1.4;
static const double tuning_conservative_sigma     = 2.0;

/* Round length H, as a fraction of a sweep. */

/* On one rank, where the end of a round is only a chance to stop. [A] 1: the same. */
static const double tuning_single_rank_round = 0.25;

/* Seconds of a pass: per non-zero and per row; of an allreduce within a node: per column,
 * per call, and per lane where there are several; between nodes: per column and per
 * message, per doubling of nodes. [M, S] [A] A constant H = 0.1 is as good on one node,
 * but not for all networks. */
static const double tuning_nonzero_seconds         = 1.7e-9;
static const double tuning_row_seconds             = 20e-9;
static const double tuning_column_seconds          = 3e-9;
static const double tuning_allreduce_seconds       = 5e-6;
static const double tuning_lane_exchange_seconds   = 10e-6;
static const double tuning_network_column_seconds  = 20e-9;
static const double tuning_network_message_seconds = 50e-6;

/* The same where only touched lines are summed: seconds per line, and per non-zero that
 * is marked; entries of a touched line with one lane that are not zero and go between
 * nodes, 12 bytes each instead of 8. [M, S] */
static const double tuning_line_seconds   = 40e-9;
static const double tuning_mark_seconds   = 0.4e-9;
static const double tuning_line_entries   = 1.5;
static const double tuning_entry_elements = 1.5;

/* Seconds per non-zero where w has at least this many columns, as the second-level cache
 * does not hold it. [M, S] Without: rounds on wide data are 1.5 times as long, and 15 to
 * 20 % more passes. */
static const double tuning_wide_columns         = 262144.0;
static const double tuning_wide_nonzero_seconds = 4e-9;

/* Touched lines are estimated from this many rows; the fraction of all lines beyond which
 * an estimate says only that most are touched, and the least power. [J] */
enum { TUNING_TOUCHED_SAMPLE = 4096 };
static const double tuning_touched_saturation = 0.999;
static const double tuning_touched_min_power  = 0.3;

/* Passes grow like 1 + b H with b = RATE k / (1 + k / SATURATION) for a coupling k. [S]
 * Fitted to text on 4 and 16 ranks, to a factor of three. [A] Without: 1.8 times the time
 * on earn, logistic. */
static const double tuning_coupling_rate       = 2.5;
static const double tuning_coupling_saturation = 8.0;

/* The smoothness that a loss with kinks counts as in the coupling. [S] */
static const double tuning_kinked_smoothness = 0.25;

/* The coupling grows with rows / columns beyond this. [A] Without: 1.7 times the time on
 * w8a, hinge, two ranks; 2 % in the mean. */
static const double tuning_rows_per_column = 100.0;

/* b grows with the square root of ranks beyond this many. [A] Without: 7 +- 4 % less time
 * on 8 ranks and 14 +- 7 % less on 16, but 6 and 14 % more passes; and all of 128 ranks
 * instead of 16 would be chosen for a set of 40,000 rows. */
static const double tuning_crowd_ranks = 4.0;

/* The first H is at most this over the coupling, within [MIN, 1]. [A] At most 1: 12 %
 * more passes on two ranks, 45 % on eight. */
static const double tuning_max_round     = 0.33;
static const double tuning_min_max_round = 0.1;

/* H changes every few rounds, by at most this factor, up to this multiple of the first H
 * and down to this fraction of it; the past has this weight. [A] No change: 10 % more
 * time on two ranks. Every round: 5 %. Any factor: 4 %. No upper bound: 35 to 50 % more
 * passes. No memory: 3 %. No lower bound: rounds of three steps where rows are few (six
 * times the rounds on 333 rows). */
enum { TUNING_ROUND_ADAPT_INTERVAL = 4 };
static const double tuning_round_max_change   = 1.5;
static const double tuning_round_max_increase = 3.0;
static const double tuning_round_max_decrease = 8.0;
static const double tuning_round_smoothing    = 0.7;

/* Lower bounds: of eta and of r = |sum dw|^2 / sum |dw|^2, and of the lost progress
 * 1 - 1/s (solver/sdca/round_length.h). [J] */
static const double tuning_round_min_agreement = 0.1;
static const double tuning_round_min_lost      = 1e-6;

/* The best H is searched for in steps of this factor, down to this fraction of the
 * longest round that marks what it touches. [J] */
static const double tuning_round_search_step = 0.84;
static const double tuning_round_min_search  = 1e-3;

/* Number of working ranks: passes of two, and of more ranks, in those of one; the least
 * gain of a change, as the model may err; the bytes of rows for each working rank. [S] */
static const double tuning_two_rank_passes  = 1.05;
static const double tuning_many_rank_passes = 1.3;
static const double tuning_ranks_min_gain   = 1.2;
static const double tuning_max_rank_bytes   = 1e9;

/* Estimates and evaluations of the gap. */

/* Rows of an estimate: this times sqrt(n), at most this fraction. [A] No estimates: 25,
 * 19 and 15 % more time on one, two and eight ranks. */
static const double tuning_sample_rows         = 12.0;
static const double tuning_sample_max_fraction = 0.25;

/* Standard deviations by which an estimate must be below the target. [A] 0: 7 % more
 * evaluations. */
static const double tuning_safety_deviations = 1.8;

/* The next estimate comes after EARLY of the forecast time, not before MIN epochs or
 * 1 / MIN_DIVISOR of all, and not after an epoch or 1 / MAX_DIVISOR of all; it may be
 * early by 1 / EARLY_DIVISOR epoch. [A] Without MAX: 14 % more time on one rank, 1.8
 * times on ccat, hinge. Without the others and the memory of the forecast: 4 % on two and
 * eight ranks. */
static const double tuning_estimate_early       = 0.8;
static const double tuning_estimate_min_epochs  = 0.125;
static const double tuning_estimate_min_divisor = 40.0;
static const double tuning_estimate_max_divisor = 8.0;
enum { TUNING_ESTIMATE_EARLY_DIVISOR = 32 };

/* Memory of the forecast's rate: epochs, and fraction of all epochs. [A] See above. */
static const double tuning_forecast_min_memory     = 0.5;
static const double tuning_forecast_memory_divisor = 8.0;

/* Without a promising estimate, the gap is evaluated when the number of epochs has
 * doubled, and grown by this many: that reactivates rows skipped in error. [A]
 * Always 8: 9 % more time on year, squared. None: 13 -> 15 passes on astro, hinge, to
 * 1e-9. At rounding level it comes after this many epochs [J]. */
static const double tuning_evaluation_min_epochs      = 8.0;
static const double tuning_evaluation_rounding_epochs = 25.0;

/* Without estimates: at most this many epochs, or 1 / DIVISOR of all. [J] */
static const double tuning_evaluation_max_epochs  = 2.0;
static const double tuning_evaluation_max_divisor = 2.0;

/* Stopping. Without these rules such runs do not end. */

/* Relative gaps at which only rounding errors are left. [J] */
static const double tuning_rounding_level        = 1e-12;
static const double tuning_newton_rounding_level = 1e-10;

/* Epochs without a smaller gap there; epochs, and 1 / DIVISOR of all, without progress
 * elsewhere; the fraction of the gap below which a gain is no progress. [J] */
static const double tuning_rounding_patience = 50.0;
static const double tuning_stall_patience    = 200.0;
static const double tuning_stall_divisor     = 2.0;
static const double tuning_negligible_gain   = 1e-6;

/* The fraction of all time that checkpoints may take. [J] */
static const double tuning_checkpoint_max_fraction = 0.02;

/* Newton's method; figures are passes without the rule over passes with it [A]. -------
 */

/* Columns up to which it can be requested, and up to which auto may choose it. [J] */
enum { TUNING_NEWTON_MAX_COLUMNS = 4000, TUNING_NEWTON_AUTO_COLUMNS = 1000 };

/* First rounds use a sample: rows per column, within this fraction of all rows; lambda n
 * at least this times the mean |x|^2, for columns that the sample hardly has; rounds.
 * Without a sample 1.26; without the least lambda n 1.14, 14 on w8a, hinge. */
static const double tuning_newton_sample_rows_per_column = 32.0;
static const double tuning_newton_sample_min             = 1.0 / 16.0;
static const double tuning_newton_sample_max             = 1.0 / 4.0;
static const double tuning_newton_sample_min_lambda_n    = 0.03;
enum { TUNING_NEWTON_SAMPLE_ROUNDS = 12 };

/* Width of the smoothed kinks: lowered while gap / smoothing gap is below TRACKING, by a
 * factor within [MIN, MAX], to a smoothing gap of this fraction of the target; raised by
 * RAISE beyond DIVERGED. Always 0.3: 2.6; never raised: 1.21. */
static const double tuning_newton_tracking     = 30.0;
static const double tuning_newton_diverged     = 3000.0;
static const double tuning_newton_width_min    = 0.3;
static const double tuning_newton_width_max    = 0.5;
static const double tuning_newton_gap_fraction = 0.3;
static const double tuning_newton_width_raise  = 3.0;

/* Widths from a kink beyond which a row leaves the Hessian (times sqrt(C |x|^2) if that
 * is more than 1), and the least distance, in first widths. Without the sqrt: 1.29. */
static const double tuning_newton_far     = 10.0;
static const double tuning_newton_nearest = 0.01;

/* The relative rise of P that makes a logistic step be repeated with a majoriser.
 * Without: 2.2, 151 on a9a. */
static const double tuning_newton_primal_tolerance = 1e-9;

/* The constant column of an intercept, in units of the root mean square of |x|. Epochs on
 * a9a, hinge and logistic, to 1e-4: 1: 106, 47; 0.5: 62, 28; 0.25: 51, 22; 0.1: 49, 20,
 * but 302 instead of 5 on abalone; 0.03: above 1000. */
static const double tuning_constant_column = 0.25;

/* The penalty of a step of the intercept, relative to its matrix element, and at most to
 * that of w: the element is positive also if no row has a slope. [J] Always relative to
 * that of w: thousands of rounds where residuals are large, as of labels far from 0. */
static const double tuning_newton_intercept_penalty = 1e-6;

/* The fraction of P that the least width resolves. [J] Rounds without a better gap after
 * which SDCA takes over. [J] */
static const double tuning_newton_rounding_floor = 1e-13;
enum { TUNING_NEWTON_PATIENCE = 20 };

/* Choice between Newton's method and SDCA (solver/newton/newton.h has the formulas):
 * nanoseconds per row for Newton's pass (kinked and smooth losses, constant and per m^2)
 * and for an epoch of SDCA (constant and per non-zero), epochs and exponents. [M] on
 * cov1, a9a, ijcnn1 and w8a; not part of the ablation. */
static const double tuning_choice_safety           = 1.1;
static const double tuning_choice_kinked_pass      = 55.0;
static const double tuning_choice_kinked_nonzeros2 = 0.2;
static const double tuning_choice_smooth_pass      = 45.0;
static const double tuning_choice_smooth_nonzeros2 = 0.3;
static const double tuning_choice_cholesky         = 12.0; /* d^3 over this */
static const double tuning_choice_kinked_rounds    = 0.4;  /* per decade of 1 + q */
static const double tuning_choice_sample_passes    = 0.5;
static const double tuning_choice_sample_solves    = 6.0;
static const double tuning_choice_epoch            = 15.0;
static const double tuning_choice_epoch_nonzeros   = 2.3;
static const double tuning_choice_epochs           = 3.5;
static const double tuning_choice_rank_exponent    = 0.7;
static const double tuning_choice_kinked_decade    = 0.7;
static const double tuning_choice_smooth_decade    = 0.5;
static const double tuning_choice_first_target     = 1e-4;
static const double tuning_choice_kinked_target    = 1e-10;
static const double tuning_choice_smooth_target    = 1e-14;

/* Models side by side, in lanes. [M] A prototype with eight lanes walked over all rows in
 * the time of 1.5 to 2.9 models alone (text and digits). It was not part of the ablation.
 */
enum {
    /* Passes of one model: the cost of a pass of all lanes, in the model of the round
     * length and of the number of working ranks. 1: the first H would be sqrt(3) times
     * as long. */
    TUNING_LANE_PASSES = 3,
};

/* The same for four lanes, where the solver is chosen. [M] A walk over a row took 0.4 of
 * the time of eight lanes, its steps as long. */
static const double tuning_four_lane_passes = 1.5;

#endif
