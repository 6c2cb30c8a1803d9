/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_task.h - passes over the rows and sums over the ranks, of which rounds of
 * Newton's method are made, and how ranks stop in the midst of them. */
#ifndef SDCA_NEWTON_TASK_H
#define SDCA_NEWTON_TASK_H

#include "sdca/newton.h"

/* Votes stand behind the numbers that ranks add up. */
enum { SDCA_NEWTON_VOTES = sizeof(sdca_newton_votes) / sizeof(double) };

/* What a round is about: the problem on all rows, or on a sample of them. */
typedef struct sdca_newton_task {
    MPI_Comm            comm;
    const sdca_problem *problem;
    const sdca_dataset *data;
    sdca_newton        *newton;
    sdca_state         *state;
    sdca_newton_poll    poll;
    double              n; /* rows */
    double              lambda;
} sdca_newton_task;

/* The vector that is added up, and the numbers behind it. Local. */
double *sdca_newton_vector(const sdca_newton_task *t);
double *sdca_newton_numbers(const sdca_newton_task *t);

/* Has a rank voted for stopping? The functions below do nothing from then on. The same on
 * every rank. Local. */
bool sdca_newton_is_stopped(const sdca_newton_task *t);

/* A pass over one block of rows. Local. */
typedef void sdca_newton_pass(const sdca_newton_task *t, sdca_lines_part part);

sdca_newton_pass sdca_newton_weigh;  /* sdca_lines_weigh() */
sdca_newton_pass sdca_newton_look;   /* sdca_lines_look() */
sdca_newton_pass sdca_newton_follow; /* sdca_lines_follow() */

/* Forget what was added up: all, or all but the matrix. Local. */
void sdca_newton_clear(const sdca_newton_task *t, bool matrix);

/* One pass over my rows, unless this rank votes for stopping meanwhile. Local. */
void sdca_newton_pass_over(const sdca_newton_task *t, sdca_newton_pass *over);

/* Add up over the ranks: all, or all but the matrix. Collective. */
void sdca_newton_sum(const sdca_newton_task *t, bool matrix);

#endif
