/* SPDX-License-Identifier: MIT */
#include "network_file.h"

#include <string.h>

#include "base/checksum.h"

static const char file_magic[8] = "TABIANET";
static const uint32_t file_shape[4] = {NETWORK_FILE_VERSION, NETWORK_INPUTS, NETWORK_WIDTH, NETWORK_BUCKETS};

/* ---- whole numbers and bytes ---- */

static uint8_t *write_integer(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint64_t read_integer(const uint8_t **at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) * (*at)++ << 8 * i;
    return value;
}

static uint8_t *write_row(uint8_t *at, const int16_t *row) {
    for (int i = 0; i < NETWORK_WIDTH; i++) at = write_integer(at, (uint16_t)row[i], 2);
    return at;
}

/* False: a weight is beyond +-most. */
static bool read_row(int16_t *row, const uint8_t **at, int most) {
    bool good = true;
    for (int i = 0; i < NETWORK_WIDTH; i++)
        row[i] = (int16_t)read_integer(at, 2), good &= row[i] >= -most && row[i] <= most;
    return good;
}

/* ---- the file ---- */

void network_file_pack(const Network *n, uint8_t bytes[NETWORK_FILE_BYTES]) {
    memcpy(bytes, file_magic, sizeof file_magic);
    uint8_t *at = bytes + sizeof file_magic;
    for (int i = 0; i < 4; i++) at = write_integer(at, file_shape[i], 4);
    for (int i = 0; i < NETWORK_INPUTS; i++) at = write_row(at, n->input[i]);
    at = write_row(at, n->input_bias);
    for (int b = 0; b < NETWORK_BUCKETS; b++)
        for (int side = 0; side < 2; side++) at = write_row(at, n->output[b][side]);
    for (int b = 0; b < NETWORK_BUCKETS; b++) at = write_integer(at, (uint32_t)n->output_bias[b], 4);
    assert(at == bytes + NETWORK_FILE_BYTES - 8);
    write_integer(at, tabia_checksum(bytes, NETWORK_FILE_BYTES - 8), 8);
}

uint64_t network_file_checksum(const uint8_t bytes[NETWORK_FILE_BYTES]) {
    const uint8_t *at = bytes + NETWORK_FILE_BYTES - 8;
    return read_integer(&at, 8);
}

const char *network_file_unpack(Network *to, const uint8_t *bytes, size_t n) {
    if (n < sizeof file_magic || memcmp(bytes, file_magic, sizeof file_magic)) return "no network of `tabia train`";
    if (n != NETWORK_FILE_BYTES) return "a network of another size, or a part of one";
    const uint8_t *at = bytes + sizeof file_magic;
    for (int i = 0; i < 4; i++)
        if (read_integer(&at, 4) != file_shape[i]) return "a network of another form or shape";
    if (network_file_checksum(bytes) != tabia_checksum(bytes, NETWORK_FILE_BYTES - 8)) return "a damaged network";
    memset(to, 0, sizeof *to);
    bool good = true;
    for (int i = 0; i < NETWORK_INPUTS; i++) good &= read_row(to->input[i], &at, NETWORK_INPUT_WEIGHT_MAX);
    good &= read_row(to->input_bias, &at, NETWORK_INPUT_WEIGHT_MAX);
    for (int b = 0; b < NETWORK_BUCKETS; b++)
        for (int side = 0; side < 2; side++) good &= read_row(to->output[b][side], &at, NETWORK_OUTPUT_WEIGHT_MAX);
    for (int b = 0; b < NETWORK_BUCKETS; b++) to->output_bias[b] = (int32_t)read_integer(&at, 4);
    return good ? NULL : "a network with weights beyond their bounds";
}
