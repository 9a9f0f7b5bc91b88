/* SPDX-License-Identifier: MIT */
/* The kernels of perft that this CPU can run. */
#pragma once
#include "perft/kernel.h"

#ifdef HAVE_KERNEL_AVX512
extern const PerftKernel perft_kernel_avx512;
static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni");
}
#endif
#ifdef HAVE_KERNEL_AVX2
extern const PerftKernel perft_kernel_avx2;
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
#endif
#ifdef HAVE_KERNEL_SCALAR
extern const PerftKernel perft_kernel_scalar;
static bool has_scalar(void) {
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2");
}
#endif
extern const PerftKernel perft_kernel_portable;

enum { KERNELS_MAX = 4 };

/* Writes them to the list, the fastest first, and returns their number. */
static inline unsigned runnable_kernels(const PerftKernel *list[KERNELS_MAX]) {
    unsigned n = 0;
#ifdef HAVE_KERNEL_AVX512
    if (has_avx512()) list[n++] = &perft_kernel_avx512;
#endif
#ifdef HAVE_KERNEL_AVX2
    if (has_avx2()) list[n++] = &perft_kernel_avx2;
#endif
#ifdef HAVE_KERNEL_SCALAR
    if (has_scalar()) list[n++] = &perft_kernel_scalar;
#endif
    list[n++] = &perft_kernel_portable;
    return n;
}
