/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_list.c - labels with their rows, as convert and info print them. */
#include "cli/ui/label_list.h"

#include <stdio.h>

#include "base/printable.h"
#include "cli/ui/plural.h"

enum { SHOWN = 20 };

void label_list_format(double label, const sdca_string_list *names,
                       char text[LABEL_LIST_TEXT_SIZE])
{
    snprintf(text, LABEL_LIST_TEXT_SIZE, "%.10g", label);
    if (label >= 0.0 && label < (double)names->count) {
        snprintf(text, LABEL_LIST_TEXT_SIZE, "%s", names->text[(int64_t)label]);
        sdca_printable_sanitize(text);
    }
}

void label_list_print(const sdca_label_counts *counts, const sdca_string_list *names)
{
    char text[LABEL_LIST_TEXT_SIZE];

    for (int k = 0; k < counts->count && k < SHOWN; k++) {
        label_list_format(counts->value[k], names, text);
        printf("%s%s (%lld row%s)", k > 0 ? ", " : "", text, (long long)counts->rows[k],
               plural((double)counts->rows[k]));
    }
    if (counts->count > SHOWN) {
        printf(", and %d more", counts->count - SHOWN);
    }
}
