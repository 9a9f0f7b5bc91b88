/* SPDX-License-Identifier: MIT */
#include "block_checksums.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"

enum { LINE_BYTES_MAX = 160 };
static const uint64_t block_bytes_max = (uint64_t)1 << 32;

bool data_checksums_path(const char *path, char out[DATA_PATH_MAX], TabiaError *error) {
    const int n = snprintf(out, DATA_PATH_MAX, "%s.sums", path);
    return (n > 0 && n < DATA_PATH_MAX) || tabia_fail(error, "%.300s: the name is too long", path);
}

/* ---- lines ---- */

static void format_header(const DataFormat *format, char out[LINE_BYTES_MAX]) {
    snprintf(out, LINE_BYTES_MAX, "tabia-sums 1 %s\n", format->name);
}

static void format_block_line(const DataBlock *b, char out[LINE_BYTES_MAX]) {
    const int n = snprintf(out, LINE_BYTES_MAX, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 " ",
                           b->bytes, b->records, b->games, b->resume_point, b->checksum);
    snprintf(out + n, (size_t)(LINE_BYTES_MAX - n), "%08" PRIx32 "\n", (uint32_t)tabia_checksum(out, (size_t)n));
}

/* Valid only if it is byte for byte the line that would be written for these numbers. */
static bool parse_block_line(const char *line, DataBlock *b) {
    char expected[LINE_BYTES_MAX];
    if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64, &b->bytes, &b->records, &b->games,
               &b->resume_point, &b->checksum) != 5)
        return false;
    format_block_line(b, expected);
    return !strcmp(line, expected) && b->bytes && b->bytes <= block_bytes_max;
}

/* Appends a line by one write. */
static bool append(int file, const char *line, TabiaError *error) {
    const size_t n = strlen(line);
    const ssize_t done = write(file, line, n);
    if (done == (ssize_t)n) return true;
    return tabia_fail(error, "the checksums cannot be written: %s", strerror(done < 0 ? errno : ENOSPC));
}

bool data_checksums_begin(int file, const DataFormat *format, TabiaError *error) {
    char line[LINE_BYTES_MAX];
    format_header(format, line);
    return append(file, line, error);
}

bool data_checksums_append(int file, const DataBlock *block, TabiaError *error) {
    assert(block->bytes > 0 && block->bytes <= block_bytes_max);
    char line[LINE_BYTES_MAX];
    format_block_line(block, line);
    return append(file, line, error);
}

/* ---- the valid prefix ---- */

typedef struct {
    const char *path;
    int data_fd;
    uint8_t *block; /* buffer for one block */
    size_t capacity;
} BlockReader;

/* Reads a block. *matches: it has its checksum. False with an error only if reading fails. */
static bool verify_block(BlockReader *c, const DataBlock *b, uint64_t from, bool *matches, TabiaError *error) {
    if (b->bytes > c->capacity) {
        uint8_t *larger = realloc(c->block, b->bytes);
        if (!larger)
            return tabia_fail(error, "%s: out of memory to verify a block of %" PRIu64 " bytes", c->path, b->bytes);
        c->block = larger;
        c->capacity = b->bytes;
    }
    for (size_t done = 0; done < b->bytes;) {
        const ssize_t n = pread(c->data_fd, c->block + done, b->bytes - done, (off_t)(from + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return tabia_fail(error, "%s: cannot be read: %s", c->path, strerror(n < 0 ? errno : EIO));
        done += (size_t)n;
    }
    assert(b->bytes <= c->capacity);
    *matches = tabia_checksum(c->block, b->bytes) == b->checksum;
    return true;
}

static bool verify_blocks(BlockReader *c, FILE *checksums, DataPrefix *prefix, TabiaError *reason, TabiaError *error) {
    char line[LINE_BYTES_MAX];
    DataBlock b;
    while (fgets(line, sizeof line, checksums)) {
        if (!parse_block_line(line, &b)) {
            tabia_fail(reason, "block %" PRIu64 ": its line in the checksum file is damaged or incomplete",
                       prefix->blocks + 1);
            return true;
        }
        if (b.bytes > prefix->file_bytes - prefix->bytes) {
            tabia_fail(reason, "block %" PRIu64 ", byte %" PRIu64 ": the file ends within it", prefix->blocks + 1,
                       prefix->bytes);
            return true;
        }
        bool matches = false;
        if (!verify_block(c, &b, prefix->bytes, &matches, error)) return false;
        if (!matches) {
            tabia_fail(reason, "block %" PRIu64 ", byte %" PRIu64 ": its bytes do not match their checksum",
                       prefix->blocks + 1, prefix->bytes);
            return true;
        }
        prefix->blocks++;
        prefix->bytes += b.bytes;
        prefix->records += b.records;
        prefix->games += b.games;
        prefix->resume_point = b.resume_point;
        prefix->checksum_file_bytes += strlen(line);
    }
    if (ferror(checksums)) return tabia_fail(error, "%s.sums: cannot be read: %s", c->path, strerror(errno));
    if (prefix->bytes < prefix->file_bytes)
        tabia_fail(reason, "byte %" PRIu64 ": the file has bytes behind its last block", prefix->bytes);
    assert(prefix->bytes <= prefix->file_bytes);
    prefix->complete = prefix->bytes == prefix->file_bytes;
    return true;
}

static bool verify_header(FILE *checksums, const char *path, const DataFormat *format, DataPrefix *prefix,
                          TabiaError *error) {
    char line[LINE_BYTES_MAX], header[LINE_BYTES_MAX];
    format_header(format, header);
    if (fgets(line, sizeof line, checksums) && !strcmp(line, header)) {
        prefix->checksum_file_bytes = strlen(header);
        return true;
    }
    return tabia_fail(error, "%s.sums: does not begin with the header of a %s file's checksums: tabia-sums 1 %s", path,
                      format->name, format->name);
}

bool data_checksums_prefix(const char *path, const DataFormat *format, DataPrefix *prefix, TabiaError *reason,
                           TabiaError *error) {
    char checksums_path[DATA_PATH_MAX];
    *prefix = (DataPrefix){0};
    reason->text[0] = '\0';
    if (!data_checksums_path(path, checksums_path, error)) return false;
    FILE *checksums = fopen(checksums_path, "re");
    if (!checksums) return tabia_fail(error, "%s: cannot be read: %s", checksums_path, strerror(errno));
    BlockReader c = {.path = path, .data_fd = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat status;
    bool good = c.data_fd >= 0 && fstat(c.data_fd, &status) == 0;
    if (!good) tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    if (good) prefix->file_bytes = (uint64_t)status.st_size;
    good = good && verify_header(checksums, path, format, prefix, error) &&
           verify_blocks(&c, checksums, prefix, reason, error);
    free(c.block);
    if (c.data_fd >= 0) close(c.data_fd);
    fclose(checksums);
    return good;
}
