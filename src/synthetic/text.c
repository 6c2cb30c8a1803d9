/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.c - rows like those of text collections: astro-ph, ccat, topics.
 *
 * A topic model: a document has a main subject, which decides its class, and a second
 * one that may be of the other class. A word comes from one of the two or from the
 * background distribution, in which the k-th most frequent word has a share of about 1 /
 * k (Zipf). Documents dominated by the second subject are misclassified by any linear
 * model. In topics every subject is a class, and the second subject is a neighbour of the
 * first: the one before or after it, in a circle. */
#include "synthetic/shape_common.h"

#include <math.h>
#include <stdlib.h>

enum {
    TOPICS       = 32,  /* subjects of two classes together; several: one each */
    TOPIC_WORDS  = 256, /* words of a subject */
    COMMON_WORDS = 60   /* words more frequent than these belong to no subject */
};

/* Approximates log2(x) for x >= 1 by linear interpolation between powers of two. frexp()
 * is exact. */
static double piecewise_log2(double x)
{
    int    exponent = 0;
    double fraction = frexp(x, &exponent); /* x = fraction 2^exponent, >= 1/2 */

    return exponent - 2 + 2.0 * fraction;
}

static int32_t count_topics(const sdca_synthetic *synthetic)
{
    return synthetic->classes > 0 ? synthetic->classes : TOPICS;
}

/* The words of each subject: columns of medium frequency, found through ranked[], the
 * columns by descending frequency. */
static void choose_topics(sdca_synthetic *synthetic, const uint32_t *by_rank)
{
    const int32_t  last   = synthetic->shape->columns / 4;
    const uint64_t topics = (uint64_t)count_topics(synthetic);

    for (uint64_t topic = 0; topic < topics; topic++) {
        sdca_random stream =
            sdca_synthetic_stream(synthetic, topic, SDCA_SYNTHETIC_TOPICS);

        for (int k = 0; k < TOPIC_WORDS; k++) {
            double  uniform = sdca_random_uniform(&stream);
            int32_t rank =
                COMMON_WORDS + (int32_t)(uniform * uniform * (last - COMMON_WORDS));

            synthetic->topic_words[topic * TOPIC_WORDS + (uint64_t)k] =
                (int32_t)by_rank[rank];
        }
    }
}

/* Fill ranked[] with the columns by descending frequency, and compute their frequencies
 * up to a common factor. */
static void rank_words(const sdca_synthetic *synthetic, uint32_t *by_rank,
                       double *word_frequency)
{
    const int32_t columns = synthetic->shape->columns;
    const double  start   = 30.0; /* flattens the head, as removing stop words does */
    sdca_random   stream  = sdca_synthetic_stream(synthetic, 0, SDCA_SYNTHETIC_COLUMNS);

    for (int32_t k = 0; k < columns; k++) {
        by_rank[k] = (uint32_t)k;
    }
    sdca_random_shuffle(&stream, by_rank, (uint32_t)columns);
    for (int32_t rank = 0; rank < columns; rank++) {
        word_frequency[by_rank[rank]] = 1.0 / (rank + start);
    }
}

/* Inverse document frequency: about one document in 1 / often contains a word. */
static void compute_idf(sdca_synthetic *synthetic, const uint32_t *by_rank,
                        const double *word_frequency)
{
    const int32_t columns = synthetic->shape->columns;
    double        sum     = 0.0;

    for (int32_t rank = 0; rank < columns; rank++) {
        sum += word_frequency[by_rank[rank]];
    }
    for (int32_t k = 0; k < columns; k++) {
        double frequency = synthetic->shape->mean_words * word_frequency[k] / sum;

        synthetic->idf[k] = 1.0 + piecewise_log2(frequency < 1.0 ? 1.0 / frequency : 1.0);
    }
}

static sdca_status prepare(sdca_synthetic *synthetic)
{
    const int32_t columns        = synthetic->shape->columns;
    uint32_t     *by_rank        = calloc((size_t)columns, sizeof *by_rank);
    double       *word_frequency = calloc((size_t)columns, sizeof *word_frequency);
    double        topic_frequency[TOPIC_WORDS];
    sdca_status   status = SDCA_OK;

    synthetic->idf         = calloc((size_t)columns, sizeof *synthetic->idf);
    synthetic->topic_words = calloc((size_t)count_topics(synthetic) * TOPIC_WORDS,
                                    sizeof *synthetic->topic_words);
    if (by_rank == NULL || word_frequency == NULL || synthetic->idf == NULL ||
        synthetic->topic_words == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", synthetic->name);
        goto done;
    }
    rank_words(synthetic, by_rank, word_frequency);
    compute_idf(synthetic, by_rank, word_frequency);
    choose_topics(synthetic, by_rank);
    for (int k = 0; k < TOPIC_WORDS; k++) {
        topic_frequency[k] = 1.0 / (k + 8.0);
    }
    synthetic->word_table       = sdca_alias_table_create(word_frequency, columns);
    synthetic->topic_word_table = sdca_alias_table_create(topic_frequency, TOPIC_WORDS);
    if (synthetic->word_table == NULL || synthetic->topic_word_table == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", synthetic->name);
    }

done:
    free(by_rank);
    free(word_frequency);
    return status;
}

static int32_t draw_topic(sdca_random *stream, bool positive)
{
    /* Even subjects are of the class +1. */
    return 2 * (int32_t)sdca_random_below(stream, TOPICS / 2) + (positive ? 0 : 1);
}

/* The number of words of a document. A product of uniform numbers is right-skewed, as
 * document lengths are. Its mean is 1, its maximum 4.1. */
static int draw_length(const sdca_synthetic_shape *shape, sdca_random *stream)
{
    double length = shape->mean_words;

    for (int k = 0; k < 3; k++) {
        length *= 0.4 + 1.2 * sdca_random_uniform(stream);
    }
    return 4 + (int)length;
}

static int32_t draw_topic_word(const sdca_synthetic *synthetic, int32_t topic,
                               sdca_random *stream)
{
    int32_t k = sdca_alias_table_draw(synthetic->topic_word_table, TOPIC_WORDS, stream);

    return synthetic->topic_words[topic * TOPIC_WORDS + k];
}

/* Turn words, which are sorted, into columns: the value is the square root of the word
 * count times the weight of the word. */
static int count_words(const sdca_synthetic *synthetic, int words, int32_t *column,
                       double *value)
{
    int count = 0;

    for (int k = 0; k < words;) {
        int end = k;

        while (end < words && column[end] == column[k]) {
            end++;
        }
        column[count] = column[k];
        value[count]  = sqrt(end - k) * synthetic->idf[column[count]];
        count++;
        k = end;
    }
    return count;
}

/* The subjects of a document and the shares of its words that come from them. */
typedef struct mixture {
    int32_t main_topic;
    int32_t second_topic;
    double  topic_fraction;  /* of both */
    double  second_fraction; /* of the second */
} mixture;

/* Draw the words, and turn them into a row. */
static int draw_document(const sdca_synthetic *synthetic, mixture mix,
                         sdca_random *stream, int32_t *column, double *value)
{
    const sdca_synthetic_shape *shape = synthetic->shape;
    int                         words = draw_length(shape, stream);
    int                         count;

    for (int k = 0; k < words; k++) {
        double uniform = sdca_random_uniform(stream);

        column[k] =
            uniform < mix.topic_fraction
                ? draw_topic_word(synthetic,
                                  uniform < mix.second_fraction ? mix.second_topic
                                                                : mix.main_topic,
                                  stream)
                : sdca_alias_table_draw(synthetic->word_table, shape->columns, stream);
    }
    sdca_synthetic_sort_columns(column, words);
    count = count_words(synthetic, words, column, value);
    sdca_synthetic_normalize(value, count);
    return count;
}

static int draw(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const sdca_synthetic_shape *shape = synthetic->shape;
    mixture                     mix;
    bool positive = sdca_random_uniform(stream) < shape->positive_fraction;
    bool flipped  = sdca_random_uniform(stream) < shape->label_noise;

    mix.main_topic = draw_topic(stream, positive);
    mix.second_topic =
        draw_topic(stream, sdca_random_uniform(stream) < shape->positive_fraction);
    mix.topic_fraction =
        shape->topic_fraction * (0.4 + 0.6 * sdca_random_uniform(stream));
    mix.second_fraction = mix.topic_fraction * 0.4 * sdca_random_uniform(stream);
    *label              = positive != flipped ? 1.0 : -1.0;
    return draw_document(synthetic, mix, stream, column, value);
}

/* The class is the main subject. */
static int draw_class(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                      int32_t *column, double *value)
{
    const sdca_synthetic_shape *shape  = synthetic->shape;
    const int32_t               topics = synthetic->classes;
    int32_t                     topic  = (int32_t)*label - shape->first_label;
    int32_t neighbour = sdca_random_below(stream, 2) == 0 ? 1 : topics - 1;
    mixture mix = { .main_topic = topic, .second_topic = (topic + neighbour) % topics };

    mix.topic_fraction =
        shape->topic_fraction * (0.4 + 0.6 * sdca_random_uniform(stream));
    mix.second_fraction = mix.topic_fraction * 0.5 * sdca_random_uniform(stream);
    return draw_document(synthetic, mix, stream, column, value);
}

const sdca_synthetic_shape sdca_synthetic_astro_ph = { .rows              = 29882,
                                                       .test_rows         = 32487,
                                                       .columns           = 99757,
                                                       .classifies        = true,
                                                       .prepare           = prepare,
                                                       .draw              = draw,
                                                       .mean_words        = 79.0,
                                                       .positive_fraction = 0.40,
                                                       .topic_fraction    = 0.6,
                                                       .label_noise       = 0.01 };

const sdca_synthetic_shape sdca_synthetic_ccat = { .rows              = 781265,
                                                   .test_rows         = 23149,
                                                   .columns           = 47236,
                                                   .classifies        = true,
                                                   .prepare           = prepare,
                                                   .draw              = draw,
                                                   .mean_words        = 79.0,
                                                   .positive_fraction = 0.47,
                                                   .topic_fraction    = 0.55,
                                                   .label_noise       = 0.02 };

const sdca_synthetic_shape sdca_synthetic_topics = { .rows           = 60000,
                                                     .test_rows      = 15000,
                                                     .columns        = 30000,
                                                     .classifies     = true,
                                                     .classes        = 20,
                                                     .first_label    = 1,
                                                     .prepare        = prepare,
                                                     .draw           = draw_class,
                                                     .mean_words     = 72.0,
                                                     .topic_fraction = 0.5 };
