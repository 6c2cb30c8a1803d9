/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store.c - the one door to HDF5: named arrays and attributes in a file. */
#include "sdca/store.h"

#include <hdf5.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sdca/comm.h"
#include "sdca/output.h"
#include "sdca/seal.h"

/* Elements per chunk of an array that grows: half a megabyte or one. */
enum { CHUNK = 1 << 17 };

/* Bytes of unpacked chunks that are remembered, or two stripes of chunks, side by
 * side over the width of an array, if that is more. */
enum { CHUNK_CACHE = 1 << 22 };

struct sdca_store {
    hid_t     file;
    char     *path;
    sdca_name temporary; /* the name while it is written; "" for a file that is read */
    bool      sealed;
    int       older;                     /* generations to keep */
    char      reason[SDCA_WHY_SIZE / 4]; /* of the first failure, in HDF5's words */
};

struct sdca_array {
    sdca_store *store; /* borrowed */
    hid_t       array;
    sdca_shape  shape;
    sdca_type   type;
    char        name[]; /* for sentences */
};

static hid_t native(sdca_type type)
{
    switch (type) {
    case SDCA_UINT8:
        return H5T_NATIVE_UINT8;
    case SDCA_INT32:
        return H5T_NATIVE_INT32;
    case SDCA_INT64:
        return H5T_NATIVE_INT64;
    case SDCA_FLOAT32:
        return H5T_NATIVE_FLOAT;
    case SDCA_FLOAT64:
        break;
    }
    return H5T_NATIVE_DOUBLE;
}

/* Keep the innermost message of HDF5's error stack, which comes last when the
 * walk goes downward; if it quotes the system, the quotation alone. */
static herr_t keep_reason(unsigned depth, const H5E_error2_t *error, void *reason)
{
    const char *quote  = "error message = '";
    const char *system = strstr(error->desc, quote);
    const char *text   = system != NULL ? system + strlen(quote) : error->desc;
    char       *end    = NULL;

    (void)depth;
    snprintf(reason, sizeof((sdca_store *)0)->reason, "%s", text);
    end = system != NULL ? strchr(reason, '\'') : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    return 0;
}

/* Note why a call of HDF5 failed, if it did: the next call forgets it. */
static herr_t noted(sdca_store *store, herr_t result)
{
    if (result < 0 && store->reason[0] == '\0') {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_reason, store->reason);
    }
    return result;
}

static bool is_full(const sdca_store *store)
{
    return strstr(store->reason, strerror(ENOSPC)) != NULL;
}

/* Record a failure with HDF5's own words behind ours. */
static sdca_status fail(sdca_status status, sdca_store *store, const char *what,
                        const char *name)
{
    const char *reason;

    noted(store, -1);
    reason = store->reason[0] != '\0' ? store->reason : "no reason given";
    if (name == NULL) {
        return SDCA_FAIL(status, "cannot %s '%s': %s", what, store->path, reason);
    }
    return SDCA_FAIL(status, "cannot %s %s in '%s': %s", what, name, store->path, reason);
}

static void free_store(sdca_store *store)
{
    if (store != NULL) {
        free(store->path);
        free(store);
    }
}

static sdca_store *new_store(const char *path)
{
    sdca_store *store = calloc(1, sizeof *store);

    if (store != NULL) {
        H5dont_atexit(); /* after a full disk HDF5's own clean-up at exit crashes */
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are told in our words */
        store->file = H5I_INVALID_HID;
        store->path = strdup(path);
        if (store->path == NULL) {
            free_store(store);
            store = NULL;
        }
    }
    return store;
}

/* What can be known of a file before HDF5 touches it. */
static sdca_status check_readable(const char *path)
{
    FILE *file = fopen(path, "rb");
    char  byte;
    int   reason = errno;

    if (file == NULL) {
        return SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(reason));
    }
    errno = 0;
    if (fread(&byte, 1, 1, file) != 1) {
        reason = errno;
        fclose(file);
        return reason == 0 ? SDCA_FAIL(SDCA_DATA, "'%s' is empty", path)
                           : SDCA_FAIL(SDCA_MISSING, "cannot read '%s': %s", path,
                                       strerror(reason));
    }
    fclose(file);
    return H5Fis_hdf5(path) > 0
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' is not an HDF5 file; sdca convert makes one of text and "
                           "tables",
                           path);
}

sdca_status sdca_store_open(MPI_Comm comm, const char *path, sdca_store **out)
{
    bool        alone  = comm == MPI_COMM_NULL || sdca_comm_size(comm) == 1;
    sdca_status status = SDCA_OK;
    sdca_store *store  = new_store(path);
    hid_t       access = H5I_INVALID_HID;

    status = store != NULL ? check_readable(path)
                           : SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
    SDCA_TRY(alone ? status : sdca_comm_agree(comm, status));

    access = H5Pcreate(H5P_FILE_ACCESS);
    if (!alone) {
        H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
    }
    store->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    status      = store->file >= 0 ? SDCA_OK : fail(SDCA_DATA, store, "open", NULL);
    SDCA_TRY(alone ? status : sdca_comm_agree(comm, status));

    *out  = store;
    store = NULL; /* now the caller's */

done:
    if (access >= 0) {
        H5Pclose(access);
    }
    free_store(store);
    return status;
}

static sdca_status create(const char *path, bool sealed, int older, sdca_store **out)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = new_store(path);
    hid_t       layout = H5I_INVALID_HID;

    if (store != NULL) {
        store->temporary = sdca_output_temporary(path);
        store->sealed    = sealed;
        store->older     = older;
    }
    if (store == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to make '%s'", path);
        goto done;
    }
    SDCA_TRY(sdca_output_check(path));
    layout = H5Pcreate(H5P_FILE_CREATE);
    if (sealed) {
        H5Pset_userblock(layout, SDCA_SEAL_SIZE);
    }
    store->file = H5Fcreate(store->temporary.text, H5F_ACC_TRUNC, layout, H5P_DEFAULT);
    if (store->file < 0) {
        status = fail(SDCA_CREATE, store, "make", NULL);
        if (is_full(store)) { /* there, and empty */
            unlink(store->temporary.text);
            status = SDCA_IO;
        }
        goto done;
    }
    *out  = store;
    store = NULL; /* now the caller's */

done:
    if (layout >= 0) {
        H5Pclose(layout);
    }
    free_store(store);
    return status;
}

sdca_status sdca_store_create(const char *path, sdca_store **out)
{
    return create(path, false, 0, out);
}

sdca_status sdca_store_create_sealed(const char *path, int older, sdca_store **out)
{
    return create(path, true, older, out);
}

/* Close a file that is not wanted any more. HDF5 cannot close one that it cannot
 * write, and crashes over it at the end of the program: so it gets memory to
 * write to, in place of a disk that may be full. */
static void discard(sdca_store *store)
{
    char name[64];
    int *file    = NULL;
    int  nowhere = -1;

    snprintf(name, sizeof name, "/sdca-%ld", (long)getpid());
    nowhere = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (nowhere >= 0) {
        shm_unlink(name);
        if (H5Fget_vfd_handle(store->file, H5P_DEFAULT, (void **)&file) >= 0) {
            dup2(nowhere, *file);
        }
        close(nowhere);
    }
    H5Fclose(store->file);
    unlink(store->temporary.text);
}

sdca_status sdca_store_commit(sdca_store *store)
{
    sdca_status status = SDCA_OK;
    hid_t       check  = H5I_INVALID_HID;

    if (noted(store, H5Fflush(store->file, H5F_SCOPE_GLOBAL)) < 0) {
        status = fail(SDCA_IO, store, "write", NULL);
        discard(store);
        goto done;
    }
    if (noted(store, H5Fclose(store->file)) < 0) {
        status = fail(SDCA_IO, store, "write", NULL);
        unlink(store->temporary.text);
        goto done;
    }
    check = H5Fopen(store->temporary.text, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (check < 0) {
        status = fail(SDCA_IO, store, "read back", NULL);
        unlink(store->temporary.text);
        goto done;
    }
    H5Fclose(check);
    if (store->sealed) {
        status = sdca_seal_put(store->temporary.text, store->path);
    }
    if (status != SDCA_OK) {
        unlink(store->temporary.text);
        goto done;
    }
    status = sdca_output_publish(store->temporary.text, store->path, store->older);

done:
    free_store(store);
    return status;
}

void sdca_store_close(sdca_store *store)
{
    if (store == NULL) {
        return;
    }
    if (store->temporary.text[0] != '\0') {
        discard(store);
    } else {
        H5Fclose(store->file);
    }
    free_store(store);
}

const char *sdca_store_path(const sdca_store *store)
{
    return store->path;
}

/* Is every part of a/b/c there, the last one of that kind? */
static bool has_object(sdca_store *store, const char *name, H5O_type_t kind)
{
    char       part[SDCA_WHY_SIZE];
    H5O_info_t facts;

    for (const char *slash = strchr(name, '/'); slash != NULL;
         slash             = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (H5Lexists(store->file, part, H5P_DEFAULT) <= 0) {
            return false;
        }
    }
    return H5Lexists(store->file, name, H5P_DEFAULT) > 0 &&
           H5Oget_info_by_name2(store->file, name, &facts, H5O_INFO_BASIC, H5P_DEFAULT) >=
               0 &&
           facts.type == kind;
}

bool sdca_store_has_array(sdca_store *store, const char *name)
{
    return has_object(store, name, H5O_TYPE_DATASET);
}

bool sdca_store_has_group(sdca_store *store, const char *name)
{
    return has_object(store, name, H5O_TYPE_GROUP);
}

sdca_status sdca_store_list(sdca_store *store, const char *group, sdca_texts *out)
{
    sdca_status status = SDCA_OK;
    H5G_info_t  facts;
    char        name[256];

    if (H5Gget_info_by_name(store->file, group, &facts, H5P_DEFAULT) < 0) {
        return fail(SDCA_IO, store, "read", group);
    }
    for (hsize_t k = 0; k < facts.nlinks; k++) {
        ssize_t length =
            H5Lget_name_by_idx(store->file, group, H5_INDEX_NAME, H5_ITER_INC, k, name,
                               sizeof name, H5P_DEFAULT);

        if (length > 0 && (size_t)length < sizeof name) {
            SDCA_TRY(sdca_texts_append(out, name, (size_t)length));
        }
    }

done:
    return status;
}

/* Open an array of one or two dimensions and say what it is. */
static sdca_status open_array(sdca_store *store, const char *name, hid_t *array,
                              sdca_shape *shape)
{
    sdca_status status    = SDCA_OK;
    hid_t       space     = H5I_INVALID_HID;
    hid_t       type      = H5I_INVALID_HID;
    hsize_t     extent[2] = { 0, 1 };
    H5T_class_t kind;

    if (!sdca_store_has_array(store, name)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no array %s", store->path, name);
    }
    *array = H5Dopen2(store->file, name, H5P_DEFAULT);
    if (*array < 0) {
        return fail(SDCA_DATA, store, "open", name);
    }
    space             = H5Dget_space(*array);
    type              = H5Dget_type(*array);
    kind              = H5Tget_class(type);
    shape->dimensions = H5Sget_simple_extent_ndims(space);
    if (shape->dimensions < 1 || shape->dimensions > 2 ||
        (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)) {
        status = SDCA_FAIL(SDCA_DATA,
                           "%s in '%s' is not an array of numbers in 1 or 2 dimensions",
                           name, store->path);
    } else {
        H5Sget_simple_extent_dims(space, extent, NULL);
        shape->extent[0] = (int64_t)extent[0];
        shape->extent[1] = (int64_t)extent[1];
        shape->real      = kind == H5T_FLOAT;
        shape->bytes     = H5Tget_size(type);
    }
    H5Tclose(type);
    H5Sclose(space);
    if (status != SDCA_OK) {
        H5Dclose(*array);
    }
    return status;
}

sdca_status sdca_store_shape(sdca_store *store, const char *name, sdca_shape *out)
{
    hid_t       array  = H5I_INVALID_HID;
    sdca_status status = open_array(store, name, &array, out);

    if (status == SDCA_OK) {
        H5Dclose(array);
    }
    return status;
}

/* Move a range of an open array from or to the memory at x. */
static herr_t transfer(sdca_store *store, hid_t array, int dimensions, int64_t width,
                       sdca_range range, sdca_type type, void *to, const void *from)
{
    hsize_t first[2] = { (hsize_t)range.first, 0 };
    hsize_t count[2] = { (hsize_t)range.count, (hsize_t)width };
    hid_t   file     = H5Dget_space(array);
    hid_t   memory   = H5Screate_simple(dimensions, count, NULL);
    herr_t  result = H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, count, NULL);

    if (result >= 0) {
        result = to != NULL
                     ? H5Dread(array, native(type), memory, file, H5P_DEFAULT, to)
                     : H5Dwrite(array, native(type), memory, file, H5P_DEFAULT, from);
        noted(store, result);
    }
    H5Sclose(memory);
    H5Sclose(file);
    return result;
}

static sdca_status read_range(sdca_store *store, const char *name, hid_t array,
                              const sdca_shape *shape, sdca_range range, sdca_type type,
                              void *x)
{
    if (range.first < 0 || range.count < 0 ||
        range.first > shape->extent[0] - range.count) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' has %lld entries where %lld are needed",
                         name, store->path, (long long)shape->extent[0],
                         (long long)(range.first + range.count));
    }
    if (range.count > 0 && transfer(store, array, shape->dimensions, shape->extent[1],
                                    range, type, x, NULL) < 0) {
        return fail(SDCA_IO, store, "read", name);
    }
    return SDCA_OK;
}

sdca_status sdca_store_read(sdca_store *store, const char *name, sdca_range range,
                            sdca_type type, void *x)
{
    hid_t       array  = H5I_INVALID_HID;
    sdca_shape  shape  = { 0 };
    sdca_status status = open_array(store, name, &array, &shape);

    if (status == SDCA_OK) {
        status = read_range(store, name, array, &shape, range, type, x);
        H5Dclose(array);
    }
    return status;
}

/* How to hold an array that is read piece by piece: a packed chunk is unpacked
 * once, though several pieces meet in it; others need no copy on their way. */
static hid_t choose_cache(hid_t array, const sdca_shape *shape)
{
    hid_t   made      = H5Dget_create_plist(array);
    hid_t   access    = H5Pcreate(H5P_DATASET_ACCESS);
    hsize_t extent[2] = { 0, 1 };
    size_t  cache     = 0;

    if (H5Pget_layout(made) == H5D_CHUNKED && H5Pget_nfilters(made) > 0) {
        H5Pget_chunk(made, 2, extent);
        extent[1] *= ((hsize_t)shape->extent[1] + extent[1] - 1) / extent[1];
        cache = 2 * (size_t)(extent[0] * extent[1]) * shape->bytes;
        cache = cache > CHUNK_CACHE ? cache : CHUNK_CACHE;
    }
    H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, cache,
                       H5D_CHUNK_CACHE_W0_DEFAULT);
    H5Pclose(made);
    return access;
}

sdca_status sdca_store_open_array(sdca_store *store, const char *name, sdca_type type,
                                  sdca_array **out)
{
    sdca_array *opened = malloc(sizeof *opened + strlen(name) + 1);
    hid_t       plain  = H5I_INVALID_HID;
    sdca_status status = SDCA_OK;
    hid_t       access;

    if (opened == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    SDCA_TRY(open_array(store, name, &plain, &opened->shape));
    access        = choose_cache(plain, &opened->shape);
    opened->array = H5Dopen2(store->file, name, access);
    H5Pclose(access);
    H5Dclose(plain);
    if (opened->array < 0) {
        status = fail(SDCA_DATA, store, "open", name);
        goto done;
    }
    opened->store = store;
    opened->type  = type;
    strcpy(opened->name, name);
    *out   = opened;
    opened = NULL; /* now the caller's */

done:
    free(opened);
    return status;
}

sdca_status sdca_store_read_array(sdca_array *array, sdca_range range, void *x)
{
    return read_range(array->store, array->name, array->array, &array->shape, range,
                      array->type, x);
}

void sdca_store_close_array(sdca_array *array)
{
    if (array != NULL) {
        H5Dclose(array->array);
        free(array);
    }
}

/* A new one-dimensional array, laid out in chunks of so many numbers, or in one piece if
 * that is 0; only with chunks may it grow. */
static hid_t create_array(sdca_store *store, const char *name, sdca_type type,
                          int64_t count, hsize_t chunk, bool grows)
{
    hsize_t size       = (hsize_t)count;
    hsize_t most       = grows ? H5S_UNLIMITED : size;
    hid_t   space      = H5Screate_simple(1, &size, &most);
    hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   array;

    H5Pset_obj_track_times(properties, 0); /* the same content, the same bytes */
    if (chunk > 0) {
        H5Pset_chunk(properties, 1, &chunk);
    }
    array = H5Dcreate2(store->file, name, native(type), space, H5P_DEFAULT, properties,
                       H5P_DEFAULT);
    H5Pclose(properties);
    H5Sclose(space);
    return array;
}

/* Write to an open array, or to none if making it failed, and close it. */
static sdca_status write_and_close(sdca_store *store, const char *name, hid_t array,
                                   sdca_range range, sdca_type type, const void *x)
{
    herr_t result = array >= 0 ? 0 : -1;

    if (result >= 0 && range.count > 0) {
        result = transfer(store, array, 1, 1, range, type, NULL, x);
    }
    if (array >= 0 && noted(store, H5Dclose(array)) < 0) {
        result = -1;
    }
    return result >= 0 ? SDCA_OK : fail(SDCA_IO, store, "write", name);
}

sdca_status sdca_store_append(sdca_store *store, const char *name, sdca_type type,
                              int64_t count, const void *x)
{
    hid_t      array = H5I_INVALID_HID;
    sdca_shape shape = { 0 };
    hsize_t    size;

    if (sdca_store_has_array(store, name)) {
        sdca_status status = open_array(store, name, &array, &shape);

        if (status != SDCA_OK) {
            return status;
        }
        size = (hsize_t)(shape.extent[0] + count);
        if (noted(store, H5Dset_extent(array, &size)) < 0) {
            H5Dclose(array);
            return fail(SDCA_IO, store, "extend", name);
        }
    } else {
        array = create_array(store, name, type, count, CHUNK, true);
    }
    return write_and_close(store, name, array, (sdca_range){ shape.extent[0], count },
                           type, x);
}

sdca_status sdca_store_reserve(sdca_store *store, const char *name, sdca_type type,
                               int64_t count)
{
    hid_t array = create_array(store, name, type, count, 0, false);

    return write_and_close(store, name, array, (sdca_range){ 0, 0 }, type, NULL);
}

sdca_status sdca_store_reserve_zeros(sdca_store *store, const char *name, sdca_type type,
                                     int64_t count, int64_t piece)
{
    hsize_t chunk = (hsize_t)(piece < count ? piece : count);
    hid_t   array = create_array(store, name, type, count, chunk, false);

    return write_and_close(store, name, array, (sdca_range){ 0, 0 }, type, NULL);
}

sdca_status sdca_store_overwrite(sdca_store *store, const char *name, sdca_range range,
                                 sdca_type type, const void *x)
{
    hid_t array = H5Dopen2(store->file, name, H5P_DEFAULT);

    return write_and_close(store, name, array, range, type, x);
}

sdca_status sdca_store_write(sdca_store *store, const char *name, sdca_type type,
                             int64_t count, const void *x)
{
    hid_t array = create_array(store, name, type, count, 0, false);

    return write_and_close(store, name, array, (sdca_range){ 0, count }, type, x);
}

sdca_status sdca_store_group(sdca_store *store, const char *name)
{
    hid_t group = H5Gcreate2(store->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    return group >= 0 && H5Gclose(group) >= 0 ? SDCA_OK
                                              : fail(SDCA_IO, store, "make", name);
}

bool sdca_store_has(sdca_store *store, const char *object, const char *name)
{
    return H5Aexists_by_name(store->file, object, name, H5P_DEFAULT) > 0;
}

static sdca_status open_attribute(sdca_store *store, const char *object, const char *name,
                                  hid_t *attribute)
{
    if (!sdca_store_has(store, object, name)) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' has no attribute %s", object, store->path,
                         name);
    }
    *attribute = H5Aopen_by_name(store->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    return *attribute >= 0 ? SDCA_OK : fail(SDCA_DATA, store, "open the attribute", name);
}

static int64_t count_values(hid_t attribute)
{
    hid_t   space = H5Aget_space(attribute);
    int64_t count = (int64_t)H5Sget_simple_extent_npoints(space);

    H5Sclose(space);
    return count;
}

/* Text comes as fixed-length strings, or as variable-length ones from h5py. whole has
 * room for one of a fixed length. */
static herr_t read_text(hid_t attribute, hid_t type, char *whole, char *text, size_t size)
{
    herr_t result = -1;

    if (H5Tis_variable_str(type) > 0) {
        hid_t space  = H5Aget_space(attribute);
        hid_t same   = H5Tcopy(type);
        char *theirs = NULL;

        result = H5Aread(attribute, same, &theirs);
        if (result >= 0) {
            snprintf(text, size, "%s", theirs != NULL ? theirs : "");
            H5Dvlen_reclaim(same, space, H5P_DEFAULT, &theirs);
        }
        H5Tclose(same);
        H5Sclose(space);
        return result;
    }
    result = H5Aread(attribute, type, whole);
    if (result >= 0) {
        snprintf(text, size, "%s", whole);
    }
    return result;
}

sdca_status sdca_store_get_text(sdca_store *store, const char *object, const char *name,
                                char *text, size_t size)
{
    hid_t       attribute = H5I_INVALID_HID;
    hid_t       type      = H5I_INVALID_HID;
    char       *whole     = NULL;
    sdca_status status    = open_attribute(store, object, name, &attribute);

    if (status != SDCA_OK) {
        return status;
    }
    type  = H5Aget_type(attribute);
    whole = calloc(H5Tget_size(type) + 1, 1);
    if (whole == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to read the attribute %s of '%s'",
                           name, store->path);
    } else if (H5Tget_class(type) != H5T_STRING || count_values(attribute) != 1) {
        status = SDCA_FAIL(SDCA_DATA, "the attribute %s of %s in '%s' is not text", name,
                           object, store->path);
    } else if (read_text(attribute, type, whole, text, size) < 0) {
        status = fail(SDCA_IO, store, "read the attribute", name);
    }
    free(whole);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

/* Make an attribute, write it and close it. */
static sdca_status put_attribute(sdca_store *store, const char *object, const char *name,
                                 hid_t type, hid_t space, const void *x)
{
    hid_t  attribute = H5Acreate_by_name(store->file, object, name, type, space,
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result    = attribute >= 0 ? H5Awrite(attribute, type, x) : -1;

    noted(store, result);
    if (attribute >= 0 && H5Aclose(attribute) < 0) {
        result = -1;
    }
    return result >= 0 ? SDCA_OK : fail(SDCA_IO, store, "write the attribute", name);
}

/* Variable length and UTF-8: what h5py and AnnData take for text. */
static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

sdca_status sdca_store_put_text(sdca_store *store, const char *object, const char *name,
                                const char *text)
{
    hid_t       space = H5Screate(H5S_SCALAR);
    hid_t       type  = text_type();
    sdca_status status;

    status = put_attribute(store, object, name, type, space, &text);
    H5Tclose(type);
    H5Sclose(space);
    return status;
}

sdca_status sdca_store_count(sdca_store *store, const char *object, const char *name,
                             int64_t *count)
{
    hid_t       attribute = H5I_INVALID_HID;
    sdca_status status    = open_attribute(store, object, name, &attribute);

    if (status == SDCA_OK) {
        *count = count_values(attribute);
        H5Aclose(attribute);
    }
    return status;
}

sdca_status sdca_store_get_numbers(sdca_store *store, const char *object,
                                   const char *name, sdca_type type, int64_t count,
                                   void *x)
{
    hid_t       attribute = H5I_INVALID_HID;
    hid_t       stored    = H5I_INVALID_HID;
    sdca_status status    = open_attribute(store, object, name, &attribute);
    H5T_class_t kind;

    if (status != SDCA_OK) {
        return status;
    }
    stored = H5Aget_type(attribute);
    kind   = H5Tget_class(stored);
    if (count_values(attribute) != count || (kind != H5T_INTEGER && kind != H5T_FLOAT)) {
        status =
            SDCA_FAIL(SDCA_DATA, "the attribute %s of %s in '%s' is not %lld number%s",
                      name, object, store->path, (long long)count, count == 1 ? "" : "s");
    } else if (H5Aread(attribute, native(type), x) < 0) {
        status = fail(SDCA_IO, store, "read the attribute", name);
    }
    H5Tclose(stored);
    H5Aclose(attribute);
    return status;
}

sdca_status sdca_store_put_numbers(sdca_store *store, const char *object,
                                   const char *name, sdca_type type, int64_t count,
                                   const void *x)
{
    hsize_t size  = (hsize_t)count;
    hid_t   space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    sdca_status status;

    status = put_attribute(store, object, name, native(type), space, x);
    H5Sclose(space);
    return status;
}

/* Open an array of texts in one dimension, if name is one. */
static bool open_texts(sdca_store *store, const char *name, hid_t *array, hsize_t *count)
{
    hid_t type, space;
    bool  fits;

    if (!sdca_store_has_array(store, name)) {
        return false;
    }
    *array = H5Dopen2(store->file, name, H5P_DEFAULT);
    if (*array < 0) {
        return false;
    }
    type  = H5Dget_type(*array);
    space = H5Dget_space(*array);
    fits  = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_ndims(space) == 1;
    if (fits) {
        H5Sget_simple_extent_dims(space, count, NULL);
    } else {
        H5Dclose(*array);
    }
    H5Sclose(space);
    H5Tclose(type);
    return fits;
}

bool sdca_store_has_texts(sdca_store *store, const char *name)
{
    hid_t   array = H5I_INVALID_HID;
    hsize_t count = 0;
    bool    there = open_texts(store, name, &array, &count);

    if (there) {
        H5Dclose(array);
    }
    return there;
}

/* All texts of an array behind each other in memory: pointers, if they vary in length,
 * which HDF5 allocates; otherwise so many bytes each. */
static sdca_status take_texts(sdca_store *store, const char *name, hid_t array,
                              hsize_t count, sdca_texts *out)
{
    sdca_status status = SDCA_OK;
    hid_t       type   = H5Dget_type(array);
    hid_t       space  = H5Dget_space(array);
    bool        varies = H5Tis_variable_str(type) > 0;
    size_t      width  = H5Tget_size(type);
    char       *bytes  = calloc((size_t)count + 1, width);

    if (bytes == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s of '%s'", name, store->path);
    } else if (H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) {
        status = fail(SDCA_IO, store, "read", name);
        varies = false; /* nothing was allocated */
    }
    for (hsize_t k = 0; status == SDCA_OK && k < count; k++) {
        const char *text = varies ? ((char **)(void *)bytes)[k] : bytes + k * width;
        size_t length = text == NULL ? 0 : varies ? strlen(text) : strnlen(text, width);

        status = sdca_texts_append(out, text != NULL ? text : "", length);
    }
    if (bytes != NULL && varies) {
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

sdca_status sdca_store_read_texts(sdca_store *store, const char *name, sdca_texts *out)
{
    hid_t       array = H5I_INVALID_HID;
    hsize_t     count = 0;
    sdca_status status;

    if (!open_texts(store, name, &array, &count)) {
        return SDCA_FAIL(SDCA_DATA, "%s in '%s' is not an array of texts", name,
                         store->path);
    }
    status = take_texts(store, name, array, count, out);
    H5Dclose(array);
    if (status != SDCA_OK) {
        sdca_texts_free(out);
    }
    return status;
}

sdca_status sdca_store_write_texts(sdca_store *store, const char *name,
                                   const sdca_texts *texts)
{
    hsize_t count      = (hsize_t)texts->count;
    hid_t   space      = H5Screate_simple(1, &count, NULL);
    hid_t   type       = text_type();
    hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   array;
    herr_t  result = -1;

    H5Pset_obj_track_times(properties, 0); /* the same content, the same bytes */
    array =
        H5Dcreate2(store->file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (array >= 0) {
        result = count > 0 ? noted(store, H5Dwrite(array, type, H5S_ALL, H5S_ALL,
                                                   H5P_DEFAULT, texts->text))
                           : 0;
        result = noted(store, H5Dclose(array)) < 0 ? -1 : result;
    }
    H5Pclose(properties);
    H5Tclose(type);
    H5Sclose(space);
    return result >= 0 ? SDCA_OK : fail(SDCA_IO, store, "write", name);
}

sdca_status sdca_store_put_texts(sdca_store *store, const char *object, const char *name,
                                 const sdca_texts *texts)
{
    hsize_t     count = (hsize_t)texts->count;
    hid_t       space = H5Screate_simple(1, &count, NULL);
    hid_t       type  = text_type();
    sdca_status status;

    status = put_attribute(store, object, name, type, space, texts->text);
    H5Tclose(type);
    H5Sclose(space);
    return status;
}
