/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.h - how a call reports failure, and why.
 *
 * A call that can fail returns an sdca_status. The message that goes with a failure is
 * kept in one buffer per thread until the next failure replaces it. */
#ifndef SDCA_STATUS_H
#define SDCA_STATUS_H

#include "version.h"

/* One line per outcome: name, exit status of the program, meaning. The order is the
 * severity: where ranks fail differently, the last one in this list wins. */
#define SDCA_STATUS_LIST(X)                                     \
    X(OK, 0, "success")                                         \
    X(BUDGET, 3, "a budget ran out before the target")          \
    X(INTERRUPTED, 75, "stopped early; the run can be resumed") \
    X(USAGE, 64, "wrong command line or option value")          \
    X(MISSING, 66, "input not found")                           \
    X(DATA, 65, "invalid input")                                \
    X(CREATE, 73, "cannot create the output")                   \
    X(IO, 74, "reading or writing failed")                      \
    X(MEMORY, 71, "out of memory")                              \
    X(DEFECT, 70, "internal error: a bug in sdca")

#define SDCA_STATUS_ENUM(name, exit_status, meaning) SDCA_##name,
typedef enum sdca_status {
    SDCA_STATUS_LIST(SDCA_STATUS_ENUM) SDCA_STATUS_COUNT
} sdca_status;
#undef SDCA_STATUS_ENUM

/* Bytes of a message, with the terminating zero. */
enum { SDCA_MESSAGE_SIZE = 1024 };

/* Record why this rank failed and return the status, so that a failure is one
 * statement: return SDCA_FAIL(SDCA_IO, "cannot open '%s'", path); */
#define SDCA_FAIL(status, ...) \
    sdca_status_record((status), __FILE__, __LINE__, __VA_ARGS__)

/* Unless the call succeeds, assign its result to the local variable 'status' and go to
 * the label 'done' of the function. */
#define SDCA_TRY(call)           \
    do {                         \
        status = (call);         \
        if (status != SDCA_OK) { \
            goto done;           \
        }                        \
    } while (0)

#if defined(__GNUC__)
#define SDCA_PRINTF_FORMAT(format_index, first) \
    __attribute__((format(printf, format_index, first)))
#else
#define SDCA_PRINTF_FORMAT(format_index, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Record a message for this thread and return the status; use SDCA_FAIL. Control
 * characters are replaced, since messages quote files. The message of SDCA_DEFECT also
 * names file and line. Local. */
SDCA_API sdca_status sdca_status_record(sdca_status status, const char *file, int line,
                                        const char *format, ...) SDCA_PRINTF_FORMAT(4, 5);

/* The message of this thread's last failure. Valid until the thread ends; its text
 * changes with the next failure. Local. */
SDCA_API const char *sdca_status_message(void);

/* The exit status with which the program sdca reports a status, and what the status
 * means in general. Local; the text is static. */
SDCA_API int         sdca_status_exit_code(sdca_status status);
SDCA_API const char *sdca_status_description(sdca_status status);

#ifdef __cplusplus
}
#endif

#endif
