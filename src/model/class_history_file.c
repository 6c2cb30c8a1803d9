/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_history_file.c - the evaluations of several classes, in files. */
#include "model/class_history_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/hdf5_records.h"

static const char class_array[] = "history/class";

static int64_t count_records(const sdca_model *model)
{
    int64_t count = 0;

    for (int k = 0; k < sdca_model_parts(model); k++) {
        count += model->by_class[k].history.count;
    }
    return count;
}

sdca_status sdca_class_history_write(const sdca_model *model, sdca_hdf5_file *hdf5)
{
    sdca_status          status = SDCA_OK;
    int64_t              count = count_records(model), at = 0;
    sdca_history_record *record = sdca_alloc_array((size_t)count, sizeof *record);
    int32_t             *number = sdca_alloc_array((size_t)count, sizeof *number);

    if (record == NULL || number == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the history of %d classes",
                           sdca_model_parts(model));
        goto done;
    }
    for (int k = 0; k < sdca_model_parts(model); k++) {
        const sdca_history *history = &model->by_class[k].history;

        for (int64_t i = 0; i < history->count; i++) {
            record[at]   = history->records[i];
            number[at++] = k;
        }
    }
    SDCA_TRY(sdca_hdf5_write_records(&sdca_history_schema, (const double *)record, count,
                                     hdf5));
    SDCA_TRY(sdca_hdf5_write_array(hdf5, class_array, SDCA_INT32, count, number));

done:
    free(record);
    free(number);
    return status;
}

/* Append the records to the histories of their classes. */
static sdca_status distribute(const sdca_history_record *record, const int32_t *number,
                              int64_t count, const char *path, sdca_model *model)
{
    sdca_status status = SDCA_OK;

    for (int64_t i = 0; i < count; i++) {
        if (number[i] < 0 || number[i] >= sdca_model_parts(model)) {
            return SDCA_FAIL(SDCA_DATA, "%s in '%s' has the class %ld of %d", class_array,
                             path, (long)number[i], sdca_model_parts(model));
        }
        SDCA_TRY(sdca_history_append(&model->by_class[number[i]].history, &record[i]));
    }

done:
    return status;
}

sdca_status sdca_class_history_read(sdca_hdf5_file *hdf5, sdca_model *model)
{
    sdca_status status = SDCA_OK;
    double     *record = NULL;
    int32_t    *number = NULL;
    int64_t     count  = 0;

    SDCA_TRY(sdca_hdf5_read_records(&sdca_history_schema, hdf5, &record, &count));
    number = sdca_alloc_array((size_t)count, sizeof *number);
    if (number == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the history of %d classes",
                           sdca_model_parts(model));
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(hdf5, class_array, (sdca_range){ 0, count }, SDCA_INT32,
                                  number));
    SDCA_TRY(distribute((const sdca_history_record *)record, number, count,
                        sdca_hdf5_path(hdf5), model));

done:
    free(record);
    free(number);
    return status;
}

sdca_status sdca_class_history_write_csv(const sdca_model *model, const char *path)
{
    int         classes = sdca_model_parts(model);
    int         fields  = SDCA_HISTORY_FIELD_COUNT - 1;
    FILE       *file    = NULL;
    sdca_status status  = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    for (int k = 0; k < classes; k++) {
        int used = sdca_history_fields_used(&model->by_class[k].history);

        fields = used > fields ? used : fields;
    }
    sdca_history_print_names(file, fields);
    fputs(",class\n", file);
    for (int k = 0; k < classes; k++) {
        const sdca_history *history = &model->by_class[k].history;

        for (int64_t i = 0; i < history->count; i++) {
            sdca_history_print_record(file, &history->records[i], fields);
            fputc(',', file);
            sdca_label_print_csv(file, "", &model->labels, k);
            fputc('\n', file);
        }
    }
    return sdca_atomic_file_commit(file, path);
}
