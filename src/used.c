/* SPDX-License-Identifier: BSD-3-Clause
 *
 * used.c - the set of columns that are in use, and their numbers without gaps.
 *
 * A set is the list of its columns, ascending. Places are looked up in a table of hashes,
 * which is there only while rows are: memory goes by how many columns are in use, be
 * there 2^31 of them. */
#include "sdca/used.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rows_kernel.h"
#include "sdca/comm.h"
#include "sdca/memory.h"

/* No column and no place. */
enum { NONE = -1 };

/* Columns are united so many at a time, a bit for each, in words. */
enum { WORD = 64, WINDOW = 1 << 20, WINDOWS = 1 << 11 };

struct sdca_used {
    int32_t  total;
    int32_t  count;
    int64_t  room;
    int32_t *number;
};

typedef struct slot {
    int32_t column; /* or NONE */
    int32_t place;
} slot;

/* At most a quarter of the slots are taken, so that a column's is near where its hash
 * says. */
typedef struct table {
    int   bits; /* of the number of slots */
    slot *slot;
} table;

static sdca_status no_memory(int32_t columns)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory to tell which of %ld columns are in use",
                     (long)columns);
}

/* The empty set of so many columns. */
static sdca_status create(int32_t total, sdca_used **out)
{
    sdca_used *set = calloc(1, sizeof *set);

    if (set == NULL) {
        return no_memory(total);
    }
    set->total = total;
    *out       = set;
    return SDCA_OK;
}

void sdca_used_free(sdca_used *used)
{
    if (used != NULL) {
        free(used->number);
        free(used);
    }
}

/* One more column; false if there is no memory for it. */
static bool append(sdca_used *set, int32_t column)
{
    if (set->count == set->room) {
        int64_t  room   = 2 * set->room + 256;
        int32_t *number = sdca_alloc_resize(set->number, (size_t)room, sizeof *number);

        if (number == NULL) {
            return false;
        }
        set->number = number;
        set->room   = room;
    }
    set->number[set->count++] = column;
    return true;
}

static bool has_room(const table *t, const sdca_used *set)
{
    return 4 * (int64_t)set->count < INT64_C(1) << t->bits;
}

/* The slot of a column, or the one that it would get. */
SDCA_INLINE slot *find(const table *t, int32_t column)
{
    uint64_t last = (UINT64_C(1) << t->bits) - 1;
    uint64_t at   = (uint64_t)column * UINT64_C(0x9e3779b97f4a7c15) >> (64 - t->bits);

    while (t->slot[at].column != column && t->slot[at].column != NONE) {
        at = (at + 1) & last;
    }
    return &t->slot[at];
}

/* A table of the set, with room for one more. */
static bool make_table(const sdca_used *set, table *t)
{
    for (t->bits = 10; !has_room(t, set);) {
        t->bits++;
    }
    free(t->slot);
    t->slot = sdca_alloc_array((size_t)1 << t->bits, sizeof *t->slot);
    for (int64_t k = 0; t->slot != NULL && k < INT64_C(1) << t->bits; k++) {
        t->slot[k] = (slot){ NONE, NONE };
    }
    for (int32_t place = 0; t->slot != NULL && place < set->count; place++) {
        *find(t, set->number[place]) = (slot){ set->number[place], place };
    }
    return t->slot != NULL;
}

/* Mark the columns of rows until they are enough; how many are they? */
SDCA_INLINE int64_t mark_rows(row_kind kind, const sdca_rows *x, int64_t enough,
                              uint64_t *bits)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < x->count && count < enough; i++) {
        for (int64_t k = x->row[i].start; k < x->row[i + 1].start; k++) {
            uint32_t column = (uint32_t)entry_column(kind, x, k);
            uint64_t word   = bits[column / WORD];

            bits[column / WORD] = word | UINT64_C(1) << column % WORD;
            count += bits[column / WORD] != word;
        }
    }
    return count;
}

/* Add the columns from first on that are marked, ascending. */
static bool add_marked(const uint64_t *bits, int64_t words, int64_t first, sdca_used *set)
{
    for (int64_t k = 0; k < words; k++) {
        uint64_t left = bits[k];

        for (int bit = 0; left != 0; bit++, left >>= 1) {
            if ((left & 1) != 0 && !append(set, (int32_t)(first + k * WORD + bit))) {
                return false;
            }
        }
    }
    return true;
}

/* Add the columns of many rows, unless they are enough: then *most says so. */
static bool add_many(const sdca_rows *x, int64_t enough, sdca_used *set, double *most)
{
    int64_t   words = x->columns / WORD + 1;
    uint64_t *bits  = calloc((size_t)words, sizeof *bits);
    bool      room  = bits != NULL;

    if (room) {
        row_kind kind = kind_of(x);

        *most = (double)(kind == SLIM     ? mark_rows(SLIM, x, enough, bits)
                         : kind == NARROW ? mark_rows(NARROW, x, enough, bits)
                                          : mark_rows(WIDE, x, enough, bits));
        room  = *most >= (double)enough || add_marked(bits, words, 0, set);
    }
    free(bits);
    return room;
}

/* Add the columns of few rows, in the order in which they come. */
static bool add_few(const sdca_rows *x, sdca_used *set)
{
    table t    = { .slot = NULL };
    bool  room = make_table(set, &t);

    for (int64_t k = 0; room && k < x->row[x->count].start; k++) {
        int32_t column = (int32_t)sdca_rows_column(x, k);
        slot   *at     = find(&t, column);

        if (at->column == NONE) {
            *at  = (slot){ column, set->count };
            room = append(set, column) && (has_room(&t, set) || make_table(set, &t));
        }
    }
    free(t.slot);
    return room;
}

/* The columns of my rows, unless they are enough. With as many entries as that, a bit for
 * every column takes less memory than these, and less time than a table. */
static sdca_status add_mine(const sdca_rows *x, int64_t enough, sdca_used **out,
                            double *most)
{
    sdca_status status = create(x->columns, out);

    *most = 0.0;
    if (status != SDCA_OK) {
        return status;
    }
    return (x->row[x->count].start >= enough ? add_many(x, enough, *out, most)
                                             : add_few(x, *out))
               ? SDCA_OK
               : no_memory(x->columns);
}

static int ascending(const void *a, const void *b)
{
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;

    return (first > second) - (first < second);
}

/* Which windows have any of my columns? */
static void mark_windows(const sdca_used *mine, uint64_t has[WINDOWS / WORD])
{
    for (int32_t place = 0; place < mine->count; place++) {
        int32_t window = mine->number[place] / WINDOW;

        has[window / WORD] |= UINT64_C(1) << window % WORD;
    }
}

/* Mark those of my columns, from a place on, that are in a window; how many are? */
static int32_t mark_columns(const sdca_used *mine, int32_t place, int32_t window,
                            uint64_t *bits)
{
    int32_t next = place;

    memset(bits, 0, WINDOW / 8);
    for (; next < mine->count && mine->number[next] / WINDOW == window; next++) {
        int32_t column = mine->number[next] % WINDOW;

        bits[column / WORD] |= UINT64_C(1) << column % WORD;
    }
    return next - place;
}

/* The columns of all ranks, ascending, or enough of them. Collective. */
static sdca_status unite(MPI_Comm comm, sdca_used *mine, int64_t enough, sdca_used **out)
{
    sdca_status status              = create(mine->total, out);
    uint64_t   *bits                = malloc(WINDOW / 8);
    uint64_t    has[WINDOWS / WORD] = { 0 };
    int32_t     place               = 0;
    bool        room                = true;

    SDCA_TRY(sdca_comm_agree(comm, bits != NULL ? status : no_memory(mine->total)));
    if (mine->count > 0) {
        qsort(mine->number, (size_t)mine->count, sizeof *mine->number, ascending);
    }
    mark_windows(mine, has);
    sdca_comm_allreduce_or(comm, has, WINDOWS / WORD);
    for (int32_t window = 0; window < WINDOWS; window++) {
        if ((has[window / WORD] >> window % WORD & 1) != 0) {
            place += mark_columns(mine, place, window, bits);
            sdca_comm_allreduce_or(comm, bits, WINDOW / WORD);
            room =
                room && ((*out)->count >= enough ||
                         add_marked(bits, WINDOW / WORD, (int64_t)window * WINDOW, *out));
        }
    }
    status = sdca_comm_agree(comm, room ? SDCA_OK : no_memory(mine->total));

done:
    free(bits);
    return status;
}

sdca_status sdca_used_find(MPI_Comm comm, const sdca_rows *rows, sdca_used **out)
{
    sdca_status status = SDCA_OK;
    row_kind    kind   = kind_of(rows);
    int64_t     enough = ((int64_t)rows->columns + 1) / 2;
    sdca_used  *mine = NULL, *all = NULL;
    double      most;

    *out = NULL;
    if (!is_sparse(kind)) { /* as on all ranks */
        return SDCA_OK;
    }
    SDCA_TRY(sdca_comm_agree(comm, add_mine(rows, enough, &mine, &most)));
    sdca_comm_allreduce_max(comm, &most, 1);
    if (most < (double)enough) {
        SDCA_TRY(unite(comm, mine, enough, &all));
    }
    if (all != NULL && all->count < enough) {
        *out = all;
        all  = NULL; /* now the caller's */
    }

done:
    sdca_used_free(mine);
    sdca_used_free(all);
    return status;
}

int32_t sdca_used_count(const sdca_used *used)
{
    return used->count;
}

int32_t sdca_used_total(const sdca_used *used)
{
    return used->total;
}

int32_t sdca_used_number(const sdca_used *used, int32_t place)
{
    return used != NULL ? used->number[place] : place;
}

/* The entry at from gets its place for a number, and moves. */
SDCA_INLINE void move_entry(row_kind kind, sdca_rows *x, int64_t to, int64_t from,
                            int32_t place)
{
    switch (kind) {
    case SLIM:
        x->slim[to]        = x->slim[from];
        x->slim[to].column = (uint16_t)place;
        break;
    case NARROW:
        x->entry[to] = (sdca_entry){ place, x->entry[from].value };
        break;
    case WIDE:
        x->wide[to] = (sdca_wide_entry){ place, x->wide[from].value };
        break;
    case DENSE:
        x->dense[to] = x->dense[from];
        break;
    default:
        x->dense_wide[to] = x->dense_wide[from];
    }
}

SDCA_INLINE void select_rows(row_kind kind, const table *t, sdca_rows *x)
{
    int64_t kept = 0, first = 0;

    for (uint32_t i = 0; i < x->count; i++) {
        int64_t next = x->row[i + 1].start;

        for (int64_t k = first; k < next; k++) {
            int32_t column =
                is_sparse(kind) ? entry_column(kind, x, k) : (int32_t)(k - first);
            int32_t place = find(t, column)->place;

            if (place != NONE) {
                move_entry(kind, x, kept++, k, place);
            }
        }
        x->row[i + 1].start = kept;
        first               = next;
    }
}

sdca_status sdca_used_select(const sdca_used *used, sdca_rows *rows)
{
    table t = { .slot = NULL };

    if (!make_table(used, &t)) {
        return no_memory(used->total);
    }
    switch (kind_of(rows)) {
    case SLIM:
        select_rows(SLIM, &t, rows);
        break;
    case NARROW:
        select_rows(NARROW, &t, rows);
        break;
    case WIDE:
        select_rows(WIDE, &t, rows);
        break;
    case DENSE:
        select_rows(DENSE, &t, rows);
        break;
    default:
        select_rows(DENSE_WIDE, &t, rows);
    }
    rows->columns = used->count;
    free(t.slot);
    return SDCA_OK;
}
