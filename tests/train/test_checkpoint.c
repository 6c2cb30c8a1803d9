/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_checkpoint.c - a run that is stopped and goes on is the run that never stopped. */
#include "train/trainer.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"
#include "support/temp_dir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/hdf5_checksum.h"
#include "mpi/comm.h"
#include "train/warm_start.h"

enum { COLUMNS = 40, ROWS = 333 };

/* Requests a stop when this many rounds have been made; never if 0. */
typedef struct stop_after {
    int rounds;
    int seen;
    int saved;
    int failed;
} stop_after;

static bool is_asked_to_stop(void *context)
{
    stop_after *p = context;

    return ++p->seen == p->rounds;
}

static void note_saved(void *context, sdca_status status, double seconds)
{
    stop_after *p = context;

    (void)seconds;
    p->saved += status == SDCA_OK;
    p->failed += status != SDCA_OK;
}

/* What there is of a run when it has ended. */
typedef struct outcome {
    sdca_iterate      state;
    sdca_train_result result;
    sdca_status       status;
} outcome;

static double two_signs[] = { -1.0, 1.0 };

static sdca_model model_of(const sdca_objective *objective, const sdca_dataset *data)
{
    return (sdca_model){ .objective   = *objective,
                         .labels      = { .count = 2, .value = two_signs },
                         .columns     = data->columns,
                         .nonzeros    = data->nonzeros,
                         .fingerprint = data->fingerprint };
}

static outcome run(MPI_Comm comm, const sdca_objective *objective,
                   const sdca_dataset *data, sdca_train_options options, stop_after *p)
{
    sdca_train_callbacks callbacks = { .context        = p,
                                       .on_checkpoint  = note_saved,
                                       .stop_requested = is_asked_to_stop };
    sdca_model           model     = model_of(objective, data);
    outcome              out       = { .status = SDCA_OK };

    ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, objective, data, &out.state),
                     SDCA_OK);
    out.status = sdca_trainer_run(
        &(sdca_train_setup){
            .comm = comm, .data = data, .options = &options, .callbacks = &callbacks },
        objective, &model, &out.state, &out.result);
    return out;
}

static void forget(outcome *o)
{
    sdca_history_free(&o->result.history);
    sdca_iterate_free(&o->state);
}

/* All but the seconds. */
static bool same_rounds(const sdca_round_log *a, const sdca_round_log *b)
{
    for (int64_t k = 0; k < a->count && a->count == b->count; k++) {
        sdca_round_log_entry x = a->entries[k], y = b->entries[k];

        x.seconds = y.seconds = 0.0;
        if (memcmp(&x, &y, sizeof x) != 0) {
            return false;
        }
    }
    return a->count == b->count;
}

static bool same_history(const sdca_history *a, const sdca_history *b)
{
    for (int64_t k = 0; k < a->count && a->count == b->count; k++) {
        sdca_history_record x = a->records[k], y = b->records[k];

        x.seconds = y.seconds = 0.0;
        if (memcmp(&x, &y, sizeof x) != 0) {
            return false;
        }
    }
    return a->count == b->count && same_rounds(&a->round_log, &b->round_log);
}

static bool same_bits(const sdca_dataset *data, const outcome *a, const outcome *b)
{
    return a->status == b->status && a->state.round == b->state.round &&
           a->state.steps == b->state.steps &&
           memcmp(a->state.w, b->state.w, (size_t)data->columns * sizeof *a->state.w) ==
               0 &&
           memcmp(a->state.row, b->state.row, data->x.count * sizeof *a->state.row) ==
               0 &&
           memcmp(&a->result.certificate, &b->result.certificate,
                  sizeof a->result.certificate) == 0 &&
           same_history(&a->result.history, &b->result.history);
}

/* Every way to combine moves, to order rows and to keep an iterate; every loss; both
 * other solvers. */
enum { RULES = 3 * 4, KINDS = RULES + SDCA_LOSS_COUNT * 2 + 2 };

static sdca_train_options nth_options(int k, int *loss)
{
    sdca_train_options options = { .rel_gap       = 1e-9,
                                   .epochs        = 30,
                                   .rounds        = 150,
                                   .deterministic = true,
                                   .average_from  = 6.0 };

    *loss = SDCA_LOSS_hinge;
    if (k < RULES) {
        options.aggregate = (sdca_aggregation_rule)(k % 3);
        options.order     = (sdca_row_order_kind)(k % 4);
        options.output    = (sdca_output_kind)((k + k / 4) % 4);
        return options;
    }
    k -= RULES;
    options.aggregate = SDCA_AGGREGATION_LINE_SEARCH;
    if (k < 2 * SDCA_LOSS_COUNT) {
        *loss          = k % SDCA_LOSS_COUNT;
        options.solver = k < SDCA_LOSS_COUNT ? SDCA_SOLVER_SDCA : SDCA_SOLVER_NEWTON;
        return options;
    }
    options.solver    = k % 2 == 0 ? SDCA_SOLVER_SDCA : SDCA_SOLVER_SGD;
    options.sgd_start = k % 2 == 0;
    return options;
}

/* A run that is stopped after this many rounds and resumed has the bits of the whole one.
 */
static void check_going_on(const sdca_objective *objective, const sdca_dataset *data,
                           sdca_train_options options, int rounds, const outcome *whole)
{
    stop_after for_ever = { 0 }, soon = { .rounds = rounds };
    outcome    part;

    options.checkpoint.path = temp_directory_path("run.h5");
    part                    = run(MPI_COMM_WORLD, objective, data, options, &soon);
    ck_assert_all(part.status == SDCA_INTERRUPTED && soon.saved == 1);
    forget(&part);
    options.checkpoint.resume_from = options.checkpoint.path;
    part = run(MPI_COMM_WORLD, objective, data, options, &for_ever);
    ck_assert_all(same_bits(data, whole, &part));
    forget(&part);
}

START_TEST(a_run_continues_bit_by_bit)
{
    int                loss    = 0;
    sdca_train_options options = nth_options(_i, &loss);
    sdca_dataset      *data    = small_dataset_create(
                ROWS, COLUMNS, sdca_losses[loss].classification, _i % 2 == 0);
    sdca_objective objective = small_dataset_objective(loss, 1e-3, data);
    stop_after     for_ever  = { 0 };
    outcome        whole;

    if (options.solver == SDCA_SOLVER_SGD && sdca_comm_size(MPI_COMM_WORLD) > 1) {
        sdca_dataset_free(data);
        return; /* runs on one rank alone */
    }
    whole = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    ck_assert_all(options.solver != SDCA_SOLVER_SDCA || options.sgd_start ||
                  whole.result.history.round_log.count == whole.state.round);
    if (whole.state.round > 1) {
        check_going_on(&objective, data, options,
                       1 + 5 * _i % ((int)whole.state.round - 1), &whole);
    }
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* Wherever it is stopped: also between guesses, and while w settles before the end. */
START_TEST(a_run_continues_from_any_round)
{
    enum { LAST = 12, STRIDE = 40 };
    sdca_train_options options   = { .aggregate     = SDCA_AGGREGATION_LINE_SEARCH,
                                     .solver        = SDCA_SOLVER_SDCA,
                                     .rel_gap       = 1e-2,
                                     .seed          = 2,
                                     .deterministic = true };
    sdca_dataset      *data      = small_dataset_create(3000, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-5, data);
    stop_after         for_ever  = { 0 };
    outcome            whole  = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    int                rounds = (int)whole.state.round;

    ck_assert_int_gt(rounds, LAST);
    for (int k = 1; k < rounds; k += k < rounds - LAST ? STRIDE : 1) {
        check_going_on(&objective, data, options, k, &whole);
    }
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* Newton is stopped in the midst of a round, again and again at a later place. */
START_TEST(newton_continues_from_any_place)
{
    sdca_train_options options = { .solver  = SDCA_SOLVER_NEWTON,
                                   .rel_gap = 1e-9,
                                   .epochs  = 30 };
    sdca_dataset      *data =
        small_dataset_create(ROWS, COLUMNS, sdca_losses[_i].classification, false);
    sdca_objective objective = small_dataset_objective(_i, 1e-3, data);
    stop_after     for_ever  = { 0 };
    outcome whole = run(MPI_COMM_WORLD, &objective, data, options, &for_ever), part;
    int     stops = 0;

    options.checkpoint.path = temp_directory_path("run.h5");
    part.status             = SDCA_INTERRUPTED;
    for (int polls = 1; part.status == SDCA_INTERRUPTED; polls += 1 + polls / 2) {
        stop_after soon = { .rounds = polls };

        part = run(MPI_COMM_WORLD, &objective, data, options, &soon);
        options.checkpoint.resume_from = options.checkpoint.path;
        if (part.status == SDCA_INTERRUPTED) {
            forget(&part);
            stops++;
        }
    }
    ck_assert_all(stops > 2 && same_bits(data, &whole, &part));
    forget(&part);
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* A target that is met already ends the run where it goes on, not when it was to look for
 * another target. */
START_TEST(another_target_is_evaluated_at_once)
{
    sdca_train_options options   = { .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                     .solver    = SDCA_SOLVER_SDCA,
                                     .rel_gap   = 1e-3,
                                     .seed      = 2 };
    sdca_dataset      *data      = small_dataset_create(3000, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-5, data);
    stop_after         for_ever  = { 0 };
    outcome    whole = run(MPI_COMM_WORLD, &objective, data, options, &for_ever), part;
    stop_after most  = { .rounds = (int)(0.9 * (double)whole.state.round) };

    options.checkpoint.path = temp_directory_path("run.h5");
    part                    = run(MPI_COMM_WORLD, &objective, data, options, &most);
    ck_assert_all(part.status == SDCA_INTERRUPTED);
    forget(&part);
    options.checkpoint.resume_from = options.checkpoint.path;
    options.rel_gap                = 1e-1;
    part = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    ck_assert_all(part.status == SDCA_OK && part.state.round == most.rounds);
    forget(&part);
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* Ranks that add up their moves without allowing for each other get worse: the best
 * iterate is an early one, and is still kept by a run that goes on from a worse one. */
START_TEST(the_best_earlier_iterate_is_kept)
{
    sdca_train_options options   = { .aggregate           = SDCA_AGGREGATION_ADD,
                                     .sigma               = 1.0,
                                     .local_steps         = 1.0,
                                     .evaluation_interval = 1.0,
                                     .rel_gap             = 1e-9,
                                     .deterministic       = true };
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    stop_after         ever      = { 0 };

    for (int rounds = 3; rounds < 10; rounds++) {
        outcome whole;

        options.rounds = rounds;
        whole          = run(MPI_COMM_WORLD, &objective, data, options, &ever);
        check_going_on(&objective, data, options, rounds - 1, &whole);
        forget(&whole);
    }
    sdca_dataset_free(data);
}
END_TEST

/* What has ended, at its target or its budget, and is to go on, ends at once with what
 * was kept. */
START_TEST(a_finished_run_does_not_change)
{
    sdca_train_options options = { .aggregate     = SDCA_AGGREGATION_LINE_SEARCH,
                                   .solver        = SDCA_SOLVER_SDCA,
                                   .output        = (sdca_output_kind)_i,
                                   .rel_gap       = 1e-3,
                                   .epochs        = 40,
                                   .average_from  = 2.0,
                                   .deterministic = true };
    sdca_dataset      *data    = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective     objective =
        small_dataset_objective(SDCA_LOSS_smooth_hinge, 1e-2, data);
    stop_after for_ever = { 0 };
    outcome    first, again;

    options.checkpoint.path = temp_directory_path("run.h5");
    first                   = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    options.checkpoint.resume_from = options.checkpoint.path;
    again = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    ck_assert_all(same_bits(data, &first, &again));
    forget(&first);
    forget(&again);
    sdca_dataset_free(data);
}
END_TEST

/* Columns so unlike in size that, after a while, nothing is gained any more. */
static sdca_dataset *unlike_data(int64_t rows, double size)
{
    enum { UNLIKE_COLUMNS = 4 };
    sdca_range    mine   = sdca_range_split_even(rows, sdca_comm_rank(MPI_COMM_WORLD),
                                                 sdca_comm_size(MPI_COMM_WORLD));
    sdca_random   stream = sdca_random_stream(3, SDCA_STREAM_TEST, 0, 0);
    sdca_dataset *data   = NULL;
    sdca_rows     x;

    ck_assert_int_eq(
        sdca_rows_create_dense((uint32_t)mine.count, UNLIKE_COLUMNS, true, &x), SDCA_OK);
    for (int64_t i = 0; i < mine.first + mine.count; i++) {
        for (int32_t j = 0; j < UNLIKE_COLUMNS; j++) {
            double value = (j == 0 ? size : 1.0) * (sdca_random_uniform(&stream) - 0.5);

            if (i >= mine.first) {
                sdca_rows_set_entry(&x, (i - mine.first) * UNLIKE_COLUMNS + j, j, value);
            }
        }
        if (i >= mine.first) {
            x.row[i - mine.first].y = i * 7 % 3 == 0 ? 1.0 : -1.0;
        }
    }
    ck_assert_int_eq(sdca_dataset_create(MPI_COMM_WORLD, &x, true, NULL, &data), SDCA_OK);
    return data;
}

/* D still rises a little when the gap has ceased to fall: a run that is stopped then ends
 * where the whole one does, for want of any gain. */
START_TEST(stalling_runs_end_alike)
{
    sdca_train_options options   = { .aggregate           = SDCA_AGGREGATION_LINE_SEARCH,
                                     .solver              = SDCA_SOLVER_SDCA,
                                     .rel_gap             = 1e-3,
                                     .evaluation_interval = 1.0,
                                     .deterministic       = true };
    sdca_dataset      *data      = unlike_data(60, 158489.3);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    stop_after         for_ever  = { 0 };
    outcome            whole;

    if (sdca_comm_size(MPI_COMM_WORLD) > 1) {
        sdca_dataset_free(data);
        return; /* on several ranks D rises for longer than anybody would wait */
    }
    whole = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);
    ck_assert_all(whole.status == SDCA_BUDGET &&
                  whole.result.stop_reason == SDCA_STOP_STALLED);
    check_going_on(&objective, data, options, (int)(0.6 * (double)whole.state.round),
                   &whole);
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* Where columns are so unlike Newton's method swings, and SDCA goes on in its place: with
 * what both have sent, and to the end of the budget, to the step. */
START_TEST(a_replaced_newton_stays_replaced)
{
    enum { EPOCHS = 60 };
    sdca_train_options options = { .aggregate     = SDCA_AGGREGATION_LINE_SEARCH,
                                   .solver        = SDCA_SOLVER_NEWTON,
                                   .rel_gap       = 1e-9,
                                   .epochs        = EPOCHS,
                                   .deterministic = true };
    sdca_dataset      *data    = unlike_data(600, 1e8); /* enough for a sample of them */
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_absolute, 0.1, data);
    stop_after         for_ever  = { 0 };
    outcome            whole = run(MPI_COMM_WORLD, &objective, data, options, &for_ever);

    ck_assert_all(whole.status == SDCA_BUDGET && whole.result.solver == SDCA_SOLVER_SDCA);
    ck_assert_all(whole.state.steps == EPOCHS * data->rows);
    check_going_on(&objective, data, options, (int)whole.state.round - 2, &whole);
    forget(&whole);
    sdca_dataset_free(data);
}
END_TEST

/* Saved by all ranks, gone on by one after the other alone, and by all again: the dual
 * never falls, and the optimum is the same. */
START_TEST(any_number_of_ranks_continues)
{
    int           loss  = _i;
    bool          signs = sdca_losses[loss].classification;
    sdca_dataset *ours  = small_dataset_create(ROWS, COLUMNS, signs, false);
    sdca_dataset *mine =
        small_dataset_create_on(MPI_COMM_SELF, ROWS, COLUMNS, signs, false);
    sdca_objective     objective = small_dataset_objective(loss, 1e-3, ours);
    sdca_train_options options   = { .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                     .rel_gap     = 1e-6,
                                     .local_steps = 0.5 };
    stop_after         soon = { .rounds = 3 }, later = { .rounds = 5 }, never = { 0 };
    char               own[32];
    outcome            first, second, third;
    double             before;

    snprintf(own, sizeof own, "own%d.h5", sdca_comm_rank(MPI_COMM_WORLD));
    options.checkpoint.path = temp_directory_path("ours.h5");
    first                   = run(MPI_COMM_WORLD, &objective, ours, options, &soon);
    ck_assert_all(first.status == SDCA_INTERRUPTED);
    options.checkpoint.resume_from = options.checkpoint.path;
    options.checkpoint.path        = temp_directory_path(own);
    second = run(MPI_COMM_SELF, &objective, mine, options, &later);
    ck_assert_all(second.status == SDCA_INTERRUPTED || second.status == SDCA_OK);
    ck_assert_all(second.state.round ==
                  (second.status == SDCA_OK ? second.state.round : 3 + 5));
    before = first.result.certificate.dual;
    for (int64_t k = first.result.history.count; k < second.result.history.count; k++) {
        ck_assert(second.result.history.records[k].dual >= before - 1e-12);
        before = second.result.history.records[k].dual;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    options.checkpoint.resume_from = temp_directory_path("own0.h5");
    options.checkpoint.path        = NULL;
    third = run(MPI_COMM_WORLD, &objective, ours, options, &never);
    ck_assert_all(third.status == SDCA_OK);
    ck_assert_all(sdca_duality_gap_relative(&third.result.certificate) <= 1e-6);
    ck_assert_all(third.state.round > 3);
    forget(&first);
    forget(&second);
    forget(&third);
    sdca_dataset_free(ours);
    sdca_dataset_free(mine);
}
END_TEST

START_TEST(checkpoints_are_written_when_due)
{
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    sdca_train_options options   = { .rel_gap     = 1e-15,
                                     .rounds      = 12,
                                     .local_steps = 0.2,
                                     .aggregate   = SDCA_AGGREGATION_LINE_SEARCH };
    stop_after         never = { 0 }, always = { 0 }, rarely = { 0 };
    outcome            out;
    int                age = -1;

    options.checkpoint = (sdca_checkpoint_options){ .path = temp_directory_path("due.h5"),
                                                    .interval_rounds   = 5,
                                                    .older_generations = 2 };
    out                = run(MPI_COMM_WORLD, &objective, data, options, &never);
    ck_assert_all(out.status == SDCA_BUDGET && never.saved == 3); /* 5, 10 and the end */
    forget(&out);
    ck_assert_all(sdca_checksum_find_intact(temp_directory_path("due.h5"), &age) ==
                      SDCA_OK &&
                  age == 0);
    ck_assert_all(sdca_checksum_verify(temp_directory_path("due.h5.1"), "1") == SDCA_OK);
    ck_assert_all(sdca_checksum_verify(temp_directory_path("due.h5.2"), "2") == SDCA_OK);
    ck_assert_all(sdca_checksum_verify(temp_directory_path("due.h5.3"), "3") ==
                  SDCA_MISSING);

    options.checkpoint.interval_rounds  = 0;
    options.checkpoint.interval_seconds = 1e-9;
    out = run(MPI_COMM_WORLD, &objective, data, options, &always);
    ck_assert_all(always.saved == 12);
    forget(&out);
    options.checkpoint.adaptive_interval =
        true; /* writing takes far more than 2 % of these rounds */
    out = run(MPI_COMM_WORLD, &objective, data, options, &rarely);
    ck_assert_all(rarely.saved < 12 && rarely.saved >= 2);
    forget(&out);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(a_failed_checkpoint_does_not_end_a_run)
{
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    sdca_train_options options   = { .rel_gap     = 1e-3,
                                     .aggregate   = SDCA_AGGREGATION_LINE_SEARCH,
                                     .local_steps = 0.5 };
    stop_after         never = { 0 }, soon = { .rounds = 2 };
    outcome            out;

    options.checkpoint =
        (sdca_checkpoint_options){ .path            = temp_directory_path("none/run.h5"),
                                   .interval_rounds = 1 };
    out = run(MPI_COMM_WORLD, &objective, data, options, &never);
    ck_assert_all(out.status == SDCA_OK && out.result.checkpoint_failed &&
                  never.failed > 1);
    forget(&out);
    out = run(MPI_COMM_WORLD, &objective, data, options, &soon);
    ck_assert_all(out.status == SDCA_CREATE); /* to stop, it needs one */
    forget(&out);
    options.checkpoint = (sdca_checkpoint_options){ .path = NULL };
    soon               = (stop_after){ .rounds = 2 };
    options.rel_gap    = 1e-12;
    out                = run(MPI_COMM_WORLD, &objective, data, options, &soon);
    ck_assert_all(out.status == SDCA_BUDGET); /* without a place for it, it just ends */
    forget(&out);
    sdca_dataset_free(data);
}
END_TEST

/* Nobody goes on from what is another's. */
START_TEST(checkpoints_of_other_runs_are_refused)
{
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_dataset      *other     = small_dataset_create(ROWS - 1, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, data);
    sdca_objective     loss    = small_dataset_objective(SDCA_LOSS_logistic, 1e-3, data);
    sdca_objective     lambda  = small_dataset_objective(SDCA_LOSS_hinge, 2e-3, data);
    sdca_objective     rows    = small_dataset_objective(SDCA_LOSS_hinge, 1e-3, other);
    sdca_train_options options = { .rel_gap   = 1e-9,
                                   .aggregate = SDCA_AGGREGATION_LINE_SEARCH };
    stop_after         soon = { .rounds = 2 }, never = { 0 };
    outcome            out;

    options.checkpoint.path = temp_directory_path("mine.h5");
    out                     = run(MPI_COMM_WORLD, &objective, data, options, &soon);
    ck_assert_all(out.status == SDCA_INTERRUPTED);
    forget(&out);
    options.checkpoint.resume_from = options.checkpoint.path;
    options.checkpoint.path        = NULL;
    out                            = run(MPI_COMM_WORLD, &loss, data, options, &never);
    ck_assert_all(out.status == SDCA_USAGE);
    ck_assert_ptr_nonnull(
        strstr(sdca_status_message(), "of hinge with lambda 0.001, not"));
    forget(&out);
    out = run(MPI_COMM_WORLD, &lambda, data, options, &never);
    ck_assert_all(out.status == SDCA_USAGE);
    forget(&out);
    out = run(MPI_COMM_WORLD, &rows, other, options, &never);
    ck_assert_all(out.status == SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "other data"));
    forget(&out);

    if (sdca_comm_rank(MPI_COMM_WORLD) == 0) {
        sdca_model model      = model_of(&objective, data);
        double     w[COLUMNS] = { 0.0 };

        model.w = w;
        ck_assert_int_eq(sdca_model_write(&model, temp_directory_path("model.h5")),
                         SDCA_OK);
    }
    options.checkpoint.resume_from = temp_directory_path("model.h5");
    out = run(MPI_COMM_WORLD, &objective, data, options, &never);
    ck_assert_all(out.status == SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "is a model, not a checkpoint"));
    forget(&out);
    options.checkpoint.resume_from = temp_directory_path("mine.h5");

    /* The same sizes, but another label in one row. */
    if (data->x.count > 0 && sdca_comm_rank(MPI_COMM_WORLD) == 0) {
        data->x.row[0].y = -data->x.row[0].y;
    }
    data->fingerprint ^= 1;
    out = run(MPI_COMM_WORLD, &objective, data, options, &never);
    ck_assert_all(out.status == SDCA_DATA);
    ck_assert_ptr_nonnull(strstr(sdca_status_message(), "other values"));
    forget(&out);
    sdca_dataset_free(data);
    sdca_dataset_free(other);
}
END_TEST

/* Begun where another problem has ended, a run needs fewer epochs than from 0. */
START_TEST(a_warm_start_needs_fewer_epochs)
{
    sdca_dataset *data =
        small_dataset_create(ROWS, COLUMNS, sdca_losses[_i].classification, false);
    sdca_objective near        = small_dataset_objective(_i, 1.05e-2, data),
                   here        = small_dataset_objective(_i, 1e-2, data);
    sdca_train_options options = { .solver      = SDCA_SOLVER_SDCA,
                                   .rel_gap     = 1e-5,
                                   .local_steps = 0.25,
                                   .aggregate   = SDCA_AGGREGATION_LINE_SEARCH };
    sdca_model         model   = model_of(&here, data);
    stop_after         never   = { 0 };
    outcome            cold = run(MPI_COMM_WORLD, &here, data, options, &never), before;
    small_run          warm = small_run_on(data, &here);

    options.checkpoint.path = temp_directory_path("near.h5");
    before                  = run(MPI_COMM_WORLD, &near, data, options, &never);
    options.checkpoint.path = NULL;
    ck_assert_all(sdca_warm_start(MPI_COMM_WORLD, &here, data, 0,
                                  temp_directory_path("near.h5"),
                                  &warm.iterate) == SDCA_OK);
    ck_assert_all(small_run_is_feasible(&warm));
    ck_assert_all(small_run_continue(&warm, &options) == SDCA_OK);
    ck_assert_all(warm.iterate.steps < cold.state.steps);

    /* A model has no alpha, but margins: better than nothing, and feasible. */
    model.w         = cold.state.w;
    model.converged = true;
    if (!sdca_losses[_i].classification) {
        model.labels.count = 0;
    }
    if (sdca_comm_rank(MPI_COMM_WORLD) == 0) {
        ck_assert_int_eq(sdca_model_write(&model, temp_directory_path("model.h5")),
                         SDCA_OK);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ck_assert_all(sdca_warm_start(MPI_COMM_WORLD, &here, data, 0,
                                  temp_directory_path("model.h5"),
                                  &warm.iterate) == SDCA_OK);
    ck_assert_all(small_run_is_feasible(&warm));
    ck_assert_all(small_run_measure(&warm).gap < cold.result.history.records[0].gap);
    forget(&cold);
    forget(&before);
    small_run_free(&warm);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, a_run_continues_bit_by_bit, 0, KINDS);
    tcase_add_loop_test(tests, newton_continues_from_any_place, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, a_run_continues_from_any_round);
    tcase_add_test(tests, another_target_is_evaluated_at_once);
    tcase_add_test(tests, the_best_earlier_iterate_is_kept);
    tcase_add_loop_test(tests, a_finished_run_does_not_change, 0, 4);
    tcase_add_test(tests, stalling_runs_end_alike);
    tcase_add_test(tests, a_replaced_newton_stays_replaced);
    tcase_add_loop_test(tests, any_number_of_ranks_continues, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, checkpoints_are_written_when_due);
    tcase_add_test(tests, a_failed_checkpoint_does_not_end_a_run);
    tcase_add_test(tests, checkpoints_of_other_runs_are_refused);
    tcase_add_loop_test(tests, a_warm_start_needs_fewer_epochs, 0, SDCA_LOSS_COUNT);
}
