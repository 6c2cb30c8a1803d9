/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_like.c - the settings that sdca convert --like takes from a data file. */
#include "cli/convert/convert_like.h"

#include <string.h>

#include "io/hdf5_file.h"

/* The file has this value, which is static. */
static sdca_status inherit(sdca_hdf5_file *store, const char *option, const char *value,
                           convert_option *setting)
{
    if (setting->given && strcmp(setting->value, value) != 0) {
        return SDCA_FAIL(SDCA_USAGE, "with --like, --%s is that of '%s': %s, not %s",
                         option, sdca_hdf5_path(store), value, setting->value);
    }
    setting->value = value;
    return SDCA_OK;
}

/* The same for the value of an attribute, if it exists and is one of words. */
static sdca_status inherit_text(sdca_hdf5_file *store, const char *object,
                                const char *option, const char *const words[2],
                                convert_option *setting)
{
    sdca_status status   = SDCA_OK;
    char        text[32] = "";

    if (sdca_hdf5_has_attribute(store, object, option)) {
        SDCA_TRY(
            sdca_hdf5_read_string_attribute(store, object, option, text, sizeof text));
    }
    for (int k = 0; k < 2; k++) {
        if (strcmp(text, words[k]) == 0) {
            SDCA_TRY(inherit(store, option, words[k], setting));
        }
    }

done:
    return status;
}

static sdca_status inherit_value_type(sdca_hdf5_file *store, convert_option *setting)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_get_shape(store, "X/data", &shape));
    SDCA_TRY(inherit(store, "values",
                     shape.element_size > sizeof(float) ? "float64" : "float32",
                     setting));

done:
    return status;
}

/* Does the file record the columns of a table? A model has their names only. */
static sdca_status check_table(sdca_hdf5_file *store)
{
    if (sdca_hdf5_has_array(store, "w")) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' is a model: --like expects the data file that it was "
                         "trained on",
                         sdca_hdf5_path(store));
    }
    return sdca_table_schema_exists(store)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' was not converted from a table: it has no names "
                           "of columns",
                           sdca_hdf5_path(store));
}

sdca_status convert_like_read(const char *path, convert_options *inherited,
                              sdca_table_schema *features)
{
    static const char *const normalize[2] = { "none", "rows" };
    static const char *const task[2]      = { "classification", "regression" };
    sdca_status              status       = SDCA_OK;
    sdca_hdf5_file          *store        = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    SDCA_TRY(check_table(store));
    SDCA_TRY(inherit_text(store, "/", "normalize", normalize, &inherited->normalize));
    if (sdca_hdf5_has_array(store, "y")) {
        SDCA_TRY(inherit_text(store, "y", "task", task, &inherited->task));
    }
    if (sdca_hdf5_has_array(store, "X/data")) {
        SDCA_TRY(inherit_value_type(store, &inherited->values));
    }
    SDCA_TRY(sdca_table_schema_read(store, features));

done:
    sdca_hdf5_close(store);
    return status;
}
