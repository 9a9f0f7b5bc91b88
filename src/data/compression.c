/* SPDX-License-Identifier: MIT */
#include "data/compression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zstd.h>

enum {
    LEVEL_DEFAULT = 3,     /* zstd's own */
    INPUT_BYTES = 1 << 17, /* compressed bytes that are held at a time */
};

struct DataDecompressor {
    ZSTD_DStream *stream;
    const char *error;
    uint64_t consumed;
    size_t begin, end; /* of the input that is not decompressed yet */
    bool in_frame;     /* a frame has begun and not ended */
    bool has_more;     /* the last call filled its output: more may come without input */
    bool input_ended;
    uint8_t input[INPUT_BYTES];
};

struct DataCompressor {
    ZSTD_CCtx *context;
    uint8_t *frame;
    size_t capacity;
};

bool data_is_compressed_name(const char *path) {
    const size_t n = strlen(path), k = strlen(DATA_COMPRESSED_EXTENSION);
    return n > k && !strcasecmp(path + n - k, DATA_COMPRESSED_EXTENSION);
}

bool data_is_compressed(const uint8_t first[DATA_COMPRESSION_MAGIC_BYTES]) {
    const uint32_t magic =
        (uint32_t)first[0] | (uint32_t)first[1] << 8 | (uint32_t)first[2] << 16 | (uint32_t)first[3] << 24;
    return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

const char *data_foreign_compressor(const uint8_t *first, size_t n) {
    static const struct {
        const char *name, *magic;
    } known[] = {
        {"gzip", "\x1f\x8b\x08"}, {"xz", "\xfd\x37zXZ"},   {"bzip2", "BZh"},
        {"zip", "PK\x03\x04"},    {"7-Zip", "7z\xbc\xaf"}, {"lz4", "\x04\"M\x18"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t bytes = strlen(known[i].magic);
        if (n >= bytes && !memcmp(first, known[i].magic, bytes)) return known[i].name;
    }
    return NULL;
}

/* ---- decompressing ---- */

DataDecompressor *data_decompressor_create(const uint8_t first[DATA_COMPRESSION_MAGIC_BYTES]) {
    DataDecompressor *d = malloc(sizeof *d);
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!d || !stream) {
        ZSTD_freeDStream(stream);
        free(d);
        return NULL;
    }
    *d = (DataDecompressor){.stream = stream, .end = DATA_COMPRESSION_MAGIC_BYTES};
    memcpy(d->input, first, DATA_COMPRESSION_MAGIC_BYTES);
    return d;
}

uint8_t *data_decompressor_input(DataDecompressor *d, size_t *room) {
    assert(d->begin == d->end && !d->input_ended);
    d->begin = d->end = 0;
    *room = sizeof d->input;
    return d->input;
}

void data_decompressor_add(DataDecompressor *d, size_t n) {
    assert(n <= sizeof d->input - d->end && !d->has_more);
    d->end += n;
    d->input_ended = n == 0;
    if (d->input_ended && d->in_frame && !d->error) d->error = "it ends within a compressed frame";
}

size_t data_decompress(DataDecompressor *d, uint8_t *to, size_t n) {
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos < n && !d->error && (d->begin < d->end || d->has_more)) {
        ZSTD_inBuffer in = {d->input, d->end, d->begin};
        const size_t left = ZSTD_decompressStream(d->stream, &out, &in);
        assert(in.pos >= d->begin && in.pos <= d->end && out.pos <= n);
        d->consumed += in.pos - d->begin;
        d->begin = in.pos;
        if (ZSTD_isError(left)) d->error = ZSTD_getErrorName(left);
        d->in_frame = left != 0;
        d->has_more = d->in_frame && out.pos == n;
    }
    return out.pos;
}

bool data_decompressor_at_end(const DataDecompressor *d) {
    return d->error || d->input_ended;
}

const char *data_decompressor_error(const DataDecompressor *d) {
    return d->error;
}

uint64_t data_decompressor_consumed(const DataDecompressor *d) {
    return d->consumed;
}

void data_decompressor_free(DataDecompressor *d) {
    if (!d) return;
    ZSTD_freeDStream(d->stream);
    free(d);
}

/* ---- compressing ---- */

DataCompressor *data_compressor_create(void) {
    DataCompressor *c = malloc(sizeof *c);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (c && context && !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL_DEFAULT)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1))) {
        *c = (DataCompressor){.context = context};
        return c;
    }
    ZSTD_freeCCtx(context);
    free(c);
    return NULL;
}

const uint8_t *data_compress(DataCompressor *c, const uint8_t *block, size_t n, size_t *size) {
    const size_t bound = ZSTD_compressBound(n);
    if (bound > c->capacity) {
        uint8_t *larger = realloc(c->frame, bound);
        if (!larger) return NULL;
        c->frame = larger;
        c->capacity = bound;
    }
    *size = ZSTD_compress2(c->context, c->frame, c->capacity, block, n);
    return ZSTD_isError(*size) ? NULL : c->frame;
}

void data_compressor_free(DataCompressor *c) {
    if (!c) return;
    ZSTD_freeCCtx(c->context);
    free(c->frame);
    free(c);
}
