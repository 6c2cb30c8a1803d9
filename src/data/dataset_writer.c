/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_writer.c - writing a data file row by row in bounded memory.
 *
 * Each of the arrays (values, columns, row offsets, labels, weights) has a buffer that is
 * appended to the file when it is full. Labels are written as given: the set of labels
 * is known only at the end, when those of a classification are replaced by -1 and +1 in
 * place. */
#include "data/dataset_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "data/labels.h"
#include "io/hdf5_file.h"

/* Elements per buffer: a multiple of the chunk size of arrays in files, so that no chunk
 * is written twice. */
enum { BUFFER_SIZE = 1 << 17 };

static const char values_path[]  = "X/data";
static const char columns_path[] = "X/indices";
static const char offsets_path[] = "X/indptr";
static const char labels_path[]  = "y";
static const char weights_path[] = "weight";

struct sdca_dataset_writer {
    sdca_hdf5_file             *store;
    sdca_dataset_writer_options options;
    sdca_dataset_writer_stats   stats;
    bool                        finished;

    int64_t  entries; /* in value32 or value64, and in column */
    float   *value32; /* NULL where values are float64 */
    double  *value64; /* NULL where values are float32 */
    int32_t *column;
    int64_t  offsets;
    int64_t *offset;
    int64_t  labels;
    double  *label;
    int64_t  weights;
    double  *weight; /* NULL where weights are not written */
    int64_t  groups;
    double  *group; /* NULL where groups are not written */
};

static sdca_status flush_entries(sdca_dataset_writer *writer)
{
    bool        float64 = writer->options.float64;
    const void *value =
        float64 ? (const void *)writer->value64 : (const void *)writer->value32;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_append(writer->store, values_path,
                              float64 ? SDCA_FLOAT64 : SDCA_FLOAT32, writer->entries,
                              value));
    SDCA_TRY(sdca_hdf5_append(writer->store, columns_path, SDCA_INT32, writer->entries,
                              writer->column));
    writer->entries = 0;

done:
    return status;
}

static sdca_status flush_offsets(sdca_dataset_writer *writer)
{
    int64_t count = writer->offsets;

    writer->offsets = 0;
    return sdca_hdf5_append(writer->store, offsets_path, SDCA_INT64, count,
                            writer->offset);
}

static sdca_status flush_labels(sdca_dataset_writer *writer)
{
    int64_t count = writer->labels;

    writer->labels = 0;
    return sdca_hdf5_append(writer->store, labels_path, SDCA_FLOAT64, count,
                            writer->label);
}

static sdca_status flush_weights(sdca_dataset_writer *writer)
{
    int64_t count = writer->weights;

    writer->weights = 0;
    return sdca_hdf5_append(writer->store, weights_path, SDCA_FLOAT64, count,
                            writer->weight);
}

static sdca_status flush_groups(sdca_dataset_writer *writer)
{
    int64_t count = writer->groups;
    char    path[SDCA_MESSAGE_SIZE];

    writer->groups = 0;
    snprintf(path, sizeof path, "obs/%s", writer->options.group);
    return sdca_hdf5_append(writer->store, path, SDCA_FLOAT64, count, writer->group);
}

sdca_status sdca_dataset_writer_create(const char                 *path,
                                       sdca_dataset_writer_options options,
                                       sdca_dataset_writer       **out)
{
    sdca_status          status = SDCA_OK;
    sdca_dataset_writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to write '%s'", path);
    }
    writer->options       = options;
    writer->stats.columns = options.columns;
    if (options.float64) {
        writer->value64 = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->value64);
    } else {
        writer->value32 = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->value32);
    }
    writer->column = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->column);
    writer->offset = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->offset);
    writer->label  = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->label);
    if (options.weighted) {
        writer->weight = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->weight);
    }
    if (options.group != NULL) {
        writer->group = sdca_alloc_array(BUFFER_SIZE, sizeof *writer->group);
    }
    if ((writer->value64 == NULL && writer->value32 == NULL) || writer->column == NULL ||
        writer->offset == NULL || writer->label == NULL ||
        (options.weighted && writer->weight == NULL) ||
        (options.group != NULL && writer->group == NULL)) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to write '%s'", path);
        goto done;
    }
    writer->offset[writer->offsets++] = 0;
    SDCA_TRY(sdca_hdf5_create(path, &writer->store));
    SDCA_TRY(sdca_hdf5_create_group(writer->store, "X"));
    SDCA_TRY(options.group != NULL ? sdca_hdf5_create_group(writer->store, "obs")
                                   : SDCA_OK);

    *out   = writer;
    writer = NULL; /* now the caller's */

done:
    sdca_dataset_writer_discard(writer);
    return status;
}

/* A row is normalised by multiplying by scale and dividing by length. The scale is a
 * power of two, hence exact, and brings the largest value near 1, so that no square
 * overflows or underflows. */
typedef struct row_norm {
    double scale, length;
} row_norm;

static row_norm compute_norm(int64_t count, const double *value)
{
    row_norm norm     = { 1.0, 0.0 };
    double   largest  = 0.0;
    int      exponent = 0;

    for (int64_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(value[k]));
    }
    if (largest == 0.0) {
        norm.length = 1.0;
        return norm;
    }
    frexp(largest, &exponent);
    norm.scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    for (int64_t k = 0; k < count; k++) {
        norm.length += (value[k] * norm.scale) * (value[k] * norm.scale);
    }
    norm.length = sqrt(norm.length);
    return norm;
}

/* The index of a column in the text. */
static long text_index(const sdca_dataset_writer *writer, int32_t column)
{
    return (long)column + (writer->options.zero_based ? 0 : 1);
}

/* Whether an integer is rounded by float32. Those below 2^24 never are, and beyond 2^53
 * float64 would not help. */
static bool is_rounded(double x, float rounded)
{
    return fabs(x) >= 0x1p24 && fabs(x) < 0x1p53 && (double)rounded != x && x == trunc(x);
}

/* Append entries to the buffers, which have space for them, leaving out zeros. */
static sdca_status buffer_entries(sdca_dataset_writer *writer, int64_t count,
                                  const int32_t *column, const double *value,
                                  row_norm norm)
{
    int64_t filled = writer->entries;

    for (int64_t k = 0; k < count; k++) {
        double x = value[k];

        if (writer->options.normalize) {
            x = x * norm.scale / norm.length;
        }
        writer->column[filled] = column[k];
        if (writer->options.float64) {
            writer->value64[filled] = x;
            filled += x != 0.0;
        } else {
            float rounded = (float)x;

            if (isinf(rounded)) {
                return SDCA_FAIL(SDCA_DATA,
                                 "float32 cannot hold the value %g of index %ld", x,
                                 text_index(writer, column[k]));
            }
            writer->value32[filled] = rounded;
            filled += rounded != 0.0f;
            writer->stats.underflowed += rounded == 0.0f && value[k] != 0.0;
            writer->stats.rounded += is_rounded(x, rounded);
        }
    }
    writer->stats.nonzeros += filled - writer->entries;
    writer->entries = filled;
    return SDCA_OK;
}

sdca_status sdca_dataset_writer_append(sdca_dataset_writer *writer, double label,
                                       int64_t count, const int32_t *column,
                                       const double *value)
{
    return sdca_dataset_writer_append_weighted(writer, label, 1.0, count, column, value);
}

sdca_status sdca_dataset_writer_append_weighted(sdca_dataset_writer *writer, double label,
                                                double weight, int64_t count,
                                                const int32_t *column,
                                                const double  *value)
{
    sdca_status                status = SDCA_OK;
    sdca_dataset_writer_stats *stats  = &writer->stats;
    row_norm                   norm   = { 1.0, 1.0 };

    if (count > 0 && column[count - 1] >= stats->columns) {
        if (writer->options.columns > 0) {
            return SDCA_FAIL(
                SDCA_DATA, "the index %ld is beyond the %ld columns of --columns",
                text_index(writer, column[count - 1]), (long)writer->options.columns);
        }
        stats->columns = column[count - 1] + 1;
    }
    if (writer->options.classifies && !writer->options.unlabelled) {
        SDCA_TRY(sdca_label_counts_add(&stats->labels, label));
        SDCA_TRY(sdca_label_counts_check(&stats->labels));
    }
    if (writer->options.normalize) {
        norm = compute_norm(count, value);
    }
    while (count > 0) {
        int64_t room    = BUFFER_SIZE - writer->entries;
        int64_t fitting = count < room ? count : room;

        SDCA_TRY(buffer_entries(writer, fitting, column, value, norm));
        if (writer->entries == BUFFER_SIZE) {
            SDCA_TRY(flush_entries(writer));
        }
        count -= fitting;
        column += fitting;
        value += fitting;
    }
    if (writer->offsets == BUFFER_SIZE) {
        SDCA_TRY(flush_offsets(writer));
    }
    if (writer->labels == BUFFER_SIZE) {
        SDCA_TRY(flush_labels(writer));
    }
    if (writer->weights == BUFFER_SIZE) {
        SDCA_TRY(flush_weights(writer));
    }
    writer->offset[writer->offsets++] = stats->nonzeros;
    if (writer->options.weighted) {
        writer->weight[writer->weights++] = weight;
    }
    if (!writer->options.unlabelled) {
        writer->label[writer->labels++] = label;
    }
    stats->rows++;
    stats->total_weight += weight;

done:
    return status;
}

sdca_status sdca_dataset_writer_append_group(sdca_dataset_writer *writer, double group)
{
    sdca_status status = SDCA_OK;

    if (writer->groups == BUFFER_SIZE) {
        SDCA_TRY(flush_groups(writer));
    }
    writer->group[writer->groups++] = group;

done:
    return status;
}

sdca_dataset_writer_stats sdca_dataset_writer_get_stats(const sdca_dataset_writer *writer)
{
    return writer->stats;
}

sdca_dataset_writer_stats sdca_dataset_writer_take_stats(sdca_dataset_writer *writer)
{
    sdca_dataset_writer_stats stats = writer->stats;

    writer->stats.labels = (sdca_label_counts){ 0 };
    return stats;
}

void sdca_dataset_writer_stats_free(sdca_dataset_writer_stats *stats)
{
    sdca_label_counts_free(&stats->labels);
}

/* Replace the labels in the file by -1 and +1, a block at a time. */
static sdca_status binarize_labels(sdca_dataset_writer *writer)
{
    sdca_status        status  = SDCA_OK;
    const sdca_classes classes = { .count = writer->stats.labels.count,
                                   .value = writer->stats.labels.value };
    int64_t            rows    = writer->stats.rows;
    sdca_range         block   = { 0, 0 };
    bool               binary  = true;

    for (int k = 0; k < classes.count; k++) {
        binary = binary && fabs(classes.value[k]) == 1.0;
    }
    for (; !binary && block.first < rows; block.first += block.count) {
        block.count = rows - block.first < BUFFER_SIZE ? rows - block.first : BUFFER_SIZE;
        SDCA_TRY(sdca_hdf5_read_range(writer->store, labels_path, block, SDCA_FLOAT64,
                                      writer->label));
        for (int64_t k = 0; k < block.count; k++) {
            writer->label[k] = sdca_classes_code(
                &classes, sdca_classes_find(&classes, writer->label[k]));
        }
        SDCA_TRY(sdca_hdf5_write_range(writer->store, labels_path, block, SDCA_FLOAT64,
                                       writer->label));
    }

done:
    return status;
}

static sdca_status finish_labels(sdca_dataset_writer *writer)
{
    sdca_status                      status         = SDCA_OK;
    sdca_hdf5_file                  *store          = writer->store;
    const sdca_dataset_writer_stats *stats          = &writer->stats;
    bool                             classification = writer->options.classifies;
    bool                             binary = classification && stats->labels.count <= 2;

    SDCA_TRY(flush_labels(writer));
    SDCA_TRY(binary ? binarize_labels(writer) : SDCA_OK);
    SDCA_TRY(sdca_hdf5_write_string_attribute(
        store, labels_path, "task", classification ? "classification" : "regression"));
    if (binary) {
        SDCA_TRY(sdca_hdf5_write_attribute(store, labels_path, "labels", SDCA_FLOAT64,
                                           stats->labels.count, stats->labels.value));
    }

done:
    return status;
}

static sdca_status write_attributes(sdca_dataset_writer *writer)
{
    sdca_status                      status  = SDCA_OK;
    sdca_hdf5_file                  *store   = writer->store;
    const sdca_dataset_writer_stats *stats   = &writer->stats;
    int64_t                          version = 1;
    int64_t                          shape[] = { stats->rows, stats->columns };

    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "format", "sdca-data"));
    SDCA_TRY(
        sdca_hdf5_write_attribute(store, "/", "format-version", SDCA_INT64, 1, &version));
    SDCA_TRY(sdca_hdf5_write_string_attribute(
        store, "/", "normalize", writer->options.normalize ? "rows" : "none"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "X", "encoding-type", "csr_matrix"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "X", "encoding-version", "0.1.0"));
    SDCA_TRY(sdca_hdf5_write_attribute(store, "X", "shape", SDCA_INT64, 2, shape));
    if (writer->options.features != NULL) {
        SDCA_TRY(sdca_table_schema_write(writer->options.features, store));
    }

done:
    return status;
}

sdca_status sdca_dataset_writer_finish(sdca_dataset_writer *writer)
{
    sdca_status status = SDCA_OK;

    if (writer->stats.rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "there are no rows for '%s'",
                         sdca_hdf5_path(writer->store));
    }
    SDCA_TRY(flush_entries(writer));
    SDCA_TRY(flush_offsets(writer));
    if (!writer->options.unlabelled) {
        SDCA_TRY(finish_labels(writer));
    }
    if (writer->options.weighted) {
        SDCA_TRY(flush_weights(writer));
    }
    if (writer->options.group != NULL) {
        SDCA_TRY(flush_groups(writer));
    }
    SDCA_TRY(write_attributes(writer));
    SDCA_TRY(sdca_hdf5_finish(writer->store));
    writer->finished = true;

done:
    return status;
}

sdca_status sdca_dataset_writer_commit(sdca_dataset_writer *writer)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(writer->finished ? SDCA_OK : sdca_dataset_writer_finish(writer));
    store         = writer->store;
    writer->store = NULL; /* freed in any case */
    SDCA_TRY(sdca_hdf5_commit(store));

done:
    sdca_dataset_writer_discard(writer);
    return status;
}

void sdca_dataset_writer_discard(sdca_dataset_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    sdca_hdf5_close(writer->store);
    sdca_dataset_writer_stats_free(&writer->stats);
    free(writer->value32);
    free(writer->value64);
    free(writer->column);
    free(writer->offset);
    free(writer->label);
    free(writer->weight);
    free(writer->group);
    free(writer);
}
