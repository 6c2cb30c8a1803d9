/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alloc.h - memory for arrays: sizes are checked, and large arrays use huge pages where
 * the system has them.
 *
 * Counts that come from a file are multiplied here and nowhere else: a negative count,
 * converted to size_t, or a product that overflows size_t gives NULL.
 *
 * Coordinate steps access rows and weights at random. Huge pages of 2 MB avoid TLB
 * misses, and the kernel clears fresh memory several times faster. Arrays are aligned to
 * cache lines. */
#ifndef SDCA_BASE_ALLOC_H
#define SDCA_BASE_ALLOC_H

#include <stddef.h>

/* Allocate count + 1 elements of size bytes, so that an empty array is not NULL; NULL
 * if out of memory. The caller frees it with free(). Local. */
void *sdca_alloc_array(size_t count, size_t size);

/* The same, all bytes zero. Local. */
void *sdca_alloc_zeroed(size_t count, size_t size);

/* Resize an array to count elements, keeping its content; old may be NULL. Returns NULL
 * if out of memory, and old is then unchanged. Local. */
void *sdca_alloc_resize(void *old, size_t count, size_t size);

#endif
