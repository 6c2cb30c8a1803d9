/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.h - memory for large arrays, in large pages where the system has them.
 *
 * A step visits rows and weights all over the memory: with pages of 2 MB the
 * processor finds them without looking up where a page is, and fresh memory comes
 * several times faster. Arrays begin where a line of the cache does. */
#ifndef SDCA_MEMORY_H
#define SDCA_MEMORY_H

#include <stddef.h>

/* Room for count elements of size bytes and one more, so never none; NULL if there is
 * no such memory. The caller's, to be freed with free(). Local. */
void *sdca_memory_allocate(size_t count, size_t size);

/* The same, all bytes zero. Local. */
void *sdca_memory_zeros(size_t count, size_t size);

#endif
