/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.c - how a call says that it failed, and why. */
#include "sdca/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sdca/plain.h"

static const struct {
    int         exit_status;
    const char *meaning;
} codes[] = {
#define ROW(name, exit_status, meaning) [SDCA_##name] = { exit_status, meaning },
    SDCA_STATUS_LIST(ROW)
#undef ROW
};

static _Thread_local char why[SDCA_WHY_SIZE];

sdca_status sdca_status_record(sdca_status status, const char *file, int line,
                               const char *format, ...)
{
    va_list arguments;
    size_t  used;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    sdca_plain_clean(why);
    if (status == SDCA_DEFECT) {
        used = strlen(why);
        snprintf(why + used, sizeof why - used, " (%s:%d)", file, line);
    }
    return status;
}

char *sdca_status_why(void)
{
    return why;
}

int sdca_status_exit(sdca_status status)
{
    return codes[status].exit_status;
}

const char *sdca_status_meaning(sdca_status status)
{
    return codes[status].meaning;
}
