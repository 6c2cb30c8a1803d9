/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_fault_injection.c - each rank fails at each possible point in turn.
 *
 * A complete session (write, read, train, save, read back) is repeated with the n-th
 * agreement, or the n-th allocation, of one rank failing (see fault_injection.h), for n =
 * 1, 2, 3, ... until none fails. Every rank must return the same failure, without
 * deadlock. For the whole program see e2e/allocation_failures.py. */
#include "support/fault_injection.h"
#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <stdlib.h>
#include <string.h>

#include "data/dataset_reader.h"
#include "data/dataset_writer.h"
#include "model/model.h"
#include "mpi/comm.h"
#include "train/trainer.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

static const sdca_solver solvers[] = { SDCA_SOLVER_SDCA, SDCA_SOLVER_NEWTON };

sdca_status __real_sdca_comm_agree(MPI_Comm comm, sdca_status mine);
sdca_status __wrap_sdca_comm_agree(MPI_Comm comm, sdca_status mine);

sdca_status __wrap_sdca_comm_agree(MPI_Comm comm, sdca_status mine)
{
    if (inject_is_due("agreement")) {
        mine = SDCA_FAIL(SDCA_IO, "injected");
    }
    return __real_sdca_comm_agree(comm, mine);
}

/* Rank 0 writes a few rows to a file. */
static sdca_status write_data(const char *path)
{
    sdca_status                 status  = SDCA_OK;
    sdca_dataset_writer        *writer  = NULL;
    sdca_dataset_writer_options options = { .classifies = true,
                                            .weighted   = true,
                                            .columns    = 100 };

    SDCA_TRY(sdca_dataset_writer_create(path, options, &writer));
    for (int k = 0; k < 40; k++) {
        int32_t column[2] = { k % 5, 5 + k % 3 };
        double  value[2]  = { 1.0, 0.5 + k % 4 };

        SDCA_TRY(sdca_dataset_writer_append_weighted(writer, k % 2 == 0 ? 1.0 : 0.0,
                                                     1.0 + k % 3, 2, column, value));
    }
    status = sdca_dataset_writer_commit(writer);
    writer = NULL;

done:
    if (writer != NULL) {
        sdca_dataset_writer_discard(writer);
    }
    return status;
}

/* A small session of all steps. Collective. */
static sdca_status whole_session(sdca_solver solver)
{
    bool                 first   = sdca_comm_rank(*world) == 0;
    sdca_status          status  = SDCA_OK;
    sdca_dataset        *data    = NULL;
    sdca_iterate         iterate = { 0 };
    sdca_train_result    result  = { 0 };
    sdca_model           kept    = { 0 }, model;
    sdca_objective       objective;
    sdca_train_callbacks nobody = { .context = NULL };
    sdca_train_options   plan   = { .solver    = solver,
                                    .aggregate = SDCA_AGGREGATION_LINE_SEARCH,
                                    .rel_gap   = 0.5 };

    SDCA_TRY(sdca_comm_agree(*world, first ? write_data(temp_directory_path("data.h5"))
                                           : SDCA_OK));
    SDCA_TRY(sdca_dataset_reader_read(
        *world, temp_directory_path("data.h5"),
        &(sdca_dataset_options){ .task            = SDCA_TASK_CLASSIFICATION,
                                 .require_labels  = true,
                                 .class_weight    = "balanced",
                                 .compact_columns = true,
                                 .shuffle         = true },
        &data));
    objective = sdca_objective_with_lambda(&sdca_losses[0], 0.0, 0.01, data->rows,
                                           data->total_weight);
    SDCA_TRY(sdca_iterate_create(*world, &objective, data, &iterate));
    SDCA_TRY(sdca_trainer_run(
        &(sdca_train_setup){
            .comm = *world, .data = data, .options = &plan, .callbacks = &nobody },
        &objective, NULL, &iterate, &result));
    model = (sdca_model){ .objective   = objective,
                          .labels      = data->classes,
                          .columns     = sdca_dataset_feature_count(data),
                          .w           = iterate.w,
                          .column_map  = data->column_map,
                          .certificate = result.certificate,
                          .history     = result.history };
    SDCA_TRY(sdca_comm_agree(
        *world,
        first ? sdca_model_write(&model, temp_directory_path("model.h5")) : SDCA_OK));
    SDCA_TRY(sdca_model_read_metadata(*world, temp_directory_path("model.h5"), &kept));
    SDCA_TRY(sdca_model_read_weights(*world, temp_directory_path("model.h5"),
                                     data->column_map, &kept));

done:
    sdca_history_free(&result.history);
    sdca_iterate_free(&iterate);
    sdca_model_clear(&kept);
    sdca_dataset_free(data);
    return status;
}

/* One session in which the n-th call of a kind fails on the failing_rank. Returns the
 * status, the same on all ranks, and whether any call failed. */
static bool session_with(sdca_solver solver, const char *kind, int64_t n,
                         int failing_rank, sdca_status *status)
{
    int64_t any;

    inject_failure_after(kind, sdca_comm_rank(*world) == failing_rank ? n : -1);
    *status = whole_session(solver);
    any     = inject_has_failed() ? 1 : 0;
    inject_failure_after(kind, -1);
    sdca_comm_allreduce_sum_int64(*world, &any, 1);
    return any > 0;
}

static void fail_in_turn(sdca_solver solver, const char *kind, sdca_status expected)
{
    for (int failing_rank = 0; failing_rank < sdca_comm_size(*world); failing_rank++) {
        bool    went_wrong = true;
        int64_t n          = 0;

        while (went_wrong) {
            sdca_status status;

            went_wrong = session_with(solver, kind, n++, failing_rank, &status);
            ck_assert_all(status == (went_wrong ? expected : SDCA_OK));
        }
        ck_assert_all(n > 5);
    }
}

START_TEST(each_agreement_fails_on_each_rank)
{
    fail_in_turn(solvers[_i], "agreement", SDCA_IO);
    ck_assert_all(strcmp(sdca_status_message(), "injected") == 0);
}
END_TEST

START_TEST(each_allocation_fails_on_each_rank)
{
    fail_in_turn(solvers[_i], "memory", SDCA_MEMORY);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_loop_test(tests, each_agreement_fails_on_each_rank, 0, 2);
    tcase_add_loop_test(tests, each_allocation_fails_on_each_rank, 0, 2);
}
