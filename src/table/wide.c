/* SPDX-License-Identifier: MIT */
/* Which processors make an aligned 16-byte access atomic. */
#include "table/slot.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_USCAT
#define HWCAP_USCAT (1 << 25) /* LSE2 */
#endif
#endif

bool tabia_wide_is_atomic(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx");
#elif defined(__aarch64__)
    return (getauxval(AT_HWCAP) & HWCAP_USCAT) != 0;
#else
    return false;
#endif
}
