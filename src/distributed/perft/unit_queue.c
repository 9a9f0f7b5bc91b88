/* SPDX-License-Identifier: MIT */
#include "unit_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool grow(UnitQueue *q, size_t n) {
    size_t capacity = q->capacity ? q->capacity : 1024;
    if (n <= q->capacity) return true;
    while (capacity < n) capacity *= 2;
    WireUnit *unit = malloc(capacity * sizeof *unit);
    if (!unit) return false;
    for (size_t i = 0; i < q->n; i++) unit[i] = q->unit[(q->first + i) % q->capacity];
    free(q->unit);
    q->unit = unit, q->first = 0, q->capacity = capacity;
    return true;
}

bool unit_queue_push(UnitQueue *q, const void *bytes, size_t n, int depth) {
    q->depth = depth;
    if (!grow(q, q->n + n)) return false;
    for (size_t i = 0; i < n; i++, q->n++)
        memcpy(q->unit + (q->first + q->n) % q->capacity, (const char *)bytes + i * sizeof(WireUnit), sizeof(WireUnit));
    assert(q->n <= q->capacity);
    return true;
}

/* A unit may have arrived long ago: what lies a few units ahead is prefetched. */
WireUnit unit_queue_pop(UnitQueue *q) {
    enum { AHEAD = 8, CACHE_LINE = 64 };
    assert(q->n > 0 && q->first < q->capacity);
    const WireUnit unit = q->unit[q->first];
    const char *ahead = (const char *)(q->unit + (q->first + AHEAD) % q->capacity);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE);
    q->first = (q->first + 1) % q->capacity;
    q->n--;
    return unit;
}

void unit_queue_release(UnitQueue *q) {
    free(q->unit);
    *q = (UnitQueue){0};
}
