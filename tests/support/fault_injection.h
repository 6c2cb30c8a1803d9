/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fault_injection.h - injected failures of calls in sdca's own code.
 *
 * The linker replaces NAME by __wrap_NAME, in sdca's own objects only: see sdca_inject()
 * in CMakeLists.txt. The wrapper calls inject_is_due() to learn whether it must fail. The
 * wrappers of the allocator are in fault_injection.c; their kind is "memory". */
#ifndef SDCA_SUPPORT_FAULT_INJECTION_H
#define SDCA_SUPPORT_FAULT_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

/* The next n calls of this kind succeed and the one after them fails; none fails if n is
 * negative. kind is kept. Local. */
void inject_failure_after(const char *kind, int64_t n);

/* From now on each call of that kind prints "asked: NUMBER" on stderr. NUMBER is a hash
 * of the call chain, the same in every run. Local. */
void inject_trace_calls(void);

/* Whether this call must fail. Each wrapper calls it once. Local. */
bool inject_is_due(const char *kind);

/* Whether a call has failed since inject_failure_after(). Local. */
bool inject_has_failed(void);

/* The wrapper of NAME: it returns WRONG when it must fail. */
#define INJECT_FAILURE(kind, type, name, wrong, parameters, arguments)  \
    type __real_##name parameters;                                      \
    type __wrap_##name parameters;                                      \
    type __wrap_##name parameters                                       \
    {                                                                   \
        return inject_is_due(kind) ? (wrong) : __real_##name arguments; \
    }

#endif
