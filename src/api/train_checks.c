/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_checks.c - options that sdca_train() refuses. */
#include "api/train_checks.h"

#include <math.h>
#include <stddef.h>

const char *sdca_train_checks_find_sdca_only(const sdca_train_options *options)
{
    const sdca_train_options normal = sdca_train_options_default();

    return options->sgd_start                       ? "sgd_start"
           : options->approximate_step              ? "approximate_step"
           : options->order != normal.order         ? "order"
           : options->aggregate != normal.aggregate ? "aggregate"
           : options->local_steps > 0.0             ? "local_steps"
           : options->sigma > 0.0                   ? "sigma"
           : options->record_bounds                 ? "record_bounds"
                                                    : NULL;
}

/* Is x 0 or within the range? NaN is not. */
static bool is_zero_or_within(double x, double low, double high)
{
    return x == 0.0 || (x >= low && x <= high);
}

static sdca_status check_problem(const sdca_train_options *options, const sdca_loss *loss)
{
    double p = options->loss_parameter;

    if ((options->lambda != 0.0) == (options->C != 0.0) ||
        !is_zero_or_within(options->lambda, 1e-100, 1e100) ||
        !is_zero_or_within(options->C, 1e-100, 1e100)) {
        return SDCA_FAIL(
            SDCA_USAGE,
            "either lambda or C lies between 1e-100 and 1e100, and the other "
            "is 0; they are %g and %g",
            options->lambda, options->C);
    }
    if (loss->parameter != NULL && !isnan(p) &&
        !(p >= loss->parameter_option.least && p <= loss->parameter_option.greatest)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the parameter %s of the loss %s is %g, not within "
                         "[%g, %g]",
                         loss->parameter, loss->name, p, loss->parameter_option.least,
                         loss->parameter_option.greatest);
    }
    if (options->approximate_step && !loss->approximate_step) {
        return SDCA_FAIL(SDCA_USAGE, "the loss %s has no approximate step", loss->name);
    }
    return SDCA_OK;
}

static sdca_status check_bounds(const sdca_train_options *options,
                                const sdca_dataset       *data)
{
    return options->record_bounds && data->weight != NULL
               ? SDCA_FAIL(SDCA_USAGE, "the paper's bounds do not cover weights of rows")
               : SDCA_OK;
}

/* What goes with an intercept without penalty. */
static sdca_status check_intercept(const sdca_train_options *options,
                                   const sdca_dataset       *data)
{
    sdca_solver solver = options->solver;

    if (!data->intercept) {
        return SDCA_OK;
    }
    if (solver == SDCA_SOLVER_SGD || solver == SDCA_SOLVER_SAG ||
        solver == SDCA_SOLVER_EG) {
        return SDCA_FAIL(SDCA_USAGE,
                         "an intercept without penalty is for SDCA and Newton's method, "
                         "not for the solver %s",
                         sdca_solver_name(solver));
    }
    return options->sgd_start || options->record_bounds ||
                   options->output == SDCA_OUTPUT_AVERAGE ||
                   options->output == SDCA_OUTPUT_RANDOM
               ? SDCA_FAIL(SDCA_USAGE, "an intercept without penalty excludes sgd_start, "
                                       "record_bounds, and average or random iterates")
               : SDCA_OK;
}

static sdca_status check_data(const sdca_dataset *data, const sdca_loss *loss)
{
    sdca_task task =
        loss->classification ? SDCA_TASK_CLASSIFICATION : SDCA_TASK_REGRESSION;

    if (!data->has_labels) {
        return SDCA_FAIL(SDCA_DATA, "the data set has no labels to train on");
    }
    return data->task == task
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "the loss %s is for %s, and the data set was not "
                           "made for that task",
                           loss->name,
                           loss->classification ? "classification" : "regression");
}

static sdca_status check_stopping(const sdca_train_options *options)
{
    if (!(options->gap >= 0.0) || !(options->rel_gap >= 0.0) ||
        !(options->gap + options->rel_gap > 0.0)) {
        return SDCA_FAIL(SDCA_USAGE, "gap or rel_gap must be above 0");
    }
    if (options->epochs < 0 || options->epochs > 1000000000 || options->rounds < 0 ||
        !(options->seconds >= 0.0) ||
        !is_zero_or_within(options->evaluation_interval, 0.0, 1e9)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "epochs, rounds, seconds and evaluation_interval are "
                         "0 or above, and at most 1e9");
    }
    return SDCA_OK;
}

static sdca_status check_output(const sdca_train_options *options)
{
    bool average = options->output == SDCA_OUTPUT_AVERAGE;
    bool random  = options->output == SDCA_OUTPUT_RANDOM;

    if (random && options->epochs == 0) {
        return SDCA_FAIL(SDCA_USAGE, "a random iterate needs a number of epochs");
    }
    if (average && options->epochs == 0 && !(options->average_from >= 0.0)) {
        return SDCA_FAIL(SDCA_USAGE, "an average needs epochs or average_from");
    }
    if ((average || random) && options->epochs > 0 &&
        !(options->average_from < (double)options->epochs)) {
        return SDCA_FAIL(SDCA_USAGE, "average_from is %g, not below epochs",
                         options->average_from);
    }
    if ((average || random) &&
        (options->solver == SDCA_SOLVER_SGD || options->solver == SDCA_SOLVER_NEWTON)) {
        return SDCA_FAIL(
            SDCA_USAGE, "an average or random iterate is for SDCA, not for the solver %s",
            sdca_solver_name(options->solver));
    }
    return SDCA_OK;
}

static sdca_status check_method(const sdca_train_options *options, const sdca_loss *loss,
                                int ranks)
{
    const char *sdca_only = sdca_train_checks_find_sdca_only(options);
    bool        sgd       = options->solver == SDCA_SOLVER_SGD;
    double      p = isnan(options->loss_parameter) ? loss->parameter_option.initial
                                                   : options->loss_parameter;
    bool budget   = options->epochs > 0 || options->rounds > 0 || options->seconds > 0.0;

    if (!is_zero_or_within(options->local_steps, 0.0, 1000.0) ||
        !(options->sigma >= 0.0)) {
        return SDCA_FAIL(SDCA_USAGE, "local_steps lies between 0 and 1000, and sigma is "
                                     "not negative");
    }
    if (options->solver == SDCA_SOLVER_NEWTON && sdca_only != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "%s is for SDCA, not for the solver newton",
                         sdca_only);
    }
    if (sgd && ranks > 1) {
        return SDCA_FAIL(SDCA_USAGE, "the solver sgd runs on one rank, not on %d", ranks);
    }
    if (sgd && (options->sgd_start || options->warm_start != NULL)) {
        return SDCA_FAIL(SDCA_USAGE, "the solver sgd starts at 0: sgd_start and "
                                     "warm_start are for the others");
    }
    if (sgd && !budget && loss->smoothness(p) <= 0.0) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the solver sgd with the loss %s needs a budget: its "
                         "gap may never reach the target",
                         loss->name);
    }
    if (options->sgd_start && options->warm_start != NULL) {
        return SDCA_FAIL(SDCA_USAGE, "sgd_start and warm_start exclude each other");
    }
    return SDCA_OK;
}

sdca_status sdca_train_checks_run(const sdca_train_options *options,
                                  const sdca_dataset *data, int ranks,
                                  const sdca_loss **loss)
{
    sdca_status status = SDCA_OK;

    *loss = options->loss != NULL ? sdca_loss_find(options->loss) : NULL;
    if (*loss == NULL) {
        return SDCA_FAIL(SDCA_USAGE, "there is no loss '%s'",
                         options->loss != NULL ? options->loss : "");
    }
    SDCA_TRY(check_problem(options, *loss));
    SDCA_TRY(check_data(data, *loss));
    SDCA_TRY(check_bounds(options, data));
    SDCA_TRY(check_intercept(options, data));
    SDCA_TRY(check_stopping(options));
    SDCA_TRY(check_output(options));
    SDCA_TRY(check_method(options, *loss, ranks));

done:
    return status;
}
