/* SPDX-License-Identifier: BSD-3-Clause
 *
 * local.c - dual coordinate ascent over my rows, while the others do theirs.
 *
 * Each rank ascends the dual of its own block while w is held at its value from
 * the last round; the others' moves are allowed for by the factor sigma on the
 * curvature (Ma et al., ICML 2015). The loop exists once per loss, kind of
 * rows and use: all three are constants inside it. */
#include "sdca/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loss_kernel.h"
#include "rows_kernel.h"
#include "sdca/memory.h"

/* Memory is asked for ahead of the step: first what is known of a row, then, as that
 * says where they are, its entries. */
enum { FAR = 16, NEAR = 6 };

sdca_status sdca_local_create(const sdca_dataset *data, const sdca_state *state,
                              sdca_order_kind order, uint64_t seed, int rank, bool alone,
                              double rest, bool stuck, sdca_local *out)
{
    sdca_status status = SDCA_OK;
    sdca_local  local  = { .rows    = data->x.count,
                           .columns = data->columns,
                           .item    = data->x.row,
                           .lines   = sdca_rows_prefetch_lines(&data->x),
                           .alone   = alone };
    size_t      rows   = (size_t)data->x.count + 1;

    if (!alone) {
        local.visit = sdca_alloc_array(rows, sizeof *local.visit);
        local.seen  = sdca_alloc_zeroed(rows, sizeof *local.seen);
        if (local.visit == NULL || local.seen == NULL) {
            status = SDCA_FAIL(SDCA_MEMORY, "no memory for local steps on %lu rows",
                               (unsigned long)data->x.count);
            goto done;
        }
    }
    if (rest > 0.0 && data->x.count > 0) {
        SDCA_TRY(sdca_rest_create(data->x.count, rest, stuck, &local.rest));
    }
    SDCA_TRY(sdca_order_create(order, seed, rank, data->x.count, &local.order));
    if (order == SDCA_ORDER_CYCLIC) {
        local.order.places = data->shuffle;
    }
    if (state != NULL) {
        sdca_local_take(&local, state);
    }
    *out = local;

done:
    if (status != SDCA_OK) {
        sdca_local_free(&local);
    }
    return status;
}

void sdca_local_free(sdca_local *local)
{
    sdca_order_free(&local->order);
    sdca_rest_free(&local->rest);
    free(local->lean);
    free(local->visit);
    free(local->seen);
    *local = (sdca_local){ 0 };
}

void sdca_local_share(sdca_local *local, const sdca_state *state, double *u)
{
    local->u = u;
    sdca_local_take_w(local, state);
}

void sdca_local_take(sdca_local *local, const sdca_state *state)
{
    for (uint32_t i = 0; i < local->rows; i++) {
        local->item[i].alpha = state->alpha[i];
    }
    sdca_local_take_w(local, state);
}

void sdca_local_take_w(sdca_local *local, const sdca_state *state)
{
    if (local->u != NULL) {
        memcpy(local->u, state->w, (size_t)local->columns * sizeof *local->u);
    }
}

void sdca_local_give(const sdca_local *local, double *alpha)
{
    for (uint32_t i = 0; i < local->rows; i++) {
        alpha[i] = local->item[i].alpha;
    }
}

void sdca_local_give_w(const sdca_local *local, double *w)
{
    if (local->u != NULL) {
        memcpy(w, local->u, (size_t)local->columns * sizeof *w);
    }
}

/* What becomes of a step: alone, it moves w; it may enter an average; among
 * others, it moves u, and the visit is kept. Resting: rows with little to gain
 * are told from the others at each visit. */
enum { ALONE, AVERAGED, AMONG, ALONE_RESTING, AMONG_RESTING, USES };

/* make(id, kind, use) for each of them. */
#define FOR_USES(make, id, format)                                             \
    make(id, format, ALONE) make(id, format, AVERAGED) make(id, format, AMONG) \
        make(id, format, ALONE_RESTING) make(id, format, AMONG_RESTING)
#define COUNT_USE(id, format, use) +1
_Static_assert(FOR_USES(COUNT_USE, , ) == USES, "FOR_USES() has all of them");
#undef COUNT_USE

typedef double step_function(double p, double a, double z, double q, double y,
                             step_ahead ahead, step_facts *facts);

typedef step_ahead ahead_function(double a, double q, double y);

/* What is known of a row before its margin: while one step waits for its own results,
 * that of the next is under way. */
typedef struct outlook {
    double     lean;
    double     q;
    step_ahead ahead;
} outlook;

SDCA_INLINE outlook look_at(ahead_function *ahead, const sdca_local *local, uint32_t i,
                            bool leans, double scale, double along)
{
    const sdca_row *item = &local->item[i];
    double          lean = leans ? (double)local->lean[i] : 0.0;
    double q = leans ? scale * item->norm2 + along * lean * lean : scale * item->norm2;

    return (outlook){ lean, q, ahead(item->alpha, q, item->y) };
}

SDCA_INLINE void ask_for_row(const sdca_local *local, uint32_t i, bool resting,
                             bool among)
{
    SDCA_PREFETCH(&local->item[i]);
    SDCA_PREFETCH(&local->item[i + 1]);
    if (resting) {
        SDCA_PREFETCH(&local->rest.term[i]);
    }
    if (among && !local->fresh) {
        SDCA_PREFETCH(&local->seen[i]);
    }
    if (among && local->lean != NULL) { /* asking for nothing takes time, too */
        SDCA_PREFETCH(&local->lean[i]);
    }
}

/* Among others: remember where a row was that moves, and what a line search over all
 * moves will ask. */
SDCA_INLINE void remember(const sdca_local *local, uint32_t round, sdca_visit visit,
                          const step_facts *facts, sdca_tally *tally)
{
    double move = visit.becomes - visit.alpha;

    if (!local->fresh) {
        if (local->seen[visit.row] == round) {
            tally->once = false;
            return;
        }
        local->seen[visit.row] = round;
    }
    local->visit[tally->visits++] = visit;
    tally->slope_before += facts->slope_before * move;
    tally->slope_after += facts->slope_after * move;
    tally->bend_after += facts->bend_after * move * move;
}

/* One step for each of the given rows. The tally is a copy: what nothing else points to
 * stays in registers. */
SDCA_INLINE void walk(step_function *step, ahead_function *ahead, row_format format,
                      int use, const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, sdca_sigma sigma,
                      const uint32_t *row, uint32_t count)
{
    const bool       among   = use == AMONG || use == AMONG_RESTING;
    const bool       resting = use == ALONE_RESTING || use == AMONG_RESTING;
    const bool       leans   = among && local->lean != NULL;
    const double     p       = problem->parameter;
    const double     scale   = among ? sigma.across * problem->C : problem->C;
    const double     extra   = sigma.along - sigma.across;
    const double     along   = extra * problem->C;
    const sdca_rows *x       = &data->x;
    double          *u       = among ? local->u : state->w;
    const int        lines   = local->lines;
    sdca_tally       tally   = local->tally;
    outlook          next    = look_at(ahead, local, row[0], leans, scale, along);

    for (uint32_t k = 0; k < count; k++) {
        uint32_t   i     = row[k];
        uint32_t   later = row[k + 1 < count ? k + 1 : k];
        sdca_row  *item  = &local->item[i];
        int64_t    first = item[0].start;
        int64_t    width = item[1].start - first;
        outlook    here  = next;
        double     before, after, z;
        step_facts facts;

        if (k + FAR < count) {
            ask_for_row(local, row[k + FAR], resting, among);
        }
        if (k + NEAR < count) {
            prefetch_entries(format, x, local->item[row[k + NEAR]].start, lines);
        }
        next   = look_at(ahead, local, later, leans, scale, along);
        before = item->alpha;
        z      = row_dot(format, x, first, width, u);
        if (leans) {
            z += extra * here.lean * tally.drift;
        }
        after = step(p, before, z, here.q, item->y, here.ahead, &facts);
        if (resting) {
            sdca_rest_visit(&local->rest, i, facts.term, after != before);
        }
        if (after == before) {
            continue;
        }
        if (use == AVERAGED) {
            sdca_average_change(local->average, i, before, local->made + k + 1);
        }
        if (among) {
            remember(local, (uint32_t)state->round + 1,
                     (sdca_visit){ before, after, item->y, i }, &facts, &tally);
        }
        if (leans) {
            tally.drift += problem->C * (after - before) * here.lean;
        }
        item->alpha = after;
        if (later == i) { /* drawn twice running */
            next = look_at(ahead, local, i, leans, scale, along);
        }
        row_axpy(format, x, first, width, scale * (after - before), u);
    }
    local->tally = tally;
}

typedef void walker(const sdca_problem *problem, const sdca_dataset *data,
                    sdca_state *state, sdca_local *local, sdca_sigma sigma,
                    const uint32_t *row, uint32_t count);

#define WALKER(id, format, use)                                                      \
    static void walk_##id##_##format##_##use(                                        \
        const sdca_problem *problem, const sdca_dataset *data, sdca_state *state,    \
        sdca_local *local, sdca_sigma sigma, const uint32_t *row, uint32_t count)    \
    {                                                                                \
        walk(id##_step, id##_ahead, format, use, problem, data, state, local, sigma, \
             row, count);                                                            \
    }
#define WALKERS_ON(id, format) FOR_USES(WALKER, id, format)
#define WALKERS_OF(id) SDCA_FOR_ROW_FORMATS(WALKERS_ON, id)
#define WALKERS(id, words, classifies, parameter, c, e, low, high) WALKERS_OF(id)

SDCA_LOSS_LIST(WALKERS)
WALKERS_OF(logistic_guess)

#define CHOICE_FOR(id, format, use) [use] = walk_##id##_##format##_##use,
#define CHOICE_OF(id, format) [format] = { FOR_USES(CHOICE_FOR, id, format) },
#define CHOICE(id)                          \
    {                                       \
        SDCA_FOR_ROW_FORMATS(CHOICE_OF, id) \
    }
#define CHOICES(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(id),

/* By loss, kind of rows, and use. */
static walker *const walkers[SDCA_LOSS_COUNT][ROW_FORMATS][USES] = { SDCA_LOSS_LIST(
    CHOICES) };
static walker *const guessers[ROW_FORMATS][USES]                 = CHOICE(logistic_guess);

static int use_of(const sdca_local *local)
{
    bool resting = local->rest.rows > 0;

    return !local->alone            ? resting ? AMONG_RESTING : AMONG
           : local->average != NULL ? AVERAGED
           : resting                ? ALONE_RESTING
                                    : ALONE;
}

static sdca_rest *rest_of(sdca_local *local)
{
    return local->rest.rows > 0 ? &local->rest : NULL;
}

int64_t sdca_local_share_of_sweep(sdca_local *local, double share, bool whole)
{
    double left  = (double)sdca_order_left(&local->order, rest_of(local));
    double steps = fmax(1.0, rint(share * (double)local->order.count));

    return (int64_t)(whole ? ceil(left / fmax(1.0, rint(left / steps))) : steps);
}

void sdca_local_solve(const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, sdca_sigma sigma,
                      int64_t steps)
{
    int        use    = use_of(local);
    row_format format = format_of(&data->x);
    sdca_rest *rest   = rest_of(local);
    walker    *go     = local->guesses ? guessers[format][use]
                                       : walkers[problem->loss->kind][format][use];

    local->fresh = local->order.kind != SDCA_ORDER_RANDOM && steps > 0 &&
                   steps <= sdca_order_left(&local->order, rest);
    local->sigma = sigma;
    local->tally = (sdca_tally){ .once = true };
    local->made  = state->steps;
    while (steps > 0 && data->x.count > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_order_next(&local->order, rest, steps, &count);

        go(problem, data, state, local, sigma, row, count);
        local->made += count;
        steps -= count;
    }
    for (uint32_t k = 0; !local->tally.once && k < local->tally.visits; k++) {
        local->visit[k].becomes = local->item[local->visit[k].row].alpha;
    }
}
