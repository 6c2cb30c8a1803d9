/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_reader.c - the labels of a file, decoded, a few thousand rows at a time. */
#include "data/label_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Categories are names, whose indices are the labels, or numbers, which are the labels.
 */
static sdca_status read_categories(sdca_label_reader *reader, const char *path,
                                   sdca_string_list *class_names)
{
    sdca_status          status   = SDCA_OK;
    sdca_label_encoding *encoding = &reader->encoding;
    sdca_array_shape     shape;

    encoding->categorical = true;
    if (sdca_hdf5_has_strings(reader->h5, path)) {
        SDCA_TRY(sdca_hdf5_read_strings(reader->h5, path, class_names));
        encoding->category_count = class_names->count;
        goto done;
    }
    SDCA_TRY(sdca_hdf5_check_shape(reader->h5, path, 1, &shape));
    encoding->category_count = shape.extent[0];
    encoding->category_value =
        sdca_alloc_array((size_t)shape.extent[0], sizeof *encoding->category_value);
    if (encoding->category_value == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s", path);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(reader->h5, path, (sdca_range){ 0, shape.extent[0] },
                                  SDCA_FLOAT64, encoding->category_value));

done:
    return status;
}

/* The labels that -1 and +1 in y stand for. */
static sdca_status read_binary_labels(sdca_label_reader *reader)
{
    sdca_label_encoding *encoding = &reader->encoding;
    int64_t              count    = 0;
    sdca_status          status   = SDCA_OK;

    SDCA_TRY(sdca_hdf5_attribute_length(reader->h5, "y", "labels", &count));
    count = count < 2 ? 1 : 2;
    SDCA_TRY(sdca_hdf5_read_attribute(reader->h5, "y", "labels", SDCA_FLOAT64, count,
                                      encoding->binary_label));
    encoding->binary_label[1] = encoding->binary_label[count - 1];
    encoding->binary          = true;

done:
    return status;
}

sdca_status sdca_label_reader_open(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                   sdca_string_list *class_names, sdca_label_reader **out)
{
    sdca_status        status        = SDCA_OK;
    bool               is_y          = strcmp(layout->label_path, "y") == 0;
    const char        *category_path = layout->category_path;
    sdca_label_reader *reader        = calloc(1, sizeof *reader);

    if (reader == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'",
                           sdca_hdf5_path(h5));
        goto done;
    }
    reader->h5   = h5;
    reader->rows = layout->matrix.rows;

    reader->encoding.may_lack = layout->may_lack_labels;
    SDCA_TRY(sdca_hdf5_open_array(h5, layout->label_path, SDCA_FLOAT64, &reader->array));
    if (is_y && sdca_hdf5_has_attribute(h5, "y", "labels")) {
        SDCA_TRY(read_binary_labels(reader));
    }
    if (is_y && sdca_hdf5_has_strings(h5, "label_names")) {
        category_path          = "label_names";
        reader->encoding.named = true;
    }
    if (category_path[0] != '\0') {
        SDCA_TRY(read_categories(reader, category_path, class_names));
    }
    *out   = reader;
    reader = NULL; /* now the caller's */

done:
    sdca_label_reader_close(reader);
    return status;
}

void sdca_label_reader_close(sdca_label_reader *reader)
{
    if (reader != NULL) {
        sdca_hdf5_close_array(reader->array);
        free(reader->encoding.category_value);
        free(reader);
    }
}

/* As many labels as there is space for, from a row on. */
static sdca_status read_window(sdca_label_reader *reader, int64_t first)
{
    int64_t     remaining = reader->rows - first;
    sdca_range *window    = &reader->window;
    sdca_status status    = SDCA_OK;

    window->first = first;
    window->count = remaining < SDCA_CHUNK_ROWS ? remaining : SDCA_CHUNK_ROWS;
    SDCA_TRY(sdca_hdf5_read_array(reader->array, *window, reader->label));
    SDCA_TRY(sdca_labels_decode(&reader->encoding, sdca_hdf5_path(reader->h5), first,
                                window->count, reader->label));

done:
    return status;
}

sdca_status sdca_label_reader_read(sdca_label_reader *reader, sdca_range rows,
                                   const double **out)
{
    sdca_status status = SDCA_OK;

    if (rows.first < reader->window.first ||
        rows.first + rows.count > reader->window.first + reader->window.count) {
        status = read_window(reader, rows.first);
    }
    *out = reader->label + (rows.first - reader->window.first);
    return status;
}
