/* SPDX-License-Identifier: MIT */
#include "sample_reader.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "expected_score.h"
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

/* Scores are mixed as expected scores of this curve, so that those of won positions do not outweigh others. */
static const double MIXING_K = 0.004;

static int16_t score_of_expected(double expected) {
    const double limit = expected_score(MIXING_K, SCORE_LIMIT - 1);
    expected = expected > limit ? limit : expected < 1 - limit ? 1 - limit : expected;
    return (int16_t)lrint(log(expected / (1 - expected)) / MIXING_K);
}

/* TD(lambda) (Richard Sutton, 1988): each score becomes a mean of itself and what the next one has become. The last stays. */
static void mix_later_scores(SampleReader *r) {
    double mixed = 0.5;
    for (unsigned i = r->game_n; i-- > 0;) {
        const double own = r->game[i].skip ? 1 - mixed : expected_score(MIXING_K, r->game[i].score);
        mixed = i + 1 == r->game_n ? own : (1 - r->td_lambda) * own + r->td_lambda * (1 - mixed);
        r->mixed[i] = score_of_expected(mixed);
    }
}

/* Reads the next game, up to the first record of the one after it. Without td_lambda, a record. */
static bool read_game(SampleReader *r, TabiaError *error) {
    const unsigned limit = r->td_lambda > 0 ? SAMPLE_GAME_MAX : 1;
    r->game_n = r->game_at = 0;
    while (r->has_next || (r->source->outcome == DATA_DONE && data_source_next(r->source, &r->next, error))) {
        r->has_next = r->game_n == limit || (r->game_n && r->next.starts_game);
        if (r->has_next) break;
        r->game[r->game_n++] = r->next;
    }
    mix_later_scores(r);
    return r->game_n > 0;
}

bool sample_read(SampleReader *reader, TrainSample *sample, bool *held_out, TabiaError *error) {
    const DataRecord *r;
    do {
        if (reader->game_at == reader->game_n && !read_game(reader, error)) return false;
        r = &reader->game[reader->game_at++];
    } while (!is_quiet(r));
    *sample = train_sample(&r->position, reader->mixed[r - reader->game], r->result + 1);
    reader->own_score = (int16_t)r->score;
    const uint64_t index = reader->count++;
    if (held_out) *held_out = reader->holds_out && is_held_out(index);
    return true;
}

/* Every other one of a full set goes, and of what follows half as many come. */
static void thin_out(SampleSpread *s) {
    for (size_t i = 0; i < s->count / 2; i++) s->sample[i] = s->sample[2 * i];
    s->count /= 2, s->stride *= 2;
}

bool sample_spread_add(SampleSpread *s, const TrainSample *sample) {
    assert(s->capacity && s->capacity % 2 == 0);
    if (!s->stride) s->stride = 1, s->sample = malloc(s->capacity * sizeof *sample);
    if (!s->sample) return false;
    const uint64_t index = s->seen++;
    if (index % s->stride == 0 && s->count == s->capacity) thin_out(s);
    if (index % s->stride) return true;
    s->sample[s->count++] = *sample;
    assert(s->count <= s->capacity);
    return true;
}

void sample_spread_free(SampleSpread *s) {
    free(s->sample);
    *s = (SampleSpread){0};
}
