/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.h - how a call says that it failed, and why.
 *
 * A call that can fail returns an sdca_status; the sentence that goes with it
 * waits in one record per thread until somebody prints it. */
#ifndef SDCA_BASE_STATUS_H
#define SDCA_BASE_STATUS_H

/* One line per outcome: name, exit status of the program, what it means. The
 * order is the severity: where ranks fail differently, the greatest wins. */
#define SDCA_STATUS_LIST(X)                               \
    X(OK, 0, "success")                                   \
    X(BUDGET, 3, "a budget ran out before the target")    \
    X(INTERRUPTED, 75, "stopped early with good results") \
    X(USAGE, 64, "wrong command line or option value")    \
    X(MISSING, 66, "the input is not there")              \
    X(DATA, 65, "the input is not what it should be")     \
    X(CREATE, 73, "the output cannot be made")            \
    X(IO, 74, "reading or writing failed")                \
    X(MEMORY, 71, "out of memory")                        \
    X(DEFECT, 70, "a defect of sdca: an invariant is broken")

#define SDCA_STATUS_ENUM(name, exit_status, meaning) SDCA_##name,
typedef enum sdca_status {
    SDCA_STATUS_LIST(SDCA_STATUS_ENUM) SDCA_STATUS_COUNT
} sdca_status;
#undef SDCA_STATUS_ENUM

enum { SDCA_MESSAGE_SIZE = 1024 };

/* Remember why this rank failed and give the code back, so that a failure is
 * one statement: return SDCA_FAIL(SDCA_IO, "cannot open '%s'", path); */
#define SDCA_FAIL(status, ...) \
    sdca_status_record((status), __FILE__, __LINE__, __VA_ARGS__)

/* The only control-flow macro of the project: leave through the function's
 * 'done' label, with its local 'status', unless the call succeeds. */
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

/* Keep the sentence and return the status; use SDCA_FAIL. What a terminal would act on,
 * and what would end a line, is replaced (plain.h): sentences quote files. A defect also
 * keeps its file and line. Local. */
sdca_status sdca_status_record(sdca_status status, const char *file, int line,
                               const char *format, ...) SDCA_PRINTF_FORMAT(4, 5);

/* The sentence of the last failure: SDCA_MESSAGE_SIZE bytes, ended by a zero, which
 * another rank's sentence may replace. Valid for the life of the thread. Local. */
char *sdca_status_message(void);

/* The exit status of the program and the general meaning of a code. Local. */
int         sdca_status_exit_code(sdca_status status);
const char *sdca_status_description(sdca_status status);

#endif
