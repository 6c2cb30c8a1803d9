/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_weights.h - the largest weights of a model, as a table of a page. */
#ifndef SDCA_REPORT_WEIGHTS_H
#define SDCA_REPORT_WEIGHTS_H

#include <stdio.h>

#include "report_run.h"

/* Write those of run r. Errors of writing show when the page is closed. Local. */
void report_weight_table_write(const report_run *run, int r, FILE *page);

#endif
