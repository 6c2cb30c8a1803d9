/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_file.c - the dual variables of a model in its file, from which anyone can compute
 * its certificate again. */
#include "model/dual_file.h"

#include "base/alloc.h"
#include "model/field_io.h"
#include "mpi/comm.h"

static const char name[] = "dual";

sdca_status sdca_model_create_dual(sdca_model *model, const sdca_dataset *data)
{
    size_t parts = (size_t)sdca_model_parts(model);

    model->dual = sdca_alloc_zeroed(data->x.count, parts * sizeof *model->dual);
    return model->dual != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for the dual variables of %lu rows",
                           (unsigned long)data->x.count);
}

void sdca_model_keep_dual(sdca_model *model, const sdca_dataset *data, int k,
                          const sdca_iterate *iterate)
{
    size_t parts = (size_t)sdca_model_parts(model);

    for (uint32_t i = 0; model->dual != NULL && i < data->x.count; i++) {
        size_t at = sdca_permutation_apply(&data->shuffle, i);

        model->dual[i * parts + (size_t)k] = iterate->alpha[at * iterate->alpha_stride];
    }
}

/* The same calls write the settings and read them. */
static sdca_status settings_fields(sdca_dual_settings *s, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "dual-settings");
    sdca_field_io_bool(io, "w-of-alpha", &s->w_of_alpha);
    sdca_field_io_text(io, "label-column", s->label_column, sizeof s->label_column);
    sdca_field_io_text(io, "weight-column", s->weight_column, sizeof s->weight_column);
    sdca_field_io_text(io, "class-weight", s->class_weight, sizeof s->class_weight);
    sdca_field_io_text(io, "positive", s->positive, sizeof s->positive);
    return io->status;
}

/* A file that is being written. */
typedef struct dual_writer {
    sdca_hdf5_file *hdf5;
    int             parts;
    int64_t         written; /* rows */
    const double   *dual;    /* of my rows */
} dual_writer;

static void copy_rows(void *context, sdca_range rows, double *x)
{
    const dual_writer *from  = context;
    size_t             parts = (size_t)from->parts;

    for (size_t i = 0; i < (size_t)rows.count * parts; i++) {
        x[i] = from->dual[(size_t)rows.first * parts + i];
    }
}

static sdca_status write_rows(void *context, const double *values, int64_t count)
{
    dual_writer *to    = context;
    sdca_range   range = { to->written, count / to->parts };

    to->written += range.count;
    return sdca_hdf5_write_range(to->hdf5, name, range, SDCA_FLOAT64, values);
}

/* Create the file with all but the dual variables. Local. */
static sdca_status begin(const sdca_model *model, const sdca_dual_settings *settings,
                         const char *path, dual_writer *to)
{
    sdca_status        status = SDCA_OK;
    sdca_dual_settings copy   = *settings;
    sdca_field_io      io;

    SDCA_TRY(sdca_hdf5_create(path, &to->hdf5));
    SDCA_TRY(sdca_model_file_write(model, to->hdf5));
    io = sdca_field_io_of_file(to->hdf5, true);
    SDCA_TRY(settings_fields(&copy, &io));
    SDCA_TRY(
        to->parts == 1
            ? sdca_hdf5_create_array(to->hdf5, name, SDCA_FLOAT64, model->objective.rows)
            : sdca_hdf5_create_matrix(to->hdf5, name, SDCA_FLOAT64, model->objective.rows,
                                      to->parts, 0));

done:
    return status;
}

sdca_status sdca_model_write_with_dual(MPI_Comm comm, const sdca_model *model,
                                       const sdca_dataset       *data,
                                       const sdca_dual_settings *settings,
                                       const char               *path)
{
    bool        first  = sdca_comm_rank(comm) == 0;
    sdca_status status = SDCA_OK;
    dual_writer to     = { .parts = sdca_model_parts(model), .dual = model->dual };

    SDCA_TRY(sdca_comm_agree(comm, first ? begin(model, settings, path, &to) : SDCA_OK));
    SDCA_TRY(sdca_comm_gather_records(comm, data->x.count, to.parts, copy_rows,
                                      write_rows, &to));
    if (first) {
        status  = sdca_hdf5_commit(to.hdf5);
        to.hdf5 = NULL; /* freed in any case */
    }
    SDCA_TRY(sdca_comm_agree(comm, status));

done:
    sdca_hdf5_close(to.hdf5);
    return status;
}

/* Local. */
static sdca_status read_settings(sdca_hdf5_file *hdf5, sdca_dual_settings *out)
{
    sdca_field_io io = sdca_field_io_of_file(hdf5, false);

    return sdca_hdf5_has_array(hdf5, name) && sdca_hdf5_has_group(hdf5, "dual-settings")
               ? settings_fields(out, &io)
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' has no dual variables: train it with --keep-dual",
                           sdca_hdf5_path(hdf5));
}

sdca_status sdca_dual_settings_read(MPI_Comm comm, const char *path,
                                    sdca_dual_settings *out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    SDCA_TRY(sdca_comm_agree(comm, read_settings(hdf5, out)));

done:
    sdca_hdf5_close(hdf5);
    return status;
}

sdca_status sdca_model_file_read_dual(sdca_hdf5_file *hdf5, const sdca_dataset *data,
                                      sdca_model *model)
{
    sdca_status      status = SDCA_OK;
    int              parts  = sdca_model_parts(model);
    sdca_hdf5_array *array  = NULL;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_check_shape(hdf5, name, parts > 1 ? 2 : 1, &shape));
    if (shape.extent[0] != data->rows || (parts > 1 && shape.extent[1] != parts)) {
        status = SDCA_FAIL(SDCA_DATA, "dual in '%s' is not one number for each row%s",
                           sdca_hdf5_path(hdf5), parts > 1 ? " and class" : "");
        goto done;
    }
    SDCA_TRY(sdca_hdf5_open_array(hdf5, name, SDCA_FLOAT64, &array));
    SDCA_TRY(sdca_hdf5_read_array(array, data->local_range, model->dual));

done:
    sdca_hdf5_close_array(array);
    return status;
}
