/* SPDX-License-Identifier: BSD-3-Clause
 *
 * result_card.h - the first card of a run: how good, how certain, what was trained. */
#ifndef SDCA_CLI_REPORT_RESULT_CARD_H
#define SDCA_CLI_REPORT_RESULT_CARD_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/report/runs.h"

/* Write the card. alone: it is the only run of the page, whose proof is open. Write
 * errors are found when the page is closed. Local. */
void report_result_card_write(const report_run *run, bool alone, FILE *page);

#endif
