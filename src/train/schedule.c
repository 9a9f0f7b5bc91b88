/* SPDX-License-Identifier: MIT */
#include "schedule.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double between(double initial, double final, double done) {
    return initial + (final - initial) * done;
}

double rate_at(const RateSchedule *rate, double done) {
    assert(done >= 0 && done <= 1);
    switch (rate->form) {
    case RATE_LINEAR:
        return between(rate->initial, rate->final, done);
    case RATE_STEP: {
        assert(rate->steps > 0);
        const double step = fmin(floor(done * (rate->steps + 1)), rate->steps);
        return rate->initial * pow(rate->final / rate->initial, step / rate->steps);
    }
    case RATE_CONSTANT:
        return rate->initial;
    default:
        return between(rate->initial, rate->final, (1 - cos(acos(-1) * done)) / 2);
    }
}

const char *rate_form_name(unsigned form) {
    static const char *const names[] = {
#define RATE_FORM_NAME(form, name) name,
        RATE_FORMS(RATE_FORM_NAME)
#undef RATE_FORM_NAME
    };
    return form < RATE_FORMS_N ? names[form] : NULL;
}

bool rate_form_parse(const char *name, RateForm *form, TabiaError *error) {
    for (unsigned i = 0; i < RATE_FORMS_N; i++)
        if (!strcmp(name, rate_form_name(i))) return *form = (RateForm)i, true;
    return tabia_fail(error, "'%s' is none of cosine, linear, step, constant", name);
}

double result_weight_at(const ResultWeight *weight, double done) {
    assert(done >= 0 && done <= 1);
    return between(weight->initial, weight->final, done);
}
