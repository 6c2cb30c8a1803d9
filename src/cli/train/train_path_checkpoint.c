/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_path_checkpoint.c - checkpoints of a run with several lambda. */
#include "cli/train/train_path_checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/train/kept_fit.h"
#include "mpi/comm.h"
#include "solver/solvers.h"
#include "train/checkpoint_model.h"
#include "train/iterate_fields.h"

/* A run that is saved or resumed. */
typedef struct path_state {
    train_job     *job;
    sdca_field_io  io;
    sdca_objective objective; /* of the last finished fit */
    int            fits;      /* finished */
} path_state;

static bool is_first(const path_state *s)
{
    return sdca_comm_rank(s->job->comm) == 0;
}

static sdca_objective objective_of(const train_job *j, int fit)
{
    return sdca_objective_with_lambda(j->arguments.loss, j->arguments.loss_parameter,
                                      j->arguments.lambdas.value[fit], j->data->rows,
                                      j->data->total_weight);
}

/* What a resumed run must have in common, besides the data and the list of lambda. */
static void print_settings(const train_job *j, char *text, size_t size)
{
    const train_arguments *arguments = &j->arguments;

    snprintf(text, size,
             "gap %.17g, rel-gap %.17g, solver %s, folds %lld, seed %lld, groups %s, "
             "validation %016" PRIx64 ", metric %s, select %s, calibrate %d",
             arguments->training.gap, arguments->training.rel_gap,
             sdca_solver_name(j->requested_solver), (long long)arguments->folds,
             (long long)arguments->fold_seed,
             arguments->fold_groups != NULL ? arguments->fold_groups : "",
             j->validation != NULL ? j->validation->fingerprint : 0,
             train_arguments_has_selection(arguments)
                 ? sdca_metric_name(arguments->metric)
                 : "",
             arguments->one_se ? "one-se" : "best", arguments->calibrate);
}

/* Numbers of all fits, or all lambda, which are as many. */
static void number_fields(path_state *s, const char *name, double *x, int64_t count)
{
    void   *numbers = x;
    int64_t found   = count;

    sdca_field_io_array(&s->io, name, SDCA_FLOAT64, &numbers, &found);
    if (s->io.writing) {
        return;
    }
    if (sdca_field_io_has_read(&s->io) && found == count) {
        memcpy(x, numbers, (size_t)count * sizeof *x);
    } else if (found != count) {
        sdca_field_io_reject(&s->io, name);
    }
    free(numbers);
}

/* Is this the same path, with the same way to choose? */
static void identity_fields(path_state *s)
{
    lambda_list   *lambdas = &s->job->arguments.lambdas;
    sdca_field_io *io      = &s->io;
    char           mine[SDCA_MODEL_OPTIONS_SIZE], text[SDCA_MODEL_OPTIONS_SIZE];
    void          *lambda = lambdas->value;
    int64_t        count  = lambdas->count;
    bool           same;

    print_settings(s->job, mine, sizeof mine);
    memcpy(text, mine, sizeof text);
    sdca_field_io_text(io, "settings", text, sizeof text);
    sdca_field_io_array(io, "path-lambda", SDCA_FLOAT64, &lambda, &count);
    if (io->writing) {
        return;
    }
    same = count == lambdas->count && strcmp(mine, text) == 0 &&
           memcmp(lambda, lambdas->value, (size_t)count * sizeof(double)) == 0;
    free(lambda);
    if (sdca_field_io_has_read(io) && !same) {
        io->status = SDCA_FAIL(SDCA_USAGE,
                               "'%s' is a checkpoint of another path: give the same "
                               "--lambda, --gap, --rel-gap, --solver, --folds, "
                               "--fold-groups, --fold-seed, --validation, --metric, "
                               "--select and --calibrate",
                               sdca_hdf5_path(io->hdf5));
    }
}

/* How far the run has come. */
static void progress_fields(path_state *s)
{
    train_job     *j  = s->job;
    sdca_field_io *io = &s->io;
    int64_t fits = s->fits, planned = j->arguments.lambdas.count, round = 0, steps = 0;
    bool    budget = j->path_worst != SDCA_OK, last = j->last_outcome != SDCA_OK,
         folds     = j->selection.worst != SDCA_OK;
    double seconds = j->path.seconds + MPI_Wtime() - j->path_start;

    for (int k = 0; k < j->path.count; k++) { /* for readers */
        round += (int64_t)j->path.fit[k].rounds;
        steps += (int64_t)(j->path.fit[k].epochs * (double)j->data->rows);
    }
    sdca_field_io_set_group(io, "/");
    sdca_field_io_int64(io, "round", &round);
    sdca_field_io_int64(io, "steps", &steps);
    sdca_field_io_double(io, "seconds", &seconds);
    sdca_field_io_set_group(io, "path");
    identity_fields(s);
    sdca_field_io_int64(io, "fits", &fits);
    sdca_field_io_bool(io, "budget", &budget);
    sdca_field_io_bool(io, "last-budget", &last);
    sdca_field_io_bool(io, "folds-budget", &folds);
    sdca_field_io_int64(io, "planned", &planned);
    if (sdca_field_io_has_read(io) && (fits < 1 || fits > j->arguments.lambdas.count)) {
        sdca_field_io_reject(io, "fits");
    }
    if (sdca_field_io_has_read(io)) {
        s->fits            = (int)fits;
        j->path.seconds    = seconds;
        j->path_worst      = budget ? SDCA_BUDGET : SDCA_OK;
        j->last_outcome    = last ? SDCA_BUDGET : SDCA_OK;
        j->selection.worst = folds ? SDCA_BUDGET : SDCA_OK;
    }
}

/* A record of a fit as numbers. */
static void record_numbers(path_fit *fit, bool get, double *x)
{
    double *field[] = {
        &fit->lambda,
        &fit->C,
        &fit->certificate.primal,
        &fit->certificate.dual,
        &fit->certificate.gap,
        &fit->certificate.rounding,
        &fit->certificate.distance,
        &fit->relative_gap,
        &fit->epochs,
        &fit->rounds,
        &fit->seconds,
        &fit->test_error,
    };
    const size_t count = sizeof field / sizeof field[0];

    for (size_t k = 0; k < count; k++) {
        *(get ? &x[k] : field[k]) = *(get ? field[k] : &x[k]);
    }
    if (get) {
        x[count] = fit->outcome != SDCA_OK;
    } else {
        fit->outcome = x[count] != 0.0 ? SDCA_BUDGET : SDCA_OK;
    }
}

enum { RECORD_NUMBERS = 13 };

/* The records of all fits, and their histories, which the first rank has. */
static void record_fields(path_state *s)
{
    train_path    *path   = &s->job->path;
    sdca_field_io *io     = &s->io;
    size_t         count  = (size_t)s->job->arguments.lambdas.count * RECORD_NUMBERS;
    double        *number = sdca_alloc_zeroed(count, sizeof *number);
    void          *text   = path->history;
    int64_t        size   = (int64_t)path->history_size;

    if (number == NULL) {
        io->status = SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
        return;
    }
    for (int k = 0; io->writing && k < path->count; k++) {
        record_numbers(&path->fit[k], true, number + (size_t)k * RECORD_NUMBERS);
    }
    number_fields(s, "path-fits", number, (int64_t)s->fits * RECORD_NUMBERS);
    sdca_field_io_array(io, "path-history", SDCA_UINT8, &text, &size);
    if (sdca_field_io_has_read(io) && is_first(s)) {
        path->count = s->fits;
        for (int k = 0; k < path->count; k++) {
            record_numbers(&path->fit[k], false, number + (size_t)k * RECORD_NUMBERS);
        }
        if (fwrite(text, 1, (size_t)size, path->history_stream) != (size_t)size ||
            fflush(path->history_stream) != 0) {
            io->status = SDCA_FAIL(SDCA_MEMORY, "no memory for the history");
        }
    }
    if (!io->writing) {
        free(text);
    }
    free(number);
}

/* What was measured: the choice follows from it. */
static void table_fields(path_state *s)
{
    sdca_selection *table  = &s->job->selection.table;
    int64_t         values = (int64_t)s->fits * table->folds;
    const double   *lambda = s->job->arguments.lambdas.value;

    number_fields(s, "path-value", table->value, values);
    number_fields(s, "path-gap", table->gap, values);
    number_fields(s, "path-full-gap", table->full_gap, s->fits);
    number_fields(s, "path-nonzero-columns", table->nonzero_columns, s->fits);
    for (int k = 0; s->job->selection.calibration != NULL && k < s->fits; k++) {
        kept_fit_calibration_fields(&s->job->selection.calibration[k], k,
                                    sdca_model_parts(&s->job->model), &s->io);
    }
    for (int k = 0; sdca_field_io_has_read(&s->io) && k < s->fits; k++) {
        size_t at = (size_t)k * (size_t)table->folds;

        sdca_selection_add(table, lambda[k], table->full_gap[k],
                           table->nonzero_columns[k], table->value + at, table->gap + at);
    }
}

/* What is proven about the rows that are tested. Collective. */
static void bound_fields(path_state *s)
{
    train_selection       *selection = &s->job->selection;
    sdca_validation_bound *bound     = &selection->bound;

    if (!selection->bounds) {
        return;
    }
    if (selection->validation != NULL) {
        sdca_field_io_set_data(&s->io, selection->validation);
    }
    for (int k = 0; k < s->fits; k++) {
        char name[32];

        if (!s->io.writing) {
            sdca_validation_bound_begin_fit(bound, s->job->arguments.lambdas.value[k]);
        }
        snprintf(name, sizeof name, "reach%d", k);
        sdca_field_io_per_row(&s->io, name, SDCA_FLOAT32, bound->reach + k,
                              (size_t)bound->room);
    }
    if (selection->validation != NULL) {
        sdca_field_io_set_data(&s->io, s->job->data);
    }
}

/* The weights of a model. */
static int64_t count_weights(const train_job *j)
{
    int parts = sdca_model_parts(&j->model);

    return parts > 1 ? (int64_t)sdca_model_stride(&j->model) * parts : j->data->columns;
}

/* The last fit of a path, whose arrays remain the run's. */
static kept_fit last_fit(const train_job *j)
{
    return (kept_fit){ .objective = j->problem,
                       .result    = j->result,
                       .outcome   = j->last_outcome,
                       .w         = j->state.w,
                       .steps     = j->state.steps,
                       .round     = j->state.round,
                       .class_w   = j->model.w,
                       .by_class  = j->model.by_class };
}

/* Make a fit that was read the last one. */
static void use_fit(train_job *j, kept_fit *fit)
{
    j->result          = fit->result;
    j->model.w         = fit->class_w;
    j->model.by_class  = fit->by_class;
    j->model.objective = fit->objective;
    j->state.steps     = fit->steps;
    j->state.round     = fit->round;
    free(fit->w); /* the iterate has it */
}

/* The fits that may be chosen, on the first rank; without a choice the last one. */
static void kept_fields(path_state *s)
{
    train_job      *j       = s->job;
    sdca_field_io  *io      = &s->io;
    sdca_selection *table   = &j->selection.table;
    bool            chooses = j->run.selection != NULL;
    int             parts   = sdca_model_parts(&j->model);
    int             number  = parts + j->selection.folds.folds * parts;
    int64_t         weights = count_weights(j);

    for (int k = 0; k < s->fits; k++) {
        bool     kept = chooses ? table->rule == SDCA_SELECTION_ONE_SE || k == table->best
                                : k == s->fits - 1;
        kept_fit fit  = chooses       ? j->selection.kept[k]
                        : io->writing ? last_fit(j)
                                      : (kept_fit){ .outcome = SDCA_OK };

        if (!kept || io->status != SDCA_OK || (chooses && !is_first(s))) {
            continue;
        }
        sdca_field_io_set_model(io, number + k);
        kept_fit_fields(&fit, parts, weights, io);
        fit.objective = objective_of(j, k);
        if (!io->writing && chooses) {
            j->selection.kept[k] = fit;
        } else if (!io->writing) {
            use_fit(j, &fit);
        }
    }
    sdca_field_io_set_model(io, -1);
}

/* All fields. Collective. */
static void fields(path_state *s)
{
    train_job     *j       = s->job;
    sdca_field_io *io      = &s->io;
    int            parts   = sdca_model_parts(&j->model);
    int64_t        version = SDCA_CHECKPOINT_VERSION;

    sdca_field_io_set_group(io, "/");
    sdca_field_io_int64(io, "checkpoint-version", &version);
    progress_fields(s);
    if (!io->writing) { /* all ranks must know the number of fits */
        io->status = sdca_comm_agree(j->comm, io->status);
    }
    if (io->status != SDCA_OK && !io->writing) {
        return;
    }
    s->objective = objective_of(j, s->fits - 1);
    record_fields(s);
    if (parts > 1) {
        sdca_class_iterates_fields(&s->objective, &j->arguments.training, parts,
                                   &s->job->class_iterates, io);
    } else {
        sdca_iterates_fields(&s->objective, 1, -1, &j->state, io);
    }
    if (j->run.selection != NULL) {
        sdca_fold_training_fields(&s->objective, parts, &j->selection.folds, io);
        table_fields(s);
        bound_fields(s);
    }
    kept_fields(s);
}

/* The model that would be written if the run ended now. Local. */
static sdca_status write_model(const train_job *j, sdca_hdf5_file *hdf5)
{
    bool       chooses = j->run.selection != NULL;
    kept_fit   fit = chooses ? j->selection.kept[j->selection.table.chosen] : last_fit(j);
    sdca_model model    = j->model;
    double    *source_w = NULL;
    sdca_status status  = SDCA_OK;

    model.objective   = fit.objective;
    model.w           = fit.class_w;
    model.by_class    = fit.by_class;
    model.column_map  = j->data->column_map;
    model.certificate = fit.result.certificate;
    model.history     = fit.result.history;
    model.converged   = fit.outcome == SDCA_OK;
    model.seconds     = fit.result.times;
    model.selection   = chooses ? &j->selection.table : NULL;
    model.interrupted = true;
    snprintf(model.solver, sizeof model.solver, "%s",
             sdca_solver_name(fit.result.solver));
    if (model.by_class == NULL) {
        model.w    = fit.w;
        model.bias = sdca_dataset_intercept(j->data, fit.w, 1);
        SDCA_TRY(sdca_dataset_is_transformed(j->data)
                     ? sdca_checkpoint_source_weights(j->data, &model, &source_w)
                     : SDCA_OK);
    }
    status = sdca_model_file_write(&model, hdf5);

done:
    free(source_w);
    return status;
}

static sdca_status write_checkpoint(train_job *j)
{
    const sdca_checkpoint_options *options = &j->arguments.training.checkpoint;
    path_state                     s       = { .job = j, .fits = j->path.finished };
    sdca_status                    status  = SDCA_OK;

    SDCA_TRY(sdca_field_io_create(j->comm, j->data, options->path,
                                  options->older_generations, &s.io));
    if (s.io.hdf5 != NULL) {
        s.io.status = write_model(j, s.io.hdf5);
    }
    fields(&s);
    status = sdca_field_io_close(&s.io);

done:
    return status;
}

void train_path_checkpoint_write(train_job *j)
{
    double      start  = MPI_Wtime();
    sdca_status status = write_checkpoint(j);

    j->path_checkpoint_failed = status != SDCA_OK;
    if (j->callbacks->on_checkpoint != NULL) {
        j->callbacks->on_checkpoint(j->callbacks->context, status, MPI_Wtime() - start);
    }
}

/* Is it a checkpoint of a path, of this data and objective? Local. */
static sdca_status check_model(const train_job *j, sdca_hdf5_file *hdf5)
{
    sdca_model     saved     = { 0 };
    sdca_objective objective = j->problem;
    sdca_status    status    = SDCA_OK;

    SDCA_TRY(sdca_model_file_read(hdf5, &saved));
    objective.lambda = saved.objective.lambda; /* the list is compared later */
    SDCA_TRY(sdca_checkpoint_check(hdf5, &saved, &objective, j->data));
    if (!sdca_hdf5_has_group(hdf5, "path")) {
        status =
            SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of one lambda, not of a path",
                      sdca_hdf5_path(hdf5));
    }

done:
    sdca_model_clear(&saved);
    return status;
}

sdca_status train_path_checkpoint_read(train_job *j)
{
    path_state  s      = { .job = j };
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_field_io_open(j->comm, j->data,
                                j->arguments.training.checkpoint.resume_from, &s.io));
    s.io.status = sdca_comm_agree(j->comm, check_model(j, s.io.hdf5));
    if (s.io.status == SDCA_OK) {
        fields(&s);
    }
    SDCA_TRY(sdca_field_io_close(&s.io));
    j->path.finished = s.fits;

done:
    return status;
}
