/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate_fields.h - alpha and w in a checkpoint. */
#ifndef SDCA_TRAIN_ITERATE_FIELDS_H
#define SDCA_TRAIN_ITERATE_FIELDS_H

#include "model/field_io.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* The names of alpha and w in the file. */
typedef struct sdca_point_names {
    const char *alpha;
    const char *w;
    bool        w_is_written; /* w is written with the model of the checkpoint */
} sdca_point_names;

/* Write or read alpha and w. Values that were read are rejected unless alpha is feasible,
 * and w and its square are finite. Collective. */
void sdca_point_fields(const sdca_objective *objective, sdca_point point,
                       sdca_point_names names, sdca_field_io *io);

/* The same for the iterates of models side by side, with the centre of an intercept:
 * model k has the fields of number + k, the only one below 0 those of the file. Rounds
 * and steps are not among them. Collective. */
void sdca_iterates_fields(const sdca_objective *objective, int models, int number,
                          sdca_iterate *iterate, sdca_field_io *io);

#endif
