/* SPDX-License-Identifier: MIT */
#include "work_queue.h"

INLINE uint64_t range_of(uint64_t begin, uint64_t end) {
    return begin | end << 32;
}
INLINE uint64_t range_begin(uint64_t range) {
    return (uint32_t)range;
}
INLINE uint64_t range_end(uint64_t range) {
    return range >> 32;
}

void share_out(Share *shares, unsigned n, uint64_t units) {
    for (unsigned i = 0; i < n; i++) share_give(shares + i, units * i / n, units * (i + 1) / n);
}

void share_give(Share *share, uint64_t begin, uint64_t end) {
    atomic_store(&share->range, range_of(begin, end));
}

static int64_t take_front(Share *share) {
    uint64_t range = atomic_load_explicit(&share->range, memory_order_relaxed);
    while (range_begin(range) < range_end(range)) {
        const uint64_t rest = range_of(range_begin(range) + 1, range_end(range));
        if (atomic_compare_exchange_weak_explicit(&share->range, &range, rest, memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int64_t)range_begin(range);
    }
    return -1;
}

/* Whose range is the longest, and what it was. */
static Share *find_victim(Share *shares, unsigned n, uint64_t *range) {
    Share *victim = 0;
    uint64_t longest = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t other = atomic_load_explicit(&shares[i].range, memory_order_relaxed);
        if (range_begin(other) < range_end(other) && range_end(other) - range_begin(other) > longest)
            longest = range_end(other) - range_begin(other), victim = shares + i, *range = other;
    }
    return victim;
}

int64_t share_take(Share *shares, unsigned n, unsigned worker) {
    for (;;) {
        const int64_t unit = take_front(shares + worker);
        if (unit >= 0) return unit;
        uint64_t range;
        Share *victim = find_victim(shares, n, &range);
        if (!victim) return -1;
        const uint64_t middle = range_begin(range) + (range_end(range) - range_begin(range)) / 2;
        const uint64_t rest = range_of(range_begin(range), middle);
        if (atomic_compare_exchange_strong_explicit(&victim->range, &range, rest, memory_order_relaxed,
                                                    memory_order_relaxed))
            atomic_store_explicit(&shares[worker].range, range_of(middle, range_end(range)), memory_order_relaxed);
    }
}
