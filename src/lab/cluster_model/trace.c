/* SPDX-License-Identifier: MIT */
/*
 * Traces as files:
 *
 *     | header | events | homes of sends |
 *
 * Words are as this machine writes them; a file of another byte order is refused.
 */
#include "trace.h"

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
    uint64_t byte_order, version, events, sends, homes_n;
    TraceHomes homes[TRACE_HOMES_MAX];
    char text[TRACE_TEXT_MAX];
    TraceOf of;
    uint64_t events_sum, home_sum;
    uint64_t header_sum; /* of all before it */
} Header;

_Static_assert(sizeof(TraceEvent) == 12, "the file holds these as they lie in memory");

/* ---- in memory ---- */

static void append(Trace *t, TraceEvent e) {
    if (t->events == t->room) {
        const uint64_t room = t->room ? 2 * t->room : 1 << 12;
        TraceEvent *more = realloc(t->event, room * sizeof *more);
        if (!more) t->no_memory = true;
        if (!more) return;
        t->event = more, t->room = room;
    }
    t->event[t->events++] = e;
}

void trace_add(Trace *t, TraceKind kind, unsigned depth, uint32_t owner, uint64_t work_ns) {
    for (; work_ns > UINT32_MAX; work_ns -= UINT32_MAX)
        append(t, (TraceEvent){.kind = TRACE_WORK, .work_ns = UINT32_MAX});
    append(t, (TraceEvent){owner, (uint32_t)work_ns, (uint8_t)kind, (uint8_t)depth, 0, 0});
}

void trace_was_known(Trace *t) {
    if (t->events) t->event[t->events - 1].more = 1;
}

void trace_add_send(Trace *t, unsigned part, unsigned moves, const uint16_t *home, uint64_t work_ns) {
    const unsigned each = t->homes_n - 1;
    if (t->sends == t->home_room) {
        const uint64_t room = t->home_room ? 2 * t->home_room : 1 << 12;
        uint16_t *more = realloc(t->home, (room * each + 1) * sizeof *more);
        if (!more) t->no_memory = true;
        if (!more) return;
        t->home = more, t->home_room = room;
    }
    memcpy(t->home + t->sends * each, home, each * sizeof *home);
    trace_add(t, TRACE_SEND, part, (uint32_t)t->sends++, work_ns < UINT32_MAX ? work_ns : UINT32_MAX);
    if (!t->no_memory) t->event[t->events - 1].more = (uint8_t)moves;
}

/* What is rounded away of one event is added to the next. */
void trace_scale(Trace *t, double factor) {
    double rest = 0;
    for (uint64_t i = 0; i < t->events; i++) {
        const double wished = t->event[i].work_ns * factor + rest;
        t->event[i].work_ns = wished < 0 ? 0 : wished < UINT32_MAX ? (uint32_t)wished : UINT32_MAX;
        rest = wished - t->event[i].work_ns;
    }
}

bool trace_find_homes(const Trace *t, unsigned ranks, unsigned *place) {
    for (*place = 0; *place < t->homes_n; ++*place)
        if (t->homes[*place].homes == ranks) return true;
    *place = 0;
    return !t->sends;
}

TraceSums trace_sums(const Trace *t) {
    TraceSums s = {0};
    for (uint64_t i = 0; i < t->events; i++) {
        s.of_kind[t->event[i].kind]++;
        s.known += t->event[i].kind == TRACE_ASK && t->event[i].more;
        s.work += t->event[i].work_ns * 1e-9;
    }
    return s;
}

void trace_free(Trace *t) {
    free(t->event);
    free(t->home);
    *t = (Trace){0};
}

/* ---- files ---- */

static uint64_t home_bytes(uint64_t sends, uint64_t homes_n) {
    return homes_n ? sends * (homes_n - 1) * sizeof(uint16_t) : 0;
}

static Header header_of(const Trace *t) {
    Header h = {.byte_order = byte_order, .version = VERSION, .events = t->events};
    h.sends = t->sends, h.homes_n = t->homes_n;
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.homes, t->homes, sizeof h.homes);
    memcpy(h.text, t->text, strnlen(t->text, sizeof h.text - 1));
    h.of = t->of;
    h.events_sum = tabia_checksum(t->event, t->events * sizeof *t->event);
    h.home_sum = tabia_checksum(t->home, home_bytes(t->sends, t->homes_n));
    h.header_sum = tabia_checksum(&h, offsetof(Header, header_sum));
    return h;
}

bool trace_write(const Trace *t, const char *path, Fault *fault) {
    if (t->no_memory) return tabia_fault(fault, "trace %.200s: there was not enough memory for all of it", path);
    if (!t->events) return tabia_fault(fault, "trace %.200s: nothing was recorded", path);
    const Header h = header_of(t);
    WholeFile file;
    FILE *out = tabia_whole_begin(&file, path, fault);
    return out && tabia_whole_end(&file,
                                  fwrite(&h, sizeof h, 1, out) == 1 &&
                                      fwrite(t->event, sizeof *t->event, t->events, out) == t->events &&
                                      fwrite(t->home, 1, home_bytes(t->sends, t->homes_n), out) ==
                                          home_bytes(t->sends, t->homes_n),
                                  fault);
}

static bool check_header(const Header *h, uint64_t file_bytes, const char *path, Fault *fault) {
    if (file_bytes < sizeof *h || memcmp(h->magic, magic, sizeof magic))
        return tabia_fault(fault, "%.200s: not a trace; `tabia simulate --record` makes one", path);
    if (h->byte_order != byte_order)
        return tabia_fault(fault, "trace %.200s: of another byte order; record it on this machine", path);
    if (h->version != VERSION)
        return tabia_fault(fault,
                           "trace %.200s: format version %" PRIu64 ", but this program knows %d; record it again", path,
                           h->version, VERSION);
    if (h->header_sum != tabia_checksum(h, offsetof(Header, header_sum)) || h->text[sizeof h->text - 1] ||
        h->of.fen[sizeof h->of.fen - 1])
        return tabia_fault(fault, "trace %.200s: its header is damaged; record it again", path);
    const unsigned __int128 bytes = sizeof *h + (unsigned __int128)h->events * sizeof(TraceEvent) +
                                    (unsigned __int128)home_bytes(h->sends, h->homes_n);
    if (!h->events || h->homes_n > TRACE_HOMES_MAX || h->sends > h->events || bytes != file_bytes)
        return tabia_fault(fault,
                           "trace %.200s: %ju bytes long, but its header speaks of %ju; it was cut, record it again",
                           path, (uintmax_t)file_bytes, (uintmax_t)bytes);
    return true;
}

static bool makes_sense(const Trace *t, uint64_t i, uint64_t *sends) {
    const TraceEvent *e = &t->event[i];
    if (e->kind >= TRACE_KINDS || e->zero || (!i && e->kind != TRACE_UNIT)) return false;
    if (e->kind == TRACE_SEND) return e->owner == (*sends)++ && t->homes_n;
    if (e->more > (e->kind == TRACE_ASK)) return false;
    return e->kind == TRACE_ASK || e->kind == TRACE_STORE || !e->owner;
}

static bool check_events(const Trace *t, const char *path, Fault *fault) {
    uint64_t sends = 0;
    for (uint64_t i = 0; i < t->events; i++)
        if (!makes_sense(t, i, &sends))
            return tabia_fault(fault, "trace %.200s: event %" PRIu64 " of %" PRIu64 " makes no sense; record it again",
                               path, i + 1, t->events);
    for (uint64_t i = 0; t->homes_n > 1 && i < t->sends * (t->homes_n - 1); i++)
        if (t->home[i] >= t->homes[1 + i % (t->homes_n - 1)].homes) sends = UINT64_MAX;
    return sends == t->sends || tabia_fault(fault, "trace %.200s: its homes make no sense; record it again", path);
}

static bool read_events(Trace *t, const Header *h, FILE *file, const char *path, Fault *fault) {
    t->event = malloc(h->events * sizeof *t->event);
    const uint64_t homes = home_bytes(h->sends, h->homes_n);
    t->home = malloc(homes + 1);
    if (!t->event || !t->home) return tabia_fault(fault, "trace %.200s: not enough memory to read it", path);
    t->events = t->room = h->events;
    t->sends = t->home_room = h->sends, t->homes_n = (unsigned)h->homes_n;
    memcpy(t->text, h->text, sizeof t->text);
    memcpy(t->homes, h->homes, sizeof t->homes);
    t->of = h->of;
    if (fread(t->event, sizeof *t->event, t->events, file) != t->events || fread(t->home, 1, homes, file) != homes)
        return tabia_fault(fault, "trace %.200s: cannot read it: %s", path, strerror(errno));
    if (tabia_checksum(t->event, t->events * sizeof *t->event) != h->events_sum)
        return tabia_fault(fault, "trace %.200s: its events are damaged; record it again", path);
    if (tabia_checksum(t->home, homes) != h->home_sum)
        return tabia_fault(fault, "trace %.200s: its homes are damaged; record it again", path);
    return check_events(t, path, fault);
}

static bool read_file(Trace *t, FILE *file, const char *path, Fault *fault) {
    Header h = {0};
    if (fseek(file, 0, SEEK_END)) return tabia_fault(fault, "trace %.200s: not a regular file", path);
    const long bytes = ftell(file);
    rewind(file);
    if (bytes < 0 || (fread(&h, sizeof h, 1, file) != 1 && ferror(file)))
        return tabia_fault(fault, "trace %.200s: cannot read it: %s", path, strerror(errno));
    return check_header(&h, (uint64_t)bytes, path, fault) && read_events(t, &h, file, path, fault);
}

bool trace_read(Trace *t, const char *path, Fault *fault) {
    *t = (Trace){0};
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fault(fault, "trace %.200s: cannot open it: %s", path, strerror(errno));
    const bool good = read_file(t, file, path, fault);
    fclose(file);
    if (!good) trace_free(t);
    return good;
}
