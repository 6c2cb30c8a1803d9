/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_weights.c - the sample weights of convert --weights: text with one per line. */
#include "cli/convert/convert_weights.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/parse_number.h"
#include "base/string_list.h"
#include "io/input_stream.h"

/* A longer line is not a number. */
enum { LINE_SIZE = 512 };

struct convert_weights {
    sdca_input_stream *stream;
    const char        *block; /* what is left of the last block */
    size_t             left;
    int64_t            lines; /* that were read */
    char               line[LINE_SIZE];
    size_t             length;
};

sdca_status convert_weights_open(const char *path, convert_weights **out)
{
    convert_weights *weights = calloc(1, sizeof *weights);
    sdca_status      status  = SDCA_OK;

    if (weights == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read '%s'", path);
    }
    SDCA_TRY(sdca_input_stream_open(path, &weights->stream));
    *out    = weights;
    weights = NULL; /* now the caller's */

done:
    convert_weights_close(weights);
    return status;
}

void convert_weights_close(convert_weights *weights)
{
    if (weights != NULL) {
        sdca_input_stream_close(weights->stream);
        free(weights);
    }
}

/* Read a line, of which at most LINE_SIZE bytes are kept; *found is false at the end. */
static sdca_status read_line(convert_weights *weights, bool *found)
{
    sdca_status status = SDCA_OK;
    bool        ended  = false;

    *found          = false;
    weights->length = 0;
    while (!ended) {
        if (weights->left == 0) {
            SDCA_TRY(
                sdca_input_stream_read(weights->stream, &weights->block, &weights->left));
        }
        if (weights->left == 0) {
            break;
        }
        *found = true;
        ended  = *weights->block == '\n';
        if (!ended && weights->length < LINE_SIZE) {
            weights->line[weights->length++] = *weights->block;
        }
        weights->block++;
        weights->left--;
    }
    weights->lines += *found;

done:
    return status;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

sdca_status convert_weights_read(convert_weights *weights, double *out)
{
    sdca_status status = SDCA_OK;
    bool        found  = false;
    const char *begin = weights->line, *end = NULL;

    SDCA_TRY(read_line(weights, &found));
    if (!found) {
        return SDCA_FAIL(SDCA_DATA, "%s: it ends with line %lld, but there are more rows",
                         sdca_input_stream_name(weights->stream),
                         (long long)weights->lines);
    }
    end = begin + weights->length;
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (begin < end && is_blank(end[-1])) {
        end--;
    }
    if (begin == end || weights->length == LINE_SIZE ||
        sdca_parse_double(begin, end, out) != end || !isfinite(*out) || *out < 0.0) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "%s, line %lld: '%s' is not a weight, which is a finite number of 0 or more",
            sdca_input_stream_name(weights->stream), (long long)weights->lines,
            sdca_string_escape(begin, (size_t)(end - begin)).text);
    }

done:
    return status;
}

sdca_status convert_weights_finish(convert_weights *weights)
{
    int64_t     rows   = weights->lines;
    bool        found  = false;
    sdca_status status = read_line(weights, &found);

    if (status == SDCA_OK && found) {
        status = SDCA_FAIL(SDCA_DATA, "%s, line %lld: there are only %lld rows",
                           sdca_input_stream_name(weights->stream),
                           (long long)weights->lines, (long long)rows);
    }
    return status;
}
