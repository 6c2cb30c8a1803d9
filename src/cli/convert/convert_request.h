/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_request.h - the command line of sdca convert. */
#ifndef SDCA_CLI_CONVERT_CONVERT_REQUEST_H
#define SDCA_CLI_CONVERT_CONVERT_REQUEST_H

#include <stdbool.h>

#include "base/status.h"
#include "cli/convert/convert_like.h"
#include "data/dataset_writer.h"
#include "data/table_encoder.h"

typedef struct convert_request {
    const char                 *in;
    const char                 *out;
    const char                 *like;      /* the value of --like, or NULL */
    const char                 *weights;   /* the value of --weights, or NULL */
    char                        separator; /* of a table; 0: LIBSVM/svmlight text */
    convert_options             inherited;
    sdca_dataset_writer_options writing;
    sdca_table_encoder_options  reading;
    bool                        quiet;
} convert_request;

/* Parse the command line, or print its help and set *help. Local. */
sdca_status convert_request_parse(int argc, char **argv, convert_request *r, bool *help);

/* Set the options of reader and writer, once --like has changed the inherited ones.
 * Local. */
void convert_request_resolve(convert_request *r);

/* Fail if --weights would go wrong because rows may be left out. like is the schema of
 * --like, or empty. Local. */
sdca_status convert_request_check_weights(const convert_request   *request,
                                          const sdca_table_schema *like);

#endif
