/* SPDX-License-Identifier: BSD-3-Clause
 *
 * field_io.c - the fields of a checkpoint or model in its file. */
#include "model/field_io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/column_vector_file.h"
#include "mpi/comm.h"

/* An array that is written in the order of the ranks. */
typedef struct array_writer {
    sdca_field_io *io;
    const char    *name;
    int64_t        written;
} array_writer;

static bool rank_accesses_file(const sdca_field_io *io)
{
    return io->status == SDCA_OK && io->hdf5 != NULL;
}

static sdca_status make_row_buffers(const sdca_dataset *data, sdca_field_io *io)
{
    io->row_buffer = sdca_alloc_array(data->x.count, sizeof *io->row_buffer);
    io->row_flags  = sdca_alloc_zeroed((size_t)data->x.count + 8, 2);
    io->row_lanes  = io->row_flags != NULL ? io->row_flags + data->x.count + 8 : NULL;
    return io->row_buffer != NULL && io->row_flags != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
}

/* The common part of writing and reading. */
static sdca_status init(MPI_Comm comm, const sdca_dataset *data, bool writes,
                        sdca_field_io *out)
{
    *out = (sdca_field_io){ .comm = comm, .data = data, .writing = writes, .group = "/" };
    return make_row_buffers(data, out);
}

sdca_status sdca_field_io_create(MPI_Comm comm, const sdca_dataset *data,
                                 const char *path, int older_generations,
                                 sdca_field_io *out)
{
    sdca_field_io io;
    sdca_status   status = init(comm, data, true, &io);

    if (status == SDCA_OK && sdca_comm_rank(comm) == 0) {
        status = sdca_hdf5_create_checksummed(path, older_generations, &io.hdf5);
    }
    status = sdca_comm_agree(comm, status);
    if (status == SDCA_OK) {
        *out = io;
        return SDCA_OK;
    }
    sdca_hdf5_close(io.hdf5);
    free(io.row_buffer);
    free(io.row_flags);
    return status;
}

sdca_status sdca_field_io_open(MPI_Comm comm, const sdca_dataset *data, const char *path,
                               sdca_field_io *out)
{
    sdca_field_io io;
    sdca_status   status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, init(comm, data, false, &io)));
    SDCA_TRY(sdca_hdf5_open(comm, path, &io.hdf5));
    *out          = io;
    io.row_buffer = NULL; /* now the caller's */
    io.row_flags  = NULL;

done:
    free(io.row_buffer);
    free(io.row_flags);
    return status;
}

void sdca_field_io_set_data(sdca_field_io *io, const sdca_dataset *data)
{
    sdca_status status;

    free(io->row_buffer);
    free(io->row_flags);
    status     = make_row_buffers(data, io);
    io->data   = data;
    io->status = io->status != SDCA_OK ? io->status : status;
    io->status = sdca_comm_agree(io->comm, io->status);
}

sdca_field_io sdca_field_io_of_file(sdca_hdf5_file *hdf5, bool writing)
{
    return (sdca_field_io){
        .comm = MPI_COMM_NULL, .writing = writing, .hdf5 = hdf5, .group = "/"
    };
}

bool sdca_field_io_has(const sdca_field_io *io, const char *name, bool written)
{
    return io->writing ? written
                       : rank_accesses_file(io) &&
                             sdca_hdf5_has_attribute(io->hdf5, io->group, name);
}

sdca_status sdca_field_io_close(sdca_field_io *io)
{
    sdca_status status = sdca_comm_agree(io->comm, io->status);

    if (status == SDCA_OK && io->writing) {
        status   = io->hdf5 != NULL ? sdca_hdf5_commit(io->hdf5) : SDCA_OK;
        io->hdf5 = NULL; /* freed in any case */
        status   = sdca_comm_agree(io->comm, status);
    }
    sdca_hdf5_close(io->hdf5);
    free(io->row_buffer);
    free(io->row_flags);
    *io = (sdca_field_io){ 0 };
    return status;
}

void sdca_field_io_reject(sdca_field_io *io, const char *name)
{
    if (io->status == SDCA_OK) {
        io->status =
            SDCA_FAIL(SDCA_DATA, "%s in '%s' is out of range: the file was changed", name,
                      sdca_hdf5_path(io->hdf5));
    }
}

bool sdca_field_io_has_read(const sdca_field_io *io)
{
    return !io->writing && io->status == SDCA_OK;
}

void sdca_field_io_set_model(sdca_field_io *io, int model)
{
    enum { most = 100000000 }; /* what the prefix has space for */

    io->prefix[0] = '\0';
    if (model >= 0) {
        snprintf(io->prefix, sizeof io->prefix, "model%d", model % most);
        if (io->writing && rank_accesses_file(io) &&
            !sdca_hdf5_has_group(io->hdf5, io->prefix)) {
            io->status = sdca_hdf5_create_group(io->hdf5, io->prefix);
        }
        snprintf(io->prefix, sizeof io->prefix, "model%d/", model % most);
    }
}

void sdca_field_io_set_group(sdca_field_io *io, const char *group)
{
    bool root = strcmp(group, "/") == 0;

    if (root && io->prefix[0] != '\0') {
        snprintf(io->group, sizeof io->group, "%.*s", (int)strlen(io->prefix) - 1,
                 io->prefix);
        return; /* sdca_field_io_set_model() made it */
    }
    snprintf(io->group, sizeof io->group, "%s%s", io->prefix, group);
    if (io->writing && rank_accesses_file(io) && !root) {
        io->status = sdca_hdf5_create_group(io->hdf5, io->group);
    }
}

/* The path of an array of the model. */
typedef struct field_path {
    char text[80];
} field_path;

static field_path path_of(const sdca_field_io *io, const char *name)
{
    field_path path;

    snprintf(path.text, sizeof path.text, "%s%s", io->prefix, name);
    return path;
}

/* Write or read a single number of this type. */
static void transfer_scalar(sdca_field_io *io, const char *name, sdca_dtype type, void *x)
{
    if (rank_accesses_file(io)) {
        io->status =
            io->writing ? sdca_hdf5_write_attribute(io->hdf5, io->group, name, type, 1, x)
                        : sdca_hdf5_read_attribute(io->hdf5, io->group, name, type, 1, x);
    }
}

void sdca_field_io_double(sdca_field_io *io, const char *name, double *x)
{
    transfer_scalar(io, name, SDCA_FLOAT64, x);
}

void sdca_field_io_int64(sdca_field_io *io, const char *name, int64_t *x)
{
    transfer_scalar(io, name, SDCA_INT64, x);
}

void sdca_field_io_bool(sdca_field_io *io, const char *name, bool *x)
{
    int64_t number = *x;

    transfer_scalar(io, name, SDCA_INT64, &number);
    *x = number != 0;
}

void sdca_field_io_text(sdca_field_io *io, const char *name, char *text, size_t size)
{
    if (rank_accesses_file(io)) {
        io->status =
            io->writing
                ? sdca_hdf5_write_string_attribute(io->hdf5, io->group, name, text)
                : sdca_hdf5_read_string_attribute(io->hdf5, io->group, name, text, size);
    }
}

void sdca_field_io_enum(sdca_field_io *io, const char *name, const char *const *names,
                        int count, int *x)
{
    char text[32] = "";
    int  k        = 0;

    snprintf(text, sizeof text, "%s", io->writing ? names[*x] : "");
    sdca_field_io_text(io, name, text, sizeof text);
    if (!sdca_field_io_has_read(io)) {
        return;
    }
    while (k < count && strcmp(text, names[k]) != 0) {
        k++;
    }
    if (k == count) {
        sdca_field_io_reject(io, name);
    } else {
        *x = k;
    }
}

void sdca_field_io_certificate(sdca_field_io *io, sdca_certificate *certificate)
{
    sdca_field_io_double(io, "primal", &certificate->primal);
    sdca_field_io_double(io, "dual", &certificate->dual);
    sdca_field_io_double(io, "gap", &certificate->gap);
}

/* The bytes of an element. */
static size_t element_size(sdca_dtype type)
{
    return type == SDCA_UINT8 ? 1 : type == SDCA_INT32 || type == SDCA_FLOAT32 ? 4 : 8;
}

/* Read an array that is there. */
static void read_array(sdca_field_io *io, const char *name, sdca_dtype type, void **x,
                       int64_t *count)
{
    sdca_array_shape shape;

    io->status = sdca_hdf5_check_shape(io->hdf5, name, 1, &shape);
    if (io->status != SDCA_OK) {
        return;
    }
    *x = sdca_alloc_array((size_t)shape.extent[0], element_size(type));
    if (*x == NULL) {
        io->status = SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
        return;
    }
    *count = shape.extent[0];
    io->status =
        sdca_hdf5_read_range(io->hdf5, name, (sdca_range){ 0, *count }, type, *x);
}

void sdca_field_io_array(sdca_field_io *io, const char *name, sdca_dtype type, void **x,
                         int64_t *count)
{
    field_path path = path_of(io, name);

    if (!io->writing) {
        *x     = NULL;
        *count = 0;
    }
    if (!rank_accesses_file(io)) {
        return;
    }
    if (io->writing && *count > 0) {
        io->status = sdca_hdf5_write_array(io->hdf5, path.text, type, *count, *x);
    } else if (!io->writing && sdca_hdf5_has_array(io->hdf5, path.text)) {
        read_array(io, path.text, type, x, count);
    }
}

static sdca_status append_values(void *context, const double *values, int64_t count)
{
    array_writer *to     = context;
    sdca_range    range  = { to->written, count };
    sdca_status   status = to->io->status;

    to->written += count;
    return status == SDCA_OK ? sdca_hdf5_write_range(to->io->hdf5, to->name, range,
                                                     SDCA_FLOAT64, values)
                             : status;
}

/* Write the numbers of all ranks, total of them, as an array of this type. The first
 * failure is reported. */
static void gather_and_write(sdca_field_io *io, const char *name, sdca_dtype type,
                             int64_t total, const double *mine, int64_t count)
{
    array_writer to = { io, name, 0 };
    sdca_status  status;

    if (rank_accesses_file(io)) {
        io->status = sdca_hdf5_create_array(io->hdf5, name, type, total);
    }
    status     = sdca_comm_gather(io->comm, mine, count, append_values, &to);
    io->status = io->status != SDCA_OK ? io->status : status;
}

void sdca_field_io_per_rank(sdca_field_io *io, const char *name, double *x)
{
    sdca_range one  = { sdca_comm_rank(io->comm), 1 };
    field_path path = path_of(io, name);

    if (io->writing) {
        gather_and_write(io, path.text, SDCA_FLOAT64, sdca_comm_size(io->comm), x, 1);
    } else if (rank_accesses_file(io)) {
        io->status = sdca_hdf5_read_range(io->hdf5, path.text, one, SDCA_FLOAT64, x);
    }
}

void sdca_field_io_int64_per_rank(sdca_field_io *io, const char *name, int64_t *x)
{
    double number = (double)*x;

    sdca_field_io_per_rank(io, name, &number);
    if (fabs(number) <= 9007199254740992.0) { /* 2^53 */
        *x = (int64_t)number;
    } else {
        sdca_field_io_reject(io, name);
    }
}

/* The same for consecutive numbers. */
static void transfer_columns(sdca_field_io *io, const char *name, double *x)
{
    const sdca_dataset *data = io->data;
    int32_t             d    = sdca_dataset_feature_count(data) + (data->bias > 0.0);
    field_path          path = path_of(io, name);

    io->status = io->writing
                     ? sdca_column_vector_file_write(io->hdf5, path.text,
                                                     data->column_map, 1, d, x)
                     : sdca_column_vector_file_read(io->hdf5, path.text, data->column_map,
                                                    1, (sdca_range){ 0, 1 }, d, x);
}

void sdca_field_io_per_column(sdca_field_io *io, const char *name, double *x,
                              size_t stride)
{
    size_t  columns = (size_t)io->data->columns;
    double *packed  = NULL;

    if (!rank_accesses_file(io)) {
        return;
    }
    if (stride == 1) {
        transfer_columns(io, name, x);
        return;
    }
    packed = sdca_alloc_array(columns, sizeof *packed);
    if (packed == NULL) {
        io->status = SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
        return;
    }
    for (size_t j = 0; j < columns; j++) {
        packed[j] = x[j * stride];
    }
    transfer_columns(io, name, packed);
    for (size_t j = 0; sdca_field_io_has_read(io) && j < columns; j++) {
        x[j * stride] = packed[j];
    }
    free(packed);
}

static double get_value(sdca_dtype type, const void *x, size_t i)
{
    switch (type) {
    case SDCA_UINT8:
        return ((const uint8_t *)x)[i];
    case SDCA_INT32:
        return ((const int32_t *)x)[i];
    case SDCA_INT64:
        return (double)((const int64_t *)x)[i];
    case SDCA_FLOAT32:
        return (double)((const float *)x)[i];
    case SDCA_FLOAT64:
        break;
    }
    return ((const double *)x)[i];
}

/* Is a number that was read one of its type? */
static bool fits_type(sdca_dtype type, double value)
{
    const double most = type == SDCA_UINT8   ? UINT8_MAX
                        : type == SDCA_INT32 ? INT32_MAX
                                             : 9007199254740992.0; /* 2^53 */

    return type == SDCA_FLOAT32 || type == SDCA_FLOAT64 ||
           (value <= most && value >= (type == SDCA_UINT8 ? 0.0 : -most));
}

static void set_value(sdca_dtype type, void *x, size_t i, double value)
{
    switch (type) {
    case SDCA_UINT8:
        ((uint8_t *)x)[i] = (uint8_t)value;
        break;
    case SDCA_INT32:
        ((int32_t *)x)[i] = (int32_t)value;
        break;
    case SDCA_INT64:
        ((int64_t *)x)[i] = (int64_t)value;
        break;
    case SDCA_FLOAT32:
        ((float *)x)[i] = (float)value;
        break;
    case SDCA_FLOAT64:
        ((double *)x)[i] = value;
        break;
    }
}

void sdca_field_io_per_row(sdca_field_io *io, const char *name, sdca_dtype type, void *x,
                           size_t stride)
{
    const sdca_dataset *data = io->data;
    field_path          path = path_of(io, name);

    if (io->writing) {
        for (uint32_t k = 0; k < data->x.count; k++) {
            io->row_buffer[k] =
                get_value(type, x, sdca_permutation_apply(&data->shuffle, k) * stride);
        }
        gather_and_write(io, path.text, type, data->rows, io->row_buffer, data->x.count);
        return;
    }
    if (rank_accesses_file(io)) {
        io->status = sdca_hdf5_read_range(io->hdf5, path.text, data->local_range,
                                          SDCA_FLOAT64, io->row_buffer);
    }
    for (uint32_t k = 0; io->status == SDCA_OK && k < data->x.count; k++) {
        if (!fits_type(type, io->row_buffer[k])) {
            sdca_field_io_reject(io, name);
            return;
        }
        set_value(type, x, sdca_permutation_apply(&data->shuffle, k) * stride,
                  io->row_buffer[k]);
    }
}
