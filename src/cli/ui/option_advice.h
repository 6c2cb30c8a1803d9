/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_advice.h - options that a run should probably have: for columns of very
 * different sizes, labels with a mean, and a rare class; and a model that is no better
 * than none.
 *
 * The advice was followed on a9a, abalone, arxiv-astro, cadata, cov1, ijcnn1, rcv1,
 * reuters and w8a, on tables with 1 to 4 % of one class, and on text whose rows differ in
 * length: errors fall each time, those of held-out rows for text. Data that train well
 * get none.
 */
#ifndef SDCA_CLI_UI_OPTION_ADVICE_H
#define SDCA_CLI_UI_OPTION_ADVICE_H

#include <mpi.h>
#include <stdbool.h>

#include "data/dataset.h"
#include "objective/objective.h"

enum { OPTION_ADVICE_TEXT_SIZE = 320 }; /* bytes of a sentence */

/* Facts about the data on all ranks; the same on every rank. */
typedef struct option_advice_facts {
    bool   standardized;
    bool   is_table;     /* few columns, or made from a table */
    bool   sparse;       /* rows are stored sparse */
    bool   has_constant; /* an intercept or a bias */
    bool   has_bias;     /* with a penalty */
    bool   has_weights;
    double size_ratio;      /* largest / least size of a table's columns, 0 if unknown */
    double label_mean;      /* of a regression ... */
    double label_deviation; /* ... and the standard deviation */
    double rare_share;      /* rows of the rarer of two classes, as a share; else 1 */
} option_advice_facts;

/* Measure the facts. Collective. */
option_advice_facts option_advice_measure(MPI_Comm comm, const sdca_dataset *data,
                                          bool is_table);

/* The options to try for rows or columns of different sizes. Local; the result is static.
 */
const char *option_advice_scaling(const option_advice_facts *facts);

/* A sentence about the columns, about the labels, or "". Local. */
void option_advice_columns(const option_advice_facts *facts,
                           char                       text[OPTION_ADVICE_TEXT_SIZE]);
void option_advice_labels(const option_advice_facts *facts,
                          const sdca_objective      *objective,
                          char                       text[OPTION_ADVICE_TEXT_SIZE]);

/* A sentence if a model of two classes or of a regression is no better on the data that
 * it was trained on than the majority vote or the mean, or if it misses nearly all rows
 * of the rarer class, else "". w is for the rows of data. Collective. */
void option_advice_model(MPI_Comm comm, const sdca_dataset *data,
                         const sdca_objective *objective, const double *w,
                         const option_advice_facts *facts,
                         char                       text[OPTION_ADVICE_TEXT_SIZE]);

/* The same for the models of several classes, with which a share of the rows, by weight,
 * has wrong labels; the largest class has the share majority. Local. */
void option_advice_classes(const option_advice_facts *facts,
                           const sdca_objective *objective, double error, double majority,
                           char text[OPTION_ADVICE_TEXT_SIZE]);

#endif
