/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.h - numbers in JSON. */
#ifndef SDCA_CLI_UI_JSON_H
#define SDCA_CLI_UI_JSON_H

typedef struct json_text {
    char text[32];
} json_text;

/* A number that reads back exactly, with 15 digits if these suffice; null if it is not
 * finite. Local. */
json_text json_number(double value);

#endif
