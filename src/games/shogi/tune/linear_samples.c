/* SPDX-License-Identifier: MIT */
#include "linear_samples.h"

#include <assert.h>
#include <stdlib.h>

#include "train/quiet_record.h"

/* Decided positions are excluded. */
enum { SCORE_LIMIT = 1500 };

static bool grow(void **array, size_t *capacity, size_t need, size_t size) {
    if (need <= *capacity) return true;
    const size_t larger_capacity = need * 3 / 2 + 1024;
    void *larger = realloc(*array, larger_capacity * size);
    if (!larger) return false;
    *array = larger, *capacity = larger_capacity;
    return true;
}

static uint16_t append_coefficients(LinearSamples *s, const int16_t *value, int n, int first_weight) {
    const size_t before = s->coefficient_count;
    for (int i = 0; i < n; i++)
        if (value[i])
            s->coefficient[s->coefficient_count++] = (LinearCoefficient){(uint16_t)(first_weight + i), value[i]};
    return (uint16_t)(s->coefficient_count - before);
}

bool linear_samples_add(LinearSamples *s, const EvaluationTrace *t, float score, int result) {
    if (!grow((void **)&s->sample, &s->capacity, s->count + 1, sizeof *s->sample) ||
        !grow((void **)&s->coefficient, &s->coefficient_capacity, s->coefficient_count + WEIGHTS + DANGERS,
              sizeof *s->coefficient))
        return false;
    assert(result >= 0 && result <= 2);
    LinearSample *sample = &s->sample[s->count++];
    *sample = (LinearSample){.first_coefficient = s->coefficient_count,
                             .phase = (uint8_t)t->phase,
                             .search_score = score,
                             .result = (uint8_t)result};
    sample->group_size[GROUP_SUMMED] = append_coefficients(s, t->coefficient, DANGER_FIRST, 0);
    for (int side = 0; side < 2; side++)
        sample->group_size[GROUP_DANGER + side] = append_coefficients(s, t->danger[side], DANGERS, DANGER_FIRST);
    return true;
}

static bool add_record(LinearSamples *s, const Evaluator *e, const DataRecord *r) {
    EvaluationTrace trace;
    s->records_read++;
    if (!record_is_quiet(r, SCORE_LIMIT)) return true;
    evaluate_trace(e, &r->position, &trace);
    return linear_samples_add(s, &trace, data_white_score(r), data_white_result(r) + 1);
}

DataOutcome linear_samples_read(LinearSamples *s, DataSource *source, TabiaError *error) {
    *s = (LinearSamples){0};
    Evaluator e;
    evaluator_init(&e, EVALUATION_HANDCRAFTED);
    DataRecord record;
    bool has_memory = true;
    while (has_memory && data_source_next(source, &record, error)) has_memory = add_record(s, &e, &record);
    data_source_close(source);
    if (!has_memory) return tabia_fail(error, "out of memory for %zu positions", s->count), DATA_SYSTEM_ERROR;
    if (source->outcome == DATA_DONE && !s->count)
        return tabia_fail(error, "%s: no quiet positions", source->paths[0]), DATA_BAD_INPUT;
    return source->outcome;
}

void linear_samples_free(LinearSamples *s) {
    free(s->sample);
    free(s->coefficient);
    *s = (LinearSamples){0};
}
