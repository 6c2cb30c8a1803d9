/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fault_injection.h - calls of our own code that go wrong on demand.
 *
 * The linker puts functions called __wrap_NAME in the place of NAME, in our own objects
 * alone: see sdca_inject() in CMakeLists.txt. They ask here whether it is their turn.
 * Those of the allocator are in fault_injection.c; they are of the kind "memory". */
#ifndef SDCA_SUPPORT_FAULT_INJECTION_H
#define SDCA_SUPPORT_FAULT_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

/* From now on n calls of this kind, which is kept, go well, and the next goes wrong;
 * negative: none does. */
void inject_failure_after(const char *kind, int64_t n);

/* From now on each call of that kind prints on stderr "asked: NUMBER". The number is that
 * of its callers: the same for the same chain of calls, in any run. */
void inject_trace_calls(void);

/* Is it the turn of this call? Asked once by each. */
bool inject_is_due(const char *kind);

/* Has a call gone wrong since inject_failure_after()? */
bool inject_has_failed(void);

/* The function in the place of NAME: it returns WRONG when it is the turn of its kind. */
#define INJECT_FAILURE(kind, type, name, wrong, parameters, arguments)  \
    type __real_##name parameters;                                      \
    type __wrap_##name parameters;                                      \
    type __wrap_##name parameters                                       \
    {                                                                   \
        return inject_is_due(kind) ? (wrong) : __real_##name arguments; \
    }

#endif
