/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlclose_noop.c - a dlclose() that closes nothing, for sanitized builds.
 *
 * Open MPI unloads its plug-ins in MPI_Finalize(). What they leaked would then
 * belong to an unknown module, which no line of lsan.supp can name. */
#include <dlfcn.h>

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
