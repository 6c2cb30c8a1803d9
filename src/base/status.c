/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.c - how a call reports failure, and why. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

static const struct {
    int         exit_status;
    const char *meaning;
} descriptions[] = {
#define ROW(name, exit_status, meaning) [SDCA_##name] = { exit_status, meaning },
    SDCA_STATUS_LIST(ROW)
#undef ROW
};

static _Thread_local char message[SDCA_MESSAGE_SIZE];

sdca_status sdca_status_record(sdca_status status, const char *file, int line,
                               const char *format, ...)
{
    va_list arguments;
    size_t  used;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sdca_printable_sanitize(message);
    if (status == SDCA_DEFECT) {
        used = strlen(message);
        snprintf(message + used, sizeof message - used, " (%s:%d)", file, line);
    }
    return status;
}

const char *sdca_status_message(void)
{
    return message;
}

char *sdca_status_buffer(void)
{
    return message;
}

int sdca_status_exit_code(sdca_status status)
{
    return descriptions[status].exit_status;
}

const char *sdca_status_description(sdca_status status)
{
    return descriptions[status].meaning;
}
