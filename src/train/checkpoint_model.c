/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_model.c - the part of a checkpoint that is a model: written from a run,
 * checked to be of the same run, and read. */
#include "train/checkpoint_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "train/checkpoint.h"

/* What is known about the model, or of the models of some classes. */
static void describe_models(const sdca_training_run *r, sdca_model *model)
{
    const sdca_dataset   *data = r->training.data;
    const sdca_model_run *m    = &r->model[0];

    if (!sdca_checkpoint_trains_classes(r)) {
        model->w           = m->iterate->w;
        model->column_map  = data->column_map;
        model->bias        = sdca_dataset_intercept(data, m->iterate->w, 1);
        model->certificate = m->last.certificate;
        model->history     = m->result->history;
        return;
    }
    for (int k = 0; k < r->training.models; k++, m++) {
        sdca_model_keep_part(model, data, sdca_checkpoint_class_of(r, k), m->iterate,
                             &m->last.certificate, sdca_training_run_model_converged(m),
                             &m->result->history);
    }
    sdca_model_sum_up(model);
}

sdca_status sdca_checkpoint_source_weights(const sdca_dataset *data, sdca_model *model,
                                           double **out)
{
    size_t  features = (size_t)(data->columns - (data->bias > 0.0));
    double *w        = sdca_alloc_array(features + 1, sizeof *w);

    if (w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the weights of a checkpoint");
    }
    sdca_dataset_source_weights(data, model->w, 1, w);
    w[features] = model->bias_value > 0.0 ? model->bias / model->bias_value : 0.0;
    model->w    = w;
    *out        = w;
    return SDCA_OK;
}

sdca_status sdca_checkpoint_write_model(const sdca_training_run *r, sdca_hdf5_file *hdf5)
{
    sdca_model  model    = *r->description;
    double      read     = model.seconds.read;
    double     *source_w = NULL;
    sdca_status status   = SDCA_OK;

    describe_models(r, &model);
    if (sdca_checkpoint_has_own_w(r)) {
        SDCA_TRY(sdca_checkpoint_source_weights(r->training.data, &model, &source_w));
    }
    model.interrupted   = true;
    model.converged     = sdca_checkpoint_trains_classes(r)
                              ? model.converged
                              : sdca_training_run_has_converged(r);
    model.seconds       = r->times;
    model.seconds.total = r->clock.elapsed;
    model.seconds.read  = read;
    snprintf(model.solver, sizeof model.solver, "%s", r->solver.ops->name);
    status = sdca_model_file_write(&model, hdf5);

done:
    free(source_w);
    return status;
}

static bool nearly_equal(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Is it a checkpoint of this data, and of this objective? */
static sdca_status check_identity(const sdca_objective *p, const sdca_dataset *data,
                                  const sdca_model *saved, const char *path)
{
    const sdca_objective *old = &saved->objective;

    if (!saved->interrupted) {
        return SDCA_FAIL(
            SDCA_DATA, "'%s' is a model, not a checkpoint: --warm-start begins with one",
            path);
    }
    if (saved->fingerprint != data->fingerprint || old->rows != data->rows ||
        saved->columns != sdca_dataset_feature_count(data) ||
        saved->nonzeros != data->nonzeros) {
        return SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a checkpoint of other data: %lld rows, %ld columns and %lld "
            "non-zeros there, %lld, %ld and %lld here%s",
            path, (long long)old->rows, (long)saved->columns, (long long)saved->nonzeros,
            (long long)data->rows, (long)sdca_dataset_feature_count(data),
            (long long)data->nonzeros,
            saved->fingerprint != data->fingerprint ? ", and other values" : "");
    }
    if (saved->normalized != data->normalized) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --normalize %s",
                         path, saved->normalized ? "rows" : "none");
    }
    if (saved->standardize != data->standardize) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' is a checkpoint of a run with --standardize %s", path,
                         sdca_standardize_names[saved->standardize]);
    }
    if (saved->intercept != data->intercept) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run %s --intercept", path,
                         saved->intercept ? "with" : "without");
    }
    if (saved->bias_value != sdca_dataset_bias_value(data)) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --bias %g", path,
                         saved->bias_value);
    }
    if (old->loss != p->loss ||
        (p->loss->parameter != NULL && old->parameter != p->parameter) ||
        !nearly_equal(old->lambda, p->lambda)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' is a checkpoint of %s with lambda %.10g, not of %s with "
                         "lambda %.10g: --warm-start begins with its alpha instead",
                         path, old->loss->name, old->lambda, p->loss->name, p->lambda);
    }
    return SDCA_OK;
}

/* Only version 1 wrote checkpoints without a version number. */
static sdca_status check_version(sdca_hdf5_file *hdf5)
{
    int64_t     version = 0;
    sdca_status status  = SDCA_OK;

    if (sdca_hdf5_has_attribute(hdf5, "/", "checkpoint-version")) {
        status = sdca_hdf5_read_attribute(hdf5, "/", "checkpoint-version", SDCA_INT64, 1,
                                          &version);
    }
    return status != SDCA_OK || version == SDCA_CHECKPOINT_VERSION
               ? status
               : SDCA_FAIL(
                     SDCA_DATA,
                     "'%s' is a checkpoint of %s version of sdca: finish the run with "
                     "that version, or begin with its alpha by --warm-start",
                     sdca_hdf5_path(hdf5),
                     version < SDCA_CHECKPOINT_VERSION ? "an earlier" : "a later");
}

sdca_status sdca_checkpoint_check(sdca_hdf5_file *hdf5, const sdca_model *saved,
                                  const sdca_objective *objective,
                                  const sdca_dataset   *data)
{
    sdca_status status = check_identity(objective, data, saved, sdca_hdf5_path(hdf5));

    return status == SDCA_OK ? check_version(hdf5) : status;
}

/* Is it a checkpoint of one lambda? */
static sdca_status check_single(sdca_hdf5_file *hdf5)
{
    return sdca_hdf5_has_group(hdf5, "path")
               ? SDCA_FAIL(SDCA_USAGE,
                           "'%s' is a checkpoint of a path: give the same --lambda",
                           sdca_hdf5_path(hdf5))
               : SDCA_OK;
}

sdca_status sdca_checkpoint_read_model(sdca_training_run *r, sdca_hdf5_file *hdf5)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_file_read(hdf5, &model));
    SDCA_TRY(model.interrupted ? check_single(hdf5) : SDCA_OK);
    SDCA_TRY(
        sdca_checkpoint_check(hdf5, &model, r->training.objective, r->training.data));
    r->checkpoints.converged = model.converged;
    r->times                 = model.seconds;
    for (int k = 0; k < r->training.models; k++) {
        sdca_history *history =
            sdca_checkpoint_trains_classes(r)
                ? &model.by_class[sdca_checkpoint_class_of(r, k)].history
                : &model.history;

        r->model[k].result->history = *history;
        *history                    = (sdca_history){ 0 }; /* now the run's */
    }

done:
    sdca_model_clear(&model);
    return status;
}

static bool is_same_target(const sdca_target *a, const sdca_target *b)
{
    return a->gap == b->gap && (a->gap > 0.0 || a->rel_gap == b->rel_gap);
}

/* Finished classes do not go on to a smaller target. */
static sdca_status check_finished(const sdca_model *saved, int64_t done,
                                  const sdca_target *target, const char *path)
{
    for (int k = 0; k < done && k < sdca_model_parts(saved); k++) {
        if (saved->by_class[k].converged && !is_same_target(&saved->target, target) &&
            !sdca_target_is_met(target, &saved->by_class[k].certificate)) {
            return SDCA_FAIL(SDCA_USAGE,
                             "'%s' has finished classes of a run with another target: "
                             "give the same --gap or --rel-gap",
                             path);
        }
    }
    return SDCA_OK;
}

sdca_status sdca_checkpoint_read_classes(MPI_Comm comm, const sdca_dataset *data,
                                         const char *path, sdca_model *model, int *first)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;
    sdca_model      saved  = { 0 };
    int64_t         done   = 0;

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    SDCA_TRY(sdca_comm_agree(comm, sdca_model_file_read(hdf5, &saved)));
    if (sdca_model_parts(&saved) == sdca_model_parts(model) &&
        saved.fingerprint == data->fingerprint &&
        !sdca_hdf5_has_group(hdf5, "path")) { /* else the trainer refuses it */
        SDCA_TRY(sdca_comm_agree(comm, sdca_hdf5_read_attribute(hdf5, "/", "first-class",
                                                                SDCA_INT64, 1, &done)));
    }
    SDCA_TRY(sdca_comm_agree(comm, check_finished(&saved, done, &model->target, path)));
    for (int k = 0; k < done && k < sdca_model_parts(model); k++) {
        double *w = model->w + (size_t)k * sdca_model_stride(model);

        SDCA_TRY(sdca_comm_agree(
            comm, sdca_model_file_read_part(hdf5, model->column_map, &saved, k, w)));
        model->by_class[k]        = saved.by_class[k];
        saved.by_class[k].history = (sdca_history){ 0 }; /* now the model's */
    }
    *first = (int)(done < sdca_model_parts(model) ? done : 0);

done:
    sdca_model_clear(&saved);
    sdca_hdf5_close(hdf5);
    return status;
}
