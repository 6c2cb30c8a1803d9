/* SPDX-License-Identifier: BSD-3-Clause
 *
 * solvers.h - the list of methods. */
#ifndef SDCA_SOLVER_SOLVERS_H
#define SDCA_SOLVER_SOLVERS_H

#include "sdca/train.h"
#include "solver/solver.h"

/* X(NAME, id) for each method: SDCA_SOLVER_NAME, as in the public enum, and its
 * operations sdca_solver_id. */
#define SDCA_SOLVER_LIST(X) \
    X(SDCA, sdca)           \
    X(SGD, sgd)             \
    X(NEWTON, newton)       \
    X(SAG, sag)             \
    X(EG, eg)

enum { SDCA_SOLVER_COUNT = SDCA_SOLVER_AUTO };

#define SDCA_SOLVER_DECLARATION(NAME, id) extern const sdca_solver_ops sdca_solver_##id;
SDCA_SOLVER_LIST(SDCA_SOLVER_DECLARATION)
#undef SDCA_SOLVER_DECLARATION

/* Their names in options and files. */
extern const char *const sdca_solver_names[SDCA_SOLVER_COUNT];

/* The operations of a method, which is not AUTO. Local; the result is static. */
const sdca_solver_ops *sdca_solver_find(sdca_solver solver);

/* The method of a name, AUTO if there is none. Local. */
sdca_solver sdca_solver_by_name(const char *name);

#endif
