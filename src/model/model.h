/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.h - what is kept of a run: w, how to use it, how good it is, how it was
 * made. */
#ifndef SDCA_MODEL_MODEL_H
#define SDCA_MODEL_MODEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/column_map.h"
#include "data/dataset.h"
#include "io/hdf5_file.h"
#include "model/history.h"
#include "model/weight_file.h"
#include "objective/duality_gap.h"
#include "objective/objective.h"
#include "sdca/model.h"

enum { SDCA_MODEL_OPTIONS_SIZE = 1024 };

/* Where the seconds of a run went, by their names in files: total counts from when
 * the data are read; the last four are of the rank that spent most, for each. NaN
 * where a file does not say. */
#define SDCA_MODEL_SECONDS_LIST(X) \
    X(total)                       \
    X(read) X(local) X(communicate) X(gap) X(checkpoint)

#define SDCA_MODEL_SECONDS_FIELD(name) double name;
typedef struct sdca_model_seconds {
    SDCA_MODEL_SECONDS_LIST(SDCA_MODEL_SECONDS_FIELD)
} sdca_model_seconds;
#undef SDCA_MODEL_SECONDS_FIELD

struct sdca_model {
    sdca_objective   objective;
    sdca_classes     labels;
    bool             normalized; /* rows are divided by their length first */
    int32_t          columns;
    double          *w;          /* room for one more, if it was read */
    double           bias;       /* a score is w.x + bias: bias_value times its weight */
    double           bias_value; /* of the constant column in training; 0: none */
    sdca_string_list feature_names; /* of the columns, or none */
    sdca_certificate certificate;
    bool             has_test_error; /* is there a test error of what is certified? */
    double           test_error;
    sdca_history     history;

    /* w has the weights of these columns alone; NULL: of all, as exports need it.
     * Borrowed. */
    const sdca_column_map *column_map;

    /* How it was made. */
    bool    converged;   /* the target was reached */
    bool    interrupted; /* this is a checkpoint's, and the run not at its end */
    int64_t round;       /* of a checkpoint that was read: those of w and alpha ... */
    int64_t steps;
    bool certificate_of_other_w; /* ... and the certificate, that of the last evaluation
                                  * in the history, is of another w: an earlier, an
                                  * average or a random one */
    int64_t  nonzeros;
    uint64_t fingerprint; /* of the data set */
    uint64_t seed;
    int      ranks;
    char     solver[16];                       /* that it ended with; "" if not known */
    char     version[32];                      /* of sdca */
    char     options[SDCA_MODEL_OPTIONS_SIZE]; /* the words of the command line */
    sdca_model_seconds seconds;
};

/* Write to an open file, or read from it: all but names and w, then the names, and w, of
 * which only what is in use (NULL: all). A checkpoint is a model and more. Local. */
sdca_status sdca_model_file_write(const sdca_model *model, sdca_hdf5_file *hdf5);
sdca_status sdca_model_file_read(sdca_hdf5_file *hdf5, sdca_model *out);
sdca_status sdca_model_file_read_feature_names(sdca_hdf5_file *hdf5, sdca_model *model);
sdca_status sdca_model_file_read_weights(sdca_hdf5_file        *hdf5,
                                         const sdca_column_map *column_map,
                                         sdca_model            *model);

/* Show the weights of all columns to a visitor, some at a time: those in the file, so
 * that they need little memory however many they are, or if store is NULL those in
 * memory. Fails if one is not finite, or the bias. Local. */
sdca_status sdca_model_visit_weights(const sdca_model *model, sdca_hdf5_file *hdf5,
                                     sdca_weight_visitor *visitor, void *context);

/* Read one, or that of a checkpoint; the first rank alone has the names of columns, which
 * may be many. Collective; MPI_COMM_NULL for this process alone. What out holds is the
 * caller's, to be freed with sdca_model_clear(). */
sdca_status sdca_model_read_all(MPI_Comm comm, const char *path, sdca_model *out);
void        sdca_model_clear(sdca_model *model);

/* The same in two steps: all but w, and then w, of which only what is in use. Models of
 * many columns need little memory then. Collective. */
sdca_status sdca_model_read_metadata(MPI_Comm comm, const char *path, sdca_model *out);
sdca_status sdca_model_read_weights(MPI_Comm comm, const char *path,
                                    const sdca_column_map *column_map, sdca_model *model);

/* The weights of the columns of a data set; 0 for its bias column, and for columns that
 * the model does not have. Fails if one of the two is normalised and the other is not.
 * Local. *out is the caller's, to be freed. */
sdca_status sdca_model_select_weights(const sdca_model *model, const sdca_dataset *data,
                                      double **out);

/* Write what the labels 0 and 1 mean to a file, if they are words. Local. */
sdca_status sdca_labels_write_names(const sdca_classes *labels, sdca_hdf5_file *hdf5);

/* Write the model as LIBLINEAR's programs read it, or one weight per line, the bias
 * last if there is one; named: with a tab and the name of its column, or its number from
 * 0, behind each. Weights come from the store that it was read from, or from memory if
 * that is NULL. Local. */
sdca_status sdca_model_export_liblinear(const sdca_model *model, sdca_hdf5_file *hdf5,
                                        const char *path);
sdca_status sdca_model_export_text(const sdca_model *model, sdca_hdf5_file *hdf5,
                                   bool named, const char *path);

#endif
