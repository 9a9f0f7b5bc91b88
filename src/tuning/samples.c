/* SPDX-License-Identifier: MIT */
#include "tuning/samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fen.h"

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

/* "FEN | score | result" */
static bool parse_line(char *line, Position *p, float *score, int *result, Fault *fault) {
    char *first = strchr(line, '|'), *second = first ? strchr(first + 1, '|') : NULL;
    if (!second) return tabia_fault(fault, "expected FEN | score | result");
    *first = 0;
    char *score_end, *result_end;
    *score = strtof(first + 1, &score_end);
    const double points = strtod(second + 1, &result_end);
    if (score_end == first + 1 || strspn(score_end, " ") != (size_t)(second - score_end))
        return tabia_fault(fault, "the score is no number");
    if (result_end == second + 1 || (points != 0 && points != 0.5 && points != 1))
        return tabia_fault(fault, "the result is not 0.0, 0.5 or 1.0");
    *result = (int)(2 * points);
    return fen_parse(p, line, fault);
}

bool samples_read(Samples *s, const char *path, Fault *fault) {
    *s = (Samples){0};
    FILE *in = fopen(path, "r");
    if (!in) return tabia_fault(fault, "%s: %s", path, strerror(errno));
    Evaluator e;
    evaluator_init(&e, NULL, NULL);
    char line[512];
    Fault why;
    bool good = true;
    for (size_t number = 1; good && fgets(line, sizeof line, in); number++) {
        Position p;
        float score;
        int result;
        EvaluationTrace trace;
        if (!parse_line(line, &p, &score, &result, &why)) {
            good = tabia_fault(fault, "%s, line %zu: %s", path, number, why.text);
            break;
        }
        evaluate_trace(&e, &p, &trace);
        good = samples_add(s, &trace, score, result) || tabia_fault(fault, "no memory for %zu positions", s->n);
    }
    if (good && ferror(in)) good = tabia_fault(fault, "cannot read %s", path);
    fclose(in);
    return good;
}

void samples_free(Samples *s) {
    free(s->sample);
    free(s->coefficient);
    *s = (Samples){0};
}
