/* SPDX-License-Identifier: MIT */
/* Which processors make an aligned 16-byte access atomic. */
#include "table/slot.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#ifndef HWCAP_USCAT
#define HWCAP_USCAT (1 << 25) /* LSE2 */
#endif
#endif

/* On x86 the processor is asked itself: __builtin_cpu_supports keeps its answer in a variable, and the library has
   none. */
bool tabia_wide_is_atomic(void) {
#if defined(__x86_64__)
    unsigned a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AVX);
#elif defined(__aarch64__) && defined(__APPLE__)
    return true; /* all of Apple's have LSE2 */
#elif defined(__aarch64__) && defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_USCAT) != 0;
#else
    return false;
#endif
}
