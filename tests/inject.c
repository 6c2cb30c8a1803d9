/* SPDX-License-Identifier: BSD-3-Clause
 *
 * inject.c - calls of our own code that go wrong on demand. */
#include "inject.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *chosen   = NULL;
static int64_t     left     = 0;
static bool        happened = false;
static bool        traces   = false;

void inject_after(const char *kind, int64_t n)
{
    chosen   = kind;
    left     = n;
    happened = false;
}

void inject_trace(void)
{
    traces = true;
}

/* Addresses differ from run to run, distances do not; what is far is of another library,
 * and those are not at the same distance. */
static void print_callers(void)
{
    const int64_t far = 1 << 24;
    void         *caller[64];
    int           count = backtrace(caller, 64);
    uint64_t      hash  = 0;

    for (int k = 0; k < count; k++) {
        int64_t distance = (int64_t)((intptr_t)caller[k] - (intptr_t)inject_now);

        if (distance > -far && distance < far) {
            hash = (hash ^ (uint64_t)distance) * 0x9e3779b97f4a7c15u;
        }
    }
    fprintf(stderr, "asked: %llx\n", (unsigned long long)hash);
}

bool inject_now(const char *kind)
{
    if (chosen == NULL || happened || strcmp(kind, chosen) != 0) {
        return false;
    }
    if (traces) {
        print_callers();
    }
    happened = left == 0;
    left--;
    return happened;
}

bool inject_has_happened(void)
{
    return happened;
}

INJECT("memory", void *, malloc, NULL, (size_t size), (size))
INJECT("memory", void *, calloc, NULL, (size_t count, size_t size), (count, size))
INJECT("memory", void *, realloc, NULL, (void *old, size_t size), (old, size))
INJECT("memory", void *, aligned_alloc, NULL, (size_t line, size_t size), (line, size))
INJECT("memory", char *, strdup, NULL, (const char *text), (text))
