/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.h - how a call reports failure, and why (the public header), and the buffer of
 * the message. */
#ifndef SDCA_BASE_STATUS_H
#define SDCA_BASE_STATUS_H

#include "sdca/status.h"

/* The buffer behind sdca_status_message(), SDCA_MESSAGE_SIZE bytes, which may be replaced
 * by the message of another rank. Local. */
char *sdca_status_buffer(void);

#endif
