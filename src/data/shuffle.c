/* SPDX-License-Identifier: MIT */
/*
 * A shuffle is a sort by random numbers. The highest bits of a unit's number choose its bucket; a bucket fits into
 * memory, is sorted there and written. Where all fits into memory there is one bucket and no file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/stop.h"
#include "data/pack.h"
#include "data/transfer.h"

enum { BUCKETS_MOST = 512, BUFFER = 1 << 16 };

/* In front of the records of a unit. */
typedef struct {
    uint64_t number;
    uint64_t records;
} UnitHead;

typedef struct {
    FILE *file; /* null: in memory */
    DataBytes bytes;
} Bucket;

typedef struct {
    Bucket *bucket;
    unsigned n, shift; /* 2^n buckets */
    DataBytes unit;    /* the one that is being read: its head, its records */
    uint64_t seed;
    const char *beside;
    DataSource *source;
    uint64_t written; /* records, in the second half */
} Shuffle;

typedef struct {
    uint64_t number, at;
} Place;

static bool no_memory(Fault *fault) {
    return tabia_fault(fault, "not enough memory to shuffle; --memory takes less");
}

/* ---- buckets ---- */

/* A file without a name: nothing of it stays, however the program ends. */
static FILE *nameless(const char *beside, Fault *fault) {
    char path[DATA_PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s.bucket-XXXXXX", beside);
    const int file = n < DATA_PATH_MAX ? mkstemp(path) : -1;
    FILE *stream = file >= 0 ? fdopen(file, "w+b") : NULL;
    if (file >= 0) unlink(path);
    if (!stream) {
        tabia_fault(fault, "%.300s: a temporary file beside it cannot be made: %s", beside, strerror(errno));
        if (file >= 0) close(file);
        return NULL;
    }
    setvbuf(stream, NULL, _IOFBF, BUFFER);
    return stream;
}

/* As many as it takes for records of that number, a quarter more in one than in others, to fit into memory. */
static bool make_buckets(Shuffle *h, uint64_t records, uint64_t memory, Fault *fault) {
    const uint64_t bytes = records * (sizeof(DataPacked) + sizeof(UnitHead) + sizeof(Place)) / 4 * 5;
    while ((1u << h->n) < BUCKETS_MOST && bytes >> h->n > memory) h->n++;
    h->bucket = calloc((size_t)1 << h->n, sizeof *h->bucket);
    if (!h->bucket) return no_memory(fault);
    for (unsigned i = 0; h->n && i < 1u << h->n; i++)
        if (!(h->bucket[i].file = nameless(h->beside, fault))) return false;
    return true;
}

static bool put_unit(Shuffle *h, Fault *fault) {
    if (!h->unit.n) return true;
    UnitHead head = {random_next(&h->seed), (h->unit.n - sizeof head) / sizeof(DataPacked)};
    memcpy(h->unit.at, &head, sizeof head);
    Bucket *b = &h->bucket[h->n ? head.number >> (64 - h->n) : 0];
    const size_t n = h->unit.n;
    h->unit.n = 0;
    if (!b->file) {
        data_bytes_put(&b->bytes, h->unit.at, n);
        return !b->bytes.failed || no_memory(fault);
    }
    return fwrite(h->unit.at, 1, n, b->file) == n ||
           tabia_fault(fault, "a temporary file beside %.200s cannot be written: %s", h->beside, strerror(errno));
}

static bool add_record(Shuffle *h, const DataRecord *r, bool by_games, Fault *fault) {
    static const UnitHead none = {0, 0};
    DataPacked packed;
    if ((!by_games || r->first) && !put_unit(h, fault)) return false;
    if (!h->unit.n) data_bytes_put(&h->unit, &none, sizeof none);
    data_pack(&packed, r);
    data_bytes_put(&h->unit, &packed, sizeof packed);
    return !h->unit.failed || no_memory(fault);
}

/* ---- the second half: each bucket in memory, sorted, written ---- */

static bool load(Shuffle *h, Bucket *b, Fault *fault) {
    if (!b->file) return true;
    const long bytes = fseek(b->file, 0, SEEK_END) ? -1 : ftell(b->file);
    rewind(b->file);
    if (bytes > 0 && !data_bytes_room(&b->bytes, (size_t)bytes)) return no_memory(fault);
    if (bytes < 0 || fread(b->bytes.at, 1, (size_t)bytes, b->file) != (size_t)bytes)
        return tabia_fault(fault, "a temporary file beside %.200s cannot be read: %s", h->beside, strerror(errno));
    b->bytes.n = (size_t)bytes;
    return true;
}

static int by_number(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static Place *find_places(const DataBytes *bytes, size_t *n) {
    size_t room = 0;
    Place *place = NULL;
    *n = 0;
    for (size_t at = 0; at < bytes->n;) {
        UnitHead head;
        memcpy(&head, bytes->at + at, sizeof head);
        if (*n == room) {
            room = room * 2 + 1024;
            Place *bigger = realloc(place, room * sizeof *place);
            if (!bigger) return free(place), NULL;
            place = bigger;
        }
        place[(*n)++] = (Place){head.number, at};
        at += sizeof head + head.records * sizeof(DataPacked);
    }
    return place;
}

static bool write_unit(Shuffle *h, const uint8_t *at, DataWriter *w, Fault *fault) {
    UnitHead head;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    for (uint64_t i = 0; i < head.records; i++, at += sizeof(DataPacked)) {
        DataPacked packed;
        DataRecord r;
        memcpy(&packed, at, sizeof packed);
        data_unpack(&r, &packed);
        if (!data_write(w, &r, fault)) return false;
        h->written++;
    }
    return true;
}

/* Says how far the second half is; false after Ctrl-C. */
static bool go_on(const Shuffle *h) {
    const DataProgress at = {
        .records = h->written, .bad = h->source->at.bad, .bytes = h->written, .total = h->source->at.records};
    if (h->source->progress) h->source->progress(h->source->context, &at);
    if (tabia_stop_requested()) h->source->outcome = DATA_STOPPED;
    return h->source->outcome == DATA_DONE;
}

static bool write_bucket(Shuffle *h, Bucket *b, DataWriter *w, Fault *fault) {
    enum { UNITS_BETWEEN = 1024 };
    size_t n = 0;
    if (!go_on(h) || !load(h, b, fault)) return false;
    Place *place = find_places(&b->bytes, &n);
    if (!place && b->bytes.n) return no_memory(fault);
    bool good = true;
    if (n) qsort(place, n, sizeof *place, by_number);
    for (size_t i = 0; i < n && good; i++)
        good = write_unit(h, b->bytes.at + place[i].at, w, fault) && (i % UNITS_BETWEEN || go_on(h));
    free(place);
    data_bytes_free(&b->bytes);
    return good;
}

static void let_go(Shuffle *h) {
    for (unsigned i = 0; h->bucket && i < 1u << h->n; i++) {
        if (h->bucket[i].file) fclose(h->bucket[i].file);
        data_bytes_free(&h->bucket[i].bytes);
    }
    free(h->bucket);
    data_bytes_free(&h->unit);
}

DataOutcome data_shuffle(DataSource *s, DataWriter *w, const DataShuffle *how, Fault *fault) {
    Shuffle h = {.seed = how->seed, .beside = how->beside, .source = s};
    DataRecord r;
    bool good = make_buckets(&h, data_source_most(s), how->memory, fault);
    while (good && data_source_next(s, &r, fault)) good = add_record(&h, &r, how->by_games, fault);
    good = good && s->outcome == DATA_DONE && put_unit(&h, fault);
    for (unsigned i = 0; good && i < 1u << h.n; i++) good = write_bucket(&h, &h.bucket[i], w, fault);
    let_go(&h);
    return good ? DATA_DONE : s->outcome == DATA_DONE ? DATA_OUTSIDE : s->outcome;
}
