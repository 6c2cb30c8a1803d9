/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_files.c - what commands need of AnnData files besides their rows. */
#include "cli/anndata_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/rows.h"
#include "io/hdf5_file.h"

/* Values that are examined. */
enum { COUNTS_SAMPLE = 1 << 20 };

/* This share of them are counts if the matrix holds counts; the others may be those of
 * covariates. */
static const double counts_share = 0.9;

sdca_status anndata_files_read_model(const char *path, anndata_files_model *out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    SDCA_TRY(sdca_anndata_settings_read(store, &out->settings));
    if (sdca_hdf5_has_strings(store, "column_names")) {
        SDCA_TRY(sdca_hdf5_read_strings(store, "column_names", &out->names));
    }

done:
    sdca_hdf5_close(store);
    return status;
}

void anndata_files_model_free(anndata_files_model *model)
{
    sdca_string_list_free(&model->names);
}

void anndata_files_choose(const anndata_files_model *model, sdca_dataset_options *options)
{
    const sdca_anndata_options *known = &model->settings.options;
    sdca_anndata_options       *cells = &options->cells;

    cells->x          = cells->x != NULL ? cells->x : known->x;
    cells->names      = cells->names != NULL ? cells->names : known->names;
    cells->covariates = cells->covariates != NULL ? cells->covariates : known->covariates;
    options->column_names = &model->names;
}

sdca_status anndata_files_find_label(const char *path, const anndata_files_model *model,
                                     sdca_dataset_options *options)
{
    static const char *const form[] = { "", "/codes", "/values" };
    const char              *label  = model->settings.label;
    sdca_status              status = SDCA_OK;
    sdca_hdf5_file          *store  = NULL;
    char                     array[2048];

    if (label == NULL || options->label_column != NULL || options->ignore_labels) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (options->follow_links) {
        sdca_hdf5_follow_external_links(store);
    }
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++) {
        snprintf(array, sizeof array, "obs/%s%s", label, form[k]);
        if (sdca_hdf5_has_array(store, array)) {
            options->label_column = label;
        }
    }

done:
    sdca_hdf5_close(store);
    return status;
}

/* The path of the index of obs, and its name. */
static sdca_status find_index(sdca_hdf5_file *store, char path[512], char name[256])
{
    sdca_status status = SDCA_OK;

    strcpy(name, "_index");
    if (sdca_hdf5_has_group(store, "obs") &&
        sdca_hdf5_has_attribute(store, "obs", "_index")) {
        status = sdca_hdf5_read_string_attribute(store, "obs", "_index", name, 256);
    }
    snprintf(path, 512, "obs/%s", name);
    return status == SDCA_MEMORY ? status : SDCA_OK;
}

/* Copy the names of the rows of the data set. */
static sdca_status choose_names(const sdca_dataset *data, const sdca_string_list *all,
                                sdca_string_list *names)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < data->rows; k++) {
        const char *name = all->text[data->source_row != NULL ? data->source_row[k] : k];

        status = sdca_string_list_append(names, name, strlen(name));
    }
    return status;
}

sdca_status anndata_files_read_names(const char *path, bool links,
                                     const sdca_dataset *data, sdca_string_list *header,
                                     sdca_string_list *names)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_file  *store  = NULL;
    sdca_string_list all    = { 0 };
    char             index[512], name[256];

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (links) {
        sdca_hdf5_follow_external_links(store);
    }
    SDCA_TRY(find_index(store, index, name));
    if (!sdca_hdf5_has_strings(store, index)) {
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_strings(store, index, &all));
    if (all.count >
        (data->source_row != NULL ? data->source_row[data->rows - 1] : data->rows - 1)) {
        const char *title =
            strcmp(name, "_index") == 0 || strcmp(name, "index") == 0 ? "cell" : name;

        SDCA_TRY(sdca_string_list_append(header, title, strlen(title)));
        SDCA_TRY(choose_names(data, &all, names));
    }

done:
    sdca_string_list_free(&all);
    sdca_hdf5_close(store);
    return status;
}

/* The value that entry k of column j has in the file, but for the rounding of a float. */
static double source_value(const sdca_dataset *data, int64_t k, int64_t j)
{
    double value = sdca_rows_value(&data->x, k);

    value *= data->scale != NULL ? data->scale[j] : 1.0;
    return value + (data->mean != NULL ? data->mean[j] : 0.0);
}

bool anndata_files_has_counts(const sdca_dataset *data)
{
    int64_t end      = data->x.count > 0 ? data->x.row[data->x.count].start : 0;
    int64_t features = data->columns - (data->bias > 0.0);
    int64_t values = 0, counts = 0;
    double  greatest = 0.0;

    for (int64_t k = 0; k < end && k < COUNTS_SAMPLE; k++) {
        int64_t j       = sdca_rows_column(&data->x, k);
        double  value   = j < features ? source_value(data, k, j) : 0.0;
        double  nearest = nearbyint(value), slack = 1e-5 * (1.0 + fabs(value));

        if (fabs(value) > slack) {
            bool count = nearest >= 1.0 && fabs(value - nearest) <= slack;

            values++;
            counts += count;
            greatest = fmax(greatest, count ? nearest : 0.0);
        }
    }
    return greatest > 2.0 && (double)counts >= counts_share * (double)values;
}

void anndata_files_print_notes(const terminal_line *terminal, const sdca_dataset *data,
                               const char *path, const char *what)
{
    char message[SDCA_MESSAGE_SIZE];

    if (data->unlabelled > 0) {
        snprintf(message, sizeof message, "%lld row%s of '%s' without a label: %s",
                 (long long)data->unlabelled, data->unlabelled == 1 ? "" : "s", path,
                 what);
        terminal_line_print_message(terminal, "Note", message);
    }
}

/* What to write after --x: the layers of the file, or nothing. */
static sdca_status list_layers(const char *path, bool links, char *text, size_t size)
{
    enum { MOST = 3 };
    sdca_status      status = SDCA_OK;
    sdca_hdf5_file  *store  = NULL;
    sdca_string_list names  = { 0 };
    size_t           length = 0;

    text[0] = '\0';
    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &store));
    if (links) {
        sdca_hdf5_follow_external_links(store);
    }
    if (sdca_hdf5_has_group(store, "layers")) {
        SDCA_TRY(sdca_hdf5_list_group(store, "layers", &names));
    }
    for (int64_t k = 0; k < names.count && k < MOST && length < size; k++) {
        length += (size_t)snprintf(
            text + length, size - length, "%slayers/%s", k > 0 ? " or " : "",
            sdca_string_escape(names.text[k], strlen(names.text[k])).text);
    }

done:
    sdca_string_list_free(&names);
    sdca_hdf5_close(store);
    return status;
}

sdca_status anndata_files_warn_of_counts(const terminal_line *terminal,
                                         const sdca_dataset *data, const char *path,
                                         bool links)
{
    sdca_status status = SDCA_OK;
    char        layers[512], message[SDCA_MESSAGE_SIZE];

    if (data->normalized || !anndata_files_has_counts(data)) {
        return SDCA_OK;
    }
    SDCA_TRY(list_layers(path, links, layers, sizeof layers));
    snprintf(message, sizeof message,
             "'%s' holds counts, whose scale differs from row to row: %s%s, or try "
             "--normalize rows",
             path,
             layers[0] != '\0' ? "choose normalised values by --x "
                               : "normalise them, as normalize_total and log1p of scanpy "
                                 "do",
             layers);
    terminal_line_print_message(terminal, "Warning", message);

done:
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

sdca_status anndata_files_warn_of_names(const terminal_line    *terminal,
                                        const sdca_string_list *names, const char *path)
{
    int64_t     count = names->count, shared = 0;
    char      **sorted = sdca_alloc_array((size_t)count, sizeof *sorted);
    const char *first  = NULL;
    char        message[SDCA_MESSAGE_SIZE];

    if (sorted == NULL && count > 0) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld names of columns",
                         (long long)count);
    }
    for (int64_t j = 0; j < count; j++) {
        sorted[j] = names->text[j];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    for (int64_t j = 0; j < count; j++) {
        if ((j > 0 && strcmp(sorted[j], sorted[j - 1]) == 0) ||
            (j + 1 < count && strcmp(sorted[j], sorted[j + 1]) == 0)) {
            first = first != NULL ? first : sorted[j];
            shared++;
        }
    }
    if (shared > 0) {
        snprintf(message, sizeof message,
                 "%lld columns of '%s' share their names, such as '%s': predict cannot "
                 "find them in a file with another order; choose other names by --names",
                 (long long)shared, path, sdca_string_escape(first, strlen(first)).text);
        terminal_line_print_message(terminal, "Warning", message);
    }
    free(sorted);
    return SDCA_OK;
}
