/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_job_model.c - the model of a run of train, before and after training. */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "cli/train/train_job.h"
#include "cli/train/train_keep_dual.h"
#include "data/feature_names.h"
#include "data/standardization.h"
#include "data/table_schema.h"
#include "mpi/comm.h"
#include "solver/solvers.h"
#include "train/solver_choice.h"
#include "train/warm_start.h"

/* The settings of the model, before training. */
static sdca_model make_model(const run_description *run)
{
    sdca_model model = { .objective    = *run->problem,
                         .normalized   = run->data->normalized,
                         .columns      = sdca_dataset_feature_count(run->data),
                         .intercept    = run->data->intercept,
                         .standardize  = run->data->standardize,
                         .bias_value   = sdca_dataset_bias_value(run->data),
                         .nonzeros     = run->data->nonzeros,
                         .fingerprint  = run->data->fingerprint,
                         .target       = { run->arguments->training.gap,
                                           run->arguments->training.rel_gap },
                         .seed         = run->arguments->training.seed,
                         .cells        = run->arguments->cells,
                         .label_column = run->arguments->label_column,
                         .ranks        = run->working_ranks,
                         .seconds      = { .read = run->read_seconds } };

    snprintf(model.options, sizeof model.options, "%s", run->arguments->command_line);
    return model;
}

/* Read the names of the columns and the schema, if the data file has them. They are
 * optional, so that only a lack of memory and links that must not be followed are errors.
 */
static sdca_status read_feature_names(const char *path, const sdca_anndata_options *cells,
                                      bool links, sdca_model *out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (links) {
        sdca_hdf5_follow_external_links(store);
    }
    SDCA_TRY(sdca_feature_names_read_cells(store, cells, &out->feature_names));
    if (out->feature_names.count > 0 && sdca_table_schema_exists(store)) {
        SDCA_TRY(sdca_table_schema_read(store, &out->table));
    }

done:
    if (status != SDCA_MEMORY && cells->names == NULL &&
        (store == NULL || sdca_hdf5_deferred_error(store) == SDCA_OK)) {
        status = SDCA_OK;
    }
    sdca_hdf5_close(store);
    return status;
}

/* Allocate the model's weights, where they are not those of the iterate. Local. */
static sdca_status make_source_weights(train_job *j)
{
    size_t columns = (size_t)j->data->columns;

    if (!sdca_dataset_is_transformed(j->data)) {
        return SDCA_OK;
    }
    j->source_w = sdca_alloc_array(columns, sizeof *j->source_w);
    return j->source_w != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights of the model",
                           (long)columns);
}

sdca_solver train_job_resolve_solver(const train_job *j, int ranks)
{
    const sdca_train_options *training = &j->arguments.training;

    return train_arguments_has_path(&j->arguments) && j->arguments.lambdas.count > 1
               ? sdca_solver_choice_for_path(training, &j->problem, j->data, ranks)
               : sdca_solver_choice_for_fit(training, &j->problem, j->data, ranks);
}

sdca_status train_job_prepare_model(train_job *j)
{
    const train_arguments *arguments = &j->arguments;
    bool                   first     = sdca_comm_rank(j->comm) == 0;
    sdca_objective         first_fit = j->problem;
    sdca_status            status    = SDCA_OK;

    if (j->run.path != NULL) {
        first_fit = sdca_objective_with_lambda(arguments->loss, arguments->loss_parameter,
                                               arguments->lambdas.value[0], j->data->rows,
                                               j->data->total_weight);
        SDCA_TRY(sdca_comm_agree(j->comm, train_path_create(arguments, &j->path)));
    }
    j->requested_solver          = arguments->training.solver;
    j->arguments.training.solver = train_job_resolve_solver(j, j->run.working_ranks);
    j->model                     = make_model(&j->run);
    SDCA_TRY(
        sdca_comm_agree(j->comm, sdca_classes_copy(j->run.labels, &j->model.labels)));
    SDCA_TRY(sdca_comm_agree(
        j->comm, first ? read_feature_names(arguments->data, &arguments->cells,
                                            arguments->follow_links, &j->model)
                       : SDCA_OK));
    SDCA_TRY(
        sdca_comm_agree(j->comm, train_keep_dual_prepare(arguments, j->data, &j->model)));
    if (sdca_model_parts(&j->model) > 1) { /* each class has an iterate of its own */
        j->model.column_map = j->data->column_map;
        goto done;
    }
    SDCA_TRY(sdca_comm_agree(j->comm, make_source_weights(j)));
    SDCA_TRY(sdca_iterate_create(j->comm, &first_fit, j->data, &j->state));
    if (arguments->warm_start != NULL &&
        arguments->training.checkpoint.resume_from == NULL) {
        SDCA_TRY(sdca_warm_start(j->comm, &first_fit, j->data, 0, arguments->warm_start,
                                 &j->state));
    }

done:
    return status;
}

sdca_model train_job_complete_model(const train_job *j, sdca_status outcome)
{
    const sdca_train_result *result = &j->result;
    sdca_model               model  = j->model;

    if (model.by_class == NULL) {
        model.bias = sdca_dataset_intercept(j->data, j->state.w, 1);
        model.w    = j->state.w;
        if (j->source_w != NULL) {
            sdca_dataset_source_weights(j->data, j->state.w, 1, j->source_w);
            model.w = j->source_w;
        }
    }
    model.column_map     = j->data->column_map;
    model.certificate    = result->certificate;
    model.has_test_error = isfinite(result->test_error);
    model.test_error     = result->test_error;
    model.history        = result->history;
    model.converged      = outcome == SDCA_OK;
    model.seconds        = result->times;
    model.selection      = j->run.selection != NULL ? &j->selection.table : NULL;
    snprintf(model.solver, sizeof model.solver, "%s", sdca_solver_name(result->solver));
    return model;
}

sdca_status train_job_model_outcome(const train_job *j, sdca_status outcome)
{
    return j->run.path != NULL ? j->last_outcome : outcome;
}
