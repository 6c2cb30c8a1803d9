/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alloc.h - memory for arrays: sizes are checked, and large ones lie in large pages
 * where the system has them.
 *
 * Counts that come from a file are multiplied here and nowhere else: a count below 0, as
 * a size_t, or a product that no size_t holds gives NULL.
 *
 * A step visits rows and weights all over the memory: with pages of 2 MB the
 * processor finds them without looking up where a page is, and fresh memory comes
 * several times faster. Arrays begin where a line of the cache does. */
#ifndef SDCA_BASE_ALLOC_H
#define SDCA_BASE_ALLOC_H

#include <stddef.h>

/* Room for count elements of size bytes and one more, so never none; NULL if there is
 * no such memory. The caller's, to be freed with free(). Local. */
void *sdca_alloc_array(size_t count, size_t size);

/* The same, all bytes zero. Local. */
void *sdca_alloc_zeroed(size_t count, size_t size);

/* Room for count elements, with the content of old (NULL for none), which is gone then;
 * NULL if there is no such memory, and old stays. Local. */
void *sdca_alloc_resize(void *old, size_t count, size_t size);

#endif
