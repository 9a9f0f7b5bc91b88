/* SPDX-License-Identifier: MIT */
#include "work_queue.h"

#include <assert.h>

INLINE uint64_t range_of(uint64_t begin, uint64_t end) {
    return begin | end << 32;
}
INLINE uint64_t range_begin(uint64_t range) {
    return (uint32_t)range;
}
INLINE uint64_t range_end(uint64_t range) {
    return range >> 32;
}

void work_ranges_divide(WorkRange *ranges, unsigned n, uint64_t units) {
    assert(n > 0);
    for (unsigned i = 0; i < n; i++) work_range_set(ranges + i, units * i / n, units * (i + 1) / n);
}

void work_range_set(WorkRange *range, uint64_t begin, uint64_t end) {
    assert(begin <= end && end <= UINT32_MAX);
    atomic_store(&range->range, range_of(begin, end));
}

static int64_t pop_front(WorkRange *own) {
    uint64_t range = atomic_load_explicit(&own->range, memory_order_relaxed);
    while (range_begin(range) < range_end(range)) {
        const uint64_t rest = range_of(range_begin(range) + 1, range_end(range));
        if (atomic_compare_exchange_weak_explicit(&own->range, &range, rest, memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int64_t)range_begin(range);
    }
    return -1;
}

/* Whose range is the longest, and what it was. */
static WorkRange *find_victim(WorkRange *ranges, unsigned n, uint64_t *range) {
    WorkRange *victim = 0;
    uint64_t longest = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t other = atomic_load_explicit(&ranges[i].range, memory_order_relaxed);
        if (range_begin(other) < range_end(other) && range_end(other) - range_begin(other) > longest)
            longest = range_end(other) - range_begin(other), victim = ranges + i, *range = other;
    }
    return victim;
}

int64_t work_ranges_pop(WorkRange *ranges, unsigned n, unsigned worker) {
    for (;;) {
        assert(worker < n);
        const int64_t unit = pop_front(ranges + worker);
        if (unit >= 0) return unit;
        uint64_t range;
        WorkRange *victim = find_victim(ranges, n, &range);
        if (!victim) return -1;
        assert(victim != ranges + worker || range_begin(range) < range_end(range));
        const uint64_t middle = range_begin(range) + (range_end(range) - range_begin(range)) / 2;
        const uint64_t rest = range_of(range_begin(range), middle);
        if (atomic_compare_exchange_strong_explicit(&victim->range, &range, rest, memory_order_relaxed,
                                                    memory_order_relaxed))
            atomic_store_explicit(&ranges[worker].range, range_of(middle, range_end(range)), memory_order_relaxed);
    }
}
