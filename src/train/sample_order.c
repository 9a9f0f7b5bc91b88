/* SPDX-License-Identifier: MIT */
#include "sample_order.h"

#include <assert.h>

#include "base/random.h"

size_t validation_split(uint32_t *order, size_t n, unsigned divisor) {
    assert(divisor > 1 && n <= UINT32_MAX);
    enum { BLOCK_SAMPLES = 2048 };
    size_t at = 0, training = 0;
    for (int is_validation = 0; is_validation <= 1; is_validation++) {
        for (size_t i = 0; i < n; i++)
            if ((i / BLOCK_SAMPLES % divisor == divisor / 2) == is_validation) order[at++] = (uint32_t)i;
        if (!is_validation) training = at;
    }
    assert(at == n && training <= n);
    return training;
}

void thread_range(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to) {
    assert(begin <= end && worker < threads);
    const size_t n = end - begin;
    *from = begin + n * worker / threads, *to = begin + n * (worker + 1) / threads;
}

void order_shuffle(uint32_t *order, size_t n, uint64_t *seed) {
    for (size_t i = n; i > 1; i--) {
        const size_t other = random_below(seed, i);
        const uint32_t last = order[i - 1];
        order[i - 1] = order[other], order[other] = last;
    }
}
