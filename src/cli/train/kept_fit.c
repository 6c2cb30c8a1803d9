/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kept_fit.c - a model of all rows that may become that of a run with several lambda. */
#include "cli/train/kept_fit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/history.h"
#include "solver/solvers.h"

void kept_fit_drop(kept_fit *fit, int classes)
{
    for (int k = 0; fit->by_class != NULL && k < classes; k++) {
        sdca_history_free(&fit->by_class[k].history);
    }
    sdca_history_free(&fit->result.history);
    free(fit->w);
    free(fit->class_w);
    free(fit->by_class);
    *fit = (kept_fit){ .outcome = SDCA_OK };
}

/* The evaluations and rounds of a model. */
static void history_fields(sdca_history *history, const char *name, sdca_field_io *io)
{
    const int64_t record = SDCA_HISTORY_FIELD_COUNT,
                  entry  = (int64_t)(sizeof *history->round_log.entries / sizeof(double));
    int64_t count = history->count * record, rounds = history->round_log.count * entry;
    void   *records = history->records, *entries = history->round_log.entries;
    char    log[64];

    snprintf(log, sizeof log, "%s-rounds", name);
    sdca_field_io_array(io, name, SDCA_FLOAT64, &records, &count);
    sdca_field_io_array(io, log, SDCA_FLOAT64, &entries, &rounds);
    if (!io->writing) {
        *history = (sdca_history){ .count     = count / record,
                                   .capacity  = count / record,
                                   .records   = records,
                                   .round_log = { rounds / entry, entries } };
    }
    if (count % record != 0 || rounds % entry != 0) {
        sdca_field_io_reject(io, name);
    }
}

static void certificate_fields(sdca_certificate *certificate, sdca_field_io *io)
{
    sdca_field_io_certificate(io, certificate);
    sdca_field_io_double(io, "rounding", &certificate->rounding);
    sdca_field_io_double(io, "distance", &certificate->distance);
    sdca_field_io_int64(io, "bounds-intercept", &certificate->bounds_intercept);
    sdca_field_io_double(io, "intercept-low", &certificate->intercept_low);
    sdca_field_io_double(io, "intercept-high", &certificate->intercept_high);
}

static void result_fields(sdca_train_result *result, sdca_field_io *io)
{
    int64_t reason = (int64_t)result->stop_reason, nodes = result->nodes;
    int     solver = (int)result->solver;

    certificate_fields(&result->certificate, io);
    sdca_field_io_int64(io, "stop-reason", &reason);
    sdca_field_io_enum(io, "solver", sdca_solver_names, SDCA_SOLVER_COUNT, &solver);
    sdca_field_io_double(io, "test-error", &result->test_error);
    sdca_field_io_bool(io, "output-as-requested", &result->output_as_requested);
    sdca_field_io_double(io, "local-steps", &result->local_steps);
    sdca_field_io_int64(io, "nodes", &nodes);
    sdca_field_io_double(io, "mean-local", &result->times.mean_local);
#define SECONDS_FIELD(name, label) \
    sdca_field_io_double(io, "seconds-" #name, &result->times.name);
    SDCA_PHASE_SECONDS_LIST(SECONDS_FIELD)
#undef SECONDS_FIELD
    if (reason < SDCA_STOP_CONVERGED || reason > SDCA_STOP_ROUNDING) {
        sdca_field_io_reject(io, "stop-reason");
        reason = SDCA_STOP_BUDGET;
    }
    result->stop_reason = (sdca_stop_reason)reason;
    result->solver      = (sdca_solver)solver;
    result->nodes       = (int)nodes;
    history_fields(&result->history, "history", io);
}

/* Weights of a fit, which must be as many as the model has. */
static void weight_fields(double **w, int64_t weights, sdca_field_io *io)
{
    void   *numbers = *w;
    int64_t count   = weights;

    sdca_field_io_array(io, "fit-w", SDCA_FLOAT64, &numbers, &count);
    *w = numbers;
    if (sdca_field_io_has_read(io) && count != weights) {
        sdca_field_io_reject(io, "fit-w");
    }
}

static void class_fields(kept_fit *fit, int parts, sdca_field_io *io)
{
    if (!io->writing) {
        fit->by_class = sdca_alloc_zeroed((size_t)parts, sizeof *fit->by_class);
    }
    if (fit->by_class == NULL) {
        io->status = io->status != SDCA_OK
                         ? io->status
                         : SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
        return;
    }
    for (int k = 0; k < parts; k++) {
        sdca_class_model *part = &fit->by_class[k];
        char              name[32];

        snprintf(name, sizeof name, "class%d", k);
        sdca_field_io_set_group(io, name);
        certificate_fields(&part->certificate, io);
        sdca_field_io_double(io, "bias", &part->bias);
        sdca_field_io_double(io, "epochs", &part->epochs);
        sdca_field_io_int64(io, "positives", &part->positives);
        sdca_field_io_bool(io, "converged", &part->converged);
        snprintf(name, sizeof name, "class%d/history", k);
        history_fields(&part->history, name, io);
    }
}

void kept_fit_fields(kept_fit *fit, int parts, int64_t weights, sdca_field_io *io)
{
    bool budget = fit->outcome == SDCA_BUDGET;

    sdca_field_io_set_group(io, "/");
    sdca_field_io_bool(io, "budget", &budget);
    sdca_field_io_int64(io, "round", &fit->round);
    sdca_field_io_int64(io, "steps", &fit->steps);
    fit->outcome = budget ? SDCA_BUDGET : SDCA_OK;
    result_fields(&fit->result, io);
    weight_fields(parts > 1 ? &fit->class_w : &fit->w, weights, io);
    if (parts > 1) {
        class_fields(fit, parts, io);
    }
}

void kept_fit_calibration_fields(sdca_calibration *calibration, int k, int parts,
                                 sdca_field_io *io)
{
    int64_t count = 2 * (int64_t)parts, models = calibration->models,
            folds = calibration->folds;
    void *sigmoid = calibration->sigmoid;
    char  name[32];

    snprintf(name, sizeof name, "calibration%d", k);
    sdca_field_io_set_group(io, name);
    sdca_field_io_int64(io, "models", &models);
    sdca_field_io_int64(io, "folds", &folds);
    sdca_field_io_int64(io, "rows", &calibration->rows);
    snprintf(name, sizeof name, "calibration%d/sigmoid", k);
    sdca_field_io_array(io, name, SDCA_FLOAT64, &sigmoid, &count);
    calibration->sigmoid = sigmoid;
    calibration->models  = (int)models;
    calibration->folds   = (int)folds;
    if (sdca_field_io_has_read(io) && (count != 2 * parts || models != parts)) {
        sdca_field_io_reject(io, name);
    }
}
