/* SPDX-License-Identifier: MIT */
/* The explorer against small programs whose verdicts are known. */
#include "explore.h"
#include "programs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/*
 * A thread is words: "x=1" stores, "x" loads, "x+1" adds and gives what was there, "F" is a fence; behind it the order:
 * nothing for relaxed, A, R, B (acquire and release), S. The outcome is what the loads and additions of all threads gave.
 */
static const struct {
    const char *name, *thread[MODEL_THREADS], *outcome;
    bool allowed;
} litmus[] = {
    {"MP relaxed", {"x=1 y=1", "y x"}, "10", true},
    {"MP", {"x=1 y=1R", "yA x"}, "10", false},
    {"MP without release", {"x=1 y=1", "yA x"}, "10", true},
    {"MP without acquire", {"x=1 y=1R", "y x"}, "10", true},
    {"MP by fences", {"x=1 FR y=1", "y FA x"}, "10", false},
    {"MP by one fence", {"x=1 FR y=1", "y x"}, "10", true},
    {"MP, addition between", {"x=1 y=1R", "y+1", "yA x"}, "020", false},
    {"MP, store between", {"x=1 y=1R", "y=2", "yA x"}, "20", true},
    {"SB", {"x=1R yA", "y=1R xA"}, "00", true},
    {"SB by fences", {"x=1 FS y", "y=1 FS x"}, "00", false},
    {"SB by weak fences", {"x=1 FB y", "y=1 FB x"}, "00", true},
    {"SB sequential", {"x=1S yS", "y=1S xS"}, "00", false},
    {"LB", {"x y=1", "y x=1"}, "11", false}, /* C11 allows it, RC11 does not */
    {"CoRR", {"x=1 x=2", "x x"}, "21", false},
    {"CoRR, two writers", {"x=1", "x=2", "x x", "x x"}, "1221", false},
    {"CoWR", {"x=1 x", "x=2"}, "0", false},
    {"CoRW", {"x x=1", "x=2 x"}, "21", true},
    {"2+2W", {"x=1 y=2", "y=1 x=2", "xA x", "yA y"}, "2121", true},
    {"2+2W by fences", {"x=1 FS y=2", "y=1 FS x=2", "x x", "y y"}, "2121", false},
    {"additions", {"x+1", "x+1"}, "00", false},
    {"WRC", {"x=1", "xA y=1R", "yA x"}, "110", false},
    {"WRC relaxed", {"x=1", "x y=1", "y x"}, "110", true},
    {"IRIW", {"x=1R", "y=1R", "xA yA", "yA xA"}, "1010", true},
    {"IRIW by fences", {"x=1", "y=1", "x FS y", "y FS x"}, "1010", false},
    {"ISA2", {"x=1 y=1R", "yA z=1R", "zA x"}, "110", false},
};

static struct {
    unsigned test;
    uint64_t place[3]; /* x, y, z */
    char seen[MODEL_THREADS][8];
    bool allowed;
} now;

static void begin(void) {
    memset(now.place, 0, sizeof now.place);
    memset(now.seen, 0, sizeof now.seen);
}

static int order_of(char letter) {
    const char *const letters = "-?ARBS", *const found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : memory_order_relaxed;
}

static void run_thread(void) {
    const unsigned number = model_thread();
    for (const char *word = litmus[now.test].thread[number]; word;
         word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL) {
        ModelOperation o = {.kind = *word == 'F'     ? MODEL_FENCE
                                    : word[1] == '=' ? MODEL_STORE
                                    : word[1] == '+' ? MODEL_ADD
                                                     : MODEL_LOAD,
                            .bytes = 8,
                            .site = word};
        const char *order = word + 1;
        if (o.kind == MODEL_STORE || o.kind == MODEL_ADD) o.value = (uint64_t)(word[2] - '0'), order = word + 3;
        if (o.kind != MODEL_FENCE) o.at = &now.place[*word - 'x'];
        o.order = order_of(*order);
        const uint64_t before = model_perform(o);
        if (o.kind == MODEL_LOAD || o.kind == MODEL_ADD)
            now.seen[number][strlen(now.seen[number])] = (char)('0' + before);
    }
}
static void end(void) {
    char all[4 * sizeof now.seen] = "";
    for (unsigned i = 0; i < MODEL_THREADS; i++) strcat(all, now.seen[i]);
    now.allowed |= strcmp(all, litmus[now.test].outcome) == 0;
}

unsigned litmus_faults(void) {
    unsigned faults = 0;
    for (now.test = 0; now.test < sizeof litmus / sizeof *litmus; now.test++) {
        ModelProgram p = {.name = litmus[now.test].name, .begin = begin, .end = end};
        for (unsigned i = 0; i < MODEL_THREADS && litmus[now.test].thread[i]; i++) p.thread[i] = run_thread;
        now.allowed = false;
        const ModelResult r = model_explore(&p, MODEL_UNNUMBERED);
        const bool good = now.allowed == litmus[now.test].allowed;
        printf("%-9s %8lu runs  litmus: %s: %s%s\n", now.allowed ? "allowed" : "forbidden", r.runs, p.name,
               litmus[now.test].outcome, good ? "" : "   WRONG");
        faults += !good;
    }
    return faults;
}
