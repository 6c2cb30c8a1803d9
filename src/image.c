/* SPDX-License-Identifier: BSD-3-Clause
 *
 * image.c - a file that holds all of a run, field by field. */
#include "image.h"

#include <stdlib.h>

#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/weights.h"

/* An array that fills with what the ranks hand in. */
typedef struct target {
    sdca_image *image;
    const char *name;
    int64_t     done;
} target;

static bool is_mine_to_do(const sdca_image *image)
{
    return image->status == SDCA_OK && image->store != NULL;
}

/* Both kinds begin alike. */
static sdca_status begin(MPI_Comm comm, const sdca_dataset *data, bool writes,
                         sdca_image *out)
{
    *out = (sdca_image){ .comm = comm, .data = data, .writes = writes, .group = "/" };
    out->room = sdca_alloc_array(data->x.count, sizeof *out->room);
    return out->room != NULL ? SDCA_OK
                             : SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint");
}

sdca_status sdca_image_create(MPI_Comm comm, const sdca_dataset *data, const char *path,
                              int older, sdca_image *out)
{
    sdca_image  image;
    sdca_status status = begin(comm, data, true, &image);

    if (status == SDCA_OK && sdca_comm_rank(comm) == 0) {
        status = sdca_hdf5_create_checksummed(path, older, &image.store);
    }
    status = sdca_comm_agree(comm, status);
    if (status == SDCA_OK) {
        *out = image;
        return SDCA_OK;
    }
    sdca_hdf5_close(image.store);
    free(image.room);
    return status;
}

sdca_status sdca_image_open(MPI_Comm comm, const sdca_dataset *data, const char *path,
                            sdca_image *out)
{
    sdca_image  image;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, begin(comm, data, false, &image)));
    SDCA_TRY(sdca_hdf5_open(comm, path, &image.store));
    *out       = image;
    image.room = NULL; /* now the caller's */

done:
    free(image.room);
    return status;
}

sdca_status sdca_image_close(sdca_image *image)
{
    sdca_status status = sdca_comm_agree(image->comm, image->status);

    if (status == SDCA_OK && image->writes) {
        status       = image->store != NULL ? sdca_hdf5_commit(image->store) : SDCA_OK;
        image->store = NULL; /* gone, whatever came of it */
        status       = sdca_comm_agree(image->comm, status);
    }
    sdca_hdf5_close(image->store);
    free(image->room);
    *image = (sdca_image){ 0 };
    return status;
}

void sdca_image_refuse(sdca_image *image, const char *name)
{
    if (image->status == SDCA_OK) {
        image->status =
            SDCA_FAIL(SDCA_DATA, "%s in '%s' is out of range: the file was changed", name,
                      sdca_hdf5_path(image->store));
    }
}

void sdca_image_group(sdca_image *image, const char *group)
{
    image->group = group;
    if (image->writes && is_mine_to_do(image)) {
        image->status = sdca_hdf5_create_group(image->store, group);
    }
}

/* A single number of that type, from or to the memory at x. */
static void move_number(sdca_image *image, const char *name, sdca_dtype type, void *x)
{
    if (is_mine_to_do(image)) {
        image->status =
            image->writes
                ? sdca_hdf5_write_attribute(image->store, image->group, name, type, 1, x)
                : sdca_hdf5_read_attribute(image->store, image->group, name, type, 1, x);
    }
}

void sdca_image_number(sdca_image *image, const char *name, double *x)
{
    move_number(image, name, SDCA_FLOAT64, x);
}

void sdca_image_whole(sdca_image *image, const char *name, int64_t *x)
{
    move_number(image, name, SDCA_INT64, x);
}

void sdca_image_flag(sdca_image *image, const char *name, bool *x)
{
    int64_t number = *x;

    move_number(image, name, SDCA_INT64, &number);
    *x = number != 0;
}

static sdca_status fill(void *context, const double *values, int64_t count)
{
    target     *to     = context;
    sdca_range  range  = { to->done, count };
    sdca_status status = to->image->status;

    to->done += count;
    return status == SDCA_OK ? sdca_hdf5_write_range(to->image->store, to->name, range,
                                                     SDCA_FLOAT64, values)
                             : status;
}

/* Write all ranks' numbers, total of them, as an array of that type. What failed first
 * stays what failed. */
static void gather(sdca_image *image, const char *name, sdca_dtype type, int64_t total,
                   const double *mine, int64_t count)
{
    target      to = { image, name, 0 };
    sdca_status status;

    if (is_mine_to_do(image)) {
        image->status = sdca_hdf5_create_array(image->store, name, type, total);
    }
    status        = sdca_comm_gather(image->comm, mine, count, fill, &to);
    image->status = image->status != SDCA_OK ? image->status : status;
}

void sdca_image_by_rank(sdca_image *image, const char *name, double *x)
{
    sdca_range one = { sdca_comm_rank(image->comm), 1 };

    if (image->writes) {
        gather(image, name, SDCA_FLOAT64, sdca_comm_size(image->comm), x, 1);
    } else if (is_mine_to_do(image)) {
        image->status = sdca_hdf5_read_range(image->store, name, one, SDCA_FLOAT64, x);
    }
}

void sdca_image_by_column(sdca_image *image, const char *name, double *x)
{
    const sdca_dataset *data = image->data;
    int32_t             d    = sdca_dataset_feature_count(data) + (data->bias > 0.0);

    if (is_mine_to_do(image)) {
        image->status =
            image->writes ? sdca_weights_write(image->store, name, data->column_map, d, x)
                          : sdca_weights_read(image->store, name, data->column_map, d, x);
    }
}

static double number_at(sdca_dtype type, const void *x, uint32_t i)
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
static bool fits(sdca_dtype type, double value)
{
    const double most = type == SDCA_UINT8   ? UINT8_MAX
                        : type == SDCA_INT32 ? INT32_MAX
                                             : 9007199254740992.0; /* 2^53 */

    return type == SDCA_FLOAT32 || type == SDCA_FLOAT64 ||
           (value <= most && value >= (type == SDCA_UINT8 ? 0.0 : -most));
}

static void set_number(sdca_dtype type, void *x, uint32_t i, double value)
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

void sdca_image_by_row(sdca_image *image, const char *name, sdca_dtype type, void *x)
{
    const sdca_dataset *data = image->data;

    if (image->writes) {
        for (uint32_t k = 0; k < data->x.count; k++) {
            image->room[k] =
                number_at(type, x, sdca_permutation_apply(&data->shuffle, k));
        }
        gather(image, name, type, data->rows, image->room, data->x.count);
        return;
    }
    if (is_mine_to_do(image)) {
        image->status = sdca_hdf5_read_range(image->store, name, data->local_range,
                                             SDCA_FLOAT64, image->room);
    }
    for (uint32_t k = 0; image->status == SDCA_OK && k < data->x.count; k++) {
        if (!fits(type, image->room[k])) {
            sdca_image_refuse(image, name);
            return;
        }
        set_number(type, x, sdca_permutation_apply(&data->shuffle, k), image->room[k]);
    }
}
