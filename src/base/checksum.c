/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "base/checksum.h"

#include <xxhash.h>

uint64_t tabia_checksum(const void *data, size_t bytes) {
    return XXH3_64bits(data, bytes);
}
