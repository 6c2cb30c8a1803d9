/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate_text.c - rows like those of texts: astro-ph, ccat.
 *
 * They are drawn the way topic models say that texts are made: an abstract has a
 * subject, which decides its class, and a lesser one that may be of the other class; a
 * word comes from one of the two or from the language at large, in which the k-th most
 * frequent word has a share close to 1 / k (Zipf). Where the lesser subject speaks
 * loudest, no linear model can be right. */
#include "generate_shape.h"

#include <math.h>
#include <stdlib.h>

enum {
    TOPICS      = 32,  /* subjects, of both classes together */
    TOPIC_WORDS = 256, /* words of a subject */
    COMMON      = 60   /* words more frequent than these belong to no subject */
};

/* About log2(x), for x >= 1: straight lines between the powers of two. frexp()
 * is exact. */
static double line_log2(double x)
{
    int    exponent = 0;
    double fraction = frexp(x, &exponent); /* x = fraction 2^exponent, >= 1/2 */

    return exponent - 2 + 2.0 * fraction;
}

/* The words of each subject: columns of middling frequency, found through
 * ranked[], which lists the columns from the most to the least frequent. */
static void choose_topics(sdca_generator *generator, const uint32_t *ranked)
{
    int32_t last = generator->recipe->columns / 4;

    for (uint64_t topic = 0; topic < TOPICS; topic++) {
        sdca_random stream = sdca_generate_stream(generator, topic, SDCA_PART_TOPICS);

        for (int k = 0; k < TOPIC_WORDS; k++) {
            double  place = sdca_random_uniform(&stream);
            int32_t rank  = COMMON + (int32_t)(place * place * (last - COMMON));

            generator->topic[topic * TOPIC_WORDS + (uint64_t)k] = (int32_t)ranked[rank];
        }
    }
}

/* List the columns from the most to the least frequent in ranked[], and say how frequent
 * each is, but for a common factor. */
static void rank_words(const sdca_generator *generator, uint32_t *ranked,
                       double *popularity)
{
    const int32_t columns = generator->recipe->columns;
    const double  start   = 30.0; /* flattens the top, as taking out stop words does */
    sdca_random   stream  = sdca_generate_stream(generator, 0, SDCA_PART_COLUMNS);

    for (int32_t k = 0; k < columns; k++) {
        ranked[k] = (uint32_t)k;
    }
    sdca_random_shuffle(&stream, ranked, (uint32_t)columns);
    for (int32_t rank = 0; rank < columns; rank++) {
        popularity[ranked[rank]] = 1.0 / (rank + start);
    }
}

/* Inverse document frequency: about one text in 1 / often has a word. */
static void weigh_words(sdca_generator *generator, const uint32_t *ranked,
                        const double *popularity)
{
    const int32_t columns = generator->recipe->columns;
    double        sum     = 0.0;

    for (int32_t rank = 0; rank < columns; rank++) {
        sum += popularity[ranked[rank]];
    }
    for (int32_t k = 0; k < columns; k++) {
        double often = generator->recipe->words * popularity[k] / sum;

        generator->weight[k] = 1.0 + line_log2(often < 1.0 ? 1.0 / often : 1.0);
    }
}

static sdca_status prepare(sdca_generator *generator)
{
    const int32_t columns    = generator->recipe->columns;
    uint32_t     *ranked     = calloc((size_t)columns, sizeof *ranked);
    double       *popularity = calloc((size_t)columns, sizeof *popularity);
    double        in_topic[TOPIC_WORDS];
    sdca_status   status = SDCA_OK;

    generator->weight = calloc((size_t)columns, sizeof *generator->weight);
    generator->topic  = calloc((size_t)TOPICS * TOPIC_WORDS, sizeof *generator->topic);
    if (ranked == NULL || popularity == NULL || generator->weight == NULL ||
        generator->topic == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", generator->name);
        goto done;
    }
    rank_words(generator, ranked, popularity);
    weigh_words(generator, ranked, popularity);
    choose_topics(generator, ranked);
    for (int k = 0; k < TOPIC_WORDS; k++) {
        in_topic[k] = 1.0 / (k + 8.0);
    }
    generator->language = sdca_alias_create(popularity, columns);
    generator->position = sdca_alias_create(in_topic, TOPIC_WORDS);
    if (generator->language == NULL || generator->position == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", generator->name);
    }

done:
    free(ranked);
    free(popularity);
    return status;
}

static int32_t draw_topic(sdca_random *stream, bool positive)
{
    /* Even subjects are of the class +1. */
    return 2 * (int32_t)sdca_random_below(stream, TOPICS / 2) + (positive ? 0 : 1);
}

/* The number of words of a text. A product of uniform numbers is skewed to the right as
 * lengths of texts are. Its mean is 1, its greatest value 4.1. */
static int draw_length(const sdca_recipe *r, sdca_random *stream)
{
    double length = r->words;

    for (int k = 0; k < 3; k++) {
        length *= 0.4 + 1.2 * sdca_random_uniform(stream);
    }
    return 4 + (int)length;
}

static int32_t draw_word_of(const sdca_generator *generator, int32_t topic,
                            sdca_random *stream)
{
    int32_t k = sdca_alias_draw(generator->position, TOPIC_WORDS, stream);

    return generator->topic[topic * TOPIC_WORDS + k];
}

/* From words, which are sorted, to columns: a value is the root of how often the word
 * occurs times its weight. */
static int count_words(const sdca_generator *generator, int words, int32_t *column,
                       double *value)
{
    int count = 0;

    for (int k = 0; k < words;) {
        int same = k;

        while (same < words && column[same] == column[k]) {
            same++;
        }
        column[count] = column[k];
        value[count]  = sqrt(same - k) * generator->weight[column[count]];
        count++;
        k = same;
    }
    return count;
}

static int draw(const sdca_generator *generator, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const sdca_recipe *r        = generator->recipe;
    bool               positive = sdca_random_uniform(stream) < r->positive;
    bool               turned   = sdca_random_uniform(stream) < r->noise;
    int32_t            first    = draw_topic(stream, positive);
    int32_t second  = draw_topic(stream, sdca_random_uniform(stream) < r->positive);
    double  subject = r->subject * (0.4 + 0.6 * sdca_random_uniform(stream));
    double  lesser  = subject * 0.4 * sdca_random_uniform(stream);
    int     words   = draw_length(r, stream);
    int     count;

    for (int k = 0; k < words; k++) {
        double from = sdca_random_uniform(stream);

        column[k] = from < subject
                        ? draw_word_of(generator, from < lesser ? second : first, stream)
                        : sdca_alias_draw(generator->language, r->columns, stream);
    }
    sdca_generate_sort(column, words);
    count = count_words(generator, words, column, value);
    sdca_generate_unit(value, count);
    *label = positive != turned ? 1.0 : -1.0;
    return count;
}

const sdca_recipe sdca_recipe_astro_ph = { .rows       = 29882,
                                           .test_rows  = 32487,
                                           .columns    = 99757,
                                           .classifies = true,
                                           .prepare    = prepare,
                                           .draw       = draw,
                                           .words      = 79.0,
                                           .positive   = 0.40,
                                           .subject    = 0.6,
                                           .noise      = 0.01 };

const sdca_recipe sdca_recipe_ccat = { .rows       = 781265,
                                       .test_rows  = 23149,
                                       .columns    = 47236,
                                       .classifies = true,
                                       .prepare    = prepare,
                                       .draw       = draw,
                                       .words      = 79.0,
                                       .positive   = 0.47,
                                       .subject    = 0.55,
                                       .noise      = 0.02 };
