/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_weights.c - factors of the sample weights, one per class. */
#include "data/class_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/parse_number.h"
#include "mpi/comm.h"

static const char balanced[] = "balanced";

/* LABEL=W of a list. */
typedef struct list_item {
    const char *label; /* of length bytes */
    size_t      length;
    double      weight;
} list_item;

/* Is the text from start to end LABEL=W? */
static bool is_item(const char *start, const char *end, list_item *item)
{
    const char *equal = end;

    while (equal > start && *equal != '=') {
        equal--;
    }
    *item = (list_item){ .label = start, .length = (size_t)(equal - start) };
    return equal > start && end > equal + 1 &&
           sdca_parse_double(equal + 1, end, &item->weight) == end;
}

/* The item at *at, which becomes the next one, or NULL after the last. It ends at the
 * first comma after which it is complete: other commas are part of the label. */
static sdca_status next_item(const char **at, list_item *item)
{
    const char *text = *at;
    const char *end  = text + strcspn(text, ",");
    bool        found;

    while (!(found = is_item(text, end, item)) && *end == ',') {
        end += 1 + strcspn(end + 1, ",");
    }
    if (!found) {
        return SDCA_FAIL(SDCA_USAGE,
                         "class weights are balanced or LABEL=W,LABEL=W,..., not '%.60s'",
                         text);
    }
    if (!(item->weight >= 0.0) || !isfinite(item->weight)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the class weight of '%.*s' is %g, where a finite number of 0 "
                         "or more is needed",
                         (int)(item->length < 60 ? item->length : 60), text,
                         item->weight);
    }
    *at = *end == ',' ? end + 1 : NULL;
    return SDCA_OK;
}

sdca_status sdca_class_weights_check(const char *text)
{
    sdca_status status = SDCA_OK;
    list_item   item;

    if (strcmp(text, balanced) == 0) {
        return SDCA_OK;
    }
    while (status == SDCA_OK && text != NULL) {
        status = next_item(&text, &item);
    }
    return status;
}

static sdca_status fail_unknown_class(const sdca_classes *classes, const char *name,
                                      const list_item *item)
{
    char list[SDCA_CLASS_LIST_SIZE];

    sdca_classes_list(classes, list);
    return SDCA_FAIL(SDCA_DATA,
                     "'%s' has no class '%.*s', for which there is a class weight; it "
                     "has %s",
                     name, (int)(item->length < 60 ? item->length : 60), item->label,
                     list);
}

/* The factor of each class, from a list. Local. */
static sdca_status read_list(const char *text, const char *name,
                             const sdca_classes *classes, double *factor)
{
    sdca_status status  = SDCA_OK;
    double      largest = 0.0;

    for (int k = 0; k < classes->count; k++) {
        factor[k] = NAN; /* not listed */
    }
    while (text != NULL) {
        list_item item;
        int       k = -1;

        SDCA_TRY(next_item(&text, &item));
        k = sdca_classes_find_text(classes, item.label, item.length);
        if (k < 0) {
            return fail_unknown_class(classes, name, &item);
        }
        if (!isnan(factor[k])) {
            return SDCA_FAIL(SDCA_USAGE, "the class '%.*s' has two class weights",
                             (int)(item.length < 60 ? item.length : 60), item.label);
        }
        factor[k] = item.weight;
    }
    for (int k = 0; k < classes->count; k++) {
        factor[k] = isnan(factor[k]) ? 1.0 : factor[k];
        largest   = fmax(largest, factor[k]);
    }
    if (largest == 0.0) {
        status =
            SDCA_FAIL(SDCA_USAGE, "the class weights of all classes of '%s' are 0", name);
    }

done:
    return status;
}

/* The factors of balanced classes; 1 for a class without weight. Collective. */
static void balance(MPI_Comm comm, const sdca_dataset *draft, double *factor)
{
    const sdca_classes *classes = &draft->classes;
    double              total   = 0.0;

    for (int k = 0; k < classes->count; k++) {
        factor[k] = 0.0;
    }
    for (uint32_t i = 0; i < draft->x.count; i++) {
        factor[sdca_classes_decode(classes, draft->x.row[i].y)] +=
            sdca_dataset_weight(draft, i);
    }
    sdca_comm_allreduce_sum(comm, factor, classes->count);
    for (int k = 0; k < classes->count; k++) {
        total += factor[k];
    }
    for (int k = 0; k < classes->count; k++) {
        factor[k] = factor[k] > 0.0 ? total / (classes->count * factor[k]) : 1.0;
    }
}

/* What class weights add to the fingerprint. Those of balanced classes follow from the
 * rows, and their last bits depend on the number of ranks. */
static uint64_t hash_factors(bool is_balanced, int count, const double *factor)
{
    uint64_t hash = 0;

    if (is_balanced) {
        return sdca_dataset_weight_hash(-1, 0.0);
    }
    for (int k = 0; k < count; k++) {
        hash += sdca_dataset_weight_hash(-2 - k, factor[k]);
    }
    return hash;
}

/* Weights of 1, if the draft has none. Local. */
static sdca_status make_weights(const char *name, sdca_dataset *draft)
{
    if (draft->weight != NULL) {
        return SDCA_OK;
    }
    draft->weight = sdca_alloc_array(draft->x.count, sizeof *draft->weight);
    if (draft->weight == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the class weights of '%s'", name);
    }
    for (uint32_t i = 0; i < draft->x.count; i++) {
        draft->weight[i] = 1.0;
    }
    return SDCA_OK;
}

sdca_status sdca_class_weights_apply(MPI_Comm comm, const char *text, const char *name,
                                     sdca_dataset *draft)
{
    const sdca_classes *classes     = &draft->classes;
    bool                is_balanced = strcmp(text, balanced) == 0;
    double             *factor = sdca_alloc_array((size_t)classes->count, sizeof *factor);
    sdca_status         status = SDCA_OK;

    if (factor == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %d class weights", classes->count);
    } else if (!is_balanced) {
        status = read_list(text, name, classes, factor);
    }
    status = status == SDCA_OK ? make_weights(name, draft) : status;
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (is_balanced) {
        balance(comm, draft, factor);
    }
    for (uint32_t i = 0; i < draft->x.count; i++) {
        draft->weight[i] *= factor[sdca_classes_decode(classes, draft->x.row[i].y)];
    }
    draft->fingerprint += hash_factors(is_balanced, classes->count, factor);
    draft->class_factor = factor;
    factor              = NULL; /* now the draft's */

done:
    free(factor);
    return status;
}
