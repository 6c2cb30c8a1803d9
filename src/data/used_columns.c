/* SPDX-License-Identifier: BSD-3-Clause
 *
 * used_columns.c - compaction of columns: the columns in use, numbered without gaps.
 *
 * A map is the ascending list of the columns in use. Indices are looked up in a hash
 * table that exists only while rows are mapped: memory depends on the number of columns
 * in use, not on the up to 2^31 columns in total. */
#include "data/used_columns.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/rows_inline.h"
#include "mpi/comm.h"

/* No column or no index. */
enum { NONE = -1 };

/* The columns of all ranks, ascending, or the first limit of them. Collective. */
enum { WORD_BITS = 64, WINDOW_COLUMNS = 1 << 20, WINDOWS = 1 << 11 };

struct sdca_used_columns {
    int32_t  total;
    int32_t  count;
    int64_t  capacity;
    int32_t *original;
};

typedef struct slot {
    int32_t column; /* or NONE */
    int32_t index;
} slot;

/* At most a quarter of the slots are used, so that probing is short. */
typedef struct hash_table {
    int   bits; /* log2 of the number of slots */
    slot *slot;
} hash_table;

static sdca_status no_memory(int32_t columns)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory for the map of %ld columns", (long)columns);
}

/* An empty map of total columns. */
static sdca_status create_map(int32_t total, sdca_used_columns **out)
{
    sdca_used_columns *map = calloc(1, sizeof *map);

    if (map == NULL) {
        return no_memory(total);
    }
    map->total = total;
    *out       = map;
    return SDCA_OK;
}

void sdca_used_columns_free(sdca_used_columns *map)
{
    if (map != NULL) {
        free(map->original);
        free(map);
    }
}

/* Append a column; false if out of memory. */
static bool append_column(sdca_used_columns *map, int32_t column)
{
    if (map->count == map->capacity) {
        int64_t  capacity = 2 * map->capacity + 256;
        int32_t *original =
            sdca_alloc_resize(map->original, (size_t)capacity, sizeof *original);

        if (original == NULL) {
            return false;
        }
        map->original = original;
        map->capacity = capacity;
    }
    map->original[map->count++] = column;
    return true;
}

sdca_status sdca_used_columns_copy(const sdca_used_columns *map, int32_t total,
                                   sdca_used_columns **out)
{
    sdca_used_columns *copy   = NULL;
    sdca_status        status = create_map(total, &copy);

    for (int32_t k = 0; status == SDCA_OK && k < map->count && map->original[k] < total;
         k++) {
        status = append_column(copy, map->original[k]) ? SDCA_OK : no_memory(total);
    }
    if (status != SDCA_OK) {
        sdca_used_columns_free(copy);
        return status;
    }
    *out = copy;
    return SDCA_OK;
}

static bool has_free_slots(const hash_table *t, const sdca_used_columns *map)
{
    return 4 * (int64_t)map->count < INT64_C(1) << t->bits;
}

/* The slot of a column, or the free one where to insert it. */
SDCA_INLINE slot *find_slot(const hash_table *t, int32_t column)
{
    uint64_t last     = (UINT64_C(1) << t->bits) - 1;
    uint64_t position = (uint64_t)column * UINT64_C(0x9e3779b97f4a7c15) >> (64 - t->bits);

    while (t->slot[position].column != column && t->slot[position].column != NONE) {
        position = (position + 1) & last;
    }
    return &t->slot[position];
}

/* Build the table of a map, with space for one more column. */
static bool build_hash_table(const sdca_used_columns *map, hash_table *t)
{
    for (t->bits = 10; !has_free_slots(t, map);) {
        t->bits++;
    }
    free(t->slot);
    t->slot = sdca_alloc_array((size_t)1 << t->bits, sizeof *t->slot);
    for (int64_t k = 0; t->slot != NULL && k < INT64_C(1) << t->bits; k++) {
        t->slot[k] = (slot){ NONE, NONE };
    }
    for (int32_t index = 0; t->slot != NULL && index < map->count; index++) {
        *find_slot(t, map->original[index]) = (slot){ map->original[index], index };
    }
    return t->slot != NULL;
}

/* Mark the columns of rows until limit columns are marked; returns their number. */
SDCA_INLINE int64_t mark_rows(row_format format, const sdca_rows *x, int64_t limit,
                              uint64_t *bits)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < x->count && count < limit; i++) {
        for (int64_t k = x->row[i].start; k < x->row[i + 1].start; k++) {
            uint32_t column = (uint32_t)entry_column(format, x, k);
            uint64_t word   = bits[column / WORD_BITS];

            bits[column / WORD_BITS] = word | UINT64_C(1) << column % WORD_BITS;
            count += bits[column / WORD_BITS] != word;
        }
    }
    return count;
}

/* Append the marked columns, counted from first, in ascending order. */
static bool add_marked(const uint64_t *bits, int64_t words, int64_t first,
                       sdca_used_columns *map)
{
    for (int64_t k = 0; k < words; k++) {
        uint64_t remaining = bits[k];

        for (int bit = 0; remaining != 0; bit++, remaining >>= 1) {
            if ((remaining & 1) != 0 &&
                !append_column(map, (int32_t)(first + k * WORD_BITS + bit))) {
                return false;
            }
        }
    }
    return true;
}

/* Add the columns of many rows, unless *marked reaches the limit. */
static bool add_by_bitmap(const sdca_rows *x, int64_t limit, sdca_used_columns *map,
                          double *marked)
{
    int64_t   words     = x->columns / WORD_BITS + 1;
    uint64_t *bits      = calloc((size_t)words, sizeof *bits);
    bool      allocated = bits != NULL;

    if (allocated) {
        row_format format = format_of(x);

        *marked   = (double)(format == SPARSE16   ? mark_rows(SPARSE16, x, limit, bits)
                             : format == SPARSE32 ? mark_rows(SPARSE32, x, limit, bits)
                                                  : mark_rows(SPARSE64, x, limit, bits));
        allocated = *marked >= (double)limit || add_marked(bits, words, 0, map);
    }
    free(bits);
    return allocated;
}

/* Add the columns of few rows, in order of occurrence. */
static bool add_by_hash(const sdca_rows *x, sdca_used_columns *map)
{
    hash_table t         = { .slot = NULL };
    bool       allocated = build_hash_table(map, &t);

    for (int64_t k = 0; allocated && k < x->row[x->count].start; k++) {
        int32_t column     = (int32_t)sdca_rows_column(x, k);
        slot   *slot_found = find_slot(&t, column);

        if (slot_found->column == NONE) {
            *slot_found = (slot){ column, map->count };
            allocated   = append_column(map, column) &&
                        (has_free_slots(&t, map) || build_hash_table(map, &t));
        }
    }
    free(t.slot);
    return allocated;
}

/* The columns of this rank's rows, unless *marked reaches the limit. With at least limit
 * entries, a bitmap takes less memory than they do and less time than a hash table. */
static sdca_status add_local_columns(const sdca_rows *x, int64_t limit,
                                     sdca_used_columns **out, double *marked)
{
    sdca_status status = create_map(x->columns, out);

    *marked = 0.0;
    if (status != SDCA_OK) {
        return status;
    }
    return (x->row[x->count].start >= limit ? add_by_bitmap(x, limit, *out, marked)
                                            : add_by_hash(x, *out))
               ? SDCA_OK
               : no_memory(x->columns);
}

static int compare_int32(const void *a, const void *b)
{
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;

    return (first > second) - (first < second);
}

/* Mark the windows that contain columns of this rank. */
static void mark_windows(const sdca_used_columns *local_map,
                         uint64_t                 nonempty[WINDOWS / WORD_BITS])
{
    for (int32_t index = 0; index < local_map->count; index++) {
        int32_t window = local_map->original[index] / WINDOW_COLUMNS;

        nonempty[window / WORD_BITS] |= UINT64_C(1) << window % WORD_BITS;
    }
}

/* Mark the columns of this rank in a window, from an index on; returns their number. */
static int32_t mark_columns(const sdca_used_columns *local_map, int32_t index,
                            int32_t window, uint64_t *bits)
{
    int32_t next = index;

    memset(bits, 0, WINDOW_COLUMNS / 8);
    for (;
         next < local_map->count && local_map->original[next] / WINDOW_COLUMNS == window;
         next++) {
        int32_t column = local_map->original[next] % WINDOW_COLUMNS;

        bits[column / WORD_BITS] |= UINT64_C(1) << column % WORD_BITS;
    }
    return next - index;
}

/* The columns of all ranks, ascending, or enough of them. Collective. */
static sdca_status unite_ranks(MPI_Comm comm, sdca_used_columns *local_map, int64_t limit,
                               sdca_used_columns **out)
{
    sdca_status status                        = create_map(local_map->total, out);
    uint64_t   *bits                          = malloc(WINDOW_COLUMNS / 8);
    uint64_t    nonempty[WINDOWS / WORD_BITS] = { 0 };
    int32_t     index                         = 0;
    bool        allocated                     = true;

    SDCA_TRY(sdca_comm_agree(comm, bits != NULL ? status : no_memory(local_map->total)));
    if (local_map->count > 0) {
        qsort(local_map->original, (size_t)local_map->count, sizeof *local_map->original,
              compare_int32);
    }
    mark_windows(local_map, nonempty);
    sdca_comm_allreduce_or(comm, nonempty, WINDOWS / WORD_BITS);
    for (int32_t window = 0; window < WINDOWS; window++) {
        if ((nonempty[window / WORD_BITS] >> window % WORD_BITS & 1) != 0) {
            index += mark_columns(local_map, index, window, bits);
            sdca_comm_allreduce_or(comm, bits, WINDOW_COLUMNS / WORD_BITS);
            allocated = allocated && ((*out)->count >= limit ||
                                      add_marked(bits, WINDOW_COLUMNS / WORD_BITS,
                                                 (int64_t)window * WINDOW_COLUMNS, *out));
        }
    }
    status = sdca_comm_agree(comm, allocated ? SDCA_OK : no_memory(local_map->total));

done:
    free(bits);
    return status;
}

sdca_status sdca_used_columns_create(MPI_Comm comm, const sdca_rows *rows,
                                     sdca_used_columns **out)
{
    sdca_status        status    = SDCA_OK;
    row_format         format    = format_of(rows);
    int64_t            limit     = ((int64_t)rows->columns + 1) / 2;
    sdca_used_columns *local_map = NULL, *global_map = NULL;
    double             marked;

    *out = NULL;
    if (!is_sparse(format)) { /* the same on all ranks */
        return SDCA_OK;
    }
    SDCA_TRY(sdca_comm_agree(comm, add_local_columns(rows, limit, &local_map, &marked)));
    sdca_comm_allreduce_max(comm, &marked, 1);
    if (marked < (double)limit) {
        SDCA_TRY(unite_ranks(comm, local_map, limit, &global_map));
    }
    if (global_map != NULL && global_map->count < limit) {
        *out       = global_map;
        global_map = NULL; /* now the caller's */
    }

done:
    sdca_used_columns_free(local_map);
    sdca_used_columns_free(global_map);
    return status;
}

int32_t sdca_used_columns_count(const sdca_used_columns *map)
{
    return map->count;
}

int32_t sdca_used_columns_total(const sdca_used_columns *map)
{
    return map->total;
}

int32_t sdca_used_columns_original(const sdca_used_columns *map, int32_t index)
{
    return map != NULL ? map->original[index] : index;
}

/* Move an entry and set its column to an index. */
SDCA_INLINE void move_entry(row_format format, sdca_rows *x, int64_t to, int64_t from,
                            int32_t index)
{
    switch (format) {
    case SPARSE16:
        x->sparse16[to]        = x->sparse16[from];
        x->sparse16[to].column = (uint16_t)index;
        break;
    case SPARSE32:
        x->sparse32[to] = (sdca_entry32){ index, x->sparse32[from].value };
        break;
    case SPARSE64:
        x->sparse64[to] = (sdca_entry64){ index, x->sparse64[from].value };
        break;
    case DENSE32:
        x->dense32[to] = x->dense32[from];
        break;
    default:
        x->dense64[to] = x->dense64[from];
    }
}

SDCA_INLINE void apply_to_rows(row_format format, const hash_table *t, sdca_rows *x)
{
    int64_t kept = 0, first = 0;

    for (uint32_t i = 0; i < x->count; i++) {
        int64_t next = x->row[i + 1].start;

        for (int64_t k = first; k < next; k++) {
            int32_t column =
                is_sparse(format) ? entry_column(format, x, k) : (int32_t)(k - first);
            int32_t index = find_slot(t, column)->index;

            if (index != NONE) {
                move_entry(format, x, kept++, k, index);
            }
        }
        x->row[i + 1].start = kept;
        first               = next;
    }
}

sdca_status sdca_used_columns_apply(const sdca_used_columns *map, sdca_rows *rows)
{
    hash_table t = { .slot = NULL };

    if (!build_hash_table(map, &t)) {
        return no_memory(map->total);
    }
    switch (format_of(rows)) {
    case SPARSE16:
        apply_to_rows(SPARSE16, &t, rows);
        break;
    case SPARSE32:
        apply_to_rows(SPARSE32, &t, rows);
        break;
    case SPARSE64:
        apply_to_rows(SPARSE64, &t, rows);
        break;
    case DENSE32:
        apply_to_rows(DENSE32, &t, rows);
        break;
    default:
        apply_to_rows(DENSE64, &t, rows);
    }
    rows->columns = map->count;
    free(t.slot);
    return SDCA_OK;
}
