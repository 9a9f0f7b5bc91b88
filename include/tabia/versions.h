/* SPDX-License-Identifier: MIT */
/*
 * The version of libtabia: what a program was compiled with, and what it runs with.
 *
 * Three numbers, major.minor.patch, as in Semantic Versioning. The major number is that of the shared library (soname):
 * programs must be compiled anew when it changes. While it is 0, any minor number may change types and functions as
 * well, and then the symbols of the shared library have another version: a program that was compiled with the old ones
 * is refused by the dynamic linker, with a line that names the version it lacks.
 *
 * Caveats first.
 * - What the linker refuses needs no check. tabia_version_check() is for libraries that are loaded while a program runs
 *   (dlopen, ctypes, cgo), for static ones whose headers lay elsewhere, and for a clear line in a log.
 * - The amalgamation is one version by construction; the check always holds there.
 *
 * Threads: constants and pure functions; any number at any time.
 *
 * Example:
 *
 *     #if TABIA_VERSION_NUMBER < 100
 *     #error "libtabia 0.1.0 or later is needed"
 *     #endif
 */
#ifndef TABIA_VERSIONS_H
#define TABIA_VERSIONS_H

/*
 * What libtabia cannot do without: 128-bit integers, which gcc and clang have where the processor's words have 64 bits.
 * A 32-bit system, and a compiler without them, is refused here, before anything else can go wrong there.
 */
#ifndef __SIZEOF_INT128__
#error "libtabia needs a 64-bit processor and a compiler with 128-bit integers: gcc or clang"
#endif

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of these headers, number by number.
 */
#define TABIA_VERSION_MAJOR 0
#define TABIA_VERSION_MINOR 1
#define TABIA_VERSION_PATCH 0

/*
 * The same as one number that grows from version to version, for #if: 10000 for each major, 100 for each minor, 1 for
 * each patch. Minor and patch stay below 100.
 */
#define TABIA_VERSION_NUMBER (TABIA_VERSION_MAJOR * 10000 + TABIA_VERSION_MINOR * 100 + TABIA_VERSION_PATCH)

/*
 * Returns the version of the library in use, "major.minor.patch".
 *
 * Ownership: the text is constant and the library's.
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     printf("libtabia %s\n", tabia_version());
 */
TABIA_API const char *tabia_version(void);

/*
 * Says whether a program that was compiled with the headers of version `number` may use the library in use: call it with
 * TABIA_VERSION_NUMBER, before anything else. The library must be of the same major number, while that is 0 also of the
 * same minor number, and not older.
 *
 * Errors: TABIA_ERROR_UNSUPPORTED; the line names both versions. error may be NULL.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     TabiaError why;
 *     if (tabia_version_check(TABIA_VERSION_NUMBER, &why)) return fprintf(stderr, "%s\n", why.text), 1;
 */
TABIA_API int tabia_version_check(unsigned number, TabiaError *error);

#ifdef __cplusplus
}
#endif
#endif
