/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_trainer.c - complete runs: targets, budgets, outputs, callbacks. */
#include "train/trainer.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"
#include "objective/snapshot.h"
#include "solver/sdca/sdca_solver.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { COLUMNS = 60 };

/* One case: every loss with every rule, and both widths of values. */
typedef struct setting {
    int                   loss;
    sdca_aggregation_rule rule;
    bool                  wide;
} setting;

enum { SETTINGS = SDCA_LOSS_COUNT * 3 * 2 };

static setting nth_setting(int k)
{
    return (setting){ k % SDCA_LOSS_COUNT,
                      (sdca_aggregation_rule)(k / SDCA_LOSS_COUNT % 3),
                      k / SDCA_LOSS_COUNT / 3 == 1 };
}

START_TEST(every_rule_and_loss_reaches_the_target)
{
    setting            s       = nth_setting(_i);
    small_run          run     = small_run_start(300, COLUMNS, s.loss, 1e-2, s.wide);
    sdca_train_options options = { .aggregate   = s.rule,
                                   .local_steps = 0.5,
                                   .rel_gap     = 1e-6,
                                   .epochs      = 3000,
                                   .order       = (sdca_row_order_kind)(_i % 4) };

    ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
    ck_assert_double_le(sdca_duality_gap_relative(&run.result.certificate), 1e-6);
    ck_assert_double_eq(small_run_inconsistency(&run), 0.0); /* w is rebuilt */
    ck_assert_all(run.result.history.count >= 2);
    ck_assert_double_eq(run.result.history.records[0].epoch, 0.0);
    small_run_free(&run);
}
END_TEST

/* Where D is exact to its last digit, P is not yet: the moves are so small that the slope
 * of a line search is nothing but rounding, and yet the gap must continue to fall. */
START_TEST(the_gap_falls_beyond_the_digits_of_the_dual)
{
    small_run          run;
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .local_steps = 0.1,
                                   .rel_gap     = 1e-9,
                                   .epochs      = 600 };

    run = small_run_train(60, COLUMNS, SDCA_LOSS_hinge, 1e-5, &options);
    ck_assert_all(run.status == SDCA_OK);
    small_run_free(&run);
}
END_TEST

/* Values beyond float32, with a lambda of their square: the projections on the mean row
 * are stored in float32, which cannot hold them. */
START_TEST(values_beyond_float32_reach_the_target)
{
    const double size = 1e60;
    small_run    run =
        small_run_start(300, COLUMNS, SDCA_LOSS_hinge, 1e-2 * size * size, true);
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .solver      = SDCA_SOLVER_SDCA,
                                   .local_steps = 0.1,
                                   .rel_gap     = 1e-6,
                                   .epochs      = 1000 };

    for (uint32_t i = 0; i < run.data->x.count; i++) {
        sdca_rows_scale(&run.data->x, i, size);
        run.data->x.row[i].norm2 *= size * size;
    }
    run.data->mean_norm2 *= size * size;
    ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
    small_run_free(&run);
}
END_TEST

/* Fewer rows than ranks leave ranks without any; one row is the least. */
START_TEST(ranks_without_rows_take_part)
{
    small_run          run;
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-9,
                                   .epochs    = 1000 };

    run = small_run_train(_i, COLUMNS, SDCA_LOSS_hinge, 1e-1, &options);
    ck_assert_all(run.status == SDCA_OK);
    small_run_free(&run);
}
END_TEST

/* All rows empty: the optimum is known at the start. */
START_TEST(rows_of_zeros_are_at_their_best_from_the_start)
{
    for (int loss = 0; loss < SDCA_LOSS_COUNT; loss++) {
        sdca_rows     x;
        sdca_dataset *data = NULL;
        small_run     run;

        ck_assert_all(sdca_rows_create(2, 3, 0, false, &x) == SDCA_OK);
        x.row[0] = (sdca_row){ .y = 1.0 };
        x.row[1] = (sdca_row){ .y = -1.0 };
        x.row[2] = (sdca_row){ .start = 0 };
        ck_assert_all(sdca_dataset_create(*world, &x, true, NULL, &data) == SDCA_OK);
        run = small_run_of(data, loss, 1e-2);
        ck_assert_double_le(small_run_measure(&run).gap, 1e-15);
        small_run_free(&run);
    }
}
END_TEST

/* NaN meets no target. */
START_TEST(no_number_is_small_enough)
{
    sdca_target      absolute = { .gap = 0.1 }, relative = { .rel_gap = 0.1 };
    sdca_certificate good = { .primal = 1.0, .dual = 0.95, .gap = 0.05 };
    sdca_certificate none = { .primal = NAN, .dual = 0.95, .gap = NAN };

    ck_assert(sdca_target_is_met(&absolute, &good) &&
              !sdca_target_is_met(&absolute, &none));
    ck_assert(sdca_target_is_met(&relative, &good) &&
              !sdca_target_is_met(&relative, &none));
    none.primal = 1.0;
    ck_assert(!sdca_target_is_met(&relative, &none));
}
END_TEST

/* Estimates replace most exact evaluations, and the run ends about as soon as with
 * frequent evaluations. */
START_TEST(a_run_ends_soon_after_its_target)
{
    static const int losses[] = { SDCA_LOSS_hinge, SDCA_LOSS_smooth_hinge,
                                  SDCA_LOSS_logistic, SDCA_LOSS_squared };
    small_run        run =
        small_run_of(small_dataset_create(6000, COLUMNS, true, false), losses[_i], 1e-3);
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .solver    = SDCA_SOLVER_SDCA,
                                   .rel_gap   = 1e-3,
                                   .seed      = 11 };
    double             epochs;

    ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
    epochs = sdca_iterate_epochs(&run.objective, &run.iterate);
    ck_assert_int_le((int)run.result.history.count, 3);
    options.evaluation_interval = 0.125;
    ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
    ck_assert_double_le(epochs,
                        1.1 * sdca_iterate_epochs(&run.objective, &run.iterate) + 0.25);
    small_run_free(&run);
}
END_TEST

/* Does a run end with a larger sigma than it had before? Collective. */
static bool ends_with_large_sigma(small_run *run, uint64_t seed)
{
    sdca_train_options    options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                      .solver    = SDCA_SOLVER_SDCA,
                                      .rel_gap   = 1e-2,
                                      .seed      = seed };
    const sdca_round_log *log     = &run->result.history.round_log;
    double                ranks = sdca_comm_size(*world), least = INFINITY, last;

    ck_assert_all(small_run_again(run, &options) == SDCA_OK);
    last = log->entries[log->count - 1].sigma;
    for (int64_t k = 0; k < log->count; k++) {
        least = fmin(least, log->entries[k].sigma);
    }
    ck_assert_double_le(last, ranks);
    return last >= fmin(ranks, 1.5 * least);
}

/* Near the end sigma is larger, so that P does not suffer from steps that ignore those of
 * the other ranks; some runs end before. */
START_TEST(w_settles_before_the_end)
{
    small_run run   = small_run_start(6000, COLUMNS, SDCA_LOSS_hinge, 1e-5, false);
    int       large = 0;

    for (uint64_t seed = 0; seed < 5; seed++) {
        large += ends_with_large_sigma(&run, seed);
    }
    ck_assert_int_ge(large, 3);
    small_run_free(&run);
}
END_TEST

START_TEST(same_seed_same_bits)
{
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                   .local_steps = 0.2,
                                   .rel_gap     = 1e-5,
                                   .seed        = 11 };
    small_run          run[3];
    size_t             bytes = COLUMNS * sizeof *run->iterate.w;

    for (int k = 0; k < 3; k++) {
        options.seed = k < 2 ? 11 : 12;
        run[k]       = small_run_train(300, COLUMNS, SDCA_LOSS_logistic, 1e-3, &options);
        ck_assert_all(run[k].status == SDCA_OK);
    }
    ck_assert_all(memcmp(run[0].iterate.w, run[1].iterate.w, bytes) == 0);
    ck_assert_all(memcmp(run[0].iterate.w, run[2].iterate.w, bytes) != 0);
    ck_assert_all(run[0].result.history.count == run[1].result.history.count);
    ck_assert_double_eq(run[0].result.certificate.gap, run[1].result.certificate.gap);
    /* Another seed, the same optimum. */
    ck_assert_double_le(
        fabs(run[0].result.certificate.primal - run[2].result.certificate.primal),
        run[0].result.certificate.gap + run[2].result.certificate.gap);
    for (int k = 0; k < 3; k++) {
        small_run_free(&run[k]);
    }
}
END_TEST

/* The same rows in entries of 8 or 16 bytes in place of 6. Local. */
static void rewrite(sdca_dataset *data, bool wide)
{
    sdca_rows *x       = &data->x;
    int64_t    entries = x->row[x->count].start;
    sdca_rows  other   = *x;

    other.sparse16 = NULL;
    other.sparse32 = wide ? NULL : calloc((size_t)entries + 1, sizeof *other.sparse32);
    other.sparse64 = wide ? calloc((size_t)entries + 1, sizeof *other.sparse64) : NULL;
    ck_assert(x->sparse16 != NULL && (other.sparse32 != NULL || other.sparse64 != NULL));
    for (int64_t k = 0; k < entries; k++) {
        sdca_rows_set_entry(&other, k, (int32_t)sdca_rows_column(x, k),
                            sdca_rows_value(x, k));
    }
    free(x->sparse16);
    *x = other;
}

/* SDCA and Newton's method do not depend on how entries are stored. */
START_TEST(entries_of_any_width_give_the_same_bits)
{
    int                loss    = _i / 2;
    sdca_train_options options = { .solver    = _i % 2 == 0 ? SDCA_SOLVER_SDCA
                                                            : SDCA_SOLVER_NEWTON,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-4,
                                   .seed      = 3 };
    double             w[3][COLUMNS];
    double             gap[3];
    const size_t       size = sizeof w[0];

    for (int width = 0; width < 3; width++) {
        small_run run = small_run_start(157, COLUMNS, loss, 1e-2, false);

        if (width > 0) {
            rewrite(run.data, width == 2);
        }
        ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
        memcpy(w[width], run.iterate.w, size);
        gap[width] = run.result.certificate.gap;
        ck_assert_double_gt(fabs(w[width][0]) + fabs(w[width][1]), 0.0);
        small_run_free(&run);
    }
    ck_assert_all(memcmp(w[0], w[1], size) == 0 && memcmp(w[0], w[2], size) == 0);
    ck_assert_all(gap[0] == gap[1] && gap[0] == gap[2]);
}
END_TEST

START_TEST(budgets_are_kept)
{
    small_run run = small_run_start(200, COLUMNS, SDCA_LOSS_logistic, 1e-9, false);
    sdca_train_options options = { .aggregate   = SDCA_AGGREGATION_ADD,
                                   .local_steps = 0.3,
                                   .rel_gap     = 1e-300 };

    options.epochs = 2;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_int_eq(run.iterate.steps, 2 * run.data->rows);
    options.epochs = 0;
    options.rounds = 5;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_int_eq(run.iterate.round, 5);
    options.rounds  = 0;
    options.seconds = 0.0005;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_int_eq(run.result.stop_reason, SDCA_STOP_BUDGET);
    ck_assert_double_ge(run.result.times.total, 0.0005);
    small_run_free(&run);
}
END_TEST

/* The gap does not fall in every round. A run that ends just after it rose keeps
 * the iterate with the least gap, rebuilt and certified afresh. */
START_TEST(the_best_iterate_is_kept)
{
    small_run          run = small_run_start(200, COLUMNS, SDCA_LOSS_hinge, 1e-4, false);
    sdca_train_options options = { .aggregate           = SDCA_AGGREGATION_ADD,
                                   .rel_gap             = 1e-300,
                                   .rounds              = 60,
                                   .local_steps         = 0.15,
                                   .evaluation_interval = 0.01 };
    int64_t            risen   = 0;

    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    for (int64_t k = 1; k < run.result.history.count && risen == 0; k++) {
        risen = run.result.history.records[k].gap > run.result.history.records[k - 1].gap
                    ? k
                    : 0;
    }
    ck_assert_int_gt(risen, 0);

    options.rounds = risen;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_double_eq_tol(run.result.certificate.gap,
                            run.result.history.records[risen - 1].gap, 1e-12);
    ck_assert_double_lt(run.result.certificate.gap,
                        run.result.history.records[risen].gap);
    ck_assert_double_eq(small_run_inconsistency(&run), 0.0);

    options.output = SDCA_OUTPUT_LAST;
    ck_assert_all(small_run_again(&run, &options) == SDCA_BUDGET);
    ck_assert_double_eq(run.result.certificate.gap,
                        run.result.history.records[risen].gap);
    small_run_free(&run);
}
END_TEST

/* The iterates to draw from are those between T0 and T: both must be known, and in this
 * order. An average without T lasts until the run ends. */
START_TEST(iterates_to_keep_must_exist)
{
    small_run run;
    static const struct {
        sdca_output_kind keep;
        int64_t          epochs;
        double           from;
        sdca_status      status;
    } cases[] = {
        { SDCA_OUTPUT_RANDOM, 0, 0.0, SDCA_USAGE },
        { SDCA_OUTPUT_RANDOM, 3, 3.0, SDCA_USAGE },
        { SDCA_OUTPUT_RANDOM, 3, 2.9, SDCA_BUDGET },
        { SDCA_OUTPUT_AVERAGE, 3, 3.5, SDCA_USAGE },
        { SDCA_OUTPUT_AVERAGE, 0, 1.0, SDCA_OK },
    };
    sdca_train_options options = { .aggregate    = SDCA_AGGREGATION_LINE_SEARCH,
                                   .output       = cases[_i].keep,
                                   .epochs       = cases[_i].epochs,
                                   .average_from = cases[_i].from,
                                   .rel_gap =
                                       cases[_i].status == SDCA_OK ? 0.5 : 1e-300 };

    run = small_run_train(60, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-2, &options);
    ck_assert_all(run.status == cases[_i].status);
    small_run_free(&run);
}
END_TEST

/* The average and the random iterate against the iterates themselves, round by round: one
 * step per round with one rank, a third of the rows with several. The last part of a run
 * counts. */
START_TEST(average_and_random_are_of_the_iterates)
{
    bool               averaged = _i == 0;
    int                ranks    = sdca_comm_size(*world);
    sdca_train_options options  = { .aggregate    = SDCA_AGGREGATION_LINE_SEARCH,
                                    .order        = SDCA_ROW_ORDER_RANDOM,
                                    .output       = averaged ? SDCA_OUTPUT_AVERAGE
                                                             : SDCA_OUTPUT_RANDOM,
                                    .rel_gap      = 1e-300,
                                    .seed         = 4,
                                    .local_steps  = ranks == 1 ? 1.0 : 1.0 / 3.0,
                                    .epochs       = 3,
                                    .average_from = 1.3 };
    small_run kept = small_run_train(90, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-2, &options);
    small_run run  = small_run_start(90, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-2, false);
    uint32_t  rows = run.data->x.count;
    double    mean[91] = { 0.0 }, weight = 0.0, off = 0.0;
    double    first = 1.3 * (double)run.data->rows;
    bool      met   = false;
    int64_t   made  = 0;
    sdca_ascent         local;
    sdca_aggregation    aggregate;
    sdca_ascent_options how = { .models      = 1,
                                .order       = options.order,
                                .seed        = options.seed,
                                .rank        = sdca_comm_rank(*world),
                                .single_rank = ranks == 1 };

    ck_assert_all(kept.status == SDCA_BUDGET);
    ck_assert_all(sdca_ascent_create(run.data, &how, &local) == SDCA_OK);
    aggregate = sdca_aggregation_start(options.aggregate, 0.0, ranks);
    ck_assert_all(sdca_aggregation_deflate(*world, run.data, &local, &aggregate) ==
                  SDCA_OK);
    while (run.iterate.steps < 3 * run.data->rows) {
        int64_t           before = run.iterate.steps;
        int64_t           left   = 3 * (int64_t)rows - made;
        int64_t           steps  = ranks == 1 ? 1 : (int64_t)rint(rows / 3.0);
        sdca_round_totals totals = { .clock = 0.0 };
        double            count;
        double            old[91];

        for (uint32_t i = 0; i < rows; i++) {
            old[i] = run.iterate.row[i].alpha;
        }
        steps = steps < left ? steps : left;
        made += steps;
        sdca_ascent_run(&run.objective, run.data, &run.iterate, &local, &aggregate.sigma,
                        steps);
        sdca_aggregation_round(*world, &run.objective, &run.iterate, &local, &aggregate,
                               &totals);
        count = fmax(0.0, (double)run.iterate.steps - fmax((double)before, first));
        for (uint32_t i = 0; i < rows; i++) {
            mean[i] += count * old[i];
        }
        weight += count;
        if ((double)run.iterate.steps > first) {
            double away = 0.0;

            for (uint32_t i = 0; i < rows; i++) {
                away = fmax(away,
                            fabs(run.iterate.row[i].alpha - kept.iterate.row[i].alpha));
            }
            sdca_comm_allreduce_max(*world, &away, 1);
            met = met || away == 0.0;
        }
    }
    for (uint32_t i = 0; i < rows; i++) {
        off = fmax(off, fabs(mean[i] / weight - kept.iterate.row[i].alpha));
    }
    ck_assert_all(averaged ? off < 1e-13 : met);
    ck_assert_double_eq(small_run_inconsistency(&kept), 0.0);
    sdca_ascent_free(&local);
    small_run_free(&kept);
    small_run_free(&run);
}
END_TEST

/* The approximate step of the logistic loss leads to the same optimum, and the
 * start with SGD as well. */
START_TEST(other_ways_lead_to_the_same_optimum)
{
    small_run run = small_run_start(200, COLUMNS, SDCA_LOSS_logistic, 1e-2, false);
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-8 };
    double             primal[3];

    for (int k = 0; k < 3; k++) {
        options.approximate_step = k == 1;
        options.sgd_start        = k == 2;
        ck_assert_all(small_run_again(&run, &options) == SDCA_OK);
        ck_assert_double_eq(small_run_inconsistency(&run), 0.0);
        primal[k] = run.result.certificate.primal;
    }
    ck_assert_double_eq_tol(primal[0], primal[1], 1e-8);
    ck_assert_double_eq_tol(primal[0], primal[2], 1e-8);
    small_run_free(&run);
}
END_TEST

/* A start with SGD may spoil a state that was better: what is kept is the best. */
START_TEST(the_state_before_sgd_may_be_the_best)
{
    sdca_train_options options = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                   .rel_gap   = 1e-4 };
    small_run run  = small_run_train(200, COLUMNS, SDCA_LOSS_hinge, 1e-3, &options);
    double    good = run.result.certificate.gap;

    ck_assert_all(run.status == SDCA_OK);
    options.sgd_start   = true;
    options.rel_gap     = 1e-300;
    options.local_steps = 0.02;
    options.rounds      = run.iterate.round + 3;
    ck_assert_all(small_run_continue(&run, &options) == SDCA_BUDGET);
    ck_assert_all(run.result.history.records[1].gap > 2.0 * good);
    ck_assert_all(run.result.certificate.gap <= 1.0001 * good);
    small_run_free(&run);
}
END_TEST

/* The gap of SGD's w is certified and falls; several ranks are refused. */
START_TEST(sgd_is_certified_as_well)
{
    small_run run = small_run_start(200, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-1, false);
    sdca_train_options options = { .solver  = SDCA_SOLVER_SGD,
                                   .rel_gap = 1e-300,
                                   .epochs  = 50 };
    sdca_status        status  = small_run_again(&run, &options);

    if (sdca_comm_size(*world) > 1) {
        ck_assert_all(status == SDCA_USAGE);
    } else {
        ck_assert_int_eq(status, SDCA_BUDGET);
        ck_assert_double_ge(run.result.certificate.gap, 0.0);
        ck_assert_double_lt(run.result.certificate.gap, 0.05);
        ck_assert_int_eq(run.iterate.steps, 50 * run.data->rows);
    }
    small_run_free(&run);
}
END_TEST

/* Newton's method refuses averages and a start with SGD. */
START_TEST(newton_has_no_average)
{
    small_run          run;
    sdca_train_options options = { .solver = SDCA_SOLVER_NEWTON,
                                   .output =
                                       _i == 0 ? SDCA_OUTPUT_AVERAGE : SDCA_OUTPUT_BEST,
                                   .sgd_start = _i == 1,
                                   .epochs    = 2 };

    run = small_run_train(200, COLUMNS, SDCA_LOSS_smooth_hinge, 1e-1, &options);
    ck_assert_all(run.status == SDCA_USAGE);
    small_run_free(&run);
}
END_TEST

/* What on_progress has reported. */
typedef struct reported {
    double        rounds;
    bool          sound;
    sdca_progress last;
    const double  target;
} reported;

static void record_progress(void *context, const sdca_progress *now)
{
    reported *t = context;

    t->rounds++;
    t->sound = t->sound && now->round == t->rounds && now->epoch > t->last.epoch &&
               now->seconds >= t->last.seconds && now->communication_fraction >= 0.0 &&
               now->communication_fraction < 1.0 && now->gap > 0.0 &&
               now->target_gap == t->target;
    t->last = *now;
}

/* Every round is reported, with the evaluated or the estimated gap. */
START_TEST(rounds_are_reported_between_evaluations)
{
    small_run          run = small_run_start(300, COLUMNS, SDCA_LOSS_hinge, 1e-2, false);
    sdca_train_options options     = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                       .order       = _i == 0 ? SDCA_ROW_ORDER_AUTO
                                                              : SDCA_ROW_ORDER_CYCLIC,
                                       .local_steps = 0.2,
                                       .gap         = 1e-5 };
    reported           t           = { .sound = true, .target = 1e-5 };
    sdca_train_callbacks callbacks = { .context = &t, .on_progress = record_progress };
    bool                 between;
    ck_assert_all(sdca_trainer_run(&(sdca_train_setup){ .comm      = *world,
                                                        .data      = run.data,
                                                        .options   = &options,
                                                        .callbacks = &callbacks },
                                   &run.objective, NULL, &run.iterate,
                                   &run.result) == SDCA_OK);
    between = t.rounds > (double)run.result.history.count;
    ck_assert_all(t.sound && between && t.rounds == (double)run.iterate.round);
    ck_assert_all(t.last.gap < 1e-3 && t.last.gap > 1e-7);
    small_run_free(&run);
}
END_TEST

/* A corrupted alpha or w must not be certified. */
START_TEST(an_impossible_gap_is_a_defect)
{
    small_run        run = small_run_start(50, COLUMNS, SDCA_LOSS_hinge, 1e-2, false);
    sdca_certificate now;
    if (run.data->x.count > 0) {
        run.iterate.row[0].alpha = 2.0 * run.data->x.row[0].y; /* infeasible */
    }
    run.iterate.w[0] = NAN;
    ck_assert_all(sdca_duality_gap_measure(*world, &run.objective, run.data,
                                           sdca_iterate_point(&run.iterate), NULL,
                                           &now) == SDCA_DEFECT);
    small_run_free(&run);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, every_rule_and_loss_reaches_the_target, 0, SETTINGS);
    tcase_add_test(tests, the_gap_falls_beyond_the_digits_of_the_dual);
    tcase_add_test(tests, values_beyond_float32_reach_the_target);
    tcase_add_loop_test(tests, ranks_without_rows_take_part, 1, 5);
    tcase_add_test(tests, rows_of_zeros_are_at_their_best_from_the_start);
    tcase_add_test(tests, no_number_is_small_enough);
    tcase_add_loop_test(tests, a_run_ends_soon_after_its_target, 0, 4);
    tcase_add_test(tests, w_settles_before_the_end);
    tcase_add_test(tests, same_seed_same_bits);
    tcase_add_loop_test(tests, entries_of_any_width_give_the_same_bits, 0,
                        2 * SDCA_LOSS_COUNT);
    tcase_add_test(tests, budgets_are_kept);
    tcase_add_test(tests, the_best_iterate_is_kept);
    tcase_add_loop_test(tests, iterates_to_keep_must_exist, 0, 5);
    tcase_add_loop_test(tests, average_and_random_are_of_the_iterates, 0, 2);
    tcase_add_test(tests, other_ways_lead_to_the_same_optimum);
    tcase_add_test(tests, the_state_before_sgd_may_be_the_best);
    tcase_add_test(tests, sgd_is_certified_as_well);
    tcase_add_loop_test(tests, newton_has_no_average, 0, 2);
    tcase_add_loop_test(tests, rounds_are_reported_between_evaluations, 0, 2);
    tcase_add_test(tests, an_impossible_gap_is_a_defect);
}
