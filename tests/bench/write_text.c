/* SPDX-License-Identifier: BSD-3-Clause
 *
 * write_text.c - write a data file as LIBSVM text, for timing text parsers. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

int main(int argc, char **argv)
{
    sdca_dataset *data;
    int32_t      *column;
    double       *value;

    if (argc != 2) {
        fprintf(stderr, "usage: text FILE.h5\n");
        return 64;
    }
    MPI_Init(&argc, &argv);
    data   = bench_read(argv[1], false);
    column = bench_room((size_t)data->columns, sizeof *column);
    value  = bench_room((size_t)data->columns, sizeof *value);
    for (uint32_t i = 0; i < (uint32_t)data->rows; i++) {
        double  label;
        int64_t count = bench_row(data, i, &label, column, value);

        printf("%+.0f", label);
        for (int64_t k = 0; k < count; k++) {
            printf(" %ld:%.9g", (long)column[k] + 1, value[k]);
        }
        putchar('\n');
    }
    free(column);
    free(value);
    sdca_dataset_free(data);
    MPI_Finalize();
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
