/* SPDX-License-Identifier: BSD-3-Clause
 *
 * version.h - the version of the library, and how its functions are exported. */
#ifndef SDCA_VERSION_H
#define SDCA_VERSION_H

/* The version of these headers. CMakeLists.txt reads it here. */
#define SDCA_VERSION "0.1.0"

/* Marks the functions of the API: all other symbols of the shared library are hidden. */
#if defined(__GNUC__)
#define SDCA_API __attribute__((visibility("default")))
#else
#define SDCA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that the program runs with, such as "0.1.0". Local; the
 * result is static. */
SDCA_API const char *sdca_version(void);

#ifdef __cplusplus
}
#endif

#endif
