/* SPDX-License-Identifier: MIT */
#include "block_checksums.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"

enum { LINE_ROOM = 160 };
static const uint64_t block_most = (uint64_t)1 << 32;

bool data_sums_path(const char *path, char out[DATA_PATH_MAX], Fault *fault) {
    const int n = snprintf(out, DATA_PATH_MAX, "%s.sums", path);
    return (n > 0 && n < DATA_PATH_MAX) || tabia_fault(fault, "%.300s: the name is too long", path);
}

/* ---- lines ---- */

static void head_line(const DataFormat *format, char out[LINE_ROOM]) {
    snprintf(out, LINE_ROOM, "tabia-sums 1 %s\n", data_family(format));
}

static void block_line(const DataBlock *b, char out[LINE_ROOM]) {
    const int n = snprintf(out, LINE_ROOM, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 " ", b->bytes,
                           b->records, b->games, b->mark, b->sum);
    snprintf(out + n, (size_t)(LINE_ROOM - n), "%08" PRIx32 "\n", (uint32_t)tabia_checksum(out, (size_t)n));
}

/* A line is one only if it is, byte for byte, what would be written. */
static bool read_block_line(const char *line, DataBlock *b) {
    char again[LINE_ROOM];
    if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64, &b->bytes, &b->records, &b->games,
               &b->mark, &b->sum) != 5)
        return false;
    block_line(b, again);
    return !strcmp(line, again) && b->bytes && b->bytes <= block_most;
}

/* All of it by one write, behind what is there. */
static bool append(int file, const char *line, Fault *fault) {
    const size_t n = strlen(line);
    const ssize_t done = write(file, line, n);
    if (done == (ssize_t)n) return true;
    return tabia_fault(fault, "the checksums cannot be written: %s", strerror(done < 0 ? errno : ENOSPC));
}

bool data_sums_begin(int file, const DataFormat *format, Fault *fault) {
    char line[LINE_ROOM];
    head_line(format, line);
    return append(file, line, fault);
}

bool data_sums_append(int file, const DataBlock *block, Fault *fault) {
    char line[LINE_ROOM];
    block_line(block, line);
    return append(file, line, fault);
}

/* ---- the valid prefix ---- */

typedef struct {
    const char *path;
    int data;
    uint8_t *block; /* room for one */
    size_t room;
} Check;

/* Reads a block; false with a fault only if the system fails. *same: it has its checksum. */
static bool check_block(Check *c, const DataBlock *b, uint64_t from, bool *same, Fault *fault) {
    if (b->bytes > c->room) {
        uint8_t *bigger = realloc(c->block, b->bytes);
        if (!bigger)
            return tabia_fault(fault, "%s: no memory to check a block of %" PRIu64 " bytes", c->path, b->bytes);
        c->block = bigger;
        c->room = b->bytes;
    }
    for (size_t done = 0; done < b->bytes;) {
        const ssize_t n = pread(c->data, c->block + done, b->bytes - done, (off_t)(from + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return tabia_fault(fault, "%s: cannot be read: %s", c->path, strerror(n < 0 ? errno : EIO));
        done += (size_t)n;
    }
    *same = tabia_checksum(c->block, b->bytes) == b->sum;
    return true;
}

static bool walk(Check *c, FILE *sums, DataPrefix *prefix, Fault *why, Fault *fault) {
    char line[LINE_ROOM];
    DataBlock b;
    while (fgets(line, sizeof line, sums)) {
        if (!read_block_line(line, &b)) {
            tabia_fault(why, "block %" PRIu64 ": its line of checksums is damaged or unfinished", prefix->blocks + 1);
            return true;
        }
        if (b.bytes > prefix->file_bytes - prefix->bytes) {
            tabia_fault(why, "block %" PRIu64 ", byte %" PRIu64 ": the file ends within it", prefix->blocks + 1,
                        prefix->bytes);
            return true;
        }
        bool same = false;
        if (!check_block(c, &b, prefix->bytes, &same, fault)) return false;
        if (!same) {
            tabia_fault(why, "block %" PRIu64 ", byte %" PRIu64 ": its bytes do not have their checksum",
                        prefix->blocks + 1, prefix->bytes);
            return true;
        }
        prefix->blocks++;
        prefix->bytes += b.bytes;
        prefix->records += b.records;
        prefix->games += b.games;
        prefix->mark = b.mark;
        prefix->sums_bytes += strlen(line);
    }
    if (ferror(sums)) return tabia_fault(fault, "%s.sums: cannot be read: %s", c->path, strerror(errno));
    if (prefix->bytes < prefix->file_bytes)
        tabia_fault(why, "byte %" PRIu64 ": the file goes on behind its last block", prefix->bytes);
    prefix->whole = prefix->bytes == prefix->file_bytes;
    return true;
}

static bool check_head(FILE *sums, const char *path, const DataFormat *format, DataPrefix *prefix, Fault *fault) {
    char line[LINE_ROOM], head[LINE_ROOM];
    head_line(format, head);
    if (fgets(line, sizeof line, sums) && !strcmp(line, head)) {
        prefix->sums_bytes = strlen(head);
        return true;
    }
    return tabia_fault(fault, "%s.sums: does not begin as the checksums of a %s file do: tabia-sums 1 %s", path,
                       data_family(format), data_family(format));
}

bool data_sums_prefix(const char *path, const DataFormat *format, DataPrefix *prefix, Fault *why, Fault *fault) {
    char sums_path[DATA_PATH_MAX];
    *prefix = (DataPrefix){0};
    why->text[0] = '\0';
    if (!data_sums_path(path, sums_path, fault)) return false;
    FILE *sums = fopen(sums_path, "re");
    if (!sums) return tabia_fault(fault, "%s: cannot be read: %s", sums_path, strerror(errno));
    Check c = {.path = path, .data = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat status;
    bool good = c.data >= 0 && fstat(c.data, &status) == 0;
    if (!good) tabia_fault(fault, "%s: cannot be read: %s", path, strerror(errno));
    if (good) prefix->file_bytes = (uint64_t)status.st_size;
    good = good && check_head(sums, path, format, prefix, fault) && walk(&c, sums, prefix, why, fault);
    free(c.block);
    if (c.data >= 0) close(c.data);
    fclose(sums);
    return good;
}
