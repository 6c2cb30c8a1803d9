/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alloc.c - memory for arrays: sizes are checked, and large arrays use huge pages where
 * the system has them. */
#define _DEFAULT_SOURCE /* madvise() */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The size of a cache line. */
static const size_t cache_line = 64;

/* The size of a huge page; smaller arrays than half of one do not use it. */
static const size_t huge_page = (size_t)1 << 21;

void *sdca_alloc_array(size_t count, size_t size)
{
    size_t bytes;
    void  *memory;

    if (size == 0 || count >= (SIZE_MAX - huge_page) / size) {
        return NULL;
    }
    bytes = (count + 1) * size;
    if (bytes < huge_page / 2) {
        return aligned_alloc(cache_line,
                             (bytes + cache_line - 1) / cache_line * cache_line);
    }
    bytes  = (bytes + huge_page - 1) / huge_page * huge_page;
    memory = aligned_alloc(huge_page, bytes);
#ifdef MADV_HUGEPAGE
    if (memory != NULL) {
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* only a hint */
    }
#endif
    return memory;
}

void *sdca_alloc_zeroed(size_t count, size_t size)
{
    void *memory = sdca_alloc_array(count, size);

    if (memory != NULL) {
        memset(memory, 0, (count + 1) * size);
    }
    return memory;
}

void *sdca_alloc_resize(void *old, size_t count, size_t size)
{
    return size > 0 && count <= SIZE_MAX / size ? realloc(old, count * size) : NULL;
}
