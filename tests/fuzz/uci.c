/* SPDX-License-Identifier: MIT */
/*
 * Conversations with the engine made of random words, the same on every machine (uci_check.h).
 *
 *     fuzz_uci COUNT SEED
 */
#include "fuzz/uci_check.h"

#include "base/random.h"

enum { BYTES_MAX = 120, PER_ENGINE = 100, SECONDS = 60 };

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: fuzz_uci COUNT SEED\n", stderr), 2;
    const unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10), goes = 0;
    UciCheck *c = uci_check_begin();
    for (unsigned i = 0; i < n; i++) {
        uint8_t data[BYTES_MAX];
        const unsigned bytes = 1 + random_below(&seed, BYTES_MAX);
        for (unsigned k = 0; k < bytes; k++) {
            const unsigned kind = random_below(&seed, 16);
            data[k] = (uint8_t)(kind < 4   ? '\n'
                                : kind < 6 ? 1 + random_below(&seed, 13)
                                           : random_below(&seed, UCI_WORDS));
            if (!random_below(&seed, 60)) data[k] = (uint8_t)random_below(&seed, 256);
        }
        alarm(SECONDS); /* a hang kills */
        uci_check(c, data, bytes);
        goes += c->goes;
        if (i % PER_ENGINE == PER_ENGINE - 1) {
            uci_check_end(c);
            c = uci_check_begin();
        }
    }
    uci_check_end(c);
    printf("%u conversations, %ju searches\n", n, (uintmax_t)goes);
    return goes == 0;
}
