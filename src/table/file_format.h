/* SPDX-License-Identifier: MIT */
/*
 * The file of a saved table, version 1.
 *
 *     | header 120 bytes | block 0 | block 1 | ... | block N-1 |        nothing after the last
 *
 *     block   | checksum | number | used | epoch | counts | slots |
 *               8          8        8      8     below    used * 8 * (1 + words)
 *
 * All numbers are of 64 bits, in the order of the machine that wrote the file, but for `order` and `version`, which
 * have 32. A machine of the other order reads `order` backwards, and says so.
 *
 * Blocks. Block i tells of buckets 4096 i to 4096 i + 4095 (the last block: to the last bucket), so there are
 * N = buckets / 4096 of them, rounded up, each of which is there even if it has nothing to tell. `counts` is one byte a
 * bucket, 0 to `ways`: how many slots of it follow; zeros bring it to a multiple of 8 bytes; `used` is their sum. A
 * block with used = 0 ends after `epoch`. Slots follow in the order of their buckets, packed as in table/move.h: the
 * identity (signature, and of entries the path and the extra bits: entry_inline.h), which is XORed with the block's `epoch`, and the data words as they are
 * in the table.
 *
 * Time. `generation` is the table's when the save ended. The generation field of entries is meant modulo 63 against
 * that; no entry is older than `oldest` generations, 0 to 62.
 *
 * Checksums. A block's covers all that follows it in the block; the header's covers all before it in the header; the
 * header's `content` is that of all blocks' checksums, in order: a block cannot be lost, doubled, moved, or come from
 * another file. `bytes` is the length of the whole file: a file that was cut off, or grew, shows at once. The header is
 * written last, over zeros.
 */
#pragma once
#include "table/move.h"

enum { FILE_VERSION = 1, FILE_ORDER = 0x01020304, FILE_BLOCK_BUCKETS = 4096 };
#define FILE_MAGIC "TabiaTT\n"

typedef struct {
    char magic[8];
    uint32_t order, version;
    uint64_t type, words;
    uint64_t layout; /* of entries: path bits | user bits << 8 | bits of a move above 16 << 16; else 0 */
    uint64_t signature_bits;
    uint64_t ways, buckets, identity;
    uint64_t generation, oldest;
    uint64_t used;     /* slots in all blocks */
    uint64_t content;  /* checksum of the blocks' checksums */
    uint64_t bytes;    /* of the file */
    uint64_t checksum; /* of all before it */
} FileHeader;
_Static_assert(sizeof(FileHeader) == 120, "a header without holes");

typedef struct {
    uint64_t checksum, number, used, epoch;
} BlockHeader;
_Static_assert(sizeof(BlockHeader) == 32, "a block's header without holes");

/* What does not depend on the content; the rest 0. */
FileHeader tabia_file_header(const TabiaTable *t);

/* The checksum that belongs into it. */
uint64_t tabia_file_header_checksum(const FileHeader *h);

/* Is this the header of a file of `bytes` bytes that table t can load? 0, or TABIA_ERROR_FOREIGN or _DAMAGED with a
   line that names the file. have: how many bytes of the header there are; what is missing is 0. */
int tabia_file_header_check(const FileHeader *h, size_t have, uint64_t bytes, const TabiaTable *t, const char *path,
                            TabiaError *error);

INLINE uint64_t file_blocks(const FileHeader *h) {
    return h->buckets / FILE_BLOCK_BUCKETS + (h->buckets % FILE_BLOCK_BUCKETS != 0);
}

/* Buckets in block number `block`. */
INLINE uint64_t file_block_buckets(const FileHeader *h, uint64_t block) {
    assert(block < file_blocks(h));
    const uint64_t left = h->buckets - block * FILE_BLOCK_BUCKETS;
    return left < FILE_BLOCK_BUCKETS ? left : FILE_BLOCK_BUCKETS;
}

/* Bytes of `counts` with its zeros, in a block of that many buckets. */
INLINE uint64_t file_counts_bytes(uint64_t buckets) {
    return (buckets + 7) / 8 * 8;
}

/* Bytes of a whole block with that many slots in use. */
INLINE uint64_t file_block_bytes(const FileHeader *h, uint64_t block, uint64_t used) {
    assert(used <= file_block_buckets(h, block) * h->ways);
    const uint64_t counts = used ? file_counts_bytes(file_block_buckets(h, block)) : 0;
    return sizeof(BlockHeader) + counts + used * 8 * (1 + h->words);
}

/* The most that any block can have. */
INLINE uint64_t file_block_bytes_max(const FileHeader *h) {
    return sizeof(BlockHeader) + FILE_BLOCK_BUCKETS + FILE_BLOCK_BUCKETS * h->ways * 8 * (1 + h->words);
}
