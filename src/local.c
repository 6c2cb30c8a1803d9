/* SPDX-License-Identifier: BSD-3-Clause
 *
 * local.c - dual coordinate ascent over my rows, while the others do theirs.
 *
 * Each rank ascends the dual of its own block while w is held at its value from
 * the last round; the others' moves are allowed for by the factor sigma on the
 * curvature (Ma et al., ICML 2015). The loop exists once per loss, width of
 * values and use: all three are constants inside it. */
#include "sdca/local.h"

#include <stdlib.h>
#include <string.h>

#include "loss_kernel.h"
#include "rows_kernel.h"

/* How many rows ahead of the step memory is asked for. */
enum { AHEAD = 6 };

sdca_status sdca_local_create(const sdca_dataset *data, sdca_order_kind order,
                              uint64_t seed, int rank, bool alone, sdca_local *out)
{
    sdca_status status = SDCA_OK;
    sdca_local  local  = { 0 };
    size_t      rows   = (size_t)data->x.count + 1;

    if (!alone) {
        local.u     = malloc(((size_t)data->columns + 1) * sizeof *local.u);
        local.visit = malloc(rows * sizeof *local.visit);
        local.seen  = calloc(rows, sizeof *local.seen);
        if (local.u == NULL || local.visit == NULL || local.seen == NULL) {
            status = SDCA_FAIL(SDCA_MEMORY, "no memory for local steps on %lu rows",
                               (unsigned long)data->x.count);
            goto done;
        }
    }
    SDCA_TRY(sdca_order_create(order, seed, rank, data->x.count, &local.order));
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
    free(local->u);
    free(local->visit);
    free(local->seen);
    *local = (sdca_local){ 0 };
}

/* What becomes of a step: alone, it moves w, and may enter an average; among
 * others, it moves u, and the visit is kept. */
enum { ALONE, AVERAGED, AMONG, USES };

/* One step for each of the given rows. */
SDCA_INLINE void walk(double (*best)(double, double, double, double, double), bool wide,
                      int use, const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, double sigma,
                      const uint32_t *row, uint32_t count)
{
    const double     p     = problem->parameter;
    const double     scale = sigma * problem->C;
    const sdca_rows *x     = &data->x;
    const double    *y     = data->y;
    const double    *norm2 = data->norm2;
    double          *alpha = state->alpha;
    double          *u     = use == AMONG ? local->u : state->w;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t i     = row[k];
        int64_t  first = x->start[i];
        int64_t  width = x->start[i + 1] - first;
        double   before, after, z;

        if (k + AHEAD < count) {
            uint32_t next = row[k + AHEAD];

            SDCA_PREFETCH(wide ? (const void *)(x->wide + x->start[next])
                               : (const void *)(x->entry + x->start[next]));
            SDCA_PREFETCH(&alpha[next]);
            SDCA_PREFETCH(&norm2[next]);
            SDCA_PREFETCH(&y[next]);
        }
        z      = wide ? row_dot_wide(x->wide + first, width, u)
                      : row_dot_narrow(x->entry + first, width, u);
        before = alpha[i];
        after  = best(p, before, z, scale * norm2[i], y[i]);
        if (after == before) {
            continue;
        }
        if (use == AVERAGED) {
            sdca_average_change(local->average, i, before, local->made + k + 1);
        }
        if (use == AMONG && local->seen[i] != state->round + 1) {
            local->seen[i]                = state->round + 1;
            local->visit[local->visits++] = (sdca_visit){ before, i };
        }
        alpha[i] = after;
        if (wide) {
            row_add_wide(x->wide + first, width, scale * (after - before), u);
        } else {
            row_add_narrow(x->entry + first, width, scale * (after - before), u);
        }
    }
}

typedef void walker(const sdca_problem *problem, const sdca_dataset *data,
                    sdca_state *state, sdca_local *local, double sigma,
                    const uint32_t *row, uint32_t count);

#define WALKER(id, wide, use)                                                       \
    static void walk_##id##_##wide##_##use(                                         \
        const sdca_problem *problem, const sdca_dataset *data, sdca_state *state,   \
        sdca_local *local, double sigma, const uint32_t *row, uint32_t count)       \
    {                                                                               \
        walk(id##_best, wide, use, problem, data, state, local, sigma, row, count); \
    }
#define WALKERS(id, words, classifies, parameter, c, e, low, high) \
    WALKER(id, 0, ALONE)                                           \
    WALKER(id, 0, AVERAGED)                                        \
    WALKER(id, 0, AMONG)                                           \
    WALKER(id, 1, ALONE)                                           \
    WALKER(id, 1, AVERAGED)                                        \
    WALKER(id, 1, AMONG)

SDCA_QUADRATIC_LOSS_LIST(WALKERS)
WALKERS(logistic, "logistic", true, NULL, , , , )
WALKERS(logistic_guess, "logistic", true, NULL, , , , )

#define CHOICE(id)                                                                \
    {                                                                             \
        { walk_##id##_0_ALONE, walk_##id##_0_AVERAGED, walk_##id##_0_AMONG },     \
            { walk_##id##_1_ALONE, walk_##id##_1_AVERAGED, walk_##id##_1_AMONG }, \
    }
#define CHOICES(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = CHOICE(id),

/* By loss, width of the values, and use. */
static walker *const walkers[SDCA_LOSS_COUNT][2][USES] = {
    SDCA_QUADRATIC_LOSS_LIST(CHOICES)[SDCA_LOSS_logistic] = CHOICE(logistic)
};
static walker *const guessers[2][USES] = CHOICE(logistic_guess);

void sdca_local_solve(const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, double sigma, int64_t steps)
{
    int     use  = local->u != NULL ? AMONG : local->average != NULL ? AVERAGED : ALONE;
    bool    wide = data->x.wide != NULL;
    walker *go =
        local->guesses ? guessers[wide][use] : walkers[problem->loss->kind][wide][use];

    if (use == AMONG) {
        memcpy(local->u, state->w, (size_t)data->columns * sizeof *local->u);
        local->visits = 0;
    }
    local->made = state->steps;
    while (steps > 0 && data->x.count > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_order_next(&local->order, steps, &count);

        go(problem, data, state, local, sigma, row, count);
        local->made += count;
        steps -= count;
    }
}
