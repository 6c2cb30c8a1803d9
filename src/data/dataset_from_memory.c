/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_from_memory.c - a data set from CSR or dense arrays in memory.
 *
 * The arrays are copied chunk by chunk, as if read from a file. */
#include "data/dataset_from_memory.h"

#include "data/dataset_builder.h"
#include "mpi/comm.h"

/* What messages call the data set. */
static const char name[] = "memory";

/* This rank's part of the data set. */
typedef struct memory_rows {
    sdca_matrix_format format; /* of these rows */
    sdca_matrix_arrays arrays;
    const double      *labels;
    const double      *weights;
} memory_rows;

/* Check that the arrays are there. Local. */
static sdca_status check_arrays(const memory_rows *m)
{
    const sdca_matrix_format *format = &m->format;
    const sdca_matrix_arrays *arrays = &m->arrays;
    int64_t values = format->dense ? format->rows * format->columns : format->nonzeros;

    if (format->rows < 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld rows on a rank", name,
                         (long long)format->rows);
    }
    if (format->columns < 0 || format->columns >= INT32_MAX) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has %lld columns; at most 2147483646 are possible", name,
                         (long long)format->columns);
    }
    if (!format->dense && format->rows > 0 && arrays->indptr == NULL) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no row offsets", name);
    }
    if (values > 0 && (arrays->value32 == NULL) == (arrays->value64 == NULL)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' needs values in float32 or in float64, not %s",
                         name, arrays->value32 == NULL ? "none" : "both");
    }
    if (!format->dense && values > 0 && arrays->indices == NULL) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %lld values but no column indices", name,
                         (long long)values);
    }
    return SDCA_OK;
}

/* Check offsets and labels, where first is the global number of this rank's first row.
 * Local. */
static sdca_status check_rows(const memory_rows *m, int64_t first, bool has_labels,
                              bool has_weights)
{
    sdca_matrix_format format = m->format;
    sdca_status        status = SDCA_OK;

    if (format.rows == 0) {
        return SDCA_OK;
    }
    if (!format.dense) {
        if (m->arrays.indptr[0] != 0) {
            return SDCA_FAIL(SDCA_DATA, "'%s', row %lld: its offset is %lld, not 0", name,
                             (long long)first, (long long)m->arrays.indptr[0]);
        }
        format.rows += first;
        SDCA_TRY(sdca_row_chunks_check_offsets(name, format, first, m->format.rows,
                                               m->arrays.indptr));
    }
    if (has_labels && m->labels == NULL) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: there is no label, but other ranks "
                         "have labels",
                         name, (long long)first);
    }
    if (has_weights && m->weights == NULL) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: there is no weight, but other ranks "
                         "have weights",
                         name, (long long)first);
    }
    if (m->labels != NULL) {
        SDCA_TRY(sdca_labels_check_finite(name, first, m->format.rows, m->labels));
    }

done:
    return status;
}

/* The format of the whole matrix and this rank's range of its rows. Collective. */
static sdca_status combine_ranks(MPI_Comm comm, const memory_rows *m,
                                 sdca_matrix_format *all, sdca_range *range,
                                 bool *has_labels, bool *has_weights)
{
    int64_t sum[]     = { m->format.rows, m->format.nonzeros, m->arrays.value64 != NULL,
                          m->format.rows > 0 && m->labels != NULL,
                          m->format.rows > 0 && m->weights != NULL };
    int64_t columns[] = { m->format.columns, -m->format.columns }; /* min and -max */

    *range = sdca_dataset_find_local_range(comm, m->format.rows);
    sdca_comm_allreduce_sum_int64(comm, sum, 5);
    sdca_comm_allreduce_min_int64(comm, columns, 2);
    *all         = (sdca_matrix_format){ .dense    = m->format.dense,
                                         .float64  = sum[2] > 0,
                                         .rows     = sum[0],
                                         .columns  = m->format.columns,
                                         .nonzeros = sum[1] };
    *has_labels  = sum[3] > 0;
    *has_weights = sum[4] > 0;
    if (columns[0] != -columns[1]) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has %lld columns on one rank and %lld on another", name,
                         (long long)columns[0], (long long)-columns[1]);
    }
    return sum[0] > 0 ? SDCA_OK : SDCA_FAIL(SDCA_DATA, "'%s' has no rows", name);
}

/* Check this rank's rows and open their chunks. Local. */
static sdca_status open_source(const memory_rows *m, sdca_dataset_builder *builder)
{
    sdca_status        status = SDCA_OK;
    sdca_matrix_format format = m->format;

    format.float64          = builder->format.float64;
    builder->memory_labels  = m->labels;
    builder->weights.memory = m->weights;
    SDCA_TRY(sdca_dataset_builder_check_rows(builder));
    SDCA_TRY(check_rows(m, builder->draft.local_range.first, builder->draft.has_labels,
                        builder->has_weights));
    SDCA_TRY(sdca_row_chunks_open_memory(name, format, m->arrays, &builder->chunks));

done:
    return status;
}

static sdca_status create(MPI_Comm comm, const memory_rows *m,
                          const sdca_dataset_options *options, sdca_dataset **out)
{
    sdca_status          status     = SDCA_OK;
    sdca_dataset_builder builder    = { .name = name };
    sdca_matrix_format   format     = { .rows = 0 };
    sdca_range           range      = { 0, 0 };
    bool                 has_labels = false, has_weights = false;

    SDCA_TRY(sdca_comm_agree(comm, check_arrays(m)));
    SDCA_TRY(combine_ranks(comm, m, &format, &range, &has_labels, &has_weights));
    builder = sdca_dataset_builder_begin(name, options, format, range, has_labels);
    builder.has_weights = has_weights;
    SDCA_TRY(sdca_dataset_builder_finish(comm, &builder, open_source(m, &builder), out));

done:
    sdca_dataset_builder_free(&builder);
    return status;
}

sdca_status sdca_dataset_from_memory_csr(MPI_Comm comm, const sdca_csr_view *x,
                                         const double *labels, const double *weights,
                                         const sdca_dataset_options *options,
                                         sdca_dataset              **out)
{
    bool        has_rows = x->rows > 0 && x->indptr != NULL;
    memory_rows m        = {
               .format  = { .dense    = false,
                            .rows     = x->rows,
                            .columns  = x->columns,
                            .nonzeros = has_rows ? x->indptr[x->rows] : 0 },
               .arrays  = { x->indptr, x->indices, x->value32, x->value64 },
               .labels  = labels,
               .weights = weights,
    };

    return create(comm, &m, options, out);
}

sdca_status sdca_dataset_from_memory_dense(MPI_Comm comm, const sdca_dense_view *x,
                                           const double *labels, const double *weights,
                                           const sdca_dataset_options *options,
                                           sdca_dataset              **out)
{
    memory_rows m = {
        .format  = { .dense = true, .rows = x->rows, .columns = x->columns },
        .arrays  = { NULL, NULL, x->value32, x->value64 },
        .labels  = labels,
        .weights = weights,
    };

    return create(comm, &m, options, out);
}
