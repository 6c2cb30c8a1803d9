/* SPDX-License-Identifier: BSD-3-Clause
 *
 * serial_round.h - a round of a method that runs on one rank and makes a step per row.
 *
 * Such a method needs no communication: the ends of its rounds are the points at which
 * the trainer may evaluate, save or stop. */
#ifndef SDCA_SOLVER_SERIAL_ROUND_H
#define SDCA_SOLVER_SERIAL_ROUND_H

#include <stdint.h>

#include "base/status.h"
#include "solver/solver.h"

/* SDCA_USAGE if there are several ranks. name is the method's in a sentence. Local. */
sdca_status sdca_serial_round_check_ranks(const sdca_training *training,
                                          const char          *name);

/* SDCA_USAGE if the options ask for an average or a random iterate, or for a start with
 * SGD: for methods without them. name is as above. Local. */
sdca_status sdca_serial_round_check_options(const sdca_training *training,
                                            const char          *name);

/* Fraction of the rows per round. Local. */
double sdca_serial_round_fraction(const sdca_training *training);

/* Number of steps of the next round. Local. */
int64_t sdca_serial_round_steps(const sdca_training      *training,
                                const sdca_iterate       *iterate,
                                const sdca_round_request *request);

/* Count a round of that many steps that began at that time of the clock. Local. */
void sdca_serial_round_finish(const sdca_training *training, double start, int64_t steps,
                              sdca_iterate *iterate, sdca_round_report *out);

/* The state of a method without communication. Local. */
sdca_solver_state sdca_serial_round_state(const sdca_training *training);

#endif
