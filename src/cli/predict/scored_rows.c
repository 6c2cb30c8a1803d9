/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scored_rows.c - rows of a text with their scores, as a data set. */
#include "cli/predict/scored_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"

static sdca_status no_memory(const scored_rows *rows)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows of '%s'",
                     (long long)rows->room, rows->path);
}

static bool enlarge(double **array, int64_t count)
{
    double *larger = sdca_alloc_resize(*array, (size_t)count, sizeof **array);

    if (larger != NULL) {
        *array = larger;
    }
    return larger != NULL;
}

/* Allocate space for another row. */
static sdca_status reserve(scored_rows *rows)
{
    if (rows->count < rows->room) {
        return SDCA_OK;
    }
    rows->room = 2 * rows->room + 1024;
    return enlarge(&rows->score, rows->room * rows->models) &&
                   enlarge(&rows->norm2, rows->room) &&
                   enlarge(&rows->label, rows->room) && enlarge(&rows->weight, rows->room)
               ? SDCA_OK
               : no_memory(rows);
}

sdca_status scored_rows_add(scored_rows *rows, const double *score, double norm2,
                            double label, double weight)
{
    size_t      models = (size_t)rows->models;
    sdca_status status = SDCA_OK;

    SDCA_TRY(reserve(rows));
    memcpy(rows->score + (size_t)rows->count * models, score, models * sizeof *score);
    rows->norm2[rows->count]  = norm2;
    rows->label[rows->count]  = label;
    rows->weight[rows->count] = isnan(label) ? 0.0 : weight;
    rows->unlabelled += isnan(label);
    rows->count++;

done:
    return status;
}

/* A label for rows that have none, whose weight is 0: that of another row. */
static double find_label(const scored_rows *rows)
{
    int64_t i = 0;

    while (i < rows->count - 1 && isnan(rows->label[i])) {
        i++;
    }
    return rows->count > 0 ? rows->label[i] : 0.0;
}

static sdca_status store_weights(const scored_rows *rows, sdca_dataset *draft)
{
    draft->weight = sdca_alloc_array((size_t)rows->count, sizeof *draft->weight);
    if (draft->weight == NULL) {
        return no_memory(rows);
    }
    memcpy(draft->weight, rows->weight, (size_t)rows->count * sizeof *rows->weight);
    return SDCA_OK;
}

/* The scores as rows of a data set. */
static sdca_status store_scores(const scored_rows      *rows,
                                const sdca_string_list *class_names, sdca_dataset *draft)
{
    sdca_status status = SDCA_OK;
    int         models = rows->models;
    sdca_rows  *x      = &draft->x;
    double      other  = find_label(rows);

    SDCA_TRY(sdca_rows_create_dense((uint32_t)rows->count, models, true, x));
    for (int64_t i = 0; i < rows->count; i++) {
        double label = isnan(rows->label[i]) ? other : rows->label[i];

        x->row[i].norm2 = rows->norm2[i];
        x->row[i].y     = draft->has_labels ? label : 0.0;
        memcpy(x->dense64 + i * models, rows->score + i * models,
               (size_t)models * sizeof *rows->score);
    }
    for (int64_t k = 0; draft->has_labels && k < class_names->count; k++) {
        const char *name = class_names->text[k];

        SDCA_TRY(sdca_string_list_append(&draft->class_names, name, strlen(name)));
    }
    if (rows->has_weights) {
        SDCA_TRY(store_weights(rows, draft));
    }

done:
    return status;
}

sdca_status scored_rows_make_dataset(MPI_Comm comm, scored_rows *rows,
                                     const sdca_string_list *class_names,
                                     const sdca_classes *classes, sdca_dataset **data,
                                     sdca_scorer *scorer)
{
    int                  models    = rows->models;
    bool                 first     = sdca_comm_rank(comm) == 0;
    int64_t              shared[3] = { rows->count, rows->has_labels, rows->has_weights };
    sdca_dataset         draft     = { 0 };
    sdca_dataset_options options   = { .classes = classes };
    sdca_status          status    = SDCA_OK;

    sdca_comm_broadcast(comm, shared, sizeof shared);
    rows->has_labels        = shared[1] != 0;
    rows->has_weights       = shared[2] != 0;
    draft.has_labels        = rows->has_labels;
    draft.local_range.first = first ? 0 : shared[0];
    draft.local_range.count = first ? shared[0] : 0;
    draft.nonzeros          = first ? shared[0] * models : 0;
    SDCA_TRY(sdca_comm_agree(comm, store_scores(rows, class_names, &draft)));
    SDCA_TRY(sdca_comm_agree(comm, sdca_scorer_create(models, models, scorer)));
    for (int k = 0; k < models; k++) {
        scorer->w[k * models + k] = 1.0;
    }
    SDCA_TRY(sdca_dataset_finish(comm, rows->path, &options, &draft, data));

done:
    sdca_rows_free(&draft.x);
    free(draft.weight);
    sdca_string_list_free(&draft.class_names);
    sdca_classes_free(&draft.classes);
    return status;
}

void scored_rows_free(scored_rows *rows)
{
    free(rows->score);
    free(rows->norm2);
    free(rows->label);
    free(rows->weight);
    *rows = (scored_rows){ 0 };
}
