/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shape.h - what a shape is, and what all shapes are drawn with.
 *
 * exp, log, pow and their kin may differ in the last bit between machines and
 * are absent; + - * / and sqrt are exact to the last bit everywhere. */
#ifndef SDCA_SYNTHETIC_SHAPE_H
#define SDCA_SYNTHETIC_SHAPE_H

#include "base/random.h"
#include "synthetic/alias_table.h"
#include "synthetic/synthetic.h"

/* Streams of the same seed that must not coincide. */
typedef enum sdca_synthetic_purpose {
    SDCA_SYNTHETIC_ROW,
    SDCA_SYNTHETIC_COLUMNS,
    SDCA_SYNTHETIC_TOPICS,
    SDCA_SYNTHETIC_WEIGHTS,
    SDCA_SYNTHETIC_PURPOSES
} sdca_synthetic_purpose;

/* What is known of a shape before its tables are made. */
typedef struct sdca_synthetic_shape {
    int64_t rows;
    int64_t test_rows;
    int32_t columns;
    bool    classifies;

    /* Make the tables of a generator; NULL where there are none. */
    sdca_status (*prepare)(sdca_synthetic *synthetic);

    /* Draw a row from its stream, as sdca_synthetic_draw_row() does. */
    int (*draw)(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value);

    double mean_words;        /* text: mean number of words, repetitions included ... */
    double positive_fraction; /* ... the share of the class +1 ... */
    double topic_fraction;    /* ... the greatest share of words that subjects take ... */
    double label_noise;       /* ... and of labels that are turned round */
} sdca_synthetic_shape;

/* The paper's sizes (Section 7); regression is ours. */
extern const sdca_synthetic_shape sdca_synthetic_astro_ph;
extern const sdca_synthetic_shape sdca_synthetic_ccat;
extern const sdca_synthetic_shape sdca_synthetic_cov1;
extern const sdca_synthetic_shape sdca_synthetic_regression;

struct sdca_synthetic {
    const sdca_synthetic_shape *shape;
    const char                 *name;
    uint64_t                    seed;
    uint64_t                    shape_index; /* its number */
    int64_t                     rows;
    int64_t                     test_rows;

    sdca_alias_slot *word_table; /* text: draws columns by their frequency ... */
    double          *idf;        /* ... the weight of a word of that column ... */
    sdca_alias_slot
        *topic_word_table; /* ... draws positions in the list of a subject's words ... */
    int32_t *topic_words;  /* ... which are so many columns per subject */
    double  *true_weights; /* regression: the planted w */
};

/* The random numbers for that use of that item. Local. */
sdca_random sdca_synthetic_stream(const sdca_synthetic *synthetic, uint64_t item,
                                  sdca_synthetic_purpose purpose);

/* Close to normal, with mean 0 and variance 1, and never 0: a non-zero of a row has to
 * be one. Local. */
double sdca_synthetic_normal(sdca_random *stream);

/* Sort columns; divide values by their length as a vector. Local. */
void sdca_synthetic_sort_columns(int32_t *column, int count);
void sdca_synthetic_normalize(double *value, int count);

#endif
