/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shape_common.h - the description of a shape, and functions that all shapes use.
 *
 * exp, log, pow and similar functions may differ in the last bit between machines and
 * are not used; + - * / and sqrt are correctly rounded everywhere. */
#ifndef SDCA_SYNTHETIC_SHAPE_COMMON_H
#define SDCA_SYNTHETIC_SHAPE_COMMON_H

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

/* The constants of a shape. */
typedef struct sdca_synthetic_shape {
    int64_t rows;
    int64_t test_rows;
    int32_t columns;           /* the default number, if there is a choice */
    bool    choice_of_columns; /* categories are hashed into any number of them */
    bool    classifies;
    int32_t classes;     /* several classes: the default number; 0: there is no choice */
    int32_t first_label; /* several classes: the label of the first */

    /* Create the tables of a generator; NULL if it needs none. */
    sdca_status (*prepare)(sdca_synthetic *synthetic);

    /* Draw a row from its stream, as sdca_synthetic_draw_row() does. For a shape of
     * several classes *label is given; otherwise it is drawn, too. */
    int (*draw)(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value);

    double mean_words;        /* text: mean number of words, with repetitions */
    double positive_fraction; /* text: share of the class +1 */
    double topic_fraction;    /* text: upper limit on the share of words from subjects */
    double label_noise;       /* share of labels that are flipped */
} sdca_synthetic_shape;

/* The sizes of the paper (Section 7); the last four are not from the paper. */
extern const sdca_synthetic_shape sdca_synthetic_astro_ph;
extern const sdca_synthetic_shape sdca_synthetic_ccat;
extern const sdca_synthetic_shape sdca_synthetic_cov1;
extern const sdca_synthetic_shape sdca_synthetic_regression;
extern const sdca_synthetic_shape sdca_synthetic_topics;
extern const sdca_synthetic_shape sdca_synthetic_digits;
extern const sdca_synthetic_shape sdca_synthetic_ctr;

struct sdca_synthetic {
    const sdca_synthetic_shape *shape;
    const char                 *name;
    uint64_t                    seed;
    uint64_t                    shape_index; /* its number */
    int32_t                     classes;     /* 0: the shape has no choice */
    int32_t                     columns;
    int64_t                     rows;
    int64_t                     test_rows;

    sdca_alias_slot *word_table; /* text: samples columns by frequency */
    double          *idf;        /* text: the weight of a word, by column */
    sdca_alias_slot
            *topic_word_table; /* text: samples positions in the word list of a subject */
    int32_t *topic_words;      /* text: the columns of each subject's words */
    double  *true_weights;     /* regression: the planted w */
    struct sdca_synthetic_blob *blobs; /* digits: the strokes of each prototype */
};

/* The random stream for a use of an item. Local. */
sdca_random sdca_synthetic_stream(const sdca_synthetic *synthetic, uint64_t item,
                                  sdca_synthetic_purpose purpose);

/* Approximately normal with mean 0 and variance 1, and never 0, as non-zeros must not
 * be. Local. */
double sdca_synthetic_normal(sdca_random *stream);

/* Sort columns; divide values by their Euclidean norm. Local. */
void sdca_synthetic_sort_columns(int32_t *column, int count);
void sdca_synthetic_normalize(double *value, int count);

#endif
