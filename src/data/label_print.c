/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_print.c - labels as text of other programs. */
#include "data/label_print.h"

#include "io/csv.h"
#include "io/json.h"

void sdca_label_print_csv(FILE *file, const char *prefix, const sdca_classes *classes,
                          int k)
{
    const char *name = sdca_classes_name(classes, k);
    char        number[32];

    snprintf(number, sizeof number, "%.17g", classes->value[k]);
    sdca_csv_print_field(file, prefix, name != NULL ? name : number);
}

void sdca_label_print_json(FILE *file, const sdca_classes *classes, int k)
{
    const char *name = sdca_classes_name(classes, k);

    if (name != NULL) {
        sdca_json_print_string(file, name);
    } else {
        fputs(sdca_json_number(classes->value[k]).text, file);
    }
}
