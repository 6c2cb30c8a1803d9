/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_list.h - labels with their rows, as convert and info print them. */
#ifndef SDCA_CLI_UI_LABEL_LIST_H
#define SDCA_CLI_UI_LABEL_LIST_H

#include "base/string_list.h"
#include "data/label_counts.h"

/* Print the first labels, each with the number of its rows, and how many more there are:
 * "1 (5 rows), 2 (1 row), and 3 more". Labels are indices of names, or numbers if there
 * are no names. Local. */
void label_list_print(const sdca_label_counts *counts, const sdca_string_list *names);

/* A label as printable text, which is cut off if it is long. Local. */
enum { LABEL_LIST_TEXT_SIZE = 128 };
void label_list_format(double label, const sdca_string_list *names,
                       char text[LABEL_LIST_TEXT_SIZE]);

#endif
