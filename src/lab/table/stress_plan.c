/* SPDX-License-Identifier: MIT */
/* Which experiments, and what each should show. */
#include <assert.h>

#include "base/bits.h"
#include "stress.h"

static bool chosen(unsigned set, unsigned member) {
    return set >> member & 1;
}

/* The numbers of words that a record type comes in: those chosen for records, else 1. */
static unsigned words_of(const StressChoice *choice, TabiaRecordType type) {
    return type == TABIA_RECORDS ? choice->words : 1u << 1;
}

unsigned stress_plan(const StressChoice *choice, StressCase cases[STRESS_CASES_MAX]) {
    unsigned n = 0;
    for (unsigned way = STRESS_PAUSED; way <= STRESS_NONE; way++)
        for (unsigned type = TABIA_ENTRIES; type <= TABIA_RECORDS; type++)
            for (unsigned words = 1; words <= TABIA_RECORD_WORDS_MAX; words++)
                for (unsigned payload = STRESS_RANDOM; payload <= STRESS_SMALL; payload++) {
                    const StressCase c = {(TabiaRecordType)type, words, (StressPayload)payload, (StressWay)way};
                    if (chosen(choice->ways, way) && chosen(choice->types, type) &&
                        chosen(words_of(choice, c.type), words) && chosen(choice->payloads, payload) &&
                        n < STRESS_CASES_MAX)
                        cases[n++] = c;
                }
    return n;
}

void stress_amount(const StressCase *what, uint64_t probes, StressJob *job) {
    const uint64_t generous = 1000000000;
    const bool free = what->way == STRESS_NONE;
    job->probes = free ? probes / 100 : what->way == STRESS_PAUSED ? probes : probes / 10;
    if (!job->probes) job->probes = 1;
    assert(job->probes <= probes || probes == 0);
    const bool must_show = free && job->probes < generous;
    job->probes_max = must_show ? generous : job->probes;
}

bool stress_is_protected(const StressCase *what) {
    return what->way == STRESS_PAUSED || what->way == STRESS_CALLS;
}

bool stress_as_should_be(const StressCase *what, const StressResult *result) {
    if (stress_is_protected(what)) return result->accepted == 0;
    return what->way == STRESS_PLAIN || result->accepted > 0;
}
