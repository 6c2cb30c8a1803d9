/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.h - a trained model: weights, certificate, history, and how it was made. */
#ifndef SDCA_MODEL_MODEL_H
#define SDCA_MODEL_MODEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "data/dataset.h"
#include "data/table_schema.h"
#include "data/used_columns.h"
#include "io/hdf5_file.h"
#include "model/column_vector_file.h"
#include "model/history.h"
#include "model/selection.h"
#include "objective/calibration.h"
#include "objective/duality_gap.h"
#include "objective/objective.h"
#include "objective/scorer.h"
#include "sdca/model.h"
#include "sdca/train.h"

enum { SDCA_MODEL_OPTIONS_SIZE = 1024 };

/* The phases of sdca_phase_seconds: name of the field, also in files and summaries, and
 * label in reports. */
#define SDCA_PHASE_LIST(X)          \
    X(read, "reading the data")     \
    X(local, "local steps")         \
    X(communicate, "communication") \
    X(gap, "gap evaluations")       \
    X(checkpoint, "checkpoints")

/* The fields of sdca_phase_seconds in files and summaries, in this order. */
#define SDCA_PHASE_SECONDS_LIST(X) X(total, "total") SDCA_PHASE_LIST(X)

/* With several classes, one against the rest. */
typedef struct sdca_class_model {
    sdca_certificate certificate;
    double           bias;
    double           epochs;    /* to train it */
    int64_t          positives; /* rows of this class */
    bool             converged; /* it reached the target */
    sdca_history     history;   /* without a log of rounds */
} sdca_class_model;

/* Two classes, or a regression, are one model: w is a vector. More classes are a model
 * each: w has a row per class, in the order of the labels. */
struct sdca_model {
    sdca_objective   objective;
    sdca_classes     labels;
    bool             normalized;  /* rows are divided by their norm first */
    bool             intercept;   /* bias had no penalty in training */
    sdca_standardize standardize; /* what was done to the columns in training */
    int32_t          columns;
    double          *w;          /* with space for one more if it was read */
    double           bias;       /* a score is w.x + bias: bias_value times its weight */
    double           bias_value; /* of the constant column in training; 0: none. 1 where
                                   bias is an intercept or due to centred columns */
    sdca_string_list  feature_names; /* of the columns, or none */
    sdca_table_schema table; /* of training data from a table, or empty; written only */
    sdca_anndata_options
                     cells; /* of AnnData; where is not kept; borrowed, written only */
    const char      *label_column;   /* the same for the column of obs, or NULL */
    sdca_certificate certificate;    /* of several classes: see sdca_model_sum_up() */
    bool             has_test_error; /* test_error is that of the certified w */
    double           test_error;
    sdca_history     history;
    sdca_target      target; /* of the training; both 0 if the file has none */

    /* The dual variables of my rows in training, in the order of the source: that of part
     * k and row i is dual[i * parts + k]. NULL: not kept. */
    double *dual;

    sdca_calibration calibration; /* from scores to probabilities, or none */

    /* One per class if there are several, which have no bias and history but these; else
     * NULL. */
    sdca_class_model *by_class;

    /* w has the weights of these columns only; NULL: of all columns, which exports need.
     * Borrowed. */
    const sdca_used_columns *column_map;

    /* How its lambda was chosen; NULL: it was given, or the model was read. Borrowed. */
    const sdca_selection *selection;

    /* How it was made. */
    bool    converged;              /* the target was reached, by all classes */
    bool    interrupted;            /* the file is a checkpoint of an unfinished run */
    int64_t round;                  /* of a checkpoint that was read, and ... */
    int64_t steps;                  /* ... the steps of all ranks */
    bool    certificate_of_other_w; /* the certificate belongs to another w: an earlier,
                                       average or random iterate */
    int64_t            nonzeros;
    uint64_t           fingerprint; /* of the data set */
    uint64_t           seed;
    int                ranks;
    char               solver[16];  /* at the end of the run; "" if unknown */
    char               version[32]; /* of sdca */
    char               options[SDCA_MODEL_OPTIONS_SIZE]; /* the command line */
    sdca_phase_seconds seconds;                          /* NaN if the file has none */
};

/* The number of binary models, which is that of the rows of w: the number of classes if
 * there are more than two, else 1. Local. */
static inline int sdca_model_parts(const sdca_model *model)
{
    return model->labels.count > 2 ? model->labels.count : 1;
}

/* The numbers of a row of w in memory. Local. */
static inline size_t sdca_model_stride(const sdca_model *model)
{
    return (size_t)(model->column_map != NULL ? sdca_used_columns_count(model->column_map)
                                              : model->columns);
}

/* Certificate, bias and history of part k. The history is the model's. Local. */
sdca_class_model sdca_model_part(const sdca_model *model, int k);

/* The relative gap, for several classes the largest. Local. */
double sdca_model_relative_gap(const sdca_model *model);

/* Allocate space for the parts of a model of several classes. Local. */
sdca_status sdca_model_create_parts(sdca_model *model);

/* Keep what an iterate and its evaluation say of class k of several: weights, bias,
 * epochs, certificate, and the history, which stays the caller's. Local. */
void sdca_model_keep_part(sdca_model *model, const sdca_dataset *data, int k,
                          const sdca_iterate     *iterate,
                          const sdca_certificate *certificate, bool converged,
                          const sdca_history *history);

/* Set the certificate of a model of several classes: the sums of P, D, gap and rounding
 * over the classes, and a bound on the distance of all of w; and whether all have
 * converged. Local. */
void sdca_model_sum_up(sdca_model *model);

/* Write a model to an open file. Read from it all but names and w; then the names; then
 * w, for the columns of the map (NULL: all). A checkpoint has the fields of a model and
 * others. Local. */
sdca_status sdca_model_file_write(const sdca_model *model, sdca_hdf5_file *hdf5);
sdca_status sdca_model_file_read(sdca_hdf5_file *hdf5, sdca_model *out);
sdca_status sdca_model_file_read_feature_names(sdca_hdf5_file *hdf5, sdca_model *model);
sdca_status sdca_model_file_read_weights(sdca_hdf5_file          *hdf5,
                                         const sdca_used_columns *column_map,
                                         sdca_model              *model);

/* Read the weights of one part only, for the columns of the map (NULL: all). w has
 * space for one per column, and one more is left as it is. Local. */
sdca_status sdca_model_file_read_part(sdca_hdf5_file          *hdf5,
                                      const sdca_used_columns *column_map,
                                      const sdca_model *model, int k, double *w);

/* Pass the weights of all columns to a visitor, in batches: those in the file, which
 * takes little memory for any number of columns, or those in memory if hdf5 is NULL. A
 * batch has the rows of w one after the other. Fails if a weight or the bias is not
 * finite. Local. */
sdca_status sdca_model_visit_weights(const sdca_model *model, sdca_hdf5_file *hdf5,
                                     sdca_weight_visitor *visitor, void *context);

/* The same for the weights of part k only. Local. */
sdca_status sdca_model_visit_part(const sdca_model *model, sdca_hdf5_file *hdf5, int k,
                                  sdca_weight_visitor *visitor, void *context);

/* Read a model, or the model of a checkpoint. Only the first rank gets the names of
 * columns. Collective; MPI_COMM_NULL for this process alone. The caller frees out with
 * sdca_model_clear(). */
sdca_status sdca_model_read_all(MPI_Comm comm, const char *path, sdca_model *out);
void        sdca_model_clear(sdca_model *model);

/* The same in two steps: all but w, and then w for the columns of the map only, which
 * saves memory for models of many columns. Collective. */
sdca_status sdca_model_read_metadata(MPI_Comm comm, const char *path, sdca_model *out);
sdca_status sdca_model_read_weights(MPI_Comm comm, const char *path,
                                    const sdca_used_columns *column_map,
                                    sdca_model              *model);

/* The scores of the rows of a data set: the weights of its columns, 0 for its bias
 * column and for columns that the model does not have. Fails if one of the two is
 * normalised and the other is not. Local. The caller frees out with
 * sdca_scorer_free(). */
sdca_status sdca_model_make_scorer(const sdca_model *model, const sdca_dataset *data,
                                   sdca_scorer *out);

/* The same for a model whose weights are in a file and not in memory, for the columns of
 * the data set, which was read for this model. Takes columns x classes numbers, and
 * another one per column for several classes. The first is Local, the other
 * Collective. */
sdca_status sdca_model_file_read_scorer(sdca_hdf5_file *hdf5, const sdca_model *model,
                                        const sdca_dataset *data, sdca_scorer *out);
sdca_status sdca_model_read_scorer(MPI_Comm comm, const char *path,
                                   const sdca_model *model, const sdca_dataset *data,
                                   sdca_scorer *out);

/* Write the names of labels to a file, if labels have names. Local. */
sdca_status sdca_labels_write_names(const sdca_classes *labels, sdca_hdf5_file *hdf5);

/* Write a model in LIBLINEAR's format; or as text, one weight per line and the bias last
 * if there is one; or as JSON. Of several classes a line has one weight per class,
 * separated by blanks or tabs. named: they are followed by a tab and the name of their
 * column, or its number from 0. Weights are read from hdf5, or taken from memory if it is
 * NULL. Local. */
sdca_status sdca_model_export_liblinear(const sdca_model *model, sdca_hdf5_file *hdf5,
                                        const char *path);
sdca_status sdca_model_export_text(const sdca_model *model, sdca_hdf5_file *hdf5,
                                   bool named, const char *path);
sdca_status sdca_model_export_json(const sdca_model *model, sdca_hdf5_file *hdf5,
                                   const char *path);

/* Print a calibration as a JSON object, with numbers or arrays of them; null if there is
 * none. Local. */
void sdca_model_print_calibration_json(const sdca_calibration *calibration, FILE *file);

#endif
