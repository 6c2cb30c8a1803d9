/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_print.h - labels as text of other programs: unabridged, numbers read back
 * exactly.
 */
#ifndef SDCA_DATA_LABEL_PRINT_H
#define SDCA_DATA_LABEL_PRINT_H

#include <stdio.h>

#include "data/labels.h"

/* Print prefix and the label of class k as a field of a CSV file. Local. */
void sdca_label_print_csv(FILE *file, const char *prefix, const sdca_classes *classes,
                          int k);

/* Print the label of class k as JSON: a string if it has a name, else a number. Local. */
void sdca_label_print_json(FILE *file, const sdca_classes *classes, int k);

#endif
