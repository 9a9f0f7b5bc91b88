/* SPDX-License-Identifier: MIT */
#include "network_file.h"

#include <string.h>

#include "base/checksum.h"

enum { HEADER_BYTES = 8 + 4 * 4, CHECKSUM_BYTES = 8 };
static const char file_magic[8] = "TABIANET";

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

static uint8_t *write_row(uint8_t *at, const int16_t *row, uint32_t width) {
    for (uint32_t i = 0; i < width; i++) at = write_integer(at, (uint16_t)row[i], 2);
    return at;
}

static void read_row(int16_t *row, const uint8_t **at, uint32_t width) {
    for (uint32_t i = 0; i < width; i++) row[i] = (int16_t)read_integer(at, 2);
}

/* ---- writing ---- */

size_t network_file_bytes(NetworkShape shape) {
    const size_t rows = NETWORK_INPUTS + 1 + 2 * (size_t)shape.buckets;
    return HEADER_BYTES + rows * shape.width * 2 + (size_t)shape.buckets * 4 + CHECKSUM_BYTES;
}

static uint8_t *write_header(uint8_t *at, NetworkShape shape) {
    memcpy(at, file_magic, sizeof file_magic);
    at = write_integer(at + sizeof file_magic, shape.mirrored ? NETWORK_FILE_MIRRORED : NETWORK_FILE_PLAIN, 4);
    at = write_integer(at, NETWORK_INPUTS, 4);
    at = write_integer(at, shape.width, 4);
    return write_integer(at, shape.buckets, 4);
}

size_t network_file_pack(const Network *n, uint8_t bytes[NETWORK_FILE_BYTES_MAX]) {
    const NetworkShape shape = n->shape;
    const size_t size = network_file_bytes(shape);
    assert(shape.width <= NETWORK_WIDTH && shape.buckets <= NETWORK_BUCKETS && size <= NETWORK_FILE_BYTES_MAX);
    uint8_t *at = write_header(bytes, shape);
    for (int i = 0; i < NETWORK_INPUTS; i++) at = write_row(at, n->input[i], shape.width);
    at = write_row(at, n->input_bias, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++)
        for (int side = 0; side < 2; side++) at = write_row(at, n->output[b][side], shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++) at = write_integer(at, (uint32_t)n->output_bias[b], 4);
    assert(at == bytes + size - CHECKSUM_BYTES);
    write_integer(at, tabia_checksum(bytes, size - CHECKSUM_BYTES), CHECKSUM_BYTES);
    return size;
}

/* ---- reading ---- */

static bool read_shape(NetworkShape *shape, const uint8_t *at, TabiaError *error) {
    const uint32_t form = (uint32_t)read_integer(&at, 4), inputs = (uint32_t)read_integer(&at, 4);
    *shape = (NetworkShape){.mirrored = form == NETWORK_FILE_MIRRORED};
    shape->width = (uint32_t)read_integer(&at, 4), shape->buckets = (uint32_t)read_integer(&at, 4);
    if (form != NETWORK_FILE_MIRRORED && form != NETWORK_FILE_PLAIN)
        return tabia_fail(error, "a network of form %u; this version knows 1 (mirrored) and 2 (not mirrored)", form);
    if (inputs != NETWORK_INPUTS)
        return tabia_fail(error, "a network of %u inputs, as of another game; one of %s has %d", inputs, NETWORK_GAME,
                          NETWORK_INPUTS);
    if (shape->width < 1 || shape->width > NETWORK_WIDTH)
        return tabia_fail(error, "a network of %u accumulators a side; 1 to %d are possible", shape->width,
                          NETWORK_WIDTH);
    if (shape->buckets != 1 && shape->buckets != NETWORK_BUCKETS)
        return tabia_fail(error, "a network of %u outputs; 1 or %d are possible", shape->buckets, NETWORK_BUCKETS);
    return true;
}

static bool check_bytes(NetworkShape *shape, const uint8_t *bytes, size_t n, TabiaError *error) {
    if (n < HEADER_BYTES || memcmp(bytes, file_magic, sizeof file_magic) != 0)
        return tabia_fail(error, "no network: one that `tabia train` or `tabia network import` wrote begins with "
                                 "TABIANET");
    if (!read_shape(shape, bytes + sizeof file_magic, error)) return false;
    const size_t size = network_file_bytes(*shape);
    if (n < size) return tabia_fail(error, "a part of a network: %zu bytes of %zu", n, size);
    if (n > size) return tabia_fail(error, "a network of %zu bytes, followed by more", size);
    const uint8_t *at = bytes + size - CHECKSUM_BYTES;
    return read_integer(&at, CHECKSUM_BYTES) == tabia_checksum(bytes, size - CHECKSUM_BYTES) ||
           tabia_fail(error, "a damaged network: its checksum is that of other bytes");
}

static bool row_check(const int16_t *row, int max, const char *what, TabiaError *error) {
    for (int i = 0; i < NETWORK_WIDTH; i++)
        if (row[i] < -max || row[i] > max)
            return tabia_fail(error, "%s of %d; they are from -%d to %d, where 16 bits hold all sums", what, row[i],
                              max, max);
    return true;
}

bool network_weights_check(const Network *n, TabiaError *error) {
    for (int i = 0; i < NETWORK_INPUTS; i++)
        if (!row_check(n->input[i], NETWORK_INPUT_WEIGHT_MAX, "an input weight", error)) return false;
    if (!row_check(n->input_bias, NETWORK_INPUT_WEIGHT_MAX, "an input bias", error)) return false;
    for (int b = 0; b < NETWORK_BUCKETS; b++)
        for (int side = 0; side < 2; side++)
            if (!row_check(n->output[b][side], NETWORK_OUTPUT_WEIGHT_MAX, "an output weight", error)) return false;
    return true;
}

/* ---- a whole network ---- */

/* One output stands in every bucket. */
static void fill_buckets(Network *n) {
    for (uint32_t b = n->shape.buckets; b < NETWORK_BUCKETS; b++) {
        memcpy(n->output[b], n->output[0], sizeof n->output[0]);
        n->output_bias[b] = n->output_bias[0];
    }
}

void network_complete(Network *n) {
    uint8_t bytes[NETWORK_FILE_BYTES_MAX];
    fill_buckets(n);
    const uint8_t *at = bytes + network_file_pack(n, bytes) - CHECKSUM_BYTES;
    n->identity = read_integer(&at, CHECKSUM_BYTES);
}

bool network_file_unpack(Network *to, const uint8_t *bytes, size_t n, TabiaError *error) {
    memset(to, 0, sizeof *to);
    if (!check_bytes(&to->shape, bytes, n, error)) return false;
    const NetworkShape shape = to->shape;
    const uint8_t *at = bytes + HEADER_BYTES;
    for (int i = 0; i < NETWORK_INPUTS; i++) read_row(to->input[i], &at, shape.width);
    read_row(to->input_bias, &at, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++)
        for (int side = 0; side < 2; side++) read_row(to->output[b][side], &at, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++) to->output_bias[b] = (int32_t)read_integer(&at, 4);
    assert(at == bytes + n - CHECKSUM_BYTES);
    to->identity = read_integer(&at, CHECKSUM_BYTES);
    fill_buckets(to);
    return network_weights_check(to, error);
}
