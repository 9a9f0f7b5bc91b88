/* SPDX-License-Identifier: MIT */
/*
 * A network as a file: the weights as bytes, the least first, whatever the machine.
 *
 *     "TABIANET" | form, inputs, width, buckets: 4 x 4 bytes | input | input_bias | output | output_bias | checksum: 8
 *
 * Form 1 is mirrored, form 2 is not (network.h). The arrays are Network's, in its order, of the width and the number of
 * outputs that the header says: weights of 2 bytes, output biases of 4. The checksum is that of all bytes before it, and
 * the network's identity.
 *
 * Threads: no state; any thread may call any function.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "network.h"

enum {
    NETWORK_FILE_MIRRORED = 1,
    NETWORK_FILE_PLAIN = 2,
    NETWORK_FILE_WEIGHTS_MAX = (NETWORK_INPUTS + 1 + NETWORK_BUCKETS * 2) * NETWORK_WIDTH,
    NETWORK_FILE_BYTES_MAX = 8 + 4 * 4 + NETWORK_FILE_WEIGHTS_MAX * 2 + NETWORK_BUCKETS * 4 + 8,
};

/* The size of the file of a network of that shape. */
size_t network_file_bytes(NetworkShape shape);

/* Writes the file's bytes and returns their number. */
size_t network_file_pack(const Network *n, uint8_t bytes[NETWORK_FILE_BYTES_MAX]);

/* Makes the network of n bytes, widened to WIDTH and BUCKETS. False with an error that says what is wrong and what would
   be right; then *to is not to be used. */
bool network_file_unpack(Network *to, const uint8_t *bytes, size_t n, TabiaError *error);

/* Are all weights within the bounds that network.h gives? False with an error. For networks of other origin. */
bool network_weights_check(const Network *n, TabiaError *error);

/* Completes a network whose shape and weights within it are set, the others 0: its other buckets and its identity. */
void network_complete(Network *n);

/* Reads a file. The caller frees the network by free(). NULL with an error that names the file. */
Network *network_read(const char *path, TabiaError *error);

/* Writes a file, which appears when it is complete. False with an error. */
bool network_write(const Network *n, const char *path, TabiaError *error);
