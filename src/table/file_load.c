/* SPDX-License-Identifier: MIT */
/*
 * Loading, in two passes over the file.
 *
 *     1  the header; every block's place and size; then, in parallel, every block's checksum and counts.
 *        The table has not been touched until all of it is known to be good.
 *     2  in parallel, each thread a part of the table's buckets, from the blocks that have slots for them: no two
 *        threads write the same bucket, so that nothing is lost between them.
 *
 * The file is read into buffers, never mapped: one that shrinks meanwhile is an error, not a signal. Blocks are checked
 * again as they are read the second time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h> /* close */

#include "base/checksum.h"
#include "base/error.h"
#include "table/file_format.h"
#include "table/file_io.h"
#include "table/work.h"

/* Where a block lies, and how many slots it has. */
typedef struct {
    uint64_t at, used;
} BlockLocation;

typedef struct {
    WorkRun work; /* first: a piece is given only this */
    TabiaTable *table;
    const char *path;
    int file;
    FileHeader header;
    BlockLocation *placed;  /* all blocks */
    char **buffer;          /* one for each worker, of file_block_bytes_most */
    GenerationSnapshot now; /* the table's */
} TableLoad;

/* ---- the first pass ---- */

static int read_header(TableLoad *l, uint64_t bytes, TabiaError *error) {
    const size_t have = bytes < sizeof l->header ? bytes : sizeof l->header;
    int code = tabia_file_read(l->file, l->path, &l->header, have, 0, error);
    if (!code) code = tabia_file_header_check(&l->header, have, bytes, l->table, l->path, error);
    return code;
}

static int damaged(const TableLoad *l, uint64_t number, uint64_t at, const char *what, TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_DAMAGED, "'%.200s': block %" PRIu64 " at byte %" PRIu64 " %s", l->path,
                           number, at, what);
}

/* One block's header, its numbers held against what there is. Its bytes in *bytes. */
static int place_block(TableLoad *l, uint64_t number, uint64_t at, uint64_t *checksum, uint64_t *bytes,
                       TabiaError *error) {
    BlockHeader block;
    if (l->header.bytes - at < sizeof block) return damaged(l, number, at, "goes beyond the end of the file", error);
    const int code = tabia_file_read(l->file, l->path, &block, sizeof block, at, error);
    if (code) return code;
    if (block.number != number) return damaged(l, number, at, "has another number", error);
    if (block.used > file_block_buckets(&l->header, number) * l->header.ways)
        return damaged(l, number, at, "has more slots than its buckets can hold", error);
    *bytes = file_block_bytes(&l->header, number, block.used);
    if (l->header.bytes - at < *bytes) return damaged(l, number, at, "goes beyond the end of the file", error);
    l->placed[number] = (BlockLocation){at, block.used};
    *checksum = block.checksum;
    return 0;
}

/* From block to block, through the whole file. */
static int place_blocks(TableLoad *l, uint64_t *checksums, TabiaError *error) {
    uint64_t at = sizeof l->header, used = 0, bytes = 0;
    const uint64_t blocks = file_blocks(&l->header);
    for (uint64_t i = 0; i < blocks; i++) {
        const int code = place_block(l, i, at, &checksums[i], &bytes, error);
        if (code) return code;
        at += bytes;
        used += l->placed[i].used;
    }
    if (at != l->header.bytes)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s': something follows the last block, at byte %" PRIu64, l->path, at);
    if (used != l->header.used || tabia_checksum(checksums, blocks * sizeof *checksums) != l->header.content)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s': the header and the blocks' headers were not saved together", l->path);
    return 0;
}

/* Reads a whole block and makes sure of it. */
static int read_block(const TableLoad *l, uint64_t number, char *buffer, TabiaError *error) {
    const BlockLocation *p = &l->placed[number];
    const BlockHeader *block = (const BlockHeader *)buffer;
    const uint64_t bytes = file_block_bytes(&l->header, number, p->used);
    const int code = tabia_file_read(l->file, l->path, buffer, bytes, p->at, error);
    if (code) return code;
    if (tabia_checksum(&block->number, bytes - sizeof block->checksum) != block->checksum)
        return damaged(l, number, p->at, "does not match its checksum", error);
    if (block->number != number || block->used != p->used) return damaged(l, number, p->at, "has changed", error);
    const uint64_t buckets = file_block_buckets(&l->header, number);
    const uint8_t *counts = (const uint8_t *)(block + 1);
    uint64_t used = 0, max = 0;
    for (uint64_t i = 0; p->used && i < buckets; i++) {
        used += counts[i];
        max = counts[i] > max ? counts[i] : max;
    }
    if (used != p->used || max > l->header.ways)
        return damaged(l, number, p->at, "has buckets whose slots do not add up", error);
    return 0;
}

static void check_block(WorkRun *work, uint64_t number, unsigned worker) {
    TableLoad *l = (TableLoad *)work;
    TabiaError error;
    assert(worker < l->table->options.threads);
    const int code = read_block(l, number, l->buffer[worker], &error);
    if (code) tabia_work_fail(work, number, code, &error);
    tabia_work_tick(work, worker, file_block_bytes(&l->header, number, l->placed[number].used));
}

/* ---- the second pass ---- */

/* Writes the slots of a block's buckets that may belong to one of the buckets begin .. end-1 of the table. */
static void put_block(TableLoad *l, uint64_t number, const char *buffer, BucketSpan sources, uint64_t begin,
                      uint64_t end) {
    const BlockHeader *block = (const BlockHeader *)buffer;
    const uint64_t buckets = file_block_buckets(&l->header, number), words = 1 + l->header.words;
    const uint8_t *counts = (const uint8_t *)(block + 1);
    const uint64_t *slots = (const uint64_t *)(counts + file_counts_bytes(buckets));
    const GenerationSnapshot from = {.generation = l->header.generation, .epoch = block->epoch};
    for (uint64_t i = 0; block->used && i < buckets; slots += counts[i++] * words) {
        const uint64_t bucket = number * FILE_BLOCK_BUCKETS + i;
        if (!counts[i] || bucket < sources.first || bucket > sources.last) continue;
        BucketSpan targets = tabia_move_span(bucket, l->header.buckets, l->table->buckets);
        if (targets.first < begin) targets.first = begin;
        if (targets.last >= end) targets.last = end - 1;
        for (uint64_t target = targets.first; target <= targets.last; target++)
            tabia_move_write(l->table, target, &l->now, slots, counts[i], &from);
    }
}

/* Buckets of whole segments: a segment that is stale is zeroed by one thread, before it puts anything there. */
static void part_of(const TableLoad *l, uint64_t piece, uint64_t *begin, uint64_t *end) {
    const uint64_t buckets = SEGMENT_BYTES / CACHE_LINE_BYTES, all = l->table->buckets;
    work_part(&l->work, piece, segments_of(l->table), begin, end);
    *begin *= buckets;
    *end = *end * buckets < all ? *end * buckets : all;
    assert(*begin < *end);
}

/* A part of the table, from all the blocks that have something for it. */
static void fill_part(WorkRun *work, uint64_t piece, unsigned worker) {
    TableLoad *l = (TableLoad *)work;
    uint64_t begin, end;
    part_of(l, piece, &begin, &end);
    const BucketSpan sources = {tabia_move_span(begin, l->table->buckets, l->header.buckets).first,
                                tabia_move_span(end - 1, l->table->buckets, l->header.buckets).last};
    const uint64_t last = sources.last / FILE_BLOCK_BUCKETS;
    bool on = true;
    for (uint64_t number = sources.first / FILE_BLOCK_BUCKETS; on && number <= last; number++) {
        TabiaError error;
        const int code = read_block(l, number, l->buffer[worker], &error);
        if (code)
            tabia_work_fail(work, piece, code, &error);
        else
            put_block(l, number, l->buffer[worker], sources, begin, end);
        on = tabia_work_tick(work, worker, file_block_bytes(&l->header, number, l->placed[number].used));
    }
}

/* ---- the call ---- */

static int get_buffers(TableLoad *l, uint64_t **checksums, TabiaError *error) {
    const uint64_t blocks = file_blocks(&l->header);
    const unsigned threads = l->table->options.threads;
    l->placed = malloc(blocks * sizeof *l->placed);
    *checksums = malloc(blocks * sizeof **checksums);
    l->buffer = calloc(threads, sizeof *l->buffer);
    bool all = l->placed && *checksums && l->buffer;
    for (unsigned i = 0; all && i < threads; i++) {
        l->buffer[i] = malloc(file_block_bytes_max(&l->header));
        all = l->buffer[i] != NULL;
    }
    return all ? 0 : tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to load a table with %u threads", threads);
}

static void free_buffers(TableLoad *l) {
    for (unsigned i = 0; l->buffer && i < l->table->options.threads; i++) free(l->buffer[i]);
    free(l->buffer);
    free(l->placed);
}

static int first_pass(TableLoad *l, const TabiaWatch *watch, TabiaError *error) {
    uint64_t *checksums = NULL;
    int code = get_buffers(l, &checksums, error);
    if (!code) code = place_blocks(l, checksums, error);
    free(checksums);
    if (code) return code;
    tabia_work_begin(&l->work, watch, 0, 2 * l->header.bytes);
    l->work.piece = check_block;
    l->work.pieces = file_blocks(&l->header);
    code = tabia_work_ask(&l->work, error);
    return code ? code : tabia_work_run(&l->work, l->table->options.threads, error);
}

/* Few parts, because a block at the border of two is read for both. */
static int second_pass(TableLoad *l, const TabiaWatch *watch, TabiaError *error) {
    enum { BLOCKS_A_PART = 16 };
    tabia_work_begin(&l->work, watch, l->header.bytes, 2 * l->header.bytes);
    int code = tabia_work_ask(&l->work, error);
    if (code) return code;
    l->now = tabia_move_snapshot(l->table);
    const uint64_t parts = 1 + file_blocks(&l->header) / BLOCKS_A_PART;
    l->work.piece = fill_part;
    l->work.pieces = parts < segments_of(l->table) ? parts : segments_of(l->table);
    TabiaError line;
    code = tabia_work_run(&l->work, l->table->options.threads, &line);
    return code ? tabia_error_set(error, code, "%.340s; a part of the file is in the table", line.text) : 0;
}

int tabia_table_load(TabiaTable *t, const char *path, const TabiaWatch *watch, TabiaError *error) {
    if (!t || !path)
        return tabia_error_set(error, TABIA_ERROR_OPTION, "no %s: NULL was given",
                               t ? "file to load" : "table to load into");
    if (t->partition)
        return tabia_error_set(error, TABIA_ERROR_OPTION,
                               "a whole of %u partitions cannot be loaded: load each partition", t->options.partitions);
    TableLoad l = {.table = t, .path = path};
    uint64_t bytes;
    int code = tabia_file_open(path, &l.file, &bytes, error);
    if (code) return code;
    code = read_header(&l, bytes, error);
    if (!code) code = first_pass(&l, watch, error);
    if (!code) code = second_pass(&l, watch, error);
    free_buffers(&l);
    close(l.file);
    return code;
}
