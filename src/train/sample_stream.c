/* SPDX-License-Identifier: MIT */
#include "sample_stream.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { CHUNKS = 2, CHECK_INTERVAL = 4096 };

/* A chunk is the reader's until it is full, and then the taker's until it is taken. */
typedef struct {
    TrainSample *sample;
    size_t count;
    bool is_full;
} SampleChunk;

struct SampleStream {
    SampleStreamOptions options;
    DataSource *source;
    SampleChunk chunk[CHUNKS];

    /* The taker's place. */
    unsigned taken_chunk;
    size_t taken;

    /* The reading thread's: the chunk of the pass that comes next. */
    pthread_t thread;
    bool has_thread;
    SampleReader reader;
    uint64_t pass, pass_chunk;
    TrainSample *all; /* of files that fit into one chunk, in their order; NULL: none yet */

    /* Under the lock, beside is_full. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool over; /* no further chunk comes, or is wanted */
    DataOutcome outcome;
    TabiaError error;
};

/* ---- the reading thread ---- */

static size_t chunk_size(const SampleStream *s, uint64_t number) {
    const uint64_t begin = number * s->options.chunk_samples, left = s->options.pass_samples - begin;
    assert(begin < s->options.pass_samples);
    return left < s->options.chunk_samples ? (size_t)left : s->options.chunk_samples;
}

/* n samples in the order of the files; to may be NULL. False: the files have no more, or no more is wanted. */
static bool read_samples(SampleStream *s, TrainSample *to, uint64_t n, TabiaError *error) {
    for (uint64_t i = 0; i < n;) {
        TrainSample sample;
        bool held_out;
        if (i % CHECK_INTERVAL == 0 && atomic_load(&s->over)) return false;
        if (!sample_read(&s->reader, &sample, &held_out, error)) {
            if (s->source->outcome == DATA_DONE) tabia_fail(error, "%s: the files have changed", s->source->paths[0]);
            return false;
        }
        if (held_out) continue;
        if (to) to[i] = sample;
        i++;
    }
    return true;
}

static bool begin_pass(SampleStream *s, TabiaError *error) {
    s->reader =
        (SampleReader){.source = s->source, .holds_out = s->options.holds_out, .td_lambda = s->options.td_lambda};
    return data_source_rewind(s->source, error);
}

/* Files that fit into one chunk are kept. */
static bool read_all_once(SampleStream *s, SampleChunk *chunk, TabiaError *error) {
    const size_t n = (size_t)s->options.pass_samples;
    if (!s->all) {
        s->all = malloc(n * sizeof *s->all);
        if (!s->all) return tabia_fail(error, "no memory for %zu samples", n);
        if (!read_samples(s, s->all, n, error)) return false;
        data_source_close(s->source);
    }
    memcpy(chunk->sample, s->all, n * sizeof *chunk->sample);
    return true;
}

/* Fisher-Yates, by a seed of its own for each chunk of each pass. */
static void shuffle(const SampleStream *s, SampleChunk *chunk) {
    uint64_t seed = s->options.seed ^ s->pass * 0xd1342543de82ef95ull ^ s->pass_chunk * 0xaf251af3b0f025b5ull;
    random_next(&seed);
    for (size_t i = chunk->count; i > 1; i--) {
        const size_t other = random_below(&seed, (unsigned)i);
        const TrainSample last = chunk->sample[i - 1];
        chunk->sample[i - 1] = chunk->sample[other], chunk->sample[other] = last;
    }
}

static bool fill(SampleStream *s, SampleChunk *chunk, TabiaError *error) {
    const bool fits = s->options.pass_samples <= s->options.chunk_samples;
    chunk->count = chunk_size(s, s->pass_chunk);
    if (!fits && s->pass_chunk == 0 && !begin_pass(s, error)) return false;
    if (fits ? !read_all_once(s, chunk, error) : !read_samples(s, chunk->sample, chunk->count, error)) return false;
    shuffle(s, chunk);
    if (++s->pass_chunk * s->options.chunk_samples >= s->options.pass_samples) s->pass++, s->pass_chunk = 0;
    return true;
}

/* Waits until the chunk is the reader's. False: no further chunk is wanted. */
static bool wait_until_taken(SampleStream *s, const SampleChunk *chunk) {
    pthread_mutex_lock(&s->lock);
    while (chunk->is_full && !atomic_load(&s->over)) pthread_cond_wait(&s->changed, &s->lock);
    const bool wanted = !atomic_load(&s->over);
    pthread_mutex_unlock(&s->lock);
    return wanted;
}

static void hand_over(SampleStream *s, SampleChunk *chunk, bool good, const TabiaError *error) {
    pthread_mutex_lock(&s->lock);
    if (good) {
        chunk->is_full = true;
    } else {
        s->error = *error;
        atomic_store(&s->over, true);
        s->outcome = s->source->outcome == DATA_DONE ? DATA_BAD_INPUT : s->source->outcome;
    }
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* The samples before the first chunk are read and dropped. */
static void *reading_thread(void *stream) {
    SampleStream *s = stream;
    TabiaError error = {0};
    bool good = begin_pass(s, &error) && read_samples(s, NULL, s->pass_chunk * s->options.chunk_samples, &error);
    if (!good) hand_over(s, NULL, false, &error);
    for (unsigned i = 0; good && wait_until_taken(s, &s->chunk[i]); i = (i + 1) % CHUNKS) {
        good = fill(s, &s->chunk[i], &error);
        hand_over(s, &s->chunk[i], good, &error);
    }
    data_source_close(s->source);
    return NULL;
}

/* ---- taking ---- */

/* The chunk that is taken from; NULL: there is none, as s->outcome says. */
static SampleChunk *wait_until_full(SampleStream *s) {
    SampleChunk *chunk = &s->chunk[s->taken_chunk];
    pthread_mutex_lock(&s->lock);
    while (!chunk->is_full && !atomic_load(&s->over)) pthread_cond_wait(&s->changed, &s->lock);
    const bool is_full = chunk->is_full;
    pthread_mutex_unlock(&s->lock);
    return is_full ? chunk : NULL;
}

static void give_back(SampleStream *s, SampleChunk *chunk) {
    pthread_mutex_lock(&s->lock);
    chunk->is_full = false;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    s->taken_chunk = (s->taken_chunk + 1) % CHUNKS, s->taken = 0;
}

DataOutcome sample_stream_take(SampleStream *s, TrainSample *to, size_t n, TabiaError *error) {
    while (n) {
        SampleChunk *chunk = wait_until_full(s);
        if (!chunk) {
            if (error) *error = s->error;
            return s->outcome;
        }
        assert(s->taken < chunk->count);
        const size_t left = chunk->count - s->taken, now = left < n ? left : n;
        memcpy(to, chunk->sample + s->taken, now * sizeof *to);
        to += now, n -= now, s->taken += now;
        if (s->taken == chunk->count) give_back(s, chunk);
    }
    return DATA_DONE;
}

/* ---- beginning and ending ---- */

/* The place where the stream begins. */
static void find_place(SampleStream *s) {
    const SampleStreamOptions *o = &s->options;
    const uint64_t within = o->from % o->pass_samples;
    s->pass = o->from / o->pass_samples;
    s->pass_chunk = within / o->chunk_samples;
    s->taken = (size_t)(within % o->chunk_samples);
}

SampleStream *sample_stream_open(DataSource *source, const SampleStreamOptions *options, TabiaError *error) {
    assert(options->pass_samples && options->chunk_samples && options->chunk_samples <= UINT32_MAX);
    SampleStream *s = tabia_aligned_get(_Alignof(SampleStream), sizeof *s);
    if (!s) return tabia_fail(error, "no memory for a stream of samples"), NULL;
    memset(s, 0, sizeof *s), s->options = *options, s->source = source;
    find_place(s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    const size_t room =
        options->pass_samples < options->chunk_samples ? (size_t)options->pass_samples : options->chunk_samples;
    for (int i = 0; i < CHUNKS; i++) s->chunk[i].sample = malloc(room * sizeof *s->chunk[i].sample);
    s->has_thread = s->chunk[0].sample && s->chunk[1].sample && !pthread_create(&s->thread, NULL, reading_thread, s);
    if (s->has_thread) return s;
    sample_stream_close(s);
    return tabia_fail(error, "no memory or thread for a stream of %zu samples", room), NULL;
}

void sample_stream_close(SampleStream *s) {
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    atomic_store(&s->over, true);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    if (s->has_thread) pthread_join(s->thread, NULL);
    for (int i = 0; i < CHUNKS; i++) free(s->chunk[i].sample);
    free(s->all);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    tabia_aligned_free(s);
}
