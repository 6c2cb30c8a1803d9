/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.c - a data set from an HDF5 file, each rank reading its own rows.
 *
 * Reading is independent on each rank: nobody waits for another between two
 * agreements, so a bad row on one rank is told by all. */
#include "sdca/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/store.h"
#include "weave.h"

/* The longest path in a file. */
enum { PATH = 512 };

/* Non-zeros that are read at a time, to be woven into entries: few enough that
 * they are in the cache then. */
enum { PIECE = 1 << 16 };

/* With this share of non-zeros a dense row is as fast as a sparse one, which has more
 * to fetch and cannot take several values at once (measured: 0.38). */
static const double dense_from = 0.4;

/* Rows ahead of the present one that memory is asked for. */
enum { FAR = 16, NEAR = 8 };

/* Rows lie in an order that is a function of this and of their numbers. */
static const uint64_t shuffle_seed = 1;

/* What a file says of itself, before any row is read. */
typedef struct header {
    bool    dense;
    bool    wide; /* values are float64, or whole numbers that may need it */
    bool    labels;
    char    label[PATH];    /* the array of labels, */
    char    category[PATH]; /* which says which of these they are; "": itself */
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
        status = SDCA_FAIL(SDCA_DATA,
                           "X in '%s' is a %s where a csr_matrix is needed: write it "
                           "again by rows, as after adata.X = adata.X.tocsr()",
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

/* Where a column of obs has its values: numbers are an array, categories a group or,
 * before AnnData 0.8, an array with its categories apart. */
static sdca_status find_column(sdca_store *store, const char *column, header *head)
{
    const char *path = sdca_store_path(store);

    snprintf(head->label, PATH, "obs/%s", column);
    if (sdca_store_has_group(store, head->label)) {
        snprintf(head->label, PATH, "obs/%s/codes", column);
        snprintf(head->category, PATH, "obs/%s/categories", column);
        if (!sdca_store_has_array(store, head->label) ||
            !sdca_store_has_array(store, head->category)) {
            return SDCA_FAIL(SDCA_DATA,
                             "obs/%s in '%s' has no codes and categories, nor "
                             "is it an array of numbers",
                             column, path);
        }
        return SDCA_OK;
    }
    if (!sdca_store_has_array(store, head->label)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no column '%s' in obs", path, column);
    }
    if (sdca_store_has_texts(store, head->label)) {
        return SDCA_FAIL(SDCA_DATA,
                         "obs/%s in '%s' is text: write it as categories, as "
                         "astype('category') makes them, or as numbers",
                         column, path);
    }
    snprintf(head->category, PATH, "obs/__categories/%s", column);
    if (!sdca_store_has_array(store, head->category)) {
        head->category[0] = '\0';
    }
    return SDCA_OK;
}

/* Where the labels are, if there are any. */
static sdca_status find_labels(sdca_store *store, const sdca_reader_options *options,
                               header *head)
{
    if (options->label != NULL) {
        head->labels = true;
        return find_column(store, options->label, head);
    }
    head->labels = sdca_store_has_array(store, "y");
    strcpy(head->label, "y");
    if (options->labels && !head->labels) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no labels y%s", sdca_store_path(store),
                         sdca_store_has_group(store, "obs")
                             ? "; --label names the column of obs that has them"
                             : "");
    }
    return SDCA_OK;
}

static sdca_status read_header(sdca_store *store, const sdca_reader_options *options,
                               header *head)
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
    SDCA_TRY(find_labels(store, options, head));
    if (head->labels) {
        SDCA_TRY(check_array(store, head->label, 1, &y));
    }
    if (head->rows < 1) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has no rows", path);
    } else if (head->columns < 0 || head->columns >= INT32_MAX) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' has %lld columns; at most 2147483646 are possible",
                      path, (long long)head->columns);
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

/* One rank's way through its rows. */
typedef struct reading {
    sdca_store                *store;
    const header              *head;
    const sdca_reader_options *options;
    bool       dense; /* rows will be dense in memory, whatever the file's are */
    sdca_weave weave;
    int64_t   *offset;   /* in the file, of my rows' non-zeros; of a dense file, as
                          * if it were sparse and mine alone */
    double     *label;   /* of my rows, as in the file; NULL: there are none */
    sdca_array *columns; /* sparse files only */
    sdca_array *values;
    uint32_t   *place;  /* a piece: places of its rows, */
    int32_t    *column; /* columns, and values in one of two widths */
    float      *narrow;
    double     *wide;
    void       *whole; /* a piece of a dense file */
} reading;

static void end_reading(reading *r)
{
    sdca_store_close_array(r->columns);
    sdca_store_close_array(r->values);
    free(r->offset);
    free(r->label);
    free(r->place);
    free(r->column);
    free(r->narrow);
    free(r->wide);
    free(r->whole);
}

static sdca_status no_memory(const reading *r)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld rows of '%s'",
                     (long long)r->weave.draft->mine.count, sdca_store_path(r->store));
}

/* Where does the piece that begins with my row k end? In front of another row. */
static int64_t end_of_piece(const reading *r, int64_t k)
{
    int64_t rows = r->weave.draft->mine.count;
    int64_t end  = k + 1;

    while (end < rows && end - k < PIECE && r->offset[end + 1] - r->offset[k] <= PIECE) {
        end++;
    }
    return end;
}

/* Room for a piece of so many non-zeros. */
static sdca_status make_buffers(reading *r, int64_t most)
{
    r->place  = malloc(PIECE * sizeof *r->place);
    r->column = malloc(((size_t)most + 1) * sizeof *r->column);
    if (r->head->wide) {
        r->wide = malloc(((size_t)most + 1) * sizeof *r->wide);
    } else {
        r->narrow = malloc(((size_t)most + 1) * sizeof *r->narrow);
    }
    return r->place != NULL && r->column != NULL && (r->wide != NULL || r->narrow != NULL)
               ? SDCA_OK
               : no_memory(r);
}

/* A row may be longer than pieces are. */
static int64_t longest_piece(const reading *r)
{
    int64_t rows = r->weave.draft->mine.count;
    int64_t most = PIECE;

    for (int64_t k = 0; k < rows; k++) {
        int64_t width = r->offset[k + 1] - r->offset[k];

        most = width > most ? width : most;
    }
    return most;
}

/* Sparse rows begin one behind the other in the order they lie in. */
static sdca_status make_sparse_rows(const reading *r, sdca_dataset *draft)
{
    uint32_t    rows   = (uint32_t)draft->mine.count;
    int64_t     bias   = draft->bias > 0.0;
    int64_t     count  = r->offset[rows] - r->offset[0] + bias * rows;
    sdca_status status = sdca_rows_create(rows, (int32_t)(r->head->columns + bias), count,
                                          r->head->wide, &draft->x);

    if (status != SDCA_OK) {
        return status;
    }
    for (uint32_t k = 0; k < rows; k++) {
        uint32_t i = sdca_random_place(&draft->places, k);

        draft->x.start[i + 1] = r->offset[k + 1] - r->offset[k] + bias;
    }
    for (uint32_t i = 0; i < rows; i++) {
        draft->x.start[i + 1] += draft->x.start[i];
    }
    return SDCA_OK;
}

static sdca_status make_rows(reading *r)
{
    sdca_dataset *draft = r->weave.draft;
    uint32_t      rows  = (uint32_t)draft->mine.count;
    int32_t       width = (int32_t)r->head->columns + (draft->bias > 0.0);
    sdca_status   status =
        r->dense ? sdca_rows_create_dense(rows, width, r->head->wide, &draft->x)
                   : make_sparse_rows(r, draft);

    if (status != SDCA_OK) {
        return status;
    }
    draft->norm2 = sdca_memory_allocate(rows, sizeof *draft->norm2);
    if (r->head->labels) {
        draft->y = sdca_memory_allocate(rows, sizeof *draft->y);
    }
    return draft->norm2 != NULL && (draft->y != NULL || !r->head->labels) ? SDCA_OK
                                                                          : no_memory(r);
}

/* Set down my rows k .. end - 1, of which the buffers hold all non-zeros. */
static sdca_status weave_piece(reading *r, int64_t k, int64_t end)
{
    sdca_status status = SDCA_OK;
    int64_t     first  = r->offset[k];
    int64_t     rows   = end - k;

    for (int64_t j = 0; j < rows; j++) {
        r->place[j] = sdca_random_place(&r->weave.draft->places, (uint32_t)(k + j));
    }
    for (int64_t j = 0; status == SDCA_OK && j < rows; j++) {
        uint32_t row   = (uint32_t)(k + j);
        double   label = r->label != NULL ? r->label[row] : 0.0;
        int64_t  at    = r->offset[row] - first;
        int64_t  count = r->offset[row + 1] - r->offset[row];

        if (j + FAR < rows) {
            sdca_weave_expect(&r->weave, r->place[j + FAR]);
        }
        if (j + NEAR < rows) {
            sdca_weave_expect_entries(&r->weave, r->place[j + NEAR]);
        }
        status = r->head->wide ? sdca_weave_wide(&r->weave, row, r->place[j], label,
                                                 count, r->column + at, r->wide + at)
                               : sdca_weave_narrow(&r->weave, row, r->place[j], label,
                                                   count, r->column + at, r->narrow + at);
    }
    if (r->options->progress != NULL) {
        r->options->progress(r->options->context, end, r->weave.draft->mine.count);
    }
    return status;
}

static sdca_status read_sparse_rows(reading *r)
{
    sdca_range  mine   = r->weave.draft->mine;
    sdca_status status = SDCA_OK;
    int64_t     end;

    SDCA_TRY(read_offsets(r->store, r->head, mine, r->offset));
    SDCA_TRY(make_rows(r));
    SDCA_TRY(make_buffers(r, longest_piece(r)));
    SDCA_TRY(sdca_store_open_array(r->store, "X/indices", SDCA_INT32, &r->columns));
    SDCA_TRY(sdca_store_open_array(
        r->store, "X/data", r->head->wide ? SDCA_FLOAT64 : SDCA_FLOAT32, &r->values));
    for (int64_t k = 0; k < mine.count; k = end) {
        sdca_range piece = { r->offset[k], 0 };

        end         = end_of_piece(r, k);
        piece.count = r->offset[end] - r->offset[k];
        SDCA_TRY(sdca_store_read_array(r->columns, piece, r->column));
        SDCA_TRY(sdca_store_read_array(r->values, piece,
                                       r->head->wide ? (void *)r->wide : r->narrow));
        SDCA_TRY(weave_piece(r, k, end));
    }

done:
    return status;
}

/* Rows of a dense file that make a piece. */
static int64_t dense_step(const reading *r)
{
    int64_t width = r->head->columns > 0 ? r->head->columns : 1;

    return width < PIECE ? PIECE / width : 1;
}

/* Read the piece of a dense file that begins with my row k; *count says how many rows
 * it has. */
static sdca_status read_whole(reading *r, int64_t k, int64_t *count)
{
    sdca_range mine  = r->weave.draft->mine;
    int64_t    left  = mine.count - k;
    sdca_range piece = { mine.first + k, left < dense_step(r) ? left : dense_step(r) };

    *count = piece.count;
    return sdca_store_read_array(r->values, piece, r->whole);
}

/* The non-zeros of width values: their columns, and they themselves. Returns how many
 * there are. */
static int64_t take_narrow(const float *whole, int64_t width, int32_t *column,
                           float *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = whole[j];
        count += whole[j] != 0.0F;
    }
    return count;
}

static int64_t take_wide(const double *whole, int64_t width, int32_t *column,
                         double *value)
{
    int64_t count = 0;

    for (int64_t j = 0; j < width; j++) {
        column[count] = (int32_t)j;
        value[count]  = whole[j];
        count += whole[j] != 0.0;
    }
    return count;
}

/* Fill the buffers with the non-zeros of a dense piece, and say where its rows would
 * begin in a sparse file. */
static void take_nonzeros(reading *r, int64_t k, int64_t rows)
{
    int64_t width = r->head->columns;
    int64_t first = r->offset[k];

    for (int64_t i = 0; i < rows; i++) {
        int64_t at    = r->offset[k + i] - first;
        int64_t count = r->head->wide ? take_wide((double *)r->whole + i * width, width,
                                                  r->column + at, r->wide + at)
                                      : take_narrow((float *)r->whole + i * width, width,
                                                    r->column + at, r->narrow + at);

        r->offset[k + i + 1] = r->offset[k + i] + count;
    }
}

/* Buffers for a dense file, and the share of values in its first piece that are not
 * zero; nothing else tells. */
static sdca_status begin_dense_rows(reading *r, double *nonzeros, double *values)
{
    sdca_status status = SDCA_OK;
    int64_t     most   = dense_step(r) * r->head->columns;
    int64_t     rows   = 0;

    r->whole =
        malloc(((size_t)most + 1) * (r->head->wide ? sizeof(double) : sizeof(float)));
    if (r->whole == NULL) {
        return no_memory(r);
    }
    SDCA_TRY(make_buffers(r, most));
    SDCA_TRY(sdca_store_open_array(
        r->store, "X", r->head->wide ? SDCA_FLOAT64 : SDCA_FLOAT32, &r->values));
    SDCA_TRY(read_whole(r, 0, &rows));
    r->offset[0] = 0;
    take_nonzeros(r, 0, rows);
    *nonzeros = (double)r->offset[rows];
    *values   = (double)rows * (double)r->head->columns;

done:
    return status;
}

static sdca_status read_dense_rows(reading *r)
{
    sdca_range  mine   = r->weave.draft->mine;
    sdca_status status = SDCA_OK;
    int64_t     rows;

    /* Sparse rows need to know where they begin: then the file is read twice. */
    for (int64_t k = 0; !r->dense && k < mine.count; k += rows) {
        SDCA_TRY(read_whole(r, k, &rows));
        take_nonzeros(r, k, rows);
    }
    SDCA_TRY(make_rows(r));
    for (int64_t k = 0; k < mine.count; k += rows) {
        SDCA_TRY(read_whole(r, k, &rows));
        take_nonzeros(r, k, rows);
        SDCA_TRY(weave_piece(r, k, k + rows));
    }

done:
    return status;
}

/* What categories are: words, which labels then are numbers of, or numbers, which are
 * the labels. */
static sdca_status read_categories(sdca_store *store, const char *name, sdca_texts *words,
                                   sdca_shape *shape, double **numbers)
{
    sdca_status status = SDCA_OK;

    if (sdca_store_has_texts(store, name)) {
        SDCA_TRY(sdca_store_read_texts(store, name, words));
        shape->extent[0] = words->count;
        goto done;
    }
    SDCA_TRY(check_array(store, name, 1, shape));
    *numbers = malloc(((size_t)shape->extent[0] + 1) * sizeof **numbers);
    if (*numbers == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s", name);
        goto done;
    }
    SDCA_TRY(sdca_store_read(store, name, (sdca_range){ 0, shape->extent[0] },
                             SDCA_FLOAT64, *numbers));

done:
    return status;
}

/* Labels that say which category they are, from 0; less is none. */
static sdca_status take_categories(sdca_store *store, const char *name, sdca_range mine,
                                   double *y, sdca_texts *words)
{
    sdca_status status  = SDCA_OK;
    double     *numbers = NULL;
    sdca_shape  shape   = { 0 };

    SDCA_TRY(read_categories(store, name, words, &shape, &numbers));
    for (int64_t i = 0; i < mine.count; i++) {
        if (!(y[i] >= 0.0 && y[i] < (double)shape.extent[0])) {
            status = SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is missing",
                               sdca_store_path(store), (long long)(mine.first + i));
            goto done;
        }
        y[i] = numbers != NULL ? numbers[(int64_t)y[i]] : y[i];
    }

done:
    free(numbers);
    return status;
}

/* -1 and +1 in y may stand for other labels. */
static sdca_status restore_labels(sdca_store *store, sdca_range mine, double *y)
{
    double      label[2] = { -1.0, 1.0 };
    int64_t     count    = 0;
    sdca_status status   = SDCA_OK;

    SDCA_TRY(sdca_store_count(store, "y", "labels", &count));
    count = count < 2 ? 1 : 2;
    SDCA_TRY(sdca_store_get_numbers(store, "y", "labels", SDCA_FLOAT64, count, label));
    label[1] = label[count - 1];
    for (int64_t i = 0; i < mine.count; i++) {
        y[i] = label[y[i] > 0.0];
    }

done:
    return status;
}

/* Labels as people gave them. */
static sdca_status read_labels(sdca_store *store, const header *head, sdca_range mine,
                               double *y, sdca_texts *words)
{
    sdca_status status = SDCA_OK;
    const char *file   = sdca_store_path(store);
    bool        ours   = strcmp(head->label, "y") == 0;

    SDCA_TRY(sdca_store_read(store, head->label, mine, SDCA_FLOAT64, y));
    if (ours && sdca_store_has(store, "y", "labels")) {
        SDCA_TRY(restore_labels(store, mine, y));
    }
    if (ours && sdca_store_has_texts(store, "label_names")) {
        SDCA_TRY(take_categories(store, "label_names", mine, y, words));
    }
    if (head->category[0] != '\0') {
        SDCA_TRY(take_categories(store, head->category, mine, y, words));
    }
    for (int64_t i = 0; i < mine.count; i++) {
        if (!isfinite(y[i])) {
            status =
                SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is not a finite number",
                          file, (long long)(mine.first + i));
            goto done;
        }
    }

done:
    return status;
}

/* All that one rank does by itself before the ranks choose between sparse and dense. */
static sdca_status begin_rows(reading *r, double *nonzeros, double *values)
{
    sdca_range mine = r->weave.draft->mine;

    if (mine.count > UINT32_MAX - 1) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows for this rank; use more ranks",
                         sdca_store_path(r->store), (long long)mine.count);
    }
    r->offset = malloc(((size_t)mine.count + 1) * sizeof *r->offset);
    if (r->head->labels) {
        r->label = malloc(((size_t)mine.count + 1) * sizeof *r->label);
    }
    if (r->offset == NULL || (r->label == NULL && r->head->labels)) {
        return no_memory(r);
    }
    return r->head->dense ? begin_dense_rows(r, nonzeros, values) : SDCA_OK;
}

/* Prepare to read, and choose how rows will lie in memory. Collective. */
static sdca_status prepare(MPI_Comm comm, reading *r)
{
    sdca_status status   = SDCA_OK;
    double      total[2] = { (double)r->head->nonzeros,
                             (double)r->head->rows * (double)r->head->columns };

    SDCA_TRY(sdca_comm_agree(comm, begin_rows(r, &total[0], &total[1])));
    if (r->head->dense) {
        sdca_comm_sum(comm, total, 2);
    }
    r->dense = total[0] > dense_from * total[1];

done:
    return status;
}

/* My rows and labels, checked: all that one rank does by itself. */
static sdca_status read_rows(reading *r)
{
    sdca_dataset *draft  = r->weave.draft;
    sdca_status   status = SDCA_OK;

    SDCA_TRY(r->head->labels
                 ? read_labels(r->store, r->head, draft->mine, r->label, &draft->words)
                 : SDCA_OK);
    SDCA_TRY(r->head->dense ? read_dense_rows(r) : read_sparse_rows(r));
    draft->nonzeros = r->offset[draft->mine.count] - r->offset[0];

done:
    return status;
}

/* Values that are exact in float32 on all ranks are kept in float32. Only then can
 * wide rows be divided by their lengths. Collective. */
static sdca_status settle_width(MPI_Comm comm, bool fits, sdca_dataset *draft)
{
    double      all    = fits ? 1.0 : 0.0;
    sdca_status status = SDCA_OK;

    sdca_comm_min(comm, &all, 1);
    SDCA_TRY(sdca_comm_agree(comm, all > 0.0 ? sdca_rows_narrow(&draft->x) : SDCA_OK));
    for (uint32_t i = 0; draft->normalized && i < draft->x.count; i++) {
        if (draft->norm2[i] > 0.0) {
            sdca_rows_scale(&draft->x, i, 1.0 / sqrt(draft->norm2[i]));
            draft->norm2[i] = sdca_rows_norm2(&draft->x, i);
        }
    }

done:
    return status;
}

/* A bias counts for the length of a row, but is not divided by it. */
static void settle_bias(sdca_dataset *draft)
{
    for (uint32_t i = 0; draft->bias > 0.0 && i < draft->x.count; i++) {
        sdca_weave_bias(draft, i);
        draft->norm2[i] = sdca_rows_norm2(&draft->x, i);
    }
}

sdca_status sdca_reader_read(MPI_Comm comm, const char *path, sdca_reader_options options,
                             sdca_dataset **out)
{
    sdca_status  status = SDCA_OK;
    header       head   = { 0 };
    sdca_dataset draft  = { .normalized = options.normalize,
                            .bias       = (double)(float)options.bias };
    reading r = { .head = &head, .options = &options, .weave = { path, &draft, true } };

    SDCA_TRY(sdca_store_open(comm, path, &r.store));
    SDCA_TRY(sdca_comm_agree(comm, read_header(r.store, &options, &head)));
    if (head.dense) {
        draft.mine =
            sdca_partition_even(head.rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    } else {
        SDCA_TRY(find_mine(comm, r.store, &head, &draft.mine));
    }
    if (options.shuffle) {
        draft.places = sdca_random_permutation(shuffle_seed, SDCA_PURPOSE_PLACE,
                                               (uint64_t)draft.mine.first, 0,
                                               (uint32_t)draft.mine.count);
    }
    SDCA_TRY(prepare(comm, &r));
    SDCA_TRY(sdca_comm_agree(comm, read_rows(&r)));
    if (head.wide) {
        SDCA_TRY(settle_width(comm, r.weave.fits, &draft));
    }
    settle_bias(&draft);
    SDCA_TRY(sdca_dataset_share(comm, &draft, out));
    if (options.limited) { /* a row's length is that of all its columns */
        (*out)->stored = (*out)->columns;
        sdca_rows_limit(&(*out)->x, options.columns);
        (*out)->columns = options.columns;
    }

done:
    end_reading(&r);
    sdca_store_close(r.store);
    sdca_rows_free(&draft.x);
    free(draft.y);
    free(draft.norm2);
    sdca_texts_free(&draft.words);
    return status;
}
