/* SPDX-License-Identifier: MIT */
#include "explore.h"

#undef _FORTIFY_SOURCE /* whose longjmp refuses to change stacks */
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum {
    PLACES = 64,
    MESSAGES = 256,
    CHOICES = 2000,
    SITES = 64,
    NAMES = 64,
    READS = 128,
    STACK_BYTES = 256 << 10,
    STEPS = 1000,
    STATES = 1 << 22
};

/* What a thread, or who reads a message, has seen: of each place, and of each thread's plain accesses. */
typedef struct {
    double stamp[PLACES];
    unsigned clock[MODEL_THREADS];
} View;

typedef struct {
    uint64_t value, name;
    double stamp;  /* orders the messages of a place */
    bool attached; /* by one operation to the message before: nothing comes between */
    View view;
} Message;

typedef struct {
    void *at;
    unsigned bytes, n;
    uint64_t hash; /* of the list */
    Message *list[MESSAGES];
} Place;

/* A read at a site and what it saw: the same again, with nothing new in between, is a loop that waits. */
typedef struct {
    const void *site, *at;
    const Message *seen;
    unsigned news;
} Read;

typedef struct {
    ucontext_t start;
    jmp_buf at; /* the scheduler changes threads a hundred times in a run, and needs no signal masks */
    char *stack;
    bool ended;
    uint64_t hash;                 /* of what it has done */
    View seen, acquired, released; /* now; with a fence that acquires; since the last fence that releases */
    double hidden[PLACES];         /* of a place with stores past the caches: what a release publishes of it; else 0 */
    Read read[READS];
    unsigned reads, news;
} Thread;

typedef struct {
    unsigned chosen, of;
} Choice;

typedef struct {
    unsigned run;
    unsigned short read[MODEL_THREADS], written[MODEL_THREADS];
} Shadow;

typedef struct {
    const void *site;
    char name[96];
} Site;

static struct {
    const ModelProgram *program;
    int weak;
    Choice choice[CHOICES];
    unsigned depth, at, begun; /* choices that are fixed, made in this run, and made before its threads */
    Place place[PLACES];
    Message message[MESSAGES];
    unsigned places, messages, threads, steps, run;
    Thread thread[MODEL_THREADS], *now;
    jmp_buf scheduler;
    View fence; /* of the last sequentially consistent one */
    bool cut;
    uint64_t fence_hash, step_hash, *seen; /* seen: states */
    unsigned states, written_n;
    const void *written[PLACES]; /* by some thread, in some run */
    bool is_new;                 /* one of these: what was explored took it for a constant */
    const char *fault;
    Shadow *shadow;
    size_t shadow_bytes;
    Site site[SITES];
    unsigned sites, names;
    struct {
        const void *at;
        const char *name;
    } name[NAMES];
    char text[200];
} e;

static void stop_if(bool wrong, const char *what) {
    if (!wrong) return;
    fprintf(stderr, "model: %s\n", what);
    abort();
}

/* ---- choices, depth first ---- */

static unsigned choose(unsigned n) {
    if (n < 2) return 0;
    if (e.at == e.depth) {
        stop_if(e.depth == CHOICES, "too many choices");
        e.choice[e.depth++] = (Choice){0, n};
    }
    stop_if(e.choice[e.at].of != n, "a run does not repeat itself");
    return e.choice[e.at++].chosen;
}

static bool choose_next(void) {
    while (e.depth && e.choice[e.depth - 1].chosen + 1 == e.choice[e.depth - 1].of) e.depth--;
    if (e.depth) e.choice[e.depth - 1].chosen++;
    return e.depth > 0;
}

/* ---- threads ---- */

static unsigned number_of(const Thread *t) {
    return (unsigned)(t - e.thread);
}

static void yield(void) {
    if (!_setjmp(e.now->at)) _longjmp(e.scheduler, 1);
}

unsigned model_thread(void) {
    return number_of(e.now);
}

void model_leave(void) {
    e.cut = true;
    yield();
}

static void fail(const char *what, const void *at) {
    const char *name = "", *begin = NULL;
    for (unsigned i = 0; i < e.names; i++) /* the last that begins before it */
        if ((const char *)e.name[i].at <= (const char *)at && (const char *)e.name[i].at >= begin)
            name = e.name[i].name, begin = e.name[i].at;
    snprintf(e.text, sizeof e.text, "%s%s%s", what, at ? " " : "", at ? name : "");
    e.fault = e.text;
    if (e.now) model_leave();
}

void model_require(bool good, const char *what) {
    if (!good && !e.fault) fail(what, NULL);
}

static void run_thread(unsigned number) {
    e.program->thread[number]();
    e.thread[number].ended = true;
    yield();
}

static void resume(Thread *t, bool begins) {
    e.now = t;
    if (!_setjmp(e.scheduler)) {
        if (begins) setcontext(&t->start);
        _longjmp(t->at, 1);
    }
    e.now = NULL;
}

static bool writes(const ModelOperation *o) {
    return o->kind != MODEL_LOAD;
}

/* ---- states ---- */

static uint64_t mix(uint64_t sum, uint64_t value) {
    sum = (sum + value + 1) * 0x9e3779b97f4a7c15ull;
    return sum ^ sum >> 32;
}

/* What a thread has read, and the order of the messages of each place, decide all that can follow, whatever came first. */
static uint64_t state_hash(void) {
    uint64_t sum = mix(e.fence_hash, e.step_hash);
    for (unsigned i = 0; i < e.threads; i++) sum = mix(sum, e.thread[i].hash + e.thread[i].ended);
    for (unsigned i = 0; i < e.places; i++) sum += mix((uintptr_t)e.place[i].at, e.place[i].hash);
    return sum | 1;
}

/* False: it was here before. */
static bool enter(uint64_t hash, uint64_t *table) {
    uint64_t i = hash % STATES;
    while (table[i] && table[i] != hash) i = (i + 1) % STATES;
    if (table[i]) return false;
    stop_if(++e.states > STATES / 4 * 3, "too many states");
    table[i] = hash;
    return true;
}

/* Whose turn is it? NULL: nobody's, or what follows has been seen. */
static Thread *next_thread(void) {
    Thread *ready[MODEL_THREADS];
    unsigned n = 0;
    for (unsigned i = 0; i < e.threads; i++)
        if (!e.thread[i].ended) ready[n++] = &e.thread[i];
    if (!n || (e.at == e.depth && !enter(state_hash(), e.seen))) return NULL;
    return ready[choose(n)];
}

/* ---- views ---- */

static void join(View *to, const View *from) {
    for (unsigned i = 0; i < e.places; i++)
        if (to->stamp[i] < from->stamp[i]) to->stamp[i] = from->stamp[i];
    for (unsigned i = 0; i < e.threads; i++)
        if (to->clock[i] < from->clock[i]) to->clock[i] = from->clock[i];
}

/* What a release publishes; the thread's accesses after it are others. */
static View released(Thread *t) {
    View v = t->seen;
    for (unsigned i = 0; i < e.places; i++)
        if (t->hidden[i] != 0) v.stamp[i] = t->hidden[i];
    t->seen.clock[number_of(t)]++;
    return v;
}

static bool acquires(int order) {
    return order != memory_order_relaxed && order != memory_order_release;
}
static bool releases(int order) {
    return order >= memory_order_release;
}

static void perform_fence(Thread *t, int order) {
    if (acquires(order)) join(&t->seen, &t->acquired);
    if (order == memory_order_seq_cst) join(&t->seen, &e.fence);
    if (!releases(order)) return;
    t->released = released(t);
    if (order != memory_order_seq_cst) return;
    e.fence = t->released;
    e.fence_hash = t->hash = mix(e.fence_hash, t->hash);
}

/* ---- operations ---- */

/* No access of a thread, though memcpy reports it. */
static void copy_unseen(void *to, const void *from, unsigned bytes) {
    Thread *now = e.now;
    e.now = NULL;
    memcpy(to, from, bytes);
    e.now = now;
}

static uint64_t load_memory(const void *at, unsigned bytes) {
    uint64_t value = 0;
    copy_unseen(&value, at, bytes);
    return value;
}

static Message *add_message(Place *p, unsigned index, uint64_t value) {
    stop_if(e.messages == MESSAGES, "too many stores");
    Message *m = &e.message[e.messages++];
    *m = (Message){.value = value};
    const double before = index ? p->list[index - 1]->stamp : 0;
    m->stamp = index == p->n ? before + 1 : (before + p->list[index]->stamp) / 2;
    memmove(p->list + index + 1, p->list + index, (p->n++ - index) * sizeof *p->list);
    p->list[index] = m;
    m->name = e.now->hash;
    p->hash = 0;
    for (unsigned i = 0; i < p->n; i++) p->hash = mix(p->hash, p->list[i]->name);
    return m;
}

/* Its first message is what memory holds. */
static Place *place_of(void *at, unsigned bytes) {
    for (unsigned i = 0; i < e.places; i++)
        if (e.place[i].at == at) return &e.place[i];
    stop_if(e.places == PLACES, "too many places");
    Place *p = &e.place[e.places++];
    p->at = at, p->bytes = bytes, p->n = 0;
    add_message(p, 0, load_memory(at, bytes))->name = 0;
    p->hash = 0;
    return p;
}

/* Which message does the operation read, or come after? */
static unsigned choose_message(const Thread *t, const Place *p, const ModelOperation *o) {
    unsigned list[MESSAGES], n = 0;
    for (unsigned i = p->n; i-- > 0 && p->list[i]->stamp >= t->seen.stamp[p - e.place];) {
        const bool reads_only = !writes(o) || (o->kind == MODEL_COMPARE && p->list[i]->value != o->expected);
        if (reads_only || i + 1 == p->n || !p->list[i + 1]->attached) list[n++] = i;
    }
    return list[choose(n)];
}

static void note_read(Thread *t, const ModelOperation *o, const Message *m) {
    Read *r = t->read;
    while (r < t->read + t->reads && (r->site != o->site || r->at != o->at)) r++;
    if (r == t->read + t->reads) {
        stop_if(t->reads == READS, "too many reads");
        *r = (Read){.site = o->site, .at = o->at};
        t->reads++;
    }
    if ((r->seen == m && r->news == t->news) || (o->kind == MODEL_EXCHANGE && m->value == o->value)) model_leave();
    if (r->seen != m) t->news++;
    r->seen = m, r->news = t->news;
}

static uint64_t result_of(const ModelOperation *o, uint64_t before) {
    if (o->kind == MODEL_ADD) return before + o->value;
    if (o->kind == MODEL_SUB) return before - o->value;
    return o->kind == MODEL_COMPARE && before != o->expected ? before : o->kind == MODEL_LOAD ? before : o->value;
}

static void write_message(Thread *t, Place *p, unsigned before, const ModelOperation *o) {
    const uint64_t mask = o->bytes == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * o->bytes) - 1;
    const Message *from = p->list[before];
    const bool attached = o->kind != MODEL_STORE && o->kind != MODEL_STREAM;
    Message *m = add_message(p, before + 1, result_of(o, from->value) & mask);
    double *seen = &t->seen.stamp[p - e.place], *hidden = &t->hidden[p - e.place];
    if (o->kind == MODEL_STREAM && *hidden == 0) *hidden = *seen > 0 ? *seen : 0.5; /* the first message has 1 */
    if (o->kind != MODEL_STREAM) *hidden = 0;
    *seen = m->stamp;
    m->view = releases(o->order) ? released(t) : t->released;
    if (attached) join(&m->view, &from->view);
    m->attached = attached;
    if (o->kind != MODEL_STREAM) m->view.stamp[p - e.place] = m->stamp;
    t->news++;
    copy_unseen(p->at, &p->list[p->n - 1]->value, p->bytes); /* for who copies it as it is */
}

static uint64_t perform_access(Thread *t, const ModelOperation *o) {
    if (o->order == memory_order_seq_cst) perform_fence(t, o->order);
    Place *p = place_of(o->at, o->bytes);
    const unsigned i = choose_message(t, p, o);
    const Message *m = p->list[i];
    t->hash = mix(mix(t->hash, (uintptr_t)o->at), m->name);
    const bool is_refused = o->kind == MODEL_COMPARE && m->value != o->expected;
    if (o->kind != MODEL_STORE && o->kind != MODEL_STREAM) {
        note_read(t, o, m);
        t->seen.stamp[p - e.place] = m->stamp;
        join(acquires(o->order) && !is_refused ? &t->seen : &t->acquired, &m->view);
    }
    if (writes(o) && !is_refused) write_message(t, p, i, o);
    return m->value;
}

/* ---- operations with an order ---- */

static const char *const kind_names[] = {"load of",
                                         "store to",
                                         "exchange of",
                                         "addition to",
                                         "subtraction from",
                                         "compare and exchange of",
                                         "fence",
                                         "",
                                         "fence after streaming stores",
                                         ""};
static const char *const order_names[] = {
    "relaxed", "consume", "acquire", "release", "acquire and release", "sequentially consistent"};

static int number_of_site(const ModelOperation *o, const char *name) {
    for (unsigned i = 0; i < e.sites; i++)
        if (e.site[i].site == o->site) return (int)i;
    const char *place = "";
    for (unsigned i = 0; i < e.names; i++)
        if (e.name[i].at == o->at) place = e.name[i].name;
    if (o->at && !*place) return -1; /* nothing that the program is about */
    stop_if(e.sites == SITES, "too many operations with an order");
    Site *s = &e.site[e.sites];
    s->site = o->site;
    snprintf(s->name, sizeof s->name, "%s: %s%s%s%s%s", e.program->name, name ? name : kind_names[o->kind],
             *place ? " " : "", place, name ? "" : ", ", name ? "" : order_names[o->order]);
    return (int)e.sites++;
}

static void wait_for_turn(void) {
    yield();
    if (e.steps++ > STEPS) fail("a thread does not come to its end", NULL);
}

static bool is_written(const void *at) {
    for (unsigned i = 0; i < e.written_n; i++)
        if (e.written[i] == at) return true;
    return false;
}

uint64_t model_perform(ModelOperation o) {
    if (!e.now) {
        if (o.kind == MODEL_FENCE || o.kind == MODEL_STREAM_FENCE) return 0;
        const uint64_t before = load_memory(o.at, o.bytes), after = result_of(&o, before);
        memcpy(o.at, &after, o.bytes);
        return before;
    }
    Thread *t = e.now;
    if (o.order != memory_order_relaxed && e.weak != MODEL_UNNUMBERED && number_of_site(&o, NULL) == e.weak)
        o.order = memory_order_relaxed;
    if (writes(&o) && o.at && !is_written(o.at)) {
        stop_if(e.written_n == PLACES, "too many places");
        e.written[e.written_n++] = o.at, e.is_new = true;
    }
    if (o.at ? is_written(o.at) : o.order == memory_order_seq_cst) wait_for_turn();
    if (o.kind != MODEL_FENCE && o.kind != MODEL_STREAM_FENCE) return perform_access(t, &o);
    if (o.kind == MODEL_FENCE)
        perform_fence(t, o.order);
    else if (o.order != memory_order_relaxed)
        memset(t->hidden, 0, sizeof t->hidden);
    return 0;
}

bool model_step(const void *site, const char *name) {
    const ModelOperation o = {.kind = MODEL_STEP, .site = site};
    if (!e.now) return false;
    const bool is_weak = name && number_of_site(&o, name) == e.weak;
    wait_for_turn();
    return is_weak;
}

void model_step_end(uint64_t result, const void *state, size_t bytes) {
    if (!e.now) return;
    e.now->hash = mix(e.now->hash, result);
    e.step_hash = 0;
    for (size_t i = 0; i < bytes / 8; i++) e.step_hash = mix(e.step_hash, ((const uint64_t *)state)[i]);
}

unsigned model_choose(unsigned n) {
    const unsigned chosen = choose(n);
    uint64_t *hash = e.now ? &e.now->hash : &e.step_hash;
    *hash = mix(*hash, chosen);
    return chosen;
}

void model_stream_zero(void *to, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 8)
        model_perform((ModelOperation){.kind = MODEL_STREAM, .at = (char *)to + i, .bytes = 8});
}

void model_stream_fence(void) {
    model_perform((ModelOperation){
        .kind = MODEL_STREAM_FENCE, .order = memory_order_release, .site = __builtin_return_address(0)});
}

/* ---- plain accesses ---- */

void model_plain(const void *at, size_t bytes, bool does_write) {
    const size_t offset = (size_t)((const char *)at - (const char *)e.program->watched);
    if (!e.now || offset >= e.shadow_bytes) return;
    const unsigned me = number_of(e.now);
    for (Shadow *s = e.shadow + offset; s < e.shadow + offset + bytes; s++) {
        if (s->run != e.run) *s = (Shadow){.run = e.run};
        for (unsigned i = 0; i < e.threads; i++)
            if (i != me && (s->written[i] > e.now->seen.clock[i] || (does_write && s->read[i] > e.now->seen.clock[i])))
                fail("a race for", at);
        *(does_write ? &s->written[me] : &s->read[me]) = (unsigned short)e.now->seen.clock[me];
    }
    if (does_write) e.now->news++;
}

void model_name(const void *place, const char *name) {
    unsigned i = 0;
    while (i < e.names && strcmp(e.name[i].name, name) != 0) i++;
    stop_if(i == NAMES, "too many names");
    e.name[i].at = place, e.name[i].name = name;
    if (i == e.names) e.names++;
}

/* ---- runs ---- */

static void begin_thread(Thread *t) {
    char *stack = t->stack ? t->stack : malloc(STACK_BYTES);
    stop_if(!stack, "no memory");
    *t = (Thread){.stack = stack, .hash = 1 + number_of(t)};
    t->seen.clock[number_of(t)] = 1;
    getcontext(&t->start);
    t->start.uc_stack.ss_sp = stack, t->start.uc_stack.ss_size = STACK_BYTES;
    makecontext(&t->start, (void (*)(void))run_thread, 1, number_of(t));
    resume(t, true);
}

/* True: all threads came to their end. */
static bool run_once(void) {
    e.at = e.places = e.messages = e.steps = 0, e.fence_hash = e.step_hash = 0, e.cut = false, e.fence = (View){0},
    e.run++;
    e.program->begin();
    e.begun = e.at;
    for (e.threads = 0; e.threads < MODEL_THREADS && e.program->thread[e.threads] && !e.cut;)
        begin_thread(&e.thread[e.threads++]);
    for (Thread *t; !e.cut && (t = next_thread());) resume(t, false);
    bool whole = !e.cut;
    for (unsigned i = 0; i < e.threads; i++) whole &= e.thread[i].ended;
    if (whole && e.program->end) e.program->end();
    return whole;
}

/* From the first choice of a thread. */
static bool explore_anew(void) {
    e.depth = e.begun, e.states = 0, e.is_new = false;
    memset(e.seen, 0, STATES * sizeof *e.seen);
    return true;
}

ModelResult model_explore(const ModelProgram *program, int weak) {
    ModelResult r = {0};
    e.program = program, e.weak = weak, e.names = 0, e.fault = NULL, e.shadow_bytes = program->watched_bytes;
    free(e.shadow);
    if (!e.seen) e.seen = malloc(STATES * sizeof *e.seen);
    e.written_n = e.begun = 0, explore_anew();
    e.shadow = calloc(e.shadow_bytes + 16, sizeof *e.shadow);
    for (bool more = true; more;) {
        r.whole += run_once();
        r.runs++;
        more = e.is_new ? explore_anew() : choose_next();
        more &= !e.fault;
    }
    r.fault = e.fault;
    return r;
}

unsigned model_ordered(void) {
    return e.sites;
}

const char *model_ordered_name(unsigned number) {
    return e.site[number].name;
}
