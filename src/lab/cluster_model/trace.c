/* SPDX-License-Identifier: MIT */
/*
 * Traces as files:
 *
 *     | header | events | owners of sibling sets |
 *
 * Byte order is that of the machine; a file of another byte order is refused.
 */
#include "trace.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/checksum.h"

enum { VERSION = 3 };
static const char magic[8] = "tabiatrc";
static const uint64_t byte_order = 0x0102030405060708;

typedef struct {
    char magic[8];
    uint64_t byte_order, version, events, sibling_sets, partitions;
    TracePartition partition[TRACE_PARTITIONS_MAX];
    char text[TRACE_TEXT_MAX];
    TraceSource source;
    uint64_t events_checksum, owners_checksum;
    uint64_t header_checksum; /* of all before it */
} TraceHeader;

_Static_assert(sizeof(TraceEvent) == 12, "the file holds these as they lie in memory");

/* ---- in memory ---- */

static void append(Trace *t, TraceEvent e) {
    if (t->events == t->capacity) {
        const uint64_t room = t->capacity ? 2 * t->capacity : 1 << 12;
        TraceEvent *grown = realloc(t->event, room * sizeof *grown);
        if (!grown) t->out_of_memory = true;
        if (!grown) return;
        t->event = grown, t->capacity = room;
    }
    t->event[t->events++] = e;
}

void trace_add(Trace *t, TraceEventType kind, unsigned depth, uint32_t owner, uint64_t work_ns) {
    for (; work_ns > UINT32_MAX; work_ns -= UINT32_MAX)
        append(t, (TraceEvent){.type = TRACE_WORK, .work_ns = UINT32_MAX});
    append(t, (TraceEvent){owner, (uint32_t)work_ns, (uint8_t)kind, (uint8_t)depth, 0, 0});
}

void trace_mark_hit(Trace *t) {
    if (t->events) t->event[t->events - 1].detail = 1;
}

void trace_add_siblings(Trace *t, unsigned set, unsigned moves, const uint16_t *owner, uint64_t work_ns) {
    assert(t->partitions && set < UINT8_MAX && moves <= UINT8_MAX);
    const unsigned each = t->partitions - 1;
    if (t->sibling_sets == t->set_capacity) {
        const uint64_t room = t->set_capacity ? 2 * t->set_capacity : 1 << 12;
        uint16_t *grown = realloc(t->set_owner, (room * each + 1) * sizeof *grown);
        if (!grown) t->out_of_memory = true;
        if (!grown) return;
        t->set_owner = grown, t->set_capacity = room;
    }
    memcpy(t->set_owner + t->sibling_sets * each, owner, each * sizeof *owner);
    trace_add(t, TRACE_SIBLINGS, set, (uint32_t)t->sibling_sets++, work_ns < UINT32_MAX ? work_ns : UINT32_MAX);
    if (!t->out_of_memory) t->event[t->events - 1].detail = (uint8_t)moves;
}

/* The rounding error of one event is carried over to the next. */
void trace_scale(Trace *t, double factor) {
    double carry = 0;
    for (uint64_t i = 0; i < t->events; i++) {
        const double scaled = t->event[i].work_ns * factor + carry;
        t->event[i].work_ns = scaled < 0 ? 0 : scaled < UINT32_MAX ? (uint32_t)scaled : UINT32_MAX;
        carry = scaled - t->event[i].work_ns;
    }
}

bool trace_find_partition(const Trace *t, unsigned ranks, unsigned *place) {
    for (*place = 0; *place < t->partitions; ++*place)
        if (t->partition[*place].owners == ranks) return true;
    *place = 0;
    return !t->sibling_sets;
}

TraceSums trace_sums(const Trace *t) {
    TraceSums s = {0};
    for (uint64_t i = 0; i < t->events; i++) {
        s.of_type[t->event[i].type]++;
        s.hits += t->event[i].type == TRACE_PROBE && t->event[i].detail;
        s.work += t->event[i].work_ns * 1e-9;
    }
    return s;
}

void trace_free(Trace *t) {
    free(t->event);
    free(t->set_owner);
    *t = (Trace){0};
}

/* ---- files ---- */

static uint64_t owner_bytes(uint64_t sets, uint64_t partitions) {
    return partitions ? sets * (partitions - 1) * sizeof(uint16_t) : 0;
}

static TraceHeader make_header(const Trace *t) {
    TraceHeader h = {.byte_order = byte_order, .version = VERSION, .events = t->events};
    h.sibling_sets = t->sibling_sets, h.partitions = t->partitions;
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.partition, t->partition, sizeof h.partition);
    memcpy(h.text, t->text, strnlen(t->text, sizeof h.text - 1));
    h.source = t->source;
    h.events_checksum = tabia_checksum(t->event, t->events * sizeof *t->event);
    h.owners_checksum = tabia_checksum(t->set_owner, owner_bytes(t->sibling_sets, t->partitions));
    h.header_checksum = tabia_checksum(&h, offsetof(TraceHeader, header_checksum));
    return h;
}

bool trace_write(const Trace *t, const char *file_name, TabiaError *error) {
    if (t->out_of_memory)
        return tabia_fail(error, "trace %.200s: there was not enough memory for all of it", file_name);
    if (!t->events) return tabia_fail(error, "trace %.200s: nothing was recorded", file_name);
    const TraceHeader h = make_header(t);
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, file_name, error);
    return out && tabia_atomic_file_commit(&file,
                                           fwrite(&h, sizeof h, 1, out) == 1 &&
                                               fwrite(t->event, sizeof *t->event, t->events, out) == t->events &&
                                               fwrite(t->set_owner, 1, owner_bytes(t->sibling_sets, t->partitions),
                                                      out) == owner_bytes(t->sibling_sets, t->partitions),
                                           error);
}

static bool check_header(const TraceHeader *h, uint64_t file_bytes, const char *file_name, TabiaError *error) {
    if (file_bytes < sizeof *h || memcmp(h->magic, magic, sizeof magic))
        return tabia_fail(error, "%.200s: not a trace; `tabia-lab simulate --record` makes one", file_name);
    if (h->byte_order != byte_order)
        return tabia_fail(error, "trace %.200s: it has another byte order; record it on this machine", file_name);
    if (h->version != VERSION)
        return tabia_fail(error, "trace %.200s: format version %" PRIu64 ", but this program knows %d; record it again",
                          file_name, h->version, VERSION);
    if (h->header_checksum != tabia_checksum(h, offsetof(TraceHeader, header_checksum)) ||
        h->text[sizeof h->text - 1] || h->source.fen[sizeof h->source.fen - 1])
        return tabia_fail(error, "trace %.200s: its header is damaged; record it again", file_name);
    const unsigned __int128 bytes = sizeof *h + (unsigned __int128)h->events * sizeof(TraceEvent) +
                                    (unsigned __int128)owner_bytes(h->sibling_sets, h->partitions);
    if (!h->events || h->partitions > TRACE_PARTITIONS_MAX || h->sibling_sets > h->events || bytes != file_bytes)
        return tabia_fail(
            error, "trace %.200s: %ju bytes long, but its header requires %ju; it was truncated, record it again",
            file_name, (uintmax_t)file_bytes, (uintmax_t)bytes);
    return true;
}

static bool is_valid_event(const Trace *t, uint64_t i, uint64_t *sends) {
    const TraceEvent *e = &t->event[i];
    if (e->type >= TRACE_TYPES || e->reserved || (!i && e->type != TRACE_UNIT)) return false;
    if (e->type == TRACE_SIBLINGS) return e->owner == (*sends)++ && t->partitions;
    if (e->detail > (e->type == TRACE_PROBE)) return false;
    return e->type == TRACE_PROBE || e->type == TRACE_STORE || !e->owner;
}

static bool check_events(const Trace *t, const char *file_name, TabiaError *error) {
    uint64_t sends = 0;
    for (uint64_t i = 0; i < t->events; i++)
        if (!is_valid_event(t, i, &sends))
            return tabia_fail(error, "trace %.200s: event %" PRIu64 " of %" PRIu64 " is invalid; record it again",
                              file_name, i + 1, t->events);
    for (uint64_t i = 0; t->partitions > 1 && i < t->sibling_sets * (t->partitions - 1); i++)
        if (t->set_owner[i] >= t->partition[1 + i % (t->partitions - 1)].owners) sends = UINT64_MAX;
    return sends == t->sibling_sets ||
           tabia_fail(error, "trace %.200s: its owners are invalid; record it again", file_name);
}

static bool read_events(Trace *t, const TraceHeader *h, FILE *file, const char *file_name, TabiaError *error) {
    t->event = malloc(h->events * sizeof *t->event);
    const uint64_t owners = owner_bytes(h->sibling_sets, h->partitions);
    t->set_owner = malloc(owners + 1);
    if (!t->event || !t->set_owner) return tabia_fail(error, "trace %.200s: not enough memory to read it", file_name);
    t->events = t->capacity = h->events;
    t->sibling_sets = t->set_capacity = h->sibling_sets, t->partitions = (unsigned)h->partitions;
    memcpy(t->text, h->text, sizeof t->text);
    memcpy(t->partition, h->partition, sizeof t->partition);
    t->source = h->source;
    if (fread(t->event, sizeof *t->event, t->events, file) != t->events ||
        fread(t->set_owner, 1, owners, file) != owners)
        return tabia_fail(error, "trace %.200s: cannot read it: %s", file_name, strerror(errno));
    if (tabia_checksum(t->event, t->events * sizeof *t->event) != h->events_checksum)
        return tabia_fail(error, "trace %.200s: its events are damaged; record it again", file_name);
    if (tabia_checksum(t->set_owner, owners) != h->owners_checksum)
        return tabia_fail(error, "trace %.200s: its owners are damaged; record it again", file_name);
    return check_events(t, file_name, error);
}

static bool read_file(Trace *t, FILE *file, const char *file_name, TabiaError *error) {
    TraceHeader h = {0};
    if (fseek(file, 0, SEEK_END)) return tabia_fail(error, "trace %.200s: not a regular file", file_name);
    const long bytes = ftell(file);
    rewind(file);
    if (bytes < 0 || (fread(&h, sizeof h, 1, file) != 1 && ferror(file)))
        return tabia_fail(error, "trace %.200s: cannot read it: %s", file_name, strerror(errno));
    return check_header(&h, (uint64_t)bytes, file_name, error) && read_events(t, &h, file, file_name, error);
}

bool trace_read(Trace *t, const char *file_name, TabiaError *error) {
    *t = (Trace){0};
    FILE *file = fopen(file_name, "rb");
    if (!file) return tabia_fail(error, "trace %.200s: cannot open it: %s", file_name, strerror(errno));
    const bool good = read_file(t, file, file_name, error);
    fclose(file);
    if (!good) trace_free(t);
    return good;
}
