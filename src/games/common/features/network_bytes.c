/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "features/network_position.h"

size_t network_position_bytes(const NetworkPosition *packed, uint8_t *bytes) {
    const size_t before = offsetof(NetworkPosition, turn);
    memcpy(bytes, packed, before);
    bytes[before] = packed->turn;
    return before + 1;
}
