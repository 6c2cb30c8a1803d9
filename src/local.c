/* SPDX-License-Identifier: BSD-3-Clause
 *
 * local.c - dual coordinate ascent over my rows, while the others do theirs.
 *
 * Each rank ascends the dual of its own block while w is held at its value from
 * the last round; the others' moves are allowed for by the factor sigma on the
 * curvature (Ma et al., ICML 2015). The loop exists once per loss, width of
 * values and whether visits are kept: all three are constants inside it. */
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

/* One step for each of the given rows. */
SDCA_INLINE void walk(double (*best)(double, double, double, double, double), bool wide,
                      bool keep, const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, double sigma,
                      const uint32_t *row, uint32_t count)
{
    const double     p     = problem->parameter;
    const double     scale = sigma * problem->C;
    const sdca_rows *x     = &data->x;
    const double    *y     = data->y;
    const double    *norm2 = data->norm2;
    double          *alpha = state->alpha;
    double          *u     = keep ? local->u : state->w;

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
        if (keep && local->seen[i] != state->round + 1) {
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

#define WALKER(id, wide, keep)                                                       \
    static void walk_##id##_##wide##_##keep(                                         \
        const sdca_problem *problem, const sdca_dataset *data, sdca_state *state,    \
        sdca_local *local, double sigma, const uint32_t *row, uint32_t count)        \
    {                                                                                \
        walk(id##_best, wide, keep, problem, data, state, local, sigma, row, count); \
    }
#define WALKERS(id, words, classifies, parameter, c, e, low, high) \
    WALKER(id, 0, 0) WALKER(id, 0, 1) WALKER(id, 1, 0) WALKER(id, 1, 1)

SDCA_QUADRATIC_LOSS_LIST(WALKERS)
WALKERS(logistic, "logistic", true, NULL, , , , )

#define CHOICES(id, words, classifies, parameter, c, e, low, high) \
    [SDCA_LOSS_##id] = { { walk_##id##_0_0, walk_##id##_0_1 },     \
                         { walk_##id##_1_0, walk_##id##_1_1 } },

/* By loss, width of the values, whether visits are kept. */
static walker *const walkers[SDCA_LOSS_COUNT][2][2] = { SDCA_QUADRATIC_LOSS_LIST(
    CHOICES) CHOICES(logistic, "logistic", true, NULL, , , , ) };

void sdca_local_solve(const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, double sigma, int64_t steps)
{
    bool    keep = local->u != NULL;
    walker *go   = walkers[problem->loss->kind][data->x.wide != NULL][keep];

    if (keep) {
        memcpy(local->u, state->w, (size_t)data->columns * sizeof *local->u);
        local->visits = 0;
    }
    while (steps > 0 && data->x.count > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_order_next(&local->order, steps, &count);

        go(problem, data, state, local, sigma, row, count);
        steps -= count;
    }
}
