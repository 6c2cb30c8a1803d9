/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse_number.h - fast and exact parsing of decimal numbers.
 *
 * A number is [+-]digits[.digits][e[+-]digits] with a digit before or after the point.
 * The text is begin .. end - 1 and need not be zero-terminated. Parsing stops at the
 * first character that is not part of the number; the caller decides whether a number
 * may end there. */
#ifndef SDCA_BASE_PARSE_NUMBER_H
#define SDCA_BASE_PARSE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Parse the number at begin into *out: the nearest double, as strtod() gives in the "C"
 * locale, so infinite if it is too large. Returns the first character after the number;
 * if there is none, begin, with *out unchanged. The words nan and inf are not numbers.
 * Local. */
const char *sdca_parse_double(const char *begin, const char *end, double *out);

/* Parse the digits at begin as an integer, saturating at INT64_MAX. Returns the first
 * character after them; if there are none, begin, with *out unchanged. Local. */
const char *sdca_parse_int64(const char *begin, const char *end, int64_t *out);

/* Whether the text begins with nan, inf or infinity, in any case, with or without a
 * sign. Local. */
bool sdca_parse_is_nonfinite(const char *begin, const char *end);

#endif
