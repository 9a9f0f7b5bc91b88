/* SPDX-License-Identifier: MIT */
/* How the learning rate and the weight of the game's result change during a training. */
#pragma once
#include "base/error.h"

/* From `initial` to `final`; identifier, name on the command line. */
#define RATE_FORMS(FORM)                                                                                               \
    FORM(COSINE, "cosine")     /* half a cosine (Ilya Loshchilov and Frank Hutter, "SGDR", 2017) */                    \
    FORM(LINEAR, "linear")     /* a straight line */                                                                   \
    FORM(STEP, "step")         /* `steps` equal factors, at equal distances */                                         \
    FORM(CONSTANT, "constant") /* `initial` to the end */

typedef enum {
#define RATE_FORM_ENTRY(form, name) RATE_##form,
    RATE_FORMS(RATE_FORM_ENTRY)
#undef RATE_FORM_ENTRY
        RATE_FORMS_N
} RateForm;

typedef struct {
    RateForm form;
    double initial, final;
    unsigned steps; /* of RATE_STEP: at least 1 */
} RateSchedule;

/* The rate when the fraction `done` of the work is done, 0 to 1. */
double rate_at(const RateSchedule *rate, double done);

/* "cosine"; NULL past the last. */
const char *rate_form_name(unsigned form);

/* By name; false with an error that lists the names. */
bool rate_form_parse(const char *name, RateForm *form, TabiaError *error);

/* The weight of the result in the target, 0 to 1; the rest is the search's score. A straight line. */
typedef struct {
    double initial, final;
} ResultWeight;

double result_weight_at(const ResultWeight *weight, double done);
