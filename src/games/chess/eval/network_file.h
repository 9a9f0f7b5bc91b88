/* SPDX-License-Identifier: MIT */
/*
 * network.bin: the weights as bytes, the least first, whatever the machine.
 *
 *     "TABIANET" | form, inputs, width, buckets: 4 x 4 bytes | input | input_bias | output | output_bias | checksum: 8
 *
 * The arrays are Network's (network.h), in its order. The checksum is that of all bytes before it.
 */
#pragma once
#include <stddef.h>

#include "network.h"

enum {
    NETWORK_FILE_VERSION = 1,
    NETWORK_FILE_WORDS = (NETWORK_INPUTS + 1 + NETWORK_BUCKETS * 2) * NETWORK_WIDTH, /* of two bytes */
    NETWORK_FILE_BYTES = 8 + 4 * 4 + NETWORK_FILE_WORDS * 2 + NETWORK_BUCKETS * 4 + 8,
};

/* The one at its end. */
uint64_t network_file_checksum(const uint8_t bytes[NETWORK_FILE_BYTES]);

void network_file_pack(const Network *n, uint8_t bytes[NETWORK_FILE_BYTES]);

/* NULL, or what is wrong with the n bytes; then *to is not to be used. */
const char *network_file_unpack(Network *to, const uint8_t *bytes, size_t n);
