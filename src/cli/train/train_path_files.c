/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_path_files.c - train with several lambda: the files of --path, and a record of
 * each fit. */
#include "cli/train/train_path_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "data/label_print.h"
#include "model/history.h"

static const char infix[] = "-lambda-", suffix[] = ".h5";

/* The name of the file of fit k. */
static void format_name(const lambda_list *lambdas, int k, char *name, size_t size)
{
    int digits = snprintf(NULL, 0, "%d", lambdas->count);

    snprintf(name, size, "%0*d%s%g%s", digits, k + 1, infix, lambdas->value[k], suffix);
}

sdca_path train_path_file(const train_arguments *arguments, int k)
{
    sdca_path path;
    char      name[64];

    format_name(&arguments->lambdas, k, name, sizeof name);
    snprintf(path.text, sizeof path.text, "%s/%s", arguments->path, name);
    return path;
}

/* Is this the name of a model of some path? */
static bool is_path_name(const char *name)
{
    size_t digits = strspn(name, "0123456789"), length = strlen(name);

    return digits > 0 && strncmp(name + digits, infix, sizeof infix - 1) == 0 &&
           length >= sizeof suffix &&
           strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static bool is_own_name(const lambda_list *lambdas, const char *name)
{
    char mine[64];
    bool found = false;

    for (int k = 0; k < lambdas->count && !found; k++) {
        format_name(lambdas, k, mine, sizeof mine);
        found = strcmp(mine, name) == 0;
    }
    return found;
}

/* The models in an existing directory must be ones that this run replaces. */
static sdca_status check_entries(const train_arguments *arguments, DIR *directory)
{
    const struct dirent *entry;

    while ((entry = readdir(directory)) != NULL) {
        if (is_path_name(entry->d_name) &&
            !is_own_name(&arguments->lambdas, entry->d_name)) {
            return SDCA_FAIL(SDCA_CREATE,
                             "'%s' has '%s' of another path: remove it, or choose "
                             "another directory",
                             arguments->path, entry->d_name);
        }
    }
    return SDCA_OK;
}

/* The directory is none of the outputs. It is made where a file could be. */
static sdca_status check_new_directory(const char *path, const char *const *output,
                                       size_t outputs)
{
    sdca_status status = SDCA_OK;
    sdca_path   name;
    size_t      length = strlen(path);

    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    snprintf(name.text, sizeof name.text, "%.*s", (int)length, path);
    SDCA_TRY(sdca_atomic_file_check_writable(name.text));
    for (size_t o = 0; o < outputs; o++) {
        if (output[o] != NULL) {
            SDCA_TRY(sdca_atomic_file_check_distinct(name.text, output[o]));
        }
    }

done:
    return status;
}

static sdca_status check_model(const char *file, const char *const *input, size_t inputs,
                               const char *const *output, size_t outputs)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_atomic_file_check_writable(file));
    for (size_t k = 0; k < inputs; k++) {
        if (input[k] != NULL) {
            SDCA_TRY(sdca_atomic_file_check_not_input(file, input[k]));
        }
    }
    for (size_t k = 0; k < outputs; k++) {
        if (output[k] != NULL) {
            SDCA_TRY(sdca_atomic_file_check_distinct(file, output[k]));
        }
    }

done:
    return status;
}

sdca_status train_path_check(const train_arguments *arguments)
{
    const char *const input[] = { arguments->data, arguments->test, arguments->warm_start,
                                  arguments->validation, arguments->resume_from };
    const char *const output[] = { arguments->model,     arguments->history,
                                   arguments->summary,   arguments->progress,
                                   arguments->selection, arguments->fold_file,
                                   arguments->checkpoint };
    enum {
        INPUTS  = sizeof input / sizeof input[0],
        OUTPUTS = sizeof output / sizeof output[0]
    };
    sdca_status status    = SDCA_OK;
    DIR        *directory = opendir(arguments->path);

    if (directory == NULL && errno != ENOENT) {
        return SDCA_FAIL(SDCA_CREATE, "cannot use '%s' as a directory for models: %s",
                         arguments->path, strerror(errno));
    }
    if (directory == NULL) {
        return check_new_directory(arguments->path, output, OUTPUTS);
    }
    SDCA_TRY(check_entries(arguments, directory));
    for (int k = 0; k < arguments->lambdas.count; k++) {
        SDCA_TRY(check_model(train_path_file(arguments, k).text, input, INPUTS, output,
                             OUTPUTS));
    }

done:
    closedir(directory);
    return status;
}

sdca_status train_path_create(const train_arguments *arguments, train_path *out)
{
    int count = arguments->lambdas.count;

    out->fit            = sdca_alloc_array((size_t)count, sizeof *out->fit);
    out->history_stream = open_memstream(&out->history, &out->history_size);
    if (out->fit == NULL || out->history_stream == NULL) {
        train_path_free(out);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d fits", count);
    }
    return SDCA_OK;
}

void train_path_free(train_path *path)
{
    if (path->history_stream != NULL) {
        fclose(path->history_stream);
    }
    free(path->history);
    free(path->fit);
    *path = (train_path){ 0 };
}

/* The columns of a history without the paper's bounds, which are for one lambda. */
enum { HISTORY_FIELDS = SDCA_HISTORY_FIELD_COUNT - 1 };

static void print_history(FILE *file, const sdca_model *model)
{
    for (int k = 0; k < sdca_model_parts(model); k++) {
        sdca_class_model part = sdca_model_part(model, k);

        for (int64_t i = 0; i < part.history.count; i++) {
            sdca_history_print_record(file, &part.history.records[i], HISTORY_FIELDS);
            if (model->by_class != NULL) {
                fputc(',', file);
                sdca_label_print_csv(file, "", &model->labels, k);
            }
            fprintf(file, ",%.17g\n", model->objective.lambda);
        }
    }
}

sdca_status train_path_add(train_path *path, const train_arguments *arguments,
                           const sdca_model *model, const path_fit *fit)
{
    sdca_path file = { .text = "" };

    if (arguments->path != NULL) {
        file = train_path_file(arguments, path->count);
    }
    if (arguments->path != NULL && mkdir(arguments->path, 0777) != 0 && errno != EEXIST) {
        return SDCA_FAIL(SDCA_CREATE, "cannot make the directory '%s': %s",
                         arguments->path, strerror(errno));
    }
    path->fit[path->count++] = *fit;
    print_history(path->history_stream, model);
    if (fflush(path->history_stream) != 0) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the history");
    }
    return arguments->path != NULL ? sdca_model_write(model, file.text) : SDCA_OK;
}

sdca_status train_path_write_history(const train_path *path, bool several,
                                     const char *name)
{
    FILE       *file   = NULL;
    sdca_status status = sdca_atomic_file_open(name, &file);

    if (status != SDCA_OK) {
        return status;
    }
    sdca_history_print_names(file, HISTORY_FIELDS);
    fputs(several ? ",class,lambda\n" : ",lambda\n", file);
    fwrite(path->history, 1, path->history_size, file);
    return sdca_atomic_file_commit(file, name);
}
