/* SPDX-License-Identifier: MIT */
/*
 * A block is encoded in memory and written by one call. For a growing file the order is: block, sync, the line of its
 * checksum, sync; so no line describes bytes that are not on the disk, and what was reported is there. After a failure the
 * file is truncated to its last complete block.
 */
#include "data/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/system.h"

typedef enum { WRITE_ATOMIC, WRITE_GROWING, WRITE_STREAM } WriterMode;

struct DataWriter {
    DataEncoder encoder;
    WriterMode mode;
    int fd, checksums_fd; /* descriptors; checksums_fd may be -1 */
    char path[DATA_PATH_MAX], checksums_path[DATA_PATH_MAX];
    FilePart part, checksums_part; /* of an atomic file until it is complete */
    DataWriteStats stats;          /* of the blocks written so far */
    uint64_t checksum_file_bytes;
    bool failed;
};

/* Blocks of an atomic file end with a game, but a game of more bytes is split. */
enum { BLOCK_BYTES_MAX = 64 << 20 };

/* ---- creating ---- */

static void destroy(DataWriter *w) {
    if (w->mode == WRITE_GROWING && w->fd >= 0) close(w->fd);
    if (w->mode == WRITE_GROWING && w->checksums_fd >= 0) close(w->checksums_fd);
    tabia_part_close(&w->part);
    tabia_part_close(&w->checksums_part);
    data_encoder_free(&w->encoder);
    tabia_aligned_free(w);
}

static DataWriter *destroy_null(DataWriter *w) {
    destroy(w);
    return NULL;
}

static DataWriter *create(const char *path, const DataFormat *format, WriterMode mode, TabiaError *error) {
    if (!tabia_is_replaceable(path)) return tabia_fail(error, "%.300s: exists, and is not a regular file", path), NULL;
    DataWriter *w = tabia_aligned_get(_Alignof(DataWriter), sizeof *w);
    if (!w) return tabia_fail(error, "%s: no memory to write it", path), NULL;
    memset(w, 0, sizeof *w);
    w->mode = mode;
    w->fd = w->checksums_fd = w->part.file = w->checksums_part.file = -1;
    data_encoder_init(&w->encoder, format);
    if (!data_checksums_path(path, w->checksums_path, error)) return destroy_null(w);
    strcpy(w->path, path);
    return w;
}

static bool open_output(int *file, const char *path, TabiaError *error) {
    *file = tabia_file_open_write(path);
    return *file >= 0 || tabia_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}

DataWriter *data_writer_create_atomic(const char *path, const DataFormat *format, bool with_checksums,
                                      TabiaError *error) {
    const bool is_standard = !strcmp(path, "-");
    DataWriter *w = create(path, format, is_standard ? WRITE_STREAM : WRITE_ATOMIC, error);
    if (!w) return NULL;
    if (is_standard) return w->fd = STDOUT_FILENO, w;
    if (!tabia_part_open(&w->part, w->path, error)) return destroy_null(w);
    w->fd = w->part.file;
    if (!with_checksums) return w;
    if (!tabia_part_open(&w->checksums_part, w->checksums_path, error)) return destroy_null(w);
    w->checksums_fd = w->checksums_part.file;
    return data_checksums_begin(w->checksums_fd, format, &w->checksum_file_bytes, error) ? w : destroy_null(w);
}

/* Opens the data file and the checksum file of a growing file at their ends, locked against a second writer. */
static bool open_and_lock(DataWriter *w, TabiaError *error) {
    if (!open_output(&w->fd, w->path, error) || !open_output(&w->checksums_fd, w->checksums_path, error)) return false;
    return tabia_file_lock(w->fd, false) || tabia_fail(error, "%s: another process is writing it", w->path);
}

/* Truncates both files to the blocks in w->stats: the lines first, which are of bytes that are there as long as they are. */
static bool truncate_to_prefix(DataWriter *w, TabiaError *error) {
    assert(w->mode == WRITE_GROWING);
    return (tabia_file_truncate(w->checksums_fd, w->checksum_file_bytes) && tabia_file_sync(w->checksums_fd) &&
            tabia_file_truncate(w->fd, w->stats.bytes)) ||
           tabia_fail(error, "%s: cannot be truncated to its valid prefix: %s", w->path, strerror(errno));
}

/* Begins both files anew. */
static DataWriter *begin_growing(const char *path, const DataFormat *format, TabiaError *error) {
    DataWriter *w = create(path, format, WRITE_GROWING, error);
    if (!w) return NULL;
    if (!open_and_lock(w, error) || !truncate_to_prefix(w, error) ||
        !data_checksums_begin(w->checksums_fd, format, &w->checksum_file_bytes, error))
        return destroy_null(w);
    if (tabia_file_sync(w->checksums_fd) && tabia_folder_sync(path)) return w;
    return tabia_fail(error, "%s: cannot be written: %s", path, strerror(errno)), destroy_null(w);
}

DataWriter *data_writer_create_growing(const char *path, const DataFormat *format, TabiaError *error) {
    struct stat status;
    if (!stat(path, &status) && S_ISREG(status.st_mode) && status.st_size)
        return tabia_fail(error, "%s: exists already, and would be overwritten", path), NULL;
    return begin_growing(path, format, error);
}

/* The blocks that a writer keeps: all that are valid, unless something is damaged, or those before a block. */
static bool find_prefix(const DataWriter *w, uint64_t from_block, DataPrefix *prefix, TabiaError *error) {
    TabiaError cause;
    if (!data_checksums_prefix(w->path, w->encoder.format, from_block - 1, prefix, &cause, error)) return false;
    if (from_block)
        return prefix->blocks == from_block - 1 ||
               tabia_fail(error, "%.120s: %.200s", w->path, *cause.text ? cause.text : "it has fewer blocks");
    if (prefix->blocks && !prefix->resume_point)
        return tabia_fail(error, "%.200s: has no point to resume at; --restart starts again", w->path);
    return !prefix->damaged ||
           tabia_fail(error, "%.120s: %.150s; --from-block %ju rewrites from there, --restart from the beginning",
                      w->path, cause.text, (uintmax_t)prefix->blocks + 1);
}

DataWriter *data_writer_resume(const char *path, const DataFormat *format, uint64_t from_block, DataPrefix *prefix,
                               TabiaError *error) {
    struct stat status;
    *prefix = (DataPrefix){0};
    if (from_block == 1 || stat(path, &status) || !status.st_size) return begin_growing(path, format, error);
    DataWriter *w = create(path, format, WRITE_GROWING, error);
    if (!w) return NULL;
    if (access(w->checksums_path, R_OK))
        return tabia_fail(error, "%s: there is no %s, so its valid prefix is unknown; --restart starts again", path,
                          w->checksums_path),
               destroy_null(w);
    if (!open_and_lock(w, error) || !find_prefix(w, from_block, prefix, error)) return destroy_null(w);
    w->stats = (DataWriteStats){.records = prefix->records, .games = prefix->games, .bytes = prefix->bytes};
    w->checksum_file_bytes = prefix->checksum_file_bytes;
    return (!from_block && prefix->complete) || truncate_to_prefix(w, error) ? w : destroy_null(w);
}

/* ---- writing ---- */

/* To standard output, which may be a pipe. */
static bool write_stream(const uint8_t *at, size_t n) {
    while (n) {
        const ssize_t done = write(STDOUT_FILENO, at, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool write_all(const DataWriter *w, const uint8_t *at, size_t n, TabiaError *error) {
    const bool good =
        w->mode == WRITE_STREAM ? write_stream(at, n) : tabia_file_write_all(w->fd, at, n, w->stats.bytes);
    return (good && (w->mode != WRITE_GROWING || tabia_file_sync(w->fd))) ||
           tabia_fail(error, "%s: cannot be written: %s", w->path, strerror(errno));
}

/* The line of a block that is written. */
static bool write_line(DataWriter *w, const DataBlock *b, TabiaError *error) {
    uint64_t end = w->checksum_file_bytes;
    if (!data_checksums_append(w->checksums_fd, b, &end, error)) return false;
    if (w->mode == WRITE_GROWING && !tabia_file_sync(w->checksums_fd))
        return tabia_fail(error, "%s: cannot be written: %s", w->checksums_path, strerror(errno));
    w->checksum_file_bytes = end;
    return true;
}

/* Writes what the encoder holds, and counts it. */
static bool write_block(DataWriter *w, uint64_t resume_point, TabiaError *error) {
    const DataEncoder *e = &w->encoder;
    if (!write_all(w, e->bytes.data, e->bytes.size, error)) return false;
    const DataBlock b = {.bytes = e->bytes.size,
                         .records = e->records,
                         .games = e->games,
                         .resume_point = resume_point,
                         .checksum = w->checksums_fd >= 0 ? tabia_checksum(e->bytes.data, e->bytes.size) : 0};
    if (w->checksums_fd >= 0 && !write_line(w, &b, error)) return false;
    w->stats.bytes += b.bytes;
    w->stats.records += b.records;
    w->stats.games += b.games;
    return true;
}

/* No more is written, and a growing file ends with its last complete block. */
static bool set_failed(DataWriter *w) {
    w->failed = true;
    if (w->mode == WRITE_GROWING) truncate_to_prefix(w, NULL);
    return false;
}

bool data_writer_flush_block(DataWriter *w, uint64_t resume_point, TabiaError *error) {
    DataEncoder *e = &w->encoder;
    if (w->failed) return tabia_fail(error, "%s: an earlier write failed", w->path);
    if (!data_encoder_finish(e, error)) return set_failed(w);
    if (!e->bytes.size) return true;
    assert(!e->in_game || !e->format->end_game);
    if (!write_block(w, resume_point, error)) return set_failed(w);
    e->bytes.size = 0;
    e->records = e->games = 0;
    return true;
}

bool data_write(DataWriter *w, const DataRecord *r, TabiaError *error) {
    if (w->failed) return tabia_fail(error, "%s: an earlier write failed", w->path);
    const uint64_t pending = w->encoder.bytes.size;
    if (UNLIKELY(w->mode != WRITE_GROWING && pending >= DATA_BLOCK_TARGET_BYTES) &&
        (pending >= BLOCK_BYTES_MAX || data_encoder_can_split(&w->encoder, r)) && !data_writer_flush_block(w, 0, error))
        return false;
    return data_encode(&w->encoder, r, error) || set_failed(w);
}

const DataFormat *data_writer_format(const DataWriter *w) {
    return w->encoder.format;
}

DataWriteStats data_writer_stats(const DataWriter *w) {
    DataWriteStats stats = w->stats;
    stats.records += w->encoder.records;
    stats.games += w->encoder.games;
    stats.bytes += w->encoder.bytes.size;
    memcpy(stats.rejected, w->encoder.rejected, sizeof stats.rejected);
    memcpy(stats.lost, w->encoder.lost, sizeof stats.lost);
    return stats;
}

uint64_t data_rejected_total(const DataWriteStats *stats) {
    uint64_t sum = 0;
    for (unsigned reason = 0; reason < DATA_REJECTIONS_N; reason++) sum += stats->rejected[reason];
    return sum;
}

/* ---- closing ---- */

static bool remove_old_checksums(const DataWriter *w) {
    if (!tabia_file_remove(w->checksums_path)) return errno == ENOENT;
    return tabia_folder_sync(w->path);
}

static bool publish(DataWriter *w, TabiaError *error) {
    const bool has_checksums = w->checksums_fd >= 0;
    const bool good = tabia_file_sync(w->fd) && (!has_checksums || tabia_file_sync(w->checksums_fd)) &&
                      remove_old_checksums(w) && tabia_part_publish(&w->part, w->path) &&
                      (!has_checksums || tabia_part_publish(&w->checksums_part, w->checksums_path));
    return good || tabia_fail(error, "%s: cannot be written: %s", w->path, strerror(errno));
}

bool data_writer_close(DataWriter *w, uint64_t resume_point, DataWriteStats *stats, TabiaError *error) {
    const bool good = data_writer_flush_block(w, resume_point, error) && (w->mode != WRITE_ATOMIC || publish(w, error));
    if (stats) *stats = data_writer_stats(w);
    destroy(w);
    return good;
}

void data_writer_abort(DataWriter *w) {
    if (w) destroy(w);
}
