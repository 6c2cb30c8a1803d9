/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_settings.h - the settings that determine the iterates of a run, with the data
 * and the objective. A run with the settings of a checkpoint resumes it with the same
 * bits. */
#ifndef SDCA_TRAIN_RUN_SETTINGS_H
#define SDCA_TRAIN_RUN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/field_io.h"
#include "train/output_iterate.h"
#include "train/train_options.h"

typedef struct sdca_run_settings {
    int64_t controllers; /* version of the rules for rounds and evaluations */
    int64_t ranks;
    int64_t seed;
    int     solver;
    int     order;
    int     aggregate;
    double  sigma;
    double  local_steps;
    bool    deterministic;
    bool    approximate_step;
    int     output;
    int64_t output_start;    /* first step that counts for an average or random output */
    int64_t output_selected; /* the step drawn for a random output */
} sdca_run_settings;

/* The settings of a run by this method, which is not AUTO. Local. */
sdca_run_settings sdca_run_settings_of(const sdca_train_options *options,
                                       sdca_solver solver, int ranks,
                                       const sdca_output_iterate *output);

/* Do two runs compute the same iterates? Local. */
bool sdca_run_settings_equal(const sdca_run_settings *a, const sdca_run_settings *b);

/* Their fields of a checkpoint. Local. */
void sdca_run_settings_fields(sdca_run_settings *settings, sdca_field_io *io);

#endif
