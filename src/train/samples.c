/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <stdlib.h>

#include "quiet.h"

/* Nobody is winning yet. */
enum { SCORE_MOST = 1500 };

static bool grow(void **array, size_t *room, size_t need, size_t size) {
    if (need <= *room) return true;
    const size_t more = need * 3 / 2 + 1024;
    void *bigger = realloc(*array, more * size);
    if (!bigger) return false;
    *array = bigger, *room = more;
    return true;
}

static uint16_t keep_part(Samples *s, const int16_t *times, int n, int first_weight) {
    const size_t before = s->coefficients;
    for (int i = 0; i < n; i++)
        if (times[i]) s->coefficient[s->coefficients++] = (Coefficient){(uint16_t)(first_weight + i), times[i]};
    return (uint16_t)(s->coefficients - before);
}

bool samples_add(Samples *s, const EvaluationTrace *t, float score, int result) {
    if (t->special) return true;
    if (!grow((void **)&s->sample, &s->room, s->n + 1, sizeof *s->sample) ||
        !grow((void **)&s->coefficient, &s->coefficient_room, s->coefficients + WEIGHTS + DANGERS,
              sizeof *s->coefficient))
        return false;
    Sample *sample = &s->sample[s->n++];
    *sample = (Sample){.first = s->coefficients,
                       .phase = (uint8_t)t->phase,
                       .scale = (uint8_t)t->scale,
                       .target_score = score,
                       .result = (uint8_t)result};
    sample->n[PART_SUMMED] = keep_part(s, t->coefficient, DANGER_FIRST, 0);
    sample->n[PART_WHITE_DANGER] = keep_part(s, t->danger[WHITE], DANGERS, DANGER_FIRST);
    sample->n[PART_BLACK_DANGER] = keep_part(s, t->danger[BLACK], DANGERS, DANGER_FIRST);
    sample->n[PART_INITIATIVE] =
        keep_part(s, t->coefficient + INITIATIVE_FIRST, WEIGHTS - INITIATIVE_FIRST, INITIATIVE_FIRST);
    return true;
}

static bool add_record(Samples *s, const Evaluator *e, const DataRecord *r) {
    EvaluationTrace trace;
    s->read++;
    if (!record_is_quiet(r, SCORE_MOST)) return true;
    evaluate_trace(e, &r->position, &trace);
    return samples_add(s, &trace, data_white_score(r), data_white_result(r) + 1);
}

DataOutcome samples_read(Samples *s, DataSource *source, TabiaError *error) {
    *s = (Samples){0};
    Evaluator e;
    evaluator_init(&e, NULL, EVALUATION_TERMS);
    DataRecord record;
    bool room = true;
    while (room && data_source_next(source, &record, error)) room = add_record(s, &e, &record);
    data_source_close(source);
    if (!room) return tabia_fail(error, "no memory for %zu positions", s->n), DATA_SYSTEM_ERROR;
    if (source->outcome == DATA_DONE && !s->n)
        return tabia_fail(error, "%s: no quiet positions to learn from", source->paths[0]), DATA_BAD_INPUT;
    return source->outcome;
}

void samples_free(Samples *s) {
    free(s->sample);
    free(s->coefficient);
    *s = (Samples){0};
}
