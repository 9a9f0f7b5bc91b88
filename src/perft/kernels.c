/* SPDX-License-Identifier: MIT */
/*
 * Which kernels there are, and which this CPU can run. The build says by HAVE_KERNEL_... which were compiled.
 */
#include <stddef.h>
#include <string.h>

#include "kernel.h"

#ifdef HAVE_KERNEL_AVX512
extern const PerftKernel perft_kernel_avx512;
static bool supports_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("bmi2");
}
#endif
#ifdef HAVE_KERNEL_AVX2
extern const PerftKernel perft_kernel_avx2;
static bool supports_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("fma");
}
#endif
extern const PerftKernel perft_kernel_portable;
static bool supports_any_cpu(void) {
    return true;
}

static const struct {
    const PerftKernel *kernel;
    bool (*is_supported)(void);
} kernels[] = {
#ifdef HAVE_KERNEL_AVX512
    {&perft_kernel_avx512, supports_avx512},
#endif
#ifdef HAVE_KERNEL_AVX2
    {&perft_kernel_avx2, supports_avx2},
#endif
    {&perft_kernel_portable, supports_any_cpu},
};

const PerftKernel *perft_kernel_at(unsigned i) {
    for (size_t at = 0; at < sizeof kernels / sizeof *kernels; at++)
        if (kernels[at].is_supported() && i-- == 0) return kernels[at].kernel;
    return NULL;
}

const PerftKernel *perft_kernel_named(const char *name) {
    const PerftKernel *kernel;
    for (unsigned i = 0; (kernel = perft_kernel_at(i)) != NULL; i++)
        if (!name || strcmp(name, kernel->name) == 0) return kernel;
    return NULL;
}
