/* SPDX-License-Identifier: MIT */
/*
 * Networks in the layout of bullet's examples, `quantised.bin` (github.com/jw1912/bullet: examples/simple.rs with one
 * output, examples/progression/2_output_buckets.rs with eight by MaterialCount; docs/4-saved-networks.md), which many
 * engines read:
 *
 *     input[768][width] | input_bias[width] | output[outputs][2 * width] | output_bias[outputs] | padding
 *
 * Whole numbers of 16 bits, the lowest byte first. Features, activation (squared clipped ReLU), quantization (255, 64) and
 * scale (400) are those of network.h, and so is the value. The padding, to a multiple of 64 bytes, is "bullet" again and
 * again. The file does not say whether the features are mirrored (Chess768, or ChessBucketsMirrored with one bucket), nor
 * how many outputs there are: the caller does.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "network.h"

enum {
    NETWORK_BULLET_PADDING = 64,
    NETWORK_BULLET_BYTES_MAX =
        ((NETWORK_INPUTS + 1 + NETWORK_BUCKETS * 2) * NETWORK_WIDTH + NETWORK_BUCKETS) * 2 + NETWORK_BULLET_PADDING,
};

/* The size of the file of a network of that shape, padding included. */
size_t network_bullet_bytes(NetworkShape shape);

/* Writes the file's bytes and returns their number; 0 with an error: an output bias does not fit into 16 bits. */
size_t network_bullet_pack(const Network *n, uint8_t bytes[NETWORK_BULLET_BYTES_MAX], TabiaError *error);

/* Makes the network of n bytes, with that many outputs, mirrored or not; its width follows from n. False with an error
   that says what is wrong and what would be right; then *to is not to be used. */
bool network_bullet_unpack(Network *to, const uint8_t *bytes, size_t n, NetworkShape shape, TabiaError *error);

/* Reads a file; the caller frees the network by free(). NULL with an error that names the file. */
Network *network_bullet_read(const char *path, NetworkShape shape, TabiaError *error);

/* Writes a file, which appears when it is complete. False with an error. */
bool network_bullet_write(const Network *n, const char *path, TabiaError *error);
