/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_file.c - the predictions of a data set as a CSV file or an HDF5 file. */
#include "cli/predict/prediction_file.h"

#include <string.h>

#include "cli/predict/prediction_arrays.h"
#include "cli/predict/prediction_lines.h"
#include "cli/suffix.h"
#include "mpi/comm.h"

/* Where predictions come from and where they go: one of lines and arrays is open. */
typedef struct prediction_file {
    const prediction_rule *rule;
    const sdca_scorer     *scorer;
    const sdca_dataset    *data;
    const prediction_kept *kept;
    bool                   is_hdf5;
    int64_t                printed; /* rows */
    prediction_lines       lines;
    prediction_arrays      arrays;
} prediction_file;

bool prediction_file_is_hdf5(const char *path)
{
    size_t length = strlen(path);

    return has_suffix(path, length, ".h5") || has_suffix(path, length, ".hdf5");
}

/* The records of my rows. */
static void score_rows(void *context, sdca_range rows, double *record)
{
    const prediction_file *from  = context;
    size_t                 width = (size_t)from->rule->models;

    for (int64_t k = 0; k < rows.count; k++, record += width + 1) {
        uint32_t i = (uint32_t)(rows.first + k);

        memcpy(record, sdca_scorer_row(from->scorer, &from->data->x, i),
               width * sizeof *record);
        record[width] = from->data->x.row[i].norm2;
    }
}

/* Print the lines of the next rows. */
static sdca_status print_rows(prediction_file *to, const double *record, int64_t count)
{
    int64_t     columns = to->kept->names.count;
    sdca_status status  = SDCA_OK;

    for (int64_t i = 0; status == SDCA_OK && i < count; i++, to->printed++) {
        for (int64_t k = 0; k < columns; k++) {
            prediction_lines_print_kept(&to->lines,
                                        to->kept->text.text[to->printed * columns + k]);
        }
        status =
            prediction_lines_print_row(&to->lines, record + i * (to->rule->models + 1));
    }
    return status;
}

/* Write records, which arrive in the order of the rows. */
static sdca_status write_rows(void *context, const double *record, int64_t numbers)
{
    prediction_file *to    = context;
    int64_t          count = numbers / (to->rule->models + 1);

    return to->is_hdf5 ? prediction_arrays_write(&to->arrays, record, count)
                       : print_rows(to, record, count);
}

sdca_status prediction_file_write(MPI_Comm comm, const prediction_rule *rule,
                                  const sdca_scorer *scorer, const sdca_dataset *data,
                                  const prediction_kept *kept, const char *path)
{
    bool            first  = sdca_comm_rank(comm) == 0;
    sdca_status     status = SDCA_OK;
    prediction_file file   = { .rule    = rule,
                               .scorer  = scorer,
                               .data    = data,
                               .kept    = kept,
                               .is_hdf5 = prediction_file_is_hdf5(path) };

    if (first) {
        status = file.is_hdf5
                     ? prediction_arrays_open(path, rule, data->rows, &file.arrays)
                     : prediction_lines_open(path, rule, &kept->names, &file.lines);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    SDCA_TRY(sdca_comm_gather_records(comm, data->x.count, rule->models + 1, score_rows,
                                      write_rows, &file));
    if (first) {
        status = file.is_hdf5 ? prediction_arrays_commit(&file.arrays)
                              : prediction_lines_commit(&file.lines);
    }
    status = sdca_comm_agree(comm, status);

done:
    prediction_arrays_close(&file.arrays);
    prediction_lines_close(&file.lines);
    return status;
}
