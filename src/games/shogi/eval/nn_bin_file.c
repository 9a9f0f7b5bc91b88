/* SPDX-License-Identifier: MIT */
/* Networks of YaneuraOu from the bytes of their file, and networks of any kind from files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "eval/evaluate.h"
#include "eval/nn_bin.h"
#include "network/network_file.h"

enum { HEADER_BYTES = 12, TEXT_MAX = 4096, INPUTS_MAX = BOARD_SQUARES * BONA_PIECES, NAME_MAX_SHOWN = 59 };
static const uint32_t file_version = 0x7AF32F16, layers_hash = 0x63337156;

static const struct {
    const char *name;
    uint32_t hash; /* of its inputs */
    int inputs;
} architectures[] = {
    {"HalfKP 256x2-32-32", 0x5D69D7B8, INPUTS_MAX},
    {"K-P 256x2-32-32", 0x3F5715FF, BONA_ALL},
};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

/* What a network has behind its inputs: the hash of the layers, and the layers. */
enum {
    LAYER_BYTES = 4 + NN_BIN_HIDDEN * (4 + 2 * NN_BIN_WIDTH) + NN_BIN_HIDDEN * (4 + NN_BIN_HIDDEN) + 4 + NN_BIN_HIDDEN
};

static size_t file_bytes(size_t text, int inputs) {
    return HEADER_BYTES + text + 4 + ((size_t)inputs + 1) * NN_BIN_WIDTH * 2 + LAYER_BYTES;
}

/* ---- bytes ---- */

static uint32_t read_u32(const uint8_t **at) {
    const uint8_t *b = *at;
    *at += 4;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void read_row(int16_t *row, const uint8_t **at) {
    for (int i = 0; i < NN_BIN_WIDTH; i++, *at += 2) row[i] = (int16_t)((*at)[0] | (*at)[1] << 8);
}

static void read_hidden_layer(int32_t *bias, NnBinQuad *quads, int inputs, const uint8_t **at) {
    for (int i = 0; i < NN_BIN_HIDDEN; i++) bias[i] = (int32_t)read_u32(at);
    for (int i = 0; i < NN_BIN_HIDDEN; i++)
        for (int j = 0; j < inputs; j++) quads[j / NN_BIN_QUAD][i][j % NN_BIN_QUAD] = (int8_t) * (*at)++;
}

static void read_weights(NnBin *to, int inputs, const uint8_t *at) {
    at += 4;
    read_row(to->input_bias, &at);
    for (int i = 0; i < inputs; i++) read_row(to->input[i], &at);
    at += 4;
    read_hidden_layer(to->bias[0], to->first, 2 * NN_BIN_WIDTH, &at);
    read_hidden_layer(to->bias[1], to->second, NN_BIN_HIDDEN, &at);
    to->output_bias = (int32_t)read_u32(&at);
    memcpy(to->output, at, sizeof to->output);
}

/* ---- checks ---- */

bool nn_bin_is_start(const uint8_t *bytes, size_t n) {
    return n >= HEADER_BYTES && read_u32(&bytes) == file_version;
}

/* The number of the architecture; -1 with an error. */
static int find_architecture(const uint8_t *bytes, size_t n, size_t *text, TabiaError *error) {
    const uint8_t *at = bytes + 4;
    const uint32_t hash = read_u32(&at);
    *text = read_u32(&at);
    for (int i = 0; i < ARCHITECTURES && *text <= TEXT_MAX; i++)
        if (hash == (architectures[i].hash ^ layers_hash)) return i;
    const size_t max = *text < n - HEADER_BYTES ? *text : 0;
    int shown = 0;
    while (shown < NAME_MAX_SHOWN && (size_t)shown < max && at[shown] > ' ' && at[shown] <= '~' && at[shown] != '[')
        shown++;
    return tabia_fail(
               error,
               "a network of YaneuraOu of another architecture (hash %08X, '%.*s'); %s (%08X) and %s (%08X) can be "
               "read",
               hash, shown, (const char *)at, architectures[0].name, architectures[0].hash ^ layers_hash,
               architectures[1].name, architectures[1].hash ^ layers_hash),
           -1;
}

static bool check_hash(const uint8_t *at, uint32_t hash, const char *what, TabiaError *error) {
    const uint32_t found = read_u32(&at);
    return found == hash ||
           tabia_fail(error, "a damaged network of YaneuraOu: the hash of its %s is %08X, not %08X", what, found, hash);
}

static bool check_bytes(const uint8_t *bytes, size_t n, int *architecture, size_t *text, TabiaError *error) {
    *architecture = find_architecture(bytes, n, text, error);
    if (*architecture < 0) return false;
    const size_t size = file_bytes(*text, architectures[*architecture].inputs);
    if (n < size) return tabia_fail(error, "a part of a network of YaneuraOu: %zu bytes of %zu", n, size);
    if (n > size) return tabia_fail(error, "a network of YaneuraOu of %zu bytes, followed by more", size);
    return check_hash(bytes + HEADER_BYTES + *text, architectures[*architecture].hash, "inputs", error) &&
           check_hash(bytes + size - LAYER_BYTES, layers_hash, "layers", error);
}

/* Biases to which the products of a layer may be added. */
static bool check_biases(const NnBin *n, TabiaError *error) {
    const int max = INT32_MAX / 2;
    bool good = n->output_bias >= -max && n->output_bias <= max;
    for (int i = 0; i < NN_BIN_HIDDEN; i++)
        for (int l = 0; l < 2; l++) good &= n->bias[l][i] >= -max && n->bias[l][i] <= max;
    return good || tabia_fail(error, "a damaged network of YaneuraOu: a bias of its layers is beyond %d", max);
}

/* ---- a whole network ---- */

/* In one piece, so that tabia_aligned_free() of the first frees all. */
typedef struct {
    Network network;
    NnBin nn_bin;
} Block;

Network *nn_bin_unpack(const uint8_t *bytes, size_t n, int scale, TabiaError *error) {
    int i;
    size_t text;
    assert(nn_bin_is_start(bytes, n) && scale >= 1);
    if (!check_bytes(bytes, n, &i, &text, error)) return NULL;
    const size_t size = sizeof(Block) + (size_t)architectures[i].inputs * NN_BIN_WIDTH * sizeof(int16_t);
    Block *block = tabia_aligned_get(_Alignof(Block), (size + 63) / 64 * 64);
    if (!block) return tabia_fail(error, "no memory for a network"), NULL;
    memset(block, 0, sizeof *block);
    block->nn_bin.foreign.name = architectures[i].name, block->nn_bin.scale = scale;
    block->nn_bin.by_king = architectures[i].inputs == INPUTS_MAX;
    read_weights(&block->nn_bin, architectures[i].inputs, bytes + HEADER_BYTES + text);
    if (!check_biases(&block->nn_bin, error)) return tabia_aligned_free(block), NULL;
    block->network.foreign = &block->nn_bin.foreign;
    block->network.identity = tabia_checksum(bytes, n) + (uint64_t)scale;
    return &block->network;
}

/* ---- files ---- */

/* One byte more than any network has, so that a longer file is noticed. NULL with an error. */
static uint8_t *read_file(const char *path, FILE *file, size_t *n, TabiaError *error) {
    const size_t max = file_bytes(TEXT_MAX, INPUTS_MAX) + 1;
    uint8_t *bytes = malloc(max);
    if (!bytes) return tabia_fail(error, "%s: no memory for a network", path), NULL;
    *n = fread(bytes, 1, max, file);
    if (!ferror(file)) return bytes;
    tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    return free(bytes), NULL;
}

Network *evaluation_network_read(const char *path, int scale, TabiaError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno)), NULL;
    size_t n = 0;
    TabiaError cause;
    uint8_t *bytes = read_file(path, file, &n, error);
    fclose(file);
    if (!bytes) return NULL;
    Network *network = NULL;
    const bool is_foreign = nn_bin_is_start(bytes, n);
    if (is_foreign && !(network = nn_bin_unpack(bytes, n, scale, &cause)))
        tabia_fail(error, "%.120s: %.270s", path, cause.text);
    free(bytes);
    return is_foreign ? network : network_read(path, error);
}
