/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_match.h - the labels of a source as values of given classes, those of a model.
 *
 * Names are looked up, numbers stay; if the classes are one label against all others, any
 * other label is one of these. */
#ifndef SDCA_DATA_LABEL_MATCH_H
#define SDCA_DATA_LABEL_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"
#include "data/labels.h"

/* What the labels of a source stand for. All zero: not open. */
typedef struct sdca_label_match {
    const char             *name;    /* of the source, in messages */
    const sdca_string_list *words;   /* of the labels 0, 1, ...; empty: numbers */
    const sdca_classes     *classes; /* none for regression */
    double *value; /* by word: that of its class, NaN if it has none; or NULL */
    double  one;   /* the number that is class 1, all others being class 0; or NaN */
} sdca_label_match;

/* Compare what labels stand for. name, words and classes are kept. Fails, in a sentence
 * with name, on names where numbers are needed or the reverse. Local. What match holds is
 * freed with sdca_label_match_close(), also after a failure. */
sdca_status sdca_label_match_open(const char *name, const sdca_string_list *words,
                                  const sdca_classes *classes, sdca_label_match *match);
void        sdca_label_match_close(sdca_label_match *match);

/* Replace a label by the value of its class; false, and unchanged, if it has a name that
 * is not among the classes. Numbers need not be. Local. */
bool sdca_label_match_find(const sdca_label_match *match, double *label);

/* The failure of a row whose label was not found. Local. */
sdca_status sdca_label_match_refuse(const sdca_label_match *match, int64_t row,
                                    double label);

/* The number that a text is; NaN if it is none. Local. */
double sdca_label_match_number(const char *text);

#endif
