/* SPDX-License-Identifier: MIT */
/* tabia-lab table stress: reads the options, runs the cases one after another, prints them and the verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab.h"
#include "lab/table/stress.h"

typedef struct {
    StressChoice choice;
    StressJob job;
    uint64_t probes;
    bool json, quiet;
    unsigned progress; /* seconds between its lines; 0: on a terminal only */
} Options;

/* ---- options ---- */

static const char *const type_names[] = {"entries", "counts", "records", NULL};
static const char *const payload_names[] = {"random", "small", NULL};
static const char *const way_names[] = {"paused", "calls", "plain", "none", NULL};

/* One of the names, or all. */
static bool option_set(const char *option, const char *text, const char *const *names, unsigned *set,
                       TabiaError *error) {
    char known[80] = "";
    unsigned all = 0;
    for (unsigned i = 0; names[i]; i++) {
        if (!strcmp(text, names[i])) return *set = 1u << i, true;
        all |= 1u << i;
        strcat(strcat(known, names[i]), ", ");
    }
    if (!strcmp(text, "all")) return *set = all, true;
    return tabia_fail(error, "%s: '%s' is none of %sall", option, text, known);
}

static bool read_words(void *to, const char *text, TabiaError *error) {
    unsigned min, max;
    char rest;
    int n = sscanf(text, "%1u..%1u%c", &min, &max, &rest);
    if (n != 2) n = sscanf(text, "%1u%c", &min, &rest) == 1 ? (max = min, 2) : 0;
    if (n != 2 || min < 2 || max > TABIA_RECORD_WORDS_MAX || min > max)
        return tabia_fail(error, "--words: '%s' is not a number from 2 to 7, nor two as in 2..7", text);
    *(unsigned *)to = (2u << max) - (1u << min);
    return true;
}

/* In *to a bit for each name, or for all of them. */
static bool read_types(void *to, const char *text, TabiaError *error) {
    return option_set("--type", text, type_names, to, error);
}
static bool read_payloads(void *to, const char *text, TabiaError *error) {
    return option_set("--payload", text, payload_names, to, error);
}
static bool read_ways(void *to, const char *text, TabiaError *error) {
    return option_set("--way", text, way_names, to, error);
}

static bool read_command_line(int argc, char **argv, Options *o, TabiaError *error) {
    bool quick = false;
    const OptionRow rows[] = {reader_option("type", read_types, &o->choice.types),
                              reader_option("words", read_words, &o->choice.words),
                              reader_option("payload", read_payloads, &o->choice.payloads),
                              reader_option("way", read_ways, &o->choice.ways),
                              unsigned_option("threads", &o->job.threads, 1, STRESS_THREADS_MAX),
                              unsigned_option("processes", &o->job.processes, 1, STRESS_PROCESSES_MAX),
                              uint64_option("probes", &o->probes, 1, UINT64_MAX / 2),
                              flag_option("quick", &quick),
                              uint64_option("seed", &o->job.seed, 0, UINT64_MAX),
                              flag_option("json", &o->json),
                              flag_option("quiet", &o->quiet),
                              progress_option(&o->progress),
                              {0}};
    if (!option_rows(argc, argv, "table stress", rows, error)) return false;
    if (!o->probes) o->probes = quick ? 1000000 : 1000000000;
    return optind == argc || tabia_fail(error, "'%s' is one argument too many", argv[optind]);
}

/* ---- running ---- */

typedef struct {
    unsigned cases;
    StressCase what[STRESS_CASES_MAX];
    StressResult result[STRESS_CASES_MAX];
    unsigned done; /* cases that were run to their end */
} StressCommandRun;

/* The progress line: how far all cases are, and the time left at the rate so far. */
typedef struct {
    const StressCommandRun *run;
    double probes_done, probes_all; /* of finished cases, of all */
    double seconds;
    Progress progress;
} StressWatch;

static bool watch(void *context, const StressResult *now) {
    StressWatch *w = context;
    const double done = w->probes_done + (double)now->probes, seconds = w->seconds + now->seconds;
    if (tabia_progress_is_due(&w->progress, NULL)) {
        char rate[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX];
        tabia_rate_text(now->seconds > 0 ? (double)now->probes / now->seconds : 0, rate);
        const double rest = w->probes_all > done ? w->probes_all - done : 0;
        tabia_duration_text(done > 0 ? seconds * rest / done : -1, left);
        tabia_progress_show(&w->progress, "%u/%u cases, %s left, %s probes", w->run->done, w->run->cases, left, rate);
    }
    return tabia_stop_requested();
}

static void print_case(const StressCase *c, const StressResult *r) {
    char probes[SHORT_TEXT_MAX], hits[SHORT_TEXT_MAX], looked[SHORT_TEXT_MAX], rate[SHORT_TEXT_MAX],
        time[SHORT_TEXT_MAX], mixed[SHORT_TEXT_MAX] = "-";
    tabia_amount_text((double)r->probes, probes);
    tabia_amount_text((double)r->hits, hits);
    tabia_amount_text((double)r->looked, looked);
    tabia_rate_text(r->seconds > 0 ? (double)r->probes / r->seconds : 0, rate);
    tabia_duration_text(r->seconds, time);
    if (r->looked) snprintf(mixed, sizeof mixed, "%.2f %%", 100.0 * (double)r->mixed / (double)r->looked);
    printf("%-7s %-7s %5.0u %-8s %8s %8s %8s %7s %9ju %10s %7s%s\n", way_names[c->way], type_names[c->type], c->words,
           payload_names[c->payload], probes, hits, looked, mixed, (uintmax_t)r->accepted, rate, time,
           stress_as_should_be(c, r) ? "" : "  WRONG");
    fflush(stdout);
}

static bool run_all(const Options *o, StressCommandRun *run, TabiaError *error) {
    StressWatch w = {.run = run};
    StressJob job = o->job;
    job.watch = watch, job.context = &w;
    for (unsigned i = 0; i < run->cases; i++) {
        stress_amount(&run->what[i], o->probes, &job);
        w.probes_all += (double)job.probes;
    }
    option_progress_begin(&w.progress, o->quiet, o->progress, NULL);
    if (!o->json)
        printf("%-7s %-7s %5s %-8s %8s %8s %8s %7s %9s %10s %7s\n", "way", "type", "words", "payload", "probes", "hits",
               "looked", "mixed", "accepted", "rate", "time");
    for (; run->done < run->cases && !tabia_stop_requested(); run->done++) {
        StressResult *r = &run->result[run->done];
        stress_amount(&run->what[run->done], o->probes, &job);
        const bool good = stress_run(&run->what[run->done], &job, r, error);
        tabia_progress_end(&w.progress);
        if (!good) return false;
        if (tabia_stop_requested() && r->probes < job.probes) break;
        w.probes_done += (double)job.probes, w.seconds += r->seconds;
        if (!o->json) print_case(&run->what[run->done], r);
    }
    return true;
}

/* ---- what it comes to ---- */

/* Over what was run to its end. */
typedef struct {
    uint64_t probes, accepted, mixed; /* where it is protected */
    uint64_t min;                     /* probes of a protected and paused case */
    uint64_t free_accepted;           /* without protection */
    bool compared;                    /* was a case without protection among them? */
    unsigned wrong;
    double plain_max; /* the largest share of mixed slots that plain XOR believed */
    const StressCase *plain_case;
} Verdict;

static Verdict judge(const StressCommandRun *run) {
    Verdict v = {.min = UINT64_MAX};
    for (unsigned i = 0; i < run->done; i++) {
        const StressCase *c = &run->what[i];
        const StressResult *r = &run->result[i];
        v.wrong += !stress_as_should_be(c, r);
        if (stress_is_protected(c)) {
            v.probes += r->probes, v.accepted += r->accepted, v.mixed += r->mixed;
            if (c->way == STRESS_PAUSED && r->probes < v.min) v.min = r->probes;
        }
        if (c->way == STRESS_NONE) v.free_accepted += r->accepted, v.compared = true;
        const double share = r->mixed ? (double)r->believed / (double)r->mixed : 0;
        if (c->way == STRESS_PLAIN && share > v.plain_max) v.plain_max = share, v.plain_case = c;
    }
    return v;
}

static void print_verdict(const StressCommandRun *run, const Verdict *v) {
    char probes[SHORT_TEXT_MAX], min[SHORT_TEXT_MAX], mixed[SHORT_TEXT_MAX];
    if (v->plain_case)
        printf("\nfinding: XOR of the bare words, without a hash, believes up to %.1e of mixed slots (%s, %.0u words, "
               "%s)\n",
               v->plain_max, type_names[v->plain_case->type], v->plain_case->words,
               payload_names[v->plain_case->payload]);
    if (v->probes) {
        tabia_amount_text((double)v->probes, probes);
        tabia_amount_text((double)v->mixed, mixed);
        tabia_amount_text(v->min == UINT64_MAX ? 0 : (double)v->min, min);
        printf("protected: %ju foreign payloads accepted in %s probes, at least %s in each paused case; %s mixed slots "
               "seen\n",
               (uintmax_t)v->accepted, probes, min, mixed);
    }
    if (v->probes && !v->compared)
        puts("way none was not tried: --way all shows that this run would have noticed a fault");
    if (v->free_accepted)
        printf("none: %ju foreign payloads accepted, so the stress is real\n", (uintmax_t)v->free_accepted);
    if (run->done < run->cases)
        printf("verdict: stopped after %u of %u cases%s\n", run->done, run->cases,
               !v->wrong ? ", nothing wrong so far" : "; WRONG");
    else if (!v->wrong)
        printf("verdict: as it should be, %u cases\n", run->cases);
    else
        printf("verdict: WRONG in %u of %u cases\n", v->wrong, run->cases);
}

static bool print_json(const Options *o, const StressCommandRun *run, const Verdict *v, TabiaError *error) {
    Json j;
    json_document(&j, "table stress");
    tabia_json_integer(&j, "threads", o->job.threads);
    tabia_json_integer(&j, "processes", o->job.processes);
    tabia_json_integer(&j, "lines", o->job.lines);
    tabia_json_integer(&j, "keys", o->job.keys);
    tabia_json_integer(&j, "pause", o->job.pause);
    tabia_json_count(&j, "seed", o->job.seed);
    tabia_json_array(&j, "cases");
    for (unsigned i = 0; i < run->done; i++) {
        const StressCase *c = &run->what[i];
        const StressResult *r = &run->result[i];
        tabia_json_object(&j, NULL);
        tabia_json_text(&j, "way", way_names[c->way]);
        tabia_json_text(&j, "type", type_names[c->type]);
        tabia_json_integer(&j, "words", c->words);
        tabia_json_text(&j, "payload", payload_names[c->payload]);
        tabia_json_count(&j, "probes", r->probes);
        tabia_json_count(&j, "hits", r->hits);
        tabia_json_count(&j, "stores", r->stores);
        tabia_json_count(&j, "accepted", r->accepted);
        tabia_json_count(&j, "slots_looked_into", r->looked);
        tabia_json_count(&j, "slots_mixed", r->mixed);
        tabia_json_count(&j, "slots_mixed_and_believed", r->believed);
        tabia_json_real(&j, "seconds", r->seconds);
        tabia_json_real(&j, "probes_per_second", r->seconds > 0 ? (double)r->probes / r->seconds : 0);
        tabia_json_boolean(&j, "as_should_be", stress_as_should_be(c, r));
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_boolean(&j, "complete", run->done == run->cases);
    tabia_json_count(&j, "protected_probes", v->probes);
    tabia_json_count(&j, "protected_accepted", v->accepted);
    tabia_json_count(&j, "none_accepted", v->free_accepted);
    tabia_json_real(&j, "plain_believed_of_mixed", v->plain_max);
    tabia_json_boolean(&j, "good", !v->wrong);
    return tabia_json_end(&j, error);
}

static int run_and_report(const Options *o) {
    TabiaError error;
    StressCommandRun *run = calloc(1, sizeof *run);
    if (!run) return tabia_fail(&error, "no memory to begin with"), report_error("table stress", &error, EXIT_OUTSIDE);
    run->cases = stress_plan(&o->choice, run->what);
    tabia_stop_install(true);
    bool good = run_all(o, run, &error);
    const Verdict v = judge(run);
    if (good && o->json)
        good = print_json(o, run, &v, &error);
    else if (good)
        print_verdict(run, &v);
    const bool complete = run->done == run->cases;
    free(run);
    if (!good) return report_error("table stress", &error, EXIT_OUTSIDE);
    if (v.wrong) return EXIT_DIFFERS;
    return complete ? EXIT_GOOD : EXIT_STOPPED;
}

int table_stress(int argc, char **argv) {
    const unsigned cores = tabia_threads_usable();
    const unsigned everything = ~0u;
    Options o = {
        .choice = {.types = everything, .words = 0xfc, .payloads = everything, .ways = everything},
        .job = {.processes = 1, .lines = 1, .keys = 16, .pause = 32, .seed = 1},
    };
    TabiaError error;
    if (!read_command_line(argc, argv, &o, &error)) return report_error("table stress", &error, EXIT_USAGE);
    if (!o.job.threads) o.job.threads = o.job.processes > 1 ? 1 : cores < 2 ? 2 : cores;
    if (o.job.threads > STRESS_THREADS_MAX) o.job.threads = STRESS_THREADS_MAX;
    return run_and_report(&o);
}
