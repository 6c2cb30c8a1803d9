/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse_number.h - decimal numbers in text, read fast and exactly.
 *
 * A number is [+-]digits[.digits][e[+-]digits] with a digit before or behind
 * the point. The text is begin .. end - 1 and needs no zero behind it; reading
 * stops at the first character that does not belong to the number, and whether
 * a number may end there is the caller's to judge. */
#ifndef SDCA_BASE_PARSE_NUMBER_H
#define SDCA_BASE_PARSE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Read the number at begin into *out: the double nearest to it, as strtod()
 * gives in the "C" locale, hence infinite if it is too large. Returns the first
 * character behind the number; where there is none, begin, *out untouched. The
 * words nan and inf are no numbers. Local. */
const char *sdca_parse_double(const char *begin, const char *end, double *out);

/* Read the digits at begin as a whole number, INT64_MAX standing for that or
 * more. Returns the first character behind them; where there are none, begin,
 * *out untouched. Local. */
const char *sdca_parse_int64(const char *begin, const char *end, int64_t *out);

/* Does the text begin with nan, inf or infinity, in letters of any case and
 * with or without a sign? Local. */
bool sdca_parse_is_nonfinite(const char *begin, const char *end);

#endif
