/* SPDX-License-Identifier: MIT */
/*
 * Which counting paths there are, and which this CPU can run. The build says by HAVE_PATH_... which were compiled.
 */
#include <stddef.h>
#include <string.h>

#include "path.h"

#ifdef HAVE_PATH_AVX512
extern const PerftPath perft_path_avx512;
static bool runs_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("bmi2");
}
#endif
#ifdef HAVE_PATH_AVX2
extern const PerftPath perft_path_avx2;
static bool runs_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("fma");
}
#endif
#ifdef HAVE_PATH_SCALAR
extern const PerftPath perft_path_scalar;
static bool runs_scalar(void) {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif
extern const PerftPath perft_path_portable;
static bool runs_anywhere(void) {
    return true;
}

static const struct {
    const PerftPath *path;
    bool (*runs_here)(void);
} paths[] = {
#ifdef HAVE_PATH_AVX512
    {&perft_path_avx512, runs_avx512},
#endif
#ifdef HAVE_PATH_AVX2
    {&perft_path_avx2, runs_avx2},
#endif
#ifdef HAVE_PATH_SCALAR
    {&perft_path_scalar, runs_scalar},
#endif
    {&perft_path_portable, runs_anywhere},
};

const PerftPath *perft_path_at(unsigned i) {
    for (size_t at = 0; at < sizeof paths / sizeof *paths; at++)
        if (paths[at].runs_here() && i-- == 0) return paths[at].path;
    return NULL;
}

const PerftPath *perft_path_named(const char *name) {
    const PerftPath *path;
    for (unsigned i = 0; (path = perft_path_at(i)) != NULL; i++)
        if (!name || strcmp(name, path->name) == 0) return path;
    return NULL;
}
