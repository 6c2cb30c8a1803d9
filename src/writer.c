/* SPDX-License-Identifier: BSD-3-Clause
 *
 * writer.c - a data file, written row by row in bounded memory.
 *
 * Each of the four arrays (values, columns, row offsets, labels) collects in
 * a buffer of its own and goes to the file when that is full. Labels are
 * written as they come: which ones there are is known only at the end, when
 * those of a classification are made -1 and +1 in place. */
#include "sdca/writer.h"

#include <math.h>
#include <stdlib.h>

#include "sdca/memory.h"
#include "sdca/store.h"

/* Numbers per buffer: a whole number of the store's chunks, so that no chunk is
 * written twice. */
enum { PIECE = 1 << 17 };

static const char values_name[]  = "X/data";
static const char columns_name[] = "X/indices";
static const char offsets_name[] = "X/indptr";
static const char labels_name[]  = "y";

struct sdca_writer {
    sdca_hdf5_file     *store;
    sdca_writer_options options;
    sdca_writer_facts   facts;
    bool                finished;

    int64_t  entries; /* in narrow or wide, and in column */
    float   *narrow;  /* NULL where values are float64 */
    double  *wide;    /* NULL where values are float32 */
    int32_t *column;
    int64_t  offsets;
    int64_t *offset;
    int64_t  labels;
    double  *label;
};

static sdca_status flush_entries(sdca_writer *writer)
{
    bool        wide   = writer->options.wide;
    const void *value  = wide ? (const void *)writer->wide : (const void *)writer->narrow;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_append(writer->store, values_name,
                              wide ? SDCA_FLOAT64 : SDCA_FLOAT32, writer->entries,
                              value));
    SDCA_TRY(sdca_hdf5_append(writer->store, columns_name, SDCA_INT32, writer->entries,
                              writer->column));
    writer->entries = 0;

done:
    return status;
}

static sdca_status flush_offsets(sdca_writer *writer)
{
    int64_t count = writer->offsets;

    writer->offsets = 0;
    return sdca_hdf5_append(writer->store, offsets_name, SDCA_INT64, count,
                            writer->offset);
}

static sdca_status flush_labels(sdca_writer *writer)
{
    int64_t count = writer->labels;

    writer->labels = 0;
    return sdca_hdf5_append(writer->store, labels_name, SDCA_FLOAT64, count,
                            writer->label);
}

sdca_status sdca_writer_create(const char *path, sdca_writer_options options,
                               sdca_writer **out)
{
    sdca_status  status = SDCA_OK;
    sdca_writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to write '%s'", path);
    }
    writer->options       = options;
    writer->facts.columns = options.columns;
    if (options.wide) {
        writer->wide = sdca_alloc_array(PIECE, sizeof *writer->wide);
    } else {
        writer->narrow = sdca_alloc_array(PIECE, sizeof *writer->narrow);
    }
    writer->column = sdca_alloc_array(PIECE, sizeof *writer->column);
    writer->offset = sdca_alloc_array(PIECE, sizeof *writer->offset);
    writer->label  = sdca_alloc_array(PIECE, sizeof *writer->label);
    if ((writer->wide == NULL && writer->narrow == NULL) || writer->column == NULL ||
        writer->offset == NULL || writer->label == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to write '%s'", path);
        goto done;
    }
    writer->offset[writer->offsets++] = 0;
    SDCA_TRY(sdca_hdf5_create(path, &writer->store));
    SDCA_TRY(sdca_hdf5_create_group(writer->store, "X"));

    *out   = writer;
    writer = NULL; /* now the caller's */

done:
    sdca_writer_abandon(writer);
    return status;
}

/* Remember this label among the at most two, which stay ascending. */
static sdca_status note_label(sdca_writer_facts *facts, double label)
{
    double *seen = facts->label;

    for (int k = 0; k < facts->labels; k++) {
        if (label == seen[k]) {
            return SDCA_OK;
        }
    }
    if (facts->labels == 2) {
        return SDCA_FAIL(SDCA_DATA,
                         "the label %.10g is the third one, after %.10g and %.10g, "
                         "where classification takes two",
                         label, seen[0], seen[1]);
    }
    seen[facts->labels++] = label;
    if (facts->labels == 2 && seen[0] > seen[1]) {
        double greater = seen[0];

        seen[0] = seen[1];
        seen[1] = greater;
    }
    return SDCA_OK;
}

/* Dividing by the length of a row is multiplying by scale and dividing by
 * length. The scale is a power of two, hence exact, and brings the largest
 * value near 1, so that no square is lost at either end of the range. */
typedef struct measure {
    double scale, length;
} measure;

static measure measure_row(int64_t count, const double *value)
{
    measure m        = { 1.0, 0.0 };
    double  largest  = 0.0;
    int     exponent = 0;

    for (int64_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(value[k]));
    }
    if (largest == 0.0) {
        m.length = 1.0;
        return m;
    }
    frexp(largest, &exponent);
    m.scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    for (int64_t k = 0; k < count; k++) {
        m.length += (value[k] * m.scale) * (value[k] * m.scale);
    }
    m.length = sqrt(m.length);
    return m;
}

/* What the text calls a column. */
static long index_of(const sdca_writer *writer, int32_t column)
{
    return (long)column + (writer->options.zero_based ? 0 : 1);
}

/* Is a whole number another one as float32? Those below 2^24 never are, and beyond 2^53
 * float64 would be of no help. */
static bool is_rounded(double x, float narrow)
{
    return fabs(x) >= 0x1p24 && fabs(x) < 0x1p53 && (double)narrow != x && x == trunc(x);
}

/* Put entries into the buffers, as far as there is room for them, leaving out
 * those that are zero. */
static sdca_status put_entries(sdca_writer *writer, int64_t count, const int32_t *column,
                               const double *value, measure by)
{
    int64_t used = writer->entries;

    for (int64_t k = 0; k < count; k++) {
        double x = value[k];

        if (writer->options.normalize) {
            x = x * by.scale / by.length;
        }
        writer->column[used] = column[k];
        if (writer->options.wide) {
            writer->wide[used] = x;
            used += x != 0.0;
        } else {
            float narrow = (float)x;

            if (isinf(narrow)) {
                return SDCA_FAIL(SDCA_DATA,
                                 "float32 cannot hold the value %g of index %ld", x,
                                 index_of(writer, column[k]));
            }
            writer->narrow[used] = narrow;
            used += narrow != 0.0f;
            writer->facts.vanished += narrow == 0.0f && value[k] != 0.0;
            writer->facts.rounded += is_rounded(x, narrow);
        }
    }
    writer->facts.nonzeros += used - writer->entries;
    writer->entries = used;
    return SDCA_OK;
}

sdca_status sdca_writer_row(sdca_writer *writer, double label, int64_t count,
                            const int32_t *column, const double *value)
{
    sdca_status        status = SDCA_OK;
    sdca_writer_facts *facts  = &writer->facts;
    measure            by     = { 1.0, 1.0 };

    if (count > 0 && column[count - 1] >= facts->columns) {
        if (writer->options.columns > 0) {
            return SDCA_FAIL(
                SDCA_DATA, "the index %ld is beyond the %ld columns asked for",
                index_of(writer, column[count - 1]), (long)writer->options.columns);
        }
        facts->columns = column[count - 1] + 1;
    }
    if (writer->options.classifies && !writer->options.unlabelled) {
        SDCA_TRY(note_label(facts, label));
    }
    if (writer->options.normalize) {
        by = measure_row(count, value);
    }
    while (count > 0) {
        int64_t room = PIECE - writer->entries;
        int64_t part = count < room ? count : room;

        SDCA_TRY(put_entries(writer, part, column, value, by));
        if (writer->entries == PIECE) {
            SDCA_TRY(flush_entries(writer));
        }
        count -= part;
        column += part;
        value += part;
    }
    if (writer->offsets == PIECE) {
        SDCA_TRY(flush_offsets(writer));
    }
    if (writer->labels == PIECE) {
        SDCA_TRY(flush_labels(writer));
    }
    writer->offset[writer->offsets++] = facts->nonzeros;
    if (!writer->options.unlabelled) {
        writer->label[writer->labels++] = label;
    }
    facts->rows++;

done:
    return status;
}

sdca_writer_facts sdca_writer_describe(const sdca_writer *writer)
{
    return writer->facts;
}

/* Replace the labels in the file by -1 and +1, a piece at a time. Of two labels
 * the greater becomes +1; one alone keeps its sign, 0 counting as negative. */
static sdca_status map_labels(sdca_writer *writer)
{
    sdca_status              status = SDCA_OK;
    const sdca_writer_facts *facts  = &writer->facts;
    double                   bound  = facts->labels == 2 ? facts->label[0] : 0.0;
    sdca_range               piece  = { 0, 0 };
    bool                     mapped = true;

    for (int k = 0; k < facts->labels; k++) {
        mapped = mapped && fabs(facts->label[k]) == 1.0;
    }
    for (; !mapped && piece.first < facts->rows; piece.first += piece.count) {
        piece.count =
            facts->rows - piece.first < PIECE ? facts->rows - piece.first : PIECE;
        SDCA_TRY(sdca_hdf5_read_range(writer->store, labels_name, piece, SDCA_FLOAT64,
                                      writer->label));
        for (int64_t k = 0; k < piece.count; k++) {
            writer->label[k] = writer->label[k] > bound ? 1.0 : -1.0;
        }
        SDCA_TRY(sdca_hdf5_write_range(writer->store, labels_name, piece, SDCA_FLOAT64,
                                       writer->label));
    }

done:
    return status;
}

static sdca_status finish_labels(sdca_writer *writer)
{
    sdca_status              status  = SDCA_OK;
    sdca_hdf5_file          *store   = writer->store;
    const sdca_writer_facts *facts   = &writer->facts;
    bool                     classes = writer->options.classifies;

    SDCA_TRY(flush_labels(writer));
    SDCA_TRY(classes ? map_labels(writer) : SDCA_OK);
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, labels_name, "task",
                                              classes ? "classification" : "regression"));
    if (classes) {
        SDCA_TRY(sdca_hdf5_write_attribute(store, labels_name, "labels", SDCA_FLOAT64,
                                           facts->labels, facts->label));
    }

done:
    return status;
}

static sdca_status describe_file(sdca_writer *writer)
{
    sdca_status              status  = SDCA_OK;
    sdca_hdf5_file          *store   = writer->store;
    const sdca_writer_facts *facts   = &writer->facts;
    int64_t                  version = 1;
    int64_t                  shape[] = { facts->rows, facts->columns };

    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "format", "sdca-data"));
    SDCA_TRY(
        sdca_hdf5_write_attribute(store, "/", "format-version", SDCA_INT64, 1, &version));
    SDCA_TRY(sdca_hdf5_write_string_attribute(
        store, "/", "normalize", writer->options.normalize ? "rows" : "none"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "X", "encoding-type", "csr_matrix"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "X", "encoding-version", "0.1.0"));
    SDCA_TRY(sdca_hdf5_write_attribute(store, "X", "shape", SDCA_INT64, 2, shape));
    if (writer->options.legend != NULL) {
        SDCA_TRY(sdca_legend_write(writer->options.legend, store));
    }

done:
    return status;
}

sdca_status sdca_writer_finish(sdca_writer *writer)
{
    sdca_status status = SDCA_OK;

    if (writer->facts.rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "there are no rows for '%s'",
                         sdca_hdf5_path(writer->store));
    }
    SDCA_TRY(flush_entries(writer));
    SDCA_TRY(flush_offsets(writer));
    if (!writer->options.unlabelled) {
        SDCA_TRY(finish_labels(writer));
    }
    SDCA_TRY(describe_file(writer));
    SDCA_TRY(sdca_hdf5_finish(writer->store));
    writer->finished = true;

done:
    return status;
}

sdca_status sdca_writer_commit(sdca_writer *writer)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(writer->finished ? SDCA_OK : sdca_writer_finish(writer));
    store         = writer->store;
    writer->store = NULL; /* gone, whatever the result */
    SDCA_TRY(sdca_hdf5_commit(store));

done:
    sdca_writer_abandon(writer);
    return status;
}

void sdca_writer_abandon(sdca_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    sdca_hdf5_close(writer->store);
    free(writer->narrow);
    free(writer->wide);
    free(writer->column);
    free(writer->offset);
    free(writer->label);
    free(writer);
}
