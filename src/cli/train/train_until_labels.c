/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_until_labels.c - train until every label of the test set is proven.
 *
 * Each stage is a training to a gap, from the iterates of the one before. The gap of the
 * next stage is that of a distance at which all labels would be proven if the margins
 * were those of the present weights; they are not, so that there may be several stages.
 */
#include "cli/train/train_until_labels.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cli/train/train_scorer.h"
#include "model/certain_labels.h"
#include "model/history.h"
#include "model/round_log.h"
#include "mpi/comm.h"
#include "solver/solvers.h"
#include "train/class_training.h"
#include "train/warm_start.h"

/* The stages under way. */
typedef struct stages {
    train_job                  *j;
    const sdca_train_callbacks *callbacks; /* of the caller */
    sdca_class_iterates         classes;   /* of several classes */
    int                         parts;
    sdca_history               *before; /* by part: of the earlier stages, in a stage */
    sdca_phase_seconds          times;  /* of the earlier stages */
    int                         part;   /* of the next evaluation */
} stages;

/* The distance at which the label of these scores would be proven, or less. */
static double needed_distance(const sdca_certain_labels *certain, const double *score,
                              double norm)
{
    int    greatest = sdca_scorer_greatest(certain->models, score);
    double least    = INFINITY;

    if (norm == 0.0) {
        return INFINITY;
    }
    if (certain->models == 1) {
        return fabs(score[0] - certain->threshold) / norm;
    }
    for (int k = 0; k < certain->models; k++) {
        least = k != greatest ? fmin(least, score[greatest] - score[k]) : least;
    }
    return 0.5 * least / norm;
}

/* Rounding errors of scores per unit of |x|, which add to the distance. */
static double rounding_of(const sdca_certain_labels *certain, const sdca_model *model)
{
    double most = 0.0;

    for (int k = 0; k < certain->models; k++) {
        most = fmax(most,
                    certain->radius[k] - sdca_model_part(model, k).certificate.distance);
    }
    return most;
}

sdca_status train_until_count(const train_job *j, const sdca_model *model,
                              int64_t *certain, double *need)
{
    sdca_status         status = SDCA_OK;
    const sdca_dataset *test   = j->test;
    sdca_scorer         scorer = { 0 };
    sdca_certain_labels labels = { 0 };
    double              least  = INFINITY;

    *certain = -1;
    SDCA_TRY(sdca_comm_agree(j->comm, sdca_certain_labels_create(model, 0.0, &labels)));
    if (labels.radius == NULL) {
        goto done;
    }
    SDCA_TRY(
        sdca_comm_agree(j->comm, train_scorer_create(model, j->data, test, &scorer)));
    *certain = sdca_certain_labels_count(j->comm, &labels, &scorer, test);
    for (uint32_t i = 0; i < test->x.count && need != NULL; i++) {
        double norm = sdca_certain_labels_norm(&labels, test->x.row[i].norm2);

        least = fmin(
            least, needed_distance(&labels, sdca_scorer_row(&scorer, &test->x, i), norm));
    }
    if (need != NULL) {
        sdca_comm_allreduce_min(j->comm, &least, 1);
        *need = least - rounding_of(&labels, model);
    }

done:
    sdca_certain_labels_free(&labels);
    sdca_scorer_free(&scorer);
    return status;
}

static sdca_history *history_of(stages *s, int part)
{
    return s->parts > 1 ? &s->j->model.by_class[part].history : &s->j->result.history;
}

static const sdca_history_record *last_of(const sdca_history *history)
{
    return &history->records[history->count - 1];
}

/* Add the end of the earlier stages of a part to a record. */
static void shift(const stages *s, int part, sdca_history_record *record)
{
    const sdca_history *before = &s->before[part];

    if (before->count > 0) {
        record->round += last_of(before)->round;
        record->epoch += last_of(before)->epoch;
        record->bytes += last_of(before)->bytes;
        record->seconds += s->times.total;
    }
}

/* Callbacks of a stage continue the counts and times of the earlier ones. */
static void on_class(void *context, int k)
{
    stages *s = context;

    s->part = k;
    if (s->callbacks->on_class != NULL) {
        s->callbacks->on_class(s->callbacks->context, k);
    }
}

static void on_evaluation(void *context, const sdca_history_record *record)
{
    const stages       *s   = context;
    sdca_history_record now = *record;

    if (s->before[s->part].count > 0 && record->round == 0.0) {
        return; /* this iterate was the last one */
    }
    shift(s, s->part, &now);
    if (s->callbacks->on_evaluation != NULL) {
        s->callbacks->on_evaluation(s->callbacks->context, &now);
    }
}

static void on_progress(void *context, const sdca_progress *progress)
{
    const stages *s   = context;
    sdca_progress now = *progress;

    now.seconds += s->times.total;
    now.round += s->before[s->part].count > 0 ? last_of(&s->before[s->part])->round : 0.0;
    now.epoch += s->before[s->part].count > 0 ? last_of(&s->before[s->part])->epoch : 0.0;
    if (s->callbacks->on_progress != NULL) {
        s->callbacks->on_progress(s->callbacks->context, &now);
    }
}

static bool stop_requested(void *context)
{
    const stages *s = context;

    return s->callbacks->stop_requested != NULL &&
           s->callbacks->stop_requested(s->callbacks->context);
}

/* Add the evaluations of a stage to those of the earlier ones. Local. */
static sdca_status join_histories(stages *s, int part)
{
    sdca_status   status = SDCA_OK;
    sdca_history *now = history_of(s, part), *all = &s->before[part];

    for (int64_t i = 0; i < now->count; i++) {
        bool again = now->records[i].round == 0.0; /* an iterate of the earlier ones */

        shift(s, part, &now->records[i]); /* before all grows */
        now->records[i].round = again ? -1.0 : now->records[i].round;
    }
    for (int64_t i = 0; i < now->count && status == SDCA_OK; i++) {
        status = now->records[i].round >= 0.0 ? sdca_history_append(all, &now->records[i])
                                              : SDCA_OK;
    }
    sdca_history_free(now);
    *now = *all;
    *all = (sdca_history){ 0 };
    return status;
}

/* The rest of a budget of which part is used; 0: there was none. */
static int64_t rest_of(int64_t budget, double used)
{
    return budget == 0 ? 0 : budget - (int64_t)used;
}

/* The options of the next stage, whose target is a distance; false: no budget is left.
 * Collective. */
static bool next_options(stages *s, double distance, sdca_train_options *options)
{
    double limit = options->seconds, epochs = 0.0, rounds = 0.0;

    for (int k = 0; k < s->parts; k++) {
        epochs = fmax(epochs, last_of(history_of(s, k))->epoch);
        rounds = fmax(rounds, last_of(history_of(s, k))->round);
    }
    options->epochs     = rest_of(options->epochs, epochs);
    options->rounds     = rest_of(options->rounds, rounds);
    options->seconds    = limit > 0.0 ? limit - s->times.total : 0.0;
    options->gap        = fmax(s->j->problem.lambda * distance * distance, 1e-300);
    options->warm_start = NULL;
    options->sgd_start  = false;
    return (s->j->arguments.training.epochs == 0 || options->epochs > 0) &&
           (s->j->arguments.training.rounds == 0 || options->rounds > 0) &&
           (limit <= 0.0 || options->seconds > 0.0);
}

/* Train one model, or one per class. Collective. */
static sdca_status train_stage(stages *s, const sdca_train_options *options)
{
    train_job                 *j     = s->j;
    const sdca_train_callbacks own   = { .context        = s,
                                         .on_class       = on_class,
                                         .on_evaluation  = on_evaluation,
                                         .on_progress    = on_progress,
                                         .stop_requested = stop_requested };
    sdca_train_setup           setup = {
                  .comm = j->comm, .data = j->data, .options = options, .callbacks = &own
    };

    return s->parts > 1
               ? sdca_class_training_run(&setup, &j->problem, &s->classes, &j->model,
                                         &j->result)
               : sdca_trainer_run(&setup, &j->problem, &j->model, &j->state, &j->result);
}

/* The model is that of the next stage: its histories are kept apart. */
static void begin_stage(stages *s)
{
    sdca_model *model = &s->j->model;

    for (int k = 0; k < s->parts; k++) {
        s->before[k]      = *history_of(s, k);
        *history_of(s, k) = (sdca_history){ 0 };
    }
    if (s->parts > 1) {
        free(model->by_class);
        free(model->w);
        model->by_class = NULL;
        model->w        = NULL;
    }
    s->j->result = (sdca_train_result){ 0 };
}

static void add_times(const sdca_phase_seconds *from, sdca_phase_seconds *to)
{
#define ADD_SECONDS(name, label) to->name += from->name;
    SDCA_PHASE_SECONDS_LIST(ADD_SECONDS)
#undef ADD_SECONDS
    to->mean_local += from->mean_local;
}

/* Train on from the stage before. Collective. */
static sdca_status continue_training(stages *s, const sdca_train_options *options)
{
    train_job  *j      = s->j;
    sdca_status status = SDCA_OK, outcome;
    int64_t     steps = j->state.steps, round = j->state.round;

    begin_stage(s);
    if (s->parts == 1) {
        sdca_warm_start_next_lambda(j->comm, &j->problem, j->data, 1, j->problem.C,
                                    sdca_solver_find(options->solver)->w_of_alpha,
                                    &j->state);
    }
    outcome = train_stage(s, options);
    SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
    for (int k = 0; k < s->parts; k++) {
        if (s->parts > 1) {
            j->model.by_class[k].epochs += last_of(&s->before[k])->epoch;
        }
        status = status == SDCA_OK ? join_histories(s, k) : status;
    }
    SDCA_TRY(sdca_comm_agree(j->comm, status));
    j->state.steps += steps;
    j->state.round += round;
    add_times(&s->times, &j->result.times);
    status = outcome;

done:
    return status;
}

/* The distance of the next stage: a quarter of the margins that are left, and always
 * nearer than now. */
static double next_distance(const stages *s, const sdca_model *model, double need)
{
    double now = 0.0;

    for (int k = 0; k < s->parts; k++) {
        now = fmax(now, sdca_model_part(model, k).certificate.distance);
    }
    return fmax(now / 16.0, fmin(now / 2.0, 0.8 * need));
}

/* All labels are proven: this was the target. */
static void set_converged(stages *s)
{
    s->j->result.stop_reason = SDCA_STOP_CONVERGED;
    for (int k = 0; s->parts > 1 && k < s->parts; k++) {
        s->j->model.by_class[k].converged = true;
    }
}

sdca_status train_until_labels(train_job *j, const sdca_train_callbacks *callbacks)
{
    sdca_status        status = SDCA_OK, outcome = SDCA_OK;
    sdca_train_options options = j->arguments.training;
    int64_t            certain = 0;
    stages s = { .j = j, .callbacks = callbacks, .parts = sdca_model_parts(&j->model) };

    s.before = sdca_alloc_zeroed((size_t)s.parts, sizeof *s.before);
    if (s.before == NULL) {
        status =
            SDCA_FAIL(SDCA_MEMORY, "no memory for the histories of %d models", s.parts);
    }
    SDCA_TRY(sdca_comm_agree(j->comm, status));
    options.warm_start = j->arguments.warm_start;
    outcome            = train_stage(&s, &options);
    SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
    while (true) {
        sdca_model model = train_job_complete_model(j, outcome);
        double     need  = 0.0, distance;

        SDCA_TRY(train_until_count(j, &model, &certain, &need));
        distance = next_distance(&s, &model, need);
        s.times  = j->result.times;
        options  = j->arguments.training;
        if (certain == j->test->rows || outcome == SDCA_BUDGET || !isfinite(distance) ||
            !next_options(&s, distance, &options)) {
            break;
        }
        outcome = continue_training(&s, &options);
        SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
    }
    if (certain == j->test->rows) {
        set_converged(&s);
    } else if (j->result.stop_reason == SDCA_STOP_CONVERGED) {
        j->result.stop_reason = SDCA_STOP_BUDGET;
    }
    status = certain == j->test->rows ? SDCA_OK : SDCA_BUDGET;

done:
    sdca_class_iterates_free(&s.classes);
    for (int k = 0; s.before != NULL && k < s.parts; k++) {
        sdca_history_free(&s.before[k]);
    }
    free(s.before);
    return status;
}
