/* SPDX-License-Identifier: MIT */
#include "sample_reader.h"

#include <assert.h>
#include <stdlib.h>

#include "game.h"

/* Decided positions are included. Games are shorter than a block. */
enum { SCORE_LIMIT = 3000, BLOCK_SAMPLES = 2048, HELD_OUT_DIVISOR = 16 };

/* Not marked to be skipped, not in check, and the move neither captures nor promotes. */
static bool is_quiet(const DataRecord *r) {
    return !r->skip && !in_check(&r->position) && (!r->move || game_is_quiet(&r->position, r->move)) &&
           abs(r->score) < SCORE_LIMIT;
}

static bool is_held_out(uint64_t index) {
    const uint64_t block = index / BLOCK_SAMPLES;
    return block % HELD_OUT_DIVISOR == HELD_OUT_DIVISOR / 2 &&
           block / HELD_OUT_DIVISOR < SAMPLES_VALIDATION_MAX / BLOCK_SAMPLES;
}

bool sample_read(SampleReader *reader, TrainSample *sample, bool *held_out, TabiaError *error) {
    DataRecord r;
    do {
        if (!data_source_next(reader->source, &r, error)) return false;
    } while (!is_quiet(&r));
    *sample = train_sample(&r.position, r.score, r.result + 1);
    const uint64_t index = reader->count++;
    if (held_out) *held_out = reader->holds_out && is_held_out(index);
    return true;
}

/* Every other one of a full set goes, and of what follows half as many come. */
static void thin_out(SampleSpread *s) {
    for (size_t i = 0; i < s->count / 2; i++) s->sample[i] = s->sample[2 * i];
    s->count /= 2, s->stride *= 2;
}

static bool grow(SampleSpread *s) {
    enum { FIRST_SAMPLES = 1 << 14 };
    const size_t wanted = s->room ? 2 * s->room : FIRST_SAMPLES, room = wanted < s->capacity ? wanted : s->capacity;
    TrainSample *larger = realloc(s->sample, room * sizeof *larger);
    if (!larger) return false;
    s->sample = larger, s->room = room;
    return true;
}

bool sample_spread_add(SampleSpread *s, const TrainSample *sample) {
    assert(s->capacity && s->capacity % 2 == 0);
    if (!s->stride) s->stride = 1;
    const uint64_t index = s->seen++;
    if (index % s->stride == 0 && s->count == s->capacity) thin_out(s);
    if (index % s->stride) return true;
    if (s->count == s->room && !grow(s)) return false;
    s->sample[s->count++] = *sample;
    assert(s->count <= s->room && s->room <= s->capacity);
    return true;
}

void sample_spread_free(SampleSpread *s) {
    free(s->sample);
    *s = (SampleSpread){0};
}
