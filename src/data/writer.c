/* SPDX-License-Identifier: MIT */
/*
 * A block is encoded in memory and written by one call. For a growing file the order is: block, fdatasync, then the line
 * of its checksum; so no line describes bytes that are not on the disk. After a failure the file is truncated to its
 * last complete block.
 */
#include "data/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/checksum.h"

typedef enum { WRITE_ATOMIC, WRITE_GROWING, WRITE_STREAM } WriterMode;

struct DataWriter {
    DataEncoder encoder;
    WriterMode mode;
    int fd, checksums_fd; /* descriptors; checksums_fd may be -1 */
    char path[DATA_PATH_MAX], checksums_path[DATA_PATH_MAX];
    char temp_path[DATA_PATH_MAX], checksums_temp_path[DATA_PATH_MAX]; /* of an atomic file until it is complete */
    DataWriteStats stats;                                              /* of the blocks written so far */
    uint64_t checksum_file_bytes;
    bool failed;
};

/* Blocks of an atomic file end with a game, but a game of more bytes is split. */
enum { BLOCK_BYTES_MAX = 64 << 20 };

/* ---- creating ---- */

static void destroy(DataWriter *w) {
    if (w->fd > STDOUT_FILENO) close(w->fd);
    if (w->checksums_fd >= 0) close(w->checksums_fd);
    data_encoder_free(&w->encoder);
    free(w);
}

static DataWriter *destroy_null(DataWriter *w) {
    destroy(w);
    return NULL;
}

static DataWriter *create(const char *path, const DataFormat *format, WriterMode mode, TabiaError *error) {
    if (!tabia_is_replaceable(path)) return tabia_fail(error, "%.300s: exists, and is no regular file", path), NULL;
    DataWriter *w = aligned_alloc(_Alignof(DataWriter), sizeof *w);
    if (!w) return tabia_fail(error, "%s: no memory to write it", path), NULL;
    memset(w, 0, sizeof *w);
    w->mode = mode;
    w->fd = w->checksums_fd = -1;
    data_encoder_init(&w->encoder, format);
    const int n = snprintf(w->path, sizeof w->path, "%s", path);
    const int m = snprintf(w->temp_path, sizeof w->temp_path, "%s.%ld.part", path, (long)getpid());
    const int k =
        snprintf(w->checksums_temp_path, sizeof w->checksums_temp_path, "%s.sums.%ld.part", path, (long)getpid());
    if (n < DATA_PATH_MAX && m < DATA_PATH_MAX && k < DATA_PATH_MAX &&
        data_checksums_path(path, w->checksums_path, error))
        return w;
    tabia_fail(error, "%.300s: the name is too long", path);
    return destroy_null(w);
}

/* name: the one that the user knows. */
static bool open_output(int *file, const char *path, const char *name, int flags, TabiaError *error) {
    *file = open(path, flags | O_CLOEXEC, 0666);
    return *file >= 0 || tabia_fail(error, "%s: cannot be written: %s", name, strerror(errno));
}

/* Devices and folders are neither written to nor replaced by a file. */
static bool is_regular_or_none(const char *path, TabiaError *error) {
    struct stat status;
    return stat(path, &status) || S_ISREG(status.st_mode) ||
           tabia_fail(error, "%s: exists and is no regular file", path);
}

DataWriter *data_writer_create_atomic(const char *path, const DataFormat *format, bool with_checksums,
                                      TabiaError *error) {
    const bool is_standard = !strcmp(path, "-");
    DataWriter *w = create(path, format, is_standard ? WRITE_STREAM : WRITE_ATOMIC, error);
    if (!w) return NULL;
    if (is_standard) return w->fd = STDOUT_FILENO, w;
    if (!is_regular_or_none(path, error)) return destroy_null(w);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (!open_output(&w->fd, w->temp_path, w->path, flags, error)) return destroy_null(w);
    if (with_checksums && !(open_output(&w->checksums_fd, w->checksums_temp_path, w->checksums_path, flags, error) &&
                            data_checksums_begin(w->checksums_fd, format, error))) {
        data_writer_abort(w);
        return NULL;
    }
    return w;
}

/* Opens the data file and the checksum file of a growing file at their ends, locked against a second writer. */
static bool open_and_lock(DataWriter *w, TabiaError *error) {
    const int flags = O_WRONLY | O_CREAT | O_APPEND;
    if (!open_output(&w->fd, w->path, w->path, flags, error) ||
        !open_output(&w->checksums_fd, w->checksums_path, w->checksums_path, flags, error))
        return false;
    return flock(w->fd, LOCK_EX | LOCK_NB) == 0 || tabia_fail(error, "%s: another process is writing it", w->path);
}

/* Truncates both files to the blocks in w->stats. */
static bool truncate_to_prefix(DataWriter *w, TabiaError *error) {
    assert(w->mode == WRITE_GROWING);
    return (ftruncate(w->fd, (off_t)w->stats.bytes) == 0 &&
            ftruncate(w->checksums_fd, (off_t)w->checksum_file_bytes) == 0) ||
           tabia_fail(error, "%s: cannot be truncated to its valid prefix: %s", w->path, strerror(errno));
}

static bool begin_checksums(DataWriter *w, TabiaError *error) {
    w->checksum_file_bytes = 0;
    if (!truncate_to_prefix(w, error) || !data_checksums_begin(w->checksums_fd, w->encoder.format, error)) return false;
    w->checksum_file_bytes = (uint64_t)lseek(w->checksums_fd, 0, SEEK_END);
    return true;
}

DataWriter *data_writer_create_growing(const char *path, const DataFormat *format, TabiaError *error) {
    struct stat status;
    if (!is_regular_or_none(path, error)) return NULL;
    if (!stat(path, &status) && status.st_size)
        return tabia_fail(error, "%s: exists already, and would be overwritten", path), NULL;
    DataWriter *w = create(path, format, WRITE_GROWING, error);
    if (!w) return NULL;
    return open_and_lock(w, error) && begin_checksums(w, error) ? w : destroy_null(w);
}

DataWriter *data_writer_resume(const char *path, const DataFormat *format, DataPrefix *prefix, TabiaError *error) {
    struct stat status;
    TabiaError cause;
    *prefix = (DataPrefix){0};
    if (stat(path, &status) || !status.st_size) return data_writer_create_growing(path, format, error);
    DataWriter *w = create(path, format, WRITE_GROWING, error);
    if (!w) return NULL;
    if (access(w->checksums_path, R_OK))
        return tabia_fail(error, "%s: there is no %s, so its valid prefix is unknown", path, w->checksums_path),
               destroy_null(w);
    if (!open_and_lock(w, error) || !data_checksums_prefix(path, format, prefix, &cause, error)) return destroy_null(w);
    w->stats = (DataWriteStats){.records = prefix->records, .games = prefix->games, .bytes = prefix->bytes};
    w->checksum_file_bytes = prefix->checksum_file_bytes;
    return truncate_to_prefix(w, error) ? w : destroy_null(w);
}

/* ---- writing ---- */

static bool write_all(DataWriter *w, const uint8_t *at, size_t n, TabiaError *error) {
    while (n) {
        const ssize_t done = write(w->fd, at, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return tabia_fail(error, "%s: cannot be written: %s", w->path, strerror(errno));
        at += done;
        n -= (size_t)done;
    }
    return w->mode != WRITE_GROWING || fdatasync(w->fd) == 0 ||
           tabia_fail(error, "%s: cannot be written: %s", w->path, strerror(errno));
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
    if (w->checksums_fd >= 0 && !data_checksums_append(w->checksums_fd, &b, error)) return false;
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
    if (w->mode == WRITE_GROWING) w->checksum_file_bytes = (uint64_t)lseek(w->checksums_fd, 0, SEEK_END);
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

/* The checksums of what was there go first: a crash leaves data without checksums, never with those of other data. */
static bool publish(DataWriter *w, TabiaError *error) {
    const bool good = fdatasync(w->fd) == 0 && (unlink(w->checksums_path) == 0 || errno == ENOENT) &&
                      rename(w->temp_path, w->path) == 0 &&
                      (w->checksums_fd < 0 || rename(w->checksums_temp_path, w->checksums_path) == 0);
    return good || tabia_fail(error, "%s: cannot be written: %s", w->path, strerror(errno));
}

bool data_writer_close(DataWriter *w, uint64_t resume_point, DataWriteStats *stats, TabiaError *error) {
    const bool good = data_writer_flush_block(w, resume_point, error) && (w->mode != WRITE_ATOMIC || publish(w, error));
    if (stats) *stats = data_writer_stats(w);
    if (good)
        destroy(w);
    else
        data_writer_abort(w);
    return good;
}

void data_writer_abort(DataWriter *w) {
    if (!w) return;
    if (w->mode == WRITE_ATOMIC) {
        unlink(w->temp_path);
        unlink(w->checksums_temp_path);
    }
    destroy(w);
}
