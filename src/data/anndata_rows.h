/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_rows.h - chosen rows of an AnnData file in memory, as compressed sparse rows.
 *
 * For what cannot be read row by row as it is: some of the rows, a csc_matrix, columns
 * of obs as further columns, and columns that are matched by name. Besides the rows of a
 * rank, memory is needed for a number per row of the file. */
#ifndef SDCA_DATA_ANNDATA_ROWS_H
#define SDCA_DATA_ANNDATA_ROWS_H

#include <mpi.h>

#include "data/anndata_row_selection.h"
#include "data/covariates.h"
#include "data/file_layout.h"
#include "data/row_chunks.h"
#include "io/hdf5_file.h"

typedef struct sdca_anndata_rows {
    const sdca_file_layout           *layout; /* of the file, borrowed as the next ones */
    const sdca_anndata_row_selection *selection;
    const sdca_covariates            *covariates;
    const int32_t *column_map; /* the column here of each column of the file and of the
                                  covariates, -1: none; NULL: the same */
    int64_t    columns;        /* columns here */
    sdca_range range;          /* this rank's part of the selection */
    int64_t   *row_of; /* the row of the range that a row of the file is; -1: none.
                          Of a csc_matrix only */
    int64_t *indptr;   /* of the rows in range */
    int32_t *indices;
    float   *value32; /* one of these is NULL */
    double  *value64;
    int64_t  capacity; /* of indices and values */
} sdca_anndata_rows;

/* Divide the rows among the ranks of comm, by their non-zeros if the matrix is sparse,
 * and read those of this rank. The borrowed members are set. Collective. What rows holds
 * is freed with sdca_anndata_rows_free(), also after a failure. */
sdca_status sdca_anndata_rows_read(MPI_Comm comm, sdca_hdf5_file *h5,
                                   sdca_anndata_rows *rows);
void        sdca_anndata_rows_free(sdca_anndata_rows *rows);

/* The number in the file of row k of the range. Local. */
int64_t sdca_anndata_rows_source(const sdca_anndata_rows *rows, int64_t k);

#endif
