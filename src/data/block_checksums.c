/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "block_checksums.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/checksum.h"
#include "base/file_calls.h"

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

static bool append(int file, const char *line, uint64_t *end, TabiaError *error) {
    const size_t n = strlen(line);
    if (!tabia_file_write_all(file, line, n, *end))
        return tabia_fail(error, "the checksums cannot be written: %s", strerror(errno));
    *end += n;
    return true;
}

bool data_checksums_begin(int file, const DataFormat *format, uint64_t *end, TabiaError *error) {
    char line[LINE_BYTES_MAX];
    format_header(format, line);
    return append(file, line, end, error);
}

bool data_checksums_append(int file, const DataBlock *block, uint64_t *end, TabiaError *error) {
    assert(block->bytes > 0 && block->bytes <= block_bytes_max);
    char line[LINE_BYTES_MAX];
    format_block_line(block, line);
    return append(file, line, end, error);
}

/* ---- the valid prefix ---- */

struct DataChecksums {
    const char *path; /* the caller's */
    int data_fd;
    FILE *lines;
    DataBlock next; /* of the line that was read last, if it is not part of the prefix */
    bool has_next, failed;
    DataPrefix prefix;
    TabiaError reason; /* why the prefix ends */
};

/* The tabia_checksum of the block that follows the prefix, through a buffer that stays in the cache. False with an error. */
static bool checksum_next(const DataChecksums *c, uint64_t *checksum, TabiaError *error) {
    enum { PIECE_BYTES = 1 << 15 };
    uint8_t piece[PIECE_BYTES];
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (uint64_t at = c->prefix.bytes, end = at + c->next.bytes; at < end;) {
        const int64_t n = tabia_file_pread(c->data_fd, piece, end - at < PIECE_BYTES ? end - at : PIECE_BYTES, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return tabia_fail(error, "%s: cannot be read: %s", c->path, strerror(n < 0 ? errno : EIO));
        XXH3_64bits_update(&state, piece, (size_t)n);
        at += (uint64_t)n;
    }
    *checksum = XXH3_64bits_digest(&state);
    return true;
}

/* Is this the last line, and without its end, or with zeros that the disk has in place of what was written? */
static bool is_incomplete(const char *line, FILE *lines) {
    const size_t n = strlen(line);
    return (!n || line[n - 1] != '\n') && fgetc(lines) == EOF;
}

/* Says why the prefix ends where it does. False. */
static bool end_prefix(DataChecksums *c, bool damaged, const char *why) {
    tabia_fail(&c->reason, "block %" PRIu64 ", byte %" PRIu64 ": %s", c->prefix.blocks + 1, c->prefix.bytes, why);
    c->prefix.damaged = damaged;
    return false;
}

/* Reads the next line, if there is one. False if it is none, with a reason. */
static bool read_line(DataChecksums *c) {
    char line[LINE_BYTES_MAX];
    if (c->has_next || !fgets(line, sizeof line, c->lines)) return true;
    if (!parse_block_line(line, &c->next))
        return end_prefix(c, !is_incomplete(line, c->lines), "its line in the checksum file is damaged or incomplete");
    c->has_next = true;
    if (c->next.bytes > c->prefix.file_bytes - c->prefix.bytes) return end_prefix(c, true, "the file ends within it");
    return true;
}

/* Adds the block whose line was read. */
static void take_next(DataChecksums *c) {
    char line[LINE_BYTES_MAX];
    format_block_line(&c->next, line);
    c->prefix.blocks++;
    c->prefix.bytes += c->next.bytes;
    c->prefix.records += c->next.records;
    c->prefix.games += c->next.games;
    c->prefix.resume_point = c->next.resume_point;
    c->prefix.checksum_file_bytes += strlen(line);
    c->has_next = false;
}

/* Verifies the next block and adds it, if there is one. False if it is not valid, with a reason, or cannot be read, with an error. */
static bool verify_next(DataChecksums *c, TabiaError *error) {
    uint64_t checksum = 0;
    if (!read_line(c)) return false;
    if (!c->has_next) return true;
    c->failed = !checksum_next(c, &checksum, error);
    if (c->failed) return false;
    if (checksum != c->next.checksum) return end_prefix(c, true, "its bytes do not match their checksum");
    take_next(c);
    return true;
}

static bool has_all(const DataChecksums *c) {
    return !c->has_next && feof(c->lines);
}

/* At the end of the lines: is it that of the file? */
static bool ends_together(DataChecksums *c) {
    c->prefix.complete = c->prefix.bytes == c->prefix.file_bytes;
    if (!c->prefix.complete)
        tabia_fail(&c->reason, "byte %" PRIu64 ": the file has bytes after its last block", c->prefix.bytes);
    return c->prefix.complete;
}

static bool verify_header(DataChecksums *c, const DataFormat *format, TabiaError *error) {
    char line[LINE_BYTES_MAX], header[LINE_BYTES_MAX] = "tabia-sums 1 ";
    if (format) format_header(format, header);
    if (fgets(line, sizeof line, c->lines) && !strncmp(line, header, strlen(header))) {
        c->prefix.checksum_file_bytes = strlen(line);
        return true;
    }
    return tabia_fail(error, "%s.sums: does not begin with the header of a %s file's checksums: tabia-sums 1 %s",
                      c->path, format ? format->name : "data", format ? format->name : "FORMAT");
}

/* False with an error; *c is to be closed. */
static bool open_both(DataChecksums *c, const char *path, const DataFormat *format, TabiaError *error) {
    char lines[DATA_PATH_MAX];
    struct stat status;
    *c = (DataChecksums){.path = path, .data_fd = -1};
    if (!data_checksums_path(path, lines, error)) return false;
    c->lines = fopen(lines, "r");
    if (!c->lines) return tabia_fail(error, "%s: cannot be read: %s", lines, strerror(errno));
    c->data_fd = tabia_file_open_read(path);
    if (c->data_fd < 0 || fstat(c->data_fd, &status))
        return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    c->prefix.file_bytes = (uint64_t)status.st_size;
    return verify_header(c, format, error);
}

static void close_both(DataChecksums *c) {
    if (c->data_fd >= 0) close(c->data_fd);
    if (c->lines) fclose(c->lines);
}

static bool find_prefix(DataChecksums *c, uint64_t blocks_max, TabiaError *error) {
    while (c->prefix.blocks < blocks_max && verify_next(c, error))
        if (has_all(c))
            return ferror(c->lines) ? tabia_fail(error, "%s.sums: cannot be read", c->path) : (ends_together(c), true);
    return !c->failed;
}

bool data_checksums_prefix(const char *path, const DataFormat *format, uint64_t blocks_max, DataPrefix *prefix,
                           TabiaError *reason, TabiaError *error) {
    DataChecksums c;
    const bool good = open_both(&c, path, format, error) && find_prefix(&c, blocks_max, error);
    *prefix = c.prefix;
    *reason = c.reason;
    close_both(&c);
    return good;
}

/* ---- while a file is read ---- */

bool data_checksums_open(const char *path, DataChecksums **c, TabiaError *error) {
    char lines[DATA_PATH_MAX];
    *c = NULL;
    if (!data_checksums_path(path, lines, NULL) || (access(lines, F_OK) && errno == ENOENT)) return true;
    *c = malloc(sizeof **c);
    if (!*c) return tabia_fail(error, "%s: out of memory", path);
    if (open_both(*c, path, NULL, error)) return true;
    data_checksums_close(*c);
    return *c = NULL, false;
}

bool data_checksums_cover(DataChecksums *c, uint64_t from, uint64_t to) {
    while (c->prefix.bytes < to) {
        if (!read_line(c)) return false;
        if (c->has_next && c->prefix.bytes + c->next.bytes <= from)
            take_next(c);
        else if (!verify_next(c, &c->reason))
            return false;
        else if (has_all(c) && c->prefix.bytes < to)
            return ends_together(c);
    }
    return true;
}

bool data_checksums_end(DataChecksums *c) {
    return verify_next(c, &c->reason) && (!has_all(c) || ends_together(c));
}

uint64_t data_checksums_bytes(const DataChecksums *c) {
    return c->prefix.bytes;
}

const char *data_checksums_reason(const DataChecksums *c) {
    return c->reason.text;
}

void data_checksums_close(DataChecksums *c) {
    if (!c) return;
    close_both(c);
    free(c);
}
