/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - the method: rounds of local steps until the gap is small enough.
 *
 * sdca_train() below reads as the method does; the functions before it are its
 * words. */
#include "sdca/train.h"

#include <math.h>

#include "sdca/comm.h"
#include "sdca/local.h"

/* A run under way. What has the same value on every rank decides; what has not
 * (times) is only reported. */
typedef struct run {
    MPI_Comm            comm;
    const sdca_problem *problem;
    const sdca_dataset *data;
    const sdca_plan    *plan;
    const sdca_watcher *watcher;
    sdca_state         *state;
    sdca_result        *result;
    sdca_local          local;
    sdca_aggregate      aggregate;
    double              local_steps;
    sdca_state          best; /* the best-certified iterate so far */
    double              best_gap;
    sdca_certificate    now;       /* of the last evaluation */
    int64_t             evaluated; /* the round of the last evaluation, or -1 */
    double              due;       /* the epoch of the next evaluation */
    double              began;     /* MPI_Wtime() at the start */
    double              clock;     /* seconds on rank 0 after the last round */
} run;

/* Rows per round when nobody says: enough non-zeros that a round's computing
 * outweighs its exchange, which costs about as much as the columns there are, plus a
 * constant. More would only make the ranks' moves disagree more. */
static double choose_local_steps(const sdca_dataset *data, int ranks)
{
    double worth = 5.0 * data->columns + 10000.0;
    double each  = ((double)data->nonzeros + (double)data->rows) / ranks;

    return ranks == 1 ? 1.0 : fmin(1.0, worth / each);
}

static sdca_status begin(run *r)
{
    sdca_status status = SDCA_OK;
    int         rank   = sdca_comm_rank(r->comm);
    int         ranks  = sdca_comm_size(r->comm);

    r->began               = MPI_Wtime();
    r->best_gap            = INFINITY;
    r->evaluated           = -1;
    r->local_steps         = r->plan->local_steps > 0.0 ? r->plan->local_steps
                                                        : choose_local_steps(r->data, ranks);
    r->result->local_steps = r->local_steps;
    SDCA_TRY(sdca_local_create(r->data, r->plan->order, r->plan->seed, rank, ranks == 1,
                               &r->local));
    SDCA_TRY(sdca_aggregate_create(r->plan->aggregate, r->plan->sigma, ranks,
                                   r->data->columns, &r->aggregate));
    SDCA_TRY(sdca_state_create(r->problem, r->data, &r->best));

done:
    return status;
}

static void end(run *r)
{
    sdca_local_free(&r->local);
    sdca_aggregate_free(&r->aggregate);
    sdca_state_free(&r->best);
}

/* This rank's steps for the next round: its share, or what the budget of epochs
 * has left for it. */
static int64_t round_steps(const run *r)
{
    int64_t rows  = r->data->x.count;
    int64_t steps = (int64_t)fmax(1.0, rint(r->local_steps * (double)rows));
    int64_t left  = r->plan->epochs * rows - r->local.order.step;

    return rows == 0 ? 0 : r->plan->epochs > 0 && left < steps ? left : steps;
}

static void one_round(run *r)
{
    sdca_times *times = &r->result->times;
    int64_t     steps = round_steps(r);
    double      start = MPI_Wtime();
    double      middle;

    sdca_local_solve(r->problem, r->data, r->state, &r->local, r->aggregate.sigma, steps);
    middle   = MPI_Wtime();
    r->clock = sdca_comm_rank(r->comm) == 0 ? middle - r->began : 0.0;
    sdca_aggregate_round(r->comm, r->problem, r->data, r->state, &r->local, &r->aggregate,
                         steps, &r->clock);
    times->local += middle - start;
    times->communicate += MPI_Wtime() - middle;
}

static bool reached(const run *r, const sdca_certificate *certificate)
{
    return r->plan->gap > 0.0 ? certificate->gap <= r->plan->gap
                              : sdca_gap_relative(certificate) <= r->plan->rel_gap;
}

static bool budget_is_spent(const run *r)
{
    const sdca_plan *plan = r->plan;

    return (plan->epochs > 0 && r->state->steps >= plan->epochs * r->problem->rows) ||
           (plan->rounds > 0 && r->state->round >= plan->rounds) ||
           (plan->seconds > 0.0 && r->clock >= plan->seconds);
}

/* When to look next: ln(gap) falls nearly linearly with the epochs, so the last
 * two evaluations tell when the target may be reached. At least one epoch from now, and
 * never further than half of what is behind us. */
static void schedule(run *r, const sdca_certificate *before, double epochs_between)
{
    double now    = sdca_state_epochs(r->problem, r->state);
    double target = r->plan->gap > 0.0 ? r->plan->gap : r->plan->rel_gap * r->now.primal;
    double rate =
        epochs_between > 0.0 ? log(before->gap / r->now.gap) / epochs_between : 0.0;
    double wait = rate > 0.0 ? log(r->now.gap / target) / rate : 1.0;

    wait   = fmax(1.0, fmin(wait, fmax(2.0, now / 2.0)));
    r->due = now + (r->plan->evaluate > 0.0 ? r->plan->evaluate : wait);
}

/* Certify the present iterate, remember it if it is the best, and tell. What looks as
 * if it had reached the target is looked at again with w rebuilt from alpha. */
static sdca_status evaluate(run *r)
{
    sdca_status      status = SDCA_OK;
    sdca_certificate before = r->now;
    double           start  = MPI_Wtime();
    double           epoch  = sdca_state_epochs(r->problem, r->state);
    double           gone =
        r->result->history.count > 0
                      ? epoch - r->result->history.record[r->result->history.count - 1].epoch
                      : 0.0;
    sdca_record record;

    SDCA_TRY(sdca_gap_measure(r->comm, r->problem, r->data, r->state, &r->now));
    if (reached(r, &r->now) || budget_is_spent(r)) {
        sdca_state_rebuild(r->comm, r->problem, r->data, r->state);
        SDCA_TRY(sdca_gap_measure(r->comm, r->problem, r->data, r->state, &r->now));
    }
    if (r->now.gap < r->best_gap) {
        r->best_gap = r->now.gap;
        sdca_state_copy(r->data, r->state, &r->best);
    }
    r->evaluated = r->state->round;
    r->result->times.gap += MPI_Wtime() - start;
    record = (sdca_record){
        .round       = (double)r->state->round,
        .epoch       = epoch,
        .seconds     = MPI_Wtime() - r->began,
        .primal      = r->now.primal,
        .dual        = r->now.dual,
        .gap         = r->now.gap,
        .test_error  = r->watcher->test_error != NULL
                           ? r->watcher->test_error(r->watcher->context, r->state->w)
                           : NAN,
        .eta         = r->state->round > 0 ? r->aggregate.eta : NAN,
        .sigma       = r->aggregate.sigma,
        .local_steps = r->local_steps,
        .bytes       = (double)r->aggregate.bytes,
    };
    SDCA_TRY(sdca_comm_agree(r->comm, sdca_history_add(&r->result->history, &record)));
    if (r->watcher->evaluated != NULL) {
        r->watcher->evaluated(r->watcher->context, &record);
    }
    schedule(r, &before, gone);

done:
    return status;
}

static bool evaluation_is_due(const run *r)
{
    return sdca_state_epochs(r->problem, r->state) >= r->due || budget_is_spent(r);
}

static bool finished(const run *r)
{
    return r->evaluated == r->state->round && (reached(r, &r->now) || budget_is_spent(r));
}

/* Keep the iterate that was asked for, with its certificate; a state that is
 * fetched back is rebuilt and certified afresh. */
static sdca_status keep(run *r)
{
    sdca_status status = SDCA_OK;

    if (!r->plan->keep_last && r->best_gap < r->now.gap) {
        int64_t rounds = r->state->round, steps = r->state->steps;

        sdca_state_copy(r->data, &r->best, r->state);
        sdca_state_rebuild(r->comm, r->problem, r->data, r->state);
        r->state->round = rounds;
        r->state->steps = steps;
        SDCA_TRY(sdca_gap_measure(r->comm, r->problem, r->data, r->state, &r->now));
    }
    r->result->certificate = r->now;

done:
    return status;
}

static void report_times(run *r)
{
    sdca_times *times = &r->result->times;
    double      most[4];

    most[0] = MPI_Wtime() - r->began;
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    sdca_comm_max(r->comm, most, 4);
    *times = (sdca_times){ most[0], most[1], most[2], most[3] };
}

sdca_status sdca_train(MPI_Comm comm, const sdca_problem *problem,
                       const sdca_dataset *data, const sdca_plan *plan,
                       const sdca_watcher *watcher, sdca_state *state,
                       sdca_result *result)
{
    sdca_status status = SDCA_OK;
    run         r      = { .comm    = comm,
                           .problem = problem,
                           .data    = data,
                           .plan    = plan,
                           .watcher = watcher,
                           .state   = state,
                           .result  = result };

    SDCA_TRY(sdca_comm_agree(comm, begin(&r)));
    SDCA_TRY(evaluate(&r));
    while (!finished(&r)) {
        one_round(&r);
        if (evaluation_is_due(&r)) {
            SDCA_TRY(evaluate(&r));
        }
    }
    SDCA_TRY(keep(&r));
    report_times(&r);
    status = reached(&r, &r.now) ? SDCA_OK : SDCA_BUDGET;

done:
    end(&r);
    return status;
}
