/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_job_data.c - the objective and the data sets of a run of train. */
#include "cli/train/feature_check.h"
#include "cli/train/train_job.h"
#include "data/dataset_reader.h"
#include "mpi/comm.h"

sdca_status train_job_check_feature_names(const train_job *j)
{
    const train_arguments *arguments = &j->arguments;
    sdca_status            status    = SDCA_OK;

    if (arguments->test != NULL) {
        SDCA_TRY(feature_check_names(j->comm, arguments->test, arguments->data,
                                     &arguments->cells, arguments->follow_links));
    }
    if (arguments->validation != NULL) {
        SDCA_TRY(feature_check_names(j->comm, arguments->validation, arguments->data,
                                     &arguments->cells, arguments->follow_links));
    }
    if (arguments->warm_start != NULL &&
        arguments->training.checkpoint.resume_from == NULL) {
        SDCA_TRY(feature_check_names(j->comm, arguments->data, arguments->warm_start,
                                     &arguments->cells, arguments->follow_links));
    }

done:
    return status;
}

static sdca_objective make_problem(const train_arguments *arguments,
                                   const sdca_dataset    *data)
{
    return arguments->C > 0.0
               ? sdca_objective_with_C(arguments->loss, arguments->loss_parameter,
                                       arguments->C, data->rows, data->total_weight)
               : sdca_objective_with_lambda(arguments->loss, arguments->loss_parameter,
                                            arguments->lambda, data->rows,
                                            data->total_weight);
}

sdca_status train_job_read_rows(train_job *j)
{
    const train_arguments *arguments = &j->arguments;
    sdca_status            status    = SDCA_OK;

    live_progress_begin_rows(&j->display, arguments->data);
    SDCA_TRY(sdca_dataset_reader_read(
        j->comm, arguments->data,
        &(sdca_dataset_options){ .task            = arguments->loss->classification
                                                        ? SDCA_TASK_CLASSIFICATION
                                                        : SDCA_TASK_REGRESSION,
                                 .normalize       = arguments->normalize,
                                 .bias            = arguments->bias,
                                 .intercept       = arguments->intercept,
                                 .standardize     = arguments->standardize,
                                 .shuffle         = true,
                                 .compact_columns = true,
                                 .positive        = arguments->positive,
                                 .require_labels  = true,
                                 .label_column    = arguments->label_column,
                                 .cells           = arguments->cells,
                                 .unlabelled_rows = SDCA_UNLABELLED_SKIP,
                                 .weight_column   = arguments->weight_column,
                                 .class_weight    = arguments->class_weight,
                                 .follow_links    = arguments->follow_links,
                                 .progress        = live_progress_update_reader,
                                 .context         = &j->display },
        &j->data));
    if (arguments->training.record_bounds && j->data->weight != NULL) {
        status = SDCA_FAIL(SDCA_USAGE, "the paper's bounds do not cover weights of rows");
        goto done;
    }
    j->problem           = make_problem(arguments, j->data);
    j->run.data          = j->data;
    j->run.labels        = &j->data->classes;
    j->run.working_ranks = sdca_comm_size(j->comm);

done:
    return status;
}

sdca_status train_job_read_other(train_job *j, const char *path, sdca_dataset **out)
{
    const train_arguments *arguments  = &j->arguments;
    sdca_anndata_options   test_cells = arguments->cells;

    test_cells.where = NULL;
    live_progress_begin_rows(&j->display, path);
    if (path == NULL) {
        return SDCA_OK;
    }
    return sdca_dataset_reader_read(
        j->comm, path,
        &(sdca_dataset_options){
            .classes         = &j->data->classes,
            .normalize       = arguments->normalize,
            .columns_of      = j->data,
            .require_labels  = true,
            .label_column    = arguments->label_column,
            .cells           = test_cells,
            .unlabelled_rows = SDCA_UNLABELLED_SKIP,
            .weight_column   = arguments->unweighted ? NULL : arguments->weight_column,
            .unweighted      = arguments->unweighted,
            .follow_links    = arguments->follow_links,
            .progress        = live_progress_update_reader,
            .context         = &j->display },
        out);
}

sdca_status train_job_check_validation(const train_job *j)
{
    const train_arguments *arguments = &j->arguments;
    const sdca_dataset    *rows      = j->validation;
    int32_t                columns   = sdca_dataset_feature_count(j->data);
    char                   known[SDCA_CLASS_LIST_SIZE];

    if (rows == NULL) {
        return SDCA_OK;
    }
    if (rows->file_columns > columns) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has %ld columns, '%s' only %ld: a validation set has the "
                         "columns of the data; convert gives both the same --columns",
                         arguments->validation, (long)rows->file_columns, arguments->data,
                         (long)columns);
    }
    if (j->data->classes.count > 0 &&
        sdca_labels_count_unknown(j->comm, rows, &j->data->classes) == rows->rows) {
        sdca_classes_list(&j->data->classes, known);
        return SDCA_FAIL(SDCA_DATA, "no row of '%s' has a label of '%s', which are %s",
                         arguments->validation, arguments->data, known);
    }
    return SDCA_OK;
}
