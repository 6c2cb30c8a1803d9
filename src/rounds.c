/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rounds.c - how the rounds of a run went: a log that is never too long. */
#include "sdca/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "sdca/memory.h"

#define NAME(field) #field,
static const char *const names[] = { SDCA_ROUND_LIST(NAME) };
#undef NAME

enum { FIELDS = sizeof names / sizeof names[0] };
_Static_assert(sizeof(sdca_round_entry) == FIELDS * sizeof(double), "doubles alone");

const sdca_record_schema sdca_round_columns = { "rounds", FIELDS, names };

sdca_status sdca_rounds_create(sdca_rounds *out)
{
    sdca_round_entry *entry = sdca_alloc_array(SDCA_ROUNDS_ROOM, sizeof *entry);

    if (entry == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a log of %d rounds",
                         (int)SDCA_ROUNDS_ROOM);
    }
    *out = (sdca_rounds){ 0, entry };
    return SDCA_OK;
}

void sdca_rounds_free(sdca_rounds *rounds)
{
    free(rounds->entry);
    *rounds = (sdca_rounds){ 0 };
}

/* When a round is over, the multiples of this are kept: the least power of two of which
 * so few are that there is room for one more. */
static double stride_at(double round)
{
    double stride = 1.0;

    while (round / stride >= SDCA_ROUNDS_ROOM) {
        stride *= 2.0;
    }
    return stride;
}

/* From the entry first on, keep multiples of stride alone. */
static void thin(sdca_rounds *rounds, int64_t first, double stride)
{
    int64_t kept = first;

    for (int64_t k = first; k < rounds->count; k++) {
        if (fmod(rounds->entry[k].round, stride) == 0.0) {
            rounds->entry[kept++] = rounds->entry[k];
        }
    }
    rounds->count = kept;
}

void sdca_rounds_add(sdca_rounds *rounds, const sdca_round_entry *entry)
{
    int64_t count  = rounds->count;
    double  last   = count > 0 ? rounds->entry[count - 1].round : 0.0;
    double  stride = stride_at(entry->round);

    if (!(entry->round > last)) {
        return;
    }
    if (count > 0) { /* the last may have been kept for being the last */
        thin(rounds, stride > stride_at(last) ? 0 : count - 1, stride);
    }
    rounds->entry[rounds->count++] = *entry;
}

sdca_status sdca_rounds_write(const sdca_rounds *rounds, sdca_hdf5_file *store)
{
    return rounds->count > 0 ? sdca_hdf5_write_records(&sdca_round_columns,
                                                       (const double *)rounds->entry,
                                                       rounds->count, store)
                             : SDCA_OK;
}

/* What is read is noted once more, so that no file can make a log that is too long. */
sdca_status sdca_rounds_read(sdca_hdf5_file *store, sdca_rounds *out)
{
    sdca_status status = SDCA_OK;
    sdca_rounds rounds = { 0 };
    double     *number = NULL;
    int64_t     count  = 0;

    SDCA_TRY(sdca_rounds_create(&rounds));
    if (sdca_hdf5_has_group(store, sdca_round_columns.group)) {
        SDCA_TRY(sdca_hdf5_read_records(&sdca_round_columns, store, &number, &count));
    }
    for (int64_t k = 0; k < count; k++) {
        sdca_rounds_add(&rounds, &((const sdca_round_entry *)number)[k]);
    }
    *out   = rounds;
    rounds = (sdca_rounds){ 0 }; /* now the caller's */

done:
    free(number);
    sdca_rounds_free(&rounds);
    return status;
}
