/* SPDX-License-Identifier: MIT */
/*
 * A shuffle is a sort by random keys. The highest bits of a unit's sort key choose its bucket; a bucket fits into memory,
 * is sorted there and written. If all units fit into memory there is one bucket and no file.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/system.h"
#include "data/block_checksums.h"
#include "data/pack.h"
#include "data/transfer.h"

enum { BUCKETS_MAX = 512, BUCKET_BUFFER_BYTES = 1 << 16 };

/* Precedes the records of a unit. */
typedef struct {
    uint64_t sort_key;
    uint64_t record_count;
} ShuffleUnitHeader;

typedef struct {
    FILE *file; /* null: the bucket is in memory */
    DataBuffer bytes;
} ShuffleBucket;

typedef struct {
    ShuffleBucket *bucket;
    unsigned bucket_bits; /* there are 2^bucket_bits buckets */
    DataBuffer unit;      /* the one that is being read: header and records */
    uint64_t seed;
    const char *temp_prefix;
    DataSource *source;
    uint64_t records_written; /* in the second half */
} ShuffleState;

typedef struct {
    uint64_t sort_key, offset;
} ShuffleKey;

static bool no_memory(TabiaError *error) {
    return tabia_fail(error, "not enough memory to shuffle; a smaller --memory needs less");
}

/* ---- buckets ---- */

/* A new file in the folder of that file name. It has no name, so that it disappears however the program ends. */
static FILE *temp_file(const char *prefix, TabiaError *error) {
    char path[DATA_PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s.bucket", prefix);
    FILE *stream = n < DATA_PATH_MAX ? tabia_file_scratch(path) : NULL;
    if (!stream)
        return tabia_fail(error, "%.300s: a temporary file beside it cannot be created: %s", prefix, strerror(errno)),
               NULL;
    setvbuf(stream, NULL, _IOFBF, BUCKET_BUFFER_BYTES);
    return stream;
}

/* As many buckets as are needed for each to fit into memory, if one has 25 % more than the average of `records`. */
static bool create_buckets(ShuffleState *h, uint64_t records, uint64_t memory, TabiaError *error) {
    const uint64_t unit = (sizeof(DataPackedRecord) + sizeof(ShuffleUnitHeader) + sizeof(ShuffleKey)) / 4 * 5;
    const uint64_t bytes = records == UINT64_MAX ? UINT64_MAX : records * unit; /* unknown: all buckets */
    while ((1u << h->bucket_bits) < BUCKETS_MAX && bytes >> h->bucket_bits > memory) h->bucket_bits++;
    h->bucket = calloc((size_t)1 << h->bucket_bits, sizeof *h->bucket);
    if (!h->bucket) return no_memory(error);
    for (unsigned i = 0; h->bucket_bits && i < 1u << h->bucket_bits; i++)
        if (!(h->bucket[i].file = temp_file(h->temp_prefix, error))) return false;
    return true;
}

static bool append_unit(ShuffleState *h, TabiaError *error) {
    if (!h->unit.size) return true;
    assert((h->unit.size - sizeof(ShuffleUnitHeader)) % sizeof(DataPackedRecord) == 0);
    ShuffleUnitHeader header = {random_next(&h->seed), (h->unit.size - sizeof header) / sizeof(DataPackedRecord)};
    memcpy(h->unit.data, &header, sizeof header);
    ShuffleBucket *b = &h->bucket[h->bucket_bits ? header.sort_key >> (64 - h->bucket_bits) : 0];
    const size_t n = h->unit.size;
    h->unit.size = 0;
    if (!b->file) {
        data_buffer_append(&b->bytes, h->unit.data, n);
        return !b->bytes.failed || no_memory(error);
    }
    return fwrite(h->unit.data, 1, n, b->file) == n ||
           tabia_fail(error, "a temporary file beside %.200s cannot be written: %s", h->temp_prefix, strerror(errno));
}

static bool add_record(ShuffleState *h, const DataRecord *r, bool by_games, TabiaError *error) {
    static const ShuffleUnitHeader none = {0, 0};
    DataPackedRecord packed;
    if ((!by_games || r->starts_game) && !append_unit(h, error)) return false;
    if (!h->unit.size) data_buffer_append(&h->unit, &none, sizeof none);
    data_pack(&packed, r);
    data_buffer_append(&h->unit, &packed, sizeof packed);
    return !h->unit.failed || no_memory(error);
}

/* ---- the second half: each bucket in memory, sorted, written ---- */

static bool load_bucket(ShuffleState *h, ShuffleBucket *b, TabiaError *error) {
    if (!b->file) return true;
    const int64_t bytes = fseeko(b->file, 0, SEEK_END) ? -1 : ftello(b->file);
    rewind(b->file);
    if (bytes > 0 && !data_buffer_reserve(&b->bytes, (size_t)bytes)) return no_memory(error);
    if (bytes < 0 || fread(b->bytes.data, 1, (size_t)bytes, b->file) != (size_t)bytes)
        return tabia_fail(error, "a temporary file beside %.200s cannot be read: %s", h->temp_prefix, strerror(errno));
    b->bytes.size = (size_t)bytes;
    return true;
}

static int compare_keys(const void *a, const void *b) {
    const ShuffleKey *x = a, *y = b;
    if (x->sort_key != y->sort_key) return x->sort_key < y->sort_key ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static ShuffleKey *find_units(const DataBuffer *bytes, size_t *n) {
    size_t capacity = 0;
    ShuffleKey *keys = NULL;
    *n = 0;
    for (size_t at = 0; at < bytes->size;) {
        ShuffleUnitHeader header;
        memcpy(&header, bytes->data + at, sizeof header);
        if (*n == capacity) {
            capacity = capacity * 2 + 1024;
            ShuffleKey *larger = realloc(keys, capacity * sizeof *keys);
            if (!larger) return free(keys), NULL;
            keys = larger;
        }
        keys[(*n)++] = (ShuffleKey){header.sort_key, at};
        at += sizeof header + header.record_count * sizeof(DataPackedRecord);
        assert(at <= bytes->size);
    }
    return keys;
}

static bool write_unit(ShuffleState *h, const uint8_t *at, DataWriter *w, TabiaError *error) {
    ShuffleUnitHeader header;
    memcpy(&header, at, sizeof header);
    at += sizeof header;
    for (uint64_t i = 0; i < header.record_count; i++, at += sizeof(DataPackedRecord)) {
        DataPackedRecord packed;
        DataRecord r;
        memcpy(&packed, at, sizeof packed);
        data_unpack(&r, &packed);
        if (!data_write(w, &r, error)) return false;
        h->records_written++;
    }
    return true;
}

/* Reports the progress of the second half. False after Ctrl-C. */
static bool report_progress(const ShuffleState *h) {
    const DataProgress progress = {.records = h->records_written,
                                   .bad = h->source->position.bad,
                                   .bytes = h->records_written,
                                   .total = h->source->position.records};
    if (h->source->on_progress) h->source->on_progress(h->source->context, &progress);
    if (tabia_stop_requested()) h->source->outcome = DATA_STOPPED;
    return h->source->outcome == DATA_DONE;
}

static bool write_bucket(ShuffleState *h, ShuffleBucket *b, DataWriter *w, TabiaError *error) {
    enum { PROGRESS_INTERVAL_UNITS = 1024 };
    size_t n = 0;
    if (!report_progress(h) || !load_bucket(h, b, error)) return false;
    ShuffleKey *keys = find_units(&b->bytes, &n);
    if (!keys && b->bytes.size) return no_memory(error);
    bool good = true;
    if (n) qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n && good; i++)
        good = write_unit(h, b->bytes.data + keys[i].offset, w, error) &&
               (i % PROGRESS_INTERVAL_UNITS || report_progress(h));
    free(keys);
    data_buffer_free(&b->bytes);
    return good;
}

static void free_buckets(ShuffleState *h) {
    for (unsigned i = 0; h->bucket && i < 1u << h->bucket_bits; i++) {
        if (h->bucket[i].file) fclose(h->bucket[i].file);
        data_buffer_free(&h->bucket[i].bytes);
    }
    free(h->bucket);
    data_buffer_free(&h->unit);
}

DataOutcome data_shuffle(DataSource *s, DataWriter *w, const DataShuffleOptions *options, TabiaError *error) {
    ShuffleState h = {.seed = options->seed, .temp_prefix = options->temp_prefix, .source = s};
    DataRecord r;
    bool good = create_buckets(&h, data_source_max_records(s), options->memory, error);
    while (good && data_source_next(s, &r, error)) good = add_record(&h, &r, options->by_games, error);
    good = good && s->outcome == DATA_DONE && append_unit(&h, error);
    for (unsigned i = 0; good && i < 1u << h.bucket_bits; i++) good = write_bucket(&h, &h.bucket[i], w, error);
    free_buckets(&h);
    return good ? DATA_DONE : s->outcome == DATA_DONE ? DATA_SYSTEM_ERROR : s->outcome;
}
