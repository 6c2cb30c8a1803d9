/* SPDX-License-Identifier: BSD-3-Clause
 *
 * liblinear_classes.c - LIBLINEAR's training time on one core, for any number of classes.
 *
 * For classes_vs_liblinear.py, which writes the rows and reads the weights:
 *   ROWS     rows, columns, non-zeros as int64; then the offsets of the rows (int64), the
 *            columns (int64), the values and the labels (double)
 *   WEIGHTS  the weights by column, and within a column by model (double)
 * Prints the processor seconds of train(), whether it reached eps, and the label of each
 * model. Two classes have one model, that of the first label printed. */
#include <linear.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* LIBLINEAR's output is hidden; only one message matters. */
static bool gave_up;

static void overhear(const char *words)
{
    gave_up = gave_up || strstr(words, "max number of iterations") != NULL;
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (file == NULL) {
        fprintf(stderr, "bench: cannot open '%s'\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

/* count items of 8 bytes, to be freed by the caller. */
static void *read_items(FILE *file, int64_t count)
{
    void *items = bench_room((size_t)count + 1, 8);

    if (fread(items, 8, (size_t)count, file) != (size_t)count) {
        fprintf(stderr, "bench: the rows end early\n");
        exit(EXIT_FAILURE);
    }
    return items;
}

static struct problem read_rows(const char *path)
{
    FILE                *file   = open_file(path, "rb");
    int64_t             *size   = read_items(file, 3);
    int64_t             *offset = read_items(file, size[0] + 1);
    int64_t             *column = read_items(file, size[2]);
    double              *value  = read_items(file, size[2]);
    struct feature_node *node   = bench_room((size_t)(size[2] + size[0]), sizeof *node);
    struct problem       out    = { .l = (int)size[0], .n = (int)size[1], .bias = -1.0 };

    out.y = read_items(file, size[0]);
    out.x = bench_room((size_t)size[0], sizeof *out.x);
    for (int64_t i = 0; i < size[0]; i++) {
        out.x[i] = node;
        for (int64_t k = offset[i]; k < offset[i + 1]; k++) {
            *node++ = (struct feature_node){ (int)column[k] + 1, value[k] };
        }
        *node++ = (struct feature_node){ -1, 0.0 };
    }
    fclose(file);
    free(size);
    free(offset);
    free(column);
    free(value);
    return out;
}

static void write_weights(const char *path, const struct model *model)
{
    int    models = model->nr_class == 2 ? 1 : model->nr_class;
    size_t count  = (size_t)model->nr_feature * (size_t)models;
    FILE  *file   = open_file(path, "wb");

    if (fwrite(model->w, sizeof *model->w, count, file) != count || fclose(file) != 0) {
        fprintf(stderr, "bench: cannot write '%s'\n", path);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    struct parameter how = { .solver_type = 0 };
    struct problem   rows;
    struct model    *model;
    double           start, seconds;

    if (argc != 6) {
        fprintf(stderr, "usage: liblinear_classes ROWS WEIGHTS SOLVER C EPS\n");
        return 64;
    }
    how.solver_type = atoi(argv[3]);
    how.C           = strtod(argv[4], NULL);
    how.eps         = strtod(argv[5], NULL);
    rows            = read_rows(argv[1]);
    set_print_string_function(overhear);
    srand(1); /* LIBLINEAR uses rand() */
    start   = bench_now();
    model   = train(&rows, &how);
    seconds = bench_now() - start;
    write_weights(argv[2], model);
    printf("%.6f %d", seconds, !gave_up);
    for (int k = 0; k < model->nr_class; k++) {
        printf(" %d", model->label[k]);
    }
    printf("\n");
    free_and_destroy_model(&model);
    free(rows.x[0]);
    free(rows.x);
    free(rows.y);
    return EXIT_SUCCESS;
}
