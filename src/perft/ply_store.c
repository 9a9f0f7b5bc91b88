/* SPDX-License-Identifier: MIT */
#include "ply_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file_calls.h"
#include "base/memory.h"

static bool io_error(const PlyStore *s, const char *what, TabiaError *error) {
    return tabia_fail(error, "%s: cannot %s: %s", s->name, what, strerror(errno));
}

/* Of a block, behind which it stands in a file: damaged positions must not be walked. */
static uint64_t checksum_of(uint64_t block, const MergedPosition *positions, size_t n) {
    return tabia_checksum(positions, n * sizeof *positions) * (2 * block + 1);
}

static uint64_t place_of(uint64_t block) {
    return block * (PLY_BLOCK * sizeof(MergedPosition) + sizeof(uint64_t));
}

bool ply_store_begin(PlyStore *s, const char *name, TabiaError *error) {
    *s = (PlyStore){.file = -1, .part.file = -1};
    if (!name) return true;
    s->name = strdup(name);
    if (!s->name) return tabia_fail(error, "not enough memory to begin a ply");
    return tabia_part_open(&s->part, name, error);
}

bool ply_store_append(PlyStore *s, const MergedPosition *positions, size_t n, TabiaError *error) {
    const uint64_t first = s->n, block = first / PLY_BLOCK, place = place_of(block), bytes = n * sizeof *positions,
                   checksum = s->name ? checksum_of(block, positions, n) : 0;
    s->n += n;
    if (s->name)
        return (tabia_file_write_all(s->part.file, positions, bytes, place) &&
                tabia_file_write_all(s->part.file, &checksum, sizeof checksum, place + bytes)) ||
               io_error(s, "write a ply", error);
    if (s->n > s->capacity) {
        const size_t capacity = s->n + s->n / 8 + PLY_BLOCK;
        MergedPosition *larger = realloc(s->position, capacity * sizeof *larger);
        if (!larger) return tabia_fail(error, "not enough memory for a ply of %ju positions", (uintmax_t)s->n);
        s->position = larger, s->capacity = capacity;
    }
    memcpy(s->position + first, positions, n * sizeof *positions);
    return true;
}

bool ply_store_end(PlyStore *s, TabiaError *error) {
    if (!s->name) return true;
    if (!tabia_file_sync(s->part.file) || !tabia_part_publish(&s->part, s->name))
        return io_error(s, "bring a ply to the disk", error);
    tabia_part_close(&s->part);
    s->file = tabia_file_open_read(s->name);
    return s->file >= 0 || io_error(s, "read a ply", error);
}

bool ply_store_open(PlyStore *s, const char *name, uint64_t n, TabiaError *error) {
    const uint64_t blocks = (n + PLY_BLOCK - 1) / PLY_BLOCK,
                   wanted = n * sizeof(MergedPosition) + blocks * sizeof(uint64_t);
    uint64_t bytes = 0;
    *s = (PlyStore){.n = n, .name = strdup(name), .file = tabia_file_open_read(name), .part.file = -1};
    if (s->name && s->file >= 0 && tabia_file_kind(s->file, &bytes) == PATH_REGULAR && bytes == wanted) return true;
    ply_store_free(s, false);
    return tabia_fail(error, "%s: not the %ju positions that its ledger has", name, (uintmax_t)n);
}

const MergedPosition *ply_store_block(const PlyStore *s, uint64_t block, MergedPosition *buffer, size_t *n,
                                      TabiaError *error) {
    const uint64_t first = block * PLY_BLOCK;
    *n = s->n - first < PLY_BLOCK ? s->n - first : PLY_BLOCK;
    if (!s->name) return s->position + first;
    uint64_t recorded;
    const size_t bytes = *n * sizeof *buffer + sizeof recorded;
    for (size_t done = 0; done < bytes;) {
        const int64_t got = tabia_file_pread(s->file, (char *)buffer + done, bytes - done, place_of(block) + done);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) return io_error(s, "read a ply", error), NULL;
        done += (size_t)got;
    }
    memcpy(&recorded, buffer + *n, sizeof recorded);
    if (checksum_of(block, buffer, *n) != recorded)
        return tabia_fail(error, "%s: damaged; remove it, and its ledger", s->name), NULL;
    return buffer;
}

void ply_store_free(PlyStore *s, bool remove) {
    tabia_part_close(&s->part);
    if (s->file >= 0) close(s->file);
    if (s->name && remove) tabia_file_remove(s->name);
    free(s->name);
    free(s->position);
    ply_store_begin(s, NULL, NULL);
}
