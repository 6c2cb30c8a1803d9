/* SPDX-License-Identifier: BSD-3-Clause
 *
 * inline.h - for the loops in which time is spent: put in line always, ask ahead. */
#ifndef SDCA_INLINE_H
#define SDCA_INLINE_H

#if defined(__GNUC__)
#define SDCA_INLINE static inline __attribute__((always_inline))
#define SDCA_PREFETCH(address) __builtin_prefetch(address)
#else
#define SDCA_INLINE static inline
#define SDCA_PREFETCH(address) ((void)(address))
#endif

#endif
