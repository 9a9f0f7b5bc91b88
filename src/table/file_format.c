/* SPDX-License-Identifier: MIT */
#include "table/file_format.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/checksum.h"
#include "base/error.h"

enum { LAYOUT_USER = 8, LAYOUT_MOVE = 16, LAYOUT_BYTE = 0xff };

static uint64_t layout_of(const TabiaOptions *o) {
    const uint64_t longer = o->move_bits - TABIA_MOVE_BITS_DEFAULT;
    return o->path_bits | (uint64_t)o->user_bits << LAYOUT_USER | longer << LAYOUT_MOVE;
}

FileHeader tabia_file_header(const TabiaTable *t) {
    const TabiaOptions *o = &t->options;
    FileHeader h = {
        .order = FILE_ORDER,
        .version = FILE_VERSION,
        .type = o->type,
        .words = t->words,
        .layout = o->type == TABIA_ENTRIES ? layout_of(o) : 0,
        .signature_bits = o->signature_bits,
        .ways = t->slots,
        .buckets = t->buckets,
        .identity = o->identity,
    };
    memcpy(h.magic, FILE_MAGIC, sizeof h.magic);
    return h;
}

uint64_t tabia_file_header_checksum(const FileHeader *h) {
    return tabia_checksum(h, offsetof(FileHeader, checksum));
}

static const char *type_name(uint64_t type) {
    static const char *const name[] = {"entries", "counts", "records"};
    return type <= TABIA_RECORDS ? name[type] : "something unknown";
}

/* ---- is it one of ours at all? ---- */

static int check_kind(const FileHeader *h, size_t have, const char *path, TabiaError *error) {
    if (have == 0) return tabia_error_set(error, TABIA_ERROR_FOREIGN, "'%.200s' is empty, not a saved table", path);
    const size_t compared = have < sizeof h->magic ? have : sizeof h->magic;
    if (memcmp(h->magic, FILE_MAGIC, compared) != 0)
        return tabia_error_set(error, TABIA_ERROR_FOREIGN, "'%.200s' is not a saved table", path);
    if (have < sizeof *h)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s' ends after %" PRIu64 " bytes, within the header of a saved table", path,
                               (uint64_t)have);
    if (h->order == __builtin_bswap32(FILE_ORDER))
        return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                               "'%.200s' was saved on a machine of the other byte order and can only be loaded on such",
                               path);
    if (h->order == FILE_ORDER && h->version != FILE_VERSION)
        return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                               "'%.200s' is a saved table of version %" PRIu32 "; this library reads version %d", path,
                               h->version, FILE_VERSION);
    if (h->order != FILE_ORDER || tabia_file_header_checksum(h) != h->checksum)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED, "'%.200s': the header (byte 0) does not match its checksum",
                               path);
    return 0;
}

/* ---- is it of this table's shape? ---- */

static int check_shape(const FileHeader *h, const TabiaTable *t, const char *path, TabiaError *error) {
    const FileHeader own = tabia_file_header(t);
    if (h->type != own.type)
        return tabia_error_set(error, TABIA_ERROR_FOREIGN, "'%.200s' holds %s, this table %s", path, type_name(h->type),
                               type_name(own.type));
    const struct {
        const char *name;
        uint64_t file, table;
    } pair[] = {
        {"words a slot", h->words, own.words},
        {"path bits", h->layout & LAYOUT_BYTE, own.layout & LAYOUT_BYTE},
        {"user bits", h->layout >> LAYOUT_USER & LAYOUT_BYTE, own.layout >> LAYOUT_USER & LAYOUT_BYTE},
        {"bits of a move above 16", h->layout >> LAYOUT_MOVE, own.layout >> LAYOUT_MOVE},
        {"signature bits", h->signature_bits, own.signature_bits},
    };
    for (unsigned i = 0; i < sizeof pair / sizeof pair[0]; i++)
        if (pair[i].file != pair[i].table)
            return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                                   "'%.200s' was saved with %" PRIu64 " %s, this table has %" PRIu64, path,
                                   pair[i].file, pair[i].name, pair[i].table);
    if (h->identity != own.identity)
        return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                               "'%.200s' has the identity 0x%016" PRIx64 ", this table 0x%016" PRIx64
                               ": its keys or its data mean something else",
                               path, h->identity, own.identity);
    return 0;
}

/* ---- can it be what it says? The checksum was right, but whoever wrote it may not have been ---- */

static int check_bounds(const FileHeader *h, uint64_t bytes, const char *path, TabiaError *error) {
    const uint64_t buckets_max = (uint64_t)1 << 58;
    if (h->bytes != bytes)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s' has %" PRIu64 " bytes, but was saved with %" PRIu64 "%s", path, bytes,
                               h->bytes, bytes < h->bytes ? ": it is cut off" : "");
    const bool ways_good = h->ways >= 1 && h->ways <= CACHE_LINE_WORDS / (1 + h->words);
    const bool buckets_good =
        h->buckets >= 1 && h->buckets <= buckets_max && file_blocks(h) <= (bytes - sizeof *h) / sizeof(BlockHeader);
    if (h->generation >> GENERATION_BITS)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s': the header speaks of generation %" PRIu64 ": no table can have come so far",
                               path, h->generation);
    if (!ways_good || !buckets_good || h->oldest >= GENERATIONS)
        return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                               "'%.200s': the header speaks of %" PRIu64 " buckets of %" PRIu64
                               " slots, ages up to %" PRIu64 ": no table can have been saved so in %" PRIu64 " bytes",
                               path, h->buckets, h->ways, h->oldest, bytes);
    return 0;
}

int tabia_file_header_check(const FileHeader *h, size_t have, uint64_t bytes, const TabiaTable *t, const char *path,
                            TabiaError *error) {
    int code = check_kind(h, have, path, error);
    if (!code) code = check_shape(h, t, path, error);
    if (!code) code = check_bounds(h, bytes, path, error);
    return code;
}
