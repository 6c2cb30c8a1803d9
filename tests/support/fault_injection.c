/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fault_injection.c - injected failures of calls in sdca's own code. */
#include "support/fault_injection.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *failing_kind = NULL;
static int64_t     calls_left   = 0;
static bool        has_failed   = false;
static bool        is_tracing   = false;

void inject_failure_after(const char *kind, int64_t n)
{
    failing_kind = kind;
    calls_left   = n;
    has_failed   = false;
}

void inject_trace_calls(void)
{
    is_tracing = true;
}

/* Addresses differ between runs, but distances within sdca do not; distant addresses
 * belong to other libraries, whose distances vary. */
static void print_callers(void)
{
    const int64_t max_distance = 1 << 24;
    void         *caller[64];
    int           count = backtrace(caller, 64);
    uint64_t      hash  = 0;

    for (int k = 0; k < count; k++) {
        int64_t distance = (int64_t)((intptr_t)caller[k] - (intptr_t)inject_is_due);

        if (distance > -max_distance && distance < max_distance) {
            hash = (hash ^ (uint64_t)distance) * 0x9e3779b97f4a7c15u;
        }
    }
    fprintf(stderr, "asked: %llx\n", (unsigned long long)hash);
}

bool inject_is_due(const char *kind)
{
    if (failing_kind == NULL || has_failed || strcmp(kind, failing_kind) != 0) {
        return false;
    }
    if (is_tracing) {
        print_callers();
    }
    has_failed = calls_left == 0;
    calls_left--;
    return has_failed;
}

bool inject_has_failed(void)
{
    return has_failed;
}

INJECT_FAILURE("memory", void *, malloc, NULL, (size_t size), (size))
INJECT_FAILURE("memory", void *, calloc, NULL, (size_t count, size_t size), (count, size))
INJECT_FAILURE("memory", void *, realloc, NULL, (void *old, size_t size), (old, size))
INJECT_FAILURE("memory", void *, aligned_alloc, NULL, (size_t line, size_t size),
               (line, size))
INJECT_FAILURE("memory", char *, strdup, NULL, (const char *text), (text))
