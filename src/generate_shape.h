/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate_shape.h - what a shape is, and what all shapes are drawn with.
 *
 * exp, log, pow and their kin may differ in the last bit between machines and
 * are absent; + - * / and sqrt are exact to the last bit everywhere. */
#ifndef SDCA_GENERATE_SHAPE_H
#define SDCA_GENERATE_SHAPE_H

#include "generate_alias.h"
#include "sdca/generate.h"
#include "sdca/random.h"

/* Streams of the same seed that must not coincide. */
typedef enum sdca_generate_part {
    SDCA_PART_ROW,
    SDCA_PART_COLUMNS,
    SDCA_PART_TOPICS,
    SDCA_PART_MODEL,
    SDCA_PARTS
} sdca_generate_part;

/* What is known of a shape before its tables are made. */
typedef struct sdca_recipe {
    int64_t rows;
    int64_t test_rows;
    int32_t columns;
    bool    classifies;

    /* Make the tables of a generator; NULL where there are none. */
    sdca_status (*prepare)(sdca_generator *generator);

    /* Draw a row from its stream, as sdca_generate_row() does. */
    int (*draw)(const sdca_generator *generator, sdca_random *stream, double *label,
                int32_t *column, double *value);

    double words;    /* text: mean number of words, repetitions included ... */
    double positive; /* ... the share of the class +1 ... */
    double subject;  /* ... the greatest share of words that subjects take ... */
    double noise;    /* ... and of labels that are turned round */
} sdca_recipe;

/* The paper's sizes (Section 7); regression is ours. */
extern const sdca_recipe sdca_recipe_astro_ph;
extern const sdca_recipe sdca_recipe_ccat;
extern const sdca_recipe sdca_recipe_cov1;
extern const sdca_recipe sdca_recipe_regression;

struct sdca_generator {
    const sdca_recipe *recipe;
    const char        *name;
    uint64_t           seed;
    uint64_t           shape; /* its number */
    int64_t            rows;
    int64_t            test_rows;

    sdca_alias *language; /* text: draws columns by their frequency ... */
    double     *weight;   /* ... the weight of a word of that column ... */
    sdca_alias *position; /* ... draws positions in the list of a subject's words ... */
    int32_t    *topic;    /* ... which are so many columns per subject */
    double     *model;    /* regression: the planted w */
};

/* The random numbers for that use of that item. Local. */
sdca_random sdca_generate_stream(const sdca_generator *generator, uint64_t item,
                                 sdca_generate_part use);

/* Close to normal, with mean 0 and variance 1, and never 0: a non-zero of a row has to
 * be one. Local. */
double sdca_generate_normal(sdca_random *stream);

/* Sort columns; divide values by their length as a vector. Local. */
void sdca_generate_sort(int32_t *column, int count);
void sdca_generate_unit(double *value, int count);

#endif
