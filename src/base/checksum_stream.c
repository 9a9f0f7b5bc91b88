/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "base/checksum.h"

#include <stdlib.h>
#include <xxhash.h>

struct TabiaChecksum {
    XXH3_state_t state;
};

TabiaChecksum *tabia_checksum_begin(void) {
    TabiaChecksum *sum = aligned_alloc(_Alignof(TabiaChecksum), sizeof *sum);
    if (sum) (void)XXH3_64bits_reset(&sum->state);
    return sum;
}

void tabia_checksum_add(TabiaChecksum *sum, const void *data, size_t bytes) {
    (void)XXH3_64bits_update(&sum->state, data, bytes);
}

uint64_t tabia_checksum_end(TabiaChecksum *sum) {
    const uint64_t digest = XXH3_64bits_digest(&sum->state);
    free(sum);
    return digest;
}
