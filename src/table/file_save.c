/* SPDX-License-Identifier: MIT */
/*
 * Saving: each thread packs a block of its own while others write theirs.
 *
 *     pack block i   ->  wait for the turn of i: its place is where block i-1 ends  ->  write it there
 *
 * Packing and writing go on in parallel, only the places are given one after the other, so that the file is the same
 * whatever the number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/error.h"
#include "table/file_format.h"
#include "table/file_io.h"
#include "table/work.h"

typedef struct {
    WorkRun work; /* first: a piece is given only this */
    const TabiaTable *table;
    FileOut out;
    FileHeader header;
    char **buffer;       /* one for each worker, of file_block_bytes_most */
    uint64_t *checksums; /* of the blocks */

    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t changed;
    uint64_t turn, place, used;
    uint64_t earliest; /* the generation that the oldest entry was stored in */
} TableSave;

/* The generation of the oldest entry of a packed block. */
static uint64_t earliest_of(const uint64_t *slots, uint64_t used, uint64_t generation) {
    unsigned oldest = 0;
    for (uint64_t i = 0; i < used; i++) {
        const unsigned age = entry_age(slots[2 * i + 1], generation_field(generation));
        oldest = age > oldest ? age : oldest;
    }
    return generation - oldest;
}

/* Packs a block into the buffer. Its bytes. */
static uint64_t pack(const TableSave *s, uint64_t number, char *buffer, uint64_t *earliest) {
    BlockHeader *block = (BlockHeader *)buffer;
    const uint64_t buckets = file_block_buckets(&s->header, number);
    uint8_t *counts = (uint8_t *)(block + 1);
    const size_t counts_bytes = file_counts_bytes(buckets);
    uint64_t *slots = (uint64_t *)(counts + counts_bytes);
    const GenerationSnapshot now = tabia_move_snapshot(s->table);
    *block = (BlockHeader){.number = number, .epoch = now.epoch};
    memset(counts, 0, counts_bytes);
    for (uint64_t i = 0; i < buckets; i++) {
        counts[i] = (uint8_t)tabia_move_read(s->table, number * FILE_BLOCK_BUCKETS + i, &now,
                                             slots + block->used * (1 + s->header.words));
        block->used += counts[i];
    }
    /* Seen from now: an entry that was stored in a generation begun meanwhile is not an old one. */
    *earliest = generation_now(s->table);
    if (s->header.type == TABIA_ENTRIES) *earliest = earliest_of(slots, block->used, *earliest);
    const uint64_t bytes = file_block_bytes(&s->header, number, block->used);
    block->checksum = tabia_checksum(&block->number, bytes - sizeof block->checksum);
    return bytes;
}

/* Waits until all blocks before this one have their place, and takes the next. Pieces are taken in order and none is
   left undone, so the wait ends. */
static uint64_t take_place(TableSave *s, uint64_t number, uint64_t bytes, uint64_t used, uint64_t earliest) {
    pthread_mutex_lock(&s->lock);
    while (s->turn != number) pthread_cond_wait(&s->changed, &s->lock);
    const uint64_t place = s->place;
    assert(place >= sizeof s->header && bytes >= sizeof(BlockHeader));
    s->turn++;
    s->place += bytes;
    s->used += used;
    const uint64_t now = generation_now(s->table);
    if (now - earliest > now - s->earliest) s->earliest = earliest;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return place;
}

static void save_block(WorkRun *work, uint64_t number, unsigned worker) {
    TableSave *s = (TableSave *)work;
    const BlockHeader *block = (const BlockHeader *)s->buffer[worker];
    uint64_t earliest;
    const uint64_t bytes = pack(s, number, s->buffer[worker], &earliest);
    s->checksums[number] = block->checksum;
    const uint64_t place = take_place(s, number, bytes, block->used, earliest);
    TabiaError error;
    const int code = tabia_file_write(&s->out, block, bytes, place, &error);
    if (code) tabia_work_fail(work, number, code, &error);
    tabia_work_tick(work, worker, file_block_buckets(&s->header, number) * CACHE_LINE_BYTES);
}

static int get_buffers(TableSave *s, unsigned threads, TabiaError *error) {
    s->checksums = malloc(file_blocks(&s->header) * sizeof *s->checksums);
    s->buffer = calloc(threads, sizeof *s->buffer);
    bool all = s->checksums && s->buffer;
    for (unsigned i = 0; all && i < threads; i++) {
        s->buffer[i] = malloc(file_block_bytes_max(&s->header));
        all = s->buffer[i] != NULL;
    }
    return all ? 0 : tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to save a table with %u threads", threads);
}

static void free_buffers(TableSave *s, unsigned threads) {
    for (unsigned i = 0; s->buffer && i < threads; i++) free(s->buffer[i]);
    free(s->buffer);
    free(s->checksums);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
}

/* The header, now that all is known. */
static int write_header(TableSave *s, TabiaError *error) {
    FileHeader *h = &s->header;
    h->generation = generation_now(s->table);
    h->oldest = h->generation - s->earliest;
    if (h->oldest >= GENERATIONS) h->oldest = GENERATIONS - 1;
    if (h->type != TABIA_ENTRIES) h->oldest = 0;
    assert(s->turn == file_blocks(h));
    h->used = s->used;
    h->bytes = s->place;
    h->content = tabia_checksum(s->checksums, file_blocks(h) * sizeof *s->checksums);
    h->checksum = tabia_file_header_checksum(h);
    return tabia_file_write(&s->out, h, sizeof *h, 0, error);
}

/* The watch is asked at the beginning, and once more when all is written, before the file takes its name. */
static int write_all(TableSave *s, unsigned threads, TabiaError *error) {
    int code = tabia_work_ask(&s->work, error);
    if (!code) code = tabia_work_run(&s->work, threads, error);
    if (!code) code = write_header(s, error);
    return code ? code : tabia_work_ask(&s->work, error);
}

int tabia_table_save(const TabiaTable *t, const char *path, const TabiaWatch *watch, TabiaError *error) {
    if (!t || !path)
        return tabia_error_set(error, TABIA_ERROR_OPTION, "no %s to save: NULL was given", t ? "file" : "table");
    if (t->partition)
        return tabia_error_set(error, TABIA_ERROR_OPTION,
                               "a whole of %u partitions cannot be saved: save each partition", t->options.partitions);
    unsigned threads = t->options.threads;
    TableSave s = {.table = t, .header = tabia_file_header(t), .place = sizeof(FileHeader)};
    s.earliest = generation_now(t);
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    tabia_work_begin(&s.work, watch, 0, table_bytes(t));
    s.work.piece = save_block;
    s.work.pieces = file_blocks(&s.header);
    if (threads > s.work.pieces) threads = (unsigned)s.work.pieces;
    int code = get_buffers(&s, threads, error);
    const bool begun = !code && (code = tabia_file_begin(&s.out, path, FILE_MAGIC, error)) == 0;
    if (!code) code = write_all(&s, threads, error);
    if (!code)
        code = tabia_file_finish(&s.out, error);
    else if (begun)
        tabia_file_abandon(&s.out);
    free_buffers(&s, threads);
    return code;
}
