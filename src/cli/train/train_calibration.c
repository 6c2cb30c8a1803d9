/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_calibration.c - train --calibrate. */
#include "cli/train/train_calibration.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/train/train_scorer.h"
#include "data/class_weights.h"
#include "data/folds.h"
#include "mpi/comm.h"
#include "objective/scorer.h"

/* Scores, classes and weights of my rows. */
typedef struct held_out_rows {
    double *score; /* or NULL: those of another owner */
    double *label;
    double *weight;
} held_out_rows;

static void free_rows(held_out_rows *rows)
{
    free(rows->score);
    free(rows->label);
    free(rows->weight);
}

/* Allocate this number of scores per row; 0: none. Local. */
static sdca_status make_room(const sdca_dataset *data, size_t scores, held_out_rows *out)
{
    size_t rows = (size_t)data->x.count + 1;

    out->score  = scores > 0 ? sdca_alloc_array(rows, scores * sizeof *out->score) : NULL;
    out->label  = sdca_alloc_array(rows, sizeof *out->label);
    out->weight = sdca_alloc_array(rows, sizeof *out->weight);
    return (out->score != NULL || scores == 0) && out->label != NULL &&
                   out->weight != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory to calibrate with %lld rows",
                           (long long)data->x.count);
}

static sdca_metrics_input input_of(const sdca_classes *labels, const sdca_dataset *data,
                                   const double *score, const held_out_rows *rows)
{
    return (sdca_metrics_input){ .classes = labels->count,
                                 .rows    = data->x.count,
                                 .score   = score,
                                 .label   = rows->label,
                                 .weight  = rows->weight };
}

sdca_status train_calibration_of_folds(MPI_Comm comm, const train_arguments *arguments,
                                       const sdca_dataset *data, const double *score,
                                       sdca_calibration *out)
{
    sdca_status        status = SDCA_OK;
    held_out_rows      rows   = { NULL, NULL, NULL };
    sdca_metrics_input input;

    SDCA_TRY(sdca_comm_agree(comm, make_room(data, 0, &rows)));
    for (uint32_t i = 0; i < data->x.count; i++) {
        rows.label[i]  = data->fold[i] >= 0
                             ? sdca_classes_decode(&data->classes, data->x.row[i].y)
                             : -1;
        rows.weight[i] = sdca_dataset_sample_weight(data, i);
    }
    input = input_of(&data->classes, data, score, &rows);
    SDCA_TRY(sdca_calibration_fit(comm, &input, arguments->data, out));
    out->folds = (int)arguments->folds;

done:
    free_rows(&rows);
    return status;
}

sdca_status train_calibration_of_validation(
    MPI_Comm comm, const train_arguments *arguments, const sdca_dataset *data,
    const sdca_dataset *validation, const sdca_model *model, sdca_calibration *out)
{
    sdca_status        status = SDCA_OK;
    size_t             width  = (size_t)sdca_model_parts(model);
    sdca_scorer        scorer = { 0 };
    held_out_rows      rows   = { NULL, NULL, NULL };
    sdca_metrics_input input;

    SDCA_TRY(sdca_comm_agree(comm, make_room(validation, width, &rows)));
    SDCA_TRY(
        sdca_comm_agree(comm, train_scorer_create(model, data, validation, &scorer)));
    for (uint32_t i = 0; i < validation->x.count; i++) {
        memcpy(rows.score + i * width, sdca_scorer_row(&scorer, &validation->x, i),
               width * sizeof *rows.score);
        rows.label[i]  = sdca_classes_find(&model->labels, validation->x.row[i].y);
        rows.weight[i] = sdca_dataset_weight(validation, i);
    }
    input = input_of(&model->labels, validation, rows.score, &rows);
    SDCA_TRY(sdca_calibration_fit(comm, &input, arguments->validation, out));

done:
    sdca_scorer_free(&scorer);
    free_rows(&rows);
    return status;
}

sdca_status train_calibration_prepare(MPI_Comm comm, const train_arguments *arguments,
                                      sdca_dataset *data, int parts,
                                      sdca_fold_training *out)
{
    sdca_status       status = SDCA_OK;
    sdca_fold_options how    = { .count        = (int)arguments->folds,
                                 .seed         = (uint64_t)arguments->fold_seed,
                                 .path         = arguments->data,
                                 .groups       = arguments->fold_groups,
                                 .follow_links = arguments->follow_links };

    SDCA_TRY(sdca_folds_assign(comm, &how, data));
    SDCA_TRY(sdca_fold_training_create(comm, data, how.count, parts, &arguments->training,
                                       out));

done:
    return status;
}

sdca_status train_calibration_run(MPI_Comm comm, const train_arguments *arguments,
                                  const sdca_dataset         *data,
                                  const sdca_train_options   *options,
                                  const sdca_train_callbacks *callbacks,
                                  sdca_fold_training *folds, sdca_model *model)
{
    sdca_status status = SDCA_OK, outcome = SDCA_OK;
    size_t      width = (size_t)folds->classes;
    double *score = sdca_alloc_array((size_t)data->x.count + 1, width * sizeof *score);

    if (score == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the held-out scores of %lld rows",
                           (long long)data->x.count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    outcome =
        sdca_fold_training_run(comm, &model->objective, data, options, callbacks, folds);
    SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
    if (!folds->stopped) {
        sdca_fold_training_score(folds, data, score);
        SDCA_TRY(train_calibration_of_folds(comm, arguments, data, score,
                                            &model->calibration));
    }
    status = outcome;

done:
    free(score);
    return status;
}
