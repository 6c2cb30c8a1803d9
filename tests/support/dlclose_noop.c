/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlclose_noop.c - a dlclose() that closes nothing, for sanitized builds.
 *
 * Open MPI unloads its plug-ins in MPI_Finalize(). Their leaks would then belong to an
 * unknown module, which lsan.supp cannot name. */
#include <dlfcn.h>

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
