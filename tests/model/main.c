/* SPDX-License-Identifier: MIT */
/*
 * Explores what threads share, in all ways of the memory model of C11. Each program must hold. With one of its operations made relaxed, or a
 * lock or a look left out, it must fail, and so must the wrong programs: a proof that cannot fail shows nothing.
 */
#include <stdio.h>

#include "programs.h"

static bool report(const ModelProgram *p, int weak, bool fails) {
    const ModelResult r = model_explore(p, weak);
    const bool good = fails ? r.fault != NULL : !r.fault && r.whole;
    printf("%-9s %8lu runs  %s%s%s%s\n", r.fault ? "fails" : "holds", r.runs,
           weak < 0 ? p->name : model_ordered_name((unsigned)weak), r.fault ? ": " : "", r.fault ? r.fault : "",
           good ? "" : "   WRONG: it should not");
    return good;
}

int main(void) {
    static const ModelProgram *const right[] = {&model_lock,         &model_cut,     &model_split,
                                                &model_zeroing,      &model_clears,  &model_named,
                                                &model_named_killed, &model_entries, &model_words};
    static const ModelProgram *const wrong[] = {&model_in_place, &model_entries_plain, &model_entries_none,
                                                &model_words_plain, &model_words_none};
    unsigned faults = litmus_faults(), weak = 0;
    for (unsigned i = 0; i < sizeof right / sizeof *right; i++) {
        faults += !report(right[i], MODEL_AS_IT_IS, false);
        for (; weak < model_ordered(); weak++) faults += !report(right[i], (int)weak, true);
    }
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) faults += !report(wrong[i], MODEL_AS_IT_IS, true);
    printf("%u operations made relaxed or left out; %u wrong\n", weak, faults);
    return faults != 0;
}
