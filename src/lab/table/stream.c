/* SPDX-License-Identifier: MIT */
/*
 * Streams as files:
 *
 *     | header | runs | records |      words as this machine writes them; a file of another byte order is refused
 *
 * The header carries sums of both lists and one of itself.
 */
#include "stream.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/random.h"

enum { VERSION = 1 };
static const char magic[8] = "tabiastr";
static const uint64_t byte_order = 0x0102030405060708;

typedef struct {
    char magic[8];
    uint64_t byte_order, version, records, runs, floor;
    char text[STREAM_TEXT_MAX];
    uint64_t records_sum, runs_sum;
    uint64_t header_sum; /* of all before it */
} Header;

_Static_assert(sizeof(StreamRecord) == 32 && sizeof(StreamRun) == 24, "the file holds these as they lie in memory");
_Static_assert(sizeof(Header) % 8 == 0, "sums are of words");

/* For a given place in the list it is one to one in each word: no single damaged word goes unseen. Four chains, so that
   a processor works on several words at once. */
static uint64_t sum_of(const void *list, uint64_t bytes) {
    uint64_t sum[4] = {1, 2, 3, 4};
    assert(bytes % 8 == 0);
    for (uint64_t i = 0; i < bytes / 8; i++) {
        uint64_t word;
        memcpy(&word, (const char *)list + 8 * i, 8);
        uint64_t *lane = &sum[i % 4];
        *lane = (*lane ^ word) * 0x9e3779b97f4a7c15ull;
        *lane ^= *lane >> 29;
    }
    uint64_t whole = bytes;
    for (unsigned i = 0; i < 4; i++) {
        whole ^= sum[i];
        whole = random_next(&whole);
    }
    return whole;
}

static Header header_of(const Stream *s) {
    Header h = {.byte_order = byte_order, .version = VERSION, .records = s->records, .runs = s->runs};
    memcpy(h.magic, magic, sizeof magic);
    h.floor = s->floor;
    memcpy(h.text, s->text, strnlen(s->text, sizeof h.text - 1));
    h.records_sum = sum_of(s->record, s->records * sizeof *s->record);
    h.runs_sum = sum_of(s->run, s->runs * sizeof *s->run);
    h.header_sum = sum_of(&h, offsetof(Header, header_sum));
    return h;
}

void stream_free(Stream *s) {
    free(s->record);
    free(s->run);
    *s = (Stream){0};
}

/* ---- writing ---- */

static bool write_all(FILE *file, const Stream *s) {
    const Header h = header_of(s);
    return fwrite(&h, sizeof h, 1, file) == 1 && fwrite(s->run, sizeof *s->run, s->runs, file) == s->runs &&
           fwrite(s->record, sizeof *s->record, s->records, file) == s->records;
}

bool stream_write(const Stream *s, const char *path, TabiaError *error) {
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    return out && tabia_atomic_file_commit(&file, write_all(out, s), error);
}

/* ---- reading ---- */

/* Are the records first .. first + n - 1 one tree of that depth, whose nodes end at the floor at the latest? */
static bool is_tree(const StreamRecord *record, const StreamRun *run, uint32_t floor, uint64_t *bad) {
    uint64_t end[STREAM_DEPTH_MAX + 1] = {0}; /* where the open node of each depth ends */
    unsigned open = run->depth;
    end[open] = run->first + run->records;
    for (uint64_t i = run->first; i < run->first + run->records; i++) {
        const StreamRecord *r = &record[i];
        *bad = i;
        while (i > run->first && open < run->depth && end[open] == i) open++;
        const bool is_root = i == run->first;
        if (r->depth != (is_root ? open : open - 1) || r->depth < floor || r->size < 1) return false;
        if (is_root ? r->size != run->records : i + r->size > end[open]) return false;
        if (r->depth == floor && r->size != 1) return false;
        if (r->size > 1 || is_root) open = r->depth, end[open] = i + r->size;
    }
    return true;
}

static bool check_shape(const Stream *s, const char *path, TabiaError *error) {
    uint64_t first = 0, bad = 0;
    for (uint32_t i = 0; i < s->runs; i++) {
        const StreamRun *run = &s->run[i];
        if (run->first != first || run->records < 1 || run->records > s->records - first || run->depth <= s->floor ||
            run->depth > STREAM_DEPTH_MAX || (i && run->generation < run[-1].generation))
            return tabia_fail(error, "stream %.200s: perft %u of %u is damaged; record it again", path, i + 1, s->runs);
        if (!is_tree(s->record, run, s->floor, &bad))
            return tabia_fail(error, "stream %.200s: record %" PRIu64 " of %" PRIu64 " is damaged; record it again",
                              path, bad + 1, s->records);
        first += run->records;
    }
    return first == s->records || tabia_fail(error, "stream %.200s: records behind the last perft", path);
}

static bool check_header(const Header *h, bool whole, uint64_t file_bytes, const char *path, TabiaError *error) {
    if (!whole || memcmp(h->magic, magic, sizeof magic))
        return tabia_fail(error, "%.200s: not a stream; `tabia-lab table record` makes one", path);
    if (h->byte_order != byte_order)
        return tabia_fail(error, "stream %.200s: of another byte order; record it on this machine", path);
    if (h->version != VERSION)
        return tabia_fail(error,
                          "stream %.200s: format version %" PRIu64 ", but this program knows %d; record it again", path,
                          h->version, VERSION);
    if (h->header_sum != sum_of(h, offsetof(Header, header_sum)) || h->text[sizeof h->text - 1])
        return tabia_fail(error, "stream %.200s: its header is damaged; record it again", path);
    const unsigned __int128 bytes = sizeof *h + (unsigned __int128)h->runs * sizeof(StreamRun) +
                                    (unsigned __int128)h->records * sizeof(StreamRecord);
    if (h->runs == 0 || h->runs > UINT32_MAX || h->floor < STREAM_FLOOR_LEAST || h->floor > STREAM_DEPTH_MAX ||
        bytes != file_bytes)
        return tabia_fail(error,
                          "stream %.200s: %ju bytes long, but its header speaks of %ju; it was cut, record it again",
                          path, (uintmax_t)file_bytes, (uintmax_t)bytes);
    return true;
}

static bool read_lists(Stream *s, const Header *h, FILE *file, const char *path, TabiaError *error) {
    s->run = malloc(h->runs * sizeof *s->run);
    s->record = malloc(h->records * sizeof *s->record);
    if (!s->run || !s->record) return tabia_fail(error, "stream %.200s: not enough memory to read it", path);
    s->runs = (uint32_t)h->runs, s->records = h->records, s->floor = (uint32_t)h->floor;
    memcpy(s->text, h->text, sizeof s->text);
    if (fread(s->run, sizeof *s->run, s->runs, file) != s->runs ||
        fread(s->record, sizeof *s->record, s->records, file) != s->records)
        return tabia_fail(error, "stream %.200s: cannot read it: %s", path, strerror(errno));
    if (sum_of(s->run, s->runs * sizeof *s->run) != h->runs_sum)
        return tabia_fail(error, "stream %.200s: its list of perfts is damaged; record it again", path);
    if (sum_of(s->record, s->records * sizeof *s->record) != h->records_sum)
        return tabia_fail(error, "stream %.200s: its records are damaged; record it again", path);
    return check_shape(s, path, error);
}

static bool read_file(Stream *s, FILE *file, const char *path, TabiaError *error) {
    Header h;
    const bool whole = fread(&h, sizeof h, 1, file) == 1;
    if (ferror(file)) return tabia_fail(error, "stream %.200s: cannot read it: %s", path, strerror(errno));
    const long at = ftell(file);
    if (at < 0 || fseek(file, 0, SEEK_END) != 0) return tabia_fail(error, "stream %.200s: not a regular file", path);
    const long bytes = ftell(file);
    return check_header(&h, whole, (uint64_t)bytes, path, error) &&
           (fseek(file, at, SEEK_SET) == 0 || tabia_fail(error, "stream %.200s: cannot read it", path)) &&
           read_lists(s, &h, file, path, error);
}

bool stream_read(Stream *s, const char *path, TabiaError *error) {
    *s = (Stream){0};
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "stream %.200s: cannot open it: %s", path, strerror(errno));
    const bool good = read_file(s, file, path, error);
    fclose(file);
    if (!good) stream_free(s);
    return good;
}
