/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lambda_list.h - the values of --lambda: one number, a list, or a logarithmic grid. */
#ifndef SDCA_CLI_OPTIONS_LAMBDA_LIST_H
#define SDCA_CLI_OPTIONS_LAMBDA_LIST_H

#include "base/status.h"

enum { LAMBDA_LIST_MAX = 1000 };

typedef struct lambda_list {
    int    count;
    double value[LAMBDA_LIST_MAX]; /* largest first, all different */
} lambda_list;

/* Parse L, L1,L2,... or FIRST:LAST:COUNT. Local. */
sdca_status lambda_list_parse(const char *text, lambda_list *out);

#endif
