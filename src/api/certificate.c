/* SPDX-License-Identifier: BSD-3-Clause
 *
 * certificate.c - a proof of how far a model is from the optimum. */
#include "sdca/certificate.h"

#include "objective/duality_gap.h"

double sdca_certificate_relative_gap(const sdca_certificate *certificate)
{
    return sdca_duality_gap_relative(certificate);
}
