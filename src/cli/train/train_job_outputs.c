/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_job_outputs.c - the files and messages at the end of a run of train. */
#include <math.h>

#include "cli/train/train_class_advice.h"
#include "cli/train/train_job.h"
#include "cli/train/train_keep_dual.h"
#include "cli/train/train_test.h"
#include "io/atomic_file.h"
#include "model/class_history_file.h"
#include "mpi/comm.h"

/* Write the history as CSV. */
static sdca_status write_history(const train_job *j, const sdca_model *model)
{
    const char *path = j->arguments.history;

    return j->run.path != NULL
               ? train_path_write_history(&j->path, model->by_class != NULL, path)
           : model->by_class != NULL ? sdca_class_history_write_csv(model, path)
                                     : sdca_history_write_csv(&j->result.history, path);
}

/* Write model, history and summary, as requested; no model if the run is to be resumed.
 */
static sdca_status write_outputs(const train_job *j, sdca_status outcome)
{
    const train_arguments   *arguments = &j->arguments;
    const sdca_train_result *result    = &j->result;
    sdca_model  model  = train_job_complete_model(j, train_job_model_outcome(j, outcome));
    sdca_status status = SDCA_OK;

    if (outcome != SDCA_INTERRUPTED && model.dual == NULL) {
        SDCA_TRY(sdca_model_write(&model, arguments->model));
    }
    if (arguments->history != NULL) {
        SDCA_TRY(write_history(j, &model));
    }
    if (arguments->selection != NULL) {
        SDCA_TRY(sdca_selection_write_csv(&j->selection.table, arguments->selection));
    }
    if (arguments->summary != NULL) {
        SDCA_TRY(train_messages_write_summary(&j->run, &j->state, result, outcome,
                                              arguments->summary));
    }

done:
    return status;
}

/* |w| of all classes together, of the columns as training has them, with the weight of a
 * constant column that has a penalty. Local. */
static double find_w_norm(const train_job *j, const sdca_model *model)
{
    const sdca_dataset *data    = j->data;
    int32_t             columns = data->columns - (data->bias > 0.0);
    double              norm2   = 0.0;

    for (int k = 0; k < sdca_model_parts(model); k++) {
        const double *w    = model->w + (size_t)k * sdca_model_stride(model);
        double        bias = sdca_model_part(model, k).bias;

        for (int32_t c = 0; c < columns; c++) {
            double in_training = data->scale != NULL ? w[c] * data->scale[c] : w[c];

            norm2 += in_training * in_training;
            bias += data->mean != NULL ? w[c] * data->mean[c] : 0.0;
        }
        if (data->bias > 0.0 && !data->intercept) {
            norm2 += bias / data->bias * (bias / data->bias);
        }
    }
    return sqrt(norm2);
}

sdca_status train_job_finish(const train_job *j, sdca_status outcome,
                             const char *checkpoint_error)
{
    bool        first  = sdca_comm_rank(j->comm) == 0;
    sdca_status status = SDCA_OK;
    sdca_model  model  = train_job_complete_model(j, train_job_model_outcome(j, outcome));
    char        advice[OPTION_ADVICE_TEXT_SIZE] = "";
    run_description     run                     = j->run;
    sdca_metrics_result metrics                 = { .by_class = NULL };

    if (!j->arguments.quiet && j->test != NULL && outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(train_test_measure(j, &model, &metrics, &run.certain));
        run.test    = j->test;
        run.metrics = &metrics;
    }
    if (!j->arguments.quiet && outcome != SDCA_INTERRUPTED) {
        if (sdca_model_parts(&j->model) == 1) {
            option_advice_model(j->comm, j->data, &j->problem, j->state.w, &j->advice,
                                advice);
        } else {
            SDCA_TRY(train_class_advice_find(j, &model, advice));
        }
    }
    if (outcome != SDCA_INTERRUPTED) {
        SDCA_TRY(train_keep_dual_write(j->comm, &j->arguments, j->data, &j->state,
                                       &j->result, &model, j->arguments.model));
    }
    SDCA_TRY(sdca_comm_agree(j->comm, first ? write_outputs(j, outcome) : SDCA_OK));
    if (first && !j->arguments.quiet) {
        run.w_norm = find_w_norm(j, &model);
        train_messages_result(&run, &j->result, outcome);
    }
    if (first && advice[0] != '\0') {
        terminal_line_print_message(&j->display.terminal, "Warning", advice);
    }
    status = !j->result.checkpoint_failed
                 ? outcome
                 : SDCA_FAIL(SDCA_IO,
                             "the model is written, but not the last checkpoint: %.800s",
                             checkpoint_error);

done:
    sdca_metrics_result_free(&metrics);
    return status;
}
