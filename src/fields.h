/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fields.h - the fields of a checkpoint: what of a run is written, and read again.
 *
 * Each function lists the fields of one part of a run, once for both ways (image.h). */
#ifndef SDCA_FIELDS_H
#define SDCA_FIELDS_H

#include "image.h"
#include "run.h"

/* Where the run is; solver: the one at work. Collective. */
void sdca_fields_state(sdca_run *r, sdca_image *image, int64_t *solver);

/* What only these solvers have. Collective. */
void sdca_fields_sgd(sdca_run *r, sdca_image *image);
void sdca_fields_newton(sdca_run *r, sdca_image *image);

/* What is kept, if it was and is to be the same; says whether. Collective. */
bool sdca_fields_kept(sdca_run *r, sdca_image *image);

/* What steers rounds and evaluations, the same on every rank. Collective. */
void sdca_fields_controllers(sdca_run *r, sdca_image *image);

/* Where each rank is in its order, and what it knows of its rows: for each, the streak of
 * small terms, and whether it is in the present sweep. mark has room for both.
 * Collective. */
void sdca_fields_order(sdca_run *r, sdca_image *image, uint8_t *mark);

#endif
