/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.c - a data set from an HDF5 file, each rank reading its own rows.
 *
 * Reading is independent on each rank: nobody waits for another between two
 * agreements, so a bad row on one rank is told by all. */
#include "sdca/reader.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/store.h"

/* Non-zeros that are read at a time, to be woven into entries. */
enum { PIECE = 1 << 18 };

/* What a file says of itself, before any row is read. */
typedef struct header {
    bool    dense;
    bool    wide; /* values are float64, or whole numbers that may need it */
    bool    labels;
    int64_t rows;
    int64_t columns;
    int64_t nonzeros; /* sparse files only */
} header;

static sdca_status check_array(sdca_store *store, const char *name, int dimensions,
                               sdca_shape *shape)
{
    sdca_status status = sdca_store_shape(store, name, shape);

    if (status == SDCA_OK && shape->dimensions != dimensions) {
        status = SDCA_FAIL(SDCA_DATA, "%s in '%s' has %d dimension%s, not %d", name,
                           sdca_store_path(store), shape->dimensions,
                           shape->dimensions == 1 ? "" : "s", dimensions);
    }
    return status;
}

static sdca_status read_dense_header(sdca_store *store, header *head)
{
    sdca_shape  shape;
    sdca_status status = check_array(store, "X", 2, &shape);

    if (status == SDCA_OK) {
        head->dense   = true;
        head->wide    = !shape.real || shape.bytes > sizeof(float);
        head->rows    = shape.extent[0];
        head->columns = shape.extent[1];
    }
    return status;
}

static sdca_status read_sparse_header(sdca_store *store, header *head)
{
    const char *path   = sdca_store_path(store);
    sdca_status status = SDCA_OK;
    int64_t     size[2];
    sdca_shape  values, indices, offsets;
    char        encoding[32] = "csr_matrix";

    if (sdca_store_has(store, "X", "encoding-type")) {
        SDCA_TRY(
            sdca_store_get_text(store, "X", "encoding-type", encoding, sizeof encoding));
    }
    if (strcmp(encoding, "csr_matrix") != 0) {
        status = SDCA_FAIL(SDCA_DATA, "X in '%s' is a %s where a csr_matrix is needed",
                           path, encoding);
        goto done;
    }
    SDCA_TRY(sdca_store_get_numbers(store, "X", "shape", SDCA_INT64, 2, size));
    SDCA_TRY(check_array(store, "X/data", 1, &values));
    SDCA_TRY(check_array(store, "X/indices", 1, &indices));
    SDCA_TRY(check_array(store, "X/indptr", 1, &offsets));
    if (indices.real || offsets.real) {
        status = SDCA_FAIL(SDCA_DATA,
                           "X/indices and X/indptr in '%s' must be whole numbers", path);
    } else if (values.extent[0] != indices.extent[0]) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' has %lld values but %lld column indices", path,
                      (long long)values.extent[0], (long long)indices.extent[0]);
    } else if (offsets.extent[0] != size[0] + 1) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' has %lld row offsets for %lld rows; one more is needed",
                           path, (long long)offsets.extent[0], (long long)size[0]);
    }
    head->dense    = false;
    head->wide     = !values.real || values.bytes > sizeof(float);
    head->rows     = size[0];
    head->columns  = size[1];
    head->nonzeros = values.extent[0];

done:
    return status;
}

static sdca_status read_header(sdca_store *store, bool labels, header *head)
{
    const char *path   = sdca_store_path(store);
    sdca_status status = SDCA_OK;
    sdca_shape  y;

    if (sdca_store_has_group(store, "X")) {
        SDCA_TRY(read_sparse_header(store, head));
    } else if (sdca_store_has_array(store, "X")) {
        SDCA_TRY(read_dense_header(store, head));
    } else {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is not a data set: it has no X", path);
        goto done;
    }
    head->labels = sdca_store_has_array(store, "y");
    if (head->labels) {
        SDCA_TRY(check_array(store, "y", 1, &y));
    }
    if (head->rows < 1) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has no rows", path);
    } else if (head->columns < 0 || head->columns >= INT32_MAX) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' has %lld columns; at most 2147483646 are possible",
                      path, (long long)head->columns);
    } else if (labels && !head->labels) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has no labels y", path);
    } else if (head->labels && y.extent[0] != head->rows) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld labels for %lld rows", path,
                           (long long)y.extent[0], (long long)head->rows);
    } else if (sdca_store_has_array(store, "weight")) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' has sample weights, which this version cannot use: remove the "
            "array 'weight' to train without them",
            path);
    }

done:
    return status;
}

/* Row offsets of a range of rows: one more than there are rows. They ascend from 0 to
 * the number of non-zeros. */
static sdca_status read_offsets(sdca_store *store, const header *head, sdca_range range,
                                int64_t *offset)
{
    sdca_range  read   = { range.first, range.count + 1 };
    sdca_status status = sdca_store_read(store, "X/indptr", read, SDCA_INT64, offset);

    for (int64_t k = 0; status == SDCA_OK && k <= range.count; k++) {
        int64_t row   = range.first + k;
        int64_t least = row == head->rows ? head->nonzeros : k > 0 ? offset[k - 1] : 0;
        int64_t most  = row == 0 ? 0 : head->nonzeros;

        if (offset[k] < least || offset[k] > most) {
            status = SDCA_FAIL(
                SDCA_DATA,
                "'%s', row %lld: its offset %lld does not ascend from 0 to %lld",
                sdca_store_path(store), (long long)row, (long long)offset[k],
                (long long)head->nonzeros);
        }
    }
    return status;
}

/* Cut the rows of a sparse file into equal work. Each rank looks at an equal
 * slice of the offsets, so that nobody needs them all. Collective. */
static sdca_status find_mine(MPI_Comm comm, sdca_store *store, const header *head,
                             sdca_range *mine)
{
    int         rank   = sdca_comm_rank(comm);
    int         ranks  = sdca_comm_size(comm);
    sdca_range  slice  = sdca_partition_even(head->rows, rank, ranks);
    sdca_status status = SDCA_OK;
    int64_t    *offset = malloc(((size_t)slice.count + 1) * sizeof *offset);
    int64_t    *cut    = malloc(((size_t)ranks + 1) * sizeof *cut);

    if (offset == NULL || cut == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                           (long long)slice.count);
    } else if (slice.count > 0) {
        status = read_offsets(store, head, slice, offset);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    sdca_partition_cut(slice, offset, head->rows, head->nonzeros, ranks, cut);
    sdca_comm_min_int64(comm, cut, ranks + 1);
    mine->first = cut[rank];
    mine->count = cut[rank + 1] - cut[rank];

done:
    free(offset);
    free(cut);
    return status;
}

static int by_column(const void *a, const void *b)
{
    const sdca_wide_entry *first  = a;
    const sdca_wide_entry *second = b;

    return (first->column > second->column) - (first->column < second->column);
}

/* SciPy allows a row's columns in any order; here they ascend. */
static sdca_status sort_row(const char *path, int64_t row, sdca_rows *x, uint32_t i)
{
    int64_t          first  = x->start[i];
    size_t           count  = (size_t)(x->start[i + 1] - first);
    sdca_status      status = SDCA_OK;
    sdca_wide_entry *copy   = malloc(count * sizeof *copy);

    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to sort row %lld of '%s'",
                         (long long)row, path);
    }
    for (size_t k = 0; k < count; k++) {
        copy[k] = (sdca_wide_entry){ sdca_rows_column(x, first + (int64_t)k),
                                     sdca_rows_value(x, first + (int64_t)k) };
    }
    qsort(copy, count, sizeof *copy, by_column);
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && copy[k].column == copy[k - 1].column) {
            status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: column %lld stands twice",
                               path, (long long)row, (long long)copy[k].column);
            break;
        }
        sdca_rows_set(x, first + (int64_t)k, (int32_t)copy[k].column, copy[k].value);
    }
    free(copy);
    return status;
}

static bool only_zeros(const sdca_rows *x, uint32_t i)
{
    for (int64_t k = x->start[i]; k < x->start[i + 1]; k++) {
        if (sdca_rows_value(x, k) != 0.0) {
            return false;
        }
    }
    return true;
}

/* Check one row as read from the file, and put its columns in order. */
static sdca_status check_row(const char *path, int64_t row, int64_t columns, sdca_rows *x,
                             uint32_t i)
{
    bool   ascends = true;
    double norm2   = 0.0;

    for (int64_t k = x->start[i]; k < x->start[i + 1]; k++) {
        int64_t column = sdca_rows_column(x, k);

        if (column < 0 || column >= columns) {
            return SDCA_FAIL(
                SDCA_DATA, "'%s', row %lld: column %lld is not among the %lld there are",
                path, (long long)row, (long long)column, (long long)columns);
        }
        if (!isfinite(sdca_rows_value(x, k))) {
            return SDCA_FAIL(
                SDCA_DATA,
                "'%s', row %lld, column %lld: the value is not a finite number", path,
                (long long)row, (long long)column);
        }
        norm2 += sdca_rows_value(x, k) * sdca_rows_value(x, k);
        ascends = ascends && (k == x->start[i] || column > sdca_rows_column(x, k - 1));
    }
    if (norm2 == 0.0 && !only_zeros(x, i)) {
        return SDCA_FAIL(
            SDCA_DATA, "'%s', row %lld: the squares of its values vanish; scale the data",
            path, (long long)row);
    }
    if (!isfinite(norm2)) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: the squares of its values add up to infinity",
                         path, (long long)row);
    }
    return ascends ? SDCA_OK : sort_row(path, row, x, i);
}

/* Leave out all entries in columns from limit on. */
static void drop_columns(sdca_rows *x, int32_t limit)
{
    int64_t kept = 0;

    for (uint32_t i = 0; i < x->count; i++) {
        int64_t first = x->start[i];

        x->start[i] = kept;
        for (int64_t k = first; k < x->start[i + 1]; k++) {
            if (sdca_rows_column(x, k) < limit) {
                sdca_rows_set(x, kept++, (int32_t)sdca_rows_column(x, k),
                              sdca_rows_value(x, k));
            }
        }
    }
    x->start[x->count] = kept;
    x->columns         = limit;
}

/* Buffers between the file's arrays and our entries. */
typedef struct weaver {
    int32_t *column;
    float   *narrow;
    double  *wide;
} weaver;

static void free_weaver(weaver *buffer)
{
    free(buffer->column);
    free(buffer->narrow);
    free(buffer->wide);
}

static sdca_status create_weaver(int64_t size, bool wide, weaver *buffer)
{
    buffer->column = malloc((size_t)size * sizeof *buffer->column);
    buffer->narrow = wide ? NULL : malloc((size_t)size * sizeof *buffer->narrow);
    buffer->wide   = wide ? malloc((size_t)size * sizeof *buffer->wide) : NULL;
    return buffer->column != NULL && (buffer->narrow != NULL || buffer->wide != NULL)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for buffers");
}

static sdca_status read_values(sdca_store *store, const char *name, sdca_range range,
                               weaver *buffer)
{
    return buffer->wide != NULL
               ? sdca_store_read(store, name, range, SDCA_FLOAT64, buffer->wide)
               : sdca_store_read(store, name, range, SDCA_FLOAT32, buffer->narrow);
}

static sdca_status read_sparse_rows(sdca_store *store, const header *head,
                                    sdca_range mine, sdca_rows *x)
{
    sdca_status status = SDCA_OK;
    weaver      buffer = { NULL, NULL, NULL };
    int64_t    *offset = malloc(((size_t)mine.count + 1) * sizeof *offset);
    int64_t     first, count;

    if (offset == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the offsets of %lld rows",
                           (long long)mine.count);
        goto done;
    }
    SDCA_TRY(create_weaver(PIECE, head->wide, &buffer));
    SDCA_TRY(read_offsets(store, head, mine, offset));
    first = offset[0];
    count = offset[mine.count] - first;
    SDCA_TRY(sdca_rows_create((uint32_t)mine.count, (int32_t)head->columns, count,
                              head->wide, x));
    for (int64_t i = 0; i <= mine.count; i++) {
        x->start[i] = offset[i] - first;
    }
    for (int64_t at = 0; at < count; at += PIECE) {
        sdca_range piece = { first + at, count - at < PIECE ? count - at : PIECE };

        SDCA_TRY(sdca_store_read(store, "X/indices", piece, SDCA_INT32, buffer.column));
        SDCA_TRY(read_values(store, "X/data", piece, &buffer));
        for (int64_t k = 0; k < piece.count; k++) {
            if (head->wide) {
                x->wide[at + k] = (sdca_wide_entry){ buffer.column[k], buffer.wide[k] };
            } else {
                x->entry[at + k] = (sdca_entry){ buffer.column[k], buffer.narrow[k] };
            }
        }
    }

done:
    free(offset);
    free_weaver(&buffer);
    return status;
}

/* A dense file becomes sparse rows in memory: zeros are left out. */
static sdca_status read_dense_rows(sdca_store *store, const header *head, sdca_range mine,
                                   sdca_rows *x)
{
    sdca_status status = SDCA_OK;
    weaver      buffer = { NULL, NULL, NULL };
    int64_t     width  = head->columns;
    int64_t     step   = width < PIECE ? PIECE / (width > 0 ? width : 1) : 1;
    int64_t     kept   = 0;

    SDCA_TRY(create_weaver(step * width + 1, head->wide, &buffer));
    SDCA_TRY(sdca_rows_create((uint32_t)mine.count, (int32_t)width, mine.count * width,
                              head->wide, x));
    for (int64_t at = 0; at < mine.count; at += step) {
        sdca_range piece = { mine.first + at,
                             mine.count - at < step ? mine.count - at : step };

        SDCA_TRY(read_values(store, "X", piece, &buffer));
        for (int64_t i = 0; i < piece.count; i++) {
            for (int64_t j = 0; j < width; j++) {
                double value = head->wide ? buffer.wide[i * width + j]
                                          : (double)buffer.narrow[i * width + j];

                if (value != 0.0) {
                    sdca_rows_set(x, kept++, (int32_t)j, value);
                }
            }
            x->start[at + i + 1] = kept;
        }
    }

done:
    free_weaver(&buffer);
    return status;
}

/* Labels as people gave them: -1 and +1 in the file may stand for others. */
static sdca_status read_labels(sdca_store *store, sdca_range mine, double *y)
{
    double      label[2] = { -1.0, 1.0 };
    int64_t     count    = 0;
    sdca_status status   = SDCA_OK;

    SDCA_TRY(sdca_store_read(store, "y", mine, SDCA_FLOAT64, y));
    if (sdca_store_has(store, "y", "labels")) {
        SDCA_TRY(sdca_store_count(store, "y", "labels", &count));
        count = count < 2 ? 1 : 2;
        SDCA_TRY(
            sdca_store_get_numbers(store, "y", "labels", SDCA_FLOAT64, count, label));
        label[1] = label[count - 1];
    }
    for (int64_t i = 0; i < mine.count; i++) {
        if (!isfinite(y[i])) {
            status =
                SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is not a finite number",
                          sdca_store_path(store), (long long)(mine.first + i));
            goto done;
        }
        y[i] = count > 0 ? label[y[i] > 0.0] : y[i];
    }

done:
    return status;
}

/* My rows and labels, checked: all that one rank does by itself. */
static sdca_status read_rows(sdca_store *store, const header *head, sdca_range mine,
                             sdca_rows *x, double **y)
{
    sdca_status status = SDCA_OK;

    if (mine.count > UINT32_MAX - 1) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                           sdca_store_path(store), (long long)mine.count);
        goto done;
    }
    SDCA_TRY(head->dense ? read_dense_rows(store, head, mine, x)
                         : read_sparse_rows(store, head, mine, x));
    for (uint32_t i = 0; i < x->count; i++) {
        SDCA_TRY(check_row(sdca_store_path(store), mine.first + i, head->columns, x, i));
    }
    if (head->labels) {
        *y = malloc(((size_t)mine.count + 1) * sizeof **y);
        if (*y == NULL) {
            status = SDCA_FAIL(SDCA_MEMORY, "no memory for %lld labels",
                               (long long)mine.count);
            goto done;
        }
        SDCA_TRY(read_labels(store, mine, *y));
    }

done:
    return status;
}

/* Values that are exact in float32 on all ranks are kept in float32. */
static sdca_status narrow_if_exact(MPI_Comm comm, sdca_rows *x)
{
    double fits = sdca_rows_fit_float(x) ? 1.0 : 0.0;

    sdca_comm_min(comm, &fits, 1);
    return sdca_comm_agree(comm, fits > 0.0 ? sdca_rows_narrow(x) : SDCA_OK);
}

sdca_status sdca_reader_read(MPI_Comm comm, const char *path, sdca_reader_options options,
                             sdca_dataset **out)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = NULL;
    header      head   = { 0 };
    sdca_rows   x      = { 0 };
    double     *y      = NULL;
    sdca_range  mine;

    SDCA_TRY(sdca_store_open(comm, path, &store));
    SDCA_TRY(sdca_comm_agree(comm, read_header(store, options.labels, &head)));
    if (head.dense) {
        mine = sdca_partition_even(head.rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    } else {
        SDCA_TRY(find_mine(comm, store, &head, &mine));
    }
    SDCA_TRY(sdca_comm_agree(comm, read_rows(store, &head, mine, &x, &y)));
    SDCA_TRY(narrow_if_exact(comm, &x));
    SDCA_TRY(sdca_dataset_create(comm, &x, y, options.normalize, out));
    y = NULL;              /* now the data set's */
    if (options.limited) { /* a row's length is that of all its columns */
        drop_columns(&(*out)->x, options.columns);
        (*out)->columns = options.columns;
    }

done:
    sdca_store_close(store);
    sdca_rows_free(&x);
    free(y);
    return status;
}
