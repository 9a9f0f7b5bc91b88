/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any bytes that are loaded as a table: no crash, and a table that is changed only by a file that
 * was accepted. The files are in memory and never touch a disk.
 */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "table/file_format.h"
#include "table/table_internal.h"

/* A file in memory, and the name it can be opened by. */
typedef struct {
    int file;
    char path[64];
} MemoryFile;

static inline MemoryFile memory_file(void) {
    MemoryFile m = {.file = memfd_create("table", 0)};
    if (m.file < 0) abort();
    snprintf(m.path, sizeof m.path, "/proc/self/fd/%d", m.file);
    return m;
}

/* Makes every checksum right, as far as the numbers lead through the bytes: what a file would be that was made to
   deceive. */
static inline void sign_file(uint8_t *data, size_t bytes, bool own_length) {
    FileHeader h;
    if (bytes < sizeof h) return;
    memcpy(&h, data, sizeof h);
    const uint64_t blocks = file_blocks(&h), max = bytes / sizeof(BlockHeader) + 1;
    uint64_t *checksums = calloc(max, sizeof *checksums);
    uint64_t at = sizeof h;
    for (uint64_t i = 0; i < blocks && i < max && bytes - at >= sizeof(BlockHeader); i++) {
        BlockHeader block;
        memcpy(&block, data + at, sizeof block);
        if (block.used > file_block_buckets(&h, i) * h.ways) break; /* refused before its length is asked for */
        const uint64_t left = bytes - at, length = file_block_bytes(&h, i, block.used);
        if (block.used > left || length > left || length < sizeof block) break;
        block.checksum = tabia_checksum(data + at + 8, length - 8);
        memcpy(data + at, &block, sizeof block);
        checksums[i] = block.checksum;
        at += length;
    }
    if (own_length) h.bytes = bytes;
    if (blocks <= max) h.content = tabia_checksum(checksums, blocks * sizeof *checksums);
    h.checksum = tabia_file_header_checksum(&h);
    memcpy(data, &h, sizeof h);
    free(checksums);
}

/* Loads the bytes into a table, whose memory is left as it was found. True: the file was accepted. */
static inline bool check_load(TabiaTable *t, MemoryFile m, const uint8_t *data, size_t bytes) {
    const size_t size = table_bytes(t);
    const GenerationState clock = *t->generations;
    char *before = malloc(size);
    memcpy(before, t->base, size);
    if (ftruncate(m.file, 0) || pwrite(m.file, data, bytes, 0) != (ssize_t)bytes) abort();
    TabiaError error = {0};
    const int code = tabia_table_load(t, m.path, NULL, &error);
    const bool same = memcmp(before, t->base, size) == 0 && memcmp(&clock, t->generations, sizeof clock) == 0;
    if (code && (!same || !error.text[0] || strchr(error.text, '\n'))) {
        printf("a file was refused (%d: %s) but the table changed, or the line is none\n", code, error.text);
        abort();
    }
    memcpy(t->base, before, size);
    *t->generations = clock;
    free(before);
    return code == 0;
}
