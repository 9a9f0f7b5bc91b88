/* SPDX-License-Identifier: MIT */
#include "serve/stream.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "serve/http_system.h"

struct Stream {
    pthread_mutex_t lock; /* of all that follows */
    int wake;
    unsigned holders;
    bool ended, abandoned;
    char *bytes; /* those from `taken` to `n` are not sent yet */
    size_t taken, n, room;
};

Stream *stream_create(int wake) {
    Stream *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->wake = wake;
    s->holders = 2;
    return s;
}

/* Requires the lock, and gives it back. */
static void let_go(Stream *s) {
    assert(s->holders > 0);
    const bool last = --s->holders == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last) return;
    pthread_mutex_destroy(&s->lock);
    free(s->bytes);
    free(s);
}

/* Makes room for n more bytes. Requires the lock. */
static bool make_room(Stream *s, size_t n) {
    memmove(s->bytes, s->bytes + s->taken, s->n - s->taken);
    s->n -= s->taken, s->taken = 0;
    if (s->n + n <= s->room) return true;
    if (n > STREAM_MAX || s->n + n > STREAM_MAX) return false;
    char *larger = realloc(s->bytes, 2 * (s->n + n));
    if (!larger) return false;
    s->bytes = larger, s->room = 2 * (s->n + n);
    return true;
}

bool stream_write(Stream *s, const char *bytes, size_t n) {
    if (!n) return !stream_is_abandoned(s);
    pthread_mutex_lock(&s->lock);
    assert(!s->ended && s->taken <= s->n);
    if (!s->bytes) s->bytes = malloc(s->room = 4096);
    if (!s->bytes || (!s->abandoned && !make_room(s, n))) s->abandoned = true;
    const bool read = !s->abandoned;
    if (read) memcpy(s->bytes + s->n, bytes, n), s->n += n;
    http_wake(s->wake);
    pthread_mutex_unlock(&s->lock);
    return read;
}

bool stream_is_abandoned(Stream *s) {
    pthread_mutex_lock(&s->lock);
    const bool abandoned = s->abandoned;
    pthread_mutex_unlock(&s->lock);
    return abandoned;
}

void stream_end(Stream *s) {
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    http_wake(s->wake);
    pthread_mutex_unlock(&s->lock);
}

void stream_release(Stream *s) {
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    http_wake(s->wake);
    let_go(s);
}

StreamState stream_state(Stream *s) {
    pthread_mutex_lock(&s->lock);
    const bool ended = s->ended || s->abandoned;
    const StreamState state = s->taken < s->n ? STREAM_BYTES : ended ? STREAM_ENDED : STREAM_WAITS;
    pthread_mutex_unlock(&s->lock);
    return state;
}

size_t stream_take(Stream *s, char *out, size_t room) {
    pthread_mutex_lock(&s->lock);
    const size_t left = s->n - s->taken, n = left < room ? left : room;
    if (n) memcpy(out, s->bytes + s->taken, n);
    s->taken += n;
    pthread_mutex_unlock(&s->lock);
    return n;
}

void stream_abandon(Stream *s) {
    pthread_mutex_lock(&s->lock);
    s->abandoned = true;
    let_go(s);
}
