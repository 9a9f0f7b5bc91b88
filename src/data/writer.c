/* SPDX-License-Identifier: MIT */
/*
 * A block is encoded in memory and written at once. For a growing file the order is: block, forced to the disk, then
 * its line of checksums; so a line never speaks of bytes that are not there. What fails half way is cut off again.
 */
#include "data/writer.h"

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

typedef enum { WHOLE, GROWING, STREAM } WriterKind;

struct DataWriter {
    DataEncoder encoder;
    WriterKind kind;
    int file, sums; /* descriptors; sums may be -1 */
    char path[DATA_PATH_MAX], sums_path[DATA_PATH_MAX];
    char part[DATA_PATH_MAX], sums_part[DATA_PATH_MAX]; /* whole: names until then */
    DataWritten told;                                   /* of what is in blocks */
    uint64_t sums_bytes;
    bool failed;
};

/* Blocks of a whole file end with a game, but a game of millions of plies is cut. */
enum { BLOCK_BYTES_MOST = 64 << 20 };

/* ---- making ---- */

static DataWriter *make(const char *path, const DataFormat *format, WriterKind kind, Fault *fault) {
    if (!tabia_is_replaceable(path)) return tabia_fault(fault, "%.300s: is there, and is no file", path), NULL;
    DataWriter *w = aligned_alloc(_Alignof(DataWriter), sizeof *w);
    if (!w) return tabia_fault(fault, "%s: no memory to write it", path), NULL;
    memset(w, 0, sizeof *w);
    w->kind = kind;
    w->file = w->sums = -1;
    data_encode_begin(&w->encoder, format);
    const int n = snprintf(w->path, sizeof w->path, "%s", path);
    const int m = snprintf(w->part, sizeof w->part, "%s.%ld.part", path, (long)getpid());
    const int k = snprintf(w->sums_part, sizeof w->sums_part, "%s.sums.%ld.part", path, (long)getpid());
    if (n < DATA_PATH_MAX && m < DATA_PATH_MAX && k < DATA_PATH_MAX && data_sums_path(path, w->sums_path, fault))
        return w;
    tabia_fault(fault, "%.300s: the name is too long", path);
    free(w);
    return NULL;
}

static void let_go(DataWriter *w) {
    if (w->file > STDOUT_FILENO) close(w->file);
    if (w->sums >= 0) close(w->sums);
    data_encode_free(&w->encoder);
    free(w);
}

static DataWriter *refuse(DataWriter *w) {
    let_go(w);
    return NULL;
}

static bool open_at(int *file, const char *path, int how, Fault *fault) {
    *file = open(path, how | O_CLOEXEC, 0666);
    return *file >= 0 || tabia_fault(fault, "%s: cannot be written: %s", path, strerror(errno));
}

/* Devices and folders are never written to, nor replaced by a file. */
static bool is_regular_or_none(const char *path, Fault *fault) {
    struct stat status;
    return stat(path, &status) || S_ISREG(status.st_mode) ||
           tabia_fault(fault, "%s: exists and is no regular file", path);
}

DataWriter *data_writer_whole(const char *path, const DataFormat *format, bool with_sums, Fault *fault) {
    const bool is_standard = !strcmp(path, "-");
    DataWriter *w = make(path, format, is_standard ? STREAM : WHOLE, fault);
    if (!w) return NULL;
    if (is_standard) return w->file = STDOUT_FILENO, w;
    if (!is_regular_or_none(path, fault)) return refuse(w);
    const int how = O_WRONLY | O_CREAT | O_TRUNC;
    if (!open_at(&w->file, w->part, how, fault)) return refuse(w);
    if (with_sums && !(open_at(&w->sums, w->sums_part, how, fault) && data_sums_begin(w->sums, format, fault))) {
        data_writer_abandon(w);
        return NULL;
    }
    return w;
}

/* Opens both files of a growing one, locked against a second writer, at their ends. */
static bool open_both(DataWriter *w, Fault *fault) {
    const int how = O_WRONLY | O_CREAT | O_APPEND;
    if (!open_at(&w->file, w->path, how, fault) || !open_at(&w->sums, w->sums_path, how, fault)) return false;
    return flock(w->file, LOCK_EX | LOCK_NB) == 0 || tabia_fault(fault, "%s: another process is writing it", w->path);
}

/* Cuts both to what is valid. */
static bool cut(DataWriter *w, Fault *fault) {
    return (ftruncate(w->file, (off_t)w->told.bytes) == 0 && ftruncate(w->sums, (off_t)w->sums_bytes) == 0) ||
           tabia_fault(fault, "%s: cannot be cut to its valid part: %s", w->path, strerror(errno));
}

static bool begin_sums(DataWriter *w, Fault *fault) {
    w->sums_bytes = 0;
    if (!cut(w, fault) || !data_sums_begin(w->sums, w->encoder.format, fault)) return false;
    w->sums_bytes = (uint64_t)lseek(w->sums, 0, SEEK_END);
    return true;
}

DataWriter *data_writer_grow(const char *path, const DataFormat *format, Fault *fault) {
    struct stat status;
    if (!is_regular_or_none(path, fault)) return NULL;
    if (!stat(path, &status) && status.st_size)
        return tabia_fault(fault, "%s: exists already, and would be lost", path), NULL;
    DataWriter *w = make(path, format, GROWING, fault);
    if (!w) return NULL;
    return open_both(w, fault) && begin_sums(w, fault) ? w : refuse(w);
}

DataWriter *data_writer_resume(const char *path, const DataFormat *format, DataPrefix *prefix, Fault *fault) {
    struct stat status;
    Fault why;
    *prefix = (DataPrefix){0};
    if (stat(path, &status) || !status.st_size) return data_writer_grow(path, format, fault);
    DataWriter *w = make(path, format, GROWING, fault);
    if (!w) return NULL;
    if (access(w->sums_path, R_OK))
        return tabia_fault(fault, "%s: there is no %s, so nobody knows how much of it is whole", path, w->sums_path),
               refuse(w);
    if (!open_both(w, fault) || !data_sums_prefix(path, format, prefix, &why, fault)) return refuse(w);
    w->told = (DataWritten){.records = prefix->records, .games = prefix->games, .bytes = prefix->bytes};
    w->sums_bytes = prefix->sums_bytes;
    return cut(w, fault) ? w : refuse(w);
}

/* ---- writing ---- */

static bool write_all(DataWriter *w, const uint8_t *at, size_t n, Fault *fault) {
    while (n) {
        const ssize_t done = write(w->file, at, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return tabia_fault(fault, "%s: cannot be written: %s", w->path, strerror(errno));
        at += done;
        n -= (size_t)done;
    }
    return w->kind != GROWING || fdatasync(w->file) == 0 ||
           tabia_fault(fault, "%s: cannot be written: %s", w->path, strerror(errno));
}

static bool put_block(DataWriter *w, const DataBlock *b, Fault *fault) {
    if (!write_all(w, w->encoder.bytes.at, b->bytes, fault)) return false;
    return w->sums < 0 || data_sums_append(w->sums, b, fault);
}

/* Nothing more is written, and a growing file ends with its last whole block. */
static bool fail(DataWriter *w) {
    w->failed = true;
    if (w->kind == GROWING) cut(w, NULL);
    return false;
}

bool data_writer_block(DataWriter *w, uint64_t mark, Fault *fault) {
    DataEncoder *e = &w->encoder;
    if (w->failed) return tabia_fault(fault, "%s: writing has failed before", w->path);
    if (!data_encode_end(e, fault)) return fail(w);
    if (!e->bytes.n) return true;
    const DataBlock b = {.bytes = e->bytes.n,
                         .records = e->records,
                         .games = e->games,
                         .mark = mark,
                         .sum = w->sums >= 0 ? tabia_checksum(e->bytes.at, e->bytes.n) : 0};
    if (!put_block(w, &b, fault)) return fail(w);
    if (w->kind == GROWING) w->sums_bytes = (uint64_t)lseek(w->sums, 0, SEEK_END);
    w->told.bytes += b.bytes;
    w->told.records += b.records;
    w->told.games += b.games;
    e->bytes.n = 0;
    e->records = e->games = 0;
    return true;
}

bool data_write(DataWriter *w, const DataRecord *r, Fault *fault) {
    if (w->failed) return tabia_fault(fault, "%s: writing has failed before", w->path);
    const uint64_t pending = w->encoder.bytes.n;
    if (UNLIKELY(w->kind != GROWING && pending >= DATA_BLOCK_BYTES) &&
        (pending >= BLOCK_BYTES_MOST || data_encode_may_cut(&w->encoder, r)) && !data_writer_block(w, 0, fault))
        return false;
    return data_encode(&w->encoder, r, fault) || fail(w);
}

const DataFormat *data_writer_format(const DataWriter *w) {
    return w->encoder.format;
}

DataWritten data_writer_told(const DataWriter *w) {
    DataWritten told = w->told;
    told.records += w->encoder.records;
    told.games += w->encoder.games;
    told.bytes += w->encoder.bytes.n;
    memcpy(told.unfit, w->encoder.unfit, sizeof told.unfit);
    memcpy(told.lost, w->encoder.lost, sizeof told.lost);
    return told;
}

uint64_t data_written_unfit(const DataWritten *told) {
    uint64_t sum = 0;
    for (unsigned why = 0; why < DATA_UNFITS_N; why++) sum += told->unfit[why];
    return sum;
}

/* ---- the end ---- */

static bool appear(DataWriter *w, Fault *fault) {
    const bool good = fdatasync(w->file) == 0 && rename(w->part, w->path) == 0 &&
                      (w->sums < 0 || rename(w->sums_part, w->sums_path) == 0);
    return good || tabia_fault(fault, "%s: cannot be written: %s", w->path, strerror(errno));
}

bool data_writer_finish(DataWriter *w, uint64_t mark, DataWritten *told, Fault *fault) {
    const bool good = data_writer_block(w, mark, fault) && (w->kind != WHOLE || appear(w, fault));
    if (told) *told = data_writer_told(w);
    if (good)
        let_go(w);
    else
        data_writer_abandon(w);
    return good;
}

void data_writer_abandon(DataWriter *w) {
    if (!w) return;
    if (w->kind == WHOLE) {
        unlink(w->part);
        unlink(w->sums_part);
    }
    let_go(w);
}
