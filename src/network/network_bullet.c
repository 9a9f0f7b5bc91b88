/* SPDX-License-Identifier: MIT */
#include "network_bullet.h"

#include <string.h>

#include "network_file.h"

static const char padding_text[] = "bullet";

/* ---- sizes ---- */

/* Without the padding. */
static size_t weight_bytes(NetworkShape shape) {
    const size_t rows = NETWORK_INPUTS + 1 + 2 * (size_t)shape.buckets;
    return (rows * shape.width + shape.buckets) * 2;
}

size_t network_bullet_bytes(NetworkShape shape) {
    const size_t unpadded = weight_bytes(shape);
    return (unpadded + NETWORK_BULLET_PADDING - 1) / NETWORK_BULLET_PADDING * NETWORK_BULLET_PADDING;
}

/* The width of a file of n bytes, padded or not; 0: none. A column more is more than all padding. */
static uint32_t width_of_size(size_t n, NetworkShape shape) {
    const size_t column = 2 * (NETWORK_INPUTS + 1 + 2 * (size_t)shape.buckets);
    shape.width = (uint32_t)((n < column ? 0 : n - 2 * shape.buckets) / column);
    return n == weight_bytes(shape) || n == network_bullet_bytes(shape) ? shape.width : 0;
}

/* ---- writing ---- */

static uint8_t *write_word(uint8_t *at, int word) {
    *at++ = (uint8_t)word;
    *at++ = (uint8_t)(word >> 8);
    return at;
}

static uint8_t *write_row(uint8_t *at, const int16_t *row, uint32_t width) {
    for (uint32_t i = 0; i < width; i++) at = write_word(at, row[i]);
    return at;
}

size_t network_bullet_pack(const Network *n, uint8_t bytes[NETWORK_BULLET_BYTES_MAX], TabiaError *error) {
    const NetworkShape shape = n->shape;
    uint8_t *at = bytes;
    for (uint32_t b = 0; b < shape.buckets; b++)
        if (n->output_bias[b] != (int16_t)n->output_bias[b])
            return tabia_fail(error, "an output bias of %d; bullet's layout holds 16 bits", (int)n->output_bias[b]), 0;
    for (int i = 0; i < NETWORK_INPUTS; i++) at = write_row(at, n->input[i], shape.width);
    at = write_row(at, n->input_bias, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++)
        for (int side = 0; side < 2; side++) at = write_row(at, n->output[b][side], shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++) at = write_word(at, n->output_bias[b]);
    assert(at == bytes + weight_bytes(shape));
    const size_t size = network_bullet_bytes(shape);
    for (unsigned i = 0; at < bytes + size; i++) *at++ = (uint8_t)padding_text[i % (sizeof padding_text - 1)];
    return size;
}

/* ---- reading ---- */

static int16_t read_word(const uint8_t **at) {
    const uint8_t *bytes = *at;
    *at += 2;
    return (int16_t)(bytes[0] | bytes[1] << 8);
}

static void read_row(int16_t *row, const uint8_t **at, uint32_t width) {
    for (uint32_t i = 0; i < width; i++) row[i] = read_word(at);
}

static bool is_padding(const uint8_t *at, const uint8_t *end) {
    for (unsigned i = 0; at < end; i++)
        if (*at++ != (uint8_t)padding_text[i % (sizeof padding_text - 1)]) return false;
    return true;
}

static bool check_size(NetworkShape *shape, size_t n, TabiaError *error) {
    shape->width = width_of_size(n, *shape);
    if (shape->width >= 1 && shape->width <= NETWORK_WIDTH) return true;
    NetworkShape narrow = *shape, wide = *shape;
    narrow.width = NETWORK_WIDTH / 2, wide.width = NETWORK_WIDTH;
    if (shape->width)
        return tabia_fail(error, "a network of %u accumulators a side; 1 to %d are possible", shape->width,
                          NETWORK_WIDTH);
    return tabia_fail(error,
                      "%zu bytes are no network of bullet's examples with %u output%s: (%d -> %u)x2 has %zu, "
                      "(%d -> %u)x2 %zu; --outputs says how many outputs there are",
                      n, shape->buckets, shape->buckets == 1 ? "" : "s", NETWORK_INPUTS, narrow.width,
                      network_bullet_bytes(narrow), NETWORK_INPUTS, wide.width, network_bullet_bytes(wide));
}

bool network_bullet_unpack(Network *to, const uint8_t *bytes, size_t n, NetworkShape shape, TabiaError *error) {
    assert(shape.buckets == 1 || shape.buckets == NETWORK_BUCKETS);
    if (!check_size(&shape, n, error)) return false;
    const uint8_t *at = bytes;
    memset(to, 0, sizeof *to);
    to->shape = shape;
    for (int i = 0; i < NETWORK_INPUTS; i++) read_row(to->input[i], &at, shape.width);
    read_row(to->input_bias, &at, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++)
        for (int side = 0; side < 2; side++) read_row(to->output[b][side], &at, shape.width);
    for (uint32_t b = 0; b < shape.buckets; b++) to->output_bias[b] = read_word(&at);
    if (!is_padding(at, bytes + n))
        return tabia_fail(error, "a network of bullet ends with \"bullet\" again and again; this one does not");
    network_complete(to);
    return network_weights_check(to, error);
}
