/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number_text.h - numbers of a report as a reader wants them. */
#ifndef SDCA_CLI_REPORT_NUMBER_TEXT_H
#define SDCA_CLI_REPORT_NUMBER_TEXT_H

enum { REPORT_NUMBER_SIZE = 32 };

/* Four digits, and all those before the decimal point of up to 999999. Local. */
void report_format_number(double value, char text[REPORT_NUMBER_SIZE]);

/* A share of 1 in percent: with two decimals, or three digits if it is small. Local. */
void report_format_percent(double share, char text[REPORT_NUMBER_SIZE]);

/* A time in ms, s, min or h. Local. */
void report_format_seconds(double seconds, char text[REPORT_NUMBER_SIZE]);

#endif
