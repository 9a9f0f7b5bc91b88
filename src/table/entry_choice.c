/* SPDX-License-Identifier: MIT */
/* Which text the probes and stores of standard entries have on this processor. It is asked itself, as in wide.c. */
#include "table/entry_avx2.h"

#if defined(STANDARD_AVX2)
#include <cpuid.h>

/* Does the system keep what is in the registers of 32 bytes? */
static bool system_keeps_vectors(void) {
    enum { STATE_OF_VECTORS = 6 };
    unsigned a, b, c = 0, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (a & STATE_OF_VECTORS) == STATE_OF_VECTORS;
}

/* All that entry_avx2.c is compiled for (src/meson.build). */
bool tabia_standard_runs(void) {
    const unsigned wanted = bit_AVX2 | bit_BMI | bit_BMI2;
    unsigned a, b = 0, c, d;
    return system_keeps_vectors() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & wanted) == wanted;
}
#elif defined(BUCKET_SCALAR)
bool tabia_standard_runs(void) {
    return false;
}
#else
bool tabia_standard_runs(void) {
    return true;
}
#endif

const char *tabia_entry_text(void) {
    return tabia_standard_runs() ? "avx2" : "plain";
}
