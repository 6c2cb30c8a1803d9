/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate.c - synthetic data sets of the shapes that the paper uses.
 *
 * Text (astro-ph, ccat) is drawn the way topic models say that texts are made:
 * an abstract has a subject, which decides its class, and a lesser one that
 * may be of the other class; a word comes from one of the two or from the
 * language at large, in which the k-th most frequent word has a share close to
 * 1 / k (Zipf). Where the lesser subject speaks loudest, no linear model can be
 * right. Map data (cov1) has a few dense columns that hang together and two
 * groups of indicators, under so much noise that a quarter stays wrong.
 *
 * exp, log, pow and their kin may differ in the last bit between machines and
 * are absent; + - * / and sqrt are exact to the last bit everywhere. */
#include "sdca/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/random.h"

/* Constants of the text shapes. */
enum {
    TOPICS      = 32,  /* subjects, of both classes together */
    TOPIC_WORDS = 256, /* words of a subject */
    COMMON      = 60   /* words more frequent than these belong to no subject */
};

/* Constants of the cov1 shape: numeric columns, then two groups of which one
 * column each is 1. */
enum { NUMERIC = 10, AREAS = 4, SOILS = 40 };

/* Streams of the same seed that must not coincide. */
typedef enum part { PART_ROW, PART_COLUMNS, PART_TOPICS, PART_MODEL, PARTS } part;

/* One slot of an alias table (Walker 1977; Vose 1991): a number is drawn by
 * picking a slot evenly and then the slot itself, with chance keep / 2^32, or
 * its alias. */
typedef struct slot {
    uint32_t keep;
    int32_t  alias;
} slot;

/* What is known of a shape before its tables are made. */
typedef struct recipe {
    int64_t rows;
    int64_t test_rows;
    int32_t columns;
    bool    classifies;
    bool    text;
    double  words;    /* mean number of words of a text, repetitions included */
    double  positive; /* share of the class +1 */
    double  subject;  /* greatest share of a text's words that its subjects take */
    double  noise;    /* share of labels that are turned round */
    int (*draw)(const sdca_generator *generator, sdca_random *stream, double *label,
                int32_t *column, double *value);
} recipe;

struct sdca_generator {
    const recipe *recipe;
    const char   *name;
    uint64_t      seed;
    uint64_t      shape; /* its number */
    int64_t       rows;
    int64_t       test_rows;

    slot    *language; /* text: draws columns by their frequency ... */
    double  *weight;   /* ... the weight of a word of that column ... */
    slot    *position; /* ... draws positions in the list of a subject's words ... */
    int32_t *topic;    /* ... which are TOPIC_WORDS columns per subject */
    double  *model;    /* regression: the planted w */
};

/* Close to normal, with mean 0 and variance 1: a sum of four uniform numbers of
 * 16 bits, which never exceeds 3.5. It is moved by half a step, so that it is
 * never 0 either: a non-zero of a row has to be one. */
static double draw_normal(sdca_random *stream)
{
    const double spread = 37837.2; /* 2^16 / sqrt(3) */
    uint64_t     bits   = sdca_random_bits(stream);
    int64_t      sum    = 0;

    for (int k = 0; k < 4; k++) {
        sum += (int64_t)(bits >> (16 * k) & 0xffff);
    }
    return (double)(2 * sum - 4 * 65535 + 1) / (2.0 * spread);
}

static sdca_random open_stream(const sdca_generator *generator, uint64_t item, part use)
{
    return sdca_random_stream(generator->seed, SDCA_PURPOSE_DATA, item,
                              generator->shape * PARTS + (uint64_t)use);
}

static int32_t draw_slot(sdca_random *stream, const slot *table, int32_t count)
{
    uint64_t bits = sdca_random_bits(stream);
    int32_t  k    = (int32_t)((bits >> 32) * (uint64_t)count >> 32);

    return (uint32_t)bits < table[k].keep ? k : table[k].alias;
}

/* The alias table of count weights, or NULL without memory. Vose's algorithm:
 * a slot with less than the mean share is filled up by one with more. */
static slot *make_alias_table(const double *weight, int32_t count)
{
    slot    *table = calloc((size_t)count, sizeof *table);
    slot    *made  = NULL;
    double  *share = calloc((size_t)count, sizeof *share);
    int32_t *queue = calloc((size_t)count, sizeof *queue); /* poor from the left, */
    int32_t  poor  = 0;                                    /* rich from the right */
    int32_t  rich  = count;
    double   sum   = 0.0;

    if (table == NULL || share == NULL || queue == NULL) {
        goto done;
    }
    for (int32_t k = 0; k < count; k++) {
        sum += weight[k];
    }
    for (int32_t k = 0; k < count; k++) {
        share[k] = weight[k] * count / sum;
        if (share[k] < 1.0) {
            queue[poor++] = k;
        } else {
            queue[--rich] = k;
        }
        table[k].keep  = UINT32_MAX;
        table[k].alias = k;
    }
    while (poor > 0 && rich < count) {
        int32_t giver = queue[rich];
        int32_t taker = queue[--poor];

        table[taker].keep  = (uint32_t)(share[taker] * 4294967295.0);
        table[taker].alias = giver;
        share[giver] -= 1.0 - share[taker];
        if (share[giver] < 1.0) {
            rich++;
            queue[poor++] = giver;
        }
    }
    made  = table;
    table = NULL;

done:
    free(table);
    free(share);
    free(queue);
    return made;
}

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
        sdca_random stream = open_stream(generator, topic, PART_TOPICS);

        for (int k = 0; k < TOPIC_WORDS; k++) {
            double  place = sdca_random_uniform(&stream);
            int32_t rank  = COMMON + (int32_t)(place * place * (last - COMMON));

            generator->topic[topic * TOPIC_WORDS + (uint64_t)k] = (int32_t)ranked[rank];
        }
    }
}

static sdca_status prepare_text(sdca_generator *generator)
{
    const int32_t columns    = generator->recipe->columns;
    const double  start      = 30.0; /* flattens the top, as taking out stop words does */
    sdca_random   stream     = open_stream(generator, 0, PART_COLUMNS);
    uint32_t     *ranked     = calloc((size_t)columns, sizeof *ranked);
    double       *popularity = calloc((size_t)columns, sizeof *popularity);
    double        in_topic[TOPIC_WORDS];
    double        sum    = 0.0;
    sdca_status   status = SDCA_OK;

    generator->weight = calloc((size_t)columns, sizeof *generator->weight);
    generator->topic  = calloc((size_t)TOPICS * TOPIC_WORDS, sizeof *generator->topic);
    if (ranked == NULL || popularity == NULL || generator->weight == NULL ||
        generator->topic == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", generator->name);
        goto done;
    }
    for (int32_t k = 0; k < columns; k++) {
        ranked[k] = (uint32_t)k;
    }
    sdca_random_shuffle(&stream, ranked, (uint32_t)columns);
    for (int32_t rank = 0; rank < columns; rank++) {
        popularity[ranked[rank]] = 1.0 / (rank + start);
        sum += 1.0 / (rank + start);
    }
    for (int32_t k = 0; k < columns; k++) {
        /* Inverse document frequency: about one text in 1 / often has it. */
        double often = generator->recipe->words * popularity[k] / sum;

        generator->weight[k] = 1.0 + line_log2(often < 1.0 ? 1.0 / often : 1.0);
    }
    choose_topics(generator, ranked);
    for (int k = 0; k < TOPIC_WORDS; k++) {
        in_topic[k] = 1.0 / (k + 8.0);
    }
    generator->language = make_alias_table(popularity, columns);
    generator->position = make_alias_table(in_topic, TOPIC_WORDS);
    if (generator->language == NULL || generator->position == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the words of %s", generator->name);
    }

done:
    free(ranked);
    free(popularity);
    return status;
}

static int compare_columns(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;

    return (a > b) - (a < b);
}

/* Divide values by their length as a vector. */
static void make_unit(double *value, int count)
{
    double norm2 = 0.0;
    double length;

    for (int k = 0; k < count; k++) {
        norm2 += value[k] * value[k];
    }
    length = sqrt(norm2);
    for (int k = 0; k < count; k++) {
        value[k] /= length;
    }
}

static int32_t draw_topic(sdca_random *stream, bool positive)
{
    /* Even subjects are of the class +1. */
    return 2 * (int32_t)sdca_random_below(stream, TOPICS / 2) + (positive ? 0 : 1);
}

static int draw_text(const sdca_generator *generator, sdca_random *stream, double *label,
                     int32_t *column, double *value)
{
    const recipe *r        = generator->recipe;
    bool          positive = sdca_random_uniform(stream) < r->positive;
    bool          turned   = sdca_random_uniform(stream) < r->noise;
    int32_t       first    = draw_topic(stream, positive);
    int32_t       second  = draw_topic(stream, sdca_random_uniform(stream) < r->positive);
    double        subject = r->subject * (0.4 + 0.6 * sdca_random_uniform(stream));
    double        lesser  = subject * 0.4 * sdca_random_uniform(stream);
    double        length  = r->words;
    int           words   = 0;
    int           count   = 0;

    /* A product of uniform numbers is skewed to the right as lengths of texts
     * are. Its mean is 1, its greatest value 4.1. */
    for (int k = 0; k < 3; k++) {
        length *= 0.4 + 1.2 * sdca_random_uniform(stream);
    }
    words = 4 + (int)length;
    for (int k = 0; k < words; k++) {
        double from = sdca_random_uniform(stream);

        if (from < subject) {
            int32_t topic = from < lesser ? second : first;

            column[k] =
                generator->topic[topic * TOPIC_WORDS +
                                 draw_slot(stream, generator->position, TOPIC_WORDS)];
        } else {
            column[k] = draw_slot(stream, generator->language, r->columns);
        }
    }
    qsort(column, (size_t)words, sizeof *column, compare_columns);

    /* A word's value is the root of how often it occurs times its weight. */
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
    make_unit(value, count);
    *label = positive != turned ? 1.0 : -1.0;
    return count;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Like a forest map: height and wetness stand behind everything; soils follow
 * the height, areas follow both. The planted rule is the same for all seeds, so
 * that the best error is; its product term is out of a linear model's reach. */
static int draw_map(const sdca_generator *generator, sdca_random *stream, double *label,
                    int32_t *column, double *value)
{
    const double smallest = 0x1p-10; /* not zero: each row has all numeric columns */
    double       height   = draw_normal(stream);
    double       wetness  = draw_normal(stream);
    int32_t      soil     = 0;
    int32_t      area     = 0;
    double       score    = 0.0;

    (void)generator;
    for (int32_t k = 0; k < NUMERIC; k++) {
        /* Loadings between -1 and 1 that differ from column to column. */
        double on_height  = (5 - k) / 5.0;
        double on_wetness = (k * 3 % 10 - 4) / 5.0;
        double signal     = on_height * height + on_wetness * wetness;

        column[k] = k;
        value[k] =
            clamp(0.5 + 0.14 * (signal + 0.6 * draw_normal(stream)), smallest, 1.0);
    }
    soil = (int32_t)clamp(SOILS * (0.5 + 0.2 * height + 0.1 * draw_normal(stream)), 0.0,
                          SOILS - 1.0);
    area = (int32_t)clamp(
        AREAS * (0.5 + 0.15 * (height - wetness) + 0.15 * draw_normal(stream)), 0.0,
        AREAS - 1.0);
    column[NUMERIC]     = NUMERIC + area;
    column[NUMERIC + 1] = NUMERIC + AREAS + soil;
    value[NUMERIC]      = 1.0;
    value[NUMERIC + 1]  = 1.0;

    score = height + 0.5 * wetness + 0.4 * height * wetness +
            1.2 * ((soil * 7 % SOILS) / (SOILS - 1.0) - 0.5) + 1.15 * draw_normal(stream);
    *label = score > 0.55 ? 1.0 : -1.0;
    make_unit(value, NUMERIC + 2);
    return NUMERIC + 2;
}

static sdca_status prepare_regression(sdca_generator *generator)
{
    const int32_t columns = generator->recipe->columns;
    sdca_random   stream  = open_stream(generator, 0, PART_MODEL);

    generator->model = calloc((size_t)columns, sizeof *generator->model);
    if (generator->model == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the model of %s", generator->name);
    }
    for (int32_t k = 0; k < columns; k++) {
        generator->model[k] = draw_normal(&stream);
    }
    return SDCA_OK;
}

static int draw_regression(const sdca_generator *generator, sdca_random *stream,
                           double *label, int32_t *column, double *value)
{
    const int least  = 20;
    int       drawn  = least + (int)sdca_random_below(stream, 22);
    int       count  = 0;
    double    signal = 0.0;

    for (int k = 0; k < drawn; k++) {
        column[k] =
            (int32_t)sdca_random_below(stream, (uint32_t)generator->recipe->columns);
    }
    qsort(column, (size_t)drawn, sizeof *column, compare_columns);
    for (int k = 0; k < drawn; k++) {
        if (count == 0 || column[k] != column[count - 1]) {
            column[count] = column[k];
            value[count]  = draw_normal(stream);
            count++;
        }
    }
    make_unit(value, count);
    for (int k = 0; k < count; k++) {
        signal += generator->model[column[k]] * value[k];
    }
    /* The signal has variance 1, the noise 1/4: R^2 is 0.8 at best. */
    *label = signal + 0.5 * draw_normal(stream);
    return count;
}

const char *const sdca_generate_names[SDCA_GENERATE_SHAPES] = { "astro-ph", "ccat",
                                                                "cov1", "regression" };

/* The paper's sizes (Section 7); regression is ours. */
static const recipe recipes[SDCA_GENERATE_SHAPES] = {
    { .rows       = 29882,
      .test_rows  = 32487,
      .columns    = 99757,
      .classifies = true,
      .text       = true,
      .words      = 79.0,
      .positive   = 0.40,
      .subject    = 0.6,
      .noise      = 0.01,
      .draw       = draw_text },
    { .rows       = 781265,
      .test_rows  = 23149,
      .columns    = 47236,
      .classifies = true,
      .text       = true,
      .words      = 79.0,
      .positive   = 0.47,
      .subject    = 0.55,
      .noise      = 0.02,
      .draw       = draw_text },
    { .rows       = 522911,
      .test_rows  = 58101,
      .columns    = NUMERIC + AREAS + SOILS,
      .classifies = true,
      .draw       = draw_map },
    { .rows = 100000, .test_rows = 10000, .columns = 1000, .draw = draw_regression },
};

static int64_t scale_rows(int64_t rows, double scale)
{
    double scaled = floor((double)rows * scale + 0.5);

    return scaled < 16.0 ? 16 : (int64_t)scaled;
}

sdca_status sdca_generate_create(const char *shape, double scale, uint64_t seed,
                                 sdca_generator **out)
{
    const double    most      = 1e6; /* far beyond any disk */
    sdca_generator *generator = NULL;
    sdca_status     status    = SDCA_OK;
    uint64_t        number    = 0;

    while (number < SDCA_GENERATE_SHAPES &&
           strcmp(shape, sdca_generate_names[number]) != 0) {
        number++;
    }
    if (number == SDCA_GENERATE_SHAPES) {
        return SDCA_FAIL(SDCA_USAGE, "no shape is called '%s'", shape);
    }
    if (!(scale > 0.0 && scale <= most)) {
        return SDCA_FAIL(SDCA_USAGE, "a scale is above 0 and at most %g, not %g", most,
                         scale);
    }
    generator = calloc(1, sizeof *generator);
    if (generator == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the generator");
    }
    generator->recipe    = &recipes[number];
    generator->name      = sdca_generate_names[number];
    generator->seed      = seed;
    generator->shape     = number;
    generator->rows      = scale_rows(generator->recipe->rows, scale);
    generator->test_rows = scale_rows(generator->recipe->test_rows, scale);
    if (generator->recipe->text) {
        SDCA_TRY(prepare_text(generator));
    } else if (!generator->recipe->classifies) {
        SDCA_TRY(prepare_regression(generator));
    }
    *out      = generator;
    generator = NULL; /* now the caller's */

done:
    sdca_generate_free(generator);
    return status;
}

void sdca_generate_free(sdca_generator *generator)
{
    if (generator != NULL) {
        free(generator->language);
        free(generator->weight);
        free(generator->position);
        free(generator->topic);
        free(generator->model);
        free(generator);
    }
}

sdca_generate_facts sdca_generate_describe(const sdca_generator *generator)
{
    sdca_generate_facts facts = { generator->name, generator->recipe->classifies,
                                  generator->rows, generator->test_rows,
                                  generator->recipe->columns };

    return facts;
}

int sdca_generate_row(const sdca_generator *generator, int64_t row, double *label,
                      int32_t *column, double *value)
{
    sdca_random stream = open_stream(generator, (uint64_t)row, PART_ROW);

    return generator->recipe->draw(generator, &stream, label, column, value);
}

sdca_status sdca_generate_rows(const sdca_generator *generator, sdca_range range,
                               sdca_writer *writer, sdca_generate_tally *tally)
{
    int32_t     column[SDCA_GENERATE_LONGEST];
    double      value[SDCA_GENERATE_LONGEST];
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < range.count; k++) {
        double label = 0.0;
        int count = sdca_generate_row(generator, range.first + k, &label, column, value);

        SDCA_TRY(sdca_writer_row(writer, label, count, column, value));
        tally->low  = tally->rows == 0 || label < tally->low ? label : tally->low;
        tally->high = tally->rows == 0 || label > tally->high ? label : tally->high;
        tally->positive += label > 0.0;
        tally->nonzeros += count;
        tally->rows++;
    }

done:
    return status;
}
