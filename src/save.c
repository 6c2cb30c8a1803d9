/* SPDX-License-Identifier: BSD-3-Clause
 *
 * save.c - checkpoints: when a run is saved, and how another goes on from there. */
#include "save.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "fields.h"
#include "sdca/comm.h"

enum { SCHEDULE_SIZE = 256 };

/* The share of all time that writing may take where the interval is ours to choose. */
static const double most_share = 0.02;

/* All that decides how rounds follow each other, but for the data. */
static void describe_schedule(const sdca_run *r, char text[SCHEDULE_SIZE])
{
    const sdca_plan *plan = r->plan;
    bool selects = plan->keep == SDCA_KEEP_AVERAGE || plan->keep == SDCA_KEEP_RANDOM;

    snprintf(text, SCHEDULE_SIZE,
             "controllers 4 ranks %d seed %llu solver %d order %d aggregate %d sigma "
             "%.17g local-steps "
             "%.17g deterministic %d step %d output %d from %lld to %lld",
             sdca_comm_size(r->comm), (unsigned long long)plan->seed,
             (int)sdca_plan_solver(plan, r->problem, r->data, sdca_comm_size(r->comm)),
             (int)plan->order, (int)plan->aggregate, plan->sigma, plan->local_steps,
             plan->deterministic, plan->guesses, (int)plan->keep,
             (long long)(selects ? r->keep.from : 0),
             (long long)(plan->keep == SDCA_KEEP_RANDOM ? r->keep.drawn : 0));
}

/* One byte for each of my rows, in whole groups. Collective. */
static sdca_status make_marks(const sdca_run *r, uint8_t **mark)
{
    *mark = calloc((size_t)r->data->x.count + SDCA_SHRINKING_GROUP_SIZE, 1);
    return sdca_comm_agree(
        r->comm,
        *mark != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint"));
}

/* The part of a checkpoint that is a model; rank 0's work. */
static sdca_status put_model(sdca_run *r, sdca_hdf5_file *store)
{
    sdca_status       status = SDCA_OK;
    sdca_model        model  = *r->plan->saving.model;
    const sdca_times *times  = &r->result->times;
    char              schedule[SCHEDULE_SIZE];

    model.w           = r->state->w;
    model.used        = r->data->column_map;
    model.bias        = sdca_dataset_intercept(r->data, r->state->w);
    model.certificate = r->now;
    model.history     = r->result->history;
    model.interrupted = true;
    model.converged   = sdca_run_is_at_target(r);
    model.seconds     = (sdca_seconds){ .total       = r->clock,
                                        .read        = model.seconds.read,
                                        .local       = times->local,
                                        .communicate = times->communicate,
                                        .gap         = times->gap,
                                        .checkpoint  = times->checkpoint };
    snprintf(model.solver, sizeof model.solver, "%s", sdca_plan_solver_name(r->solver));
    describe_schedule(r, schedule);
    SDCA_TRY(sdca_model_put(&model, store));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "schedule", schedule));

done:
    return status;
}

static sdca_status write(sdca_run *r)
{
    const sdca_saving *saving = &r->plan->saving;
    sdca_status        status = SDCA_OK;
    int64_t            solver = r->solver;
    uint8_t           *mark   = NULL;
    sdca_image         image;

    SDCA_TRY(make_marks(r, &mark));
    SDCA_TRY(sdca_image_create(r->comm, r->data, saving->path, saving->older, &image));
    sdca_run_bring_state(r);
    if (image.store != NULL) {
        image.status = put_model(r, image.store);
    }
    sdca_fields_state(r, &image, &solver);
    if (r->solver == SDCA_SOLVER_SGD) {
        sdca_fields_sgd(r, &image);
    } else if (r->solver == SDCA_SOLVER_NEWTON) {
        sdca_fields_newton(r, &image);
    }
    sdca_fields_kept(r, &image);
    sdca_fields_controllers(r, &image);
    sdca_fields_order(r, &image, mark);
    status = sdca_image_close(&image);

done:
    free(mark);
    return status;
}

/* Save the run, tell, and see what it cost. */
static sdca_status save(sdca_run *r)
{
    const sdca_saving  *saving  = &r->plan->saving;
    const sdca_watcher *watcher = r->watcher;
    double              start   = MPI_Wtime();
    sdca_status         status  = write(r);
    double              cost    = MPI_Wtime() - start;

    sdca_comm_allreduce_max(r->comm, &cost, 1);
    r->result->times.checkpoint += cost;
    r->result->unsaved = status != SDCA_OK;
    r->saved_round     = r->state->round;
    r->saved_at_target = sdca_run_is_at_target(r);
    r->saved_clock     = r->clock + cost;
    r->interval        = saving->adapts ? fmax(saving->seconds, cost / most_share - cost)
                                        : saving->seconds;
    if (watcher->saved != NULL) {
        watcher->saved(watcher->context, status, cost);
    }
    return status;
}

static bool is_due(const sdca_run *r)
{
    const sdca_saving *saving = &r->plan->saving;

    return sdca_run_is_stopped(r) || sdca_run_is_spent(r) ||
           (saving->rounds > 0 && r->state->round - r->saved_round >= saving->rounds) ||
           (r->interval > 0.0 && r->clock - r->saved_clock >= r->interval);
}

sdca_status sdca_save_if_due(sdca_run *r)
{
    sdca_status status = SDCA_OK;

    if (r->plan->saving.path == NULL || !is_due(r)) {
        return SDCA_OK;
    }
    status = save(r);
    if (!sdca_run_is_stopped(r)) {
        return SDCA_OK; /* what was saved before is still there */
    }
    r->interrupted = status == SDCA_OK;
    return status;
}

void sdca_save_last(sdca_run *r)
{
    if (r->plan->saving.path != NULL &&
        (r->saved_round != r->state->round || r->result->unsaved ||
         r->saved_at_target != sdca_run_is_at_target(r))) {
        sdca_keep_settle(&r->keep, r->data, r->state);
        (void)save(r);
    }
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Is this the data, and the problem? */
static sdca_status check_identity(const sdca_run *r, const sdca_model *was,
                                  const char *path)
{
    const sdca_objective *p = r->problem, *old = &was->problem;
    const sdca_dataset   *data = r->data;

    if (!was->interrupted) {
        return SDCA_FAIL(
            SDCA_DATA, "'%s' is a model, not a checkpoint: --warm-start begins with one",
            path);
    }
    if (was->fingerprint != data->fingerprint || old->rows != data->rows ||
        was->columns != sdca_dataset_feature_count(data) ||
        was->nonzeros != data->nonzeros) {
        return SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a checkpoint of other data: %lld rows, %ld columns and %lld "
            "non-zeros there, %lld, %ld and %lld here%s",
            path, (long long)old->rows, (long)was->columns, (long long)was->nonzeros,
            (long long)data->rows, (long)sdca_dataset_feature_count(data),
            (long long)data->nonzeros,
            was->fingerprint != data->fingerprint ? ", and other values" : "");
    }
    if (was->normalized != data->normalized) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --normalize %s",
                         path, was->normalized ? "rows" : "none");
    }
    if (was->bias_value != data->bias) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --bias %g", path,
                         was->bias_value);
    }
    if (old->loss != p->loss ||
        (p->loss->parameter != NULL && old->parameter != p->parameter) ||
        !is_near(old->lambda, p->lambda)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' is a checkpoint of %s with lambda %.10g, not of %s with "
                         "lambda %.10g: --warm-start begins with its alpha instead",
                         path, old->loss->name, old->lambda, p->loss->name, p->lambda);
    }
    return SDCA_OK;
}

/* What is not among the fields: is this a checkpoint of this run, its history, and how
 * its rounds came about. */
static sdca_status get_model(sdca_run *r, sdca_hdf5_file *store,
                             char schedule[SCHEDULE_SIZE])
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_get(store, &model));
    SDCA_TRY(check_identity(r, &model, sdca_hdf5_path(store)));
    SDCA_TRY(
        sdca_hdf5_read_string_attribute(store, "/", "schedule", schedule, SCHEDULE_SIZE));
    r->saved_at_target = model.converged;
    r->result->history = model.history;
    r->result->times   = (sdca_times){ .local       = model.seconds.local,
                                       .communicate = model.seconds.communicate,
                                       .gap         = model.seconds.gap,
                                       .checkpoint  = model.seconds.checkpoint };
    model.history      = (sdca_history){ 0 }; /* now the run's */

done:
    sdca_model_free(&model);
    return status;
}

/* The clock goes on from where it was. */
static void resume_clock(sdca_run *r)
{
    r->gone        = r->clock;
    r->began       = MPI_Wtime() - r->clock;
    r->saved_clock = r->clock;
    r->saved_round = r->state->round;
}

/* With other ranks or settings: w is made of alpha once more, and nothing is known of how
 * rounds go. */
static sdca_status adopt(sdca_run *r, bool kept)
{
    sdca_keep *keep = &r->keep;

    if (!kept && keep->kind != SDCA_KEEP_BEST && sdca_keep_is_ready(keep, r->state) &&
        keep->kind != SDCA_KEEP_LAST) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' has come too far for this --output, whose iterates begin "
                         "after %.4g epochs",
                         r->plan->saving.from,
                         (double)keep->from / (double)r->data->rows);
    }
    if (!kept) {
        sdca_iterate_copy(r->data, r->state, &keep->kept);
        keep->improved = r->state->steps;
    }
    r->made = sdca_run_part_of_steps(r);
    if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_iterate_recompute_w(r->comm, r->problem, r->data, r->state);
        sdca_ascent_load(&r->local, r->state);
    }
    return sdca_evaluate(r);
}

/* The fields of a checkpoint that this run can use: all, if it has the same schedule. */
static void take_fields(sdca_run *r, sdca_image *image, uint8_t *mark, bool same,
                        bool *kept)
{
    int64_t solver = SDCA_SOLVER_AUTO;
    bool    sgd    = r->solver == SDCA_SOLVER_SGD;

    sdca_fields_state(r, image, &solver);
    if (image->status == SDCA_OK && (solver == SDCA_SOLVER_SGD) != sgd) {
        image->status = SDCA_FAIL(
            SDCA_USAGE,
            "'%s' is a checkpoint of a run %s --solver sgd, and so must this be",
            r->plan->saving.from, sgd ? "without" : "with");
    } else if (sgd) {
        sdca_fields_sgd(r, image);
    } else if (r->solver == SDCA_SOLVER_NEWTON && solver == SDCA_SOLVER_NEWTON) {
        sdca_fields_newton(r, image);
    } else if (same && solver == SDCA_SOLVER_SDCA) {
        r->solver = SDCA_SOLVER_SDCA; /* Newton was lost */
    }
    *kept = sdca_fields_kept(r, image);
    if (same) {
        sdca_fields_controllers(r, image);
        sdca_fields_order(r, image, mark);
    }
}

sdca_status sdca_save_resume(sdca_run *r)
{
    sdca_status status = SDCA_OK;
    uint8_t    *mark   = NULL;
    bool        same = false, kept                          = false;
    char        schedule[SCHEDULE_SIZE], was[SCHEDULE_SIZE] = "";
    sdca_image  image;

    describe_schedule(r, schedule);
    SDCA_TRY(make_marks(r, &mark));
    SDCA_TRY(sdca_image_open(r->comm, r->data, r->plan->saving.from, &image));
    image.status = sdca_comm_agree(r->comm, get_model(r, image.store, was));
    same         = strcmp(schedule, was) == 0;
    if (image.status == SDCA_OK) {
        take_fields(r, &image, mark, same, &kept);
    }
    SDCA_TRY(sdca_image_close(&image));
    resume_clock(r);
    if (!same) {
        SDCA_TRY(adopt(r, kept));
    } else if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_ascent_load(&r->local, r->state);
    }

done:
    free(mark);
    return status;
}
