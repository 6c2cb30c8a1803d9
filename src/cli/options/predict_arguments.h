/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predict_arguments.h - the command line of predict. */
#ifndef SDCA_CLI_OPTIONS_PREDICT_ARGUMENTS_H
#define SDCA_CLI_OPTIONS_PREDICT_ARGUMENTS_H

#include <stdbool.h>

#include "base/status.h"
#include "cli/predict/predict_text.h"
#include "data/anndata_settings.h"

typedef struct predict_arguments {
    const char          *model;
    const char          *data;
    const char          *out;           /* or NULL */
    const char          *metrics;       /* or NULL */
    const char          *label_column;  /* the column of obs, or NULL: y */
    const char          *weight_column; /* the same for weights, or NULL: weight */
    double               threshold;     /* of two classes */
    bool                 has_threshold; /* it was given */
    bool                 unweighted;
    bool                 unlabelled;
    bool                 follow_links;
    bool                 quiet;
    bool                 is_text; /* the data are a table or LIBSVM text, not HDF5 */
    predict_text_options text;
    sdca_anndata_options cells; /* of an AnnData file; NULL: as the model was trained */
} predict_arguments;

/* Parse and check the command line; help: it asked for help, which is printed. Local. */
sdca_status predict_arguments_parse(int argc, char **argv, predict_arguments *options,
                                    bool *help);

#endif
