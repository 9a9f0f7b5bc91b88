/* SPDX-License-Identifier: MIT */
#include "sample_statistics.h"

#include <assert.h>
#include <string.h>

#include "base/checksum.h"
#include "expected_score.h"

/* Enough for one parameter. */
enum { SCORES_MAX = 1 << 18 };

/* A checksum of the checksum so far and of what a sample says; of no padding. */
static uint64_t extend_checksum(uint64_t checksum, const TrainSample *sample) {
    uint8_t bytes[sizeof checksum + sizeof sample->position + sizeof sample->score + 1];
    uint8_t *at = bytes;
    memcpy(at, &checksum, sizeof checksum), at += sizeof checksum;
    memcpy(at, sample->position, sizeof sample->position), at += sizeof sample->position;
    memcpy(at, &sample->score, sizeof sample->score), at += sizeof sample->score;
    *at++ = sample->result;
    return tabia_checksum(bytes, (size_t)(at - bytes));
}

/* All samples of a source: those for training, of which some are held out, or (scores is NULL) those for validation. */
static DataOutcome read_samples(SampleStatistics *statistics, SampleSpread *scores, SampleReader *reader,
                                TabiaError *error) {
    TrainSample sample;
    bool held_out;
    while (sample_read(reader, &sample, &held_out, error)) {
        statistics->checksum = extend_checksum(statistics->checksum, &sample);
        statistics->training += scores && !held_out;
        statistics->in_games += reader->game_n > 1;
        TrainSample own = sample;
        own.score = reader->own_score;
        if ((scores && !sample_spread_add(scores, &own)) ||
            ((held_out || !scores) && !sample_spread_add(&statistics->validation, &sample)))
            return tabia_fail(error, "no memory for %zu samples", statistics->validation.capacity), DATA_SYSTEM_ERROR;
    }
    if (scores) statistics->records = reader->source->position.records, statistics->quiet = reader->count;
    data_source_close(reader->source);
    return reader->source->outcome;
}

static bool has_samples(const SampleReader *reader, TabiaError *error) {
    return reader->count > 0 || tabia_fail(error, "%s: no quiet positions", reader->source->paths[0]);
}

DataOutcome sample_statistics(SampleStatistics *statistics, DataSource *source, DataSource *validation,
                              double td_lambda, TabiaError *error) {
    SampleSpread scores = {.capacity = SCORES_MAX};
    SampleReader training = {.source = source, .holds_out = !validation, .td_lambda = td_lambda},
                 held_out = {.source = validation, .td_lambda = td_lambda};
    *statistics = (SampleStatistics){.holds_out = !validation, .validation.capacity = SAMPLES_VALIDATION_MAX};
    DataOutcome outcome = read_samples(statistics, &scores, &training, error);
    if (outcome == DATA_DONE && !has_samples(&training, error)) outcome = DATA_BAD_INPUT;
    if (outcome == DATA_DONE) statistics->k = expected_score_fit(scores.sample, scores.count);
    sample_spread_free(&scores);
    if (outcome != DATA_DONE || !validation) return outcome;
    outcome = read_samples(statistics, NULL, &held_out, error);
    return outcome == DATA_DONE && !has_samples(&held_out, error) ? DATA_BAD_INPUT : outcome;
}

void sample_statistics_free(SampleStatistics *statistics) {
    sample_spread_free(&statistics->validation);
}
