/* SPDX-License-Identifier: BSD-3-Clause
 *
 * solvers.c - the list of methods. */
#include "solver/solvers.h"

#include <string.h>

#define TABLE_ENTRY(NAME, id) [SDCA_SOLVER_##NAME] = &sdca_solver_##id,
static const sdca_solver_ops *const solvers[] = { SDCA_SOLVER_LIST(TABLE_ENTRY) };
_Static_assert(sizeof solvers / sizeof *solvers == SDCA_SOLVER_COUNT,
               "every method has its operations");

#define NAME_ENTRY(NAME, id) [SDCA_SOLVER_##NAME] = #id,
const char *const sdca_solver_names[SDCA_SOLVER_COUNT] = { SDCA_SOLVER_LIST(NAME_ENTRY) };

const sdca_solver_ops *sdca_solver_find(sdca_solver solver)
{
    return solvers[solver];
}

const char *sdca_solver_name(sdca_solver solver)
{
    return solver == SDCA_SOLVER_AUTO ? "auto" : sdca_solver_names[solver];
}

sdca_solver sdca_solver_by_name(const char *name)
{
    int k = 0;

    while (k < SDCA_SOLVER_COUNT && strcmp(sdca_solver_names[k], name) != 0) {
        k++;
    }
    return (sdca_solver)k;
}
