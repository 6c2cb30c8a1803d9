/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.h - numbers as JSON has them. */
#ifndef SDCA_CLI_UI_JSON_H
#define SDCA_CLI_UI_JSON_H

typedef struct json_text {
    char text[32];
} json_text;

/* A number with all its bits, by 15 digits where these do; null where it is not finite,
 * as JSON has no NaN. Local. */
json_text json_number(double value);

#endif
