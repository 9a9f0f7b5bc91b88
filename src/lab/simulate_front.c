/* SPDX-License-Identifier: MIT */
#include "lab/simulate_front.h"

#include <stdlib.h>

#include "base/random.h"

bool simulate_front_make(SimulateFront *f, uint64_t asks) {
    uint64_t places = 16;
    while (places < 2 * asks) places *= 2;
    f->mask = places - 1;
    f->place = calloc(places, sizeof *f->place);
    return f->place;
}

bool simulate_front_knows(SimulateFront *f, uint32_t key, uint32_t range) {
    uint64_t seed = key, at = random_next(&seed) & f->mask;
    while (f->place[at].range && f->place[at].key != key) at = (at + 1) & f->mask;
    const bool knows = f->place[at].range == range + 1;
    f->place[at] = (SimulateFrontPlace){key, range + 1};
    return knows;
}

void simulate_front_free(SimulateFront *f) {
    free(f->place);
    *f = (SimulateFront){0};
}
